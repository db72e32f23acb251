package org.servletbench.bench.cli;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.host.Machines;
import org.servletbench.bench.load.jmeter.JMeter;
import org.servletbench.bench.load.jmeter.JMeterHosts;
import org.servletbench.bench.load.jmeter.PlanTargets;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.LoadModel;
import org.servletbench.bench.model.LoadModel.Amount;
import org.servletbench.bench.model.LoadModel.Closed;
import org.servletbench.bench.model.LoadModel.Hold;
import org.servletbench.bench.model.LoadModel.Loops;
import org.servletbench.bench.model.LoadModel.Open;
import org.servletbench.bench.model.LoadPlan;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Size;
import org.servletbench.bench.model.Slo;
import org.servletbench.bench.model.ThreadingMode;
import org.servletbench.bench.model.Threads;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.TargetRequest;
import org.servletbench.bench.server.process.Jdk;
import org.servletbench.bench.server.process.TargetSpec;

/**
 * Turns the options of a single run into records that describe its load, its server and JMeter. Each method throws a
 * {@link UsageException} if a value is not understood, or if two contradict each other.
 */
public record RunOptions(Options options, ProfilesFolder folder) {

    private static final int LAST_PORT = 65_535;
    private static final String TARGET_URL = "target.url";
    private static final String TARGET_PORT = "target.port";
    private static final String ALLOW_REMOTE = "target.allow-remote";

    /** Returns the load. */
    public LoadPlan load() {
        return new LoadPlan(
                workloads(), model(), WarmUpPlan.of(options, options.duration("warmup")), maxFailedPercent());
    }

    /** Returns the objective; empty if none was given. */
    public Optional<Slo> objective() {
        return options.text("slo").map(text -> Slo.parse("-Dslo", text));
    }

    /** If an objective limits errors, that limit is checked separately, without the ramps. */
    private double maxFailedPercent() {
        double percent = options.decimal("failed.max.percent", 0, 100);
        if (objective().filter(Slo::limitsErrors).isEmpty()) {
            return percent;
        }
        refuse("failed.max.percent", "errors<… of -Dslo is the limit of failed requests");
        return 100;
    }

    private List<Workload> workloads() {
        Workload.Asked asked = new Workload.Asked(
                options.isGiven("workloads")
                        ? options.requireDistinct("workloads", options.names("workloads"))
                        : folder.usualWorkloads(),
                options.isGiven(Workload.DELAY) ? Optional.of(options.time(Workload.DELAY)) : Optional.empty(),
                database());
        return Workload.chosen(asked, folder.allWorkloads(), " (profiles/workloads.properties)");
    }

    private Optional<String> database() {
        return options.text(Workload.DATABASE);
    }

    private LoadModel model() {
        String model = options.text("model").orElse("closed");
        return switch (model) {
            case "closed" -> {
                refuse("rate", "the closed model has no rate: add -Dmodel=open, or ask for -Dusers=…");
                yield closed();
            }
            case "open" -> {
                refuse("users", "the open model has no users: it sends -Drate=… requests/s");
                refuse("loops", "the open model has no loops: it sends -Drate=… requests/s for -Dhold=…");
                if (!options.isGiven("rate")) {
                    throw new UsageException("-Dmodel=open needs a rate in requests/s, such as -Drate=200");
                }
                double rate = options.decimal("rate", 0.1, 1_000_000);
                if (!Load.canName(rate)) {
                    throw new UsageException(
                            "-Drate=" + rate + ": logs name the rate with at most 9 decimals; round it");
                }
                yield new Open(rate, options.positive("hold"));
            }
            default -> throw new UsageException("-Dmodel=" + model + " is not understood: give closed or open");
        };
    }

    private Closed closed() {
        List<Integer> users = options.requireDistinct("users", options.integers("users", 1, LoadPlan.MAX_USERS));
        Duration rampUp = options.positive("rampup");
        if (rampUp.compareTo(Duration.ofSeconds(1)) < 0) {
            // With a shorter ramp, Gatling would never start a user, and never end.
            throw new UsageException("-Drampup: give at least 1s: Gatling starts users second by second");
        }
        return new Closed(users, rampUp, amount(users.size()));
    }

    private Amount amount(int users) {
        if (!options.isGiven("loops")) {
            return new Hold(options.positive("hold"));
        }
        refuse("hold", "-Dloops ends a load by requests and -Dhold by time: give one of them");
        List<Integer> loops = options.integers("loops", 1, 1_000_000_000);
        if (loops.size() == 1) {
            return new Loops(Collections.nCopies(users, loops.get(0)));
        }
        if (loops.size() != users) {
            throw new UsageException("-Dloops has " + loops.size() + " values for " + users
                    + " users: give one for all, or one for each");
        }
        return new Loops(loops);
    }

    private void refuse(String name, String why) {
        if (options.isGiven(name)) {
            throw new UsageException("-D" + name + " cannot be used here: " + why);
        }
    }

    /** Returns the machines on which server and load run. */
    public Machines machines() {
        return Machines.of(options.all());
    }

    /** Returns the server to load: one that the build made, or one that is already running. */
    public TargetRequest target() {
        boolean running = options.isGiven(TARGET_URL);
        if (machines().target().isPresent() && (running || options.isGiven("jdk"))) {
            throw new UsageException(
                    "-Dtarget.host starts a server on another machine, on the JDK there (-Dhost.jdk): leave out"
                            + " -Dtarget.url and -Djdk");
        }
        if (!running) {
            return new TargetRequest.ToStart(server());
        }
        if (options.isGiven(TARGET_PORT)) {
            throw new UsageException("-Dtarget.port is for a server that we start: with -Dtarget.url leave it out");
        }
        return new TargetRequest.Running(address());
    }

    /** Returns the address of a running server, after checking that load may be sent to it. */
    public URI address() {
        return Target.address(options.required(TARGET_URL), options.flag(ALLOW_REMOTE));
    }

    /** Returns the server that the build made. */
    public TargetSpec server() {
        String settings = options.required("settings");
        String line = options.required("bench.line");
        Threads threads = Threads.of(options.text(Threads.OPTION).orElse(Threads.PLATFORM.key()));
        Jdk jdk = Jdk.of(options.isGiven("jdk") ? options.names("jdk") : List.of());
        threads.requirePossible("-Dthreads=virtual", line, jdk.feature(), jdk.describe());
        return new TargetSpec(
                new TargetSpec.Application(
                        Path.of(options.required("bench.jar")),
                        folder.container(options.required("bench.profile")),
                        line,
                        options.required("bench.boot.version"),
                        options.required("bench.container.version"),
                        Optional.empty()),
                new TargetSpec.Start(
                        jdk,
                        options.isGiven("jvm.options")
                                ? JvmOptions.read(Path.of(options.required("jvm.options")))
                                : folder.jvmOptions(),
                        settings,
                        folder.settings(settings),
                        TargetSpec.database(database())),
                new TargetSpec.Endpoint(
                        TargetSpec.LOOPBACK,
                        options.isGiven(TARGET_PORT)
                                ? OptionalInt.of(options.integer(TARGET_PORT, 1, LAST_PORT))
                                : OptionalInt.empty(),
                        options.duration("target.start-timeout"),
                        TargetSpec.READY_PATH),
                new ThreadingMode(threads, false, 0),
                ArmSpec.USUAL);
    }

    /**
     * Returns JMeter as the build installed it.
     *
     * @param module folder of the module with JMeter
     */
    public JMeter jmeter(Path module) {
        return JMeter.of(
                module,
                new JMeter.Asked(
                        options.required("jmeter.version"),
                        new Size(options.required("generator.heap")),
                        options.text("jmeter.keystore").map(Path::of),
                        options.text("jmeter.keystore.password")));
    }

    /** Returns the hosts on which JMeter runs; empty if it runs on this machine. */
    public JMeterHosts jmeterHosts() {
        return JMeterHosts.of(
                options.isGiven("jmeter.hosts") ? options.names("jmeter.hosts") : List.of(),
                options.flag(ALLOW_REMOTE));
    }

    /** Returns the hosts to which a user's own plan may connect. */
    public PlanTargets planTargets() {
        if (!options.isGiven(PlanTargets.OPTION)) {
            return PlanTargets.of(List.of());
        }
        if (!options.isGiven("jmeter.plan")) {
            throw new UsageException("-D" + PlanTargets.OPTION + " is for a plan of your own (-Djmeter.plan)");
        }
        return PlanTargets.of(options.names(PlanTargets.OPTION));
    }
}
