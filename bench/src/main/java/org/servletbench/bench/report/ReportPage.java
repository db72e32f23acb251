package org.servletbench.bench.report;

import static org.servletbench.bench.report.Html.escape;
import static org.servletbench.bench.report.Html.text;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Cell;
import org.servletbench.bench.record.Invocation;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Judgement.Group;
import org.servletbench.bench.record.Metric;
import org.servletbench.bench.record.PhaseTimes;
import org.servletbench.bench.verdict.Guard;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.Wording;

/**
 * The comparison page of a campaign: {@code index.html}, and beside it every table as CSV and JSON. It loads nothing from
 * anywhere, and the same inputs give the same bytes.
 */
public final class ReportPage {
    /** The page's name. */
    public static final String INDEX = "index.html";
    /** The page of links to raw logs, where they are too many for the page itself. */
    public static final String LINKS = "links.html";
    /** The page is never larger, bytes. */
    public static final int MOST_BYTES = 2_000_000;

    /**
     * How much is drawn. A campaign of dozens of loads would burst the page: then curves get coarser and the charts of later
     * loads are left out, and the page says so. Words, verdicts and tables as files are always complete.
     *
     * @param points of a latency curve
     * @param charts loads of a group that have charts
     * @param tables loads of a group whose tables stand on the page
     * @param plots loads of a group that have interval plots
     * @param rows of the longest tables on the page
     * @param links whether links to raw logs stand on the page; else on one of their own
     */
    private record Detail(int points, int charts, int tables, int plots, int rows, boolean links) {
        static final List<Detail> LEVELS = List.of(
                new Detail(120, 1000, 1000, 1000, 10_000, true),
                new Detail(60, 1000, 1000, 1000, 10_000, false),
                new Detail(50, 24, 1000, 1000, 2000, false),
                new Detail(50, 16, 1000, 1000, 2000, false),
                new Detail(50, 8, 1000, 1000, 1000, false),
                new Detail(40, 6, 32, 64, 1000, false),
                new Detail(40, 2, 8, 24, 300, false),
                new Detail(40, 0, 2, 6, 100, false));
    }

    private final Judgement judgement;
    private final Campaign campaign;
    private final List<String> problems;
    private final FigureTables tables;
    private final Answers answers;
    private final Gates gates;
    private final Optional<PhaseTimes> times;

    /**
     * A page.
     *
     * @param judgement what to show
     * @param folder each invocation's folder, relative to the page, with {@code /}: where its links begin
     * @param problems lines for people about what could not be read
     */
    public ReportPage(Judgement judgement, Function<Invocation, String> folder, List<String> problems) {
        this(judgement, folder, problems, Optional.empty());
    }

    private ReportPage(
            Judgement judgement,
            Function<Invocation, String> folder,
            List<String> problems,
            Optional<PhaseTimes> times) {
        this.judgement = judgement;
        this.times = times;
        this.campaign = judgement.campaign();
        this.problems = List.copyOf(problems);
        FileNames names = new FileNames();
        tables = new FigureTables(judgement, names);
        answers = new Answers(judgement);
        gates = new Gates(judgement, names, folder);
    }

    /** The page of a campaign's folder as it was read. */
    public static ReportPage of(CampaignFolder read) {
        return new ReportPage(
                Judgement.of(read.campaign(), read.invocations()), read::folder, read.problems(), read.times());
    }

    /** What the page shows. */
    public Judgement judgement() {
        return judgement;
    }

    /**
     * Everything, not yet written.
     *
     * @return content by file name, relative to the campaign's folder
     */
    public Map<String, String> files() {
        Map<String, String> files = new TreeMap<>();
        for (Detail detail : Detail.LEVELS) {
            files.clear();
            String page = page(detail, files);
            files.put(INDEX, page);
            if (page.getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES) {
                break;
            }
        }
        return files;
    }

    /**
     * Writes the page and its tables.
     *
     * @param to the campaign's folder
     * @return the page
     * @throws IOException if it cannot be written; whoever reads meanwhile sees an old file or a new one, never half of one
     */
    public Path write(Path to) throws IOException {
        for (Map.Entry<String, String> file : files().entrySet()) {
            write(to.resolve(file.getKey()), file.getValue());
        }
        return to.resolve(INDEX);
    }

    static void write(Path file, String content) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Files.writeString(part, content, StandardCharsets.UTF_8);
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private String page(Detail detail, Map<String, String> files) {
        Curves curves = new Curves(judgement, detail.points());
        Method method = new Method(judgement, times);
        Shell shell = new Shell(Answers.title(campaign));

        header(shell.body());
        for (Group group : judgement.groups()) {
            plots(shell, group, detail);
        }
        for (Group group : judgement.groups()) {
            figures(shell, group, detail, files);
        }
        for (Group group : judgement.groups()) {
            charts(shell, group, curves, detail);
        }
        gates(shell, detail, files);
        if (campaign.look().withoutVerdicts().isEmpty()) {
            CrossCheckSection.addTo(shell, judgement, table -> put(files, table));
        }
        HistorySection.addTo(shell, campaign);
        shell.section("method", "How it was measured").append(method.words()).append(method.facts());
        links(shell, detail, files);
        return shell.html();
    }

    private void links(Shell shell, Detail detail, Map<String, String> files) {
        String note = "<p class='note'>As the generators wrote them, by block.</p>\n";
        StringBuilder html = shell.section("raw", "Native reports and raw logs");
        if (detail.links()) {
            html.append(note).append(gates.links());
            return;
        }
        Shell own = new Shell("Native reports and raw logs");
        own.body().append("<h1>Native reports and raw logs</h1>\n").append(note).append(gates.links());
        files.put(LINKS, own.html());
        html.append(text("<p>They are many: <a href='%s'>a page of their own</a>.</p>\n", LINKS));
    }

    private void header(StringBuilder html) {
        html.append("<header>\n<p class='kicker'>servlet-bench</p>\n");
        html.append(text("<h1>%s</h1>\n", escape(Answers.title(campaign))));
        html.append(text(
                "<p class='note'>%s, %s settings, %s; begun %s.</p>\n",
                blocks(),
                escape(campaign.plan().settings()),
                Words.count(judgement.cells().size(), "load"),
                escape(campaign.created())));
        Wording wording = judgement.wording();
        Guard guard = judgement.family().guard();
        String style = guard == Guard.BROKEN ? "void' role='alert" : guard == Guard.HELD ? "held" : "untested";
        html.append(text("<p class='guard %s'>%s</p>\n", style, guard(wording)));
        html.append("</header>\n");
        String silent = HistorySection.withoutVerdicts(campaign);
        html.append(
                silent.isEmpty()
                        ? answers.words()
                        : text("<p role='alert'><b>%s.</b> Estimates only.</p>\n", escape(silent)));
        List<String> caveats = caveats();
        if (!caveats.isEmpty()) {
            html.append("<aside class='caveats' aria-label='Caveats'><ul>");
            caveats.forEach(caveat -> html.append("<li>").append(caveat).append("</li>\n"));
            html.append("</ul></aside>\n");
        }
    }

    /** What became of the guard; of many broken controls only how many. */
    private String guard(Wording wording) {
        String words = wording.guard();
        long broken = judgement.family().controls().stream()
                .filter(control -> Guard.of(control) == Guard.BROKEN)
                .count();
        if (broken > 3) {
            words = text(
                    "%s in %d of %d controls",
                    words.substring(0, words.indexOf(" (")),
                    broken,
                    judgement.family().controls().size());
        }
        return Words.html(words) + (broken > 0 ? ": see the <a href='#gates'>gates</a>." : ".");
    }

    private String blocks() {
        int done = judgement.blocks();
        int aim = campaign.order().size();
        if (done == aim) {
            return Words.count(done, "block");
        }
        boolean ended =
                campaign.history() != null && campaign.look().withoutVerdicts().isEmpty();
        if (ended && campaign.plan().precision() > 0) {
            return Words.count(done, "block");
        }
        return text("%d of %d blocks%s", done, aim, ended ? "" : " so far");
    }

    /** What a reader must know, in HTML. */
    private List<String> caveats() {
        List<String> caveats = new ArrayList<>();
        List<Invocation> chosen = judgement.chosen();
        long unsettled = chosen.stream()
                .filter(invocation ->
                        invocation.warmUp() != null && !invocation.warmUp().settled())
                .count();
        if (unsettled > 0) {
            caveats.add(text(
                    "%s of %d never settled in the warm-up (<a href='#gates'>gates</a>).",
                    Words.count(unsettled, "server"), chosen.size()));
        }
        int left = judgement.leftOut().size();
        if (left > 0) {
            caveats.add(text(
                    "%s left out of the verdicts for a named reason (<a href='#gates'>gates</a>).",
                    left == 1 ? "One measurement is" : text("%,d measurements are", left)));
        }
        long failed = judgement.invocations().stream()
                .filter(invocation -> !invocation.measured())
                .count();
        if (failed > 0) {
            caveats.add(text("%s failed (<a href='#gates'>gates</a>).", Words.count(failed, "attempt")));
        }
        if (!problems.isEmpty()) {
            caveats.add(
                    text("%s could not be read (<a href='#gates'>gates</a>).", Words.count(problems.size(), "file")));
        }
        floors().ifPresent(caveats::add);
        long changed = judgement.family().pairs().stream()
                .filter(pair -> judgement.changedWithoutRising(pair).isPresent())
                .count();
        if (changed > 0) {
            caveats.add(text(
                    "%s would be another one without servers that were still getting faster (marked in the <a"
                            + " href='#verdicts'>verdicts</a>).",
                    Words.count(changed, "verdict")));
        }
        List<String> unknown = campaign.plan().primary().stream()
                .filter(key -> Metric.of(key).isEmpty())
                .toList();
        if (!unknown.isEmpty()) {
            caveats.add("The plan names metrics that this version does not know, and nothing is said of them: "
                    + escape(Words.list(unknown)) + ".");
        }
        if (HistorySection.wentOnAfterVerdicts(campaign)) {
            caveats.add("Verdicts could be seen before the planned blocks were complete, and the campaign went on"
                    + " (<a href='#history'>history</a>). If that was because of them, the chance of a false verdict is"
                    + " up to twice the level.");
        }
        power().ifPresent(caveats::add);
        if (campaign.plan().cells().stream().anyMatch(cell -> cell.tier() > 0)) {
            caveats.add("Users wait for a slow server before they ask again, so response times understate stalls.");
        }
        caveats.add("Load generator and servers share one machine" + steal() + ".");
        return caveats;
    }

    /** Arms that ran at the generator's limit, and how often. */
    private Optional<String> floors() {
        long floors = judgement.groups().stream()
                .flatMap(group -> group.all().stream())
                .mapToLong(arm -> judgement.cells().stream()
                        .filter(cell -> judgement.hasFloor(arm, cell))
                        .count())
                .sum();
        return floors == 0
                ? Optional.empty()
                : Optional.of(text(
                        "In %s an arm ran at the load generator's limit: its throughput is at least what is shown.",
                        Words.count(floors, "load")));
    }

    /** What could have been found, by the spread that was seen. */
    private Optional<String> power() {
        List<String> parts = new ArrayList<>();
        for (Metric metric : judgement.primary()) {
            double[] sizes = judgement.family().pairs().stream()
                    .filter(pair -> pair.claim().metric().equals(Judgement.judged(metric)))
                    .mapToDouble(PairVerdict::detectable)
                    .filter(Double::isFinite)
                    .sorted()
                    .toArray();
            if (sizes.length > 0) {
                parts.add(text(
                        "%.0f %% in %s",
                        Math.ceil(100 * sizes[sizes.length / 2]),
                        escape(Judgement.judged(metric).name())));
            }
        }
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of("With the spread that was seen, a difference of about " + Words.list(parts)
                        + " would most likely have been found.");
    }

    private String steal() {
        double host = most(Metric.STEAL);
        double others = most(Metric.OTHERS);
        return (host >= 1 ? text(", and its host kept up to %.0f %% of a processor from it", host) : "")
                + (others >= 1
                        ? text("; other programs took up to %.0f %% of the time of the servers' processors", others)
                        : "");
    }

    /** The largest value in any cell. */
    private double most(Metric metric) {
        return judgement.chosen().stream()
                .flatMap(invocation -> invocation.cells().stream())
                .flatMapToDouble(result -> result.figure(metric).stream())
                .filter(Double::isFinite)
                .max()
                .orElse(0);
    }

    private void plots(Shell shell, Group group, Detail detail) {
        StringBuilder html = shell.section(
                "plots-" + judgement.groups().indexOf(group),
                "Against " + judgement.name(group.baseline()) + of(group));
        html.append(
                judgement.groups().indexOf(group) > 0
                        ? ""
                        : text(
                                "<p class='note'>Dots are ratios to the baseline, lines their simultaneous intervals. Within the band, ±%s, arms"
                                        + " count as equal. The A/A control is the same application again: its interval shows what chance alone"
                                        + " does here.</p>\n",
                                Numbers.share(judgement.settings().margin())));
        int shown = 0;
        for (Cell cell : judgement.cells()) {
            if (shown++ == detail.plots()) {
                html.append(missing("interval plots", detail.plots()));
                break;
            }
            html.append(text("<h3>%s</h3>\n", load(cell))).append(answers.plots(group, cell));
        }
    }

    private void figures(Shell shell, Group group, Detail detail, Map<String, String> files) {
        String id = "tables-" + judgement.groups().indexOf(group);
        StringBuilder html = shell.section(id, "Figures" + of(group));
        html.append("<p class='note'>Means over invocations, each with its interval."
                + (campaign.look().withoutVerdicts().isPresent()
                        ? ""
                        : " Arms that share a letter cannot be told apart in throughput; a has the best.")
                + " A click on a heading sorts.</p>\n");
        int shown = 0;
        for (Cell cell : judgement.cells()) {
            List<Table> both = tables.cell(group, cell);
            both.forEach(table -> put(files, table));
            if (shown == detail.tables()) {
                html.append(missing("tables", detail.tables()));
            }
            if (shown++ < detail.tables()) {
                html.append(text("<details%s><summary>%s</summary>\n", shown == 1 ? " open" : "", load(cell)));
                both.forEach(table -> html.append(table.html()));
                html.append("</details>\n");
            } else {
                both.forEach(table -> html.append(files(table)));
            }
        }
        html.append("<h3>Start-up</h3>\n");
        put(files, html, tables.startUp(group), detail);
        html.append(text("<h3%s>Verdicts</h3>\n", judgement.groups().indexOf(group) == 0 ? " id='verdicts'" : ""));
        put(files, html, tables.verdicts(group), detail);
    }

    private void charts(Shell shell, Group group, Curves curves, Detail detail) {
        StringBuilder html = shell.section("curves-" + judgement.groups().indexOf(group), "Curves" + of(group));
        List<Cell> cells = judgement
                .cells()
                .subList(0, Math.min(detail.charts(), judgement.cells().size()));
        html.append(curves.legend(group));
        if (cells.size() < judgement.cells().size()) {
            html.append(missing("curves", cells.size()));
        }
        StringBuilder latency = new StringBuilder();
        StringBuilder blocks = new StringBuilder();
        StringBuilder positions = new StringBuilder();
        for (Cell cell : cells) {
            curves.latency(group, cell).ifPresent(latency::append);
            for (Metric metric : judgement.primary()) {
                curves.blocks(group, cell, metric).ifPresent(blocks::append);
            }
        }
        judgement.primary().forEach(metric -> curves.positions(group, metric).ifPresent(positions::append));
        charts(html, "Latency by percentile", "All blocks together.", latency);
        charts(html, "Block by block", "A slope that all arms share is drift of the machine, and cancels.", blocks);
        charts(
                html,
                "By position in the block",
                "Each dot is one invocation. If the first or the last of a block were at a disadvantage it would show here.",
                positions);
        curves.threads(group).ifPresent(threads -> html.append(
                        "<h3>Threads</h3>\n<p class='note'>Of each arm's first server that was"
                                + " watched; the shaded span is measured load.</p>\n")
                .append(threads));
    }

    private static void charts(StringBuilder html, String head, String note, StringBuilder charts) {
        if (!charts.isEmpty()) {
            html.append(text("<h3>%s</h3>\n<p class='note'>%s</p>\n<div class='charts'>\n", head, note))
                    .append(charts)
                    .append("</div>\n");
        }
    }

    private void gates(Shell shell, Detail detail, Map<String, String> files) {
        StringBuilder html = shell.section("gates", "Gates");
        if (!problems.isEmpty()) {
            html.append("<h3>Files that could not be read</h3><ul class='bad'>");
            problems.forEach(
                    problem -> html.append("<li>").append(escape(problem)).append("</li>\n"));
            html.append("</ul>\n");
        }
        Table marks = gates.marks();
        Table failures = gates.failures();
        html.append(
                marks.isEmpty()
                        ? "<p>No invocation and no load is marked.</p>\n"
                        : "<p class='note'>What is left out takes part in no verdict and no figure.</p>\n");
        put(files, html, marks, detail);
        if (failures.isEmpty()) {
            html.append("<p>No attempt failed.</p>\n");
        }
        put(files, html, failures, detail);
        put(files, html, tables.controls(), detail);
    }

    /** The table as files, and on the page unless it is empty or too long for it. */
    private static void put(Map<String, String> files, StringBuilder html, Table table, Detail detail) {
        put(files, table);
        if (table.size() > detail.rows()) {
            html.append(text("<p class='note'>%,d rows are too many for this page.</p>\n", table.size()))
                    .append(files(table));
        } else if (!table.isEmpty()) {
            html.append(table.html());
        }
    }

    private static void put(Map<String, String> files, Table table) {
        files.put("tables/" + table.file() + ".csv", table.csv());
        files.put("tables/" + table.file() + ".json", table.json());
    }

    private static String files(Table table) {
        return text(
                "<p class='files'>%s <a href='tables/%s.csv'>CSV</a> <a href='tables/%s.json'>JSON</a></p>\n",
                escape(table.caption()), table.file(), table.file());
    }

    private String missing(String what, int shown) {
        return text(
                "<p class='note'>This campaign is too large for one page: %s of the first %d of %d loads.</p>\n",
                what, shown, judgement.cells().size());
    }

    private String of(Group group) {
        return judgement.groups().size() > 1 ? ": " + group.name() : "";
    }

    private String load(Cell cell) {
        return escape(judgement.wording().cell(Judgement.judged(cell)));
    }
}
