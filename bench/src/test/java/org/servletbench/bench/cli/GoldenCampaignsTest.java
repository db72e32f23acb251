package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.report.Claims;
import org.servletbench.bench.report.JUnitXml;
import org.servletbench.bench.report.ReportPage;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.Spread;

/**
 * Real campaigns, and what came out of them when they were measured. {@code numbers} never change without a reason that the commit
 * gives; {@code texts} (console, pages, JUnit file, tables of words) may. To write them anew:
 *
 * <pre>mvn -o -q -pl .,bench -Pfast test -Dtest=GoldenCampaignsTest -Dsurefire.failIfNoSpecifiedTests=false -Dgolden=write</pre>
 *
 * and then look at {@code git diff}. See {@code src/test/resources/golden/README.md}.
 */
class GoldenCampaignsTest {

    private static final Path GOLDEN = Path.of(System.getProperty("bench.root"), "bench/src/test/resources/golden");
    private static final boolean WRITE = "write".equals(System.getProperty("golden"));

    static List<String> campaigns() throws IOException {
        try (Stream<Path> folders = Files.list(GOLDEN)) {
            return folders.filter(Files::isDirectory)
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
        Judgement judged = Judgement.of(read.campaign(), read.invocations());
        Map<String, String> numbers = new TreeMap<>();
        numbers.put("verdicts.csv", verdicts(judged));
        numbers.put("figures.csv", figures(judged));
        numbers.put("junit.txt", testCases(JUnitXml.of(Claims.of(judged))));
        ReportPage.of(read).files().forEach((file, content) -> {
            if (file.endsWith(".csv") && !isOfWords(file)) {
                numbers.put(file, content);
            }
        });
        check(GOLDEN.resolve(name).resolve("numbers"), numbers);
    }

    @ParameterizedTest
    @MethodSource("campaigns")
    void textsAreTheSame(String name) throws IOException {
        CampaignFolder read = CampaignFolder.read(GOLDEN.resolve(name).resolve("campaign"));
        Judgement judged = Judgement.of(read.campaign(), read.invocations());
        Map<String, String> texts = new TreeMap<>();
        texts.put("verdicts.xml", JUnitXml.of(Claims.of(judged)));
        StringWriter console = new StringWriter();
        VerdictText.print(read, judged, new PrintWriter(console, true));
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

    /** Marks and failures: sentences in columns. */
    private static boolean isOfWords(String table) {
        return table.matches("tables/(marks|failures).*");
    }

    private static String verdicts(Judgement judged) {
        StringBuilder lines = new StringBuilder(
                "group,load,metric,a,b,ratio,low,high,half width,detectable,n,bound,verdict,reason,void\n");
        Stream.concat(judged.family().pairs().stream(), judged.family().controls().stream())
                .map(pair -> line(judged, pair))
                .sorted()
                .forEach(lines::append);
        return lines.toString();
    }

    private static String line(Judgement judged, PairVerdict pair) {
        return Stream.of(
                                pair.claim().group(),
                                pair.claim().cell().id(),
                                pair.claim().metric().key(),
                                pair.claim().a(),
                                pair.claim().b(),
                                number(pair.ratio()),
                                number(pair.low()),
                                number(pair.high()),
                                number(pair.halfWidth()),
                                number(pair.detectable()),
                                pair.estimate().n(),
                                pair.bound(),
                                pair.verdict(),
                                pair.reason().map(Enum::name).orElse(""),
                                judged.family().isVoid())
                        .map(String::valueOf)
                        .collect(Collectors.joining(","))
                + "\n";
    }

    private static String figures(Judgement judged) {
        StringBuilder lines = new StringBuilder("group,load,metric,arm,mean,low,high,n\n");
        for (Judgement.Group group : judged.groups()) {
            for (Cell cell : judged.cells()) {
                for (Metric metric : Metric.values()) {
                    for (Arm arm : group.all()) {
                        Spread spread = judged.describe(arm, cell, metric);
                        if (spread.known()) {
                            lines.append(String.join(
                                            ",",
                                            group.name(),
                                            cell.id(),
                                            metric.key(),
                                            arm.id(),
                                            number(spread.mean()),
                                            number(spread.low()),
                                            number(spread.high()),
                                            String.valueOf(spread.n())))
                                    .append('\n');
                        }
                    }
                }
            }
        }
        return lines.toString();
    }

    /** Nine digits: what remains differs between orders of summation. */
    private static String number(double value) {
        return String.format(Locale.ROOT, "%.9g", value);
    }

    /** How many ended how, without what they say. */
    private static String testCases(String xml) {
        return xml.lines()
                .filter(line -> line.contains("<testsuite"))
                .map(line -> line.replaceAll(".*( tests=.*)>", "testsuite$1"))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** What people read on a page: a line for each paragraph and each row of a table. */
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

    /** CSV has CR LF; git keeps these files with LF. */
    private static void check(Path folder, Map<String, String> contents) throws IOException {
        contents.replaceAll((file, content) -> content.replace("\r\n", "\n"));
        if (WRITE) {
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
