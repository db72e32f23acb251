package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Proven;
import org.servletbench.bench.model.Slo;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Analysis.Against;
import org.servletbench.bench.record.Analysis.Group;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.RateOutcome;
import org.servletbench.bench.record.RateStep;
import org.servletbench.bench.report.FigureTables.ArmUnderLoad;
import org.servletbench.bench.report.Table.Columns;
import org.servletbench.bench.report.Table.Value;

/** Sections of a page that only certain kinds of campaigns have. */
final class QuestionSections {

    private QuestionSections() {}

    /** Cost and response times of each arm by rate, for campaigns with fixed rates. */
    record Rates(Analysis analysis) {

        private static final List<Metric> DRAWN = List.of(Metric.CPU, Metric.P99);
        private static final List<Metric> SHOWN = List.of(
                Metric.THROUGHPUT,
                Metric.CPU,
                Metric.SERVER_CORES,
                Metric.P99,
                Metric.ALLOCATION,
                Metric.GC,
                Metric.RSS);

        /**
         * Content for a group's loads of one kind.
         *
         * @param load kind of load: {@code hello, gatling}
         * @param charts charts as HTML; empty for a single rate
         */
        record Shown(String load, List<String> charts, boolean preTouched, Table table) {}

        /** Adds the section if there is a fixed rate. */
        static void addTo(PageLayout shell, Analysis analysis, PageFiles files) {
            List<Shown> all = new Rates(analysis).all(files);
            if (!all.isEmpty()) {
                shell.section("rates", "Cost and response times at fixed rates").append(Template.html("rates", all));
            }
        }

        private List<Metric> figures() {
            return analysis.campaign().hasCpuLimits()
                    ? Stream.concat(SHOWN.stream(), Stream.of(Metric.THROTTLED)).toList()
                    : SHOWN;
        }

        private List<Shown> all(PageFiles files) {
            Map<String, List<MeasuredLoad>> kinds = analysis.loads().stream()
                    .filter(load -> load.rate() > 0)
                    .collect(Collectors.groupingBy(
                            load -> load.workload() + ", " + load.generator(),
                            LinkedHashMap::new,
                            Collectors.toList()));
            List<Shown> all = new ArrayList<>();
            for (Group group : analysis.groups()) {
                kinds.forEach((kind, loads) -> {
                    List<MeasuredLoad> sorted = loads.stream()
                            .sorted((a, b) -> Double.compare(a.rate(), b.rate()))
                            .toList();
                    String name = analysis.groups().size() == 1 ? kind : group.name() + ", " + kind;
                    all.add(new Shown(
                            name,
                            sorted.size() < 2
                                    ? List.of()
                                    : DRAWN.stream()
                                            .map(metric -> chart(group, name, sorted, metric))
                                            .toList(),
                            analysis.campaign().isPreTouched(),
                            files.put(table(group, name, sorted))));
                });
            }
            return all;
        }

        private String chart(Group group, String name, List<MeasuredLoad> loads, Metric metric) {
            double most = loads.get(loads.size() - 1).rate();
            Chart chart = new Chart(
                            metric.label() + ": " + name, "requests/s that were sent", 0, most, Chart.ticks(most, 6))
                    .named(125);
            for (Arm arm : group.all()) {
                double[] xs = loads.stream().mapToDouble(MeasuredLoad::rate).toArray();
                double[] ys = loads.stream()
                        .mapToDouble(load -> Numbers.scaled(
                                metric,
                                FigureTables.supported(analysis, metric, arm, load)
                                        .mean()))
                        .toArray();
                chart.line(new Chart.Line(
                        Words.name(analysis, arm) + (arm.role() == Arm.Role.CONTROL ? " copy" : ""),
                        new Curves(analysis, group).style(arm),
                        xs,
                        ys));
            }
            return Curves.figure(metric.label(), Numbers.unit(metric), chart, List.of());
        }

        private Table table(Group group, String name, List<MeasuredLoad> loads) {
            return new Columns<ArmUnderLoad>()
                    .number(
                            "rate",
                            "Rate",
                            "requests/s",
                            place -> Value.of(place.load().rate()))
                    .words("arm", "Arm", place -> analysis.name(place.arm()))
                    .words("held", "Holds the rate", place -> RateOutcome.of(analysis, place.arm(), place.load())
                            .words())
                    .each(
                            figures(),
                            (place, metric) -> FigureTables.value(analysis, place.arm(), place.load(), metric, ""))
                    .table(
                            "rates-"
                                    + (group.name() + "-" + name)
                                            .toLowerCase(Locale.ROOT)
                                            .replaceAll("[^a-z0-9]+", "-"),
                            "At fixed rates: " + name,
                            ArmUnderLoad.all(loads, group.all()));
        }
    }

    /** Response time by rate, over the steps of all searches, up to the knee and beyond. */
    record Capacity(Analysis analysis, Slo slo) {

        private static final List<Metric> SHOWN = List.of(
                Metric.THROUGHPUT,
                Metric.P50,
                Metric.P90,
                Metric.P95,
                Metric.P99,
                Metric.P999,
                Metric.ERRORS,
                Metric.SERVER_CORES,
                Metric.GENERATOR_CORES);
        /** Longest response time that is drawn, as a multiple of the limit. Longer times are drawn there. */
        private static final double MOST = 10;

        /**
         * Content for a group.
         *
         * @param charts charts as HTML, one for each percentile of the objective
         */
        record Shown(String load, String objective, List<String> charts, Table table) {}

        static void addTo(PageLayout shell, Analysis analysis, PageFiles files) {
            if (analysis.campaign().plan().isCapacity()) {
                Capacity section = new Capacity(
                        analysis, Slo.parse(analysis.campaign().asked().get("slo")));
                List<Shown> all = analysis.groups().stream()
                        .map(group -> section.shown(group, analysis.loads().get(0), files))
                        .toList();
                shell.section("capacity", "Response time against rate").append(Template.html("capacity", all));
            }
        }

        private Shown shown(Group group, MeasuredLoad load, PageFiles files) {
            String name = load.workload() + (analysis.groups().size() == 1 ? "" : ", " + group.name());
            return new Shown(
                    name,
                    slo.words(),
                    slo.limits().stream()
                            .map(limit -> chart(group, load, name, limit))
                            .toList(),
                    files.put(table(group, load)));
        }

        private String chart(Group group, MeasuredLoad load, String name, Slo.Limit limit) {
            Map<Arm, List<double[]>> lines = new LinkedHashMap<>();
            for (Arm arm : group.all()) {
                List<RateStep> steps = analysis.results(arm, load).values().stream()
                        .flatMap(result -> result.steps().stream())
                        .toList();
                lines.put(arm, RateStep.curve(steps, limit.percentile(), MOST * limit.ms()));
            }
            double[] ends = lines.values().stream()
                    .flatMap(List::stream)
                    .mapToDouble(point -> point[0])
                    .sorted()
                    .toArray();
            if (ends.length < 2 || ends[0] == ends[ends.length - 1]) {
                return "";
            }
            double from = ends[0];
            double to = ends[ends.length - 1];
            List<Chart.Tick> ticks = new ArrayList<>();
            for (double power = 1; power < 1e7; power *= 10) {
                for (double rate : new double[] {power, 2 * power, 5 * power}) {
                    if (Math.log(rate) >= from && Math.log(rate) <= to) {
                        ticks.add(new Chart.Tick(Math.log(rate), Chart.label(rate)));
                    }
                }
            }
            Chart chart = new Chart(
                            limit.percentile().label() + " against rate: " + name,
                            "requests/s that were due",
                            from,
                            to,
                            ticks)
                    .wide()
                    .logarithmic();
            lines.forEach((arm, points) -> {
                double capacity = analysis.describe(arm, load, Metric.CAPACITY).mean();
                chart.line(new Chart.Line(
                        analysis.name(arm) + " "
                                + (Double.isNaN(capacity)
                                        ? ""
                                        : (analysis.hasFloor(arm, load) ? "at least " : "")
                                                + Chart.label(Math.rint(capacity))
                                                + "/s"),
                        new Curves(analysis, group).style(arm),
                        points.stream().mapToDouble(point -> point[0]).toArray(),
                        points.stream().mapToDouble(point -> point[1]).toArray()));
            });
            chart.line(new Chart.Line(
                    "objective", "ref copy", new double[] {from, to}, new double[] {limit.ms(), limit.ms()}));
            return Curves.figure(limit.percentile().label() + " of each step", "ms", chart, List.of());
        }

        /** A step of a search, which is the subject of a row. */
        private record Taken(int block, Arm arm, RateStep step) {}

        private Table table(Group group, MeasuredLoad load) {
            List<Taken> all = new ArrayList<>();
            for (Arm arm : group.all()) {
                analysis.servers(arm).forEach((block, server) -> server.loads().stream()
                        .filter(result -> result.load().equals(load))
                        .flatMap(result -> result.steps().stream())
                        .forEach(step -> all.add(new Taken(block, arm, step))));
            }
            Columns<Taken> columns = new Columns<Taken>()
                    .number("block", "Block", "", one -> Value.count(one.block))
                    .words("arm", "Arm", one -> Words.name(analysis, one.arm))
                    .number("rate", "Rate", "requests/s", one -> Value.of(one.step.rate()))
                    .words("outcome", "Outcome", one -> one.step.words());
            SHOWN.forEach(metric -> columns.number(metric.key(), metric.label(), metric.unit(), one -> {
                double value = one.step.figure(metric).orElse(Double.NaN);
                return Value.number(value, Numbers.shown(metric, value));
            }));
            return columns.table("steps-" + analysis.groups().indexOf(group), "Every step: " + group.name(), all);
        }
    }

    /**
     * Results of each arm with each heap, and the smallest heap that sustains a rate.
     *
     * @param heaps heaps, the smallest first
     */
    record Heaps(Analysis analysis, List<String> heaps) {

        private static final List<Metric> SHOWN = List.of(
                Metric.THROUGHPUT, Metric.P99, Metric.GC, Metric.CPU, Metric.HEAP, Metric.RSS, Metric.MEMORY_PEAK);

        /**
         * Content of the section.
         *
         * @param smallest sentences on the heaps that sustain a rate; empty without a rate
         */
        record Shown(List<String> smallest, List<String> limits, Table table) {}

        static void addTo(PageLayout shell, Analysis analysis, PageFiles files) {
            List<String> heaps = analysis.campaign().heaps().stream()
                    .sorted(Comparator.comparingLong(JvmOptions::bytes))
                    .toList();
            if (!heaps.isEmpty()) {
                Heaps section = new Heaps(analysis, heaps);
                Shown shown = new Shown(section.smallest(), section.limits(), files.put(section.table()));
                shell.section("memory", "Heaps").append(Template.html("memory", shown));
            }
        }

        private Table table() {
            return new Columns<ArmUnderLoad>()
                    .words("load", "Load", place -> place.load().words())
                    .words("arm", "Arm", place -> analysis.name(place.arm()))
                    .words(
                            "held",
                            "Holds the rate",
                            place -> place.load().rate() > 0
                                    ? RateOutcome.of(analysis, place.arm(), place.load())
                                            .words()
                                    : analysis.isGivenUp(place.arm()) ? "its server failed" : "")
                    .each(SHOWN, (place, metric) -> FigureTables.value(analysis, place.arm(), place.load(), metric, ""))
                    .table("heaps", "Each arm with each heap", ArmUnderLoad.all(analysis.loads(), arms().toList()));
        }

        /** Returns all arms that have one of these heaps, the smallest first. */
        private Stream<Arm> arms() {
            return heaps.stream().flatMap(heap -> analysis.groups().stream()
                    .flatMap(group -> group.all().stream())
                    .filter(arm -> analysis.campaign().heap(arm).equals(Optional.of(heap))));
        }

        /**
         * Returns the limits of the servers' total memory, as the servers reported them; {@code none} with details for
         * a server without a limit.
         */
        private List<String> limits() {
            return arms().filter(arm -> arm.role() != Arm.Role.REFERENCE)
                    .flatMap(arm -> analysis.servers(arm).values().stream())
                    .map(server -> server.proven().getOrDefault(Proven.MEMORY_LIMIT, Proven.NO_LIMIT))
                    .distinct()
                    .toList();
        }

        private List<String> smallest() {
            return analysis.loads().stream()
                    .filter(load -> load.rate() > 0)
                    .map(this::smallest)
                    .toList();
        }

        private String smallest(MeasuredLoad load) {
            Map<String, Map<String, RateOutcome>> byArm = new LinkedHashMap<>();
            heaps.forEach(heap -> analysis.groups().forEach(group -> group.arms().stream()
                    .filter(arm -> analysis.campaign().heap(arm).equals(Optional.of(heap)))
                    .forEach(arm -> byArm.computeIfAbsent(name(group, arm, heap), any -> new LinkedHashMap<>())
                            .put(heap, held(group, arm, load)))));
            return RateOutcome.smallest(load.withoutGenerator().name(), byArm);
        }

        private RateOutcome held(Group group, Arm arm, MeasuredLoad load) {
            RateOutcome held = RateOutcome.of(analysis, arm, load);
            return arm.equals(group.baseline())
                    ? group.control()
                            .map(copy -> held.and(RateOutcome.of(analysis, copy, load)))
                            .orElse(held)
                    : held;
        }

        /**
         * Returns an arm's name without its heap. It includes the group if arms of two groups have this name and heap.
         */
        private String name(Group group, Arm arm, String heap) {
            String name = withoutHeap(arm, heap);
            boolean taken = analysis.groups().stream()
                    .filter(other -> !other.name().equals(group.name()))
                    .flatMap(other -> other.arms().stream())
                    .filter(other -> analysis.campaign().heap(other).equals(Optional.of(heap)))
                    .anyMatch(other -> withoutHeap(other, heap).equals(name));
            return taken ? name + " (" + group.name().replaceFirst(" " + heap + "$", "") + ")" : name;
        }

        private String withoutHeap(Arm arm, String heap) {
            return analysis.name(arm).replaceFirst("(, " + heap + " heap|-" + heap + ")$", "");
        }
    }

    /**
     * Results of each generator for the same arms under the same load, in a table for each load. Nothing is averaged
     * over generators or tested.
     */
    record CrossCheck(Analysis analysis) {
        private static final List<Metric> SHOWN =
                List.of(Metric.THROUGHPUT, Metric.MEAN, Metric.P99, Metric.SERVER_CORES, Metric.GENERATOR_CORES);
        /** Adds the section if a load came from more than one generator. */
        static void addTo(PageLayout shell, Analysis analysis, PageFiles files) {
            List<Measured> all = new CrossCheck(analysis).all(files);
            if (!all.isEmpty()) {
                shell.section("cross-check", "What each generator measured").append(Template.html("crosscheck", all));
            }
        }

        /** A load with results from every generator. */
        record Measured(String load, Table table) {}

        private List<Measured> all(PageFiles files) {
            Map<Load, List<MeasuredLoad>> loads = new LinkedHashMap<>();
            analysis.loads().stream()
                    .filter(measuredLoad -> measuredLoad.users() > 0)
                    .forEach(measuredLoad -> loads.computeIfAbsent(
                                    measuredLoad.withoutGenerator(), load -> new ArrayList<>())
                            .add(measuredLoad));
            loads.values().removeIf(measuredLoads -> measuredLoads.size() < 2);
            List<Measured> all = new ArrayList<>();
            for (Group group : analysis.groups()) {
                loads.forEach((load, measuredLoads) -> all.add(new Measured(
                        text(
                                "%s, %d users%s",
                                load.workload(), load.users(), analysis.groups().size() > 1 ? ": " + group.name() : ""),
                        files.put(table(group, load, measuredLoads)))));
            }
            return all;
        }

        private Table table(Group group, Load load, List<MeasuredLoad> loads) {
            Predicate<Arm> isShown = arm -> arm.role() != Arm.Role.CONTROL;
            return new Columns<ArmUnderLoad>()
                    .words("generator", "Generator", place -> place.load().generator())
                    .words("arm", "Container", place -> analysis.name(place.arm()))
                    .number("ratio", "Throughput to baseline", "", place -> ratio(group, place, Against::ratio))
                    .number("low", "from", "", place -> ratio(group, place, Against::low))
                    .number("high", "to", "", place -> ratio(group, place, Against::high))
                    .each(SHOWN, (place, metric) -> FigureTables.value(analysis, place.arm(), place.load(), metric, ""))
                    .words("left-out", "Left out", place -> String.join("; ", warnings(place.arm(), place.load())))
                    .table(
                            "cross-check-" + analysis.groups().indexOf(group) + "-"
                                    + load.workload().replaceAll("[^A-Za-z0-9]", "_") + "-" + load.users(),
                            load.workload() + ", " + load.users() + " users, by generator",
                            ArmUnderLoad.all(
                                    loads, group.all().stream().filter(isShown).toList()));
        }

        private Value ratio(Group group, ArmUnderLoad place, ToDoubleFunction<Against> end) {
            Optional<Against> against = analysis.primary().contains(Metric.THROUGHPUT)
                            && place.arm().isRanked()
                    ? analysis.against(group, place.arm(), place.load(), Metric.THROUGHPUT)
                    : Optional.empty();
            return Value.of(against.map(end::applyAsDouble).orElse(Double.NaN));
        }

        /** Returns why results of an arm were excluded. */
        private List<String> warnings(Arm arm, MeasuredLoad load) {
            return results(arm, load).stream()
                    .flatMap(result -> result.excluding().stream())
                    .map(warning -> warning.check().replace('-', ' '))
                    .distinct()
                    .toList();
        }

        private List<LoadFigures> results(Arm arm, MeasuredLoad load) {
            return analysis.servers(arm).values().stream()
                    .flatMap(serverRun -> serverRun.loads().stream())
                    .filter(result -> result.load().equals(load))
                    .toList();
        }
    }
}
