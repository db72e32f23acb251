package org.servletbench.bench.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.record.CampaignEvent.What;
import org.servletbench.bench.record.Look.WithoutVerdicts;

class LookTest {
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

    @TempDir
    Path folder;

    private static Campaign planned(int blocks, int looks) {
        Plan plan = new Plan(
                "quick",
                7,
                blocks,
                true,
                1,
                5,
                1,
                30,
                List.of(new Cell("hello", 100, 0, "wrk")),
                List.of("throughput"),
                0.03,
                0.05,
                0,
                "equalised",
                true,
                1080,
                0.1,
                looks);
        List<Arm> arms = List.of(BlockOrderTest.arm("a", "g"), BlockOrderTest.arm("b", "g"));
        return new Campaign(
                Campaign.FORMAT,
                "c",
                "2026-11-21T09:00:00Z",
                "",
                plan,
                arms,
                IntStream.rangeClosed(1, blocks)
                        .mapToObj(block -> BlockOrder.of(arms, 7, block))
                        .toList(),
                Map.of(),
                Map.of(),
                Map.of(),
                "",
                List.of());
    }

    @Test
    void a_campaign_that_runs_or_was_interrupted_has_no_verdicts() {
        Campaign running = planned(10, 1);

        assertThat(running.look().withoutVerdicts()).contains(WithoutVerdicts.NOT_ENDED);
        assertThat(running.goingOn(10, 4, 0, NOW).look().withoutVerdicts()).contains(WithoutVerdicts.NOT_ENDED);
    }

    @Test
    void completing_a_plan_is_no_look_and_costs_nothing() {
        Campaign completed = planned(10, 1).goingOn(10, 4, 0, NOW).ended(What.COMPLETED, 10, NOW);

        assertThat(completed.look()).isEqualTo(new Look(1, 1, 0.05, java.util.Optional.empty()));
        assertThat(completed.history()).extracting(CampaignEvent::what).containsExactly(What.RESUMED, What.COMPLETED);
        assertThat(completed.history().get(0))
                .isEqualTo(new CampaignEvent(What.RESUMED, "2026-11-21T10:00:00Z", 4, 10, 1));
    }

    @Test
    void a_quick_plan_that_its_limit_ended_can_be_finished_without_a_limit() {
        Campaign limited = planned(6, 1).ended(What.TIME_LIMIT, 4, NOW);
        Campaign finished = limited.goingOn(6, 4, 0, NOW).ended(What.COMPLETED, 6, NOW);

        assertThat(limited.look().withoutVerdicts()).isEmpty();
        assertThat(limited.plan().limitSeconds()).isEqualTo(1080);
        assertThat(finished.plan().limitSeconds()).isZero();
        assertThat(finished.plan().blocks()).isEqualTo(6);
        assertThat(finished.look()).isEqualTo(new Look(1, 1, 0.05, java.util.Optional.empty()));
    }

    /** Somebody who goes on and stops before anything is measured has changed nothing. */
    @Test
    void going_on_without_a_measured_server_costs_no_verdicts() {
        Campaign idle = planned(6, 1).ended(What.TIME_LIMIT, 4, NOW).goingOn(6, 4, 0, NOW);

        assertThat(idle.look().withoutVerdicts()).contains(WithoutVerdicts.NOT_ENDED);
        assertThat(idle.withoutIdleEnd(List.of(started("2026-11-21T09:59:59Z", Invocation.MEASURED)))
                        .look()
                        .withoutVerdicts())
                .isEmpty();
        assertThat(idle.withoutIdleEnd(List.of(started("2026-11-21T10:00:01Z", "the rig was interrupted")))
                        .look()
                        .withoutVerdicts())
                .isEmpty();
        assertThat(idle.withoutIdleEnd(List.of(started("2026-11-21T10:00:01Z", Invocation.MEASURED))))
                .isSameAs(idle);
        Campaign extended = planned(6, 1).ended(What.COMPLETED, 6, NOW).goingOn(8, 6, 0, NOW);
        assertThat(extended.withoutIdleEnd(List.of())).isSameAs(extended);
    }

    private static Invocation started(String when, String outcome) {
        return new Invocation(
                1, 1, 1, "jetty", 1, when, when, outcome, Map.of(), Map.of(), null, List.of(), null, List.of());
    }

    @Test
    void what_ended_at_its_precision_goes_on_only_as_an_extension() {
        Campaign precise = planned(20, 1).ended(What.PRECISION, 5, NOW);

        assertThat(precise.goingOn(20, 5, 0, NOW)).isSameAs(precise);
        assertThat(precise.goingOn(25, 5, 0, NOW)
                        .ended(What.COMPLETED, 25, NOW)
                        .look()
                        .withoutVerdicts())
                .contains(WithoutVerdicts.EXTENSION_NOT_RESERVED);
    }

    @Test
    void an_extension_that_was_not_reserved_never_has_verdicts_again() {
        Campaign extended = planned(10, 1).ended(What.COMPLETED, 10, NOW).goingOn(15, 10, 0, NOW);

        assertThat(extended.order()).hasSize(15);
        assertThat(extended.plan().blocks()).isEqualTo(10);
        assertThat(extended.look().withoutVerdicts()).contains(WithoutVerdicts.EXTENSION_NOT_RESERVED);
        assertThat(extended.ended(What.COMPLETED, 15, NOW).look().withoutVerdicts())
                .contains(WithoutVerdicts.EXTENSION_NOT_RESERVED);
        assertThat(extended.ended(What.COMPLETED, 15, NOW)
                        .goingOn(20, 15, 0, NOW)
                        .ended(What.COMPLETED, 20, NOW)
                        .look()
                        .withoutVerdicts())
                .contains(WithoutVerdicts.EXTENSION_NOT_RESERVED);
    }

    @Test
    void reserved_looks_share_alpha_and_one_too_many_has_no_verdicts() {
        Campaign campaign = planned(10, 3).ended(What.COMPLETED, 10, NOW);
        double spent = 0;
        for (int look = 1; look <= 3; look++) {
            assertThat(campaign.look().number()).isEqualTo(look);
            assertThat(campaign.look().withoutVerdicts()).isEmpty();
            assertThat(campaign.look().alpha()).isCloseTo(0.05 / Math.pow(2, look), within(1e-15));
            spent += campaign.look().alpha();
            int aim = 10 + 5 * look;
            campaign = campaign.goingOn(aim, aim - 5, 0, NOW).ended(What.COMPLETED, aim, NOW);
        }

        assertThat(spent).isLessThan(0.05);
        assertThat(campaign.look().withoutVerdicts()).contains(WithoutVerdicts.EXTENSION_NOT_RESERVED);
    }

    @Test
    void an_interrupted_extension_that_goes_on_is_the_same_look() {
        Campaign extended = planned(10, 2).ended(What.COMPLETED, 10, NOW).goingOn(15, 10, 0, NOW);
        Campaign again = extended.goingOn(15, 12, 0, NOW);

        assertThat(again.look().number()).isEqualTo(2);
        assertThat(again.order()).isEqualTo(extended.order());
        assertThat(again.ended(What.COMPLETED, 15, NOW).look().withoutVerdicts())
                .isEmpty();
    }

    @Test
    void nothing_left_to_do_is_no_event_and_blocks_are_only_added() {
        Campaign completed = planned(10, 1).ended(What.COMPLETED, 10, NOW);

        assertThat(completed.goingOn(10, 10, 0, NOW)).isSameAs(completed);
        assertThat(completed.ended(What.COMPLETED, 10, NOW)).isSameAs(completed);
        assertThatThrownBy(() -> completed.goingOn(9, 10, 0, NOW)).hasMessageContaining("blocks are only added");
    }

    @Test
    void the_history_is_read_again_and_an_older_file_is_rejected() throws IOException {
        Campaign written = planned(6, 2)
                .ended(What.TIME_LIMIT, 4, NOW)
                .goingOn(6, 4, 0, NOW)
                .ended(What.COMPLETED, 6, NOW);
        new CampaignStore(folder).write(written);
        assertThat(CampaignFolder.read(folder).campaign()).isEqualTo(written);

        Path file = folder.resolve("campaign.json");
        ObjectNode json = (ObjectNode) new ObjectMapper().readTree(file.toFile());
        json.put("format", 1);
        Files.writeString(file, json.toString());
        assertThatThrownBy(() -> CampaignFolder.read(folder))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": damaged: its format is 1, this version reads 2: measure again, or"
                        + " read it with the version that wrote it");
    }
}
