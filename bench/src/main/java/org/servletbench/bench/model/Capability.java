package org.servletbench.bench.model;

/** Abilities that only some load generators have. */
public enum Capability {
    /** It can start requests at a fixed rate, no matter how fast the server answers. */
    FIXED_RATES,
    /** It can search for the highest rate that meets an objective. */
    SEARCHES_RATES,
    /** Its users move from server to server by the clock. With other generators, each window is a separate process. */
    INTERLEAVES,
    /**
     * Under high load it may have fewer users than planned or contradict Little's law. Its throughput is then the least
     * that the server can do. For other generators, either means that the figures are wrong.
     */
    FALLS_SHORT,
    /** It warms itself up, once for all loads that it applies together. */
    WARMS_UP,
    /** It can run on load hosts, which share its users. */
    LOAD_HOSTS,
    /** It sends all methods, headers and bodies, and accepts other statuses than 200. */
    SENDS_ALL,
    /** Its users extract values from answers, and send some requests only once. */
    SESSIONS,
    /** It runs a user's own simulations. */
    SIMULATIONS,
    /** Its users keep cookies, as long as no two servers have the same host. */
    KEEPS_COOKIES,
    /** Its users can pause for a constant or a random time between their requests. */
    PAUSES,
    /** It speaks HTTP/2. */
    HTTP_2,
    /** It counts correct answers that are compressed. */
    ACCEPTS_GZIP
}
