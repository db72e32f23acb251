package org.servletbench.bench.verdict;

/** The kind of a ratio A/B if one of its arms, or both, ran at the generator's limit: such an arm's figure is a floor. */
public enum Bound {
    /** Neither figure is a floor. */
    EXACT,
    /** A is a floor: the ratio is this or more. */
    AT_LEAST,
    /** B is a floor: the ratio is this or less. */
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
