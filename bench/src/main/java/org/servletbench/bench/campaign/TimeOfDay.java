package org.servletbench.bench.campaign;

import static org.servletbench.bench.model.Text.text;

import java.util.function.LongSupplier;
import org.servletbench.bench.load.LoadException;

/**
 * Compares the time of day with a clock that nobody sets. Logs and monitors are matched by the time of day: one that was set
 * in between puts the wrong figures together.
 */
final class TimeOfDay {

    /** Linux slews both clocks alike, so that only steps are seen; less than a turn, s. */
    private static final double LIMIT_SECONDS = 0.02;

    /** A reading between two of the steady clock that lie closer together is taken at once, ns. */
    private static final long CLOSE_NANOS = 100_000;

    private static final int MOST_READINGS = 100;

    private final LongSupplier ofDayMs;
    private final LongSupplier steadyNanos;
    private final double began;

    TimeOfDay() {
        this(System::currentTimeMillis, System::nanoTime);
    }

    /**
     * @param ofDayMs the time of day, ms since the epoch
     * @param steadyNanos a clock that only goes forward, ns
     */
    TimeOfDay(LongSupplier ofDayMs, LongSupplier steadyNanos) {
        this.ofDayMs = ofDayMs;
        this.steadyNanos = steadyNanos;
        began = apartSeconds();
    }

    /** The time of day less the steady clock, s: of the readings that the scheduler disturbed least. */
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

    /** @throws LoadException if it was set since this was made: in which direction, and by how much */
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
