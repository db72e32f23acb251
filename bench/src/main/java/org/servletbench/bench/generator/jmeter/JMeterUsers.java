package org.servletbench.bench.generator.jmeter;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.servletbench.bench.generator.GeneratorWarmUp;
import org.servletbench.bench.generator.RowSeries;
import org.servletbench.bench.generator.Schedule;
import org.servletbench.bench.generator.SliceClock;
import org.servletbench.bench.generator.VirtualUserState;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.Pause;
import org.servletbench.bench.model.RequestSpec;
import org.servletbench.bench.model.UserSession;

/**
 * The callbacks of JMeter's users before and after each request of a campaign, which the scripts of
 * {@code campaign.jmx} call.
 */
public abstract class JMeterUsers {

    /** The system property that names the {@link Schedule}. */
    public static final String SCHEDULE = "servlet-bench.schedule";
    /** The thread group that warms JMeter up. */
    public static final String WARM_UP = "warm-up (not counted)";

    private static final long LINE_UP_MINUTES = 5;
    private static final Map<String, JMeterUsers> GROUPS = new ConcurrentHashMap<>();
    private static final RowSeries ROWS = new RowSeries();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ROWS.tell(System.out::println)));
    }

    private static final AtomicBoolean MEASURING = new AtomicBoolean();

    /**
     * A request and its destination.
     *
     * @param label name in the log
     * @param path path with its leading slash
     * @param minBytes minimum length of a correct body, bytes
     * @param maxBytes maximum length of a correct body, bytes
     * @param sending method, headers, body and status
     * @param index argument for {@link #answered}
     */
    public record Request(
            String label,
            String protocol,
            String host,
            String port,
            String path,
            String minBytes,
            String maxBytes,
            RequestSpec sending,
            int index) {

        static Request of(Schedule.Endpoint endpoint, int index) {
            URI url = URI.create(endpoint.server());
            return new Request(
                    endpoint.name(),
                    url.getScheme(),
                    url.getHost(),
                    Integer.toString(url.getPort()),
                    endpoint.path(),
                    Integer.toString(endpoint.minBytes()),
                    Integer.toString(endpoint.maxBytes()),
                    endpoint.sending(),
                    index);
        }

        private Request filled(long row) {
            return new Request(
                    label,
                    protocol,
                    host,
                    port,
                    sending.path(path, row),
                    minBytes,
                    maxBytes,
                    sending.filled(row),
                    index);
        }
    }

    /** The requests that all users send to a server: a single one, or a list in order. */
    private record Requests(
            Schedule.Endpoint endpoint, List<Request> list, List<RequestSpec> specs, LongSupplier passes) {

        static Requests of(Schedule.Endpoint endpoint, int index) {
            return new Requests(
                    endpoint,
                    endpoint.parts().stream().map(one -> Request.of(one, index)).toList(),
                    endpoint.parts().stream().map(Schedule.Endpoint::sending).toList(),
                    ROWS.of(endpoint));
        }

        Request next(VirtualUserState user) {
            Request first = list.get(0);
            if (list.size() == 1 && !first.sending.varies() && endpoint.rows() == null) {
                return first;
            }
            UserSession.Step step = visit(user).next(specs, passes);
            return list.get(step.request()).filled(step.pass());
        }

        /** True if a user has begun a pass but not completed it. */
        boolean isWithin(VirtualUserState user) {
            return visit(user).isWithin(list.size());
        }

        private UserSession visit(VirtualUserState user) {
            return user.at(endpoint.server());
        }
    }

    /** The schedule of this JMeter, which is read when its first user needs it. */
    private static final class Whole {
        static final Path FILE = Path.of(System.getProperty(JMeterUsers.SCHEDULE));
        static final Schedule SCHEDULE = Schedule.read(FILE);
        static final boolean KEEPS_COOKIES = SCHEDULE.hasHostsOfTheirOwn();
    }

    /** The state of the current thread's user; each thread is a user. */
    final ThreadLocal<VirtualUserState> place = ThreadLocal.withInitial(VirtualUserState::new);

    JMeterUsers() {}

    /** Returns the users of a thread group. */
    public static JMeterUsers of(String group) {
        return GROUPS.computeIfAbsent(group, name -> {
            return of(Whole.SCHEDULE, Whole.FILE.getParent(), name, SliceClock.steadyClock());
        });
    }

    /**
     * Returns the users of a schedule's group.
     *
     * @param folder folder of the schedule, in which the file of the time slices will be
     * @param clock returns ms since the epoch
     * @throws IllegalArgumentException if the schedule has no load of this name
     */
    public static JMeterUsers of(Schedule schedule, Path folder, String group, LongSupplier clock) {
        if (group.equals(WARM_UP)) {
            return new WarmingUp(schedule);
        }
        for (Schedule.InterleavedLoad load : schedule.interleavings()) {
            if (load.name().equals(group)) {
                return new Interleaved(load, folder, clock);
            }
        }
        for (Schedule.Window window : schedule.windows()) {
            if (window.name().equals(group)) {
                return new Staying(window, clock);
            }
        }
        throw new IllegalArgumentException("no load " + group);
    }

    /** Makes a user wait for the others once, before its first request. Users are numbered from 0. */
    public abstract void lineUp(int user) throws InterruptedException;

    /** True if cookies of one server cannot reach another. JMeter does not distinguish the ports of a host. */
    public static boolean keepsCookies() {
        return Whole.KEEPS_COOKIES;
    }

    public final Request next() {
        return where().next(place.get());
    }

    abstract Requests where();

    /** Counts an answered request, and lets its user pause. Returns whether it is logged. */
    public abstract boolean answered(Request request) throws IOException;

    public abstract boolean isRunning();

    /**
     * The users of the warm-up. Servers receive bursts of different lengths, but in the end, all of them must have
     * received the same number of requests that change their state. So every user finishes its passes, and the last one
     * sends the missing requests.
     */
    private static final class WarmingUp extends JMeterUsers {
        private final List<Requests> requests;
        private final GeneratorWarmUp warmUp;
        private final AtomicInteger remaining;
        private final ThreadLocal<Boolean> isDone = ThreadLocal.withInitial(() -> false);

        WarmingUp(Schedule schedule) {
            requests = schedule.rehearsals().stream()
                    .map(endpoint -> Requests.of(endpoint, 0))
                    .toList();
            warmUp = new GeneratorWarmUp(schedule.warmUp(), requests.size(), System.out::println);
            remaining = new AtomicInteger(schedule.warmUp().users());
        }

        @Override
        public void lineUp(int user) {
            warmUp.isRunning();
        }

        @Override
        Requests where() {
            Requests inBurst = requests.get(warmUp.server());
            return warmUp.isRunning() ? inBurst : begun().or(this::missing).orElse(inBurst);
        }

        @Override
        public boolean answered(Request request) {
            warmUp.answered();
            return false;
        }

        @Override
        public boolean isRunning() {
            if (warmUp.isRunning() || begun().isPresent()) {
                return true;
            }
            if (!isDone.get()) {
                isDone.set(true);
                remaining.decrementAndGet();
            }
            return missing().isPresent();
        }

        private Optional<Requests> begun() {
            return changing().filter(one -> one.isWithin(place.get())).findFirst();
        }

        /** Returns the missing requests, for the last user. */
        private Optional<Requests> missing() {
            return remaining.get() > 0
                    ? Optional.empty()
                    : changing().filter(one -> ROWS.isBehind(one.endpoint())).findFirst();
        }

        private Stream<Requests> changing() {
            return requests.stream().filter(one -> one.endpoint().changesEachPass());
        }
    }

    /**
     * The users of a load, who all wait for each other and start within the ramp-up. JMeter would let each of them run
     * as soon as it is created.
     */
    private abstract static class Measured extends JMeterUsers {
        private final Pause pauses;
        private final int users;
        private final long rampUpMs;

        final LongSupplier clock;
        private final CountDownLatch line;
        /** Time when all users began, ms since the epoch; 0 until then. */
        volatile long beginMs;

        /**
         * @param load name of the load, which says whether users pause
         */
        Measured(String load, int users, long rampUpMs, LongSupplier clock) {
            this.pauses = Load.parse(load).pause();
            this.users = users;
            this.rampUpMs = rampUpMs;
            this.clock = clock;
            this.line = new CountDownLatch(users);
        }

        @Override
        public void lineUp(int user) throws InterruptedException {
            line.countDown();
            if (!line.await(LINE_UP_MINUTES, TimeUnit.MINUTES)) {
                System.out.println("servlet-bench: " + line.getCount() + " of " + users + " users could not be made");
            }
            open();
            Thread.sleep(Math.max(0, beginMs + rampUpMs * user / users - clock.getAsLong()));
        }

        private synchronized void open() {
            if (beginMs > 0) {
                return;
            }
            // All threads exist only now, so all of them will be pinned.
            if (MEASURING.compareAndSet(false, true)) {
                System.out.println(Schedule.MEASURING);
            }
            beginMs = clock.getAsLong();
            begins();
        }

        @Override
        public final boolean answered(Request request) throws IOException {
            boolean isLogged = counts(request);
            if (!pauses.isNone()) {
                pause();
            }
            return isLogged;
        }

        private void pause() {
            try {
                Thread.sleep(pauses.nextMs(ThreadLocalRandom.current()));
            } catch (InterruptedException e) {
                // JMeter interrupts users that it stops.
                Thread.currentThread().interrupt();
            }
        }

        /** Counts an answered request. Returns whether it is logged. */
        abstract boolean counts(Request request);

        /** Is called once, at {@link #beginMs}. */
        abstract void begins();
    }

    private static final class Interleaved extends Measured {
        private final Schedule.InterleavedLoad load;
        private final Path folder;
        private final SliceClock timeSlices;
        /** The requests of each server, first those that are not counted; see {@link SliceClock#next}. */
        private final List<Requests> requests = new ArrayList<>();

        Interleaved(Schedule.InterleavedLoad load, Path folder, LongSupplier clock) {
            super(load.name(), load.users(), load.rampUpMs(), clock);
            this.load = load;
            this.folder = folder;
            timeSlices = new SliceClock(load, clock, folder);
            for (int i = 0; i < 2 * load.endpoints().size(); i++) {
                requests.add(
                        Requests.of(load.endpoints().get(i % load.endpoints().size()), i));
            }
        }

        @Override
        void begins() {
            timeSlices.begin(beginMs);
        }

        @Override
        Requests where() {
            return requests.get(timeSlices.next());
        }

        @Override
        boolean counts(Request request) {
            if (request.index() >= load.endpoints().size()) {
                return true;
            }
            timeSlices.answered(request.index());
            return false;
        }

        @Override
        public boolean isRunning() {
            return timeSlices.isRunning();
        }
    }

    /** The users of a window, who all stay at one server. */
    private static final class Staying extends Measured {
        private final Schedule.Window window;
        private final Requests requests;

        Staying(Schedule.Window window, LongSupplier clock) {
            super(window.name(), window.users(), window.rampUpMs(), clock);
            this.window = window;
            this.requests = Requests.of(window.endpoint(), 0);
        }

        @Override
        void begins() {
            System.out.println(Schedule.WINDOW + window.name());
        }

        @Override
        Requests where() {
            return requests;
        }

        @Override
        boolean counts(Request request) {
            return true;
        }

        @Override
        public boolean isRunning() {
            return clock.getAsLong() < beginMs + window.rampUpMs() + window.holdMs();
        }
    }
}
