package org.servletbench.bench.server;

import static org.servletbench.bench.model.Text.text;

import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import java.io.IOException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.servletbench.bench.model.Daemon;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.model.Workload;

/**
 * The rhythm of a warm-up: bursts and pauses until throughput has stopped rising and the JIT compiler is quiet. A server
 * that is loaded without a pause starves its compiler, and stays slow for minutes.
 *
 * <p>A generator's users ask {@link #isRunning} and {@link #isBursting} in their loops and {@link #count} every answer;
 * this class decides when it is enough. {@link #isEnough} is the decision alone.
 */
public final class WarmUp {

    /**
     * One burst.
     *
     * @param requestsPerSecond throughput in requests/s
     * @param jitPercent time that the server's JIT compiler worked, in percent of the burst's; NaN where nobody can tell.
     *     Above 100 when several compiler threads work at once.
     */
    public record Burst(
            double requestsPerSecond,
            @JsonSerialize(using = Json.UnknownAsNull.class) double jitPercent) implements Serializable {}

    /**
     * How a warm-up went.
     *
     * @param settled whether it ended on evidence; if not, what is measured after it is marked
     * @param seconds how long it took, in s
     */
    public record Outcome(boolean settled, String reason, double seconds, List<Burst> bursts) {}

    /** How often a burst is told of, in ns: a line for each would bury the rest. */
    private static final long TELL_NANOS = 30_000_000_000L;

    /** The reason where there was none. */
    public static final String NOT_WANTED = "no warm-up was asked for";

    /** The reason of a warm-up that ended on evidence. */
    public static final String SETTLED = "throughput had stopped rising and the JIT compiler was quiet";

    private final WarmUpPlan plan;
    private final Duration delay;
    private final Predicate<List<Burst>> enough;
    private final Supplier<OptionalLong> jitMillis;
    private final Supplier<Boolean> isTargetAlive;
    private final Consumer<String> progress;
    private final LongAdder answers = new LongAdder();
    private volatile boolean bursting;
    private volatile boolean running;
    private volatile long pauseEndNanos;
    private Outcome outcome;

    /**
     * @param plan the limits
     * @param target whose compiler is watched
     * @param progress gets a line for the first burst, one every 30 s, and the outcome
     */
    public WarmUp(WarmUpPlan plan, Target target, Consumer<String> progress) {
        this(plan, Duration.ZERO, bursts -> isEnough(bursts, plan), target, progress);
    }

    /**
     * That of one cell, with its own load: {@link WarmUpPlan#ofCell}.
     *
     * @param plan of the whole run
     * @param rampUp until all its users are there
     * @param progress gets a line every 30 s, and one if it runs into its limit
     */
    public static WarmUp ofCell(WarmUpPlan plan, Duration rampUp, Target target, Consumer<String> progress) {
        WarmUpPlan cell = plan.ofCell();
        return new WarmUp(cell, rampUp, bursts -> isWarm(bursts, cell), target, progress);
    }

    private WarmUp(
            WarmUpPlan plan, Duration delay, Predicate<List<Burst>> enough, Target target, Consumer<String> progress) {
        this.plan = plan;
        this.delay = delay;
        this.enough = enough;
        this.jitMillis = target::jitMillis;
        this.isTargetAlive = () -> target.death().isEmpty();
        this.progress = progress;
        this.running = plan.isWanted();
        this.outcome = new Outcome(false, NOT_WANTED, 0, List.of());
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

    /** Whether users should send; else they wait for {@link #pauseMillis}. */
    public boolean isBursting() {
        return bursting;
    }

    /** What is left of the pause, in ms, at least 1. */
    public long pauseMillis() {
        return Math.max(1, (pauseEndNanos - System.nanoTime()) / 1_000_000);
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
        String reason = null;
        boolean ofCell = !delay.isZero();
        long told = ofCell ? start : start - TELL_NANOS;
        bursting = true;
        sleepUntil(start + delay.toNanos());
        while (reason == null) {
            bursting = true;
            bursts.add(burst());
            Burst last = bursts.get(bursts.size() - 1);
            // Without a pause the compiler starves; where it has nothing to do, a pause is lost time.
            Duration pause = last.jitPercent() <= plan.jitPercent() ? Duration.ZERO : plan.pause();
            pauseEndNanos = System.nanoTime() + pause.toNanos();
            bursting = pause.isZero();
            if (System.nanoTime() - told >= TELL_NANOS) {
                told = System.nanoTime();
                progress.accept(describe(bursts.size(), last));
            }
            long next = System.nanoTime() - start + pause.plus(plan.burst()).toNanos();
            if (enough.test(bursts)) {
                reason = SETTLED;
            } else if (!isTargetAlive.get()) {
                reason = "the server died";
            } else if (next > plan.limit().toNanos()) {
                reason = notSettled(plan);
            } else {
                sleepUntil(pauseEndNanos);
            }
        }
        synchronized (this) {
            outcome = new Outcome(enough.test(bursts), reason, (System.nanoTime() - start) / 1e9, List.copyOf(bursts));
        }
        if (!ofCell || !outcome().settled()) {
            progress.accept(Math.round(outcome().seconds()) + " s of warm-up: "
                    + (outcome().settled() ? "the server is warm (" + reason + ")" : reason));
        }
        running = false;
    }

    private Burst burst() {
        long start = System.nanoTime();
        long before = answers.sum();
        OptionalLong jitBefore = jitMillis.get();
        sleepUntil(start + plan.burst().toNanos());
        OptionalLong jitAfter = jitMillis.get();
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Burst((answers.sum() - before) / seconds, jitPercent(jitBefore, jitAfter, seconds));
    }

    /**
     * One burst on all processors: all workloads in turn, from so many users at the same time.
     *
     * @throws TargetException if the server, of this name, does not answer
     */
    public static Burst burst(String name, Target target, List<Workload> workloads, int users, Duration length) {
        try {
            long start = System.nanoTime();
            OptionalLong before = target.jitMillis();
            double rate = new LoadClient(target.url(), workloads, users).burst(length);
            return new Burst(rate, jitPercent(before, target.jitMillis(), (System.nanoTime() - start) / 1e9));
        } catch (IOException e) {
            throw new TargetException(name + " stopped answering while it was warmed up: "
                    + target.death().orElse(e.getMessage()));
        }
    }

    private static double jitPercent(OptionalLong before, OptionalLong after, double seconds) {
        return before.isPresent() && after.isPresent()
                ? (after.getAsLong() - before.getAsLong()) / (10 * seconds)
                : Double.NaN;
    }

    /**
     * Whether the bursts so far are evidence of a warm server: the last {@link WarmUpPlan#flatBursts} were no faster than
     * the best before them by more than {@link WarmUpPlan#risePercent}, and the compiler was quiet in the last one.
     */
    public static boolean isEnough(List<Burst> bursts, WarmUpPlan plan) {
        return WarmUpPlan.isFlat(
                        bursts.stream().map(Burst::requestsPerSecond).toList(), plan.flatBursts(), plan.risePercent())
                && !(bursts.get(bursts.size() - 1).jitPercent() > plan.jitPercent());
    }

    /** Whether a cell's own bursts are such evidence: one of them is too short to say that the compiler is quiet. */
    static boolean isWarm(List<Burst> bursts, WarmUpPlan plan) {
        return isEnough(bursts, plan)
                && !(bursts.subList(bursts.size() - plan.flatBursts(), bursts.size()).stream()
                                .mapToDouble(Burst::jitPercent)
                                .average()
                                .orElseThrow()
                        > plan.jitPercent());
    }

    private static String describe(int number, Burst burst) {
        String jit = Double.isNaN(burst.jitPercent()) ? "" : text(", JIT compiler busy %.0f %%", burst.jitPercent());
        return text("warm-up burst %d: %.0f requests/s%s", number, burst.requestsPerSecond(), jit);
    }

    private static void sleepUntil(long nanos) {
        try {
            Thread.sleep(Math.max(0, (nanos - System.nanoTime()) / 1_000_000));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
