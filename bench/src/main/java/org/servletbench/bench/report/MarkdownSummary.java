package org.servletbench.bench.report;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.servletbench.bench.model.Hint.Where;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Analysis.Against;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.report.Outcomes.Row;
import org.servletbench.bench.verdict.Wording;

/**
 * A campaign's answer in Markdown, for a pull request or a job summary: one sentence, a table, and how reliable it is.
 * At most 20 lines are visible, the rest is folded. The whole is shorter than GitHub's limit for a comment.
 */
public final class MarkdownSummary {

    /** Start of the first line. It identifies our comment, or a file that may be replaced. */
    public static final String BEGINS = "<!-- servlet-bench: ";

    /** Maximum number of lines in a fold of a pool. */
    static final int MOST_FOLDED = 200;

    /** Maximum number of visible rows of the table. */
    private static final int MOST_ROWS = 5;

    /** Maximum number of visible rows if there are several groups. */
    private static final int MOST_ROWS_OF_GROUPS = 6;

    private static final int MOST_REASONS = 2;

    /** Maximum length, bytes. A comment may have 65,536 characters, and the tool that posts it may add some. */
    private static final int MOST_BYTES = 60_000;

    private static final List<String> HEAD =
            List.of("load, metric", "arm", "value", "baseline", "difference", "verdict");

    private static final List<String> EFFECTS = List.of("load, metric", "effect", "difference", "verdict");

    private final Outcomes outcomes;
    private final Analysis analysis;
    private final CampaignAnswer answer;
    private final GateWords said;
    private final Optional<Effects> effects;
    private final boolean hasPage;

    private MarkdownSummary(Outcomes outcomes, boolean hasPage) {
        this.hasPage = hasPage;
        this.outcomes = outcomes;
        this.analysis = outcomes.analysis();
        this.answer = outcomes.answer();
        this.said = new GateWords(outcomes);
        effects = analysis.groups().stream()
                .flatMap(group -> Effects.of(analysis, group).stream())
                .findFirst();
    }

    public static String of(Outcomes outcomes) {
        return new MarkdownSummary(outcomes, false).markdown();
    }

    /**
     * Returns the summary of a published campaign.
     *
     * @param hasPage true if the page with all tables is in the same folder
     */
    static String published(Outcomes outcomes, boolean hasPage) {
        return new MarkdownSummary(outcomes, hasPage).markdown();
    }

    /** Returns the summary of a command that ended without a campaign, with only the reason. */
    public static String of(Early early) {
        return begin(early.word()) + "\n### " + Markdown.text("No answer: " + early.why()) + "\n";
    }

    private String markdown() {
        // In a comparison with effects, arms have no verdicts and are folded.
        List<Row> compared = effects.isEmpty()
                ? outcomes.arms().filter(row -> row.against().isPresent()).toList()
                : List.of();
        List<String> lines = new ArrayList<>(List.of(begin(outcome()), "### " + Markdown.text(said.sentence()), ""));
        if (!compared.isEmpty()) {
            lines.addAll(table(visible(compared)));
            lines.add("");
        }
        effects.ifPresent(found -> {
            lines.addAll(table(EFFECTS, escaped(found.cells(true))));
            lines.add("");
        });
        facts().forEach(fact -> lines.add("- " + fact));
        StringBuilder all = new StringBuilder(String.join("\n", lines)).append('\n');
        int length = length(all);
        for (Map.Entry<String, List<String>> fold : folds(compared).entrySet()) {
            String folded = "\n<details><summary>" + fold.getKey() + "</summary>\n\n"
                    + String.join("\n", fold.getValue()) + "\n\n</details>\n";
            // Whatever does not fit is only on the page.
            if (length + length(folded) <= MOST_BYTES) {
                length += length(folded);
                all.append(folded);
            }
        }
        return all.toString();
    }

    /** Returns the first line. Programs read its word. */
    static String begin(String outcome) {
        return BEGINS + outcome + " -->";
    }

    private String outcome() {
        return outcomes.early().isPresent()
                ? outcomes.early().get().word()
                : analysis.isSilent() ? "unfinished" : outcomes.outcome().name().toLowerCase(Locale.ROOT);
    }

    private static int length(CharSequence text) {
        return text.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    // ---- the table ----

    private List<String> table(List<Row> rows) {
        return table(HEAD, rows.stream().map(this::loads).toList());
    }

    private static List<String> table(List<String> head, List<List<String>> rows) {
        List<String> lines = new ArrayList<>(
                List.of(line(head), line(head.stream().map(any -> "---").toList())));
        rows.forEach(row -> lines.add(line(row)));
        return lines;
    }

    /**
     * Returns the visible rows. With several groups, these are the rows for each group's first load and metric, if they
     * are few enough.
     */
    private List<Row> visible(List<Row> rows) {
        List<Row> first = rows.stream()
                .filter(row -> rows.stream()
                        .filter(other -> other.group().equals(row.group()))
                        .limit(1)
                        .anyMatch(other -> isOfOne(other, row)))
                .toList();
        return analysis.groups().size() > 1 && first.size() <= MOST_ROWS_OF_GROUPS
                ? first
                : rows.subList(0, open(rows));
    }

    /** Returns the number of visible rows. A load and metric has all of its rows or none, unless that leaves no row. */
    private static int open(List<Row> rows) {
        return IntStream.iterate(Math.min(MOST_ROWS, rows.size()), end -> end > 0, end -> end - 1)
                .filter(end -> end == rows.size() || !isOfOne(rows.get(end - 1), rows.get(end)))
                .findFirst()
                .orElse(Math.min(MOST_ROWS, rows.size()));
    }

    private static boolean isOfOne(Row one, Row other) {
        return one.group().equals(other.group()) && one.load().equals(other.load()) && one.metric() == other.metric();
    }

    private static List<List<String>> escaped(List<List<String>> rows) {
        return rows.stream()
                .map(row -> row.stream().map(Markdown::text).toList())
                .toList();
    }

    private static String line(List<String> loads) {
        return "| " + String.join(" | ", loads) + " |";
    }

    private List<String> loads(Row row) {
        Against against = row.against().orElseThrow();
        Forest.Row shown = Forest.Row.of(against, analysis.settings().margin(row.metric()));
        String load = (analysis.groups().size() == 1 ? "" : row.group().name() + ", ")
                + analysis.wording().load(row.load());
        return Stream.of(
                        load + ", " + row.metric().words(),
                        analysis.name(row.arm()),
                        value(row.metric(), row.value().mean()),
                        value(
                                row.metric(),
                                analysis.comparedWith(row.group(), row.arm(), row.load(), row.metric())
                                        .mean()),
                        shown.difference() + " % (" + shown.interval() + ")",
                        verdict(row, against))
                .map(Markdown::text)
                .toList();
    }

    private static String value(Metric metric, double value) {
        return (Numbers.shown(metric, value) + " " + Numbers.unit(metric)).strip();
    }

    private String verdict(Row row, Against against) {
        return row.isControl()
                ? "A/A copy"
                : !row.judged()
                        ? "not judged"
                        : analysis.isSilent()
                                ? "no verdict"
                                : analysis.family().isVoid() ? "void" : Words.word(against, row.metric());
    }

    // ---- reliability ----

    private List<String> facts() {
        List<String> facts = new ArrayList<>();
        if (!analysis.campaign().plan().note().isEmpty()) {
            facts.add("Note: " + Markdown.text(analysis.campaign().plan().note()));
        }
        if (!analysis.claims().isEmpty() && !analysis.isSilent()) {
            facts.add("Claims: " + new ClaimsSection(analysis).tally() + ".");
        }
        if (!analysis.isSilent()) {
            facts.add("A/A check: " + Markdown.text(answer.control()) + ".");
        }
        if (!analysis.family().isVoid()) {
            facts.add(Markdown.text(said.found()));
        }
        if (!analysis.isSilent() && effects.isEmpty()) {
            int each = answer.parts().size() == 1 ? MOST_REASONS : 1;
            answer.parts().stream()
                    .flatMap(part ->
                            part.why().values().stream().flatMap(List::stream).limit(each))
                    .limit(MOST_REASONS)
                    .forEach(why -> facts.add(Markdown.text(why.sentence()) + "."));
        }
        if (!analysis.isSilent() && !answer.parts().isEmpty()) {
            facts.add(Markdown.text("Trust: "
                            + answer.each(
                                    GateWords.MOST_NAMED, part -> part.trust().words())) + ".");
            facts.add(Markdown.text("Measured: " + answer.conditions() + "; "
                    + Wording.promise(analysis.campaign().plan().alpha()) + Wording.OTHERS + "."));
        }
        facts.add("Warnings: " + warned() + ".");
        String again = HistorySection.again(analysis.campaign());
        if (!again.isEmpty()) {
            facts.add("Again: <code>" + Markdown.text(again) + "</code>");
        }
        return facts;
    }

    private String warned() {
        Map<WarningKind, Integer> servers = new TreeMap<>();
        analysis.chosen().forEach(one -> kinds(one).forEach(kind -> servers.merge(kind, 1, Integer::sum)));
        String warnings = servers.isEmpty()
                ? "none"
                : servers.entrySet().stream()
                        .map(one -> one.getKey().key() + " (" + Words.count(one.getValue(), "server") + ")")
                        .collect(Collectors.joining(", "));
        long failed =
                analysis.serverRuns().stream().filter(one -> !one.measured()).count();
        return warnings
                + (failed == 0 ? "" : "; " + Words.count(failed, "attempt") + " failed")
                + (outcomes.problems().isEmpty()
                        ? ""
                        : "; " + Words.count(outcomes.problems().size(), "file") + " could not be read");
    }

    private static Set<WarningKind> kinds(ServerRun server) {
        return Stream.concat(
                        server.warnings().stream(), server.loads().stream().flatMap(load -> load.warnings().stream()))
                .map(Warning::kind)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    // ---- folded ----

    private Map<String, List<String>> folds(List<Row> compared) {
        Map<String, List<String>> folds = new LinkedHashMap<>();
        if (!analysis.claims().isEmpty()) {
            folds.put(
                    "Claims",
                    ClaimsSection.lines(analysis).stream()
                            .map(line -> "- " + Markdown.text(line.replaceFirst("^claim: ", "")))
                            .toList());
        }
        effects.filter(found -> found.cells(false).size() > found.cells(true).size())
                .ifPresent(found -> folds.put(
                        "Other effects",
                        table(
                                EFFECTS,
                                escaped(found.cells(false).stream()
                                        .filter(cells -> !found.cells(true).contains(cells))
                                        .toList()))));
        List<Row> all = outcomes.rows().stream()
                .filter(row -> row.against().isPresent())
                .toList();
        if (!hasPage && all.size() > visible(compared).size()) {
            folds.put("All figures, with those of the A/A copy", table(all));
        }
        Set<WarningKind> kinds = analysis.chosen().stream()
                .flatMap(one -> kinds(one).stream())
                .collect(Collectors.toCollection(TreeSet::new));
        if (!kinds.isEmpty()) {
            folds.put("Warnings, and what to do", warnings(kinds));
        }
        List<String> checked = answer.parts().stream()
                .flatMap(part -> part.trust().reasons().stream())
                .distinct()
                .map(reason -> "- " + Markdown.text(reason))
                .toList();
        if (!analysis.isSilent() && !checked.isEmpty()) {
            folds.put("Trust: what was checked", checked);
        }
        if (!analysis.campaign().conditions().changed().isEmpty()) {
            folds.put(
                    "What changed between the builds",
                    analysis.campaign().conditions().changed().stream()
                            .map(line -> "- " + Markdown.text(line))
                            .toList());
        }
        folds.put("What ran", ran());
        return folds;
    }

    /** Returns a line for each kind, and what to do, which kinds share, once. */
    private static List<String> warnings(Set<WarningKind> kinds) {
        Map<String, List<String>> toDo = new LinkedHashMap<>();
        kinds.forEach(
                kind -> kind.hints(Where.CAMPAIGN).forEach(hint -> toDo.computeIfAbsent(hint, any -> new ArrayList<>())
                        .add(kind.key())));
        return Stream.concat(
                        kinds.stream()
                                .map(kind -> kind.key() + ": " + kind.meaning() + ". "
                                        + kind.effect().words() + "."),
                        toDo.entrySet().stream()
                                .map(one -> "what to do about " + Text.list(one.getValue()) + ": " + one.getKey()))
                .map(line -> "- " + Markdown.text(line))
                .toList();
    }

    private List<String> ran() {
        Campaign campaign = analysis.campaign();
        List<String> lines = new ArrayList<>();
        Map<String, List<String>> byJar = new LinkedHashMap<>();
        for (Arm arm : campaign.arms()) {
            if (arm.role() != Arm.Role.CONTROL) {
                String jar = arm.jar().replaceFirst(".*/", "") + " SHA-256 " + arm.sha256();
                byJar.computeIfAbsent(jar, any -> new ArrayList<>()).add(analysis.name(arm));
            }
        }
        byJar.forEach((jar, arms) -> lines.add(String.join(", ", arms) + ": " + jar));
        lines.add("campaign: " + campaign.id() + ", begun " + campaign.created());
        campaign.versions().forEach((name, version) -> {
            if (!name.equals("jdk.home")) {
                lines.add(name + ": " + version);
            }
        });
        campaign.machine().forEach((name, fact) -> lines.add(name + ": " + fact));
        return lines.stream().map(line -> "- " + Markdown.text(line)).toList();
    }
}
