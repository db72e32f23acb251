package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.comparison.ClaimList;
import org.servletbench.bench.comparison.ClaimSpec;
import org.servletbench.bench.comparison.Comparison;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.ClaimResult;
import org.servletbench.bench.record.ClaimResult.Outcome;
import org.servletbench.bench.record.CpuProfile;
import org.servletbench.bench.record.Layers;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.verdict.NoVerdictReason;

/** Tests claims about the CPU time of a layer, from profiles with known shares. */
class LayerClaimsTest {

    private static final MeasuredLoad LOAD = new MeasuredLoad("request", 32, 0, "gatling");
    private static final Map<String, Double> USUAL = Map.of("shop", 0.2, "JSON", 0.3, "other", 0.5);
    /** Stacks of a profile of 5 s. */
    private static final int SAMPLES = 4000;

    @TempDir
    private Path folder;

    private static final String SAYS = "after is not slower than before in cpu of shop";

    private static ClaimSpec.Part claim(String layer) {
        return new ClaimSpec.Part(
                "cpu", "after", "before", ClaimSpec.Relation.NOT_SLOWER, null, null, Map.of(), Map.of(), true, layer);
    }

    /** Returns the outcome if the new build has these layers, and its CPU time changes by this factor. */
    private static ClaimResult.Part outcome(Map<String, Double> after, double cpu) {
        return outcome("shop", after, cpu);
    }

    private static ClaimResult.Part outcome(String layer, Map<String, Double> after, double cpu) {
        Fixture.Drawn drawn = Fixture.seeded(5)
                .arms(List.of(
                        Fixture.arm("before", "before", "boot3", Arm.Role.BASELINE),
                        Fixture.arm("after", "after", "boot3", Arm.Role.ARM),
                        Fixture.arm("before-control", "before", "boot3", Arm.Role.CONTROL)))
                .loads(List.of(LOAD))
                .blocks(8)
                .spread(0.01)
                .testing(0.05, "cpu")
                .cpu("after", cpu)
                .cpuSpread(1)
                .claims(new ClaimList(List.of(new ClaimSpec(SAYS, "", "", List.of(claim(layer)))), null))
                .draw();
        Random random = new Random(6);
        List<ServerRun> profiled = drawn.serverRuns().stream()
                .map(run -> run.with(new CpuProfile(
                        LOAD, SAMPLES, 1, seen(run.arm().equals("after") ? after : USUAL, random), Map.of())))
                .toList();
        return Analysis.of(drawn.campaign(), profiled).claims().get(0).parts().get(0);
    }

    /** Returns the shares in a random sample. */
    private static Map<String, Double> seen(Map<String, Double> shares, Random random) {
        Map<String, Double> seen = new TreeMap<>();
        shares.forEach((layer, share) ->
                seen.put(layer, share + Math.sqrt(share * (1 - share) / SAMPLES) * random.nextGaussian()));
        return seen;
    }

    @Test
    void whatALayerAddsIsAShareOfAllCpuTime() {
        ClaimResult.Part equal = outcome(USUAL, 1);
        assertThat(equal.outcome()).isEqualTo(Outcome.HOLDS);
        assertThat(equal.value()).isCloseTo(1, within(0.01));
        // 10 % of all CPU time is half as much again in this layer.
        ClaimResult.Part more = outcome(Map.of("shop", 0.3 / 1.1, "JSON", 0.3 / 1.1, "other", 0.5 / 1.1), 1.1);
        assertThat(more.outcome()).isEqualTo(Outcome.DOES_NOT_HOLD);
        assertThat(more.value()).isCloseTo(1.1, within(0.01));
        assertThat(more.high() - more.low()).isLessThan(0.04);
        assertThat(outcome(Map.of("JSON", 0.3 / 0.8, "other", 0.5 / 0.8), 0.8).value())
                .isCloseTo(0.8, within(0.01));
    }

    /** The process needs as much CPU time as before. */
    @Test
    void costThatMovesToAnotherLayerDecidesNothing() {
        ClaimResult.Part moved = outcome(Map.of("shop", 0.35, "JSON", 0.15, "other", 0.5), 1);
        assertThat(moved.outcome()).isEqualTo(Outcome.UNDECIDED);
        assertThat(moved.reason()).contains(NoVerdictReason.MOVED);
    }

    /** A misspelled package adds nothing to either build. */
    @Test
    void aLayerThatNoProfileHasDecidesNothing() {
        ClaimResult.Part unseen = outcome("com.acem", USUAL, 1);
        assertThat(unseen.outcome()).isEqualTo(Outcome.UNDECIDED);
        assertThat(unseen.reason()).contains(NoVerdictReason.UNSEEN);
        assertThat(outcome("cache", Map.of("shop", 0.2, "JSON", 0.2, "cache", 0.1, "other", 0.5), 1)
                        .reason())
                .as("a layer that only the new build has counts from 0")
                .contains(NoVerdictReason.MOVED);
    }

    private Comparison read(String claim, String measure) throws IOException {
        Path file = Files.writeString(folder.resolve("mine.yaml"), """
                arms: {tomcat-nio: , jetty: }
                load: [{workloads: hello, users: 50}, {workloads: static, users: 50}]
                judge: cpu
                claims:
                  - %s
                measure: {%s}
                """.formatted(claim, measure));
        Path root = Path.of(System.getProperty("bench.root"));
        return Comparison.read(root, file.toString(), Map.of(), new ProfilesFolder(root.resolve("profiles")));
    }

    @Test
    void aClaimNamesALayerOrAPackageAndNeedsProfiles() throws IOException {
        Comparison read = read("jetty is not slower than tomcat-nio in cpu of com.acme.shop", "cpu-profile: true");
        assertThat(read.claims().layers()).containsExactly("com.acme.shop");
        assertThat(read.claims().ownIntervals(List.of(LOAD, LOAD))).isEqualTo(1);
        assertThatThrownBy(() -> read("jetty is not slower than tomcat-nio in cpu of JSON", "hold: 2s"))
                .hasMessageEndingWith(
                        "'claims': CPU time of JSON comes from profiles: add measure: {cpu-profile: true}");
        assertThatThrownBy(() -> read("jetty is faster than tomcat-nio in cpu of JSON", "cpu-profile: true"))
                .hasMessageContaining("a layer has CPU time alone: write ARM is not slower than ARM in cpu of JSON");
        Layers layers = Layers.read(Path.of(System.getProperty("bench.root"), "profiles"));
        assertThat(List.of("JSON", "your code", "com.acme").stream().allMatch(layers::canHave))
                .isTrue();
        assertThat(layers.canHave("Jason")).isFalse();
    }
}
