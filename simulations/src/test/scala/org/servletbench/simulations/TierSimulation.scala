package org.servletbench.simulations

import io.gatling.core.Predef._
import io.gatling.core.structure.PopulationBuilder
import org.servletbench.bench.model.{LoadModel, Workload}

import java.time.Duration
import scala.jdk.CollectionConverters._
import scala.jdk.DurationConverters._

/** A warm-up with all workloads, then every workload at every number of users,
  * one after another. At the end, stages at whose start the server was
  * certainly not warm are repeated.
  */
class TierSimulation extends BenchSimulation {

  private def closedStages(model: LoadModel.Closed): Unit = {
    val stages = for {
      workload <- plan.workloads.asScala.toSeq
      (userCount, index) <- model.users.asScala.toSeq.zipWithIndex
    } yield (
      workload,
      index,
      run.stage(s"${workload.name} $userCount users", model.rampUp)
    )
    val users = model.users.asScala.toSeq.map(_.intValue)
    setUpStages(
      warmUpUsers,
      stages.map { case (workload, userCount, stage) =>
        val send = withoutCookies(request(stage.name, workload))
        stage -> closed(stage, model, userCount, send)
          .inject(rampUsers(users(userCount)).during(model.rampUp.toScala))
      },
      model.amount match {
        case hold: LoadModel.Hold =>
          stages.map { case (workload, userCount, stage) =>
            val send = request(stage.nameAgain, workload)
            again(
              stage,
              users(userCount),
              hold,
              withoutCookies(send.silent),
              withoutCookies(send)
            )
          }
        case _ => Seq.empty
      }
    )
  }

  private def openStages(model: LoadModel.Open): Unit =
    setUpStages(
      warmUpUsers,
      plan.workloads.asScala.toSeq.map { workload: Workload =>
        val name = s"${workload.name} at ${Run.plain(model.rate)}/s"
        val stage = run.stage(name, Duration.ofSeconds(1))
        stage -> open(stage, model, exec(request(stage.name, workload)))
      }
    )

  private def warmUpUsers: PopulationBuilder =
    warmUpScenario.inject(atOnceUsers(plan.warmUp.users))

  plan.model match {
    case closed: LoadModel.Closed => closedStages(closed)
    case open: LoadModel.Open     => openStages(open)
  }
}
