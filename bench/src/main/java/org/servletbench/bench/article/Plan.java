package org.servletbench.bench.article;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.servletbench.bench.load.Fidelity;
import org.servletbench.bench.load.Generator;
import org.servletbench.bench.load.Generators;
import org.servletbench.bench.load.jmeter.JMeterGenerator;
import org.servletbench.bench.load.tool.CommandLineGenerator;
import org.servletbench.bench.load.tool.ToolLoad;
import org.servletbench.bench.model.UsageException;

/**
 * How an article's experiment is run again.
 *
 * @param generator {@code wrk}, {@code ab}, {@code siege}, {@code jmeter} or {@code gatling}
 * @param line the Spring Boot line that has all its arms
 * @param settings a settings set of {@code profiles/settings}
 * @param serverProperties further Spring Boot properties of the server
 * @param jvmOptions of the server's JVM; empty for those of {@code profiles/jvm.options}, an empty list for none at all
 * @param warmUp whether the server is warmed up before anything is counted
 * @param blocks how often every arm is run: 1 for one run
 * @param loads what is applied, in this order
 */
public record Plan(
        String generator,
        String line,
        String settings,
        Map<String, String> serverProperties,
        Optional<List<String>> jvmOptions,
        boolean warmUp,
        int blocks,
        List<Stage> loads) {

    /** The generators that a plan may name, programs of the system first. */
    static final List<String> GENERATORS = Stream.concat(
                    CommandLineGenerator.all().stream(), Generators.all().stream())
            .map(Generator::name)
            .distinct()
            .toList();

    /**
     * One load.
     *
     * @param variant tells loads on the same workload apart; empty for none
     * @param workload our workload
     * @param arms who take it
     * @param users numbers of users, one after the other
     * @param loops requests by each user, for each number of users; empty for none
     * @param requests requests by all users together
     * @param durationSeconds how long, s
     * @param rampUpSeconds in how long the users start, s; 0 for at once
     * @param maxPauseSeconds a random pause from 0 to this before each request, s; 0 for none
     * @param threads threads of the generator, where it lets us choose
     * @param keepAlive whether a user keeps its connection
     * @param options further options of the generator
     */
    public record Stage(
            String variant,
            String workload,
            List<String> arms,
            List<Integer> users,
            List<Integer> loops,
            OptionalLong requests,
            OptionalInt durationSeconds,
            int rampUpSeconds,
            double maxPauseSeconds,
            OptionalInt threads,
            boolean keepAlive,
            List<String> options) {

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
                    durationSeconds.isPresent()
                            ? Optional.of(Duration.ofSeconds(durationSeconds.getAsInt()))
                            : Optional.empty(),
                    requests,
                    loops.isEmpty() ? OptionalInt.empty() : OptionalInt.of(loops.get(users.indexOf(number))),
                    keepAlive,
                    threads,
                    maxPauseSeconds,
                    options);
        }
    }

    /** Its arms in the order in which they are run. */
    public List<String> arms() {
        return loads.stream().flatMap(load -> load.arms().stream()).distinct().toList();
    }

    /** The same loads on servers with another plan's settings. */
    Plan withSettingsOf(Plan other) {
        return new Plan(generator, line, other.settings(), other.serverProperties(), jvmOptions, warmUp, blocks, loads);
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

    /** Whether JMeter applies the load. */
    public boolean isJMeter() {
        return generator.equals(JMeterGenerator.NAME);
    }

    /** Whether a cell is among what this plan measures. */
    public boolean measures(Point cell) {
        return loads.stream()
                .anyMatch(load -> load.arms().contains(cell.arm())
                        && (cell.users() == 0
                                || load.workload().equals(cell.workload())
                                        && load.users().contains(cell.users())));
    }
}
