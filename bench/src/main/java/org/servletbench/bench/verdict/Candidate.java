package org.servletbench.bench.verdict;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A possible reason, with its values by block.
 *
 * @param values of all arms and the control: µs of CPU time, or events or bytes, for each request
 */
public record Candidate(Cause cause, BlockData values) {

    /**
     * True if its differences are compared on the linear scale. Counters are compared like all figures, on the log scale. A layer
     * may have no sample in a block: its differences are of the values themselves, which the block model takes as logarithms.
     */
    private boolean isAdditive() {
        return cause instanceof Cause.Layer;
    }

    /** Returns the values for the block model. */
    BlockData modelled() {
        if (!isAdditive()) {
            return values;
        }
        double unit = unit();
        SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>();
        values.blocks().forEach((block, row) -> {
            Map<String, Double> shifted = new HashMap<>();
            row.forEach((arm, value) -> {
                if (Double.isFinite(value)) {
                    shifted.put(arm, Math.exp(value / unit));
                }
            });
            blocks.put(block, shifted);
        });
        return values.with(blocks);
    }

    /** Returns the largest value, so that no exponential is out of range. */
    private double unit() {
        double most = values.blocks().values().stream()
                .flatMap(row -> row.values().stream())
                .mapToDouble(Math::abs)
                .filter(Double::isFinite)
                .max()
                .orElse(1);
        return most > 0 ? most : 1;
    }

    /** Returns an arm's figure: the mean over blocks, for counters the geometric one. */
    double typical(String arm) {
        double ofModel = modelled().typical(arm);
        return isAdditive() ? unit() * Math.log(ofModel) : ofModel;
    }

    /** Returns a difference of the model in the values' unit. */
    double difference(double ofModel) {
        return isAdditive() ? unit() * ofModel : values.typical(values.baseline()) * Math.expm1(ofModel);
    }
}
