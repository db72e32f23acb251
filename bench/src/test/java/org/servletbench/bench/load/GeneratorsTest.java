package org.servletbench.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.Capability;
import org.servletbench.bench.model.GeneratorFacts;
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

    /** The catalogue, which is used for reading records, must have the same facts as the generators that run. */
    @Test
    void theCatalogueHasTheFactsOfEachAndNoOthers() {
        assertThat(GeneratorFacts.all())
                .containsExactlyElementsOf(
                        Generators.all().stream().map(Generator::facts).toList());
    }

    /**
     * With all other generators, too few users make figures wrong: the warning excludes the result, instead of making
     * it a lower bound.
     */
    @Test
    void onlyJMeterFallsShortOfItsUsersWhenItIsBusy() {
        assertThat(GeneratorFacts.all())
                .filteredOn(one -> one.has(Capability.FALLS_SHORT))
                .containsExactly(GeneratorFacts.JMETER);
        assertThat(GeneratorFacts.has("jmeter", Capability.FALLS_SHORT)).isTrue();
        assertThat(GeneratorFacts.has("gatling", Capability.FALLS_SHORT)).isFalse();
        assertThat(GeneratorFacts.has("curl", Capability.FALLS_SHORT)).isFalse();
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
