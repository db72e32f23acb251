package org.servletbench.bench.comparison;

import java.util.List;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;

/**
 * Claims about a comparison's arms.
 *
 * @param published the article that makes them; null for claims of the user's own
 */
public record ClaimList(List<ClaimSpec> all, Published published) {

    public static final ClaimList NONE = new ClaimList(List.of(), null);

    /** True if a build cannot depend on them: there are none, or they are an article's, and their failure here is a finding. */
    public boolean decideNothing() {
        return all.isEmpty() || published != null;
    }

    /** True if one of them is about a figure of starts under load. */
    public boolean areOfPeak() {
        return all.stream()
                .flatMap(claim -> claim.parts().stream())
                .flatMap(part -> Metric.of(part.metric()).stream())
                .anyMatch(Metric::isOfPeak);
    }

    /** Returns the layers of CPU time that they are about. */
    public List<String> layers() {
        return all.stream()
                .flatMap(claim -> claim.parts().stream())
                .map(ClaimSpec.Part::layer)
                .filter(layer -> !layer.isEmpty())
                .distinct()
                .toList();
    }

    /** Returns the number of ratios and figures that need an interval of their own under these loads: each takes a share of the level. */
    public int ownIntervals(List<MeasuredLoad> loads) {
        return (int) all.stream()
                .flatMap(claim -> claim.terms(loads).stream())
                .filter(term -> term.part().own())
                .count();
    }
}
