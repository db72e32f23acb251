package org.servletbench.bench.record;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.measure.TopTier;
import org.servletbench.bench.model.MeasuredLoad;

/**
 * Code that a server's threads ran, sampled outside of all counted time.
 *
 * @param top the best code of its JVM
 * @param warmUp the last samples of its warm-up; null if there were none
 * @param loads under which it was sampled
 * @param unseen why it was not sampled; null if it was
 */
public record SeenCode(
        TopTier top,
        @JsonInclude(JsonInclude.Include.NON_NULL) CodeTiers warmUp,
        List<UnderLoad> loads,
        @JsonInclude(JsonInclude.Include.NON_NULL) String unseen) {

    /**
     * Samples under a load.
     *
     * @param before the last ones before anything was counted
     * @param after those after the last request that was counted
     */
    public record UnderLoad(MeasuredLoad load, CodeTiers before, CodeTiers after) {

        /** Samples of the same load, before or after. */
        public UnderLoad plus(UnderLoad other) {
            return new UnderLoad(load, before.plus(other.before), after.plus(other.after));
        }

        /** Returns the sum of both. */
        CodeTiers all() {
            return before.plus(after);
        }

        /** Returns those after the counted part, or else those before it: a server gets warmer, and the latter hold older looks. */
        CodeTiers latest() {
            return after.samples() > 0 ? after : before;
        }
    }

    /**
     * Returns the samples that show whether a server is warm for users who pause: those after the load of users who did not pause and sent
     * the same requests. While the processor is idle there are few samples, and threads in the background, whose code is seldom
     * called and never compiled, have a large share of them. Empty for other loads, and if there was no such load.
     *
     * @param seen samples of a server so far
     */
    public static Optional<CodeTiers> ofSameRequests(Collection<UnderLoad> seen, MeasuredLoad now) {
        return !pauses(now)
                ? Optional.empty()
                : seen.stream()
                        .filter(one -> one.load.workload().equals(now.workload()) && !pauses(one.load))
                        .map(UnderLoad::latest)
                        .findFirst();
    }

    private static boolean pauses(MeasuredLoad load) {
        return !load.settings().pause().isNone();
    }
}
