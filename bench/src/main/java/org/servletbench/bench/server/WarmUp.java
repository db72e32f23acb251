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
 * The rhythm of a warm-up: bursts, and pauses until the JIT compiler's queue is empty, until the server runs hardly anything but its best
 * code ({@link WarmCode}); where that cannot be seen, until a burst adds next to nothing to the queue and throughput has stopped rising. A server that is loaded without a pause starves its compiler, and stays slow for minutes.
 *
 * <p>A generator's users ask {@link #isRunning} and {@link #isBursting} in their loops and {@link #count} every answer;
 * this class decides when it is enough. {@link #isEnough} is the decision alone.
 */
public final class WarmUp {

    /**
     * One burst.
     *
     * @param seconds how long it lasted, s
     * @param requestsPerSecond throughput in requests/s
     * @param compilerPercent CPU time of the server's JIT compiler in percent of the server's own; NaN where nobody can tell
     * @param backlog methods that wait for the compiler or are being compiled when the burst ends; NaN where nobody can tell
     */
    public record Burst(
            double seconds,
            double requestsPerSecond,
            @JsonSerialize(using = Json.UnknownAsNull.class) double compilerPercent,
            @JsonSerialize(using = Json.UnknownAsNull.class) double backlog)
            implements Serializable {}

    /**
     * How a warm-up went.
     *
     * @param settled whether it ended on evidence; if not, what is measured after it is marked
     * @param seconds how long it took, in s
     * @param code the last samples of what the server ran; null where nobody could see it
     */
    public record Outcome(
            boolean settled,
            String reason,
            double seconds,
            List<Burst> bursts,
            @JsonInclude(JsonInclude.Include.NON_NULL) CodeTiers code) {

        /** Without a look at the server's code. */
        public Outcome(boolean settled, String reason, double seconds, List<Burst> bursts) {
            this(settled, reason, seconds, bursts, null);
        }
    }

    /** Longest time without a line, ns: one for each burst would bury the rest. */
    private static final long TELL_NANOS = 20_000_000_000L;

    /** Time between two looks at the compiler's queue. */
    public static final Duration LOOK = Duration.ofMillis(50);

    /**
     * Methods in the compiler's queue with which a burst ends: HotSpot asks for more calls of a method before it compiles it, the longer
     * the queue is (Tier4LoadFeedback: so many times more as there are threes of methods for each compiler thread).
     */
    public static final int FULL = 12;

    /** The reason where there was none. */
    public static final String NOT_WANTED = "no warm-up was asked for";

    /** The reason of a warm-up that ended on evidence. */
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
     * @param plan the limits
     * @param target whose compiler is watched
     * @param progress gets a line for the first burst, one every 20 s at the latest, and the outcome
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
     * The reason why a warm-up ended.
     *
     * @param code what was seen of the server's code; empty: throughput decided
     * @param settled whether it ended on evidence
     */
    public static String reason(Optional<WarmCode> code, boolean settled, WarmUpPlan plan) {
        return code.map(WarmCode::reason).orElse(settled ? SETTLED : notSettled(plan));
    }

    /** The reason of a warm-up that ran into its limit. */
    public static String notSettled(WarmUpPlan plan) {
        String seconds = BigDecimal.valueOf(plan.limit().toMillis(), 3)
                .stripTrailingZeros()
                .toPlainString();
        return "not settled within " + seconds + " s";
    }

    /** Starts the first burst; returns at once. */
    public void begin() {
        if (running) {
            bursting = true;
            new Daemon("servlet-bench-warm-up").newThread(this::conduct).start();
        }
    }

    /** Whether users should go on at all. */
    public boolean isRunning() {
        return running;
    }

    /** Whether users should send; else they ask again after {@link #pauseMillis}. */
    public boolean isBursting() {
        return bursting;
    }

    /** Time after which a user that pauses asks again, ms. */
    public long pauseMillis() {
        return LOOK.toMillis();
    }

    /** One request was answered. */
    public void count() {
        answers.increment();
    }

    /** How it went; complete once {@link #isRunning} is false. */
    public synchronized Outcome outcome() {
        return outcome;
    }

    private void conduct() {
        long start = System.nanoTime();
        List<Burst> bursts = new ArrayList<>();
        code.start();
        String reason = null;
        boolean settled = false;
        long told = start - TELL_NANOS;
        while (reason == null) {
            bursting = true;
            bursts.add(burst());
            bursting = false;
            // The next burst ends after a pause and itself.
            long next = plan.pause().plus(plan.burst()).toNanos();
            if (System.nanoTime() - told + next >= TELL_NANOS) {
                told = System.nanoTime();
                progress.accept(describe(bursts.size(), bursts.get(bursts.size() - 1)));
            }
            Optional<WarmCode> seen = code.look();
            settled = seen.map(WarmCode::isWarm).orElseGet(() -> isEnough(bursts, plan));
            if (settled) {
                reason = reason(seen, settled, plan);
            } else if (target.death().isPresent()) {
                reason = "the server died";
            } else if (System.nanoTime() - start + plan.burst().toNanos()
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

    /** Until the compiler's queue is empty; where nobody can see it, as long as a burst. */
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
     * @param longest no longer than this
     * @return whether its queue was empty twice in a row, or nobody can see it
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
     * One burst on all processors: all workloads in turn, from so many users at the same time. It ends early once {@link #FULL} methods
     * wait for the compiler: what is sent after that has little effect.
     *
     * @throws TargetException if the server, of this name, does not answer
     */
    public static Burst burst(String name, Target target, List<Workload> workloads, int users, Duration length) {
        try {
            Optional<CompilerTime> from = target.compilerTime();
            LoadClient.Sent sent = target.warmUpUsers(workloads, users)
                    .burst(length, () -> target.compilerBacklog().orElse(0) >= FULL);
            return burst(target, sent.seconds(), sent.perSecond(), from);
        } catch (IOException e) {
            throw new TargetException(name + " stopped answering while it was warmed up: "
                    + target.death().orElse(e.getMessage()));
        }
    }

    /**
     * Sends passes through a workload, by one user after all others, until there were so many: another server has had them.
     *
     * @throws TargetException if the server, of this name, does not answer
     */
    public static void catchUp(String name, Target target, Workload workload, long passes) {
        try {
            new LoadClient(target.url(), List.of(workload), 1, target.rows()).sendUpTo(passes);
        } catch (IOException e) {
            throw new TargetException(name + " stopped answering while it was warmed up: "
                    + target.death().orElse(e.getMessage()));
        }
    }

    /**
     * Whether the bursts so far are evidence of a warm server: the last {@link WarmUpPlan#flatBursts} were no faster than the best
     * before them by more than {@link WarmUpPlan#risePercent}, and in none of them the compiler had much to do. Its queue alone does not
     * tell: where few requests are answered, methods come to it one by one.
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
     * The throughput of a burst for people; 0 requests/s would look like a server that answers nothing.
     *
     * @param form of its number, as {@link String#format} takes it
     */
    public static String speed(Burst burst, String form) {
        return burst.requestsPerSecond() < 1 ? "no answer within it yet" : text(form, burst.requestsPerSecond());
    }

    /** The end of a line about a burst: {@code , 12 methods to compile}; nothing where nobody can tell. */
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
