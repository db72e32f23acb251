package org.servletbench.app;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.LongAdder;

/**
 * Burns a known amount of CPU time on the calling thread: it works until the thread's own CPU clock says so, whatever the
 * processor's speed, the JIT compiler or other programs do. What one call burns too much the thread's next one burns less,
 * so that the mean is exact.
 */
final class ProofBurner {

    /** Steps between two looks at the clock: about 0.1 µs. */
    private static final int STEPS = 64;

    private static final int LOOKS = 100_000;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final long nanos;
    private final long look;
    private final ThreadLocal<long[]> states = ThreadLocal.withInitial(() -> new long[2]);
    private final LongAdder calls = new LongAdder();
    private final LongAdder burnt = new LongAdder();

    /** @param nanos CPU time of each call in ns */
    ProofBurner(long nanos) {
        if (!threads.isCurrentThreadCpuTimeSupported()) {
            throw new IllegalStateException("this JVM cannot tell a thread's CPU time");
        }
        this.nanos = nanos;
        this.look = look();
    }

    /** What one look at the clock costs, in ns: half of the first one and half of the last one lie outside. */
    private long look() {
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long start = threads.getCurrentThreadCpuTime();
            for (int i = 0; i < LOOKS; i++) {
                threads.getCurrentThreadCpuTime();
            }
            least = Math.min(least, (threads.getCurrentThreadCpuTime() - start) / LOOKS);
        }
        return least;
    }

    void burn() {
        long[] state = states.get();
        long start = threads.getCurrentThreadCpuTime() - look;
        long wanted = nanos - state[0];
        long spent = look;
        while (spent < wanted) {
            for (int i = 0; i < STEPS; i++) {
                state[1] = state[1] * 6364136223846793005L + 1442695040888963407L;
            }
            spent = threads.getCurrentThreadCpuTime() - start;
        }
        state[0] = spent - wanted;
        calls.increment();
        burnt.add(spent);
    }

    @Override
    public String toString() {
        long count = calls.sum();
        return "burnt " + burnt.sum() + " ns of CPU time in " + count + " requests, " + nanos
                + " ns each were asked for; a look at the clock costs " + look + " ns";
    }
}
