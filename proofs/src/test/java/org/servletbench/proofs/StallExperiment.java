package org.servletbench.proofs;

import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.RawLog;
import org.servletbench.bench.load.ToolWatch;
import org.servletbench.bench.load.gatling.Gatling;
import org.servletbench.bench.load.jmeter.JMeterGenerator;
import org.servletbench.bench.load.jmeter.JMeterHosts;
import org.servletbench.bench.load.jmeter.JMeterRun;
import org.servletbench.bench.measure.Latency;
import org.servletbench.bench.model.LoadModel;
import org.servletbench.bench.model.LoadPlan;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.record.Arm.Role;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.server.CodeWatch;
import org.servletbench.bench.server.Target;

/** A server that freezes: the open model shows it in its percentiles, the closed model hides it. */
record StallExperiment(ProofLab lab) {

    private static final long STALL_MS = 2000;

    /** Freezes the server for 2 s out of 20, at 100 requests/s in the open model, and in the closed model. */
    List<Finding> run() {
        lab.say("stall: gatling");
        List<Finding> findings = new ArrayList<>();
        try {
            CampaignFolder open = stalled("stall-open", 0, 100);
            double p99 = seconds(open, Metric.P99);
            findings.addAll(open(Gatling.NAME, seconds(open, Metric.P95), p99));
            double closed = seconds(stalled("stall-closed", Experiments.USERS, 0), Metric.P99);
            findings.add(Finding.of(
                            "stall",
                            "gatling, closed, p99",
                            "far below: each user asks once",
                            text("%.3f s", closed),
                            "",
                            closed < p99 / 10)
                    .withNote("what coordinated omission hides: the same stall, seen by users who wait"));
        } catch (TargetException | LoadException e) {
            findings.add(Experiments.failed("stall", Gatling.NAME, e));
        }
        lab.say("stall: jmeter");
        try {
            findings.addAll(underJMeter());
        } catch (IOException | TargetException | LoadException e) {
            findings.add(Experiments.failed("stall", JMeterGenerator.NAME, e));
        }
        return findings;
    }

    private CampaignFolder stalled(String name, int users, double rate) {
        ProofLab.Recipe recipe = new ProofLab.Recipe(name)
                .arm(lab.arm("undertow", "stalled", Role.BASELINE), "")
                .load(users, rate, Gatling.NAME);
        recipe.windowSeconds = 20;
        return lab.run(recipe, new Staller(lab, name));
    }

    private static double seconds(CampaignFolder read, Metric metric) {
        MeasuredLoad load = read.campaign().plan().loads().get(0);
        return Experiments.figure(read, "stalled", load, metric) / 1000;
    }

    private static List<Finding> open(String generator, double p95, double p99) {
        return List.of(
                Finding.of(
                        "stall",
                        generator + ", open, p95",
                        "1.0 s",
                        text("%.2f s", p95),
                        "0.8 to 1.2 s",
                        p95 >= 0.8 && p95 <= 1.2),
                Finding.of(
                        "stall",
                        generator + ", open, p99",
                        "1.8 s",
                        text("%.2f s", p99),
                        "1.6 to 2.0 s",
                        p99 >= 1.6 && p99 <= 2.0));
    }

    /** Runs the same stall under JMeter's open model. Only the first seconds warm up the server. */
    private List<Finding> underJMeter() throws IOException {
        Path folder = Files.createDirectories(ProofLab.free(lab.folder(), "stall-jmeter"));
        Target target = lab.server("undertow", folder.resolve("server"));
        try {
            Staller.start(() -> Staller.stall(target.pids().get(0), 12_000, lab::say));
            LoadPlan load = new LoadPlan(
                    lab.hello(),
                    new LoadModel.Open(100, Duration.ofSeconds(20)),
                    lab.usual().profile().warmUp().within(Duration.ZERO),
                    100);
            new JMeterRun(
                            lab.jmeter(),
                            load,
                            new JMeterHosts(List.of()),
                            new JMeterRun.Server(
                                    target.url(),
                                    target.description(),
                                    ToolWatch.of(target),
                                    OptionalInt::empty,
                                    Optional::empty,
                                    Optional.of(new CodeWatch(target))),
                            folder,
                            lab::say)
                    .run(lab.repository().resolve("jmeter-plans/tiers.jmx"));
            Path log = folder.resolve(JMeterRun.RESULTS);
            Latency latency = RawLog.of(log).measure().loads().get(0).steady().latency();
            return open(JMeterGenerator.NAME, latency.p95() / 1000, latency.p99() / 1000);
        } finally {
            target.close();
        }
    }

    /** Suspends the server's process in the middle of its window, and resumes it. */
    private static final class Staller extends ProofLab.Quiet {
        private final Path folder;

        Staller(ProofLab lab, String name) {
            lab.super();
            folder = lab.folder().resolve(name);
        }

        @Override
        public void loadBegins(int block, String arm) {
            start(this::stall);
        }

        static void start(Runnable stall) {
            Thread thread = new Thread(stall, "servlet-bench-stall");
            thread.setDaemon(true);
            thread.start();
        }

        private void stall() {
            try {
                stall(ProofLab.server(folder).orElseThrow().pid(), 8000, this::say);
            } catch (IOException e) {
                say("the server could not be stalled: " + e.getMessage());
            }
        }

        static void stall(long pid, long afterMs, Consumer<String> say) {
            try {
                Thread.sleep(afterMs);
                signal("-STOP", Long.toString(pid));
                try {
                    Thread.sleep(STALL_MS);
                } finally {
                    signal("-CONT", Long.toString(pid));
                }
            } catch (IOException e) {
                say.accept("the server could not be stalled: " + e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private static void signal(String name, String pid) throws IOException, InterruptedException {
            new ProcessBuilder("kill", name, pid).start().waitFor(60, TimeUnit.SECONDS);
        }
    }
}
