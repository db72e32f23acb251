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
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Analysis.Against;
import org.servletbench.bench.record.Analysis.Group;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.report.Table.Column;
import org.servletbench.bench.report.Table.Columns;
import org.servletbench.bench.report.Table.Value;
import org.servletbench.bench.verdict.Baseline;
import org.servletbench.bench.verdict.Pooled;
import org.servletbench.bench.verdict.Spread;

/**
 * Several campaigns on one page: {@linkplain SideBySide side by side} or, if there are three or more of the same
 * comparison, {@linkplain PooledCampaigns pooled}. There are no verdicts, because two campaigns do not show how much a
 * ratio varies from one campaign to the next.
 */
public abstract sealed class SeveralCampaigns permits SideBySide, PooledCampaigns {
    public static final String PAGE = "comparison.html";

    private static final Spread NO_VALUE = Spread.of(new double[0], false, 0.05);

    /**
     * An arm or an A/A copy against its baseline; or a baseline.
     *
     * @param values figure in each campaign; without a value if the campaign lacks the arm, load or metric
     * @param ratios ratio in each campaign, with its simultaneous interval; empty if there is none
     * @param pooled pooled ratio; empty for two campaigns, and for a baseline
     */
    record Row(
            MeasuredLoad load,
            Metric metric,
            Arm arm,
            List<Spread> values,
            List<Optional<Against>> ratios,
            Optional<Pooled> pooled) {
        double of(ToDoubleFunction<Pooled> figure) {
            return figure.applyAsDouble(pooled.orElseThrow());
        }
    }

    /** Pools an arm or an A/A copy against its baseline; empty if nothing is pooled. */
    @FunctionalInterface
    interface Pooling {
        Optional<Pooled> of(Group group, MeasuredLoad load, Metric metric, Arm arm);
    }

    final List<Analysis> campaigns;
    final List<Row> rows;
    private final List<String> problems;

    SeveralCampaigns(List<Analysis> campaigns, List<String> problems, Pooling pooling) {
        this.campaigns = List.copyOf(campaigns);
        this.problems = List.copyOf(problems);
        rows = rows(pooling);
    }

    /**
     * @param campaigns at least two
     *
     * @param problems lines for people about unreadable data
     * @throws IllegalArgumentException with one line for people if a campaign is named twice or has factors, or if
     *     three or more cannot be pooled, because one belongs to another comparison or has no verdicts of its own, or
     *     because fewer than three are not void
     */
    static SeveralCampaigns judged(List<Analysis> campaigns, List<String> problems) {
        // This rule depends only on the A/A check, not on the results of any arm.
        List<Analysis> sound =
                campaigns.stream().filter(one -> !one.family().isVoid()).toList();
        if (sound.size() < Pooled.LEAST && campaigns.size() >= Pooled.LEAST) {
            throw new IllegalArgumentException(text(
                    "%d of %d campaigns are void, because two copies of the same arm came out different: a pool takes %d others; two"
                            + " campaigns can be shown side by side",
                    campaigns.size() - sound.size(), campaigns.size(), Pooled.LEAST));
        }
        for (Analysis one : campaigns) {
            if (campaigns.stream().filter(other -> id(other).equals(id(one))).count() > 1) {
                throw new IllegalArgumentException("campaign " + id(one) + " is named twice");
            }
            if (one.campaign().plan().factorial().isPresent()) {
                throw new IllegalArgumentException(
                        "campaign " + id(one) + " has factors, whose effects are not pooled: report it alone");
            }
        }
        return sound.size() < Pooled.LEAST
                ? new SideBySide(campaigns, problems)
                : new PooledCampaigns(
                        sound,
                        campaigns.stream().filter(one -> one.family().isVoid()).toList(),
                        problems);
    }

    /**
     * Reads the campaigns in these folders.
     *
     * @throws UsageException where {@link #judged} throws an exception
     */
    public static SeveralCampaigns of(List<CampaignFolder> folders, List<String> problems) {
        try {
            return judged(
                    folders.stream()
                            .map(one -> Analysis.of(one.campaign(), one.serverRuns()))
                            .toList(),
                    problems);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    static String id(Analysis one) {
        return one.campaign().id();
    }

    final Analysis last() {
        return campaigns.get(campaigns.size() - 1);
    }

    /** Returns every arm and A/A copy, under every load and tested metric of any campaign. */
    private List<Row> rows(Pooling pooling) {
        Map<List<Object>, Row> found = new LinkedHashMap<>();
        for (Analysis one : campaigns) {
            for (MeasuredLoad load : one.loads()) {
                for (Metric metric : one.primary(load)) {
                    for (Group group : one.groups()) {
                        group.all().stream()
                                .filter(arm -> arm.role() != Arm.Role.REFERENCE)
                                .forEach(arm -> found.computeIfAbsent(
                                        List.of(load, metric, arm.id()),
                                        key -> row(pooling, load, metric, group, arm)));
                    }
                }
            }
        }
        return List.copyOf(found.values());
    }

    private Row row(Pooling pooling, MeasuredLoad load, Metric metric, Group group, Arm arm) {
        return new Row(
                load,
                metric,
                arm,
                campaigns.stream()
                        .map(one -> of(one, load, metric, arm)
                                .map(own -> one.describe(own, load, metric))
                                .orElse(NO_VALUE))
                        .toList(),
                campaigns.stream()
                        .map(one -> of(one, load, metric, arm)
                                .flatMap(own -> one.against(one.group(own.group()), own, load, metric)))
                        .toList(),
                arm.equals(group.baseline()) ? Optional.empty() : pooling.of(group, load, metric, arm));
    }

    /** Returns the arm with the same id in a campaign that tests this load and metric. */
    private static Optional<Arm> of(Analysis one, MeasuredLoad load, Metric metric, Arm arm) {
        return one.loads().contains(load) && one.primary(load).contains(metric)
                ? one.groups().stream()
                        .flatMap(group -> group.all().stream())
                        .filter(own -> own.id().equals(arm.id()))
                        .findFirst()
                : Optional.empty();
    }

    /** Returns a list of the campaigns, one per line. */
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

    /** Returns the question of the last campaign; empty if it has none. */
    String question() {
        return last().campaign().plan().question();
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
                Provenance.conditions(last(), last().campaign().arms()));
    }

    abstract String title();

    /** Returns the result for the first load and metric, which is the page's heading. */
    abstract String answer();

    /** Returns an explanation of the figures, in sentences without a full stop. */
    abstract List<String> notes();

    /** Returns the results for people, in sentences without a full stop; empty if nothing is pooled. */
    public abstract List<String> words();

    /** Returns the campaigns that are not shown, one line each, without a full stop. */
    public abstract List<String> leftOut();

    /** Returns the answer in Markdown; empty if there is none. */
    public abstract Optional<String> markdown();

    /** Adds the sections before those of single campaigns. */
    abstract void addTo(PageLayout shell, PageFiles files);

    /** Adds columns to the table of single campaigns. */
    abstract Columns<Single> with(Columns<Single> columns);

    /** Returns a note if campaigns have different rules for the baseline, which only affect the width of intervals. */
    final Optional<String> baselines() {
        List<String> first = campaigns.stream()
                .filter(one -> one.campaign().plan().baseline() == Baseline.FIRST_COPY)
                .map(SeveralCampaigns::id)
                .toList();
        return first.isEmpty() || first.size() == campaigns.size()
                ? Optional.empty()
                : Optional.of("Arms are compared with the first copy of the baseline in " + Text.list(first)
                        + ", and with the mean of both copies in the others: this changes only how wide intervals are");
    }

    final String name(Arm arm) {
        return (arm.role() == Arm.Role.CONTROL ? "the copy of " + arm.label() : last().name(arm))
                + (last().groups().size() > 1 ? " (" + arm.group() + ")" : "");
    }

    final Forest.Row plotted(Row row, Forest.Kind kind, String word, double ratio, double low, double high) {
        return new Forest.Row(
                Words.name(last(), row.arm()),
                row.arm().role() == Arm.Role.CONTROL
                        ? "A/A copy"
                        : last().groups().size() > 1 ? row.arm().group() : "",
                kind,
                ratio,
                low,
                high,
                last().settings().margin(row.metric()),
                word);
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

    /** Returns the plots of all loads. */
    final String plots(Function<Row, List<Forest.Row>> drawn) {
        StringBuilder plots = new StringBuilder();
        rows.stream().map(Row::load).distinct().forEach(load -> {
            List<Forest> ofLoad = rows.stream()
                    .filter(row -> row.load().equals(load))
                    .map(Row::metric)
                    .distinct()
                    .map(metric -> {
                        List<Forest.Row> some = rows.stream()
                                .filter(row -> row.load().equals(load) && row.metric() == metric)
                                .flatMap(row -> drawn.apply(row).stream())
                                .toList();
                        return Forest.of(metric, some, last().settings().logMargin(metric), some);
                    })
                    .toList();
            plots.append(
                    Template.html("load", new Conclusions.Plots(last().wording().load(load), ofLoad)));
        });
        return plots.toString();
    }

    /** Returns the page and its tables as content by file name. Writes nothing. */
    public Map<String, String> files() {
        return files(new PageFiles(false));
    }

    /** Returns the page and its tables for publication. */
    Map<String, String> published() {
        return files(new PageFiles(true));
    }

    private Map<String, String> files(PageFiles files) {
        Table single = files.put(single());
        PageLayout shell = new PageLayout(answer(), question());
        shell.body().append(Template.html("several", this));
        addTo(shell, files);
        shell.section("campaigns", "Each campaign")
                .append(plots(this::singleRows))
                .append(single.html());
        shell.section("versions", "What differs").append(Template.html("differences", facts()));
        files.put(PAGE, shell.html());
        return files.all();
    }

    /** Writes the page and its tables into a folder, which is that of the last campaign. */
    public Path write(Path to) throws IOException {
        return ReportPage.write(files(), to).resolve(PAGE);
    }

    final <T> Columns<T> columns(Function<T, Row> of) {
        return new Columns<T>()
                .add(Column.words("load", "Load"), one -> {
                    MeasuredLoad load = of.apply(one).load();
                    return new Value(escape(last().wording().load(load)), load.words(), null);
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

    /** A row of one of the campaigns. */
    record Single(Row row, int campaign) {
        private Spread value() {
            return row.values().get(campaign);
        }

        private double ratio(ToDoubleFunction<Against> end) {
            return row.ratios().get(campaign).map(end::applyAsDouble).orElse(Double.NaN);
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
                .number("ratio", "Against the baseline", "", one -> ratio(one.ratio(Against::ratio)))
                .number("low", "from", "", one -> ratio(one.ratio(Against::low)))
                .number("high", "to", "", one -> ratio(one.ratio(Against::high)));
        return with(columns).table("campaigns", "Each campaign for itself", all);
    }

    static Value ratio(double ratio) {
        return Value.number(ratio, Double.isFinite(ratio) ? Numbers.percent(ratio, true) + " %" : Numbers.shown(ratio));
    }

    record Facts(List<String> campaigns, Map<String, List<String>> values) {}

    /** Returns the facts that were recorded with different values. */
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
