package org.servletbench.bench.model;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How the blocks of a campaign are run, according to its comparison and {@code profiles/campaign.properties}. What
 * decides verdicts is in the plan.
 *
 * @param start how each server is started
 * @param warmUp limits of each server's warm-up
 * @param generatorWarmUp limits of each generator's own warm-up
 * @param settling shortest load in time slices of each server before anything is counted
 * @param hasHold whether the user set the measured time of each server; otherwise it follows the noise, where possible
 * @param pace shortest time from the start of a block to that of the next one; zero for none
 * @param profile duration of each server's CPU profile; empty if none is taken
 * @param peak time for which each start is under load; empty if starts are not under load
 * @param search search for a rate; empty if loads are given
 * @param archives archives of arms that start with one
 * @param limits limits beyond which an arm is not trusted
 * @param hostWait longest wait for another machine that cannot be reached
 * @param assumed noise and times for forecasts before anything is measured
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

    /** Uncounted load after the counted one, in which code is sampled again, for each server and load, ms. */
    public static final long AFTER_MS = 4000;

    /**
     * How servers are started.
     *
     * @param jvm options of every server's JVM
     * @param jdks homes of the requested JDKs; empty for that of servlet-bench
     * @param timeout time within which a server must answer
     * @param database URL of the database of the workload {@code query}; empty for one in each server
     * @param acceptsGzip whether requests accept compressed answers
     */
    public record Start(
            JvmOptions jvm, List<String> jdks, Duration timeout, Optional<String> database, boolean acceptsGzip) {}

    /**
     * A generator's own warm-up.
     *
     * @param limit longest duration
     * @param users maximum number of users
     * @param burst duration of a burst
     * @param flatBursts number of consecutive bursts that must not rise
     * @param risePercent a burst rises if it exceeds the best one before it by more than this, percent
     */
    public record GeneratorWarmUp(Duration limit, int users, Duration burst, int flatBursts, double risePercent) {

        /** Returns a copy with another limit. */
        public GeneratorWarmUp within(Duration other) {
            return new GeneratorWarmUp(other, users, burst, flatBursts, risePercent);
        }
    }

    /**
     * A search for the highest rate that meets an objective.
     *
     * @param objective upper limits of response times and errors
     * @param text the objective as it was given
     * @param from lowest rate, requests/s
     * @param users maximum number of requests in flight
     * @param resolution resolution of the result, as a share
     */
    public record Search(Slo objective, String text, double from, int users, double resolution) {}

    /**
     * AOT caches of each arm.
     *
     * @param caches number of caches of each arm
     * @param training duration of each training
     * @param given keys of these two values that the user set
     */
    public record Archives(int caches, Duration training, List<String> given) {

        /** Key for the number of caches. */
        public static final String CACHES = "aot-caches";

        /** Key for the duration of a training. */
        public static final String TRAINING = "aot-training";
    }

    /**
     * Limits for disturbances.
     *
     * @param generatorBusy maximum use of the generator's processors, as a share, 0 to 1
     * @param disturbedPercent maximum use of the servers' processors by other programs, percent
     */
    public record Limits(double generatorBusy, double disturbedPercent) {}

    /** How time is divided among servers. Each way has noise of its own. */
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
     * What is assumed before anything is measured.
     *
     * @param between standard deviation from JVM to JVM, as a share
     * @param within noise within a JVM, by how time is divided
     * @param startUp standard deviation of the time from a start to ready, as a share
     * @param peak standard deviation of the time from a start to its peak, as a share
     * @param capacity standard deviation of a rate found by a search, as a share
     * @param warmUp duration of one server's bursts
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
         * @param seconds duration of the load over which this noise was observed, s
         */
        public record Within(double share, double seconds) {}
    }

    /** Returns the search. Throws a UsageException if there is none. */
    public Search requiredSearch() {
        return search.orElseThrow(() -> new UsageException("search-rate-under has no objective"));
    }

    /** Returns the pace, s. */
    public double paceSeconds() {
        return pace.toMillis() / 1e3;
    }
}
