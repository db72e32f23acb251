package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;

class BlockModelTest {

    private static final MeasuredLoad CELL = new MeasuredLoad("hello", 100, 0, "gatling");
    private static final List<String> ARMS = List.of("before", "after", "copy");
    private static final Contrast AFTER = new Contrast("boot3", CELL, Metric.CPU, "after", "before");

    /** @param rows for each block, which of the three arms have a value: {@code "110"} */
    private static BlockModel model(List<String> rows) {
        TreeMap<Integer, Map<String, Double>> blocks = new TreeMap<>();
        for (int b = 0; b < rows.size(); b++) {
            Map<String, Double> block = new HashMap<>();
            for (int arm = 0; arm < ARMS.size(); arm++) {
                if (rows.get(b).charAt(arm) == '1') {
                    block.put(ARMS.get(arm), 100.0 + 3 * b + arm * (b + 1));
                }
            }
            blocks.put(b + 1, block);
        }
        return new BlockModel(new BlockData(
                "boot3",
                CELL,
                Metric.CPU,
                List.of("before", "after"),
                "before",
                Optional.of("copy"),
                blocks,
                Set.of(),
                0));
    }

    /**
     * If each copy of the baseline has figures in one block only, the search for a critical value used to run forever.
     */
    @Test
    void withoutPooledSpreadAPairIsJudgedByItsOwn() {
        // 12.706 is the 97.5 % quantile of t with one degree of freedom.
        assertThat(model(List.of("110", "011")).critical(List.of(AFTER), 0.05)).isCloseTo(12.706, within(0.001));
    }

    @Test
    void everyTableOfTwoOrThreeBlocksHasACriticalValue() {
        List<String> rows = List.of("110", "011", "111", "010", "101");
        for (String one : rows) {
            for (String two : rows) {
                for (String three : List.of("000", "110", "011", "111")) {
                    double critical = model(List.of(one, two, three)).critical(List.of(AFTER), 0.05);
                    assertThat(Double.isNaN(critical) || critical > 1.9)
                            .as(one + " " + two + " " + three + ": " + critical)
                            .isTrue();
                }
            }
        }
    }
}
