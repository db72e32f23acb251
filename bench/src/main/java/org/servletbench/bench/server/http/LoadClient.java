package org.servletbench.bench.server.http;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import org.servletbench.bench.model.Daemon;
import org.servletbench.bench.model.RequestSpec;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Workload;

/**
 * A closed-model client so light that the server has the machine nearly to itself: blocking sockets that stay open, one
 * thread for each user. It warms servers up; it measures nothing.
 */
public final class LoadClient {

    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int LOOK_MILLIS = 20;

    private final URI url;
    private final List<LongFunction<HttpWire.Request>> requests;
    private final List<Integer> statuses;
    /** Indices of requests with which a user may begin: the first of a list. */
    private final List<Integer> begins = new ArrayList<>();
    /** By request: where the rows of its workload are counted. */
    private final List<AtomicLong> rows = new ArrayList<>();

    private final int users;

    /**
     * A client of one server.
     *
     * @param rows of the server's workloads that were sent already; goes on
     */
    public LoadClient(URI url, List<Workload> workloads, int users, RowCounters rows) {
        this.url = url;
        this.users = users;
        List<Workload> parts = new ArrayList<>();
        workloads.forEach(workload -> {
            begins.add(parts.size());
            parts.addAll(workload.parts());
            workload.parts().forEach(part -> this.rows.add(rows.of(workload.name())));
        });
        this.requests = parts.stream()
                .map(part -> requests(part.warmUpPath(), part.sending()))
                .toList();
        this.statuses =
                parts.stream().map(Workload::sending).map(RequestSpec::status).toList();
    }

    /** By the number of the row. */
    private LongFunction<HttpWire.Request> requests(String path, RequestSpec sending) {
        HttpWire.Request first = HttpWire.request(url, path, sending);
        return sending.varies() ? number -> HttpWire.request(url, path, sending, number) : number -> first;
    }

    /** The same for all of this time. */
    public Sent burst(Duration length) throws IOException {
        return burst(length, () -> false);
    }

    /**
     * Requests that were answered with the right status.
     *
     * @param seconds in which they were sent, s
     */
    public record Sent(long answers, double seconds) {

        /** Throughput, requests/s. */
        public double perSecond() {
            return answers / seconds;
        }
    }

    /**
     * Sends all workloads in turn.
     *
     * @param longest no longer than this
     * @param enough is asked every {@value #LOOK_MILLIS} ms whether to end before that
     * @throws IOException if nothing was answered with the right status
     */
    public Sent burst(Duration longest, BooleanSupplier enough) throws IOException {
        LongAdder answers = new LongAdder();
        long start = System.nanoTime();
        AtomicLong end = new AtomicLong(start + longest.toNanos());
        List<Thread> threads = new ArrayList<>();
        IOException[] trouble = new IOException[1];
        for (int user = 0; user < users; user++) {
            int first = begins.get(user % begins.size());
            Thread thread = new Daemon("servlet-bench-warm-up-" + user).newThread(() -> {
                try {
                    send(first, end, answers);
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
            throw TargetException.interrupted("the server was warmed up");
        }
        if (answers.sum() == 0) {
            throw trouble[0] == null ? new IOException("not one answer with the right status") : trouble[0];
        }
        return new Sent(answers.sum(), (System.nanoTime() - start) / 1e9);
    }

    private void send(int first, AtomicLong end, LongAdder answers) throws IOException {
        while (System.nanoTime() < end.get()) {
            try (HttpWire.Connection connection = HttpWire.connect(url, TIMEOUT_MILLIS)) {
                boolean open = true;
                long row = 0;
                for (int i = first; open && System.nanoTime() < end.get(); i = (i + 1) % requests.size()) {
                    row = begins.contains(i) ? rows.get(i).getAndIncrement() : row;
                    HttpWire.Answer answer = connection.ask(requests.get(i).apply(row));
                    if (answer.status() == statuses.get(i)) {
                        answers.increment();
                    }
                    open = answer.staysOpen();
                }
            }
        }
    }
}
