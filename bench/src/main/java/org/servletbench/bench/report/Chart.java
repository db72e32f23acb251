package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/**
 * A line chart as inline SVG. It is small in its own units and as wide as its column, so that its text stays readable
 * on a phone. All its colours come from the page's style.
 */
public final class Chart {
    static final double LEFT = 48;
    static final double BOTTOM = 34;
    /** Height of a name at the end of a line. */
    private static final double NAME = 13;
    /** Number of segments of a percentile curve. */
    private static final int POINTS = 160;
    /** Width of a letter of a name. */
    private static final double LETTER = 7.2;

    /**
     * @param name text of the tooltip
     *
     * @param style class of the page's style
     * @param xs x coordinates
     * @param ys y coordinates; a NaN interrupts the line
     */
    public record Line(String name, String style, double[] xs, double[] ys) {
        /**
         * Returns a curve of response time by percentile, up to the slowest request.
         *
         * @param most largest value that is drawn, ms; larger values are drawn there
         */
        public static Line percentiles(String name, String style, Histogram histogram, double most) {
            double end = Math.log10(Math.max(2, histogram.getTotalCount()));
            double[] xs = new double[POINTS + 1];
            double[] ys = new double[POINTS + 1];
            for (int i = 0; i <= POINTS; i++) {
                xs[i] = end * i / POINTS;
                double percent = i == POINTS ? 100 : 100 * (1 - Math.pow(10, -xs[i]));
                ys[i] = Math.min(most, histogram.getValueAtPercentile(percent));
            }
            return new Line(name, style, xs, ys);
        }
    }

    /** A tick of an axis. */
    public record Tick(double at, String label) {}

    /**
     * An entry of a legend.
     *
     * @param style class of the page's style
     */
    public record Key(String style, String name) {}

    final String title;
    final String xTitle;
    private final double xMin;
    private final double xMax;
    final List<Tick> xTicks;
    final List<Line> lines = new ArrayList<>();
    final List<Band> bands = new ArrayList<>();
    double top = 22;
    double right = 26;
    private boolean ends;
    double width = 400;
    double height = 220;
    double shadeFrom = Double.NaN;
    double shadeTo;
    String shadeName;
    private boolean fromZero = true;
    private boolean logarithmic;
    private double yFrom = Double.NaN;
    private double yMin;
    private double yMax = Double.NaN;

    /**
     * @param title title above the chart, and its accessible name
     *
     * @param xTitle title of the x axis, with its unit
     * @param xMin left end of the x axis
     * @param xMax right end, above the left one
     * @param xTicks ticks of the x axis
     */
    public Chart(String title, String xTitle, double xMin, double xMax, List<Tick> xTicks) {
        this.title = title;
        this.xTitle = xTitle;
        this.xMin = xMin;
        this.xMax = xMax;
        this.xTicks = List.copyOf(xTicks);
    }

    /**
     * Creates an empty chart of response time by percentile. The axis is log10(1 / (1 - p)), so that each nine has the
     * same width.
     *
     * @param most number of requests of the longest curve; the axis ends at its slowest request
     * @param unit text after each tick of the axis
     */
    public static Chart percentiles(String title, String xTitle, long most, String unit) {
        double decades = Math.max(1, Math.log10(most));
        List<Tick> ticks = new ArrayList<>(List.of(new Tick(0, "0")));
        StringBuilder nines = new StringBuilder();
        for (int decade = 1; decade <= decades; decade++) {
            nines.append(decade == 3 ? ".9" : "9");
            ticks.add(new Tick(decade, (decade == 1 ? "90" : nines) + unit));
        }
        return new Chart(title, xTitle, 0, decades, ticks);
    }

    public Chart line(Line line) {
        lines.add(line);
        return this;
    }

    /**
     * A filled band behind the lines.
     *
     * @param low lower edge for each of xs; NaN for a gap
     * @param high upper edge for each of xs; NaN for a gap
     */
    public record Band(String name, String style, double[] xs, double[] low, double[] high) {}

    public Chart band(Band band) {
        bands.add(band);
        return this;
    }

    public Chart shade(String name, double from, double to) {
        shadeName = name;
        shadeFrom = Math.max(xMin, from);
        shadeTo = Math.min(xMax, to);
        return this;
    }

    /** Starts the y axis at the smallest value instead of 0, for values that drift by a few percent. */
    public Chart close() {
        fromZero = false;
        return this;
    }

    /** Makes the y axis logarithmic if the values, which are all above 0, span more than a factor of ten. */
    public Chart logarithmic() {
        logarithmic = true;
        return this;
    }

    /** Extends the y axis to at least this value, so that several charts can be compared. */
    public Chart reach(double y) {
        yMax = y;
        return this;
    }

    /** Leaves the title out of the drawing. The page shows it next to the chart, where it may be long. */
    public Chart untitled() {
        top = 8;
        height -= 14;
        return this;
    }

    /** Makes the chart as wide as the page, with the name of each line at its end. */
    public Chart wide() {
        width = 1100;
        height = 260;
        return named(165);
    }

    /**
     * Writes the name of each line at its end.
     *
     * @param margin room for the names; longer names are cut
     */
    public Chart named(double margin) {
        right = margin;
        ends = true;
        return this;
    }

    public Chart flat() {
        height -= 50;
        return this;
    }

    public Chart small() {
        width = 240;
        height = 130;
        return this;
    }

    /**
     * Starts the y axis at this value, so that several charts can be compared. It must be below the smallest value of
     * all charts, and above 0 if the axis is logarithmic.
     */
    public Chart from(double y) {
        yFrom = y;
        return this;
    }

    public String svg() {
        return Template.html("chart", this);
    }

    /** Returns the grid lines of both axes as a path. */
    String grid(List<Tick> yTicks) {
        String across = yTicks.stream()
                .map(tick -> text("M%.0f %.1fH%.0f", LEFT, y(tick.at()), width - right))
                .collect(Collectors.joining());
        return across
                + xTicks.stream()
                        .map(tick -> text("M%.1f %.0fV%.0f", x(tick.at()), top, height - BOTTOM))
                        .collect(Collectors.joining());
    }

    /** A name at the end of a line. */
    record Name(Line line, String text, double y) {}

    /** Returns the names at the ends of lines, moved apart where they would overlap. */
    List<Name> names() {
        List<Line> sorted = lines.stream()
                .filter(line -> ends && Double.isFinite(end(line)))
                .sorted(Comparator.comparingDouble(line -> -end(line)))
                .toList();
        List<Name> names = new ArrayList<>();
        double free = top + 4 - NAME;
        for (Line line : sorted) {
            double lowest = height - BOTTOM - NAME * (sorted.size() - 1 - names.size());
            free = Math.min(Math.max(free + NAME, y(end(line)) + 4), Math.max(free + NAME, lowest));
            names.add(new Name(line, cut(line.name()), free));
        }
        return names;
    }

    private String cut(String name) {
        int most = (int) ((right - 6) / LETTER);
        return name.length() > most ? name.substring(0, most - 1) + "…" : name;
    }

    /** Returns the last value of a line; NaN if it has none. */
    private static double end(Line line) {
        double last = Double.NaN;
        for (double y : line.ys()) {
            last = Double.isNaN(y) ? last : y;
        }
        return last;
    }

    /** Determines the ends of the y axis, and returns its ticks. */
    List<Tick> scale() {
        double most = Double.NEGATIVE_INFINITY;
        double bottom = Double.POSITIVE_INFINITY;
        for (Line line : lines) {
            for (double y : line.ys()) {
                if (Double.isFinite(y)) {
                    most = Math.max(most, y);
                    bottom = Math.min(bottom, y);
                }
            }
        }
        for (Band band : bands) {
            most = Math.max(
                    most,
                    Arrays.stream(band.high).filter(Double::isFinite).max().orElse(most));
            bottom = Math.min(
                    bottom,
                    Arrays.stream(band.low).filter(Double::isFinite).min().orElse(bottom));
        }
        bottom = Double.isNaN(yFrom) ? bottom : Math.min(bottom, yFrom);
        most = Double.isNaN(yMax) ? Math.max(most, fromZero ? 0 : most) : Math.max(most, yMax);
        if (bottom > most) {
            bottom = 0;
            most = 1;
        }
        logarithmic = logarithmic && bottom > 0 && most > 10 * bottom;
        if (logarithmic) {
            return logScale(bottom, most);
        }
        bottom = fromZero ? Math.min(0, bottom) : bottom;
        double step = step(most > bottom ? most - bottom : Math.abs(most) / 10, 4);
        yMin = Math.floor(bottom / step + 1e-9) * step;
        yMax = Math.max(yMin + step, Math.ceil(most / step - 1e-9) * step);
        List<Tick> ticks = new ArrayList<>();
        for (int i = 0; yMin + i * step <= yMax + step * 1e-4; i++) {
            double at = yMin + i * step;
            ticks.add(new Tick(at, label(Math.abs(at) < step * 1e-6 ? 0 : at)));
        }
        return ticks;
    }

    private List<Tick> logScale(double bottom, double most) {
        yMin = bottom;
        yMax = most;
        List<Tick> ticks = new ArrayList<>();
        boolean few = most < (height < 150 ? 30 : 1000) * bottom;
        for (int power = (int) Math.floor(Math.log10(bottom)); Math.pow(10, power) <= most; power++) {
            for (int digit : few ? new int[] {1, 2, 5} : new int[] {1}) {
                double at = digit * Math.pow(10, power);
                if (at >= bottom * 0.999 && at <= most * 1.001) {
                    ticks.add(new Tick(at, label(at)));
                }
            }
        }
        return ticks;
    }

    /** Returns a closed path for each stretch without a gap: along the upper edge, and back along the lower one. */
    String path(Band band) {
        StringBuilder path = new StringBuilder();
        int n = band.xs.length;
        for (int from = 0; from < n; from++) {
            int to = from;
            while (to < n && !Double.isNaN(band.low[to]) && !Double.isNaN(band.high[to])) {
                to++;
            }
            for (int i = from; i < to; i++) {
                path.append(text("%s%.1f %.1f", i == from ? "M" : "L", x(band.xs[i]), y(band.high[i])));
            }
            for (int i = to - 1; i >= from; i--) {
                path.append(text("L%.1f %.1f", x(band.xs[i]), y(band.low[i])));
            }
            path.append(to > from ? "Z" : "");
            from = to;
        }
        return path.toString();
    }

    /**
     * Returns the path without points within a level stretch. They would draw nothing, and can be a fifth of a page.
     */
    String path(Line line) {
        StringBuilder path = new StringBuilder();
        double[] ys = line.ys();
        boolean pen = false;
        for (int i = 0; i < ys.length; i++) {
            if (!Double.isFinite(ys[i])) {
                pen = false;
                continue;
            }
            if (pen && i + 1 < ys.length && ys[i - 1] == ys[i] && ys[i] == ys[i + 1]) {
                continue;
            }
            path.append(text("%s%.1f %.1f", pen ? "L" : "M", x(line.xs()[i]), y(ys[i])));
            if (!pen && (i + 1 == ys.length || Double.isNaN(ys[i + 1]))) {
                // An isolated point becomes a line without length, of which the round cap is visible.
                path.append("h0");
            }
            pen = true;
        }
        return path.toString();
    }

    double x(double value) {
        return LEFT + (value - xMin) / (xMax - xMin) * (width - LEFT - right);
    }

    double y(double value) {
        double share = logarithmic ? Math.log(value / yMin) / Math.log(yMax / yMin) : (value - yMin) / (yMax - yMin);
        return height - BOTTOM - share * (height - top - BOTTOM);
    }

    /**
     * Returns a round step, which is 1, 2 or 5 times a power of ten, so that about {@code parts} of them make the
     * whole.
     */
    public static double step(double whole, int parts) {
        if (!(whole > 0)) {
            return 1;
        }
        double rough = whole / parts;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double factor = rough / power;
        return power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10);
    }

    /** Formats a number for an axis. */
    public static String label(double value) {
        if (value >= 1e6) {
            return shortest(value / 1e6) + "M";
        }
        return value >= 10_000 ? shortest(value / 1000) + "k" : shortest(value);
    }

    private static String shortest(double value) {
        String text = text("%.3f", value);
        return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
    }

    /** Returns ticks at round steps, starting at 0. */
    public static List<Tick> ticks(double max, int parts) {
        double step = step(max, parts);
        List<Tick> ticks = new ArrayList<>();
        for (int i = 0; i * step <= max * 1.0001; i++) {
            ticks.add(new Tick(i * step, label(i * step)));
        }
        return ticks;
    }
}
