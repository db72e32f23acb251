package org.servletbench.simulations

import io.gatling.core.Predef._
import io.gatling.core.structure.{ChainBuilder, PopulationBuilder}
import org.servletbench.bench.model.{LoadModel, Workload}

import java.time.Duration
import scala.jdk.CollectionConverters._
import scala.jdk.DurationConverters._

/** Warm-up, then every workload in every tier, one after the other: each with
  * its own load, first uncounted, then counted.
  */
class TierSimulation extends BenchSimulation {

  /** In the open model, enough for answers of a second at usual rates. */
  private val MostSenders = 1000

  private def closedStages(model: LoadModel.Closed): Seq[PopulationBuilder] =
    (for {
      workload <- plan.workloads.asScala.toSeq
      (tier, index) <- model.tiers.asScala.toSeq.zipWithIndex
    } yield {
      val stage = run.stage(s"${workload.name} $tier users", model.rampUp)
      val users = rampUsers(tier).during(model.rampUp.toScala)
      val send = request(stage.name, workload)
      val loop: ChainBuilder = model.amount match {
        case hold: LoadModel.Hold =>
          val length = model.rampUp.plus(hold.time)
          exec(stage.begin(length)).exec(
            asLongAs(_ => stage.isRunning)(withoutCookies(send))
          )
        case loops: LoadModel.Loops =>
          exec(stage.begin()).exec(
            repeat(loops.perTier.get(index).intValue)(
              doIf(_ => run.isTargetAlive)(withoutCookies(send))
            )
          )
      }
      warmedUp(
        warmUpOf(stage, send).inject(users),
        scenario(stage.name).exec(loop, stopWhenServerDied).inject(users)
      )
    }).flatten

  private def openStages(model: LoadModel.Open): Seq[PopulationBuilder] =
    plan.workloads.asScala.toSeq.flatMap { workload: Workload =>
      val name = s"${workload.name} at ${Run.plain(model.rate)}/s"
      val stage = run.stage(name, Duration.ofSeconds(1))
      val send = request(stage.name, workload)
      warmedUp(
        warmUpOf(stage, send, model.rate)
          .inject(atOnceUsers(Math.min(MostSenders, model.rate.ceil.toInt))),
        scenario(stage.name)
          .exec(stage.begin())
          .exec(send, stopWhenServerDied)
          .inject(
            constantUsersPerSec(model.rate)
              .during(Run.wholeSeconds(model.hold.toMillis))
          )
      )
    }

  private def warmedUp(
      warmUp: PopulationBuilder,
      counted: PopulationBuilder
  ): Seq[PopulationBuilder] =
    if (plan.warmUp.isWanted) Seq(warmUp, counted) else Seq(counted)

  private def stopWhenServerDied: ChainBuilder =
    stopLoadGeneratorIf(_ => run.death, _ => !run.isTargetAlive)

  private val stages: Seq[PopulationBuilder] = plan.model match {
    case closed: LoadModel.Closed => closedStages(closed)
    case open: LoadModel.Open     => openStages(open)
  }

  private def oneAfterTheOther(
      populations: Seq[PopulationBuilder]
  ): PopulationBuilder =
    populations.reduceRight((first, rest) => first.andThen(rest))

  before(beginWarmUp())

  setUp(
    if (plan.warmUp.isWanted)
      warmUpScenario
        .inject(atOnceUsers(plan.warmUp.users))
        .andThen(oneAfterTheOther(stages))
    else oneAfterTheOther(stages)
  ).protocols(protocol)
    .assertions(forAll.failedRequests.percent.lte(plan.maxFailedPercent))
}
