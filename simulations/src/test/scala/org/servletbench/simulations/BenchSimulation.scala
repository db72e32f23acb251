package org.servletbench.simulations

import io.gatling.core.Predef._
import io.gatling.core.structure.ScenarioBuilder
import io.gatling.http.Predef._
import io.gatling.http.protocol.HttpProtocolBuilder
import io.gatling.http.request.builder.HttpRequestBuilder
import org.servletbench.bench.model.{LoadModel, LoadPlan, Workload}
import org.servletbench.bench.server.{Target, WarmUp}

import scala.concurrent.duration._
import scala.jdk.CollectionConverters._

/** What every simulation stands on: a proven server, one HTTP protocol, checked
  * requests, and a warm-up on evidence.
  */
abstract class BenchSimulation extends Simulation {

  protected val run: Run = Run.open()
  protected val plan: LoadPlan = run.plan
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

  private val warmUp = new WarmUp(plan.warmUp, target, line => run.say(line))

  /** Bursts and pauses over all workloads until the server is warm. Its
    * requests are silent: neither Gatling's log nor its report counts them.
    */
  protected val warmUpScenario: ScenarioBuilder =
    scenario("warm-up").exec(
      asLongAs(_ => warmUp.isRunning && run.isTargetAlive)(
        doIfOrElse(_ => warmUp.isBursting)(
          exec(plan.workloads.asScala.toList.map { workload =>
            exec(request(workload.name, workload.ofWarmUp).silent).exec {
              session =>
                warmUp.count()
                session
            }
          })
        )(pause(_ => warmUp.pauseMillis.millis))
      )
    )

  protected def beginWarmUp(): Unit = warmUp.begin()

  after {
    target.warmedUp(warmUp.outcome)
    run.finish()
  }
}
