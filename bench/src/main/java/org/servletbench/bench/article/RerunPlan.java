package org.servletbench.bench.article;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.servletbench.bench.load.Fidelity;
import org.servletbench.bench.load.Generator;
import org.servletbench.bench.load.Generators;
import org.servletbench.bench.load.jmeter.JMeterGenerator;
import org.servletbench.bench.load.tool.CommandLineGenerator;
import org.servletbench.bench.load.tool.ToolLoad;
import org.servletbench.bench.model.ContainerProfile;
import org.servletbench.bench.model.UsageException;

/**
 * How an article's experiment is run again.
 *
 * @param generator {@code wrk}, {@code ab}, {@code siege}, {@code jmeter} or {@code gatling}
 * @param line the Spring Boot line that has all its arms
 * @param settings a settings set of {@code profiles/settings}
 * @param serverProperties further Spring Boot properties of the server
 * @param options of the campaign besides: {@code delay}, {@code turn}, {@code settle}, {@code warmup}, {@code startup.blocks}
 *     (of the starts alone), versions such as {@code boot4.version}
 * @param jvmOptions of the server's JVM; null for those of {@code profiles/jvm.options}, an empty list for none at all
 * @param warmUp whether the server is warmed up before anything is counted
 * @param blocks how often every arm is run: 1 for one run
 */
public record RerunPlan(
        String generator,
        String line,
        String settings,
        @Maybe Map<String, String> serverProperties,
        @Maybe Map<String, String> options,
        @Maybe @JsonSetter(nulls = Nulls.SET) List<String> jvmOptions,
        boolean warmUp,
        int blocks,
        List<Stage> loads) {

    /** How long a load is expected to take that ends by a count, s. */
    public static final int COUNTED_SECONDS = 10;

    private static final List<String> GENERATORS = Stream.concat(
                    CommandLineGenerator.all().stream(), Generators.all().stream())
            .map(Generator::name)
            .distinct()
            .toList();

    private static final Pattern OPTION =
            Pattern.compile("delay|turn|settle|warmup|startup[.]blocks|boot\\d([.](tomcat|jetty|undertow))?[.]version");

    public RerunPlan {
        Invalid.oneOf("generator", generator, GENERATORS);
        Invalid.oneOf("line", line, ContainerProfile.LINES);
        options.keySet().stream()
                .filter(name -> !OPTION.matcher(name).matches())
                .findFirst()
                .ifPresent(name -> {
                    throw new Invalid(
                            "options." + name,
                            "is no key here: choose from delay, turn, settle, warmup, startup.blocks, boot4.version");
                });
        Invalid.range("blocks", blocks, 1, 1000);
        Invalid.distinct("loads", loads, 1);
    }

    /**
     * One load.
     *
     * @param variant tells loads on the same workload apart; empty for none
     * @param users numbers of users, one after the other
     * @param loops requests by each user, for each number of users; empty for none
     * @param requests requests by all users together; null for none
     * @param durationSeconds how long, s; null for none
     * @param rampUpSeconds in how long the users start, s; 0 for at once
     * @param maxPauseSeconds a random pause from 0 to this before each request, s; 0 for none
     * @param threads threads of the generator; null for its own choice
     */
    public record Stage(
            @Maybe String variant,
            String workload,
            List<String> arms,
            List<Integer> users,
            @Maybe List<Integer> loops,
            @Maybe Integer requests,
            @Maybe @JsonProperty("duration-s") Integer durationSeconds,
            @Maybe @JsonProperty("ramp-up-s") int rampUpSeconds,
            @Maybe @JsonProperty("max-pause-s") double maxPauseSeconds,
            @Maybe Integer threads,
            boolean keepAlive,
            @Maybe List<String> options) {

        public Stage {
            Invalid.distinct("arms", arms, 1);
            Invalid.users("users", users, 1);
            loops.forEach(number -> Invalid.range("loops", number, 1, 1_000_000_000));
            if (!loops.isEmpty() && loops.size() != users.size()) {
                throw new Invalid("loops", "must have one number for each of 'users'");
            }
            Invalid.range("requests", requests, 1, Integer.MAX_VALUE);
            Invalid.range("duration-s", durationSeconds, 1, 86_400);
            Invalid.range("ramp-up-s", rampUpSeconds, 0, 86_400);
            Invalid.range("max-pause-s", maxPauseSeconds, 0, 60);
            Invalid.range("threads", threads, 1, 10_000);
            if (loops.isEmpty() && requests == null && durationSeconds == null) {
                throw new Invalid("duration-s", "is missing: say when the load ends, by duration-s, requests or loops");
            }
        }

        /** How long it lasts, s; a load that ends by a count takes about {@link #COUNTED_SECONDS}. */
        public int seconds() {
            return durationSeconds == null ? COUNTED_SECONDS : durationSeconds;
        }

        /**
         * This load for a command-line generator.
         *
         * @param url where, with our workload's path
         * @param number one of {@link #users}
         * @throws UsageException if the load cannot be
         */
        public ToolLoad toolLoad(URI url, int number) {
            return new ToolLoad(
                    url,
                    number,
                    Optional.ofNullable(durationSeconds).map(Duration::ofSeconds),
                    requests == null ? OptionalLong.empty() : OptionalLong.of(requests),
                    loops.isEmpty() ? OptionalInt.empty() : OptionalInt.of(loops.get(users.indexOf(number))),
                    keepAlive,
                    threads == null ? OptionalInt.empty() : OptionalInt.of(threads),
                    maxPauseSeconds,
                    options);
        }
    }

    /** Its arms in the order in which they are run. */
    public List<String> arms() {
        return loads.stream().flatMap(load -> load.arms().stream()).distinct().toList();
    }

    /** The same loads on servers with another plan's settings, and with these options. */
    RerunPlan with(RerunPlan other, Map<String, String> otherOptions) {
        return new RerunPlan(
                generator,
                line,
                other.settings(),
                other.serverProperties(),
                otherOptions,
                jvmOptions,
                warmUp,
                blocks,
                loads);
    }

    /** The generator, if it is one with a command line of its own; empty for JMeter and Gatling. */
    public Optional<CommandLineGenerator> tool() {
        return CommandLineGenerator.all().stream()
                .filter(one -> one.name().equals(generator))
                .findFirst();
    }

    /** Whether the generator's response times are measurements: those of others take part in nothing. */
    public boolean measuresLatency() {
        return Fidelity.of(generator).map(Fidelity::latencyMeasured).orElse(true);
    }

    public boolean isJMeter() {
        return generator.equals(JMeterGenerator.NAME);
    }

    public boolean measures(Point cell) {
        return loads.stream()
                .anyMatch(load -> load.arms().contains(cell.arm())
                        && (cell.users() == 0
                                || load.workload().equals(cell.workload())
                                        && load.users().contains(cell.users())));
    }
}
