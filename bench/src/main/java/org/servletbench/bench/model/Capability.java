package org.servletbench.bench.model;

/** Abilities that only some load generators have. */
public enum Capability {
    /** It can start requests at a fixed rate, whatever the server does. */
    FIXED_RATES,
    /** It looks for the highest rate that meets an objective. */
    SEARCHES_RATES,
    /** Its users move from server to server by the clock; otherwise each window is a separate process. */
    INTERLEAVES,
    /**
     * A busy one falls short of its users or of Little's law, so that its throughput is the least that the server can do.
     * With others these two mean that the figures are wrong.
     */
    FALLS_SHORT,
    /** It warms itself up, once for all loads that it applies together. */
    WARMS_UP,
    /** It can run on load hosts, which share its users. */
    LOAD_HOSTS,
    /** It sends other methods than GET, headers and bodies, and knows other statuses than 200. */
    SENDS_ALL,
    /** Its users extract values from answers, and send some requests only once. */
    SESSIONS,
    /** It runs simulations of the user's own. */
    SIMULATIONS,
    /** Its users keep cookies, as long as no two servers have the same host. */
    KEEPS_COOKIES,
    /** Its users can pause for a constant or a random time between their requests. */
    PAUSES,
    /** It speaks HTTP/2. */
    HTTP_2,
    /** It counts right answers that are compressed. */
    ACCEPTS_GZIP
}
