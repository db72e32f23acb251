package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.servletbench.bench.Golden;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.report.Claims;
import org.servletbench.bench.report.JUnitXml;
import org.servletbench.bench.report.Outcomes;
import org.servletbench.bench.report.ReportPage;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.Spread;

/**
 * Compares real campaigns with the results that they had when they were measured. {@code numbers.json} never changes
 * without a reason in the commit message; {@code tables} of the page, and {@code texts} of one campaign (console, page,
 * JUnit file), may. To rewrite them:
 *
 * <pre>mvn -o -q -pl .,bench -Pfast test -Dtest=GoldenCampaignsTest -Dsurefire.failIfNoSpecifiedTests=false -Dgolden=write</pre>
 *
 * and then look at {@code git diff}. See {@code src/test/resources/golden/README.md}.
 */
class GoldenCampaignsTest {

    private static final Path GOLDEN = Golden.FOLDER;

    static List<String> campaigns() throws IOException {
        try (Stream<Path> folders = Files.list(GOLDEN)) {
            return folders.filter(folder -> Files.isDirectory(folder.resolve("campaign")))
                    .map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("campaigns")
    void numbersAreTheSame(String name) throws IOException {
        CampaignFolder read = CampaignFolder.read(GOLDEN.resolve(name).resolve("campaign"));
        assertThat(read.problems()).isEmpty();
        Analysis judged = Analysis.of(read.campaign(), read.serverRuns());
        Golden.check(
                GOLDEN.resolve(name).resolve("numbers.json"),
                Map.of(
                        "void", judged.family().isVoid(),
                        "pairs",
                                judged.family().pairs().stream()
                                        .map(GoldenCampaignsTest::pair)
                                        .toList(),
                        "controls",
                                judged.family().controls().stream()
                                        .map(GoldenCampaignsTest::pair)
                                        .toList(),
                        "figures", figures(judged),
                        "testCases", testCases(JUnitXml.of(Claims.of(judged)))));
    }

    /** Reading and writing a file changes nothing, so no value needs a special rule. */
    @ParameterizedTest
    @MethodSource("campaigns")
    void filesAreAsThisVersionWritesThem(String name) throws IOException {
        Path folder = GOLDEN.resolve(name).resolve("campaign");
        CampaignFolder read = CampaignFolder.read(folder);
        assertIsWritten(folder.resolve("campaign.json"), read.campaign());
        for (ServerRun one : read.serverRuns()) {
            assertIsWritten(folder.resolve(read.folder(one)).resolve("server-run.json"), one);
        }
    }

    private static void assertIsWritten(Path file, Object record) throws IOException {
        assertThat(Json.MAPPER.readTree(Json.MAPPER.writeValueAsBytes(record)))
                .as(file.toString())
                .isEqualTo(Json.MAPPER.readTree(file.toFile()));
    }

    @ParameterizedTest
    @MethodSource("campaigns")
    void tablesAreTheSame(String name) throws IOException {
        Map<String, String> tables = new TreeMap<>();
        ReportPage.of(CampaignFolder.read(GOLDEN.resolve(name).resolve("campaign")))
                .files()
                .forEach((file, content) -> {
                    if (file.endsWith(".csv") && !isOfWords(file)) {
                        tables.put(file.replaceFirst("tables/", ""), content);
                    }
                });
        check(GOLDEN.resolve(name).resolve("tables"), tables);
    }

    /** Compares the texts that people read of one campaign. */
    @Test
    void textsAreTheSame() throws IOException {
        String name = "closed";
        CampaignFolder read = CampaignFolder.read(GOLDEN.resolve(name).resolve("campaign"));
        Analysis judged = Analysis.of(read.campaign(), read.serverRuns());
        Map<String, String> texts = new TreeMap<>();
        texts.put("verdicts.xml", JUnitXml.of(Claims.of(judged)));
        StringWriter console = new StringWriter();
        VerdictText.print(read, Outcomes.of(read), "report: index.html", new PrintWriter(console, true));
        texts.put("console.txt", console.toString());
        ReportPage.of(read).files().forEach((file, content) -> {
            if (file.endsWith(".html")) {
                texts.put(file.replace(".html", ".txt"), words(content));
            } else if (file.endsWith(".csv") && isOfWords(file)) {
                texts.put(file, content);
            }
        });
        check(GOLDEN.resolve(name).resolve("texts"), texts);
    }

    /** True for tables of warnings and failures, which contain sentences. */
    private static boolean isOfWords(String table) {
        return table.matches("tables/(warnings|failures).*");
    }

    private static Map<String, Object> pair(PairVerdict pair) {
        Map<String, Object> numbers = new TreeMap<>();
        numbers.put("group", pair.contrast().group());
        numbers.put("load", pair.contrast().load().id());
        numbers.put("metric", pair.contrast().metric().key());
        numbers.put("a", pair.contrast().a());
        numbers.put("b", pair.contrast().b());
        numbers.put("ratio", pair.ratio());
        numbers.put("low", pair.low());
        numbers.put("high", pair.high());
        numbers.put("halfWidth", pair.halfWidth());
        numbers.put("detectable", pair.detectable());
        numbers.put("n", pair.estimate().n());
        numbers.put("bound", pair.bound());
        numbers.put("verdict", pair.verdict());
        numbers.put("reason", pair.reason().map(Enum::name).orElse(""));
        return numbers;
    }

    /** Returns figures by group, load, metric and arm. */
    private static Map<String, Object> figures(Analysis judged) {
        Map<String, Object> figures = new TreeMap<>();
        for (Analysis.Group group : judged.groups()) {
            for (MeasuredLoad load : judged.loads()) {
                for (Metric metric : Metric.values()) {
                    for (Arm arm : group.all()) {
                        Spread spread = judged.describe(arm, load, metric);
                        if (spread.known()) {
                            figures.put(
                                    String.join(" ", group.name(), load.id(), metric.key(), arm.id()),
                                    Map.of(
                                            "mean", spread.mean(),
                                            "low", spread.low(),
                                            "high", spread.high(),
                                            "n", spread.n()));
                        }
                    }
                }
            }
        }
        return figures;
    }

    /** Returns the number of test cases by outcome, without their messages. */
    private static List<String> testCases(String xml) {
        return xml.lines()
                .filter(line -> line.contains("<testsuite"))
                .map(line -> line.replaceAll(".*( tests=.*)>", "testsuite$1"))
                .toList();
    }

    /** Returns the text of a page as people read it: one line per paragraph and per table row. */
    private static String words(String html) {
        return html.replaceAll("(?s)<(style|script)\\b.*?</\\1>", "")
                .replaceAll("\\s+", " ")
                .replaceAll("</t[dh]>", " | ")
                .replaceAll(
                        "</?(p|h\\d|tr|li|div|section|summary|details|svg|dt|dd|text|title|caption|br)\\b[^>]*>", "\n")
                .replaceAll("<[^>]*>", "")
                .lines()
                .map(String::strip)
                .filter(Predicate.not(String::isEmpty))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** CSV has CR LF, but git keeps these files with LF. */
    private static void check(Path folder, Map<String, String> contents) throws IOException {
        contents.replaceAll((file, content) -> content.replace("\r\n", "\n"));
        if (Golden.WRITE) {
            for (Path old : files(folder)) {
                Files.delete(old);
            }
            for (Map.Entry<String, String> content : contents.entrySet()) {
                Path file = folder.resolve(content.getKey());
                Files.createDirectories(file.getParent());
                Files.writeString(file, content.getValue());
            }
        }
        for (Map.Entry<String, String> content : contents.entrySet()) {
            Path file = folder.resolve(content.getKey());
            assertThat(file).exists();
            assertThat(content.getValue()).as(file.toString()).isEqualTo(Files.readString(file));
        }
        assertThat(files(folder)).hasSize(contents.size());
    }

    private static List<Path> files(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }
}
