package org.servletbench.bench.verdict;

public enum NoVerdictReason {
    /** Fewer than two blocks have both arms. */
    TOO_FEW_BLOCKS("too few blocks"),
    /** All blocks gave the same ratios: they were recorded too coarsely, so that there is no interval. */
    NO_SPREAD("recorded too coarsely"),
    /** An arm ran at the generator's limit, so that its throughput is a floor; or its response times are not those of the server. */
    FLOOR("not the server's own"),
    /**
     * A server failed, or too many of its requests, or it did not keep up with the load, in at least one block: only its fast
     * blocks would be left.
     */
    NOT_HELD("load not held"),
    /** A server was not warm under the load in at least one block. */
    NOT_WARM("not warm"),
    /** A server did not reach what is timed within at least one start's load: without those starts the fast ones would be left. */
    NOT_REACHED("not reached in time"),
    /** The blocks would decide, but the clock that timed the requests is too coarse. */
    RESOLUTION("clock too coarse"),
    /** The interval is too wide: more blocks or less noise would decide. */
    SPREAD(""),
    /** More CPU time in one layer is less in another. */
    MOVED("moved from another layer"),
    /** No profile of any arm has the layer: its name may be misspelled, or its code may count as another layer. */
    UNSEEN("in no profile"),
    /** The campaign has not ended, or is void. */
    NOT_DRAWN("no verdict");

    private final String words;

    NoVerdictReason(String words) {
        this.words = words;
    }

    /** Returns it in a word or two, for tables; empty for {@link #SPREAD}, the most common one. */
    public String words() {
        return words;
    }

    /** True if the servers' behavior is the reason, so that neither more blocks nor a finer clock would decide. */
    public boolean isTheServers() {
        return this == NOT_HELD || this == NOT_WARM || this == NOT_REACHED;
    }
}
