package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.servletbench.bench.model.Text.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CampaignRecord;
import org.servletbench.bench.verdict.AaCheck;
import org.servletbench.bench.verdict.PairVerdict;

/**
 * Tests the campaigns in docs/results, as {@code publish} wrote them, their index, and the statements of README and
 * docs/proof.md about them. With {@code -Dwrite.page=true}, it rewrites the index, entries, pools and the number of A/A
 * checks. It does not rewrite pages of single campaigns, because the records lack the profiles on which their reasons
 * are based.
 */
class PublishedCampaignsTest {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();
    private static final Path RESULTS = ROOT.resolve("docs/results");
    private static final Path README = ROOT.resolve("README.md");
    private static final Path PROOF = ROOT.resolve("docs/proof.md");
    private static final boolean WRITE = Boolean.getBoolean("write.page");

    /** Maximum size of all campaigns, bytes. */
    private static final long MOST_BYTES = 5_000_000;

    /** Rounding of the published tables. */
    private static final double SEVEN_DIGITS = 1e-6;

    @Test
    void theIndexIsThatOfTheCampaignsBesideIt() throws IOException {
        PublishedIndex index = PublishedIndex.of(RESULTS);
        assertThat(index.entries()).isNotEmpty();
        assertIs(RESULTS.resolve(ReportPage.INDEX), index.html());
        assertIs(RESULTS.resolve(Publication.MARKDOWN), index.markdown());
    }

    private static void assertIs(Path file, String expected) throws IOException {
        if (WRITE) {
            Files.writeString(file, expected);
        }
        assertThat(Files.readString(file)).isEqualTo(expected);
    }

    /**
     * The index shows what this version computes from the records, under the question that campaigns of one topic
     * share.
     */
    @Test
    void theirEntriesAndPoolsAreThoseOfTheirRecords() throws IOException {
        List<PublishedEntry> entries = new ArrayList<>();
        for (PublishedEntry entry : PublishedEntry.all(RESULTS)) {
            if (!entry.record().isEmpty()) {
                PublishedEntry now =
                        PublishedEntry.of(ReportPage.published(CampaignRecord.read(RESULTS.resolve(entry.record()))));
                PublishedEntry asked = published(now, entry);
                assertIs(RESULTS.resolve(entry.id()).resolve(PublishedEntry.FILE), asked.json());
                entries.add(asked);
            }
        }
        for (PublishedEntry pool : PublishedEntry.all(RESULTS)) {
            if (!pool.pooled().isEmpty()) {
                List<PublishedEntry> own = pool.pooled().stream()
                        .flatMap(id -> entries.stream().filter(one -> one.id().equals(id)))
                        .toList();
                List<CampaignFolder> records = new ArrayList<>();
                for (PublishedEntry one : own) {
                    records.add(CampaignRecord.read(RESULTS.resolve(one.record())));
                }
                PooledCampaigns several = Publication.pooled(records);
                Path folder = RESULTS.resolve(pool.id());
                for (Map.Entry<String, String> file : Publication.files(several).entrySet()) {
                    assertIs(folder.resolve(file.getKey()), file.getValue());
                }
                assertIs(
                        folder.resolve(PublishedEntry.FILE),
                        PublishedEntry.of(pool.id(), several, own).json());
            }
        }
        assertThat(entries).hasSizeGreaterThan(5);
    }

    /** Keeps the published question and note, and the trust that depends on warm-ups, because records lack these. */
    private static PublishedEntry published(PublishedEntry one, PublishedEntry before) {
        return new PublishedEntry(
                one.id(),
                before.question(),
                one.answer(),
                one.meaning(),
                before.note(),
                one.plots(),
                one.conditions(),
                before.trust(),
                one.control(),
                one.created(),
                one.blocks(),
                one.machine(),
                one.versions(),
                one.commit(),
                one.command(),
                one.record(),
                one.pooled());
    }

    /** Machines are columns of one card, and every size of thread pool has its row. */
    @Test
    void eachQuestionHasOneCardWithAllArms() throws IOException {
        PublishedIndex index = PublishedIndex.of(RESULTS);

        assertThat(index.questions())
                .extracting(PublishedIndex.Question::text)
                .doesNotHaveDuplicates()
                .hasSize(13);
        assertThat(index.questions().get(0).shown())
                .extracting(PublishedEntry::processor)
                .containsExactly("AMD EPYC", "Intel Xeon");
        assertThat(index.markdown())
                .contains("|AMD EPYC|Intel Xeon|", "|undertow-8, 8 threads|", "|tomcat-8, 8 threads|");
        assertThat(index.questions())
                .flatExtracting(PublishedIndex.Question::answers)
                .filteredOn(entry -> entry.id().equals("threads"))
                .singleElement()
                .satisfies(entry -> assertThat(entry.conditions()).contains("200 in tomcat-200 and undertow-200"));
        assertThat(index.questions().get(0).shown().get(0).answer())
                .as("its default is another number")
                .contains("Undertow with 200 threads");
        assertThat(index.markdown().split("\\s+"))
                .hasSizeLessThanOrEqualTo(180 * index.questions().size());
    }

    /** Longer ones would not be read. */
    @Test
    void theirSummariesAreShort() throws IOException {
        List<PublishedEntry> entries = PublishedEntry.all(RESULTS);
        int words = 0;
        for (PublishedEntry entry : entries) {
            words += Files.readString(RESULTS.resolve(entry.id()).resolve(Publication.MARKDOWN))
                    .strip()
                    .split("\\s+")
                    .length;
        }
        assertThat(words / entries.size()).isLessThanOrEqualTo(600);
    }

    @Test
    void theyAreSmallAndTheirLinksLive() throws IOException {
        try (Stream<Path> files = Files.walk(RESULTS)) {
            assertThat(files.filter(Files::isRegularFile)
                            .mapToLong(file -> file.toFile().length())
                            .sum())
                    .isLessThan(MOST_BYTES);
        }
        PublicationTest.assertLinksLive(RESULTS.resolve(ReportPage.INDEX));
    }

    /** Campaigns of other days are pooled with these records. */
    @Test
    void theirRecordsAreWhole() throws IOException {
        for (PublishedEntry entry : PublishedEntry.all(RESULTS)) {
            if (!entry.record().isEmpty()) {
                CampaignFolder read = CampaignRecord.read(RESULTS.resolve(entry.record()));
                assertThat(read.campaign().id()).isEqualTo(entry.id());
                assertThat(read.completeBlocks()).isEqualTo(entry.blocks());
            }
        }
    }

    /** Reading and writing a record changes nothing, so no value needs a special rule. */
    @Test
    void theirRecordsAreAsThisVersionWritesThem() throws IOException {
        for (PublishedEntry entry : PublishedEntry.all(RESULTS)) {
            if (!entry.record().isEmpty()) {
                Path record = RESULTS.resolve(entry.record());
                byte[] again = CampaignRecord.of(CampaignRecord.read(record));
                assertThat(json(again)).as(entry.id()).isEqualTo(json(Files.readAllBytes(record)));
            }
        }
    }

    /** Returns the content of each file, because compressed bytes depend on the JDK. */
    private static Map<String, JsonNode> json(byte[] record) throws IOException {
        Map<String, JsonNode> files = new LinkedHashMap<>();
        ZipInputStream outer = new ZipInputStream(new ByteArrayInputStream(record));
        outer.getNextEntry();
        try (ZipInputStream zip = new ZipInputStream(outer)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                files.put(entry.getName(), Json.MAPPER.readTree(zip.readAllBytes()));
            }
        }
        return files;
    }

    /** A campaign is judged by the rules with which it started, so that its pages and its record agree. */
    @Test
    void theirRecordsStillSayWhatTheyPublished() throws IOException {
        int pairs = 0;
        for (PublishedEntry entry : PublishedEntry.all(RESULTS)) {
            if (entry.record().isEmpty()) {
                continue;
            }
            CampaignFolder read = CampaignRecord.read(RESULTS.resolve(entry.record()));
            Analysis judged = Analysis.of(read.campaign(), read.serverRuns());
            for (Analysis.Group group : judged.groups()) {
                Path file = RESULTS.resolve(entry.id()).resolve("tables/" + group.name() + "-verdicts.json");
                List<PairVerdict> now = judged.family().pairs().stream()
                        .filter(pair -> pair.contrast().group().equals(group.name()))
                        .toList();
                JsonNode rows = Json.MAPPER.readTree(file.toFile()).path("rows");
                assertThat(rows).as(file.toString()).hasSameSizeAs(now);
                for (int i = 0; i < now.size(); i++) {
                    assertThat(finite(now.get(i).ratio()))
                            .isCloseTo(rows.get(i).path("ratio").asDouble(Double.NaN), within(SEVEN_DIGITS));
                    assertThat(finite(now.get(i).low()))
                            .isCloseTo(rows.get(i).path("low").asDouble(Double.NaN), within(SEVEN_DIGITS));
                    assertThat(finite(now.get(i).high()))
                            .isCloseTo(rows.get(i).path("high").asDouble(Double.NaN), within(SEVEN_DIGITS));
                    pairs++;
                }
            }
        }
        assertThat(pairs).isGreaterThan(20);
    }

    /** Returns a number as its table has it, which has none for an interval without an end. */
    private static double finite(double number) {
        return Double.isInfinite(number) ? Double.NaN : number;
    }

    /** Each campaign is an A/A experiment. */
    @Test
    void theCountOfAaChecksIsTheirs() throws IOException {
        List<String> checks = new ArrayList<>();
        for (PublishedEntry entry : PublishedEntry.all(RESULTS)) {
            if (entry.pooled().isEmpty()) {
                Path table = RESULTS.resolve(entry.id()).resolve("tables/controls.json");
                Json.MAPPER
                        .readTree(table.toFile())
                        .path("rows")
                        .forEach(row -> checks.add(row.path("verdict").asText()));
            }
        }
        long failed = count(checks, AaCheck.BROKEN);
        String sentence = text(
                "%d of %d published A/A checks passed, %d inconclusive, %s failed",
                count(checks, AaCheck.HELD),
                checks.size(),
                count(checks, AaCheck.UNPROVEN),
                failed == 0 ? "none" : Long.toString(failed));
        Matcher found = Pattern.compile("\\d+ of \\d+ published A/A checks passed, \\d+ inconclusive, \\w+ failed")
                .matcher(Files.readString(PROOF));
        assertThat(found.find()).isTrue();
        assertIs(PROOF, found.replaceFirst(sentence));
    }

    private static long count(List<String> checks, AaCheck outcome) {
        return checks.stream().filter(outcome.name()::equals).count();
    }

    /** README's tables and chart are generated. Lines of its prose that link to a campaign must state its result. */
    @Test
    void readmeSaysWhatTheySay() throws IOException {
        ReadmeTables tables = new ReadmeTables(RESULTS);
        assertIs(ROOT.resolve("docs/containers.svg"), tables.chart().svg());
        String expected = replaced(Files.readString(README), "containers", tables.containers());
        expected = replaced(expected, "answers", tables.others());
        assertIs(README, expected);

        String prose =
                replaced(replaced(expected, "containers", ""), "answers", "").replaceAll("\\s+", " ");
        assertThat(PublishedEntry.all(RESULTS))
                .filteredOn(entry -> prose.contains("results/" + entry.id() + "/"))
                .allSatisfy(entry -> assertThat(prose).contains(entry.answer()));
    }

    /** Each container has a row, and so has each other question. */
    @Test
    void readmesTablesHaveAllContainersAndQuestions() throws IOException {
        ReadmeTables tables = new ReadmeTables(RESULTS);

        assertThat(tables.containers())
                .contains("|Undertow, default (16 threads)|", "|Jetty|", "|Tomcat NIO2|", "|Undertow, 200 threads|")
                .doesNotContain("NaN");
        assertThat(tables.containers().lines().findFirst().orElseThrow())
                .contains("|requests/s, AMD EPYC|requests/s, Intel Xeon|");
        assertThat(tables.others()).contains(" against undertow-200|");
        assertThat(tables.others()).contains("results/threads/", "results/migration/", "results/upgrade1/");
        assertThat(tables.others()).doesNotContain("results/quick", "results/containers", "NaN");
    }

    private static String replaced(String page, String table, String by) {
        Matcher found = Pattern.compile("(<!-- table: " + table + " -->\n)(?s:.*?)(<!-- end -->)")
                .matcher(page);
        assertThat(found.find()).as(table).isTrue();
        return found.replaceFirst("$1" + Matcher.quoteReplacement(by) + "$2");
    }
}
