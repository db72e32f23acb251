package org.servletbench.bench.load;

import java.util.List;
import java.util.Map;
import org.servletbench.bench.model.Warning;

/**
 * Figures that a command-line generator reports.
 *
 * @param completed responses that the tool counts as completed, whatever their status
 * @param failed requests that failed. If one request can be of two kinds, and the tool gives only the count of each
 *     kind, this is the minimum.
 * @param unanswered failed requests that are not in {@code completed}, because their connection was refused or broke
 * @param failures failed requests by kind, in the tool's own words; only kinds that occurred
 * @param seconds actual length of the load, s, as the tool measured it
 * @param notes caveats for readers of these figures
 */
public record ToolFigures(
        long completed,
        long failed,
        long unanswered,
        Map<String, Long> failures,
        double seconds,
        ToolLatency latency,
        List<Warning> notes) {

    /** Returns the number of all requests that ended, answered or not. */
    public long requests() {
        return completed + unanswered;
    }
}
