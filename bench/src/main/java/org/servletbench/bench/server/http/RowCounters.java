package org.servletbench.bench.server.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many rows of its data each workload has sent to one server. Parity check, warm-up and load go on from one another, so that every
 * server gets all rows in their order, and none of them again before the last one.
 */
public final class RowCounters {
    private final Map<String, AtomicLong> used = new ConcurrentHashMap<>();

    /** That of a workload; its value is the number of the next row, from 0. */
    public AtomicLong of(String workload) {
        return used.computeIfAbsent(workload, none -> new AtomicLong());
    }
}
