package org.servletbench.bench.report;

import static org.servletbench.bench.report.Html.escape;
import static org.servletbench.bench.report.Html.text;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.Claim;
import org.servletbench.bench.article.Comparison;
import org.servletbench.bench.article.Figures;
import org.servletbench.bench.article.Quantity;
import org.servletbench.bench.article.Statement;
import org.servletbench.bench.report.Table.Column;
import org.servletbench.bench.report.Table.Value;
import org.servletbench.bench.reproduce.ClaimVerdict.Part;
import org.servletbench.bench.reproduce.ClaimVerdict;
import org.servletbench.bench.reproduce.Difference;
import org.servletbench.bench.reproduce.Evaluation;
import org.servletbench.bench.reproduce.Reproduction;
import org.servletbench.bench.reproduce.Tried;
import org.servletbench.bench.verdict.Settings;

/** The claims of an article, and what became of them. */
final class ReproducedClaims {

    private final Reproduction reproduction;
    private final Article article;
    private final Figures ours;
    private final List<Tried> tried;
    private final Function<Table, String> tables;

    /** @param tables keeps a table's files, and gives its HTML */
    ReproducedClaims(Reproduction reproduction, List<Tried> tried, Function<Table, String> tables) {
        this.reproduction = reproduction;
        article = reproduction.article();
        ours = reproduction.asPublished();
        this.tried = tried;
        this.tables = tables;
    }

    /** Of each claim what became of it, with every choice of settings. */
    void write(StringBuilder html) {
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
            html.append(Html.items(article.disclaimers())).append("</ul>\n");
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
                "<q lang='" + escape(article.language().split("\\W")[0]) + "'>" + escape(claim.original()) + "</q>.",
                escape(Words.sentence(claim.reading()))));
        for (Tried one : tried) {
            ClaimVerdict verdict = one.verdicts().get(number);
            html.append(text(
                    "<h4><span class='%s'>%s</span> with %s</h4>\n<p class='note'>%s</p>\n",
                    ReproductionPage.style(verdict.outcome()),
                    escape(capital(verdict.outcome().words())),
                    escape(one.words()),
                    escape(Words.sentence(verdict.reason()))));
            one.changed(number)
                    .ifPresent(other -> html.append(text(
                            "<p class='note'><b>Without servers that were still getting faster: %s.</b> %s</p>\n",
                            escape(other.outcome().words()), escape(Words.sentence(other.reason())))));
            if (!verdict.parts().isEmpty()) {
                html.append(tables.apply(table(one, verdict)));
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
        RatioTrack track = RatioTrack.of(verdict.parts());
        for (int i = 0; i < verdict.parts().size(); i++) {
            Part part = verdict.parts().get(i);
            OptionalDouble theirs = comparisons.isEmpty()
                    ? share(article.figuresWithErrorShares(), verdict, i)
                    : ratio(article.figures(), comparisons.get(i));
            OptionalDouble published =
                    comparisons.isEmpty() ? share(ours, verdict, i) : ratio(ours, comparisons.get(i));
            double factor = part.share() ? 100 : 1;
            String standing = part.standing().name().toLowerCase(Locale.ROOT);
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
                                            standing)
                                    + (part.reason().isEmpty() ? "" : "<small>" + escape(part.reason()) + "</small>"),
                            standing,
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
        return figures.at(verdict.claim().statement().cells().get(i), Quantity.ERRORS_PRINTED);
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
}
