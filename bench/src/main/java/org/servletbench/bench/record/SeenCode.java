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
 * @param loads samples under each load
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
     * @param before the last samples before anything was counted
     * @param after the samples after the last request that was counted
     */
    public record UnderLoad(MeasuredLoad load, CodeTiers before, CodeTiers after) {

        /** Returns these samples and others of the same load. */
        public UnderLoad plus(UnderLoad other) {
            return new UnderLoad(load, before.plus(other.before), after.plus(other.after));
        }

        /** Returns the sum of the samples from before and after. */
        CodeTiers all() {
            return before.plus(after);
        }

        /**
         * Returns the samples from after the counted part, or else those from before it. A server gets warmer, and the
         * earlier samples contain older looks.
         */
        CodeTiers latest() {
            return after.samples() > 0 ? after : before;
        }
    }

    /**
     * Returns the samples that show whether a server is warm for users who pause. They were taken after the load of
     * users who did not pause and sent the same requests. While the processor is idle, there are few samples, and a
     * large share of them is from threads in the background, whose code is seldom called and never compiled. Empty for
     * other loads, and if there was no such load.
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

    /** True if its users pause, and none of these loads sends the same requests without pauses. */
    public static boolean isSeenIdle(MeasuredLoad load, Collection<MeasuredLoad> loads) {
        return pauses(load) && loads.stream().noneMatch(one -> one.workload().equals(load.workload()) && !pauses(one));
    }

    private static boolean pauses(MeasuredLoad load) {
        return !load.settings().pause().isNone();
    }
}
