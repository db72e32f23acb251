package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Shares;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.CampaignEvent;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CampaignStore;
import org.servletbench.bench.report.Campaigns;
import org.servletbench.bench.verdict.Stopping;

class StoppingTest {
    @TempDir
    Path folder;

    @Test
    void twoBlocksNeverStopACampaignHoweverNarrowTheirIntervals() throws IOException {
        Campaigns.write(folder, 7, "jetty", 1.0);
        CampaignFolder read = CampaignFolder.read(folder);
        for (int blocks : new int[] {2, 3, 10}) {
            Analysis judged = Analysis.of(
                    read.campaign(),
                    read.serverRuns().stream()
                            .filter(serverRun -> serverRun.block() <= blocks)
                            .toList());
            double wide = judged.family().widestHalfWidth();
            Metric lead = judged.campaign().plan().lead();

            assertThat(wide).isFinite();
            assertThat(Stopping.enough(judged.family(), Shares.of(wide), lead)).isEqualTo(blocks == 10);
            assertThat(Stopping.enough(judged.family(), Shares.of(0), lead)).isFalse();
        }
    }

    @Test
    void theEndIsRecordedOnceAndOnlyThenThereAreVerdicts() throws IOException {
        Campaigns.interrupted(folder, 8);
        CampaignFolder before = CampaignFolder.read(folder);
        ProfilesFolder profiles =
                new ProfilesFolder(Path.of(System.getProperty("bench.root")).resolve("profiles"));

        CampaignFolder after = run(before, profiles);
        assertThat(before.campaign().hasEnded()).isFalse();
        assertThat(after.campaign().hasEnded()).isTrue();
        assertThat(after.campaign().history()).singleElement().satisfies(event -> {
            assertThat(event.what()).isEqualTo(CampaignEvent.What.COMPLETED);
            assertThat(event.after()).isEqualTo(10);
        });
        assertThat(after.serverRuns()).isEqualTo(before.serverRuns());
        assertThat(run(after, profiles).campaign()).isEqualTo(after.campaign());
    }

    private CampaignFolder run(CampaignFolder read, ProfilesFolder profiles) {
        return new Prepared(
                        read.campaign(),
                        PlannerTest.procedure(Map.of()),
                        Map.of(),
                        List.of(),
                        profiles,
                        folder,
                        new CampaignStore(folder),
                        ServerMachine.of(new Options(Map.of(), Map.of()), profiles, line -> {}))
                .run(null, "");
    }
}
