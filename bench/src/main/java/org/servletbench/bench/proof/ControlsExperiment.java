package org.servletbench.bench.proof;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.apache.commons.statistics.descriptive.Mean;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.verdict.Comparison;

/**
 * Negative controls: a slow server is not taken for a slow generator, and load in turns gives the same ratio as longer windows
 * in which one server alone has the users.
 */
record ControlsExperiment(ProofLab lab) {

    static final String NAME = "controls";
    /** Of each server in a block, both ways: a server that is still compiling costs more in a short load. */
    private static final String LOAD = "60s";

    private static final int WINDOW_SECONDS = 5;
    /** A wider interval of the difference decides nothing, on the log scale. */
    private static final double WIDEST = 0.05;

    private static final String TOMCAT = "tomcat-nio";
    private static final String JETTY = "jetty";

    List<Finding> run(int pairs, Map<String, String> given) {
        List<Finding> findings = new ArrayList<>();
        findings.add(slow("burn", "a server that burns 300 µs a request", "-Dproof.burn=300us"));
        findings.add(slow("delay", "a server that waits 20 ms with each request", "-Dproof.delay=20ms"));
        findings.addAll(ratios(pairs, given));
        return findings;
    }

    private Finding slow(String name, String subject, String option) {
        lab.say("controls: " + subject);
        ProofLab.Recipe recipe = new ProofLab.Recipe("controls-" + name);
        recipe.arm(lab.arm(TOMCAT, name, Arm.Role.BASELINE), option);
        return Experiments.marked(NAME, subject, lab, recipe, false, CellResult::isFloor);
    }

    private List<Finding> ratios(int pairs, Map<String, String> given) {
        Options options = new Options("--", given, Map.of("hold", LOAD));
        Map<String, String> turns = options.all();
        Map<String, String> alone = new HashMap<>(turns);
        long windows = Math.max(1, options.duration("hold").toSeconds() / WINDOW_SECONDS);
        alone.putAll(Map.of("turn", "0s", "hold", WINDOW_SECONDS + "s", "rounds", Long.toString(windows)));
        Map<Metric, List<Double>> inTurns = new HashMap<>();
        Map<Metric, List<Double>> inWindows = new HashMap<>();
        for (int pair = 1; pair <= pairs; pair++) {
            lab.say("controls: turns and windows, " + pair + " of " + pairs);
            collect(campaign("turns-" + pair, turns), inTurns);
            collect(campaign("alone-" + pair, alone), inWindows);
        }
        return List.of(Metric.THROUGHPUT, Metric.CPU).stream()
                .map(metric -> agreement(
                        metric, inTurns.getOrDefault(metric, List.of()), inWindows.getOrDefault(metric, List.of())))
                .toList();
    }

    private CampaignFolder campaign(String name, Map<String, String> given) {
        return lab.quick(
                "controls-" + name,
                List.of(lab.arm(TOMCAT, TOMCAT, Arm.Role.BASELINE), lab.arm(JETTY, JETTY, Arm.Role.ARM)),
                Map.of(),
                given);
    }

    private static void collect(CampaignFolder read, Map<Metric, List<Double>> ratios) {
        Judgement judged = Judgement.of(read.campaign(), read.invocations());
        for (Metric metric : List.of(Metric.THROUGHPUT, Metric.CPU)) {
            Comparison comparison = judged.comparison(
                    judged.groups().get(0).name(), judged.cells().get(0), metric);
            DoubleStream.of(comparison.logRatios(JETTY, TOMCAT))
                    .forEach(ratio -> ratios.computeIfAbsent(metric, key -> new ArrayList<>())
                            .add(ratio));
        }
    }

    static Finding agreement(Metric metric, List<Double> turns, List<Double> windows) {
        String subject = "Jetty / Tomcat, " + metric.label();
        String truth = "turns and windows of one server alone give the same ratio";
        if (turns.size() < 2 || windows.size() < 2) {
            return Finding.of(
                    NAME,
                    subject,
                    truth,
                    text("%d usable blocks in turns, %d with windows", turns.size(), windows.size()),
                    "",
                    false);
        }
        double[] first = turns.stream().mapToDouble(Double::doubleValue).toArray();
        double[] second = windows.stream().mapToDouble(Double::doubleValue).toArray();
        Agreement agreement = Agreement.of(first, second);
        String measured = text(
                "%.3f in turns (%d blocks), %.3f with windows (%d blocks)",
                Math.exp(Mean.of(first).getAsDouble()),
                first.length,
                Math.exp(Mean.of(second).getAsDouble()),
                second.length);
        String interval = text("turns / windows %.3f to %.3f", Math.exp(agreement.low()), Math.exp(agreement.high()));
        boolean wide = agreement.holdsZero() && agreement.halfWidth() > WIDEST;
        return new Finding(
                NAME,
                subject,
                truth,
                measured,
                interval,
                wide ? Finding.Outcome.SHOWN : agreement.holdsZero() ? Finding.Outcome.PASSED : Finding.Outcome.FAILED,
                wide ? text("wider than ± %.0f %%: not decided; more --campaigns would", 100 * WIDEST) : "");
    }
}
