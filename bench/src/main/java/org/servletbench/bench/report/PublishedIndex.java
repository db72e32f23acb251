package org.servletbench.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.ThreadingMode;

/**
 * Content of the index: a card for each question.
 *
 * @param entries entries, the newest first
 * @param withPage ids of those that have a page; others share that of their pool
 */
record PublishedIndex(List<PublishedEntry> entries, Set<String> withPage) {

    /** Conditions that most campaigns share. */
    private static final Pattern USUAL =
            Pattern.compile("; (servers on processor 0, generators on 1|load over loopback|a heap of 1 GiB|"
                    + ThreadingMode.USUAL_POOL + " worker threads in each server( \\([^)]*\\))?)(?=;|$)");

    /** Verdicts other than better and worse. */
    private static final Set<Forest.Kind> VERDICTS = Set.of(Forest.Kind.EQUAL, Forest.Kind.OPEN);

    private static final String NOT_MEASURED = "not measured";

    static final String TITLE = "Which servlet container? Measured answers";

    /** @param folder folder of published campaigns */
    static PublishedIndex of(Path folder) throws IOException {
        List<PublishedEntry> entries = PublishedEntry.all(folder);
        return new PublishedIndex(
                entries,
                entries.stream()
                        .map(PublishedEntry::id)
                        .filter(id -> Files.isRegularFile(folder.resolve(id).resolve(ReportPage.INDEX)))
                        .collect(Collectors.toSet()));
    }

    boolean hasPage(PublishedEntry entry) {
        return withPage.contains(entry.id());
    }

    /** Returns the questions, the most often measured first, then in the order of their newest entries. */
    List<Question> questions() {
        return entries.stream()
                .collect(Collectors.groupingBy(PublishedEntry::question, LinkedHashMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .map(one -> new Question(
                        one.getKey(),
                        one.getValue().stream()
                                .sorted(Comparator.comparingInt(PublishedEntry::rank))
                                .toList()))
                .sorted(Comparator.comparing(Question::campaigns).reversed())
                .toList();
    }

    String lead() {
        return "Each card is one campaign, or several that are pooled. Pages have all figures and checks. A campaign's command repeats it"
                + " in a clone at the named commit, after mvn -q -pl .,bench package -DskipTests; the file of a comparison"
                + " says how to build servers that a command starts.";
    }

    String caution() {
        return "An arm is one kind of server. A block starts each once, in random order. ± is the wider half of a 95 % interval."
                + " Unless a card says otherwise, servers ran on one processor with "
                + ThreadingMode.USUAL_POOL
                + " worker threads and a heap of 1 GiB, and load came over loopback on kept connections. Differences in requests/s"
                + " reflect CPU time, because that processor is full. hello answers 5 bytes, payload 1,892 bytes, static a page;"
                + " figures of two cards or machines cannot be compared.";
    }

    /** Returns the answer to the first question, which chats show with a link. */
    private String answer() {
        return questions().stream()
                .findFirst()
                .map(question -> question.answers().get(0).answer())
                .orElse(TITLE);
    }

    /** Returns the meaning of the first answer, and the other questions. */
    private String description() {
        List<Question> all = questions();
        return Stream.concat(
                        all.stream().limit(1).map(Question::meaning),
                        all.stream().skip(1).map(Question::text))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(" "));
    }

    String html() {
        PageLayout page = new PageLayout(answer(), description());
        page.body().append(Template.html("published", this));
        return page.html();
    }

    String markdown() {
        return Stream.concat(
                        Stream.of(
                                "# " + TITLE,
                                "Each card is one campaign, or several pooled.",
                                questions().stream()
                                        .map(one -> "- [" + Markdown.text(one.text()) + "](#" + one.anchor() + ")")
                                        .collect(Collectors.joining("\n")),
                                caution()),
                        questions().stream().flatMap(this::markdown))
                .collect(Collectors.joining("\n\n", "", "\n"));
    }

    private Stream<String> markdown(Question question) {
        return Stream.of(
                        Stream.of("## " + Markdown.text(question.text())),
                        question.shown().stream().map(entry -> "**" + Markdown.text(question.answer(entry)) + "**"),
                        Stream.of(
                                question.meaning().isEmpty()
                                        ? ""
                                        : "What it means for you: " + Markdown.text(question.meaning())),
                        question.shown().get(0).plots().stream()
                                .filter(plot -> !plot.isOfEffects())
                                .map(plot -> table(question, plot)),
                        question.shown().stream().flatMap(entry -> effects(entry).stream()),
                        question.notes().stream().map(Markdown::text),
                        facts(question),
                        Stream.of(folded(question)))
                .flatMap(parts -> parts)
                .filter(part -> !part.isEmpty());
    }

    /** Returns a plot as a table with a row for each arm and a column for each machine. */
    private static String table(Question question, AnswerPlot plot) {
        List<PublishedEntry> columns = question.shown();
        List<String> lines = new ArrayList<>(List.of(
                line(
                        Words.capital(plot.what()) + plot.against(),
                        columns.stream().map(PublishedEntry::processor)),
                line("---", columns.stream().map(any -> "---:")),
                line(plot.baseline(), columns.stream().map(entry -> baseline(entry, plot)))));
        lines.addAll(
                rows(columns.stream().map(entry -> arms(entry, plot).toList()).toList()));
        return String.join("\n", lines);
    }

    /**
     * Returns the effects of factors as a table with a row for each effect and a column for each load. It is empty for one
     * load, whose effects are in the answer.
     */
    private static Optional<String> effects(PublishedEntry entry) {
        List<AnswerPlot> plots =
                entry.plots().stream().filter(AnswerPlot::isOfEffects).toList();
        if (plots.size() < 2) {
            return Optional.empty();
        }
        List<String> lines = new ArrayList<>(List.of(
                line(
                        "Effect on " + plots.get(0).known().words() + ", mean over other factors",
                        plots.stream().map(AnswerPlot::load)),
                line("---", plots.stream().map(any -> "---:"))));
        lines.addAll(rows(plots.stream().map(AnswerPlot::rows).toList()));
        return Optional.of(String.join("\n", lines));
    }

    /** Returns a line of a table for each name, with what each column says about it. */
    private static List<String> rows(List<List<Forest.Row>> columns) {
        return columns.stream()
                .flatMap(List::stream)
                .map(PublishedIndex::name)
                .distinct()
                .map(name -> line(name, columns.stream().map(column -> column.stream()
                        .filter(row -> name(row).equals(name))
                        .map(PublishedIndex::words)
                        .findFirst()
                        .orElse(NOT_MEASURED))))
                .toList();
    }

    /** Returns the baseline's own value, "24.4 µs"; a pool has only the word. */
    private static String baseline(PublishedEntry entry, AnswerPlot plot) {
        return entry.plots().stream()
                .filter(plot::isLike)
                .flatMap(one -> one.rows().stream())
                .filter(row -> row.kind() == Forest.Kind.BASELINE)
                .map(Forest.Row::word)
                .findFirst()
                .orElse(NOT_MEASURED);
    }

    /** Returns a difference, with its verdict unless the difference itself says it. */
    private static String words(Forest.Row row) {
        return row.brief() + (VERDICTS.contains(row.kind()) ? ", " + row.word() : "");
    }

    /** Returns the arms of an entry that belong into the table of a plot: all except baseline and copy. */
    private static Stream<Forest.Row> arms(PublishedEntry entry, AnswerPlot plot) {
        return entry.plots().stream()
                .filter(plot::isLike)
                .flatMap(one -> one.rows().stream())
                .filter(row -> row.ratio() > 0 && row.kind() != Forest.Kind.CONTROL);
    }

    private static String name(Forest.Row row) {
        return row.name() + (row.sub().isEmpty() ? "" : ", " + row.sub());
    }

    private static String line(String first, Stream<String> others) {
        return Stream.concat(Stream.of(first), others)
                .map(load -> load.startsWith("---") ? load : Markdown.text(load))
                .collect(Collectors.joining("|", "|", "|"));
    }

    /** Returns conditions, only once if machines share them, and the trust in each machine's answer. */
    private Stream<String> facts(Question question) {
        List<PublishedEntry> shown = question.shown();
        boolean one = shown.size() == 1;
        boolean alike =
                shown.stream().map(PublishedIndex::conditions).distinct().count() == 1;
        return Stream.concat(
                alike ? Stream.of("Conditions: " + conditions(shown.get(0)) + ".") : Stream.of(),
                shown.stream()
                        .map(entry -> (one ? "" : Markdown.text(entry.processor()) + ": ")
                                + (alike ? "" : conditions(entry) + ". ") + "Trust: "
                                + Markdown.text(entry.trust().replace("good: the A/A check passed: ", "good: ")) + ". "
                                + links(entry)));
    }

    /** Returns the conditions that {@link #caution} does not mention. */
    private static String conditions(PublishedEntry entry) {
        return Markdown.text(USUAL.matcher(entry.conditions()).replaceAll("") + "; " + entry.versions());
    }

    private String links(PublishedEntry entry) {
        return "[" + Markdown.text(entry.heading()) + "](" + entry.id() + ")"
                + (hasPage(entry) ? ", [page](" + entry.id() + "/index.html)" : "")
                + (entry.record().isEmpty() ? "" : ", [data](" + entry.record() + ")");
    }

    private String folded(Question question) {
        return question.others().isEmpty()
                ? ""
                : question.others().stream()
                        .map(entry -> "- " + links(entry))
                        .collect(Collectors.joining(
                                "\n", "<details><summary>" + question.folded() + "</summary>\n\n", "\n\n</details>"));
    }

    static String folds(Question question) {
        return question.others().isEmpty() ? "Command" : "Command, and " + question.folded();
    }

    /**
     * A question, measured once or several times.
     *
     * @param answers at least one; pools first, then campaigns whose A/A check passed, then the newest
     */
    record Question(String text, List<PublishedEntry> answers) {

        /** Returns the anchor that GitHub generates for a heading. */
        String anchor() {
            return text.toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
        }

        /** Returns the number of campaigns that measured it. */
        long campaigns() {
            return answers.stream().filter(entry -> !entry.isPool()).count();
        }

        /** Returns the answers that the card shows, which are the first ones of each machine. */
        List<PublishedEntry> shown() {
            return answers.stream()
                    .collect(Collectors.toMap(
                            PublishedEntry::processor, entry -> entry, (first, other) -> first, LinkedHashMap::new))
                    .values()
                    .stream()
                    .toList();
        }

        /** Returns the answers that the card folds away. */
        List<PublishedEntry> others() {
            return answers.stream().filter(entry -> !shown().contains(entry)).toList();
        }

        /** Returns how many campaigns the card folds away: "3 pooled campaigns, 2 others". */
        String folded() {
            int all = others().size();
            int pooled = (int) others().stream()
                    .filter(entry ->
                            shown().stream().anyMatch(one -> one.pooled().contains(entry.id())))
                    .count();
            return pooled == 0
                    ? Words.count(all, "other campaign")
                    : Words.count(pooled, "pooled campaign")
                            + (pooled == all ? "" : ", " + Words.count(all - pooled, "other"));
        }

        /** Returns a shown answer, preceded by its machine if there are several. */
        String answer(PublishedEntry entry) {
            return onMachine(entry) + entry.answer();
        }

        private String onMachine(PublishedEntry entry) {
            return shown().size() == 1 ? "" : entry.processor() + ": ";
        }

        /** Returns the meaning of the first shown answer that has one, with its machine if there are several; or empty text. */
        String meaning() {
            return shown().stream()
                    .filter(entry -> !entry.meaning().isEmpty())
                    .map(entry -> onMachine(entry) + entry.meaning())
                    .findFirst()
                    .orElse("");
        }

        /** Returns when the shown answers apply. */
        List<String> notes() {
            return shown().stream()
                    .map(PublishedEntry::note)
                    .filter(note -> !note.isEmpty())
                    .distinct()
                    .toList();
        }

        /** Returns the rows of all plots with which a plot shares its axis, so that machines can be compared. */
        List<Forest.Row> axis(AnswerPlot plot) {
            return shown().stream()
                    .flatMap(entry -> entry.plots().stream())
                    .filter(plot::isLike)
                    .flatMap(one -> one.rows().stream())
                    .toList();
        }
    }
}
