package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;
import static org.servletbench.bench.report.Html.escape;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.report.Table.Column;
import org.servletbench.bench.report.Table.Value;
import org.servletbench.bench.verdict.AcrossCampaigns;
import org.servletbench.bench.verdict.Verdict;

/** The page of two campaigns, {@value CompareTwo#PAGE}, and its tables. */
record CompareTwoPage(CompareTwo two) {
    /** Sentences that stand open at the top. */
    static final int MOST_WORDS = 12;

    Map<String, String> files() {
        Map<String, String> files = new TreeMap<>();
        Table table = table();
        Table moved = moved();
        table.put(files);
        if (!moved.isEmpty()) {
            moved.put(files);
        }
        Shell shell = new Shell(
                two.before.campaign().id() + " to " + two.after.campaign().id());
        shell.body().append(Template.html("two", this));
        StringBuilder plots = shell.section("plots", "After against before");
        two.cells.forEach(cell -> plots.append(Template.html("load", load(cell))));
        shell.section("table", "Figures").append(table.html());
        if (!moved.isEmpty()) {
            shell.section("moved", "What did not change").append(Template.html("moved", moved));
        }
        shell.section("versions", "What changed").append(Template.html("differences", differences()));
        files.put(CompareTwo.PAGE, shell.html());
        return files;
    }

    /** Whether no change has a verdict. */
    boolean isWithoutVerdicts() {
        return two.isSilent()
                || two.changes().stream()
                        .allMatch(change -> change.judged().lack().isPresent());
    }

    /** What is certain, in sentences without a full stop; if nothing is, that; none where nothing may be said. */
    List<String> words() {
        if (isWithoutVerdicts() || two.isVoid()) {
            return List.of();
        }
        List<String> certain = two.changes().stream()
                .filter(change -> change.judged().verdict().namesADifference())
                .map(two::sentence)
                .toList();
        long equal = two.changes().stream()
                .filter(change -> change.judged().verdict() == Verdict.EQUIVALENT)
                .count();
        return certain.isEmpty()
                ? List.of(text(
                        "No change was found: of %s %d are equal within %s, the others inconclusive",
                        Words.count(two.changes().size(), "figure"), equal, Numbers.share(two.settings.margin())))
                : certain;
    }

    private Answers.Plots load(Cell cell) {
        return new Answers.Plots(
                two.after.wording().cell(cell),
                two.metrics.stream()
                        .map(metric -> new Answers.Plot(plot(cell, metric), ""))
                        .toList());
    }

    /** How many loads one campaign has only. */
    int loadsLeftOut() {
        return two.after.cells().size() + two.before.cells().size() - 2 * two.cells.size();
    }

    /** The arms that one campaign has only, by name. */
    List<String> armsLeftOut() {
        return Stream.concat(alone(two.after, two.before), alone(two.before, two.after))
                .toList();
    }

    /** The arms that are the same in both, by name. */
    List<String> common() {
        return two.arms.keySet().stream()
                .filter(arm -> two.arms.get(arm).isEmpty())
                .map(two::name)
                .toList();
    }

    private static Stream<String> alone(Judgement one, Judgement other) {
        return one.campaign().arms().stream()
                .filter(arm -> arm.role() != Arm.Role.CONTROL)
                .filter(arm -> other.campaign().arms().stream()
                        .noneMatch(same -> same.id().equals(arm.id())))
                .map(one::name);
    }

    private Forest plot(Cell cell, Metric metric) {
        List<CompareTwo.Change> onAxis = two.changes().stream()
                .filter(change ->
                        change.metric() == metric && change.cell().workload().equals(cell.workload()))
                .toList();
        return Forest.of(
                metric,
                onAxis.stream().map(this::row).toList(),
                two.settings.logMargin(),
                onAxis.stream()
                        .filter(change -> change.cell().equals(cell))
                        .map(this::row)
                        .toList());
    }

    private Forest.Row row(CompareTwo.Change change) {
        AcrossCampaigns judged = change.judged();
        return new Forest.Row(
                two.after.name(change.arm()),
                two.after.groups().size() > 1 ? change.arm().group() : "",
                two.isVoid() ? Forest.Kind.OPEN : Words.kind(judged.verdict()),
                judged.ratio(),
                judged.low(),
                judged.high(),
                two.settings.margin(),
                two.word(change));
    }

    private static String withUnit(Metric metric, String unit) {
        return Words.title(metric) + (unit.isEmpty() ? "" : ", " + unit);
    }

    private Table table() {
        Table table = new Table(
                "comparison",
                "Ratios after against before",
                List.of(
                        Column.words("cell", "Load"),
                        Column.words("group", "Group"),
                        Column.words("arm", "Arm"),
                        Column.words("metric", "Metric"),
                        new Column("before", "Before", "", true, true),
                        new Column("after", "After", "", true, true),
                        Column.words("verdict", "Verdict"),
                        Column.number("ratio", "After / before", ""),
                        Column.number("low", "from", ""),
                        Column.number("high", "to", ""),
                        Column.number("df", "Degrees of freedom", ""),
                        Column.words("common", "Beside")));
        for (CompareTwo.Change change : two.changes()) {
            AcrossCampaigns judged = change.judged();
            String word = two.word(change);
            table.row(List.of(
                    new Value(
                            escape(two.after.wording().cell(change.cell())),
                            change.cell().words(),
                            null),
                    Value.words(change.arm().group()),
                    Value.words(two.after.name(change.arm())),
                    new Value(
                            escape(withUnit(change.metric(), Numbers.unit(change.metric()))),
                            withUnit(change.metric(), change.metric().unit()),
                            null),
                    Value.of(change.metric(), change.before()),
                    Value.of(change.metric(), change.after()),
                    Value.styled(
                            Words.kind(judged.verdict()).style(),
                            word,
                            "",
                            two.isVoid() ? "VOID" : judged.verdict().name()),
                    ratio(judged.ratio()),
                    ratio(judged.low()),
                    ratio(judged.high()),
                    Value.number(judged.df(), Numbers.shown(judged.df())),
                    Value.words(two.names(change.common()))));
        }
        return table;
    }

    private Table moved() {
        Table table = new Table(
                "unchanged",
                "Unchanged arms from campaign to campaign",
                List.of(
                        Column.words("cell", "Load"),
                        Column.words("group", "Group"),
                        Column.words("metric", "Metric"),
                        Column.number("arms", "Arms", ""),
                        Column.number("spread", "Spread", "share")));
        for (String group : two.after.campaign().groups()) {
            List<Arm> common = two.common(group);
            if (common.size() < 2) {
                continue;
            }
            for (Cell cell : two.cells) {
                for (Metric metric : two.metrics) {
                    double spread = AcrossCampaigns.spread(
                            CompareTwo.rows(two.before, common, cell, metric),
                            CompareTwo.rows(two.after, common, cell, metric));
                    table.row(List.of(
                            Value.words(two.after.wording().cell(cell)),
                            Value.words(group),
                            Value.words(Words.title(metric)),
                            Value.count(common.size()),
                            Value.number(spread, Double.isNaN(spread) ? Numbers.NONE : Numbers.share(spread))));
                }
            }
        }
        return table;
    }

    private static Value ratio(double ratio) {
        return Value.number(ratio, Double.isFinite(ratio) ? text("%.3f", ratio) : Numbers.shown(ratio));
    }

    record Difference(String what, String before, String after) {}

    private List<Difference> differences() {
        Map<String, String> was = facts(two.before.campaign());
        Map<String, String> is = facts(two.after.campaign());
        return Stream.of(was, is)
                .flatMap(facts -> facts.keySet().stream())
                .sorted()
                .distinct()
                .map(key -> new Difference(key, was.getOrDefault(key, ""), is.getOrDefault(key, "")))
                .filter(one -> !one.before().equals(one.after()))
                .toList();
    }

    private static Map<String, String> facts(Campaign campaign) {
        Map<String, String> facts = new HashMap<>(campaign.options());
        facts.remove(Campaign.FOLDER);
        campaign.machine().forEach((key, value) -> facts.put("machine: " + key, value));
        campaign.versions().forEach((key, value) -> facts.put("version: " + key, value));
        campaign.arms().stream()
                .filter(arm -> arm.role() != Arm.Role.CONTROL)
                .forEach(arm -> facts.put(
                        "arm: " + arm.id(),
                        arm.container() + " " + arm.containerVersion() + ", Spring Boot " + arm.bootVersion()
                                + ", SHA-256 " + arm.sha256()));
        facts.put("settings", campaign.plan().settings());
        return facts;
    }
}
