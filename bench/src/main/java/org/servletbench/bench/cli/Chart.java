package org.servletbench.bench.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * A line chart as inline SVG. Small in its own units and wide as its column, so that its text stays readable on a
 * phone. All its colours come from the page's style.
 */
final class Chart {
    private static final double WIDTH = 400;
    private static final double HEIGHT = 220;
    private static final double LEFT = 48;
    private static final double RIGHT = 26;
    private static final double TOP = 22;
    private static final double BOTTOM = 34;

    /**
     * A line.
     *
     * @param name for the tooltip
     * @param style a class of the page's style
     * @param xs places; a NaN in ys interrupts the line
     */
    record Line(String name, String style, double[] xs, double[] ys) {}

    /** A mark on the x axis. */
    record Tick(double at, String label) {}

    private final String title;
    private final String xTitle;
    private final double xMax;
    private final List<Tick> xTicks;
    private final List<Line> lines = new ArrayList<>();
    private double shadeFrom = Double.NaN;
    private double shadeTo;

    /** @param xMax right end of the x axis, above 0, which is its left end */
    Chart(String title, String xTitle, double xMax, List<Tick> xTicks) {
        this.title = title;
        this.xTitle = xTitle;
        this.xMax = xMax;
        this.xTicks = xTicks;
    }

    Chart line(Line line) {
        lines.add(line);
        return this;
    }

    /** Marks a span of the x axis: the steady window. */
    Chart shade(double from, double to) {
        shadeFrom = Math.max(0, from);
        shadeTo = Math.min(xMax, to);
        return this;
    }

    String svg() {
        double top = 0;
        for (Line line : lines) {
            for (double y : line.ys()) {
                top = Double.isNaN(y) ? top : Math.max(top, y);
            }
        }
        double step = step(top, 4);
        double yMax = Math.max(step, Math.ceil(top / step) * step);
        StringBuilder svg = new StringBuilder();
        svg.append(text("<svg viewBox='0 0 %.0f %.0f' role='img' aria-label='%s'>", WIDTH, HEIGHT, escape(title)));
        svg.append(text("<text class='title' x='%.0f' y='13'>%s</text>", LEFT, escape(title)));
        if (!Double.isNaN(shadeFrom)) {
            svg.append(text(
                    "<rect class='steady' x='%.1f' y='%.1f' width='%.1f' height='%.1f'><title>steady window</title></rect>",
                    x(shadeFrom), TOP, x(shadeTo) - x(shadeFrom), HEIGHT - TOP - BOTTOM));
        }
        for (int i = 0; i * step <= yMax * 1.0001; i++) {
            double y = y(i * step, yMax);
            svg.append(text("<line class='grid' x1='%.1f' x2='%.1f' y1='%.1f' y2='%.1f'/>", LEFT, WIDTH - RIGHT, y, y));
            svg.append(text(
                    "<text class='tick' x='%.1f' y='%.1f' text-anchor='end'>%s</text>",
                    LEFT - 5, y + 3.5, label(i * step)));
        }
        for (Tick tick : xTicks) {
            double x = x(tick.at());
            svg.append(
                    text("<line class='grid' x1='%.1f' x2='%.1f' y1='%.1f' y2='%.1f'/>", x, x, TOP, HEIGHT - BOTTOM));
            svg.append(text(
                    "<text class='tick' x='%.1f' y='%.1f' text-anchor='middle'>%s</text>",
                    x, HEIGHT - BOTTOM + 13, escape(tick.label())));
        }
        svg.append(text(
                "<text class='tick' x='%.1f' y='%.1f' text-anchor='middle'>%s</text>",
                (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 5, escape(xTitle)));
        for (Line line : lines) {
            svg.append(text(
                    "<path class='line %s' d='%s'><title>%s</title></path>",
                    line.style(), path(line, yMax), escape(line.name())));
        }
        return svg.append("</svg>").toString();
    }

    private String path(Line line, double yMax) {
        StringBuilder path = new StringBuilder();
        boolean pen = false;
        for (int i = 0; i < line.xs().length; i++) {
            if (Double.isNaN(line.ys()[i])) {
                pen = false;
                continue;
            }
            path.append(text("%s%.1f %.1f", pen ? "L" : "M", x(line.xs()[i]), y(line.ys()[i], yMax)));
            if (!pen && (i + 1 == line.xs().length || Double.isNaN(line.ys()[i + 1]))) {
                // A point with nothing beside it: the round cap of a line without length.
                path.append("h0");
            }
            pen = true;
        }
        return path.toString();
    }

    private double x(double value) {
        return LEFT + value / xMax * (WIDTH - LEFT - RIGHT);
    }

    private static double y(double value, double yMax) {
        return HEIGHT - BOTTOM - value / yMax * (HEIGHT - TOP - BOTTOM);
    }

    /** Round steps, 1, 2 or 5 times a power of ten, of which about {@code parts} make the whole. */
    static double step(double whole, int parts) {
        if (!(whole > 0)) {
            return 1;
        }
        double rough = whole / parts;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double factor = rough / power;
        return power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10);
    }

    /** A number as it is written at an axis. */
    static String label(double value) {
        if (value >= 1e6) {
            return shortest(value / 1e6) + "M";
        }
        return value >= 10_000 ? shortest(value / 1000) + "k" : shortest(value);
    }

    private static String shortest(double value) {
        String text = text("%.3f", value);
        return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
    }

    /** Marks at round steps from 0. */
    static List<Tick> ticks(double max, int parts, DoubleFunction<String> label) {
        double step = step(max, parts);
        List<Tick> ticks = new ArrayList<>();
        for (int i = 0; i * step <= max * 1.0001; i++) {
            ticks.add(new Tick(i * step, label.apply(i * step)));
        }
        return ticks;
    }

    static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** The text as content or attribute of HTML; control characters, which HTML cannot hold, as blanks. */
    static String escape(String text) {
        return Main.oneLine(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
