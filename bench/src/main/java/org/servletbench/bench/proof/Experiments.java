package org.servletbench.bench.proof;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.servletbench.bench.campaign.Preparation;
import org.servletbench.bench.load.Fidelity;
import org.servletbench.bench.load.Generator;
import org.servletbench.bench.load.Generators;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.gatling.Gatling;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Arm.Role;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Cell;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Mark;
import org.servletbench.bench.record.MarkKind;
import org.servletbench.bench.record.Metric;
import org.servletbench.bench.server.NginxSpec;
import org.servletbench.bench.server.TargetException;

/** The experiments with known answers. Each gives its findings, and fails no other one. */
public final class Experiments {

    /** See {@link NullExperiment}: copies, blocks, time limit, blocks of a pseudo-campaign. */
    public static final int NULL_ARMS = NullExperiment.ARMS;

    public static final int NULL_BLOCKS = NullExperiment.BLOCKS;
    public static final String NULL_LIMIT = NullExperiment.LIMIT;
    public static final int NULL_CHUNK = NullExperiment.CHUNK;
    /** See {@link BlindExperiment}. */
    public static final int BLIND_CAMPAIGNS = BlindExperiment.CAMPAIGNS;

    public static final int BLIND_BLOCKS = BlindExperiment.BLOCKS;
    /** See {@link ControlsExperiment}. */
    public static final int CONTROLS_PAIRS = ControlsExperiment.PAIRS;

    public static final int CONTROLS_BLOCKS = ControlsExperiment.BLOCKS;
    /** See {@link GateExperiment}. */
    public static final int GATE_SERVERS = GateExperiment.SERVERS;

    private static final double DELAY_MS = 20;
    private static final double DELAY_WITHIN_MS = 1;
    private static final int FAIL_EVERY = 100;
    static final int USERS = 10;
    private static final int DELAY_USERS = 2;

    private final ProofLab lab;

    /**
     * @param preparation of campaigns
     * @param folder that gets everything; it exists
     */
    public Experiments(Preparation preparation, Path folder) {
        lab = new ProofLab(preparation, folder);
    }

    static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** The generators that are here; for those that are not, a finding that says what to install. */
    private List<String> generators(String experiment, List<Finding> findings) {
        List<String> here = new ArrayList<>();
        for (Generator generator : Generators.all()) {
            generator
                    .notInstalled()
                    .ifPresentOrElse(
                            line -> findings.add(Finding.skipped(experiment, generator.name(), line)),
                            () -> here.add(generator.name()));
        }
        return here;
    }

    private static Optional<CellResult> cell(CampaignFolder read, String arm, Cell cell) {
        return read.invocations().stream()
                .filter(invocation -> invocation.arm().equals(arm) && invocation.measured())
                .flatMap(invocation -> invocation.cells().stream())
                .filter(result -> result.cell().equals(cell))
                .findFirst();
    }

    static double figure(CampaignFolder read, String arm, Cell cell, Metric metric) {
        return cell(read, arm, cell)
                .map(result -> result.figure(metric).orElse(Double.NaN))
                .orElse(Double.NaN);
    }

    // ---- injected delay ----

    /** 20 ms more for each request: the mean of every generator but wrk moves by 20 ms, within 1 ms. */
    public List<Finding> delay() {
        List<Finding> findings = new ArrayList<>();
        for (String generator : generators("delay", findings)) {
            if (!Fidelity.of(generator).map(Fidelity::latencyMeasured).orElse(true)) {
                findings.add(Finding.skipped(
                        "delay",
                        generator,
                        "it adds samples that were not measured: its response times take part in nothing"));
                continue;
            }
            lab.say("delay: " + generator);
            ProofLab.Recipe recipe = new ProofLab.Recipe("delay-" + generator)
                    .arm(lab.arm("undertow", "plain", Role.BASELINE), "")
                    .arm(lab.arm("undertow", "delayed", Role.ARM), "-Dproof.delay=" + (int) DELAY_MS + "ms")
                    .cell(DELAY_USERS, 0, generator);
            // Few users and warm servers: the plain mean is far below the delay, and so is its noise.
            recipe.warmUpSeconds = 12;
            recipe.windowSeconds = 5;
            try {
                CampaignFolder read = lab.run(recipe);
                double plain = figure(read, "plain", recipe.cells.get(0), Metric.MEAN);
                double delayed = figure(read, "delayed", recipe.cells.get(0), Metric.MEAN);
                double moved = delayed - plain;
                findings.add(Finding.of(
                        "delay",
                        generator,
                        text("mean + %.0f ms", DELAY_MS),
                        text("%.2f ms - %.2f ms = %.2f ms", delayed, plain, moved),
                        text("%.0f to %.0f ms", DELAY_MS - DELAY_WITHIN_MS, DELAY_MS + DELAY_WITHIN_MS),
                        Math.abs(moved - DELAY_MS) <= DELAY_WITHIN_MS));
            } catch (TargetException | LoadException e) {
                findings.add(failed("delay", generator, e));
            }
        }
        return findings;
    }

    static Finding failed(String experiment, String subject, RuntimeException e) {
        return Finding.of(experiment, subject, "", "", "", false).withNote(e.getMessage());
    }

    // ---- errors ----

    /** Every hundredth request fails: every generator counts them, to within those at the window's two ends. */
    public List<Finding> errors() {
        List<Finding> findings = new ArrayList<>();
        for (String generator : generators("errors", findings)) {
            lab.say("errors: " + generator);
            ProofLab.Recipe recipe = new ProofLab.Recipe("errors-" + generator)
                    .arm(lab.arm("jetty", "failing", Role.BASELINE), "-Dproof.fail.every=" + FAIL_EVERY)
                    .cell(USERS, 0, generator);
            recipe.generatorWarmUp = false;
            recipe.warmUpSeconds = 0;
            try {
                CampaignFolder read = lab.run(recipe);
                CellResult result = cell(read, "failing", recipe.cells.get(0))
                        .orElseThrow(() -> new LoadException("nothing was measured"));
                double expected = (double) result.requests() / FAIL_EVERY;
                // A window begins and ends between two failures, and up to USERS requests overtake each other there.
                double slack = 1 + (double) USERS / FAIL_EVERY;
                findings.add(Finding.of(
                        "errors",
                        generator,
                        text("1 of %d: %.2f of %d", FAIL_EVERY, expected, result.requests()),
                        result.errors() + " failed",
                        text("%.2f to %.2f", expected - slack, expected + slack),
                        Math.abs(result.errors() - expected) <= slack));
            } catch (TargetException | LoadException e) {
                findings.add(failed("errors", generator, e));
            }
        }
        return findings;
    }

    /** The noise that turns of different lengths leave; see {@link TurnsExperiment}. */
    public List<Finding> turns() {
        return new TurnsExperiment(lab).run();
    }

    /** A server that stands still, in the open and in the closed model; see {@link StallExperiment}. */
    public List<Finding> stall() {
        return new StallExperiment(lab).run();
    }

    // ---- gates ----

    /** A generator that is slower than the server is the bottleneck, in five loads of five. */
    public List<Finding> bottleneck() {
        Optional<String> missing = NginxSpec.missing();
        if (missing.isPresent()) {
            return List.of(Finding.skipped("bottleneck", Gatling.NAME, missing.get()));
        }
        lab.say("bottleneck");
        ProofLab.Recipe recipe = new ProofLab.Recipe("bottleneck");
        recipe.arms.add(new Arm(
                NginxSpec.ARM, "nginx", "proof", Role.REFERENCE, NginxSpec.ARM, "", NginxSpec.ARM, "", "", "", "", ""));
        for (int users : new int[] {40, 60, 80, 100, 120}) {
            recipe.cell(users, 0, Gatling.NAME);
        }
        try {
            CampaignFolder read = lab.run(recipe);
            List<CellResult> cells = read.invocations().stream()
                    .flatMap(invocation -> invocation.cells().stream())
                    .toList();
            long marked = cells.stream()
                    .filter(cell ->
                            cell.marks().stream().map(Mark::kind).anyMatch(MarkKind.GENERATOR_BOTTLENECK::equals))
                    .count();
            return List.of(Finding.of(
                            "bottleneck",
                            "gatling before nginx",
                            "5 of 5 marked",
                            marked + " of " + cells.size() + " marked",
                            "",
                            marked == 5 && cells.size() == 5)
                    .withNote("nginx answers faster than one Gatling on its processors can ask"));
        } catch (TargetException | LoadException e) {
            return List.of(failed("bottleneck", "", e));
        }
    }

    /** One changed header, body byte, connector or JVM option stops a campaign before any load. */
    public List<Finding> sabotage() {
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
            // It says that it is one connector, and its jar is built with another.
            bad = new Arm(
                    bad.id(),
                    bad.label(),
                    bad.group(),
                    bad.role(),
                    bad.profile(),
                    bad.line(),
                    bad.container(),
                    bad.connector(),
                    bad.containerVersion(),
                    bad.bootVersion(),
                    honest.jar(),
                    honest.sha256());
        }
        ProofLab.Recipe recipe = new ProofLab.Recipe("sabotage-" + name)
                .arm(honest, "")
                .arm(bad, options)
                .cell(USERS, 0, Gatling.NAME);
        try {
            CampaignFolder read = lab.run(recipe);
            return Finding.of("sabotage", what, "the campaign stops", "it went on", "", false)
                    .withNote(read.invocations().size() + " invocations");
        } catch (TargetException e) {
            boolean named = e.getMessage().contains("not what the profile")
                    || e.getMessage().contains("same work");
            return Finding.of("sabotage", what, "the campaign stops", "it stopped", "", named)
                    .withNote(e.getMessage());
        }
    }

    // ---- long campaigns ----

    /**
     * One long campaign of identical arms; see {@link NullExperiment}.
     *
     * @param arms identical ones
     * @param chunk blocks of a pseudo-campaign
     * @param given options over the quick preset
     */
    public List<Finding> nothing(int arms, int chunk, Map<String, String> given) {
        lab.say("null: " + arms + " copies of one jar");
        Map<String, String> options =
                new HashMap<>(Map.of("blocks", Integer.toString(NullExperiment.BLOCKS), "limit", NullExperiment.LIMIT));
        options.putAll(given);
        return new NullExperiment(lab, chunk).run(arms, options);
    }

    /**
     * Known differences multiplied into the data of {@link #nothing}; see {@link NullExperiment#spike}.
     *
     * @param chunk blocks of a quick campaign
     */
    public List<Finding> spike(int chunk) {
        lab.say("spike");
        return new NullExperiment(lab, chunk).spike();
    }

    /**
     * Small campaigns with a sealed effect; see {@link BlindExperiment}.
     *
     * @param campaigns how many, where none were sealed before
     * @param given options over the quick preset
     */
    public List<Finding> blind(Optional<Integer> campaigns, Map<String, String> given) {
        Map<String, String> options =
                new HashMap<>(Map.of("blocks", Integer.toString(BlindExperiment.BLOCKS), "limit", "0s"));
        options.putAll(given);
        return new BlindExperiment(lab, options).run(campaigns.orElse(BlindExperiment.CAMPAIGNS));
    }

    /**
     * How often the warm-up gate is wrong; see {@link GateExperiment}.
     *
     * @param servers for each number of bursts
     */
    public List<Finding> gate(int servers) {
        return new GateExperiment(lab).run(servers);
    }

    /**
     * Negative controls; see {@link ControlsExperiment}.
     *
     * @param pairs of campaigns
     * @param given options over the quick preset
     */
    public List<Finding> controls(Optional<Integer> pairs, Map<String, String> given) {
        return new ControlsExperiment(lab).run(pairs.orElse(ControlsExperiment.PAIRS), given);
    }
}
