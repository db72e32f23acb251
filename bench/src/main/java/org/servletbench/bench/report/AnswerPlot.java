package org.servletbench.bench.report;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.report.CampaignAnswer.Part;
import org.servletbench.bench.report.CampaignAnswer.Tested;

/**
 * The small plot of a published answer, under one load and in one metric: the arms against their baseline, or the
 * effects of factors.
 *
 * @param baseline empty for effects
 * @param metric key of the metric
 * @param margin equivalence margin, as a fraction
 * @param points the baseline, which has no ratio, and the other arms
 */
record AnswerPlot(String load, String baseline, String metric, double margin, List<Point> points) {
    /** Kinds of rows whose verdict is a difference. */
    static final Set<Forest.Kind> DIFFERS = Set.of(Forest.Kind.BETTER, Forest.Kind.WORSE, Forest.Kind.DIFFERENT);

    /** A row. Ratio and ends are null if they are unknown or infinite. */
    record Point(String name, String sub, Forest.Kind kind, Double ratio, Double low, Double high, String word) {
        private static Point of(Forest.Row row) {
            return new Point(
                    row.name(),
                    row.sub(),
                    row.kind(),
                    finite(row.ratio()),
                    finite(row.low()),
                    finite(row.high()),
                    row.word());
        }

        private static Double finite(double value) {
            return Double.isFinite(value) ? value : null;
        }

        private Forest.Row row(double margin) {
            return new Forest.Row(name, sub, kind, orNot(ratio), orNot(low), orNot(high), margin, word);
        }

        private static double orNot(Double value) {
            return value == null ? Double.NaN : value;
        }
    }

    static AnswerPlot of(String load, String baseline, Metric metric, double margin, Stream<Forest.Row> rows) {
        return new AnswerPlot(
                load, baseline, metric.key(), margin, rows.map(Point::of).toList());
    }

    /**
     * Returns the plot of a group's answer, for its first load and the first tested metric that shows a difference; for
     * factors, a plot for each load.
     */
    static List<AnswerPlot> of(Analysis analysis, Part part) {
        return Effects.of(analysis, part.group()).map(Effects::plots).orElseGet(() -> List.of(ofArms(analysis, part)));
    }

    /** True if the rows are effects of factors, which have no baseline. */
    boolean isOfEffects() {
        return baseline.isEmpty();
    }

    private static AnswerPlot ofArms(Analysis analysis, Part part) {
        Metric metric = metric(part);
        return of(
                analysis.wording().load(part.load()),
                analysis.name(part.group().baseline()),
                metric,
                analysis.settings().margin(metric),
                Stream.concat(
                        new Conclusions(analysis)
                                .rows(part.group(), part.load(), metric).stream()
                                        .filter(row -> row.kind() == Forest.Kind.BASELINE)
                                        .map(row ->
                                                with(row, analysis, part.group().baseline())),
                        part.tested(part.load(), metric).arms().stream()
                                .flatMap(one -> one.row().stream().map(row -> with(row, analysis, one.arm())))));
    }

    private static Metric metric(Part part) {
        return Stream.concat(
                        Stream.of(part.metric()),
                        part.tested().stream()
                                .filter(one -> one.load().equals(part.load()))
                                .map(Tested::metric))
                .filter(metric -> part.tested(part.load(), metric).arms().stream()
                        .flatMap(arm -> arm.row().stream())
                        .anyMatch(row -> DIFFERS.contains(row.kind())))
                .findFirst()
                .orElse(part.metric());
    }

    /** Returns a row with an arm's worker threads, if readers need them to know what was measured. */
    static Forest.Row with(Forest.Row row, Analysis analysis, Arm arm) {
        String sub = Stream.of(row.sub(), Provenance.threads(analysis, arm))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(", "));
        return new Forest.Row(
                row.name(), sub, row.kind(), row.ratio(), row.low(), row.high(), row.margin(), row.word());
    }

    List<Forest.Row> rows() {
        return points.stream().map(point -> point.row(margin)).toList();
    }

    /** Returns the metric and the load: "throughput, hello at 100 users". */
    String what() {
        return known().words() + ", " + load;
    }

    /** Returns ", against Tomcat NIO"; empty for effects. */
    String against() {
        return baseline.isEmpty() ? "" : ", against " + baseline;
    }

    Metric known() {
        return Metric.of(metric).orElse(Metric.THROUGHPUT);
    }

    /** @param axis rows of all plots that share the axis */
    String html(List<Forest.Row> axis) {
        return Forest.of(known(), axis, Math.log1p(margin), rows()).html();
    }

    /** True if this plot can share an axis and a table with another one. */
    boolean isLike(AnswerPlot other) {
        return metric.equals(other.metric) && load.equals(other.load) && baseline.equals(other.baseline);
    }
}
