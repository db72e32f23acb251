package org.servletbench.bench.verdict;

/** Which way a metric is good. A verdict is about the arms, so FASTER always means "is better", whatever this says. */
public enum Better {
    /** As for throughput. */
    HIGHER,
    /** As for response times, and for CPU time per request. */
    LOWER
}
