package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Analysis.Group;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.report.Table.Columns;
import org.servletbench.bench.report.Table.Value;
import org.servletbench.bench.verdict.MultipleComparison;
import org.servletbench.bench.verdict.Pooled;

/** Three or more campaigns of one comparison, pooled ({@link Pooled}). */
final class PooledCampaigns extends SeveralCampaigns {

    private final List<String> leftOut;
    private final boolean machinesDiffer;

    /**
     * @param sound at least three campaigns whose A/A check did not fail
     *
     * @param isVoid campaigns that are left out
     * @throws IllegalArgumentException with one line for people if they cannot be pooled
     */
    PooledCampaigns(List<Analysis> sound, List<Analysis> isVoid, List<String> problems) {
        super(
                ofOneComparison(sound),
                problems,
                (group, load, metric, arm) -> Optional.of(Pooled.of(
                        sound.stream()
                                .map(one -> one.comparison(group.name(), load, metric))
                                .toList(),
                        arm.id(),
                        alpha(sound))));
        leftOut = isVoid.stream()
                .map(one -> "campaign " + id(one)
                        + " is left out: two copies of the same arm came out different there (its A/A check failed)")
                .toList();
        machinesDiffer = sound.stream().skip(1).anyMatch(other -> differences(sound.get(0), other)
                .contains(Differences.KIND_OF_PROCESSOR));
    }

    private static List<Analysis> ofOneComparison(List<Analysis> sound) {
        Analysis first = sound.get(0);
        for (Analysis other : sound.subList(1, sound.size())) {
            List<String> differ = differences(first, other);
            differ.remove(Differences.KIND_OF_PROCESSOR);
            if (!differ.isEmpty()) {
                throw new IllegalArgumentException(text(
                        "campaigns %s and %s are not the same comparison (they differ in %s), so that they cannot be pooled; two"
                                + " campaigns can be shown side by side",
                        id(first), id(other), Text.list(differ)));
            }
        }
        for (Analysis one : sound) {
            if (one.isSilent()) {
                throw new IllegalArgumentException("campaign " + id(one) + " has no verdicts ("
                        + HistorySection.withoutVerdicts(one.campaign()) + "): pool the others without it");
            }
        }
        return sound;
    }

    private static List<String> differences(Analysis first, Analysis other) {
        return new Differences(first, other).all();
    }

    private static double alpha(List<Analysis> campaigns) {
        return campaigns.get(0).campaign().plan().alpha();
    }

    private double alpha() {
        return alpha(campaigns);
    }

    @Override
    public List<String> leftOut() {
        return leftOut;
    }

    @Override
    public Optional<String> markdown() {
        return Optional.of(PooledSummary.of(this));
    }

    @Override
    String title() {
        return Words.count(campaigns.size(), "campaign") + ", pooled";
    }

    @Override
    String answer() {
        return first().map(row -> text(
                        "Over %s, %s.",
                        Words.count(campaigns.size(), "campaign"),
                        last().groups().stream()
                                .map(group -> answer(group, row.load(), row.metric()))
                                .collect(Collectors.joining("; "))))
                .orElse(title() + ": nothing is judged");
    }

    private Optional<Row> first() {
        return rows.stream().filter(row -> row.pooled().isPresent()).findFirst();
    }

    /**
     * Returns the highest and the lowest arm: "Tomcat NIO2 has the highest throughput for hello at 100 users (+3.6 % ±
     * 1.8 against Tomcat NIO), Undertow the lowest (−24 % ± 3)". Either of them may be the baseline.
     */
    private String answer(Group group, MeasuredLoad load, Metric metric) {
        List<Row> arms = arms(group, load, metric)
                .filter(PooledCampaigns::isKnown)
                .sorted(Comparator.comparingDouble(row -> row.of(Pooled::ratio)))
                .toList();
        String baseline = name(group.baseline());
        if (arms.isEmpty()) {
            return "nothing can be pooled against " + baseline;
        }
        Row lowest = arms.get(0);
        Row highest = arms.get(arms.size() - 1);
        boolean above = highest.of(Pooled::ratio) > 1;
        boolean below = lowest.of(Pooled::ratio) < 1;
        return text(
                "%s has the highest %s for %s%s, %s the lowest%s",
                above ? named(highest) : baseline,
                metric.words(),
                last().wording().load(load),
                above ? " (" + brief(highest) + " against " + baseline + ")" : "",
                below ? named(lowest) : baseline,
                below ? " (" + brief(lowest) + (above ? "" : " against " + baseline) + ")" : "");
    }

    /** Returns an arm's name, with its worker threads if they matter. */
    private String named(Row row) {
        String threads = Provenance.threads(last(), row.arm());
        return name(row.arm()) + (threads.isEmpty() ? "" : " with " + threads);
    }

    private String brief(Row row) {
        return pooledRow(row, row.pooled().orElseThrow()).brief();
    }

    private Stream<Row> arms(Group group, MeasuredLoad load, Metric metric) {
        return rows.stream()
                .filter(row -> row.load().equals(load)
                        && row.metric() == metric
                        && row.arm().group().equals(group.name())
                        && row.arm().role() == Arm.Role.ARM);
    }

    private static boolean isKnown(Row row) {
        return row.pooled().filter(pooled -> pooled.lack() == Pooled.Lack.NONE).isPresent();
    }

    /** Returns the pooled ratios of the answer's load and metric, with a plot for each group. */
    List<AnswerPlot> answerPlots() {
        return first().stream()
                .flatMap(first -> last().groups().stream().map(group -> plot(group, first.load(), first.metric())))
                .toList();
    }

    private AnswerPlot plot(Group group, MeasuredLoad load, Metric metric) {
        double margin = last().settings().margin(metric);
        Forest.Row baseline = new Forest.Row(
                last().name(group.baseline()),
                "",
                Forest.Kind.BASELINE,
                Double.NaN,
                Double.NaN,
                Double.NaN,
                margin,
                "baseline");
        return AnswerPlot.of(
                last().wording().load(load),
                last().name(group.baseline()),
                metric,
                margin,
                Stream.concat(
                        Stream.of(AnswerPlot.with(baseline, last(), group.baseline())),
                        rows.stream()
                                .filter(row -> row.load().equals(load)
                                        && row.metric() == metric
                                        && row.arm().group().equals(group.name()))
                                .filter(PooledCampaigns::isKnown)
                                .map(row -> AnswerPlot.with(plotted(row), last(), row.arm()))));
    }

    private Forest.Row plotted(Row row) {
        boolean copy = row.arm().role() == Arm.Role.CONTROL;
        Pooled pooled = row.pooled().orElseThrow();
        return plotted(
                row,
                copy ? Forest.Kind.CONTROL : Forest.Kind.POOLED,
                copy ? "noise" : "",
                pooled.ratio(),
                pooled.low(),
                pooled.high());
    }

    /**
     * Returns the lines of a Markdown table of the first metric: a head, a line of dashes, and a row for each ratio. The
     * page has the other metrics, too.
     */
    List<String> table() {
        List<String> lines = new ArrayList<>();
        lines.add("| load, metric | arm | difference | next campaign | campaigns vary by |");
        lines.add("| --- | --- | --- | --- | --- |");
        rows.stream().filter(row -> row.metric() == rows.get(0).metric()).forEach(row -> row.pooled()
                .ifPresent(pooled -> lines.add(Stream.concat(
                                Stream.of(
                                        last().wording().load(row.load()) + ", "
                                                + row.metric().words(),
                                        name(row.arm())),
                                isKnown(row)
                                        ? figures(row, pooled)
                                        : Stream.of("not pooled: " + words(pooled.lack()), "", ""))
                        .map(Markdown::text)
                        .collect(Collectors.joining(" | ", "| ", " |")))));
        return lines;
    }

    private Stream<String> figures(Row row, Pooled pooled) {
        Forest.Row mean = pooledRow(row, pooled);
        return Stream.of(
                mean.difference() + " % (" + mean.interval() + ")",
                nextRow(row, pooled).interval(),
                text("%.1f %%", 100 * pooled.tau()));
    }

    @Override
    List<String> notes() {
        List<String> notes = new ArrayList<>(leftOut);
        List<String> commits = campaigns.stream()
                .map(one -> one.campaign().commit())
                .distinct()
                .toList();
        if (commits.size() > 1) {
            notes.add("The campaigns were measured by different versions of servlet-bench (" + Text.list(commits)
                    + "): what campaigns vary by is also what these do");
        }
        if (machinesDiffer) {
            notes.add("The machines have different processors: what campaigns vary by is also what machines do");
        }
        long early = campaigns.stream()
                .filter(one -> one.campaign().earlyEnd().isPresent())
                .count();
        if (early > 0) {
            notes.add(
                    Words.count(early, "campaign")
                            + " ended early because a claim had certainly failed, and may show it too large: measure with stop.early=false");
        }
        baselines().ifPresent(notes::add);
        return notes;
    }

    /** Returns what the figures mean, in sentences without a full stop. */
    List<String> explained() {
        String level = Numbers.share(1 - alpha());
        return List.of(
                "Each pooled interval holds the mean of campaigns like these, on machines like these and at such times, at "
                        + level
                        + " for itself (random effects). Those of a single campaign hold together at "
                        + level
                        + " there, and those of copies at "
                        + MultipleComparison.CONTROL_CONFIDENCE
                        + ". No verdicts are drawn",
                "The next campaign: where the ratio that one more campaign of this size measures is expected, at "
                        + level,
                agreement() + " if the noise of their blocks is all there is, at " + level
                        + " each, not independent of each other (table \"Each campaign\"). Where the next campaign is expected"
                        + " is no such test: with few campaigns it holds them all by arithmetic",
                "Campaigns vary: standard deviation from campaign to campaign beyond the noise of their blocks (tau, Paule and"
                        + " Mandel). Q and p test whether there is any; that none is found does not mean that there is none");
    }

    /**
     * Returns how many ratios of single campaigns are inside the range that the others predict. Copies are left out,
     * because they equal their baseline in every campaign.
     */
    String agreement() {
        List<Boolean> held = rows.stream()
                .filter(row -> row.arm().role() != Arm.Role.CONTROL)
                .flatMap(row -> IntStream.range(0, campaigns.size())
                        .boxed()
                        .flatMap(i -> row
                                .ratios()
                                .get(i)
                                .flatMap(one -> expected(row, i).map(there -> there.holds(one.ratio())))
                                .stream()))
                .toList();
        return text(
                "%d of %d differences in single campaigns lie where the others predict them",
                held.stream().filter(Boolean::booleanValue).count(), held.size());
    }

    private static Optional<Pooled.Expected> expected(Row row, int campaign) {
        return row.pooled().filter(pooled -> pooled.lack() == Pooled.Lack.NONE).map(pooled -> pooled.expected()
                .get(campaign));
    }

    @Override
    public List<String> words() {
        return rows.stream()
                .flatMap(row -> row.pooled().map(pooled -> words(row, pooled)).stream())
                .toList();
    }

    private String words(Row row, Pooled pooled) {
        String what = text(
                "For %s, the %s of %s",
                last().wording().load(row.load()), row.metric().words(), name(row.arm()));
        if (pooled.lack() != Pooled.Lack.NONE) {
            return what + " is not pooled: " + words(pooled.lack());
        }
        Forest.Row mean = pooledRow(row, pooled);
        double varies = Math.round(1000 * pooled.tau()) / 1000.0;
        return text(
                "%s is %s %% (%s) against %s; the next campaign: %s; %s (Q = %s with %d df, p = %s)",
                what,
                mean.difference(),
                mean.interval(),
                last().name(last().group(row.arm().group()).baseline()),
                nextRow(row, pooled).interval(),
                varies == 0
                        ? "no variation from campaign to campaign is found beyond the noise of their blocks"
                        : "campaigns vary by " + Numbers.share(varies),
                Numbers.shown(pooled.q()),
                campaigns.size() - 1,
                p(pooled));
    }

    private static String words(Pooled.Lack lack) {
        return switch (lack) {
            case NONE -> "";
            case NOT_IN_EVERY_CAMPAIGN -> "one of the campaigns has fewer than two usable blocks of it";
            case NOT_WARM -> "a server of it or of its baseline was not warm in one of the campaigns";
            case NOT_HELD ->
                "a server of it or of its baseline failed, or did not keep the load, in one of the campaigns";
            case GENERATOR_LIMIT -> "its figures or its baseline's are not the server's own in one of the campaigns";
            case NO_SPREAD -> "the values do not vary";
        };
    }

    private static String p(Pooled pooled) {
        return Double.isNaN(pooled.p())
                ? Numbers.shown(pooled.p())
                : pooled.p() < 0.001 ? "below 0.001" : text("%.3f", pooled.p());
    }

    private Forest.Row pooledRow(Row row, Pooled pooled) {
        return plotted(row, Forest.Kind.POOLED, "pooled", pooled.ratio(), pooled.low(), pooled.high());
    }

    private Forest.Row nextRow(Row row, Pooled pooled) {
        return plotted(row, Forest.Kind.CONTROL, "next campaign", pooled.ratio(), pooled.nextLow(), pooled.nextHigh());
    }

    private List<Forest.Row> pooledRows(Row row) {
        return row.pooled().stream()
                .flatMap(pooled -> pooled.lack() == Pooled.Lack.NONE
                        ? Stream.of(pooledRow(row, pooled), nextRow(row, pooled))
                        : Stream.of(plotted(
                                row, Forest.Kind.OPEN, words(pooled.lack()), Double.NaN, Double.NaN, Double.NaN)))
                .toList();
    }

    @Override
    void addTo(PageLayout shell, PageFiles files) {
        shell.section("pooled", "Pooled").append(plots(this::pooledRows));
        shell.section("figures", "Figures").append(files.put(pooledTable()).html());
        shell.section("explained", "What the figures mean").append(Template.html("explained", explained()));
    }

    @Override
    Columns<Single> with(Columns<Single> columns) {
        return columns.number("expected.low", "Others expect it from", "", one -> expected(one, Pooled.Expected::low))
                .number("expected.high", "to", "", one -> expected(one, Pooled.Expected::high));
    }

    private static Value expected(Single one, ToDoubleFunction<Pooled.Expected> end) {
        return ratio(expected(one.row(), one.campaign()).map(end::applyAsDouble).orElse(Double.NaN));
    }

    private Table pooledTable() {
        return columns(Function.<Row>identity())
                .number("ratio", "Against the baseline", "", row -> ratio(row.of(Pooled::ratio)))
                .number("low", "from", "", row -> ratio(row.of(Pooled::low)))
                .number("high", "to", "", row -> ratio(row.of(Pooled::high)))
                .number("next.low", "Next campaign from", "", row -> ratio(row.of(Pooled::nextLow)))
                .number("next.high", "to", "", row -> ratio(row.of(Pooled::nextHigh)))
                .number("tau", "Campaigns vary by", "share", row -> {
                    double tau = row.of(Pooled::tau);
                    return Double.isNaN(tau) ? Value.of(tau) : Value.number(tau, text("%.1f %%", 100 * tau));
                })
                .number("q", "Q", text("%d df", campaigns.size() - 1), row -> Value.of(row.of(Pooled::q)))
                .number(
                        "p",
                        "p",
                        "",
                        row -> Value.number(row.of(Pooled::p), p(row.pooled().orElseThrow())))
                .table(
                        "pooled",
                        "Differences from the baseline over all campaigns",
                        rows.stream().filter(row -> row.pooled().isPresent()).toList());
    }
}
