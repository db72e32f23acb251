package org.servletbench.bench.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.UsageException;

/** Tests claims as a file contains them. */
class ClaimSpecTest {

    private static final Path ROOT = Path.of(System.getProperty("bench.root"));
    private static final ProfilesFolder PROFILES = new ProfilesFolder(ROOT.resolve("profiles"));
    private static final List<MeasuredLoad> MEASURED_LOADS = List.of(
            new MeasuredLoad("hello", 50, 0, "gatling"),
            new MeasuredLoad("hello", 200, 0, "gatling"),
            new MeasuredLoad("static", 50, 0, "gatling"));

    @TempDir
    private Path folder;

    private Comparison read(String claim) throws IOException {
        Path file = Files.writeString(folder.resolve("mine.yaml"), """
                arms: {tomcat-nio: , jetty: , undertow: {against: undertow}, nginx: }
                load:
                  - {workloads: hello, users: [50, 200]}
                  - {workloads: static, users: 50}
                judge: [throughput, p99]
                claims:
                  - %s
                variants:
                  other: {judge: , claims: }
                """.formatted(claim));
        return Comparison.read(ROOT, file.toString(), Map.of(), PROFILES);
    }

    private Comparison ofFile(String content) throws IOException {
        Path file = Files.writeString(folder.resolve("other.yaml"), content);
        return Comparison.read(ROOT, file.toString(), Map.of(), PROFILES);
    }

    private ClaimSpec claim(String claim) throws IOException {
        return read(claim).claims().all().get(0);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            jetty is faster than tomcat-nio                            | FASTER       | throughput
            jetty is not slower than tomcat-nio in p99                 | NOT_SLOWER   | p99
            jetty is  equivalent to tomcat-nio                         | EQUIVALENT   | throughput
            """)
    void aSentence(String sentence, ClaimSpec.Relation relation, String metric) throws IOException {
        ClaimSpec claim = claim(sentence);
        assertThat(claim.says()).isEqualTo(sentence.replaceAll(" +", " "));
        assertThat(claim.parts()).singleElement().satisfies(part -> {
            assertThat(part.relation()).isEqualTo(relation);
            assertThat(part.metric()).isEqualTo(metric);
            assertThat(part.own()).as("judged by its verdict's interval").isFalse();
        });
        assertThat(claim.terms(MEASURED_LOADS)).hasSize(3);
    }

    /**
     * Each test widens all intervals, so a load may have its own metrics. A claim then only covers the loads that test
     * its metric.
     */
    @Test
    void aClaimIsAboutLoadsUnderWhichItsMetricIsJudged() throws IOException {
        String file = """
                arms: {tomcat-nio: , jetty: }
                load:
                  - {workloads: hello, users: 50}
                  - {workloads: hello, users: 8, pause: 100ms, judge: mean}
                judge: [cpu, alloc]
                margin: {mean: 10%%}
                claims:
                  - %s
                """;
        Comparison read = ofFile(file.formatted("jetty is not slower than tomcat-nio in mean"));
        assertThat(read.spec().judged().metrics()).containsExactly("cpu", "alloc", "mean");
        assertThat(read.loads()).extracting(LoadSpec::judge).containsExactly(List.of("cpu", "alloc"), List.of("mean"));
        assertThatThrownBy(() -> ofFile(
                        file.formatted("{metric: cpu, of: jetty, than: tomcat-nio, at: {users: 8}, at-most: 2}")))
                .hasMessageEndingWith("'claims.0': cpu is not judged under that load: add it to the load's judge");
        assertThatThrownBy(() -> ofFile("""
                arms: {tomcat-nio: , jetty: }
                load: [{users: 50, judge: cpu}]
                judge: alloc
                """))
                .hasMessageEndingWith("other.yaml:3: 'judge' would do nothing: each load has its own");
        assertThatThrownBy(() -> ofFile("""
                arms: {tomcat-nio: , jetty: }
                load: [{users: 50, judge: cpus}]
                """))
                .hasMessageEndingWith("'load.0.judge': there is no metric 'cpus': did you mean 'cpu'?");
    }

    @Test
    void anOrderIsARatioOfEachArmAndTheNext() throws IOException {
        ClaimSpec claim = claim("{order: jetty > tomcat-nio > nginx, at: {users: 200}}");
        assertThat(claim.parts()).extracting(ClaimSpec.Part::of).containsExactly("jetty", "tomcat-nio");
        assertThat(claim.parts()).extracting(ClaimSpec.Part::own).containsExactly(false, true);
        assertThat(claim.parts().get(0).accepts(1)).isFalse();
        assertThat(claim.parts().get(0).accepts(1.001)).isTrue();
        assertThat(claim.parts().get(0).claimed()).isEqualTo("above 0 %");
        assertThat(claim.terms(MEASURED_LOADS))
                .hasSize(2)
                .allMatch(term -> term.load().users() == 200);
        assertThat(claim("{order: jetty < tomcat-nio}").parts().get(0).of()).isEqualTo("tomcat-nio");
    }

    @Test
    void aFigureHasItsUnit() throws IOException {
        ClaimSpec claim = claim("{metric: p99, of: jetty, at-most: 0.05s, at: {workloads: hello, users: 50}}");
        assertThat(claim.parts().get(0).most()).isEqualTo(50);
        assertThat(claim.says()).isEqualTo("p99 of jetty is at most 50 ms, workloads hello, users 50");
        assertThat(claim.terms(MEASURED_LOADS)).hasSize(1);
        assertThat(claim("{metric: rss, of: jetty, at-most: 512m}")
                        .parts()
                        .get(0)
                        .most())
                .isEqualTo(512.0 * 1024 * 1024);
        assertThat(claim("{metric: errors, of: [jetty, undertow], at-most: 0.1%}")
                        .parts())
                .hasSize(2);
    }

    /** One arm under two loads. Workload and number of users are equal unless they are named. */
    @Test
    void aRatioOverTwoLoads() throws IOException {
        ClaimSpec claim = claim("{metric: mean, of: jetty, at: {users: 200}, than-at: {users: 50}, at-least: 2}");
        assertThat(claim.terms(MEASURED_LOADS)).singleElement().satisfies(term -> {
            assertThat(term.load()).isEqualTo(MEASURED_LOADS.get(1));
            assertThat(term.other()).isEqualTo(MEASURED_LOADS.get(0));
            assertThat(term.part().own()).isTrue();
        });
        assertThat(read("{of: jetty, at-least: 2, at: {users: 50}}").claims().ownIntervals(MEASURED_LOADS))
                .isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            jetty is quick                                        | mine.yaml:7: 'claims.0' is not understood: write ARM is
            jetty is faster than tomcat                           | 'claims.0': there is no arm 'tomcat': choose from tomcat-nio, jetty, undertow, nginx
            jetty is faster than jetty                            | 'claims.0' compares jetty with itself
            jetty is faster than undertow                         | 'claims.0': jetty and undertow are not compared: their baselines are tomcat-nio and undertow
            jetty is faster than tomcat-nio in cpu                | 'claims.0': cpu is not judged: add it to judge (throughput, p99)
            jetty is faster than tomcat-nio in p98                | 'claims.0': there is no metric 'p98': did you mean 'p9
            {of: jetty}                                           | 'claims.0' needs at-least or at-most
            {at-least: 2}                                         | 'claims.0' needs of, or order
            {of: jetty, at-least: 2, at-most: 1}                  | 'claims.0': at-least is above at-most
            {metric: p99, of: jetty, at-most: 50}                 | 'claims.0.at-most' is wrong: give a number above 0 with its unit, such as 50ms
            {of: jetty, than: tomcat-nio, at-most: 5ms}           | 'claims.0.at-most' is wrong: give a number above 0
            {of: jetty, than: tomcat-nio, metric: errors, at-most: 2} | 'claims.0': errors is a share that may be 0, which has no ratio
            {metric: ready, of: jetty, at-most: 2s}               | 'claims.0': ready is not measured under load: choose another metric, such as throughput, or a load of 'starts'
            {metric: capacity, of: jetty, at-least: 2}            | 'claims.0': capacity is measured only by a load with 'search-rate-under'
            {metric: alloc, of: nginx, at-most: 2k}               | 'claims.0': alloc of nginx is not measured: nginx is not a JVM
            nginx is not slower than jetty in heap                | 'claims.0': heap of nginx is not measured: nginx is not a JVM
            {metric: memory.peak, of: nginx, at-most: 512m}       | 'claims.0': memory.peak of nginx is not measured: nginx is not a JVM
            {metric: memory.peak, of: jetty, at-most: 512m}       | 'claims.0': memory.peak of jetty is not measured, because nothing limits its memory: set 'arms.jetty.memory' or 'server.memory'
            {of: jetty, at-most: 2, at: {users: 300}}             | 'claims.0.at.users': no load has 300
            {of: jetty, at-most: 2, at: {users: 200, workloads: static}} | no load has
            {of: jetty, at-most: 2, at: {starts: 3}}              | unknown key 'claims.0.at.starts'
            {of: jetty, most: 2}                                  | unknown key 'claims.0.most'
            {of: jetty, all: [{of: jetty, at-most: 2}]}           | 'claims.0.of' has no effect next to all: put it in its parts
            {order: jetty tomcat-nio}                             | 'claims.0.order' is wrong
            {order: jetty > tomcat-nio, at-least: 2}              | 'claims.0.order' is wrong
            """)
    void whatIsNoClaimIsRejected(String claim, String line) {
        assertThatThrownBy(() -> read(claim)).isInstanceOf(UsageException.class).hasMessageContaining(line);
    }

    /** A claim may only be about the figures that its kind of load measures. */
    @Test
    void aClaimIsOfWhatItsLoadGives() throws IOException {
        String starts = """
                arms: {tomcat-nio: , jetty: }
                load: [{starts: 3}]
                judge: [ready]
                claims: [jetty is not slower than tomcat-nio in %s]
                """;
        assertThat(ofFile(starts.formatted("ready")).claims().all()).hasSize(1);
        assertThatThrownBy(() -> ofFile(starts.formatted("throughput")))
                .isInstanceOf(UsageException.class)
                .hasMessageEndingWith(
                        "'claims.0': throughput is not measured by starts: choose from ready, ready.cpu, ready.rss,"
                                + " jvm.memory.used, jvm.classes.loaded, jvm.threads.live, peak, peak.cpu, peak.lost, warm, warm.cpu");
        assertThat(ofFile("""
                                server: {memory: 512m}
                                arms: {tomcat-nio: , jetty: , nginx: }
                                load: [{workloads: hello, users: 50}]
                                judge: [throughput]
                                claims:
                                  - {metric: memory.peak, of: jetty, at-most: 512m}
                                  - {metric: rss, of: nginx, at-most: 64m}
                                """).claims().all()).hasSize(2);
    }

    /** With pauses, throughput is fixed by the pauses. */
    @Test
    void wherePausesDecideThroughputOtherMetricsAreTested() throws IOException {
        String file = """
                arms: {tomcat-nio: , jetty: }
                load: [{workloads: hello, users: 50}%s]
                """;
        assertThat(ofFile(file.formatted("")).spec().judged().metrics()).containsExactly("throughput", "cpu");
        assertThat(ofFile(file.formatted(", {users: 50, pause: 20ms}"))
                        .spec()
                        .judged()
                        .metrics())
                .containsExactly("cpu", "alloc");
        assertThat(ofFile(file.formatted(", {users: 50, workloads: static, pause: 0s}"))
                        .spec()
                        .judged()
                        .metrics())
                .containsExactly("throughput", "cpu");
        assertThat(ofFile(file.formatted(", {users: 50, pause: exponential 20ms}") + "judge: throughput\n")
                        .spec()
                        .judged()
                        .metrics())
                .containsExactly("throughput");
    }

    @Test
    void aVariantReplacesKeysAndTakesThemAway() throws IOException {
        read("jetty is faster than tomcat-nio");
        String file = folder.resolve("mine.yaml").toString();
        Comparison other = Comparison.read(ROOT, file + ":other", Map.of(), PROFILES);
        assertThat(other.name()).isEqualTo("mine-other");
        assertThat(other.claims().all()).isEmpty();
        assertThat(other.spec().judged().metrics()).containsExactly("throughput", "cpu");
        assertThatThrownBy(() -> Comparison.read(ROOT, file + ":othr", Map.of(), PROFILES))
                .hasMessageEndingWith("has no variant 'othr': did you mean 'other'?");
        assertThatThrownBy(() -> Comparison.read(ROOT, "quick:other", Map.of(), PROFILES))
                .hasMessage("quick has no variant 'other'");
    }
}
