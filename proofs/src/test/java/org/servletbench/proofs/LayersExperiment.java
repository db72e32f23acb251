package org.servletbench.proofs;

import static org.servletbench.bench.model.Text.text;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Analysis.Group;
import org.servletbench.bench.record.Layers;
import org.servletbench.bench.verdict.Spread;

/**
 * The smallest cost that shows in the CPU time of the whole process, and in that of a layer: 0, 1, 2 and 5 % are
 * planted in one method of a small JPA service. One long campaign records profiles; shorter ones are drawn from its
 * blocks, without replacement. A cost is found if the t interval of its difference lies above 0.
 */
record LayersExperiment(ProofLab lab) {

    static final String NAME = "layers";

    /** Planted additional CPU time, in percent. */
    private static final List<Integer> PLANTED = List.of(0, 1, 2, 5);
    /** Blocks of a gate of ten minutes and of half an hour. */
    private static final List<Integer> LENGTHS = List.of(3, 9);

    private static final int DRAWS = 2_000;
    private static final double ALPHA = 0.05;
    private static final long SEED = 71;
    private static final String BEFORE = "before";

    /**
     * Findings of campaigns with a given number of blocks.
     *
     * @param found number of campaigns whose interval lies above 0
     * @param halfWidth mean half width of an interval, as a share of the process's CPU time
     */
    record Power(Counted found, double halfWidth) {

        /**
         * Draws campaigns, and counts those that find the cost.
         *
         * @param differences by block, as shares
         * @param blocks number of blocks of a campaign
         */
        static Power of(SortedMap<Integer, Double> differences, int blocks) {
            List<Double> all = new ArrayList<>(differences.values());
            Random random = new Random(SEED);
            int found = 0;
            double width = 0;
            for (int draw = 0; draw < DRAWS; draw++) {
                Collections.shuffle(all, random);
                double[] some = all.stream()
                        .limit(blocks)
                        .mapToDouble(Double::doubleValue)
                        .toArray();
                Spread spread = Spread.of(some, false, ALPHA);
                found += spread.low() > 0 ? 1 : 0;
                width += (spread.high() - spread.low()) / 2;
            }
            return new Power(new Counted(found, DRAWS), width / DRAWS);
        }

        private String words() {
            return text("found in %.0f %% (± %.1f %%)", 100 * found.share(), 100 * halfWidth);
        }
    }

    List<Finding> run(Map<String, String> given) {
        Path jar = lab.shop();
        double cpu = judged("layers-pilot", jar, 0, Map.of("blocks", "2", "limit", "0s")).cpu(BEFORE).values().stream()
                .mapToDouble(Double::doubleValue)
                .average()
                .orElseThrow(() -> new TargetException("layers: the pilot gave no CPU time per request"));
        Whole whole = judged(NAME, jar, cpu, given);
        List<Finding> findings = new ArrayList<>();
        for (int planted : PLANTED) {
            SortedMap<Integer, Double> process = whole.process(arm(planted));
            SortedMap<Integer, Double> layer = whole.layer(arm(planted));
            for (int blocks : LENGTHS) {
                if (Math.min(process.size(), layer.size()) <= blocks) {
                    continue;
                }
                findings.add(Finding.shown(
                        NAME,
                        text("%d %%, %d blocks", planted, blocks),
                        text("%d %% more CPU time in one method", planted),
                        text(
                                "process: %s; layer: %s",
                                Power.of(process, blocks).words(),
                                Power.of(layer, blocks).words()),
                        text("drawn from %d blocks", Math.min(process.size(), layer.size()))));
            }
        }
        return List.copyOf(findings);
    }

    private static String arm(int planted) {
        return "cpu" + planted;
    }

    /** The whole campaign. */
    private record Whole(Analysis judged) {

        private Group group() {
            return judged.groups().get(0);
        }

        private MeasuredLoad load() {
            return judged.loads().get(0);
        }

        SortedMap<Integer, Double> cpu(String arm) {
            return judged.values(judged.campaign().arm(arm), load(), Metric.CPU);
        }

        /** Returns the differences in total CPU time from the mean of the baseline and its A/A copy, as shares. */
        SortedMap<Integer, Double> process(String arm) {
            SortedMap<Integer, Double> differences = new TreeMap<>();
            String copy = group().control().orElseThrow().id();
            cpu(arm).forEach((block, own) -> {
                Double one = cpu(BEFORE).get(block);
                Double other = cpu(copy).get(block);
                if (one != null && other != null) {
                    differences.put(block, own / ((one + other) / 2) - 1);
                }
            });
            return differences;
        }

        SortedMap<Integer, Double> layer(String arm) {
            return judged.layerDifferences(group(), arm, BEFORE, load(), Layers.OWN);
        }
    }

    private Whole judged(String name, Path jar, double cpu, Map<String, String> given) {
        StringBuilder arms = new StringBuilder("  " + BEFORE + ": {}\n");
        PLANTED.forEach(planted -> arms.append(text(
                "  %s: {properties: {shop.burn: \"%d\", shop.arm: %s}}\n",
                arm(planted), Math.round(1000 * cpu * planted / 100.0), arm(planted))));
        return new Whole(lab.judged(name, text("""
                app: %s
                arms:
                %sworkloads:
                  request: {url: "/api/purchases?city=Lund", length: 1000..20000}
                load:
                  - {workloads: request, users: 32}
                judge: [cpu]
                measure: {cpu-profile: true}
                """, jar, arms), given));
    }
}
