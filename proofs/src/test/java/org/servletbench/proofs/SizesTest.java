package org.servletbench.proofs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.servletbench.bench.model.UsageException;

class SizesTest {

    private static Sizes of(String... properties) {
        Properties given = new Properties();
        for (String property : properties) {
            given.setProperty(property.split("=")[0], property.split("=")[1]);
        }
        return Sizes.of(given);
    }

    @Test
    void smallToTryAndFullAsDocumented() {
        assertThat(of().ofNull()).containsEntry("blocks", "4").doesNotContainKey("hold");
        assertThat(of().kills()).isEqualTo(1);
        assertThat(of("proofs.size=full").ofNull())
                .containsEntry("blocks", "20")
                .containsEntry("limit", "140m");
        assertThat(of("proofs.size=full", "proofs.kills=5").kills()).isEqualTo(5);
        assertThat(of("proofs.hold=9s").ofControls()).containsEntry("hold", "9s");
    }

    @ParameterizedTest
    @CsvSource({
        "proofs.kill=3, no size -Dproofs.kill",
        "proofs.size=big, choose small or full",
        "proofs.arms=1, arms",
        "proofs.blocks=1, blocks",
        "proofs.chunk=many, chunk",
        "proofs.hold=soon, give a time with its unit",
        "proofs.limit=1, give a time with its unit"
    })
    void badSizesAreRejectedBeforeHoursBegin(String property, String why) {
        assertThatThrownBy(() -> of(property))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(why);
    }
}
