package org.servletbench.simulations

import io.gatling.core.Predef._
import io.gatling.core.structure.PopulationBuilder
import org.servletbench.bench.model.{LoadModel, Workload}

import java.time.Duration
import scala.jdk.CollectionConverters._
import scala.jdk.DurationConverters._

/** Warm-up, then every workload in every tier, one after the other: each with
  * its own load, first uncounted, then counted.
  */
class TierSimulation extends BenchSimulation {

  private def closedStages(
      model: LoadModel.Closed
  ): Seq[(PopulationBuilder, PopulationBuilder)] =
    for {
      workload <- plan.workloads.asScala.toSeq
      (tier, index) <- model.tiers.asScala.toSeq.zipWithIndex
    } yield {
      val stage = run.stage(s"${workload.name} $tier users", model.rampUp)
      val users = rampUsers(tier).during(model.rampUp.toScala)
      val send = request(stage.name, workload)
      (
        warmUpOf(stage, uncounted(stage.warmUp, send)).inject(users),
        closed(stage, model, index, withoutCookies(send)).inject(users)
      )
    }

  private def openStages(
      model: LoadModel.Open
  ): Seq[(PopulationBuilder, PopulationBuilder)] =
    plan.workloads.asScala.toSeq.map { workload: Workload =>
      val name = s"${workload.name} at ${Run.plain(model.rate)}/s"
      val stage = run.stage(name, Duration.ofSeconds(1))
      val send = request(stage.name, workload)
      (
        warmUpOf(stage, uncounted(stage.warmUp, send), model.rate),
        open(stage, model, exec(send))
      )
    }

  setUpStages(
    warmUpScenario.inject(atOnceUsers(plan.warmUp.users)),
    plan.model match {
      case closed: LoadModel.Closed => closedStages(closed)
      case open: LoadModel.Open     => openStages(open)
    }
  )
}
