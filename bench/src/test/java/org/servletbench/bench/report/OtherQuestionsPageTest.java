package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Size;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.RateOutcome;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.record.WarmStart;
import org.servletbench.bench.verdict.Bound;
import org.servletbench.bench.verdict.NoVerdictReason;

/** Tests pages of campaigns with fixed rates, small heaps, and arms of several Spring Boot versions. */
class OtherQuestionsPageTest {

    static final MeasuredLoad SLOW = new MeasuredLoad("hello", 0, 500, "gatling");
    static final MeasuredLoad FAST = new MeasuredLoad("hello", 0, 2000, "gatling");

    private static Arm arm(String id, String label, String group, Arm.Role role) {
        return Fixture.arm(id, label, group, role);
    }

    private static String page(Map<String, String> files) {
        return files.get(ReportPage.INDEX).replaceAll("[\\s\u00a0]+", " ");
    }

    @Test
    void costAndResponseTimesStandAgainstTheRate() {
        Map<String, String> files =
                Fixture.seeded(5).loads(List.of(SLOW, FAST)).draw().page().files();

        assertThat(page(files))
                .contains("Cost and response times at fixed rates")
                .contains("requests/s that were sent")
                .contains("Requests start at the rate, whatever the server does");
        assertThat(files.entrySet())
                .anySatisfy(file -> assertThat(file.getKey()).contains("rates-boot3"));
        assertThat(page(Fixture.seeded(5)
                        .loads(List.of(new MeasuredLoad("hello", 100, 0, "gatling")))
                        .draw()
                        .page()
                        .files()))
                .doesNotContain("at fixed rates");
    }

    private static Fixture.Drawn rates(UnaryOperator<ServerRun> changed) {
        Fixture.Drawn drawn = Fixture.seeded(5)
                .arms(List.of(
                        arm("tomcat-nio", "Tomcat NIO", "boot3", Arm.Role.BASELINE),
                        arm("jetty", "Jetty", "boot3", Arm.Role.ARM),
                        arm("tomcat-nio-control", "Tomcat NIO", "boot3", Arm.Role.CONTROL)))
                .loads(List.of(FAST))
                .speed("jetty", 0.5)
                .draw();
        return new Fixture.Drawn(
                drawn.campaign(), drawn.serverRuns().stream().map(changed).toList());
    }

    /** These figures are not missing: the server was too slow, or failed requests, in some or all blocks. */
    @Test
    void whoDoesNotHoldTheRateIsNamed() {
        for (int block : List.of(0, 3)) {
            for (WarningKind ofServer : List.of(WarningKind.OFFERED_RATE, WarningKind.ERRORS)) {
                assertThat(page(rates(of("jetty", block, ofServer)).page().files()))
                        .as(ofServer.key() + block)
                        .contains("Only Tomcat NIO holds the rate. Jetty did not hold the rate.")
                        .contains("<span>Holds the rate</span>")
                        .doesNotContain("no usable figures", "nothing to compare");
            }
        }
        assertThat(page(rates(of("jetty", 0, WarningKind.LOG_COMPLETE)).page().files()))
                .contains("Nothing is judged. Jetty has no usable figures.");
        assertThat(page(rates(of("jetty", 2, WarningKind.OFFERED_RATE, WarningKind.DISTURBED))
                        .page()
                        .files()))
                .contains("not known: other programs took the processors");
    }

    /**
     * A damaged log does not count against a server, nor does a block whose second attempt succeeded. Errors while
     * other programs took the processors do not prove that it is too slow; but without such blocks, only those in which
     * it was fast would remain.
     */
    @Test
    void whatIsNotTheServersDoingLeavesItsOtherBlocks() {
        Fixture.Drawn damaged = rates(of("jetty", 2, WarningKind.LOG_COMPLETE));
        assertThat(damaged.analysis().values(jetty(damaged), FAST, Metric.CPU))
                .doesNotContainKey(2)
                .hasSizeGreaterThan(1);
        Fixture.Drawn disturbed = rates(of("jetty", 2, WarningKind.ERRORS, WarningKind.DISTURBED));
        assertThat(RateOutcome.of(disturbed.analysis(), jetty(disturbed), FAST)).isEqualTo(RateOutcome.DISTURBED);
        assertThat(disturbed.analysis().barred(jetty(disturbed), FAST)).contains(NoVerdictReason.NOT_HELD);
        Fixture.Drawn withCookies = rates(of("jetty", 2, WarningKind.ERRORS, WarningKind.COOKIES_LOST));
        assertThat(RateOutcome.of(withCookies.analysis(), jetty(withCookies), FAST))
                .as("cookies excuse nothing")
                .isEqualTo(RateOutcome.NO);

        Fixture.Drawn clean = rates(one -> one);
        List<ServerRun> twice = new ArrayList<>(clean.serverRuns());
        clean.serverRuns().stream()
                .filter(one -> one.arm().equals("jetty") && one.block() == 2)
                .map(one -> with(
                        one,
                        "the connection was lost",
                        List.of(),
                        List.of(Warning.of(WarningKind.SERVER_FAILED, "lost"))))
                .forEach(twice::add);
        Analysis analysis = Analysis.of(clean.campaign(), twice);
        assertThat(RateOutcome.of(analysis, jetty(clean), FAST)).isEqualTo(RateOutcome.YES);
    }

    private static Arm jetty(Fixture.Drawn drawn) {
        return drawn.campaign().arm("jetty");
    }

    /**
     * The cost of an arm's requests is known, but not their duration, which includes delays of the generator, or is
     * truncated.
     */
    @ParameterizedTest
    @EnumSource(
            value = WarningKind.class,
            names = {"LATE_REQUESTS", "CUT_RESPONSES"})
    void timesThatAreNotTheServersTakePartInNoVerdict(WarningKind kind) {
        Analysis clean = rates(one -> one).analysis();
        Analysis late = rates(of("jetty", 2, kind)).analysis();
        assertThat(bounds(clean)).containsEntry(Metric.P99, Bound.EXACT).containsEntry(Metric.CPU, Bound.EXACT);
        assertThat(bounds(late)).containsEntry(Metric.P99, Bound.NONE).containsEntry(Metric.CPU, Bound.EXACT);
    }

    private static Map<Metric, Bound> bounds(Analysis analysis) {
        Map<Metric, Bound> bounds = new HashMap<>();
        for (Metric metric : List.of(Metric.P99, Metric.CPU)) {
            analysis.pairs(analysis.groups().get(0), FAST, metric).forEach(pair -> bounds.put(metric, pair.bound()));
        }
        return bounds;
    }

    @Test
    void theFirstScreenHasNoPercentileThatAFewRequestsDecide() {
        String column = "<b>p50</b><small>ms</small>";
        assertThat(page(Fixture.seeded(5)
                        .oneGroup()
                        .loads(List.of(SLOW))
                        .draw()
                        .page()
                        .files()))
                .contains(column);
        // 15 requests per server: fewer than ten are slower than the median.
        MeasuredLoad few = new MeasuredLoad("hello", 0, 0.5, "gatling");
        assertThat(page(Fixture.seeded(5)
                        .oneGroup()
                        .loads(List.of(few))
                        .draw()
                        .page()
                        .files()))
                .doesNotContain(column)
                .contains("<b>CPU</b>");
    }

    @Test
    void armsOfSeveralLinesAreLabelledAsAChangeOfBoth() {
        List<Arm> arms = List.of(
                migrating(arm("undertow", "Undertow", "boot3", Arm.Role.BASELINE)),
                migrating(arm("jetty+boot4", "Jetty", "boot4", Arm.Role.ARM)),
                migrating(arm("undertow-control", "Undertow", "boot3", Arm.Role.CONTROL)));
        String page = page(Fixture.seeded(6).arms(arms).draw().page().files());

        assertThat(page)
                .contains("compared: a change of framework and container")
                .contains("Arms of boot3 and boot4 are compared")
                .contains("Jetty (boot4)");
    }

    @Test
    void whatServersStartedWithIsTold() {
        Fixture.Drawn drawn = Fixture.seeded(5).oneGroup().draw();
        for (Map.Entry<String, String> way : Map.of(
                        "aot", "start with an AOT cache (JDK 25, JEP 483, 514, 515)",
                        "cds", "start with a CDS archive (JEP 350)")
                .entrySet()) {
            Campaign campaign =
                    started(drawn.campaign(), WarmStart.named(way.getKey()).orElseThrow(), Map.of("aot-caches", "3"));
            assertThat(page(ReportPage.of(new CampaignFolder(
                                    campaign,
                                    drawn.serverRuns(),
                                    Map.of(),
                                    List.of(),
                                    Optional.empty(),
                                    Optional.empty()))
                            .files()))
                    .contains(
                            "Servers " + way.getValue(),
                            way.getKey().equals("aot") ? " with AOT caches ·" : " with CDS archives ·",
                            way.getKey().equals("aot")
                                    ? "; 3 trained AOT caches for each arm in 10 blocks: intervals hold for these, and another"
                                    : "load over loopback.</p>");
            assertThat(differences(drawn.campaign(), campaign)).anyMatch(what -> what.startsWith("warm start of "));
        }
        assertThat(page(drawn.page().files())).doesNotContain("Servers start with");
        Campaign brief = trained(drawn.campaign(), "10s");
        assertThat(differences(brief, trained(drawn.campaign(), "40s")))
                .as("other trainings are other profiles")
                .anyMatch(what -> what.startsWith("warm start of "));
        assertThat(differences(brief, trained(drawn.campaign(), "10s"))).isEmpty();
    }

    @Test
    void waysToStartAreCompared() {
        Fixture small = Fixture.seeded(5).small().blocks(4);
        Fixture.Drawn plain = small.draw();
        List<Arm> arms = plain.campaign().arms().stream()
                .filter(arm -> arm.role() != Arm.Role.CONTROL)
                .flatMap(arm -> Stream.of(
                        Fixture.like(arm, arm.group(), arm.id(), arm.label(), WarmStart.NONE),
                        Fixture.like(
                                arm, arm.group(), arm.id() + "-cds", arm.label() + " with CDS archive", WarmStart.CDS)))
                .toList();
        Fixture.Drawn drawn = small.arms(arms).draw();
        Campaign campaign = asked(drawn.campaign(), Map.of("aot-caches", "3"));
        String page = page(ReportPage.of(new CampaignFolder(
                        campaign, drawn.serverRuns(), Map.of(), List.of(), Optional.empty(), Optional.empty()))
                .files());

        assertThat(page)
                .contains(
                        "Arms with a CDS archive have classes that were parsed", "Arms without an archive run the jar")
                .contains("Jetty with CDS archive")
                .doesNotContain(" with CDS archives ·", "Servers start with", "AOT cache");
        assertThat(differences(plain.campaign(), campaign))
                .as("those without an archive started as they do alone")
                .containsExactly("the arms");
    }

    private static List<String> differences(Campaign one, Campaign other) {
        return new Differences(Analysis.of(one, List.of()), Analysis.of(other, List.of())).all();
    }

    private static Campaign trained(Campaign campaign, String training) {
        return started(campaign, WarmStart.AOT, Map.of("aot-caches", "3", "aot-training", training));
    }

    private static Campaign started(Campaign campaign, WarmStart way, Map<String, String> asked) {
        return Fixture.with(
                campaign,
                campaign.arms().stream()
                        .map(arm -> Fixture.like(arm, arm.group(), arm.id(), arm.label(), way))
                        .toList(),
                campaign.conditions().with(asked));
    }

    private static Arm migrating(Arm arm) {
        return Fixture.like(arm, "migration", arm.id(), arm.label() + " (" + arm.line() + ")", arm.warmStart());
    }

    @Test
    void theSmallestHeapThatHoldsTheRateIsNamed() {
        assertThat(page(heaps().files()))
                .contains("The smallest of these heaps that holds hello at 500/s: Tomcat NIO 256m and Jetty 512m.")
                .contains("Tomcat NIO and Jetty compared with heaps of 512m and 256m")
                .contains("Resident memory is the largest VmRSS");
    }

    /**
     * Returns a page on which Jetty does not hold the rate with the small heap: it did not reach the rate in one block.
     */
    static ReportPage heaps() {
        return heaps(List.of(SLOW), of("jetty-256m", 2, WarningKind.OFFERED_RATE));
    }

    private static ReportPage heaps(List<MeasuredLoad> loads, UnaryOperator<ServerRun> changed) {
        List<Arm> arms = new ArrayList<>();
        for (String heap : List.of("512m", "256M")) {
            arms.add(heap(arm("tomcat-nio", "Tomcat NIO", "boot3", Arm.Role.BASELINE), heap));
            arms.add(heap(arm("jetty", "Jetty", "boot3", Arm.Role.ARM), heap));
            arms.add(heap(arm("tomcat-nio-control", "Tomcat NIO", "boot3", Arm.Role.CONTROL), heap));
        }
        return heaps(arms, loads, changed);
    }

    /** @param changed changes server runs, or returns null for those that did not take place */
    private static ReportPage heaps(List<Arm> arms, List<MeasuredLoad> loads, UnaryOperator<ServerRun> changed) {
        Fixture.Drawn drawn =
                Fixture.seeded(7).arms(arms).loads(loads).blocks(4).draw();
        return ReportPage.of(new CampaignFolder(
                drawn.campaign(),
                drawn.serverRuns().stream()
                        .map(changed)
                        .filter(Objects::nonNull)
                        .toList(),
                Map.of(),
                List.of(),
                Optional.empty(),
                Optional.empty()));
    }

    /** Adds warnings to the loads of servers whose arm matches, in one block or, for 0, in all blocks. */
    private static UnaryOperator<ServerRun> of(String arms, int block, WarningKind... kinds) {
        return one -> one.arm().matches(arms) && (block == 0 || one.block() == block)
                ? with(one, one.outcome(), warned(one, kinds), one.warnings())
                : one;
    }

    private static final String RATE = "hello at 500/s";

    @Test
    void onlyWhatTheServerDidIsHeldAgainstAHeap() {
        String tomcat = "The smallest of these heaps that holds " + RATE + ": Tomcat NIO 256m. ";
        for (WarningKind ofGenerator : List.of(
                WarningKind.GENERATOR_BOTTLENECK,
                WarningKind.GENERATOR_BUSY,
                WarningKind.USERS_WAITING,
                WarningKind.LATE_REQUESTS)) {
            assertThat(page(heaps(List.of(SLOW), of("jetty-.*", 2, WarningKind.OFFERED_RATE, ofGenerator))
                            .files()))
                    .as(ofGenerator.key())
                    .contains(tomcat + "It is not known whether one of these heaps holds " + RATE + ": Jetty.")
                    .contains("not known: the generator");
        }
        for (WarningKind ofLog :
                List.of(WarningKind.LOG_COMPLETE, WarningKind.RAW_COUNT, WarningKind.GENERATOR_ERRORS)) {
            assertThat(page(heaps(List.of(SLOW), of("jetty-.*", 2, ofLog, WarningKind.OFFERED_RATE))
                            .files()))
                    .as(ofLog.key())
                    .contains(tomcat + "It is not known whether one of these heaps holds " + RATE + ": Jetty.")
                    .contains("not known: its figures cannot be used");
        }
        for (WarningKind ofServer : List.of(WarningKind.ERRORS, WarningKind.OFFERED_RATE)) {
            assertThat(page(heaps(List.of(SLOW), of("jetty-.*", 2, ofServer)).files()))
                    .as(ofServer.key())
                    .contains(tomcat + "None of these heaps holds " + RATE + ": Jetty.")
                    .doesNotContain("not known: ");
        }
        assertThat(page(heaps(List.of(SLOW), of(".*", 2, WarningKind.ERRORS)).files()))
                .contains("None of these heaps holds " + RATE + ".");
    }

    @Test
    void aHeapThatHoldsBelowOneThatDoesNotIsSaidWithIt() {
        assertThat(page(heaps(List.of(SLOW), of("jetty-512m", 2, WarningKind.ERRORS))
                        .files()))
                .contains(": Tomcat NIO 256m and Jetty 256m (512m does not hold it).");
        assertThat(page(heaps(List.of(SLOW), of("jetty-256m", 2, WarningKind.RAW_COUNT))
                        .files()))
                .contains(": Tomcat NIO 256m and Jetty 512m (256m is not known).");
    }

    /** The first group of the first block had the smaller heap, and its servers did not start. */
    @Test
    void aHeapThatWasNotMeasuredIsNotKnown() {
        Warning failed = Warning.of(WarningKind.SERVER_FAILED, "it did not start");
        String page = page(heaps(
                        List.of(SLOW),
                        one -> one.block() == 1 && one.arm().contains("256m")
                                ? with(one, "it did not start", List.of(), List.of(failed))
                                : null)
                .files());
        assertThat(page)
                .contains("It is not known whether one of these heaps holds " + RATE + ".")
                .contains("not known: not measured")
                .doesNotContain("None of these heaps holds");
    }

    /** The first two blocks, which the server survived, do not outweigh the one in which it died. */
    @Test
    void aHeapWhoseServerFailsTwiceIsGivenUp() throws IOException {
        Fixture.Drawn drawn = Fixture.seeded(7)
                .arms(List.of(
                        heap(arm("tomcat-nio", "Tomcat NIO", "boot3", Arm.Role.BASELINE), "512m"),
                        heap(arm("jetty", "Jetty", "boot3", Arm.Role.BASELINE), "256m"),
                        heap(arm("tomcat-nio-control", "Tomcat NIO", "boot3", Arm.Role.CONTROL), "512m")))
                .loads(List.of(SLOW))
                .blocks(4)
                .draw();
        List<Warning> failed = List.of(Warning.of(WarningKind.SERVER_FAILED, "it died"));
        List<ServerRun> serverRuns = new ArrayList<>();
        for (ServerRun one : drawn.serverRuns()) {
            if (!one.arm().equals("jetty-256m") || one.block() < 3) {
                serverRuns.add(one);
            } else if (one.block() == 3) {
                serverRuns.add(with(one, "it died", List.of(), failed));
                serverRuns.add(with(one, "it died", List.of(), failed));
            }
        }
        Campaign campaign = drawn.campaign();
        ArmSpec small = campaign.arm("jetty-256m").spec();
        Campaign alike = Fixture.with(
                campaign, campaign.arms().stream().map(arm -> arm.with(small)).toList(), campaign.conditions());
        Analysis analysis = Analysis.of(campaign, serverRuns);
        Arm jetty = campaign.arm("jetty-256m");

        assertThat(analysis.isGivenUp(jetty)).isTrue();
        assertThat(analysis.values(jetty, SLOW, Metric.THROUGHPUT)).isEmpty();
        assertThat(analysis.leftOut()).hasSize(2);
        assertThat(RateOutcome.of(analysis, jetty, SLOW)).isEqualTo(RateOutcome.NO);
        assertThat(RateOutcome.YES.and(RateOutcome.NO).words()).isEqualTo("not known: its copy did not");
        assertThat(RateOutcome.NO.and(RateOutcome.YES)).isEqualTo(RateOutcome.NO);
        CampaignFolder folder =
                new CampaignFolder(campaign, serverRuns, Map.of(), List.of(), Optional.empty(), Optional.empty());
        assertThat(folder.completeBlocks()).isEqualTo(4);

        assertThat(RateOutcome.givenUp(alike, serverRuns))
                .as("one heap of all, which is not asked about")
                .isEmpty();
        serverRuns.remove(serverRuns.stream()
                .filter(ServerRun::isServerFailed)
                .findFirst()
                .orElseThrow());
        assertThat(RateOutcome.givenUp(campaign, serverRuns)).as("one failure").isEmpty();
        assertThat(RateOutcome.of(Analysis.of(campaign, serverRuns), jetty, SLOW))
                .isEqualTo(RateOutcome.FAILED_ONCE);
        drawn.serverRuns().stream()
                .filter(one -> one.arm().equals("jetty-256m") && one.block() > 2)
                .forEach(serverRuns::add);
        assertThat(RateOutcome.of(Analysis.of(campaign, serverRuns), jetty, SLOW))
                .as("the next one of its block lived")
                .isEqualTo(RateOutcome.FAILED_ONCE);
    }

    /** If a heap is too large for a memory limit, the kernel kills the server, which is a result for that heap. */
    @ParameterizedTest
    @CsvSource({"75, true", "50, false"})
    void aHeapThatIsAShareOfTheMemoryIsOneOfItsOwn(int percent, boolean own) {
        Campaign campaign = Fixture.seeded(7)
                .arms(List.of(
                        share(arm("half", "Half", "boot3", Arm.Role.BASELINE), 50),
                        share(arm("other", "Other", "boot3", Arm.Role.ARM), percent)))
                .loads(List.of(SLOW))
                .blocks(2)
                .draw()
                .campaign();

        assertThat(List.of("half", "other"))
                .allSatisfy(id -> assertThat(RateOutcome.isOfHeap(campaign, id)).isEqualTo(own));
    }

    private static Arm share(Arm arm, int percent) {
        return arm.with(ArmSpec.USUAL.withJvm(List.of("-XX:MaxRAMPercentage=" + percent)));
    }

    /**
     * One run sends all rates to a server, so it is unknown which one killed it. If it died before any of them, it
     * holds none.
     */
    @Test
    void ofSeveralRatesTheOneThatKilledAServerIsNotKnown() {
        Fixture.Drawn drawn = Fixture.seeded(7)
                .arms(List.of(
                        heap(arm("tomcat-nio", "Tomcat NIO", "boot3", Arm.Role.BASELINE), "512m"),
                        heap(arm("jetty", "Jetty", "boot3", Arm.Role.BASELINE), "256m")))
                .loads(List.of(SLOW, FAST))
                .blocks(3)
                .draw();
        List<Warning> failed = List.of(Warning.of(WarningKind.SERVER_FAILED, "it died"));
        List<ServerRun> loaded = new ArrayList<>();
        List<ServerRun> neverWarm = new ArrayList<>();
        for (ServerRun one : drawn.serverRuns()) {
            boolean dies = one.arm().equals("jetty-256m") && one.block() == 2;
            ServerRun died = with(one, "it died", List.of(), failed);
            for (int attempt = 0; attempt < (dies ? 2 : 1); attempt++) {
                loaded.add(dies ? died : one);
                neverWarm.add(
                        dies
                                ? Fixture.with(died, died.outcome(), died.proven(), null, died.loads(), died.warnings())
                                : one);
            }
        }
        Campaign campaign = drawn.campaign();
        Arm jetty = campaign.arm("jetty-256m");

        assertThat(loaded).allMatch(one -> one.warmUp() != null);
        for (MeasuredLoad load : List.of(SLOW, FAST)) {
            assertThat(RateOutcome.of(Analysis.of(campaign, loaded), jetty, load))
                    .isEqualTo(RateOutcome.FAILED_UNDER_A_LOAD);
            assertThat(RateOutcome.of(Analysis.of(campaign, neverWarm), jetty, load))
                    .isEqualTo(RateOutcome.NO);
        }
    }

    @Test
    void armsOfSeveralLinesAreNotTakenForOne() {
        List<Arm> arms = new ArrayList<>();
        for (String line : List.of("boot3", "boot2")) {
            for (String heap : List.of("512m", "256M")) {
                arms.add(heap(arm("jetty+" + line, "Jetty", line, Arm.Role.BASELINE), heap));
                arms.add(heap(arm("jetty+" + line + "-control", "Jetty", line, Arm.Role.CONTROL), heap));
            }
        }
        assertThat(page(heaps(arms, List.of(SLOW), of("jetty-256m[+]boot2", 1, WarningKind.ERRORS))
                        .files()))
                .contains(": Jetty (boot3) 256m and Jetty (boot2) 512m.");
    }

    /** 600 requests per server: only six are slower than p99. */
    @Test
    void aPercentileThatAFewRequestsDecideIsInNoTable() throws IOException {
        MeasuredLoad few = new MeasuredLoad("hello", 0, 20, "gatling");
        Map<String, String> files = heaps(List.of(few, SLOW), one -> one).files();
        List<String> tables = files.keySet().stream()
                .filter(name -> name.matches("tables/(rates-.*|heaps)[.]json"))
                .toList();
        assertThat(tables).hasSize(3);
        for (String table : tables) {
            for (JsonNode row : new ObjectMapper().readTree(files.get(table)).path("rows")) {
                boolean isFew = row.path("rate").asDouble() == 20
                        || row.path("load").asText().contains("at 20/s");
                assertThat(row.path("p99").isNull()).as(table + row).isEqualTo(isFew);
                assertThat(row.path("cpu").isNumber()).isTrue();
            }
        }
    }

    /** The table of heaps, like all others, shows where the generator was the limit. */
    @Test
    void aFloorIsOneInTheTableOfHeapsToo() {
        String html = page(heaps(
                        List.of(new MeasuredLoad("hello", 100, 0, "gatling")),
                        of("jetty-256m", 2, WarningKind.GENERATOR_BOTTLENECK))
                .files());
        String table = html.substring(html.indexOf("<section id='memory'"));
        table = table.substring(0, table.indexOf("</section>"));
        assertThat(table.split("at least: the generator's limit", -1))
                .as("Jetty with 256m alone")
                .hasSize(2);
    }

    @Test
    void marksOfFixedRatesAreCalledByTheirNames() {
        assertThat(page(heaps().files()))
                .contains(
                        "A rate that is not reached is marked offered-rate and takes part in no verdict; delays of the")
                .contains("one whose p99 such delays raise is marked late-requests.")
                .contains("reached it in every block, with at most 0.1 % failed requests.");
    }

    /** Returns the arm with a heap. It is compared only with arms of the same heap. */
    private static Arm heap(Arm arm, String heap) {
        Size size = new Size(heap);
        return Fixture.like(
                        arm,
                        arm.group() + " " + size,
                        arm.id().replaceFirst("^(tomcat-nio|jetty)", "$1-" + size),
                        arm.label() + ", " + size + " heap",
                        arm.warmStart())
                .with(ArmSpec.USUAL.withHeap(size));
    }

    private static Campaign asked(Campaign campaign, Map<String, String> asked) {
        return Fixture.with(campaign, campaign.plan(), campaign.conditions().with(asked));
    }

    private static List<LoadFigures> warned(ServerRun one, WarningKind... kinds) {
        return Fixture.warned(
                one, Stream.of(kinds).map(kind -> Warning.of(kind, "something")).toList());
    }

    private static ServerRun with(ServerRun one, String outcome, List<LoadFigures> loads, List<Warning> warnings) {
        return Fixture.with(one, outcome, one.proven(), loads, warnings);
    }
}
