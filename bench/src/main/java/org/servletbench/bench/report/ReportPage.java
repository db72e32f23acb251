package org.servletbench.bench.report;

import static org.servletbench.bench.report.Html.text;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Invocation;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Judgement.Group;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.PhaseTimes;
import org.servletbench.bench.verdict.Guard;

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
        Table.Names names = new Table.Names();
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

        shell.body().append(Template.html("campaign", head()));
        for (Group group : judgement.groups()) {
            String against = "Against " + judgement.name(group.baseline());
            section(shell, "plots", against, group).append(Template.html("against", plots(group, detail)));
        }
        for (Group group : judgement.groups()) {
            section(shell, "tables", "Figures", group).append(Template.html("figures", figures(group, detail, files)));
        }
        for (Group group : judgement.groups()) {
            section(shell, "curves", "Curves", group).append(Template.html("curves", charts(group, curves, detail)));
        }
        shell.section("gates", "Gates").append(Template.html("gates", gates(detail, files)));
        RateSection.addTo(shell, judgement, table -> table.put(files));
        MemorySection.addTo(shell, judgement, table -> table.put(files));
        if (!isSilent()) {
            CrossCheckSection.addTo(shell, judgement, table -> table.put(files));
        }
        shell.section("history", "History").append(HistorySection.html(campaign));
        shell.section("method", "How it was measured").append(method.html());
        shell.section("raw", "Native reports and raw logs").append(links(detail, files));
        return shell.html();
    }

    private StringBuilder section(Shell shell, String id, String heading, Group group) {
        return shell.section(
                id + "-" + judgement.groups().indexOf(group),
                judgement.groups().size() > 1 ? heading + ": " + group.name() : heading);
    }

    private boolean isSilent() {
        return campaign.look().withoutVerdicts().isPresent();
    }

    private String links(Detail detail, Map<String, String> files) {
        if (detail.links()) {
            return Template.html("raw", gates.links());
        }
        Shell own = new Shell("Native reports and raw logs");
        own.body().append(Template.html("rawpage", gates.links()));
        files.put(LINKS, own.html());
        return Template.html("rawlink", LINKS);
    }

    /**
     * What stands above all sections.
     *
     * @param note how much was measured
     * @param words what became of the guard
     * @param silent why there are no verdicts; empty if there are
     */
    record Head(
            String title,
            String note,
            Guard guard,
            String words,
            String silent,
            List<Answers.Answer> answers,
            List<Caveats.Caveat> caveats) {}

    private Head head() {
        return new Head(
                Answers.title(campaign),
                text(
                        "%s, %s settings, %s; begun %s.",
                        blocks(),
                        campaign.plan().settings(),
                        campaign.plan().isStartUp()
                                ? "starts without load"
                                : Words.count(judgement.cells().size(), "load"),
                        campaign.created()),
                judgement.family().guard(),
                judgement.wording().guard(),
                HistorySection.withoutVerdicts(campaign),
                answers.words(),
                new Caveats(judgement, problems.size()).all());
    }

    private String blocks() {
        int done = judgement.blocks();
        int aim = campaign.order().size();
        if (done == aim) {
            return Words.count(done, "block");
        }
        boolean ended = !isSilent();
        if (ended && campaign.plan().precision() > 0) {
            return Words.count(done, "block");
        }
        return text("%d of %d blocks%s", done, aim, ended ? "" : " so far");
    }

    /** Loads that are left out of a section: how many are in it. */
    record Missing(String what, int shown, int loads) {}

    private Missing missing(String what, int shown) {
        int loads = judgement.cells().size();
        return loads > shown ? new Missing(what, shown, loads) : null;
    }

    private String load(Cell cell) {
        return judgement.wording().cell(cell);
    }

    /**
     * The interval plots of a group.
     *
     * @param margin shown with the words on how to read them; null where they stand above already
     * @param plots as HTML, by load
     * @param missing null if none is
     */
    record Plots(String margin, Map<String, String> plots, Missing missing) {}

    private Plots plots(Group group, Detail detail) {
        Map<String, String> plots = new LinkedHashMap<>();
        judgement.cells().stream()
                .limit(detail.plots())
                .forEach(cell -> plots.put(load(cell), answers.plots(group, cell)));
        boolean first = judgement.groups().indexOf(group) == 0;
        return new Plots(
                first ? Numbers.share(judgement.settings().margin()) : null,
                plots,
                missing("interval plots", detail.plots()));
    }

    /**
     * The tables of a group.
     *
     * @param letters whether arms have letters
     * @param first whether it is the page's first group
     * @param shown tables by load
     * @param missing null if none is
     * @param rest tables that are only files
     * @param most rows of a table on the page
     */
    record Figures(
            boolean letters,
            boolean first,
            Map<String, List<Table>> shown,
            Missing missing,
            List<Table> rest,
            Table startUp,
            Table verdicts,
            int most) {}

    private Figures figures(Group group, Detail detail, Map<String, String> files) {
        Map<String, List<Table>> shown = new LinkedHashMap<>();
        List<Table> rest = new ArrayList<>();
        for (Cell cell : judgement.cells()) {
            List<Table> both = tables.cell(group, cell);
            both.forEach(table -> table.put(files));
            if (both.isEmpty()) {
                continue;
            }
            if (shown.size() < detail.tables()) {
                shown.put(load(cell), both);
            } else {
                rest.addAll(both);
            }
        }
        return new Figures(
                !isSilent() && judgement.primary().contains(Metric.THROUGHPUT),
                judgement.groups().indexOf(group) == 0,
                shown,
                missing("tables", detail.tables()),
                rest,
                tables.startUp(group).put(files),
                tables.verdicts(group).put(files),
                detail.rows());
    }

    /**
     * The charts of a group.
     *
     * @param missing null if none is
     * @param threads null where nobody watched them
     */
    record Charts(
            String legend,
            Missing missing,
            List<String> latency,
            List<String> blocks,
            List<String> positions,
            String threads) {}

    private Charts charts(Group group, Curves curves, Detail detail) {
        List<String> latency = new ArrayList<>();
        List<String> blocks = new ArrayList<>();
        List<String> positions = new ArrayList<>();
        judgement.cells().stream().limit(detail.charts()).forEach(cell -> {
            curves.latency(group, cell).ifPresent(latency::add);
            judgement.primary().forEach(metric -> curves.blocks(group, cell, metric)
                    .ifPresent(blocks::add));
        });
        judgement.primary().forEach(metric -> curves.positions(group, metric).ifPresent(positions::add));
        return new Charts(
                curves.legend(group),
                missing("curves", detail.charts()),
                latency,
                blocks,
                positions,
                curves.threads(group).orElse(null));
    }

    /**
     * What is wrong.
     *
     * @param most rows of a table on the page
     */
    record Wrong(List<String> problems, Table marks, Table failures, Table controls, int most) {}

    private Wrong gates(Detail detail, Map<String, String> files) {
        return new Wrong(
                problems,
                gates.marks().put(files),
                gates.failures().put(files),
                tables.controls().put(files),
                detail.rows());
    }
}
