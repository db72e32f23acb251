package org.servletbench.bench.campaign;

import static org.servletbench.bench.model.Text.text;

import java.util.function.LongSupplier;
import org.servletbench.bench.load.LoadException;

/**
 * Compares the time of day with a monotonic clock. Logs and monitors are matched by the time of day. If somebody sets
 * it in between, the wrong figures are put together.
 */
final class TimeOfDay {

    /**
     * Maximum difference that is tolerated, less than a time slice, s. Linux slews both clocks alike, so that only
     * steps are noticed.
     */
    private static final double LIMIT_SECONDS = 0.02;

    /**
     * Maximum time between two readings of the monotonic clock for accepting the time of day between them at once, ns.
     */
    private static final long CLOSE_NANOS = 100_000;

    private static final int MOST_READINGS = 100;

    private final LongSupplier ofDayMs;
    private final LongSupplier steadyNanos;
    private final double began;

    TimeOfDay() {
        this(System::currentTimeMillis, System::nanoTime);
    }

    /**
     * @param ofDayMs returns the time of day, ms since the epoch
     *
     * @param steadyNanos returns the monotonic clock, ns
     */
    TimeOfDay(LongSupplier ofDayMs, LongSupplier steadyNanos) {
        this.ofDayMs = ofDayMs;
        this.steadyNanos = steadyNanos;
        began = apartSeconds();
    }

    /** Returns the time of day minus the monotonic clock, s, from the readings that were closest to each other. */
    private double apartSeconds() {
        long closest = Long.MAX_VALUE;
        double apart = 0;
        for (int i = 0; i < MOST_READINGS && closest > CLOSE_NANOS; i++) {
            long before = steadyNanos.getAsLong();
            long ms = ofDayMs.getAsLong();
            long after = steadyNanos.getAsLong();
            if (after - before < closest) {
                closest = after - before;
                apart = ms / 1e3 - before / 1e9;
            }
        }
        return apart;
    }

    /**
     * @throws LoadException if the clock was set since this was created; it says in which direction, and by how much
     */
    void requireNotSet() {
        double seconds = apartSeconds() - began;
        if (Math.abs(seconds) > LIMIT_SECONDS) {
            throw new LoadException(text(
                    "the system's clock was set %s by %s while these servers were measured",
                    seconds < 0 ? "back" : "forward",
                    Math.abs(seconds) < 1
                            ? text("%.0f ms", 1e3 * Math.abs(seconds))
                            : text("%.1f s", Math.abs(seconds))));
        }
    }
}
