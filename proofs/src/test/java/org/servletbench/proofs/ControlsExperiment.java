package org.servletbench.proofs;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ToolSettings;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.verdict.BlockData;
import org.servletbench.bench.verdict.Spread;

/**
 * Negative controls: a slow server is not mistaken for a slow generator, and short time slices give the same ratios as
 * time slices thirty times as long, in which a single server has all users for seconds.
 *
 * <p>Both lengths are measured on the same JVMs, because JVMs differ by more than the difference in question. Both use
 * persistent connections, because fresh ones are a different load, under which Jetty comes out 4 % better against
 * Tomcat.
 */
record ControlsExperiment(ProofLab lab) {

    static final String NAME = "controls";
    /**
     * Load of each server in a block, with either length of time slices. Under a shorter load, servers that are still
     * compiling would cost more.
     */
    private static final String LOAD = "40s";

    /** Maximum width of an interval of the difference, on the log scale. A wider one decides nothing. */
    private static final double WIDEST = 0.03;

    private static final double ALPHA = 0.05;

    private static final String TOMCAT = "tomcat-nio";
    /** Arms compared with Tomcat, by profile. */
    private static final Map<String, String> OTHERS = new TreeMap<>(Map.of("jetty", "Jetty", "undertow", "Undertow"));

    /** A tested metric of one arm. */
    private record Question(String arm, Metric metric) {}

    /** The log ratio of two servers in one block, with short and with long time slices. */
    record Both(double timeSlices, double lengthy) {}

    List<Finding> run(int campaigns, Map<String, String> given) {
        List<Finding> findings = new ArrayList<>();
        findings.add(slow("burn", "a server that burns 300 µs a request", "-Dproof.burn=300us"));
        findings.add(slow("delay", "a server that waits 20 ms with each request", "-Dproof.delay=20ms"));
        findings.addAll(ratios(campaigns, given));
        return findings;
    }

    private Finding slow(String name, String subject, String option) {
        lab.say("controls: " + subject);
        ProofLab.Recipe recipe = new ProofLab.Recipe("controls-" + name);
        recipe.arm(lab.arm(TOMCAT, name, Arm.Role.BASELINE), option);
        return Experiments.warned(NAME, subject, lab, recipe, false, LoadFigures::isFloor);
    }

    private List<Finding> ratios(int campaigns, Map<String, String> given) {
        Options options = new Options("--", given, Map.of("hold", LOAD));
        Map<String, String> all = options.all();
        Map<Question, List<Both>> blocks = new HashMap<>();
        for (int campaign = 1; campaign <= campaigns; campaign++) {
            lab.say("controls: short and long time slices of the same servers, " + campaign + " of " + campaigns);
            // Servers keep warming up, so the two lengths take turns at going first.
            CampaignFolder read = campaign("both-" + campaign, all, campaign % 2 == 1);
            questions().forEach(question -> blocks.computeIfAbsent(question, key -> new ArrayList<>())
                    .addAll(collect(read, question)));
        }
        return questions()
                .map(question -> agreement(OTHERS.get(question.arm), question.metric, blocks.get(question)))
                .toList();
    }

    private static Stream<Question> questions() {
        return OTHERS.keySet().stream()
                .flatMap(arm -> Stream.of(Metric.THROUGHPUT, Metric.CPU).map(metric -> new Question(arm, metric)));
    }

    private CampaignFolder campaign(String name, Map<String, String> given, boolean timeSlicesFirst) {
        List<Arm> arms = new ArrayList<>(List.of(lab.arm(TOMCAT, TOMCAT, Arm.Role.BASELINE)));
        OTHERS.keySet().forEach(profile -> arms.add(lab.arm(profile, profile, Arm.Role.ARM)));
        return lab.quick("controls-" + name, arms, Map.of(), given, loads -> {
            MeasuredLoad timeSlices = loads.get(0);
            return timeSlicesFirst
                    ? List.of(timeSlices, lengthy(timeSlices))
                    : List.of(lengthy(timeSlices), timeSlices);
        });
    }

    private static MeasuredLoad lengthy(MeasuredLoad load) {
        return new MeasuredLoad(load.workload(), load.users(), load.rate(), load.tool(), ToolSettings.LONG_SLICES);
    }

    /** Collects the ratios of each block that has both lengths. */
    private static List<Both> collect(CampaignFolder read, Question question) {
        Analysis judged = Analysis.of(read.campaign(), read.serverRuns());
        String group = judged.groups().get(0).name();
        MeasuredLoad timeSlices = judged.loads().stream()
                .filter(load -> load.settings().equals(ToolSettings.PLAIN))
                .findFirst()
                .orElseThrow();
        BlockData inTimeSlices = judged.comparison(group, timeSlices, question.metric);
        BlockData inLong = judged.comparison(group, lengthy(timeSlices), question.metric);
        return inTimeSlices.blocks().keySet().stream()
                .map(block -> new Both(
                        inTimeSlices.logRatio(block, question.arm, TOMCAT),
                        inLong.logRatio(block, question.arm, TOMCAT)))
                .filter(both -> Double.isFinite(both.timeSlices - both.lengthy))
                .toList();
    }

    static Finding agreement(String arm, Metric metric, List<Both> blocks) {
        String subject = arm + " / Tomcat, " + metric.label();
        String truth = "time slices and those in which one server has the users for seconds give the same ratio";
        if (blocks.size() < 2) {
            return Finding.of(NAME, subject, truth, text("%d usable blocks", blocks.size()), "", false);
        }
        Spread agreement = Spread.of(
                blocks.stream().mapToDouble(one -> one.timeSlices - one.lengthy).toArray(), false, ALPHA);
        boolean holds = agreement.low() <= 0 && 0 <= agreement.high();
        String measured = text(
                "%.3f in time slices, %.3f in long time slices of the same servers (%d blocks)",
                Math.exp(blocks.stream().mapToDouble(Both::timeSlices).average().orElseThrow()),
                Math.exp(blocks.stream().mapToDouble(Both::lengthy).average().orElseThrow()),
                blocks.size());
        String interval = text(
                "time slices / long time slices %.3f to %.3f", Math.exp(agreement.low()), Math.exp(agreement.high()));
        boolean wide = holds && (agreement.high() - agreement.low()) / 2 > WIDEST;
        return new Finding(
                NAME,
                subject,
                truth,
                measured,
                interval,
                wide ? Finding.Outcome.SHOWN : holds ? Finding.Outcome.PASSED : Finding.Outcome.FAILED,
                wide ? text("wider than ± %.0f %%: not decided; more -Dproofs.campaigns would", 100 * WIDEST) : "");
    }
}
