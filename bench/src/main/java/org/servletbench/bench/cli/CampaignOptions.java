package org.servletbench.bench.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.servletbench.bench.campaign.ArmBuilds;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.Plan;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The options that make the plan of a campaign, each declared once; what is not given comes from the profiles. */
final class CampaignOptions implements IModelTransformer {

    private static final String JAR = "jar";
    /** Switches that choose a plan by its name. */
    private static final List<String> PLANS = List.of(Plan.STARTUP, Plan.MIGRATION);

    private static final String BUILD = "build";
    /** Of an option that is true where it is given without a value. */
    private static final String SWITCH = "true|false";

    /** Options that only the command {@code capacity} has, and those that it has not. */
    private static final List<String> OF_CAPACITY = List.of("slo", "from", "resolution", "users");

    private static final List<String> NOT_OF_CAPACITY = List.of(
            "plan",
            Plan.STARTUP,
            Plan.MIGRATION,
            "generators",
            "tiers",
            "rates",
            "rounds",
            "turn",
            "primary",
            "aot-caches",
            "aot-training",
            "warm-start");

    /**
     * One option.
     *
     * @param key its name in the profiles; on the command line dots are dashes
     * @param description as picocli formats it: {@code %%} for a percent sign
     */
    private record Planned(String key, String label, String description) {

        private String name() {
            return "--" + key.replace('.', '-');
        }
    }

    /** Some options, and their title in the help. */
    private record Group(String title, List<Planned> options) {

        Group(String title, Planned... options) {
            this(title, List.of(options));
        }
    }

    private static final List<Group> ALL = List.of(
            new Group(
                    "What is compared",
                    new Planned(
                            "plan",
                            "NAME",
                            "quick: an answer in 20 minutes on two cores; full: all loads, for hours; auto: two"
                                    + " pilot blocks, then as many blocks and as much load as --precision needs; startup;"
                                    + " migration"),
                    new Planned(
                            Plan.STARTUP,
                            "",
                            "start servers only, one at a time and without load: time to ready, CPU time, memory,"
                                    + " classes, threads"),
                    new Planned(
                            Plan.MIGRATION,
                            "",
                            "compare arms of several Spring Boot lines with each other: a change of framework and"
                                    + " container together"),
                    new Planned(
                            "arms",
                            "LIST",
                            "containers, as profile[+line][+threads][@JDK]: jetty,tomcat-nio+boot2,jetty+virtual@25. Arms"
                                    + " of one Spring Boot line are ranked together; nginx is a reference that is not"
                                    + " ranked"),
                    new Planned("baseline", "ARM", "the arm that others are compared with. Default: the first arm"),
                    new Planned("settings", "NAME", "settings of the servers: equalised, or defaults"),
                    new Planned("jvm.options", "FILE", "JVM options of every server"),
                    new Planned(
                            "memory",
                            "LIST",
                            "each arm with each of these heaps, such as 512m,256m: not touched beforehand and without"
                                    + " -Xmn; arms are ranked within a heap"),
                    new Planned(
                            "jdk",
                            "HOME",
                            "the JDK that servers run on, 17 or newer. With HOME,HOME the arm jetty stands for"
                                    + " jetty@17 and jetty@25. Default: the one that runs this command"),
                    new Planned(
                            "threads",
                            "LIST",
                            "platform, virtual (JDK 21 or newer, boot3 and boot4), or both: of arms whose names do not"
                                    + " say it"),
                    new Planned(BUILD, "NAME=V", "another version than pom.xml has: boot4.version=4.0.1; repeat it"),
                    new Planned(
                            "warm-start",
                            "WAY",
                            "none, or aot: servers start with an AOT cache that was trained under load (JDK 25 or"
                                    + " newer)"),
                    new Planned(JAR, "FILE", "your own application in place of --arms; repeat it for each"),
                    new Planned(
                            "workload-file",
                            "FILE",
                            "your own paths and checks, in the form of profiles/workloads.properties")),
            new Group(
                    "The load",
                    new Planned("generators", "LIST", "gatling, jmeter, wrk, ab, siege"),
                    new Planned("tiers", "LIST", "numbers of concurrent users (closed model)"),
                    new Planned(
                            "rates", "LIST", "requests/s (open model); alone, or in addition to --tiers; Gatling only"),
                    new Planned(
                            "workloads", "LIST", "kinds of requests: hello, static, payload, metrics, delay, query"),
                    new Planned("delay", "TIME", "how long a request of the workload delay waits"),
                    new Planned(
                            "db.url",
                            "URL",
                            "database of the workload query, such as jdbc:postgresql://127.0.0.1/bench?user=me. Default:"
                                    + " H2 within each server"),
                    new Planned(
                            "slo",
                            "LIMITS",
                            "the objective: limits of percentiles (p50, p90, p95, p99, p99.9) and of errors, such as"
                                    + " p99<50ms,errors<0.1%%"),
                    new Planned(
                            "from", "RATE", "lowest rate of a search, requests/s; each begins at once to twice this"),
                    new Planned(
                            "resolution",
                            "SHARE",
                            "a search ends when the lowest rate that missed is above the highest that met by no more"),
                    new Planned("users", "N", "of Gatling: at most so many requests are under way"),
                    new Planned("rounds", "N", "how often each load is measured in each JVM"),
                    new Planned("hold", "TIME", "measured time of each server, for each load and round"),
                    new Planned(
                            "turn",
                            "TIME",
                            "Gatling, JMeter: shortest turn of a server; 0s: one whole window after the other"),
                    new Planned(
                            "probe.rate",
                            "RATE",
                            "Gatling, JMeter in turns: requests/s of a latency probe, an idle Gatling beside the load whose"
                                    + " percentiles are shown with the others, such as 50; 0: none")),
            new Group(
                    "Other machines",
                    new Planned(
                            "target.host",
                            "HOST",
                            "run the servers on this machine, such as me@app1; ssh must get there without a question"),
                    new Planned(
                            "target.address",
                            "ADDRESS",
                            "where servers listen there, as the load reaches it. Default: the host's in ssh's configuration"),
                    new Planned(
                            "load.hosts",
                            "LIST",
                            "run the load on these machines: Gatling on all of them, wrk, ab and siege on the first"),
                    new Planned(
                            "probe.host", "HOST", "run the latency probe on this machine. Default: the last load host"),
                    new Planned("host.jdk", "HOME", "the JDK of other machines. Default: java on their paths"),
                    new Planned("ssh.config", "FILE", "configuration of ssh. Default: ~/.ssh/config"),
                    new Planned(
                            "target.allow-remote",
                            SWITCH,
                            "servers and load on other machines are wanted, which are yours to load")),
            new Group(
                    "Blocks and warm-up",
                    new Planned(
                            "blocks",
                            "N",
                            "number of blocks, with --precision the maximum; in each block every arm gets a fresh"
                                    + " JVM"),
                    new Planned("limit", "TIME", "no block begins that would end later; 0s: no limit"),
                    new Planned("seed", "N", "seed of the random order in each block. Default: a random one"),
                    new Planned("warmup", "TIME", "maximum warm-up per server"),
                    new Planned("generator.warmup", "TIME", "maximum warm-up of Gatling or JMeter itself"),
                    new Planned(
                            "together",
                            "BOOL",
                            "true: all servers of a group are up at the same time and take turns; false: one"
                                    + " after the other"),
                    new Planned(
                            "aot-caches",
                            "N",
                            "with --warm-start aot: number of trained caches per arm; each block draws one of"
                                    + " them"),
                    new Planned("aot-training", "TIME", "with --warm-start aot: length of each training")),
            new Group(
                    "Verdicts",
                    new Planned("primary", "LIST", "metrics that get verdicts"),
                    new Planned("margin", "SHARE", "differences up to this count as equal; 0.03 is 3 %%"),
                    new Planned("alpha", "P", "probability of any false verdict in the campaign"),
                    new Planned(
                            "precision",
                            "SHARE",
                            "stop when every interval is this narrow on either side, such as 3%%. With --blocks"
                                    + " or --looks it has no default"),
                    new Planned(
                            "looks",
                            "K",
                            "how often verdicts may be drawn, 1 to 5: at the planned end, and after each"
                                    + " extension with --resume --blocks. With more than one, look k uses alpha / 2^k."
                                    + " Default: 1, no extension with verdicts")),
            new Group(
                    "Files and resuming",
                    new Planned("keep-raw", "BOOL", "keep the raw logs of generators after they were measured")));

    @Override
    public CommandSpec transform(CommandSpec command) {
        List<String> others = command.name().equals(Plan.CAPACITY) ? NOT_OF_CAPACITY : OF_CAPACITY;
        for (Planned one : planned()) {
            if (others.contains(one.key)) {
                continue;
            }
            OptionSpec.Builder option =
                    OptionSpec.builder(one.name()).paramLabel(one.label).description(one.description);
            command.addOption(
                    PLANS.contains(one.key)
                            ? option.type(Boolean.class)
                                    .arity("0")
                                    .paramLabel("")
                                    .build()
                            : List.of(JAR, BUILD).contains(one.key)
                                    ? option.type(List.class)
                                            .auxiliaryTypes(String.class)
                                            .build()
                                    : one.label.equals(SWITCH)
                                            ? option.type(String.class)
                                                    .arity("0..1")
                                                    .fallbackValue("true")
                                                    .build()
                                            : option.type(String.class).build());
        }
        return command;
    }

    /** The titles of the groups, in the order of the help. */
    static List<String> groups() {
        return ALL.stream().map(Group::title).toList();
    }

    /** The title of an option's group: the last one for what is no part of the plan; empty for help and version. */
    static Optional<String> group(OptionSpec option) {
        return option.usageHelp() || option.versionHelp()
                ? Optional.empty()
                : ALL.stream()
                        .filter(group -> group.options.stream()
                                .anyMatch(one -> one.name().equals(option.longestName())))
                        .map(Group::title)
                        .findFirst()
                        .or(() -> Optional.of(ALL.get(ALL.size() - 1).title));
    }

    /** The option's name in the profiles; empty for one that is no part of the plan. */
    static Optional<String> key(OptionSpec option) {
        return planned().stream()
                .filter(one -> one.name().equals(option.longestName()))
                .map(Planned::key)
                .findFirst();
    }

    private static List<Planned> planned() {
        return ALL.stream().flatMap(group -> group.options.stream()).toList();
    }

    /**
     * What was given of the plan, by the names of the profiles; several values of one option with line breaks between.
     *
     * @param command that has these options
     * @throws UsageException if a value is empty, as that of an empty variable of a shell
     */
    static Map<String, String> given(CommandSpec command) {
        Map<String, String> given = new LinkedHashMap<>();
        for (Planned one : planned()) {
            OptionSpec option = command.findOption(one.name());
            Object value = option == null ? null : option.getValue();
            if (value != null) {
                String text = value instanceof List<?> many
                        ? String.join("\n", many.stream().map(Object::toString).toList())
                        : value.toString();
                requireValue(one.name(), text);
                given.putAll(one.key.equals(BUILD) ? builds(text) : Map.of(one.key, text));
            }
        }
        for (String plan : PLANS) {
            if (given.remove(plan) != null) {
                String other = given.put("plan", plan);
                if (other != null && !other.equals(plan)) {
                    throw new UsageException("--" + plan + " and the plan " + other + " exclude each other");
                }
            }
        }
        if (given.containsKey(JAR) && given.containsKey("arms")) {
            throw new UsageException("--jar and --arms exclude each other: your own applications, or the containers");
        }
        return given;
    }

    private static Map<String, String> builds(String lines) {
        Map<String, String> builds = new LinkedHashMap<>();
        for (String line : lines.split("\n")) {
            String[] parts = line.split("=", 2);
            if (parts.length < 2 || parts[1].isBlank() || !ArmBuilds.isVersion(parts[0])) {
                throw new UsageException("--build " + line + " is not understood: give a version that pom.xml has, such"
                        + " as boot4.version=4.0.1");
            }
            builds.put(parts[0], parts[1]);
        }
        return builds;
    }

    /** @throws UsageException if a value was given and is empty */
    static void requireValue(String option, Object value) {
        if (value != null && value.toString().isBlank()) {
            throw new UsageException(option + " has an empty value");
        }
    }
}
