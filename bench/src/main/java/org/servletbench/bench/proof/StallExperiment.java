package org.servletbench.bench.proof;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.RawLog;
import org.servletbench.bench.load.gatling.Gatling;
import org.servletbench.bench.load.jmeter.JMeterGenerator;
import org.servletbench.bench.load.jmeter.JMeterOpenRun;
import org.servletbench.bench.measure.Latency;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.record.Arm.Role;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Metric;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.TargetException;

/** A server that stands still: the open model shows it in its percentiles, and the closed model hides it. */
final class StallExperiment {

    private static final long STALL_MS = 2000;

    private final ProofLab lab;

    StallExperiment(ProofLab lab) {
        this.lab = lab;
    }

    /** The server stands still for 2 s of 20 at 100 requests/s in the open model; the closed model hides it. */
    List<Finding> run() {
        lab.say("stall: gatling");
        ProofLab.Recipe open = new ProofLab.Recipe("stall-open")
                .arm(lab.arm("undertow", "stalled", Role.BASELINE), "")
                .cell(0, 100, Gatling.NAME);
        open.windowSeconds = 20;
        ProofLab.Recipe closed = new ProofLab.Recipe("stall-closed")
                .arm(lab.arm("undertow", "stalled", Role.BASELINE), "")
                .cell(Experiments.USERS, 0, Gatling.NAME);
        closed.windowSeconds = 20;
        List<Finding> findings = new ArrayList<>();
        try {
            CampaignFolder read = lab.run(open, new Staller(lab, open.name));
            double p95 = Experiments.figure(read, "stalled", open.cells.get(0), Metric.P95) / 1000;
            double p99 = Experiments.figure(read, "stalled", open.cells.get(0), Metric.P99) / 1000;
            findings.add(Finding.of(
                    "stall",
                    "gatling, open, p95",
                    "1.0 s",
                    Experiments.text("%.2f s", p95),
                    "0.8 to 1.2 s",
                    p95 >= 0.8 && p95 <= 1.2));
            findings.add(Finding.of(
                    "stall",
                    "gatling, open, p99",
                    "1.8 s",
                    Experiments.text("%.2f s", p99),
                    "1.6 to 2.0 s",
                    p99 >= 1.6 && p99 <= 2.0));
            CampaignFolder hidden = lab.run(closed, new Staller(lab, closed.name));
            double closed99 = Experiments.figure(hidden, "stalled", closed.cells.get(0), Metric.P99) / 1000;
            findings.add(Finding.of(
                            "stall",
                            "gatling, closed, p99",
                            "far below: each user asks once",
                            Experiments.text("%.3f s", closed99),
                            "",
                            closed99 < p99 / 10)
                    .withNote("what coordinated omission hides: the same stall, seen by users who wait"));
        } catch (TargetException | LoadException e) {
            findings.add(Experiments.failed("stall", Gatling.NAME, e));
        }
        findings.addAll(stallUnderJMeter());
        return findings;
    }

    /** The same stall under JMeter's open model; the server is warmed up by nothing but the first seconds. */
    private List<Finding> stallUnderJMeter() {
        lab.say("stall: jmeter");
        Path folder = lab.folder().resolve("stall-jmeter");
        try {
            Files.createDirectories(folder);
            Target target = lab.server("undertow", folder.resolve("server"));
            try {
                Thread stall =
                        new Thread(() -> Staller.stall(target.pids().get(0), 12_000, lab::say), "servlet-bench-stall");
                stall.setDaemon(true);
                stall.start();
                Path log = JMeterOpenRun.run(lab.jmeter(), target.url().resolve("/hello"), 100, 20, folder);
                Latency latency = RawLog.measure(log).cells().get(0).steady().latency();
                return List.of(
                        Finding.of(
                                "stall",
                                "jmeter, open, p95",
                                "1.0 s",
                                Experiments.text("%.2f s", latency.p95() / 1000),
                                "0.8 to 1.2 s",
                                latency.p95() >= 800 && latency.p95() <= 1200),
                        Finding.of(
                                "stall",
                                "jmeter, open, p99",
                                "1.8 s",
                                Experiments.text("%.2f s", latency.p99() / 1000),
                                "1.6 to 2.0 s",
                                latency.p99() >= 1600 && latency.p99() <= 2000));
            } finally {
                target.close();
            }
        } catch (IOException e) {
            return List.of(Experiments.failed("stall", JMeterGenerator.NAME, new LoadException(e.getMessage())));
        } catch (TargetException | LoadException e) {
            return List.of(Experiments.failed("stall", JMeterGenerator.NAME, e));
        }
    }

    /** Stops the server's process in the middle of its window, and lets it go on. */
    private static final class Staller extends ProofLab.Quiet {
        private final Path folder;
        private boolean begun;

        Staller(ProofLab lab, String name) {
            lab.super();
            folder = lab.folder().resolve(name);
        }

        @Override
        public synchronized void phase(int block, String arm, String phase) {
            if (!begun && phase.startsWith("measure hello")) {
                begun = true;
                Thread thread = new Thread(this::stall, "servlet-bench-stall");
                thread.setDaemon(true);
                thread.start();
            }
        }

        private void stall() {
            try (Stream<Path> files = Files.walk(folder)) {
                Path server = files.filter(file -> file.endsWith("server.json"))
                        .findFirst()
                        .orElseThrow();
                String pid = Json.MAPPER.readTree(server.toFile()).get("pid").asText();
                stall(Long.parseLong(pid), 8000, this::say);
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
            new ProcessBuilder("kill", name, pid).start().waitFor(5, TimeUnit.SECONDS);
        }
    }
}
