package org.servletbench.bench.verdict;

/** What became of the A/A guard: two copies of one arm, which no honest campaign may tell apart. */
public enum Guard {
    /** Every control was tested, and none came out FASTER or SLOWER. */
    HELD,
    /** A control came out FASTER or SLOWER: whatever caused that may have caused any other verdict, and all are void. */
    BROKEN,
    /** There is no control, or one has fewer than two blocks. */
    UNTESTED
}
