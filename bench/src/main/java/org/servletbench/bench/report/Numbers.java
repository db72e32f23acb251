package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.verdict.Wording;

/** Figures as people read them. What is not known is a dash. */
public final class Numbers {
    static final String NONE = "–";
    private static final double MIB = 1 << 20;

    /** What is said of an interval that is too wide to say anything. */
    static final String UNKNOWN = "interval not known";

    /** Ends of an interval that lie farther apart say nothing of the figure between them. */
    private static final double WIDEST = 10;

    private Numbers() {}

    /** Whether an interval with both ends is too wide to say anything. */
    static boolean isWide(double low, double high) {
        return Double.isFinite(high) && low > 0 && high > WIDEST * low;
    }

    static String unit(Metric metric) {
        return metric.isInMib() ? "MiB" : metric.unit();
    }

    /** A value in the unit in which it is shown. */
    static double scaled(Metric metric, double value) {
        return value / scale(metric);
    }

    /** By what a value is divided to have it in the unit in which it is shown. */
    public static double scale(Metric metric) {
        return metric.isInMib() ? MIB : 1;
    }

    /** Bytes as they are recorded, in GiB; what is no number stays. */
    static String gib(String bytes) {
        return bytes.matches("\\d+") ? text("%.1f GiB", Double.parseDouble(bytes) / (1 << 30)) : bytes;
    }

    /** A metric's value without its unit. */
    static String shown(Metric metric, double value) {
        return shown(scaled(metric, value));
    }

    /** Three digits or more: 0.123, 1.23, 12.3, 123, 12,345; two below a hundredth. */
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

    /** A ratio as a signed difference: +9 %; a tenth of a percent where a whole one would blur the interval. */
    static String percent(double ratio, boolean fine) {
        double difference = ratio - 1;
        if (!Double.isFinite(difference)) {
            return Double.isNaN(difference) ? NONE : "any";
        }
        BigDecimal rounded =
                BigDecimal.valueOf(difference).movePointRight(2).setScale(fine ? 1 : 0, RoundingMode.HALF_EVEN);
        return (rounded.signum() > 0 ? "+" : "") + rounded.toPlainString().replace('-', '−');
    }

    /** Whether a ratio deserves a tenth of a percent. */
    static boolean fine(double ratio, double low, double high, double margin) {
        return Wording.fine(ratio - 1, low - 1, high - 1, margin);
    }

    /** A share as a percentage without needless zeros: 3 %. */
    static String share(double share) {
        return new BigDecimal(text("%.4f", share * 100)).stripTrailingZeros().toPlainString() + " %";
    }

    /** For programs: the shortest text that reads back as the same number; null where it is not known. */
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
