package org.servletbench.bench.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.DoublePredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.generator.RateSearch.Bracket;
import org.servletbench.bench.generator.RateSearch.Tried;

class RateSearchTest {

    private static final double RESOLUTION = 0.02;

    private static List<Tried> search(RateSearch search, DoublePredicate meets) {
        List<Tried> tried = new ArrayList<>();
        for (OptionalDouble rate = search.next(tried); rate.isPresent(); rate = search.next(tried)) {
            tried.add(new Tried("", rate.getAsDouble(), meets.test(rate.getAsDouble())));
        }
        return tried;
    }

    @ParameterizedTest
    @ValueSource(doubles = {101, 150, 777.7, 5432, 99_999})
    void findsTheLimitOfAServerThatBreaksThere(double limit) {
        List<Tried> tried = search(new RateSearch(100, 100, 1e6, RESOLUTION), rate -> rate <= limit);
        Bracket bracket = RateSearch.bracket(tried);
        assertThat(bracket.low()).isBetween(limit / (1 + RESOLUTION), limit);
        assertThat(bracket.high()).isBetween(limit, limit * (1 + RESOLUTION));
        assertThat(tried).hasSizeLessThan(35);
        assertThat(tried.stream().filter(one -> one.rate() == bracket.low())).hasSize(2);
        assertThat(tried.stream().filter(one -> one.rate() == bracket.high())).hasSize(3);
    }

    @Test
    void aRateIsGivenUpOnlyWhenItMissedTwice() {
        Random random = new Random(1);
        // The third step fails once, far below the limit, because another program used the machine.
        int[] steps = {0};
        List<Tried> tried = search(
                new RateSearch(100, 100, 1e6, RESOLUTION), rate -> ++steps[0] != 3 && rate <= 2000 + random.nextInt(2));
        assertThat(tried.get(2).rate()).isEqualTo(tried.get(3).rate());
        assertThat(RateSearch.bracket(tried).low()).isCloseTo(2000, within(41.0));
    }

    /** A pause of the machine, or of other programs there, spoils all trials during that time, far below the limit. */
    @Test
    void oneLongDisturbanceDoesNotEndTheClimb() {
        for (int spoilt = 1; spoilt <= 2; spoilt++) {
            for (int from = 1; from < 12; from++) {
                int[] steps = {0};
                int first = from;
                int last = from + spoilt;
                List<Tried> tried = search(new RateSearch(100, 100, 1e6, RESOLUTION), rate -> {
                    int step = ++steps[0];
                    return (step < first || step >= last) && rate <= 5000;
                });
                assertThat(RateSearch.bracket(tried).low())
                        .as("%d trials from the %dth on", spoilt, from)
                        .isBetween(5000 / (1 + RESOLUTION), 5000.0);
            }
        }
    }

    /**
     * The chance to meet the objective falls from 9 of 10 to 1 of 10 within 4 % of the rate, and one step in 30 fails
     * at any rate.
     */
    @Test
    void noiseMovesTheAnswerByFewPercent() {
        Random random = new Random(7);
        int far = 0;
        double sum = 0;
        int runs = 500;
        for (int i = 0; i < runs; i++) {
            List<Tried> tried = search(
                    new RateSearch(100 * Math.pow(2, random.nextDouble()), 100, 1e6, RESOLUTION),
                    rate -> random.nextDouble() > 1.0 / 30
                            && random.nextDouble() < 1 / (1 + Math.exp(110 * Math.log(rate / 3000))));
            double low = RateSearch.bracket(tried).low();
            sum += low / 3000 - 1;
            far += Math.abs(low / 3000 - 1) > 0.05 ? 1 : 0;
        }
        assertThat(far).isLessThanOrEqualTo(runs / 20);
        assertThat(sum / runs).isCloseTo(0, within(0.02));
    }

    @Test
    void endsAtTheHighestRateThatMayBeTried() {
        Bracket bracket = RateSearch.bracket(search(new RateSearch(100, 100, 1000, RESOLUTION), rate -> true));
        assertThat(bracket).isEqualTo(new Bracket(1000, Double.POSITIVE_INFINITY));
    }

    @Test
    void goesDownToTheLowestRateWhereTheFirstMisses() {
        RateSearch search = new RateSearch(190, 100, 1000, RESOLUTION);
        assertThat(RateSearch.bracket(search(search, rate -> rate <= 120)).low())
                .isBetween(120 / 1.02, 120.0);
        List<Tried> tried = search(search, rate -> false);
        assertThat(tried).extracting(Tried::rate).containsExactly(190.0, 190.0, 100.0, 100.0, 100.0);
        assertThat(RateSearch.bracket(tried).low()).isZero();
    }

    /** A rate that is neither met nor missed often enough: the search must not get stuck there. */
    @Test
    void aRateOfWhichNothingIsCertainIsLeft() {
        for (double chance : new double[] {0.35, 0.4, 0.45, 0.5}) {
            Random random = new Random(11);
            for (int i = 0; i < 300; i++) {
                List<Tried> tried = search(
                        new RateSearch(100, 100, 1e6, RESOLUTION),
                        rate -> rate <= 2900 || rate < 3100 && random.nextDouble() < chance);
                assertThat(tried).hasSizeLessThan(50);
                assertThat(RateSearch.bracket(tried).low()).isBetween(2900 / 1.03, 3100.0);
            }
        }
    }

    @Test
    void alwaysEnds() {
        Random random = new Random(3);
        for (int i = 0; i < 200; i++) {
            assertThat(search(new RateSearch(1, 1, 1e6, 0.001), rate -> random.nextBoolean()))
                    .hasSizeLessThanOrEqualTo(RateSearch.MOST_TRIALS);
        }
    }
}
