package org.servletbench.simulations

import io.gatling.commons.validation._
import io.gatling.core.Predef._
import io.gatling.core.session.Expression
import io.gatling.core.structure.{ChainBuilder, PopulationBuilder}
import io.gatling.http.Predef._
import io.gatling.http.check.HttpCheck
import io.gatling.http.protocol.HttpProtocolBuilder
import io.gatling.http.request.builder.HttpRequestBuilder
import org.servletbench.bench.load.{
  Barrier,
  GeneratorWarmUp,
  RateSteps,
  Schedule,
  TurnClock,
  RowSeries,
  UserPlace
}

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Path
import java.util.concurrent.atomic.{AtomicBoolean, AtomicLong}
import scala.concurrent.duration._
import scala.jdk.CollectionConverters._

/** The loads of a campaign, one after the other, on servers that somebody else
  * has started and warmed up. The schedule is a file that the campaign writes.
  *
  * Before the first load Gatling warms itself up: bursts at one server after
  * the other, until they have stopped rising.
  */
class CampaignSimulation extends Simulation {

  private val file = Path.of(System.getProperty("servlet-bench.schedule"))
  private val schedule = Schedule.read(file)
  private val windows = schedule.windows.asScala.toVector
  private val rotations = schedule.rotations.asScala.toVector

  private val plain: HttpProtocolBuilder = http
    .userAgentHeader("servlet-bench")
    .acceptHeader("*/*")
    .disableCaching
    .disableFollowRedirect

  /** Over TLS the server chooses between HTTP/1.1 and HTTP/2. */
  private val users: HttpProtocolBuilder =
    if (schedule.servers.asScala.exists(_.startsWith("https")))
      plain.enableHttp2
    else plain

  private def length(stop: Schedule.Stop): HttpCheck =
    if (stop.minBytes == stop.maxBytes) bodyLength.is(stop.minBytes)
    else bodyLength.in(stop.minBytes to stop.maxBytes)

  private def request(stop: Schedule.Stop): HttpRequestBuilder =
    request(stop.name, stop)

  private val rows = new RowSeries
  private val Place = "place"
  private val Step = "step"

  /** The next request to a server, of those that users send to it in order.
    * Each is a new visitor's. Gatling does not know the ports of a host apart:
    * the session of one server would go to the next. Of requests that differ
    * each server gets all rows in their order, from the first one on: one for
    * each pass of a user through the list.
    */
  private def send(
      stop: Schedule.Stop,
      made: Schedule.Stop => HttpRequestBuilder
  ): ChainBuilder = {
    val passes = rows.of(stop)
    val parts = stop.parts.asScala.toVector
    val sends = parts.map(part => exec(made(part)))
    val next = exec { session =>
      val place = session.attributes
        .getOrElse(Place, new UserPlace)
        .asInstanceOf[UserPlace]
      session.setAll(
        Place -> place,
        Step -> place.next(stop.server, parts.size, passes)
      )
    }
    val sent =
      if (parts.size > 1)
        next.exec(
          doSwitch(session => step(session).request)(sends.zipWithIndex.map {
            case (part, index) => index -> part
          }: _*)
        )
      else if (stop.varies) next.exec(sends.head)
      else sends.head
    sent.exec(flushCookieJar)
  }

  private def send(stop: Schedule.Stop): ChainBuilder =
    send(stop, part => request(part))

  private def step(session: Session): UserPlace.Step =
    session(Step).as[UserPlace.Step]

  private def row(session: Session): Long = step(session).pass

  /** Headers and bodies are sent as they are: Gatling's own expressions in them
    * are not evaluated.
    */
  private def request(
      name: Expression[String],
      stop: Schedule.Stop
  ): HttpRequestBuilder = {
    val sending = stop.sending
    val http = io.gatling.http.Predef.http(name)
    val bare =
      if (sending.varies)
        http.httpRequest(
          sending.method,
          (session: Session) =>
            (stop.server + sending.path(stop.path, row(session))).success
        )
      else http.httpRequest(sending.method, stop.server + stop.path)
    val headed = sending.headers.asScala.foldLeft(bare) {
      case (request, (header, value)) =>
        request.header(header, (_: Session) => value.success)
    }
    val body = sending.body.getBytes(UTF_8)
    val whole =
      if (body.isEmpty) headed
      else if (sending.varies)
        headed.body(ByteArrayBody { (session: Session) =>
          sending.filled(row(session)).body.getBytes(UTF_8).success
        })
      else headed.body(ByteArrayBody((_: Session) => body.success))
    whole.check(status.is(sending.status), length(stop))
  }

  // ---- the generator's own warm-up ----

  private val rehearsals = schedule.rehearsals.asScala.toVector
  private val warmUp =
    new GeneratorWarmUp(schedule.warmUp, rehearsals.size, println(_))

  private def rehearse(stop: Schedule.Stop): ChainBuilder =
    send(stop, part => request(part).silent).exec { session =>
      warmUp.answered()
      session
    }

  private def warmUpPopulation: PopulationBuilder =
    scenario("warm-up")
      .exec(
        asLongAs(_ => warmUp.isRunning)(
          if (rehearsals.size == 1) rehearse(rehearsals.head)
          else
            doSwitch(_ => warmUp.server)(
              rehearsals.zipWithIndex.map { case (stop, index) =>
                index -> rehearse(stop)
              }: _*
            )
        )
      )
      .inject(atOnceUsers(schedule.warmUp.users))
      .protocols(users)

  // ---- the start of each load ----

  private val clock = TurnClock.steadyClock

  /** On load hosts: where this generator waits for the others. */
  private def barrier(number: Int): Option[Barrier] =
    Option.when(Barrier.isWanted)(
      new Barrier(file.getParent, number, clock)
    )

  /** One user waits for all. */
  private def wait(at: Barrier, load: String): PopulationBuilder =
    scenario(s"before $load")
      .exec { session =>
        at.ready()
        session
      }
      .exec(asLongAs(_ => !at.isOpen)(pause(_ => at.waitMs.millis)))
      .inject(atOnceUsers(1))

  // ---- the windows ----

  private val measuring = new AtomicBoolean

  private def announceLoad(): Unit =
    if (measuring.compareAndSet(false, true)) println(Schedule.MEASURING)

  private def announce(window: Schedule.Window): Unit = {
    announceLoad()
    println(Schedule.WINDOW + window.name)
  }

  private def population(
      window: Schedule.Window,
      barrier: Option[Barrier]
  ): PopulationBuilder =
    if (window.users > 0) closed(window, barrier) else open(window)

  /** The first user sets the end, so that all stop together. */
  private def closed(
      window: Schedule.Window,
      barrier: Option[Barrier]
  ): PopulationBuilder = {
    val end = new AtomicLong
    // Those of other hosts end at the same moment, too.
    def late = barrier.fold(0L)(at => clock.getAsLong - at.beginMs)
    scenario(window.name)
      .exec { session =>
        if (
          end.get == 0 && end.compareAndSet(
            0,
            System.nanoTime + (window.rampUpMs + window.holdMs - late) * 1000000L
          )
        ) announce(window)
        session
      }
      .exec(asLongAs(_ => System.nanoTime < end.get)(send(window.stop)))
      .inject(rampUsers(window.users).during(window.rampUpMs.millis))
      .protocols(users)
  }

  private def open(window: Schedule.Window): PopulationBuilder = {
    val begun = new AtomicBoolean
    scenario(window.name)
      .exec { session =>
        if (begun.compareAndSet(false, true)) announce(window)
        session
      }
      .exec(send(window.stop))
      .inject(
        constantUsersPerSec(window.rate)
          .during(Run.wholeSeconds(window.rampUpMs + window.holdMs))
      )
      // A user is one request; a connection for each would measure the handshake.
      .protocols(users.shareConnections)
  }

  // ---- load in turns ----

  /** All users are at one server at a time and move on by the clock. Each keeps
    * a connection of its own to every server.
    */
  private def turns(
      load: Schedule.Turns,
      barrier: Option[Barrier]
  ): PopulationBuilder = {
    val stops = load.stops.asScala.toVector
    val at = new TurnClock(load, clock, file.getParent)
    // Not in the log: these say how long a turn must be.
    val settling = stops.zipWithIndex.map { case (stop, index) =>
      send(stop, part => request(part).silent).exec { session =>
        at.answered(index)
        session
      }
    }
    val targets = settling ++ stops.map(stop => send(stop))
    scenario(load.name)
      .exec { session =>
        announceLoad()
        barrier.fold(at.begin())(all => at.begin(all.beginMs))
        session
      }
      .exec(
        asLongAs(_ => at.isRunning)(
          doSwitch(_ => at.next)(targets.zipWithIndex.map {
            case (target, index) => index -> target
          }: _*)
        )
      )
      .inject(rampUsers(load.users).during(load.rampUpMs.millis))
      .protocols(users)
  }

  // ---- the search for a rate ----

  private val Ticket = "ticket"

  /** Users who are free send what is due. */
  private def search(plan: Schedule.Search): PopulationBuilder = {
    val steps = new RateSteps(plan, file.getParent, println(_))
    def ticket(session: Session) = session(Ticket).as[RateSteps.Ticket]
    val due = send(
      plan.stop,
      part => request((session: Session) => ticket(session).name.success, part)
    )
    scenario(plan.stop.name)
      .exec { session =>
        announceLoad()
        session
      }
      .exec(
        asLongAs(_ => steps.isRunning)(
          exec(session => session.set(Ticket, steps.take()))
            .pause(session => steps.waitMs(ticket(session)).millis)
            .doIf(session => steps.sends(ticket(session)))(
              due.exec { session =>
                steps.ended(ticket(session), session.isFailed)
                session.markAsSucceeded
              }
            )
        )
      )
      .inject(atOnceUsers(plan.users))
      .protocols(users.shareConnections)
  }

  private def loads: Vector[PopulationBuilder] =
    (rotations ++ windows).zipWithIndex.flatMap { case (load, number) =>
      val start = barrier(number)
      load match {
        case load: Schedule.Turns =>
          start.map(wait(_, load.name)) ++ Some(turns(load, start))
        case window: Schedule.Window =>
          start.map(wait(_, window.name)) ++ Some(population(window, start))
      }
    } ++ schedule.searches.asScala.map(search)

  after(rows.tell(println(_)))

  setUp(
    (if (schedule.warmUp.limitMs > 0) warmUpPopulation +: loads
     else loads)
      .reduceRight((first, rest) => first.andThen(rest))
  )
}
