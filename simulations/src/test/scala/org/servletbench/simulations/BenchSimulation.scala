package org.servletbench.simulations

import io.gatling.core.Predef._
import io.gatling.core.structure.{
  ChainBuilder,
  PopulationBuilder,
  ScenarioBuilder
}
import io.gatling.http.Predef._
import io.gatling.http.protocol.HttpProtocolBuilder
import io.gatling.http.request.builder.HttpRequestBuilder
import org.servletbench.bench.model.{LoadModel, LoadPlan, Workload}
import org.servletbench.bench.server.{Target, WarmUp}

import java.util.concurrent.atomic.AtomicLong
import scala.concurrent.duration._
import scala.jdk.CollectionConverters._

/** What every simulation stands on: a proven server, one HTTP protocol, checked
  * requests, a warm-up on evidence, and stages one after the other.
  *
  * @param own
  *   whether a user wrote what is sent, in place of workloads
  */
abstract class BenchSimulation(own: Boolean = false) extends Simulation {

  protected val run: Run = Run.open(own)
  protected def plan: LoadPlan = run.plan
  protected val target: Target = run.target

  private val users: HttpProtocolBuilder = http
    .baseUrl(target.url.toString)
    .userAgentHeader("servlet-bench")
    .acceptHeader("*/*")
    // Every request reaches the server, and what it answers is what is measured.
    .disableCaching
    .disableFollowRedirect

  /** In the closed model each user keeps a connection of its own; in the open
    * model a user is one request, and a connection for each would measure the
    * handshake.
    */
  protected val protocol: HttpProtocolBuilder = plan.model match {
    case _: LoadModel.Open => users.shareConnections
    case _                 => users
  }

  /** One request of a workload: status 200, and a body of the right length. */
  protected def request(
      name: String,
      workload: Workload
  ): HttpRequestBuilder = {
    val length =
      if (workload.minBytes == workload.maxBytes)
        bodyLength.is(workload.minBytes)
      else bodyLength.in(workload.minBytes to workload.maxBytes)
    http(name).get(workload.path).check(status.is(200), length)
  }

  /** As in a campaign, and as JMeter does: each request is a new visitor's. */
  protected def withoutCookies(request: HttpRequestBuilder): ChainBuilder =
    exec(request).exec(flushCookieJar)

  protected val warmUp = new WarmUp(plan.warmUp, target, line => run.say(line))

  /** Requests that are silent: neither Gatling's log nor its report counts
    * them.
    */
  protected def uncounted(
      warmUp: WarmUp,
      requests: HttpRequestBuilder*
  ): ChainBuilder =
    exec(requests.toList.map { request =>
      withoutCookies(request.silent).exec { session =>
        warmUp.count()
        session
      }
    })

  protected def bursts(warmUp: WarmUp, sends: ChainBuilder): ChainBuilder =
    asLongAs(_ => warmUp.isRunning && run.isTargetAlive)(
      doIfOrElse(_ => warmUp.isBursting)(sends)(
        pause(_ => warmUp.pauseMillis.millis)
      )
    )

  /** Bursts and pauses over all workloads, so that the server has seen all of
    * them before the first is measured.
    */
  protected val warmUpScenario: ScenarioBuilder =
    scenario("warm-up").exec(
      bursts(
        warmUp,
        uncounted(
          warmUp,
          plan.workloads.asScala.toSeq.map(workload =>
            request(workload.name, workload.ofWarmUp)
          ): _*
        )
      )
    )

  /** In the open model, enough for answers of a second at usual rates. */
  private val MostSenders = 1000

  /** A stage's own load, before any of it is counted, until the server is warm
    * for it.
    *
    * @param send
    *   once what each user sends again and again
    */
  protected def warmUpOf(
      stage: run.Stage,
      send: ChainBuilder
  ): ScenarioBuilder =
    scenario(s"warm-up ${stage.name}")
      .exec(stage.beginWarmUp())
      .exec(bursts(stage.warmUp, send))

  /** The same at a rate: whoever is free sends what is due. */
  protected def warmUpOf(
      stage: run.Stage,
      send: ChainBuilder,
      rate: Double
  ): PopulationBuilder = {
    val origin = new AtomicLong
    val sent = new AtomicLong
    def waitMillis: Long = {
      origin.compareAndSet(0, System.nanoTime)
      val due = origin.get + (sent.getAndIncrement * 1e9 / rate).toLong
      Math.max(0, (due - System.nanoTime) / 1000000)
    }
    scenario(s"warm-up ${stage.name}")
      .exec(stage.beginWarmUp())
      .exec(
        asLongAs(_ => stage.warmUp.isRunning && run.isTargetAlive)(
          pause(_ => waitMillis.millis).exec(send)
        )
      )
      .inject(atOnceUsers(Math.min(MostSenders, rate.ceil.toInt)))
  }

  /** A stage of the closed model: each user sends again and again, until the
    * time is over or it has done so often enough.
    *
    * @param tier
    *   index of the number of users
    */
  protected def closed(
      stage: run.Stage,
      model: LoadModel.Closed,
      tier: Int,
      send: ChainBuilder
  ): ScenarioBuilder =
    scenario(stage.name).exec(
      model.amount match {
        case hold: LoadModel.Hold =>
          val length = model.rampUp.plus(hold.time)
          exec(stage.begin(length)).exec(
            asLongAs(_ => stage.isRunning, exitASAP = own)(send)
          )
        case loops: LoadModel.Loops =>
          exec(stage.begin()).exec(
            repeat(loops.perTier.get(tier).intValue)(
              doIf(_ => run.isTargetAlive)(send)
            )
          )
      },
      stopWhenServerDied
    )

  /** A stage of the open model: each user sends once. */
  protected def open(
      stage: run.Stage,
      model: LoadModel.Open,
      send: ChainBuilder
  ): PopulationBuilder =
    scenario(stage.name)
      .exec(stage.begin())
      .exec(send, stopWhenServerDied)
      .inject(
        constantUsersPerSec(model.rate)
          .during(Run.wholeSeconds(model.hold.toMillis))
      )

  protected def stopWhenServerDied: ChainBuilder =
    stopLoadGeneratorIf(_ => run.death, _ => !run.isTargetAlive)

  /** Sets up the whole run.
    *
    * @param warmUp
    *   with all that is sent, before the first stage
    * @param stages
    *   each one's own warm-up and its counted load
    */
  protected def setUpStages(
      warmUp: => PopulationBuilder,
      stages: Seq[(PopulationBuilder, PopulationBuilder)]
  ): Unit = {
    before(this.warmUp.begin())
    val all =
      if (plan.warmUp.isWanted)
        warmUp +: stages.flatMap { case (own, counted) => Seq(own, counted) }
      else stages.map(_._2)
    setUp(all.reduceRight((first, rest) => first.andThen(rest)))
      .protocols(protocol)
      .assertions(forAll.failedRequests.percent.lte(plan.maxFailedPercent))
  }

  after {
    target.warmedUp(warmUp.outcome)
    run.finish()
  }
}
