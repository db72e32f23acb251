package org.servletbench.proofs;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.gatling.Gatling;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.LoadFigures;

/**
 * Noise that remains with time slices of different lengths. The servers are up at once and the load is the same; only
 * the length of a time slice changes. The spread is that of the log ratio to the baseline, over stretches of about 5 s
 * for each server.
 */
record SlicesExperiment(ProofLab lab) {

    static final String NAME = "slices";
    /** Lengths of a time slice, s. The first corresponds to measuring servers in turn. */
    private static final List<Double> LENGTHS = List.of(5.0, 1.25, 0.25, 0.1);
    /** Load of each server at each length, s: enough for 15 stretches. */
    private static final double HOLD_SECONDS = 75;

    private static final double STRETCH_SECONDS = 5;
    private static final int USERS = 100;

    List<Finding> run() {
        List<Finding> findings = new ArrayList<>();
        double longest = Double.NaN;
        double shortest = Double.NaN;
        for (double length : LENGTHS) {
            String subject = text("time slices of %.2f s", length);
            try {
                List<Spread> spreads = measure(length);
                shortest = spreads.get(0).sd;
                longest = Double.isNaN(longest) ? shortest : longest;
                findings.add(Finding.shown(
                        NAME,
                        subject,
                        "",
                        spreads.stream().map(Spread::words).collect(Collectors.joining("; ")),
                        "standard deviation of the log ratio to the baseline over stretches of 5 s for each server"));
            } catch (LoadException | TargetException e) {
                findings.add(Experiments.failed(NAME, subject, e));
            }
        }
        findings.add(Finding.of(
                NAME,
                "",
                "two copies of one jar differ less from stretch to stretch in the shortest time slices than in the longest",
                text("%.3f in the longest, %.3f in the shortest", longest, shortest),
                "",
                shortest < longest));
        return findings;
    }

    private List<Spread> measure(double timeSliceSeconds) {
        ProofLab.Recipe recipe = new ProofLab.Recipe(text("slices-%.2f", timeSliceSeconds));
        recipe.arm(lab.arm("tomcat-nio", "tomcat-nio", Arm.Role.BASELINE), "");
        recipe.arm(lab.arm("tomcat-nio", "tomcat-nio-control", Arm.Role.CONTROL), "");
        recipe.arm(lab.arm("jetty", "jetty", Arm.Role.ARM), "");
        recipe.arm(lab.arm("undertow", "undertow", Arm.Role.ARM), "");
        recipe.load(USERS, 0, Gatling.NAME);
        recipe.warmUpSeconds = 24;
        recipe.windowSeconds = HOLD_SECONDS;
        recipe.timeSliceSeconds = timeSliceSeconds;
        CampaignFolder folder = lab.run(recipe);
        LoadFigures baseline = result(folder, "tomcat-nio");
        return recipe.arms.stream()
                .filter(arm -> arm.role() != Arm.Role.BASELINE)
                .map(arm -> Spread.of(arm.id(), result(folder, arm.id()), baseline))
                .toList();
    }

    private static LoadFigures result(CampaignFolder folder, String arm) {
        return folder.serverRuns().stream()
                .filter(serverRun -> serverRun.arm().equals(arm) && serverRun.measured())
                .flatMap(serverRun -> serverRun.loads().stream())
                .findFirst()
                .orElseThrow(() -> new LoadException("nothing was measured of " + arm));
    }

    /**
     * Returns the log of throughput in stretches of {@value #STRETCH_SECONDS} s, each of which joins several time
     * slices.
     */
    private static double[] stretches(LoadFigures result) {
        List<Double> rates = result.rates();
        int joined = (int) Math.max(1, Math.round(STRETCH_SECONDS * rates.size() / HOLD_SECONDS));
        return IntStream.range(0, rates.size() / joined)
                .mapToDouble(i -> Math.log(rates.subList(i * joined, (i + 1) * joined).stream()
                        .mapToDouble(Double::doubleValue)
                        .filter(Double::isFinite)
                        .average()
                        .orElse(Double.NaN)))
                .toArray();
    }

    /**
     * Spread of one arm.
     *
     * @param cpu ratio of CPU time per request over the whole load, which shows what time slices themselves cost a
     *     container
     */
    private record Spread(String arm, double ratio, double sd, double cpu) {
        static Spread of(String arm, LoadFigures result, LoadFigures reference) {
            double[] own = stretches(result);
            double[] baseline = stretches(reference);
            double[] d = IntStream.range(0, Math.min(own.length, baseline.length))
                    .mapToDouble(i -> own[i] - baseline[i])
                    .filter(Double::isFinite)
                    .toArray();
            return new Spread(
                    arm,
                    Math.exp(Mean.of(d).getAsDouble()),
                    StandardDeviation.of(d).getAsDouble(),
                    result.figure(Metric.CPU).orElse(Double.NaN)
                            / reference.figure(Metric.CPU).orElse(Double.NaN));
        }

        String words() {
            return text("%s %.3f (ratio %.3f, CPU %.3f)", arm, sd, ratio, cpu);
        }
    }
}
