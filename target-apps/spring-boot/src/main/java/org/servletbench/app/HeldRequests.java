package org.servletbench.app;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Requests that wait in the handler at the same time. The rig's agent reads their number and lets them go, by the names of
 * these methods. Without {@code synchronized}, which would keep the carrier of a virtual thread before JDK 24.
 */
final class HeldRequests {

    /** Whoever waits is let go after this time, whatever becomes of the rig, s. */
    private static final long MOST_SECONDS = 30;

    private static final AtomicInteger INSIDE = new AtomicInteger();
    private static volatile CountDownLatch gate = new CountDownLatch(1);

    private HeldRequests() {}

    static void hold() throws InterruptedException {
        INSIDE.incrementAndGet();
        try {
            gate.await(MOST_SECONDS, TimeUnit.SECONDS);
        } finally {
            INSIDE.decrementAndGet();
        }
    }

    /** How many wait now. */
    static int inside() {
        return INSIDE.get();
    }

    /** Requests wait from now on. */
    static int close() {
        gate = new CountDownLatch(1);
        return inside();
    }

    /** Lets all of them go, and those that come later. */
    static int open() {
        gate.countDown();
        return inside();
    }
}
