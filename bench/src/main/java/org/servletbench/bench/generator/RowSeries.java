package org.servletbench.bench.generator;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The series of data rows for each workload and server within a generator, through its own warm-up and all loads. */
public final class RowSeries {
    private record Key(String server, String workload) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            return (server + " " + workload).compareTo(other.server + " " + other.workload);
        }
    }

    /**
     * @param since number of the first row whose changes are still in the server
     */
    private record Series(AtomicLong next, long since) {
        long passes() {
            return next.get() - since;
        }
    }

    private final Map<Key, Series> series = new TreeMap<>();

    /** Returns the row numbers for a server. A server without data has a series of its own. */
    public synchronized LongSupplier of(Schedule.Endpoint endpoint) {
        if (endpoint.rows() == null) {
            return new AtomicLong()::getAndIncrement;
        }
        Schedule.Endpoint.Rows rows = endpoint.rows();
        AtomicLong next = series.computeIfAbsent(
                        key(endpoint), none -> new Series(new AtomicLong(rows.from()), rows.since()))
                .next();
        return () -> next.getAndAdd(rows.step());
    }

    private static Key key(Schedule.Endpoint endpoint) {
        return new Key(endpoint.server(), endpoint.rows().workload());
    }

    /** True if another server has had more passes through the same workload since the last reset. */
    public synchronized boolean isBehind(Schedule.Endpoint endpoint) {
        long own = series.get(key(endpoint)).passes();
        return series.entrySet().stream()
                .anyMatch(one -> one.getKey().workload.equals(endpoint.rows().workload())
                        && one.getValue().passes() > own);
    }

    /** Reports the end of each series to servlet-bench. */
    public synchronized void tell(Consumer<String> say) {
        series.forEach(
                (key, own) -> say.accept(Schedule.NEXT_ROW + key.server + " " + own.next() + " " + key.workload));
    }
}
