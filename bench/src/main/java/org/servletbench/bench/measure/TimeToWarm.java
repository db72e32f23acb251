package org.servletbench.bench.measure;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.servletbench.bench.measure.TimeToPeak.Moment;

/**
 * Finds since when a server has been warm: from then on a {@linkplain RisingFit curve that only falls}, fitted to the share of samples
 * below the {@linkplain TopTier top tier}, is at most {@link WarmCode#MOST_BELOW}. {@link WarmCode} itself is sure of it only some
 * seconds later.
 */
public final class TimeToWarm {

    private TimeToWarm() {}

    /**
     * A look at the code.
     *
     * @param at its end
     * @param samples since the last look
     */
    public record Look(Moment at, CodeTiers samples) {}

    /**
     * Returns the end of the first look at which the server was warm.
     *
     * @param looks in order of time, until the server was warm for sure
     * @param top of the server's JVM
     * @return empty if it was not warm in any
     */
    public static Optional<Moment> of(List<Look> looks, TopTier top) {
        List<Look> seen =
                looks.stream().filter(look -> look.samples.samples() > 0).toList();
        double[] warm = RisingFit.of(
                seen.stream().mapToDouble(look -> -look.samples.shareBelow(top)).toArray(),
                seen.stream().mapToDouble(look -> look.samples.samples()).toArray());
        return IntStream.range(0, warm.length)
                .filter(i -> -warm[i] <= WarmCode.MOST_BELOW)
                .mapToObj(i -> seen.get(i).at)
                .findFirst();
    }
}
