package org.servletbench.bench.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.servletbench.bench.model.UsageException;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The options that make the plan of a campaign, each declared once; what is not given comes from the profiles. */
final class CampaignOptions implements IModelTransformer {

    private static final String COMPARED = "What is compared";
    private static final String LOAD = "The load";
    private static final String BLOCKS = "Blocks and warm-up";
    private static final String VERDICTS = "Verdicts";
    private static final String FILES = "Files and resuming";

    /** The titles of the groups, in the order of the help. */
    static final List<String> GROUPS = List.of(COMPARED, LOAD, BLOCKS, VERDICTS, FILES);

    private static final String JAR = "jar";

    /**
     * One option.
     *
     * @param key its name in the profiles; on the command line dots are dashes
     * @param description as picocli formats it: {@code %%} for a percent sign
     */
    private record Planned(String group, String key, String label, String description) {

        private String name() {
            return "--" + key.replace('.', '-');
        }
    }

    private static final List<Planned> ALL = List.of(
            new Planned(
                    COMPARED,
                    "plan",
                    "NAME",
                    "quick: an answer in 20 minutes on two cores; full: all loads, for hours; auto: two pilot blocks, then as"
                            + " many blocks and as much load as --precision needs"),
            new Planned(
                    COMPARED,
                    "arms",
                    "LIST",
                    "containers, as profile or profile+line: jetty,tomcat-nio+boot2. Arms of one Spring Boot line are ranked"
                            + " together; nginx is a reference that is not ranked"),
            new Planned(COMPARED, "baseline", "ARM", "the arm that others are compared with. Default: the first arm"),
            new Planned(COMPARED, "settings", "NAME", "settings of the servers: equalised, or defaults"),
            new Planned(COMPARED, "jvm.options", "FILE", "JVM options of every server"),
            new Planned(
                    COMPARED,
                    "jdk",
                    "HOME",
                    "the JDK that every server runs on, 17 or newer. Default: the one that runs this command"),
            new Planned(
                    COMPARED,
                    "warm-start",
                    "WAY",
                    "none, or aot: servers start with an AOT cache that was trained under load (JDK 25 or newer)"),
            new Planned(COMPARED, JAR, "FILE", "your own application in place of --arms; repeat it for each"),
            new Planned(
                    COMPARED,
                    "workload-file",
                    "FILE",
                    "your own paths and checks, in the form of profiles/workloads.properties"),
            new Planned(LOAD, "generators", "LIST", "gatling, jmeter, wrk, ab, siege"),
            new Planned(LOAD, "tiers", "LIST", "numbers of concurrent users (closed model)"),
            new Planned(LOAD, "rates", "LIST", "requests/s (open model), in addition to --tiers; Gatling only"),
            new Planned(LOAD, "workloads", "LIST", "kinds of requests: hello, static, payload, metrics"),
            new Planned(LOAD, "rounds", "N", "how often each load is measured in each JVM"),
            new Planned(LOAD, "hold", "TIME", "measured time of each server, for each load and round"),
            new Planned(
                    LOAD,
                    "turn",
                    "TIME",
                    "Gatling, JMeter: shortest turn of a server; 0s: one whole window after the other"),
            new Planned(
                    BLOCKS,
                    "blocks",
                    "N",
                    "number of blocks, with --precision the maximum; in each block every arm gets a fresh JVM"),
            new Planned(BLOCKS, "limit", "TIME", "no block begins that would end later; 0s: no limit"),
            new Planned(BLOCKS, "seed", "N", "seed of the random order in each block. Default: a random one"),
            new Planned(BLOCKS, "warmup", "TIME", "maximum warm-up per server"),
            new Planned(BLOCKS, "generator.warmup", "TIME", "maximum warm-up of Gatling or JMeter itself"),
            new Planned(
                    BLOCKS,
                    "together",
                    "BOOL",
                    "true: all servers of a group are up at the same time and take turns; false: one after the other"),
            new Planned(
                    BLOCKS,
                    "aot-caches",
                    "N",
                    "with --warm-start aot: number of trained caches per arm; each block draws one of them"),
            new Planned(BLOCKS, "aot-training", "TIME", "with --warm-start aot: length of each training"),
            new Planned(VERDICTS, "primary", "LIST", "metrics that get verdicts"),
            new Planned(VERDICTS, "margin", "SHARE", "differences up to this count as equal; 0.03 is 3 %%"),
            new Planned(VERDICTS, "alpha", "P", "probability of any false verdict in the campaign"),
            new Planned(
                    VERDICTS,
                    "precision",
                    "SHARE",
                    "stop when every interval is this narrow on either side, such as 3%%. With --blocks or --looks it has no"
                            + " default"),
            new Planned(
                    VERDICTS,
                    "looks",
                    "K",
                    "how often verdicts may be drawn, 1 to 5: at the planned end, and after each extension with --resume"
                            + " --blocks. With more than one, look k uses alpha / 2^k. Default: 1, no extension with"
                            + " verdicts"),
            new Planned(FILES, "keep-raw", "BOOL", "keep the raw logs of generators after they were measured"));

    @Override
    public CommandSpec transform(CommandSpec command) {
        for (Planned one : ALL) {
            OptionSpec.Builder option =
                    OptionSpec.builder(one.name()).paramLabel(one.label).description(one.description);
            command.addOption(
                    one.key.equals(JAR)
                            ? option.type(List.class).auxiliaryTypes(Path.class).build()
                            : option.type(String.class).build());
        }
        return command;
    }

    /** The title of an option's group; empty for help and version. */
    static Optional<String> group(OptionSpec option) {
        return option.usageHelp() || option.versionHelp()
                ? Optional.empty()
                : Optional.of(planned(option).map(Planned::group).orElse(FILES));
    }

    /** The option's name in the profiles; empty for one that is no part of the plan. */
    static Optional<String> key(OptionSpec option) {
        return planned(option).map(Planned::key);
    }

    private static Optional<Planned> planned(OptionSpec option) {
        return ALL.stream()
                .filter(one -> one.name().equals(option.longestName()))
                .findFirst();
    }

    /**
     * What was given of the plan, by the names of the profiles; several values of one option with line breaks between.
     *
     * @param command that has these options
     * @throws UsageException if a value is empty, as that of an empty variable of a shell
     */
    static Map<String, String> given(CommandSpec command) {
        Map<String, String> given = new LinkedHashMap<>();
        for (Planned one : ALL) {
            Object value = command.findOption(one.name()).getValue();
            if (value != null) {
                String text = value instanceof List<?> many
                        ? String.join("\n", many.stream().map(Object::toString).toList())
                        : value.toString();
                requireValue(one.name(), text);
                given.put(one.key, text);
            }
        }
        if (given.containsKey(JAR) && given.containsKey("arms")) {
            throw new UsageException("--jar and --arms exclude each other: your own applications, or the containers");
        }
        return given;
    }

    /** @throws UsageException if a value was given and is empty */
    static void requireValue(String option, Object value) {
        if (value != null && value.toString().isBlank()) {
            throw new UsageException(option + " has an empty value");
        }
    }
}
