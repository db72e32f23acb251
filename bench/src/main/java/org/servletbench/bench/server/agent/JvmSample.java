package org.servletbench.bench.server.agent;

import com.sun.management.GcInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadInfo;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One reading of the JVM's own meters. {@code time.ms} is the time at which its totals were read, ms since the epoch.
 */
final class JvmSample {

    private static final Thread.State[] STATES = {
        Thread.State.RUNNABLE, Thread.State.BLOCKED, Thread.State.WAITING, Thread.State.TIMED_WAITING
    };

    /** Longest time between the readings of one sample, ms. If it took longer, they are read again. */
    private static final long TIGHT_MILLIS = 2;

    private static final int MOST_TRIES = 5;

    /** Heap in use right after the last collection, bytes; 0 before the first one. */
    static final String HEAP_AFTER_GC = "heap.after.gc.bytes";

    private final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    private final List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
    private final CompileQueue compileQueue = new CompileQueue();
    private final com.sun.management.OperatingSystemMXBean system =
            (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final Set<String> heapPools = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .map(MemoryPoolMXBean::getName)
            .collect(Collectors.toSet());

    /** Number of bytes that each live thread has allocated so far, by thread id. */
    private Map<Long, Long> allocated = new HashMap<>();

    private long allocatedTotal;

    /**
     * The totals, which were read within a millisecond or two if the machine allowed it, and the time of the reading.
     */
    private record Totals(long timeMillis, long cpuMillis, long gcCount, long gcMillis) {}

    void describe(Answer answer) {
        long[] ids = threads.getAllThreadIds();
        Totals totals = totals(ids);
        answer.put("time.ms", totals.timeMillis);
        describeThreads(answer, ids);
        MemoryUsage heap = memory.getHeapMemoryUsage();
        answer.put("heap.used.bytes", heap.getUsed())
                .put("heap.committed.bytes", heap.getCommitted())
                .put(HEAP_AFTER_GC, heapAfterCollection())
                .put("gc.count", totals.gcCount)
                .put("gc.ms", totals.gcMillis)
                .put("alloc.bytes", allocatedTotal)
                .put("process.cpu.ms", totals.cpuMillis);
        describeBacklog(answer);
    }

    void describeBacklog(Answer answer) {
        answer.put(CompileQueue.BACKLOG, compileQueue.backlog());
    }

    private long heapAfterCollection() {
        return collectors.stream()
                .filter(com.sun.management.GarbageCollectorMXBean.class::isInstance)
                .map(collector -> ((com.sun.management.GarbageCollectorMXBean) collector).getLastGcInfo())
                .filter(Objects::nonNull)
                .max(Comparator.comparingLong(GcInfo::getEndTime))
                .map(last -> last.getMemoryUsageAfterGc().entrySet().stream()
                        .filter(pool -> heapPools.contains(pool.getKey()))
                        .mapToLong(pool -> pool.getValue().getUsed())
                        .sum())
                .orElse(0L);
    }

    /**
     * Reads the totals. Repeats this if this thread lost its processor between two readings, which happens under load.
     */
    private Totals totals(long[] ids) {
        for (int tries = 1; ; tries++) {
            long before = System.currentTimeMillis();
            long cpu = system.getProcessCpuTime() / 1_000_000;
            countAllocation(ids);
            long count = 0;
            long millis = 0;
            for (GarbageCollectorMXBean collector : collectors) {
                // Cycles of ZGC and Shenandoah run concurrently with the application. Their pauses have a bean of their
                // own.
                if (collector.getName().endsWith("Cycles")) {
                    continue;
                }
                count += Math.max(0, collector.getCollectionCount());
                millis += Math.max(0, collector.getCollectionTime());
            }
            long after = System.currentTimeMillis();
            if (after - before <= TIGHT_MILLIS || tries == MOST_TRIES) {
                return new Totals((before + after) / 2, cpu, count, millis);
            }
        }
    }

    private void describeThreads(Answer answer, long[] ids) {
        int live = 0;
        int[] states = new int[Thread.State.values().length];
        ThreadRoles roles = new ThreadRoles(threads);
        // Without stack traces, this needs no safepoint, so it costs the server next to nothing.
        for (ThreadInfo thread : threads.getThreadInfo(ids)) {
            if (thread != null && !thread.getThreadName().equals(ProbeAgent.THREAD)) {
                states[thread.getThreadState().ordinal()]++;
                roles.count(thread);
                live++;
            }
        }
        answer.put("threads.live", live);
        for (Thread.State state : STATES) {
            answer.put("threads." + state.name().toLowerCase(Locale.ROOT), states[state.ordinal()]);
        }
        roles.describe(answer);
    }

    /** Adds up allocation by live thread. What a thread allocates between our last look and its end is lost. */
    private void countAllocation(long[] ids) {
        long[] bytes = threads.getThreadAllocatedBytes(ids);
        Map<Long, Long> now = new HashMap<>();
        for (int i = 0; i < ids.length; i++) {
            if (bytes[i] >= 0) {
                allocatedTotal += bytes[i] - allocated.getOrDefault(ids[i], 0L);
                now.put(ids[i], bytes[i]);
            }
        }
        allocated = now;
    }
}
