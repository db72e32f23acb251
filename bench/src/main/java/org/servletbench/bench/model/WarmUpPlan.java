package org.servletbench.bench.model;

import java.time.Duration;

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

    public boolean isWanted() {
        return !limit.isZero();
    }
}
