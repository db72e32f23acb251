package org.servletbench.simulations

import io.gatling.core.Predef._
import io.gatling.core.structure.ChainBuilder
import io.gatling.http.Predef._
import io.gatling.http.protocol.HttpProtocolBuilder
import org.servletbench.bench.model.LoadModel
import org.servletbench.bench.server.WarmUp

import scala.jdk.CollectionConverters._
import scala.jdk.DurationConverters._

/** The base of your own simulation: users go through a journey of several
  * requests again and again, in every tier that was asked for. Server, proof,
  * warm-up, monitor, page and audit are those of the other runs; each request
  * of a journey is a row.
  *
  * Send to paths (`/cart`): the server's address is known.
  */
abstract class JourneySimulation extends BenchSimulation(own = true) {

  /** Silent, so that neither Gatling's log nor its report counts requests. */
  private def uncounted(warmUp: WarmUp): HttpProtocolBuilder =
    protocol
      .silentUri(".*")
      .transformResponse { (response, _) =>
        warmUp.count()
        response
      }

  /** Cookies last for one journey: each is a new visitor's. */
  private def visit(steps: ChainBuilder): ChainBuilder =
    exec(steps).exec(flushCookieJar)

  /** Applies the load; to be called once.
    *
    * @param all
    *   a journey's name, of letters, digits and dashes, and what a user does in
    *   it
    */
  protected def journeys(all: (String, ChainBuilder)*): Unit = {
    val model = run.journeys(all.map(_._1))
    setUpStages(
      scenario("warm-up")
        .exec(bursts(warmUp, exec(all.map { case (_, steps) => visit(steps) })))
        .inject(atOnceUsers(plan.warmUp.users))
        .protocols(uncounted(warmUp)),
      for {
        (name, steps) <- all
        (tier, index) <- model.tiers.asScala.toSeq.zipWithIndex
      } yield {
        val stage = run.stage(s"$name $tier users", model.rampUp)
        val users = rampUsers(tier).during(model.rampUp.toScala)
        (
          scenario(s"warm-up ${stage.name}")
            .exec(stage.beginWarmUp())
            .exec(bursts(stage.warmUp, visit(steps)))
            .inject(users)
            .protocols(uncounted(stage.warmUp)),
          closed(stage, model, index, visit(group(stage.name)(steps)))
            .inject(users)
        )
      }
    )
  }
}
