package org.servletbench.app;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.LongAdder;

/**
 * Burns a known amount of CPU time on the calling thread. It works until the thread's own CPU clock shows that time,
 * whatever the processor's speed, the JIT compiler or other programs do. If one call burns too much, the thread's next
 * call burns less, so that the mean is exact.
 */
final class ProofBurner {

    /** Minimum number of steps between two readings of the clock: about 0.1 µs. */
    private static final int STEPS = 64;
    /** Minimum time from which the duration of a step can be estimated, ns. */
    private static final long LONG_ENOUGH = 1000;

    private static final int LOOKS = 100_000;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final long nanos;
    private final long look;
    private final ThreadLocal<State> states = ThreadLocal.withInitial(State::new);
    private final LongAdder calls = new LongAdder();
    private final LongAdder burnt = new LongAdder();

    /**
     * @param nanos CPU time of each call, ns
     */
    ProofBurner(long nanos) {
        if (!threads.isCurrentThreadCpuTimeSupported()) {
            throw new IllegalStateException("this JVM cannot tell a thread's CPU time");
        }
        this.nanos = nanos;
        this.look = look();
    }

    /**
     * Returns the cost of a reading of the clock, ns. Half of the first reading and half of the last one are outside
     * the measurement.
     */
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
        calls.increment();
        if (nanos == 0) {
            return;
        }
        State state = states.get();
        long start = threads.getCurrentThreadCpuTime() - look;
        long wanted = nanos - state.tooMuch;
        long spent = look;
        while (spent < wanted) {
            // A reading is a system call, and code after it runs slower, so there are as few as possible: two or three.
            long steps = Math.max(STEPS, (long) ((wanted - spent - look) * state.stepsPerNano));
            for (long i = 0; i < steps; i++) {
                state.value = state.value * 6364136223846793005L + 1442695040888963407L;
            }
            long now = threads.getCurrentThreadCpuTime() - start;
            long worked = now - spent - look;
            if (worked > LONG_ENOUGH) {
                state.stepsPerNano = (double) steps / worked;
            }
            spent = now;
        }
        state.tooMuch = spent - wanted;
        burnt.add(spent);
    }

    @Override
    public String toString() {
        long count = calls.sum();
        return "burnt " + burnt.sum() + " ns of CPU time in " + count + " requests, " + nanos
                + " ns each were asked for; a look at the clock costs " + look + " ns";
    }

    /** The state of one thread. */
    private static final class State {
        private long tooMuch;
        private long value;
        private double stepsPerNano = 0.1;
    }
}
