package org.servletbench.bench.load;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Within a generator: the series of rows of each workload's data at each server, through its own warm-up and all loads. */
public final class RowSeries {
    private record Key(String server, String workload) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            return (server + " " + workload).compareTo(other.server + " " + other.workload);
        }
    }

    private final Map<Key, AtomicLong> series = new TreeMap<>();

    /** The number of the next row for a stop; of one without data nobody else's. */
    public synchronized AtomicLong of(Schedule.Stop stop) {
        return stop.rows() == null
                ? new AtomicLong()
                : series.computeIfAbsent(
                        new Key(stop.server(), stop.rows().workload()),
                        none -> new AtomicLong(stop.rows().from()));
    }

    /** Says where each series ends, for the rig. */
    public synchronized void tell(Consumer<String> say) {
        series.forEach(
                (key, next) -> say.accept(Schedule.NEXT_ROW + key.server + " " + next.get() + " " + key.workload));
    }
}
