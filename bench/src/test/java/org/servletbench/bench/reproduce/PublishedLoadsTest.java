package org.servletbench.bench.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.article.Quantity;
import org.servletbench.bench.load.ToolFigures;
import org.servletbench.bench.load.ToolLatency;

class PublishedLoadsTest {

    private static Map<String, Double> figures(long completed, long failed, long unanswered) {
        return PublishedLoads.figures(new ToolFigures(
                completed, failed, unanswered, Map.of(), 1, completed, ToolLatency.UNKNOWN, 1000, List.of()));
    }

    @Test
    void availabilityIsWhatSiegeSays() {
        assertThat(figures(90, 10, 10))
                .containsEntry(Quantity.ERRORS_PRINTED.key(), 0.1)
                .containsEntry(Quantity.AVAILABILITY.key(), 90.0);
        assertThat(figures(50, 50, 0))
                .as("not found, which siege counts as available")
                .containsEntry(Quantity.ERRORS_PRINTED.key(), 1.0)
                .containsEntry(Quantity.AVAILABILITY.key(), 100.0);
        assertThat(figures(0, 20, 20))
                .as("refused")
                .containsEntry(Quantity.ERRORS_PRINTED.key(), 1.0)
                .containsEntry(Quantity.AVAILABILITY.key(), 0.0);
        assertThat(figures(0, 0, 0)).doesNotContainKeys(Quantity.ERRORS_PRINTED.key(), Quantity.AVAILABILITY.key());
    }
}
