package org.servletbench.bench.article;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.servletbench.bench.comparison.ClaimSpec;
import org.servletbench.bench.comparison.Comparison;
import org.servletbench.bench.comparison.Published;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.ProfilesFolder;

/** The articles that ship. */
class PublishedTest {

    private static final Path ROOT = Path.of(System.getProperty("bench.root"));
    private static final ProfilesFolder PROFILES = new ProfilesFolder(ROOT.resolve("profiles"));

    static Comparison read(String name) {
        return Comparison.read(ROOT, name, Map.of(), PROFILES);
    }

    static List<Cell> cells(Comparison comparison) {
        return comparison.loads().stream()
                .flatMap(load -> load.cells().stream())
                .toList();
    }

    static Stream<String> articles() {
        return Comparison.names(ROOT).stream().filter(name -> name.startsWith("published/"));
    }

    /** The file and its variants, some of which judge other claims. */
    private static List<Comparison> all(String article) {
        return Stream.concat(Stream.of(article), Comparison.variants(ROOT, article).stream())
                .map(PublishedTest::read)
                .toList();
    }

    private static List<AuditFinding> audit(String article) {
        return all(article).stream()
                .flatMap(one -> ArticleAudit.of(one.claims(), cells(one)).stream())
                .distinct()
                .toList();
    }

    @ParameterizedTest
    @MethodSource("articles")
    void theAuditFindsWhatTheReaderFoundAndNothingElse(String article) {
        List<AuditFinding> findings = audit(article);
        assertThat(findings.stream().map(finding -> finding.kind().key()).distinct())
                .as(findings.toString())
                .containsExactlyInAnyOrderElementsOf(read(article).claims().published().audit().stream()
                        .map(Published.Note::finding)
                        .filter(finding -> !finding.isEmpty())
                        .toList());
    }

    /** The phrase and its reading are data. */
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

    private static String said(String article, FindingKind kind) {
        return String.join(
                "\n",
                audit("published/" + article).stream()
                        .filter(finding -> finding.kind() == kind)
                        .map(AuditFinding::text)
                        .toList());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            wrk-hello            | OPTIONS_AFTER_JAR   | -Xms2g -Xmx2g
            wrk-hello            | TWO_VALUES          | latency-mean-ms of undertow, hello, 400 users: 10.09 in the table, 18.46 in the text
            jmeter-nio-apr-tiers | FRACTION_AS_PERCENT | tomcat-apr, static, 1500 users
            jmeter-nio-apr-tiers | FRACTION_AS_PERCENT | 7.69 % can
            jmeter-nio-apr-tiers | CLAIM_AGAINST_TABLE | tomcat-nio, static, 100 users / tomcat-apr, static, 100 users = 1.178, claimed at least 0.909 and at most 1.1
            jmeter-nio-apr-tiers | CLAIM_AGAINST_TABLE | errors of tomcat-nio, static, 1500 users = 0.07690, claimed at most 0.05 %
            jmeter-nio-apr-tiers | USERS_NOT_REACHED   | tomcat-nio, static, 100 users: throughput x mean time = 49, not 100; 2.0 s of load, of which 1.0 s
            jmeter-nio-apr-tiers | NETWORK_CEILING     | tomcat-nio: 490 to 503 requests/s from 100 to 500 users; at 11478 bytes a response that is 46 Mbit/s over shared Wi-Fi
            siege-threads        | PAUSE_CEILING       | jetty, hello, 50 users: 96.25 requests/s; a mean pause of 0.5 s allows about 100
            siege-threads        | ABOVE_PAUSE_CEILING | tomcat-nio, hello, 80 users: 181.0 requests/s, 13.1 % above the 160
            siege-threads        | LEADER_NOT_NAMED    | tomcat-nio, hello, 100 users has the highest throughput, 209.1 requests/s
            ab-startup           | GAP_TOO_SMALL       | 1.4 % apart in single runs of 6.1 s on a JVM that was not warm
            ab-startup           | CLAIM_AGAINST_TABLE | 'undertow is clearly the fastest'
            virtual-threads-blocking | CONCURRENCY_LIMIT | jetty+virtual, delay, 3000 users: 200 requests at once (its limit) of 1.0 s allow 200 requests/s
            """)
    void whatTheFiguresShow(String article, FindingKind kind, String text) {
        assertThat(said(article, kind)).contains(text);
    }

    @Test
    void sixRowsOfSiegeAreItsPauseAndThreeContradictIt() {
        assertThat(said("siege-threads", FindingKind.PAUSE_CEILING).lines()).hasSize(6);
        assertThat(said("siege-threads", FindingKind.ABOVE_PAUSE_CEILING).lines())
                .hasSize(3);
        assertThat(said("jmeter-nio-apr-tiers", FindingKind.CLAIM_AGAINST_TABLE))
                .doesNotContain("errors of tomcat-apr");
    }

    /** The ratios that the articles print are those of their tables. */
    @ParameterizedTest
    @CsvSource({"wrk-hello, 1, 1.123", "wrk-hello, 2, 1.427", "wrk-hello, 3, 1.346", "jmeter-nio-apr-tiers, 2, 39.38"})
    void claimsHeldAgainstTheirOwnTable(String article, int claim, double ratio) {
        Comparison comparison = read("published/" + article);
        assertThat(comparison.claims().all().get(claim).terms(cells(comparison)))
                .singleElement()
                .satisfies(term -> assertThat(comparison.claims().published().value(term))
                        .isCloseTo(ratio, org.assertj.core.api.Assertions.within(0.005)));
    }
}
