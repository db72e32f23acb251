package org.servletbench.bench.model;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

/**
 * How a server is warmed up before anything is counted: by bursts of closed-model load, each followed by a pause until
 * the JIT compiler's queue is empty. It ends when bursts add hardly anything to the queue and throughput has stopped
 * rising.
 *
 * @param limit maximum duration of all bursts and pauses; zero for no warm-up
 * @param users concurrent users in a burst
 * @param pause longest wait for an empty queue
 * @param risePercent a burst counts as rising if it exceeds the best one before it by more than this, percent
 * @param flatBursts number of consecutive bursts without a rise and without work for the compiler
 * @param backlog number of methods in the compiler's queue at the end of a burst up to which the queue counts as empty
 * @param compilerPercent CPU time of the compiler in a burst up to which it counts as idle, percent of the server's own
 */
public record WarmUpPlan(
        Duration limit,
        int users,
        Duration burst,
        Duration pause,
        double risePercent,
        int flatBursts,
        int backlog,
        double compilerPercent) {

    public static WarmUpPlan of(Options options, Duration limit) {
        return new WarmUpPlan(
                limit,
                options.integer("warmup.users", 1, 10_000),
                options.positive("warmup.burst"),
                options.duration("warmup.pause"),
                options.decimal("warmup.rise.percent", 0, 100),
                options.integer("warmup.flat.bursts", 1, 100),
                options.integer("warmup.backlog", 0, 10_000),
                options.decimal("warmup.compiler.percent", 0, 100));
    }

    /** Returns a copy with another limit. */
    public WarmUpPlan within(Duration other) {
        return new WarmUpPlan(other, users, burst, pause, risePercent, flatBursts, backlog, compilerPercent);
    }

    /** True if none of the last bursts exceeds the best one before them by more than this percentage. */
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
