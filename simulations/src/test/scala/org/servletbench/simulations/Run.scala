package org.servletbench.simulations

import io.gatling.core.Predef._
import org.servletbench.bench.campaign.Machine
import org.servletbench.bench.cli.{RunFigures, RunOptions, SingleRun}
import org.servletbench.bench.host.RemoteTarget
import org.servletbench.bench.measure.{CodeTiers, ServerUse, WarmCode}
import org.servletbench.bench.model._
import org.servletbench.bench.server.os.{CompilerTime, Processors}
import org.servletbench.bench.server.{CodeWatch, Target, WarmUp}

import java.io.OutputStream
import java.nio.channels.FileChannel
import java.nio.file.{Files, Path, StandardOpenOption}
import java.time.{Duration, LocalTime}
import java.util.Locale
import java.util.concurrent.atomic.{AtomicBoolean, AtomicInteger, AtomicLong}
import java.util.concurrent.{Executors, TimeUnit}
import scala.concurrent.duration.{DurationLong, FiniteDuration}
import scala.jdk.CollectionConverters._
import scala.jdk.OptionConverters._

/** A run of a simulation on one server. It opens the server, reports progress,
  * and ends with the report in its folder.
  */
final class Run private (
    asked: LoadPlan,
    val target: Target,
    slo: Option[Slo],
    results: Path
) {

  private var current = asked
  private val gatlingFolders = Run.gatlingFolders(results)
  private var stages = Vector.empty[Stage]
  @volatile private var finished = false

  def plan: LoadPlan = current

  /** Replaces the workloads by the journeys of a simulation that a user wrote.
    */
  def journeys(names: Seq[String]): LoadModel = {
    names
      .find(name => !name.matches("[A-Za-z0-9-]+"))
      .orElse(names.diff(names.distinct).headOption)
      .orElse(Option.when(names.isEmpty)(""))
      .foreach(name =>
        Run.refuse(
          s"'$name' is not the name of a journey: give each one of letters, digits and dashes"
        )
      )
    current = asked.of(names.asJava)
    announce()
    asked.model
  }

  /** Announces the expected duration. */
  def announce(): Unit =
    plan.announcement(LocalTime.now).ifPresent(line => say(line))

  def say(line: String): Unit = println(s"servlet-bench: $line")

  def isTargetAlive: Boolean = target.death.isEmpty

  def death: String = target.death.toScala.fold("")(reason =>
    s"the server died under load ($reason)"
  )

  /** Adds a stage: one workload at one number of users. Stages run in the order
    * in which they are added.
    *
    * @param rampUp
    *   time until all users have started
    */
  def stage(name: String, rampUp: Duration): Stage = {
    val stage = new Stage(name, stages.size, rampUp)
    stages :+= stage
    stage
  }

  private val divided = new AtomicBoolean

  /** Assigns processors once, after the warm-up with all workloads, when
    * Gatling's threads exist. Later threads inherit the assignment.
    */
  private def divide(): Unit = if (divided.compareAndSet(false, true)) {
    target.note("machine", Machine.facts)
    target.note(
      "pinning",
      Processors.divide(target.pids, ProcessHandle.current.pid)
    )
  }

  private val codeWatch = new CodeWatch(target)
  private val codes = new java.util.LinkedHashMap[String, CodeTiers]

  /** Puts the samples of a stage's first moments into the server's record. */
  private def noteCode(stage: String, seen: WarmCode): Unit = {
    codes.put(stage, seen.seen)
    target.note("code", codes)
  }

  private val timer =
    Executors.newSingleThreadScheduledExecutor(new Daemon("servlet-bench-run"))

  /** Runs an action after this time, unless the run ends earlier. */
  private def later(time: Duration)(what: => Unit): Unit =
    timer.schedule(
      (() => what): Runnable,
      time.toMillis,
      TimeUnit.MILLISECONDS
    )

  final class Stage(val name: String, index: Int, rampUp: Duration) {
    private val endNanos = new AtomicLong
    private val asked = new AtomicBoolean
    private val linedUp = new AtomicInteger
    @volatile private var quiet = false
    @volatile private var begunAgain = false
    @volatile private var compilerPercent = Double.NaN
    @volatile private var code = Option.empty[WarmCode]

    /** True if the server's compiler still has work before this stage. The
      * first caller starts the check.
      */
    def isWaiting: Boolean = {
      if (asked.compareAndSet(false, true)) {
        divide()
        onceQuiet { quiet = true }
      }
      !quiet
    }

    private def onceQuiet(next: => Unit): Unit =
      new Daemon("servlet-bench-quiet")
        .newThread { () =>
          WarmUp.awaitQuiet(target, plan.warmUp.pause)
          next
        }
        .start()

    /** Starts a stage that ends by time. Its first user sets the end, so that
      * all users stop together without a ramp-down.
      */
    def begin(length: Duration): Session => Session = { session =>
      if (
        endNanos.get == 0 && endNanos.compareAndSet(
          0,
          System.nanoTime + length.toNanos
        )
      ) {
        announce()
        watchServer(length)
      }
      session
    }

    /** Starts a stage that ends by requests. */
    def begin(): Session => Session = begin(Duration.ZERO)

    def isRunning: Boolean = System.nanoTime < endNanos.get && isTargetAlive

    private def announce(): Unit = {
      divide()
      say(plan.progress(index + 1, name, LocalTime.now))
    }

    /** Samples the server's code while users arrive, and its compiler from then
      * to the end.
      */
    private def watchServer(length: Duration): Unit =
      if (length.compareTo(rampUp) > 0) {
        var from = Option.empty[CompilerTime]
        val early = rampUp.minus(Run.CodeStops)
        if (!early.isNegative) {
          timer.execute(() => codeWatch.start())
          later(early) {
            code = codeWatch.look().toScala
            codeWatch.stop()
            code.foreach(noteCode(name, _))
          }
        }
        later(rampUp) { from = target.compilerTime.toScala }
        later(length) {
          compilerPercent = (for {
            first <- from
            last <- target.compilerTime.toScala
          } yield last.percentSince(first)).getOrElse(Double.NaN)
        }
      }

    /** The name of the stage's requests when it is repeated. */
    val nameAgain: String = Load.again(name)

    /** True if the server was certainly not warm at the start of this stage, by
      * the code that it ran. If that code is not visible, true if its compiler
      * took nearly as much CPU time as the page would report. Nothing else
      * decides, least of all its speed.
      */
    def isNeededAgain: Boolean = code.fold(
      compilerPercent > Run.Nearly * ServerUse.COMPILING_PERCENT
    )(_.isSurelyCold)

    /** Returns the reason for a repetition, for people. */
    private def reason: String = code.fold(
      f"the JIT compiler took $compilerPercent%.1f %% of the server's CPU time"
    )(seen => s"the server was not warm as it began (${seen.reason})")

    /** Starts all users together once they are connected and the compiler is
      * idle.
      */
    def beginAgain(users: Int, length: Duration): Session => Session = {
      session =>
        if (linedUp.incrementAndGet == users) onceQuiet {
          say(s"$name once more: $reason")
          endNanos.set(System.nanoTime + length.toNanos)
          begunAgain = true
        }
        session
    }

    def isWaitingAgain: Boolean = !begunAgain && isTargetAlive
  }

  /** Stops the server, moves Gatling's log into the run's folder, makes the
    * report there, and ends this JVM.
    *
    * Gatling would name the folder only by the simulation and the time. So its
    * own report step runs here, and its result is this JVM's exit code.
    */
  def finish(): Unit = {
    target.close()
    collect()
    finished = true
    val folder =
      target.death.toScala.fold(target.folder)(_ => incomplete(target.folder))
    val reported = Run.report(folder, results)
    val figures = RunFigures.keep(folder.resolve("simulation.log"))
    figures.completeLine(folder.resolve("index.html"))
    print(figures.text)
    figures.warnings.forEach(warning => say(warning.line))
    // If no request ended, there is only the folder to show.
    val measured = folder.resolve(RunFigures.PAGE)
    val page = (if (Files.exists(measured)) measured else folder).toUri
    target.death.toScala match {
      case Some(reason) =>
        say(
          s"the server died under load ($reason): what was measured until then is kept, and is not a result"
        )
        say(s"page (incomplete): $page")
        sys.exit(TargetException.EXIT_CODE)
      case None =>
        if (reported != 0)
          say(
            s"more than ${Run.plain(plan.maxFailedPercent)} % of the requests failed"
          )
        val missed = slo.exists(figures.misses(_, line => say(line)))
        if (missed) say("the objective (-Dslo) is not met, see above")
        say(s"page: $page")
        sys.exit(if (missed) Run.AssertionsFailed else reported)
    }
  }

  /** Adds a warning to the report's path, where everyone who opens it sees it.
    */
  private def incomplete(folder: Path): Path =
    Files.move(
      folder,
      folder.resolveSibling(s"${folder.getFileName}-INCOMPLETE")
    )

  private def collect(): Unit =
    (Run.gatlingFolders(results) -- gatlingFolders).foreach { folder =>
      Run
        .files(folder)
        .foreach(file =>
          Files.move(file, target.folder.resolve(file.getFileName))
        )
      Files.delete(folder)
    }

  /** Cleans up after a run that did not complete because of Ctrl-C, a crash of
    * the generator, or the end of Maven.
    */
  private def abandon(how: String): Unit =
    if (!finished) {
      target.close(how)
      collect()
      say(s"$how; what was measured until then is kept in ${target.folder}")
    }

  Runtime.getRuntime.addShutdownHook(new Thread(() => abandon("interrupted")))
}

object Run {

  /** Options that have no effect with a simulation that a user wrote. */
  private val OfWorkloads = Seq("workloads", "delay", "db.url")

  /** Time before a stage counts when sampling of code stops, because stopping
    * takes a moment.
    */
  private val CodeStops = Duration.ofMillis(200)

  /** Share of the limit for the compiler's CPU time above which a stage is
    * repeated.
    */
  private val Nearly = 2.0 / 3

  /** Gatling's exit code for failed assertions. */
  private val AssertionsFailed = 2

  /** Pattern of a simulation's name and a time in ms. Folders of runs have a
    * shorter time.
    */
  private val GatlingFolder = "[^-]+-\\d{17}"

  /** The open channel. It is kept, because an unreferenced channel is closed
    * and its lock released.
    */
  private var running: FileChannel = _

  /** Opens the run that the system properties describe. If that is impossible,
    * ends this JVM with one line.
    */
  def open(own: Boolean): Run =
    try {
      endWithMaven()
      val folder = new ProfilesFolder(
        Path.of(System.getProperty("bench.profiles"))
      )
      val options = SingleRun.options(folder)
      OfWorkloads.filter(_ => own).find(options.isGiven).foreach { name =>
        throw new UsageException(
          s"-D$name is not taken by a simulation of your own: users go through its journeys"
        )
      }
      val asked = new RunOptions(options, folder)
      val plan = asked.load
      val results = Path.of(options.required("bench.results"))
      alone(results)
      val run =
        new Run(
          plan,
          RemoteTarget.open(asked.machines, asked.target, results, plan),
          asked.objective.toScala,
          results
        )
      run.say(run.target.description)
      if (!own) run.announce()
      run
    } catch {
      case refused: UsageException  => refuse(refused.getMessage)
      case refused: TargetException => refuse(refused.getMessage)
    }

  /** Locks the results. Gatling names its folder only by time, so two runs
    * would mix up their folders. The lock ends with this JVM.
    */
  private def alone(results: Path): Unit = {
    running = FileChannel.open(
      Files.createDirectories(results.getParent).resolve("gatling.lock"),
      StandardOpenOption.CREATE,
      StandardOpenOption.WRITE
    )
    if (running.tryLock() == null)
      refuse(
        "another run of Gatling uses this clone: wait for its end, or end it"
      )
  }

  // The exit code of bad usage is not used, because the Gatling plug-in would
  // report a failed assertion.
  private[simulations] def refuse(message: String): Nothing = {
    System.err.println(s"servlet-bench: $message")
    sys.exit(TargetException.EXIT_CODE)
  }

  /** Watches the parent process, because a killed Maven cannot end the JVM that
    * it forked.
    */
  private def endWithMaven(): Unit =
    ProcessHandle.current.parent.ifPresent { maven =>
      maven.onExit.thenRun { () =>
        System.err.println("servlet-bench: Maven has gone")
        sys.exit(TargetException.EXIT_CODE)
      }
    }

  private def report(run: Path, results: Path): Int = {
    val arguments = Array(
      "--reports-only",
      run.getFileName.toString,
      "--results-folder",
      results.toString
    )
    // Gatling's main method would end the JVM at once. The method behind it,
    // which Scala hides, returns the code.
    val gatling = Class.forName("io.gatling.app.Gatling$")
    // Gatling prints rates over the whole run, including ramps and pauses;
    // servlet-bench's own table is more accurate.
    Console.withOut(OutputStream.nullOutputStream) {
      gatling
        .getMethod("fromArgs", classOf[Array[String]])
        .invoke(gatling.getField("MODULE$").get(null), arguments)
        .asInstanceOf[Int]
    }
  }

  private def gatlingFolders(results: Path): Set[Path] =
    if (Files.isDirectory(results))
      files(results)
        .filter(_.getFileName.toString.matches(GatlingFolder))
        .toSet
    else Set.empty

  private def files(folder: Path): Seq[Path] = {
    val stream = Files.list(folder)
    try stream.iterator.asScala.toSeq
    finally stream.close()
  }

  /** Formats a number without a needless fraction. */
  def plain(number: Double): String =
    if (number.isWhole) f"$number%.0f"
    else number.toString.toLowerCase(Locale.ROOT)

  /** Rounds up to whole seconds, because Gatling's open model drops a fraction
    * of a second.
    */
  def wholeSeconds(ms: Long): FiniteDuration = ((ms + 999) / 1000).seconds
}
