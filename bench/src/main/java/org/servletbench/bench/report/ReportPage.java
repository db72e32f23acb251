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
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.SafeFiles;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Analysis.Group;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignEvent;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.PhaseTimes;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.report.CampaignAnswer.Part;

/**
 * The page of a campaign: {@code index.html}, and next to it every table as CSV and JSON. If arms are compared in
 * several groups, such as versions of Spring Boot, the figures of each group are on a separate page. Pages load
 * nothing, and the same inputs give the same bytes.
 */
public final class ReportPage {

    public static final String INDEX = "index.html";
    /** Reloads the page only rarely, because the browser may run on the machine that is being measured. */
    private static final String RELOAD = "<meta http-equiv='refresh' content='60'>\n<title>";
    /**
     * Maximum number of a group's loads that are drawn. With more, the page has only verdicts, and the tables are
     * files.
     */
    static final int MOST_LOADS = 24;
    /** Number of loads that are visible on the page. The others open on a click. */
    private static final int OPEN_LOADS = 4;
    /** Maximum number of rows of a table on a page. Longer tables are only files. */
    static final int MOST_ROWS = 600;

    private final Analysis analysis;
    private final Campaign campaign;
    private final Optional<PhaseTimes> times;
    private final Table.Names names = new Table.Names();
    private final FigureTables tables;
    private final Conclusions answers;
    private final CampaignAnswer answer;
    private final Map<Group, Optional<LayerBars>> layers = new LinkedHashMap<>();
    private final ValidityChecks gates;
    private final Function<ServerRun, String> folder;
    /** Folder of the campaign; empty if files of servers cannot be read. */
    private final Optional<Path> root;
    /** True if raw logs, generators' reports and flame graphs are stored next to the page. */
    private final boolean withFiles;

    /**
     * @param folder returns the folder of a server run, relative to the page, with a trailing {@code /}; it is the
     * prefix of links
     *
     * @param problems lines for people about unreadable data
     */
    public ReportPage(
            Analysis analysis, Function<ServerRun, String> folder, List<String> problems, Optional<PhaseTimes> times) {
        this(analysis, folder, problems, times, Optional.empty(), true);
    }

    private ReportPage(
            Analysis analysis,
            Function<ServerRun, String> folder,
            List<String> problems,
            Optional<PhaseTimes> times,
            Optional<Path> root,
            boolean withFiles) {
        this.analysis = analysis;
        this.folder = folder;
        this.root = root;
        this.withFiles = withFiles;
        this.times = times;
        this.campaign = analysis.campaign();
        tables = new FigureTables(analysis, names);
        answers = new Conclusions(analysis);
        answer = CampaignAnswer.of(analysis, times);
        analysis.groups()
                .forEach(group -> layers.put(
                        group, root.flatMap(place -> LayerBars.of(analysis, group, place, folder, withFiles))));
        gates = new ValidityChecks(analysis, names, folder, List.copyOf(problems));
    }

    public static ReportPage of(CampaignFolder read) {
        return of(read, true);
    }

    /**
     * Returns a page for publication, without raw logs, generators' reports and flame graphs. It also lacks charts of
     * threads over time and of loads after the first, because they are large.
     */
    static ReportPage published(CampaignFolder read) {
        return of(read, false);
    }

    private static ReportPage of(CampaignFolder read, boolean withFiles) {
        return new ReportPage(
                Analysis.of(read.campaign(), read.serverRuns()),
                read::folder,
                read.problems(),
                read.times(),
                read.root(),
                withFiles);
    }

    CampaignAnswer answer() {
        return answer;
    }

    public Analysis analysis() {
        return analysis;
    }

    /**
     * Returns the content of all files. Call it only once, because the names of tables are assigned in the process.
     *
     * @return content by file name, relative to the campaign's folder
     */
    public Map<String, String> files() {
        PageFiles files = new PageFiles(!withFiles);
        boolean one = analysis.groups().size() == 1;
        PageLayout index = answer.parts().isEmpty()
                ? new PageLayout(Conclusions.title(campaign))
                : layout(answer.parts(), answer.each(Part::headline));
        index.body().append(Template.html("campaign", new Head(this, false)));
        for (Group group : analysis.groups()) {
            if (one) {
                index.body().append(first(group, true, "#gates")).append(ran());
            } else {
                List<Part> parts = answer.parts().stream()
                        .filter(part -> part.group().equals(group))
                        .toList();
                PageLayout own = layout(
                        parts,
                        group.name() + ": "
                                + parts.stream().map(Part::headline).findFirst().orElse(Conclusions.title(campaign)));
                own.body().append(Template.html("campaign", new Head(this, true)));
                own.body().append(first(group, true, INDEX + "#gates")).append(ran());
                figures(own, group, files);
                String file = names.unique("group", group.name()) + ".html";
                files.put(file, own.html());
                index.section("group-" + analysis.groups().indexOf(group), group.name())
                        .append(first(group, false, "#gates"))
                        .append(Template.html("rawlink", new Link(file, "Figures and charts of " + group.name())));
            }
        }
        if (!one) {
            index.body().append(ran());
        }
        analysis.groups().stream()
                .flatMap(group -> Effects.of(analysis, group).stream())
                .forEach(effects -> index.section("effects", "Effects")
                        .append(Template.html(
                                "moreeffects", new MoreEffects(effects.others(), files.put(effects.table())))));
        ClaimsSection.addTo(index, analysis);
        QuestionSections.Capacity.addTo(index, analysis, files);
        QuestionSections.Heaps.addTo(index, analysis, files);
        QuestionSections.Rates.addTo(index, analysis, files);
        if (one) {
            figures(index, analysis.groups().get(0), files);
        }
        index.section("gates", "Checks").append(Template.html("gates", wrong(files)));
        if (!analysis.isSilent()) {
            QuestionSections.CrossCheck.addTo(index, analysis, files);
        }
        if (!campaign.conditions().changed().isEmpty()) {
            index.folded("changed", "What changed between the builds")
                    .append(Template.html("changed", campaign.conditions().changed()));
        }
        index.folded("history", "History").append(Template.html("history", campaign));
        index.folded("method", "How it was measured").append(Template.html("method", new Method(analysis, times)));
        if (withFiles) {
            index.folded("raw", "Native reports and raw logs").append(gates.links());
        }
        files.put(INDEX, index.html());
        return files.all();
    }

    record Link(String file, String text) {}

    /** Returns a page whose title and description are an answer, as search engines and chats show it. */
    private PageLayout layout(List<Part> parts, String title) {
        return new PageLayout(
                title,
                Stream.concat(
                                Stream.of(answer.question()),
                                parts.stream().flatMap(part -> Stream.of(part.meaning(), trust(part))))
                        .filter(text -> !text.isEmpty())
                        .distinct()
                        .collect(Collectors.joining(" ")));
    }

    private String trust(Part part) {
        return analysis.isSilent() ? "" : "Trust: " + part.trust().words() + ".";
    }

    private String ran() {
        return Template.html("ran", this);
    }

    /**
     * Writes the page and its tables.
     *
     * @throws IOException if it cannot be written; concurrent readers see either an old file or a new one, never half
     *     of one
     */
    public Path write(Path to) throws IOException {
        return write(files(), to).resolve(INDEX);
    }

    /** Writes the page while the campaign is running. It reloads itself until the final page is written. */
    public Path writeInterim(Path to) throws IOException {
        Map<String, String> files = files();
        files.replaceAll((name, content) -> name.endsWith(".html") ? content.replaceFirst("<title>", RELOAD) : content);
        return write(files, to).resolve(INDEX);
    }

    /** Writes files by their names into a folder, and returns the folder. */
    static Path write(Map<String, String> files, Path to) throws IOException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path place = to.resolve(file.getKey());
            SafeFiles.folder(to, place.getParent());
            Json.replace(place, file.getValue().getBytes(StandardCharsets.UTF_8));
        }
        return to;
    }

    /**
     * Head of a page.
     *
     * @param own true for the separate page of a group
     */
    record Head(ReportPage page, boolean own) {}

    /** Returns what servers do in a campaign of starts. */
    String starts() {
        return campaign.arms().stream().allMatch(arm -> analysis.courses(arm).isEmpty())
                ? "starts without load"
                : "starts under load";
    }

    /** Returns the number of measured blocks, and why there are no more. */
    String blocks() {
        int done = analysis.blocks();
        int aim = campaign.order().size();
        if (done == aim) {
            return Words.count(done, "block");
        }
        List<CampaignEvent> history = campaign.history();
        String why = analysis.isSilent() || history.isEmpty()
                ? " so far"
                : " (" + HistorySection.words(history.get(history.size() - 1).what()) + ")";
        return (campaign.plan().precision() > 0 && !analysis.isSilent()
                        ? Words.count(done, "block")
                        : text("%d of %d blocks", done, aim))
                + why;
    }

    /** Returns the first screen of a group; empty text if nothing is tested. */
    private String first(Group group, boolean only, String checks) {
        return answer.parts().stream()
                .filter(part -> part.group().equals(group))
                .map(part -> Template.html(
                        "first", new FirstScreen(analysis, answer, part, layers.get(group), only, checks)))
                .collect(Collectors.joining());
    }

    private void figures(PageLayout shell, Group group, PageFiles files) {
        int at = analysis.groups().indexOf(group);
        List<MeasuredLoad> drawn = analysis.loads().stream().limit(MOST_LOADS).toList();
        Map<String, String> plots = new LinkedHashMap<>();
        drawn.forEach(load -> plots.put(load(load), answers.plots(group, load)));
        layers.get(group).ifPresent(found -> {
            shell.section("layers-" + at, "Where the CPU time goes").append(Template.html("layers", found));
            if (withFiles) {
                files.putAll(found.graphs());
            }
        });
        shell.section("plots-" + at, "Against " + analysis.name(group.baseline()))
                .append(Template.html("against", new Plots(analysis, plots)));
        Curves curves = new Curves(analysis, group);
        curves.starts().ifPresent(chart -> shell.section("starts-" + at, "From the start to the peak")
                .append(chart));
        shell.section("tables-" + at, "Figures").append(Template.html("figures", tables(group, drawn, files)));
        Charts charts = charts(curves, drawn);
        if (!charts.windows().isEmpty() || !charts.ladders().isEmpty()) {
            shell.section("curves-" + at, "Over time, and by percentile").append(Template.html("curves", charts));
        }
        if (withFiles) {
            curves.threads().ifPresent(drawings -> shell.folded("threads-" + at, "Threads")
                    .append(Template.html("threads", drawings)));
        }
    }

    private String load(MeasuredLoad load) {
        return analysis.wording().load(load);
    }

    /** The effects of factors that are not on the first screen, and a table of all effects. */
    record MoreEffects(List<Effects.Shown> charts, Table table) {}

    /** The interval plots of a group: HTML by load. */
    record Plots(Analysis analysis, Map<String, String> plots) {}

    /** The tables of one load: the most important figures, and all figures. */
    record Load(List<Table> main, List<Table> all) {}

    /**
     * The tables of a group.
     *
     * @param rest tables that are only files
     */
    record Figures(int loads, Map<String, Load> shown, List<Table> rest, Table startUp, Table verdicts) {}

    private Figures tables(Group group, List<MeasuredLoad> drawn, PageFiles files) {
        Map<String, Load> shown = new LinkedHashMap<>();
        List<Table> rest = new ArrayList<>();
        for (MeasuredLoad load : analysis.loads()) {
            List<Table> all = tables.load(group, load).stream().map(files::put).toList();
            if (all.isEmpty()) {
                continue;
            }
            if (drawn.contains(load)) {
                List<Table> main = Stream.concat(Stream.of(tables.main(group, load)), tables.each(group, load).stream())
                        .map(files::put)
                        .toList();
                shown.put(load(load), new Load(main, all));
            } else {
                rest.addAll(all);
            }
        }
        return new Figures(
                analysis.loads().size(),
                shown,
                rest,
                files.put(tables.startUp(group)),
                files.put(tables.verdicts(group)));
    }

    /** Returns the loads that are visible at once. */
    static <T> List<T> first(List<T> loads) {
        return loads.subList(0, Math.min(OPEN_LOADS, loads.size()));
    }

    /** Returns the loads that are folded. */
    static <T> List<T> others(List<T> loads) {
        return loads.subList(Math.min(OPEN_LOADS, loads.size()), loads.size());
    }

    /** @param note sentence about missing charts; empty if none are missing */
    record Charts(String legend, String note, List<String> windows, List<String> ladders) {}

    private Charts charts(Curves curves, List<MeasuredLoad> drawn) {
        List<String> windows = new ArrayList<>();
        List<String> ladders = new ArrayList<>();
        for (MeasuredLoad load : drawn) {
            curves.windows(load).ifPresent(windows::add);
            curves.ladders(load).ifPresent(ladders::add);
        }
        return withFiles || windows.size() < 2 && ladders.size() < 2
                ? new Charts(curves.legend(), "", windows, ladders)
                : new Charts(curves.legend(), "Of the first load alone.", firstOf(windows), firstOf(ladders));
    }

    private static List<String> firstOf(List<String> charts) {
        return charts.stream().limit(1).toList();
    }

    /** Problems of a campaign: failed validity checks, warnings, failed attempts and A/A copies. */
    record Wrong(ValidityChecks gates, Table warnings, Table failures, Table controls) {}

    private Wrong wrong(PageFiles files) {
        return new Wrong(gates, files.put(gates.warnings()), files.put(gates.failures()), files.put(tables.controls()));
    }
}
