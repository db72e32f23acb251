package org.servletbench.bench.server.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the rows of data that each workload has sent to one server. Parity check, warm-up and load continue each
 * other's counts. So every server gets all rows in order, and no row is repeated before the last one was used.
 */
public final class RowCounters {
    private final Map<String, AtomicLong> used = new ConcurrentHashMap<>();

    /** Returns the counter of a workload; its value is the number of the next row, from 0. */
    public AtomicLong of(String workload) {
        return used.computeIfAbsent(workload, none -> new AtomicLong());
    }
}
