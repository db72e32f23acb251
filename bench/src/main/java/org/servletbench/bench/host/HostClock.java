package org.servletbench.bench.host;

import static org.servletbench.bench.model.Text.text;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.servletbench.bench.measure.Interleaving;
import org.servletbench.bench.model.TargetException;

/**
 * The offset of another machine's clock from this machine's clock. It is measured over the connection as in NTP: the
 * fastest round trip counts, and the other clock is assumed to be read in its middle (D. Mills, RFC 5905, section 8).
 *
 * @param aheadMs time by which the other clock is ahead, ms; subtracting it converts the other machine's times to this
 *     one's
 * @param uncertaintyMs half of the round trip, which is the largest error of the offset, ms
 */
public record HostClock(double aheadMs, double uncertaintyMs) {

    /**
     * Shortest time slice of servers or generators on other machines, as a multiple of the uncertainty of their clocks.
     */
    public static final int SLICE_UNCERTAINTIES = 10;

    private static final int ROUNDS = 40;

    /**
     * Maximum tolerated drift. Beyond it, CPU times would belong to another slice. Unsynchronised clocks drift that far
     * in a quarter of an hour.
     */
    private static final long MOST_MOVED_MS = Interleaving.SKIP_MS;

    /** Measures the offset now; clocks drift over hours, so it is measured again for every block. */
    public static HostClock measure(RemoteJvm host) {
        HostClock best = null;
        for (int round = 0; round < ROUNDS; round++) {
            long from = micros();
            long there = host.call(here -> micros());
            long to = micros();
            double half = (to - from) / 2e3;
            if (best == null || half < best.uncertaintyMs) {
                best = new HostClock((there - from) / 1e3 - half, half);
            }
        }
        return best;
    }

    /**
     * Compares the offset with a later measurement.
     *
     * @throws TargetException if one of the clocks was set, or drifted too far, between the measurements
     */
    void requireStill(HostClock later, String host) {
        double moved = later.aheadMs - aheadMs;
        if (Math.abs(moved) > MOST_MOVED_MS + uncertaintyMs + later.uncertaintyMs) {
            throw new TargetException(text(
                    "the clock of %s moved by %.1f ms against this machine's while servers were measured (limit %d ms):"
                            + " synchronise both with NTP",
                    host, moved, MOST_MOVED_MS));
        }
    }

    /** Describes the offset for people. */
    public String describe(String host) {
        return text("the clock of %s is %.3f ms ahead, ± %.3f ms", host, aheadMs, uncertaintyMs);
    }

    private static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** Converts a time of this machine to the other one's clock, ms since the epoch. */
    public long there(long hereMs) {
        return hereMs + Math.round(aheadMs);
    }

    /** Converts a time of the other machine to this one's clock, ms since the epoch. */
    public long here(long thereMs) {
        return thereMs - Math.round(aheadMs);
    }
}
