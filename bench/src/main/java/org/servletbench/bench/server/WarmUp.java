package org.servletbench.bench.server;

import static org.servletbench.bench.model.Text.text;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import java.io.IOException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.measure.WarmCode;
import org.servletbench.bench.model.Daemon;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.http.LoadClient;
import org.servletbench.bench.server.os.CompilerTime;

/**
 * Runs a warm-up: bursts of load, each followed by a pause until the JIT compiler's queue is empty, until the server
 * runs almost only its best code ({@link WarmCode}). If the code cannot be sampled, the warm-up continues until bursts
 * add hardly anything to the queue and throughput has stopped rising. Without pauses, a loaded server starves its
 * compiler and stays slow for minutes.
 *
 * <p>A generator's users ask {@link #isRunning} and {@link #isBursting} in their loops and {@link #count} every answer;
 * this class decides when the server is warm. {@link #isEnough} is only the decision.
 */
public final class WarmUp {

    /**
     * One burst.
     *
     * @param seconds duration of the burst, s
     * @param requestsPerSecond throughput, requests/s
     * @param compilerPercent CPU time of the server's JIT compiler, percent of the server's own; NaN if unknown
     * @param backlog number of methods that are waiting for the compiler or being compiled at the end of the burst; NaN
     *     if unknown
     */
    public record Burst(
            double seconds,
            double requestsPerSecond,
            @JsonSerialize(using = Json.UnknownAsNull.class) double compilerPercent,
            @JsonSerialize(using = Json.UnknownAsNull.class) double backlog)
            implements Serializable {}

    /**
     * Outcome of a warm-up.
     *
     * @param settled true if it ended because the server was found to be warm; otherwise the figures measured after it
     *     get a warning
     * @param seconds duration of the warm-up, s
     * @param code the last samples of the code that the server ran; null if it could not be sampled
     */
    public record Outcome(
            boolean settled,
            String reason,
            double seconds,
            List<Burst> bursts,
            @JsonInclude(JsonInclude.Include.NON_NULL) CodeTiers code) {

        /** Creates the outcome of a warm-up in which the server's code was not sampled. */
        public Outcome(boolean settled, String reason, double seconds, List<Burst> bursts) {
            this(settled, reason, seconds, bursts, null);
        }
    }

    /** Minimum time between two progress lines, ns. One line per burst would bury all other output. */
    private static final long TELL_NANOS = 20_000_000_000L;

    /** Time between two looks at the compiler's queue. */
    public static final Duration LOOK = Duration.ofMillis(50);

    /**
     * Number of methods in the compiler's queue at which a burst ends. The longer the queue, the more calls of a method
     * HotSpot requires before it compiles it (Tier4LoadFeedback: the threshold grows with the queue's length per
     * compiler thread, divided by three).
     */
    public static final int FULL = 12;

    /** Recorded reason if no warm-up was requested. */
    public static final String NOT_WANTED = "no warm-up was asked for";

    /** Recorded reason for a warm-up that ended because the server was found to be warm. */
    public static final String SETTLED = "throughput had stopped rising and the JIT compiler's queue was empty";

    private final WarmUpPlan plan;
    private final Target target;
    private final Consumer<String> progress;
    private final CodeWatch code;
    private final LongAdder answers = new LongAdder();
    private volatile boolean bursting;
    private volatile boolean running;
    private Outcome outcome;

    /**
     * @param plan limits
     *
     * @param target server whose compiler is watched
     * @param progress receives a line for the first burst, then at least one every 20 s, and the outcome
     */
    public WarmUp(WarmUpPlan plan, Target target, Consumer<String> progress) {
        this.plan = plan;
        this.target = target;
        this.code = new CodeWatch(target);
        this.progress = progress;
        this.running = plan.isWanted();
        this.outcome = new Outcome(false, NOT_WANTED, 0, List.of());
    }

    /**
     * Returns the reason why a warm-up ended.
     *
     * @param code the last view of the server's code; empty if throughput decided
     * @param settled true if the server was found to be warm
     */
    public static String reason(Optional<WarmCode> code, boolean settled, WarmUpPlan plan) {
        return code.map(WarmCode::reason).orElse(settled ? SETTLED : notSettled(plan));
    }

    /** Returns the recorded reason for a warm-up that reached its limit. */
    public static String notSettled(WarmUpPlan plan) {
        String seconds = BigDecimal.valueOf(plan.limit().toMillis(), 3)
                .stripTrailingZeros()
                .toPlainString();
        return "not settled within " + seconds + " s";
    }

    /** Starts the first burst, and returns immediately. */
    public void begin() {
        if (running) {
            bursting = true;
            new Daemon("servlet-bench-warm-up").newThread(this::conduct).start();
        }
    }

    /** True if users should continue. */
    public boolean isRunning() {
        return running;
    }

    /** True if users should send. If not, they ask again after {@link #pauseMillis}. */
    public boolean isBursting() {
        return bursting;
    }

    /** Returns the time after which a paused user asks again, ms. */
    public long pauseMillis() {
        return LOOK.toMillis();
    }

    /** Counts one answered request. */
    public void count() {
        answers.increment();
    }

    /** Returns the outcome, which is complete once {@link #isRunning} is false. */
    public synchronized Outcome outcome() {
        return outcome;
    }

    private void conduct() {
        long start = System.nanoTime();
        List<Burst> bursts = new ArrayList<>();
        code.start();
        String reason = null;
        boolean settled = false;
        long reported = start - TELL_NANOS;
        while (reason == null) {
            bursting = true;
            bursts.add(burst());
            bursting = false;
            // The next burst will end after a pause and its own duration.
            long next = plan.pause().plus(plan.burst()).toNanos();
            if (System.nanoTime() - reported + next >= TELL_NANOS) {
                reported = System.nanoTime();
                progress.accept(describe(bursts.size(), bursts.get(bursts.size() - 1)));
            }
            Optional<WarmCode> seen = code.look();
            settled = seen.map(WarmCode::isWarm).orElseGet(() -> isEnough(bursts, plan));
            if (!settled && target.death().isPresent()) {
                reason = "the server died";
            } else if (settled
                    || System.nanoTime() - start + plan.burst().toNanos()
                            > plan.limit().toNanos()) {
                reason = reason(seen, settled, plan);
            } else {
                pause(plan, target);
            }
        }
        code.stop();
        synchronized (this) {
            outcome = new Outcome(
                    settled,
                    reason,
                    (System.nanoTime() - start) / 1e9,
                    List.copyOf(bursts),
                    code.seen().map(WarmCode::seen).orElse(null));
        }
        progress.accept(Math.round(outcome().seconds()) + " s of warm-up: "
                + (outcome().settled() ? "the server is warm (" + reason + ")" : "the server is not warm: " + reason));
        running = false;
    }

    /** Pauses until the compiler's queue is empty, or for the length of a burst if the queue cannot be read. */
    private static void pause(WarmUpPlan plan, Target target) {
        if (target.compilerBacklog().isPresent()) {
            awaitQuiet(target, plan.pause());
        } else {
            sleep(plan.burst().compareTo(plan.pause()) < 0 ? plan.burst() : plan.pause());
        }
    }

    /**
     * Waits until the server's JIT compiler has nothing to do.
     *
     * @param longest longest time to wait
     * @return true if its queue was empty twice in a row, or cannot be read
     */
    public static boolean awaitQuiet(Target target, Duration longest) {
        long end = System.nanoTime() + longest.toNanos();
        int empty = 0;
        while (true) {
            OptionalInt backlog = target.compilerBacklog();
            empty = backlog.orElse(0) == 0 ? empty + 1 : 0;
            if (backlog.isEmpty() || empty == 2) {
                return true;
            }
            if (System.nanoTime() >= end || target.death().isPresent()) {
                return false;
            }
            sleep(LOOK);
        }
    }

    private Burst burst() {
        long start = System.nanoTime();
        long before = answers.sum();
        Optional<CompilerTime> from = target.compilerTime();
        sleep(plan.burst());
        double seconds = (System.nanoTime() - start) / 1e9;
        return burst(target, seconds, (answers.sum() - before) / seconds, from);
    }

    private static Burst burst(Target target, double seconds, double rate, Optional<CompilerTime> from) {
        OptionalInt backlog = target.compilerBacklog();
        return new Burst(
                seconds,
                rate,
                from.flatMap(earlier -> target.compilerTime().map(now -> now.percentSince(earlier)))
                        .orElse(Double.NaN),
                backlog.isPresent() ? backlog.getAsInt() : Double.NaN);
    }

    /**
     * Runs one burst on all processors: all workloads in turn, from {@code users} users at the same time. It ends early
     * once {@link #FULL} methods are waiting for the compiler, because further requests would have little effect.
     *
     * @param name name of the server, for messages
     * @throws TargetException if the server does not answer
     */
    public static Burst burst(String name, Target target, List<Workload> workloads, int users, Duration length) {
        try {
            Optional<CompilerTime> from = target.compilerTime();
            LoadClient.Sent sent = target.warmUpUsers(workloads, users)
                    .burst(length, () -> target.compilerBacklog().orElse(0) >= FULL);
            return burst(target, sent.seconds(), sent.perSecond(), from);
        } catch (IOException e) {
            throw new TargetException(name + " stopped answering during the warm-up: "
                    + target.death().orElse(e.getMessage()));
        }
    }

    /**
     * Sends passes through a workload as a single user, until the server has had as many as another one.
     *
     * @param name name of the server, for messages
     * @throws TargetException if the server does not answer
     */
    public static void catchUp(String name, Target target, Workload workload, long passes) {
        try {
            new LoadClient(target.url(), List.of(workload), 1, target.rows()).sendUpTo(passes);
        } catch (IOException e) {
            throw new TargetException(name + " stopped answering during the warm-up: "
                    + target.death().orElse(e.getMessage()));
        }
    }

    /**
     * True if the bursts so far show that the server is warm. None of the last {@link WarmUpPlan#flatBursts} was faster
     * than the best burst before them by more than {@link WarmUpPlan#risePercent}, and the compiler had little to do in
     * any of them. An empty queue alone proves nothing: if few requests are answered, methods reach the compiler one by
     * one.
     */
    public static boolean isEnough(List<Burst> bursts, WarmUpPlan plan) {
        return WarmUpPlan.isFlat(
                        bursts.stream().map(Burst::requestsPerSecond).toList(), plan.flatBursts(), plan.risePercent())
                && bursts.subList(bursts.size() - plan.flatBursts(), bursts.size()).stream()
                        .noneMatch(burst ->
                                burst.backlog() > plan.backlog() || burst.compilerPercent() > plan.compilerPercent());
    }

    private static String describe(int number, Burst burst) {
        return text("warm-up burst %d: %s", number, speed(burst, "%.0f requests/s")) + backlog(burst);
    }

    /**
     * Returns the throughput of a burst for people. 0 requests/s would look like a server that answers nothing.
     *
     * @param form format of the number, for {@link String#format}
     */
    public static String speed(Burst burst, String form) {
        return burst.requestsPerSecond() < 1 ? "no answer within it yet" : text(form, burst.requestsPerSecond());
    }

    /**
     * Returns the end of a line about a burst: {@code , 12 methods to compile}; empty text if the number is unknown.
     */
    public static String backlog(Burst burst) {
        return Double.isNaN(burst.backlog()) ? "" : text(", %.0f methods to compile", burst.backlog());
    }

    private static void sleep(Duration time) {
        try {
            Thread.sleep(Math.max(0, time.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
