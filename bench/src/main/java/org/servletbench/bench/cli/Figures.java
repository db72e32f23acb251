package org.servletbench.bench.cli;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.servletbench.bench.measure.CellMeasurement;
import org.servletbench.bench.measure.Latency;

/** The figures of a cell, declared once for the table, the CSV and the page. */
final class Figures {
    /**
     * One figure of the steady window.
     *
     * @param title for people
     * @param key for programs, with the unit
     * @param decimals how many to show to people
     */
    record Figure(String title, String key, int decimals, ToDoubleFunction<CellMeasurement> of) {
        /** For people: grouped, rounded; a dash where it is not known. */
        String shown(CellMeasurement cell) {
            double value = of.applyAsDouble(cell);
            return Double.isNaN(value) || value < 0 ? "-" : String.format(Locale.ROOT, "%,." + decimals + "f", value);
        }

        /** For programs: the shortest text that reads back as the same number; empty where it is not known. */
        String exact(CellMeasurement cell) {
            double value = of.applyAsDouble(cell);
            if (Double.isNaN(value) || value < 0) {
                return "";
            }
            return value == Math.rint(value) && value < 1L << 53 ? Long.toString((long) value) : Double.toString(value);
        }
    }

    static final List<Figure> ALL = List.of(
            new Figure("window s", "window_s", 0, c -> c.steady().seconds()),
            new Figure("users", "users", 1, c -> c.steady().users()),
            new Figure("requests", "requests", 0, c -> c.steady().count()),
            new Figure("failed", "failed", 0, c -> c.steady().errors()),
            new Figure("req/s", "throughput_per_s", 1, c -> c.steady().throughput()),
            latency("mean", "mean_ms", 2, Latency::mean),
            latency("stdev", "stdev_ms", 2, Latency::stdev),
            latency("p50", "p50_ms", 0, Latency::p50),
            latency("p75", "p75_ms", 0, Latency::p75),
            latency("p90", "p90_ms", 0, Latency::p90),
            latency("p95", "p95_ms", 0, Latency::p95),
            latency("p99", "p99_ms", 0, Latency::p99),
            latency("p99.9", "p99.9_ms", 0, Latency::p999),
            latency("max ms", "max_ms", 0, Latency::max),
            new Figure("received B", "received_bytes", 0, c -> c.steady().bytes()),
            new Figure("sent B", "sent_bytes", 0, c -> c.steady().sentBytes()));

    private Figures() {}

    private static Figure latency(String title, String key, int decimals, ToDoubleFunction<Latency> of) {
        return new Figure(title, key, decimals, c -> of.applyAsDouble(c.steady().latency()));
    }
}
