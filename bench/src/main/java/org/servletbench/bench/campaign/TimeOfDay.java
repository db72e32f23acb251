package org.servletbench.bench.campaign;

import static org.servletbench.bench.model.Text.text;

import java.util.function.LongSupplier;
import org.servletbench.bench.load.LoadException;

/**
 * Compares the time of day with a clock that nobody sets. Logs and monitors are matched by the time of day: one that was set
 * in between puts the wrong figures together.
 */
final class TimeOfDay {

    /** More than what NTP slews in a session (500 ppm: 0.2 s in 6 min), and less than what moves a window, s. */
    private static final double LIMIT_SECONDS = 0.5;

    private final LongSupplier ofDayMs;
    private final LongSupplier steadyNanos;
    private final long beganMs;
    private final long beganNanos;

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
        beganMs = ofDayMs.getAsLong();
        beganNanos = steadyNanos.getAsLong();
    }

    /** @throws LoadException if it was set since this was made: in which direction, and by how much */
    void requireNotSet() {
        double seconds = (ofDayMs.getAsLong() - beganMs) / 1e3 - (steadyNanos.getAsLong() - beganNanos) / 1e9;
        if (Math.abs(seconds) > LIMIT_SECONDS) {
            throw new LoadException(text(
                    "the system's clock was set %s by %.1f s while these servers were measured",
                    seconds < 0 ? "back" : "forward", Math.abs(seconds)));
        }
    }
}
