package org.servletbench.bench.comparison;

import java.util.List;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;

/**
 * Claims about a comparison's arms.
 *
 * @param published the article that makes the claims; null for a user's own
 */
public record ClaimList(List<ClaimSpec> all, Published published) {

    public static final ClaimList NONE = new ClaimList(List.of(), null);

    /**
     * True if no build can fail because of them. There are none, or they are an article's, whose failure is a finding.
     */
    public boolean decideNothing() {
        return all.isEmpty() || published != null;
    }

    /** True if one of them is about a figure of a start under load. */
    public boolean areOfPeak() {
        return all.stream()
                .flatMap(claim -> claim.parts().stream())
                .flatMap(part -> Metric.of(part.metric()).stream())
                .anyMatch(Metric::isOfPeak);
    }

    /** Returns the layers of CPU time that claims are about. */
    public List<String> layers() {
        return all.stream()
                .flatMap(claim -> claim.parts().stream())
                .map(ClaimSpec.Part::layer)
                .filter(layer -> !layer.isEmpty())
                .distinct()
                .toList();
    }

    /**
     * Returns the number of ratios and figures that need an interval of their own under these loads. Each takes a share
     * of the level.
     */
    public int ownIntervals(List<MeasuredLoad> loads) {
        return (int) all.stream()
                .flatMap(claim -> claim.terms(loads).stream())
                .filter(term -> term.part().own())
                .count();
    }
}
