package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.servletbench.bench.comparison.Effect;
import org.servletbench.bench.comparison.Factorial;
import org.servletbench.bench.comparison.Factorial.Factor;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Proven;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Analysis.Group;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.report.Table.Columns;
import org.servletbench.bench.report.Table.Value;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.Verdict;
import org.servletbench.bench.verdict.Wording;

/**
 * The answer of a comparison with factors: the effects of all factors and pairs of factors, in words, as a table and as
 * a chart.
 */
record Effects(Analysis analysis, Group group, Factorial factorial) {

    /** Keys of an arm whose values can serve as the name of an effect. */
    private static final List<String> NAMING = List.of("jdk", "heap", "memory", "container", "version", "boot", "app");

    /** Returns the effects in a campaign's only group; empty without factors. */
    static Optional<Effects> of(Analysis analysis, Group group) {
        return analysis.campaign().plan().factorial().map(factorial -> new Effects(analysis, group, factorial));
    }

    /** Returns the effects if verdicts on them are drawn. */
    static Optional<Effects> concluded(Analysis analysis, Group group) {
        return analysis.isSilent() || analysis.family().isVoid() ? Optional.empty() : of(analysis, group);
    }

    /**
     * An effect on a metric under a load.
     *
     * @param row its figures and its verdict in words
     * @param blocks the effect in each block, as ratios
     */
    record Row(Effect effect, PairVerdict verdict, Forest.Row row, List<Double> blocks) {

        private boolean isOfArms() {
            return effect.kind() != Effect.Kind.PAIR;
        }

        /** Returns the largest effect in either direction that is not excluded, in percent, rounded up. */
        private String most() {
            return BigDecimal.valueOf(100 * verdict.notExcluded())
                            .setScale(1, RoundingMode.CEILING)
                            .toPlainString()
                    + " %";
        }

        private String brief() {
            return row.name().replaceFirst(": ", " ") + " " + row.brief();
        }

        /** Returns the effect and its interval: "+5 % (+3 to +7 %)". */
        String shown() {
            return row.ratio() > 0
                    ? Words.bound(verdict.bound()) + row.difference() + " % (" + row.interval() + ")"
                    : "no usable figures";
        }
    }

    /**
     * The effects on a metric under a load, for a chart.
     *
     * @param notes sentences below the chart, without full stops
     */
    record Shown(
            String caption, Metric metric, double logMargin, Forest.Axis axis, List<Row> rows, List<String> notes) {

        double place(double ratio) {
            return 100 * Math.min(1, Math.max(0, ratio <= 0 ? 0 : axis.at(Math.log(ratio))));
        }
    }

    /** Returns the effects on a tested metric, in the order of the plan. */
    List<Row> rows(MeasuredLoad load, Metric metric) {
        List<PairVerdict> verdicts = analysis.effects(group, load, metric);
        return factorial.effects().stream()
                .flatMap(effect -> verdicts.stream()
                        .filter(verdict -> verdict.contrast().a().equals(effect.name()))
                        .map(verdict -> row(effect, verdict, metric)))
                .toList();
    }

    private Row row(Effect effect, PairVerdict verdict, Metric metric) {
        boolean isVoid = analysis.family().isVoid();
        Forest.Row row = new Forest.Row(
                name(effect),
                "",
                isVoid ? Forest.Kind.OPEN : Words.kind(verdict.verdict()),
                verdict.ratio(),
                verdict.low(),
                verdict.high(),
                analysis.settings().margin(metric),
                isVoid ? "void" : analysis.isSilent() ? "no verdict" : word(effect, verdict, metric));
        List<Double> blocks = Arrays.stream(
                        analysis.comparison(group.name(), verdict.contrast().load(), metric)
                                .logRatios(effect.name(), ""))
                .mapToObj(Math::exp)
                .toList();
        return new Row(effect, verdict, row, blocks);
    }

    /**
     * Returns an effect's name. An arm beside the factors is named after the only key in which it differs, unless the
     * key's values may be secret.
     */
    private String name(Effect effect) {
        if (effect.kind() != Effect.Kind.ARM) {
            return effect.name();
        }
        Arm a = analysis.campaign().arm(effect.a().get(0));
        Arm b = analysis.campaign().arm(effect.b().get(0));
        List<String> differences = a.differences(b);
        if (differences.equals(List.of("jdk"))) {
            String from = jvmVersion(b);
            String to = jvmVersion(a);
            if (!from.isEmpty() && !to.isEmpty() && !from.equals(to)) {
                return "JDK: " + from + " → " + to;
            }
        }
        return differences.size() == 1
                        && NAMING.contains(differences.get(0))
                        && a.traits().containsKey(differences.get(0))
                        && b.traits().containsKey(differences.get(0))
                ? differences.get(0) + ": " + last(b.traits().get(differences.get(0))) + " → "
                        + last(a.traits().get(differences.get(0)))
                : analysis.name(a) + " instead of " + analysis.name(b);
    }

    /** Returns the version that an arm's servers reported; empty if they did not. */
    private String jvmVersion(Arm arm) {
        return analysis.chosen().stream()
                .filter(server -> server.arm().equals(arm.id()))
                .map(server -> new Proven(server.proven()).jvmVersion())
                .findFirst()
                .orElse("");
    }

    /** Returns the last element of a path, and any other text unchanged. */
    private static String last(String text) {
        return text.replaceFirst("/+$", "").replaceFirst(".*/", "");
    }

    private static String word(Effect effect, PairVerdict verdict, Metric metric) {
        boolean pair = effect.kind() == Effect.Kind.PAIR;
        Row bare = new Row(effect, verdict, null, List.of());
        String known =
                switch (verdict.verdict()) {
                    case EQUIVALENT -> pair ? "they add up within " + bare.most() : "no effect above " + bare.most();
                    case DIFFERENT ->
                        Words.word(Verdict.towards(verdict.ratio(), metric), metric)
                                + (pair ? " together" : "")
                                + Wording.MAYBE_WITHIN_MARGIN;
                    case INCONCLUSIVE -> "";
                    default -> Words.word(verdict.verdict(), metric) + (pair ? " together than their sum" : "");
                };
        return verdict.reason().map(reason -> Words.word(reason)).orElse(known);
    }

    // ---- in words ----

    private MeasuredLoad first() {
        return analysis.loads().get(0);
    }

    private Metric lead() {
        return new Conclusions(analysis).lead(first());
    }

    /**
     * Returns the answer in a few sentences. It is complete for the first load and metric, and mentions only
     * differences for the others.
     */
    String headline() {
        List<String> said = new ArrayList<>();
        if (analysis.loads().size() > 1) {
            said.add(text("For %s:", analysis.wording().load(first())));
        }
        List<Row> lead = rows(first(), lead());
        said.add(text("%s: %s", Words.title(lead()), whole(lead, turned(lead))));
        analysis.primary().stream().filter(metric -> metric != lead()).forEach(metric -> {
            List<Row> rows = rows(first(), metric);
            String differing = differing(rows);
            if (!differing.isEmpty()) {
                said.add(text("%s: %s.", Words.title(metric), differing));
            } else if (!rows.isEmpty()
                    && rows.stream().allMatch(row -> row.verdict().verdict() == Verdict.EQUIVALENT)) {
                said.add(text("%s: no effect above %s.", Words.title(metric), most(rows)));
            }
        });
        return String.join(" ", said);
    }

    private static String differing(List<Row> rows) {
        return rows.stream()
                .filter(row -> row.verdict().verdict().namesADifference())
                .map(row -> row.brief() + (row.isOfArms() ? "" : " together"))
                .collect(Collectors.joining(", "));
    }

    /** @param turned effects that are given at each level of another factor, instead of their mean */
    private static String whole(List<Row> all, List<Split> turned) {
        List<Row> rows = some(all, row -> turned.stream()
                .noneMatch(one -> row.equals(one.own()) || one.pairs().contains(row)));
        List<String> said = turned.stream().map(Split::words).collect(Collectors.toCollection(ArrayList::new));
        String differing = differing(rows);
        if (!differing.isEmpty()) {
            said.add(differing);
        }
        List<Row> none = some(rows, row -> row.isOfArms() && row.verdict().verdict() == Verdict.EQUIVALENT);
        if (!none.isEmpty()) {
            said.add("no effect above " + most(none) + " of " + names(none));
        }
        List<Row> adding = some(rows, row -> !row.isOfArms() && row.verdict().verdict() == Verdict.EQUIVALENT);
        if (!adding.isEmpty()) {
            said.add(
                    adding.size() == some(rows, row -> !row.isOfArms()).size()
                            ? "the effects add up within " + most(adding)
                            : names(adding) + " add up within " + most(adding));
        }
        List<Row> open = some(rows, row -> row.verdict().verdict() == Verdict.INCONCLUSIVE);
        if (!open.isEmpty()) {
            said.add("undecided: " + names(open));
        }
        return String.join("; ", said) + ".";
    }

    private static List<Row> some(List<Row> rows, Predicate<Row> which) {
        return rows.stream().filter(which).toList();
    }

    private static String names(List<Row> rows) {
        return Text.list(rows.stream()
                .map(row -> row.row().name().replaceFirst(": ", " "))
                .toList());
    }

    /** Returns the largest effect that none of these rows excludes. */
    private static String most(List<Row> rows) {
        return rows.stream()
                .max((a, b) ->
                        Double.compare(a.verdict().notExcluded(), b.verdict().notExcluded()))
                .map(Row::most)
                .orElse("");
    }

    /**
     * An effect that another factor certainly changes.
     *
     * @param pairs half of how much each other level of that factor changes it, compared with the first
     */
    private record Split(Row own, List<Row> pairs, Factor by) {

        /**
         * Returns the effect at each level, as a logarithm. Their mean is the effect itself, and twice a pair is the
         * difference between two of them.
         */
        private List<Double> atLevels() {
            List<Double> more = Stream.concat(
                            Stream.of(0.0),
                            pairs.stream()
                                    .map(pair -> 2 * Math.log(pair.verdict().ratio())))
                    .toList();
            double mean =
                    more.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
            double whole = Math.log(own.verdict().ratio());
            return more.stream().map(one -> whole + one - mean).toList();
        }

        /** True if the largest effect is at least three times the smallest, or has the other direction. */
        private boolean isLarge() {
            List<Double> effects = atLevels();
            double low = Collections.min(effects);
            double high = Collections.max(effects);
            return low * high < 0
                    || Math.max(Math.abs(low), Math.abs(high)) >= 3 * Math.min(Math.abs(low), Math.abs(high));
        }

        /** Returns "threads platform → virtual about −18 % with container tomcat, +37 % with jetty". */
        private String words() {
            List<Double> effects = atLevels();
            return own.row().name().replaceFirst(": ", " ") + " about "
                    + IntStream.range(0, effects.size())
                            .mapToObj(level -> text(
                                    "%s %% with %s%s",
                                    percent(effects.get(level)),
                                    level == 0 ? by.name() + " " : "",
                                    by.levels().get(level)))
                            .collect(Collectors.joining(", "));
        }

        private String note() {
            return "Estimated: " + words();
        }

        /** Returns a change without decimals, because it has no interval of its own. */
        private static String percent(double effect) {
            long percent = Math.round(100 * Math.expm1(effect));
            return percent == 0 ? "0" : text("%+d", percent).replace('-', '−');
        }
    }

    /** Returns the effects that another factor certainly changes. */
    private List<Split> splits(List<Row> rows) {
        List<Split> splits = new ArrayList<>();
        for (Factor one : factorial.factors()) {
            for (String level : one.levels().subList(1, one.levels().size())) {
                factorial.factors().forEach(by -> split(rows, one, level, by).ifPresent(splits::add));
            }
        }
        return splits;
    }

    private static Optional<Split> split(List<Row> rows, Factor one, String level, Factor by) {
        String effect = one.name() + ": " + one.levels().get(0) + " → " + level;
        List<Row> pairs = by.levels().stream()
                .skip(1)
                .flatMap(other -> pair(rows, one, level, by, other).stream())
                .toList();
        boolean changes =
                pairs.stream().anyMatch(pair -> pair.verdict().verdict().namesADifference());
        return rows.stream()
                .filter(row -> row.effect().name().equals(effect))
                .findFirst()
                .filter(own -> changes && pairs.size() == by.levels().size() - 1)
                .map(own -> new Split(own, pairs, by));
    }

    /** Returns the pair of these levels of two factors, in either order. */
    private static Optional<Row> pair(List<Row> rows, Factor one, String level, Factor by, String other) {
        List<String> names = List.of(
                one.name() + " × " + by.name(),
                one.name() + " × " + by.name() + ": " + level + ", " + other,
                by.name() + " × " + one.name(),
                by.name() + " × " + one.name() + ": " + other + ", " + level);
        return one.equals(by)
                ? Optional.empty()
                : rows.stream()
                        .filter(row -> names.contains(row.effect().name()))
                        .findFirst();
    }

    /** Returns the splits whose mean would mislead, one for each effect. */
    private List<Split> turned(List<Row> rows) {
        List<Split> turned = new ArrayList<>();
        splits(rows).stream()
                .filter(Split::isLarge)
                .filter(split -> turned.stream().noneMatch(other -> split.own().equals(other.own())))
                .forEach(turned::add);
        return turned;
    }

    /** Returns sentences without full stops that concern all figures. */
    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add(
                "An effect is the other level of a factor against its first, as a mean over all other factors; for a pair it is half of"
                        + " how much one changes the other");
        if (factorial.isHalf()) {
            notes.add(text(
                    "Half of all combinations ran: an effect of %d factors together would be counted as that of the remaining one, and one of"
                            + " %d together as that of the remaining two",
                    factorial.factors().size() - 1, factorial.factors().size() - 2));
        }
        return notes;
    }

    // ---- in tables and charts ----

    /** Returns a small plot of the first metric for each load, with those pairs that do not add up under some load. */
    List<AnswerPlot> plots() {
        Set<String> differing = analysis.loads().stream()
                .flatMap(load -> rows(load, lead()).stream())
                .filter(row -> row.verdict().verdict().namesADifference())
                .map(row -> row.effect().name())
                .collect(Collectors.toSet());
        return analysis.loads().stream()
                .map(load -> AnswerPlot.of(
                        analysis.wording().load(load),
                        "",
                        lead(),
                        analysis.settings().margin(lead()),
                        rows(load, lead()).stream()
                                .filter(row -> row.isOfArms()
                                        || differing.contains(row.effect().name()))
                                .map(Row::row)))
                .filter(plot -> !plot.points().isEmpty())
                .toList();
    }

    /**
     * Returns the answer of a published card: the effect of each factor on each metric under the first load. The card's
     * plots have the other loads, and its page all pairs.
     */
    String ofFactors() {
        return analysis.primary().stream()
                .map(this::ofFactors)
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(" "));
    }

    /** Returns the title of a page, above the chart with all effects: the effect of each factor on the first metric. */
    String title() {
        return ofFactors(lead());
    }

    private String ofFactors(Metric metric) {
        List<Row> rows = some(rows(first(), metric), Row::isOfArms);
        return rows.isEmpty()
                ? ""
                : Words.title(metric)
                        + (analysis.loads().size() == 1
                                ? ""
                                : ", " + analysis.wording().load(first()))
                        + ": " + whole(rows, turned(rows(first(), metric)));
    }

    /** Returns the chart for the first load and metric. */
    Shown shown() {
        Shown lead = shown(first(), lead());
        return new Shown(
                lead.caption(),
                lead.metric(),
                lead.logMargin(),
                lead.axis(),
                lead.rows(),
                Stream.concat(lead.notes().stream(), notes().stream()).toList());
    }

    /** Returns the charts for all other loads and metrics. */
    List<Shown> others() {
        return analysis.loads().stream()
                .flatMap(load -> analysis.primary().stream()
                        .filter(metric -> !load.equals(first()) || metric != lead())
                        .filter(metric -> !rows(load, metric).isEmpty())
                        .map(metric -> shown(load, metric)))
                .toList();
    }

    private Shown shown(MeasuredLoad load, Metric metric) {
        List<Row> rows = rows(load, metric);
        double margin = analysis.settings().logMargin(metric);
        List<Forest.Row> onAxis = rows.stream()
                .flatMap(row -> Stream.concat(
                        Stream.of(row.row()),
                        row.blocks().stream()
                                .map(ratio -> new Forest.Row(
                                        "", "", Forest.Kind.OPEN, ratio, Double.NaN, Double.NaN, margin, ""))))
                .toList();
        return new Shown(
                text("%s, %s", Words.title(metric), analysis.wording().load(load)),
                metric,
                margin,
                Forest.Axis.of(onAxis, margin),
                rows,
                splits(rows).stream().map(Split::note).toList());
    }

    /** An effect with its load. */
    private record Place(MeasuredLoad load, Metric metric, Row row) {}

    private List<Place> places() {
        return analysis.loads().stream()
                .flatMap(load -> analysis.primary().stream()
                        .flatMap(metric -> rows(load, metric).stream().map(row -> new Place(load, metric, row))))
                .toList();
    }

    /** Returns a table of all effects, with everything that was computed for them. */
    Table table() {
        return new Columns<Place>()
                .words("load", "Load", place -> analysis.wording().load(place.load))
                .words("metric", "Metric", place -> Words.title(place.metric))
                .words("effect", "Effect", place -> place.row.row().name())
                .words("verdict", "Verdict", place -> place.row.row().word())
                .number(
                        "ratio",
                        "Difference",
                        "",
                        place -> percent(place.row.verdict().ratio()))
                .number("low", "from", "", place -> percent(place.row.verdict().low()))
                .number("high", "to", "", place -> percent(place.row.verdict().high()))
                .number(
                        "blocks",
                        "Blocks",
                        "",
                        place -> Value.count(place.row.verdict().estimate().n()))
                .table("effects", "Every effect", places());
    }

    private static Value percent(double ratio) {
        return Value.number(ratio, Double.isFinite(ratio) ? Numbers.percent(ratio, true) + " %" : Numbers.shown(ratio));
    }

    /** Returns the effects as verdicts that cannot fail a build. */
    Stream<Claims.Claim> claims() {
        return places().stream()
                .map(place -> new Claims.Claim(
                        group.name() + "." + place.load.id() + "." + place.metric.key(),
                        place.row.row().name(),
                        analysis.isSilent() ? HistorySection.withoutVerdicts(analysis.campaign()) : sentence(place),
                        place.row.verdict().verdict() == Verdict.INCONCLUSIVE,
                        Claims.Failure.NONE,
                        false));
    }

    private String sentence(Place place) {
        return text(
                "For %s, %s in %s: %s, %s",
                analysis.wording().load(place.load),
                place.row.row().name(),
                place.metric.words(),
                place.row.shown(),
                place.row.row().word());
    }

    /** Returns the effects for the console: a heading for each load and metric, and a line for each effect. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (MeasuredLoad load : analysis.loads()) {
            for (Metric metric : analysis.primary()) {
                List<Row> rows = rows(load, metric);
                if (!rows.isEmpty()) {
                    lines.add(text("%s: %s, effects", load.words(), metric.label()));
                    rows.forEach(row -> lines.add(text(
                            "  %-32s %s  n=%d  %s",
                            row.row().name(),
                            row.shown(),
                            row.verdict().estimate().n(),
                            row.row().word())));
                    splits(rows).forEach(split -> lines.add("  " + split.note()));
                }
            }
        }
        return lines;
    }

    /** Returns the texts of a Markdown table by row: load and metric, effect, difference, verdict. */
    List<List<String>> cells(boolean firstOnly) {
        return places().stream()
                .filter(place -> !firstOnly || place.load.equals(first()) && place.metric == lead())
                .map(place -> List.of(
                        analysis.wording().load(place.load) + ", " + place.metric.words(),
                        place.row.row().name(),
                        place.row.shown(),
                        place.row.row().word()))
                .toList();
    }
}
