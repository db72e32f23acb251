package org.servletbench.bench.target.agent;

import java.lang.management.CompilationMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.List;

/** One reading of the JVM's own meters. */
final class JvmSample {

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    private final List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
    private final CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    private final com.sun.management.OperatingSystemMXBean system =
            (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    void describe(Answer answer) {
        int[] states = new int[Thread.State.values().length];
        int live = 0;
        // Without stack traces this needs no safepoint, so that watching costs the server next to nothing.
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && !thread.getThreadName().equals(ProbeAgent.THREAD)) {
                states[thread.getThreadState().ordinal()]++;
                live++;
            }
        }
        answer.put("threads.live", live);
        for (Thread.State state : Thread.State.values()) {
            if (state != Thread.State.NEW && state != Thread.State.TERMINATED) {
                answer.put("threads." + state.name().toLowerCase(java.util.Locale.ROOT), states[state.ordinal()]);
            }
        }
        MemoryUsage heap = memory.getHeapMemoryUsage();
        answer.put("heap.used.bytes", heap.getUsed()).put("heap.committed.bytes", heap.getCommitted());
        long count = 0;
        long millis = 0;
        for (GarbageCollectorMXBean collector : collectors) {
            count += Math.max(0, collector.getCollectionCount());
            millis += Math.max(0, collector.getCollectionTime());
        }
        answer.put("gc.count", count).put("gc.ms", millis);
        answer.put("process.cpu.ms", system.getProcessCpuTime() / 1_000_000);
        answer.put("jit.ms", compiler == null ? 0 : compiler.getTotalCompilationTime());
    }
}
