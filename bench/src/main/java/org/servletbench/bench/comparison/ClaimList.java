package org.servletbench.bench.comparison;

import java.util.List;
import org.servletbench.bench.model.Cell;

/**
 * What is claimed of a comparison's arms.
 *
 * @param published the article that claims it; null for claims of the user's own
 */
public record ClaimList(List<ClaimSpec> all, Published published) {

    public static final ClaimList NONE = new ClaimList(List.of(), null);

    /** Whether a build cannot depend on them: there are none, or they are an article's, and that they do not hold here is a finding. */
    public boolean decideNothing() {
        return all.isEmpty() || published != null;
    }

    /** How many ratios and figures need an interval of their own under these loads: each takes a share of the level. */
    public int ownIntervals(List<Cell> cells) {
        return (int) all.stream()
                .flatMap(claim -> claim.terms(cells).stream())
                .filter(term -> term.part().own())
                .count();
    }
}
