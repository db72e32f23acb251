package org.servletbench.bench.model;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

/**
 * How a server is warmed up before anything is counted: bursts of closed-model load with pauses between, in which the JIT
 * compiler catches up, until throughput has stopped rising.
 *
 * @param limit the longest time all of it may take; zero for none at all
 * @param users concurrent users in a burst
 * @param risePercent a burst counts as rising when it is faster than the best before it by more than this, in percent
 * @param flatBursts how many bursts in a row must not rise
 * @param jitPercent the JIT compiler is quiet when it works less than this, in percent of a burst's time
 */
public record WarmUpPlan(
        Duration limit,
        int users,
        Duration burst,
        Duration pause,
        double risePercent,
        int flatBursts,
        double jitPercent) {

    /** Of the limit of a warm-up, what each cell may take again, as its divisor. */
    private static final int CELL_SHARE = 5;

    private static final Duration CELL_BURST = Duration.ofSeconds(1);
    private static final double CELL_JIT_PERCENT = 3;

    public static WarmUpPlan of(Options options, Duration limit) {
        return new WarmUpPlan(
                limit,
                options.integer("warmup.users", 1, 10_000),
                LoadPlan.positive(options, "warmup.burst"),
                options.duration("warmup.pause"),
                options.decimal("warmup.rise.percent", 0, 100),
                options.integer("warmup.flat.bursts", 1, 100),
                options.decimal("warmup.jit.percent", 0, 10_000));
    }

    /**
     * How each cell of a single run goes on with its own load, before it is counted: short bursts, without pauses once the compiler is
     * quiet, which here means as quiet as what is counted must be.
     */
    public WarmUpPlan ofCell() {
        return new WarmUpPlan(
                limit.dividedBy(CELL_SHARE),
                users,
                CELL_BURST.compareTo(burst) < 0 ? CELL_BURST : burst,
                CELL_BURST.compareTo(pause) < 0 ? CELL_BURST : pause,
                risePercent,
                flatBursts,
                Math.min(jitPercent, CELL_JIT_PERCENT));
    }

    /** Whether the last bursts are no faster than the best before them, by more than so many percent. */
    public static boolean isFlat(List<Double> rates, int flatBursts, double risePercent) {
        int before = rates.size() - flatBursts;
        if (before < 1) {
            return false;
        }
        double best = Collections.max(rates.subList(0, before));
        return best > 0 && Collections.max(rates.subList(before, rates.size())) <= best * (1 + risePercent / 100);
    }

    public boolean isWanted() {
        return !limit.isZero();
    }
}
