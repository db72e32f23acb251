package org.servletbench.bench.verdict;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A possible reason, with its values by block.
 *
 * @param values values of all arms and the control, per request: µs of CPU time, or events or bytes
 */
public record Candidate(Cause cause, BlockData values) {

    /**
     * True if differences are on the linear scale. Counters are compared like all figures, on the log scale. A layer
     * may have no sample in a block, so its values are compared themselves; they take the place of logarithms in the
     * block model.
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

    /** Returns the largest value. Values are divided by it, so that no exponential overflows. */
    private double unit() {
        double most = values.blocks().values().stream()
                .flatMap(row -> row.values().stream())
                .mapToDouble(Math::abs)
                .filter(Double::isFinite)
                .max()
                .orElse(1);
        return most > 0 ? most : 1;
    }

    /** Returns an arm's figure: the mean over blocks, which is the geometric mean for counters. */
    double typical(String arm) {
        double ofModel = modelled().typical(arm);
        return isAdditive() ? unit() * Math.log(ofModel) : ofModel;
    }

    /** Converts a difference of the model into the values' unit. */
    double difference(double ofModel) {
        return isAdditive() ? unit() * ofModel : values.typical(values.baseline()) * Math.expm1(ofModel);
    }
}
