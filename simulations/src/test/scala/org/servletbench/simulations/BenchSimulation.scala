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

import scala.concurrent.duration._
import scala.jdk.CollectionConverters._

/** Base of every simulation, with a server whose identity was checked, one HTTP
  * protocol, checked requests, a warm-up that ends on evidence, and stages one
  * after another.
  *
  * @param own
  *   true if a user wrote the requests, so that there are no workloads
  */
abstract class BenchSimulation(own: Boolean = false) extends Simulation {

  /** The run, which is opened on first access. A campaign has none. */
  protected lazy val run: Run = Run.open(own)
  protected def plan: LoadPlan = run.plan
  protected lazy val target: Target = run.target

  protected def usersOf(server: String): HttpProtocolBuilder =
    CampaignWindows.users(Seq(server)).baseUrl(server)

  /** In the closed model, each user keeps its own connection. In the open
    * model, a user is one request, and with a connection for each, the
    * handshake would be measured.
    */
  protected lazy val protocol: HttpProtocolBuilder = {
    val users = usersOf(target.url.toString)
    plan.model match {
      case _: LoadModel.Open => users.shareConnections
      case _                 => users
    }
  }

  /** Returns a request of a workload, which requires status 200 and a body of
    * the correct length.
    */
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

  /** Makes each request that of a new visitor, as in a campaign and in JMeter.
    */
  protected def withoutCookies(request: HttpRequestBuilder): ChainBuilder =
    exec(request).exec(flushCookieJar)

  protected lazy val warmUp =
    new WarmUp(plan.warmUp, target, line => run.say(line))

  /** Sends silent requests, which appear neither in Gatling's log nor in its
    * report.
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
    * them before the first one is measured.
    */
  protected lazy val warmUpScenario: ScenarioBuilder =
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

  /** Time between two checks of a waiting user. */
  private val Look = 20.millis

  /** Waits before a stage until the server's compiler is idle. */
  private def quiet(stage: run.Stage): PopulationBuilder =
    scenario(s"before ${stage.name}")
      .exec(asLongAs(_ => stage.isWaiting)(pause(Look)))
      .inject(atOnceUsers(1))

  /** Returns a stage of the closed model. Each user repeats its requests until
    * the time is over or its number of requests is reached.
    *
    * @param userCount
    *   index of the number of users
    */
  protected def closed(
      stage: run.Stage,
      model: LoadModel.Closed,
      userCount: Int,
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
            repeat(loops.perUsers.get(userCount).intValue)(
              doIf(_ => run.isTargetAlive)(send)
            )
          )
      },
      stopWhenServerDied
    )

  /** Repeats a stage of the closed model if the server was certainly not warm
    * the first time; otherwise, its users leave at once. They connect before it
    * starts, and start together.
    *
    * @param connect
    *   a request that is not counted
    */
  protected def again(
      stage: run.Stage,
      users: Int,
      hold: LoadModel.Hold,
      connect: ChainBuilder,
      send: ChainBuilder
  ): PopulationBuilder =
    scenario(stage.nameAgain)
      .exec(
        doIf(_ => stage.isNeededAgain && run.isTargetAlive)(
          exec(connect)
            .exec(stage.beginAgain(users, hold.time))
            .exec(asLongAs(_ => stage.isWaitingAgain)(pause(Look)))
            .exec(asLongAs(_ => stage.isRunning, exitASAP = own)(send))
        ),
        stopWhenServerDied
      )
      .inject(atOnceUsers(users))

  /** Returns a stage of the open model, in which each user sends once. */
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
    *   warm-up with all requests, before the first stage
    * @param stages
    *   stages, each with its counted load
    * @param repeats
    *   repeated stages, after the last stage; see [[again]]
    */
  protected def setUpStages(
      warmUp: => PopulationBuilder,
      stages: Seq[(run.Stage, PopulationBuilder)],
      repeats: Seq[PopulationBuilder] = Seq.empty
  ): Unit = {
    before(this.warmUp.begin())
    after {
      target.warmedUp(this.warmUp.outcome)
      run.finish()
    }
    val all =
      if (plan.warmUp.isWanted)
        (warmUp +: stages.flatMap { case (stage, counted) =>
          Seq(quiet(stage), counted)
        }) ++ repeats
      else stages.map(_._2)
    setUp(all.reduceRight((first, rest) => first.andThen(rest)))
      .protocols(protocol)
      .assertions(forAll.failedRequests.percent.lte(plan.maxFailedPercent))
  }
}
