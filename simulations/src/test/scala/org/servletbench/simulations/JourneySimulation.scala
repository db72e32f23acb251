package org.servletbench.simulations

import io.gatling.core.Predef._
import io.gatling.core.structure.{ChainBuilder, PopulationBuilder}
import io.gatling.http.Predef._
import io.gatling.http.protocol.HttpProtocolBuilder
import io.gatling.javaapi.core.{ChainBuilder => Steps}
import org.servletbench.bench.generator.{GeneratorWarmUp, Schedule}
import org.servletbench.bench.model.LoadModel

import java.time.Duration
import scala.concurrent.duration._
import scala.jdk.CollectionConverters._
import scala.jdk.DurationConverters._

/** Base of your own simulation, in which users repeat a journey of several
  * requests, at every number of users. Server, proof, warm-up, monitor, page
  * and audit are the same as in other runs. Each request of a journey is a row.
  *
  * Send requests to paths (`/cart`), because the server's address is known.
  */
abstract class JourneySimulation extends BenchSimulation(own = true) {

  /** Returns silent users, whose requests appear neither in Gatling's log nor
    * in its report.
    */
  private def uncounted(
      users: HttpProtocolBuilder,
      answered: () => Unit
  ): HttpProtocolBuilder =
    users
      .silentUri(".*")
      .transformResponse { (response, _) =>
        answered()
        response
      }

  /** Keeps cookies for one journey only, as for a new visitor. */
  private def visit(steps: ChainBuilder): ChainBuilder =
    exec(steps).exec(flushCookieJar)

  /** Applies the load; call it once. In the closed model, users repeat a
    * journey at every number of users. In the open model (`-Dmodel=open
    * -Drate=20`), that many visitors arrive per second, and each of them
    * completes the journey once.
    *
    * @param all
    *   name of a journey, of letters, digits and dashes, and a user's actions
    *   in it
    */
  protected def journeys(all: (String, ChainBuilder)*): Unit =
    CampaignWindows.schedule match {
      case Some(file) => inCampaign(Schedule.read(file), all)
      case None       => inRun(all)
    }

  /** Loads one server after another, in each window of the campaign's schedule.
    */
  private def inCampaign(
      schedule: Schedule,
      all: Seq[(String, ChainBuilder)]
  ): Unit = {
    if (all.isEmpty) Run.refuse("the simulation has no journeys")
    val warmUps =
      if (schedule.warmUp.limitMs > 0) generatorWarmUps(schedule, all)
      else Seq.empty
    setUp(
      (warmUps ++ schedule.windows.asScala
        .map { window =>
          CampaignWindows
            .closed(
              window,
              () => 0,
              exec(all.map { case (_, steps) =>
                visit(group(window.name)(steps))
              }),
              exitASAP = true
            )
            .inject(rampUsers(window.users).during(window.rampUpMs.millis))
            .protocols(usersOf(window.endpoint.server))
        })
        .reduceRight((first, rest) => first.andThen(rest))
    )
  }

  /** Gatling's own warm-up. The users of the first window load one server after
    * another; the servers share its time.
    */
  private def generatorWarmUps(
      schedule: Schedule,
      all: Seq[(String, ChainBuilder)]
  ): Seq[PopulationBuilder] = {
    val servers = schedule.rehearsals.asScala.toSeq.map(_.server)
    val limits = schedule.warmUp.within(schedule.warmUp.limitMs / servers.size)
    servers.zipWithIndex.map { case (server, index) =>
      val warmUp = new GeneratorWarmUp(limits, 1, println(_))
      scenario(s"warm-up ${index + 1}")
        .exec(
          asLongAs(_ => warmUp.isRunning, exitASAP = true)(
            exec(all.map { case (_, steps) => visit(steps) })
          )
        )
        .inject(atOnceUsers(schedule.windows.get(0).users))
        .protocols(uncounted(usersOf(server), () => warmUp.answered()))
    }
  }

  private def inRun(all: Seq[(String, ChainBuilder)]): Unit = {
    val model = run.journeys(all.map(_._1))
    setUpStages(
      scenario("warm-up")
        .exec(bursts(warmUp, exec(all.map { case (_, steps) => visit(steps) })))
        .inject(atOnceUsers(plan.warmUp.users))
        .protocols(uncounted(protocol, () => warmUp.count())),
      all.flatMap { case (name, steps) =>
        model match {
          case closed: LoadModel.Closed => closedStages(name, steps, closed)
          case open: LoadModel.Open     => Seq(openStage(name, steps, open))
        }
      }
    )
  }

  /** Applies the load of a simulation in Java. A `LinkedHashMap` keeps the
    * order.
    */
  protected def journeys(all: java.util.Map[String, Steps]): Unit =
    journeys(all.asScala.toSeq.map { case (name, steps) =>
      name -> steps.wrapped
    }: _*)

  private def closedStages(
      name: String,
      steps: ChainBuilder,
      model: LoadModel.Closed
  ): Seq[(run.Stage, PopulationBuilder)] =
    model.users.asScala.toSeq.zipWithIndex.map { case (userCount, index) =>
      val stage = run.stage(s"$name $userCount users", model.rampUp)
      stage -> closed(
        stage,
        model,
        index,
        visit(group(stage.name)(steps))
      ).inject(rampUsers(userCount).during(model.rampUp.toScala))
    }

  private def openStage(
      name: String,
      steps: ChainBuilder,
      model: LoadModel.Open
  ): (run.Stage, PopulationBuilder) = {
    val stage =
      run.stage(s"$name at ${Run.plain(model.rate)}/s", Duration.ofSeconds(1))
    stage -> open(stage, model, visit(group(stage.name)(steps)))
  }
}
