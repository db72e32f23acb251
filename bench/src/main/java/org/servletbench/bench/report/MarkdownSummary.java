package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.servletbench.bench.comparison.ClaimSpec;
import org.servletbench.bench.model.Mark;
import org.servletbench.bench.model.MarkKind;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Remedy.Where;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.ClaimResult;
import org.servletbench.bench.record.ClaimResult.Outcome;
import org.servletbench.bench.record.Invocation;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Judgement.Against;
import org.servletbench.bench.report.Claims.Claim;
import org.servletbench.bench.report.Outcomes.Row;
import org.servletbench.bench.verdict.Wording;

/**
 * A campaign's answer in Markdown, for a pull request or a job summary: one sentence, a table, and its reliability. At most 20
 * lines are visible, the rest is folded; the whole is shorter than GitHub's limit for a comment.
 */
public final class MarkdownSummary {

    /** Start of the first line: identifies our comment, and a file that may be replaced. */
    public static final String BEGINS = "<!-- servlet-bench: ";

    /** Most lines in a fold of a pool. */
    static final int MOST_FOLDED = 200;

    /** Most visible rows of the table. */
    private static final int MOST_ROWS = 5;

    private static final int MOST_REASONS = 2;
    private static final int MOST_NAMED = 2;

    /** Limit in bytes: a comment may have 65,536 characters, and the tool that posts it may add some. */
    private static final int MOST_BYTES = 60_000;

    private static final List<String> HEAD =
            List.of("load, metric", "arm", "value", "baseline", "difference", "verdict");

    private final Outcomes outcomes;
    private final Judgement judgement;
    /** First screens of all groups. */
    private final List<FirstScreen> screens;

    private MarkdownSummary(Outcomes outcomes) {
        this.outcomes = outcomes;
        this.judgement = outcomes.judgement();
        Conclusions answers = new Conclusions(judgement);
        this.screens = judgement.groups().stream()
                .map(group -> new FirstScreen(judgement, answers, outcomes.times(), group, true, ""))
                .toList();
    }

    public static String of(Outcomes outcomes) {
        return new MarkdownSummary(outcomes).markdown();
    }

    /** Returns the summary of a command without a campaign: only the reason. */
    public static String of(Early early) {
        return begin(early.word()) + "\n### " + Markdown.text("No answer: " + early.why()) + "\n";
    }

    private String markdown() {
        List<Row> compared =
                outcomes.arms().filter(row -> row.against().isPresent()).toList();
        List<String> lines = new ArrayList<>(List.of(begin(outcome()), "### " + Markdown.text(sentence()), ""));
        if (!compared.isEmpty()) {
            lines.addAll(table(compared.subList(0, open(compared))));
            lines.add("");
        }
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

    /** Returns the first line, whose word is read by programs. */
    static String begin(String outcome) {
        return BEGINS + outcome + " -->";
    }

    private String outcome() {
        return outcomes.early().isPresent()
                ? outcomes.early().get().word()
                : judgement.isSilent()
                        ? "unfinished"
                        : outcomes.outcome().name().toLowerCase(Locale.ROOT);
    }

    private static int length(CharSequence text) {
        return text.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    // ---- the sentence ----

    private String sentence() {
        if (outcomes.early().isPresent()) {
            boolean some = judgement.invocations().stream().anyMatch(Invocation::measured);
            return (some ? "No verdicts: " : "No answer: ")
                    + outcomes.early().get().why();
        }
        if (judgement.isSilent()) {
            return HistorySection.withoutVerdicts(judgement.campaign());
        }
        List<Claim> claimed = outcomes.claims().claims().stream()
                .filter(claim -> claim.isStated() && claim.decides())
                .toList();
        return switch (outcomes.outcome()) {
            case BROKEN -> "No answer: two copies of the same server came out different";
            case UNUSABLE ->
                "No answer: "
                        + (claimed.stream().anyMatch(Claim::fails)
                                ? first(claimed.stream().filter(Claim::fails).map(Claim::failed))
                                : "nothing could be judged");
            case SLOWER ->
                first(
                        claimed.isEmpty()
                                ? outcomes.claims().claims().stream()
                                        .filter(Claim::fails)
                                        .map(Claim::sentence)
                                : judgement.claims().stream()
                                        .filter(claim -> claim.outcome() == Outcome.DOES_NOT_HOLD)
                                        .flatMap(this::failed)
                                        .distinct());
            case UNDECIDED ->
                "Undecided: " + first(claimed.stream().filter(Claim::open).map(Claim::what));
            case PASSED ->
                claimed.isEmpty()
                        ? headline()
                        : "As claimed: " + first(claimed.stream().map(Claim::what));
            case UNJUDGED -> headline();
        };
    }

    /** Describes a claim that does not hold; a claim that an arm is not slower in the words of the verdicts on its subject. */
    private Stream<String> failed(ClaimResult claim) {
        List<String> slower = claim.parts().stream()
                .filter(part -> part.outcome() == Outcome.DOES_NOT_HOLD)
                .map(ClaimResult.Part::term)
                .filter(term -> isNotSlower(term.part()))
                .flatMap(term -> judgement
                        .against(
                                term.part().of(),
                                term.part().than(),
                                term.cell(),
                                Metric.of(term.part().metric()).orElseThrow())
                        .stream())
                .map(against -> judgement.wording().sentence(against.pair(), against.arm()))
                .toList();
        return slower.isEmpty() ? Stream.of(Claims.claim(claim, judgement, true).failed()) : slower.stream();
    }

    /** True if it is decided like a verdict, by the margin. */
    private static boolean isNotSlower(ClaimSpec.Part part) {
        return part.relation() == ClaimSpec.Relation.NOT_SLOWER && !part.own();
    }

    private static String first(Stream<String> words) {
        List<String> all = words.toList();
        return String.join("; ", all.subList(0, Math.min(MOST_NAMED, all.size())))
                + (all.size() > MOST_NAMED ? text("; and %d more", all.size() - MOST_NAMED) : "");
    }

    private String headline() {
        return judgement.primary().isEmpty() ? "Nothing is judged" : each(FirstScreen::headline);
    }

    private String each(Function<FirstScreen, String> said) {
        return FirstScreen.each(screens.subList(0, Math.min(MOST_NAMED, screens.size())), said);
    }

    // ---- the table ----

    private List<String> table(List<Row> rows) {
        List<String> lines = new ArrayList<>(
                List.of(line(HEAD), line(HEAD.stream().map(any -> "---").toList())));
        rows.forEach(row -> lines.add(line(cells(row))));
        return lines;
    }

    /** Returns the number of visible rows: all rows of a load and metric or none, unless that leaves nothing. */
    private static int open(List<Row> rows) {
        return IntStream.iterate(Math.min(MOST_ROWS, rows.size()), end -> end > 0, end -> end - 1)
                .filter(end -> end == rows.size() || !isOfOne(rows.get(end - 1), rows.get(end)))
                .findFirst()
                .orElse(Math.min(MOST_ROWS, rows.size()));
    }

    private static boolean isOfOne(Row one, Row other) {
        return one.group().equals(other.group()) && one.cell().equals(other.cell()) && one.metric() == other.metric();
    }

    private static String line(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |";
    }

    private List<String> cells(Row row) {
        Against against = row.against().orElseThrow();
        Forest.Row shown = Forest.Row.of(against, judgement.settings().margin(row.metric()));
        String load = (judgement.groups().size() == 1 ? "" : row.group().name() + ", ")
                + judgement.wording().cell(row.cell());
        return Stream.of(
                        load + ", " + row.metric().words(),
                        judgement.name(row.arm()),
                        value(row.metric(), row.value().mean()),
                        value(
                                row.metric(),
                                judgement
                                        .comparedWith(row.group(), row.arm(), row.cell(), row.metric())
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
                ? "control"
                : !row.judged()
                        ? "not judged"
                        : judgement.isSilent()
                                ? "no verdict"
                                : judgement.family().isVoid() ? "void" : Words.word(against, row.metric());
    }

    // ---- reliability ----

    private List<String> facts() {
        List<String> facts = new ArrayList<>();
        if (!judgement.claims().isEmpty() && !judgement.isSilent()) {
            facts.add("Claims: " + new ClaimsSection(judgement).tally() + ".");
        }
        if (!judgement.isSilent()) {
            facts.add("Control: " + Markdown.text(judgement.wording().guard()) + ".");
        }
        if (!judgement.family().isVoid()) {
            facts.add(Markdown.text(power() + failing()));
        }
        if (!judgement.isSilent()) {
            judgement.groups().stream()
                    .flatMap(group -> judgement.cells().stream().flatMap(cell -> judgement.why(group, cell).stream()))
                    .limit(MOST_REASONS)
                    .forEach(why -> facts.add(Markdown.text(why) + "."));
        }
        if (!judgement.isSilent() && !judgement.primary().isEmpty()) {
            facts.add(Markdown.text("Trust: " + each(screen -> screen.trust().words())) + ".");
            facts.add(Markdown.text("Measured: " + screens.get(0).conditions() + "; "
                    + Wording.promise(judgement.campaign().plan().alpha()) + Wording.OTHERS + "."));
        }
        facts.add("Marks: " + marked() + ".");
        String again = HistorySection.again(judgement.campaign());
        if (!again.isEmpty()) {
            facts.add("Again: <code>" + Markdown.text(again) + "</code>");
        }
        return facts;
    }

    /**
     * Returns "This run would have found 9 % in CPU time per request, 2 % in allocation per request, in at least 8 of 10 runs": with the
     * noise
     * at its upper limit, so that it would usually have found smaller differences.
     */
    private String power() {
        List<String> found = outcomes.detectable().entrySet().stream()
                .filter(one -> !Double.isNaN(one.getValue()))
                .map(one -> (one.getValue() < 10 ? Wording.share(one.getValue()) : "more than ten times") + " in "
                        + one.getKey().words())
                .toList();
        List<String> unknown = judgement.primary().stream()
                .filter(metric -> Double.isNaN(outcomes.detectable().getOrDefault(metric, 0.0)))
                .map(Metric::words)
                .toList();
        String why = " is not known: not every arm has an interval under every load.";
        return found.isEmpty()
                ? "What this run could have found" + why
                : text(
                                "This run (%s) would have found %s, %sin at least 8 of 10 runs.",
                                Words.count(judgement.blocks(), "block"),
                                String.join(", ", found),
                                judgement.cells().size() > 1 ? "under the noisiest of its loads, " : "")
                        + (unknown.isEmpty() ? "" : " What it would have found in " + Text.list(unknown) + why);
    }

    /**
     * Describes the difference that fails a claim of "not slower": its whole interval must be beyond the margin, more than just finding it.
     */
    private String failing() {
        Set<Metric> claimed = judgement.campaign().plan().claims().decideNothing()
                ? Set.of()
                : judgement.claims().stream()
                        .flatMap(result -> result.claim().parts().stream())
                        .filter(MarkdownSummary::isNotSlower)
                        .flatMap(part -> Metric.of(part.metric()).stream())
                        .collect(Collectors.toSet());
        List<String> failing = outcomes.detectable().entrySet().stream()
                .filter(one -> claimed.contains(one.getKey()) && one.getValue() < 10)
                .map(one -> Wording.share(
                                (1 + one.getValue()) * (1 + judgement.settings().margin(one.getKey())) - 1)
                        + " in " + one.getKey().words())
                .toList();
        return failing.isEmpty()
                ? ""
                : " A claim fails as often at " + String.join(", ", failing)
                        + ": then the whole interval lies beyond the margin.";
    }

    private String marked() {
        Map<MarkKind, Integer> servers = new TreeMap<>();
        judgement.chosen().forEach(one -> kinds(one).forEach(kind -> servers.merge(kind, 1, Integer::sum)));
        String marks = servers.isEmpty()
                ? "none"
                : servers.entrySet().stream()
                        .map(one -> one.getKey().key() + " (" + Words.count(one.getValue(), "server") + ")")
                        .collect(Collectors.joining(", "));
        long failed =
                judgement.invocations().stream().filter(one -> !one.measured()).count();
        return marks
                + (failed == 0 ? "" : "; " + Words.count(failed, "attempt") + " failed")
                + (outcomes.problems().isEmpty()
                        ? ""
                        : "; " + Words.count(outcomes.problems().size(), "file") + " could not be read");
    }

    private static Set<MarkKind> kinds(Invocation server) {
        return Stream.concat(server.marks().stream(), server.cells().stream().flatMap(cell -> cell.marks().stream()))
                .map(Mark::kind)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    // ---- folded ----

    private Map<String, List<String>> folds(List<Row> compared) {
        Map<String, List<String>> folds = new LinkedHashMap<>();
        if (!judgement.claims().isEmpty()) {
            folds.put(
                    "Claims",
                    ClaimsSection.lines(judgement).stream()
                            .map(line -> "- " + Markdown.text(line.replaceFirst("^claim: ", "")))
                            .toList());
        }
        List<Row> all = outcomes.rows().stream()
                .filter(row -> row.against().isPresent())
                .toList();
        if (all.size() > open(compared)) {
            folds.put("All figures, with those of the control", table(all));
        }
        Set<MarkKind> kinds = judgement.chosen().stream()
                .flatMap(one -> kinds(one).stream())
                .collect(Collectors.toCollection(TreeSet::new));
        if (!kinds.isEmpty()) {
            folds.put(
                    "Marks, and what to do",
                    kinds.stream()
                            .map(kind -> Markdown.text(kind.key() + ": " + kind.meaning() + ". "
                                    + kind.effect().words() + ". " + remedy(kind)))
                            .map(line -> "- " + line)
                            .toList());
        }
        folds.put("What ran", ran());
        return folds;
    }

    private static String remedy(MarkKind kind) {
        String remedy = kind.remedy(Where.CAMPAIGN);
        return remedy.isEmpty() ? "" : "Remedy: " + remedy;
    }

    private List<String> ran() {
        Campaign campaign = judgement.campaign();
        List<String> lines = new ArrayList<>();
        for (Arm arm : campaign.arms()) {
            if (arm.role() != Arm.Role.CONTROL) {
                lines.add(judgement.name(arm) + ": " + arm.jar().replaceFirst(".*/", "") + " SHA-256 " + arm.sha256());
            }
        }
        lines.add("campaign: " + campaign.id() + ", begun " + campaign.created());
        campaign.versions().forEach((name, version) -> lines.add(name + ": " + version));
        campaign.machine().forEach((name, fact) -> lines.add(name + ": " + fact));
        return lines.stream().map(line -> "- " + Markdown.text(line)).toList();
    }
}
