package org.servletbench.bench.server.agent;

import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Counts the threads that accept connections (acceptor), wait for sockets (io: Tomcat's poller, Jetty's selectors,
 * XNIO's I/O threads, and Netty's event loops, which also serve) and run requests (worker). It recognises them by the
 * names that containers give them.
 *
 * <p>Jetty does not name its selectors, because any pool thread may select. A thread counts as a selector while it
 * selects. Finding this out takes a stack trace, but only of the few threads that are in native code at that moment.
 */
final class ThreadRoles {

    private static final Pattern ACCEPTOR = Pattern.compile(".*-Acceptor(-\\d+)?|.*-acceptor-\\d+@.*|XNIO-\\d+ Accept");
    private static final Pattern IO =
            Pattern.compile(".*-(Client)?Poller(-\\d+)?|XNIO-\\d+ I/O-\\d+|reactor-http-.+-\\d+");
    private static final Pattern JETTY = Pattern.compile("qtp-?\\d+-\\d+");
    private static final Pattern WORKER = Pattern.compile(".*-exec-\\d+|XNIO-\\d+ task-\\d+");
    private static final int SELECT_DEPTH = 12;

    private final ThreadMXBean threads;
    private final List<Long> perhapsSelecting = new ArrayList<>();
    private int acceptors;
    private int io;
    private int workers;

    ThreadRoles(ThreadMXBean threads) {
        this.threads = threads;
    }

    void count(ThreadInfo thread) {
        String name = thread.getThreadName();
        if (ACCEPTOR.matcher(name).matches()) {
            acceptors++;
        } else if (IO.matcher(name).matches()) {
            io++;
        } else if (WORKER.matcher(name).matches()) {
            workers++;
        } else if (JETTY.matcher(name).matches()) {
            workers++;
            if (thread.isInNative()) {
                perhapsSelecting.add(thread.getThreadId());
            }
        }
    }

    void describe(Answer answer) {
        int selecting = selecting();
        answer.put("threads.acceptor", acceptors)
                .put("threads.io", io + selecting)
                .put("threads.worker", workers - selecting);
    }

    private int selecting() {
        if (perhapsSelecting.isEmpty()) {
            return 0;
        }
        int selecting = 0;
        long[] ids = perhapsSelecting.stream().mapToLong(Long::longValue).toArray();
        for (ThreadInfo thread : threads.getThreadInfo(ids, SELECT_DEPTH)) {
            if (thread != null && selects(thread)) {
                selecting++;
            }
        }
        return selecting;
    }

    private static boolean selects(ThreadInfo thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().startsWith("org.eclipse.jetty.io.ManagedSelector")
                    && frame.getMethodName().contains("select")) {
                return true;
            }
        }
        return false;
    }
}
