package org.servletbench.bench.model;

import java.time.Duration;
import java.util.List;

/** How load is applied: by users who wait for their answers, or at a fixed rate that does not wait. */
public sealed interface LoadModel {

    /**
     * Closed model: each user sends the next request when the last one is answered.
     *
     * @param users numbers of concurrent users, in the order in which they run
     * @param rampUp time within which all users of a load start
     */
    record Closed(List<Integer> users, Duration rampUp, Amount amount) implements LoadModel {}

    /** Open model: requests start at a fixed rate, requests/s, no matter how fast the server answers. */
    record Open(double rate, Duration hold) implements LoadModel {}

    sealed interface Amount {}

    /**
     * A time in which all users are active, from the end of the ramp-up to the end of the load, with as many requests
     * as fit.
     */
    record Hold(Duration time) implements Amount {}

    /** A fixed number of requests for each user, one entry per number of users. */
    record Loops(List<Integer> perUsers) implements Amount {}
}
