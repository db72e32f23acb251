package org.servletbench.bench.verdict;

public enum Reason {
    /** Fewer than two blocks have both arms. */
    TOO_FEW_BLOCKS,
    /** All blocks gave the same ratios: recorded too coarsely, so that there is no interval. */
    NO_SPREAD,
    /** An arm ran at the generator's limit, so that its figure is a floor, or its latency includes waiting there. */
    FLOOR,
    /** A server failed, or too many of its requests, or it did not keep the load, in at least one block: the others are those in which it was fast. */
    NOT_HELD,
    /** A server was not warm under the load in at least one block. */
    NOT_WARM,
    /** The blocks would decide, but the clock that timed the requests is too coarse. */
    RESOLUTION,
    /** The interval is too wide: more blocks or less noise would decide. */
    SPREAD,
    /** Verdicts may not be drawn from this campaign: it was looked at or extended beyond its plan. */
    NOT_DRAWN;

    /** Whether it lies in what a server did, so that neither more blocks nor a finer clock would decide. */
    public boolean isTheServers() {
        return this == NOT_HELD || this == NOT_WARM;
    }
}
