package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.measure.ServerUse;

class PartTest {

    private static final Part.Division DIVISION = new Part.Division(1, 1, 0.9);
    private static final Cell HELLO = new Cell("hello", 100, 0, "gatling");

    private static Part part(long requests, long errors, double seconds, long[] times, double cpu, double cores) {
        return part(requests, errors, seconds, times, cpu, cores, 0);
    }

    private static Part part(
            long requests, long errors, double seconds, long[] times, double cpu, double cores, double firstTouch) {
        Histogram histogram = new Histogram(3);
        for (long time : times) {
            histogram.recordValue(time);
        }
        ServerUse use = new ServerUse(cpu, 0.5, 100, 0, 0, 0, 1 << 20, firstTouch, cores, 0, Map.of());
        return new Part(
                requests,
                errors,
                seconds,
                requests / 2,
                requests - requests / 2,
                Optional.of(histogram),
                Map.of("max", 9.0),
                Optional.of(use),
                List.of(),
                List.of("log"));
    }

    @Test
    void windowsAreAddedUpAndNeverAveraged() throws Exception {
        CellResult cell = Part.merge(
                HELLO,
                List.of(
                        part(1000, 0, 2, new long[] {1, 1, 1, 1}, 30, 0.5),
                        part(3000, 4, 3, new long[] {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}, 50, 0.7)),
                DIVISION);
        assertThat(cell.requests()).isEqualTo(4000);
        assertThat(cell.figure(Metric.THROUGHPUT)).hasValue(800);
        assertThat(cell.figure(Metric.ERRORS)).hasValue(0.1);
        assertThat(cell.figure(Metric.CPU)).hasValue((1000 * 30 + 3000 * 50) / 4000.0);
        assertThat(cell.figure(Metric.GENERATOR_CORES).orElseThrow()).isCloseTo((2 * 0.5 + 3 * 0.7) / 5, within(1e-9));
        assertThat(cell.figure(Metric.MEAN)).hasValue(7);
        assertThat(cell.rates()).containsExactly(500.0, 1000.0);
        Histogram all = Histogram.decodeFromCompressedByteBuffer(
                ByteBuffer.wrap(Base64.getDecoder().decode(cell.histogram())), 0);
        assertThat(all.getTotalCount()).isEqualTo(16);
        assertThat(cell.isUsable()).isTrue();
    }

    /** Leaving the block out would leave out those in which the server was fast. */
    @Test
    void aBusyGeneratorIsTheBottleneckAndItsCellAFloor() {
        CellResult cell = Part.merge(HELLO, List.of(part(1000, 0, 2, new long[] {1}, 30, 0.95)), DIVISION);
        assertThat(cell.isUsable()).isTrue();
        assertThat(cell.marks()).filteredOn(cell::isFloor).extracting(Mark::check).containsExactly("generator-bottleneck");
    }

    @Test
    void aBusyGeneratorBeforeABusierServerIsSaidButIsNotTheBottleneck() {
        Part.Division twoGenerators = new Part.Division(1, 2, 0.2);
        CellResult cell = Part.merge(HELLO, List.of(part(1000, 0, 2, new long[] {1}, 30, 0.5)), twoGenerators);
        assertThat(cell.isUsable()).isTrue();
        assertThat(cell.marks()).extracting(Mark::check).contains("generator-busy");
    }

    /** Of 4000 requests that allocated the same, 1000 used memory for the first time: a quarter, or none to speak of. */
    @Test
    void aHeapThatIsUsedForTheFirstTimeIsSaid() {
        long[] times = {1};
        Part warm = part(3000, 0, 2, times, 30, 0.5);
        CellResult cell = Part.merge(HELLO, List.of(part(1000, 0, 2, times, 30, 0.5, 1), warm), DIVISION);
        assertThat(cell.isUsable()).isTrue();
        assertThat(cell.marks()).singleElement().satisfies(mark -> {
            assertThat(mark.check()).isEqualTo("first-touch");
            assertThat(mark.figures()).startsWith("the server's process grew by 25 % of what it allocated");
        });
        assertThat(Part.merge(HELLO, List.of(part(1000, 0, 2, times, 30, 0.5, 0.1), warm), DIVISION)
                        .marks())
                .isEmpty();
    }

    @Test
    void whatNobodyKnowsIsNotThere() {
        Part part = new Part(
                10, 0, 1, -1, -1, Optional.empty(), Map.of("p99", 3.0), Optional.empty(), List.of(), List.of());
        CellResult one = Part.merge(HELLO, List.of(part), DIVISION);
        assertThat(one.figure(Metric.CPU)).isEmpty();
        assertThat(one.figure(Metric.P99)).hasValue(3);
        assertThat(Part.merge(HELLO, List.of(part, part), DIVISION).figure(Metric.P99))
                .as("the percentiles of two windows do not give that of both")
                .isEmpty();
    }

    /** A percentile of whole ms, spread evenly within each, is within a third of a ms of that of the exact times. */
    @Test
    void groupedPercentilesFollowTheExactOnes() {
        Random random = new Random(3);
        for (int run = 0; run < 20; run++) {
            double scale = 3 + 20 * random.nextDouble();
            double[] exact = DoubleStream.generate(() -> scale * (1 + 0.3 * random.nextGaussian()))
                    .map(Math::abs)
                    .limit(50_000)
                    .sorted()
                    .toArray();
            Histogram histogram = new Histogram(3);
            for (double time : exact) {
                histogram.recordValue(Math.round(time));
            }
            for (double percent : new double[] {50, 90, 99}) {
                double truth = exact[(int) Math.ceil(percent / 100 * exact.length) - 1];
                assertThat(Part.percentile(histogram, percent)).isCloseTo(truth, within(0.35));
            }
        }
    }
}
