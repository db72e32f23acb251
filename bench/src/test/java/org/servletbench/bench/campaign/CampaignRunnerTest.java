package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.servletbench.bench.comparison.CampaignSpec;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignEvent;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CampaignStore;
import org.servletbench.bench.record.ClaimResult;
import org.servletbench.bench.record.PhaseTimes;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.report.Campaigns;
import org.servletbench.bench.verdict.Stopping;

/** Tests the sessions of a campaign, and its reaction to failed ones. The sessions themselves are simulated. */
class CampaignRunnerTest {

    /** Outcome of a session in which no server fails. Any other outcome names the arm whose server fails. */
    private static final String FINE = "";

    @TempDir
    Path folder;

    private Campaign campaign;
    private List<ServerRun> drawn;
    private final List<String> ran = new ArrayList<>();
    private final List<String> said = new ArrayList<>();
    private final List<Double> loads = new ArrayList<>();
    /** Reported half widths of the widest interval. */
    private final List<Double> widths = new ArrayList<>();

    private final CampaignWatch watch = new CampaignWatch() {
        @Override
        public void say(String line) {
            said.add(line);
        }

        @Override
        public void estimate(double doneSeconds, double leftSeconds, int leftBlocks, double halfWidth) {
            widths.add(halfWidth);
        }
    };

    /** Warnings on every simulated load. */
    private List<Warning> spoiled = List.of();

    /** True if a failed session's server ended before it was ready. */
    private boolean diedAtStart;

    private String pace = "0s";
    private final Map<Integer, Instant> began = new TreeMap<>();

    @BeforeEach
    void draw() throws IOException {
        Path whole = folder.resolve("whole");
        Campaigns.interrupted(whole, 8);
        CampaignFolder read = CampaignFolder.read(whole);
        drawn = read.serverRuns();
        campaign = shortened(read.campaign(), 3);
    }

    /** Returns the first blocks of a campaign, one group after another. */
    private static Campaign shortened(Campaign whole, int blocks) {
        ObjectMapper json = new ObjectMapper();
        ObjectNode tree = json.valueToTree(whole);
        ((ObjectNode) tree.get("plan")).put("blocks", blocks).put("together", true);
        tree.set("order", json.valueToTree(whole.order().subList(0, blocks)));
        return json.convertValue(tree, Campaign.class);
    }

    /** @param failing for a block and the number of a session, from 1: the arm whose server fails, or {@link #FINE} */
    private CampaignFolder run(BiFunction<Integer, Integer, String> failing) {
        CampaignStore store = new CampaignStore(folder.resolve("campaign"));
        ProfilesFolder profiles =
                new ProfilesFolder(Path.of(System.getProperty("bench.root")).resolve("profiles"));
        CampaignSpec spec = CampaignSpec.of(Map.of("host.wait", "0s", "pace", pace), profiles);
        Prepared ready = new Prepared(
                campaign,
                Planner.procedure(spec, profiles),
                Map.of(),
                List.of(),
                profiles,
                folder,
                store,
                ServerMachine.of(spec, profiles, line -> {}));
        store.write(campaign);
        CampaignRunner.Sessions played = (block, places, load) -> {
            loads.add(load);
            ran.add(block + " " + places.size());
            began.putIfAbsent(block, Instant.now());
            String failed = failing.apply(block, ran.size());
            List<ServerRun> serverRuns = new ArrayList<>();
            for (Session.Attempt place : places) {
                ServerRun one = played(block, place, failed);
                store.write(one, store.serverRun(block, place.position(), one.arm(), place.attempt()));
                serverRuns.add(one);
            }
            return new Session.Ran(
                    serverRuns,
                    new PhaseTimes(1, 0, 0, 0, 0),
                    failed.equals(FINE) ? Optional.empty() : Optional.of("trouble of " + failed),
                    Optional.empty(),
                    diedAtStart && !failed.equals(FINE));
        };
        return new CampaignRunner(ready, watch, "resume it", context -> played).run();
    }

    private ServerRun played(int block, Session.Attempt place, String failed) {
        ServerRun fine = drawn.stream()
                .filter(one ->
                        one.block() == block && one.arm().equals(place.arm().id()))
                .findFirst()
                .orElseThrow();
        return new ServerRun(
                ServerRun.FORMAT,
                new ServerRun.Run(
                        block,
                        place.position(),
                        fine.arm(),
                        place.attempt(),
                        began.get(block).toString(),
                        fine.ended(),
                        failed.equals(FINE) ? ServerRun.MEASURED : "trouble of " + failed),
                new ServerRun.Before(
                        diedAtStart && fine.arm().equals(failed) ? Map.of("jvm.options", "") : fine.proven(),
                        fine.startUp(),
                        fine.warmUp()),
                new ServerRun.Results(
                        failed.equals(FINE) ? Campaigns.warned(fine, spoiled) : List.of(),
                        null,
                        fine.arm().equals(failed)
                                ? List.of(Warning.of(WarningKind.SERVER_FAILED, "it died"))
                                : List.of(),
                        null));
    }

    private int groups() {
        return campaign.groups().size();
    }

    @Test
    void everyGroupOfEveryBlockHasItsSession() {
        CampaignFolder ended = run((block, session) -> FINE);
        assertThat(ran).hasSize(3 * groups());
        assertThat(ended.completeBlocks()).isEqualTo(3);
        assertThat(ended.campaign().history())
                .extracting(CampaignEvent::what)
                .containsExactly(CampaignEvent.What.COMPLETED);
        assertThat(said).isEmpty();
    }

    /** Sets up a campaign with time slices, whose load depends on the noise. */
    private void endingAt(Object precision) {
        ObjectMapper json = new ObjectMapper();
        ObjectNode tree = json.valueToTree(campaign);
        ((ObjectNode) tree.get("plan"))
                .put("timeSliceSeconds", 0.25)
                .put("limitSeconds", 900)
                .set("precision", json.valueToTree(precision));
        ((ObjectNode) tree.get("conditions")).put("followedLoad", "8 to 60 s");
        campaign = json.convertValue(tree, Campaign.class);
    }

    /** Simulated blocks take no time, which leaves room for as much load as the noise requires. */
    @Test
    void theLoadOfABlockFollowsTheNoiseOfThoseBefore() {
        endingAt(0.05);
        CampaignFolder ended = run((block, session) -> FINE);

        assertThat(ended.completeBlocks()).isEqualTo(3);
        assertThat(loads).hasSize(3 * groups()).allMatch(load -> load >= 8 && load <= 60 && load % 1 == 0);
        assertThat(loads.get(groups())).as("of the noise of the first block").isNotEqualTo(loads.get(0));
        assertThat(said)
                .singleElement()
                .asString()
                .matches(
                        "the time limit of 15 min is too short for ± 5.0 % with this noise: about ± [0-9.]+ % after 3 blocks; ± 5.0 %"
                                + " takes about --limit \\d+m");
        assertThat(widths).anyMatch(width -> width < 1);
    }

    /**
     * All blocks count alike. A last block with half of the load still improves the mean; with less it may make it
     * worse.
     */
    @Test
    void aLastBlockHasAtLeastHalfOfTheUsualLoad() {
        endingAt(0.05);
        assertThat(CampaignRunner.leastOfLast(campaign.plan(), List.of(12.0, 12.0)))
                .isEqualTo(6);
        assertThat(CampaignRunner.leastOfLast(campaign.plan(), List.of(10.0, 40.0)))
                .as("half of the harmonic mean")
                .isEqualTo(8);
        assertThat(CampaignRunner.leastOfLast(campaign.plan(), List.of(8.0)))
                .as("21 rounds of 0.25 s show a trend")
                .isEqualTo(5.25);
    }

    /** Simulates two blocks that take no time, and a limit that leaves less than the shortest load of a usual block. */
    @Test
    void theLastBlockGetsTheLoadThatFits() {
        endingAt(0.05);
        limitOfLoad(7);
        CampaignFolder ended = run((block, session) -> FINE);
        assertThat(ended.completeBlocks()).isEqualTo(3);
        assertThat(loads.subList(0, 2 * groups())).allMatch(load -> load >= 8);
        assertThat(loads.subList(2 * groups(), loads.size())).allMatch(load -> load >= 5.25 && load < 8);
    }

    /** Limits the campaign so that this load fits for each server and each load, s. */
    private void limitOfLoad(double load) {
        limit(load * campaign.arms().size() * campaign.plan().loads().size());
    }

    /** @param seconds time limit: no block starts that would end after it */
    private void limit(double seconds) {
        campaign = new Campaign(
                campaign.format(),
                new Campaign.Origin(campaign.id(), campaign.created(), campaign.commit()),
                campaign.plan().withLimit(seconds),
                campaign.arms(),
                campaign.order(),
                new Campaign.Surroundings(
                        campaign.machine(), campaign.versions(), campaign.conditions(), campaign.pinning()),
                campaign.history());
    }

    @Test
    void oneBlockThatWasDisturbedEndsNoCampaign() {
        assertThat(CampaignRunner.longest(List.of(150.0, 158.0, 170.0))).isEqualTo(170);
        assertThat(CampaignRunner.longest(List.of(150.0, 480.0, 170.0))).isEqualTo(1.5 * 170);
        assertThat(CampaignRunner.longest(List.of(150.0, 480.0))).isEqualTo(1.5 * 150);
    }

    /** Widths relative to the precisions of several metrics cannot be shown as the width of one interval. */
    @Test
    void noWidthIsToldWhereMetricsHavePrecisionsOfTheirOwn() {
        endingAt(Map.of("usual", 0.039, "throughput", 0.05, "cpu", 0.02));
        run((block, session) -> FINE);

        assertThat(said)
                .singleElement()
                .asString()
                .matches(
                        "the time limit of 15 min is too short for ± 5 % in throughput, 3[.]9 % in p99 response time and 2 %"
                                + " in CPU time per request with this noise: 3 blocks do not reach it(; that takes about --limit \\d+m)?");
        assertThat(widths).hasSize(3).allMatch(width -> width.isNaN());
    }

    private void assertPaced(int block, long leastMillis) {
        assertThat(Duration.between(began.get(block - 1), began.get(block)))
                .isGreaterThanOrEqualTo(Duration.ofMillis(leastMillis));
    }

    @Test
    void aBlockBeginsNoEarlierThanThePaceAfterTheOneBefore() {
        pace = "300ms";
        assertThat(run((block, session) -> FINE).completeBlocks()).isEqualTo(3);
        assertPaced(2, 300);
        assertPaced(3, 300);
        // A block that takes longer than the pace causes no wait.
        assertThat(said)
                .allMatch(line -> line.matches("block [23] starts at \\d\\d:\\d\\d(:\\d\\d)? \\(a pace of 300ms\\)"));
    }

    /** The pace is counted from the start of the previous block, even if an earlier process measured it. */
    @Test
    void thePaceGoesOnAfterAnInterruption() {
        pace = "500ms";
        assertThatThrownBy(() -> run((block, session) -> {
                    if (block == 2) {
                        throw new TargetException("interrupted");
                    }
                    return FINE;
                }))
                .hasMessage("interrupted");
        began.remove(2);
        pace = "1s";
        assertThat(run((block, session) -> FINE).completeBlocks()).isEqualTo(3);
        assertPaced(2, 1000);
    }

    @Test
    void aBlockThatThePaceBringsOverTheLimitIsNotWaitedFor() {
        pace = "1s";
        limit(1.6);
        CampaignFolder ended = run((block, session) -> FINE);
        assertThat(ended.completeBlocks()).isEqualTo(2);
        assertThat(ended.campaign().history())
                .extracting(CampaignEvent::what)
                .containsExactly(CampaignEvent.What.TIME_LIMIT);
    }

    @Test
    void aSessionThatFailsIsTriedOnceMore() {
        CampaignFolder ended = run((block, session) -> session == 2 ? "jetty" : FINE);
        assertThat(ran).hasSize(3 * groups() + 1);
        assertThat(ended.completeBlocks()).isEqualTo(3);
        assertThat(said).singleElement().asString().matches("block \\d is tried again: trouble of jetty");
    }

    @Test
    void oneThatFailsTwiceEndsTheCampaignWhichGoesOnLater() throws IOException {
        assertThatThrownBy(() -> run((block, session) -> block == 2 ? "jetty" : FINE))
                .isInstanceOf(TargetException.class)
                .hasMessageStartingWith("failed twice in block 2: trouble of jetty; what was measured is kept in ")
                .hasMessageEndingWith(": continue with resume it");
        assertThat(CampaignFolder.read(folder.resolve("campaign")).completeBlocks())
                .isEqualTo(1);
        ran.clear();
        CampaignFolder ended = run((block, session) -> FINE);
        assertThat(ran).hasSize(2 * groups()).allMatch(one -> !one.startsWith("1 "));
        assertThat(ended.completeBlocks()).isEqualTo(3);
        assertThat(ended.serverRuns()).anyMatch(one -> one.attempt() == 3 && one.measured());
    }

    /** Nothing was measured, so there is nothing to resume. */
    @Test
    void aCampaignThatMeasuredNothingNamesNoCommandThatGoesOn() {
        assertThatThrownBy(() -> run((block, session) -> "jetty"))
                .isInstanceOf(TargetException.class)
                .hasMessage("failed twice in block 1: trouble of jetty");
    }

    /** The server would die again, and resuming could not help. */
    @Test
    void aServerThatDiesAtItsFirstStartIsToldOnce() {
        diedAtStart = true;
        assertThatThrownBy(() -> run((block, session) -> "jetty"))
                .isInstanceOf(TargetException.class)
                .hasMessage("failed in block 1: trouble of jetty");
        assertThat(ran).allMatch(session -> session.startsWith("1 ")).hasSizeLessThanOrEqualTo(groups());
        assertThat(said).isEmpty();
    }

    @Test
    void aServerThatDiesAtALaterStartIsStartedOnceMore() {
        diedAtStart = true;
        CampaignFolder ended = run(
                (block, session) -> block == 2 && said.isEmpty() && drawnTogether("jetty", session) ? "jetty" : FINE);
        assertThat(ended.completeBlocks()).isEqualTo(3);
        assertThat(said).containsExactly("block 2 is tried again: trouble of jetty");
    }

    /** Sets up a campaign of six blocks that claims an arm is not slower, and may end early. */
    private void claiming(String arm, double speed) throws IOException {
        Path whole = folder.resolve("claiming");
        Campaigns.interrupted(whole, 8, arm, speed);
        CampaignFolder read = CampaignFolder.read(whole);
        drawn = read.serverRuns();
        ObjectMapper json = new ObjectMapper();
        ObjectNode tree = json.valueToTree(shortened(read.campaign(), 6));
        ObjectNode plan = (ObjectNode) tree.get("plan");
        ObjectNode claim = ((ObjectNode) plan.get("claims")).putArray("all").addObject();
        claim.put("says", arm + " is not slower than tomcat-nio in throughput")
                .put("original", "")
                .put("reading", "");
        ObjectNode part = claim.putArray("parts").addObject();
        part.put("metric", "throughput").put("of", arm).put("than", "tomcat-nio");
        part.put("relation", "NOT_SLOWER").put("own", false);
        part.putObject("at");
        part.putObject("thanAt");
        campaign = json.convertValue(tree, Campaign.class);
        earlyEnd(true);
    }

    @Test
    void aClaimThatHasSurelyFailedEndsTheCampaignWhichDoesNotGoOn() throws IOException {
        claiming("jetty", 0.4);
        CampaignFolder ended = run((block, session) -> FINE);

        int blocks = ended.completeBlocks();
        assertThat(blocks).isEqualTo(4);
        assertThat(ended.campaign().history()).singleElement().satisfies(event -> {
            assertThat(event.what()).isEqualTo(CampaignEvent.What.CLAIM_FAILED);
            assertThat(event.after()).isEqualTo(blocks);
        });
        assertThat(said)
                .containsExactly("the campaign ends after block " + blocks
                        + ": the claim \"jetty is not slower than tomcat-nio in throughput\" has certainly failed");
        Analysis judged = Analysis.of(ended.campaign(), ended.serverRuns());
        assertThat(judged.claims()).extracting(ClaimResult::outcome).containsExactly(ClaimResult.Outcome.DOES_NOT_HOLD);
        assertThat(judged.settings().alpha()).isEqualTo(Stopping.look(0.05, blocks));

        said.clear();
        ran.clear();
        campaign = ended.campaign();
        assertThat(run((block, session) -> FINE).campaign()).isEqualTo(campaign);
        assertThat(ran).isEmpty();
        assertThat(said)
                .containsExactly("the campaign ended because a claim had certainly failed: nothing is left to measure");
    }

    @Test
    void aClaimThatHoldsEndsNoCampaign() throws IOException {
        claiming("jetty", 1);
        assertThat(run((block, session) -> FINE).completeBlocks()).isEqualTo(6);
        assertThat(said).isEmpty();
    }

    @Test
    void aCampaignThatMayNotEndEarlyMeasuresAllOfItsBlocks() throws IOException {
        claiming("jetty", 0.4);
        earlyEnd(false);
        CampaignFolder ended = run((block, session) -> FINE);
        assertThat(ended.completeBlocks()).isEqualTo(6);
        assertThat(ended.campaign().history())
                .extracting(CampaignEvent::what)
                .containsExactly(CampaignEvent.What.COMPLETED);
    }

    /** The campaign was interrupted after the decisive block, before its end was recorded. */
    @Test
    void anInterruptedCampaignWhoseClaimHasFailedEndsAtOnce() throws IOException {
        claiming("jetty", 0.4);
        earlyEnd(false);
        assertThatThrownBy(() -> run((block, session) -> {
                    if (block == 5) {
                        throw new TargetException("interrupted");
                    }
                    return FINE;
                }))
                .hasMessage("interrupted");
        earlyEnd(true);
        ran.clear();
        CampaignFolder ended = run((block, session) -> FINE);
        assertThat(ran).isEmpty();
        assertThat(ended.campaign().history()).singleElement().satisfies(event -> {
            assertThat(event.what()).isEqualTo(CampaignEvent.What.CLAIM_FAILED);
            assertThat(event.after()).isEqualTo(4);
        });
    }

    private void earlyEnd(boolean may) {
        ObjectMapper json = new ObjectMapper();
        ObjectNode tree = json.valueToTree(campaign);
        ObjectNode plan = (ObjectNode) tree.get("plan");
        plan.remove("earlyEnd");
        if (may) {
            plan.put("earlyEnd", true);
        }
        campaign = json.convertValue(tree, Campaign.class);
    }

    /** The block is measured again only once, whatever the result. */
    @Test
    void aBlockWithADamagedLogIsMeasuredOnceMore() {
        spoiled = List.of(
                Warning.of(WarningKind.ERRORS, "5 % failed"), Warning.of(WarningKind.LOG_COMPLETE, "it ends early"));
        CampaignFolder ended = run((block, session) -> FINE);
        assertThat(ran).hasSize(2 * 3 * groups());
        assertThat(ended.serverRuns()).anyMatch(one -> one.attempt() == 2).noneMatch(one -> one.attempt() == 3);
        assertThat(said)
                .hasSize(3 * groups())
                .allMatch(line -> line.matches("block \\d is measured again, because of .*: it ends early"));
    }

    /** A second attempt would replace the first, and hide that a server failed in one of many blocks. */
    @ParameterizedTest
    @EnumSource(
            value = WarningKind.class,
            names = {"COOKIES_LOST", "GENERATOR_BUSY", "LATE_REQUESTS", "DISTURBED"})
    void whatAServerDidIsNotMeasuredAgainWhateverElseIsShown(WarningKind other) {
        spoiled = List.of(Warning.of(WarningKind.ERRORS, "5 % failed"), Warning.of(other, ""));
        run((block, session) -> FINE);
        assertThat(ran).hasSize(3 * groups());
    }

    /** The other arms of its group are measured without it, in this block and in later ones. */
    @Test
    void aHeapThatFailsTwiceLeavesTheCampaign() {
        campaign = shortened(campaign, 3);
        ObjectMapper json = new ObjectMapper();
        JsonNode tree = json.valueToTree(campaign);
        for (JsonNode arm : tree.get("arms")) {
            ((ObjectNode) arm)
                    .putObject("spec")
                    .put("heap", arm.get("id").asText().equals("jetty") ? "16m" : "1g");
        }
        campaign = json.convertValue(tree, Campaign.class);
        int all = campaign.order().get(0).size();
        CampaignFolder ended = run(
                (block, session) -> block == 2 && said.size() < 2 && drawnTogether("jetty", session) ? "jetty" : FINE);

        assertThat(said)
                .containsExactly(
                        "block 2 is tried again: trouble of jetty",
                        "jetty failed twice: the campaign goes on without it",
                        "block 2 is tried again: trouble of jetty");
        assertThat(ended.completeBlocks()).isEqualTo(3);
        assertThat(ended.serverRuns().stream().filter(one -> one.measured() && one.block() != 1))
                .hasSize(2 * (all - 1))
                .noneMatch(one -> one.arm().equals("jetty"));
        assertThat(ended.campaign().history())
                .extracting(CampaignEvent::what)
                .containsExactly(CampaignEvent.What.COMPLETED);
    }

    /** True if a session belongs to this arm's group: it has as many servers as the group, or one fewer. */
    private boolean drawnTogether(String arm, int session) {
        long size = campaign.arms().stream()
                .filter(one -> one.group().equals(campaign.arm(arm).group()))
                .count();
        return ran.get(session - 1).endsWith(" " + size);
    }
}
