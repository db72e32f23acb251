package org.servletbench.simulations

import io.gatling.core.Predef._
import io.gatling.core.structure.{ChainBuilder, ScenarioBuilder}
import io.gatling.http.Predef._
import io.gatling.http.protocol.HttpProtocolBuilder
import org.servletbench.bench.generator.Schedule

import java.nio.file.Path
import java.util.concurrent.atomic.{AtomicBoolean, AtomicLong}

/** The windows of a campaign's schedule. All users of a window stay at one
  * server.
  */
private[simulations] object CampaignWindows {

  /** The schedule of the campaign that runs this; empty if there is none. */
  def schedule: Option[Path] =
    Option(System.getProperty("servlet-bench.schedule")).map(Path.of(_))

  /** Returns users of servers at these addresses, which all requests reach.
    * Over TLS, the server chooses between HTTP/1.1 and HTTP/2.
    */
  def users(servers: Seq[String]): HttpProtocolBuilder = {
    val plain = http
      .userAgentHeader("servlet-bench")
      .acceptHeader("*/*")
      .disableCaching
      .disableFollowRedirect
    if (servers.exists(_.startsWith("https"))) plain.enableHttp2 else plain
  }

  private val measuring = new AtomicBoolean

  /** Reports once that the first load starts. */
  def announceLoad(): Unit =
    if (measuring.compareAndSet(false, true)) println(Schedule.MEASURING)

  def announce(window: Schedule.Window): Unit = {
    announceLoad()
    println(Schedule.WINDOW + window.name)
  }

  /** Returns users who repeat their requests. The first user sets the end, so
    * that all stop together.
    *
    * @param late
    *   part of the window that is already over when the users start, ms
    * @param exitASAP
    *   true if they stop in the middle of a request or pass
    * @param begins
    *   prepares a user at its start
    */
  def closed(
      window: Schedule.Window,
      late: () => Long,
      send: ChainBuilder,
      exitASAP: Boolean,
      begins: Session => Session = (session: Session) => session
  ): ScenarioBuilder = {
    val end = new AtomicLong
    scenario(window.name)
      .exec { session =>
        if (
          end.get == 0 && end.compareAndSet(
            0,
            System.nanoTime +
              (window.rampUpMs + window.holdMs - late()) * 1000000L
          )
        ) announce(window)
        begins(session)
      }
      .exec(asLongAs(_ => System.nanoTime < end.get, exitASAP = exitASAP)(send))
  }
}
