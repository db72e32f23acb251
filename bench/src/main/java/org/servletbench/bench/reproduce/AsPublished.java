package org.servletbench.bench.reproduce;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.Metric;
import org.servletbench.bench.article.Plan;
import org.servletbench.bench.campaign.Arm;
import org.servletbench.bench.campaign.Timeline;
import org.servletbench.bench.load.CommandLineGenerator;
import org.servletbench.bench.load.JMeter;
import org.servletbench.bench.load.JMeterHosts;
import org.servletbench.bench.load.JMeterRun;
import org.servletbench.bench.load.JMeterTable;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.ToolFigures;
import org.servletbench.bench.load.ToolNote;
import org.servletbench.bench.load.ToolResult;
import org.servletbench.bench.load.ToolWatch;
import org.servletbench.bench.profile.JvmOptions;
import org.servletbench.bench.profile.LoadModel.Closed;
import org.servletbench.bench.profile.LoadModel.Hold;
import org.servletbench.bench.profile.LoadModel.Loops;
import org.servletbench.bench.profile.LoadPlan;
import org.servletbench.bench.profile.ProfilesFolder;
import org.servletbench.bench.profile.UsageException;
import org.servletbench.bench.profile.WarmUpPlan;
import org.servletbench.bench.profile.Workload;
import org.servletbench.bench.target.Jdk;
import org.servletbench.bench.target.NginxSpec;
import org.servletbench.bench.target.Target;
import org.servletbench.bench.target.TargetException;
import org.servletbench.bench.target.TargetSpec;

/**
 * Runs an article's experiment as it was: its tool, options, counts and settings, one run for each container, one after the
 * other, on a JVM that nothing has warmed up, on all processors. What fails is written down, and the next one runs.
 */
public final class AsPublished {

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final Duration START_TIMEOUT = Duration.ofSeconds(90);

    /**
     * @param root of the repository
     * @param profiles the profiles folder
     * @param jmeter the JMeter that is run; empty when it takes no part
     * @param jdk that servers run on
     * @param say gets lines for people
     */
    public record Rig(Path root, ProfilesFolder profiles, Optional<JMeter> jmeter, Jdk jdk, Consumer<String> say) {}

    private final Article article;
    private final Plan plan;
    private final Scale scale;
    private final Rig rig;
    private final Path folder;

    /**
     * @param article what is run
     * @param scale how much of it
     * @param rig with what
     * @param folder the reproduction's; it exists
     */
    public AsPublished(Article article, Scale scale, Rig rig, Path folder) {
        this.article = article;
        this.plan = article.asPublished();
        this.scale = scale;
        this.rig = rig;
        this.folder = folder;
    }

    /** Options that the article printed after the jar, where only the application sees them. */
    public static List<String> lateOptions(Article article) {
        List<String> words = article.serverCommand()
                .map(command -> List.of(command.strip().split("\\s+")))
                .orElse(List.of());
        int jar = words.indexOf("-jar");
        return jar < 0 || jar + 2 > words.size()
                ? List.of()
                : words.subList(jar + 2, words.size()).stream()
                        .filter(word -> word.startsWith("-X"))
                        .toList();
    }

    /**
     * Runs all of it that is not on disk yet. What an interrupted server left is kept and not used.
     *
     * @param arms by the article's names, with their jars; those that are not on this machine are missing
     * @param leftOut by name, why an arm is missing
     */
    public void run(Map<String, Arm> arms, Map<String, String> leftOut) {
        Path place = folder.resolve("as-published");
        int number = 0;
        try {
            Files.createDirectories(place);
            Path settings = ServerFiles.settings(rig.profiles, plan, place.resolve("settings.properties"));
            JvmOptions jvm = ServerFiles.jvmOptions(rig.profiles, plan, place.resolve("jvm.options"));
            for (String arm : plan.arms()) {
                number++;
                List<Path> attempts = attempts(place.resolve(number + "-" + arm));
                if (attempts.stream().anyMatch(one -> Files.exists(one.resolve(PublishedServer.FILE)))) {
                    continue;
                }
                Path own = attempts.get(attempts.size() - 1);
                PublishedServer server = leftOut.containsKey(arm)
                        ? nothing(own, arm, leftOut.get(arm))
                        : run(arm, arms.get(arm), own, settings, jvm);
                Files.createDirectories(own);
                write(own.resolve(PublishedServer.FILE), server);
                for (PublishedRun run : server.runs()) {
                    write(own.resolve(name(run)).resolve("run.json"), run);
                }
            }
        } catch (IOException e) {
            throw new TargetException("cannot write to " + place + " (" + e.getMessage() + ")");
        }
    }

    /** The folders of a server: those that are there, and after them the next one. */
    static List<Path> attempts(Path first) {
        List<Path> all = new ArrayList<>(List.of(first));
        while (Files.exists(all.get(all.size() - 1))) {
            all.add(first.resolveSibling(first.getFileName() + "-attempt" + (all.size() + 1)));
        }
        return all;
    }

    /** Written whole or not at all. */
    static void write(Path file, Object value) throws IOException {
        Files.createDirectories(file.getParent());
        Path next = file.resolveSibling(file.getFileName() + ".next");
        JSON.writeValue(next.toFile(), value);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private PublishedServer nothing(Path own, String arm, String trouble) {
        return new PublishedServer(
                PublishedServer.FORMAT,
                relative(own),
                arm,
                arm,
                List.of(),
                List.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                null,
                List.of(),
                trouble);
    }

    private String relative(Path file) {
        return folder.relativize(file).toString().replace('\\', '/');
    }

    // ---- one server ----

    private PublishedServer run(String name, Arm arm, Path own, Path settings, JvmOptions jvm) {
        rig.say.accept(article.id() + " as published: " + name);
        boolean nginx = name.equals(NginxSpec.ARM);
        List<String> late = nginx ? List.of() : lateOptions(article);
        Target target;
        try {
            target = nginx
                    ? Target.reference(NginxSpec.of(rig.root), own)
                    : Target.start(
                            new TargetSpec(
                                    Path.of(arm.jar()),
                                    rig.profiles.container(arm.profile()),
                                    arm.line(),
                                    arm.bootVersion(),
                                    arm.containerVersion(),
                                    plan.settings(),
                                    settings,
                                    jvm,
                                    OptionalInt.empty(),
                                    START_TIMEOUT,
                                    TargetSpec.READY_PATH,
                                    late,
                                    rig.jdk,
                                    Optional.empty()),
                            own);
        } catch (TargetException e) {
            rig.say.accept(name + ": " + e.getMessage());
            return nothing(own, name, e.getMessage());
        }
        long loadFrom = System.currentTimeMillis();
        List<PublishedRun> runs = new ArrayList<>();
        try {
            for (Plan.Load whole : plan.loads()) {
                if (whole.arms().contains(name)) {
                    runs.addAll(load(name, scale.apply(whole), target, own));
                }
            }
        } finally {
            target.close("stopped");
        }
        runs.forEach(this::tell);
        JsonNode facts = read(own.resolve("server.json"));
        Map<String, String> proven = new TreeMap<>();
        facts.path("proven")
                .properties()
                .forEach(fact -> proven.put(fact.getKey(), fact.getValue().asText()));
        Map<String, Double> startUp = new TreeMap<>();
        facts.path("start-up")
                .properties()
                .forEach(fact -> startUp.put(fact.getKey(), fact.getValue().asDouble()));
        if (facts.has("ready.ms")) {
            startUp.put("ready", facts.get("ready.ms").asDouble());
        }
        return new PublishedServer(
                PublishedServer.FORMAT,
                relative(own),
                name,
                arm.label(),
                nginx ? List.of() : jvm.values(),
                late,
                nginx ? Map.of() : new TreeMap<>(ProfilesFolder.settingsValues(settings)),
                proven,
                startUp,
                Timeline.read(own.resolve("monitor.csv"), loadFrom),
                runs,
                "");
    }

    private static JsonNode read(Path file) {
        try {
            return JSON.readTree(file.toFile());
        } catch (IOException e) {
            throw new TargetException("cannot read " + file + " (" + e.getMessage() + ")");
        }
    }

    private void tell(PublishedRun run) {
        rig.say.accept(
                run.trouble().isEmpty()
                        ? String.format(
                                java.util.Locale.ROOT,
                                "  %s %s %d users: %.0f requests, %.1f/s",
                                run.arm(),
                                run.workload(),
                                run.users(),
                                run.figures().getOrDefault(Metric.REQUESTS.key(), Double.NaN),
                                run.figures().getOrDefault(Metric.THROUGHPUT.key(), Double.NaN))
                        : "  " + run.arm() + " " + run.workload() + " " + run.users() + " users: " + run.trouble());
    }

    private List<PublishedRun> load(String arm, Plan.Load load, Target target, Path own) {
        Optional<CommandLineGenerator> tool = plan.tool();
        if (tool.isEmpty()) {
            return jmeter(arm, load, target, own);
        }
        List<PublishedRun> runs = new ArrayList<>();
        for (int users : load.users()) {
            runs.add(tool(tool.get(), arm, load, users, target, own));
        }
        return runs;
    }

    private Workload workload(String name) {
        return rig.profiles.workloads().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String name(PublishedRun run) {
        return name(run.variant(), run.workload(), run.users());
    }

    private static String name(String variant, String workload, int users) {
        return workload + "-" + users + (variant.isEmpty() ? "" : "-" + variant);
    }

    private PublishedRun tool(
            CommandLineGenerator tool, String arm, Plan.Load load, int users, Target target, Path own) {
        Path place = own.resolve(name(load.variant(), load.workload(), users));
        long started = System.currentTimeMillis();
        try {
            Files.createDirectories(place);
            URI url = target.url().resolve(workload(load.workload()).path());
            ToolResult result = tool.run(load.toolLoad(url, users), place, Optional.empty(), new ToolWatch() {
                @Override
                public Optional<String> death() {
                    return target.death();
                }

                @Override
                public void loadedBy(ProcessHandle generator) {
                    target.watchGenerator(generator);
                }
            });
            return new PublishedRun(
                    load.variant(),
                    arm,
                    load.workload(),
                    users,
                    tool.name(),
                    result.version(),
                    result.command(),
                    started,
                    figures(result.figures()),
                    result.figures().failures(),
                    result.figures().notes().stream().map(ToolNote::figures).toList(),
                    result.files().stream()
                            .map(file -> own.relativize(place.resolve(file)).toString())
                            .toList(),
                    "");
        } catch (LoadException | UsageException e) {
            return failed(arm, load, users, tool.name(), started, e.getMessage());
        } catch (IOException e) {
            return failed(arm, load, users, tool.name(), started, "cannot write to " + place);
        }
    }

    private static PublishedRun failed(
            String arm, Plan.Load load, int users, String tool, long started, String trouble) {
        return new PublishedRun(
                load.variant(),
                arm,
                load.workload(),
                users,
                tool,
                "",
                List.of(),
                started,
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                trouble);
    }

    private static Map<String, Double> figures(ToolFigures told) {
        Map<String, Double> figures = new LinkedHashMap<>();
        double failed = told.completed() > 0 ? Math.min(1, (double) told.failed() / told.completed()) : Double.NaN;
        put(figures, Metric.REQUESTS, told.completed());
        put(figures, Metric.THROUGHPUT, told.throughput());
        put(figures, Metric.LATENCY_MEAN, told.latency().mean());
        put(figures, Metric.LATENCY_MEAN_SECONDS, told.latency().mean() / 1000);
        put(figures, Metric.LATENCY_MIN, told.latency().min());
        put(figures, Metric.LATENCY_MAX, told.latency().max());
        put(figures, Metric.LATENCY_STDEV, told.latency().stdev());
        put(figures, Metric.ERRORS_PRINTED, failed);
        put(figures, Metric.AVAILABILITY, 100 * (1 - failed));
        put(figures, Metric.RECEIVED, told.bytes() / 1024 / told.seconds());
        put(figures, Metric.RESPONSE_BYTES, told.bytes() / told.completed());
        put(figures, Metric.ELAPSED, told.seconds());
        return figures;
    }

    private static void put(Map<String, Double> figures, Metric metric, double value) {
        if (Double.isFinite(value)) {
            figures.put(metric.key(), value);
        }
    }

    // ---- JMeter: all numbers of users in one run ----

    private List<PublishedRun> jmeter(String arm, Plan.Load load, Target target, Path own) {
        JMeter jmeter = rig.jmeter.orElseThrow();
        Path place = own.resolve("jmeter-" + load.workload());
        long started = System.currentTimeMillis();
        JMeterTable table;
        String trouble = "";
        try {
            Files.createDirectories(place);
            LoadPlan tiers = new LoadPlan(
                    List.of(workload(load.workload())),
                    new Closed(
                            load.users(),
                            Duration.ofSeconds(Math.max(1, load.rampUpSeconds())),
                            load.loops().isEmpty()
                                    ? new Hold(Duration.ofSeconds(
                                            load.durationSeconds().orElse(10)))
                                    : new Loops(load.loops())),
                    new WarmUpPlan(Duration.ZERO, 1, Duration.ofSeconds(1), Duration.ZERO, 5, 1, 100),
                    100);
            table = new JMeterRun(jmeter, tiers, new JMeterHosts(List.of()), watched(target), place, line -> {})
                    .run(rig.root.resolve("jmeter-plans/tiers.jmx"));
        } catch (LoadException | UsageException e) {
            trouble = e.getMessage();
            table = new JMeterTable(List.of(), false);
        } catch (IOException e) {
            trouble = "cannot write to " + place;
            table = new JMeterTable(List.of(), false);
        }
        List<PublishedRun> runs = new ArrayList<>();
        for (int users : load.users()) {
            Optional<JMeterTable.Row> row = table.row(load.workload() + " " + users + " users");
            runs.add(
                    row.isEmpty()
                            ? failed(
                                    arm,
                                    load,
                                    users,
                                    "jmeter",
                                    started,
                                    trouble.isEmpty() ? "no request ended" : trouble)
                            : run(row.get(), arm, load, users, own, place, started));
        }
        return runs;
    }

    private PublishedRun run(
            JMeterTable.Row row, String arm, Plan.Load load, int users, Path own, Path place, long started) {
        Map<String, Double> figures = new LinkedHashMap<>();
        put(figures, Metric.REQUESTS, row.requests());
        put(figures, Metric.LATENCY_MEAN, row.meanMs());
        put(figures, Metric.LATENCY_MIN, row.minMs());
        put(figures, Metric.LATENCY_MAX, row.maxMs());
        put(figures, Metric.LATENCY_STDEV, row.stdevMs());
        put(figures, Metric.ERRORS_PRINTED, row.errorPercent() / 100);
        put(figures, Metric.THROUGHPUT, row.throughput());
        put(figures, Metric.RECEIVED, row.receivedKiBs());
        put(figures, Metric.SENT, row.sentKiBs());
        put(figures, Metric.RESPONSE_BYTES, row.meanBytes());
        put(figures, Metric.ELAPSED, row.requests() / row.throughput());
        return new PublishedRun(
                load.variant(),
                arm,
                load.workload(),
                users,
                "jmeter",
                rig.jmeter.orElseThrow().home().version(),
                List.of("jmeter", "-n", "-t", "plan.jmx", "-l", JMeterRun.RESULTS, "-q", "jmeter.properties"),
                started,
                figures,
                row.firstFailure().map(first -> Map.of(first, row.failed())).orElse(Map.of()),
                List.of(),
                List.of("plan.jmx", JMeterRun.RESULTS, "table.csv", JMeterRun.DASHBOARD + "/index.html").stream()
                        .map(file -> own.relativize(place.resolve(file)).toString())
                        .toList(),
                "");
    }

    private static JMeterRun.Server watched(Target target) {
        return new JMeterRun.Server() {
            @Override
            public URI url() {
                return target.url();
            }

            @Override
            public String description() {
                return target.description();
            }

            @Override
            public Optional<String> death() {
                return target.death();
            }

            @Override
            public OptionalLong jitMillis() {
                return OptionalLong.empty();
            }

            @Override
            public void loadedBy(ProcessHandle generator) {
                target.watchGenerator(generator);
            }
        };
    }
}
