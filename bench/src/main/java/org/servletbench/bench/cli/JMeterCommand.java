package org.servletbench.bench.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.servletbench.bench.campaign.Machine;
import org.servletbench.bench.host.RemoteTarget;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.ToolWatch;
import org.servletbench.bench.load.jmeter.JMeter;
import org.servletbench.bench.load.jmeter.JMeterDesk;
import org.servletbench.bench.load.jmeter.JMeterHosts;
import org.servletbench.bench.load.jmeter.JMeterPlan;
import org.servletbench.bench.load.jmeter.JMeterRun;
import org.servletbench.bench.load.jmeter.PlanTargets;
import org.servletbench.bench.model.LoadPlan;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Slo;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.server.CodeWatch;
import org.servletbench.bench.server.Target;
import picocli.CommandLine.Command;

/**
 * Entry point of {@code mvn -Pjmeter verify} and similar builds. Its options are Maven's {@code -D} properties, the
 * same as those of gatling:test.
 */
@Command(
        name = "jmeter",
        description =
                "Runs behind mvn -Pjmeter verify and its sisters. Only Maven can start it, because its properties are the options.",
        hidden = true)
public final class JMeterCommand extends BenchCommand {

    private static final String PLAN = "tiers.jmx";
    private static final String SERVE_PORT = "8080";

    /** Options of the load; a user's own plan defines its own. */
    private static final List<String> OF_LOAD = List.of(
            "users", "workloads", "loops", "hold", "rampup", "model", "rate", "delay", "db.url", "jmeter.hosts");

    private Path module;
    private ProfilesFolder folder;
    private Options options;

    private void read() {
        BeforeTheBuild.unfit().ifPresent(UsageException::raise);
        module = Repository.root(null).resolve("jmeter-plans");
        folder = new ProfilesFolder(module.resolveSibling("profiles"));
        options = SingleRun.options(
                folder,
                Optional.ofNullable(System.getProperty("jmeter.plan"))
                        .filter(plan -> !plan.isBlank())
                        .map(plan -> propertiesOf(Path.of(plan.strip())))
                        .orElse(Set.of()));
    }

    private RunOptions asked(Options given) {
        return new RunOptions(given, folder);
    }

    private void say(String line) {
        console().println(line);
    }

    @Command(description = "starts the server, runs JMeter, stops the server and makes the dashboard")
    void run() {
        read();
        Optional<Path> own = options.text("jmeter.plan").map(Path::of);
        RunOptions asked = asked(options);
        LoadPlan load = own.isPresent() ? asked(withoutLoad(own.get())).load() : asked.load();
        Optional<JMeterPlan> ownPlan = own.map(file -> JMeterPlan.own(file, load));
        Optional<Slo> slo = asked.objective();
        boolean missed = false;
        JMeterHosts hosts = asked.jmeterHosts();
        PlanTargets more = asked.planTargets();
        if (!hosts.areLocal() && !options.isGiven("target.url") && !options.isGiven("target.host")) {
            throw new UsageException(
                    "-Djmeter.hosts: other machines cannot reach a server on this one's loopback: start"
                            + " the application where they can, and give -Dtarget.url=… and -Dtarget.allow-remote=true");
        }
        JMeter jmeter = asked.jmeter(module);
        own.ifPresent(plan -> PlanTargets.requireJdk());
        ownPlan.ifPresentOrElse(
                plan -> plan.requireElements(jmeter), () -> JMeterPlan.check(module.resolve(PLAN), load, hosts));
        JMeterRun.preflight(jmeter, hosts);
        Target target = RemoteTarget.open(asked.machines(), asked.target(), module.resolve("target/jmeter"), load);
        Path results = target.folder().toAbsolutePath();
        JMeterRun.Server server = new JMeterRun.Server(
                target.url(),
                target.description(),
                ToolWatch.of(target),
                target::compilerBacklog,
                target::compilerTime,
                Optional.of(new CodeWatch(target)));
        JMeterRun run = new JMeterRun(jmeter, load, hosts, server, results, this::say);
        String end = "failed";
        try {
            say(target.description());
            target.note("machine", Machine.facts());
            if (ownPlan.isPresent()) {
                target.note("jmeter.plan", own.get().getFileName().toString());
                run.run(ownPlan.get(), more);
            } else {
                load.announcement(LocalTime.now()).ifPresent(this::say);
                run.run(module.resolve(PLAN));
            }
            end = "stopped";
        } catch (LoadException e) {
            end = "failed: " + e.getMessage();
            throw e;
        } finally {
            // The warm-up cannot be observed on other hosts, or in a user's own plan.
            if (hosts.isEmpty() && own.isEmpty()) {
                target.warmedUp(run.warmUp());
            }
            target.close(end);
            Path log = results.resolve(JMeterRun.RESULTS);
            if (Files.exists(log)) {
                RunFigures figures = RunFigures.keep(log);
                figures.completeLine(results.resolve("dashboard/index.html"));
                console().print(figures.text());
                figures.warnings().forEach(warning -> say(warning.line()));
                missed = run.isComplete() && slo.isPresent() && figures.misses(slo.get(), this::say);
            }
            Path kept = run.isComplete() ? results : incomplete(results);
            Path page = kept.resolve(RunFigures.PAGE);
            say(Files.exists(page) ? "page: " + page.toUri() : "results: " + kept);
        }
        if (missed) {
            throw new LoadException("the objective (-Dslo) is not met, see above");
        }
    }

    /** Rejects an objective when people apply the load, because nothing is evaluated then. */
    private void refuseSlo() {
        if (options.isGiven("slo")) {
            throw new UsageException("-Dslo is for mvn -Pjmeter verify and gatling:test: nothing is measured here");
        }
    }

    /**
     * Rejects options of the load with a user's own plan, where they have no effect. Properties that the plan itself
     * reads are allowed.
     */
    private Options withoutLoad(Path plan) {
        JMeterPlan.requireUnits(text(plan), ProfilesFolder.asMap(System.getProperties()));
        OF_LOAD.stream().filter(options::isGiven).findFirst().ifPresent(name -> {
            throw new UsageException("-D" + name + " cannot be used here: the load is that of -Djmeter.plan");
        });
        options.all().keySet().stream()
                .filter(name -> name.startsWith("warmup") && options.isGiven(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new UsageException(
                            "-D" + name
                                    + " cannot be used here: the plan of -Djmeter.plan warms the server up itself, in a setUp Thread Group");
                });
        return options.orElse(Map.of("users", "1", "warmup", "0s"));
    }

    private static Set<String> propertiesOf(Path plan) {
        return JMeterPlan.properties(text(plan));
    }

    /** Returns the text of a plan; empty if it cannot be read, which the reader of plans reports. */
    private static String text(Path plan) {
        try {
            return Files.readString(plan);
        } catch (IOException e) {
            return "";
        }
    }

    /** Marks the folder as incomplete, so that everyone who opens the dashboard sees it in the path. */
    private static Path incomplete(Path results) {
        try {
            return Files.move(results, results.resolveSibling(results.getFileName() + "-INCOMPLETE"));
        } catch (IOException e) {
            return results;
        }
    }

    @Command(description = "starts the server alone, until Ctrl-C")
    void serve() throws InterruptedException {
        read();
        refuseSlo();
        if (options.isGiven("target.url")) {
            throw new UsageException("-Dtarget.url is a server that runs already: there is nothing to start");
        }
        // A server with a database is loaded with queries, by another program.
        Options served = options.isGiven("db.url") ? options.orElse(Map.of("workloads", "query")) : options;
        RunOptions asked = asked(served.orElse(Map.of("target.port", SERVE_PORT)));
        Target target =
                RemoteTarget.open(asked.machines(), asked.target(), module.resolve("target/serve"), asked.load());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> target.close("stopped")));
        say(target.description());
        say(target.url() + " answers; Ctrl-C stops it");
        while (target.death().isEmpty()) {
            Thread.sleep(500);
        }
        // Ctrl-C goes to the whole process group, so the server may have ended because of it. This JVM is about to
        // exit, too.
        Thread.sleep(500);
        target.close("died");
        throw new LoadException("the server has ended: " + target.death().orElseThrow() + "; see "
                + target.folder().resolve("server.log"));
    }

    @Command(description = "opens JMeter's GUI with the plan")
    void gui() {
        read();
        refuseSlo();
        if (!DoctorReadings.display()) {
            throw new UsageException(
                    "no display for JMeter's GUI (DISPLAY="
                            + Optional.ofNullable(System.getenv("DISPLAY")).orElse("")
                            + "): run this in a desktop session, with a JDK that is not headless; mvn -Pjmeter verify needs none");
        }
        if (options.isGiven("jmeter.hosts")) {
            throw new UsageException(
                    "-Djmeter.hosts is for mvn -Pjmeter verify: the GUI runs its plan on this machine");
        }
        boolean asItIs = options.all().keySet().stream()
                .filter(name -> OF_LOAD.contains(name) || name.startsWith("warmup"))
                .noneMatch(options::isGiven);
        Options served = options.orElse(Map.of("target.port", SERVE_PORT));
        URI url = options.isGiven("target.url")
                ? asked(options).address()
                : URI.create("http://127.0.0.1:" + served.integer("target.port", 1, 65_535));
        new JMeterDesk(asked(options).jmeter(module), module.resolve("target/gui"))
                .gui(
                        module.resolve(PLAN),
                        url,
                        asItIs ? Optional.empty() : Optional.of(asked(options).load()),
                        Optional.empty());
    }

    @Command(description = "runs a JMeter server for other hosts, until Ctrl-C")
    void server() {
        read();
        refuseSlo();
        String host = options.text("jmeter.server.host").orElse("127.0.0.1");
        JMeterHosts.requireAllowed("jmeter.server.host", host, options.flag("target.allow-remote"));
        int port = options.isGiven("jmeter.server.port")
                ? options.integer("jmeter.server.port", 1, 65_535)
                : JMeterHosts.DEFAULT_PORT;
        new JMeterDesk(asked(options).jmeter(module), module.resolve("target/jmeter-server")).server(host, port);
    }
}
