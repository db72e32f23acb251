package org.servletbench.bench.record;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.DoubleBinaryOperator;
import org.servletbench.bench.comparison.ClaimSpec;
import org.servletbench.bench.comparison.ClaimSpec.Term;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Analysis.Group;
import org.servletbench.bench.verdict.Bound;
import org.servletbench.bench.verdict.CountedShare;
import org.servletbench.bench.verdict.Estimate;
import org.servletbench.bench.verdict.MultipleComparison;
import org.servletbench.bench.verdict.NoVerdictReason;
import org.servletbench.bench.verdict.Spread;

/**
 * The outcome of a claim. The ratio of two arms under a load has the interval of its verdict. Everything else (an arm's
 * own figure, its ratio over two loads, a reference) has a t interval over the blocks, at the level that all
 * comparisons of the {@link MultipleComparison} share. The interval of a share of failed requests extends at least as
 * far as that of {@link CountedShare}. All intervals hold together, so that any number of parts and claims is judged at
 * one level.
 *
 * @param parts one for each ratio and figure
 */
public record ClaimResult(ClaimSpec claim, List<Part> parts) {

    public enum Outcome {
        /** All intervals are within the claimed bounds. */
        HOLDS("holds"),
        /** An interval is outside the claimed bounds. */
        DOES_NOT_HOLD("does not hold"),
        UNDECIDED("undecided");

        private final String words;

        Outcome(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    /**
     * The outcome for one ratio or figure.
     *
     * @param value the ratio, or the figure in the metric's unit; NaN if there is none
     * @param low lower end of its interval; NaN without an interval
     * @param high upper end of its interval; infinite if there is none
     * @param reason why it is undecided; empty if it is decided
     */
    public record Part(
            Term term, double value, double low, double high, Outcome outcome, Optional<NoVerdictReason> reason) {}

    static ClaimResult of(ClaimSpec claim, Analysis judged) {
        return new ClaimResult(
                claim,
                claim.terms(judged.loads()).stream()
                        .filter(term -> term.part().own()
                                || judged.campaign()
                                        .plan()
                                        .primary(term.load())
                                        .contains(term.part().metric()))
                        .map(term -> part(term, judged))
                        .toList());
    }

    /**
     * Returns the outcome. One part that does not hold decides; otherwise one undecided part leaves the claim
     * undecided.
     */
    public Outcome outcome() {
        List<Outcome> outcomes = parts.stream().map(Part::outcome).toList();
        return outcomes.contains(Outcome.DOES_NOT_HOLD)
                ? Outcome.DOES_NOT_HOLD
                : outcomes.contains(Outcome.UNDECIDED) || outcomes.isEmpty() ? Outcome.UNDECIDED : Outcome.HOLDS;
    }

    /**
     * Returns the reason for an early end:
     * {@code the claim "after is not slower than before in cpu" has certainly failed}.
     *
     * @param results results, of which at least one does not hold; those are named
     */
    public static String surelyFailed(List<ClaimResult> results) {
        List<String> failed = results.stream()
                .filter(result -> result.outcome() == Outcome.DOES_NOT_HOLD)
                .map(result -> '"' + result.claim.says() + '"')
                .toList();
        return (failed.size() == 1 ? "the claim " : "the claims ")
                + Text.list(failed)
                + (failed.size() == 1 ? " has" : " have")
                + " certainly failed";
    }

    private static Part part(Term term, Analysis judged) {
        List<String> measured = judged.campaign().arms().stream().map(Arm::id).toList();
        if (!measured.contains(term.part().of())
                || term.part().ratio() && !measured.contains(term.part().than())) {
            // This machine could not run the arm.
            return none(term);
        }
        Metric metric = Metric.of(term.part().metric()).orElseThrow();
        Part part = !term.part().layer().isEmpty()
                ? layer(term, judged)
                : term.part().own() ? own(term, metric, judged) : pair(term, metric, judged);
        // Failed requests are counted in all blocks, usable or not.
        Optional<NoVerdictReason> barred = judged.isSilent() || judged.family().isVoid()
                ? Optional.of(NoVerdictReason.NOT_DRAWN)
                : metric == Metric.ERRORS
                        ? Optional.empty()
                        : barred(term, judged, term.part().of(), term.load())
                                .or(() -> term.part().ratio()
                                        ? barred(term, judged, term.part().than(), term.other())
                                        : Optional.empty());
        return barred.map(why -> new Part(term, part.value, part.low, part.high, Outcome.UNDECIDED, Optional.of(why)))
                .orElse(part);
    }

    private static Optional<NoVerdictReason> barred(Term term, Analysis judged, String id, MeasuredLoad load) {
        Arm arm = judged.campaign().arm(id);
        return term.part().own() ? judged.barred(arm, load) : judged.barredBeside(arm, load);
    }

    private static Part pair(Term term, Metric metric, Analysis judged) {
        return judged.against(term.part().of(), term.part().than(), term.load(), metric)
                .map(against -> decided(
                        term,
                        metric,
                        judged,
                        against.ratio(),
                        against.low(),
                        against.high(),
                        against.pair()
                                .reason()
                                .orElse(
                                        against.bound() == Bound.EXACT
                                                ? NoVerdictReason.SPREAD
                                                : NoVerdictReason.FLOOR)))
                .orElseGet(() -> none(term));
    }

    /** Returns a part without figures in any block. */
    private static Part none(Term term) {
        return new Part(
                term,
                Double.NaN,
                Double.NaN,
                Double.NaN,
                Outcome.UNDECIDED,
                Optional.of(NoVerdictReason.TOO_FEW_BLOCKS));
    }

    /**
     * Returns the outcome for a layer of CPU time. The figure is the difference in the layer, as a share of all CPU
     * time of a request, in each block against the mean of both copies of the baseline, with a t interval. There is no
     * ratio of a layer near 0, and a new layer counts from 0. If another layer certainly lost at least half as much,
     * cost has moved between layers, and only the CPU time of the whole process can decide. A layer that is in no
     * profile decides nothing, because its name may be misspelled.
     */
    private static Part layer(Term term, Analysis judged) {
        Group group = judged.group(judged.campaign().arm(term.part().of()).group());
        Spread own = ofLayer(term, judged, group, term.part().layer());
        if (!own.known()) {
            return none(term);
        }
        if (!judged.layerNames(group, term.load()).contains(term.part().layer())) {
            return new Part(
                    term, Double.NaN, Double.NaN, Double.NaN, Outcome.UNDECIDED, Optional.of(NoVerdictReason.UNSEEN));
        }
        Part part = decided(
                term, Metric.CPU, judged, 1 + own.mean(), 1 + own.low(), 1 + own.high(), NoVerdictReason.SPREAD);
        boolean moved = part.outcome == Outcome.DOES_NOT_HOLD
                && judged.layerNames(group, term.load()).stream()
                        .map(other -> ofLayer(term, judged, group, other))
                        .anyMatch(other -> other.high() < 0 && other.mean() < -own.mean() / 2);
        return moved
                ? new Part(term, part.value, part.low, part.high, Outcome.UNDECIDED, Optional.of(NoVerdictReason.MOVED))
                : part;
    }

    private static Spread ofLayer(Term term, Analysis judged, Group group, String layer) {
        double[] differences =
                judged
                        .layerDifferences(group, term.part().of(), term.part().than(), term.load(), layer)
                        .values()
                        .stream()
                        .mapToDouble(Double::doubleValue)
                        .toArray();
        return Spread.of(differences, false, judged.family().level());
    }

    private static Part own(Term term, Metric metric, Analysis judged) {
        Arm arm = judged.campaign().arm(term.part().of());
        boolean ratio = term.part().ratio();
        Arm than = ratio ? judged.campaign().arm(term.part().than()) : arm;
        SortedMap<Integer, Double> ones = judged.values(arm, term.load(), metric);
        SortedMap<Integer, Double> others = judged.values(than, term.other(), metric);
        List<Integer> blocks =
                ones.keySet().stream().filter(others::containsKey).toList();
        if (blocks.size() < 2) {
            return none(term);
        }
        // Error of each figure because of a coarse clock.
        double clock = metric.isSingleTime()
                ? Math.max(
                        judged.resolutionMs(List.of(arm), term.load()),
                        judged.resolutionMs(List.of(than), term.other()))
                : 0;
        boolean share = metric.unit().equals("%");
        double level = judged.family().level();
        DoubleBinaryOperator figure = ratio ? (one, other) -> one / other : (one, other) -> one;
        Spread middle = spread(blocks, ones, others, figure, share, level);
        Spread least = spread(blocks, ones, others, (a, b) -> figure.applyAsDouble(a - clock, b + clock), share, level);
        Spread most = spread(blocks, ones, others, (a, b) -> figure.applyAsDouble(a + clock, b - clock), share, level);
        boolean top = judged.isLimited(arm, term.load(), metric);
        boolean bottom = ratio && judged.isLimited(than, term.other(), metric);
        boolean time = metric.kind() == Metric.Kind.LATENCY;
        double low = bottom || top && time || !least.geometric() && !share ? 0 : Math.max(0, least.low());
        double high = top || bottom && time || !most.geometric() && !share ? Double.POSITIVE_INFINITY : most.high();
        if (metric == Metric.ERRORS && !ratio) {
            CountedShare failed = failed(judged.counted(arm, term.load()).values(), level / 2);
            low = Math.min(low, 100 * failed.low());
            high = Math.max(high, 100 * failed.high());
        }
        // Without a spread, because the values of all blocks are equal, it is unknown how far off the next one may be.
        // A share has the spread of its request count.
        boolean spreads = share || clock > 0 || middle.high() - middle.low() > Estimate.ROUNDING * middle.mean();
        return spreads
                ? decided(
                        term,
                        metric,
                        judged,
                        middle.mean(),
                        low,
                        high,
                        top || bottom ? NoVerdictReason.FLOOR : NoVerdictReason.SPREAD)
                : new Part(
                        term,
                        middle.mean(),
                        Double.NaN,
                        Double.NaN,
                        Outcome.UNDECIDED,
                        Optional.of(NoVerdictReason.NO_SPREAD));
    }

    /**
     * Returns the interval of the probability that a request fails. No failure among a few requests does not prove that
     * none fail.
     */
    private static CountedShare failed(Collection<LoadFigures> results, double alpha) {
        return CountedShare.of(
                results.stream().mapToLong(LoadFigures::errors).sum(),
                results.stream().mapToLong(LoadFigures::requests).sum(),
                alpha);
    }

    private static Spread spread(
            List<Integer> blocks,
            SortedMap<Integer, Double> ones,
            SortedMap<Integer, Double> others,
            DoubleBinaryOperator figure,
            boolean share,
            double level) {
        double[] values = blocks.stream()
                .mapToDouble(block -> figure.applyAsDouble(ones.get(block), others.get(block)))
                .toArray();
        // Dropping non-finite values would make the interval too narrow.
        boolean usable = share || Arrays.stream(values).allMatch(value -> value > 0 && Double.isFinite(value));
        return usable
                ? Spread.of(values, !share, level)
                : new Spread(values.length, Double.NaN, Double.NaN, Double.NaN, false);
    }

    private static Part decided(
            Term term, Metric metric, Analysis judged, double value, double low, double high, NoVerdictReason open) {
        Outcome outcome = outcome(term.part(), metric, judged.settings().margin(metric), low, high);
        return new Part(
                term, value, low, high, outcome, outcome == Outcome.UNDECIDED ? Optional.of(open) : Optional.empty());
    }

    /**
     * Returns the outcome of a part, based only on its interval.
     *
     * @param margin margin of its metric, as a share
     * @param low lower end; NaN without an interval
     * @param high upper end; infinite if there is none
     */
    public static Outcome outcome(ClaimSpec.Part part, Metric metric, double margin, double low, double high) {
        Range claimed = claimed(part, metric, margin);
        boolean inside = low >= claimed.low() && high <= claimed.high();
        boolean outside = low > claimed.high() || high < claimed.low();
        return Double.isNaN(low) || Double.isNaN(high)
                ? Outcome.UNDECIDED
                : outside ? Outcome.DOES_NOT_HOLD : inside ? Outcome.HOLDS : Outcome.UNDECIDED;
    }

    /** A range that includes both of its ends. 0 and infinity stand for a missing end. */
    private record Range(double low, double high) {}

    /**
     * Returns the claimed range of a ratio or figure. It follows from the margin of the verdicts, or from the claim's
     * own bounds.
     */
    private static Range claimed(ClaimSpec.Part part, Metric metric, double margin) {
        double most = 1 + margin;
        double least = 1 / most;
        double all = Double.POSITIVE_INFINITY;
        Range above = new Range(most, all);
        Range below = new Range(0, least);
        Range notBelow = new Range(least, all);
        Range notAbove = new Range(0, most);
        boolean more = metric.higherIsBetter();
        return switch (part.relation()) {
            case FASTER -> more ? above : below;
            case SLOWER -> more ? below : above;
            case NOT_FASTER -> more ? notAbove : notBelow;
            case NOT_SLOWER -> more ? notBelow : notAbove;
            case EQUIVALENT -> new Range(least, most);
            case WITHIN -> new Range(part.least() == null ? 0 : part.least(), part.most() == null ? all : part.most());
        };
    }
}
