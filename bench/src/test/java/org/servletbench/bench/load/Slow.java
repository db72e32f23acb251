package org.servletbench.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.servletbench.bench.measure.Latency;
import org.servletbench.bench.measure.LogMeasurement;
import org.servletbench.bench.measure.Summary;
import org.servletbench.bench.measure.WindowResult;

/**
 * Computes figures from a list of samples by sorting and decimal arithmetic, for comparison with servlet-bench's
 * figures.
 */
public final class Slow {
    private Slow() {}

    /** Compares the whole run of every load, and the steady figures of the window that was found. */
    public static void assertSame(LogMeasurement measured, List<Sample> samples, long origin) {
        Map<String, List<Sample>> byName =
                samples.stream().collect(Collectors.groupingBy(Sample::name, TreeMap::new, Collectors.toList()));
        assertThat(measured.records()).isEqualTo(samples.size());
        assertThat(measured.loads()).extracting(c -> c.name()).containsExactlyInAnyOrderElementsOf(byName.keySet());
        for (WindowResult load : measured.loads()) {
            List<Sample> all = byName.get(load.name());
            long first = all.stream().mapToLong(Sample::start).min().orElseThrow();
            long last = all.stream().mapToLong(Sample::end).max().orElseThrow();
            assertThat(load.whole().fromMs()).isEqualTo(origin + first);
            assertThat(load.whole().toMs()).isEqualTo(origin + last + 1);
            assertSame(load.whole(), all);
            List<Sample> inside = all.stream()
                    .filter(s -> origin + s.end() >= load.window().fromMs()
                            && origin + s.end() < load.window().toMs())
                    .toList();
            assertThat(load.steady().fromMs()).isEqualTo(load.window().fromMs());
            assertThat(load.steady().toMs()).isEqualTo(load.window().toMs());
            assertSame(load.steady(), inside);
            load.slices().forEach(slice -> {
                List<Sample> within = all.stream()
                        .filter(s -> origin + s.end() >= slice.fromMs() && origin + s.end() < slice.toMs())
                        .toList();
                assertThat(slice.count()).isEqualTo(within.size());
                assertThat(slice.errors()).isEqualTo(failed(within));
                assertThat(slice.started())
                        .isEqualTo(all.stream()
                                .filter(s -> origin + s.start() >= slice.fromMs() && origin + s.start() < slice.toMs())
                                .count());
                assertSame(slice.latency(), within);
            });
        }
    }

    public static void assertSame(Summary summary, List<Sample> samples) {
        assertThat(summary.count()).isEqualTo(samples.size());
        assertThat(summary.errors()).isEqualTo(failed(samples));
        assertThat(summary.errorKinds())
                .isEqualTo(samples.stream()
                        .filter(s -> s.error() != null)
                        .collect(Collectors.groupingBy(s -> s.error().trim(), Collectors.counting())));
        assertThat(summary.throughput())
                .isCloseTo(1000.0 * samples.size() / (summary.toMs() - summary.fromMs()), within(1e-9));
        if (summary.bytes() >= 0) {
            assertThat(summary.bytes())
                    .isEqualTo(samples.stream().mapToLong(Sample::bytes).sum());
        }
        if (summary.sentBytes() >= 0) {
            assertThat(summary.sentBytes())
                    .isEqualTo(samples.stream().mapToLong(Sample::sentBytes).sum());
        }
        assertSame(summary.latency(), samples);
    }

    private static long failed(List<Sample> samples) {
        return samples.stream().filter(s -> s.error() != null).count();
    }

    private static void assertSame(Latency latency, List<Sample> samples) {
        long[] sorted = samples.stream().mapToLong(Sample::response).sorted().toArray();
        if (sorted.length == 0) {
            assertThat(latency.mean()).isNaN();
            assertThat(latency.p99()).isNaN();
            return;
        }
        assertThat(latency.min()).isEqualTo(sorted[0]);
        assertThat(latency.max()).isEqualTo(sorted[sorted.length - 1]);
        assertPercentile(latency.p50(), sorted, 500);
        assertPercentile(latency.p75(), sorted, 750);
        assertPercentile(latency.p90(), sorted, 900);
        assertPercentile(latency.p95(), sorted, 950);
        assertPercentile(latency.p99(), sorted, 990);
        assertPercentile(latency.p999(), sorted, 999);
        MathContext exact = new MathContext(40);
        BigDecimal n = BigDecimal.valueOf(sorted.length);
        BigDecimal sum = BigDecimal.ZERO;
        for (long value : sorted) {
            sum = sum.add(BigDecimal.valueOf(value));
        }
        BigDecimal mean = sum.divide(n, exact);
        assertThat(latency.mean()).isCloseTo(mean.doubleValue(), within(1e-9));
        if (sorted.length > 1) {
            BigDecimal squares = BigDecimal.ZERO;
            for (long value : sorted) {
                squares = squares.add(BigDecimal.valueOf(value).subtract(mean).pow(2));
            }
            BigDecimal variance = squares.divide(n.subtract(BigDecimal.ONE), exact);
            assertThat(latency.stdev())
                    .isCloseTo(variance.sqrt(exact).doubleValue(), within(1e-9 * Math.max(1, mean.doubleValue())));
        } else {
            assertThat(latency.stdev()).isNaN();
        }
    }

    /** Compares with the nearest rank, in whole numbers. Ours may be 0.1 % higher from 2048 ms on. */
    private static void assertPercentile(double ours, long[] sorted, int perMille) {
        int rank = BigDecimal.valueOf(sorted.length)
                .multiply(BigDecimal.valueOf(perMille))
                .divide(BigDecimal.valueOf(1000), 0, RoundingMode.CEILING)
                .intValueExact();
        long exact = sorted[rank - 1];
        if (exact < 2048) {
            assertThat(ours).isEqualTo(exact);
        } else {
            assertThat(ours).isBetween((double) exact, exact * 1.001);
        }
    }
}
