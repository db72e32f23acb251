package org.servletbench.proofs;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.servletbench.bench.verdict.Spread;

/** Results of campaigns with a sealed effect on CPU time per request: each on its own, and their pooled bias. */
final class BlindTally {

    static final String NAME = "blind";
    /** Maximum error of the pooled estimate, as a share. */
    private static final double BIAS = 0.01;

    private BlindTally() {}

    /**
     * Result of one campaign.
     *
     * @param effect true if its arm burned more
     * @param truth the true ratio: 1, or (baseline + burned) / baseline with the effect
     * @param ratio estimated ratio of the arm to the baseline
     */
    record Result(int number, boolean effect, double truth, double ratio, double low, double high) {

        boolean covers() {
            return low <= truth && truth <= high;
        }

        boolean excludesOne() {
            return low > 1 || high < 1;
        }

        private double logBias() {
            return Math.log(ratio / truth);
        }
    }

    /**
     * Returns all published findings.
     *
     * @param missing expected share of intervals that miss the truth
     */
    static List<Finding> findings(List<Result> results, double missing) {
        List<Finding> findings = new ArrayList<>();
        for (Result one : results) {
            findings.add(new Finding(
                    NAME,
                    "campaign " + one.number,
                    text("%s: ratio %.3f", one.effect ? "5 %" : "0 %", one.truth),
                    text("%.3f%s", one.ratio, one.excludesOne() ? ": a difference is found" : ""),
                    text("%.3f to %.3f%s", one.low, one.high, one.covers() ? "" : " (misses)"),
                    Finding.Outcome.SHOWN,
                    "one of those that the next lines pool"));
        }
        int covered = (int) results.stream().filter(Result::covers).count();
        int least = results.size() - Counted.mostByChance(results.size(), missing);
        findings.add(Finding.of(
                NAME,
                "coverage",
                text("at least %d of %d intervals hold the truth", least, results.size()),
                covered + " of " + results.size(),
                "",
                covered >= least));
        findings.add(bias("all campaigns", results, one -> true, true));
        findings.add(bias("those with 0 %", results, one -> !one.effect, false));
        findings.add(bias("those with 5 %", results, one -> one.effect, false));
        int effects = (int) results.stream().filter(Result::effect).count();
        int found = (int)
                results.stream().filter(one -> one.effect && one.excludesOne()).count();
        int wrongly = (int)
                results.stream().filter(one -> !one.effect && one.excludesOne()).count();
        findings.add(Finding.shown(
                NAME,
                "found",
                "",
                text(
                        "a difference in %d of %d campaigns with it, and in %d of %d without",
                        found, effects, wrongly, results.size() - effects),
                "too few campaigns to test a power"));
        return findings;
    }

    private static Finding bias(String subject, List<Result> all, Predicate<Result> which, boolean tested) {
        double[] biases =
                all.stream().filter(which).mapToDouble(Result::logBias).toArray();
        if (biases.length == 0) {
            return Finding.skipped(NAME, "pooled bias, " + subject, "the draw gave none");
        }
        Spread spread = Spread.of(biases, false, 0.05);
        String interval = spread.hasInterval()
                ? text("%+.2f to %+.2f %%", 100 * Math.expm1(spread.low()), 100 * Math.expm1(spread.high()))
                : "";
        return new Finding(
                NAME,
                "pooled bias, " + subject,
                tested ? text("within ± %.0f %%", 100 * BIAS) : "0",
                text("%+.2f %% over %d campaigns", 100 * Math.expm1(spread.mean()), biases.length),
                interval,
                !tested
                        ? Finding.Outcome.SHOWN
                        : Math.abs(spread.mean()) <= Math.log1p(BIAS) ? Finding.Outcome.PASSED : Finding.Outcome.FAILED,
                tested ? "estimated ratio / true ratio - 1, with its 95 % interval" : "a part of the line for all");
    }
}
