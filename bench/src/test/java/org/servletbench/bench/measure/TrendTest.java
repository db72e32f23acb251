package org.servletbench.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TrendTest {

    private static final int RUNS = 4000;

    /** Noise of the time slices or batches of one server run. */
    private record Noise(int rates, double sd, double autocorrelation) {

        /** Simulates rates of a server that gains this much from start to end, on a machine whose speed drifts. */
        double[] rates(Random random, double gain, DoubleUnaryOperator shape) {
            double[] drawn = new double[rates];
            double wander = sd * random.nextGaussian();
            for (int i = 0; i < rates; i++) {
                drawn[i] = 1000 * Math.exp(wander + Math.log1p(gain) * shape.applyAsDouble(i / (rates - 1.0)));
                wander = autocorrelation * wander
                        + sd * Math.sqrt(1 - autocorrelation * autocorrelation) * random.nextGaussian();
            }
            return drawn;
        }

        /** Returns the share of servers whose trend satisfies this. */
        double share(double gain, Predicate<Trend> said) {
            return share(gain, DoubleUnaryOperator.identity(), said);
        }

        double share(double gain, DoubleUnaryOperator shape, Predicate<Trend> said) {
            Random random = new Random(7);
            return IntStream.range(0, RUNS)
                            .filter(i -> Trend.ofRounds(rates(random, gain, shape))
                                    .filter(said)
                                    .isPresent())
                            .count()
                    / (double) RUNS;
        }
    }

    /** Batches of time slices, without the noise that all servers share. */
    private static final Noise TIME_SLICES = new Noise(30, 0.03, 0);
    /** A minute of slices of 1 s: one server alone, on a machine whose speed drifts by 5 %. */
    private static final Noise MINUTE = new Noise(60, 0.05, 0.3);
    /** The worst observed machine: its speed varies by 16 %, with a correlation of 0.54 from one second to the next. */
    private static final Noise WORST = new Noise(30, 0.16, 0.54);

    @Test
    void steadyServersAreSeldomMarkedHoweverNoisyTheMachine() {
        for (Noise noise : new Noise[] {
            TIME_SLICES,
            MINUTE,
            WORST,
            new Noise(16, 0.03, 0),
            new Noise(16, 0.05, 0.54),
            new Noise(20, 0.03, 0),
            new Noise(20, 0.05, 0.54),
            new Noise(60, 0.16, 0.54),
            new Noise(120, 0.05, 0.54)
        }) {
            // 2 %, plus twice the standard error of this many runs.
            assertThat(noise.share(0, Trend::rises)).as("%s rises", noise).isLessThan(0.024);
            assertThat(noise.share(0, Trend::falls)).as("%s falls", noise).isLessThan(0.024);
        }
    }

    @Test
    void aServerThatGainsATenthOverTheLoadIsMostlyFoundAndSoIsOneThatLosesIt() {
        assertThat(TIME_SLICES.share(0.1, Trend::rises)).isGreaterThan(0.9);
        assertThat(MINUTE.share(0.1, Trend::rises)).isGreaterThan(0.6);
        assertThat(TIME_SLICES.share(-0.1, Trend::falls)).isGreaterThan(0.9);
        assertThat(MINUTE.share(-0.1, Trend::falls)).isGreaterThan(0.6);
        assertThat(TIME_SLICES.share(0.1, Trend::falls)).isZero();
    }

    /**
     * A rise that slows down, as of a JIT compiler that is nearly done, and a step, as if a single method were
     * replaced.
     */
    @Test
    void aRiseThatIsNoStraightLineIsFoundAsWell() {
        DoubleUnaryOperator lessAndLess = x -> -Math.expm1(-3 * x) / -Math.expm1(-3);
        DoubleUnaryOperator step = x -> x < 0.5 ? 0 : 1;
        Noise quiet = new Noise(30, 0.005, 0);
        assertThat(TIME_SLICES.share(0.1, lessAndLess, Trend::rises)).isGreaterThan(0.8);
        assertThat(quiet.share(0.1, lessAndLess, Trend::rises)).isGreaterThan(0.99);
        assertThat(quiet.share(0.1, step, Trend::rises)).isGreaterThan(0.6);
        assertThat(new Noise(60, 0.03, 0).share(0.1, step, Trend::rises)).isGreaterThan(0.9);
    }

    /** If noise is known to be small, a small rise is certain, but still not worth a warning. */
    @Test
    void aSureRiseOfOnePercentIsNotMarked() {
        Noise quiet = new Noise(30, 0.001, 0);
        assertThat(quiet.share(0.01, Trend::rises)).isZero();
        assertThat(quiet.share(0.03, Trend::rises)).isGreaterThan(0.99);
    }

    /**
     * A server that gains more than the limit is hardly ever called warm, whether or not it is called rising; a steady
     * one mostly is.
     */
    @Test
    void aServerThatGainsMoreThanTheLimitIsNotCalledWarm() {
        double limit = Trend.FLAT / 100;
        for (Noise noise : new Noise[] {TIME_SLICES, MINUTE, WORST, new Noise(20, 0.05, 0.54)}) {
            assertThat(noise.share(limit, Trend::flat)).as("%s", noise).isLessThan(0.024);
            assertThat(noise.share(0.3, Trend::flat)).as("%s", noise).isLessThan(0.003);
        }
        assertThat(TIME_SLICES.share(0, Trend::flat)).isGreaterThan(0.9);
        assertThat(MINUTE.share(0, Trend::flat)).isGreaterThan(0.6);
    }

    @Test
    void theRiseIsThatOfTheLineAndItsIntervalHoldsIt() {
        double[] straight = IntStream.range(0, 20)
                .mapToDouble(i -> 500 * Math.pow(1.21, i / 19.0) * (i % 2 == 0 ? 1.0001 : 0.9999))
                .toArray();
        Trend trend = Trend.of(straight).orElseThrow();
        assertThat(trend.points()).isEqualTo(20);
        assertThat(trend.rise()).isEqualTo(21, within(0.05));
        assertThat(trend.low()).isLessThanOrEqualTo(trend.rise());
        assertThat(trend.high()).isGreaterThanOrEqualTo(trend.rise());

        Random random = new Random(5);
        long held = IntStream.range(0, RUNS)
                .mapToObj(i -> Trend.of(MINUTE.rates(random, 0.08, DoubleUnaryOperator.identity()))
                        .orElseThrow())
                .filter(one -> one.low() < 8 && one.high() > 8)
                .count();
        assertThat(held / (double) RUNS).isBetween(0.97, 0.99);
    }

    /** The default load has about nine slices. Their quarters are strongly correlated if the machine's speed drifts. */
    @Test
    void aShortLoadIsJudgedByQuartersOfItsSlices() {
        Random random = new Random(11);
        for (Noise noise : new Noise[] {
            new Noise(36, 0.02, 0), new Noise(36, 0.03, 0.5), new Noise(36, 0.05, 0.74), new Noise(36, 0.16, 0.857)
        }) {
            double marked = IntStream.range(0, RUNS)
                            .mapToObj(i -> Trend.ofQuarters(noise.rates(random, 0, DoubleUnaryOperator.identity()))
                                    .orElseThrow())
                            .filter(one -> one.rises() || one.falls())
                            .count()
                    / (double) RUNS;
            assertThat(marked).as("%s", noise).isLessThan(0.048);
        }
        double found = IntStream.range(0, RUNS)
                        .mapToObj(i -> Trend.ofQuarters(
                                        new Noise(36, 0.02, 0.3).rates(random, 0.1, DoubleUnaryOperator.identity()))
                                .orElseThrow())
                        .filter(Trend::rises)
                        .count()
                / (double) RUNS;
        assertThat(found).isGreaterThan(0.9);
    }

    @Test
    void nothingIsClaimedOfTooFewRates() {
        double[] rates = IntStream.range(0, Trend.LEAST_POINTS)
                .mapToDouble(i -> 100 + i % 7)
                .toArray();
        assertThat(Trend.of(rates)).isPresent();
        assertThat(Trend.of(Arrays.copyOf(rates, Trend.LEAST_POINTS - 1))).isEmpty();
        assertThat(Trend.of(new double[0])).isEmpty();
        rates[3] = 0;
        assertThat(Trend.of(rates)).isEmpty();
    }
}
