package org.servletbench.bench.verdict;

public enum Reason {
    /** Fewer than two blocks have both arms. */
    TOO_FEW_BLOCKS,
    /** All blocks gave the same ratios: recorded too coarsely, so that there is no interval. */
    NO_SPREAD,
    /** An arm ran at the generator's limit, so that its figure is a floor, or its latency includes waiting there. */
    FLOOR,
    /** The blocks would decide, but the clock that timed the requests is too coarse. */
    RESOLUTION,
    /** The interval is too wide: more blocks or less noise would decide. */
    SPREAD,
    /** Verdicts may not be drawn from this campaign: it was looked at or extended beyond its plan. */
    NOT_DRAWN
}
