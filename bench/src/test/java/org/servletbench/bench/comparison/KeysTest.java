package org.servletbench.bench.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.ProfilesFolder;

class KeysTest {

    /** With -Dwrite.page=true the page is written. */
    @Test
    void theReferencePageIsThatOfTheTable() throws IOException {
        Path page = Path.of("../docs/comparison-file.md");
        String made = Keys.page(new ProfilesFolder(Path.of("../profiles")).campaignDefaults());
        if (Boolean.getBoolean("write.page")) {
            Files.writeString(page, made);
        }
        assertThat(Files.readString(page))
                .as("stale: run this test with -Dwrite.page=true")
                .isEqualTo(made);
    }

    @Test
    void theNearestKnownNameIsOffered() {
        assertThat(Keys.nearest("tier", List.of("tiers", "rates"))).isEqualTo(": did you mean 'tiers'?");
        assertThat(Keys.nearest("colour", List.of("tiers", "rates"))).isEqualTo(": choose from tiers, rates");
    }
}
