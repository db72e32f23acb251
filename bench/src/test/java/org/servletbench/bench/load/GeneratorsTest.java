package org.servletbench.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.report.Template;

class GeneratorsTest {

    @Test
    void thereAreFiveAndEachSaysWhatItsFiguresAreWorth() {
        assertThat(Generators.all())
                .extracting(Generator::name)
                .containsExactly("gatling", "jmeter", "wrk", "ab", "siege");
        assertThat(Generators.all()).allSatisfy(one -> {
            assertThat(Generators.named(one.name())).isSameAs(one);
            assertThat(one.fidelity().resolutionMs()).isPositive();
            assertThat(Template.html("limits", one.name())).isNotBlank();
        });
    }

    @Test
    void othersAreRejected() {
        assertThat(Generators.find("curl")).isEmpty();
        assertThat(Generators.find("siege-d1"))
                .as("a pause is a setting, not a generator")
                .isEmpty();
        assertThatThrownBy(() -> Generators.named("curl"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("choose from gatling, jmeter, wrk, ab, siege");
    }

    @Test
    void thoseThatABuildBringsSayHowToBuildThem(@TempDir Path empty) {
        assertThat(Generators.named("gatling").missing(empty)).get().asString().contains("build the simulations");
        assertThat(Generators.named("jmeter").missing(empty)).isNotEqualTo(Optional.empty());
    }
}
