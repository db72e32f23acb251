package org.servletbench.simulations

import io.gatling.commons.validation._
import io.gatling.core.Predef._
import io.gatling.core.session.Expression
import io.gatling.core.structure.{ChainBuilder, PopulationBuilder}
import io.gatling.http.Predef._
import io.gatling.http.check.HttpCheck
import io.gatling.http.protocol.HttpProtocolBuilder
import io.gatling.http.request.builder.HttpRequestBuilder
import io.gatling.http.response.Response
import org.servletbench.bench.generator.{
  Barrier,
  GeneratorWarmUp,
  RateSteps,
  Schedule,
  SliceClock,
  RowSeries,
  VirtualUserState
}
import org.servletbench.bench.model.{Load, UserSession}

import java.nio.charset.StandardCharsets.UTF_8
import java.util.concurrent.{ConcurrentLinkedQueue, ThreadLocalRandom}
import java.util.concurrent.atomic.AtomicBoolean
import scala.concurrent.duration._
import scala.jdk.CollectionConverters._

/** The loads of a campaign, one after another, on servers that the campaign has
  * started and warmed up. The schedule is a file that the campaign has written.
  *
  * Before the first load, Gatling warms itself up with bursts at one server
  * after another, until they stop getting faster.
  */
class CampaignSimulation extends Simulation {

  private val file = CampaignWindows.schedule.get
  private val schedule = Schedule.read(file)
  private val windows = schedule.windows.asScala.toVector
  private val interleavings = schedule.interleavings.asScala.toVector

  private val users: HttpProtocolBuilder =
    CampaignWindows.users(schedule.servers.asScala.toSeq)

  private def length(endpoint: Schedule.Endpoint): HttpCheck =
    if (endpoint.minBytes == endpoint.maxBytes) bodyLength.is(endpoint.minBytes)
    else bodyLength.in(endpoint.minBytes to endpoint.maxBytes)

  private def request(endpoint: Schedule.Endpoint): HttpRequestBuilder =
    request(endpoint.name, endpoint)

  private val rows = new RowSeries
  private val Place = "place"
  private val Step = "step"

  /** Sends the next of the requests that users send to a server in order. A
    * user keeps its cookies of each server if the servers have separate hosts,
    * because Gatling does not distinguish ports. If requests differ, each
    * server receives all rows in order, from the first one: one for each pass
    * of a user through the list.
    */
  private def send(
      endpoint: Schedule.Endpoint,
      made: Schedule.Endpoint => HttpRequestBuilder
  ): ChainBuilder = {
    val passes = rows.of(endpoint)
    val parts = endpoint.parts.asScala.toVector
    val specs = endpoint.parts.asScala.map(_.sending).asJava
    val sends = parts.map { part =>
      val one = exec(
        if (part.sending.isOnce) made(part).silent else made(part)
      )
      // A failure belongs to one request, not to later ones.
      if (part.sending.isOfSession)
        one.exec { session => session.markAsSucceeded }
      else one
    }
    val next = exec { session =>
      val place = session.attributes
        .getOrElse(Place, new VirtualUserState)
        .asInstanceOf[VirtualUserState]
      session.setAll(
        Place -> place,
        Step -> place.at(endpoint.server).next(specs, passes)
      )
    }
    val sent =
      if (parts.size > 1)
        next.exec(
          doSwitch(session => step(session).request)(sends.zipWithIndex.map {
            case (part, index) => index -> part
          }: _*)
        )
      else if (endpoint.varies || endpoint.rows != null) next.exec(sends.head)
      else sends.head
    if (schedule.hasHostsOfTheirOwn) sent else sent.exec(flushCookieJar)
  }

  private def send(endpoint: Schedule.Endpoint): ChainBuilder =
    send(endpoint, part => request(part))

  /** Lets users pause after each request, if the name of their load says so. */
  private def pausing(load: String, sent: ChainBuilder): ChainBuilder = {
    val pauses = Load.parse(load).pause
    if (pauses.isNone) sent
    else sent.pause(_ => pauses.nextMs(ThreadLocalRandom.current).millis)
  }

  private def step(session: Session): UserSession.Step =
    session(Step).as[UserSession.Step]

  private def visit(
      session: Session,
      endpoint: Schedule.Endpoint
  ): UserSession =
    session(Place).as[VirtualUserState].at(endpoint.server)

  private def taken(session: Session, endpoint: Schedule.Endpoint) =
    visit(session, endpoint).taken

  private def row(session: Session): Long = step(session).pass

  /** Sends headers and bodies unchanged, without evaluating Gatling's
    * expressions in them.
    */
  private def request(
      name: Expression[String],
      endpoint: Schedule.Endpoint
  ): HttpRequestBuilder = {
    val sending = endpoint.sending
    val http = io.gatling.http.Predef.http(name)
    val bare =
      if (sending.varies)
        http.httpRequest(
          sending.method,
          (session: Session) =>
            (endpoint.server + sending.path(
              endpoint.path,
              row(session),
              taken(session, endpoint)
            )).success
        )
      else http.httpRequest(sending.method, endpoint.server + endpoint.path)
    val headed = sending.headers.asScala.foldLeft(bare) {
      case (request, (header, value)) =>
        request.header(
          header,
          (session: Session) =>
            (if (sending.varies)
               sending.header(value, row(session), taken(session, endpoint))
             else value).success
        )
    }
    val body = sending.body.getBytes(UTF_8)
    val whole =
      if (body.isEmpty) headed
      else if (sending.varies)
        headed.body(ByteArrayBody { (session: Session) =>
          sending
            .filled(row(session), taken(session, endpoint))
            .body
            .getBytes(UTF_8)
            .success
        })
      else headed.body(ByteArrayBody((_: Session) => body.success))
    val checked = whole.check(status.is(sending.status), length(endpoint))
    if (sending.isOfSession) checked.transformResponse(take(endpoint))
    else checked
  }

  /** Extracts values from an answer. A login is not in any log, so its problems
    * are reported here, and appear in the requests that fail without it.
    */
  private def take(
      endpoint: Schedule.Endpoint
  )(response: Response, session: Session): Validation[Response] = {
    val sending = endpoint.sending
    val missing = visit(session, endpoint).answered(
      sending,
      response.status.code,
      (name: String) => response.headers.get(name),
      () => response.body.string
    )
    if (sending.isOnce && response.status.code != sending.status)
      println(
        s"servlet-bench: ${endpoint.name} answered ${response.status.code} and not ${sending.status}"
      )
    else if (sending.isOnce && missing.isPresent)
      println(s"servlet-bench: ${endpoint.name}: ${missing.get}")
    if (missing.isPresent) missing.get.failure else response.success
  }

  // ---- the generator's own warm-up ----

  private val rehearsals = schedule.rehearsals.asScala.toVector
  private val warmUp =
    new GeneratorWarmUp(schedule.warmUp, rehearsals.size, println(_))

  private def rehearse(endpoint: Schedule.Endpoint): ChainBuilder =
    send(endpoint, part => request(part).silent).exec { session =>
      warmUp.answered()
      session
    }

  private def warmUpPopulation: PopulationBuilder =
    scenario("warm-up")
      .exec(
        asLongAs(_ => warmUp.isRunning)(
          if (rehearsals.size == 1) rehearse(rehearsals.head)
          else
            doSwitch(_ => warmUp.server)(
              rehearsals.zipWithIndex.map { case (endpoint, index) =>
                index -> rehearse(endpoint)
              }: _*
            )
        )
      )
      .exec(changing.map(uncounted(_, _ => false)))
      .inject(atOnceUsers(schedule.warmUp.users))
      .protocols(users)

  private lazy val changing = rehearsals.filter(_.changesEachPass)

  /** Sends requests while a condition holds, and then to the end of the list.
    */
  private def uncounted(
      endpoint: Schedule.Endpoint,
      more: Schedule.Endpoint => Boolean
  ): ChainBuilder =
    asLongAs(session =>
      session.contains(Place) && visit(session, endpoint).isWithin(
        endpoint.parts.size
      ) || more(endpoint)
    )(send(endpoint, part => request(part).silent))

  /** Evens out state changes after the warm-up, in which servers received
    * different numbers of requests, so that each has received equally many
    * before the load starts.
    */
  private def catchUp: PopulationBuilder =
    scenario("catch up")
      .exec(changing.map(uncounted(_, rows.isBehind(_))))
      .inject(atOnceUsers(1))
      .protocols(users)

  // ---- the start of each load ----

  private val clock = SliceClock.steadyClock

  /** On load hosts: the barrier at which this generator waits for the others.
    */
  private def barrier(number: Int): Option[Barrier] =
    Option.when(Barrier.isWanted)(
      new Barrier(file.getParent, number, clock)
    )

  /** Makes one user wait for all generators. */
  private def wait(at: Barrier, load: String): PopulationBuilder =
    scenario(s"before $load")
      .exec { session =>
        at.ready()
        session
      }
      .exec(asLongAs(_ => !at.isOpen)(pause(_ => at.waitMs.millis)))
      .inject(atOnceUsers(1))

  // ---- the windows ----

  private def populations(
      window: Schedule.Window,
      barrier: Option[Barrier]
  ): Vector[PopulationBuilder] = {
    val start = barrier.map(wait(_, window.name)).toVector
    if (window.users > 0) {
      val begun = new ConcurrentLinkedQueue[Session]
      Option.when(window.endpoint.hasOnce)(once(window, begun)).toVector ++
        start :+ closed(window, barrier, begun)
    } else start :+ open(window)
  }

  /** Sends the requests that users complete before the window starts, whose
    * time and work would otherwise belong to no request. A user whose login
    * failed logs in again in its next pass.
    *
    * @param begun
    *   receives the users in their state at that time
    */
  private def once(
      window: Schedule.Window,
      begun: ConcurrentLinkedQueue[Session]
  ): PopulationBuilder =
    scenario(s"once before ${window.name}")
      .exec(
        repeat(window.endpoint.parts.asScala.count(_.sending.isOnce))(
          send(window.endpoint)
        )
      )
      .exec { session =>
        begun.add(session)
        session
      }
      .inject(rampUsers(window.users).during(window.rampUpMs.millis))
      .protocols(users)

  /** Attributes that a user of the window inherits from a prepared user: its
    * state, and its cookies, under Gatling's own name for them.
    */
  private val Kept = Set(Place, "gatling.http.cookies")

  private def closed(
      window: Schedule.Window,
      barrier: Option[Barrier],
      begun: ConcurrentLinkedQueue[Session]
  ): PopulationBuilder =
    CampaignWindows
      .closed(
        window,
        // Users of other hosts end at the same moment, too.
        () => barrier.fold(0L)(at => clock.getAsLong - at.beginMs),
        pausing(window.name, send(window.endpoint)),
        exitASAP = false,
        begins = (session: Session) =>
          Option(begun.poll()).fold(session) { one =>
            session.setAll(one.attributes.filter { case (name, _) =>
              Kept.contains(name)
            })
          }
      )
      .inject(rampUsers(window.users).during(window.rampUpMs.millis))
      .protocols(users)

  /** In the open model, a user is one request, or one pass through a list. */
  private def open(window: Schedule.Window): PopulationBuilder = {
    val begun = new AtomicBoolean
    val counted = window.endpoint.labels.size.max(1)
    // Only the due time of a user's first request is known.
    val name =
      if (window.endpoint.parts.size > 1) s"passes of ${window.name}"
      else window.name
    scenario(name)
      .exec { session =>
        if (begun.compareAndSet(false, true)) CampaignWindows.announce(window)
        session
      }
      .exec(repeat(window.endpoint.parts.size)(send(window.endpoint)))
      .inject(
        constantUsersPerSec(window.rate / counted)
          .during(Run.wholeSeconds(window.rampUpMs + window.holdMs))
      )
      // With a connection for each user, the handshake would be measured.
      .protocols(users.shareConnections)
  }

  // ---- load in time slices ----

  /** Returns a load in time slices. All users are at one server at a time, and
    * move on by the clock. Each keeps its own connection to every server.
    */
  private def timeSlices(
      load: Schedule.InterleavedLoad,
      barrier: Option[Barrier]
  ): PopulationBuilder = {
    val endpoints = load.endpoints.asScala.toVector
    val at = new SliceClock(load, clock, file.getParent)
    // These requests are not in the log. They determine the length of a slice.
    val settling = endpoints.zipWithIndex.map { case (endpoint, index) =>
      send(endpoint, part => request(part).silent).exec { session =>
        if (!endpoint.hasOnce) at.answered(index)
        else if (!endpoint.parts.get(step(session).request).sending.isOnce) {
          if (session(Place).as[VirtualUserState].begins(endpoint.server))
            at.begun()
          at.answered(index)
        }
        session
      }
    }
    val targets = settling ++ endpoints.map(endpoint => send(endpoint))
    scenario(load.name)
      .exec { session =>
        CampaignWindows.announceLoad()
        barrier.fold(at.begin())(all => at.begin(all.beginMs))
        session
      }
      .exec(
        asLongAs(_ => at.isRunning)(
          pausing(
            load.name,
            doSwitch(_ => at.next)(targets.zipWithIndex.map {
              case (target, index) => index -> target
            }: _*)
          )
        )
      )
      .inject(rampUsers(load.users).during(load.rampUpMs.millis))
      .protocols(users)
  }

  // ---- the search for a rate ----

  private val Ticket = "ticket"

  /** Makes free users send the requests that are due. */
  private def search(plan: Schedule.Search): PopulationBuilder = {
    val steps = new RateSteps(plan, file.getParent, println(_))
    def ticket(session: Session) = session(Ticket).as[RateSteps.Ticket]
    val due = send(
      plan.endpoint,
      part => request((session: Session) => ticket(session).name.success, part)
    )
    scenario(plan.endpoint.name)
      .exec { session =>
        CampaignWindows.announceLoad()
        session
      }
      .exec(
        asLongAs(_ => steps.isRunning)(
          exec(session => session.set(Ticket, steps.take()))
            .pause(session => steps.waitMs(ticket(session)).millis)
            .doIf(session => steps.sends(ticket(session)))(
              due.exec { session =>
                steps.ended(ticket(session), session.isFailed)
                session.markAsSucceeded
              }
            )
        )
      )
      .inject(atOnceUsers(plan.users))
      .protocols(users.shareConnections)
  }

  private def loads: Vector[PopulationBuilder] =
    (interleavings ++ windows).zipWithIndex.flatMap { case (load, number) =>
      val start = barrier(number)
      load match {
        case load: Schedule.InterleavedLoad =>
          start.map(wait(_, load.name)).toVector :+ timeSlices(load, start)
        case window: Schedule.Window => populations(window, start)
      }
    } ++ schedule.searches.asScala.map(search)

  after(rows.tell(println(_)))

  setUp(
    (if (schedule.warmUp.limitMs <= 0) loads
     else if (changing.size > 1) warmUpPopulation +: catchUp +: loads
     else warmUpPopulation +: loads)
      .reduceRight((first, rest) => first.andThen(rest))
  )
}
