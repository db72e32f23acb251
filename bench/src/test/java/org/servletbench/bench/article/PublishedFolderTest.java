package org.servletbench.bench.article;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.servletbench.bench.model.ProfilesFolder;

/** The articles of {@code published/}: each can be read, and the audit of its figures finds what a reader found. */
public class PublishedFolderTest {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();
    static final Path FOLDER = ROOT.resolve("published");
    static final ArticleReader READER = new ArticleReader(new ProfilesFolder(ROOT.resolve("profiles")));

    public static Stream<Article> articles() {
        return READER.readAll(FOLDER).stream();
    }

    public static Article article(String id) {
        return READER.read(FOLDER, id);
    }

    /** What a finding is about: its kind, and the claim if there is one. */
    private static String about(FindingKind kind, String claim) {
        return kind + (claim.isEmpty() ? "" : " " + claim);
    }

    @ParameterizedTest
    @MethodSource("articles")
    void theAuditFindsWhatTheReaderFoundAndNothingElse(Article article) {
        List<AuditFinding> findings = ArticleAudit.of(article);
        assertThat(findings.stream()
                        .map(finding -> about(finding.kind(), finding.claim()))
                        .distinct())
                .as(findings.toString())
                .containsExactlyInAnyOrderElementsOf(article.audit().stream()
                        .filter(note -> note.finding() != null)
                        .map(note -> about(note.finding(), note.claim()))
                        .toList());
    }

    @Test
    void twentyClaims() {
        assertThat(articles().map(Article::id))
                .contains(
                        "wrk-hello", "jmeter-nio-apr-tiers", "siege-threads", "ab-startup", "virtual-threads-blocking");
        assertThat(Stream.of(
                                "wrk-hello",
                                "jmeter-nio-apr-tiers",
                                "siege-threads",
                                "ab-startup",
                                "virtual-threads-blocking")
                        .mapToInt(id -> article(id).claims().size()))
                .containsExactly(5, 5, 4, 3, 3);
    }

    /** The phrase and its reading are data; so are the authors' disclaimers. */
    @Test
    void everyClaimHasItsPhraseAndItsReading() {
        assertThat(articles().flatMap(article -> article.claims().stream()))
                .hasSize(20)
                .allSatisfy(claim -> {
                    assertThat(claim.original()).isNotBlank();
                    assertThat(claim.reading()).isNotBlank();
                });
        assertThat(article("wrk-hello").claims().get(2).original()).isEqualTo("43% 左右的性能提升");
        assertThat(article("siege-threads").claims().get(2).original()).contains("非常に近い");
        assertThat(article("wrk-hello").disclaimers()).hasSize(2);
        assertThat(article("jmeter-nio-apr-tiers").disclaimers()).containsExactly("Called rough conclusions (粗略结论).");
        assertThat(article("ab-startup").disclaimers()).hasSize(2);
        assertThat(article("virtual-threads-blocking").claims())
                .extracting(Article.Claim::original)
                .containsExactly("差了 15 倍", "Jetty 在虚拟线程模式下的表现,跟没开虚拟线程几乎一样", "from its summary");
    }

    /** What the article says of NIO is not held against APR. */
    @Test
    void growthIsClaimedOfNioOnly() {
        assertThat(article("jmeter-nio-apr-tiers").claims().get(2).statement().cells())
                .extracting(Point::arm)
                .containsOnly("tomcat-nio");
    }

    /** Settings differ from the article's everywhere here: each claim is tried with both. */
    @ParameterizedTest
    @MethodSource("articles")
    void bothTreatmentsDifferInTheServersSettingsOnly(Article article) {
        RerunPlan theirs = Treatment.ARTICLE.plan(article);
        RerunPlan ours = Treatment.EQUALISED.plan(article);
        assertThat(Treatment.ARTICLE.isOf(article)).isTrue();
        assertThat(theirs.settings()).isEqualTo("defaults");
        assertThat(theirs.serverProperties()).isEqualTo(article.asPublished().serverProperties());
        assertThat(ours.settings()).isEqualTo("equalised");
        assertThat(theirs.loads()).isEqualTo(ours.loads());
        assertThat(theirs.with(ours, ours.options())).isEqualTo(ours);
    }

    /** The article's versions, equal limits, the newest versions: each has its own verdicts. */
    @Test
    void virtualThreadsAreTriedThreeTimes() {
        Article article = article("virtual-threads-blocking");
        assertThat(article.figures()).isEqualTo(Figures.NONE);
        assertThat(Treatment.values()).allMatch(one -> one.isOf(article));
        assertThat(Treatment.ARTICLE.plan(article).options()).containsEntry("boot4.version", "4.0.1");
        assertThat(Treatment.NEWEST.plan(article).options())
                .isEqualTo(Map.of("delay", "1s", "turn", "0s", "warmup", "6s", "startup.blocks", "5"));
        assertThat(Treatment.NEWEST.plan(article).settings()).isEqualTo("defaults");
        assertThat(Treatment.EQUALISED.plan(article).serverProperties())
                .containsEntry("server.jetty.threads.max", "4000");
        assertThat(Treatment.ARTICLE.described(article))
                .isEqualTo(
                        "the article's treatment (settings defaults, boot4.jetty.version 12.1.5, boot4.tomcat.version"
                                + " 11.0.15, boot4.version 4.0.1)");
        assertThat(Treatment.NEWEST.isOf(article("wrk-hello"))).isFalse();
    }

    /** The figures are not known; the limit follows from what is: 200 at once, a second each. */
    @Test
    void virtualThreads() {
        assertThat(said("virtual-threads-blocking", FindingKind.CONCURRENCY_LIMIT)
                        .lines())
                .containsExactly(
                        "tomcat-nio+virtual delay 3000 users: 3000 requests at once (all users) of 1.0 s allow 3000 requests/s;"
                                + " jetty+virtual delay 3000 users: 200 requests at once (its limit) of 1.0 s allow 200 requests/s",
                        "jetty+virtual delay 3000 users: 200 requests at once (its limit) of 1.0 s allow 200 requests/s;"
                                + " jetty delay 3000 users: 200 requests at once (its limit) of 1.0 s allow 200 requests/s");
    }

    private static String said(String article, FindingKind kind) {
        return String.join(
                "\n",
                ArticleAudit.of(article(article)).stream()
                        .filter(finding -> finding.kind() == kind)
                        .map(AuditFinding::text)
                        .toList());
    }

    @Test
    void wrkHello() {
        assertThat(said("wrk-hello", FindingKind.OPTIONS_AFTER_JAR)).contains("-Xms2g", "-Xss256k");
        assertThat(said("wrk-hello", FindingKind.TWO_VALUES)).contains("undertow", "10.09", "18.46");
    }

    @Test
    void jmeterTiers() {
        String id = "jmeter-nio-apr-tiers";
        assertThat(said(id, FindingKind.FRACTION_AS_PERCENT))
                .contains("tomcat-apr static 1500 users", "by 11.16 %", "11.44 % can", "7.69 % can");
        assertThat(said(id, FindingKind.CLAIM_AGAINST_TABLE))
                .contains(
                        "503.02",
                        "512.16",
                        "= 1.178, claimed from 0.909 to 1.100",
                        "tomcat-nio static 1500 users has 0.0769 %")
                .doesNotContain("tomcat-apr static 1500 users has");
        assertThat(said(id, FindingKind.USERS_NOT_REACHED))
                .contains(
                        "tomcat-nio static 100 users: throughput x mean time = 49, not 100; 2.0 s of load, of which 1.0 s");
        assertThat(said(id, FindingKind.NETWORK_CEILING))
                .contains("tomcat-nio: 490 to 503 requests/s from 100 to 500 users", "46 Mbit/s over shared Wi-Fi");
    }

    @Test
    void siegeThreads() {
        assertThat(said("siege-threads", FindingKind.PAUSE_CEILING))
                .contains("jetty hello 50 users: 96.25 requests/s; a mean pause of 0.5 s allows about 100,"
                        + " responses of 5 ms at most would allow 10000")
                .hasLineCount(6)
                .doesNotContain("163.35", "181.0", "209.1");
        assertThat(said("siege-threads", FindingKind.ABOVE_PAUSE_CEILING).lines())
                .containsExactly(
                        "undertow hello 80 users: 163.35 requests/s, 2.1 % above the 160 that a mean pause of 0.5 s allows:"
                                + " it contradicts the ceiling",
                        "tomcat-nio hello 80 users: 181.0 requests/s, 13.1 % above the 160 that a mean pause of 0.5 s allows:"
                                + " it contradicts the ceiling",
                        "tomcat-nio hello 100 users: 209.1 requests/s, 4.5 % above the 200 that a mean pause of 0.5 s allows:"
                                + " it contradicts the ceiling");
        assertThat(said("siege-threads", FindingKind.LEADER_NOT_NAMED).lines())
                .hasSize(2)
                .anyMatch(line -> line.startsWith("tomcat-nio hello 80 users has the highest throughput, 181.0"))
                .anyMatch(line -> line.startsWith("tomcat-nio hello 100 users has the highest throughput, 209.1"));
    }

    @Test
    void abStartUp() {
        assertThat(said("ab-startup", FindingKind.GAP_TOO_SMALL))
                .contains("1.4 % apart", "7.0 % apart", "runs of 6.1 s on a JVM that was not warm");
    }

    private static String command(String id, int load, int users) {
        RerunPlan plan = article(id).asPublished();
        return String.join(
                " ",
                plan.tool()
                        .orElseThrow()
                        .command(
                                plan.loads().get(load).toolLoad(URI.create("http://127.0.0.1:8080/x"), users),
                                Path.of("/")));
    }

    /** The words that we add name files; the others are the article's. */
    @Test
    void theCommandsAreThePublishedOnes() {
        assertThat(command("wrk-hello", 0, 400)).isEqualTo("wrk -t50 -c400 -d30s -s /done.lua http://127.0.0.1:8080/x");
        assertThat(command("siege-threads", 0, 80))
                .isEqualTo("siege -R /siege.rc -c80 -r2000 -t120S -d1 http://127.0.0.1:8080/x");
        assertThat(command("ab-startup", 0, 10))
                .isEqualTo("ab -q -n 10000 -c 10 -e /ab.percentiles.csv -g /ab.requests.tsv http://127.0.0.1:8080/x");
        assertThat(article("jmeter-nio-apr-tiers").asPublished().tool()).isEmpty();
    }

    /** Held against their own table; empty: the article prints no figures that would decide it. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            wrk-hello,            order,            true
            wrk-hello,            apr-gain,         true
            wrk-hello,            jetty-gain,       true
            wrk-hello,            undertow-gain,    true
            wrk-hello,            nginx-gap,
            jmeter-nio-apr-tiers, low-tiers,        false
            jmeter-nio-apr-tiers, high-tier,        true
            jmeter-nio-apr-tiers, latency-grows,    true
            jmeter-nio-apr-tiers, min-stable,       true
            jmeter-nio-apr-tiers, errors-apr,       false
            siege-threads,        high-load,        true
            siege-threads,        low-load,         true
            siege-threads,        payload-order,
            siege-threads,        monitoring,
            ab-startup,           memory-order,     true
            ab-startup,           speed-order,      true
            ab-startup,           undertow-clearly, false
            virtual-threads-blocking, tomcat-15-times,
            virtual-threads-blocking, jetty-no-gain,
            virtual-threads-blocking, startup-similar,
            """)
    void claimsAgainstTheirOwnTable(String id, String claim, Boolean holds) {
        Article article = article(id);
        assertThat(article.claims().stream()
                        .filter(one -> one.id().equals(claim))
                        .findFirst()
                        .orElseThrow()
                        .statement()
                        .holds(article.figuresWithErrorShares()))
                .isEqualTo(Optional.ofNullable(holds));
    }
}
