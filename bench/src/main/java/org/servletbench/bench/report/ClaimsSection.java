package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.servletbench.bench.comparison.ClaimList;
import org.servletbench.bench.comparison.Published;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.ClaimResult;
import org.servletbench.bench.record.ClaimResult.Outcome;
import org.servletbench.bench.record.ClaimResult.Part;
import org.servletbench.bench.verdict.NoVerdictReason;

/** The outcomes of a comparison's claims. */
public record ClaimsSection(Analysis analysis) {

    /** Adds the section if there are claims. */
    static void addTo(PageLayout shell, Analysis analysis) {
        ClaimList claims = analysis.campaign().plan().claims();
        if (!claims.all().isEmpty() || claims.published() != null) {
            shell.section("claims", "Claims").append(Template.html("claims", new ClaimsSection(analysis)));
        }
    }

    /** Returns the outcomes of the claims for the console, one line each. */
    public static List<String> lines(Analysis analysis) {
        return analysis.claims().stream()
                .map(result -> "claim: " + result.claim().says() + ": " + sentence(result, analysis))
                .toList();
    }

    /** Returns sentences saying that a claim ended a campaign; empty if none did. */
    public static Optional<String> ended(Analysis analysis) {
        return analysis.campaign()
                .earlyEnd()
                .map(event -> text(
                        "Ended after %s: %s. Intervals are wider than those of a whole run, because an early end must be surer.",
                        Words.count(event.after(), "block"), ClaimResult.surelyFailed(analysis.claims())));
    }

    /**
     * Returns
     * {@code does not hold: throughput, hello 400 users, Jetty against Tomcat NIO is +2 % (−1 to +5 %), claimed at least
     * +33 %}.
     */
    static String sentence(ClaimResult result, Analysis analysis) {
        List<Part> decisive = result.parts().stream()
                .filter(part -> part.outcome() == result.outcome())
                .toList();
        ClaimsSection section = new ClaimsSection(analysis);
        return result.outcome().words()
                + decisive.stream()
                        .limit(1)
                        .map(part -> ": " + section.what(part) + " is " + section.here(part) + ", claimed "
                                + part.term().part().claimed() + because(part))
                        .collect(Collectors.joining())
                + (decisive.size() > 1 ? " (" + (decisive.size() - 1) + " more)" : "");
    }

    /** Returns sentences saying that a claim ended the campaign; empty if none did. */
    public Optional<String> ended() {
        return ended(analysis);
    }

    public List<ClaimResult> results() {
        return analysis.claims();
    }

    /** Returns the article that makes the claims; null for the user's own claims. */
    public Published published() {
        return analysis.campaign().plan().claims().published();
    }

    /** Returns {@code throughput, hello 400 users, Jetty against Tomcat NIO}. */
    public String what(Part part) {
        MeasuredLoad load = part.term().load();
        MeasuredLoad other = part.term().other();
        String of = analysis.name(part.term().part().of());
        String ratio = !part.term().part().ratio()
                ? of
                : load.equals(other)
                        ? of + " against " + analysis.name(part.term().part().than())
                        : of + " against " + analysis.name(part.term().part().than()) + " with "
                                + analysis.wording().load(other);
        String layer = part.term().part().layer();
        return metric(part).words() + (layer.isEmpty() ? "" : " in " + layer + ", in % of all CPU time") + ", "
                + analysis.wording().load(load) + ", " + ratio;
    }

    private static Metric metric(Part part) {
        return Metric.of(part.term().part().metric()).orElseThrow();
    }

    /** Returns our figure with its interval. */
    public String here(Part part) {
        if (Double.isNaN(part.value())) {
            return "not measured in two blocks";
        }
        if (part.term().part().ratio()) {
            Forest.Row row = row(part);
            return row.difference() + " % (" + row.interval() + ")";
        }
        String interval = Double.isNaN(part.low())
                ? "no interval"
                : Double.isInfinite(part.high())
                        ? "at least " + shown(part, part.low())
                        : Numbers.isWide(part.low(), part.high())
                                ? Numbers.UNKNOWN
                                : shown(part, part.low()) + " to " + shown(part, part.high());
        return shown(part, part.value()) + " " + Numbers.unit(metric(part)) + " (" + interval + ")";
    }

    private Forest.Row row(Part part) {
        return new Forest.Row(
                "",
                "",
                Forest.Kind.OPEN,
                part.value(),
                part.low(),
                part.high(),
                analysis.settings().margin(metric(part)),
                "");
    }

    private static String shown(Part part, double value) {
        return Numbers.shown(metric(part), value);
    }

    /**
     * Returns the article's own figure, and whether it contradicts the claim; empty if the article does not have it.
     */
    public String theirs(Part part) {
        double value = published() == null ? Double.NaN : published().value(part.term());
        return Double.isNaN(value)
                ? ""
                : (part.term().part().ratio() ? Numbers.percent(value, true) + " %" : shown(part, value))
                        + (published().contradicts(part.term()) ? ", against the claim" : "");
    }

    /** Returns {@code : load not held}; empty if the claim is decided. */
    public static String because(Part part) {
        return part.reason()
                .map(why ->
                        ": " + (why == NoVerdictReason.SPREAD ? "the interval reaches across a bound" : why.words()))
                .orElse("");
    }

    /** Returns {@code 2 hold, 1 does not, 1 undecided}. */
    public String tally() {
        Map<Outcome, Long> counts =
                results().stream().collect(Collectors.groupingBy(ClaimResult::outcome, Collectors.counting()));
        long holds = counts.getOrDefault(Outcome.HOLDS, 0L);
        long not = counts.getOrDefault(Outcome.DOES_NOT_HOLD, 0L);
        return text(
                "%d %s, %d %s not, %d undecided",
                holds,
                holds == 1 ? "holds" : "hold",
                not,
                not == 1 ? "does" : "do",
                counts.getOrDefault(Outcome.UNDECIDED, 0L));
    }

    public static String style(Outcome outcome) {
        return switch (outcome) {
            case HOLDS -> "v better";
            case DOES_NOT_HOLD -> "v worse";
            case UNDECIDED -> "v open";
        };
    }
}
