package org.servletbench.bench.reproduce;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.Article.Claim;
import org.servletbench.bench.article.ErrorsOnly;
import org.servletbench.bench.article.Figures;
import org.servletbench.bench.article.Point;
import org.servletbench.bench.article.Quantity;
import org.servletbench.bench.article.RatioBound;
import org.servletbench.bench.article.Statement;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.reproduce.ClaimVerdict.Part;
import org.servletbench.bench.reproduce.ClaimVerdict.Standing;
import org.servletbench.bench.reproduce.ClaimVerdict.Why;
import org.servletbench.bench.server.NginxSpec;
import org.servletbench.bench.verdict.PairInterval;
import org.servletbench.bench.verdict.SampleSize;
import org.servletbench.bench.verdict.Settings;
import org.servletbench.bench.verdict.Spread;

/**
 * Compares an article's claims with intervals. For each comparison the ratio is taken within every block; its interval is at the
 * level alpha / m, where m is the number of comparisons of the whole article (Bonferroni), so that all its intervals hold
 * together. Two arms under the same load have the noise of all arms of their kind under it ({@link PairInterval}); else it is that of
 * the t distribution of the blocks' logarithms. Pure: the same observations give the same verdicts.
 */
public final class Evaluation {

    static final double ROUNDING = 1e-12;
    /** Below this many times the clock's step a single response time says little. */
    private static final double STEPS = 20;

    private final Observed observed;
    private final Settings settings;
    private final int comparisons;
    private final double level;

    private Evaluation(Observed observed, Settings settings, int comparisons) {
        this.observed = observed;
        this.settings = settings;
        this.comparisons = comparisons;
        level = settings.alpha() / comparisons;
    }

    /** How many intervals of an article hold together. */
    public static int comparisons(Article article) {
        return Math.max(
                1,
                article.claims().stream()
                        .mapToInt(claim -> claim.statement() instanceof ErrorsOnly
                                ? claim.statement().cells().size()
                                : claim.statement().comparisons().size())
                        .sum());
    }

    /**
     * How wide the interval of two arms under the same load will be, about: by the procedure that judges them, at the level
     * divided by the article's comparisons (Bonferroni).
     *
     * @param arms under that load, two or more; nginx is none of them
     * @param blocks two or more
     * @param spread standard deviation of the residual, as a share
     * @return half of it, as a share
     */
    public static double forecast(Article article, int arms, int blocks, double spread, Settings settings) {
        double level = settings.alpha() / comparisons(article);
        return SampleSize.halfWidthOfOne(spread, blocks, arms, level);
    }

    /**
     * A verdict on every claim, in the article's order.
     *
     * @param settings level, and the power of a smallest detectable difference
     */
    public static List<ClaimVerdict> of(Article article, Observed observed, Settings settings) {
        Evaluation evaluation = new Evaluation(observed, settings, comparisons(article));
        return article.claims().stream().map(evaluation::judge).toList();
    }

    private ClaimVerdict judge(Claim claim) {
        if (claim.statement() instanceof Statement.Undecidable undecidable) {
            String reason = undecidable.reason() + "; shown instead: " + undecidable.shownBy();
            return ClaimVerdict.undecidable(claim, List.of(), reason);
        }
        if (claim.statement() instanceof ErrorsOnly errors) {
            return observed.distrust()
                    .map(why -> ClaimVerdict.undecidable(claim, List.of(), why))
                    .orElseGet(() -> new ErrorShares(observed, level).judge(claim, errors));
        }
        List<Part> parts =
                claim.statement().comparisons().stream().map(this::part).toList();
        boolean load = claim.ofStart().isEmpty();
        String by = load ? "" : " (judged by the starts alone)";
        if (load && observed.distrust().isPresent()) {
            return ClaimVerdict.undecidable(claim, parts, observed.distrust().get());
        }
        int outside = ClaimVerdict.with(parts, Standing.OUTSIDE).size();
        List<Part> open = ClaimVerdict.with(parts, Standing.OPEN);
        if (outside > 0) {
            String reason = outside + " of " + parts.size() + " intervals lie wholly outside what is claimed" + by;
            return new ClaimVerdict(claim, ClaimOutcome.NOT_REPRODUCED_HERE, parts, reason);
        }
        if (!open.isEmpty()) {
            return ClaimVerdict.undecidable(claim, parts, why(parts, open) + by);
        }
        String all = parts.size() == 1 ? "the interval lies" : "all " + parts.size() + " intervals lie";
        return new ClaimVerdict(claim, ClaimOutcome.CONFIRMED, parts, all + " wholly within what is claimed" + by);
    }

    /** Of intervals that are too wide only the one that could have found least; of other reasons each. */
    private static String why(List<Part> parts, List<Part> open) {
        List<Part> wide = with(open, Why.WIDE).stream()
                .sorted(Comparator.comparingDouble(
                        (Part part) -> Double.isNaN(part.detectable()) ? 0 : -part.detectable()))
                .toList();
        // The times of a coarse clock differ from part to part; one example is enough.
        List<String> reasons = new ArrayList<>(Stream.concat(
                        with(open, Why.OTHER).stream().map(Part::reason).distinct(),
                        with(open, Why.COARSE).stream().map(Part::reason).limit(1))
                .toList());
        if (!wide.isEmpty()) {
            Part first = wide.get(0);
            reasons.add(
                    parts.size() == 1
                            ? first.reason()
                            : text(
                                    "%d of %d intervals reach across their bounds: %d blocks with this spread find a difference"
                                            + " of %s",
                                    wide.size(), parts.size(), first.blocks(), share(first.detectable())));
        }
        return String.join("; ", reasons);
    }

    private static List<Part> with(List<Part> parts, Why why) {
        return parts.stream().filter(part -> part.why() == why).toList();
    }

    // ---- ratios ----

    private Part part(RatioBound comparison) {
        String what = what(comparison);
        String bounds = comparison.bounds();
        double step = coarse(comparison.metric()) ? observed.clockMs() : 0;
        List<double[]> pairs = pairs(comparison);
        double[] logs = pairs.stream()
                .mapToDouble(pair -> Math.log(pair[0] / pair[1]))
                .filter(Double::isFinite)
                .toArray();
        double ratio = Math.exp(Spread.of(logs, false, settings.alpha()).mean());
        if (pairs.size() < 2) {
            return Part.unknown(what, bounds, pairs.size(), ratio, false, missing(comparison));
        }
        Optional<PairInterval> pooled = pooled(comparison);
        double low = observed.floors().contains(comparison.denominator()) ? 0 : bound(pairs, step, true, pooled);
        double high = observed.floors().contains(comparison.numerator())
                ? Double.POSITIVE_INFINITY
                : bound(pairs, step, false, pooled);
        double sd = logs.length > 1 ? StandardDeviation.of(logs).getAsDouble() : 0;
        boolean spreads = sd > ROUNDING || step > 0;
        double detectable = sd > ROUNDING
                ? pooled.map(PairInterval::detectable)
                        .orElseGet(() -> SampleSize.detectable(sd, logs.length, comparisons, settings))
                : Double.NaN;
        Standing standing = !spreads && !signsAreEnough(pairs.size()) ? Standing.OPEN : standing(comparison, low, high);
        Why why = standing == Standing.OPEN ? open(comparison, spreads, pairs) : Why.NOT_OPEN;
        String reason =
                switch (why) {
                    case NOT_OPEN -> "";
                    case WIDE ->
                        text(
                                "the interval reaches across the bound: %d blocks with this spread find a difference of %s",
                                pairs.size(), share(detectable));
                    case COARSE ->
                        text(
                                "the generator's clock is too coarse: it counts steps of %.0f ms, and the times are %s to %s ms",
                                observed.clockMs(),
                                number(times(pairs).min().orElse(Double.NaN)),
                                number(times(pairs).max().orElse(Double.NaN)));
                    case OTHER -> other(comparison, pairs.size());
                };
        return new Part(what, bounds, pairs.size(), ratio, low, high, false, standing, detectable, why, reason);
    }

    private static String what(RatioBound comparison) {
        Point one = comparison.numerator();
        Point other = comparison.denominator();
        String metric = comparison.metric().words();
        if (one.users() == 0) {
            return text("%s: %s over %s", metric, one.arm(), other.arm());
        }
        return one.arm().equals(other.arm())
                ? text("%s of %s, %s: %d users over %d", metric, one.arm(), one.workload(), one.users(), other.users())
                : text("%s, %s, %d users: %s over %s", metric, one.workload(), one.users(), one.arm(), other.arm());
    }

    /** Equal values in every block have no spread: then only the number of blocks can tell; n equal signs have {@code 2^(1-n)}. */
    private boolean signsAreEnough(int blocks) {
        return Math.scalb(1.0, 1 - blocks) <= level;
    }

    /** Single response times are as coarse as the clock; means over many are not. */
    private static boolean coarse(Quantity metric) {
        return metric == Quantity.LATENCY_MIN || metric == Quantity.LATENCY_MAX;
    }

    private List<double[]> pairs(RatioBound comparison) {
        List<double[]> pairs = new ArrayList<>();
        for (Figures figures : observed.blocks().values()) {
            OptionalDouble one = figures.at(comparison.numerator(), comparison.metric());
            OptionalDouble other = figures.at(comparison.denominator(), comparison.metric());
            // A time of 0 on a coarse clock is a time.
            double least = coarse(comparison.metric()) ? 0 : Double.MIN_VALUE;
            if (one.isPresent() && other.isPresent() && one.getAsDouble() >= least && other.getAsDouble() >= least) {
                pairs.add(new double[] {one.getAsDouble(), other.getAsDouble()});
            }
        }
        return pairs;
    }

    /**
     * Two arms under the same load have the noise of all arms under that load, whether a claim is about them or not, and of the
     * baseline's copy: with few blocks a pair alone knows little of it.
     * nginx is not among them, nor is another arm at the generator's limit: it spreads as the generator does. Two arms whose own limit
     * sets their throughput spread as such arms do: others take no part. One arm at two loads is not a pair of that kind.
     */
    private Optional<PairInterval> pooled(RatioBound comparison) {
        Point one = comparison.numerator();
        Point other = comparison.denominator();
        boolean sameLoad = one.workload().equals(other.workload()) && one.users() == other.users();
        boolean limited = observed.limited().contains(one) && observed.limited().contains(other);
        List<String> arms = Stream.of(observed.blocks(), observed.others())
                .flatMap(all -> all.values().stream())
                .flatMap(figures -> figures.values().keySet().stream())
                .filter(cell -> cell.workload().equals(one.workload()) && cell.users() == one.users())
                .filter(cell -> cell.equals(one)
                        || cell.equals(other)
                        || !observed.floors().contains(cell))
                .filter(cell -> !limited || observed.limited().contains(cell))
                .map(Point::arm)
                .filter(arm -> !arm.equals(NginxSpec.ARM))
                .distinct()
                .sorted()
                .toList();
        if (!sameLoad || !arms.contains(one.arm()) || !arms.contains(other.arm())) {
            return Optional.empty();
        }
        SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>();
        observed.blocks().forEach((block, figures) -> {
            Map<String, Double> values = new TreeMap<>();
            Figures others = observed.others().getOrDefault(block, Figures.NONE);
            arms.forEach(arm -> {
                Point cell = new Point(arm, one.workload(), one.users());
                Stream.of(figures, others)
                        .flatMapToDouble(known -> known.at(cell, comparison.metric()).stream())
                        .forEach(value -> values.put(arm, value));
            });
            blocks.put(block, values);
        });
        return PairInterval.of(
                new org.servletbench.bench.verdict.Comparison(
                        "article",
                        new Cell("load", 0, 0, "any"),
                        Metric.THROUGHPUT,
                        arms,
                        one.arm(),
                        Optional.empty(),
                        blocks,
                        Set.of(),
                        0),
                one.arm(),
                other.arm(),
                level,
                settings.power());
    }

    /** One end of the interval, with each value moved by what the clock may hide, ms. */
    private double bound(List<double[]> pairs, double step, boolean lower, Optional<PairInterval> pooled) {
        double hidden = lower ? -step : step;
        double[] logs = pairs.stream()
                .mapToDouble(pair -> Math.log(Math.max(0, pair[0] + hidden) / Math.max(0, pair[1] - hidden)))
                .toArray();
        if (Arrays.stream(logs).anyMatch(log -> !Double.isFinite(log))) {
            return lower ? 0 : Double.POSITIVE_INFINITY;
        }
        Spread spread = Spread.of(logs, false, level);
        double half = pooled.map(PairInterval::half).orElse(spread.high() - spread.mean());
        return Math.exp(lower ? spread.mean() - half : spread.mean() + half);
    }

    private static Standing standing(RatioBound comparison, double low, double high) {
        boolean aboveLeast = comparison.leastIncluded() ? low >= comparison.least() : low > comparison.least();
        boolean belowLeast = comparison.leastIncluded() ? high < comparison.least() : high <= comparison.least();
        // The upper bound may be the ratio itself; infinity is no upper bound.
        boolean belowMost = comparison.most() == Double.POSITIVE_INFINITY || high <= comparison.most();
        if (aboveLeast && belowMost) {
            return Standing.WITHIN;
        }
        return belowLeast || low > comparison.most() ? Standing.OUTSIDE : Standing.OPEN;
    }

    private String missing(RatioBound comparison) {
        String why = Stream.of(comparison.numerator(), comparison.denominator())
                .filter(cell -> observed.values(cell, comparison.metric()).length < 2)
                .map(cell -> cell.text() + ": " + observed.why().getOrDefault(cell, "was measured in one block only"))
                .distinct()
                .collect(Collectors.joining("; "));
        return why.isEmpty() ? "an interval needs two blocks that have both" : why;
    }

    private Why open(RatioBound comparison, boolean spreads, List<double[]> pairs) {
        boolean below = coarse(comparison.metric()) && times(pairs).anyMatch(time -> time < STEPS * observed.clockMs());
        return limited(comparison).isPresent() ? Why.OTHER : below ? Why.COARSE : spreads ? Why.WIDE : Why.OTHER;
    }

    private String other(RatioBound comparison, int blocks) {
        return limited(comparison)
                .map(cell -> cell.text() + " is a floor, so much at least: "
                        + observed.why().getOrDefault(cell, "the generator was at its limit"))
                .orElseGet(() -> text(
                        "the same value in each of %d blocks: too few blocks to tell from a coarse reading", blocks));
    }

    /** The cell of which only one end is known. */
    private Optional<Point> limited(RatioBound comparison) {
        return Stream.of(comparison.numerator(), comparison.denominator())
                .filter(observed.floors()::contains)
                .findFirst();
    }

    private static DoubleStream times(List<double[]> pairs) {
        return pairs.stream().flatMapToDouble(Arrays::stream);
    }

    private static String share(double difference) {
        return !(difference < 10) ? "10 times and more" : text("%.1f %%", 100 * difference);
    }

    /** Three digits. */
    static String number(double value) {
        return value == Double.POSITIVE_INFINITY || value >= 1e6
                ? "any"
                : value != 0 && Math.abs(value) < 0.001 ? "0.000" : text(value < 100 ? "%.3f" : "%.0f", value);
    }

    static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
