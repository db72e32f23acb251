package org.servletbench.bench.reproduce;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.apache.commons.statistics.distribution.TDistribution;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.Cell;
import org.servletbench.bench.article.Claim;
import org.servletbench.bench.article.Comparison;
import org.servletbench.bench.article.Figures;
import org.servletbench.bench.article.Metric;
import org.servletbench.bench.article.Statement;
import org.servletbench.bench.measure.CellName;
import org.servletbench.bench.reproduce.ClaimVerdict.Part;
import org.servletbench.bench.reproduce.ClaimVerdict.Standing;
import org.servletbench.bench.target.NginxSpec;
import org.servletbench.bench.verdict.Better;
import org.servletbench.bench.verdict.Metric.Kind;
import org.servletbench.bench.verdict.PairInterval;
import org.servletbench.bench.verdict.SampleSize;
import org.servletbench.bench.verdict.Settings;
import org.servletbench.bench.verdict.Spread;

/**
 * Compares an article's claims with intervals. For each comparison the ratio is taken within every block; its interval is at the
 * level alpha / m, where m is the number of comparisons of the whole article (Bonferroni), so that all its intervals hold
 * together. Two arms under the same load have the noise of all arms under it ({@link PairInterval}); else it is that of the t
 * distribution of the blocks' logarithms. Pure: the same observations give the same verdicts.
 */
public final class Evaluation {

    private static final String COARSE = "the generator's clock is too coarse";
    private static final String ACROSS = "the interval reaches across the bound";
    private static final double ROUNDING = 1e-12;
    /** Below this many times the clock's step a single response time says little. */
    private static final double STEPS = 20;

    private final Observed observed;
    private final Settings settings;
    private final int comparisons;

    private Evaluation(Observed observed, Settings settings, int comparisons) {
        this.observed = observed;
        this.settings = settings;
        this.comparisons = comparisons;
    }

    /** How many intervals of an article hold together. */
    public static int comparisons(Article article) {
        return Math.max(
                1,
                article.claims().stream()
                        .mapToInt(claim -> claim.statement() instanceof Statement.ErrorsOnly
                                ? claim.statement().cells().size()
                                : claim.statement().comparisons().size())
                        .sum());
    }

    /**
     * How wide the interval of two arms under the same load will be: the block model's, with the residual of all arms and
     * Bonferroni over the article's comparisons.
     *
     * @param arms under that load, two or more; nginx is none of them
     * @param blocks two or more
     * @param spread standard deviation of the residual, as a share
     * @return half of it, as a share
     */
    public static double forecast(Article article, int arms, int blocks, double spread, Settings settings) {
        double level = settings.alpha() / comparisons(article);
        double t = TDistribution.of((arms - 1.0) * (blocks - 1.0)).inverseSurvivalProbability(level / 2);
        return Math.expm1(t * spread * Math.sqrt(2.0 / blocks));
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
            return new ClaimVerdict(
                    claim,
                    Outcome.UNDECIDABLE_HERE,
                    List.of(),
                    undecidable.reason() + "; shown instead: " + undecidable.shownBy());
        }
        if (claim.statement() instanceof Statement.ErrorsOnly errors) {
            return errors(claim, errors);
        }
        List<Part> parts =
                claim.statement().comparisons().stream().map(this::part).toList();
        boolean load = claim.statement().metric().filter(Metric::isStartUp).isEmpty();
        if (load && observed.distrust().isPresent()) {
            return new ClaimVerdict(
                    claim, Outcome.UNDECIDABLE_HERE, parts, observed.distrust().get());
        }
        List<Part> outside = with(parts, Standing.OUTSIDE);
        List<Part> open = with(parts, Standing.OPEN);
        if (!outside.isEmpty()) {
            return new ClaimVerdict(
                    claim,
                    Outcome.NOT_REPRODUCED_HERE,
                    parts,
                    outside.size() + " of " + parts.size() + " intervals lie wholly outside what is claimed");
        }
        if (!open.isEmpty()) {
            return new ClaimVerdict(claim, Outcome.UNDECIDABLE_HERE, parts, why(parts, open));
        }
        return new ClaimVerdict(
                claim,
                Outcome.CONFIRMED,
                parts,
                parts.size() == 1
                        ? "the interval lies wholly within what is claimed"
                        : "all " + parts.size() + " intervals lie wholly within what is claimed");
    }

    /** Of intervals that are too wide only the one that could have found least; of other reasons each. */
    private static String why(List<Part> parts, List<Part> open) {
        List<Part> wide = open.stream()
                .filter(part -> part.reason().startsWith(ACROSS))
                .sorted(Comparator.comparingDouble(
                        (Part part) -> Double.isNaN(part.detectable()) ? 0 : -part.detectable()))
                .toList();
        List<String> reasons = new ArrayList<>(open.stream()
                .map(Part::reason)
                .filter(reason -> !reason.startsWith(ACROSS) && !reason.startsWith(COARSE))
                .distinct()
                .toList());
        // The times differ from part to part; one example is enough.
        open.stream()
                .map(Part::reason)
                .filter(reason -> reason.startsWith(COARSE))
                .findFirst()
                .ifPresent(reasons::add);
        if (!wide.isEmpty()) {
            reasons.add(
                    wide.size() == 1 && parts.size() == 1
                            ? wide.get(0).reason()
                            : text(
                                    "%d of %d intervals reach across their bounds: %d blocks with this spread find a difference"
                                            + " of %s",
                                    wide.size(),
                                    parts.size(),
                                    wide.get(0).blocks(),
                                    share(wide.get(0).detectable())));
        }
        return String.join("; ", reasons);
    }

    private static List<Part> with(List<Part> parts, Standing standing) {
        return parts.stream().filter(part -> part.standing() == standing).toList();
    }

    // ---- ratios ----

    private Part part(Comparison comparison) {
        String what = what(comparison);
        double step = coarse(comparison.metric()) ? observed.clockMs() : 0;
        List<double[]> pairs = pairs(comparison);
        double[] logs = pairs.stream()
                .mapToDouble(pair -> Math.log(pair[0] / pair[1]))
                .filter(Double::isFinite)
                .toArray();
        double ratio = Math.exp(Spread.of(logs, false, settings.alpha()).mean());
        if (pairs.size() < 2) {
            return new Part(
                    what,
                    comparison.bounds(),
                    pairs.size(),
                    ratio,
                    Double.NaN,
                    Double.NaN,
                    false,
                    Standing.OPEN,
                    Double.NaN,
                    missing(comparison));
        }
        Optional<PairInterval> pooled = pooled(comparison);
        double low = bound(pairs, -step, step, true, pooled);
        double high = bound(pairs, step, -step, false, pooled);
        if (observed.floors().contains(comparison.numerator())) {
            high = Double.POSITIVE_INFINITY;
        }
        if (observed.floors().contains(comparison.denominator())) {
            low = 0;
        }
        double sd = logs.length > 1 ? StandardDeviation.of(logs).getAsDouble() : 0;
        boolean spreads = sd > ROUNDING || step > 0;
        double detectable = sd > ROUNDING
                ? pooled.map(PairInterval::detectable)
                        .orElseGet(() -> SampleSize.detectable(sd, logs.length, comparisons, settings))
                : Double.NaN;
        Standing standing = !spreads && !signsAreEnough(pairs.size()) ? Standing.OPEN : standing(comparison, low, high);
        String reason = standing != Standing.OPEN ? "" : open(comparison, spreads, detectable, pairs);
        return new Part(what, comparison.bounds(), pairs.size(), ratio, low, high, false, standing, detectable, reason);
    }

    private static String what(Comparison comparison) {
        Cell one = comparison.numerator();
        Cell other = comparison.denominator();
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
        return Math.scalb(1.0, 1 - blocks) <= settings.alpha() / comparisons;
    }

    /** Single response times are as coarse as the clock; means over many are not. */
    private static boolean coarse(Metric metric) {
        return metric == Metric.LATENCY_MIN || metric == Metric.LATENCY_MAX;
    }

    private List<double[]> pairs(Comparison comparison) {
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
     * Two arms under the same load have the noise of all arms under that load: with few blocks a pair alone knows little of it.
     * nginx is not among them, nor is another arm at the generator's limit: it spreads as the generator does. One arm at two loads
     * is not a pair of that kind.
     */
    private Optional<PairInterval> pooled(Comparison comparison) {
        Cell one = comparison.numerator();
        Cell other = comparison.denominator();
        boolean sameLoad = one.workload().equals(other.workload()) && one.users() == other.users();
        List<String> arms = observed.blocks().values().stream()
                .flatMap(figures -> figures.values().keySet().stream())
                .filter(cell -> cell.workload().equals(one.workload()) && cell.users() == one.users())
                .filter(cell -> cell.equals(one)
                        || cell.equals(other)
                        || !observed.floors().contains(cell))
                .map(Cell::arm)
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
            arms.forEach(arm -> figures.at(new Cell(arm, one.workload(), one.users()), comparison.metric())
                    .ifPresent(value -> values.put(arm, value)));
            blocks.put(block, values);
        });
        return PairInterval.of(
                new org.servletbench.bench.verdict.Comparison(
                        "article",
                        new org.servletbench.bench.verdict.Cell(CellName.parse("load"), "any"),
                        new org.servletbench.bench.verdict.Metric(
                                comparison.metric().key(), "any", Better.HIGHER, Kind.OTHER),
                        arms,
                        one.arm(),
                        Optional.empty(),
                        blocks),
                one.arm(),
                other.arm(),
                settings.alpha() / comparisons,
                settings.power());
    }

    /** One end of the interval, with each value moved by what the clock may hide, ms. */
    private double bound(
            List<double[]> pairs, double above, double below, boolean lower, Optional<PairInterval> pooled) {
        double[] logs = pairs.stream()
                .mapToDouble(pair -> Math.log(Math.max(0, pair[0] + above) / Math.max(0, pair[1] + below)))
                .toArray();
        if (Arrays.stream(logs).anyMatch(log -> !Double.isFinite(log))) {
            return lower ? 0 : Double.POSITIVE_INFINITY;
        }
        Spread spread = Spread.of(logs, false, settings.alpha() / comparisons);
        double half = pooled.map(PairInterval::half).orElse(spread.high() - spread.mean());
        return Math.exp(lower ? spread.mean() - half : spread.mean() + half);
    }

    private static Standing standing(Comparison comparison, double low, double high) {
        boolean aboveLeast = comparison.leastIncluded() ? low >= comparison.least() : low > comparison.least();
        boolean belowLeast = comparison.leastIncluded() ? high < comparison.least() : high <= comparison.least();
        // The upper bound may be the ratio itself; infinity is no upper bound.
        boolean belowMost = comparison.most() == Double.POSITIVE_INFINITY || high <= comparison.most();
        if (aboveLeast && belowMost) {
            return Standing.WITHIN;
        }
        return belowLeast || low > comparison.most() ? Standing.OUTSIDE : Standing.OPEN;
    }

    private String missing(Comparison comparison) {
        String why = List.of(comparison.numerator(), comparison.denominator()).stream()
                .filter(cell -> observed.values(cell, comparison.metric()).length < 2)
                .map(cell -> cell.text() + ": " + observed.why().getOrDefault(cell, "was measured in one block only"))
                .distinct()
                .collect(Collectors.joining("; "));
        return why.isEmpty() ? "an interval needs two blocks that have both" : why;
    }

    private String open(Comparison comparison, boolean spreads, double detectable, List<double[]> pairs) {
        List<Cell> limited = List.of(comparison.numerator(), comparison.denominator()).stream()
                .filter(observed.floors()::contains)
                .toList();
        if (!limited.isEmpty()) {
            return limited.get(0).text() + " is a floor, so much at least: "
                    + observed.why().getOrDefault(limited.get(0), "the generator was at its limit");
        }
        boolean below = coarse(comparison.metric())
                && pairs.stream().anyMatch(pair -> Math.min(pair[0], pair[1]) < STEPS * observed.clockMs());
        if (below) {
            return text(
                    COARSE + ": it counts steps of %.0f ms, and the times are %s to %s ms",
                    observed.clockMs(),
                    number(pairs.stream()
                            .mapToDouble(pair -> Math.min(pair[0], pair[1]))
                            .min()
                            .orElse(Double.NaN)),
                    number(pairs.stream()
                            .mapToDouble(pair -> Math.max(pair[0], pair[1]))
                            .max()
                            .orElse(Double.NaN)));
        }
        if (!spreads) {
            return text(
                    "the same value in each of %d blocks: too few blocks to tell from a coarse reading", pairs.size());
        }
        return text(ACROSS + ": %d blocks with this spread find a difference of %s", pairs.size(), share(detectable));
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

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    // ---- errors ----

    /** Shares have an interval over blocks; where "elsewhere" means none at all, a single failed request there is outside. */
    private ClaimVerdict errors(Claim claim, Statement.ErrorsOnly statement) {
        List<Part> parts = new ArrayList<>();
        boolean any = false;
        for (Cell cell : statement.cells()) {
            double[] shares = observed.values(cell, Metric.ERRORS_PRINTED);
            any |= Arrays.stream(shares).anyMatch(share -> share > 0);
            parts.add(share(statement, cell, shares));
        }
        List<Part> outside = with(parts, Standing.OUTSIDE);
        List<Part> open = with(parts, Standing.OPEN);
        if (!any) {
            boolean unmeasured = parts.stream().anyMatch(part -> Double.isNaN(part.value()));
            return new ClaimVerdict(
                    claim,
                    Outcome.UNDECIDABLE_HERE,
                    parts.stream().map(Evaluation::opened).toList(),
                    unmeasured
                            ? open.stream().map(Part::reason).distinct().collect(Collectors.joining("; "))
                            : "no request failed here, of either arm at any number of users: whatever made them fail there does"
                                    + " not happen here");
        }
        if (!outside.isEmpty()) {
            return new ClaimVerdict(
                    claim,
                    Outcome.NOT_REPRODUCED_HERE,
                    parts,
                    outside.stream().map(Part::what).collect(Collectors.joining(", ")) + ": other than claimed");
        }
        return open.isEmpty()
                ? new ClaimVerdict(claim, Outcome.CONFIRMED, parts, "requests failed there alone, and in that share")
                : new ClaimVerdict(
                        claim,
                        Outcome.UNDECIDABLE_HERE,
                        parts,
                        open.stream().map(Part::reason).distinct().collect(Collectors.joining("; ")));
    }

    /** Where nothing failed anywhere, the one that should have failed is not refuted: nothing has put it to the test. */
    private static Part opened(Part part) {
        return part.standing() != Standing.OUTSIDE
                ? part
                : new Part(
                        part.what(),
                        part.bounds(),
                        part.blocks(),
                        part.value(),
                        part.low(),
                        part.high(),
                        part.share(),
                        Standing.OPEN,
                        part.detectable(),
                        "no request failed here, of any arm");
    }

    private Part share(Statement.ErrorsOnly statement, Cell cell, double[] shares) {
        boolean failing = cell.equals(statement.failing());
        String what = "failed requests of " + cell.text();
        String none = statement.elsewhereBelow() > 0 ? text("below %.4f %%", 100 * statement.elsewhereBelow()) : "none";
        String bounds = failing ? text("%.4f %%", 100 * statement.share()) : none;
        Spread spread = Spread.of(shares, false, settings.alpha() / comparisons);
        if (shares.length < 2) {
            return new Part(
                    what,
                    bounds,
                    shares.length,
                    spread.mean(),
                    Double.NaN,
                    Double.NaN,
                    true,
                    Standing.OPEN,
                    Double.NaN,
                    cell.text() + ": " + observed.why().getOrDefault(cell, "was not measured"));
        }
        double low = Math.max(0, spread.low());
        double high = Math.min(1, Math.max(0, spread.high()));
        boolean constant = spread.high() - spread.low() < ROUNDING;
        if (constant && spread.mean() == 0) {
            high = none(cell);
        }
        Standing standing;
        if (!failing && statement.elsewhereBelow() == 0) {
            standing = spread.mean() > 0 ? Standing.OUTSIDE : Standing.WITHIN;
        } else {
            double least = failing ? statement.share() - statement.shareWithin() : 0;
            double most = failing ? statement.share() + statement.shareWithin() : statement.elsewhereBelow();
            standing = high < least || low > most
                    ? Standing.OUTSIDE
                    : low >= least && high <= most ? Standing.WITHIN : Standing.OPEN;
        }
        return new Part(
                what,
                bounds,
                shares.length,
                spread.mean(),
                low,
                high,
                true,
                standing,
                Double.NaN,
                standing == Standing.OPEN
                        ? text(
                                "%s: the interval from %.4f to %.4f %% is wider than what is claimed",
                                cell.text(), 100 * low, 100 * high)
                        : "");
    }

    /** Of n requests without a failure: the exact upper limit of the share of failures, {@code 1 - level^(1/n)}. */
    private double none(Cell cell) {
        double requests = Arrays.stream(observed.values(cell, Metric.REQUESTS)).sum();
        return requests > 0 ? -Math.expm1(Math.log(settings.alpha() / comparisons) / requests) : 1;
    }
}
