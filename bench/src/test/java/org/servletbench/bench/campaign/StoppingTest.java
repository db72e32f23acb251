package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.report.Campaigns;

class StoppingTest {
    @TempDir
    Path folder;

    @Test
    void two_blocks_never_stop_a_campaign_however_narrow_their_intervals() throws IOException {
        Campaigns.write(folder, 7, "jetty", 1.0);
        CampaignFolder read = CampaignFolder.read(folder);
        for (int blocks : new int[] {2, 3, 4, 10}) {
            Judgement judged = Judgement.of(
                    read.campaign(),
                    read.invocations().stream()
                            .filter(invocation -> invocation.block() <= blocks)
                            .toList());
            double wide = judged.family().widestHalfWidth();

            assertThat(wide).isFinite();
            assertThat(CampaignRunner.isPrecise(judged, wide)).isEqualTo(blocks == 10);
            assertThat(CampaignRunner.isPrecise(judged, 0)).isFalse();
        }
    }
}
