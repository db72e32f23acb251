package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.ArticleReader;
import org.servletbench.bench.article.Figures;
import org.servletbench.bench.article.Quantity;
import org.servletbench.bench.article.Treatment;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Mark;
import org.servletbench.bench.model.MarkKind;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Invocation;
import org.servletbench.bench.reproduce.ClaimOutcome;
import org.servletbench.bench.reproduce.ClaimVerdict;
import org.servletbench.bench.reproduce.Leg;
import org.servletbench.bench.reproduce.PublishedRun;
import org.servletbench.bench.reproduce.PublishedServer;
import org.servletbench.bench.reproduce.Reproduction;

/** Articles against campaigns whose truth is known, and what the page says of them. */
class ReproductionPageTest {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();
    private static final ArticleReader ARTICLES = new ArticleReader(new ProfilesFolder(ROOT.resolve("profiles")));
    private static final List<Cell> HELLO = List.of(new Cell("hello", 400, 0, "wrk"));

    static Article article(String id) {
        return ARTICLES.read(ROOT.resolve("published"), id);
    }

    private static List<Arm> arms() {
        return List.of(
                Fixture.arm("tomcat-nio+boot2", "Tomcat NIO", "boot2", Arm.Role.BASELINE),
                Fixture.arm("tomcat-apr+boot2", "Tomcat APR", "boot2", Arm.Role.ARM),
                Fixture.arm("jetty+boot2", "Jetty", "boot2", Arm.Role.ARM),
                Fixture.arm("undertow+boot2", "Undertow", "boot2", Arm.Role.ARM),
                Fixture.arm("tomcat-nio+boot2-control", "Tomcat NIO", "boot2", Arm.Role.CONTROL),
                Fixture.arm("nginx", "nginx", "boot2", Arm.Role.REFERENCE));
    }

    static Fixture campaign() {
        return Fixture.seeded(3).blocks(10).spread(0.0015).arms(arms()).cells(HELLO);
    }

    static Reproduction reproduction(Article article, Fixture.Drawn drawn, String label) {
        return reproduction(article, Map.of(Treatment.EQUALISED, drawn), label);
    }

    private static Reproduction reproduction(Article article, Map<Treatment, Fixture.Drawn> drawn, String label) {
        return withLegs(
                article,
                drawn.entrySet().stream()
                        .collect(Collectors.toMap(one -> new Leg(one.getKey(), false), Map.Entry::getValue)),
                label);
    }

    private static Reproduction withLegs(Article article, Map<Leg, Fixture.Drawn> drawn, String label) {
        PublishedRun run = new PublishedRun(
                "",
                "jetty",
                "hello",
                400,
                "wrk",
                "4.1.0",
                List.of("wrk", "-t50", "-c400", label),
                1,
                Map.of("requests", 30_000.0, "throughput-rps", 1000.0, "latency-mean-ms", 100.0),
                Map.of(),
                List.of(),
                List.of("hello-400/wrk.out"),
                "");
        PublishedServer server = new PublishedServer(
                PublishedServer.FORMAT,
                "as-published/1-jetty",
                "jetty",
                label,
                List.of(),
                List.of("-Xms2g"),
                Map.of(),
                Map.of(),
                Map.of(),
                null,
                List.of(run),
                "");
        return new Reproduction(
                new Reproduction.Header(
                        Reproduction.Header.FORMAT,
                        "wrk-hello-1",
                        article.id(),
                        "2026-11-21T09:00:00Z",
                        "",
                        1,
                        Map.of("cores", "2", "memory.bytes", "25276502016"),
                        Map.of("jdk", "17", "wrk", "4.1.0"),
                        "none",
                        Arrays.stream(Treatment.values())
                                .filter(one -> drawn.containsKey(new Leg(one, false)))
                                .toList(),
                        null,
                        0.0,
                        null,
                        Map.of(),
                        List.of()),
                article,
                List.of(server),
                drawn.entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey,
                                one -> new CampaignFolder(
                                        one.getValue().campaign(),
                                        one.getValue().invocations(),
                                        Map.of(),
                                        List.of(),
                                        Optional.empty()))));
    }

    private static Map<String, ClaimOutcome> outcomes(Reproduction reproduction) {
        return outcomes(reproduction, Treatment.EQUALISED);
    }

    private static Map<String, ClaimOutcome> outcomes(Reproduction reproduction, Treatment treatment) {
        return reproduction.verdicts(treatment).stream()
                .collect(Collectors.toMap(verdict -> verdict.claim().id(), ClaimVerdict::outcome));
    }

    @Test
    void aCampaignInWhichTheArticleIsRightConfirmsIt() {
        Reproduction right = reproduction(
                article("wrk-hello"),
                campaign()
                        .speed("tomcat-apr+boot2", 1.12)
                        .speed("jetty+boot2", 1.43)
                        .speed("undertow+boot2", 1.34)
                        .draw(),
                "Jetty");
        assertThat(outcomes(right))
                .hasSize(5)
                .allSatisfy((id, outcome) -> assertThat(outcome).as(id).isEqualTo(ClaimOutcome.CONFIRMED));
    }

    @Test
    void aCampaignInWhichItIsWrongDoesNot() {
        Reproduction wrong = reproduction(
                article("wrk-hello"),
                campaign()
                        .speed("tomcat-apr+boot2", 0.9)
                        .speed("jetty+boot2", 1.1)
                        .speed("undertow+boot2", 1.2)
                        .speed("nginx", 1.1)
                        .draw(),
                "Jetty");
        assertThat(outcomes(wrong))
                .allSatisfy((id, outcome) -> assertThat(outcome).as(id).isEqualTo(ClaimOutcome.NOT_REPRODUCED_HERE));
    }

    @Test
    void aBrokenControlLeavesAllOpen() {
        Reproduction broken = reproduction(
                article("wrk-hello"),
                campaign().speed("tomcat-nio+boot2-control", 1.3).draw(),
                "Jetty");
        assertThat(outcomes(broken).values()).containsOnly(ClaimOutcome.UNDECIDABLE_HERE);
        assertThat(broken.verdicts(Treatment.EQUALISED))
                .allMatch(verdict -> verdict.reason().contains("void"));
    }

    /** The generator kept its processors busy while nginx answered: it is at least that fast. */
    @Test
    void nginxAtTheGeneratorsLimitIsStillAhead() {
        Fixture.Drawn drawn = campaign().draw();
        List<Invocation> limited = drawn.invocations().stream()
                .map(one -> one.arm().equals("nginx") ? marked(one) : one)
                .toList();
        Reproduction reproduction =
                reproduction(article("wrk-hello"), new Fixture.Drawn(drawn.campaign(), limited), "Jetty");
        assertThat(outcomes(reproduction)).containsEntry("nginx-gap", ClaimOutcome.CONFIRMED);
    }

    private static Invocation marked(Invocation invocation) {
        return marked(invocation, "generator-bottleneck", "the generator kept 0.99 processors busy");
    }

    private static Invocation marked(Invocation invocation, String check, String figures) {
        return with(
                invocation,
                invocation.cells().stream()
                        .map(result -> new CellResult(
                                result.cell(),
                                result.rounds(),
                                result.requests(),
                                result.errors(),
                                result.seconds(),
                                result.figures(),
                                result.rates(),
                                result.histogram(),
                                List.of(new Mark(MarkKind.of(check), figures, true)),
                                result.links(),
                                Double.NaN,
                                Map.of(),
                                null,
                                List.of(),
                                List.of()))
                        .toList(),
                invocation.marks());
    }

    private static Invocation with(Invocation one, List<CellResult> cells, List<Mark> marks) {
        return Fixture.with(one, one.outcome(), one.proven(), cells, marks);
    }

    private static final Leg LOAD = new Leg(Treatment.EQUALISED, false);
    private static final Leg STARTS = new Leg(Treatment.EQUALISED, true);

    private static Fixture metrics(int blocks) {
        return Fixture.seeded(5)
                .blocks(blocks)
                .spread(0.01)
                .arms(arms().subList(0, 5))
                .cells(List.of(new Cell("metrics", 10, 0, "ab")));
    }

    @Test
    void claimsOfAStartAreDecidedByTheStartsAlone() throws IOException {
        Article article = article("ab-startup");
        Map<Leg, Fixture.Drawn> both =
                Map.of(LOAD, metrics(10).draw(), STARTS, metrics(20).draw());
        Reproduction reproduction = withLegs(article, both, "Jetty");
        List<ClaimVerdict> verdicts = reproduction.verdicts(Treatment.EQUALISED);
        ClaimVerdict memory = verdicts.get(0);
        assertThat(memory.claim().id()).isEqualTo("memory-order");
        // All have the same memory, give or take 1 %.
        assertThat(memory.outcome()).isEqualTo(ClaimOutcome.UNDECIDABLE_HERE);
        assertThat(memory.reason()).contains("judged by the starts alone");
        assertThat(memory.parts()).hasSize(2).allSatisfy(part -> {
            assertThat(part.blocks()).isEqualTo(20);
            assertThat(part.low()).isBetween(0.9, 1.0);
            assertThat(part.high()).isBetween(1.0, 1.1);
        });
        assertThat(verdicts.get(1).reason()).doesNotContain("starts");
        assertThat(verdicts.get(1).parts())
                .allSatisfy(part -> assertThat(part.blocks()).isEqualTo(10));

        Map<String, String> files = new ReproductionPage(reproduction).files();
        assertThat(files.get("index.html"))
                .contains("blocks as it should be: 20 for starts with equalised and 10 with equalised")
                .contains("<a href='as-it-should-be-starts/index.html'>the campaign of starts alone</a>")
                .contains("here, as it should be (equalised, starts alone)");
        JsonNode claims = new ObjectMapper().readTree(files.get("claims.json")).path("claims");
        assertThat(claims.findValuesAsText("campaign"))
                .containsExactly("as-it-should-be-starts", "as-it-should-be", "as-it-should-be");
    }

    /** Servers of a load start together and disturb each other: they do not stand in for the starts. */
    @Test
    void withoutItsStartsAClaimOfAStartStaysOpen() {
        Reproduction reproduction =
                reproduction(article("ab-startup"), metrics(10).draw(), "Jetty");
        ClaimVerdict memory = reproduction.verdicts(Treatment.EQUALISED).get(0);
        assertThat(memory.outcome()).isEqualTo(ClaimOutcome.UNDECIDABLE_HERE);
        assertThat(memory.reason()).contains("jetty at start-up: was not measured", "judged by the starts alone");
        assertThat(new ReproductionPage(reproduction).files().get("index.html"))
                .doesNotContain("as-it-should-be-starts/");
    }

    /** Each campaign's control is its own. */
    @Test
    void voidStartsDecideNothingAndLeaveTheLoadAlone() {
        Fixture.Drawn fast =
                metrics(10).speed("undertow+boot2", 2).speed("jetty+boot2", 1.5).draw();
        Fixture.Drawn broken =
                metrics(20).speed("tomcat-nio+boot2-control", 1.5).draw();
        Map<String, ClaimVerdict> verdicts = withLegs(
                        article("ab-startup"), Map.of(LOAD, fast, STARTS, broken), "Jetty")
                .verdicts(Treatment.EQUALISED)
                .stream()
                .collect(Collectors.toMap(verdict -> verdict.claim().id(), verdict -> verdict));
        assertThat(verdicts.get("memory-order").outcome()).isEqualTo(ClaimOutcome.UNDECIDABLE_HERE);
        assertThat(verdicts.get("memory-order").reason()).contains("the campaign of starts is void");
        assertThat(verdicts.get("speed-order").outcome()).isEqualTo(ClaimOutcome.CONFIRMED);
    }

    @Test
    void theSameFilesGiveTheSameBytesAndTextStaysText() throws IOException {
        Reproduction reproduction =
                reproduction(article("wrk-hello"), campaign().draw(), Fixture.HOSTILE_LABEL + Fixture.HOSTILE_WORKLOAD);
        Map<String, String> files = new ReproductionPage(reproduction).files();
        assertThat(new ReproductionPage(reproduction).files()).isEqualTo(files);
        String page = files.get("index.html");
        assertThat(page)
                .contains("Content-Security-Policy", "-Xms2g", "What differs")
                .doesNotContain(Fixture.HOSTILE_WORKLOAD, "<img src=x", " src='http", " href='http");
        JsonNode claims = new ObjectMapper().readTree(files.get("claims.json"));
        assertThat(claims.path("claims")).hasSize(5);
        assertThat(claims.path("claims")
                        .get(0)
                        .path("verdicts")
                        .get(0)
                        .path("parts")
                        .get(0)
                        .path("low")
                        .isNumber())
                .isTrue();

        String index = new ReproductionIndex(List.of(reproduction)).files().get("index.html");
        assertThat(index).contains("href='wrk-hello-1/index.html'", "Of 5 claims");
    }

    /** What is on the page of the article's own figures: theirs, the audit's findings, versions against ours. */
    @Test
    void theirsAndOursStandSideBySide() {
        String page = new ReproductionPage(
                        reproduction(article("wrk-hello"), campaign().draw(), "Jetty"))
                .files()
                .get("index.html");
        assertThat(page).contains("42,193", "here, as published", "here, as it should be", "options after jar");
        assertThat(page).contains("9.4.14.v20181114", "CentOS 7.6");
    }

    private static Fixture right() {
        return campaign()
                .speed("tomcat-apr+boot2", 1.12)
                .speed("jetty+boot2", 1.43)
                .speed("undertow+boot2", 1.34);
    }

    /** With the article's settings it is right, with equalised ones it is not: two verdicts, each named by its treatment. */
    @Test
    void eachTreatmentHasItsOwnVerdictAndTheArticlesComesFirst() throws IOException {
        Reproduction both = reproduction(
                article("wrk-hello"),
                Map.of(
                        Treatment.ARTICLE, right().draw(),
                        Treatment.EQUALISED, right().speed("jetty+boot2", 1.1).draw()),
                "Jetty");
        assertThat(outcomes(both, Treatment.ARTICLE)).containsEntry("jetty-gain", ClaimOutcome.CONFIRMED);
        assertThat(outcomes(both, Treatment.EQUALISED)).containsEntry("jetty-gain", ClaimOutcome.NOT_REPRODUCED_HERE);

        Map<String, String> files = new ReproductionPage(both).files();
        String page = files.get("index.html");
        String claim = page.substring(page.indexOf("jetty is about 43 %"));
        assertThat(claim.indexOf("Confirmed</span> with the article&#39;s treatment (settings defaults)"))
                .isBetween(0, claim.indexOf("Not reproduced here</span> with equalised settings"));
        JsonNode verdicts = new ObjectMapper()
                .readTree(files.get("claims.json"))
                .path("claims")
                .get(2)
                .path("verdicts");
        assertThat(verdicts.get(0).path("settings").asText()).isEqualTo("defaults");
        assertThat(verdicts.get(0).path("outcome").asText()).isEqualTo("CONFIRMED");
        assertThat(verdicts.get(1).path("settings").asText()).isEqualTo("equalised");
        assertThat(verdicts.get(1).path("outcome").asText()).isEqualTo("NOT_REPRODUCED_HERE");
        assertThat(new ReproductionIndex(List.of(both)).files().get("index.html"))
                .contains("With the article&#39;s treatment: Of 5 claims", "With equalised settings: Of 5 claims");
    }

    @Test
    void phraseReadingAndDisclaimersStandBesideTheClaim() throws IOException {
        Map<String, String> files = new ReproductionPage(
                        reproduction(article("wrk-hello"), campaign().draw(), "Jetty"))
                .files();
        assertThat(files.get("index.html"))
                .contains(
                        "<q lang='zh'>43% 左右的性能提升</q>",
                        "Read as: About; some 10 points either way.",
                        "from 1.330 to 1.530",
                        "Others seem to get somewhat different results",
                        "Tried here with equalised settings only");
        assertThat(new ObjectMapper()
                        .readTree(files.get("claims.json"))
                        .path("claims")
                        .get(2)
                        .path("original")
                        .asText())
                .isEqualTo("43% 左右的性能提升");
    }

    /** The limit that may explain a claim stands beside it, as the running servers were found to have it. */
    @Test
    void howManyRequestsEachServerServesAtOnceIsNamed() {
        Fixture.Drawn drawn = right().draw();
        assertThat(new ReproductionPage(reproduction(article("wrk-hello"), drawn, "Jetty"))
                        .files()
                        .get("index.html"))
                .doesNotContain("Requests served at once");
        List<Invocation> counted = drawn.invocations().stream()
                .map(one -> Fixture.proven(one, "served.at-once", one.arm().startsWith("jetty") ? "200" : "no limit"))
                .toList();
        assertThat(new ReproductionPage(reproduction(
                                article("wrk-hello"), new Fixture.Drawn(drawn.campaign(), counted), "Jetty"))
                        .files()
                        .get("index.html"))
                .contains("Requests served at once", "jetty 200, ", "undertow no limit");
    }

    /** A few disturbed servers are noise; where they are many the verdicts are of a busy machine, and the page says so. */
    @Test
    void verdictsOfABusyMachineSaySo() {
        Fixture.Drawn drawn = right().draw();
        for (int blocks : List.of(2, 3)) {
            List<Invocation> disturbed = drawn.invocations().stream()
                    .map(one -> one.block() <= blocks
                            ? with(
                                    one,
                                    Fixture.marked(one, List.of(Mark.of(MarkKind.DISTURBED, "took 30 %"))),
                                    one.marks())
                            : one)
                    .toList();
            String page = new ReproductionPage(
                            reproduction(article("wrk-hello"), new Fixture.Drawn(drawn.campaign(), disturbed), "Jetty"))
                    .files()
                    .get("index.html");
            String line = "other programs or the host took processors from " + 6 * blocks + " of 60 servers under load";
            assertThat(page.contains(line)).as(blocks + " of 10 blocks").isEqualTo(blocks == 3);
        }
    }

    /** The generator was at its limit in one block: the arm is a floor in all of them, and its fast blocks are not left out. */
    @Test
    void oneBlockAtTheGeneratorsLimitMakesAFloorOfAll() {
        Fixture.Drawn drawn = right().draw();
        List<Invocation> limited = drawn.invocations().stream()
                .map(one -> one.arm().equals("jetty+boot2") && one.block() == 3 ? marked(one) : one)
                .toList();
        Reproduction reproduction =
                reproduction(article("wrk-hello"), new Fixture.Drawn(drawn.campaign(), limited), "Jetty");
        ClaimVerdict gain = reproduction.verdicts(Treatment.EQUALISED).get(2);
        assertThat(gain.parts().get(0).blocks()).isEqualTo(10);
        assertThat(gain.parts().get(0).high()).isInfinite();
        assertThat(gain.outcome()).isEqualTo(ClaimOutcome.UNDECIDABLE_HERE);
        assertThat(gain.reason()).contains("is a floor, so much at least: the generator kept 0.99 processors busy");
        assertThat(outcomes(reproduction)).containsEntry("order", ClaimOutcome.CONFIRMED);
    }

    /** Jetty looks slow in the blocks in which it was not warm: without them the claim holds, and the page says so. */
    @Test
    void aVerdictThatServersStillGettingFasterChangeSaysSo() {
        Fixture.Drawn warm = right().draw();
        Fixture.Drawn cold = right().speed("jetty+boot2", 0.9).draw();
        List<Invocation> mixed = new java.util.ArrayList<>();
        for (int i = 0; i < warm.invocations().size(); i++) {
            Invocation one = warm.invocations().get(i);
            boolean rising = one.arm().equals("jetty+boot2") && one.block() <= 5;
            mixed.add(
                    rising
                            ? rising(cold.invocations().stream()
                                    .filter(other -> other.arm().equals(one.arm()) && other.block() == one.block())
                                    .findFirst()
                                    .orElseThrow())
                            : one);
        }
        Reproduction reproduction =
                reproduction(article("wrk-hello"), new Fixture.Drawn(warm.campaign(), mixed), "Jetty");
        assertThat(outcomes(reproduction)).containsEntry("jetty-gain", ClaimOutcome.UNDECIDABLE_HERE);
        assertThat(reproduction
                        .tried(Treatment.EQUALISED)
                        .withoutRising()
                        .get(2)
                        .outcome())
                .isEqualTo(ClaimOutcome.CONFIRMED);
        assertThat(new ReproductionPage(reproduction).files().get("index.html"))
                .contains("Without servers that were still getting faster: confirmed.");
        assertThat(reproduction(article("wrk-hello"), warm, "Jetty")
                        .tried(Treatment.EQUALISED)
                        .withoutRising())
                .isEmpty();
    }

    private static Invocation rising(Invocation invocation) {
        return with(
                invocation,
                invocation.cells(),
                List.of(new Mark(MarkKind.WARM_UP, "the server was still getting faster", false)));
    }

    /** JMeter did not keep its users busy in one block: throughput is a floor, and response times are known in no block. */
    @Test
    void whereJMeterFallsShortOfLittlesLawResponseTimesDecideNothing() {
        List<Cell> tiers = Stream.of(100, 200, 500, 1500)
                .map(users -> new Cell("static", users, 0, "jmeter"))
                .toList();
        Fixture.Drawn drawn =
                campaign().speed("tomcat-apr+boot2", 0.8).cells(tiers).draw();
        List<Invocation> short1500 = drawn.invocations().stream()
                .map(one -> one.arm().equals("tomcat-nio+boot2") && one.block() == 2
                        ? marked(one, "littles-law", "X R = 1016.0, N = 1500")
                        : one)
                .toList();
        Reproduction reproduction =
                reproduction(article("jmeter-nio-apr-tiers"), new Fixture.Drawn(drawn.campaign(), short1500), "NIO");
        Map<String, ClaimVerdict> verdicts = reproduction.verdicts(Treatment.EQUALISED).stream()
                .collect(Collectors.toMap(verdict -> verdict.claim().id(), verdict -> verdict));
        assertThat(verdicts.get("high-tier").outcome()).isEqualTo(ClaimOutcome.NOT_REPRODUCED_HERE);
        assertThat(verdicts.get("high-tier").parts().get(0).blocks()).isEqualTo(10);
        assertThat(verdicts.get("latency-grows").outcome()).isEqualTo(ClaimOutcome.UNDECIDABLE_HERE);
        assertThat(verdicts.get("latency-grows").parts().get(0).blocks()).isZero();
        assertThat(verdicts.get("latency-grows").reason()).contains("X R = 1016.0, N = 1500");
    }

    @Test
    void responseTimesOfWrkAreNotObserved() {
        Reproduction reproduction =
                reproduction(article("wrk-hello"), campaign().draw(), "Jetty");
        Figures block =
                reproduction.tried(Treatment.EQUALISED).observed().blocks().get(1);
        assertThat(block.values().values()).isNotEmpty().allSatisfy(figures -> assertThat(figures.keySet())
                .contains(Quantity.THROUGHPUT)
                .noneMatch(metric -> metric.key().startsWith("latency-")));
    }

    // ---- several generators ----

    private static Fixture.Drawn twoGenerators(double jettyByAb, int blocks, double spread) {
        Fixture.Drawn drawn = Fixture.seeded(11)
                .blocks(blocks)
                .spread(spread)
                .arms(List.of(
                        Fixture.arm("tomcat-nio", "Tomcat NIO", "boot3", Arm.Role.BASELINE),
                        Fixture.arm("jetty", "Jetty", "boot3", Arm.Role.ARM)))
                .speed("jetty", 1.2)
                .cells(List.of(new Cell("hello", 100, 0, "wrk"), new Cell("hello", 100, 0, "ab")))
                .draw();
        return new Fixture.Drawn(
                drawn.campaign(),
                drawn.invocations().stream()
                        .map(one -> one.arm().equals("jetty")
                                ? with(
                                        one,
                                        one.cells().stream()
                                                .map(result -> slower(result, jettyByAb))
                                                .toList(),
                                        one.marks())
                                : one)
                        .toList());
    }

    private static CellResult slower(CellResult result, double factor) {
        if (!result.cell().generator().equals("ab")) {
            return result;
        }
        Map<String, Double> figures = new java.util.TreeMap<>(result.figures());
        figures.computeIfPresent("throughput", (key, value) -> value * factor);
        return new CellResult(
                result.cell(),
                result.rounds(),
                result.requests(),
                result.errors(),
                result.seconds(),
                figures,
                result.rates(),
                result.histogram(),
                result.marks(),
                result.links(),
                Double.NaN,
                Map.of(),
                null,
                List.of(),
                List.of());
    }

    private static String crossCheck(Fixture.Drawn drawn) {
        String page = drawn.page().files().get("index.html");
        return page.contains("id='cross-check'") ? page.substring(page.indexOf("id='cross-check'")) : "";
    }

    @Test
    void generatorsStandBesideEachOtherWithoutAVerdictOnThem() {
        assertThat(crossCheck(twoGenerators(0.6, 10, 0.01)))
                .contains("is not tested", "Throughput to baseline")
                .doesNotContain("They contradict", "They agree");
        Map<String, String> files = twoGenerators(0.6, 10, 0.01).page().files();
        String csv = files.entrySet().stream()
                .filter(file -> file.getKey().matches("tables/cross-check-.*csv"))
                .findFirst()
                .orElseThrow()
                .getValue();
        assertThat(csv).startsWith("generator,arm,ratio,low,high,throughput,");
        assertThat(csv.lines())
                .anyMatch(row -> row.matches("wrk,Jetty,1\\.\\d+,.*"))
                .anyMatch(row -> row.matches("ab,Jetty,0\\.\\d+,.*"));
    }

    @Test
    void oneGeneratorNeedsNoCrossCheck() {
        assertThat(crossCheck(campaign().draw())).isEmpty();
    }
}
