package org.servletbench.bench.report;

import static org.servletbench.bench.report.Html.escape;
import static org.servletbench.bench.report.Html.text;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.Cell;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Metric;
import org.servletbench.bench.report.Table.Column;
import org.servletbench.bench.report.Table.Value;
import org.servletbench.bench.verdict.AcrossCampaigns;
import org.servletbench.bench.verdict.AcrossCampaigns.Lack;
import org.servletbench.bench.verdict.Settings;
import org.servletbench.bench.verdict.Spread;
import org.servletbench.bench.verdict.Verdict;

/**
 * Two campaigns, before and after an upgrade: for each arm that changed, each load and each primary metric the ratio after /
 * before, seen through the arms that did not change ({@link AcrossCampaigns}). Where that cannot be, the page is descriptive:
 * estimates without verdicts.
 */
public final class CompareTwo {
    /** The page's name. */
    public static final String PAGE = "comparison.html";

    /**
     * One claim.
     *
     * @param arm that changed, as it is in the later campaign
     * @param common arms of its group that did not change
     * @param cell in both campaigns
     * @param metric primary in both
     * @param before the figure before
     * @param after the figure after
     * @param judged the ratio after / before beside the common arms, and the verdict on what came after
     */
    public record Change(
            Arm arm, List<Arm> common, Cell cell, Metric metric, Spread before, Spread after, AcrossCampaigns judged) {}

    /** Why not every change can have a verdict. */
    public enum Descriptive {
        /** One of the campaigns has no verdicts of its own. */
        CAMPAIGN_WITHOUT_VERDICTS,
        /** Every arm that both have is the same in both. */
        NOTHING_CHANGED,
        /** An arm has no arm beside it that is the same in both campaigns. */
        NO_COMMON_ARM,
        /** An arm has one such arm, and no spread from campaign to campaign is given. */
        NO_CAMPAIGN_SPREAD
    }

    /** Sentences that stand open at the top. */
    private static final int MOST_WORDS = 12;

    private final Judgement before;
    private final Judgement after;
    private final OptionalDouble campaignSpread;
    private final Settings settings;
    private final List<Cell> cells;
    private final List<Metric> metrics;
    private final Map<Arm, List<CommonArms.Differs>> arms;
    private final List<Change> changes;
    private final List<String> problems;

    /**
     * Compares.
     *
     * @param before the earlier campaign
     * @param after the later one; its margin and level are used
     * @param campaignSpread standard deviation of the log ratio of two unchanged arms from campaign to campaign, above 0;
     *     empty to estimate it from the common arms
     * @param problems lines for people about what could not be read
     * @throws IllegalArgumentException if they have no arm, load and primary metric in common: one line for people
     */
    public CompareTwo(Judgement before, Judgement after, OptionalDouble campaignSpread, List<String> problems) {
        this.before = before;
        this.after = after;
        this.campaignSpread = campaignSpread;
        this.problems = List.copyOf(problems);
        settings = after.settings();
        cells = after.cells().stream().filter(before.cells()::contains).toList();
        metrics = after.primary().stream().filter(before.primary()::contains).toList();
        arms = new CommonArms(before.campaign(), after.campaign()).arms();
        if (arms.isEmpty() || cells.isEmpty() || metrics.isEmpty()) {
            throw new IllegalArgumentException("campaigns " + before.campaign().id() + " and "
                    + after.campaign().id() + " have no arm, load and primary metric in common");
        }
        changes = judged();
    }

    private List<Change> judged() {
        List<Change> found = new ArrayList<>();
        List<AcrossCampaigns.Change> claims = new ArrayList<>();
        arms.forEach((arm, differences) -> {
            if (differences.isEmpty()) {
                return;
            }
            List<Arm> common = common(arm.group());
            List<Arm> all = new ArrayList<>(List.of(arm));
            all.addAll(common);
            for (Cell cell : cells) {
                for (Metric metric : metrics) {
                    claims.add(new AcrossCampaigns.Change(
                            rows(before, all, cell, metric),
                            rows(after, all, cell, metric),
                            Judgement.judged(metric).better()));
                    found.add(new Change(
                            arm,
                            common,
                            cell,
                            metric,
                            before.describe(metric, values(before, arm, cell, metric)),
                            after.describe(metric, values(after, arm, cell, metric)),
                            null));
                }
            }
        });
        List<AcrossCampaigns> judged = AcrossCampaigns.judge(claims, campaignSpread, settings);
        boolean silent = isSilent();
        List<Change> all = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            Change c = found.get(i);
            AcrossCampaigns one = silent ? judged.get(i).withoutVerdict() : judged.get(i);
            all.add(new Change(c.arm(), c.common(), c.cell(), c.metric(), c.before(), c.after(), one));
        }
        return List.copyOf(all);
    }

    /** The arms of a group that did not change. */
    private List<Arm> common(String group) {
        return arms.keySet().stream()
                .filter(arm -> arms.get(arm).isEmpty() && arm.group().equals(group))
                .toList();
    }

    /** The usable values of an arm, which each campaign has as its own, by block. */
    private static SortedMap<Integer, Double> values(Judgement judgement, Arm arm, Cell cell, Metric metric) {
        return judgement.values(judgement.campaign().arm(arm.id()), cell, metric);
    }

    /** For each block that has all of these arms their values. */
    private static double[][] rows(Judgement judgement, List<Arm> some, Cell cell, Metric metric) {
        List<Map<Integer, Double>> columns = new ArrayList<>();
        some.forEach(arm -> columns.add(values(judgement, arm, cell, metric)));
        return columns.get(0).keySet().stream()
                .filter(block ->
                        columns.stream().allMatch(column -> column.containsKey(block) && column.get(block) > 0))
                .map(block -> columns.stream()
                        .mapToDouble(column -> column.get(block))
                        .toArray())
                .toArray(double[][]::new);
    }

    /** Every claim, by arm, load and metric. */
    public List<Change> changes() {
        return changes;
    }

    /** Whether a control of either campaign is broken, so that nothing may be said. */
    public boolean isVoid() {
        return before.family().isVoid() || after.family().isVoid();
    }

    private boolean isSilent() {
        return Stream.of(before, after)
                .anyMatch(judgement ->
                        judgement.campaign().look().withoutVerdicts().isPresent());
    }

    /** Why some or all changes have no verdict, whatever was measured; empty if all can have one. */
    public Optional<Descriptive> descriptive() {
        if (isSilent()) {
            return Optional.of(Descriptive.CAMPAIGN_WITHOUT_VERDICTS);
        }
        if (changes.isEmpty()) {
            return Optional.of(Descriptive.NOTHING_CHANGED);
        }
        if (lacks(Lack.NO_COMMON_ARM)) {
            return Optional.of(Descriptive.NO_COMMON_ARM);
        }
        return lacks(Lack.NO_CAMPAIGN_SPREAD) ? Optional.of(Descriptive.NO_CAMPAIGN_SPREAD) : Optional.empty();
    }

    private boolean lacks(Lack lack) {
        return changes.stream().anyMatch(change -> change.judged().lack().equals(Optional.of(lack)));
    }

    /** {@link #descriptive} as a sentence with its remedy, without a full stop; empty if every change can have a verdict. */
    public String withoutVerdicts() {
        return descriptive()
                .map(why -> switch (why) {
                    case CAMPAIGN_WITHOUT_VERDICTS ->
                        Stream.of(before, after)
                                .filter(judgement -> judgement
                                        .campaign()
                                        .look()
                                        .withoutVerdicts()
                                        .isPresent())
                                .map(judgement -> judgement.campaign().id() + ": "
                                        + HistorySection.withoutVerdicts(judgement.campaign()))
                                .findFirst()
                                .orElseThrow();
                    case NOTHING_CHANGED -> "no arm differs between the campaigns (jar, JDK, JVM options, settings)";
                    case NO_COMMON_ARM ->
                        "no arm of the group is the same in both campaigns, so a change of the arm and a change of the day"
                                + " cannot be told apart. Measure both jars in one campaign";
                    case NO_CAMPAIGN_SPREAD ->
                        "one arm is the same in both campaigns, and how much two unchanged arms move against each other from"
                                + " campaign to campaign is not known. Give it with --campaign-spread, keep a second"
                                + " arm unchanged, or measure both jars in one campaign";
                })
                .orElse("");
    }

    /** The claims for programs: each arm may not have become slower. */
    public Claims claims() {
        List<Claims.Claim> claims = new ArrayList<>();
        for (Change change : changes) {
            claims.add(new Claims.Claim(
                    change.arm().group() + "." + change.cell().id() + "."
                            + change.metric().key(),
                    name(change.arm()) + " after against before",
                    change.judged().verdict(),
                    sentence(change),
                    true));
        }
        return new Claims(
                before.campaign().id() + " to " + after.campaign().id(), List.copyOf(claims), isVoid(), why());
    }

    private String why() {
        List<String> broken = new ArrayList<>();
        for (Judgement judgement : List.of(before, after)) {
            if (judgement.family().isVoid()) {
                broken.add("campaign " + judgement.campaign().id()
                        + " is void: two copies of the same arm came out different");
            }
        }
        return String.join("; ", broken);
    }

    /** With its group where another group has an arm of the same name. */
    private String name(Arm arm) {
        boolean taken = after.campaign().arms().stream()
                .filter(other ->
                        other.role() != Arm.Role.CONTROL && !other.group().equals(arm.group()))
                .anyMatch(other -> after.name(other).equals(after.name(arm)));
        return taken ? after.name(arm) + " (" + arm.group() + ")" : after.name(arm);
    }

    private String names(List<Arm> some) {
        return Words.list(some.stream().map(after::name).toList());
    }

    /** A claim in words, without a full stop. */
    private String sentence(Change change) {
        return "For " + after.wording().cell(Judgement.judged(change.cell())) + " " + clause(change);
    }

    private String clause(Change change) {
        AcrossCampaigns judged = change.judged();
        String metric = "the " + Judgement.judged(change.metric()).name() + " of " + name(change.arm());
        if (Double.isNaN(judged.ratio())) {
            return metric + " was not measured in both campaigns";
        }
        boolean fine = Numbers.fine(judged.ratio(), judged.low(), judged.high());
        String changed = metric + " changed by " + Numbers.percent(judged.ratio(), fine) + " %"
                + (change.common().isEmpty() ? "" : " beside " + names(change.common()));
        if (judged.lack().isPresent()) {
            return changed + "; no verdict: " + words(judged.lack().get());
        }
        String interval = Numbers.percent(judged.low(), fine) + " to " + Numbers.percent(judged.high(), fine) + " %";
        return switch (judged.verdict()) {
            case FASTER -> changed + " (" + interval + "), which is better";
            case SLOWER -> changed + " (" + interval + "), which is worse";
            case EQUIVALENT ->
                metric + " is what it was, within " + Numbers.share(settings.margin()) + " (" + interval + ")";
            case INCONCLUSIVE ->
                isSilent()
                        ? changed + " (" + interval + "); no verdict"
                        : "no change of " + metric + " can be shown or ruled out (" + interval + ")";
            default -> changed + " (" + interval + "), perhaps by less than the margin";
        };
    }

    private static String words(Lack lack) {
        return switch (lack) {
            case NO_COMMON_ARM -> "no common arm";
            case NO_CAMPAIGN_SPREAD -> "spread from campaign to campaign unknown";
            case CAMPAIGN_SPREAD_TOO_SMALL -> "unchanged arms moved by more than --campaign-spread";
            case TOO_FEW_BLOCKS -> "too few blocks";
            case NO_SPREAD -> "values do not vary";
        };
    }

    /** The page and its table, not yet written: content by file name. */
    public Map<String, String> files() {
        Map<String, String> files = new TreeMap<>();
        Table table = table();
        files.put("tables/comparison.csv", table.csv());
        files.put("tables/comparison.json", table.json());
        Table moved = moved();
        if (!moved.isEmpty()) {
            files.put("tables/unchanged.csv", moved.csv());
            files.put("tables/unchanged.json", moved.json());
        }
        files.put(PAGE, page(table, moved));
        return files;
    }

    /**
     * Writes the page and its table.
     *
     * @param to the later campaign's folder
     * @return the page
     * @throws IOException if it cannot be written
     */
    public Path write(Path to) throws IOException {
        for (Map.Entry<String, String> file : files().entrySet()) {
            ReportPage.write(to.resolve(file.getKey()), file.getValue());
        }
        return to.resolve(PAGE);
    }

    private String page(Table table, Table moved) {
        Shell shell =
                new Shell(before.campaign().id() + " to " + after.campaign().id());
        StringBuilder head = shell.body();
        head.append("<header>\n<p class='kicker'>servlet-bench</p>\n<h1>Before and after</h1>\n");
        head.append(text(
                "<p class='note'>%s (%s) to %s (%s).</p>\n",
                escape(before.campaign().id()),
                Words.count(before.blocks(), "block"),
                escape(after.campaign().id()),
                Words.count(after.blocks(), "block")));
        if (isVoid()) {
            head.append(text("<p class='guard void' role='alert'>VOID: %s.</p>\n", escape(why())));
        }
        head.append("</header>\n");
        boolean none = isSilent()
                || changes.stream().allMatch(change -> change.judged().lack().isPresent());
        if (descriptive().isPresent()) {
            head.append(text(
                    "<p role='alert'><b>%s: %s.</b></p>\n",
                    none ? "No verdicts" : "Not every arm can have a verdict", escape(withoutVerdicts())));
        }
        if (!none && !isVoid()) {
            head.append(words());
        }
        head.append("<aside class='caveats' aria-label='Caveats'><ul>\n");
        caveats().forEach(caveat -> head.append(text("<li>%s</li>\n", escape(caveat))));
        head.append("</ul></aside>\n");
        StringBuilder plots = shell.section("plots", "After against before");
        for (Cell cell : cells) {
            plots.append(text(
                    "<h3>%s</h3>\n<div class='forests'>", escape(after.wording().cell(Judgement.judged(cell)))));
            metrics.forEach(
                    metric -> plots.append("<div>").append(plot(cell, metric)).append("</div>"));
            plots.append("</div>\n");
        }
        shell.section("table", "Figures").append(table.html());
        if (!moved.isEmpty()) {
            shell.section("moved", "What did not change")
                    .append(
                            "<p class='note'>How much unchanged arms moved against each other from campaign to campaign, beyond"
                                    + " what their blocks explain: the standard deviation of the ratio of two of them. Over several"
                                    + " pairs of campaigns it tells what to give as --campaign-spread.</p>\n")
                    .append(moved.html());
        }
        shell.section("versions", "What changed").append(differences());
        return shell.html();
    }

    /** What is certain; if nothing is, that. */
    private String words() {
        List<String> certain = changes.stream()
                .filter(change -> change.judged().verdict().namesADifference())
                .map(this::sentence)
                .toList();
        boolean many = certain.size() > MOST_WORDS;
        StringBuilder html = new StringBuilder(
                many
                        ? text("<details><summary>%,d changes in words</summary><ul class='words'>", certain.size())
                        : "<ul class='words'>");
        if (certain.isEmpty()) {
            long equal = changes.stream()
                    .filter(change -> change.judged().verdict() == Verdict.EQUIVALENT)
                    .count();
            html.append(text(
                    "<li>No change was found: of %s %d are equal within %s, the others inconclusive.</li>",
                    Words.count(changes.size(), "figure"), equal, Numbers.share(settings.margin())));
        }
        certain.forEach(
                sentence -> html.append("<li>").append(Words.html(sentence)).append(".</li>\n"));
        return html.append(many ? "</ul></details>\n" : "</ul>\n").toString();
    }

    private List<String> caveats() {
        List<String> caveats = new ArrayList<>(problems);
        List<Arm> common =
                arms.keySet().stream().filter(arm -> arms.get(arm).isEmpty()).toList();
        arms.forEach((arm, differences) -> {
            if (!differences.isEmpty()) {
                caveats.add(text("%s changed: %s.", name(arm), CommonArms.words(differences)));
            }
        });
        if (!common.isEmpty()) {
            caveats.add(text(
                    "The same in both campaigns: %s. Ratios are taken beside those of the same group, within each block.",
                    Words.list(common.stream().map(this::name).toList())));
        }
        if (changes.stream().anyMatch(change -> change.judged().lack().isEmpty())) {
            caveats.add(
                    campaignSpread.isPresent()
                            ? text(
                                    "Intervals assume, as given, that the ratio of two unchanged arms varies by %s from campaign to"
                                            + " campaign (one standard deviation).",
                                    Numbers.share(campaignSpread.getAsDouble()))
                            : "Intervals take the spread from campaign to campaign from how much the common arms moved against"
                                    + " each other: with few of them they are wide.");
        }
        List<String> alone = new ArrayList<>();
        after.campaign().arms().stream()
                .filter(arm -> arm.role() != Arm.Role.CONTROL)
                .filter(arm -> before.campaign().arms().stream()
                        .noneMatch(other -> other.id().equals(arm.id())))
                .forEach(arm -> alone.add(after.name(arm)));
        before.campaign().arms().stream()
                .filter(arm -> arm.role() != Arm.Role.CONTROL)
                .filter(arm -> after.campaign().arms().stream()
                        .noneMatch(other -> other.id().equals(arm.id())))
                .forEach(arm -> alone.add(before.name(arm)));
        if (!alone.isEmpty()) {
            caveats.add("In one of the campaigns only, and left out: " + Words.list(alone) + ".");
        }
        int left = after.cells().size() + before.cells().size() - 2 * cells.size();
        if (left > 0) {
            caveats.add(Words.count(left, "load") + " of one of the campaigns only: left out.");
        }
        return caveats;
    }

    private String plot(Cell cell, Metric metric) {
        List<Forest.Row> rows = new ArrayList<>();
        List<Forest.Row> onAxis = new ArrayList<>();
        for (Change change : changes) {
            if (change.metric() == metric && change.cell().workload().equals(cell.workload())) {
                Forest.Row row = row(change);
                onAxis.add(row);
                if (change.cell().equals(cell)) {
                    rows.add(row);
                }
            }
        }
        return new Forest(
                        Words.title(metric),
                        metric.higherIsBetter() ? "right is better" : "left is better",
                        Forest.Axis.of(onAxis, settings.logMargin()),
                        settings.logMargin(),
                        rows)
                .html();
    }

    private Forest.Row row(Change change) {
        AcrossCampaigns judged = change.judged();
        return new Forest.Row(
                after.name(change.arm()),
                after.groups().size() > 1 ? change.arm().group() : "",
                isVoid() ? Forest.Kind.OPEN : Words.kind(judged.verdict()),
                judged.ratio(),
                judged.low(),
                judged.high(),
                word(change));
    }

    private String word(Change change) {
        return isVoid()
                ? "void"
                : isSilent()
                        ? "no verdict"
                        : change.judged()
                                .lack()
                                .map(CompareTwo::words)
                                .orElseGet(() -> Words.word(change.judged().verdict(), change.metric()));
    }

    private Table table() {
        Table table = new Table(
                "comparison",
                "After against before",
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
        for (Change change : changes) {
            AcrossCampaigns judged = change.judged();
            String word = word(change);
            table.row(List.of(
                    new Value(
                            escape(after.wording().cell(Judgement.judged(change.cell()))),
                            change.cell().loadName() + ", " + change.cell().generator(),
                            null),
                    Value.words(change.arm().group()),
                    Value.words(after.name(change.arm())),
                    Value.words(Words.title(change.metric())
                            + (Numbers.unit(change.metric()).isEmpty() ? "" : ", " + Numbers.unit(change.metric()))),
                    Value.of(change.metric(), change.before()),
                    Value.of(change.metric(), change.after()),
                    new Value(
                            text(
                                    "<span class='%s'>%s</span>",
                                    Words.kind(judged.verdict()).style(), escape(word)),
                            isVoid() ? "VOID" : judged.verdict().name().replace('_', '-'),
                            null),
                    ratio(judged.ratio()),
                    ratio(judged.low()),
                    ratio(judged.high()),
                    Value.number(judged.df(), Numbers.shown(judged.df())),
                    Value.words(names(change.common()))));
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
        for (String group : after.campaign().groups()) {
            List<Arm> common = common(group);
            if (common.size() < 2) {
                continue;
            }
            for (Cell cell : cells) {
                for (Metric metric : metrics) {
                    double spread = AcrossCampaigns.spread(
                            rows(before, common, cell, metric), rows(after, common, cell, metric));
                    table.row(List.of(
                            Value.words(after.wording().cell(Judgement.judged(cell))),
                            Value.words(group),
                            Value.words(Words.title(metric)),
                            Value.number(common.size(), Integer.toString(common.size())),
                            Value.number(spread, Double.isNaN(spread) ? Numbers.NONE : Numbers.share(spread))));
                }
            }
        }
        return table;
    }

    private static Value ratio(double ratio) {
        return Value.number(ratio, Double.isFinite(ratio) ? text("%.3f", ratio) : Numbers.shown(ratio));
    }

    /** Arms, machine, versions, options that are not the same in both. */
    private String differences() {
        Map<String, String[]> differences = new TreeMap<>();
        Campaign was = before.campaign();
        Campaign is = after.campaign();
        differ(differences, "machine: ", was.machine(), is.machine());
        differ(differences, "version: ", was.versions(), is.versions());
        differ(differences, "", was.options(), is.options());
        differ(differences, "arm: ", identities(was), identities(is));
        differ(
                differences,
                "",
                Map.of("settings", was.plan().settings()),
                Map.of("settings", is.plan().settings()));
        if (differences.isEmpty()) {
            return "<p>Machine, versions, options and arms are recorded as the same.</p>\n";
        }
        StringBuilder html =
                new StringBuilder("<div class='scroll' role='region' tabindex='0' aria-label='What changed'>"
                        + "<table class='plain'><thead><tr><th scope='col'>What</th><th scope='col'>Before</th><th scope='col'>After</th>"
                        + "</tr></thead><tbody>\n");
        differences.forEach((name, two) -> html.append(text(
                "<tr><th scope='row'>%s</th><td>%s</td><td>%s</td></tr>\n",
                escape(name), escape(two[0]), escape(two[1]))));
        return html.append("</tbody></table></div>\n").toString();
    }

    private static Map<String, String> identities(Campaign campaign) {
        Map<String, String> arms = new TreeMap<>();
        campaign.arms().stream()
                .filter(arm -> arm.role() != Arm.Role.CONTROL)
                .forEach(arm -> arms.put(
                        arm.id(),
                        arm.container() + " " + arm.containerVersion() + ", Spring Boot " + arm.bootVersion()
                                + ", SHA-256 " + arm.sha256()));
        return arms;
    }

    private static void differ(
            Map<String, String[]> differences, String kind, Map<String, String> was, Map<String, String> is) {
        Map<String, String> a = was == null ? Map.of() : was;
        Map<String, String> b = is == null ? Map.of() : is;
        TreeMap<String, String> all = new TreeMap<>(a);
        all.putAll(b);
        for (String key : all.keySet()) {
            String x = a.get(key) == null ? "" : a.get(key);
            String y = b.get(key) == null ? "" : b.get(key);
            if (!x.equals(y)) {
                differences.put(kind + key, new String[] {x, y});
            }
        }
    }
}
