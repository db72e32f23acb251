package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;
import static org.servletbench.bench.report.Html.escape;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * The chart that carries the answer: a row for each arm, with what was measured as dots and what follows from it as an interval.
 * It is a table, so that it can be read aloud. Places are percentages, so that dots stay round at any width.
 *
 * @param unit of what was measured
 * @param rows of the arms
 * @param axis of the ratios, for all rows
 * @param logMargin half the width of the band around the baseline
 */
record Strip(String unit, List<Row> rows, Forest.Axis axis, double logMargin) {
    /** With more blocks than this a lane for each would be too high: their means form a swarm. */
    private static final int MOST_LANES = 7;

    private static final int LANE = 13;
    private static final int SWARM = 66;

    /**
     * One server JVM.
     *
     * @param block from 1
     * @param mean of its whole load
     * @param parts its windows or batches of turns, in time order
     */
    record Server(int block, boolean warm, double mean, List<Double> parts) {}

    /**
     * @param tint whether it is the baseline's copy
     * @param sub small, below the name
     * @param mean of all its servers; NaN without one
     * @param ratio to the baseline; the baseline's own has none
     * @param blocks in how many blocks it was lower or higher; empty for the baseline
     * @param figures further ones, for the last columns
     */
    record Row(
            boolean tint,
            String name,
            String sub,
            double mean,
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
     * How much servers of one arm differ, and the arms, in a sentence without a full stop.
     *
     * @param widest ratio to the baseline of the arm that is farthest from it; NaN where there is none
     */
    String finding(double widest) {
        double apart = rows.stream()
                .map(row -> row.servers.stream().mapToDouble(Server::mean).summaryStatistics())
                .filter(means -> means.getCount() > 1)
                .mapToDouble(means -> 1 - means.getMin() / means.getMax())
                .max()
                .orElse(Double.NaN);
        return Double.isNaN(apart) || Double.isNaN(widest)
                ? "What was measured"
                : text(
                        "Servers of one arm lie up to %.0f %% apart; two arms %.0f %%",
                        100 * apart, 100 * Math.abs(widest - 1));
    }

    /** Whether anything was measured. */
    boolean isDrawn() {
        return servers().findAny().isPresent();
    }

    private boolean isSwarm() {
        return rows.stream().anyMatch(row -> row.servers.size() > MOST_LANES);
    }

    /** Whether windows, or batches of turns, are drawn. */
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

    /** In percent of the chart's width. */
    double x(double value) {
        return 3 + 94 * (value - from()) / (to() - from());
    }

    List<Double> ticks() {
        double step = Chart.step(to() - from(), 4);
        return Stream.iterate(Math.ceil(from() / step) * step, at -> at <= to(), at -> at + step)
                .toList();
    }

    String dots(Row row) {
        int height = height();
        StringBuilder svg = new StringBuilder(
                text("<svg class='strip' height='%d' role='img' aria-label='%s'>", height, escape(row.aria(unit))));
        double base = rows.get(0).mean;
        if (base > 0) {
            double low = Math.max(0, x(base * Math.exp(-logMargin)));
            svg.append(text(
                    "<rect class='band' x='%.2f%%' width='%.2f%%' y='0' height='100%%'/>",
                    low, Math.max(0, Math.min(100, x(base * Math.exp(logMargin))) - low)));
        }
        ticks().forEach(tick -> svg.append(line("grid", x(tick), 0, height)));
        if (row.mean > 0) {
            svg.append(line("mean", x(row.mean), 4, height - 4));
        }
        List<double[]> placed = new ArrayList<>();
        for (Server server : row.servers) {
            double x = x(server.mean);
            double y = isSwarm() ? free(placed, x, height / 2.0) : 7 + LANE * (server.block - 0.5);
            placed.add(new double[] {x, y});
            if (!isSwarm()) {
                lane(svg, server, y);
            }
            svg.append(text(
                    "<circle class='%s' cx='%.2f%%' cy='%.1f' r='4'><title>block %d: %s %s%s</title></circle>",
                    server.warm ? "warm" : "cold",
                    x,
                    y,
                    server.block,
                    Numbers.shown(server.mean),
                    escape(unit),
                    server.warm ? "" : ", not warm"));
        }
        return svg.append("</svg>").toString();
    }

    private void lane(StringBuilder svg, Server server, double y) {
        if (server.parts.isEmpty()) {
            return;
        }
        double[] sorted =
                server.parts.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        svg.append(text(
                "<line class='pair' x1='%.2f%%' x2='%.2f%%' y1='%.1f' y2='%3$.1f'/>",
                x(sorted[0]), x(sorted[sorted.length - 1]), y));
        for (double part : sorted) {
            svg.append(text("<circle class='part' cx='%.2f%%' cy='%.1f' r='1.7'/>", x(part), y));
        }
    }

    /** The place nearest to the middle at which no other dot lies. */
    private static double free(List<double[]> placed, double x, double middle) {
        for (int i = 0; i < 9; i++) {
            double y = middle + (i % 2 == 0 ? 1 : -1) * 7 * ((i + 1) / 2);
            if (placed.stream().noneMatch(dot -> Math.abs(dot[0] - x) < 2 && Math.abs(dot[1] - y) < 7)) {
                return y;
            }
        }
        return middle;
    }

    private static String line(String style, double x, int from, int to) {
        return text("<line class='%s' x1='%.2f%%' x2='%2$.2f%%' y1='%d' y2='%d'/>", style, x, from, to);
    }

    String interval(Row row) {
        int height = height();
        double low = 100 * Math.max(0, axis.at(-logMargin));
        StringBuilder svg = new StringBuilder(text(
                "<svg class='strip' height='%d' aria-hidden='true'><rect class='band' x='%.2f%%' width='%.2f%%' y='0' height='100%%'/>",
                height, low, 100 * Math.min(1, axis.at(logMargin)) - low));
        axis.ticks().forEach(tick -> svg.append(line(tick == 1 ? "zero" : "grid", inside(tick), 0, height)));
        Forest.Row ratio = row.ratio;
        if (!Double.isNaN(ratio.low())) {
            svg.append(text(
                    "<line class='ci' x1='%.2f%%' x2='%.2f%%' y1='%d' y2='%3$d'/>",
                    inside(ratio.low()), inside(ratio.high()), height / 2));
        }
        if (!Double.isNaN(ratio.ratio())) {
            svg.append(text("<circle class='pt' cx='%.2f%%' cy='%d' r='5'/>", inside(ratio.ratio()), height / 2));
        }
        return svg.append("</svg>").toString();
    }

    double inside(double ratio) {
        return 100 * Math.min(1, Math.max(0, ratio <= 0 ? 0 : axis.at(Math.log(ratio))));
    }
}
