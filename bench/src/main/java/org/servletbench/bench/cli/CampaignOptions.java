package org.servletbench.bench.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.Plan;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** The options that make the plan of a campaign; what is not given comes from the profiles. */
final class CampaignOptions {

    /** Those of {@code compare} that are no part of the plan. */
    private static final Set<String> OTHERS = Set.of("out", "resume", "dry-run", "root", "help", "version");
    /** Options whose names in the profiles have a dot. */
    private static final Map<String, String> DOTTED =
            Map.of("jvm-options", "jvm.options", "generator-warmup", "generator.warmup");

    @Option(
            names = "--plan",
            paramLabel = "NAME",
            description =
                    "quick (20 minutes on two cores), full (hours), auto: two pilot blocks choose load and blocks for"
                            + " --precision, or startup")
    String plan;

    @Option(
            names = "--startup",
            description = "starts servers only, one at a time and without load: time until ready, CPU time, memory, classes,"
                    + " threads; the same as --plan startup")
    Boolean startup;

    @Option(
            names = "--arms",
            paramLabel = "LIST",
            description = "profiles, or profile+line: jetty,tomcat-nio+boot2; nginx stands beside them, not ranked."
                    + " Arms of one line are ranked together")
    String arms;

    @Option(names = "--baseline", paramLabel = "ARM", description = "what the others are held against: the first arm")
    String baseline;

    @Option(names = "--generators", paramLabel = "LIST", description = "gatling, jmeter, wrk, ab, siege")
    String generators;

    @Option(names = "--tiers", paramLabel = "LIST", description = "concurrent users, closed model")
    String tiers;

    @Option(names = "--rates", paramLabel = "LIST", description = "requests/s, open model, beside the tiers (Gatling)")
    String rates;

    @Option(names = "--workloads", paramLabel = "LIST", description = "hello, static, payload, metrics")
    String workloads;

    @Option(names = "--settings", paramLabel = "NAME", description = "settings set: equalised or defaults")
    String settings;

    @Option(names = "--jvm-options", paramLabel = "FILE", description = "options of every server's JVM")
    String jvmOptions;

    @Option(
            names = "--jdk",
            paramLabel = "HOME",
            description = "the JDK that every server runs on, 17 or newer; default: the rig's")
    String jdk;

    @Option(
            names = "--warm-start",
            paramLabel = "WAY",
            description = "aot: servers start with an AOT cache that was trained under load (JDK 25 or newer); none")
    String warmStart;

    @Option(
            names = "--aot-caches",
            paramLabel = "N",
            description = "with --warm-start aot: trainings of each arm, of which each block draws one")
    String aotCaches;

    @Option(names = "--aot-training", paramLabel = "TIME", description = "load of one training")
    String aotTraining;

    @Option(names = "--blocks", paramLabel = "N", description = "how often every arm gets a fresh JVM")
    String blocks;

    @Option(names = "--seed", paramLabel = "N", description = "from which the order of every block is drawn")
    String seed;

    @Option(names = "--rounds", paramLabel = "N", description = "windows of each cell in each JVM")
    String rounds;

    @Option(
            names = "--hold",
            paramLabel = "TIME",
            description = "measured load of each server in each cell and round: in turns, or in one window")
    String hold;

    @Option(
            names = "--turn",
            paramLabel = "TIME",
            description = "Gatling, JMeter: shortest turn of a server, 100ms; 0s for one window after the other")
    String turn;

    @Option(names = "--warmup", paramLabel = "TIME", description = "most load for warming up one server")
    String warmup;

    @Option(names = "--generator-warmup", paramLabel = "TIME", description = "longest warm-up of Gatling itself")
    String generatorWarmup;

    @Option(
            names = "--together",
            paramLabel = "BOOL",
            description = "true: all servers of a group are up at once and take turns; false: one after the other")
    String together;

    @Option(names = "--primary", paramLabel = "LIST", description = "metrics about which verdicts are drawn")
    String primary;

    @Option(names = "--margin", paramLabel = "SHARE", description = "what counts as equal: 0.03")
    String margin;

    @Option(names = "--alpha", paramLabel = "P", description = "probability of any false verdict: 0.05")
    String alpha;

    @Option(
            names = "--precision",
            paramLabel = "SHARE",
            description =
                    "stop when every interval is this narrow on either side: 3%%; quick and auto have one, unless --blocks or"
                            + " --looks is given")
    String precision;

    @Option(
            names = "--looks",
            paramLabel = "K",
            description = "how often verdicts may be drawn, 1 to 5: at the planned end, and after each extension with"
                    + " --resume --blocks. Looks share alpha: with more than one, look k gets alpha / 2^k. Default: 1,"
                    + " no extension with verdicts")
    String looks;

    @Option(names = "--limit", paramLabel = "TIME", description = "no block begins that would end later; 0s: no limit")
    String limit;

    @Option(names = "--keep-raw", paramLabel = "BOOL", description = "keep raw logs after measuring")
    String keepRaw;

    @Option(names = "--jar", paramLabel = "FILE", description = "an application of your own instead of arms; repeat it")
    List<Path> jars;

    @Option(
            names = "--workload-file",
            paramLabel = "FILE",
            description = "paths and checks, in the form of profiles/workloads.properties")
    Path workloadFile;

    /**
     * What was given of the plan, by the names of the profiles; several values of one option with line breaks between.
     *
     * @param command that has these options
     * @throws UsageException if a value is empty, as that of an empty variable of a shell
     */
    static Map<String, String> given(CommandSpec command) {
        Map<String, String> given = new LinkedHashMap<>();
        for (OptionSpec option : command.options()) {
            String name = option.longestName().substring(2);
            Object value = option.getValue();
            if (value != null && !OTHERS.contains(name)) {
                String text = value instanceof List<?> many
                        ? String.join("\n", many.stream().map(Object::toString).toList())
                        : value.toString();
                requireValue(name, text);
                given.put(DOTTED.getOrDefault(name, name), text);
            }
        }
        for (String name : List.of(Plan.STARTUP)) {
            if ("true".equals(given.remove(name))) {
                String other = given.put("plan", name);
                if (other != null && !other.equals(name)) {
                    throw new UsageException("--" + name + " and --plan " + other + " exclude each other");
                }
            }
        }
        if (given.containsKey("jar") && given.containsKey("arms")) {
            throw new UsageException("--jar and --arms exclude each other: your own applications, or the containers");
        }
        return given;
    }

    /** @throws UsageException if a value was given and is empty */
    static void requireValue(String name, Object value) {
        if (value != null && value.toString().isBlank()) {
            throw new UsageException("--" + name + " has an empty value");
        }
    }
}
