package org.servletbench.bench.whole;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.Mirror;
import org.servletbench.bench.article.ArticleReader;
import org.servletbench.bench.article.Treatment;
import org.servletbench.bench.host.Hosts;
import org.servletbench.bench.load.tool.CommandLineGenerator;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.report.ReproductionIndex;
import org.servletbench.bench.report.ReproductionPage;
import org.servletbench.bench.reproduce.ClaimVerdict;
import org.servletbench.bench.reproduce.Leg;
import org.servletbench.bench.reproduce.PublishedRun;
import org.servletbench.bench.reproduce.PublishedServer;
import org.servletbench.bench.reproduce.Reproduction;
import org.servletbench.bench.server.NginxSpec;

/** All four articles, run again as a trial with the real tools: every claim gets its verdict, and every page is there. */
class ReproduceIT {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();
    private static final ArticleReader ARTICLES = new ArticleReader(new ProfilesFolder(ROOT.resolve("profiles")));
    private static final ObjectMapper JSON = new ObjectMapper();

    /** With the article's settings, and the one that claims something of starts; the others with equalised settings. */
    private static final String AS_PUBLISHED = "ab-startup";

    /** Its servers run on another machine. */
    private static final String ELSEWHERE = "siege-threads";

    @TempDir
    static Path work;

    private static Path mirror;
    private static Hosts hosts;
    private static final Map<String, Path> folders = new TreeMap<>();

    /** In CI nothing is skipped. */
    @BeforeAll
    static void reproduce() throws Exception {
        if (!"true".equals(System.getenv("CI"))) {
            CommandLineGenerator.all().forEach(tool -> tool.missing().ifPresent(Assumptions::abort));
            NginxSpec.missing().ifPresent(Assumptions::abort);
        }
        mirror = Mirror.of(ROOT, work.resolve("root"));
        Files.writeString(mirror.resolve("profiles/jvm.options"), Mirror.MODEST_JVM);
        Mirror.set(mirror, "campaign.properties", Mirror.HASTY);
        // Six turns of ten times as long as 1500 users take are minutes, and longer on a busy machine: whole windows
        // take 2 s each.
        Mirror.set(mirror, "campaign.properties", Map.of("turn", "0s"));
        // Each with one treatment: the other one is the same code. Three at once, each with a lock of its own: siege
        // mostly
        // pauses, and no test looks at speed.
        hosts = new Hosts(work.resolve("hosts"), 1);
        List<Reproducing> others = List.of(
                start("jmeter", "jmeter-nio-apr-tiers", "--settings", "equalised"),
                start("wrk", "wrk-hello", "--settings", "equalised"));
        try {
            start(
                            "siege",
                            ELSEWHERE,
                            "--settings",
                            "equalised",
                            "--target-host",
                            "h1",
                            "--target-allow-remote",
                            "--ssh-config",
                            hosts.config().toString(),
                            "--host-jdk",
                            System.getProperty("java.home"))
                    .await();
            start("defaults", AS_PUBLISHED, "--settings", "defaults").await();
            for (Reproducing other : others) {
                other.await();
            }
        } finally {
            others.forEach(other -> other.process().destroyForcibly());
        }
    }

    /** A reproduction under way. */
    private record Reproducing(Process process, Path out, Path log) {

        void await() throws Exception {
            try {
                assertThat(process.waitFor(25, TimeUnit.MINUTES)).isTrue();
            } finally {
                process.destroyForcibly();
            }
            assertThat(process.exitValue()).as(Files.readString(log)).isZero();
            try (Stream<Path> list = Files.list(out)) {
                list.filter(folder -> Files.exists(folder.resolve(Reproduction.FILE)))
                        .forEach(folder -> folders.put(
                                folder.getFileName().toString().replaceFirst("-\\d{8}-\\d{6}$", ""), folder));
            }
        }
    }

    private static Reproducing start(String name, String... arguments) throws IOException {
        Path out = work.resolve(name);
        Path log = work.resolve(name + ".log");
        List<String> command = new ArrayList<>(
                List.of("reproduce", "--root", mirror.toString(), "--scale", "0.05", "--out", out.toString()));
        command.addAll(List.of(arguments));
        Path own = Files.createDirectory(work.resolve(name + "-tmp"));
        return new Reproducing(
                Mirror.rig(own, command).redirectOutput(log.toFile()).start(), out, log);
    }

    private static List<Treatment> treatments(String article) {
        return List.of(article.equals(AS_PUBLISHED) ? Treatment.ARTICLE : Treatment.EQUALISED);
    }

    private static List<Leg> legs(String article) {
        return treatments(article).stream()
                .flatMap(one -> article.equals(AS_PUBLISHED)
                        ? Stream.of(new Leg(one, false), new Leg(one, true))
                        : Stream.of(new Leg(one, false)))
                .toList();
    }

    @AfterAll
    static void unlink() throws IOException {
        Mirror.unlink(mirror);
        if (hosts != null) {
            hosts.close();
        }
    }

    private static Reproduction read(String article) throws IOException {
        return Reproduction.read(folders.get(article), ARTICLES);
    }

    private static List<PublishedRun> runs(Reproduction reproduction) {
        return reproduction.servers().stream()
                .flatMap(server -> server.runs().stream())
                .toList();
    }

    private static double figure(PublishedRun run, String key) {
        assertThat(run.trouble()).as(run.arm()).isEmpty();
        return run.figures().get(key);
    }

    @Test
    void onePageLinksAllArticles() throws IOException {
        List<Reproduction> all = new ArrayList<>();
        for (String article : folders.keySet()) {
            all.add(read(article));
        }
        String index = new ReproductionIndex(all).files().get("index.html");
        assertThat(all).hasSize(4).allSatisfy(one -> assertThat(index)
                .contains("<a href='" + one.header().id() + "/index.html'>"
                        + one.article().id() + "</a>"));
    }

    @Test
    void everyClaimHasAVerdictWithItsIntervalsOrAReason() throws IOException {
        List<ClaimVerdict> verdicts = new ArrayList<>();
        for (String article : folders.keySet()) {
            Reproduction read = read(article);
            assertThat(read.header().treatments()).containsExactlyElementsOf(treatments(article));
            for (Treatment one : read.header().treatments()) {
                verdicts.addAll(read.verdicts(one));
                index(article, read.verdicts(one));
            }
        }
        assertThat(verdicts).hasSize(5 + 5 + 4 + 3);
        assertThat(verdicts).allSatisfy(verdict -> {
            assertThat(verdict.reason()).isNotBlank();
            assertThat(verdict.parts()).allSatisfy(part -> {
                boolean interval = part.low() <= part.high();
                assertThat(interval || !part.reason().isBlank())
                        .as(part.toString())
                        .isTrue();
            });
        });
        assertThat(verdicts.stream().filter(verdict -> !verdict.parts().isEmpty()))
                .as("but siege's claim about a cause")
                .hasSize(5 + 5 + 3 + 3);
    }

    private static void index(String article, List<ClaimVerdict> verdicts) throws IOException {
        String index = Files.readString(folders.get(article).resolveSibling("index.html"));
        verdicts.forEach(verdict -> assertThat(index)
                .contains(verdict.claim()
                        .says()
                        .replace("&", "&amp;")
                        .replace("<", "&lt;")
                        .replace(">", "&gt;")
                        .replace("'", "&#39;")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"wrk-hello", "jmeter-nio-apr-tiers", "siege-threads", "ab-startup"})
    void thePageIsThereAndComesOutTheSameAgain(String article) throws IOException {
        Reproduction reproduction = read(article);
        assertThat(reproduction.header().troubles()).isEmpty();
        assertThat(reproduction.campaigns().keySet()).containsExactlyInAnyOrderElementsOf(legs(article));
        assertThat(reproduction.isComplete()).isTrue();
        reproduction.campaigns().forEach((leg, campaign) -> assertThat(
                        campaign.campaign().plan().settings())
                .isEqualTo(leg.treatment() == Treatment.ARTICLE ? "defaults" : "equalised"));
        Map<String, String> files = new ReproductionPage(reproduction).files();
        for (Map.Entry<String, String> file : files.entrySet()) {
            assertThat(folders.get(article).resolve(file.getKey())).hasContent(file.getValue());
        }
        String page = files.get("index.html");
        assertThat(page).contains("A trial at scale 0.05").doesNotContain(" src='http", " href='http");
        for (PublishedServer server : reproduction.servers()) {
            for (PublishedRun run : server.runs()) {
                assertThat(page).contains(String.join(" ", run.command()));
                run.links().forEach(link -> assertThat(
                                folders.get(article).resolve(server.folder()).resolve(link))
                        .isRegularFile());
            }
        }
        JsonNode claims =
                JSON.readTree(folders.get(article).resolve("claims.json").toFile());
        assertThat(claims.path("claims")).hasSameSizeAs(reproduction.article().claims());
        for (Leg leg : legs(article)) {
            assertThat(folders.get(article).resolve(leg.folder()).resolve("index.html"))
                    .isRegularFile();
            assertThat(page).contains("<a href='" + leg.folder() + "/index.html'>");
        }
    }

    @Test
    void wrkRunsAsPublishedAndTheJvmDoesNotSeeTheOptionsAfterItsJar() throws IOException {
        Reproduction reproduction = read("wrk-hello");
        assertThat(runs(reproduction)).hasSize(5).allSatisfy(run -> {
            assertThat(run.command()).contains("-t50", "-c400", "-d2s").anyMatch(word -> word.endsWith("/wrk"));
            assertThat(figure(run, "requests")).isPositive();
            assertThat(figure(run, "errors-printed")).isLessThan(1);
        });
        assertThat(reproduction.servers())
                .filteredOn(server -> !server.arm().equals("nginx"))
                .hasSize(4)
                .allSatisfy(server -> {
                    assertThat(server.arguments()).contains("-Xms2g", "-Xss256k");
                    JsonNode record = JSON.readTree(folders.get("wrk-hello")
                            .resolve(server.folder())
                            .resolve("server.json")
                            .toFile());
                    assertThat(record.path("jvm.options").toString()).doesNotContain("-Xms2g");
                });
        assertThat(reproduction.servers().stream()
                        .filter(server -> server.arm().equals("tomcat-apr"))
                        .findFirst()
                        .orElseThrow()
                        .proven()
                        .toString())
                .contains("Apr");
    }

    @Test
    void jmeterSendsEveryUsersLoopsAndTheTableHasAllItsColumns() throws IOException {
        Reproduction reproduction = read("jmeter-nio-apr-tiers");
        assertThat(runs(reproduction)).hasSize(8).allSatisfy(run -> {
            assertThat(figure(run, "requests")).isEqualTo(run.users());
            assertThat(run.figures())
                    .containsKeys(
                            "latency-mean-ms",
                            "latency-min-ms",
                            "latency-max-ms",
                            "latency-stdev-ms",
                            "errors-printed",
                            "throughput-rps",
                            "received-kib-s",
                            "sent-kib-s",
                            "response-mean-bytes");
        });
        assertThat(reproduction
                        .judgement(new Leg(Treatment.EQUALISED, false))
                        .orElseThrow()
                        .cells())
                .extracting(cell -> cell.generator() + " " + cell.tier())
                .containsExactly("jmeter 100", "jmeter 200", "jmeter 500", "jmeter 1500");
    }

    @Test
    void siegesPauseRulesItsFiguresAndItsAbsenceDoesNot() throws IOException {
        Reproduction reproduction = read("siege-threads");
        assertThat(runs(reproduction)).hasSize(18).allSatisfy(run -> {
            assertThat(run.command()).contains("-d1");
            // u users who pause half a second on average make 2u requests/s; chance and the first pauses may add some.
            assertThat(figure(run, "throughput-rps")).isLessThan(3.5 * run.users());
        });
        assertThat(reproduction.servers())
                .allSatisfy(server -> assertThat(server.threads()).isNotNull());
        assertThat(reproduction.servers().stream()
                        .filter(server -> server.arm().equals("jetty"))
                        .findFirst()
                        .orElseThrow()
                        .settings())
                .containsEntry("server.jetty.threads.acceptors", "1")
                .containsEntry("server.jetty.threads.selectors", "2")
                .containsEntry("server.jetty.threads.min", "200");
        assertThat(Files.readString(folders.get("siege-threads").resolve("index.html")))
                .contains("Threads by role: jetty, as published", "With and without the pause");
        assertThat(Files.readString(folders.get("siege-threads")
                        .resolve(Treatment.EQUALISED.folder())
                        .resolve("index.html")))
                .contains("What each generator measured", "iege-d1 pauses up to 1");
    }

    @Test
    void theServersOfAnArticleRanOnAnotherMachine() throws IOException {
        Reproduction reproduction = read(ELSEWHERE);
        assertThat(reproduction.header().hosts()).containsEntry("target.host", "h1");
        for (PublishedServer server : reproduction.servers()) {
            assertThat(JSON.readTree(folders.get(ELSEWHERE)
                                    .resolve(server.folder())
                                    .resolve("server.json")
                                    .toFile())
                            .path("host")
                            .asText())
                    .isEqualTo("h1");
        }
        reproduction.campaigns().values().forEach(campaign -> assertThat(
                        campaign.campaign().machine())
                .containsEntry(Campaign.TARGET, "h1"));
        assertThat(hosts.left(1)).isEmpty();
    }

    @Test
    void abCountsItsRequestsAndStartUpIsMeasured() throws IOException {
        Reproduction reproduction = read("ab-startup");
        assertThat(runs(reproduction)).hasSize(3).allSatisfy(run -> {
            assertThat(figure(run, "requests")).isEqualTo(500);
            assertThat(run.command()).containsSubsequence("-n", "500", "-c", "10");
        });
        assertThat(reproduction.servers()).allSatisfy(server -> assertThat(server.startUp())
                .containsKeys("ready", "jvm.memory.used", "jvm.classes.loaded", "jvm.threads.live"));
        ClaimVerdict memory = reproduction.verdicts(Treatment.ARTICLE).get(0);
        assertThat(memory.claim().id()).isEqualTo("memory-order");
        assertThat(memory.parts()).allSatisfy(part -> {
            assertThat(part.blocks()).isEqualTo(2);
            assertThat(part.low()).isLessThan(part.value());
        });
        assertThat(memory.reason()).contains("judged by the starts alone");
        Judgement starts =
                reproduction.judgement(new Leg(Treatment.ARTICLE, true)).orElseThrow();
        assertThat(starts.campaign().plan().isStartUp()).isTrue();
        assertThat(starts.chosen()).hasSize(2 * 3).allSatisfy(one -> {
            assertThat(one.startUp()).containsKeys("ready", "jvm.memory.used");
            assertThat(one.proven().get("jvm.options")).doesNotContain("AlwaysPreTouch");
        });
    }
}
