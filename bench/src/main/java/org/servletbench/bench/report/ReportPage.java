package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignEvent;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Invocation;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Judgement.Group;
import org.servletbench.bench.record.PhaseTimes;
import org.servletbench.bench.verdict.Guard;

/**
 * The comparison page of a campaign: {@code index.html}, and beside it every table as CSV and JSON. Where arms are compared in
 * several groups, such as lines, each has its figures on a page of its own. They load nothing from anywhere, and the same inputs
 * give the same bytes.
 */
public final class ReportPage {
    public static final String INDEX = "index.html";
    /** Loads of a group that are drawn; of more the page has the verdicts, and the tables as files. */
    private static final int MOST_LOADS = 24;
    /** Rows of the longest table on a page; longer ones are only files. */
    static final int MOST_ROWS = 600;

    private final Judgement judgement;
    private final Campaign campaign;
    private final List<String> problems;
    private final Optional<PhaseTimes> times;
    private final Table.Names names = new Table.Names();
    private final FigureTables tables;
    private final Answers answers;
    private final Gates gates;

    /**
     * A page.
     *
     * @param folder each invocation's folder, relative to the page, with {@code /}: where its links begin
     * @param problems lines for people about what could not be read
     */
    public ReportPage(
            Judgement judgement,
            Function<Invocation, String> folder,
            List<String> problems,
            Optional<PhaseTimes> times) {
        this.judgement = judgement;
        this.times = times;
        this.campaign = judgement.campaign();
        this.problems = List.copyOf(problems);
        tables = new FigureTables(judgement, names);
        answers = new Answers(judgement);
        gates = new Gates(judgement, names, folder);
    }

    public static ReportPage of(CampaignFolder read) {
        return new ReportPage(
                Judgement.of(read.campaign(), read.invocations()), read::folder, read.problems(), read.times());
    }

    public Judgement judgement() {
        return judgement;
    }

    /**
     * Everything, not yet written. To be asked for once: names of tables are given once.
     *
     * @return content by file name, relative to the campaign's folder
     */
    public Map<String, String> files() {
        Map<String, String> files = new TreeMap<>();
        boolean one = judgement.groups().size() == 1;
        Shell index = new Shell(Answers.title(campaign));
        index.body().append(Template.html("campaign", head(one)));
        for (Group group : judgement.groups()) {
            if (one) {
                index.body().append(first(group, true, "#gates"));
            } else {
                Shell own = new Shell(group.name() + ": " + Answers.title(campaign));
                own.body().append(Template.html("campaign", new Head("", note(), "", "", INDEX)));
                own.body().append(first(group, true, INDEX + "#gates"));
                figures(own, group, files);
                String file = names.unique("group", group.name()) + ".html";
                files.put(file, own.html());
                index.section("group-" + judgement.groups().indexOf(group), group.name())
                        .append(first(group, false, "#gates"))
                        .append(Template.html("rawlink", new Link(file, "Figures and charts of " + group.name())));
            }
        }
        Questions.Capacity.addTo(index, judgement, table -> table.put(files));
        Questions.Heaps.addTo(index, judgement, table -> table.put(files));
        Questions.Rates.addTo(index, judgement, table -> table.put(files));
        if (one) {
            figures(index, judgement.groups().get(0), files);
        }
        if (!isSilent()) {
            index.section("words", "In words").append(Template.html("answers", answers.words()));
        }
        index.section("gates", "Checks").append(Template.html("gates", wrong(files)));
        if (!isSilent()) {
            CrossCheckSection.addTo(index, judgement, table -> table.put(files));
        }
        index.folded("history", "History").append(Template.html("history", campaign));
        index.folded("method", "How it was measured").append(new Method(judgement, times).html());
        index.folded("raw", "Native reports and raw logs").append(gates.links());
        files.put(INDEX, index.html());
        return files;
    }

    record Link(String file, String text) {}

    /**
     * Writes the page and its tables.
     *
     * @throws IOException if it cannot be written; whoever reads meanwhile sees an old file or a new one, never half of one
     */
    public Path write(Path to) throws IOException {
        return write(files(), to).resolve(INDEX);
    }

    /** Writes files by their names into a folder, which is returned. */
    static Path write(Map<String, String> files, Path to) throws IOException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            Json.replace(to.resolve(file.getKey()), file.getValue().getBytes(StandardCharsets.UTF_8));
        }
        return to;
    }

    private boolean isSilent() {
        return judgement.isSilent();
    }

    /**
     * What stands above all.
     *
     * @param title empty where the answer is the title
     * @param note how much was measured, on what
     * @param isVoid why no verdict may be used; empty if they may
     * @param silent why there are no verdicts; empty if there are
     * @param back the page that this one belongs to; empty if it is the first
     */
    record Head(String title, String note, String isVoid, String silent, String back) {}

    private Head head(boolean one) {
        return new Head(
                one ? "" : Answers.title(campaign),
                note(),
                judgement.family().guard() == Guard.BROKEN ? judgement.wording().guard() : "",
                HistorySection.withoutVerdicts(campaign),
                "");
    }

    private String note() {
        String cores = campaign.serverMachine().getOrDefault("cores", "?");
        return String.join(
                " · ",
                text(
                        "%s, %s settings, %s",
                        blocks(),
                        campaign.plan().settings(),
                        campaign.plan().isStartUp()
                                ? "starts without load"
                                : Words.count(judgement.cells().size(), "load")),
                "JDK "
                        + campaign.versions()
                                .getOrDefault("jdk", "unknown")
                                .replaceFirst("^\\D.* VM ", "")
                                .replaceFirst("[-+].*", ""),
                cores
                        + (cores.equals("1") ? " core" : " cores")
                        + (campaign.plan().isStartUp()
                                ? ""
                                : campaign.machine().containsKey(Campaign.TARGET)
                                        ? " without the load generator"
                                        : ", shared with the load generator"),
                campaign.created().replaceFirst("T.*", ""));
    }

    private String blocks() {
        int done = judgement.blocks();
        int aim = campaign.order().size();
        if (done == aim) {
            return Words.count(done, "block");
        }
        List<CampaignEvent> history = campaign.history();
        String why = isSilent() || history.isEmpty()
                ? " so far"
                : " (" + HistorySection.words(history.get(history.size() - 1).what()) + ")";
        return (campaign.plan().precision() > 0 && !isSilent()
                        ? Words.count(done, "block")
                        : text("%d of %d blocks", done, aim))
                + why;
    }

    /** Empty where nothing is judged. */
    private String first(Group group, boolean only, String checks) {
        return judgement.primary().isEmpty()
                ? ""
                : Template.html("first", new FirstScreen(judgement, answers, times, group).screen(only, checks));
    }

    private void figures(Shell shell, Group group, Map<String, String> files) {
        int at = judgement.groups().indexOf(group);
        List<Cell> drawn = judgement.cells().stream().limit(MOST_LOADS).toList();
        shell.section("plots-" + at, "Against " + judgement.name(group.baseline()))
                .append(Template.html("against", plots(group, drawn)));
        shell.section("tables-" + at, "Figures").append(Template.html("figures", tables(group, drawn, files)));
        Curves curves = new Curves(judgement, group);
        Charts charts = charts(curves, drawn);
        if (!charts.windows().isEmpty() || !charts.ladders().isEmpty()) {
            shell.section("curves-" + at, "Over time, and by percentile").append(Template.html("curves", charts));
        }
        curves.threads().ifPresent(drawings -> shell.folded("threads-" + at, "Threads")
                .append(Template.html("threads", drawings)));
    }

    /** Loads that are left out of a page: how many are on it. */
    record Missing(int shown, int loads) {}

    private Missing missing() {
        int loads = judgement.cells().size();
        return loads > MOST_LOADS ? new Missing(MOST_LOADS, loads) : null;
    }

    private String load(Cell cell) {
        return judgement.wording().cell(cell);
    }

    /**
     * The interval plots of a group.
     *
     * @param plots as HTML, by load
     * @param missing null if none is
     */
    record Plots(String margin, Map<String, String> plots, Missing missing) {}

    private Plots plots(Group group, List<Cell> drawn) {
        Map<String, String> plots = new LinkedHashMap<>();
        drawn.forEach(cell -> plots.put(load(cell), answers.plots(group, cell)));
        return new Plots(Numbers.share(judgement.settings().margin()), plots, missing());
    }

    /** The tables of one load: the figures that matter first, and all of them. */
    record Load(Table main, List<Table> all) {}

    /**
     * The tables of a group.
     *
     * @param missing null if none is
     * @param rest tables that are only files
     * @param most rows of a table on the page
     */
    record Figures(
            Map<String, Load> shown, Missing missing, List<Table> rest, Table startUp, Table verdicts, int most) {}

    private Figures tables(Group group, List<Cell> drawn, Map<String, String> files) {
        Map<String, Load> shown = new LinkedHashMap<>();
        List<Table> rest = new ArrayList<>();
        for (Cell cell : judgement.cells()) {
            List<Table> all = tables.cell(group, cell);
            all.forEach(table -> table.put(files));
            if (all.isEmpty()) {
                continue;
            }
            if (drawn.contains(cell)) {
                shown.put(load(cell), new Load(tables.main(group, cell).put(files), all));
            } else {
                rest.addAll(all);
            }
        }
        return new Figures(
                shown,
                missing(),
                rest,
                tables.startUp(group).put(files),
                tables.verdicts(group).put(files),
                MOST_ROWS);
    }

    record Charts(String legend, List<String> windows, List<String> ladders) {}

    private Charts charts(Curves curves, List<Cell> drawn) {
        List<String> windows = new ArrayList<>();
        List<String> ladders = new ArrayList<>();
        for (Cell cell : drawn) {
            curves.windows(cell).ifPresent(windows::add);
            curves.ladders(cell).ifPresent(ladders::add);
        }
        return new Charts(curves.legend(), windows, ladders);
    }

    /**
     * What is wrong.
     *
     * @param guard what became of the controls
     * @param most rows of a table on the page
     */
    record Wrong(
            Guard guard,
            String words,
            List<Caveats.Caveat> caveats,
            List<String> problems,
            Table marks,
            Table failures,
            Table controls,
            int most) {}

    private Wrong wrong(Map<String, String> files) {
        return new Wrong(
                judgement.family().guard(),
                judgement.wording().guard(),
                new Caveats(judgement, problems.size()).all(),
                problems,
                gates.marks().put(files),
                gates.failures().put(files),
                tables.controls().put(files),
                MOST_ROWS);
    }
}
