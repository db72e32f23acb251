package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;
import static org.servletbench.bench.report.Html.escape;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Judgement.Against;
import org.servletbench.bench.record.Judgement.Group;
import org.servletbench.bench.report.Table.Column;
import org.servletbench.bench.report.Table.Columns;
import org.servletbench.bench.report.Table.Value;
import org.servletbench.bench.verdict.Baseline;
import org.servletbench.bench.verdict.MultipleComparison;
import org.servletbench.bench.verdict.Pooled;
import org.servletbench.bench.verdict.Spread;

/**
 * Several campaigns: side by side or, if there are three or more of the same comparison, pooled ({@link Pooled}). There are no verdicts:
 * two campaigns do not show how much a ratio varies from one to the next.
 */
public final class SeveralCampaigns {
    public static final String PAGE = "comparison.html";

    /** Most visible sentences at the top. */
    static final int MOST_WORDS = 12;

    private static final Spread NO_VALUE = Spread.of(new double[0], false, 0.05);

    /**
     * An arm, or the A/A copy, against its baseline; or a baseline.
     *
     * @param values in each campaign; without a value if it lacks the arm, load or metric
     * @param ratios in each campaign, with its simultaneous interval; empty if there is none
     * @param pooled empty for two campaigns, and for a baseline
     */
    private record Row(
            Cell cell,
            Metric metric,
            Arm arm,
            List<Spread> values,
            List<Optional<Against>> ratios,
            Optional<Pooled> pooled) {
        private double of(ToDoubleFunction<Pooled> figure) {
            return figure.applyAsDouble(pooled.orElseThrow());
        }
    }

    private final List<Judgement> campaigns;
    private final List<String> leftOut;
    private final List<String> problems;
    private boolean machinesDiffer;
    private final List<String> differences = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();

    /**
     * @param campaigns at least two
     * @param problems lines for people about unreadable data
     * @throws IllegalArgumentException with one line for people if a campaign is named twice, or if three or more cannot be pooled: one
     *     belongs to another comparison or has no verdicts of its own, or fewer than three are not void
     */
    public SeveralCampaigns(List<Judgement> campaigns, List<String> problems) {
        List<Judgement> sound =
                campaigns.stream().filter(one -> !one.family().isVoid()).toList();
        // The rule depends only on the A/A check, not on any arm.
        boolean pooled = sound.size() >= Pooled.LEAST;
        this.campaigns = pooled ? sound : List.copyOf(campaigns);
        leftOut = campaigns.stream()
                .filter(one -> pooled && one.family().isVoid())
                .map(one -> "campaign " + id(one)
                        + " is left out: two copies of the same arm came out different there (BROKEN)")
                .toList();
        this.problems = List.copyOf(problems);
        if (!pooled && campaigns.size() >= Pooled.LEAST) {
            throw new IllegalArgumentException(text(
                    "%d of %d campaigns are void, because two copies of the same arm came out different: a pool takes %d others; two"
                            + " campaigns can be shown side by side",
                    campaigns.size() - sound.size(), campaigns.size(), Pooled.LEAST));
        }
        Judgement first = this.campaigns.get(0);
        for (Judgement other : this.campaigns.subList(1, this.campaigns.size())) {
            if (campaigns.stream().filter(one -> id(one).equals(id(other))).count() > 1) {
                throw new IllegalArgumentException("campaign " + id(other) + " is named twice");
            }
            List<String> differ = new Differences(first, other).all();
            if (isPooled()) {
                machinesDiffer |= differ.remove(Differences.KIND_OF_PROCESSOR);
            }
            if (isPooled() && !differ.isEmpty()) {
                throw new IllegalArgumentException(text(
                        "campaigns %s and %s are not the same comparison (they differ in %s), so that they cannot be pooled; two"
                                + " campaigns can be shown side by side",
                        id(first), id(other), Text.list(differ)));
            }
            differences.addAll(differ);
        }
        if (isPooled()) {
            this.campaigns.forEach(SeveralCampaigns::requirePoolable);
        }
        addRows();
    }

    /**
     * Reads the campaigns in these folders.
     *
     * @throws UsageException for the constructor's exception
     */
    public static SeveralCampaigns of(List<CampaignFolder> folders, List<String> problems) {
        try {
            return new SeveralCampaigns(
                    folders.stream()
                            .map(one -> Judgement.of(one.campaign(), one.invocations()))
                            .toList(),
                    problems);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private static void requirePoolable(Judgement one) {
        if (one.isSilent()) {
            throw new IllegalArgumentException("campaign " + id(one) + " has no verdicts ("
                    + HistorySection.withoutVerdicts(one.campaign()) + "): pool the others without it");
        }
    }

    private static String id(Judgement one) {
        return one.campaign().id();
    }

    boolean isPooled() {
        return campaigns.size() >= Pooled.LEAST;
    }

    private Judgement last() {
        return campaigns.get(campaigns.size() - 1);
    }

    /** Adds every arm and A/A copy, in every load and tested metric that a campaign has. */
    private void addRows() {
        Map<List<Object>, Row> found = new LinkedHashMap<>();
        for (Judgement one : campaigns) {
            for (Cell cell : one.cells()) {
                for (Metric metric : one.primary()) {
                    for (Group group : one.groups()) {
                        group.all().stream()
                                .filter(arm -> arm.role() != Arm.Role.REFERENCE)
                                .forEach(arm -> found.computeIfAbsent(
                                        List.of(cell, metric, arm.id()), key -> row(cell, metric, group, arm)));
                    }
                }
            }
        }
        rows.addAll(found.values());
    }

    private Row row(Cell cell, Metric metric, Group group, Arm arm) {
        return new Row(
                cell,
                metric,
                arm,
                campaigns.stream()
                        .map(one -> of(one, cell, metric, arm)
                                .map(own -> one.describe(own, cell, metric))
                                .orElse(NO_VALUE))
                        .toList(),
                campaigns.stream()
                        .map(one -> of(one, cell, metric, arm)
                                .flatMap(own -> one.against(one.group(own.group()), own, cell, metric)))
                        .toList(),
                isPooled() && !arm.equals(group.baseline())
                        ? Optional.of(Pooled.of(
                                campaigns.stream()
                                        .map(one -> one.comparison(group.name(), cell, metric))
                                        .toList(),
                                arm.id(),
                                alpha()))
                        : Optional.empty());
    }

    private double alpha() {
        return campaigns.get(0).campaign().plan().alpha();
    }

    /** Returns the arm of the same id in a campaign that tests this load and metric. */
    private static Optional<Arm> of(Judgement one, Cell cell, Metric metric, Arm arm) {
        return one.cells().contains(cell) && one.primary().contains(metric)
                ? one.groups().stream()
                        .flatMap(group -> group.all().stream())
                        .filter(own -> own.id().equals(arm.id()))
                        .findFirst()
                : Optional.empty();
    }

    /** Returns the campaigns, one per line. */
    List<String> listed() {
        return campaigns.stream()
                .map(one -> text(
                        "%s, begun %s, %s%s",
                        id(one),
                        one.campaign().created(),
                        Words.count(one.blocks(), "block"),
                        one.family().isVoid()
                                ? ". VOID: two copies of the same arm came out different"
                                : one.isSilent() ? ". " + HistorySection.withoutVerdicts(one.campaign()) : ""))
                .toList();
    }

    List<String> problems() {
        return problems;
    }

    /** Returns the names of the campaigns, except those that are left out. */
    List<String> ids() {
        return campaigns.stream().map(SeveralCampaigns::id).toList();
    }

    /** Returns the campaigns that are not in the pool, one line each, without a full stop. */
    public List<String> leftOut() {
        return leftOut;
    }

    String title() {
        return Words.count(campaigns.size(), "campaign") + (isPooled() ? ", pooled" : ", side by side");
    }

    /** Returns the question of the last campaign; empty if it has none. */
    String question() {
        return last().campaign().plan().question();
    }

    /** Returns the result for the first load and metric, as the page's heading. */
    String answer() {
        return first().map(row -> text(
                        "Over %s, %s.", Words.count(campaigns.size(), "campaign"), answer(row.cell(), row.metric())))
                .orElse(title() + ": nothing is judged");
    }

    /** Returns the results for the other loads; empty if there is one load. */
    String otherAnswers() {
        return first().stream()
                .flatMap(row -> rows.stream()
                        .map(Row::cell)
                        .distinct()
                        .filter(cell -> !cell.equals(row.cell()))
                        .map(cell -> Words.sentence(answer(cell, row.metric()))))
                .collect(Collectors.joining(" "));
    }

    private Optional<Row> first() {
        return rows.stream().filter(row -> row.pooled().isPresent()).findFirst();
    }

    private String answer(Cell cell, Metric metric) {
        return text(
                "%s for %s %s",
                metric.words(),
                last().wording().cell(cell),
                last().groups().stream()
                        .map(group -> "against " + name(group.baseline()) + ": " + answer(group, cell, metric))
                        .collect(Collectors.joining("; ")));
    }

    private String answer(Group group, Cell cell, Metric metric) {
        List<String> arms = rows.stream()
                .filter(row -> row.cell().equals(cell)
                        && row.metric() == metric
                        && row.arm().group().equals(group.name())
                        && row.arm().role() == Arm.Role.ARM)
                .flatMap(row -> row.pooled().map(pooled -> answer(row, pooled)).stream())
                .toList();
        return arms.isEmpty() ? "no other arm" : String.join(", ", arms);
    }

    private String answer(Row row, Pooled pooled) {
        if (pooled.lack() != Pooled.NoVerdictReason.NONE) {
            return last().name(row.arm()) + " not pooled";
        }
        Forest.Row mean = pooledRow(row, pooled);
        return text("%s %s %% (%s)", last().name(row.arm()), mean.difference(), mean.interval());
    }

    /** Explains the figures, in sentences without a full stop. */
    List<String> notes() {
        if (!isPooled()) {
            List<String> notes = new ArrayList<>(List.of(
                    "Described, not judged: two campaigns do not show how much a ratio varies from campaign to campaign, and every"
                            + " interval holds during its own campaign only. Three or more of the same comparison can be pooled; to"
                            + " judge a change, measure before and after as two arms of one campaign",
                    differences.isEmpty()
                            ? "Recorded as the same comparison: arms, jars, JDK, options, processors and load"
                            : "They differ in " + Text.list(differences)));
            baselines().ifPresent(notes::add);
            return notes;
        }
        String level = Numbers.share(1 - alpha());
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
        baselines().ifPresent(notes::add);
        notes.addAll(
                List.of(
                        "Each pooled interval holds the mean of campaigns like these, on machines like these and at such times, at "
                                + level
                                + " for itself (random effects). Those of a single campaign hold together at "
                                + level
                                + " there, and those of copies at "
                                + MultipleComparison.CONTROL_CONFIDENCE
                                + ". No verdicts are drawn",
                        "The next campaign: where the ratio that one more campaign of this size measures is expected, at "
                                + level,
                        agreement(level),
                        "Campaigns vary: standard deviation from campaign to campaign beyond the noise of their blocks (tau, Paule and"
                                + " Mandel). Q and p test whether there is any; that none is found does not mean that there is none"));
        return notes;
    }

    /** Returns a note on campaigns with different rules for the baseline, which only affect the width of intervals. */
    private Optional<String> baselines() {
        List<String> first = campaigns.stream()
                .filter(one -> one.campaign().plan().baseline() == Baseline.FIRST_COPY)
                .map(SeveralCampaigns::id)
                .toList();
        return first.isEmpty() || first.size() == campaigns.size()
                ? Optional.empty()
                : Optional.of("Arms are compared with the first copy of the baseline in " + Text.list(first)
                        + ", and with the mean of both copies in the others: this changes only how wide intervals are");
    }

    /**
     * Returns how many ratios of single campaigns are inside the range expected from the others. Copies are left out: they are equal to
     * their baseline in every campaign.
     */
    private String agreement(String level) {
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
                "%d of %d ratios of arms in single campaigns lie where the others expect them if the noise of their blocks is all there"
                        + " is, at %s each, not independent of each other (table \"Each campaign\"). Where the next campaign is expected"
                        + " is no such test: with few campaigns it holds them all by arithmetic",
                held.stream().filter(Boolean::booleanValue).count(), held.size(), level);
    }

    private static Optional<Pooled.Expected> expected(Row row, int campaign) {
        return row.pooled()
                .filter(pooled -> pooled.lack() == Pooled.NoVerdictReason.NONE)
                .map(pooled -> pooled.expected().get(campaign));
    }

    /** Returns versions, machines and conditions, as the last campaign reports them. */
    String measured() {
        return text(
                "%s; %s; %s",
                Provenance.versions(last()),
                campaigns.stream()
                        .map(one -> Provenance.machine(one.campaign()))
                        .distinct()
                        .collect(Collectors.joining(", and ")),
                Provenance.conditions(last(), last().groups().get(0)));
    }

    /** Returns the results for people, in sentences without a full stop; empty for two campaigns. */
    public List<String> words() {
        return rows.stream()
                .flatMap(row -> row.pooled().map(pooled -> words(row, pooled)).stream())
                .toList();
    }

    /** Returns only the results for the load and metric of the answer, the first. */
    List<String> firstWords() {
        return rows.stream()
                .filter(row -> row.cell().equals(rows.get(0).cell())
                        && row.metric() == rows.get(0).metric())
                .flatMap(row -> row.pooled().map(pooled -> words(row, pooled)).stream())
                .toList();
    }

    private String words(Row row, Pooled pooled) {
        String what = text(
                "For %s the %s of %s",
                last().wording().cell(row.cell()), row.metric().words(), name(row.arm()));
        if (pooled.lack() != Pooled.NoVerdictReason.NONE) {
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

    private static String words(Pooled.NoVerdictReason lack) {
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

    private String name(Arm arm) {
        return (arm.role() == Arm.Role.CONTROL ? "the copy of " + arm.label() : last().name(arm))
                + (last().groups().size() > 1 ? " (" + arm.group() + ")" : "");
    }

    private Forest.Row pooledRow(Row row, Pooled pooled) {
        return plotted(row, Forest.Kind.POOLED, "pooled", pooled.ratio(), pooled.low(), pooled.high());
    }

    private Forest.Row nextRow(Row row, Pooled pooled) {
        return plotted(row, Forest.Kind.CONTROL, "next campaign", pooled.ratio(), pooled.nextLow(), pooled.nextHigh());
    }

    private Forest.Row plotted(Row row, Forest.Kind kind, String word, double ratio, double low, double high) {
        return new Forest.Row(
                Words.name(last(), row.arm()),
                row.arm().role() == Arm.Role.CONTROL
                        ? "copy"
                        : last().groups().size() > 1 ? row.arm().group() : "",
                kind,
                ratio,
                low,
                high,
                last().settings().margin(row.metric()),
                word);
    }

    private List<Forest.Row> pooledRows(Row row) {
        return row.pooled().stream()
                .flatMap(pooled -> pooled.lack() == Pooled.NoVerdictReason.NONE
                        ? Stream.of(pooledRow(row, pooled), nextRow(row, pooled))
                        : Stream.of(plotted(
                                row, Forest.Kind.OPEN, words(pooled.lack()), Double.NaN, Double.NaN, Double.NaN)))
                .toList();
    }

    private List<Forest.Row> singleRows(Row row) {
        List<Forest.Row> plotted = new ArrayList<>();
        for (int i = 0; i < campaigns.size(); i++) {
            String when = campaigns.get(i).campaign().created().replaceFirst("T(\\d+:\\d+).*", " $1");
            row.ratios()
                    .get(i)
                    .ifPresent(one ->
                            plotted.add(plotted(row, Forest.Kind.OPEN, when, one.ratio(), one.low(), one.high())));
        }
        return plotted;
    }

    /** Returns the plots of every load. */
    private String plots(Function<Row, List<Forest.Row>> drawn) {
        StringBuilder plots = new StringBuilder();
        rows.stream().map(Row::cell).distinct().forEach(cell -> {
            List<Forest> ofCell = rows.stream()
                    .filter(row -> row.cell().equals(cell))
                    .map(Row::metric)
                    .distinct()
                    .map(metric -> {
                        List<Forest.Row> some = rows.stream()
                                .filter(row -> row.cell().equals(cell) && row.metric() == metric)
                                .flatMap(row -> drawn.apply(row).stream())
                                .toList();
                        return Forest.of(metric, some, last().settings().logMargin(metric), some);
                    })
                    .toList();
            plots.append(
                    Template.html("load", new Conclusions.Plots(last().wording().cell(cell), ofCell)));
        });
        return plots.toString();
    }

    /** Returns the page and its tables, not yet written: content by file name. */
    public Map<String, String> files() {
        Map<String, String> files = new TreeMap<>();
        Table single = single().put(files);
        PageLayout shell = new PageLayout(title());
        shell.body().append(Template.html("several", this));
        if (isPooled()) {
            shell.section("pooled", "Pooled").append(plots(this::pooledRows));
            shell.section("figures", "Figures").append(pooledTable().put(files).html());
        }
        shell.section("campaigns", "Each campaign")
                .append(plots(this::singleRows))
                .append(single.html());
        shell.section("versions", "What differs").append(Template.html("differences", facts()));
        files.put(PAGE, shell.html());
        return files;
    }

    /** Writes the page and its tables into a folder: that of the last campaign. */
    public Path write(Path to) throws IOException {
        return ReportPage.write(files(), to).resolve(PAGE);
    }

    private <T> Columns<T> columns(Function<T, Row> of) {
        return new Columns<T>()
                .add(Column.words("cell", "Load"), one -> {
                    Cell cell = of.apply(one).cell();
                    return new Value(escape(last().wording().cell(cell)), cell.words(), null);
                })
                .words("group", "Group", one -> of.apply(one).arm().group())
                .add(Column.words("arm", "Arm"), one -> {
                    Arm arm = of.apply(one).arm();
                    return new Value(escape(name(arm)), arm.id(), null);
                })
                .add(Column.words("metric", "Metric"), one -> {
                    Metric metric = of.apply(one).metric();
                    return new Value(escape(Words.title(metric) + unit(Numbers.unit(metric))), metric.key(), null);
                });
    }

    private static String unit(String unit) {
        return unit.isEmpty() ? "" : ", " + unit;
    }

    private Table pooledTable() {
        return columns(Function.<Row>identity())
                .number("ratio", "Ratio", "", row -> ratio(row.of(Pooled::ratio)))
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
                        "Ratios to the baseline over all campaigns",
                        rows.stream().filter(row -> row.pooled().isPresent()).toList());
    }

    /** A row in one of the campaigns. */
    private record Single(Row row, int campaign) {
        private Spread value() {
            return row.values().get(campaign);
        }

        private double ratio(ToDoubleFunction<Against> end) {
            return row.ratios().get(campaign).map(end::applyAsDouble).orElse(Double.NaN);
        }

        private double expected(ToDoubleFunction<Pooled.Expected> end) {
            return SeveralCampaigns.expected(row, campaign)
                    .map(end::applyAsDouble)
                    .orElse(Double.NaN);
        }
    }

    private Table single() {
        List<Single> all = rows.stream()
                .flatMap(row -> IntStream.range(0, campaigns.size()).mapToObj(i -> new Single(row, i)))
                .filter(one -> one.value().known())
                .toList();
        Columns<Single> columns = columns(Single::row)
                .words("campaign", "Campaign", one -> id(campaigns.get(one.campaign)))
                .add(Column.spread("value", "Value", ""), one -> Value.of(one.row.metric(), one.value()))
                .number("ratio", "Ratio to the baseline", "", one -> ratio(one.ratio(Against::ratio)))
                .number("low", "from", "", one -> ratio(one.ratio(Against::low)))
                .number("high", "to", "", one -> ratio(one.ratio(Against::high)));
        if (isPooled()) {
            columns.number(
                            "expected.low",
                            "Others expect it from",
                            "",
                            one -> ratio(one.expected(Pooled.Expected::low)))
                    .number("expected.high", "to", "", one -> ratio(one.expected(Pooled.Expected::high)));
        }
        return columns.table("campaigns", "Each campaign for itself", all);
    }

    private static Value ratio(double ratio) {
        return Value.number(ratio, Double.isFinite(ratio) ? text("%.3f", ratio) : Numbers.shown(ratio));
    }

    record Facts(List<String> campaigns, Map<String, List<String>> values) {}

    /** Returns the facts whose recorded values differ between campaigns. */
    private Facts facts() {
        List<Map<String, String>> all =
                campaigns.stream().map(one -> facts(one.campaign())).toList();
        Map<String, List<String>> values = new TreeMap<>();
        all.stream()
                .flatMap(facts -> facts.keySet().stream())
                .distinct()
                .forEach(key -> values.put(
                        key,
                        all.stream().map(facts -> facts.getOrDefault(key, "")).toList()));
        values.values().removeIf(some -> some.stream().distinct().count() == 1);
        return new Facts(campaigns.stream().map(SeveralCampaigns::id).toList(), values);
    }

    private static Map<String, String> facts(Campaign campaign) {
        Map<String, String> facts = new HashMap<>(campaign.conditions().texts());
        campaign.machine().forEach((key, value) -> facts.put("machine: " + key, value));
        campaign.versions().forEach((key, value) -> facts.put("version: " + key, value));
        campaign.arms().stream()
                .filter(arm -> arm.role() != Arm.Role.CONTROL)
                .forEach(arm -> facts.put(
                        "arm: " + arm.id(),
                        arm.container() + " " + arm.containerVersion() + ", Spring Boot " + arm.bootVersion()
                                + ", SHA-256 " + arm.sha256()));
        facts.put("settings", campaign.plan().settings());
        facts.put("servlet-bench", campaign.commit());
        return facts;
    }
}
