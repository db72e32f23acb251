package org.servletbench.bench.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.SafeFiles;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.ThreadingMode;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CampaignRecord;

/**
 * Finished campaigns as files for publication: an index, and for each campaign its page, the figures as JSON, and its
 * record. Index and summaries are also written as Markdown, for repositories. Raw logs, generators' reports and flame
 * graphs are not copied. Campaigns are shown side by side; they are pooled only on request.
 */
public final class Publication {
    static final String ENTRY = "entry.json";
    static final String MARKDOWN = "README.md";
    static final String RECORDS = "records";
    /** Maximum size of a campaign's pages, bytes. Its figures are stored next to them. */
    static final long MOST_BYTES = 400_000;

    /**
     * The path of a Java agent, a class archive, or a file with a comparison or JVM options, of which the file name is
     * kept.
     */
    private static final Pattern FILE_OF_OPTION = Pattern.compile(
            "(-javaagent:|-agentpath:|-XX:\\w+=|\\bcompare |\\bjvm[.-]options=|^(?=\\S+\\.options$))/(?:[^\\s/,=:'\"&<]+/)*"
                    + "([^\\s/,=:'\"&<]+)");

    private static final int LONGEST_ENTRY = 100_000;

    private Publication() {}

    /** An answer in the index, from a campaign or a pool. */
    sealed interface Entry permits CampaignEntry, PoolEntry {
        /** Returns the name of the folder. */
        String id();

        String question();

        String answer();

        /** Returns what the answer means for a service, in sentences; empty if that is not known. */
        String meaning();

        /** Returns when the answer applies; empty if its comparison does not say it. */
        String note();

        /** Returns a plot for each group of arms; empty if nothing is tested. */
        List<AnswerPlot> plots();

        String conditions();

        String trust();

        /** Returns the time of creation in UTC, ISO 8601. */
        String created();

        int blocks();

        String machine();

        String versions();

        String commit();

        /** Returns the command that repeats the campaign; empty if there is none. */
        String command();

        /** Returns the outcome of the A/A check; empty for a pool. */
        default String control() {
            return "";
        }

        /** Returns the path of the {@link CampaignRecord}, relative to the index; empty if there is none. */
        default String record() {
            return "";
        }

        /** Returns the ids of the pooled campaigns; empty for a single campaign. */
        default List<String> pooled() {
            return List.of();
        }

        /** Returns the number of campaigns by which this answer adds to the count of its question. */
        int campaigns();

        /** Returns the rank among the answers to a question; the best one comes first. */
        int rank();

        /** Returns what distinguishes the answer from others to its question. */
        default String heading() {
            return Text.text("%s, %s, %s", id(), day(), Words.count(blocks(), "block"));
        }

        /** Returns the day of {@link #created}. */
        default String day() {
            return created().substring(0, Math.min(10, created().length()));
        }

        /** Returns the machine in a few words, which is its processor. */
        default String processor() {
            return machine().replaceFirst(",.*", "").replaceAll("\\(R\\)| Processor", "");
        }

        /** Returns the shortened commits with which it was measured. */
        default String shortCommit() {
            return commit().replaceAll("\\b([0-9a-f]{8})[0-9a-f]+", "$1");
        }

        /** Returns further facts that help to judge the answer. */
        default String facts() {
            return Stream.of(machine(), versions(), commit().isEmpty() ? "" : "servlet-bench at " + shortCommit())
                    .filter(fact -> !fact.isEmpty())
                    .collect(Collectors.joining(" · "));
        }
    }

    /**
     * A campaign in the index.
     *
     * @param trust the level of trust, and what decided it
     * @param record path of the record; it always follows from the id, whatever path a file gives
     */
    record CampaignEntry(
            String id,
            String question,
            String answer,
            String meaning,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String note,
            List<AnswerPlot> plots,
            String conditions,
            String trust,
            String control,
            String created,
            int blocks,
            String machine,
            String versions,
            String commit,
            String command,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String record)
            implements Entry {

        CampaignEntry {
            note = note == null ? "" : note;
            record = record == null || record.isEmpty() ? "" : RECORDS + "/" + id + CampaignRecord.END;
        }

        @Override
        public int campaigns() {
            return 1;
        }

        @Override
        public int rank() {
            return control.equals(Words.HELD) ? 1 : 2;
        }
    }

    /**
     * Several pooled campaigns in the index.
     *
     * @param trust its campaigns, and those that were left out
     * @param pooled ids of its campaigns
     */
    record PoolEntry(
            String id,
            String question,
            String answer,
            String meaning,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String note,
            List<AnswerPlot> plots,
            String conditions,
            String trust,
            String created,
            int blocks,
            String machine,
            String versions,
            String commit,
            String command,
            List<String> pooled)
            implements Entry {

        PoolEntry {
            note = note == null ? "" : note;
        }

        @Override
        public int campaigns() {
            return 0;
        }

        @Override
        public int rank() {
            return 0;
        }
    }

    static Entry entry(ReportPage page) {
        Analysis analysis = page.analysis();
        Campaign campaign = analysis.campaign();
        CampaignAnswer answer = page.answer();
        return new CampaignEntry(
                campaign.id(),
                answer.question(),
                answer.each(CampaignAnswer.Part::headline),
                answer.each(CampaignAnswer.Part::meaning),
                campaign.plan().note(),
                answer.parts().stream()
                        .map(part -> AnswerPlot.of(analysis, part))
                        .toList(),
                answer.conditions(),
                answer.each(part -> part.trust().words() + ".").replaceFirst("[.]$", ""),
                analysis.family().controls().stream()
                        .map(Words::control)
                        .distinct()
                        .collect(Collectors.joining(", ")),
                campaign.created(),
                analysis.blocks(),
                Provenance.machine(campaign),
                Provenance.versions(analysis),
                campaign.commit(),
                HistorySection.again(campaign),
                RECORDS + "/" + campaign.id() + CampaignRecord.END);
    }

    /**
     * Writes the pages and records of these campaigns, and the index of all campaigns in the folder.
     *
     * @param recorded campaigns to pool with them, read from their records; their pages stay unchanged
     * @param pool name of an additional page that pools all these campaigns; empty for none
     * @param to the folder; campaigns of the same names in it are replaced, including their tables
     * @return the index
     * @throws UsageException if a campaign has not ended, two have the same name, or they cannot be pooled
     * @throws IOException if something cannot be written
     */
    public static Path write(List<CampaignFolder> campaigns, List<CampaignFolder> recorded, String pool, Path to)
            throws IOException {
        if (pool.isEmpty() && !recorded.isEmpty()) {
            throw new UsageException("a record has its page already: it is for --pool");
        }
        List<CampaignFolder> shown = campaigns.stream()
                .map(read -> withoutFolders(read, List.of(read)))
                .toList();
        List<CampaignFolder> all = Stream.concat(recorded.stream(), campaigns.stream())
                .sorted(Comparator.comparing(read -> read.campaign().created()))
                .toList();
        List<String> names = Stream.concat(
                        all.stream().map(read -> read.campaign().id()),
                        Stream.of(pool).filter(name -> !name.isEmpty()))
                .toList();
        for (String name : names) {
            if (!SafeFiles.isName(name)) {
                throw new UsageException("campaign '" + Text.shown(name) + "': its name is not a valid folder name");
            }
            if (names.stream().filter(name::equals).count() > 1) {
                throw new UsageException(
                        "two campaigns are called " + name + ": give each once, or publish one into another folder");
            }
        }
        campaigns.stream()
                .map(CampaignFolder::campaign)
                .filter(campaign -> !campaign.hasEnded())
                .findFirst()
                .ifPresent(campaign -> {
                    throw new UsageException(
                            "campaign " + campaign.id() + " has not ended: only finished ones are published");
                });
        Optional<PooledCampaigns> several = pool.isEmpty()
                ? Optional.empty()
                : Optional.of(pooled(
                        all.stream().map(read -> withoutFolders(read, all)).toList()));
        List<Entry> written = new ArrayList<>();
        recorded.forEach(read -> written.add(entry(ReportPage.published(read))));
        for (CampaignFolder read : shown) {
            ReportPage page = ReportPage.published(read);
            Map<String, String> files = new TreeMap<>(page.files());
            files.put(MARKDOWN, MarkdownSummary.published(Outcomes.of(read)));
            Entry entry = entry(page);
            write(entry, files, to);
            SafeFiles.folder(to, to.resolve(RECORDS));
            Json.replace(to.resolve(entry.record()), CampaignRecord.of(read));
            written.add(entry);
        }
        if (several.isPresent()) {
            Map<String, String> files = files(several.get());
            List<String> pooled = several.get().ids();
            write(
                    entry(
                            pool,
                            several.get(),
                            written.stream()
                                    .filter(one -> pooled.contains(one.id()))
                                    .sorted(Comparator.comparing(Entry::created))
                                    .toList()),
                    files,
                    to);
        }
        Index index = new Index(entries(to));
        return ReportPage.write(Map.of(ReportPage.INDEX, index.html(), MARKDOWN, index.markdown()), to)
                .resolve(ReportPage.INDEX);
    }

    private static void write(Entry entry, Map<String, String> files, Path to) throws IOException {
        files.put(ENTRY, json(entry));
        long bytes = files.entrySet().stream()
                .filter(file -> !file.getKey().endsWith(".json"))
                .map(Map.Entry::getValue)
                .mapToLong(text -> text.getBytes(StandardCharsets.UTF_8).length)
                .sum();
        if (bytes > MOST_BYTES) {
            throw new UsageException(Text.text(
                    "campaign %s: its pages have %,d bytes (at most %,d): only campaigns of fewer loads or arms can be published",
                    entry.id(), bytes, MOST_BYTES));
        }
        Path folder = SafeFiles.folder(to, to.resolve(entry.id()));
        ReportPage.write(files, folder);
        deleteOthers(folder.resolve(Table.FOLDER), files.keySet());
    }

    static String json(Entry entry) throws JsonProcessingException {
        return Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(entry) + "\n";
    }

    /** Deletes tables of an earlier version of the campaign, because readers would take them for its figures. */
    private static void deleteOthers(Path tables, Set<String> written) throws IOException {
        if (!Files.isDirectory(tables, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> before = Files.list(tables)) {
            for (Path file : before.filter(one -> one.toString().matches(".*\\.(csv|json)"))
                    .filter(one -> !written.contains(Table.FOLDER + "/" + one.getFileName()))
                    .toList()) {
                Files.delete(file);
            }
        }
    }

    static PooledCampaigns pooled(List<CampaignFolder> campaigns) {
        if (SeveralCampaigns.of(campaigns, List.of()) instanceof PooledCampaigns pool) {
            return pool;
        }
        throw new UsageException(
                "--pool: give three campaigns or more of one comparison whose A/A check has not failed");
    }

    /** Returns the files of a pool, except its entry. */
    static Map<String, String> files(PooledCampaigns several) {
        Map<String, String> files = new TreeMap<>(several.published());
        files.put(ReportPage.INDEX, files.remove(SeveralCampaigns.PAGE));
        files.put(MARKDOWN, PooledSummary.of(several));
        return files;
    }

    /** Returns the pool's entry, with the facts that all of its campaigns share. */
    static Entry entry(String name, PooledCampaigns several, List<Entry> campaigns) {
        Entry last = campaigns.get(campaigns.size() - 1);
        return new PoolEntry(
                name,
                last.question(),
                several.answer(),
                last.meaning(),
                last.note(),
                several.answerPlots(),
                last.conditions(),
                "pooled from "
                        + campaigns.stream()
                                .map(one -> one.id() + " (" + one.day() + ", A/A check " + one.control() + ")")
                                .collect(Collectors.joining(", "))
                        + "; " + several.agreement()
                        + several.leftOut().stream().map(line -> "; " + line).collect(Collectors.joining()),
                last.created(),
                campaigns.stream().mapToInt(Entry::blocks).sum(),
                campaigns.stream().map(Entry::machine).distinct().collect(Collectors.joining("; ")),
                last.versions(),
                campaigns.stream().map(Entry::commit).distinct().collect(Collectors.joining(", ")),
                last.command().replaceFirst(HistorySection.SEED + "\\d+", ""),
                campaigns.stream().map(Entry::id).toList());
    }

    /**
     * Removes the machine's folders with jars, JDKs and the campaign, because they are private and irrelevant to the
     * result. Values are changed before a page is made; replacing text in a finished page could damage its markup.
     *
     * @param of campaigns whose folders may be named
     */
    private static CampaignFolder withoutFolders(CampaignFolder read, List<CampaignFolder> of) {
        String home = System.getProperty("user.home") + "/";
        Map<String, String> shown = new LinkedHashMap<>();
        of.stream()
                .flatMap(one -> one.campaign().arms().stream())
                .flatMap(arm -> Stream.concat(Stream.of(arm.jar()), programs(arm)))
                .filter(jar -> jar.matches("(?s)/.*[^/]"))
                .forEach(jar -> shown.put(jar, jar.replaceFirst("(?s).*/", "")));
        Map<String, String> folders = shownFolders(of, home);
        return read.published(text -> {
            String rest = FILE_OF_OPTION
                    .matcher(text.replaceAll("(--jdk[= ])/[^\\s'\"&<]+", "$1HOME"))
                    .replaceAll("$1$2");
            rest = replaced(rest, shown);
            rest = home.length() > 2 ? rest.replace(home, "~/") : rest;
            return replaced(rest, folders);
        });
    }

    /**
     * Returns the program of an arm's command, and the jars among its words. Other words may be the paths of requests.
     */
    private static Stream<String> programs(Arm arm) {
        List<String> words = arm.spec().command();
        return Stream.concat(
                words.stream().limit(1),
                words.stream().flatMap(word -> Stream.of(word.split(":"))).filter(part -> part.matches(".*\\.[jw]ar")));
    }

    /** Replaces only whole names, because the path of a request may start the same way. */
    private static String replaced(String text, Map<String, String> by) {
        String rest = text;
        for (Map.Entry<String, String> one : by.entrySet()) {
            rest = rest.replaceAll(
                    "(?<![\\w./~-])" + Pattern.quote(one.getKey()) + "(?![\\w.-])",
                    Matcher.quoteReplacement(one.getValue()));
        }
        return rest;
    }

    /**
     * Maps folders of the machine, the longest first, to the texts shown instead: the last part of each, so that two
     * JDKs stay distinct.
     *
     * @param home home folder with a trailing slash, which is already replaced by ~/
     */
    private static Map<String, String> shownFolders(List<CampaignFolder> of, String home) {
        List<String> folders = of.stream()
                .flatMap(read -> Stream.of(
                                Stream.of(read.campaign().conditions().folder()),
                                read.campaign().versions().entrySet().stream()
                                        .flatMap(one -> Stream.of(
                                                one.getKey().replaceFirst("^jdk@", ""),
                                                one.getKey().equals("jdk.home") ? one.getValue() : "")),
                                read.campaign().arms().stream()
                                        .flatMap(arm -> Stream.of(
                                                arm.spec().jdk(), arm.spec().workdir())),
                                read.serverRuns().stream()
                                        .map(one -> one.proven().get("jvm.home")))
                        .flatMap(some -> some))
                .filter(folder -> folder != null && folder.startsWith("/") && folder.length() > 1)
                .map(folder -> folder.startsWith(home) ? "~/" + folder.substring(home.length()) : folder)
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder()))
                .toList();
        Map<String, String> shown = new LinkedHashMap<>();
        for (String folder : folders) {
            String name = "…/" + folder.replaceFirst(".*/(?=[^/])", "");
            int number = 2;
            String other = name;
            while (shown.containsValue(other)) {
                other = name + "-" + number++;
            }
            shown.put(folder, other);
        }
        return shown;
    }

    /** Returns the entries of the index, newest first. */
    static List<Entry> entries(Path to) throws IOException {
        try (Stream<Path> folders = Files.list(to)) {
            return folders.map(folder -> folder.resolve(ENTRY))
                    .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .map(Publication::read)
                    .sorted(Comparator.comparing(Entry::created)
                            .thenComparing(Entry::id)
                            .reversed())
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static boolean isWhole(Entry entry) {
        return entry.plots() != null
                && SafeFiles.isName(entry.id())
                && Stream.of(
                                entry.question(),
                                entry.answer(),
                                entry.meaning(),
                                entry.conditions(),
                                entry.trust(),
                                entry.control(),
                                entry.created(),
                                entry.machine(),
                                entry.versions(),
                                entry.commit(),
                                entry.command())
                        .noneMatch(Objects::isNull);
    }

    private static Entry read(Path file) {
        try {
            JsonNode tree = Json.MAPPER.readTree(SafeFiles.textInFolder(file, LONGEST_ENTRY));
            Class<? extends Entry> kind = tree.path("pooled").isEmpty() ? CampaignEntry.class : PoolEntry.class;
            Entry entry = Json.MAPPER.treeToValue(tree, kind);
            if (entry == null
                    || !isWhole(entry)
                    || !file.getParent().getFileName().toString().equals(entry.id())) {
                throw new IOException(
                        file + " is not an entry of a published campaign: delete its folder, or publish it again");
            }
            return entry;
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(new IOException(
                    file + " is not an entry of a published campaign: delete its folder, or publish it again"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A question, measured once or several times.
     *
     * @param answers at least one; pools first, then campaigns whose A/A check passed, then the newest
     */
    record Question(String text, List<Entry> answers) {

        /** Returns the anchor that GitHub generates for a heading. */
        String anchor() {
            return text.toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
        }

        /** Returns the number of campaigns that measured it. */
        long campaigns() {
            return answers.stream().mapToLong(Entry::campaigns).sum();
        }

        /** Returns the answers that the card shows, which are the first ones of each machine. */
        List<Entry> shown() {
            return answers.stream()
                    .collect(Collectors.toMap(
                            Entry::processor, entry -> entry, (first, other) -> first, LinkedHashMap::new))
                    .values()
                    .stream()
                    .toList();
        }

        /** Returns the answers that the card folds away. */
        List<Entry> others() {
            return answers.stream().filter(entry -> !shown().contains(entry)).toList();
        }

        /** Returns a shown answer, preceded by its machine if there are several. */
        String answer(Entry entry) {
            return (shown().size() == 1 ? "" : entry.processor() + ": ") + entry.answer();
        }

        /** Returns the meaning of the first shown answer that has one; empty if none does. */
        String meaning() {
            return shown().stream()
                    .map(Entry::meaning)
                    .filter(meaning -> !meaning.isEmpty())
                    .findFirst()
                    .orElse("");
        }

        /** Returns when the shown answers apply. */
        List<String> notes() {
            return shown().stream()
                    .map(Entry::note)
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

    /**
     * Content of the index: a card for each question.
     *
     * @param entries entries, the newest first
     */
    record Index(List<Entry> entries) {

        /** Conditions that most campaigns share. */
        private static final Pattern USUAL =
                Pattern.compile("; (servers on processor 0, generators on 1|load over loopback|"
                        + ThreadingMode.USUAL_POOL + " worker threads in each server( \\([^)]*\\))?)(?=;|$)");

        static final String TITLE = "Which servlet container? Measured answers";

        /** Returns the questions, the most often measured first, then in the order of their newest entries. */
        List<Question> questions() {
            return entries.stream()
                    .collect(Collectors.groupingBy(Entry::question, LinkedHashMap::new, Collectors.toList()))
                    .entrySet()
                    .stream()
                    .map(one -> new Question(
                            one.getKey(),
                            one.getValue().stream()
                                    .sorted(Comparator.comparingInt(Entry::rank))
                                    .toList()))
                    .sorted(Comparator.comparing(Question::campaigns).reversed())
                    .toList();
        }

        String lead() {
            return "Each card is one campaign, or several that are pooled. Its page has all figures and checks. Its command repeats it in a"
                    + " clone at the named commit, after mvn -q -pl .,bench package -DskipTests; the file of a comparison"
                    + " says how to build servers that a command starts.";
        }

        String caution() {
            return "An arm is one kind of server; ± is the half width of a 95 % interval. Unless a card says otherwise, servers ran on one"
                    + " processor with " + ThreadingMode.USUAL_POOL + " worker threads (Undertow defaults to "
                    + ThreadingMode.UNDERTOWS_OWN_POOL
                    + ") and a heap of 1 GiB, and load came over loopback on kept connections. Where a card shows requests/s,"
                    + " that processor is full, so they show the CPU time of a request. hello answers 5 bytes, payload 1,892 bytes, static"
                    + " a page. Compare arms within a card:"
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
                                    "Each card is one campaign, or several pooled. Pages have all figures, checks and commands.",
                                    questions().stream()
                                            .map(one -> "- [" + Markdown.text(one.text()) + "](#" + one.anchor() + ")")
                                            .collect(Collectors.joining("\n")),
                                    caution()),
                            questions().stream().flatMap(Index::markdown))
                    .collect(Collectors.joining("\n\n", "", "\n"));
        }

        private static Stream<String> markdown(Question question) {
            return Stream.of(
                            Stream.of("## " + Markdown.text(question.text())),
                            question.shown().stream().map(entry -> "**" + Markdown.text(question.answer(entry)) + "**"),
                            Stream.of(
                                    question.meaning().isEmpty()
                                            ? ""
                                            : "What it means for you: " + Markdown.text(question.meaning())),
                            question.shown().get(0).plots().stream().map(plot -> table(question, plot)),
                            question.notes().stream().map(Markdown::text),
                            facts(question),
                            Stream.of(folded(question)))
                    .flatMap(parts -> parts)
                    .filter(part -> !part.isEmpty());
        }

        /** Returns a plot as a table with a row for each arm and a column for each machine. */
        private static String table(Question question, AnswerPlot plot) {
            List<Entry> columns = question.shown();
            List<String> lines = new ArrayList<>(List.of(
                    line(
                            Words.capital(plot.what()) + ", against " + plot.baseline(),
                            columns.stream().map(Entry::processor)),
                    line("---", columns.stream().map(any -> "---:"))));
            columns.stream()
                    .flatMap(entry -> arms(entry, plot))
                    .map(Index::name)
                    .distinct()
                    .forEach(name -> lines.add(line(name, columns.stream().map(entry -> arms(entry, plot)
                            .filter(row -> name(row).equals(name))
                            .map(Forest.Row::brief)
                            .findFirst()
                            .orElse(Numbers.NONE)))));
            return String.join("\n", lines);
        }

        /** Returns the arms of an entry that belong into the table of a plot: all except baseline and copy. */
        private static Stream<Forest.Row> arms(Entry entry, AnswerPlot plot) {
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
        private static Stream<String> facts(Question question) {
            List<Entry> shown = question.shown();
            boolean one = shown.size() == 1;
            boolean alike = shown.stream().map(Index::conditions).distinct().count() == 1;
            return Stream.concat(
                    alike ? Stream.of("Conditions: " + conditions(shown.get(0)) + ".") : Stream.of(),
                    shown.stream()
                            .map(entry -> (one ? "" : Markdown.text(entry.processor()) + ": ")
                                    + (alike ? "" : conditions(entry) + ". ") + "Trust: "
                                    + Markdown.text(entry.trust()) + ". " + links(entry)));
        }

        /** Returns the conditions that {@link #caution} does not mention. */
        private static String conditions(Entry entry) {
            return Markdown.text(USUAL.matcher(entry.conditions()).replaceAll("") + "; " + entry.versions());
        }

        private static String links(Entry entry) {
            return "[" + Markdown.text(entry.heading()) + "](" + entry.id() + "), [page](" + entry.id() + "/index.html)"
                    + (entry.record().isEmpty() ? "" : ", [each server](" + entry.record() + ")");
        }

        private static String folded(Question question) {
            return question.others().isEmpty()
                    ? ""
                    : question.others().stream()
                            .map(entry -> "- " + links(entry))
                            .collect(Collectors.joining(
                                    "\n",
                                    "<details><summary>"
                                            + Words.count(question.others().size(), "other campaign")
                                            + "</summary>\n\n",
                                    "\n\n</details>"));
        }

        static String folds(Question question) {
            return question.others().isEmpty()
                    ? "Command"
                    : "Command, and " + Words.count(question.others().size(), "other campaign");
        }
    }
}
