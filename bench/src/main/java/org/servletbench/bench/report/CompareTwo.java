package org.servletbench.bench.report;

import static org.servletbench.bench.report.Html.escape;
import static org.servletbench.bench.report.Html.text;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.servletbench.bench.campaign.Arm;
import org.servletbench.bench.campaign.Campaign;
import org.servletbench.bench.campaign.Cell;
import org.servletbench.bench.campaign.Judgement;
import org.servletbench.bench.campaign.Metric;
import org.servletbench.bench.report.Table.Column;
import org.servletbench.bench.report.Table.Value;
import org.servletbench.bench.verdict.Settings;
import org.servletbench.bench.verdict.Spread;
import org.servletbench.bench.verdict.Unpaired;
import org.servletbench.bench.verdict.Verdict;

/**
 * The same arms in two campaigns, before and after an upgrade: for each arm, load and primary metric the ratio after /
 * before. The campaigns have no blocks in common, so nothing is paired, and whatever else changed between them (the
 * machine's mood, its kernel) is in the ratio too: the page says so.
 */
public final class CompareTwo {
    /** The page's name. */
    public static final String PAGE = "comparison.html";

    /**
     * One claim.
     *
     * @param arm as it is in the later campaign
     * @param cell in both campaigns
     * @param metric primary in both
     * @param before the figure before
     * @param after the figure after
     * @param judged the ratio after / before, and the verdict on what came after
     */
    public record Change(Arm arm, Cell cell, Metric metric, Spread before, Spread after, Unpaired judged) {}

    /** Sentences that stand open at the top. */
    private static final int MOST_WORDS = 12;

    private final Judgement before;
    private final Judgement after;
    private final Settings settings;
    private final List<Cell> cells;
    private final List<Metric> metrics;
    private final List<Change> changes;
    private final List<Change> references;
    private final List<String> problems;

    /**
     * Compares.
     *
     * @param before the earlier campaign
     * @param after the later one; its margin and level are used
     * @param problems lines for people about what could not be read
     * @throws IllegalArgumentException if they have no arm, load and primary metric in common: one line for people
     */
    public CompareTwo(Judgement before, Judgement after, List<String> problems) {
        this.before = before;
        this.after = after;
        this.problems = List.copyOf(problems);
        settings = after.settings();
        cells = after.cells().stream().filter(before.cells()::contains).toList();
        metrics = after.primary().stream().filter(before.primary()::contains).toList();
        changes = changes(arms(Arm.Role.BASELINE, Arm.Role.ARM));
        references = changes(arms(Arm.Role.REFERENCE));
        if (changes.isEmpty()) {
            throw new IllegalArgumentException("campaigns " + before.campaign().id() + " and "
                    + after.campaign().id() + " have no arm, load and primary metric in common");
        }
    }

    private List<Arm> arms(Arm.Role... roles) {
        return after.campaign().arms().stream()
                .filter(arm ->
                        List.of(roles).contains(arm.role()) && earlier(arm).isPresent())
                .toList();
    }

    private Optional<Arm> earlier(Arm arm) {
        return before.campaign().arms().stream()
                .filter(other -> other.id().equals(arm.id()))
                .findFirst();
    }

    private List<Change> changes(List<Arm> arms) {
        List<Change> found = new ArrayList<>();
        List<Unpaired.Samples> samples = new ArrayList<>();
        for (Arm arm : arms) {
            for (Cell cell : cells) {
                for (Metric metric : metrics) {
                    Map<Integer, Double> was = before.values(earlier(arm).orElseThrow(), cell, metric);
                    Map<Integer, Double> is = after.values(arm, cell, metric);
                    samples.add(new Unpaired.Samples(
                            numbers(was), numbers(is), Judgement.judged(metric).better()));
                    found.add(new Change(
                            arm,
                            cell,
                            metric,
                            before.describe(metric, new TreeMap<>(was)),
                            after.describe(metric, new TreeMap<>(is)),
                            null));
                }
            }
        }
        List<Unpaired> judged = Unpaired.judge(samples, settings);
        List<Change> changed = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            Change c = found.get(i);
            changed.add(new Change(c.arm(), c.cell(), c.metric(), c.before(), c.after(), judged.get(i)));
        }
        return List.copyOf(changed);
    }

    private static double[] numbers(Map<Integer, Double> values) {
        return values.values().stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** Every claim, by arm, load and metric. */
    public List<Change> changes() {
        return changes;
    }

    /** Whether a control of either campaign is broken, so that nothing may be said. */
    public boolean isVoid() {
        return before.family().isVoid() || after.family().isVoid();
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

    /** A claim in words, without a full stop. */
    private String sentence(Change change) {
        return "For " + after.wording().cell(Judgement.judged(change.cell())) + " " + clause(change);
    }

    private String clause(Change change) {
        Unpaired judged = change.judged();
        String name = name(change.arm());
        String metric = "the " + Judgement.judged(change.metric()).name();
        if (!judged.possible()) {
            return text(
                    "nothing can be said about %s of %s: %s before, %s after, two of each are needed",
                    metric, name, Words.count(judged.before(), "value"), Words.count(judged.after(), "value"));
        }
        boolean fine = Numbers.fine(judged.ratio(), judged.low(), judged.high());
        String interval = Numbers.percent(judged.low(), fine) + " to " + Numbers.percent(judged.high(), fine) + " %";
        String figure =
                text("%s of %s changed by %s %% (%s)", metric, name, Numbers.percent(judged.ratio(), fine), interval);
        return switch (judged.verdict()) {
            case FASTER -> figure + ", which is better";
            case SLOWER -> figure + ", which is worse";
            case DIFFERENT -> figure + ", but not surely by more than the margin";
            case EQUIVALENT ->
                metric + " of " + name + " is what it was, within " + Numbers.share(settings.margin()) + " (" + interval
                        + ")";
            case INCONCLUSIVE ->
                "no change of " + metric + " of " + name + " can be shown or ruled out (" + interval + ")";
        };
    }

    /** The page and its table, not yet written: content by file name. */
    public Map<String, String> files() {
        Map<String, String> files = new TreeMap<>();
        Table table = table();
        files.put("tables/comparison.csv", table.csv());
        files.put("tables/comparison.json", table.json());
        files.put(PAGE, page(table));
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

    private String page(Table table) {
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
        if (!isVoid()) {
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
        caveats.add("The campaigns ran at different times: what else changed in between is in every figure.");
        for (Change change : references) {
            Unpaired judged = change.judged();
            if (judged.verdict().namesADifference()) {
                boolean fine = Numbers.fine(judged.ratio(), judged.low(), judged.high());
                caveats.add(text(
                        "%s, the reference, changed too: %s for %s by %s %% (%s to %s %%).",
                        after.name(change.arm()),
                        Judgement.judged(change.metric()).name(),
                        after.wording().cell(Judgement.judged(change.cell())),
                        Numbers.percent(judged.ratio(), fine),
                        Numbers.percent(judged.low(), fine),
                        Numbers.percent(judged.high(), fine)));
            }
        }
        List<String> alone = new ArrayList<>();
        after.campaign().arms().stream()
                .filter(arm -> arm.role() != Arm.Role.CONTROL && earlier(arm).isEmpty())
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
                Forest.Row row = row(change, false);
                onAxis.add(row);
                if (change.cell().equals(cell)) {
                    rows.add(row);
                }
            }
        }
        references.stream()
                .filter(change -> change.metric() == metric && change.cell().equals(cell))
                .forEach(change -> rows.add(row(change, true)));
        return new Forest(
                        Words.title(metric),
                        metric.higherIsBetter() ? "right is better" : "left is better",
                        Forest.Axis.of(onAxis, settings.logMargin()),
                        settings.logMargin(),
                        rows)
                .html();
    }

    private Forest.Row row(Change change, boolean reference) {
        Unpaired judged = change.judged();
        Forest.Kind kind =
                reference ? Forest.Kind.REFERENCE : isVoid() ? Forest.Kind.OPEN : Words.kind(judged.verdict());
        String word = reference ? "reference" : isVoid() ? "void" : word(judged, change.metric());
        boolean groups = after.groups().size() > 1 && !reference;
        return new Forest.Row(
                after.name(change.arm()),
                groups ? change.arm().group() : "",
                kind,
                judged.ratio(),
                judged.low(),
                judged.high(),
                word);
    }

    private static String word(Unpaired judged, Metric metric) {
        return judged.possible() ? Words.word(judged.verdict(), metric) : "too few blocks";
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
                        Column.number("p.holm", "p differ", "Welch, Holm"),
                        Column.number("p.tost", "p equal", "TOST, Holm")));
        for (Change change : changes) {
            Unpaired judged = change.judged();
            String word = isVoid() ? "void" : word(judged, change.metric());
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
                    Value.number(judged.pHolm(), Numbers.p(judged.pHolm())),
                    Value.number(judged.tostHolm(), Numbers.p(judged.tostHolm()))));
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
        differ(differences, "arm: ", arms(was), arms(is));
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

    private static Map<String, String> arms(Campaign campaign) {
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
