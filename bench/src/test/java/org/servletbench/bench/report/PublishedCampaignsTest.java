package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.servletbench.bench.model.Text.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CampaignRecord;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.verdict.PairVerdict;

/**
 * The campaigns in docs/results, as written by {@code publish}: their index, and the statements of README and docs/proof.md about them.
 * With {@code -Dwrite.page=true} index and table are rewritten.
 */
class PublishedCampaignsTest {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();
    private static final Path RESULTS = ROOT.resolve("docs/results");
    private static final Path PROOF = ROOT.resolve("docs/proof.md");
    private static final boolean WRITE = Boolean.getBoolean("write.page");

    /** Largest size of all campaigns, bytes. */
    private static final long MOST_BYTES = 6_000_000;

    private static final String TABLE = """
            | campaign | blocks | metric | load | ratio of two copies (90 % interval) | |
            |---|---|---|---|---|---|
            """;

    @Test
    void theIndexIsThatOfTheCampaignsBesideIt() throws IOException {
        Publication.Index index = new Publication.Index(Publication.entries(RESULTS));
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

    /** Campaigns of other days are pooled from them. */
    @Test
    void theirRecordsAreWhole() throws IOException {
        for (Publication.Entry entry : Publication.entries(RESULTS)) {
            if (!entry.record().isEmpty()) {
                CampaignFolder read = CampaignRecord.read(RESULTS.resolve(entry.record()));
                assertThat(read.campaign().id()).isEqualTo(entry.id());
                assertThat(read.completeBlocks()).isEqualTo(entry.blocks());
            }
        }
    }

    /** Nothing in them is read by a rule of its own. */
    @Test
    void theirRecordsAreAsThisVersionWritesThem() throws IOException {
        for (Publication.Entry entry : Publication.entries(RESULTS)) {
            if (!entry.record().isEmpty()) {
                Path record = RESULTS.resolve(entry.record());
                byte[] again = CampaignRecord.of(CampaignRecord.read(record));
                assertThat(json(again)).as(entry.id()).isEqualTo(json(Files.readAllBytes(record)));
            }
        }
    }

    /** Returns the content of each file; compressed bytes depend on the JDK. */
    private static Map<String, JsonNode> json(byte[] record) throws IOException {
        Map<String, JsonNode> files = new LinkedHashMap<>();
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(record))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                files.put(entry.getName(), Json.MAPPER.readTree(zip.readAllBytes()));
            }
        }
        return files;
    }

    /** A campaign is judged as when it started: its pages and its record agree. */
    @Test
    void theirRecordsStillSayWhatTheyPublished() throws IOException {
        int pairs = 0;
        for (Publication.Entry entry : Publication.entries(RESULTS)) {
            if (entry.record().isEmpty()) {
                continue;
            }
            CampaignFolder read = CampaignRecord.read(RESULTS.resolve(entry.record()));
            Judgement judged = Judgement.of(read.campaign(), read.invocations());
            for (Judgement.Group group : judged.groups()) {
                Path file = RESULTS.resolve(entry.id()).resolve("tables/" + group.name() + "-verdicts.json");
                List<PairVerdict> now = judged.family().pairs().stream()
                        .filter(pair -> pair.contrast().group().equals(group.name()))
                        .toList();
                JsonNode rows = Json.MAPPER.readTree(file.toFile()).path("rows");
                assertThat(rows).as(file.toString()).hasSameSizeAs(now);
                for (int i = 0; i < now.size(); i++) {
                    assertThat(now.get(i).ratio())
                            .isCloseTo(rows.get(i).path("ratio").asDouble(Double.NaN), within(1e-9));
                    assertThat(now.get(i).low())
                            .isCloseTo(rows.get(i).path("low").asDouble(Double.NaN), within(1e-9));
                    assertThat(now.get(i).high())
                            .isCloseTo(rows.get(i).path("high").asDouble(Double.NaN), within(1e-9));
                    pairs++;
                }
            }
        }
        assertThat(pairs).isGreaterThan(20);
    }

    /** Each is an A/A experiment. */
    @Test
    void theTableOfControlsIsTheirs() throws IOException {
        String table = Publication.entries(RESULTS).stream()
                .filter(entry -> !entry.control().isEmpty())
                .flatMap(PublishedCampaignsTest::controls)
                .collect(Collectors.joining("", TABLE, ""));
        Matcher found =
                Pattern.compile("\\| campaign \\|[^\n]*\n(\\|[^\n]*\n)+").matcher(Files.readString(PROOF));
        assertThat(found.find()).isTrue();
        assertIs(PROOF, found.replaceFirst(Matcher.quoteReplacement(table)));
    }

    private static Stream<String> controls(Publication.Entry entry) {
        try {
            JsonNode rows = Json.MAPPER
                    .readTree(RESULTS.resolve(entry.id())
                            .resolve("tables/controls.json")
                            .toFile())
                    .path("rows");
            return StreamSupport.stream(rows.spliterator(), false)
                    .map(row -> text(
                            "| [%s](results/%s/README.md) | %d | %s | %s | %s | %s |\n",
                            entry.id(),
                            entry.id(),
                            row.path("blocks").asInt(),
                            row.path("metric").asText(),
                            row.path("cell").asText(),
                            row.path("ratio").isNumber()
                                    ? text(
                                            "%.3f (%.3f to %.3f)",
                                            row.path("ratio").asDouble(),
                                            row.path("low").asDouble(),
                                            row.path("high").asDouble())
                                    : "no figures",
                            row.path("verdict").asText()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A line of README that links to a campaign states its result. */
    @Test
    void readmeSaysWhatTheySay() throws IOException {
        List<Publication.Entry> entries = Publication.entries(RESULTS);
        List<String> lines = Files.readAllLines(ROOT.resolve("README.md"));
        List<Publication.Entry> named = entries.stream()
                .filter(entry -> lines.stream().anyMatch(line -> line.contains("results/" + entry.id() + "/")))
                .toList();
        assertThat(named).isNotEmpty().allSatisfy(entry -> assertThat(
                        String.join(" ", lines).replaceAll("\\s+", " "))
                .contains(entry.answer()));
    }
}
