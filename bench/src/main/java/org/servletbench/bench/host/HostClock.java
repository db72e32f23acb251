package org.servletbench.bench.host;

import static org.servletbench.bench.model.Text.text;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.servletbench.bench.measure.Rotation;
import org.servletbench.bench.model.TargetException;

/**
 * By how much another machine's clock is ahead of this one's. Measured over the connection as NTP does it: the round trip that
 * was fastest is taken, and the other clock is read in its middle (D. Mills, RFC 5905, section 8).
 *
 * @param aheadMs what to take off the other machine's times to have this one's, ms
 * @param uncertaintyMs half of the round trip: the offset is no further away, ms
 */
public record HostClock(double aheadMs, double uncertaintyMs) {

    /** A turn of servers or generators on other machines lasts at least so many times the uncertainty of their clocks. */
    public static final int TURN_UNCERTAINTIES = 10;

    private static final int ROUNDS = 40;

    /** Farther, CPU times would be those of another turn; two clocks that nobody keeps move so far in a quarter of an hour. */
    private static final long MOST_MOVED_MS = Rotation.SKIP_MS;

    /** Measures it now; over hours clocks drift, so that it is measured again for every block. */
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
     * Compares it with what was measured later.
     *
     * @throws TargetException if one of the clocks was set, or ran away, in between
     */
    void requireStill(HostClock later, String host) {
        double moved = later.aheadMs - aheadMs;
        if (Math.abs(moved) > MOST_MOVED_MS + uncertaintyMs + later.uncertaintyMs) {
            throw new TargetException(text(
                    "the clock of %s moved by %.1f ms against this machine's while servers were measured (limit %d ms): let NTP"
                            + " keep both",
                    host, moved, MOST_MOVED_MS));
        }
    }

    /** For people. */
    public String describe(String host) {
        return text("the clock of %s is %.3f ms ahead, ± %.3f ms", host, aheadMs, uncertaintyMs);
    }

    private static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** A time of this machine as the other one's clock shows it, ms since the epoch. */
    public long there(long hereMs) {
        return hereMs + Math.round(aheadMs);
    }

    /** A time of the other machine as this one's clock shows it, ms since the epoch. */
    public long here(long thereMs) {
        return thereMs - Math.round(aheadMs);
    }
}
