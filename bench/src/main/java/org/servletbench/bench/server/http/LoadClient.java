package org.servletbench.bench.server.http;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.servletbench.bench.model.Daemon;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Workload;

/**
 * A lightweight closed-model client that leaves almost the whole machine to the server. It uses blocking sockets that
 * stay open, and one thread per user. It warms servers up and measures nothing. Its users are the same in each burst,
 * so that they keep their sessions.
 */
public final class LoadClient {

    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int LOOK_MILLIS = 20;

    private final URI url;
    private final List<Workload> workloads;
    private final RowCounters rows;
    /** Sessions by user and workload. */
    private final List<List<Visitor>> users = new ArrayList<>();

    /**
     * Creates a client of one server.
     *
     * @param rows counters of the workloads' rows sent to the server so far, which are increased
     */
    public LoadClient(URI url, List<Workload> workloads, int users, RowCounters rows) {
        this.url = url;
        this.workloads =
                workloads.stream().map(one -> one.each(Workload::ofWarmUp)).toList();
        this.rows = rows;
        for (int user = 0; user < users; user++) {
            this.users.add(this.workloads.stream()
                    .map(one -> new Visitor(url, one, rows.of(one.name())))
                    .toList());
        }
    }

    /** Sends all workloads in turn for the whole time. */
    public Sent burst(Duration length) throws IOException {
        return burst(length, () -> false);
    }

    /**
     * Number of requests that were answered with the correct status.
     *
     * @param seconds duration of the burst, s
     */
    public record Sent(long answers, double seconds) {

        /** Returns the throughput, requests/s. */
        public double perSecond() {
            return answers / seconds;
        }
    }

    /**
     * Sends all workloads in turn.
     *
     * @param longest maximum duration
     * @param enough asked every {@value #LOOK_MILLIS} ms; returns true to stop early
     * @throws IOException if nothing was answered with the correct status
     */
    public Sent burst(Duration longest, BooleanSupplier enough) throws IOException {
        LongAdder answers = new LongAdder();
        long start = System.nanoTime();
        AtomicLong end = new AtomicLong(start + longest.toNanos());
        List<Thread> threads = new ArrayList<>();
        IOException[] trouble = new IOException[1];
        for (int user = 0; user < users.size(); user++) {
            List<Visitor> visitors = users.get(user);
            int first = user % workloads.size();
            Thread thread = new Daemon("servlet-bench-warm-up-" + user).newThread(() -> {
                try {
                    send(visitors, first, () -> System.nanoTime() < end.get(), answers);
                } catch (IOException e) {
                    trouble[0] = e;
                }
            });
            thread.start();
            threads.add(thread);
        }
        try {
            for (Thread thread : threads) {
                while (thread.isAlive()) {
                    thread.join(LOOK_MILLIS);
                    if (System.nanoTime() < end.get() && answers.sum() > 0 && enough.getAsBoolean()) {
                        end.set(System.nanoTime());
                    }
                }
            }
        } catch (InterruptedException e) {
            throw TargetException.interrupted("warming up the server");
        }
        if (answers.sum() == 0) {
            throw trouble[0] == null ? new IOException("not one answer with the right status") : trouble[0];
        }
        return new Sent(answers.sum(), (System.nanoTime() - start) / 1e9);
    }

    /**
     * Sends passes through the first workload as the first user, until the server has had this many.
     *
     * @throws IOException if the server does not answer
     */
    public void sendUpTo(long passes) throws IOException {
        AtomicLong begun = rows.of(workloads.get(0).name());
        send(users.get(0), 0, () -> begun.get() < passes, new LongAdder());
    }

    /** Sends passes as one user, one after the other. */
    private void send(List<Visitor> visitors, int first, BooleanSupplier more, LongAdder answers) throws IOException {
        int at = first;
        boolean within = false;
        // A pass that has started is completed, so that every pass is the same amount of work.
        while (within || more.getAsBoolean()) {
            try (HttpWire.Connection connection = HttpWire.connect(url, TIMEOUT_MILLIS)) {
                boolean open = true;
                while (open && (within || more.getAsBoolean())) {
                    Visitor.Answered answered = visitors.get(at).ask(connection);
                    if (answered.isRight()) {
                        answers.increment();
                    }
                    within = !answered.endsPass();
                    at = within ? at : (at + 1) % visitors.size();
                    open = answered.answer().staysOpen();
                }
            }
        }
    }
}
