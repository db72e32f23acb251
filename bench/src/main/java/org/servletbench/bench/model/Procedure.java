package org.servletbench.bench.model;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How the blocks of a campaign are run, as its comparison says over {@code profiles/campaign.properties}. What decides verdicts is in the
 * plan.
 *
 * @param start of every server
 * @param warmUp limits of each server's warm-up
 * @param generatorWarmUp limits of each generator's
 * @param settling shortest load in time slices of each server before anything is counted
 * @param hasHold whether somebody gave the measured time of each server; else it follows the noise, where it can
 * @param pace shortest time from the beginning of a block to that of the next; zero: none
 * @param profile time of each server's CPU profile; empty: none is taken
 * @param peak time for which each start is under load; empty: starts are not
 * @param search of a rate; empty where loads are given
 * @param archives of arms that start with one
 * @param limits beyond which an arm is not trusted
 * @param hostWait longest wait for another machine that is gone
 * @param assumed noise and times of which a forecast is made before anything is measured
 */
public record Procedure(
        Start start,
        WarmUpPlan warmUp,
        GeneratorWarmUp generatorWarmUp,
        Duration settling,
        boolean hasHold,
        Duration pace,
        Optional<Duration> profile,
        Optional<Duration> peak,
        Optional<Search> search,
        Archives archives,
        Limits limits,
        Duration hostWait,
        Assumed assumed) {

    /**
     * How servers are started.
     *
     * @param jvm options of every server's JVM
     * @param jdks homes of the JDKs that were asked for; none: that of the rig
     * @param timeout until a server answers
     * @param database URL of the workload {@code query}; empty: one in each server
     * @param acceptsGzip whether requests accept compressed answers
     */
    public record Start(
            JvmOptions jvm, List<String> jdks, Duration timeout, Optional<String> database, boolean acceptsGzip) {}

    /**
     * A generator's own warm-up.
     *
     * @param limit the longest
     * @param users at most
     * @param burst length of one
     * @param flatBursts how many in a row must not rise
     * @param risePercent a burst rises if it is faster than the best before it by more than this
     */
    public record GeneratorWarmUp(Duration limit, int users, Duration burst, int flatBursts, double risePercent) {

        /** Returns a copy with another limit. */
        public GeneratorWarmUp within(Duration other) {
            return new GeneratorWarmUp(other, users, burst, flatBursts, risePercent);
        }
    }

    /**
     * A search of the highest rate that meets an objective.
     *
     * @param objective what response times and errors must be below
     * @param text the objective as it was given
     * @param from the lowest rate, requests/s
     * @param users requests under way at most
     * @param resolution of the result, as a share
     */
    public record Search(Slo objective, String text, double from, int users, double resolution) {}

    /**
     * AOT caches of each arm.
     *
     * @param caches number for each arm
     * @param training length of each
     * @param given keys of these two that somebody gave
     */
    public record Archives(int caches, Duration training, List<String> given) {

        /** Key of the number of caches. */
        public static final String CACHES = "aot-caches";

        /** Key of the length of a training. */
        public static final String TRAINING = "aot-training";
    }

    /**
     * Limits of what may disturb.
     *
     * @param generatorBusy share of the generator's processors, 0 to 1
     * @param disturbedPercent of the servers' processors that other programs take
     */
    public record Limits(double generatorBusy, double disturbedPercent) {}

    /** How time is divided among servers: each way has its own noise. */
    public enum Division {
        /** Short time slices, by the clock. */
        TIME_SLICES("slices"),
        /** The long time slices of wrk, ab and siege. */
        TOOL_SLICES("tool-slices"),
        /** Whole windows, one server after the other. */
        WINDOW("window");

        private final String key;

        Division(String key) {
            this.key = key;
        }

        String key() {
            return key;
        }
    }

    /**
     * Before anything is measured.
     *
     * @param between standard deviation from JVM to JVM, as a share
     * @param within that within a JVM, by how time is divided
     * @param startUp that of a start's time to ready
     * @param peak that of a start's time to its peak
     * @param capacity that of a rate that was searched
     * @param warmUp time of one server's bursts
     */
    public record Assumed(
            double between,
            Map<Division, Within> within,
            double startUp,
            double peak,
            double capacity,
            Duration warmUp) {

        /**
         * Noise within a JVM.
         *
         * @param share standard deviation, as a share
         * @param seconds of load over which it was seen, s
         */
        public record Within(double share, double seconds) {}
    }

    /** The search that a load with {@code find} asks for. */
    public Search requiredSearch() {
        return search.orElseThrow(() -> new UsageException("search-rate-under has no objective"));
    }

    /** The pace, s. */
    public double paceSeconds() {
        return pace.toMillis() / 1e3;
    }
}
