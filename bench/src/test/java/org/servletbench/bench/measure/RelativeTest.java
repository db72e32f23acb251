package org.servletbench.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RelativeTest {

    private static final int LOADS = 2000;
    private static final int BATCHES = 30;

    /**
     * Simulates rates of servers on a machine whose speed drifts for all of them. The first server gains this much from
     * start to end.
     */
    private static List<List<Double>> rates(Random random, int servers, double noise, double gain) {
        List<List<Double>> rates = new ArrayList<>();
        IntStream.range(0, servers).forEach(server -> rates.add(new ArrayList<>()));
        double wander = 0;
        for (int batch = 0; batch < BATCHES; batch++) {
            wander = 0.9 * wander + 0.1 * random.nextGaussian();
            for (int server = 0; server < servers; server++) {
                double own = server == 0 ? Math.log1p(gain) * batch / (BATCHES - 1) : 0;
                rates.get(server).add(1000 * (1 + server) * Math.exp(own + wander + noise * random.nextGaussian()));
            }
        }
        return rates;
    }

    /** Returns the share of loads in which this holds for a server. */
    private static double share(int servers, double noise, double gain, int of, Predicate<Trend> said) {
        Random random = new Random(3);
        return IntStream.range(0, LOADS)
                        .filter(load -> Trend.of(Relative.of(rates(random, servers, noise, gain)).get(of).stream()
                                        .mapToDouble(Double::doubleValue)
                                        .toArray())
                                .filter(said)
                                .isPresent())
                        .count()
                / (double) LOADS;
    }

    /** Compared with the geometric mean of the others, an unchanged server appeared to rise in 99 of 100 such loads. */
    @Test
    @Tag("simulation")
    void aServerThatChangesAloneIsTheOnlyOneThatIsSaidToChange() {
        for (int servers : new int[] {3, 4, 5}) {
            for (double noise : new double[] {0.01, 0.03}) {
                for (double gain : new double[] {-0.18, 0.22}) {
                    // With three servers, one of which changes, the median is one of the two others.
                    double limit = servers == 3 ? 0.08 : 0.04;
                    assertThat(share(servers, noise, gain, 1, Trend::rises)).isLessThan(limit);
                    assertThat(share(servers, noise, gain, 1, Trend::falls)).isLessThan(limit);
                }
                assertThat(share(servers, noise, -0.18, 0, Trend::falls)).isGreaterThan(0.95);
                assertThat(share(servers, noise, 0.22, 0, Trend::rises)).isGreaterThan(0.95);
            }
        }
    }

    @Test
    void whatTheMachineDoesToAllServersIsNoneOfThemsChange() {
        for (int servers : new int[] {3, 4, 5}) {
            assertThat(share(servers, 0.03, 0, 0, Trend::rises)).isLessThan(0.024);
            assertThat(share(servers, 0.03, 0, 0, Trend::falls)).isLessThan(0.024);
        }
    }

    @Test
    void ofTwoServersNobodyCanTellWhichOneChanged() {
        assertThat(Relative.of(rates(new Random(1), 2, 0.01, -0.18))).hasSize(2).allMatch(List::isEmpty);
        assertThat(Relative.of(rates(new Random(1), 1, 0.01, -0.18))).hasSize(1).allMatch(List::isEmpty);
        assertThat(Relative.of(List.of())).isEmpty();
    }

    @Test
    void aBatchWithoutARateIsLeftOut() {
        List<List<Double>> rates = rates(new Random(1), 3, 0.01, 0);
        rates.add(new ArrayList<>(rates.get(2)));
        rates.get(0).set(4, Double.NaN);
        List<List<Double>> relative = Relative.of(rates);
        assertThat(relative.get(0)).hasSize(BATCHES - 1);
        assertThat(relative.get(1)).hasSize(BATCHES);
    }
}
