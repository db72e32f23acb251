package org.servletbench.bench.load;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Within a generator: the series of rows of each workload's data at each server, through its own warm-up and all loads. */
public final class RowSeries {
    private record Key(String server, String workload) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            return (server + " " + workload).compareTo(other.server + " " + other.workload);
        }
    }

    private final Map<Key, AtomicLong> series = new TreeMap<>();

    /** Gives the number of the next row for a stop; of one without data nobody else's. */
    public synchronized LongSupplier of(Schedule.Stop stop) {
        if (stop.rows() == null) {
            return new AtomicLong()::getAndIncrement;
        }
        AtomicLong next = series.computeIfAbsent(
                new Key(stop.server(), stop.rows().workload()),
                none -> new AtomicLong(stop.rows().from()));
        return () -> next.getAndAdd(stop.rows().step());
    }

    /** Whether another server has had more passes through the same workload. */
    public synchronized boolean isBehind(Schedule.Stop stop) {
        long own = series.get(new Key(stop.server(), stop.rows().workload())).get();
        return series.entrySet().stream()
                .anyMatch(one -> one.getKey().workload.equals(stop.rows().workload())
                        && one.getValue().get() > own);
    }

    /** Says where each series ends, for the rig. */
    public synchronized void tell(Consumer<String> say) {
        series.forEach(
                (key, next) -> say.accept(Schedule.NEXT_ROW + key.server + " " + next.get() + " " + key.workload));
    }
}
