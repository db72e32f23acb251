package org.servletbench.bench.verdict;

/** Why a pair's figures are not the usual ones. */
public enum Caveat {
    /** Fewer than two blocks have both arms: nothing can be tested. */
    TOO_FEW_BLOCKS,
    /** All blocks gave the same difference, so there is no interval to speak of, and a sign test decides. */
    NO_SPREAD
}
