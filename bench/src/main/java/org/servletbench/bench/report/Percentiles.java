package org.servletbench.bench.report;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Charts of response time by percentile: the quantile function over log10(1 / (1 - p)), so that each nine is as wide. */
public final class Percentiles {
    private Percentiles() {}

    /**
     * An empty chart.
     *
     * @param most requests of the longest curve: its axis ends at the one that was slowest
     * @param unit what stands behind each mark of the axis
     */
    public static Chart chart(String title, String xTitle, long most, String unit) {
        double decades = Math.max(1, Math.log10(most));
        List<Chart.Tick> ticks = new ArrayList<>(List.of(new Chart.Tick(0, "0")));
        StringBuilder nines = new StringBuilder();
        for (int decade = 1; decade <= decades; decade++) {
            nines.append(decade == 3 ? ".9" : "9");
            ticks.add(new Chart.Tick(decade, (decade == 1 ? "90" : nines) + unit));
        }
        return new Chart(title, xTitle, decades, ticks);
    }

    /**
     * A curve up to the one request that was slowest.
     *
     * @param points of the curve
     * @param least what is less is drawn as this, ms
     * @param most what is more is drawn as this, ms
     */
    public static Chart.Line curve(
            String name, String style, Histogram histogram, int points, double least, double most) {
        double end = Math.log10(Math.max(2, histogram.getTotalCount()));
        double[] xs = new double[points + 1];
        double[] ys = new double[points + 1];
        for (int i = 0; i <= points; i++) {
            xs[i] = end * i / points;
            double percent = i == points ? 100 : 100 * (1 - Math.pow(10, -xs[i]));
            ys[i] = Math.max(least, Math.min(most, histogram.getValueAtPercentile(percent)));
        }
        return new Chart.Line(name, style, xs, ys);
    }
}
