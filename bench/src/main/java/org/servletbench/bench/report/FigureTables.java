package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.MeasurementQuality;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Reading;
import org.servletbench.bench.model.Slo;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Analysis.Against;
import org.servletbench.bench.record.Analysis.Group;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.record.StartCourse;
import org.servletbench.bench.report.Table.Column;
import org.servletbench.bench.report.Table.Columns;
import org.servletbench.bench.report.Table.Value;
import org.servletbench.bench.verdict.AaCheck;
import org.servletbench.bench.verdict.BlockData;
import org.servletbench.bench.verdict.MultipleComparison;
import org.servletbench.bench.verdict.NoVerdictReason;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.Residual;
import org.servletbench.bench.verdict.Spread;

/** The tables of figures: by load, of the start-up, and of the verdicts. */
record FigureTables(Analysis analysis, Table.Names names) {
    private static final List<Metric> LATENCIES = Metric.of(Metric.Kind.LATENCY);
    /** Metrics of cost, except counters, which explain differences and have a table of their own. */
    private static final List<Metric> COSTS =
            Metric.ofServer().stream().filter(metric -> !isCounter(metric)).toList();

    private static final List<Metric> COUNTERS =
            Metric.ofServer().stream().filter(FigureTables::isCounter).toList();

    private static boolean isCounter(Metric metric) {
        return metric.reading().orElseThrow().how() == Reading.How.PER_REQUEST
                && !List.of(Metric.CPU, Metric.ALLOCATION, Metric.SWITCHES).contains(metric);
    }

    private static final List<Metric> OF_EACH =
            List.of(Metric.THROUGHPUT, Metric.MEAN, Metric.P50, Metric.P95, Metric.P99, Metric.ERRORS);

    private static final String REPORTED = " reported by %s: " + MeasurementQuality.NOT_MEASURED;
    private static final String STARTED_TOGETHER = ", servers started together: compare startup has it of each alone";
    private static final String PRE_TOUCHED = " with -XX:+AlwaysPreTouch: the heap's, not the container's";

    /** Returns a table of single requests; empty unless users send a list of requests in order. */
    Optional<Table> each(Group group, MeasuredLoad load) {
        record Row(String label, Arm arm) {}
        List<String> labels = group.all().stream()
                .flatMap(arm -> analysis.counted(arm, load).values().stream())
                .flatMap(result -> result.each().stream())
                .map(LoadFigures.Request::label)
                .distinct()
                .toList();
        return labels.isEmpty()
                ? Optional.empty()
                : Optional.of(new Columns<Row>()
                        .words("request", "Request", Row::label)
                        .add(Column.words("arm", "Arm"), row -> name(row.arm()))
                        .each(OF_EACH, (row, metric) -> each(row.arm(), load, row.label(), metric))
                        .table(
                                names.unique(group.name(), load.id(), "each"),
                                "Each request of " + load.words() + ": shown, not judged",
                                labels.stream()
                                        .flatMap(label -> group.all().stream().map(arm -> new Row(label, arm)))
                                        .toList()));
    }

    private Value each(Arm arm, MeasuredLoad load, String label, Metric metric) {
        SortedMap<Integer, Double> values = new TreeMap<>();
        boolean[] few = {analysis.isCut(arm, load, metric)};
        (metric == Metric.ERRORS ? analysis.counted(arm, load) : analysis.results(arm, load))
                .forEach((block, result) -> result.each().stream()
                        .filter(one -> one.label().equals(label))
                        .forEach(one -> {
                            few[0] |= !isSupported(metric, one.requests());
                            metric.of(one.figures()).ifPresent(value -> values.put(block, value));
                        }));
        Spread spread = analysis.describe(metric, few[0] ? new TreeMap<>() : values);
        double resolution = metric.isSingleTime() ? analysis.resolutionMs(List.of(arm), load) : 0;
        return value(analysis, arm, load, metric, spread.widened(resolution), "");
    }

    /** Returns the tables of one load: throughput and errors with latencies, cost, and counters. */
    List<Table> load(Group group, MeasuredLoad load) {
        String where = group.name() + ", " + load.words();
        return load.isStartUp()
                ? List.of()
                : Stream.concat(
                                Stream.of(speed(group, load, where), cost(group, load, where)),
                                counters(group, load, where).stream())
                        .toList();
    }

    /** Returns the table of counters; empty if none was read. */
    private Optional<Table> counters(Group group, MeasuredLoad load, String where) {
        List<Metric> known = measured(COUNTERS, group, load);
        return known.isEmpty()
                ? Optional.empty()
                : Optional.of(named(load)
                        .each(known, (arm, metric) -> value(analysis, arm, load, metric, ""))
                        .table(
                                names.unique(group.name(), load.id(), "counters"),
                                "Where the time goes: " + where,
                                group.all()));
    }

    /** An arm under a load, which is the subject of a row. */
    record ArmUnderLoad(MeasuredLoad load, Arm arm) {
        /** Returns every arm under every load. */
        static List<ArmUnderLoad> all(List<MeasuredLoad> loads, List<Arm> arms) {
            return loads.stream()
                    .flatMap(load -> arms.stream().map(arm -> new ArmUnderLoad(load, arm)))
                    .toList();
        }
    }

    /** Returns a table of the most important figures: throughput, mean, p50, p99 and CPU time. */
    Table main(Group group, MeasuredLoad load) {
        Columns<Arm> columns = named(load);
        return columns.each(
                        measured(
                                List.of(
                                        Metric.CAPACITY,
                                        Metric.THROUGHPUT,
                                        Metric.MEAN,
                                        Metric.P50,
                                        Metric.P99,
                                        Metric.CPU),
                                group,
                                load),
                        (arm, metric) -> value(analysis, arm, load, metric, ""))
                .table(names.unique(group.name(), load.id(), "main"), "Main figures: " + load.words(), group.all());
    }

    private Columns<Arm> named(MeasuredLoad load) {
        return new Columns<Arm>().add(Column.words("arm", "Arm"), arm -> name(arm, load));
    }

    private Table speed(Group group, MeasuredLoad load, String where) {
        Columns<Arm> columns = named(load)
                .each(List.of(Metric.THROUGHPUT), (arm, metric) -> value(analysis, arm, load, metric, ""))
                .each(List.of(Metric.ERRORS), (arm, failed) -> value(analysis, arm, load, failed, counts(arm, load)))
                .each(measured(LATENCIES, group, load), (arm, metric) -> value(analysis, arm, load, metric, ""));
        LATENCIES.stream()
                .filter(metric -> group.all().stream()
                        .anyMatch(arm -> !reported(arm, load, metric).isEmpty()))
                .forEach(metric -> columns.add(
                        Column.spread(
                                "reported." + metric.key(),
                                metric.label() + REPORTED.formatted(load.generator()),
                                metric.unit()),
                        arm -> Value.of(metric, analysis.describe(metric, reported(arm, load, metric)))));
        return columns.table(
                names.unique(group.name(), load.id(), "speed"),
                "Throughput, errors, response times: " + where,
                group.all());
    }

    /** Returns figures, by block, that the generator reported without measuring them. */
    private SortedMap<Integer, Double> reported(Arm arm, MeasuredLoad load, Metric metric) {
        SortedMap<Integer, Double> reported = new TreeMap<>();
        analysis.results(arm, load).forEach((block, result) -> {
            if (result.reported().containsKey(metric.key())) {
                reported.put(block, result.reported().get(metric.key()));
            }
        });
        return reported;
    }

    /** Returns the column of a metric, with a note if pre-touching the heap determines its values. */
    private Column column(Metric metric) {
        Column column = Column.spread(metric);
        Plan plan = analysis.campaign().plan();
        boolean together = metric == Metric.READY && plan.together() && !plan.isStartUp();
        String shaped = metric.isShapedByPreTouch() && analysis.campaign().isPreTouched()
                ? PRE_TOUCHED
                : together ? STARTED_TOGETHER : "";
        return shaped.isEmpty() ? column : Column.spread(column.key(), column.title() + shaped, column.unit());
    }

    private Table cost(Group group, MeasuredLoad load, String where) {
        Columns<Arm> columns = named(load);
        measured(COSTS, group, load)
                .forEach(metric -> columns.add(column(metric), arm -> value(analysis, arm, load, metric, "")));
        return columns.table(
                names.unique(group.name(), load.id(), "cost"), "What a request costs: " + where, group.all());
    }

    Table startUp(Group group) {
        Columns<Arm> columns = new Columns<Arm>().add(Column.words("arm", "Arm"), this::name);
        boolean underLoad =
                group.all().stream().anyMatch(arm -> !analysis.courses(arm).isEmpty());
        Metric.of(Metric.Kind.START_UP).stream()
                .filter(metric -> underLoad || !metric.isOfPeak())
                .forEach(metric -> columns.add(column(metric), arm -> startUp(arm, metric)));
        return columns.table(names.unique(group.name(), "start-up"), "Start-up: " + group.name(), group.all());
    }

    private Value startUp(Arm arm, Metric metric) {
        Spread spread = analysis.describe(metric, analysis.startUps(arm, metric));
        List<StartCourse> courses = analysis.courses(arm);
        long unreached = analysis.unreached(arm, metric);
        return unreached == 0
                ? Value.of(metric, spread)
                : new Value(
                        Numbers.NONE
                                + text(
                                        "<small>not reached within %.0f s in %d of %s</small>",
                                        courses.get(0).seconds(), unreached, Words.count(courses.size(), "start")),
                        null,
                        spread);
    }

    private List<Metric> measured(List<Metric> metrics, Group group, MeasuredLoad load) {
        return metrics.stream()
                .filter(metric -> group.all().stream()
                        .anyMatch(arm -> !analysis.values(arm, load, metric).isEmpty()))
                .toList();
    }

    /** Returns an arm's name, with the number of server runs if some are missing. */
    private Value name(Arm arm, MeasuredLoad load) {
        Value name = name(arm);
        int n = analysis.results(arm, load).size();
        int blocks = analysis.blocks();
        return n == blocks
                ? name
                : new Value(name.html() + text("<small>%d of %d blocks</small>", n, blocks), name.raw(), null);
    }

    private Value name(Arm arm) {
        String role =
                switch (arm.role()) {
                    case BASELINE -> "baseline";
                    case CONTROL -> "A/A copy";
                    case REFERENCE -> "reference, not ranked";
                    case ARM -> "";
                };
        Value name = Value.words(analysis.name(arm));
        return role.isEmpty()
                ? name
                : new Value(Html.escape(Words.name(analysis, arm)) + "<small>" + role + "</small>", name.raw(), null);
    }

    /**
     * True if at least ten requests were slower than a percentile, so that it is not mere chance. Always true for other
     * metrics.
     */
    static boolean isSupported(Metric metric, long requests) {
        double beyond =
                switch (metric) {
                    case P50 -> 0.5;
                    case P75 -> 0.25;
                    case P90 -> 0.1;
                    case P95 -> 0.05;
                    case P99 -> 0.01;
                    case P999 -> 0.001;
                    default -> 1;
                };
        // At a fixed rate, a request may end just outside its window.
        return beyond == 1 || requests * beyond >= Slo.BEYOND - 0.5;
    }

    static boolean isSupported(Analysis analysis, Metric metric, Arm arm, MeasuredLoad load) {
        return !analysis.isCut(arm, load, metric)
                && analysis.results(arm, load).values().stream()
                        .allMatch(result -> isSupported(metric, result.requests()));
    }

    /**
     * Returns a figure over an arm's server runs. It has no value if {@link #isSupported} rejects it as chance, or the
     * measurement was too short.
     */
    static Spread supported(Analysis analysis, Metric metric, Arm arm, MeasuredLoad load) {
        return isSupported(analysis, metric, arm, load)
                ? analysis.describe(arm, load, metric)
                : analysis.describe(metric, new TreeMap<>());
    }

    /** Returns a figure for a table: empty if it is mere chance, and "at least" if the generator was the limit. */
    static Value value(Analysis analysis, Arm arm, MeasuredLoad load, Metric metric, String note) {
        return value(analysis, arm, load, metric, supported(analysis, metric, arm, load), note);
    }

    private static Value value(
            Analysis analysis, Arm arm, MeasuredLoad load, Metric metric, Spread spread, String note) {
        return metric.higherIsBetter() && analysis.hasFloor(arm, load)
                ? Value.of(metric, spread, "<small>at least: the generator's limit</small>" + note)
                        .asFloor()
                : Value.of(metric, spread, note);
    }

    private String counts(Arm arm, MeasuredLoad load) {
        SortedMap<Integer, LoadFigures> results = analysis.counted(arm, load);
        long errors = results.values().stream().mapToLong(LoadFigures::errors).sum();
        long requests =
                results.values().stream().mapToLong(LoadFigures::requests).sum();
        return text("<small>%,d of %,d</small>", errors, requests);
    }

    /** Returns a table of all verdicts of a group, with everything that was computed for each pair. */
    Table verdicts(Group group) {
        return verdicts("A", "B")
                .table(
                        names.unique(group.name(), "verdicts"),
                        "Every pair: " + group.name(),
                        analysis.family().pairs().stream()
                                .filter(pair -> pair.contrast().group().equals(group.name()))
                                .toList());
    }

    /** Returns a table of every A/A copy against its baseline. */
    Table controls() {
        return verdicts("Copy", "Baseline")
                .table(names.unique("controls"), "A/A checks", analysis.family().controls());
    }

    private Columns<PairVerdict> verdicts(String a, String b) {
        return new Columns<PairVerdict>()
                .add(Column.words("load", "Load"), pair -> {
                    MeasuredLoad load = pair.contrast().load();
                    return new Value(Html.escape(analysis.wording().load(load)), load.words(), null);
                })
                .words("group", a.equals("A") ? "" : "Group", pair -> pair.contrast()
                        .group())
                .words("metric", "Metric", pair -> Words.title(pair.contrast().metric()))
                .words("a", a, pair -> analysis.name(pair.contrast().a()))
                .words("b", b, pair -> analysis.name(pair.contrast().b()))
                .add(Column.words("verdict", "Verdict on " + a), this::verdict)
                .number("ratio", a + " against " + b, "", pair -> ratio(Words.bound(pair.bound()), pair.ratio()))
                .number("low", "from", "", pair -> ratio("", pair.low()))
                .number("high", "to", "", pair -> ratio("", pair.high()))
                .number(
                        "blocks",
                        "Blocks",
                        "",
                        pair -> Value.count(pair.estimate().n()))
                .add(
                        Column.words("spread", ""),
                        pair -> Value.of(100 * residual(pair).sd()))
                .add(
                        Column.words("spread.df", ""),
                        pair -> Value.count(residual(pair).df()))
                .add(
                        Column.words("detectable.percent", ""),
                        pair -> Value.of(
                                Double.isNaN(pair.detectable())
                                        ? Double.NaN
                                        : 100 * analysis.family().detectable(comparison(pair))))
                .words("reason", "", pair -> pair.reason()
                        .map(NoVerdictReason::name)
                        .orElse(""))
                .words("bound", "", pair -> pair.bound().name());
    }

    private BlockData comparison(PairVerdict pair) {
        return analysis.comparison(
                pair.contrast().group(), pair.contrast().load(), pair.contrast().metric());
    }

    private Residual residual(PairVerdict pair) {
        return MultipleComparison.residual(comparison(pair));
    }

    private Value verdict(PairVerdict pair) {
        boolean guards = analysis.campaign().arm(pair.contrast().a()).role() == Arm.Role.CONTROL;
        if (guards) {
            return Value.styled("control", Words.control(pair), AaCheck.of(pair).name());
        }
        Against against = Against.of(pair, pair.contrast().a());
        boolean isVoid = analysis.family().isVoid();
        return Value.styled(
                Words.kind(against.verdict()).style(),
                isVoid
                        ? "void"
                        : analysis.isSilent()
                                ? "no verdict"
                                : Words.word(against, pair.contrast().metric()),
                isVoid ? "VOID" : pair.verdict().name());
    }

    private static Value ratio(String bound, double ratio) {
        return Value.number(
                ratio, bound + (Double.isFinite(ratio) ? Numbers.percent(ratio, true) + " %" : Numbers.shown(ratio)));
    }
}
