package org.servletbench.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TallyTest {
    private static final int OK = Recorder.OK;

    /** Classes must equal the histogram's. Otherwise a percentile would move when counts are transferred into it. */
    @Test
    void classesAreThoseOfAHistogram() {
        Histogram histogram = new Histogram(LatencyCounts.SIGNIFICANT_DIGITS);
        Random random = new Random(1);
        int last = -1;
        for (long value = 0; value < 10_000; value++) {
            int index = LatencyCounts.index(value);
            assertThat(index - last).isBetween(0, 1);
            last = index;
            assertThat(LatencyCounts.value(index)).isEqualTo(histogram.lowestEquivalentValue(value));
        }
        for (int i = 0; i < 10_000; i++) {
            long value = random.nextLong() >>> 1 + random.nextInt(62);
            assertThat(LatencyCounts.value(LatencyCounts.index(value)))
                    .isEqualTo(histogram.lowestEquivalentValue(value));
        }
    }

    /** Exact to the last bit, for many values, for few, and for those that share a class. */
    @Test
    void percentilesAreThoseOfAHistogram() {
        Random random = new Random(2);
        for (int round = 0; round < 300; round++) {
            Histogram histogram = new Histogram(LatencyCounts.SIGNIFICANT_DIGITS);
            LatencyCounts counts = new LatencyCounts();
            int total = 1 + random.nextInt(round < 150 ? 20 : 3000);
            for (int i = 0; i < total; i++) {
                long value = random.nextInt(1 << 1 + random.nextInt(30));
                histogram.recordValue(value);
                counts.add(value);
            }
            for (double percent : new double[] {1e-9, 10, 50, 75, 90, 95, 99, 99.9, 100 * random.nextDouble(), 100}) {
                assertThat(counts.percentile(percent, total)).isEqualTo(histogram.getValueAtPercentile(percent));
            }
        }
    }

    /** Every figure has a distinct value here, so that none can be mistaken for another. */
    @Test
    void noFigureStandsForAnother() {
        Tally tally = new Tally();
        for (int value = 1; value <= 1000; value++) {
            tally.end(value, 0, OK, 7, 10, 3);
        }
        tally.end(1900, 0, OK, 9, 10, 3);
        Latency latency = tally.latency();
        // 1001 values: the rank is ceil(1001 p).
        assertThat(latency.min()).isEqualTo(1);
        assertThat(latency.p50()).isEqualTo(501);
        assertThat(latency.p75()).isEqualTo(751);
        assertThat(latency.p90()).isEqualTo(901);
        assertThat(latency.p95()).isEqualTo(951);
        assertThat(latency.p99()).isEqualTo(991);
        assertThat(latency.p999()).isEqualTo(1000);
        assertThat(latency.max()).isEqualTo(1900);
        assertThat(latency.mean()).isCloseTo((500_500 + 1900) / 1001.0, within(1e-12));
        assertThat(latency.stdev()).isCloseTo(292.044335001372, within(1e-9));
        assertThat(tally.bytes()).isEqualTo(10_010);
        assertThat(tally.sentBytes()).isEqualTo(3003);
        assertThat(tally.users()).isCloseTo(7 + 2 / 1001.0, within(1e-12));
        assertThat(tally.fewestUsers()).isEqualTo(7);
    }

    @Test
    void nothingHasNoFigures() {
        assertThat(new Tally().latency()).isEqualTo(Latency.NONE);
        Tally one = new Tally();
        one.end(5, 0, OK, Recorder.UNKNOWN, 0, 0);
        assertThat(one.latency().p999()).isEqualTo(5);
        assertThat(one.latency().stdev()).isNaN();
        assertThat(one.users()).isNaN();
    }

    @Test
    void aPercentileIsNeverAboveTheLargestValue() {
        Tally tally = new Tally();
        tally.end(1_000_001, 0, OK, 1, 0, 0);
        assertThat(tally.latency().p50()).isEqualTo(1_000_001);
        assertThat(tally.latency().p999()).isEqualTo(1_000_001);
    }

    /** Sums of squares that exceed 2^64 many times, and a spread that is tiny compared with the values. */
    @Test
    void sumsOfSquaresNeitherOverflowNorCancel() {
        Tally tally = new Tally();
        long large = 1L << 40;
        for (int i = 0; i < 1000; i++) {
            tally.end(i % 2 == 0 ? large : large - 2, 0, OK, 1, 0, 0);
        }
        assertThat(tally.latency().mean()).isEqualTo(large - 1);
        assertThat(tally.latency().stdev()).isCloseTo(Math.sqrt(1000 / 999.0), within(1e-12));
    }

    @Test
    void mergedIsTheSameAsTheWhole() {
        Random random = new Random(2);
        for (int round = 0; round < 50; round++) {
            Tally whole = new Tally();
            Tally[] parts = {new Tally(), new Tally(), new Tally()};
            for (int i = random.nextInt(3000); i > 0; i--) {
                long response = random.nextLong() >>> 24 + random.nextInt(39);
                int kind = random.nextInt(4) - 1;
                int users = random.nextInt(100) - 1;
                int bytes = random.nextInt(1000);
                Tally part = parts[random.nextInt(3)];
                for (Tally tally : new Tally[] {whole, part}) {
                    tally.start(0);
                    tally.end(response, 0, kind, users, bytes, bytes / 2);
                }
            }
            Tally merged = new Tally();
            for (Tally part : parts) {
                merged.merge(part);
            }
            assertThat(merged.latency()).isEqualTo(whole.latency());
            assertThat(merged.histogram()).isEqualTo(whole.histogram());
            assertThat(merged.count()).isEqualTo(whole.count()).isEqualTo(merged.started());
            assertThat(merged.errors()).isEqualTo(whole.errors());
            assertThat(merged.errorsByKind()).isEqualTo(whole.errorsByKind());
            assertThat(merged.bytes()).isEqualTo(whole.bytes());
            assertThat(merged.sentBytes()).isEqualTo(whole.sentBytes());
            assertThat(merged.users()).isEqualTo(whole.users());
            assertThat(merged.fewestUsers()).isEqualTo(whole.fewestUsers());
            assertThat(merged.footprint()).isEqualTo(whole.footprint());
        }
    }
}
