package org.servletbench.bench.reproduce;

import java.util.List;
import org.servletbench.bench.article.Claim;

/**
 * What became of a claim, with the figures from which it follows.
 *
 * @param claim what was claimed
 * @param outcome what became of it
 * @param parts each comparison of its statement; none where it is not about ratios
 * @param reason why it cannot be decided here, or in one sentence what decided it
 */
public record ClaimVerdict(Claim claim, Outcome outcome, List<Part> parts, String reason) {

    /** How an interval lies to what is claimed. */
    public enum Standing {
        WITHIN,
        OUTSIDE,
        OPEN
    }

    /**
     * One comparison, or for claims about errors one cell.
     *
     * @param what which ratio or share, for people
     * @param bounds what it should be, for people
     * @param blocks from how many blocks
     * @param value the ratio, or the share of failed requests; NaN where it is not known
     * @param low lower end of its simultaneous interval; NaN where there is none
     * @param high its upper end; infinite where nothing bounds it
     * @param share whether it is a share and not a ratio
     * @param standing how it lies to the bounds
     * @param detectable the smallest difference that this many blocks could have found, as a share; NaN where it is not known
     * @param reason why it is open; empty where it is not
     */
    public record Part(
            String what,
            String bounds,
            int blocks,
            double value,
            double low,
            double high,
            boolean share,
            Standing standing,
            double detectable,
            String reason) {}
}
