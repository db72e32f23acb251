package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignEvent;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CampaignStore;
import org.servletbench.bench.record.Look;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.report.Campaigns;
import org.servletbench.bench.verdict.Sizing;

/** A plan that is sized after its pilot, on a campaign of ten measured blocks of which it knows two. */
class SizedCampaignTest {
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

    @TempDir
    Path folder;

    private Campaign pilot;

    @BeforeEach
    void pilot() throws IOException {
        Campaigns.interrupted(folder, 8);
        Campaign drawn = CampaignFolder.read(folder).campaign();
        Plan plan = drawn.plan();
        Plan auto = new Plan(
                Plan.AUTO,
                plan.seed(),
                Sizing.PILOT,
                true,
                1,
                15,
                1,
                24,
                plan.cells(),
                List.of("throughput"),
                plan.margin(),
                plan.alpha(),
                0.2,
                plan.settings(),
                true,
                0,
                0.1,
                1,
                0);
        pilot = new Campaign(
                drawn.format(),
                drawn.id(),
                drawn.created(),
                drawn.commit(),
                auto,
                drawn.arms(),
                drawn.order().subList(0, Sizing.PILOT),
                drawn.machine(),
                drawn.versions(),
                drawn.options(),
                drawn.pinning(),
                List.of());
    }

    @Test
    void thePilotChoosesTheBlocksAndIsPartOfThem() {
        assertThat(pilot.isUnsized()).isTrue();
        Campaign sized = pilot.sized(7, 20, 2, NOW);

        assertThat(sized.isUnsized()).isFalse();
        assertThat(sized.order())
                .hasSize(7)
                .startsWith(pilot.order().get(0), pilot.order().get(1));
        assertThat(sized.order().get(6))
                .containsExactlyInAnyOrderElementsOf(pilot.order().get(0));
        assertThat(sized.plan().blocks()).isEqualTo(7);
        assertThat(sized.plan().loadSeconds(2)).isEqualTo(15);
        assertThat(sized.plan().loadSeconds(3)).isEqualTo(20);
        assertThat(sized.look().number()).as("no look at verdicts").isEqualTo(1);
        assertThat(sized.look().withoutVerdicts()).contains(Look.WithoutVerdicts.NOT_ENDED);
        assertThat(pilot.sized(7, 15, 2, NOW).plan().loadSeconds(2)).isEqualTo(15);
        assertThatThrownBy(() -> pilot.goingOn(9, 1, 0, NOW)).hasMessageContaining("chooses the number of blocks");
    }

    @Test
    void theRunnerSizesOnceAndGoesOn() throws IOException {
        CampaignStore store = new CampaignStore(folder);
        store.write(pilot);
        List<String> said = new ArrayList<>();
        ProfilesFolder profiles =
                new ProfilesFolder(Path.of(System.getProperty("bench.root")).resolve("profiles"));

        Options none = new Options(Map.of(), Map.of());
        Prepared ready = new Prepared(
                pilot, none, List.of(), profiles, folder, store, ServerMachine.of(none, profiles, line -> {}));
        CampaignFolder ended = ready.run(said::add, "");

        assertThat(ended.campaign().history())
                .extracting(CampaignEvent::what)
                .containsExactly(CampaignEvent.What.SIZED, CampaignEvent.What.COMPLETED);
        assertThat(ended.campaign().order().size()).isBetween(5, 10);
        assertThat(ended.completeBlocks()).isEqualTo(ended.campaign().order().size());
        assertThat(said).singleElement().asString().matches("pilot: noise of .*; ± 20 % takes about 5 blocks .*");
        assertThat(CampaignFolder.read(folder).campaign()).isEqualTo(ended.campaign());
    }

    /** One that is rejected leaves no trace: to go on later is no extension. */
    @Test
    void aResumeThatIsRejectedChangesNothing() throws IOException {
        CampaignStore store = new CampaignStore(folder);
        Campaign other = new Campaign(
                pilot.format(),
                pilot.id(),
                pilot.created(),
                pilot.commit(),
                pilot.plan(),
                pilot.arms(),
                pilot.order(),
                pilot.machine(),
                Map.of("jdk", "1.4", "jdk.home", "/gone"),
                pilot.options(),
                pilot.pinning(),
                List.of());
        store.write(other);
        ProfilesFolder profiles =
                new ProfilesFolder(Path.of(System.getProperty("bench.root")).resolve("profiles"));
        Options none = new Options(Map.of(), Map.of());
        Prepared ready = new Prepared(
                other.sized(7, 20, 2, NOW),
                none,
                List.of(),
                profiles,
                folder,
                store,
                ServerMachine.of(none, profiles, line -> {}));

        assertThatThrownBy(() -> ready.run(line -> {}, "")).hasMessageContaining("the campaign began on 1.4");
        assertThat(CampaignFolder.read(folder).campaign()).isEqualTo(other);
    }
}
