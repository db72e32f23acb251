package org.servletbench.bench.reproduce;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.Quantity;
import org.servletbench.bench.article.RerunPlan;
import org.servletbench.bench.campaign.Timeline;
import org.servletbench.bench.host.Machines;
import org.servletbench.bench.host.RemoteTarget;
import org.servletbench.bench.load.jmeter.JMeter;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Serving;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.server.Jdk;
import org.servletbench.bench.server.NginxSpec;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.TargetException;
import org.servletbench.bench.server.TargetSpec;

/**
 * Runs an article's experiment as it was: its tool, options, counts and settings, one run for each container, one after the
 * other, on a JVM that nothing has warmed up, on all processors. What fails is written down, and the next one runs.
 */
public final class AsPublished {

    private static final Duration START_TIMEOUT = Duration.ofSeconds(90);

    /**
     * @param root of the repository
     * @param jmeter the JMeter that is run; empty when it takes no part
     * @param jdk that servers run on
     * @param machines where they run
     * @param say gets lines for people
     */
    public record Rig(
            Path root,
            ProfilesFolder profiles,
            Optional<JMeter> jmeter,
            Jdk jdk,
            Machines machines,
            Consumer<String> say) {}

    private final Article article;
    private final RerunPlan plan;
    private final Scale scale;
    private final Rig rig;
    private final Path folder;

    /**
     * @param scale how much of it
     * @param folder the reproduction's; it exists
     */
    public AsPublished(Article article, Scale scale, Rig rig, Path folder) {
        this.article = article;
        this.plan = article.asPublished();
        this.scale = scale;
        this.rig = rig;
        this.folder = folder;
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
                        ? PublishedServer.nothing(relative(own), arm, leftOut.get(arm))
                        : run(arm, arms.get(arm), own, settings, jvm);
                Files.createDirectories(own);
                Json.write(own.resolve(PublishedServer.FILE), server);
                for (PublishedRun run : server.runs()) {
                    Json.write(own.resolve(run.name()).resolve("run.json"), run);
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

    private String relative(Path file) {
        return folder.relativize(file).toString().replace('\\', '/');
    }

    // ---- one server ----

    private PublishedServer run(String name, Arm arm, Path own, Path settings, JvmOptions jvm) {
        rig.say.accept(article.id() + " as published: " + name);
        boolean nginx = name.equals(NginxSpec.ARM);
        List<String> late = nginx
                ? List.of()
                : article.afterJar().stream()
                        .filter(word -> word.startsWith("-X"))
                        .toList();
        Target target;
        try {
            target = nginx
                    ? Target.reference(NginxSpec.of(rig.root), own)
                    : start(
                            new TargetSpec(
                                    Path.of(arm.jar()),
                                    rig.profiles.container(arm.profile()),
                                    arm.line(),
                                    arm.bootVersion(),
                                    arm.containerVersion(),
                                    plan.settings(),
                                    settings,
                                    jvm,
                                    TargetSpec.LOOPBACK,
                                    OptionalInt.empty(),
                                    START_TIMEOUT,
                                    TargetSpec.READY_PATH,
                                    late,
                                    rig.jdk,
                                    Optional.empty(),
                                    // Held requests would warm up the arms whose limit is counted.
                                    Serving.ofStarts(arm.threads(), List.of(arm.threads())),
                                    0),
                            own);
        } catch (TargetException e) {
            rig.say.accept(name + ": " + e.getMessage());
            return PublishedServer.nothing(relative(own), name, e.getMessage());
        }
        long loadFrom = System.currentTimeMillis();
        List<PublishedRun> runs = new ArrayList<>();
        try {
            PublishedLoads loads = new PublishedLoads(rig, name, plan.options(), target, own);
            plan.loads().stream()
                    .filter(load -> load.arms().contains(name))
                    .forEach(load -> runs.addAll(loads.run(plan, scale.apply(load))));
        } finally {
            target.close("stopped");
        }
        runs.forEach(this::tell);
        ServerFacts facts = facts(own.resolve("server.json"));
        Map<String, Double> startUp = new TreeMap<>(facts.startUp() == null ? Map.of() : facts.startUp());
        if (facts.readyMs() != null) {
            startUp.put("ready", facts.readyMs());
        }
        return new PublishedServer(
                PublishedServer.FORMAT,
                relative(own),
                name,
                arm.label(),
                nginx ? List.of() : jvm.values(),
                late,
                nginx ? Map.of() : new TreeMap<>(ProfilesFolder.settingsValues(settings)),
                facts.proven() == null ? Map.of() : facts.proven(),
                startUp,
                Timeline.read(own.resolve("monitor.csv"), loadFrom),
                runs,
                "");
    }

    private Target start(TargetSpec spec, Path own) {
        return rig.machines.target().isPresent()
                ? RemoteTarget.start(rig.machines, spec, own)
                : Target.start(spec, own);
    }

    /** What is taken from {@code server.json}. */
    private record ServerFacts(
            Map<String, String> proven,
            @JsonProperty("start-up") Map<String, Double> startUp,
            @JsonProperty("ready.ms") Double readyMs) {}

    private static ServerFacts facts(Path file) {
        try {
            return Json.read(file, ServerFacts.class);
        } catch (IOException e) {
            throw new TargetException("cannot read " + file + " (" + e.getMessage() + ")");
        }
    }

    private void tell(PublishedRun run) {
        rig.say.accept(
                run.trouble().isEmpty()
                        ? String.format(
                                Locale.ROOT,
                                "  %s %s %d users: %.0f requests, %.1f/s",
                                run.arm(),
                                run.workload(),
                                run.users(),
                                run.figures().getOrDefault(Quantity.REQUESTS.key(), Double.NaN),
                                run.figures().getOrDefault(Quantity.THROUGHPUT.key(), Double.NaN))
                        : "  " + run.arm() + " " + run.workload() + " " + run.users() + " users: " + run.trouble());
    }
}
