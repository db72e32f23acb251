package org.servletbench.bench.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.UsageException;

/** Tests the articles that servlet-bench contains. */
class PublishedTest {

    private static final Path ROOT = Path.of(System.getProperty("bench.root"));
    private static final ProfilesFolder PROFILES = new ProfilesFolder(ROOT.resolve("profiles"));

    @TempDir
    Path folder;

    static Comparison read(String name) {
        return Comparison.read(ROOT, name, Map.of(), PROFILES);
    }

    static List<MeasuredLoad> loads(Comparison comparison) {
        return comparison.loads().stream()
                .flatMap(load -> load.loads().stream())
                .toList();
    }

    static Stream<String> articles() {
        return Comparison.names(ROOT).stream().filter(name -> name.startsWith("published/"));
    }

    /** Returns the file and its variants, some of which judge other claims. */
    private static List<Comparison> all(String article) {
        return Stream.concat(Stream.of(article), Comparison.variants(ROOT, article).stream())
                .map(PublishedTest::read)
                .toList();
    }

    /** Each claim quotes the article, and states how it is read. */
    @ParameterizedTest
    @MethodSource("articles")
    void everyClaimHasItsPhraseAndItsReading(String article) {
        assertThat(all(article).stream().flatMap(one -> one.claims().all().stream()))
                .isNotEmpty()
                .allSatisfy(claim -> {
                    assertThat(claim.original()).isNotBlank();
                    assertThat(claim.reading()).isNotBlank();
                });
    }

    @Test
    void twentyClaims() {
        assertThat(articles()).hasSize(5);
        assertThat(articles()
                        .flatMap(article -> all(article).stream()
                                .flatMap(one -> Stream.concat(
                                        one.claims().all().stream().map(ClaimSpec::says),
                                        one.claims().published().untested().stream())))
                        .distinct())
                .hasSize(20);
    }

    /** Errors that a reader can find in the article's figures are described in the file. */
    @ParameterizedTest
    @MethodSource("articles")
    void whatItsFiguresShowIsSaid(String article) {
        assertThat(read(article).claims().published().audit()).isNotEmpty().allSatisfy(said -> assertThat(said)
                .isNotBlank());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            jmeter-nio-apr-tiers | throughput tomcat-nio static 100, throughput tomcat-nio static 200, errors tomcat-nio static 1500
            ab-startup | throughput undertow metrics 10
            wrk-hello |
            siege-threads |
            """)
    void aClaimAgainstItsOwnTableIsFound(String article, String expected) {
        Comparison comparison = read("published/" + article);
        Published published = comparison.claims().published();
        assertThat(comparison.claims().all().stream()
                        .flatMap(claim -> claim.terms(loads(comparison)).stream())
                        .filter(published::contradicts)
                        .map(term -> term.part().metric() + " " + term.part().of() + " "
                                + term.load().workload() + " " + term.load().users())
                        .distinct())
                .containsExactlyInAnyOrder(expected == null ? new String[0] : expected.split(", "));
    }

    /** Ratios that the articles print follow from their own tables. */
    @ParameterizedTest
    @CsvSource({"wrk-hello, 1, 1.123", "wrk-hello, 2, 1.427", "wrk-hello, 3, 1.346", "jmeter-nio-apr-tiers, 2, 39.38"})
    void claimsHeldAgainstTheirOwnTable(String article, int claim, double ratio) {
        Comparison comparison = read("published/" + article);
        assertThat(comparison.claims().all().get(claim).terms(loads(comparison)))
                .singleElement()
                .satisfies(term -> assertThat(comparison.claims().published().value(term))
                        .isCloseTo(ratio, org.assertj.core.api.Assertions.within(0.005)));
    }

    private static Published.Row row(String arm, Map<String, Double> values) {
        return new Published.Row(arm, "hello", 100, values);
    }

    private static Published table(Published.Row... rows) {
        return new Published("", "", "", null, "", "", "", List.of(rows), null, null, null, null);
    }

    @Test
    void figuresThatContradictEachOtherAreFound() {
        assertThat(table(
                                row("jetty", Map.of("latency-mean-ms", 20.0, "latency-max-ms", 15.5)),
                                row("a", Map.of("latency-mean-ms", 2.0, "latency-min-ms", 3.0)),
                                row("b", Map.of("requests", 9000.0, "throughput-rps", 100.0, "elapsed-s", 30.0)),
                                row("c", Map.of("requests", 3010.0, "throughput-rps", 100.0, "elapsed-s", 30.0)))
                        .contradictions())
                .containsExactly(
                        "jetty, hello, 100 users: the mean of 20 ms is above the slowest of 15.5 ms",
                        "a, hello, 100 users: the mean of 2 ms is below the fastest of 3 ms",
                        "b, hello, 100 users: so many requests at 100/s take 90.0 s, and not 30 s");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {arm: jety, workload: hello, users: 400, requests: 1} | published.figures.1.arm': there is no arm 'jety': choose from
            {arm: jetty, workload: hello, users: 400, requests: 1} | published.figures.1' is of the same arm and load as a row before it
            """)
    void eachRowIsOfAnArmAndLoadOfItsOwn(String row, String message) throws IOException {
        Path file = folder.resolve("article.yaml");
        java.nio.file.Files.writeString(file, """
                arms: {tomcat-nio: , jetty: }
                load: [{workloads: hello, users: 400}]
                published:
                  figures:
                    - {arm: jetty, workload: hello, users: 400, requests: 2}
                    - %s
                """.formatted(row));
        assertThatThrownBy(() -> read(file.toString()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(message);
    }
}
