package org.servletbench.bench.model;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How the blocks of a campaign are run, as its comparison says over {@code profiles/campaign.properties}; bound once, from text. What
 * decides verdicts is in the plan.
 *
 * @param start of every server
 * @param warmUp limits of each server's warm-up
 * @param generatorWarmUp limits of each generator's
 * @param settling shortest load in time slices of each server before anything is counted
 * @param hasHold whether somebody gave the measured time of each server; else it follows the noise, where it can
 * @param pace shortest time from the beginning of a block to that of the next; zero: none
 * @param profile time of each server's CPU profile; empty: none is taken
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
    public record GeneratorWarmUp(Duration limit, int users, Duration burst, int flatBursts, double risePercent) {}

    /**
     * A search of the highest rate that meets an objective.
     *
     * @param objective what response times and errors must be below
     * @param text the objective as it was given
     * @param from the lowest rate, requests/s
     * @param users requests under way at most
     * @param resolution of the result, as a share
     */
    public record Search(Slo objective, String text, double from, int users, double resolution) {

        /** Binds the options of a load with {@code find}; empty if there is no objective. */
        public static Optional<Search> of(Options options) {
            return options.text("slo")
                    .map(text -> new Search(
                            Slo.parse(text),
                            text,
                            options.decimal("from", 1, 1_000_000),
                            options.integer("in-flight", 1, 100_000),
                            options.asShare("resolution")));
        }
    }

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

        private static Archives of(Options options) {
            return new Archives(
                    options.integer(CACHES, 1, 100),
                    options.duration(TRAINING),
                    Stream.of(CACHES, TRAINING).filter(options::isGiven).toList());
        }
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
    }

    /**
     * Before anything is measured.
     *
     * @param between standard deviation from JVM to JVM, as a share
     * @param within that within a JVM, by how time is divided
     * @param startUp that of a start's time to ready
     * @param capacity that of a rate that was searched
     * @param warmUp time of one server's bursts
     */
    public record Assumed(
            double between, Map<Division, Within> within, double startUp, double capacity, Duration warmUp) {

        /**
         * Noise within a JVM.
         *
         * @param share standard deviation, as a share
         * @param seconds of load over which it was seen, s
         */
        public record Within(double share, double seconds) {}
    }

    /**
     * Binds options.
     *
     * @param jvm options of every server's JVM
     * @throws UsageException in one line if a value is not understood
     */
    public static Procedure of(Options options, JvmOptions jvm) {
        return new Procedure(
                new Start(
                        jvm,
                        options.isGiven("jdk") ? options.names("jdk") : List.of(),
                        options.duration(options.isGiven("start-timeout") ? "start-timeout" : "target.start-timeout"),
                        options.text("db.url"),
                        options.isGiven("accept-encoding")),
                WarmUpPlan.of(options, options.duration("warmup")),
                new GeneratorWarmUp(
                        options.duration("generator.warmup"),
                        options.integer("generator.warmup.users", 1, 10_000),
                        options.duration("generator.warmup.burst"),
                        options.integer("generator.warmup.flat.bursts", 1, 100),
                        options.decimal("warmup.rise.percent", 0, 100)),
                options.duration("settling-time"),
                options.isGiven("hold"),
                // Campaigns that began before there was a pace have none on record.
                options.text("pace").isPresent() ? options.duration("pace") : Duration.ZERO,
                options.flag("cpu-profile") ? Optional.of(options.duration("cpu-profile.hold")) : Optional.empty(),
                Search.of(options),
                Archives.of(options),
                new Limits(
                        options.decimal("generator.busy.percent", 1, 100) / 100,
                        options.decimal("disturbed.percent", 0, 100)),
                options.duration("host.wait"),
                assumed(options));
    }

    private static Assumed assumed(Options options) {
        return new Assumed(
                noise(options, "between"),
                Arrays.stream(Division.values())
                        .collect(Collectors.toMap(
                                Function.identity(),
                                how -> new Assumed.Within(
                                        noise(options, how.key),
                                        options.duration("forecast." + how.key + ".load")
                                                        .toMillis()
                                                / 1e3),
                                (one, other) -> one,
                                () -> new EnumMap<>(Division.class))),
                noise(options, "startup"),
                noise(options, "capacity"),
                options.duration("forecast.warmup"));
    }

    private static double noise(Options options, String of) {
        return options.decimal("forecast." + of + ".percent", 0.01, 100) / 100;
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
