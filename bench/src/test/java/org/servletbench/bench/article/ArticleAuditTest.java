package org.servletbench.bench.article;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.servletbench.bench.comparison.Comparison;
import org.servletbench.bench.measure.LittlesLaw;

/** A made-up article without a fault, and the same with one fault at a time. */
class ArticleAuditTest {

    private static final String CLEAN = """
            server: {boot: boot3}
            arms: {jetty: , undertow: }
            load:
              - {workloads: hello, tiers: [100, 400]}
            judge: [throughput]
            claims:
              - {says: "jetty is faster", order: jetty > undertow}
              - {says: "errors of jetty at 400 only", all: [{metric: errors, of: jetty, at: {tiers: 400}, at-least: 1%, at-most: 1%}, {metric: errors, of: undertow, at-most: 0.001%}]}
            published:
              title: "Two containers, measured with care"
              date: "never"
              language: en
              generator-on-same-host: false
              network: "10 Gbit/s"
              server-command: "java -Xmx2g -jar app.jar --server.port=8080"
              method: {ramp-up-s: 1, duration-s: 60}
              errors-column: percent
              figures:
                - {arm: jetty, workload: hello, users: 100, requests: 1200000, throughput-rps: 20000, latency-mean-ms: 5.0, latency-min-ms: 1, errors-printed: 0.0, response-mean-bytes: 100}
                - {arm: jetty, workload: hello, users: 400, requests: 1800000, throughput-rps: 30000, latency-mean-ms: 13.3, latency-min-ms: 1, errors-printed: 1.0, response-mean-bytes: 99.2}
                - {arm: undertow, workload: hello, users: 100, requests: 1140000, throughput-rps: 19000, latency-mean-ms: 5.26, latency-min-ms: 1, errors-printed: 0.0, response-mean-bytes: 100}
                - {arm: undertow, workload: hello, users: 400, requests: 1560000, throughput-rps: 26000, latency-mean-ms: 15.4, latency-min-ms: 1, errors-printed: 0.0, response-mean-bytes: 100}
              figures-in-text:
                - {arm: jetty, workload: hello, users: 100, latency-mean-ms: 5.0}
            """;

    @TempDir
    private Path folder;

    private List<AuditFinding> audit(String text) throws IOException {
        Comparison comparison = PublishedTest.read(
                Files.writeString(folder.resolve("clean.yaml"), text).toString());
        return ArticleAudit.of(comparison.claims(), PublishedTest.cells(comparison));
    }

    @Test
    void nothingIsFoundInACleanArticle() throws IOException {
        assertThat(audit(CLEAN)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            java -Xmx2g -jar app.jar   | java -jar app.jar -Xmx2g     | options-after-jar   | -Xmx2g are after the jar
            100, latency-mean-ms: 5.0} | 100, latency-mean-ms: 5.5}   | two-values          | latency-mean-ms of jetty, hello, 100 users: 5.0 in the table, 5.5 in the text
            duration-s: 60}             | duration-s: 60, one-run: true} | one-run             | no interval
            errors-printed: 1.0, response-mean-bytes: 99.2 | errors-printed: 0.2, response-mean-bytes: 85 | fraction-as-percent | by 15.00 %; 0.2 % of failures cannot do that, 20.00 % can
            order: jetty > undertow    | order: undertow > jetty      | claim-against-table | throughput of undertow, hello, 100 users / jetty, hello, 100 users = 0.9500, claimed above 1
            latency-mean-ms: 13.3      | latency-mean-ms: 11.0        | users-not-reached   | jetty, hello, 400 users: throughput x mean time = 330, not 400
            throughput-rps: 30000, latency-mean-ms: 13.3, latency-min-ms: 1, errors-printed: 1.0 | throughput-rps: 21000, latency-mean-ms: 19.05, latency-min-ms: 1, errors-printed: 0.0 | network-ceiling | jetty: 20000 to 21000 requests/s from 100 to 400 users
            """)
    void oneFaultAtATime(String was, String instead, String kind, String text) throws IOException {
        assertThat(CLEAN).contains(was);
        List<AuditFinding> findings = audit(CLEAN.replace(was, instead));
        assertThat(findings)
                .filteredOn(finding -> finding.kind().key().equals(kind))
                .singleElement()
                .extracting(AuditFinding::text)
                .asString()
                .contains(text)
                .doesNotContain("\n");
    }

    @Test
    void aLeaderThatNoClaimNames() throws IOException {
        String third = CLEAN.replace(
                "  figures-in-text",
                "    - {arm: tomcat-nio, workload: hello, users: 100, throughput-rps: 21000}\n  figures-in-text");
        assertThat(audit(third))
                .filteredOn(finding -> finding.kind() == FindingKind.LEADER_NOT_NAMED)
                .singleElement()
                .extracting(AuditFinding::text)
                .asString()
                .isEqualTo("tomcat-nio, hello, 100 users has the highest throughput, 21000.0 requests/s;"
                        + " the claims name jetty, undertow");
    }

    @Test
    void gapsAreHeldAgainstTheSpreadOfSingleRuns() throws IOException {
        String one = CLEAN.replace("duration-s: 60}", "duration-s: 60, one-run: true}");
        // 5.3 % and 15.4 %; two warm runs of a minute differ by 5.5 %, two cold ones by 13.9 %.
        assertThat(audit(one))
                .filteredOn(f -> f.kind() == FindingKind.GAP_TOO_SMALL)
                .hasSize(1);
        assertThat(audit(one.replace("throughput-rps: 19000", "throughput-rps: 18500")))
                .noneMatch(f -> f.kind() == FindingKind.GAP_TOO_SMALL);
        assertThat(audit(one.replace("throughput-rps: 19000", "throughput-rps: 18500")
                        .replace("one-run: true}", "one-run: true, cold: true}")))
                .filteredOn(f -> f.kind() == FindingKind.GAP_TOO_SMALL)
                .singleElement()
                .extracting(AuditFinding::text)
                .asString()
                .contains("8.1 % apart", "not warm", "up to 13.9 %");
    }

    @Test
    void aPauseRulesOnlyWhereThroughputFollowsIt() throws IOException {
        String paused = CLEAN.replace("duration-s: 60}", "duration-s: 60, max-pause-s: 1}");
        assertThat(audit(paused)).as("far above what a pause would allow").isEmpty();
        String followed = paused.replace(
                "throughput-rps: 20000, latency-mean-ms: 5.0", "throughput-rps: 198, latency-mean-ms: 5.0");
        assertThat(audit(followed))
                .filteredOn(f -> f.kind() == FindingKind.PAUSE_CEILING)
                .singleElement()
                .extracting(AuditFinding::text)
                .asString()
                .contains(
                        "198.0 requests/s; a mean pause of 0.5 s allows about 200, responses of 5 ms at most would allow 20000");
        assertThat(audit(followed))
                .as("rows above the ceiling contradict it, and are no evidence")
                .filteredOn(f -> f.kind() == FindingKind.ABOVE_PAUSE_CEILING)
                .extracting(AuditFinding::text)
                .anyMatch(text -> text.startsWith("undertow, hello, 100 users: 19000.0 requests/s"))
                .hasSize(3);
    }

    /** 9,000 pauses of siege, 0 or 1 s each, scatter by 2.1 % (95 %); of any length up to 1 s, by 1.2 %. */
    @Test
    void siegeSleepsWholeSeconds() throws IOException {
        String near = CLEAN.replace("duration-s: 60}", "duration-s: 60, max-pause-s: 1}")
                .replace(
                        "requests: 1200000, throughput-rps: 20000, latency-mean-ms: 5.0",
                        "requests: 9000, throughput-rps: 203, latency-mean-ms: 5.0");
        String siege = near.replace("method: {", "command: \"siege -c 100 http://127.0.0.1:8080/hello\"\n  method: {");
        assertThat(audit(near)).noneMatch(f -> f.kind() == FindingKind.PAUSE_CEILING);
        assertThat(audit(siege)).anyMatch(f -> f.kind() == FindingKind.PAUSE_CEILING);
    }

    /** wrk adds samples to its response times: Little's law says nothing of them. */
    @Test
    void responseTimesOfWrkTakePartInNothing() throws IOException {
        String wrong = CLEAN.replace("latency-mean-ms: 13.3", "latency-mean-ms: 11.0");
        assertThat(audit(wrong)).hasSize(1);
        assertThat(audit(wrong.replace("method: {", "command: wrk\n  method: {")))
                .isEmpty();
    }

    @Test
    void littlesLaw() {
        assertThat(LittlesLaw.concurrency(495.54, 99)).isCloseTo(49.06, within(0.005));
        assertThat(LittlesLaw.deviation(49, 100)).isCloseTo(0.51, within(1e-12));
        assertThat(LittlesLaw.ceiling(50, 0.5)).isEqualTo(100);
    }
}
