package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Analysis.Against;

/**
 * An interval plot. Each row has a point and its interval on a common logarithmic axis of ratios; the margin is a band.
 * It is a table, so that it can be read aloud, and its text keeps its size on any screen.
 */
record Forest(String title, String note, Forest.Axis axis, double logMargin, List<Forest.Row> rows) {
    private static final double WIDTH = 200;
    private static final double FARTHEST = Math.log(3);
    private static final double[] STEPS = {0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1};

    /** Kind of a row, as a class of the page's style. */
    enum Kind {
        BETTER,
        WORSE,
        EQUAL,
        DIFFERENT,
        OPEN,
        BASELINE,
        CONTROL,
        BROKEN,
        REFERENCE,
        /** Result of several pooled campaigns. */
        POOLED;

        String style() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /**
     * @param sub small text below the name; may be empty
     *
     * @param ratio ratio to the baseline; NaN if there is none
     * @param low lower end of the interval; NaN if there is none
     * @param high upper end of the interval
     * @param margin equivalence margin, as a fraction
     */
    record Row(String name, String sub, Kind kind, double ratio, double low, double high, double margin, String word) {
        /** Returns a row for an arm against its baseline, for a sentence or a table. */
        static Row of(Against against, double margin) {
            return new Row("", "", Kind.OPEN, against.ratio(), against.low(), against.high(), margin, "");
        }

        boolean fine() {
            return Numbers.fine(ratio, low, high, margin);
        }

        /** Returns the ratio as a difference in percent, without the percent sign. */
        String difference() {
            return Numbers.percent(ratio, fine());
        }

        /**
         * Returns the difference and the wider half of its interval, rounded up: "−13 % ± 2". Without an upper end: "at
         * least +19 %".
         */
        String brief() {
            if (Double.isInfinite(high)) {
                return "at least " + Numbers.percent(low, fine()) + " %";
            }
            if (!(low > 0)) {
                return high > 0 ? "at most " + Numbers.percent(high, fine()) + " %" : difference() + " %";
            }
            return difference() + " %" + (isWide() ? "" : " ± " + half());
        }

        private String half() {
            return BigDecimal.valueOf(Math.max(ratio - low, high - ratio))
                    .movePointRight(2)
                    .subtract(BigDecimal.valueOf(1e-9))
                    .setScale(fine() ? 1 : 0, RoundingMode.CEILING)
                    .toPlainString();
        }

        /** Returns a baseline's value, and its unit or empty text. */
        String[] valueAndUnit() {
            return (word + " ").split(" ", 2);
        }

        /** True if its interval is too wide to be useful. */
        boolean isWide() {
            return Numbers.isWide(low, high);
        }

        String interval() {
            boolean fine = fine();
            if (Double.isNaN(low)) {
                return "no interval";
            }
            if (low <= 0 && Double.isInfinite(high)) {
                return "no bound";
            }
            if (Double.isInfinite(high)) {
                return Numbers.percent(low, fine) + " % or more";
            }
            if (isWide()) {
                return Numbers.UNKNOWN;
            }
            return low <= 0
                    ? Numbers.percent(high, fine) + " % or less"
                    : Numbers.percent(low, fine) + " to " + Numbers.percent(high, fine) + " %";
        }
    }

    /**
     * The span of an axis, on the log scale.
     *
     * @param from below 0
     * @param to above 0
     */
    record Axis(double from, double to) {
        /**
         * Returns an axis that shows all arms, but at most a factor of three, no matter how far away references are.
         */
        static Axis of(List<Row> rows, double logMargin) {
            double from = -1.5 * logMargin;
            double to = 1.5 * logMargin;
            for (Row row : rows) {
                if (row.kind() != Kind.REFERENCE) {
                    for (double end : new double[] {row.low(), row.ratio(), row.high()}) {
                        if (end > 0) {
                            from = Math.min(from, Math.log(end));
                            to = Math.max(to, Math.log(end));
                        }
                    }
                }
            }
            double pad = (to - from) * 0.06;
            return new Axis(Math.max(-FARTHEST, from - pad), Math.min(FARTHEST, to + pad));
        }

        /**
         * Returns the position of a logarithm as a share of the axis. It is outside [0, 1] if the value is beyond the
         * axis.
         */
        double at(double log) {
            return (log - from) / (to - from);
        }

        private boolean isBelow(double ratio) {
            return ratio <= 0 || at(Math.log(ratio)) < 0;
        }

        private boolean isAbove(double ratio) {
            return ratio > 0 && at(Math.log(ratio)) > 1;
        }

        /** True if part of a row is below the axis. */
        boolean cutsLow(Row row) {
            return isBelow(row.ratio()) || isBelow(row.low()) || isBelow(row.high());
        }

        boolean cutsHigh(Row row) {
            return isAbove(row.ratio()) || isAbove(row.low()) || isAbove(row.high());
        }

        /** Returns the ratios of the ticks: round percentages, including 1. */
        List<Double> ticks() {
            for (double step : STEPS) {
                List<Double> ticks = new ArrayList<>();
                for (int i = (int) Math.ceil(Math.expm1(from) / step - 1e-9); i * step <= Math.expm1(to) + 1e-9; i++) {
                    if (1 + i * step > 0.01) {
                        ticks.add(1 + i * step);
                    }
                }
                if (farApart(ticks)) {
                    return ticks;
                }
            }
            List<Double> wide = List.of(0.5, 1.0, 2.0);
            return farApart(wide) && at(Math.log(0.5)) >= 0 && at(Math.log(2)) <= 1 ? wide : List.of(1.0);
        }

        private boolean farApart(List<Double> ticks) {
            for (int i = 1; i < ticks.size(); i++) {
                if (at(Math.log(ticks.get(i))) - at(Math.log(ticks.get(i - 1))) < 0.2) {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * Returns the plot of a metric.
     *
     * @param onAxis rows of all plots that share the axis
     */
    static Forest of(Metric metric, List<Row> onAxis, double logMargin, List<Row> rows) {
        return new Forest(
                Words.title(metric),
                metric.higherIsBetter() ? "right is better" : "left is better",
                Axis.of(onAxis, logMargin),
                logMargin,
                rows);
    }

    String html() {
        return Template.html("forest", this);
    }

    /** Returns the position of a ratio in percent of the axis. */
    String percent(double ratio) {
        return text("%.1f", 100 * axis.at(Math.log(ratio)));
    }

    /** Returns the position of a logarithm on the axis, in SVG units. */
    String place(double log) {
        return text("%.1f", axis.at(log) * WIDTH);
    }

    /** Returns the band of the margin, as a path. */
    String band() {
        double from = Math.max(0, axis.at(-logMargin)) * WIDTH;
        double to = Math.min(1, axis.at(logMargin)) * WIDTH;
        return text("M%.1f 0H%.1fV20H%.1fz", from, to, from);
    }

    /** Returns the lines of all ticks except 1, as a path. */
    String grid() {
        return axis.ticks().stream()
                .filter(tick -> tick != 1)
                .map(tick -> "M" + place(Math.log(tick)) + " 0V20")
                .collect(Collectors.joining());
    }

    /** Returns arrows for an interval or a point that continues beyond the axis, as a path; empty if it does not. */
    String beyond(Row row) {
        return (axis.cutsLow(row) ? "M8 8L1 10L8 12" : "") + (axis.cutsHigh(row) ? "M192 8L199 10L192 12" : "");
    }

    /** Returns the end of an interval, limited to the axis. */
    String inside(double ratio) {
        double share = ratio <= 0 ? 0 : axis.at(Math.log(ratio));
        return text("%.1f", Math.min(1, Math.max(0, share)) * WIDTH);
    }
}
