package org.servletbench.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.measure.TimeToPeak.Moment;
import org.servletbench.bench.measure.TimeToPeak.Reached;
import org.servletbench.bench.measure.TimeToPeak.Round;

class TimeToPeakTest {

    private static final double SECONDS = 120;
    private static final double READY = 2;
    private static final DoubleUnaryOperator STEADY = at -> 1;
    /** Reaches 95 % of the peak after 26 s. */
    private static final DoubleUnaryOperator WARMING = at -> 1 - Math.exp(-(at - READY) / 8);

    private static final double WARM = 26.0;

    /**
     * Returns time slices of a server and its companion.
     *
     * @param share share of its peak that the server reaches, by time
     * @param speed speed of the machine, by time
     * @param noise standard deviation of each time slice
     */
    private static List<Round> rounds(DoubleUnaryOperator share, DoubleUnaryOperator speed, double noise, long seed) {
        Random random = new Random(seed);
        List<Round> rounds = new ArrayList<>();
        for (double at = READY; at < SECONDS; at += 0.5) {
            rounds.add(new Round(
                    new Moment(at, 1.5 * at),
                    20_000
                            * share.applyAsDouble(at)
                            * speed.applyAsDouble(at)
                            * Math.exp(noise * random.nextGaussian()),
                    15_000 * speed.applyAsDouble(at + 0.4) * Math.exp(noise * random.nextGaussian())));
        }
        return rounds;
    }

    private static Optional<Moment> peak(
            DoubleUnaryOperator share, DoubleUnaryOperator speed, double noise, long seed) {
        return TimeToPeak.of(rounds(share, speed, noise, seed), SECONDS).map(Reached::at);
    }

    /**
     * Returns the speed of a machine that jumps between a third and full speed at random times, and drifts in between.
     */
    private static DoubleUnaryOperator changing(long seed) {
        Random random = new Random(seed);
        double[] jumps = random.doubles(4, 0, SECONDS).sorted().toArray();
        double[] speeds = random.doubles(5, 0.33, 1).toArray();
        return at -> speeds[
                        (int) IntStream.range(0, jumps.length)
                                .filter(i -> jumps[i] < at)
                                .count()]
                * (1 + 0.2 * Math.sin(at / 9));
    }

    @Test
    void theMomentIsWhereTheCurveSaysItIs() {
        Moment reached = peak(WARMING, STEADY, 0, 1).orElseThrow();
        assertThat(reached.seconds()).isCloseTo(WARM, within(0.6));
        assertThat(reached.cpuSeconds()).isEqualTo(1.5 * reached.seconds());
    }

    @Test
    void aMachineThatChangesSpeedDoesNotDecide() {
        for (long seed = 1; seed <= 300; seed++) {
            assertThat(peak(WARMING, changing(seed), 0, seed))
                    .as("seed %d", seed)
                    .hasValueSatisfying(reached -> assertThat(reached.seconds()).isCloseTo(WARM, within(5.0)));
        }
    }

    /** Time slices do not count while the companion is silent, which here lasts from before the peak until after it. */
    @Test
    void aSilentCompanionDoesNotMoveThePeakForward() {
        List<Round> rounds = rounds(WARMING, STEADY, 0, 1).stream()
                .map(one ->
                        one.at().seconds() >= 15 && one.at().seconds() < 30 ? new Round(one.at(), one.rate(), 0) : one)
                .toList();
        assertThat(TimeToPeak.of(rounds, SECONDS).orElseThrow().at().seconds()).isBetween(WARM, 31.0);
    }

    /** A start on a busy machine may answer so late that nothing of its first half is left. */
    @Test
    void aServerThatAnswersInTheSecondHalfHasNoPeak() {
        List<Round> rounds = rounds(STEADY, STEADY, 0.02, 1).stream()
                .filter(one -> one.at().seconds() > SECONDS / 2)
                .toList();
        assertThat(TimeToPeak.of(rounds, SECONDS)).isEmpty();
    }

    @Test
    void onlyTheShapeCounts() {
        for (long seed = 1; seed <= 50; seed++) {
            double factor = 0.01 + new Random(seed).nextDouble();
            assertThat(peak(at -> factor * WARMING.applyAsDouble(at), STEADY, 0.02, seed)
                            .map(Moment::seconds))
                    .isEqualTo(peak(WARMING, STEADY, 0.02, seed).map(Moment::seconds));
        }
    }

    /**
     * Noise of time slices as observed on a virtual machine. The curve is flat at 95 %, so single times differ a lot.
     */
    @Test
    void noiseOfSlicesIsNotTakenForAPeak() {
        double[] found = IntStream.rangeClosed(1, 300)
                .mapToObj(seed -> peak(WARMING, STEADY, 0.12, seed))
                .flatMap(Optional::stream)
                .mapToDouble(Moment::seconds)
                .sorted()
                .toArray();
        assertThat(found).hasSizeGreaterThanOrEqualTo(295);
        assertThat(found[found.length / 2]).isCloseTo(WARM, within(3.0));
        assertThat(found[found.length / 10]).isGreaterThan(WARM - 8);
        assertThat(found[found.length * 9 / 10]).isLessThan(WARM + 18);
    }

    /** The start takes 2 s. An exponential approach with a time constant of 8 s loses another 8 s. */
    @Test
    void lostWorkIsTheAreaAboveTheCurve() {
        assertThat(TimeToPeak.of(rounds(WARMING, STEADY, 0, 1), SECONDS)
                        .orElseThrow()
                        .lostSeconds())
                .isCloseTo(READY + 8, within(0.3));
        double[] lost = LongStream.rangeClosed(1, 300)
                .mapToObj(seed -> TimeToPeak.of(rounds(WARMING, STEADY, 0.12, seed), SECONDS))
                .flatMap(Optional::stream)
                .mapToDouble(Reached::lostSeconds)
                .toArray();
        assertThat(lost).hasSizeGreaterThanOrEqualTo(297);
        double mean = Arrays.stream(lost).average().orElseThrow();
        assertThat(mean).isCloseTo(READY + 8, within(0.3));
        assertThat(Arrays.stream(lost)
                        .map(one -> (one - mean) * (one - mean))
                        .average()
                        .orElseThrow())
                .isLessThan(2.5);
    }

    @Test
    void aCompanionThatIsSilentAtFirstCostsTheServerNothing() {
        List<Round> rounds = new ArrayList<>(rounds(STEADY, STEADY, 0, 1));
        Round first = rounds.get(0);
        rounds.set(0, new Round(first.at(), first.rate(), 0));
        assertThat(TimeToPeak.of(rounds, SECONDS).orElseThrow().lostSeconds()).isCloseTo(READY, within(1e-9));
    }

    @Test
    void aServerThatSlowsDownHasNoPeakInItsSecondHalf() {
        assertThat(peak(at -> at < 60 ? 1 : 0.9, STEADY, 0, 1)).isEmpty();
    }

    @Test
    void whoNeedsNoWarmUpIsThereAtTheFirstAnswer() {
        assertThat(peak(STEADY, STEADY, 0, 1)).contains(new Moment(READY, 1.5 * READY));
    }

    @Test
    void aLongDipCountsAndAShortOneDoesNot() {
        assertThat(peak(at -> at >= 20 && at < 60 ? 0.8 : 1, STEADY, 0, 1)
                        .orElseThrow()
                        .seconds())
                .isCloseTo(60, within(1.0));
        assertThat(peak(at -> at >= 50 && at < 52 ? 0.8 : 1, STEADY, 0, 1)
                        .orElseThrow()
                        .seconds())
                .isEqualTo(READY);
    }

    @Test
    void whoIsStillRisingInTheLastQuarterIsNotThere() {
        assertThat(peak(at -> at / SECONDS, STEADY, 0, 1)).isEmpty();
        assertThat(peak(at -> at < 95 ? 0.5 : 1, STEADY, 0, 1)).isEmpty();
    }

    @Test
    void aLoadThatEndedEarlyHasNoPeak() {
        List<Round> all = rounds(STEADY, STEADY, 0, 1);
        assertThat(TimeToPeak.of(all.subList(0, all.size() - 10), SECONDS)).isEmpty();
        assertThat(TimeToPeak.of(List.of(), SECONDS)).isEmpty();
    }
}
