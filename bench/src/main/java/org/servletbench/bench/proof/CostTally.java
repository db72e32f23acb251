package org.servletbench.bench.proof;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.servletbench.bench.verdict.Guard;

/** Counts what campaigns with injected CPU costs gave, and words what that shows and what it does not. */
final class CostTally {

    /** What is asked of the coverage of intervals, and of the power, as shares of the campaigns. */
    private static final double COVERED = 0.9;

    private static final double FOUND = 0.8;
    /** As many broken guards, as a share, may be chance. */
    private static final double BROKEN = 0.05;
    /** Two-sided 99 % of a normal distribution: a bias that two such tests name by chance once in fifty times. */
    private static final double NORMAL_99 = 2.576;
    /** The power is tested where the spread seen is the planned one to within this factor. */
    private static final double LIKE = 1.25;

    /**
     * A known cost.
     *
     * @param arm that burns it
     * @param micros CPU time, µs a request
     */
    record Injected(String arm, double micros) {}

    /**
     * The simultaneous interval of a ratio of CPU time per request.
     *
     * @param low its lower end
     * @param high its upper end
     */
    record Reach(double low, double high) {}

    private final double own;
    private final List<Injected> covering;
    private final Injected smallest;
    private final double plannedSpread;

    private final Map<Guard, Integer> guards = new HashMap<>();
    private final Map<String, List<String>> intervals = new HashMap<>();
    private final Map<String, Integer> covered = new HashMap<>();
    private final Map<String, List<Double>> burnt = new HashMap<>();
    private int found;
    private double squares;
    private int degrees;
    private int done;

    /**
     * @param own what a request costs without anything injected, µs
     * @param covering costs whose intervals should cover the truth
     * @param smallest the cost that the plan calls the smallest difference it can find
     * @param plannedSpread the spread of invocations that the plan assumes: standard deviation of the log
     */
    CostTally(double own, List<Injected> covering, Injected smallest, double plannedSpread) {
        this.own = own;
        this.covering = List.copyOf(covering);
        this.smallest = smallest;
        this.plannedSpread = plannedSpread;
    }

    /**
     * One campaign.
     *
     * @param guard what became of its A/A guard
     * @param plain CPU time per request of the baseline by block, µs
     * @param cpu the same of each arm with an injected cost
     * @param reaches the intervals of those that should cover the truth
     * @param smallestFound whether the smallest cost was named as a difference
     */
    void add(
            Guard guard,
            SortedMap<Integer, Double> plain,
            Map<String, SortedMap<Integer, Double>> cpu,
            Map<String, Reach> reaches,
            boolean smallestFound) {
        done++;
        guards.merge(guard, 1, Integer::sum);
        found += smallestFound ? 1 : 0;
        double mean = plain.values().stream()
                .mapToDouble(Double::doubleValue)
                .average()
                .orElse(Double.NaN);
        for (Injected one : covering) {
            double truth = (mean + one.micros()) / mean;
            Reach reach = reaches.get(one.arm());
            boolean in = reach.low() <= truth && truth <= reach.high();
            covered.merge(one.arm(), in ? 1 : 0, Integer::sum);
            intervals
                    .computeIfAbsent(one.arm(), arm -> new ArrayList<>())
                    .add(text("%.2f to %.2f%s", reach.low(), reach.high(), in ? "" : "!"));
        }
        List<Double> logs = new ArrayList<>();
        cpu.forEach((arm, byBlock) -> byBlock.forEach((block, value) -> {
            if (plain.containsKey(block)) {
                burnt.computeIfAbsent(arm, name -> new ArrayList<>()).add(value - plain.get(block));
                if (arm.equals(smallest.arm())) {
                    logs.add(Math.log(value / plain.get(block)));
                }
            }
        }));
        if (logs.size() > 1) {
            double sd = StandardDeviation.of(array(logs)).getAsDouble();
            squares += sd * sd * (logs.size() - 1);
            degrees += logs.size() - 1;
        }
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** What they show together. */
    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>(List.of(guard()));
        covering.forEach(one -> findings.add(cost(one)));
        findings.add(power());
        return findings;
    }

    private Finding guard() {
        int broken = guards.getOrDefault(Guard.BROKEN, 0);
        int held = guards.getOrDefault(Guard.HELD, 0);
        return new Finding(
                "A/A",
                "jetty and jetty",
                "no guard is broken",
                text("%d of %d broken, %d held, %d unproven", broken, done, held, done - broken - held),
                "",
                broken > BROKEN * done
                        ? Finding.Outcome.FAILED
                        : held == done ? Finding.Outcome.PASSED : Finding.Outcome.SHOWN,
                "only broken guards count: a bias that so few blocks cannot see breaks none");
    }

    private Finding cost(Injected one) {
        double[] differences = array(burnt.getOrDefault(one.arm(), List.of()));
        double mean = Mean.of(differences).getAsDouble();
        double error = StandardDeviation.of(differences).getAsDouble() / Math.sqrt(differences.length);
        double z = (mean - one.micros()) / error;
        boolean biased = Math.abs(z) > NORMAL_99;
        int in = covered.getOrDefault(one.arm(), 0);
        return Finding.of(
                        "cost",
                        one.arm(),
                        text("CPU time per request x %.2f: %.1f µs more", 1 + one.micros() / own, one.micros()),
                        text(
                                "%d of %d simultaneous intervals cover it; pooled over %d blocks %.1f µs more (standard error"
                                        + " %.1f, z = %.1f)",
                                in, done, differences.length, mean, error, z),
                        String.join("; ", intervals.getOrDefault(one.arm(), List.of())),
                        in >= COVERED * done && !biased)
                .withNote(
                        biased
                                ? "the pooled difference is not what is injected; a campaign's intervals are too wide to see it"
                                : "");
    }

    private Finding power() {
        double seen = Math.sqrt(squares / degrees / 2);
        boolean enough = found >= FOUND * done;
        boolean asPlanned = seen > plannedSpread / LIKE && seen < plannedSpread * LIKE;
        boolean easier = seen <= plannedSpread / LIKE;
        return new Finding(
                "power",
                text("+%.1f µs: %.0f %%", smallest.micros(), 100 * smallest.micros() / own),
                text("found in 8 of 10 where invocations scatter by %.1f %%", 100 * plannedSpread),
                text("%d of %d found; invocations scattered by %.1f %%", found, done, 100 * seen),
                "",
                asPlanned || easier && !enough
                        ? enough ? Finding.Outcome.PASSED : Finding.Outcome.FAILED
                        : Finding.Outcome.SHOWN,
                asPlanned
                        ? ""
                        : text(
                                "the spread is %.1f times the planned one: %s, and the planned power is not tested",
                                seen / plannedSpread,
                                easier ? "so large a cost is hardly ever missed" : "so small a cost is often missed"));
    }
}
