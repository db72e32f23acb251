package org.servletbench.bench.report.run;

import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Slo;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.report.Html;
import org.servletbench.bench.report.JUnitXml;
import org.servletbench.bench.verdict.CountedShare;

/**
 * An objective, checked against the steady window of each load of a log.
 *
 * @param rows result of each load, in the order in which the loads ran
 */
public record SloReport(Path log, Slo slo, List<Row> rows) {

    /** Response time above which a recorded percentile may be too high by {@link #COARSE}, ms. */
    private static final double EXACT_MS = 2048;

    private static final double COARSE = 0.001;

    /**
     * Error probability for limits of the share of failed requests. A share right at the limit is then rarely called
     * met or missed.
     */
    private static final double ALPHA = 0.05;

    /** Outcome for a load, or for one of its limits. Of several outcomes, the last constant in this order counts. */
    public enum Outcome {
        MET("met"),
        UNKNOWN("not known"),
        MISSED("not met");

        final String words;

        Outcome(String words) {
            this.words = words;
        }
    }

    /** @param figures the evidence, in one line for people */
    public record Row(String load, Outcome outcome, String figures) {
        String line() {
            return Html.plain("SLO " + outcome.words + ": " + load + ": " + figures);
        }
    }

    /** One limit of a load, checked. */
    private record Part(Outcome outcome, String figures) {}

    public static SloReport of(Measured measured, Slo slo) {
        List<String> log = failed(measured.log().checks(), SloReport::hides);
        List<RunWarning> slower = RunFacts.warnings(measured).all().stream()
                .filter(warning -> slows(warning.kind()))
                .toList();
        return new SloReport(
                measured.file(),
                slo,
                measured.loads().stream()
                        .map(load -> row(load, slo, log, slower))
                        .toList());
    }

    private static Row row(WindowResult load, Slo slo, List<String> log, List<RunWarning> all) {
        if (load.steady().count() == 0) {
            return new Row(load.name(), Outcome.UNKNOWN, "no request in the steady window");
        }
        List<String> slower = all.stream()
                .filter(warning -> warning.concerns(load.name()))
                .map(warning -> warning.kind().key())
                .toList();
        List<Part> parts = Stream.concat(
                        slo.limits().stream().map(limit -> time(load, limit, slower)), Stream.of(errors(load, slo)))
                .toList();
        Outcome outcome = parts.stream().map(Part::outcome).max(Enum::compareTo).orElseThrow();
        String figures = parts.stream()
                .map(Part::figures)
                .filter(words -> !words.isEmpty())
                .collect(Collectors.joining(", "));
        List<String> warnings = Stream.concat(log.stream(), failed(load.checks(), SloReport::hides).stream())
                .toList();
        return outcome == Outcome.MET && !warnings.isEmpty()
                ? new Row(load.name(), Outcome.UNKNOWN, figures + ", but marked: " + String.join(", ", warnings))
                : new Row(load.name(), outcome, figures);
    }

    /**
     * True if response times with this warning may look better than they are. Failed requests are not included, because
     * they have a limit of their own.
     */
    private static boolean hides(WarningKind kind) {
        return kind == WarningKind.STEADY_WINDOW || kind.excludes() && kind != WarningKind.ERRORS;
    }

    /** True if response times with this warning may be longer, but not shorter, than those of a warm server. */
    private static boolean slows(WarningKind kind) {
        return kind == WarningKind.TREND || kind == WarningKind.COMPILING || kind.effect() == WarningKind.Effect.BARS;
    }

    private static List<String> failed(List<Warning> checks, Predicate<WarningKind> which) {
        return checks.stream()
                .filter(check -> check.failed() && which.test(check.kind()))
                .map(Warning::check)
                .toList();
    }

    /** @param slower warnings that mean the server may be faster than it seems */
    private static Part time(WindowResult load, Slo.Limit limit, List<String> slower) {
        double beyond = load.steady().count() * limit.share();
        double ms = load.steady().latency().percentile(limit.percentile());
        String figure = limit.percentile().label() + text(" %.0f ms, limit %d ms", ms, limit.ms());
        if (beyond < Slo.BEYOND - 1e-6) {
            return new Part(
                    Outcome.UNKNOWN,
                    text(
                            "%s: only %.0f of %d requests lie beyond it (%d needed)",
                            figure, beyond, load.steady().count(), Slo.BEYOND));
        }
        // Start and end are recorded in whole ms, so their difference is off by less than one.
        if (ms + 1 <= limit.ms()) {
            return new Part(Outcome.MET, figure);
        }
        if (ms - 1 - (ms > EXACT_MS ? COARSE * ms : 0) < limit.ms()) {
            return new Part(Outcome.UNKNOWN, figure + ": closer than the clock of the log can resolve");
        }
        boolean late = !failed(load.checks(), WarningKind.LATE_REQUESTS::equals).isEmpty();
        if (late) {
            return new Part(Outcome.UNKNOWN, figure + ": the generator sent requests late, and that is in their times");
        }
        return slower.isEmpty()
                ? new Part(Outcome.MISSED, figure)
                : new Part(
                        Outcome.UNKNOWN,
                        figure + ": a server that is warm and steady may meet it, and this one is marked "
                                + String.join(", ", slower));
    }

    private static Part errors(WindowResult load, Slo slo) {
        double share = load.steady().errorShare();
        String figure = text("errors %.3f %%", 100 * share);
        if (!slo.limitsErrors()) {
            // Failed requests may be fast, such as error pages.
            boolean many = !failed(load.checks(), WarningKind.ERRORS::equals).isEmpty();
            return many
                    ? new Part(Outcome.UNKNOWN, figure + ", which have no limit (errors<SHARE)")
                    : new Part(Outcome.MET, "");
        }
        figure += ", limit " + slo.errorPercent();
        CountedShare known =
                CountedShare.of(load.steady().errors(), load.steady().count(), ALPHA);
        if (known.high() < slo.errors()) {
            return new Part(Outcome.MET, figure);
        }
        return known.low() > slo.errors()
                ? new Part(Outcome.MISSED, figure)
                : new Part(
                        Outcome.UNKNOWN,
                        figure
                                + text(
                                        ": %d failures in %d requests are inconclusive (%.0f %% limits %.4f and %.4f %%)",
                                        load.steady().errors(),
                                        load.steady().count(),
                                        100 * (1 - ALPHA),
                                        100 * known.low(),
                                        100 * known.high()));
    }

    public long count(Outcome outcome) {
        return rows.stream().filter(row -> row.outcome == outcome).count();
    }

    /** True if the run fails: a load misses its objective, or no load is known to meet it. */
    public static boolean fail(List<SloReport> all) {
        return all.stream().anyMatch(one -> one.count(Outcome.MISSED) > 0)
                || all.stream().allMatch(one -> one.count(Outcome.MET) == 0);
    }

    /** Returns lines for people: one for each load that misses the objective or is unknown, and a summary. */
    public List<String> lines() {
        return Stream.concat(
                        rows.stream().filter(row -> row.outcome != Outcome.MET).map(Row::line),
                        Stream.of("SLO " + summary() + "; " + file()))
                .toList();
    }

    /** Returns the objective, and the number of loads that meet it. */
    String summary() {
        return slo.words() + ": "
                + Stream.of(Outcome.MET, Outcome.MISSED, Outcome.UNKNOWN)
                        .map(outcome -> count(outcome) + " " + outcome.words)
                        .collect(Collectors.joining(", "));
    }

    /** Returns the JUnit file next to the log. */
    public Path file() {
        return file(log);
    }

    public static Path file(Path log) {
        return log.resolveSibling(log.getFileName() + ".slo.xml");
    }

    /** Writes the JUnit file, with a testcase for each load, which is skipped if the outcome is unknown. */
    public void write() throws IOException {
        Json.replace(
                file(),
                JUnitXml.of(
                        "servlet-bench SLO " + slo.words(),
                        rows.stream()
                                .map(row ->
                                        new JUnitXml.Case(log.getFileName().toString(), row.load, xml(row), row.line()))
                                .toList()));
    }

    private static JUnitXml.Outcome xml(Row row) {
        return switch (row.outcome) {
            case MET -> JUnitXml.Outcome.PASSED;
            case UNKNOWN -> JUnitXml.Outcome.SKIPPED;
            case MISSED -> JUnitXml.Outcome.FAILURE;
        };
    }
}
