package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.verdict.Wording;

/** Formats figures for people. Unknown values become dashes. */
public final class Numbers {
    static final String NONE = "–";
    private static final double MIB = 1 << 20;

    /** Text for an interval that is too wide to be useful. */
    static final String UNKNOWN = "interval not known";

    /** Maximum ratio of an interval's ends. A wider interval says nothing about its figure. */
    private static final double WIDEST = 10;

    private Numbers() {}

    /** True if an interval with two ends is too wide to be useful. */
    static boolean isWide(double low, double high) {
        return Double.isFinite(high) && low > 0 && high > WIDEST * low;
    }

    static String unit(Metric metric) {
        return metric.isInMib() ? "MiB" : metric.unit();
    }

    /** Returns a value in the unit in which it is shown. */
    static double scaled(Metric metric, double value) {
        return value / scale(metric);
    }

    /** Returns the divisor that converts a value to the unit in which it is shown. */
    public static double scale(Metric metric) {
        return metric.isInMib() ? MIB : 1;
    }

    /** Converts recorded bytes to GiB. Anything that is not a number is returned unchanged. */
    static String gib(String bytes) {
        return bytes.matches("\\d+") ? text("%.1f GiB", Double.parseDouble(bytes) / (1 << 30)) : bytes;
    }

    /** Formats a metric's value without its unit. */
    static String shown(Metric metric, double value) {
        return shown(scaled(metric, value));
    }

    /** Formats a value with at least three digits: 0.123, 1.23, 12.3, 123, 12,345; below a hundredth with two. */
    public static String shown(double value) {
        if (!Double.isFinite(value)) {
            return Double.isNaN(value) ? NONE : value > 0 ? "∞" : "−∞";
        }
        double size = Math.abs(value);
        if (size > 0 && size < 0.01) {
            return new BigDecimal(value)
                    .round(new MathContext(2))
                    .toPlainString()
                    .replace('-', '−');
        }
        String format =
                value == 0 || size >= 99.95 ? "%,.0f" : size >= 9.995 ? "%.1f" : size >= 0.9995 ? "%.2f" : "%.3f";
        return text(format, value).replace('-', '−');
    }

    /**
     * Formats a ratio as a signed difference, such as +9 %. It has tenths of a percent if whole ones would blur the
     * interval.
     */
    static String percent(double ratio, boolean fine) {
        double difference = ratio - 1;
        if (!Double.isFinite(difference)) {
            return Double.isNaN(difference) ? NONE : "any";
        }
        BigDecimal rounded =
                BigDecimal.valueOf(difference).movePointRight(2).setScale(fine ? 1 : 0, RoundingMode.HALF_EVEN);
        return (rounded.signum() > 0 ? "+" : "") + rounded.toPlainString().replace('-', '−');
    }

    /** True if a ratio needs tenths of a percent. */
    static boolean fine(double ratio, double low, double high, double margin) {
        return Wording.fine(ratio - 1, low - 1, high - 1, margin);
    }

    /** Formats a share as a percentage without trailing zeros: 3 %. */
    static String share(double share) {
        return new BigDecimal(text("%.4f", share * 100)).stripTrailingZeros().toPlainString() + " %";
    }

    /** Returns the shortest number that reads back as the same value, for programs; null if unknown. */
    public static Number exact(double value) {
        if (!Double.isFinite(value)) {
            return null;
        }
        if (value == Math.rint(value) && Math.abs(value) < 1L << 53) {
            return (long) value;
        }
        return value;
    }
}
