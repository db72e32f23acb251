package org.servletbench.bench.campaign;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.servletbench.bench.load.CommandLineGenerator;
import org.servletbench.bench.load.ToolSettings;
import org.servletbench.bench.profile.ContainerProfile;
import org.servletbench.bench.profile.JvmOptions;
import org.servletbench.bench.profile.Options;
import org.servletbench.bench.profile.ProfilesFolder;
import org.servletbench.bench.profile.UsageException;
import org.servletbench.bench.profile.Workload;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Arm.Role;
import org.servletbench.bench.record.BlockOrder;
import org.servletbench.bench.record.Cell;
import org.servletbench.bench.record.Look;
import org.servletbench.bench.record.Metric;
import org.servletbench.bench.record.Outlook;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.record.WarmStart;
import org.servletbench.bench.target.Jdk;
import org.servletbench.bench.target.NginxSpec;
import org.servletbench.bench.verdict.Sizing;

/** Makes a plan and its arms of what the user asked for; nothing is built or started here. */
public final class Planner {

    /** Generators in a JVM of ours, whose users take short turns; the others are programs that may be missing. */
    static final List<String> OWN_GENERATORS = List.of("gatling", "jmeter");

    private static final List<String> PRESETS = List.of("quick", "full", Plan.AUTO);
    private static final Map<String, String> LABELS = Map.of(
            "tomcat-nio", "Tomcat NIO",
            "tomcat-nio2", "Tomcat NIO2",
            "tomcat-apr", "Tomcat APR",
            "jetty", "Jetty",
            "undertow", "Undertow",
            "nginx", "nginx");
    private static final String DEFAULT_LINE = "boot3";
    private static final List<String> LINES = List.of("boot2", "boot3", "boot4");
    private static final String CONTROL = "-control";

    private Planner() {}

    /**
     * What was asked for, as far as it can be known before anything is built.
     *
     * @param options in force
     * @param plan everything that is decided
     * @param arms without versions and checksums
     * @param armOptions options of an arm's JVMs alone, after those of all, by its id
     * @param workloads of the plan, in order
     */
    public record Draft(
            Options options, Plan plan, List<Arm> arms, Map<String, String> armOptions, List<Workload> workloads) {

        /** For each block the arms' ids in the order in which they will run. */
        public List<List<String>> order() {
            return BlockOrder.all(arms, plan.seed(), plan.blocks());
        }

        /** The same with another plan. */
        public Draft with(Plan other) {
            return new Draft(options, other, arms, armOptions, workloads);
        }

        /** The same with other arms, and the options of their own. */
        public Draft with(List<Arm> others, Map<String, String> ofThem) {
            return new Draft(options, plan, others, ofThem, workloads);
        }
    }

    /**
     * The options in force: what was given, over the preset, over the defaults.
     *
     * @throws UsageException if there is no such preset
     */
    public static Options options(String prefix, Map<String, String> given, ProfilesFolder folder) {
        Map<String, String> campaign = folder.campaignDefaults();
        String preset = given.getOrDefault("plan", campaign.get("plan")).strip();
        if (!PRESETS.contains(preset)) {
            throw new UsageException(prefix + "plan=" + preset + " is not understood: give quick, full or auto");
        }
        Map<String, String> defaults = new TreeMap<>(folder.loadDefaults());
        campaign.forEach((key, value) -> {
            if (PRESETS.stream().noneMatch(name -> key.startsWith(name + "."))) {
                defaults.put(key, value);
            }
        });
        campaign.forEach((key, value) -> {
            if (key.startsWith(preset + ".")) {
                defaults.put(key.substring(preset.length() + 1), value);
            }
        });
        return new Options(prefix, given, defaults);
    }

    /**
     * The file of a settings set: a campaign may bring one that adds to it.
     *
     * @param options from {@link #options}
     * @param folder the profiles
     * @param name of the set
     */
    public static Path settingsFile(Options options, ProfilesFolder folder, String name) {
        return options.isGiven("settings.file") ? Path.of(options.required("settings.file")) : folder.settings(name);
    }

    /**
     * The options of every server's JVM: a file of the campaign's own, or those of the profiles; with the heap pre-touched, unless
     * {@code pre-touch} is false or the file says itself whether it is.
     *
     * @param options from {@link #options}
     * @param folder the profiles
     * @throws UsageException if the file cannot be read or understood
     */
    public static JvmOptions jvmOptions(Options options, ProfilesFolder folder) {
        JvmOptions all = options.isGiven("jvm.options")
                ? JvmOptions.read(Path.of(options.required("jvm.options")))
                : folder.jvmOptions();
        return options.flag("pre-touch") ? all.preTouched() : all;
    }

    /**
     * @param options from {@link #options}
     * @param folder the profiles
     * @param say gets a line for what is left out, and why
     * @throws UsageException if a value is not understood, or nothing is left to compare
     */
    public static Draft draft(Options options, ProfilesFolder folder, Consumer<String> say) {
        boolean own = options.isGiven("jar");
        List<Workload> workloads = workloads(options, folder, own);
        List<String> generators = generators(options, say);
        List<Cell> cells = cells(options, workloads, generators);
        List<String> primary = options.names("primary");
        primary.stream()
                .filter(key -> Metric.of(key)
                        .filter(metric -> metric.kind() != Metric.Kind.START_UP)
                        .isEmpty())
                .findFirst()
                .ifPresent(key -> {
                    throw new UsageException("--primary: no metric '" + key
                            + "': choose from throughput, mean, p50, p95," + " p99, cpu, alloc, rss, …");
                });
        requireDistinct("primary", primary);
        primary.stream()
                .flatMap(key -> Metric.of(key).stream())
                .filter(Metric::isShapedByPreTouch)
                .filter(metric ->
                        JvmOptions.isPreTouched(jvmOptions(options, folder).values()))
                .findFirst()
                .ifPresent(metric -> {
                    throw new UsageException(
                            "--primary " + metric.key() + ": with -XX:+AlwaysPreTouch that is the heap, whatever"
                                    + " the container: give --jvm-options with a file that has -XX:-AlwaysPreTouch");
                });
        List<Arm> arms = own ? ownArms(options) : arms(options, folder, say);
        WarmStart.check(options, Jdk.of(options), jvmOptions(options, folder), arms);
        boolean auto = options.required("plan").equals(Plan.AUTO);
        Optional.of("blocks").filter(name -> auto && options.isGiven(name)).ifPresent(name -> {
            throw new UsageException(
                    "--blocks and --plan auto exclude each other: its pilot chooses the number of blocks;"
                            + " --limit bounds the time");
        });
        Plan plan = new Plan(
                options.required("plan"),
                seed(options),
                auto ? Sizing.PILOT : options.integer("blocks", 2, 10_000),
                options.flag("together"),
                options.integer("rounds", 1, 1000),
                LoadSeconds.of(options, "hold", 2),
                LoadSeconds.of(options, "rampup", 1),
                LoadSeconds.of(options, "warmup", 0),
                cells,
                primary,
                options.decimal("margin", 0.001, 0.5),
                options.decimal("alpha", 0.0001, 0.5),
                precision(options),
                options.required("settings"),
                options.flag("keep-raw"),
                limitSeconds(options),
                LoadSeconds.of(options, "turn", 0),
                options.text("looks").isPresent() ? options.integer("looks", 1, Look.MOST) : 1,
                0);
        if (auto && Outlook.design(plan, arms).isEmpty()) {
            throw new UsageException("--plan auto needs two arms of one line that are compared with each other");
        }
        if (plan.looks() > 1 && plan.precision() > 0) {
            throw new UsageException("--looks and --precision exclude each other: a campaign that stops at a precision"
                    + " needs no extension");
        }
        folder.settings(plan.settings());
        return new Draft(options, plan, arms, Map.of(), workloads);
    }

    /**
     * The time limit in force, s; 0: none.
     *
     * @throws UsageException if it is no time, or more than a day
     */
    public static double limitSeconds(Options options) {
        return LoadSeconds.of(options, "limit", 0);
    }

    /** Durations of a campaign in seconds. */
    private static final class LoadSeconds {
        private static final double MOST_SECONDS = 86_400;

        private static double of(Options options, String name, double least) {
            double seconds = options.duration(name).toMillis() / 1000.0;
            if (seconds > MOST_SECONDS) {
                throw new UsageException("--" + name + ": more than a day is no plan");
            }
            if (seconds < least) {
                throw new UsageException("--" + name + ": give at least " + (int) least + "s");
            }
            return seconds;
        }
    }

    /** Whoever gives a number of blocks or looks, and no precision, wants that number. */
    private static double precision(Options options) {
        boolean fixed = options.isGiven("blocks") || options.isGiven("looks");
        if (options.text("precision").isEmpty() || fixed && !options.isGiven("precision")) {
            return 0;
        }
        String text = options.required("precision");
        try {
            return share(text);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--precision " + text + " is not understood: give a share such as 3%");
        }
    }

    /**
     * A share above 0 and below 1, as {@code 3%} or {@code 0.03}.
     *
     * @throws IllegalArgumentException if the text is none
     */
    public static double share(String text) {
        boolean percent = text.endsWith("%");
        double share = Double.parseDouble(percent ? text.substring(0, text.length() - 1) : text) / (percent ? 100 : 1);
        if (!(share > 0 && share < 1)) {
            throw new IllegalArgumentException(text);
        }
        return share;
    }

    private static long seed(Options options) {
        String text = options.text("seed").orElse("");
        if (text.isEmpty()) {
            return ThreadLocalRandom.current().nextLong(1, 1_000_000_000);
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new UsageException("--seed " + text + " is not understood: give a whole number");
        }
    }

    private static List<Workload> workloads(Options options, ProfilesFolder folder, boolean own) {
        List<Workload> known;
        if (options.isGiven("workload-file")) {
            known = ProfilesFolder.workloads(Path.of(options.required("workload-file")));
        } else if (own) {
            throw new UsageException("your own applications need --workload-file FILE that names paths and lengths of"
                    + " bodies, in the form of profiles/workloads.properties");
        } else {
            known = folder.workloads();
        }
        boolean all = options.text("workloads").isEmpty()
                || options.isGiven("workload-file") && !options.isGiven("workloads");
        Map<String, Workload> byName = new LinkedHashMap<>();
        known.forEach(workload -> byName.put(workload.name(), workload));
        List<String> names = all ? List.copyOf(byName.keySet()) : options.names("workloads");
        names.stream().filter(name -> !byName.containsKey(name)).findFirst().ifPresent(name -> {
            throw new UsageException("no workload '" + name + "': choose from " + String.join(",", byName.keySet()));
        });
        return List.copyOf(new LinkedHashSet<>(names)).stream().map(byName::get).toList();
    }

    private static List<String> generators(Options options, Consumer<String> say) {
        List<String> wanted = options.names("generators");
        List<String> present = new ArrayList<>();
        for (String name : new LinkedHashSet<>(wanted)) {
            if (OWN_GENERATORS.contains(name)) {
                present.add(name);
                continue;
            }
            if (CommandLineGenerator.all().stream().noneMatch(tool -> name.startsWith(tool.name()))) {
                throw new UsageException(
                        "--generators: no generator '" + name + "': choose from gatling, jmeter, wrk, ab, siege");
            }
            Optional<String> missing = ToolSettings.tool(name).missing();
            missing.ifPresentOrElse(line -> say.accept("left out: " + line), () -> present.add(name));
        }
        if (present.isEmpty()) {
            throw new UsageException("--generators " + String.join(",", wanted) + ": none of them is on this machine");
        }
        return present;
    }

    private static List<Cell> cells(Options options, List<Workload> workloads, List<String> generators) {
        List<Integer> tiers = options.integers("tiers", 1, 20_000);
        requireDistinct("tiers", tiers);
        List<Double> rates = options.isGiven("rates")
                ? options.names("rates").stream().map(Planner::rate).toList()
                : List.of();
        if (!rates.isEmpty() && !generators.contains("gatling")) {
            throw new UsageException("--rates: the open model is Gatling's: add gatling to --generators");
        }
        requireDistinct("rates", rates);
        List<Cell> cells = new ArrayList<>();
        for (String generator : generators) {
            for (Workload workload : workloads) {
                tiers.stream().distinct().forEach(tier -> cells.add(new Cell(workload.name(), tier, 0, generator)));
                if (generator.equals("gatling")) {
                    rates.forEach(rate -> cells.add(new Cell(workload.name(), 0, rate, generator)));
                }
            }
        }
        return cells;
    }

    private static void requireDistinct(String name, List<?> values) {
        if (new LinkedHashSet<>(values).size() < values.size()) {
            throw new UsageException("--" + name + " names one twice");
        }
    }

    private static double rate(String text) {
        try {
            double rate = Double.parseDouble(text);
            if (rate >= 1 && rate <= 1_000_000) {
                return rate;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new UsageException("--rates: '" + text + "' is not understood: give requests/s, such as 1000");
    }

    private static List<Arm> arms(Options options, ProfilesFolder folder, Consumer<String> say) {
        List<Arm> arms = new ArrayList<>();
        boolean reference = false;
        Set<String> seen = new LinkedHashSet<>();
        for (String text : options.names("arms")) {
            if (text.equals(NginxSpec.ARM)) {
                reference = true;
                continue;
            }
            Arm arm = arm(text, folder);
            if (!seen.add(arm.id())) {
                throw new UsageException("--arms: " + arm.id() + " is named twice");
            }
            Optional<String> missing = missing(folder.container(arm.profile()));
            missing.ifPresentOrElse(line -> say.accept("left out: " + arm.id() + ": " + line), () -> arms.add(arm));
        }
        List<Arm> complete = withControls(arms, options.text("baseline"));
        if (reference) {
            NginxSpec.missing()
                    .ifPresentOrElse(
                            line -> say.accept("left out: " + line),
                            () -> complete.add(new Arm(
                                    NginxSpec.ARM,
                                    LABELS.get(NginxSpec.ARM),
                                    complete.get(0).group(),
                                    Role.REFERENCE,
                                    NginxSpec.ARM,
                                    "",
                                    NginxSpec.ARM,
                                    "",
                                    "",
                                    "",
                                    "",
                                    "")));
        }
        return complete;
    }

    private static Optional<String> missing(ContainerProfile profile) {
        return profile.nativeLibrary()
                .flatMap(library -> org.servletbench.bench.target.NativeLibraries.missing(library));
    }

    private static Arm arm(String text, ProfilesFolder folder) {
        String[] parts = text.split("\\+", -1);
        if (parts.length > 2 || parts.length == 2 && !LINES.contains(parts[1])) {
            throw new UsageException("--arms: '" + text + "' is not understood: give a profile, or profile+line such as"
                    + " jetty+boot4; lines are " + String.join(", ", LINES));
        }
        ContainerProfile profile = folder.container(parts[0]);
        String line = parts.length == 2 ? parts[1] : parts[0].equals("tomcat-apr") ? "boot2" : DEFAULT_LINE;
        if (parts[0].equals("tomcat-apr") && !line.equals("boot2")) {
            throw new UsageException("--arms: there is no APR connector on " + line + " (Tomcat dropped it after 9)");
        }
        if (parts[0].equals("undertow") && line.equals("boot4")) {
            throw new UsageException("--arms: there is no Undertow on boot4 (Spring Boot 4 dropped it)");
        }
        return Arm.planned(
                parts[0] + (line.equals(DEFAULT_LINE) ? "" : "+" + line),
                LABELS.getOrDefault(parts[0], parts[0]),
                Role.ARM,
                profile,
                line);
    }

    private static List<Arm> ownArms(Options options) {
        List<Arm> arms = new ArrayList<>();
        Set<String> ids = new LinkedHashSet<>();
        for (String text : options.required("jar").split("\n")) {
            Path jar = Path.of(text).toAbsolutePath().normalize();
            if (!Files.isRegularFile(jar)) {
                throw new UsageException("--jar " + text + ": there is no such file");
            }
            String file = jar.getFileName().toString().replaceFirst("\\.jar$", "");
            String id = file.replaceAll("[^A-Za-z0-9._-]", "_");
            for (int number = 2; !ids.add(id); number++) {
                id = file.replaceAll("[^A-Za-z0-9._-]", "_") + "-" + number;
            }
            arms.add(new Arm(id, id, "own", Role.ARM, id, "", "", "", "", "", jar.toString(), ""));
        }
        return withControls(arms, options.text("baseline"));
    }

    /** Makes one arm of each group its baseline, and gives it a second copy. */
    private static List<Arm> withControls(List<Arm> arms, Optional<String> baseline) {
        baseline.filter(id -> arms.stream().noneMatch(arm -> arm.id().equals(id)))
                .ifPresent(id -> {
                    throw new UsageException("--baseline " + id + ": there is no such arm in this campaign");
                });
        List<Arm> complete = new ArrayList<>();
        for (String group : arms.stream().map(Arm::group).distinct().toList()) {
            List<Arm> own =
                    arms.stream().filter(arm -> arm.group().equals(group)).toList();
            Arm base = own.stream()
                    .filter(arm -> baseline.isPresent() && arm.id().equals(baseline.get()))
                    .findFirst()
                    .orElse(own.get(0));
            own.forEach(arm -> complete.add(arm == base ? as(arm, arm.id(), arm.label(), Role.BASELINE) : arm));
            complete.add(as(base, base.id() + CONTROL, base.label(), Role.CONTROL));
        }
        if (complete.isEmpty()) {
            throw new UsageException("--arms: nothing is left to compare");
        }
        return complete;
    }

    private static Arm as(Arm arm, String id, String label, Role role) {
        return new Arm(
                id,
                label,
                arm.group(),
                role,
                arm.profile(),
                arm.line(),
                arm.container(),
                arm.connector(),
                arm.containerVersion(),
                arm.bootVersion(),
                arm.jar(),
                arm.sha256());
    }
}
