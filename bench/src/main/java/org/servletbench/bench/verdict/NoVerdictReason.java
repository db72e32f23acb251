package org.servletbench.bench.verdict;

public enum NoVerdictReason {
    /** Fewer than two blocks have both arms. */
    TOO_FEW_BLOCKS("too few blocks"),
    /** All blocks have the same ratio, because figures were recorded too coarsely, so that there is no interval. */
    NO_SPREAD("recorded too coarsely"),
    /**
     * An arm ran at the generator's limit, so that its throughput is a floor; or its response times are not the
     * server's own.
     */
    FLOOR("not the server's own"),
    /**
     * In at least one block, a server failed, failed too many requests, or did not keep up with the load. Only its fast
     * blocks would be left.
     */
    NOT_HELD("load not held"),
    /** In at least one block, a server was not warm under the load. */
    NOT_WARM("not warm"),
    /**
     * In at least one start under load, a server did not reach what is timed. Without those starts, only the fast ones
     * would be left.
     */
    NOT_REACHED("not reached in time"),
    /** The number of blocks would suffice, but the clock that timed the requests is too coarse. */
    RESOLUTION("clock too coarse"),
    /** The interval is too wide. More blocks or less noise would lead to a verdict. */
    SPREAD(""),
    /** CPU time was only moved from one layer to another. */
    MOVED("moved from another layer"),
    /** No profile of any arm has the layer: its name may be misspelled, or its code may count as another layer. */
    UNSEEN("in no profile"),
    /** The campaign has not ended, or is void. */
    NOT_DRAWN("no verdict");

    private final String words;

    NoVerdictReason(String words) {
        this.words = words;
    }

    /** Returns the reason in a few words, for tables; empty for {@link #SPREAD}, the most common one. */
    public String words() {
        return words;
    }

    /** True if the servers' behavior is the reason, so that neither more blocks nor a finer clock would help. */
    public boolean isTheServers() {
        return this == NOT_HELD || this == NOT_WARM || this == NOT_REACHED;
    }
}
