package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ChartTest {

    private static String path(double... ys) {
        double[] xs = new double[ys.length];
        for (int i = 0; i < xs.length; i++) {
            xs[i] = i;
        }
        Chart.Line line = new Chart.Line("a", "c1", xs, ys);
        Chart chart = new Chart("a", "s", 0, 10, List.of()).line(line);
        chart.scale();
        return chart.path(line).replaceAll(" [0-9.]+", "");
    }

    @Test
    void aLevelStretchIsDrawnByItsEnds() {
        String step = path(5, 5, 5, 5, 9, 9, 9, 5);
        assertThat(step.chars().filter(c -> c == 'L')).hasSize(4);
        assertThat(step).startsWith("M").doesNotContain("h0");
        // Ends of stretches next to a gap, and an isolated point.
        assertThat(path(5, 5, 5, Double.NaN, 5, 5, 5, Double.NaN, 5)).matches("M[^ML]+L[^ML]+M[^ML]+L[^ML]+M[^ML]+h0");
    }
}
