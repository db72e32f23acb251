package org.servletbench.proofs;

import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.servletbench.bench.load.Generator;
import org.servletbench.bench.load.Generators;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.gatling.Gatling;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.MeasurementQuality;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Arm.Role;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.server.process.NginxSpec;

/** The short experiments. */
final class Experiments {

    private static final double DELAY_MS = 20;
    private static final double DELAY_WITHIN_MS = 1;
    private static final int FAIL_EVERY = 100;
    static final int USERS = 10;
    private static final int[] MARKED_USERS = {40, 60, 80, 100, 120};
    private static final int DELAY_USERS = 2;
    /** JVM options of servers without load. */
    private static final String SMALL_HEAP = "-Xms128m -Xmx128m -Xmn32m";

    private final ProofLab lab;

    Experiments(ProofLab lab) {
        this.lab = lab;
    }

    /** Returns one finding for each generator. If one is missing, the finding says what to install. */
    private List<Finding> each(
            String experiment, Function<String, Optional<String>> skipped, Function<String, Finding> run) {
        List<Finding> findings = new ArrayList<>();
        for (Generator generator : Generators.all()) {
            String name = generator.name();
            Optional<String> why = generator.notInstalled().or(() -> skipped.apply(name));
            if (why.isPresent()) {
                findings.add(Finding.skipped(experiment, name, why.get()));
                continue;
            }
            lab.say(experiment + ": " + name);
            try {
                findings.add(run.apply(name));
            } catch (TargetException | LoadException e) {
                findings.add(failed(experiment, name, e));
            }
        }
        return findings;
    }

    private static Optional<LoadFigures> load(CampaignFolder read, String arm, MeasuredLoad load) {
        return read.serverRuns().stream()
                .filter(serverRun -> serverRun.arm().equals(arm) && serverRun.measured())
                .flatMap(serverRun -> serverRun.loads().stream())
                .filter(result -> result.load().equals(load))
                .findFirst();
    }

    static double figure(CampaignFolder read, String arm, MeasuredLoad load, Metric metric) {
        return load(read, arm, load)
                .map(result -> result.figure(metric).orElse(Double.NaN))
                .orElse(Double.NaN);
    }

    // ---- injected delay ----

    /** Adds 20 ms to each request: every generator but wrk must report a mean that is 20 ms higher, within 1 ms. */
    List<Finding> delay() {
        return each(
                "delay",
                generator -> MeasurementQuality.of(generator)
                        .filter(fidelity -> !fidelity.latencyMeasured())
                        .map(fidelity -> "it adds samples that were not measured: its response times are not used"),
                this::delay);
    }

    private Finding delay(String generator) {
        ProofLab.Recipe recipe = new ProofLab.Recipe("delay-" + generator)
                .arm(lab.arm("undertow", "plain", Role.BASELINE), "")
                .arm(lab.arm("undertow", "delayed", Role.ARM), "-Dproof.delay=" + (int) DELAY_MS + "ms")
                .load(DELAY_USERS, 0, generator);
        // With few users and warm servers, the mean without the delay is far below the delay, and so is its noise.
        recipe.warmUpSeconds = 12;
        recipe.windowSeconds = 5;
        CampaignFolder read = lab.run(recipe);
        double plain = figure(read, "plain", recipe.loads.get(0), Metric.MEAN);
        double delayed = figure(read, "delayed", recipe.loads.get(0), Metric.MEAN);
        double moved = delayed - plain;
        return Finding.of(
                "delay",
                generator,
                text("mean + %.0f ms", DELAY_MS),
                text("%.2f ms - %.2f ms = %.2f ms", delayed, plain, moved),
                text("%.0f to %.0f ms", DELAY_MS - DELAY_WITHIN_MS, DELAY_MS + DELAY_WITHIN_MS),
                Math.abs(moved - DELAY_MS) <= DELAY_WITHIN_MS);
    }

    static Finding failed(String experiment, String subject, Exception e) {
        return Finding.of(experiment, subject, "", "", "", false).withNote(e.getMessage());
    }

    // ---- errors ----

    /**
     * Fails every hundredth request: every generator must count the failures, except for those at both ends of the
     * window.
     */
    List<Finding> errors() {
        return each("errors", generator -> Optional.empty(), this::errors);
    }

    private Finding errors(String generator) {
        ProofLab.Recipe recipe = new ProofLab.Recipe("errors-" + generator)
                .arm(lab.arm("jetty", "failing", Role.BASELINE), "-Dproof.fail.every=" + FAIL_EVERY)
                .load(USERS, 0, generator);
        recipe.generatorWarmUp = false;
        recipe.warmUpSeconds = 0;
        LoadFigures result = load(lab.run(recipe), "failing", recipe.loads.get(0))
                .orElseThrow(() -> new LoadException("nothing was measured"));
        double expected = (double) result.requests() / FAIL_EVERY;
        // A window may start and end between two failures, where up to USERS requests overtake each other.
        double slack = 1 + (double) USERS / FAIL_EVERY;
        return Finding.of(
                "errors",
                generator,
                text("1 of %d: %.2f of %d", FAIL_EVERY, expected, result.requests()),
                result.errors() + " failed",
                text("%.2f to %.2f", expected - slack, expected + slack),
                Math.abs(result.errors() - expected) <= slack);
    }

    // ---- gates ----

    /** Throttles the generator: all five loads must warn that it is the bottleneck, not the server. */
    List<Finding> bottleneck() {
        Optional<String> missing = NginxSpec.missing();
        if (missing.isPresent()) {
            return List.of(Finding.skipped("bottleneck", Gatling.NAME, missing.get()));
        }
        lab.say("bottleneck");
        ProofLab.Recipe recipe = new ProofLab.Recipe("bottleneck");
        recipe.arms.add(Arm.reference(NginxSpec.ARM, "proof"));
        try {
            return List.of(warned(
                            "bottleneck",
                            "gatling before nginx",
                            lab,
                            recipe,
                            true,
                            (load, warning) -> warning.kind() == WarningKind.GENERATOR_BOTTLENECK)
                    .withNote("nginx answers faster than one Gatling on its processors can ask"));
        } catch (TargetException | LoadException e) {
            return List.of(failed("bottleneck", "", e));
        }
    }

    /** Runs a recipe with five loads, and checks whether all of them, or none, raise a warning. */
    static Finding warned(
            String experiment,
            String subject,
            ProofLab lab,
            ProofLab.Recipe recipe,
            boolean all,
            BiPredicate<LoadFigures, Warning> which) {
        for (int users : MARKED_USERS) {
            recipe.load(users, 0, Gatling.NAME);
        }
        List<LoadFigures> loads = lab.run(recipe).serverRuns().stream()
                .flatMap(serverRun -> serverRun.loads().stream())
                .toList();
        long warned = loads.stream()
                .filter(load -> load.warnings().stream().anyMatch(warning -> which.test(load, warning)))
                .count();
        int wanted = all ? MARKED_USERS.length : 0;
        return Finding.of(
                experiment,
                subject,
                wanted + " of " + MARKED_USERS.length + " marked as the generator's limit",
                warned + " of " + loads.size() + " marked",
                "",
                warned == wanted && loads.size() == MARKED_USERS.length);
    }

    /** Changes one header, body byte, connector or JVM option: each must stop a campaign before any load. */
    List<Finding> sabotage() {
        List<Finding> findings = new ArrayList<>();
        findings.add(sabotaged("header", "another header", "-Dproof.header=X-Sabotage:1", "tomcat-nio"));
        findings.add(sabotaged("body", "one bit of the body", "-Dproof.body=true", "tomcat-nio"));
        findings.add(sabotaged("connector", "another connector", "", "tomcat-nio2"));
        findings.add(sabotaged("option", "another JVM option", "-XX:VMOptionsFile=" + hidden(), "tomcat-nio"));
        return findings;
    }

    private Path hidden() {
        Path file = lab.folder().resolve("hidden.options");
        try {
            return Files.writeString(file, "-XX:MaxRAMPercentage=42\n").toAbsolutePath();
        } catch (IOException e) {
            throw new TargetException("cannot write " + file);
        }
    }

    private Finding sabotaged(String name, String what, String options, String claimed) {
        lab.say("sabotage: " + what);
        Arm honest = lab.arm("tomcat-nio", "honest", Role.BASELINE);
        Arm bad = lab.arm(claimed, "sabotaged", Role.ARM);
        if (!claimed.equals("tomcat-nio")) {
            // The build claims one connector, but its jar contains another.
            bad = bad.with(new Arm.Build(bad.containerVersion(), bad.bootVersion(), honest.jar(), honest.sha256()));
        }
        ProofLab.Recipe recipe = new ProofLab.Recipe("sabotage-" + name)
                .arm(honest, SMALL_HEAP)
                .arm(bad, (SMALL_HEAP + " " + options).strip())
                .load(USERS, 0, Gatling.NAME);
        try {
            CampaignFolder read = lab.run(recipe);
            return Finding.of("sabotage", what, "the campaign stops", "it went on", "", false)
                    .withNote(read.serverRuns().size() + " server runs");
        } catch (TargetException e) {
            boolean named = e.refusal()
                    .filter(why -> why != TargetException.Refusal.START)
                    .isPresent();
            return Finding.of("sabotage", what, "the campaign stops", "it stopped", "", named)
                    .withNote(e.getMessage());
        }
    }
}
