package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * The chart that carries the answer. Each arm has a row, with measured values as dots and the result as an interval. It
 * is a table, so that it can be read aloud. Positions are percentages, so that dots stay round at any width.
 *
 * @param unit unit of the measured values
 * @param rows rows of the arms
 * @param axis axis of the ratios, for all rows
 * @param logMargin half the width of the band around the baseline, on the log scale
 */
record DotPlot(String unit, List<Row> rows, Forest.Axis axis, double logMargin) {
    /**
     * Maximum number of blocks that have a lane each. With more, the chart would be too high, so that their means form
     * a swarm instead.
     */
    private static final int MOST_LANES = 7;

    private static final int LANE = 9;
    private static final int SWARM = 54;

    /**
     * The dots of one server JVM.
     *
     * @param block number of its block, from 1
     * @param mean mean over its whole load
     * @param parts its windows or batches of time slices, in order of time
     */
    record Server(int block, boolean warm, double mean, List<Double> parts) {}

    /**
     * @param tint true for the baseline's copy
     *
     * @param sub small text below the name
     * @param mean mean of all its servers; NaN if there is none
     * @param floor true if the arm can do more, because it ran at the generator's limit
     * @param ratio ratio to the baseline; empty for the baseline itself
     * @param blocks number of blocks in which it was lower or higher; empty for the baseline
     * @param figures further figures, for the last columns
     */
    record Row(
            boolean tint,
            String name,
            String sub,
            double mean,
            boolean floor,
            List<Server> servers,
            Forest.Row ratio,
            String blocks,
            List<String> figures) {
        String aria(String unit) {
            return name + ", " + unit + ": "
                    + String.join(
                            ", ",
                            servers.stream()
                                    .map(server -> text("block %d %s", server.block, Numbers.shown(server.mean)))
                                    .toList());
        }
    }

    /**
     * Returns a sentence without a full stop about how much servers of one arm differ, each relative to the others of
     * its block, and how much arms differ.
     *
     * @param difference difference of the two arms that are farthest apart, as {@code ratio - 1}; NaN if there is none
     */
    String finding(double difference) {
        double apart = rows.stream()
                .map(row -> row.servers.stream()
                        .mapToDouble(server -> server.mean / ofOthers(row, server.block))
                        .filter(Double::isFinite)
                        .summaryStatistics())
                .filter(means -> means.getCount() > 1)
                .mapToDouble(means -> 1 - means.getMin() / means.getMax())
                .max()
                .orElse(Double.NaN);
        return Double.isNaN(apart) || Double.isNaN(difference)
                ? "What was measured"
                : text(
                        "Identical servers differed by up to %.0f %%, arms by %.0f %%",
                        100 * apart, 100 * Math.abs(difference));
    }

    /**
     * Returns the geometric mean of the other arms' servers in a block, which changes with the machine just as this
     * server does. NaN if one of them is missing, or there is none.
     */
    private double ofOthers(Row row, int block) {
        double[] logs = rows.stream()
                .filter(other -> other != row)
                .flatMap(other -> other.servers.stream())
                .filter(server -> server.block == block && server.mean > 0)
                .mapToDouble(server -> Math.log(server.mean))
                .toArray();
        return logs.length < rows.size() - 1
                ? Double.NaN
                : Math.exp(Arrays.stream(logs).average().orElse(Double.NaN));
    }

    /** True if anything was measured. */
    boolean isDrawn() {
        return servers().findAny().isPresent();
    }

    private boolean isSwarm() {
        return rows.stream().anyMatch(row -> row.servers.size() > MOST_LANES);
    }

    /** True if windows, or batches of time slices, are drawn. */
    boolean hasParts() {
        return !isSwarm() && servers().anyMatch(server -> !server.parts.isEmpty());
    }

    boolean hasCold() {
        return servers().anyMatch(server -> !server.warm);
    }

    private Stream<Server> servers() {
        return rows.stream().flatMap(row -> row.servers.stream());
    }

    int height() {
        int most = rows.stream()
                .mapToInt(row -> row.servers.isEmpty() ? 1 : row.servers.get(row.servers.size() - 1).block)
                .max()
                .orElse(1);
        return isSwarm() ? SWARM : Math.max(SWARM, 14 + Math.min(most, MOST_LANES) * LANE);
    }

    private DoubleStream values() {
        return servers()
                .flatMapToDouble(server -> DoubleStream.concat(
                        DoubleStream.of(server.mean),
                        isSwarm() ? DoubleStream.empty() : server.parts.stream().mapToDouble(Double::doubleValue)));
    }

    private double from() {
        return values().min().orElse(0);
    }

    private double to() {
        return Math.max(values().max().orElse(1), from() * (1 + 1e-6) + 1e-9);
    }

    /** Returns a position in percent of the chart's width. */
    double x(double value) {
        return 3 + 94 * (value - from()) / (to() - from());
    }

    List<Double> ticks() {
        double step = Chart.step(to() - from(), 4);
        return Stream.iterate(Math.ceil(from() / step) * step, at -> at <= to(), at -> at + step)
                .toList();
    }

    /**
     * A server in the chart.
     *
     * @param x horizontal position of its dot, in percent of the width
     * @param y vertical position, px
     * @param parts parts, the smallest first; empty in a swarm
     */
    record Dot(Server server, double x, double y, List<Double> parts) {}

    List<Dot> dots(Row row) {
        List<Dot> dots = new ArrayList<>();
        for (Server server : row.servers) {
            double x = x(server.mean);
            dots.add(
                    isSwarm()
                            ? new Dot(server, x, free(dots, x, height() / 2.0), List.of())
                            : new Dot(
                                    server,
                                    x,
                                    7 + LANE * (server.block - 0.5),
                                    server.parts.stream().sorted().toList()));
        }
        return dots;
    }

    /** Returns the position nearest to the middle that no other dot occupies. */
    private static double free(List<Dot> placed, double x, double middle) {
        for (int i = 0; i < 9; i++) {
            double y = middle + (i % 2 == 0 ? 1 : -1) * 7 * ((i + 1) / 2);
            if (placed.stream().noneMatch(dot -> Math.abs(dot.x - x) < 2 && Math.abs(dot.y - y) < 7)) {
                return y;
            }
        }
        return middle;
    }

    /** Formats a percentage as an SVG length. */
    static String percent(double value) {
        return text("%.2f%%", value);
    }

    double inside(double ratio) {
        return 100 * Math.min(1, Math.max(0, ratio <= 0 ? 0 : axis.at(Math.log(ratio))));
    }
}
