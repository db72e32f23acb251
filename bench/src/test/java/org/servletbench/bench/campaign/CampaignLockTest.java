package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.TargetException;

class CampaignLockTest {

    @TempDir
    private Path folder;

    /** The lock of the machine does not suffice: processes with different temporary folders do not see each other's. */
    @Test
    void aCampaignIsMeasuredByOneProcess() {
        try (CampaignLock own = CampaignLock.ofFolder(folder)) {
            assertThatThrownBy(() -> CampaignLock.ofFolder(folder))
                    .isInstanceOf(TargetException.class)
                    .hasMessage("another process measures the campaign " + folder + ": wait for it, or stop it");
        }
        CampaignLock.ofFolder(folder).close();
    }

    @Test
    void noLockIsMadeThroughALink() throws IOException {
        Path elsewhere = folder.resolve("elsewhere");
        Files.createSymbolicLink(folder.resolve("campaign.lock"), elsewhere);
        assertThatThrownBy(() -> CampaignLock.ofFolder(folder))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("if it is a link, delete it");
        assertThat(elsewhere).doesNotExist();
    }
}
