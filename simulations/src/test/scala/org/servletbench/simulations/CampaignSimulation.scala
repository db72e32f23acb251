package org.servletbench.simulations

import io.gatling.core.Predef._
import io.gatling.core.structure.{ChainBuilder, PopulationBuilder}
import io.gatling.http.Predef._
import io.gatling.http.protocol.HttpProtocolBuilder
import io.gatling.http.request.builder.HttpRequestBuilder
import org.servletbench.bench.load.Schedule

import java.nio.file.Path
import java.util.concurrent.atomic.{
  AtomicBoolean,
  AtomicInteger,
  AtomicLong,
  LongAdder
}
import scala.concurrent.duration._
import scala.jdk.CollectionConverters._

/** The windows of a campaign, one after the other, on servers that somebody
  * else has started and warmed up. The schedule is a file that the campaign
  * writes.
  *
  * Before the first window Gatling warms itself up: bursts at one server after
  * the other, until they have stopped rising.
  */
class CampaignSimulation extends Simulation {

  private val schedule =
    Schedule.read(Path.of(System.getProperty("servlet-bench.schedule")))
  private val windows = schedule.windows.asScala.toVector

  private val users: HttpProtocolBuilder = http
    .userAgentHeader("servlet-bench")
    .acceptHeader("*/*")
    .disableCaching
    .disableFollowRedirect

  private def request(window: Schedule.Window): HttpRequestBuilder = {
    val length =
      if (window.minBytes == window.maxBytes) bodyLength.is(window.minBytes)
      else bodyLength.in(window.minBytes to window.maxBytes)
    http(window.name)
      .get(window.server + window.path)
      .check(status.is(200), length)
  }

  // ---- the generator's own warm-up ----

  private val warmUp = schedule.warmUp
  private val warmUpEnd = new AtomicLong
  private val burst = new AtomicInteger
  private val burstEnd = new AtomicLong
  private val answers = new LongAdder
  private val warm = new AtomicBoolean
  private var rates = Vector.empty[Double]

  /** The first window of each server, which a burst sends. */
  private val rehearsals =
    schedule.servers.asScala.toVector.flatMap(server =>
      windows.find(_.server == server)
    )

  private def isFlat: Boolean = {
    val before = rates.size - warmUp.flatBursts
    before >= 1 && {
      val ceiling =
        rates.take(before).max * (1 + warmUp.risePercent / 100)
      rates.drop(before).forall(_ <= ceiling)
    }
  }

  /** Asked by every user before every request: whether to go on. One of them
    * finds that a burst is over, and counts it.
    */
  private def isWarmingUp: Boolean = synchronized {
    val now = System.nanoTime
    if (burstEnd.get == 0) {
      warmUpEnd.set(now + warmUp.limitMs * 1000000L)
      burstEnd.set(now + warmUp.burstMs * 1000000L)
    } else if (now >= burstEnd.get && !warm.get) {
      rates :+= answers.sumThenReset / (warmUp.burstMs / 1000.0)
      println(
        f"servlet-bench: generator warm-up burst ${rates.size}: ${rates.last}%.0f requests/s"
      )
      burst.incrementAndGet()
      burstEnd.set(now + warmUp.burstMs * 1000000L)
      if (isFlat || now >= warmUpEnd.get) warm.set(true)
    }
    !warm.get
  }

  private def rehearse(window: Schedule.Window): ChainBuilder =
    exec(request(window).silent).exec { session =>
      answers.increment()
      session
    }

  private def warmUpPopulation: PopulationBuilder =
    scenario("warm-up")
      .exec(
        asLongAs(_ => isWarmingUp)(
          if (rehearsals.size == 1) rehearse(rehearsals.head)
          else
            doSwitch(_ => burst.get % rehearsals.size)(
              rehearsals.zipWithIndex.map { case (window, index) =>
                index -> rehearse(window)
              }: _*
            )
        )
      )
      .inject(atOnceUsers(warmUp.users))
      .protocols(users)

  // ---- the windows ----

  private val measuring = new AtomicBoolean

  private def announce(window: Schedule.Window): Unit = {
    if (measuring.compareAndSet(false, true)) println(Schedule.MEASURING)
    println(Schedule.WINDOW + window.name)
  }

  private def population(window: Schedule.Window): PopulationBuilder =
    if (window.users > 0) closed(window) else open(window)

  /** The first user sets the end, so that all stop together. */
  private def closed(window: Schedule.Window): PopulationBuilder = {
    val end = new AtomicLong
    scenario(window.name)
      .exec { session =>
        if (
          end.get == 0 && end.compareAndSet(
            0,
            System.nanoTime + (window.rampUpMs + window.holdMs) * 1000000L
          )
        ) announce(window)
        session
      }
      .exec(asLongAs(_ => System.nanoTime < end.get)(request(window)))
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
      .exec(request(window))
      .inject(
        constantUsersPerSec(window.rate)
          .during((window.rampUpMs + window.holdMs).millis)
      )
      // A user is one request; a connection for each would measure the handshake.
      .protocols(users.shareConnections)
  }

  private val populations = windows.map(population)

  setUp(
    (if (warmUp.limitMs > 0) warmUpPopulation +: populations else populations)
      .reduceRight((first, rest) => first.andThen(rest))
  )
}
