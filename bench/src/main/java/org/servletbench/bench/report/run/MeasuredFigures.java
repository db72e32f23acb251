package org.servletbench.bench.report.run;

import static org.servletbench.bench.model.Text.text;

import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.servletbench.bench.measure.ServerUse;
import org.servletbench.bench.measure.Summary;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.report.Numbers;

/** The figures of a load in a log, declared once for the table, the CSV and the page. */
public final class MeasuredFigures {
    private static final String UNKNOWN = "-";
    /** Times of single requests, which are as coarse as the clock. */
    private static final List<Figure> SINGLE_TIMES = Metric.of(Metric.Kind.LATENCY).stream()
            .filter(Metric::isSingleTime)
            .map(MeasuredFigures::latency)
            .toList();

    /**
     * One figure of the steady window.
     *
     * @param title title for people
     * @param key key for programs, with the unit
     * @param decimals number of decimals shown to people
     * @param ofLoad returns the figure for any window; null for a figure of the server
     * @param scale divisor of the figure for people
     */
    public record Figure(
            String title,
            String key,
            int decimals,
            ToDoubleFunction<WindowResult> of,
            ToDoubleFunction<Summary> ofLoad,
            double scale) {

        /** Formats the figure for people: grouped and rounded; a dash if it is unknown. */
        public String shown(WindowResult load) {
            double value = of.applyAsDouble(load) / scale;
            return Double.isNaN(value) || value < 0 ? UNKNOWN : text("%,." + decimals + "f", value);
        }

        /**
         * Formats the figure for programs: the shortest text that reads back as the same number; empty if it is
         * unknown.
         */
        public String exact(WindowResult load) {
            return Optional.ofNullable(known(of.applyAsDouble(load)))
                    .map(Object::toString)
                    .orElse("");
        }

        /**
         * Formats the ratio of the second to the first for people. It is a range if the clock of the logs, in whole ms,
         * leaves more than 1 % open, and a dash if it is unknown.
         */
        public String ratio(WindowResult first, WindowResult second) {
            double clock = SINGLE_TIMES.stream().anyMatch(time -> time.key.equals(key)) ? 1 : 0;
            double before = of.applyAsDouble(first);
            double after = of.applyAsDouble(second);
            double least = Math.max(0, after - clock) / (before + clock);
            double most = (after + clock) / (before - clock);
            if (!(after >= 0 && before > clock)) {
                return UNKNOWN;
            }
            return most - least > 0.01 * after / before
                    ? text("%.2f to %.2f", least, most)
                    : text("%.3f", after / before);
        }
    }

    public static final List<Figure> ALL = Stream.of(
                    List.of(
                            load("window s", "window_s", 0, Summary::seconds),
                            load("users", "users", 1, Summary::users),
                            load("requests", "requests", 0, Summary::count),
                            load("failed", "failed", 0, Summary::errors),
                            load(
                                    Metric.THROUGHPUT.title(),
                                    "throughput_per_s",
                                    Metric.THROUGHPUT.decimals(),
                                    Summary::throughput),
                            latency(Metric.MEAN),
                            load("stdev ms", "stdev_ms", 2, summary -> summary.latency()
                                    .stdev())),
                    SINGLE_TIMES,
                    List.of(
                            load("received B", "received_bytes", 0, Summary::bytes),
                            load("sent B", "sent_bytes", 0, Summary::sentBytes)))
            .flatMap(List::stream)
            .toList();

    /** Resources that the server used, if it was monitored. */
    public static final List<Figure> SERVER = Stream.concat(
                    Metric.ofServer().stream().map(MeasuredFigures::server),
                    Stream.of("live", "acceptor", "io", "worker", "runnable", "blocked", "waiting", "timed_waiting")
                            .map(MeasuredFigures::threads))
            .toList();

    /** The most important figures: those of the load, and the server's cost per request. */
    public static final List<Figure> FIRST =
            titled("req/s", "mean ms", "p50 ms", "p99 ms", "max ms", "failed", "CPU µs/req");

    /** Figures that compare two runs side by side. */
    public static final List<Figure> COMPARED = Stream.concat(
                    titled(
                            "req/s",
                            "mean ms",
                            "p50 ms",
                            "p90 ms",
                            "p95 ms",
                            "p99 ms",
                            "p99.9 ms",
                            "max ms",
                            "CPU µs/req")
                            .stream(),
                    Stream.of(load("failed %", "failed_percent", 3, summary -> 100 * summary.errorShare())))
            .toList();

    private MeasuredFigures() {}

    private static List<Figure> titled(String... titles) {
        return Stream.of(titles)
                .map(title -> Stream.concat(ALL.stream(), SERVER.stream())
                        .filter(figure -> figure.title().equals(title))
                        .findFirst()
                        .orElseThrow())
                .toList();
    }

    /** Returns the figures that are known for at least one of these loads, in their order. */
    public static List<Figure> known(List<Figure> figures, List<WindowResult> loads) {
        return figures.stream()
                .filter(figure ->
                        loads.stream().anyMatch(load -> !figure.shown(load).equals(UNKNOWN)))
                .toList();
    }

    /** Returns a value for programs; null if unknown. */
    public static Number known(double value) {
        return value < 0 ? null : Numbers.exact(value);
    }

    private static Figure server(Metric metric) {
        return ofServer(metric.title(), metric.key(), metric.decimals(), use -> use.of(metric), Numbers.scale(metric));
    }

    private static Figure threads(String kind) {
        return ofServer(
                "threads " + kind.replace('_', ' '),
                "threads_" + kind,
                1,
                use -> use.threads().getOrDefault(kind, Double.NaN),
                1);
    }

    private static Figure ofServer(
            String title, String key, int decimals, ToDoubleFunction<ServerUse> of, double scale) {
        return new Figure(
                title, key, decimals, load -> load.use().map(of::applyAsDouble).orElse(Double.NaN), null, scale);
    }

    private static Figure load(String title, String key, int decimals, ToDoubleFunction<Summary> of) {
        return new Figure(title, key, decimals, c -> of.applyAsDouble(c.steady()), of, 1);
    }

    private static Figure latency(Metric metric) {
        return load(metric.title(), metric.title().replace(' ', '_'), metric.decimals(), summary -> summary.latency()
                .of(metric));
    }
}
