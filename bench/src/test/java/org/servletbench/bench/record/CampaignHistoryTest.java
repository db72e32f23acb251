package org.servletbench.bench.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.comparison.ClaimList;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Shares;
import org.servletbench.bench.record.CampaignEvent.What;
import org.servletbench.bench.verdict.Baseline;
import org.servletbench.bench.verdict.Stopping;

/** Tests the end of a campaign, and its resumption. */
class CampaignHistoryTest {
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

    @TempDir
    Path folder;

    private static Campaign planned(int blocks, double precision) {
        Plan plan = new Plan(
                new Plan.Subject("quick", "", ClaimList.NONE),
                new Plan.Design(7, blocks, true, 1080),
                new Plan.Windows(1, 5, 1, 30, 0.1),
                List.of(new MeasuredLoad("hello", 100, 0, "wrk")),
                new Plan.Rule(
                        List.of("throughput"),
                        Map.of(),
                        Shares.of(0.03),
                        0.05,
                        Shares.of(precision),
                        Baseline.BOTH_COPIES),
                "equalised",
                true);
        List<Arm> arms = List.of(BlockOrderTest.arm("a", "g"), BlockOrderTest.arm("b", "g"));
        return new Campaign(
                Campaign.FORMAT,
                new Campaign.Origin("c", "2026-11-21T09:00:00Z", ""),
                plan,
                arms,
                IntStream.rangeClosed(1, blocks)
                        .mapToObj(block -> BlockOrder.of(arms, 7, block))
                        .toList(),
                new Campaign.Surroundings(Map.of(), Map.of(), Conditions.NONE, ""),
                List.of());
    }

    @Test
    void aCampaignThatRunsOrWasInterruptedHasNotEnded() {
        Campaign running = planned(10, 0);

        assertThat(running.hasEnded()).isFalse();
        assertThat(running.goingOn(10, 4, 0, NOW).hasEnded()).isFalse();
    }

    @Test
    void anInterruptedCampaignCompletesItsPlan() {
        Campaign completed = planned(10, 0).goingOn(10, 4, 0, NOW).ended(What.COMPLETED, 10, NOW);

        assertThat(completed.hasEnded()).isTrue();
        assertThat(completed.history()).extracting(CampaignEvent::what).containsExactly(What.RESUMED, What.COMPLETED);
        assertThat(completed.history().get(0))
                .isEqualTo(new CampaignEvent(What.RESUMED, "2026-11-21T10:00:00Z", 4, 10));
    }

    /** The baseline must not change after results were seen. */
    @Test
    void aCampaignWithTheFirstCopyKeepsItWhenItGoesOn() throws IOException {
        Campaign campaign = planned(10, 0);
        ObjectNode tree = Json.MAPPER.valueToTree(campaign);
        assertThat(tree.path("plan").path("baseline").asText()).isEqualTo("BOTH_COPIES");
        assertThat(Json.MAPPER.treeToValue(tree, Campaign.class).plan()).isEqualTo(campaign.plan());

        ((ObjectNode) tree.path("plan")).put("baseline", "FIRST_COPY");
        Campaign before = Json.MAPPER.treeToValue(tree, Campaign.class);
        assertThat(before.plan().baseline()).isEqualTo(Baseline.FIRST_COPY);
        assertThat(before.goingOn(10, 4, 0, NOW).plan().baseline()).isEqualTo(Baseline.FIRST_COPY);
    }

    @Test
    void aPlanIsCompletedAfterItsTimeLimit() {
        Campaign limited = planned(6, 0).ended(What.TIME_LIMIT, 4, NOW);
        Campaign finished = limited.goingOn(6, 4, 0, NOW).ended(What.COMPLETED, 6, NOW);

        assertThat(limited.hasEnded()).isTrue();
        assertThat(limited.plan().limitSeconds()).isEqualTo(1080);
        assertThat(finished.plan().limitSeconds()).isZero();
        assertThat(finished.plan().blocks()).isEqualTo(6);
        assertThat(finished.hasEnded()).isTrue();
    }

    /** A resumed campaign that stops before anything is measured changes nothing. */
    @Test
    void goingOnWithoutAMeasuredServerCostsNoVerdicts() {
        Campaign idle = planned(6, 0).ended(What.TIME_LIMIT, 4, NOW).goingOn(6, 4, 0, NOW);

        assertThat(idle.hasEnded()).isFalse();
        assertThat(idle.withoutIdleEnd(List.of(started("2026-11-21T09:59:59Z", ServerRun.MEASURED)))
                        .hasEnded())
                .isTrue();
        assertThat(idle.withoutIdleEnd(List.of(started("2026-11-21T10:00:01Z", "the rig was interrupted")))
                        .hasEnded())
                .isTrue();
        assertThat(idle.withoutIdleEnd(List.of(started("2026-11-21T10:00:01Z", ServerRun.MEASURED))))
                .isSameAs(idle);
    }

    private static ServerRun started(String when, String outcome) {
        return new ServerRun(
                1,
                new ServerRun.Run(1, 1, "jetty", 1, when, when, outcome),
                new ServerRun.Before(Map.of(), Map.of(), null),
                new ServerRun.Results(List.of(), null, List.of(), null));
    }

    @Test
    void blocksAreAddedUntilThePrecisionIsReached() {
        Campaign wide = planned(10, 0.03).ended(What.COMPLETED, 10, NOW);
        Campaign longer = wide.goingOn(15, 10, 0, NOW);

        assertThat(longer.order()).hasSize(15).startsWith(wide.order().toArray(List[]::new));
        assertThat(longer.plan().blocks()).isEqualTo(10);
        assertThat(longer.hasEnded()).isFalse();
        assertThat(longer.goingOn(15, 12, 0, NOW).order()).isEqualTo(longer.order());
        Campaign precise = longer.ended(What.PRECISION, 13, NOW);
        assertThat(precise.hasEnded()).isTrue();
        assertThat(precise.goingOn(15, 13, 0, NOW)).isSameAs(precise);
        assertThatThrownBy(() -> precise.goingOn(20, 13, 0, NOW)).hasMessageContaining("reached its precision");
    }

    /** The level of such a campaign is that of the analysis that ended it; a plan without such an end keeps its own. */
    @Test
    void aCampaignThatAFailedClaimEndedGoesNoFurther() throws IOException {
        Campaign failed = planned(10, 0.03).ended(What.CLAIM_FAILED, 4, NOW);

        assertThat(failed.hasEnded()).isTrue();
        assertThat(failed.isPrecise()).isFalse();
        assertThat(failed.goingOn(10, 4, 0, NOW)).isSameAs(failed);
        assertThatThrownBy(() -> failed.goingOn(20, 4, 0, NOW))
                .hasMessageContaining("the campaign has ended because a claim had certainly failed");
        assertThat(failed.judging().alpha()).isEqualTo(Stopping.look(0.05, 4));
        assertThat(failed.plan().judging().alpha()).isEqualTo(Stopping.alpha(0.05, 0.03));

        new CampaignStore(folder).write(failed);
        assertThat(CampaignFolder.read(folder).campaign()).isEqualTo(failed);
        assertRejected(
                json -> ((ObjectNode) json.at("/history/0")).put("after", 1),
                "a claim ended it after 1 blocks, and there are 4 to 10");
    }

    @Test
    void onlyAPlanThatMayEndEarlyPaysForItsLooks() throws IOException {
        Campaign usual = planned(10, 0);
        ObjectNode tree = Json.MAPPER.valueToTree(usual);
        assertThat(tree.path("plan").has("earlyEnd")).isFalse();
        assertThat(usual.judging().alpha()).isEqualTo(0.05);

        ((ObjectNode) tree.path("plan")).put("earlyEnd", true);
        Campaign early = Json.MAPPER.treeToValue(tree, Campaign.class);
        assertThat(early.judging().alpha())
                .isEqualTo(Stopping.alpha(0.05, 0, true))
                .isLessThan(0.05);
        assertThat(early.plan().withoutEarlyEnd()).isEqualTo(usual.plan());
        new CampaignStore(folder).write(early);
        assertThat(CampaignFolder.read(folder).campaign()).isEqualTo(early);
    }

    @Test
    void nothingLeftToDoIsNoEventAndWithoutAPrecisionNoBlockIsAddedOrTaken() {
        Campaign completed = planned(10, 0).ended(What.COMPLETED, 10, NOW);

        assertThat(completed.goingOn(10, 10, 0, NOW)).isSameAs(completed);
        assertThat(completed.ended(What.COMPLETED, 10, NOW)).isSameAs(completed);
        assertThatThrownBy(() -> completed.goingOn(9, 10, 0, NOW)).hasMessageContaining("can only be given more");
        assertThatThrownBy(() -> completed.goingOn(11, 10, 0, NOW)).hasMessageContaining("has no precision");
    }

    @Test
    void theHistoryIsReadAgainAndAnotherFormatIsRejected() throws IOException {
        Campaign written = planned(6, 0)
                .ended(What.TIME_LIMIT, 4, NOW)
                .goingOn(6, 4, 0, NOW)
                .ended(What.COMPLETED, 6, NOW);
        new CampaignStore(folder).write(written);
        assertThat(CampaignFolder.read(folder).campaign()).isEqualTo(written);

        for (int format = 1; format < Campaign.FORMAT; format++) {
            int other = format;
            assertRejected(
                    json -> json.put("format", other),
                    "its format is " + other
                            + ", this version reads 5: measure again, or read it with the version that wrote it");
        }
    }

    /** A default would be a guess, because campaigns without the key followed another rule. */
    @Test
    void aFileThatLacksADecisionIsRejected() throws IOException {
        new CampaignStore(folder).write(planned(6, 0));
        for (String key : List.of("baseline", "question", "claims")) {
            assertRejected(json -> ((ObjectNode) json.path("plan")).remove(key), "no plan." + key);
        }
        for (String key : List.of("spec", "warmStart")) {
            assertRejected(json -> ((ObjectNode) json.at("/arms/0")).remove(key), "no arms[0]." + key);
        }
        for (String key : List.of("exchanges", "setByRig", "followedLoad")) {
            assertRejected(json -> ((ObjectNode) json.path("conditions")).remove(key), "no conditions." + key);
        }
        assertRejected(
                json -> ((ObjectNode) json.at("/plan/loads/0"))
                        .putObject("settings")
                        .put("pause", "0s")
                        .put("requests", 0)
                        .put("threads", 4)
                        .put("keepAlive", true)
                        .putArray("options"),
                "no plan.loads[0].settings.timeSlices");
        assertRejected(
                json -> ((ObjectNode) json.path("conditions"))
                        .putArray("workloads")
                        .addObject()
                        .put("name", "hello")
                        .put("path", "/hello")
                        .put("minBytes", 5)
                        .put("maxBytes", 5)
                        .put("blocks", false)
                        .put("with", "")
                        .put("warmUpPath", "/hello"),
                "no conditions.workloads[0].sending");
    }

    /** Records group the keys of a file; their names must not appear in messages. */
    @Test
    void aWrongValueIsNamedByItsKeyInTheFile() throws IOException {
        new CampaignStore(folder).write(planned(6, 0));
        assertRejected(
                json -> ((ObjectNode) json.path("plan")).put("blocks", "many"),
                "'plan.blocks' is 'many', which is not allowed");
        assertRejected(json -> ((ObjectNode) json.path("plan")).remove("rounds"), "'plan.rounds' has no value");
        assertRejected(
                json -> ((ObjectNode) json.at("/arms/0")).put("role", "BOSS"),
                "'arms[0].role' is 'BOSS', which is not allowed");
        assertRejected(json -> json.putArray("id"), "'id' has a value of the wrong kind");
        assertRejected(
                json -> ((ObjectNode) json.path("conditions")).put("given", "blocks"),
                "'conditions.given' has a value of the wrong kind");
        assertRejected(
                json -> ((ObjectNode) json.path("plan")).put("blocks", -1),
                "plan.blocks is -1, which nothing measures");
        assertRejected(json -> json.remove("machine"), "no machine");
    }

    private void assertRejected(Consumer<ObjectNode> changed, String why) throws IOException {
        Path file = folder.resolve("campaign.json");
        String whole = Files.readString(file);
        ObjectNode json = (ObjectNode) new ObjectMapper().readTree(whole);
        changed.accept(json);
        Files.writeString(file, json.toString());
        assertThatThrownBy(() -> CampaignFolder.read(folder))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": damaged: " + why);
        Files.writeString(file, whole);
    }
}
