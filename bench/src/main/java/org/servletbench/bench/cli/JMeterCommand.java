package org.servletbench.bench.cli;

import java.awt.AWTError;
import java.awt.GraphicsEnvironment;
import java.awt.HeadlessException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.jmeter.JMeter;
import org.servletbench.bench.load.jmeter.JMeterDesk;
import org.servletbench.bench.load.jmeter.JMeterHosts;
import org.servletbench.bench.load.jmeter.JMeterRun;
import org.servletbench.bench.profile.LoadPlan;
import org.servletbench.bench.profile.Options;
import org.servletbench.bench.profile.ProfilesFolder;
import org.servletbench.bench.profile.UsageException;
import org.servletbench.bench.target.Target;
import org.servletbench.bench.target.WarmUp;

/**
 * What {@code mvn -Pjmeter verify} and its sisters run, inside Maven's JVM, with Maven's {@code -D} options as system
 * properties. Every error is an exception with one line for people and no stack trace.
 */
public final class JMeterCommand {

    private static final String PLAN = "tiers.jmx";
    private static final String SERVE_PORT = "8080";

    private final Path module;
    private final ProfilesFolder folder;
    private final Options options;

    private JMeterCommand(Path module) {
        this.module = module;
        this.folder = new ProfilesFolder(module.resolveSibling("profiles"));
        this.options = Options.ofSystemProperties(folder);
    }

    /**
     * @param args {@code run} (server, load, dashboard), {@code serve} (the server alone, until Ctrl-C), {@code gui} or
     *     {@code server} (a JMeter server for other hosts, until Ctrl-C); then the folder of the module jmeter-plans
     * @throws UsageException if the options ask for what cannot be
     * @throws LoadException if JMeter fails, or too many requests do
     * @throws org.servletbench.bench.target.TargetException if the server does not start, or is not what it should be
     */
    public static void main(String[] args) {
        JMeterCommand command = new JMeterCommand(Path.of(args[1]).toAbsolutePath());
        switch (args[0]) {
            case "run" -> command.run();
            case "serve" -> command.serve();
            case "gui" -> command.gui();
            case "server" -> command.server();
            default -> throw new UsageException("no command '" + args[0] + "': choose run, serve, gui or server");
        }
    }

    private static void say(String line) {
        System.out.println(line);
    }

    // ---- run ----

    private void run() {
        LoadPlan load = LoadPlan.of(options, folder);
        JMeterHosts hosts = JMeterHosts.of(options);
        if (!hosts.areLocal() && !options.isGiven("target.url")) {
            throw new UsageException(
                    "-Djmeter.hosts: other machines do not reach a server on this one's loopback: start"
                            + " the application where they do, and give -Dtarget.url=… and -Dtarget.allow-remote=true");
        }
        JMeter jmeter = JMeter.of(module, options);
        JMeterRun.preflight(jmeter, hosts);
        Target target = Target.open(options, folder, module.resolve("target/jmeter"), load);
        Path results = target.folder().toAbsolutePath();
        JMeterRun run = new JMeterRun(jmeter, load, hosts, new Watched(target), results, JMeterCommand::say);
        String end = "failed";
        try {
            say(target.description());
            run.run(module.resolve(PLAN));
            end = "stopped";
        } catch (LoadException e) {
            end = "failed: " + e.getMessage();
            throw e;
        } finally {
            // On other hosts the warm-up cannot be seen.
            if (hosts.isEmpty()) {
                noteWarmUp(run, target, load);
            }
            target.close(end);
            Path log = results.resolve(JMeterRun.RESULTS);
            if (Files.exists(log)) {
                RunFigures figures = RunFigures.keep(log);
                System.out.print(figures.text());
                figures.marks().forEach(mark -> say(mark.line()));
            }
            Path kept = run.isComplete() ? results : incomplete(results);
            Path page = kept.resolve(RunFigures.PAGE);
            say(Files.exists(page) ? "page: " + page.toUri() : "results: " + kept);
        }
    }

    /** Puts a mark where nobody who opens the dashboard can miss it: into its path. */
    private static Path incomplete(Path results) {
        try {
            return Files.move(results, results.resolveSibling(results.getFileName() + "-INCOMPLETE"));
        } catch (IOException e) {
            return results;
        }
    }

    private static void noteWarmUp(JMeterRun run, Target target, LoadPlan load) {
        JMeterRun.WarmUp seen = run.warmUp();
        if (!load.warmUp().isWanted()) {
            target.warmedUp(new WarmUp.Outcome(false, WarmUp.NOT_WANTED, 0, List.of()));
            return;
        }
        String reason = seen.settled() ? WarmUp.SETTLED : WarmUp.notSettled(load.warmUp());
        target.warmedUp(new WarmUp.Outcome(
                seen.settled(),
                reason,
                seen.seconds(),
                seen.bursts().stream()
                        .map(burst -> new WarmUp.Burst(burst.requestsPerSecond(), burst.jitPercent()))
                        .toList()));
    }

    /** A target as the load generator sees it. */
    private record Watched(Target target) implements JMeterRun.Server {

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
            return target.jitMillis();
        }

        @Override
        public void loadedBy(ProcessHandle generator) {
            target.watchGenerator(generator);
        }
    }

    // ---- serve ----

    private void serve() {
        Map<String, String> defaults = new TreeMap<>(folder.loadDefaults());
        defaults.put("target.port", SERVE_PORT);
        Map<String, String> given = new TreeMap<>();
        System.getProperties().stringPropertyNames().forEach(name -> given.put(name, System.getProperty(name)));
        given.putIfAbsent("target.port", SERVE_PORT);
        Options serving = new Options(given, defaults);
        if (serving.isGiven("target.url")) {
            throw new UsageException("-Dtarget.url is a server that runs already: there is nothing to start");
        }
        Target target = Target.open(
                serving,
                folder,
                module.resolve("target/serve"),
                LoadPlan.of(Options.ofSystemProperties(folder), folder));
        Thread end = new Thread(() -> target.close("stopped"));
        Runtime.getRuntime().addShutdownHook(end);
        say(target.description());
        say(target.url() + " answers; Ctrl-C stops it");
        while (target.death().isEmpty()) {
            sleep();
        }
        // On Ctrl-C the whole process group is told, the server too: then this JVM is on its way out as well.
        sleep();
        target.close("died");
        throw new LoadException("the server has ended: " + target.death().orElseThrow() + "; see "
                + target.folder().resolve("server.log"));
    }

    private static void sleep() {
        try {
            Thread.sleep(500);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LoadException("interrupted");
        }
    }

    // ---- gui and server ----

    private void gui() {
        requireDisplay();
        List<String> names = List.of("tiers", "workloads", "loops", "hold", "rampup", "warmup");
        boolean asItIs = names.stream().noneMatch(options::isGiven);
        URI url =
                options.isGiven("target.url") ? Target.address(options) : URI.create("http://127.0.0.1:" + SERVE_PORT);
        JMeterDesk desk = new JMeterDesk(JMeter.of(module, options), module.resolve("target/gui"));
        desk.gui(
                module.resolve(PLAN),
                url,
                asItIs ? Optional.empty() : Optional.of(LoadPlan.of(options, folder)),
                Optional.empty());
    }

    /** A display that is named but does not answer is found only by asking it. */
    private static void requireDisplay() {
        try {
            GraphicsEnvironment.getLocalGraphicsEnvironment().getDefaultScreenDevice();
        } catch (HeadlessException | AWTError | LinkageError e) {
            throw new UsageException(
                    "no display for JMeter's GUI (DISPLAY="
                            + Optional.ofNullable(System.getenv("DISPLAY")).orElse("")
                            + "): run this in a desktop session, with a JDK that is not headless; mvn -Pjmeter verify needs none");
        }
    }

    private void server() {
        String host = options.text("jmeter.server.host").orElse("127.0.0.1");
        JMeterHosts.requireAllowed("jmeter.server.host", host, options);
        int port = options.isGiven("jmeter.server.port")
                ? options.integer("jmeter.server.port", 1, 65_535)
                : JMeterHosts.DEFAULT_PORT;
        new JMeterDesk(JMeter.of(module, options), module.resolve("target/jmeter-server")).server(host, port);
    }
}
