package org.servletbench.app;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Requests that wait in the handler at the same time. servlet-bench's agent reads their number and releases them, by
 * the names of these methods. It does not use {@code synchronized}, which would pin the carrier of a virtual thread
 * before JDK 24.
 */
final class HeldRequests {

    /** Time after which a waiting request is released, whatever happens to servlet-bench, s. */
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

    /** Returns how many requests wait now. */
    static int inside() {
        return INSIDE.get();
    }

    /** Makes requests wait from now on. */
    static int close() {
        gate = new CountDownLatch(1);
        return inside();
    }

    /** Releases all waiting requests, and later ones. */
    static int open() {
        gate.countDown();
        return inside();
    }
}
