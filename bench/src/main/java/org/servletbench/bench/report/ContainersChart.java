package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.Comparator;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.servletbench.bench.report.ReadmeTables.Container;
import org.servletbench.bench.report.ReadmeTables.Gap;
import org.servletbench.bench.report.ReadmeTables.Pair;

/**
 * README's chart: the throughput of each container divided by that of Tomcat NIO.
 *
 * @param machines machines in the order of the legend
 * @param gaps all gaps under one load
 */
record ContainersChart(List<String> machines, List<Gap> gaps) {
    private static final int WIDTH = 760;
    private static final int LEFT = 250;
    private static final int TOP = 80;
    private static final int ROW = 48;
    private static final List<String> COLOURS = List.of("#1a56b0", "#b4530a", "#2f7d4f", "#7a3fa0");

    /**
     * Returns the chart as SVG, on a background of its own, with a point and its interval for each campaign or pool.
     */
    String svg() {
        double from =
                gaps.stream().mapToDouble(gap -> gap.throughput().low()).min().orElse(1) - 0.02;
        double to =
                gaps.stream().mapToDouble(gap -> gap.throughput().high()).max().orElse(1) + 0.02;
        DoubleUnaryOperator x = ratio -> LEFT + (WIDTH - LEFT - 24) * (ratio - from) / (to - from);
        int bottom = TOP + ROW * Container.values().length;
        StringBuilder svg = new StringBuilder(text("""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="15" fill="#1f2430">
                <rect width="100%%" height="100%%" rx="8" fill="#fff"/>
                <text x="20" y="32" font-size="18" font-weight="bold">Requests/s against Tomcat NIO, 5-byte answer</text>
                """, WIDTH, bottom + 40));
        double legend = 20;
        for (String machine : machines) {
            svg.append(text(
                    "<circle cx=\"%.0f\" cy=\"55\" r=\"5\" fill=\"%s\"/><text x=\"%.0f\" y=\"60\">%s</text>\n",
                    legend + 5, colour(machine), legend + 16, Html.escape(machine)));
            legend += 40 + 9 * machine.length();
        }
        svg.append(text("<text x=\"%.0f\" y=\"60\" fill=\"#5b6475\">line: interval</text>\n", legend));
        for (int percent = (int) Math.ceil(10 * (from - 1)) * 10; percent <= 100 * (to - 1); percent += 10) {
            double at = x.applyAsDouble(1 + percent / 100.0);
            svg.append(text(
                    "<path d=\"M%.1f %d V%d\" stroke=\"%s\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                    at,
                    TOP,
                    bottom,
                    percent == 0 ? "#1f2430" : "#d5d9e2",
                    at,
                    bottom + 24,
                    text(percent == 0 ? "Tomcat NIO" : "%+d %%", percent).replace('-', '−')));
        }
        for (Container container : Container.values()) {
            int top = TOP + ROW * container.ordinal();
            svg.append(text("<text x=\"20\" y=\"%d\">%s</text>\n", top + ROW / 2 + 5, container.words));
            List<Gap> row = gaps.stream()
                    .filter(gap -> gap.container() == container)
                    .sorted(Comparator.comparing(gap -> machines.indexOf(gap.machine())))
                    .toList();
            for (int i = 0; i < row.size(); i++) {
                Pair pair = row.get(i).throughput();
                double y = top + ROW * (i + 1.0) / (row.size() + 1);
                svg.append(text(
                        "<path d=\"M%.1f %.1f H%.1f\" stroke=\"%s\" stroke-width=\"2\"/><circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"%s\"/>\n",
                        x.applyAsDouble(pair.low()),
                        y,
                        x.applyAsDouble(pair.high()),
                        colour(row.get(i).machine()),
                        x.applyAsDouble(pair.ratio()),
                        y,
                        colour(row.get(i).machine())));
            }
        }
        return svg.append("</svg>\n").toString();
    }

    private String colour(String machine) {
        return COLOURS.get(machines.indexOf(machine) % COLOURS.size());
    }
}
