package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.MeasurementQuality;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Reading;
import org.servletbench.bench.model.Slo;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Judgement.Against;
import org.servletbench.bench.record.Judgement.Group;
import org.servletbench.bench.record.Plan;
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
record FigureTables(Judgement judgement, Table.Names names) {
    private static final List<Metric> LATENCIES = Metric.of(Metric.Kind.LATENCY);
    /** Cost metrics without counters, which explain a difference and have their own table. */
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

    private static final String TOLD = " told by %s: " + MeasurementQuality.NOT_MEASURED;
    private static final String STARTED_TOGETHER = ", servers started together: compare startup has it of each alone";
    private static final String PRE_TOUCHED = " with -XX:+AlwaysPreTouch: the heap's, not the container's";

    /** Returns a table of single requests, if users send a list of requests in order. */
    Optional<Table> each(Group group, Cell cell) {
        record Row(String label, Arm arm) {}
        List<String> labels = group.all().stream()
                .flatMap(arm -> judgement.counted(arm, cell).values().stream())
                .flatMap(result -> result.each().stream())
                .map(CellResult.Request::label)
                .distinct()
                .toList();
        return labels.isEmpty()
                ? Optional.empty()
                : Optional.of(new Columns<Row>()
                        .words("request", "Request", Row::label)
                        .add(Column.words("arm", "Arm"), row -> name(row.arm()))
                        .each(OF_EACH, (row, metric) -> each(row.arm(), cell, row.label(), metric))
                        .table(
                                names.unique(group.name(), cell.id(), "each"),
                                "Each request of " + cell.words() + ": shown, not judged",
                                labels.stream()
                                        .flatMap(label -> group.all().stream().map(arm -> new Row(label, arm)))
                                        .toList()));
    }

    private Value each(Arm arm, Cell cell, String label, Metric metric) {
        SortedMap<Integer, Double> values = new TreeMap<>();
        boolean[] few = {judgement.isCut(arm, cell, metric)};
        (metric == Metric.ERRORS ? judgement.counted(arm, cell) : judgement.results(arm, cell))
                .forEach((block, result) -> result.each().stream()
                        .filter(one -> one.label().equals(label))
                        .forEach(one -> {
                            few[0] |= !isSupported(metric, one.requests());
                            metric.of(one.figures()).ifPresent(value -> values.put(block, value));
                        }));
        Spread spread = judgement.describe(metric, few[0] ? new TreeMap<>() : values);
        double resolution = metric.isSingleTime() ? judgement.resolutionMs(List.of(arm), cell) : 0;
        return value(judgement, arm, cell, metric, spread.widened(resolution), "");
    }

    /** Returns the tables of one load: throughput and errors with latencies, cost, and counters. */
    List<Table> cell(Group group, Cell cell) {
        String where = group.name() + ", " + cell.words();
        return cell.isStartUp()
                ? List.of()
                : Stream.concat(
                                Stream.of(speed(group, cell, where), cost(group, cell, where)),
                                counters(group, cell, where).stream())
                        .toList();
    }

    /** Returns empty if no counter was read. */
    private Optional<Table> counters(Group group, Cell cell, String where) {
        List<Metric> known = measured(COUNTERS, group, cell);
        return known.isEmpty()
                ? Optional.empty()
                : Optional.of(named(cell)
                        .each(known, (arm, metric) -> value(judgement, arm, cell, metric, ""))
                        .table(
                                names.unique(group.name(), cell.id(), "counters"),
                                "Where the time goes: " + where,
                                group.all()));
    }

    /** An arm under a load: the subject of a row. */
    record Place(Cell cell, Arm arm) {
        /** Returns every arm under every load. */
        static List<Place> all(List<Cell> cells, List<Arm> arms) {
            return cells.stream()
                    .flatMap(cell -> arms.stream().map(arm -> new Place(cell, arm)))
                    .toList();
        }
    }

    /** Returns the most important figures: throughput, mean, p50, p99 and CPU time. */
    Table main(Group group, Cell cell) {
        Columns<Arm> columns = named(cell);
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
                                cell),
                        (arm, metric) -> value(judgement, arm, cell, metric, ""))
                .table(names.unique(group.name(), cell.id(), "main"), "Main figures: " + cell.words(), group.all());
    }

    private Columns<Arm> named(Cell cell) {
        return new Columns<Arm>().add(Column.words("arm", "Arm"), arm -> name(arm, cell));
    }

    private Table speed(Group group, Cell cell, String where) {
        Columns<Arm> columns = named(cell)
                .each(List.of(Metric.THROUGHPUT), (arm, metric) -> value(judgement, arm, cell, metric, ""))
                .each(List.of(Metric.ERRORS), (arm, failed) -> value(judgement, arm, cell, failed, counts(arm, cell)))
                .each(measured(LATENCIES, group, cell), (arm, metric) -> value(judgement, arm, cell, metric, ""));
        LATENCIES.stream()
                .filter(metric -> group.all().stream()
                        .anyMatch(arm -> !told(arm, cell, metric).isEmpty()))
                .forEach(metric -> columns.add(
                        Column.spread(
                                "told." + metric.key(),
                                metric.label() + TOLD.formatted(cell.generator()),
                                metric.unit()),
                        arm -> Value.of(metric, judgement.describe(metric, told(arm, cell, metric)))));
        return columns.table(
                names.unique(group.name(), cell.id(), "speed"),
                "Throughput, errors, response times: " + where,
                group.all());
    }

    /** Returns figures that the generator reported without measuring them, by block. */
    private SortedMap<Integer, Double> told(Arm arm, Cell cell, Metric metric) {
        SortedMap<Integer, Double> told = new TreeMap<>();
        judgement.results(arm, cell).forEach((block, result) -> {
            if (result.told().containsKey(metric.key())) {
                told.put(block, result.told().get(metric.key()));
            }
        });
        return told;
    }

    /** Returns the column of a metric, with a note if pre-touching the heap determines its values. */
    private Column column(Metric metric) {
        Column column = Column.spread(metric);
        Plan plan = judgement.campaign().plan();
        boolean together = metric == Metric.READY && plan.together() && !plan.isStartUp();
        String shaped = metric.isShapedByPreTouch() && judgement.campaign().isPreTouched()
                ? PRE_TOUCHED
                : together ? STARTED_TOGETHER : "";
        return shaped.isEmpty() ? column : Column.spread(column.key(), column.title() + shaped, column.unit());
    }

    private Table cost(Group group, Cell cell, String where) {
        Columns<Arm> columns = named(cell);
        measured(COSTS, group, cell)
                .forEach(metric -> columns.add(column(metric), arm -> value(judgement, arm, cell, metric, "")));
        return columns.table(
                names.unique(group.name(), cell.id(), "cost"), "What a request costs: " + where, group.all());
    }

    Table startUp(Group group) {
        Columns<Arm> columns = new Columns<Arm>().add(Column.words("arm", "Arm"), this::name);
        Metric.of(Metric.Kind.START_UP)
                .forEach(metric -> columns.add(
                        column(metric),
                        arm -> Value.of(metric, judgement.describe(metric, judgement.startUps(arm, metric)))));
        return columns.table(names.unique(group.name(), "start-up"), "Start-up: " + group.name(), group.all());
    }

    private List<Metric> measured(List<Metric> metrics, Group group, Cell cell) {
        return metrics.stream()
                .filter(metric -> group.all().stream()
                        .anyMatch(arm -> !judgement.values(arm, cell, metric).isEmpty()))
                .toList();
    }

    /** Returns an arm's name, with the number of server runs if some are missing. */
    private Value name(Arm arm, Cell cell) {
        Value name = name(arm);
        int n = judgement.results(arm, cell).size();
        int blocks = judgement.blocks();
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
        Value name = Value.words(judgement.name(arm));
        return role.isEmpty()
                ? name
                : new Value(Html.escape(Words.name(judgement, arm)) + "<small>" + role + "</small>", name.raw(), null);
    }

    /** True if at least ten requests were slower than a percentile, so that it is not a matter of chance; always true for other metrics. */
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
        // At a fixed rate a request may end just outside its window.
        return beyond == 1 || requests * beyond >= Slo.BEYOND - 0.5;
    }

    static boolean isSupported(Judgement judgement, Metric metric, Arm arm, Cell cell) {
        return !judgement.isCut(arm, cell, metric)
                && judgement.results(arm, cell).values().stream()
                        .allMatch(result -> isSupported(metric, result.requests()));
    }

    /** Returns a figure over an arm's server runs; none if {@link #isSupported} rejects it as a matter of chance, or it is too short. */
    static Spread supported(Judgement judgement, Metric metric, Arm arm, Cell cell) {
        return isSupported(judgement, metric, arm, cell)
                ? judgement.describe(arm, cell, metric)
                : judgement.describe(metric, new TreeMap<>());
    }

    /** Returns a figure for a table: nothing if it is a matter of chance, "at least" if the generator was the limit. */
    static Value value(Judgement judgement, Arm arm, Cell cell, Metric metric, String note) {
        return value(judgement, arm, cell, metric, supported(judgement, metric, arm, cell), note);
    }

    private static Value value(Judgement judgement, Arm arm, Cell cell, Metric metric, Spread spread, String note) {
        return metric.higherIsBetter() && judgement.hasFloor(arm, cell)
                ? Value.of(metric, spread, "<small>at least: the generator's limit</small>" + note)
                        .asFloor()
                : Value.of(metric, spread, note);
    }

    private String counts(Arm arm, Cell cell) {
        SortedMap<Integer, CellResult> results = judgement.counted(arm, cell);
        long errors = results.values().stream().mapToLong(CellResult::errors).sum();
        long requests =
                results.values().stream().mapToLong(CellResult::requests).sum();
        return text("<small>%,d of %,d</small>", errors, requests);
    }

    /** Returns all verdicts of a group, each pair with everything that was computed for it. */
    Table verdicts(Group group) {
        return verdicts("A", "B")
                .table(
                        names.unique(group.name(), "verdicts"),
                        "Every pair: " + group.name(),
                        judgement.family().pairs().stream()
                                .filter(pair -> pair.contrast().group().equals(group.name()))
                                .toList());
    }

    /** Returns every A/A copy against its baseline. */
    Table controls() {
        return verdicts("Copy", "Baseline")
                .table(
                        names.unique("controls"),
                        "A/A checks",
                        judgement.family().controls());
    }

    private Columns<PairVerdict> verdicts(String a, String b) {
        return new Columns<PairVerdict>()
                .add(Column.words("cell", "Load"), pair -> {
                    Cell cell = pair.contrast().cell();
                    return new Value(Html.escape(judgement.wording().cell(cell)), cell.words(), null);
                })
                .words("group", a.equals("A") ? "" : "Group", pair -> pair.contrast()
                        .group())
                .words("metric", "Metric", pair -> Words.title(pair.contrast().metric()))
                .words("a", a, pair -> judgement.name(pair.contrast().a()))
                .words("b", b, pair -> judgement.name(pair.contrast().b()))
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
                                        : 100 * judgement.family().detectable(comparison(pair))))
                .words("reason", "", pair -> pair.reason()
                        .map(NoVerdictReason::name)
                        .orElse(""))
                .words("bound", "", pair -> pair.bound().name());
    }

    private BlockData comparison(PairVerdict pair) {
        return judgement.comparison(
                pair.contrast().group(), pair.contrast().cell(), pair.contrast().metric());
    }

    private Residual residual(PairVerdict pair) {
        return MultipleComparison.residual(comparison(pair));
    }

    private Value verdict(PairVerdict pair) {
        boolean guards = judgement.campaign().arm(pair.contrast().a()).role() == Arm.Role.CONTROL;
        if (guards) {
            return Value.styled("control", Words.control(pair), AaCheck.of(pair).name());
        }
        Against against = Against.of(pair, pair.contrast().a());
        boolean isVoid = judgement.family().isVoid();
        return Value.styled(
                Words.kind(against.verdict()).style(),
                isVoid
                        ? "void"
                        : judgement.isSilent()
                                ? "no verdict"
                                : Words.word(against, pair.contrast().metric()),
                isVoid ? "VOID" : pair.verdict().name());
    }

    private static Value ratio(String bound, double ratio) {
        return Value.number(
                ratio, bound + (Double.isFinite(ratio) ? Numbers.percent(ratio, true) + " %" : Numbers.shown(ratio)));
    }
}
