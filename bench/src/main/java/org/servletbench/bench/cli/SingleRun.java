package org.servletbench.bench.cli;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.servletbench.bench.cli.CampaignOptions.Planned;
import org.servletbench.bench.comparison.Comparison;
import org.servletbench.bench.host.Machines;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.UsageException;

/** The options of {@code gatling:test} and {@code -Pjmeter}: the JVM's system properties. */
public final class SingleRun {

    /** Options of campaigns that a single run has, too. */
    static final List<String> TAKEN =
            List.of("root settings jvm.options jdk threads users workloads delay db.url hold warmup".split(" "));

    /** Options of the commands for campaigns that do not change a plan. */
    static final List<String> OF_COMMANDS = List.of("scale", "ids", "comparison", "workload.file");

    private static final List<String> MACHINES_OF_CAMPAIGNS = List.of("load.hosts");

    /** Options of single runs with dots in their names that are not in {@code profiles/load.properties}. */
    static final List<String> DOTTED =
            List.of("target.url", "target.port", "generator.heap", "jmeter.hosts", "jmeter.plan", "jmeter.plan.hosts");

    private SingleRun() {}

    /**
     * Returns the options, with defaults from {@code profiles/load.properties}.
     *
     * @throws UsageException if one is empty or would be ignored: an option of campaigns, or one with dashes instead of
     *     dots
     */
    public static Options options(ProfilesFolder folder) {
        return options(folder, Set.of());
    }

    /**
     * Returns the options for a user's own JMeter plan. The properties that the plan reads are removed, except those
     * that name the server or the plan.
     *
     * @param ofPlan the properties that the plan reads
     */
    static Options options(ProfilesFolder folder, Set<String> ofPlan) {
        Set<String> taken = new TreeSet<>(ofPlan);
        DOTTED.forEach(taken::remove);
        Machines.OPTIONS.forEach(taken::remove);
        Options options = Options.ofSystemProperties(folder, taken);
        Stream.of(CampaignOptions.ALL.stream().map(Planned::key), Comparison.options().stream(), OF_COMMANDS.stream())
                .flatMap(keys -> keys)
                .filter(key -> !TAKEN.contains(key))
                .filter(key -> MACHINES_OF_CAMPAIGNS.contains(key) || !Machines.OPTIONS.contains(key))
                .flatMap(key -> Stream.of(key, key.replace('.', '-'), key.replace('-', '.')))
                .filter(options::isGiven)
                .findFirst()
                .map(name -> "-D" + name + " is an option of campaigns (mvn -Pcompare verify): a single"
                        + " run does not take it; docs/single-runs.md lists those that it takes")
                .ifPresent(UsageException::raise);
        // Campaigns have these as well.
        Stream.of(
                        TAKEN,
                        Machines.OPTIONS,
                        DOTTED,
                        List.copyOf(folder.loadDefaults().keySet()))
                .flatMap(List::stream)
                .filter(key -> key.contains(".") && options.isGiven(key.replace('.', '-')))
                .findFirst()
                .map(key -> "-D" + key.replace('.', '-') + " is not understood: write -D" + key)
                .ifPresent(UsageException::raise);
        return options;
    }
}
