package org.servletbench.bench.verdict;

/**
 * How a ratio A/B is limited if one of its arms, or both, ran at the generator's limit, so that its figure is a floor.
 */
public enum Bound {
    /** Neither figure is a floor. */
    EXACT,
    /** A's figure is a floor, so the ratio is this or more. */
    AT_LEAST,
    /** B's figure is a floor, so the ratio is this or less. */
    AT_MOST,
    /** The ratio is not known at all. */
    NONE;

    public Bound mirrored() {
        return switch (this) {
            case AT_LEAST -> AT_MOST;
            case AT_MOST -> AT_LEAST;
            default -> this;
        };
    }
}
