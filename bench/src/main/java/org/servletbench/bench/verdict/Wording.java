package org.servletbench.bench.verdict;

import static org.servletbench.bench.model.Text.list;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;

/**
 * Verdicts in English. Each is one sentence without a full stop. A sentence about an arm and its baseline names the arm
 * first, whichever is better, as tables do. A sentence about two other arms names the better one first. Percentages
 * refer to the arm named second.
 */
public final class Wording {

    /** Follows a {@link Verdict#DIFFERENT} difference. */
    public static final String MAYBE_WITHIN_MARGIN = ", maybe within the margin";

    private final MultipleComparison family;
    private final Map<String, String> names;
    private final boolean oneGenerator;

    /**
     * Creates the wording for a family.
     *
     * @param names names of arms in sentences, such as {@code Tomcat NIO}, by their ids; arms without a name are called
     *     by their ids
     */
    public Wording(MultipleComparison family, Map<String, String> names) {
        this.family = family;
        this.names = Map.copyOf(names);
        oneGenerator = family.comparisons().stream()
                        .map(comparison -> comparison.load().generator())
                        .distinct()
                        .count()
                <= 1;
    }

    /** Returns a load as in "For hello at 100 users". It includes the generator only if the family has several. */
    public String load(MeasuredLoad load) {
        String text = load.withoutGenerator().words();
        return oneGenerator ? text : text + " (" + load.generator() + ")";
    }

    /**
     * Returns the whole sentence with this arm first: "For hello at 100 users, Jetty answers 15 % fewer requests than
     * Tomcat NIO".
     */
    public String sentence(PairVerdict pair, String arm) {
        return "For " + load(pair.contrast().load()) + ", " + clause(pair, arm);
    }

    /** Returns the sentence without the load, for a table whose heading has the load. */
    public String clause(PairVerdict pair) {
        boolean turned = pair.verdict().namesADifference() && !pair.aLooksBetter();
        return clause(pair, turned ? pair.contrast().b() : pair.contrast().a());
    }

    /**
     * Returns the clause with this arm first, whether it is better or worse: "Jetty answers 15 % fewer requests than
     * Tomcat NIO".
     *
     * @param arm one of the pair's two arms
     */
    public String clause(PairVerdict pair, String arm) {
        return switch (pair.verdict()) {
            case FASTER, SLOWER -> difference(pair, arm);
            case DIFFERENT ->
                difference(pair, arm) + MAYBE_WITHIN_MARGIN + " of "
                        + margin(pair.contrast().metric());
            case EQUIVALENT -> equal(pair, arm);
            case INCONCLUSIVE -> inconclusive(pair, arm);
        };
    }

    /**
     * Returns what causes a difference: "Why: Undertow needs 13.1 µs more CPU time per request (11 to 15): 6.9 in the
     * kernel, 6.2 in user code; 1.0 more voluntary context switches per request (1.17 against 0.17)".
     *
     * @param explained true if the reasons have the direction of a difference that was found; otherwise they are only
     *     listed
     */
    public String why(Reasons reasons, boolean explained) {
        String subject = (explained ? "Why: " : "Also measured: ") + name(reasons.arm());
        List<String> named = reasons.named().stream()
                .map(one -> reason(
                        one,
                        reasons.whole()
                                .filter(whole -> one.isLimited(whole.difference()))
                                .map(whole -> "; at most " + digits(one.mostMicros(), 1) + " µs")
                                .orElse("")))
                .toList();
        if (reasons.isEmpty()) {
            return "Why: nothing measured explains the difference between " + name(reasons.arm()) + " and "
                    + name(reasons.baseline());
        }
        if (reasons.whole().isEmpty()) {
            List<String> all = Stream.concat(reasons.modes().stream().map(mode -> reason(mode, "")), named.stream())
                    .toList();
            return subject + " has " + String.join("; ", all);
        }
        Reason whole = reasons.whole().get();
        String modes = reasons.modes().stream()
                .map(mode -> digits(mode.difference(), 2)
                        + (mode.isMore() == whole.isMore() ? "" : mode.isMore() ? " more" : " less") + " "
                        + mode.cause().words())
                .collect(Collectors.joining(", "));
        Stream<String> nothing = modes.isEmpty() && named.isEmpty()
                ? Stream.of("nothing else that was measured explains it")
                : Stream.empty();
        return Stream.of(
                        Stream.of(subject + " needs " + digits(whole.difference(), 3) + " µs "
                                + (whole.isMore() ? "more" : "less") + " CPU time per request ("
                                + ends(whole) + ")" + (modes.isEmpty() ? "" : ": " + modes)),
                        named.stream(),
                        nothing)
                .flatMap(part -> part)
                .collect(Collectors.joining("; "));
    }

    /**
     * Returns the main reason in one line: "Undertow: 7.9 µs more CPU time per request, 7.7 µs more in thread
     * hand-off".
     */
    public String brief(Reasons reasons) {
        if (reasons.isEmpty()) {
            return "nothing measured explains the difference between " + name(reasons.arm()) + " and "
                    + name(reasons.baseline());
        }
        List<String> whole = reasons.whole().stream()
                .map(one -> digits(one.difference(), 2) + " µs " + (one.isMore() ? "more" : "less")
                        + " CPU time per request")
                .toList();
        List<String> first = Stream.concat(reasons.named().stream(), reasons.modes().stream())
                .limit(1)
                .map(one -> digits(one.difference(), 2)
                        + (one.cause().isTime() ? " µs" : "")
                        + (one.isMore() ? " more " : one.cause().isTime() ? " less " : " fewer ")
                        + one.cause().words())
                .toList();
        return name(reasons.arm()) + ": "
                + Stream.concat(whole.stream(), first.stream()).collect(Collectors.joining(", "));
    }

    /** Returns the ends of the interval of a difference that is shown, the smaller one first. */
    private static String ends(Reason reason) {
        double near = Math.min(Math.abs(reason.low()), Math.abs(reason.high()));
        double far = Math.max(Math.abs(reason.low()), Math.abs(reason.high()));
        return digits(near, 2) + " to " + digits(far, 2);
    }

    /** @param limit the largest possible cost of the events, to be shown after their values; may be empty */
    private static String reason(Reason reason, String limit) {
        String much = digits(reason.difference(), 2)
                + (reason.cause().isTime() ? " µs" : "")
                + (reason.isMore() ? " more " : reason.cause().isTime() ? " less " : " fewer ");
        return much
                + reason.cause().words()
                + (reason.isOfProfile() ? " (" + ends(reason) + ", by profile)" : "")
                + (reason.cause() instanceof Cause.Counter counter
                                && !reason.cause().isTime()
                        ? " (" + value(reason.arm(), counter.metric()) + " against "
                                + value(reason.baseline(), counter.metric()) + limit + ")"
                        : "");
    }

    private static String value(double value, Metric metric) {
        return Text.text("%,." + metric.decimals() + "f", value);
    }

    /** Returns the absolute value with this number of significant digits. Whole numbers keep all of theirs. */
    private static String digits(double value, int digits) {
        double size = Math.abs(value);
        return size >= Math.pow(10, digits)
                ? Text.text("%,.0f", size)
                : new BigDecimal(size).round(new MathContext(digits)).toPlainString();
    }

    /** Returns "Undertow is 9 % faster than Tomcat NIO (6 to 12 %)". */
    private String difference(PairVerdict pair, String arm) {
        boolean isA = arm.equals(pair.contrast().a());
        Metric metric = pair.contrast().metric();
        double ratio = isA ? pair.ratio() : 1 / pair.ratio();
        double low = isA ? pair.low() : 1 / pair.high();
        double high = isA ? pair.high() : 1 / pair.low();
        boolean more = (isA == pair.aLooksBetter()) == metric.higherIsBetter();
        // If the arm has less, ratio - 1 is negative, which "fewer", "less" or "lower" expresses.
        Percent percent =
                more ? percent(metric, ratio - 1, low - 1, high - 1) : percent(metric, 1 - ratio, 1 - high, 1 - low);
        // Only an interval with a floor lacks one end, and only the arm with the floor can be the better one of such a
        // pair.
        boolean floor = pair.bound() != Bound.EXACT;
        return name(arm)
                + how(metric, more, floor, percent.middle())
                + name(other(pair, arm))
                + (floor ? " (" + percent.low() + " % or more)" : " (" + percent.interval() + ")");
    }

    private static String how(Metric metric, boolean more, boolean floor, String number) {
        String percent = (floor ? "at least " : "") + number;
        if (metric == Metric.THROUGHPUT) {
            return more ? " is " + percent + " % faster than " : " answers " + percent + " % fewer requests than ";
        }
        if (metric == Metric.CAPACITY) {
            return " holds " + percent + " % " + (more ? "more" : "fewer") + " requests/s than ";
        }
        if (metric == Metric.CPU) {
            return " needs " + percent + " % " + (more ? "more" : "less") + " CPU time per request than ";
        }
        if (metric.part() == Metric.Part.COUNT && metric.unit().isEmpty()) {
            return " has " + percent + " % " + (more ? "more " : "fewer ") + metric.cause() + " than ";
        }
        String direction = more ? "higher" : "lower";
        return " has " + (floor ? "an" : article(number)) + " " + percent + " % " + direction + " " + metric.words()
                + " than ";
    }

    /** Returns "an" before numbers that are spoken with a vowel: 8, 80, 11, 18, ... */
    private static String article(String number) {
        String whole = number.contains(".") ? number.substring(0, number.indexOf('.')) : number;
        return whole.startsWith("8") || whole.equals("11") || whole.equals("18") ? "an" : "a";
    }

    private String equal(PairVerdict pair, String arm) {
        boolean isA = arm.equals(pair.contrast().a());
        Metric metric = pair.contrast().metric();
        Percent percent = isA
                ? percent(metric, pair.ratio() - 1, pair.low() - 1, pair.high() - 1)
                : percent(metric, 1 / pair.ratio() - 1, 1 / pair.high() - 1, 1 / pair.low() - 1);
        return both(pair, arm) + " are equal in " + metric.words() + " within " + margin(metric) + " ("
                + percent.signedInterval() + ")";
    }

    private String inconclusive(PairVerdict pair, String arm) {
        boolean barred = pair.reason().filter(NoVerdictReason::isTheServers).isPresent();
        return both(pair, arm) + (barred ? " are not judged in " : " cannot be distinguished in ")
                + pair.contrast().metric().words() + " (" + why(pair) + ")";
    }

    private String why(PairVerdict pair) {
        return switch (pair.reason().orElse(NoVerdictReason.SPREAD)) {
            case TOO_FEW_BLOCKS -> blocks(pair) + ": at least two are needed";
            case NO_SPREAD -> "the same in all " + pair.estimate().n() + " blocks: recorded too coarsely";
            case FLOOR -> floor(pair);
            case NOT_HELD ->
                barred(pair) + " did not hold the load in every block; counting only the other blocks would be biased";
            case NOT_WARM -> barred(pair) + " had servers that were not warm: they need a longer warm-up";
            case NOT_REACHED ->
                barred(pair) + " did not reach it in every start; counting only the other starts would be biased";
            case RESOLUTION ->
                "the times were recorded to ± "
                        + BigDecimal.valueOf(comparison(pair).resolution())
                                .stripTrailingZeros()
                                .toPlainString()
                        + " ms, too coarse to decide";
            case SPREAD -> found(family.detectable(comparison(pair)));
            case MOVED -> "the cost moved from another layer";
            case UNSEEN -> "no profile has that layer";
            case NOT_DRAWN -> "no verdicts are drawn from this campaign";
        };
    }

    private String of(PairVerdict pair, Predicate<String> which) {
        return list(Stream.of(pair.contrast().a(), pair.contrast().b())
                .filter(which)
                .map(this::name)
                .toList());
    }

    private String barred(PairVerdict pair) {
        return of(pair, arm -> comparison(pair).barred(arm, other(pair, arm)).equals(pair.reason()));
    }

    /** Returns what limited an arm with {@link NoVerdictReason#FLOOR}, so that its true figure is unknown. */
    public static String limit(Metric metric) {
        return metric.higherIsBetter() ? "the generator's limit" : "a warning";
    }

    private String floor(PairVerdict pair) {
        String arms = of(pair, arm -> comparison(pair).isFloor(arm, other(pair, arm)));
        return pair.contrast().metric().higherIsBetter()
                ? arms + " ran at the generator's limit, so the true "
                        + pair.contrast().metric().words() + " is at least what was measured"
                : "response times of " + arms + " are not the server's own, as their warnings say";
    }

    private BlockData comparison(PairVerdict pair) {
        return family.comparisons().stream()
                .filter(comparison -> comparison.contrasts().contains(pair.contrast())
                        || comparison.guard().filter(pair.contrast()::equals).isPresent())
                .findFirst()
                .orElseThrow();
    }

    private static String blocks(PairVerdict pair) {
        int n = pair.estimate().n();
        return switch (n) {
            case 0 -> "no block has both";
            case 1 -> "only one block has both";
            default -> n + " blocks";
        };
    }

    /**
     * Returns "a difference of 11 % or more would very likely have shown up".
     *
     * @param detectable result of {@link MultipleComparison#detectable}
     */
    public static String found(double detectable) {
        return detectable < 10
                ? "a difference of " + share(detectable) + " or more would very likely have shown up"
                : "even a tenfold difference might have gone unnoticed";
    }

    /**
     * Returns a share such as {@link MultipleComparison#detectable}, rounded up so that it does not promise too much:
     * "11 %".
     */
    public static String share(double detectable) {
        return Percent.atLeast(detectable) + " %";
    }

    /**
     * Returns the outcome of the A/A check. The bias it names is the largest that the 90 % interval of an A/A copy does
     * not exclude.
     */
    public String guard() {
        double bias = family.biasNotExcluded();
        return switch (family.guard()) {
            case HELD ->
                "Two copies of " + baselines() + " came out equal within the margin of " + margins()
                        + "; between equal servers, a bias of more than " + Percent.atLeast(bias) + " % is ruled out";
            case UNPROVEN -> unproven(bias);
            case BROKEN ->
                "VOID, no verdict of this campaign may be used: two copies of the same arm came out different"
                        + broken();
        };
    }

    private String broken() {
        List<PairVerdict> broken = family.controls().stream()
                .filter(control -> AaCheck.of(control) == AaCheck.BROKEN)
                .toList();
        return broken.size() > 3
                ? " in " + broken.size() + " of " + family.controls().size() + " A/A checks"
                : broken.stream()
                        .map(control -> load(control.contrast().load()) + ": " + clause(control))
                        .collect(Collectors.joining("; ", " (", ")"));
    }

    private String unproven(double bias) {
        if (family.controls().isEmpty()) {
            return "Inconclusive: no arm was measured twice, so nothing shows that this campaign is free of bias";
        }
        String unproven =
                "Inconclusive: the two copies of " + baselines() + " do not show that this campaign is free of bias";
        return Double.isFinite(bias) && bias < 10
                ? unproven + "; a bias of up to " + Percent.atLeast(bias)
                        + " % would not have been seen, and the margin is " + margins()
                : unproven + ": too few blocks, figures without an interval, or the generator's limit";
    }

    /**
     * What the intervals of one campaign cover, and how far ratios moved from campaign to campaign (docs/method.md).
     */
    public static final String SCOPE =
            "intervals hold during this campaign, on this machine; beyond them, ratios of different containers varied by"
                    + " 0.4 % (standard deviation) over three campaigns in nine hours on one machine, and by up to 17 %"
                    + " within a day on a shared host";

    /** Returns the joint promise of all intervals of a campaign, according to the plan's level. */
    public static String promise(double alpha) {
        return "all intervals hold together, for this campaign on this machine, at " + Percent.plain(1 - alpha) + " %";
    }

    /** The intervals that the joint promise does not cover. */
    public static final String OTHERS = "; those of the A/A copy (" + MultipleComparison.CONTROL_CONFIDENCE
            + ") and of what is not judged hold individually";

    private String baselines() {
        return list(family.controls().stream()
                .map(control -> name(control.contrast().b()))
                .distinct()
                .toList());
    }

    private Percent percent(Metric metric, double middle, double low, double high) {
        return Percent.of(middle, low, high, family.settings().margin(metric));
    }

    private String margin(Metric metric) {
        return family.settings().margin().words(List.of(metric));
    }

    /** Returns the margins of all metrics that have an A/A check. */
    private String margins() {
        return family.settings()
                .margin()
                .words(family.controls().stream()
                        .map(control -> control.contrast().metric())
                        .distinct()
                        .toList());
    }

    private String both(PairVerdict pair, String arm) {
        return name(arm) + " and " + name(other(pair, arm));
    }

    private static String other(PairVerdict pair, String arm) {
        return arm.equals(pair.contrast().a())
                ? pair.contrast().b()
                : pair.contrast().a();
    }

    private String name(String arm) {
        return names.getOrDefault(arm, arm);
    }

    /**
     * True if differences, as fractions, need tenths of a percent because whole ones would blur the interval or the
     * figure.
     */
    public static boolean fine(double middle, double low, double high, double margin) {
        boolean spreads = high - low > 1e-9;
        // Rounding must not move an end onto a value that decides: 0, or the margin, which is a little smaller for
        // reductions.
        boolean decides = DoubleStream.of(low, high).map(Math::abs).anyMatch(end -> DoubleStream.of(
                        0, margin, margin / (1 + margin))
                .anyMatch(edge -> Math.abs(end - edge) < 0.005));
        return spreads && (high - low < 0.02 || decides) || Math.abs(middle) < (high - low < 0.1 ? 0.1 : 0.01);
    }

    /** A figure and its interval in percent, with as many decimals as the interval justifies. */
    private record Percent(String middle, String low, String high) {
        /**
         * Rounds differences given as fractions: 0.09 for 9 %. Without a spread, middle and ends are equal up to
         * rounding.
         */
        static Percent of(double middle, double low, double high, double margin) {
            int digits = fine(middle, low, high, margin) ? 1 : 0;
            return new Percent(
                    text(middle, digits, RoundingMode.HALF_EVEN),
                    text(low, digits, RoundingMode.HALF_EVEN),
                    text(high, digits, RoundingMode.HALF_EVEN));
        }

        /** Returns the fraction in percent, rounded up so that it does not promise too much. */
        static String atLeast(double fraction) {
            return text(fraction, fraction < 0.02 ? 1 : 0, RoundingMode.CEILING);
        }

        static String plain(double fraction) {
            return new BigDecimal(text(fraction, 2, RoundingMode.HALF_EVEN))
                    .stripTrailingZeros()
                    .toPlainString();
        }

        String interval() {
            return low + " to " + high + " %";
        }

        String signedInterval() {
            return low + " to " + (high.startsWith("-") ? "" : "+") + high + " %";
        }

        private static String text(double fraction, int digits, RoundingMode rounding) {
            if (Double.isInfinite(fraction)) {
                return "any";
            }
            return BigDecimal.valueOf(fraction)
                    .movePointRight(2)
                    .setScale(digits, rounding)
                    .toPlainString();
        }
    }
}
