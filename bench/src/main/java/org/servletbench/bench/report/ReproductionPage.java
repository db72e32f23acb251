package org.servletbench.bench.report;

import static org.servletbench.bench.report.Html.escape;
import static org.servletbench.bench.report.Html.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.servletbench.bench.campaign.Arm;
import org.servletbench.bench.campaign.Campaign;
import org.servletbench.bench.campaign.Invocation.ThreadTimeline;
import org.servletbench.bench.campaign.Judgement;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.ArticleAudit;
import org.servletbench.bench.article.Cell;
import org.servletbench.bench.article.Claim;
import org.servletbench.bench.reproduce.ClaimVerdict;
import org.servletbench.bench.reproduce.ClaimVerdict.Part;
import org.servletbench.bench.article.Comparison;
import org.servletbench.bench.reproduce.Difference;
import org.servletbench.bench.reproduce.Evaluation;
import org.servletbench.bench.article.Figures;
import org.servletbench.bench.article.Finding;
import org.servletbench.bench.article.FindingKind;
import org.servletbench.bench.article.Metric;
import org.servletbench.bench.reproduce.Observed;
import org.servletbench.bench.reproduce.Outcome;
import org.servletbench.bench.reproduce.PublishedRun;
import org.servletbench.bench.reproduce.PublishedServer;
import org.servletbench.bench.reproduce.Reproduction;
import org.servletbench.bench.article.Statement;
import org.servletbench.bench.article.Treatment;
import org.servletbench.bench.report.Table.Column;
import org.servletbench.bench.report.Table.Value;
import org.servletbench.bench.verdict.Settings;
import org.servletbench.bench.verdict.Spread;

/**
 * The page of an article's experiment, run again: its claims and what became of them; its figures, ours as published and ours
 * with intervals, side by side; the audit of both; what differs, and exactly what was run. Beside it {@code claims.json} and
 * every table as CSV and JSON. The same inputs give the same bytes.
 */
public final class ReproductionPage {
    /** The page's name. */
    public static final String INDEX = "index.html";

    private final Reproduction reproduction;
    private final Article article;
    private final Figures ours;
    private final List<Tried> tried;
    private final Map<String, String> files = new TreeMap<>();

    /** The campaign with one choice of settings, and what it says of the claims. */
    private record Tried(
            Treatment treatment,
            String settings,
            Observed observed,
            List<ClaimVerdict> verdicts,
            List<ClaimVerdict> withoutRising,
            Optional<Judgement> judgement) {

        /** Another verdict on a claim that comes out without servers that were still getting faster. */
        Optional<ClaimVerdict> changed(int claim) {
            return withoutRising.isEmpty()
                            || withoutRising.get(claim).outcome()
                                    == verdicts.get(claim).outcome()
                    ? Optional.empty()
                    : Optional.of(withoutRising.get(claim));
        }

        /** For people: which treatment it is, and the settings by their name. */
        String words() {
            return treatment.words() + " (settings " + settings + ")";
        }

        String source() {
            return "here, as it should be (" + settings + ")";
        }
    }

    /** A page of what was read. */
    public ReproductionPage(Reproduction reproduction) {
        this.reproduction = reproduction;
        article = reproduction.article();
        ours = reproduction.asPublished();
        tried = reproduction.header().treatments().stream()
                .map(one -> new Tried(
                        one,
                        one.plan(article).settings(),
                        reproduction.observed(one),
                        reproduction.verdicts(one),
                        reproduction.verdictsWithoutRising(one),
                        reproduction.judgement(one)))
                .toList();
    }

    /**
     * Everything, not yet written.
     *
     * @return content by file name, relative to the reproduction's folder
     */
    public Map<String, String> files() {
        files.clear();
        files.put(INDEX, page());
        files.put("claims.json", json());
        return new TreeMap<>(files);
    }

    /**
     * Writes the page and its tables.
     *
     * @param to the reproduction's folder
     * @return the page
     * @throws IOException if it cannot be written
     */
    public Path write(Path to) throws IOException {
        for (Map.Entry<String, String> file : files().entrySet()) {
            ReportPage.write(to.resolve(file.getKey()), file.getValue());
        }
        return to.resolve(INDEX);
    }

    private String page() {
        Shell shell = new Shell(article.title());
        header(shell.body());
        claims(shell);
        figures(shell);
        threads(shell);
        audit(shell);
        differences(shell);
        commands(shell);
        raw(shell);
        return shell.html();
    }

    // ---- the first screen ----

    private void header(StringBuilder html) {
        html.append("<header>\n<p class='kicker'>servlet-bench: a published comparison, run again</p>\n");
        html.append(text("<h1>%s</h1>\n", escape(article.title())));
        html.append(text(
                "<p class='note'>Published: %s. Run here: %s; blocks as it should be: %s.</p>\n",
                escape(article.published()),
                escape(reproduction.header().created()),
                escape(Words.list(tried.stream()
                        .map(one -> one.judgement()
                                        .map(judged -> Integer.toString(judged.blocks()))
                                        .orElse("none") + " with " + one.settings())
                        .toList()))));
        tried.forEach(one ->
                html.append(text("<p class='tally'>With %s: %s</p>\n", escape(one.words()), tally(one.verdicts()))));
        if (reproduction.scale().isTrial()) {
            html.append(text(
                    "<p class='guard void' role='alert'>A trial at scale %s: cold servers, windows of seconds, two blocks. It"
                            + " shows that everything runs; its figures and verdicts say nothing.</p>\n",
                    Double.toString(reproduction.header().scale())));
        } else if (reproduction.scale().isReduced()) {
            html.append(text(
                    "<p class='guard untested'>Scaled: counts, times and blocks are %s of the article's.</p>\n",
                    Double.toString(reproduction.header().scale())));
        }
        for (Tried one : tried) {
            one.judgement()
                    .filter(judged -> !reproduction.scale().isTrial())
                    .ifPresent(judged -> html.append(text(
                            "<p class='guard %s'>With settings %s: %s.</p>\n",
                            switch (judged.family().guard()) {
                                case BROKEN -> "void' role='alert";
                                case HELD -> "held";
                                default -> "untested";
                            },
                            escape(one.settings()),
                            escape(judged.wording().guard()))));
        }
        html.append("</header>\n");
        if (!reproduction.header().troubles().isEmpty()) {
            html.append("<aside class='caveats' aria-label='Failures'><ul>");
            reproduction.header().troubles().forEach(trouble -> html.append("<li>")
                    .append(escape(trouble))
                    .append("</li>\n"));
            html.append("</ul></aside>\n");
        }
    }

    /** How many claims came out how. */
    static String tally(List<ClaimVerdict> verdicts) {
        List<String> parts = new ArrayList<>();
        for (Outcome outcome : Outcome.values()) {
            long number = verdicts.stream()
                    .filter(verdict -> verdict.outcome() == outcome)
                    .count();
            if (number > 0) {
                parts.add(text("<span class='%s'>%d %s</span>", style(outcome), number, outcome.words()));
            }
        }
        return text("Of %s: ", Words.count(verdicts.size(), "claim")) + Words.list(parts) + ".";
    }

    /** A class of the page's style. */
    static String style(Outcome outcome) {
        return switch (outcome) {
            case CONFIRMED -> "better";
            case NOT_REPRODUCED_HERE -> "worse";
            case UNDECIDABLE_HERE -> "open";
        };
    }

    // ---- claims ----

    private void claims(Shell shell) {
        StringBuilder html = shell.section("claims", "Claims");
        html.append(text(
                "<p class='note'>Each ratio is taken within every block. With one choice of settings the intervals hold together:"
                        + " %d comparisons share an error of %s (Bonferroni). Confirmed: wholly within what is claimed. Not"
                        + " reproduced here: at least one interval wholly outside; versions and machine differ, so this refutes"
                        + " nothing about the article. The shaded band is what is claimed, the dot with its line is ours with its"
                        + " interval, the ring the article's own figure.</p>\n",
                Evaluation.comparisons(article), Numbers.share(Settings.DEFAULTS.alpha())));
        html.append(
                tried.size() > 1
                        ? "<p class='note'>Each claim is tried twice, and each time has a verdict of its own: first with the article's"
                                + " treatment, which is what the claim is about, then with equalised settings (the same threads and"
                                + " connections for every container). Load and JVM options are the same in both.</p>\n"
                        : text(
                                "<p class='note'>Tried here with %s only.</p>\n",
                                escape(tried.get(0).words())));
        if (!article.disclaimers().isEmpty()) {
            html.append("<p class='note'>The author says of these figures:</p>\n<ul class='disclaimers'>\n");
            article.disclaimers()
                    .forEach(line -> html.append("<li>").append(escape(line)).append("</li>\n"));
            html.append("</ul>\n");
        }
        for (int i = 0; i < article.claims().size(); i++) {
            claim(html, article.claims().get(i), i);
        }
        List<Difference> differences = reproduction.differences();
        html.append(text(
                "<p class='note'>What differs from the article for all of them: %s. <a href='#differs'>More</a></p>\n",
                escape(Words.list(differences.stream()
                        .map(one -> one.what() + " (" + one.theirs() + "; here " + one.here() + ")")
                        .toList()))));
    }

    private void claim(StringBuilder html, Claim claim, int number) {
        html.append(text(
                "<div class='claim'><h3>%s</h3>\n<p class='note'>Original: %s Read as: %s</p>\n",
                escape(claim.says()),
                claim.original().isEmpty()
                        ? "not in this copy of the article's file."
                        : "<q lang='" + escape(article.language().split("\\W")[0]) + "'>" + escape(claim.original())
                                + "</q>.",
                claim.reading().isEmpty()
                        ? "not in this copy of the article's file."
                        : escape(Words.sentence(claim.reading()))));
        for (Tried one : tried) {
            ClaimVerdict verdict = one.verdicts().get(number);
            html.append(text(
                    "<h4><span class='%s'>%s</span> with %s</h4>\n<p class='note'>%s</p>\n",
                    style(verdict.outcome()),
                    escape(capital(verdict.outcome().words())),
                    escape(one.words()),
                    escape(Words.sentence(verdict.reason()))));
            one.changed(number)
                    .ifPresent(other -> html.append(text(
                            "<p class='note'><b>Without servers that were still getting faster: %s.</b> %s</p>\n",
                            escape(other.outcome().words()), escape(Words.sentence(other.reason())))));
            if (!verdict.parts().isEmpty()) {
                html.append(put(table(one, verdict)));
            }
        }
        if (claim.statement() instanceof Statement.Undecidable) {
            html.append(
                    "<p class='note'>See <a href='#threads'>the threads</a> and <a href='#figures'>the figures</a>.</p>\n");
        }
        html.append("</div>\n");
    }

    private static String capital(String words) {
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }

    private Table table(Tried one, ClaimVerdict verdict) {
        Table table = new Table(
                "claim-" + verdict.claim().id().replaceAll("[^A-Za-z0-9_-]", "_") + "-"
                        + one.treatment().option(),
                verdict.claim().says() + ", with " + one.words(),
                List.of(
                        Column.words("comparison", "Compared"),
                        Column.words("claimed", "Claimed"),
                        Column.number("article", "Article", ""),
                        Column.number("as-published", "Here, as published", ""),
                        Column.number("ratio", "Here, as it should be", ""),
                        Column.data("low"),
                        Column.data("high"),
                        Column.data("detectable"),
                        Column.words("plot", "Claimed and found"),
                        Column.number("blocks", "Blocks", ""),
                        Column.words("standing", "Verdict")));
        List<Comparison> comparisons = verdict.claim().statement().comparisons();
        Track track = Track.of(verdict.parts());
        for (int i = 0; i < verdict.parts().size(); i++) {
            Part part = verdict.parts().get(i);
            OptionalDouble theirs = comparisons.isEmpty()
                    ? share(article.figuresWithErrorShares(), verdict, i)
                    : ratio(article.figures(), comparisons.get(i));
            OptionalDouble published =
                    comparisons.isEmpty() ? share(ours, verdict, i) : ratio(ours, comparisons.get(i));
            double factor = part.share() ? 100 : 1;
            table.row(List.of(
                    Value.words(part.what()),
                    Value.words(part.bounds()),
                    number(theirs, factor),
                    number(published, factor),
                    new Value(interval(part, factor), Numbers.exact(part.value() * factor), null),
                    Value.number(part.low() * factor, ""),
                    Value.number(part.high() * factor, ""),
                    Value.number(part.detectable(), ""),
                    new Value(
                            part.share()
                                    ? ""
                                    : track.svg(
                                            part,
                                            comparisons.get(i),
                                            theirs.isPresent() ? theirs.getAsDouble() : Double.NaN),
                            "",
                            null),
                    Value.number(part.blocks(), Integer.toString(part.blocks())),
                    new Value(
                            text(
                                            "<span class='%s'>%s</span>",
                                            switch (part.standing()) {
                                                case WITHIN -> "better";
                                                case OUTSIDE -> "worse";
                                                case OPEN -> "open";
                                            },
                                            switch (part.standing()) {
                                                case WITHIN -> "within";
                                                case OUTSIDE -> "outside";
                                                case OPEN -> "open";
                                            })
                                    + (part.reason().isEmpty() ? "" : "<small>" + escape(part.reason()) + "</small>"),
                            part.standing().name().toLowerCase(Locale.ROOT),
                            null)));
        }
        return table;
    }

    private static Value number(OptionalDouble value, double factor) {
        return value.isPresent()
                ? Value.number(value.getAsDouble() * factor, Numbers.shown(value.getAsDouble() * factor))
                : Value.number(Double.NaN, Numbers.NONE);
    }

    private static OptionalDouble ratio(Figures figures, Comparison comparison) {
        OptionalDouble one = figures.at(comparison.numerator(), comparison.metric());
        OptionalDouble other = figures.at(comparison.denominator(), comparison.metric());
        return one.isPresent() && other.isPresent() && other.getAsDouble() > 0
                ? OptionalDouble.of(one.getAsDouble() / other.getAsDouble())
                : OptionalDouble.empty();
    }

    private static OptionalDouble share(Figures figures, ClaimVerdict verdict, int i) {
        return figures.at(verdict.claim().statement().cells().get(i), Metric.ERRORS_PRINTED);
    }

    private static String interval(Part part, double factor) {
        if (Double.isNaN(part.value()) && Double.isNaN(part.low())) {
            return Numbers.NONE;
        }
        String value = Double.isNaN(part.value()) ? Numbers.NONE : Numbers.shown(part.value() * factor);
        String unit = part.share() ? " %" : "";
        return value
                + unit
                + (Double.isNaN(part.low())
                        ? "<small>no interval</small>"
                        : "<small>" + ends(part.low() * factor, part.high() * factor) + unit + "</small>");
    }

    /** The ends of an interval; what is beyond a factor of a thousand is any value. */
    private static String ends(double low, double high) {
        boolean noLow = low < 0.001;
        boolean noHigh = high > 1000;
        if (noLow && noHigh) {
            return "any";
        }
        return noLow
                ? "up to " + Numbers.shown(high)
                : noHigh ? Numbers.shown(low) + " or more" : Numbers.shown(low) + " to " + Numbers.shown(high);
    }

    /** A small plot of ratios on a logarithmic axis that all parts of a claim share. */
    private record Track(double from, double to) {
        private static final double WIDTH = 160;
        private static final double HEIGHT = 20;

        static Track of(List<Part> parts) {
            double from = Math.log(0.7);
            double to = Math.log(1.4);
            for (Part part : parts) {
                for (double value : new double[] {part.value(), part.low(), part.high()}) {
                    if (value > 0.2 && value < 20) {
                        from = Math.min(from, Math.log(value) - 0.05);
                        to = Math.max(to, Math.log(value) + 0.05);
                    }
                }
            }
            return new Track(from, to);
        }

        private double x(double ratio) {
            double at = ratio <= 0 ? from : Math.log(ratio);
            return WIDTH * (Math.min(to, Math.max(from, at)) - from) / (to - from);
        }

        String svg(Part part, Comparison claimed, double theirs) {
            StringBuilder svg = new StringBuilder(text(
                    "<svg class='reach' viewBox='0 0 %.0f %.0f' width='%.0f' height='%.0f' role='img' aria-label='%s'>",
                    WIDTH, HEIGHT, WIDTH, HEIGHT, escape(part.what() + ": claimed " + part.bounds())));
            double begin = x(claimed.least());
            double end = claimed.most() == Double.POSITIVE_INFINITY ? WIDTH : x(claimed.most());
            svg.append(text(
                    "<rect class='band' x='%.1f' y='0' width='%.1f' height='%.0f'/>",
                    begin, Math.max(1.5, end - begin), HEIGHT));
            svg.append(text("<path class='zero' d='M%.1f 0V%.0f'/>", x(1), HEIGHT));
            if (!Double.isNaN(part.low())) {
                svg.append(text("<path class='ci' d='M%.1f 10H%.1f'/>", x(part.low()), x(part.high())));
            }
            if (!Double.isNaN(part.value())) {
                svg.append(text("<circle class='dot' cx='%.1f' cy='10' r='3.5'/>", x(part.value())));
            }
            if (!Double.isNaN(theirs)) {
                svg.append(text("<circle class='ring' cx='%.1f' cy='10' r='4.5'/>", x(theirs)));
            }
            return svg.append("</svg>").toString();
        }
    }

    // ---- figures ----

    private void figures(Shell shell) {
        StringBuilder html = shell.section("figures", "Figures side by side");
        html.append(
                "<p class='note'>Of each container and load the article's figure, ours from one run as published, and ours as"
                        + " it should be: the mean over blocks with its own interval."
                        + " Response times of wrk take part in nothing, and are left out as it should be: it adds samples that were"
                        + " not measured. Failed requests are shown as percent, whatever the"
                        + " article's column said.</p>\n");
        html.append(put(table("load", "Under load", false)));
        Table startUp = table("start-up", "At start-up", true);
        if (!startUp.isEmpty()) {
            html.append(put(startUp));
        }
        tried.forEach(one -> others(html, one));
    }

    private Table table(String file, String caption, boolean startUp) {
        List<Metric> metrics = Arrays.stream(Metric.values())
                .filter(metric -> metric.isStartUp() == startUp && metric != Metric.LATENCY_MEAN_SECONDS)
                .filter(metric -> cells(startUp).stream()
                        .anyMatch(cell -> theirs(cell, metric).isPresent()
                                || claimed(metric) && ours.at(cell, metric).isPresent()))
                .toList();
        List<Column> columns = new ArrayList<>(List.of(Column.words("arm", "Container")));
        if (!startUp) {
            columns.add(Column.words("workload", "Workload"));
            columns.add(Column.number("users", "Users", ""));
        }
        columns.add(Column.words("source", "From"));
        metrics.forEach(metric -> columns.add(Column.spread(metric.key(), title(metric), unit(metric))));
        Table table = new Table("figures-" + file, caption, columns);
        for (Cell cell : cells(startUp)) {
            row(table, cell, startUp, "article", metrics, metric -> single(theirs(cell, metric)));
            row(table, cell, startUp, "here, as published", metrics, metric -> single(ours.at(cell, metric)));
            for (Tried one : tried) {
                row(
                        table,
                        cell,
                        startUp,
                        one.source(),
                        metrics,
                        metric ->
                                Spread.of(one.observed().values(cell, metric), metric != Metric.ERRORS_PRINTED, 0.05));
            }
        }
        return table;
    }

    private boolean claimed(Metric metric) {
        return article.claims().stream()
                .anyMatch(claim ->
                        claim.statement().metric().filter(metric::equals).isPresent());
    }

    private static Spread single(OptionalDouble value) {
        return Spread.of(value.isPresent() ? new double[] {value.getAsDouble()} : new double[0], false, 0.05);
    }

    private static Spread single(Spread spread) {
        return spread.known() ? single(OptionalDouble.of(spread.mean())) : spread;
    }

    private OptionalDouble theirs(Cell cell, Metric metric) {
        if (metric == Metric.ERRORS_PRINTED) {
            return article.figures().at(cell, metric);
        }
        OptionalDouble ms = article.figures().at(cell, metric);
        OptionalDouble seconds = article.figures().at(cell, Metric.LATENCY_MEAN_SECONDS);
        return metric == Metric.LATENCY_MEAN && ms.isEmpty() && seconds.isPresent()
                ? OptionalDouble.of(1000 * seconds.getAsDouble())
                : ms;
    }

    private void row(
            Table table,
            Cell cell,
            boolean startUp,
            String source,
            List<Metric> metrics,
            Function<Metric, Spread> value) {
        List<Value> row = new ArrayList<>(List.of(Value.words(cell.arm())));
        if (!startUp) {
            row.add(Value.words(cell.workload()));
            row.add(Value.number(cell.users(), Integer.toString(cell.users())));
        }
        row.add(Value.words(source));
        boolean any = false;
        for (Metric metric : metrics) {
            Spread spread = value.apply(metric);
            any |= spread.known();
            boolean asShare = metric == Metric.ERRORS_PRINTED && !(source.equals("article") && isPercent(cell));
            // How many requests fit into a window is throughput again: no interval.
            Spread inUnit = asShare ? times(spread, 100) : spread;
            row.add(shown(metric == Metric.REQUESTS ? single(inUnit) : inUnit));
        }
        if (any) {
            table.row(row);
        }
    }

    /** Whether a printed share of failures is a percentage, as its column says, or a fraction, as the audit finds. */
    private boolean isPercent(Cell cell) {
        return article.errorsArePercent()
                && fractions().stream().noneMatch(finding -> finding.text().startsWith(cell.text()));
    }

    private List<Finding> fractions() {
        return ArticleAudit.of(article).stream()
                .filter(finding -> finding.kind() == FindingKind.FRACTION_AS_PERCENT)
                .toList();
    }

    private static Spread times(Spread spread, double factor) {
        return new Spread(
                spread.n(), spread.mean() * factor, spread.low() * factor, spread.high() * factor, spread.geometric());
    }

    private static Value shown(Spread spread) {
        if (!spread.known()) {
            return new Value(Numbers.NONE, null, spread);
        }
        String interval = spread.hasInterval()
                ? "<small>" + Numbers.shown(Math.max(0, spread.low())) + " to " + Numbers.shown(spread.high())
                        + "</small>"
                : "";
        return new Value(Numbers.shown(spread.mean()) + interval, Numbers.exact(spread.mean()), spread);
    }

    private static String title(Metric metric) {
        return switch (metric) {
            case REQUESTS -> "Requests";
            case THROUGHPUT -> "Throughput";
            case LATENCY_MEAN, LATENCY_MEAN_SECONDS -> "Mean response time";
            case LATENCY_MIN -> "Fastest";
            case LATENCY_MAX -> "Slowest";
            case LATENCY_STDEV -> "Standard deviation";
            case ERRORS_PRINTED -> "Failed";
            case AVAILABILITY -> "Availability";
            case RECEIVED -> "Received";
            case SENT -> "Sent";
            case RESPONSE_BYTES -> "Mean response";
            case ELAPSED -> "Took";
            case MEMORY_USED -> "Memory used";
            case CLASSES_LOADED -> "Classes loaded";
            case THREADS_LIVE -> "Live threads";
        };
    }

    private static String unit(Metric metric) {
        return switch (metric) {
            case THROUGHPUT -> "requests/s";
            case LATENCY_MEAN, LATENCY_MEAN_SECONDS, LATENCY_MIN, LATENCY_MAX, LATENCY_STDEV -> "ms";
            case ERRORS_PRINTED, AVAILABILITY -> "%";
            case RECEIVED, SENT -> "KiB/s";
            case RESPONSE_BYTES -> "bytes";
            case ELAPSED -> "s";
            case MEMORY_USED -> "MB";
            case REQUESTS, CLASSES_LOADED, THREADS_LIVE -> "";
        };
    }

    /** The article's cells, then those that only our runs or the claims have. */
    private List<Cell> cells(boolean startUp) {
        Set<Cell> cells = new LinkedHashSet<>(article.figures().values().keySet());
        cells.addAll(ours.values().keySet());
        article.claims().forEach(claim -> cells.addAll(claim.statement().cells()));
        boolean claimsStartUp = article.figures().values().keySet().stream().anyMatch(cell -> cell.users() == 0);
        return cells.stream()
                .filter(cell -> (cell.users() == 0) == startUp && (!startUp || claimsStartUp))
                .toList();
    }

    /** Loads of the campaign that decide no claim: siege with its pause. */
    private void others(StringBuilder html, Tried one) {
        if (one.judgement().isEmpty()) {
            return;
        }
        Judgement judged = one.judgement().get();
        String own = article.asItShouldBe().generator();
        List<org.servletbench.bench.campaign.Cell> cells = judged.cells().stream()
                .filter(cell -> judged.cells().stream()
                        .anyMatch(other -> !other.generator().equals(own)))
                .filter(cell -> judged.cells().stream()
                        .anyMatch(other -> !other.generator().equals(cell.generator())
                                && other.workload().equals(cell.workload())
                                && other.tier() == cell.tier()))
                .toList();
        if (cells.isEmpty()) {
            return;
        }
        Table table = new Table(
                "figures-variants-" + one.treatment().option(),
                "With and without the pause, as it should be (" + one.settings() + ")",
                List.of(
                        Column.words("arm", "Container"),
                        Column.words("workload", "Workload"),
                        Column.number("users", "Users", ""),
                        Column.words("generator", "Generator"),
                        Column.spread(org.servletbench.bench.campaign.Metric.THROUGHPUT),
                        Column.spread(org.servletbench.bench.campaign.Metric.MEAN),
                        Column.spread(org.servletbench.bench.campaign.Metric.SERVER_CORES)));
        for (Arm arm : judged.campaign().arms()) {
            if (arm.role() == Arm.Role.CONTROL) {
                continue;
            }
            for (org.servletbench.bench.campaign.Cell cell : cells) {
                List<Value> row = new ArrayList<>(List.of(
                        Value.words(arm.profile()),
                        Value.words(cell.workload()),
                        Value.number(cell.tier(), Integer.toString(cell.tier())),
                        Value.words(cell.generator())));
                for (var metric : List.of(
                        org.servletbench.bench.campaign.Metric.THROUGHPUT,
                        org.servletbench.bench.campaign.Metric.MEAN,
                        org.servletbench.bench.campaign.Metric.SERVER_CORES)) {
                    row.add(Value.of(metric, judged.describe(metric, judged.values(arm, cell, metric))));
                }
                table.row(row);
            }
        }
        html.append(put(table));
    }

    // ---- the rest ----

    private void threads(Shell shell) {
        Map<String, ThreadTimeline> servers = new LinkedHashMap<>();
        reproduction.servers().forEach(server -> servers.put(server.arm() + ", as published", server.threads()));
        for (Tried one : tried) {
            one.judgement().ifPresent(judged -> judged.campaign().arms().stream()
                    .filter(arm -> arm.role() != Arm.Role.CONTROL)
                    .forEach(arm -> judged.chosen().stream()
                            .filter(invocation -> invocation.arm().equals(arm.id()) && invocation.threads() != null)
                            .findFirst()
                            .ifPresent(invocation -> servers.put(
                                    arm.profile() + ", as it should be (" + one.settings() + "), block "
                                            + invocation.block(),
                                    invocation.threads()))));
        }
        Optional<String> charts = Curves.threads(servers);
        StringBuilder html = shell.section("threads", "Threads");
        html.append(charts.map(
                        drawn -> "<p class='note'>Of each server over its life; the shaded span is load.</p>\n" + drawn)
                .orElse("<p>No server's threads were seen.</p>\n"));
    }

    private void audit(Shell shell) {
        StringBuilder html = shell.section("audit", "The audit of the figures");
        html.append("<p class='note'>Computed from the figures alone, by the arithmetic that audits our own.</p>\n");
        html.append("<h3>The article's</h3>\n").append(findings(ArticleAudit.of(article)));
        html.append("<h3>Ours, as published</h3>\n").append(findings(reproduction.ownAudit()));
        html.append("<h3>What readers found in the article</h3>\n<ul>\n");
        article.audit()
                .forEach(note -> html.append("<li>").append(escape(note.says())).append("</li>\n"));
        html.append("</ul>\n");
    }

    private static String findings(List<Finding> findings) {
        if (findings.isEmpty()) {
            return "<p>Nothing was found.</p>\n";
        }
        StringBuilder html = new StringBuilder("<ul>\n");
        findings.forEach(finding -> html.append(text(
                "<li><b>%s</b>: %s</li>\n", escape(finding.kind().key().replace('-', ' ')), escape(finding.text()))));
        return html.append("</ul>\n").toString();
    }

    private void differences(Shell shell) {
        StringBuilder html = shell.section("differs", "What differs");
        Table table = new Table(
                "differences",
                "Article and here",
                List.of(Column.words("what", ""), Column.words("article", "Article"), Column.words("here", "Here")));
        reproduction
                .differences()
                .forEach(one -> table.row(
                        List.of(Value.words(one.what()), Value.words(one.theirs()), Value.words(one.here()))));
        files.put("tables/differences.csv", table.csv());
        files.put("tables/differences.json", table.json());
        html.append("<dl class='differs'>");
        reproduction
                .differences()
                .forEach(one -> html.append(text(
                        "<dt>%s</dt><dd>%s <small>here</small> %s</dd>\n",
                        escape(one.what()), escape(one.theirs()), escape(one.here()))));
        html.append("</dl>\n<ul>\n");
        article.differs()
                .forEach(line -> html.append("<li>").append(escape(line)).append("</li>\n"));
        html.append("</ul>\n");
    }

    private void commands(Shell shell) {
        StringBuilder html = shell.section("commands", "Exactly what was run");
        html.append("<h3>The article</h3>\n");
        article.serverCommand().ifPresent(command -> html.append(pre(command)));
        article.command().ifPresent(command -> html.append(pre(command)));
        article.serverSettings()
                .forEach((arm, settings) ->
                        html.append(text("<p class='note'>%s: %s</p>\n", escape(arm), escape(settings.toString()))));
        html.append("<h3>Here, as published</h3>\n");
        for (PublishedServer server : reproduction.servers()) {
            html.append(text("<h4>%s</h4>\n", escape(server.label())));
            if (!server.trouble().isEmpty()) {
                html.append(text("<p class='bad'>%s</p>\n", escape(server.trouble())));
                continue;
            }
            html.append(text(
                    "<p class='note'>JVM options: %s.%s</p>\n",
                    server.jvmOptions().isEmpty() ? "none" : escape(String.join(" ", server.jvmOptions())),
                    server.arguments().isEmpty()
                            ? ""
                            : " After the jar, as in the article, so that the JVM does not see them: "
                                    + escape(String.join(" ", server.arguments())) + "."));
            if (!server.settings().isEmpty()) {
                html.append("<p class='note'>Settings: ")
                        .append(escape(server.settings().toString()))
                        .append("</p>\n");
            }
            Set<String> commands = new LinkedHashSet<>();
            for (PublishedRun run : server.runs()) {
                if (!run.trouble().isEmpty()) {
                    html.append(text(
                            "<p class='bad'>%s, %d users: %s</p>\n",
                            escape(run.workload()), run.users(), escape(run.trouble())));
                } else if (commands.add(String.join(" ", run.command()))) {
                    html.append(pre(String.join(" ", run.command())));
                }
                run.notes().stream()
                        .distinct()
                        .forEach(note -> html.append(text("<p class='note'>%s</p>\n", escape(note))));
            }
        }
        tried.forEach(
                one -> one.judgement().map(Judgement::campaign).ifPresent(campaign -> shouldBe(html, campaign, one)));
    }

    private static void shouldBe(StringBuilder html, Campaign campaign, Tried one) {
        html.append(text("<h3>Here, as it should be: %s</h3>\n", escape(one.words())));
        html.append(text(
                "<p class='note'>JVM options: %s. Processors: %s. Seed %d. Every command line is among the <a href='%s/index.html#raw'>raw"
                        + " files</a> of the campaign.</p>\n",
                escape(campaign.options().getOrDefault("jvm.options", "")),
                escape(campaign.pinning()),
                campaign.plan().seed(),
                one.treatment().folder()));
        StringBuilder settings = new StringBuilder();
        campaign.options().forEach((name, value) -> {
            if (name.startsWith("setting ")) {
                settings.append(name.substring("setting ".length()))
                        .append('=')
                        .append(value)
                        .append('\n');
            }
        });
        if (!settings.isEmpty()) {
            html.append("<pre>").append(lines(settings.toString())).append("</pre>\n");
        }
    }

    private static String lines(String text) {
        return text.lines().map(Html::escape).reduce((a, b) -> a + "\n" + b).orElse("");
    }

    private static String pre(String line) {
        return "<pre tabindex='0'>" + escape(line) + "</pre>\n";
    }

    private void raw(Shell shell) {
        StringBuilder html = shell.section("raw", "Raw files");
        for (Treatment treatment : reproduction.campaigns().keySet()) {
            html.append(text(
                    "<p><a href='%s/index.html'>The campaign as it should be, %s</a>: every interval, every block, the native"
                            + " reports.</p>\n",
                    treatment.folder(), escape(treatment.words())));
        }
        html.append("<p><a href='claims.json'>claims.json</a> <a href='reproduction.json'>reproduction.json</a></p>\n");
        for (PublishedServer server : reproduction.servers()) {
            Set<String> links = new LinkedHashSet<>();
            server.runs().forEach(run -> links.addAll(run.links()));
            if (links.isEmpty()) {
                continue;
            }
            html.append(text("<dl class='links'><dt>%s</dt><dd>", escape(server.arm())));
            List<String> all = new ArrayList<>(List.of("server.log", "server.json", PublishedServer.FILE));
            all.addAll(links);
            all.forEach(link ->
                    html.append(text("<a href='%s'>%s</a>\n", escape(server.folder() + "/" + link), escape(link))));
            html.append("</dd></dl>\n");
        }
    }

    private String put(Table table) {
        files.put("tables/" + table.file() + ".csv", table.csv());
        files.put("tables/" + table.file() + ".json", table.json());
        return table.html();
    }

    // ---- for programs ----

    private String json() {
        StringWriter out = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeStringField("article", article.id());
            json.writeNumberField("scale", reproduction.header().scale());
            json.writeArrayFieldStart("claims");
            for (int i = 0; i < article.claims().size(); i++) {
                Claim claim = article.claims().get(i);
                json.writeStartObject();
                json.writeStringField("id", claim.id());
                json.writeStringField("says", claim.says());
                json.writeStringField("original", claim.original());
                json.writeStringField("reading", claim.reading());
                json.writeArrayFieldStart("verdicts");
                for (Tried one : tried) {
                    json(json, one, i);
                }
                json.writeEndArray();
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.append('\n').toString();
    }

    private static void json(JsonGenerator json, Tried one, int claim) throws IOException {
        ClaimVerdict verdict = one.verdicts().get(claim);
        json.writeStartObject();
        json.writeStringField("treatment", one.treatment().name());
        json.writeStringField("settings", one.settings());
        json.writeStringField("outcome", verdict.outcome().name());
        Optional<ClaimVerdict> changed = one.changed(claim);
        if (changed.isPresent()) {
            json.writeStringField(
                    "outcome-without-rising", changed.get().outcome().name());
        }
        json.writeStringField("reason", verdict.reason());
        json.writeArrayFieldStart("parts");
        for (Part part : verdict.parts()) {
            json.writeStartObject();
            json.writeStringField("what", part.what());
            json.writeStringField("claimed", part.bounds());
            json.writeNumberField("blocks", part.blocks());
            number(json, "value", part.value());
            number(json, "low", part.low());
            number(json, "high", part.high());
            number(json, "detectable", part.detectable());
            json.writeBooleanField("share", part.share());
            json.writeStringField("standing", part.standing().name());
            json.writeStringField("reason", part.reason());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void number(JsonGenerator json, String name, double value) throws IOException {
        if (Double.isFinite(value)) {
            json.writeNumberField(name, value);
        } else {
            json.writeNullField(name);
        }
    }
}
