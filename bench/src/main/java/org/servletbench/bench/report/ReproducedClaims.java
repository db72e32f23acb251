package org.servletbench.bench.report;

import static org.servletbench.bench.report.Html.escape;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.Figures;
import org.servletbench.bench.article.Quantity;
import org.servletbench.bench.article.RatioBound;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.report.Table.Column;
import org.servletbench.bench.report.Table.Value;
import org.servletbench.bench.reproduce.ClaimOutcome;
import org.servletbench.bench.reproduce.ClaimVerdict;
import org.servletbench.bench.reproduce.ClaimVerdict.Part;
import org.servletbench.bench.reproduce.Reproduction;
import org.servletbench.bench.reproduce.Tried;

/**
 * The claims of an article, and what became of them.
 *
 * @param files get the tables
 */
record ReproducedClaims(Reproduction reproduction, List<Tried> tried, Map<String, String> files) {

    String differences() {
        return Text.list(reproduction.differences().stream()
                .map(one -> one.what() + " (" + one.theirs() + "; here " + one.here() + ")")
                .toList());
    }

    static String capital(ClaimOutcome outcome) {
        return outcome.words().substring(0, 1).toUpperCase(Locale.ROOT)
                + outcome.words().substring(1);
    }

    String table(Tried one, ClaimVerdict verdict) {
        Article article = reproduction.article();
        Figures ours = reproduction.asPublished();
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
                        Column.data("detectable.percent"),
                        Column.words("plot", "Claimed and found"),
                        Column.number("blocks", "Blocks", ""),
                        Column.words("standing", "Verdict")));
        List<RatioBound> comparisons = verdict.claim().statement().comparisons();
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
                    Value.number(100 * part.detectable(), ""),
                    new Value(
                            part.share() ? "" : track.svg(part, comparisons.get(i), theirs.orElse(Double.NaN)),
                            "",
                            null),
                    Value.count(part.blocks()),
                    Value.styled(
                            switch (part.standing()) {
                                case WITHIN -> "better";
                                case OUTSIDE -> "worse";
                                case OPEN -> "open";
                            },
                            standing,
                            part.reason().isEmpty() ? "" : "<small>" + escape(part.reason()) + "</small>",
                            standing)));
        }
        return table.put(files).html();
    }

    private static Value number(OptionalDouble value, double factor) {
        double shown = value.orElse(Double.NaN) * factor;
        return Value.number(shown, Numbers.shown(shown));
    }

    private static OptionalDouble ratio(Figures figures, RatioBound comparison) {
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
