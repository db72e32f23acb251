package org.servletbench.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class WarmCodeTest {

    /**
     * Returns how many samplings, with this many samples each, it takes until a server with this share is called warm;
     * 0 if it never is.
     */
    private static int looks(WarmCode code, Random random, double share, int looks, int samples) {
        for (int look = 1; look <= looks; look++) {
            long below = IntStream.range(0, samples)
                    .filter(one -> random.nextDouble() < share)
                    .count();
            if (code.add(new CodeTiers(0, below, samples - below))) {
                return look;
            }
        }
        return 0;
    }

    private static double warm(Function<TopTier, WarmCode> code, double share, int looks) {
        Random random = new Random(3);
        return IntStream.range(0, 4000)
                        .filter(server -> looks(code.apply(TopTier.C2), random, share, looks, 150) > 0)
                        .count()
                / 4000.0;
    }

    @Test
    @Tag("simulation")
    void aServerAtTheLimitIsRarelyCalledWarm() {
        assertThat(warm(WarmCode::new, WarmCode.MOST_BELOW, 9)).isLessThan(0.05);
        assertThat(warm(WarmCode::new, 0.04, 20)).isLessThan(0.005);
        assertThat(warm(WarmCode::new, 0.015, 9)).isGreaterThan(0.9);
        assertThat(warm(WarmCode::underLoad, WarmCode.MOST_UNDER_LOAD, 9)).isLessThan(0.05);
        assertThat(warm(WarmCode::underLoad, 0.02, 20)).isLessThan(0.005);
        assertThat(warm(WarmCode::underLoad, 0.004, 9)).isGreaterThan(0.9);
    }

    /** Counting starts at the share of cold code with which the bound is that of a warm server. */
    @Test
    void theLimitUnderALoadLeavesTheRiseOfAWarmServer() {
        assertThat(WarmCode.MOST_UNDER_LOAD).isCloseTo(0.0135, within(0.0001));
        assertThat(RemainingRise.percent(WarmCode.MOST_UNDER_LOAD)).isCloseTo(RemainingRise.WARM, within(1e-9));
        CodeTiers samples = new CodeTiers(12, 0, 788);
        WarmCode code = WarmCode.underLoad(TopTier.C2);
        code.add(samples);
        assertThat(code.looksWarm()).isFalse();
        assertThat(code.reason())
                .isEqualTo(
                        "1.5 % of 800 samples of its threads were below code of C2 (limit 1.3 %, with its uncertainty)");
        assertThat(new WarmCode(TopTier.C2).from(samples).looksWarm()).isTrue();
    }

    /** Cold samplings at the start do not spoil later ones. */
    @Test
    void theLatestLooksAreEnough() {
        WarmCode code = new WarmCode(TopTier.C2);
        for (int below : new int[] {60, 20, 6, 2, 1}) {
            assertThat(code.add(new CodeTiers(0, below, 200 - below))).isFalse();
        }
        assertThat(code.add(new CodeTiers(0, 0, 200))).as("3 of 600").isTrue();
        assertThat(code.seen()).as("but for the two first").isEqualTo(new CodeTiers(0, 9, 791));
        assertThat(code.isSurelyCold()).isFalse();
    }

    @Test
    void fewSamplesShowThatAServerIsCold() {
        WarmCode code = new WarmCode(TopTier.C2);
        code.add(new CodeTiers(2, 1, 97));
        assertThat(code.isSurelyCold()).as("3 % of 100").isFalse();
        code = new WarmCode(TopTier.C2);
        code.add(new CodeTiers(10, 5, 85));
        assertThat(code.isSurelyCold()).as("15 % of 100").isTrue();
    }

    @Test
    void aWindowNeedsEnoughSamplesAndHoldsNothingOfAColdTime() {
        WarmCode code = new WarmCode(TopTier.C2);
        assertThat(code.add(new CodeTiers(300, 200, 100))).isFalse();
        assertThat(code.words()).isEqualTo("17 % of its time in code of C2");
        assertThat(code.add(new CodeTiers(0, 0, 400))).as("too few").isFalse();
        assertThat(code.add(new CodeTiers(0, 1, 250))).isTrue();
        assertThat(code.seen()).isEqualTo(new CodeTiers(0, 1, 650));
    }

    /** Stacks as async-profiler writes them. Threads without a Java frame are left out. */
    @Test
    void aSampleIsOfTheKindOfItsNearestFrameThatIsNotInlined() {
        Map<String, Long> running = CodeTiers.running(Map.of(
                "java/lang/Thread.run_[0];a/B.c_[1];a/D.e_[i]",
                2L,
                "java/lang/Thread.run_[0];a/B.c_[j];a/D.e_[i];a/F.g_[i]",
                3L,
                "java/lang/Thread.run_[0];__write;do_syscall_64_[k]",
                5L,
                "start_thread;CompileBroker::compiler_thread_loop",
                7L,
                "java/lang/Thread.run_[0];org/servletbench/bench/server/agent/ProbeAgent.serve_[0]",
                11L,
                "java/lang/Thread.run_[0];a/B.c_[j];a/D.size_[1]",
                13L));
        assertThat(CodeTiers.of(running, Set.of())).isEqualTo(new CodeTiers(5, 15, 3));
        assertThat(CodeTiers.of(running, Set.of("a/D.size", "a/B.other")))
                .as("C2 will not compile a getter")
                .isEqualTo(new CodeTiers(5, 2, 16));
    }

    /** A stack as async-profiler wrote it of a warm server. The compiled frames between the two last ones are lost. */
    @Test
    void aSampleInAStubOfC1IsOfC1() {
        Map<String, Long> running = CodeTiers.running(Map.of(
                "java/lang/Thread.run_[0];org/apache/tomcat/util/threads/ThreadPoolExecutor$Worker.run_[0];"
                        + "slow_subtype_check Runtime1 stub",
                26L,
                "java/lang/Thread.run_[0];a/B.c_[0];I2C/C2I adapters",
                8L));
        assertThat(CodeTiers.of(running, Set.of())).isEqualTo(new CodeTiers(8, 26, 0));
    }

    /** Code that a JVM cannot improve is warm. */
    @Test
    void theBestTierIsThatOfTheJvmsOptions() {
        CodeTiers compiled = new CodeTiers(0, 700, 0);
        assertThat(new WarmCode(TopTier.C1).add(compiled)).isTrue();
        assertThat(new WarmCode(TopTier.C2).add(compiled)).isFalse();
        assertThat(new WarmCode(TopTier.INTERPRETER).add(new CodeTiers(700, 0, 0)))
                .isTrue();
    }
}
