package org.servletbench.bench.campaign;

import de.siegmar.fastcsv.writer.CsvWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.measure.TimeToPeak.Moment;
import org.servletbench.bench.measure.TimeToPeak.Round;
import org.servletbench.bench.measure.TimeToWarm;
import org.servletbench.bench.measure.TimeToWarm.Look;
import org.servletbench.bench.measure.WarmCode;
import org.servletbench.bench.model.Daemon;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.http.LoadClient;
import org.servletbench.bench.server.http.RowCounters;
import org.servletbench.bench.server.os.LinuxKernel;

/**
 * Load on a starting server from its first answer on, even while its identity is verified. The users do not pause;
 * their slices alternate with slices of a warm {@link Companion}.
 */
final class StartLoad implements AutoCloseable {

    private static final Duration SLICE = Duration.ofMillis(250);
    /** Number of consecutive slices without an answer after which a server counts as gone. */
    private static final int MOST_SILENT = 20;

    private static final Duration LOOK_AT_CODE = Duration.ofSeconds(1);

    private final Target companion;
    private final List<Workload> workloads;
    private final int users;
    private final double seconds;
    private final List<Round> rounds = new CopyOnWriteArrayList<>();
    private volatile Target.Answering server;
    private volatile boolean ended;
    private volatile String failure;
    /** Null before the first answer. */
    private volatile Thread thread;

    /** Successive slices of one server. */
    private static final class Slices {
        private final String name;
        private final LoadClient client;
        /** Number of consecutive slices without an answer. */
        private int silent;

        /** @param name name of the server, for messages */
        Slices(String name, LoadClient client) {
            this.name = name;
            this.client = client;
        }

        /** Returns the throughput of the next slice, requests/s; 0 if a busy machine left no time for an answer. */
        double slice() throws IOException {
            try {
                double rate = client.burst(SLICE).perSecond();
                silent = 0;
                return rate;
            } catch (IOException e) {
                silent++;
                if (silent > MOST_SILENT) {
                    throw new IOException(name + " stopped answering under load: " + e.getMessage(), e);
                }
                return 0;
            }
        }
    }

    /** @param seconds time from the start of the server's process to the end of the load, s */
    StartLoad(Target companion, List<Workload> workloads, int users, double seconds) {
        this.companion = companion;
        this.workloads = workloads;
        this.users = users;
        this.seconds = seconds;
    }

    /** Returns the load's workload and number of users, for people. */
    static String words(Prepared prepared) {
        return Companion.workloads(prepared).get(0).name() + " with "
                + prepared.procedure().warmUp().users() + " users";
    }

    /** Starts the load, at the server's first answer. */
    void begin(Target.Answering answering) {
        server = answering;
        thread = new Daemon("servlet-bench-start-load").newThread(this::send);
        thread.start();
    }

    private void send() {
        Slices own = new Slices("it", new LoadClient(server.url(), workloads, users, new RowCounters()));
        Slices beside = new Slices("its companion", companion.warmUpUsers(workloads, users));
        try {
            for (Moment at = now(); !ended && at.seconds() < seconds; at = now()) {
                double rate = own.slice();
                rounds.add(new Round(at, rate, beside.slice()));
            }
        } catch (IOException | TargetException e) {
            failure = e.getMessage();
        }
    }

    private Moment now() throws IOException {
        return new Moment(
                (System.nanoTime() - server.startedNanos()) / 1e9, LinuxKernel.HERE.cpuMillis(server.pid()) / 1e3);
    }

    /**
     * Waits for the end of the load, and returns its slices.
     *
     * @param name name of the server, for messages
     * @param target the server
     * @throws TargetException if the server or the companion died or stopped answering, or the server's first
     *     answer came after the end of the load
     */
    List<Round> await(String name, Target target) {
        join();
        if (failure != null) {
            throw new TargetException(name + ": "
                    + Session.noticed(() -> target.death()
                                    .map(how -> "the server died under load: " + how)
                                    .or(() -> companion.death().map(how -> "its companion died under load: " + how)))
                            .orElse(failure));
        }
        if (!ended && rounds.isEmpty()) {
            throw new TargetException(String.format(
                    Locale.ROOT,
                    "%s: its first answer came after the %.0f s of 'measure.peak': give a longer one",
                    name,
                    seconds));
        }
        return List.copyOf(rounds);
    }

    /**
     * Samples the code that the server runs until it is warm for sure, as {@link WarmCode} decides, or the load ends.
     *
     * @param target the server
     * @param file gets the samples of each look
     * @return since when it was warm, by {@link TimeToWarm}; empty if that is not sure
     * @throws IOException if its code cannot be seen, or a file cannot be written
     */
    Optional<Moment> untilWarm(Target target, Path file) throws IOException {
        WarmCode code = new WarmCode(target.topTier());
        List<Look> looks = new ArrayList<>();
        target.startCode();
        try (CsvWriter rows = MonitorSeries.writer(file, StandardOpenOption.CREATE_NEW)) {
            rows.writeRecord("since.start.s", "cpu.s", "interpreted", "c1", "c2");
            while (thread.isAlive()) {
                TargetException.sleep(LOOK_AT_CODE, "putting load on a start");
                Moment at = now();
                CodeTiers seen = target.code();
                rows.writeRecord(
                        Double.toString(at.seconds()),
                        Double.toString(at.cpuSeconds()),
                        Long.toString(seen.interpreted()),
                        Long.toString(seen.c1()),
                        Long.toString(seen.c2()));
                looks.add(new Look(at, seen));
                if (code.add(seen)) {
                    return TimeToWarm.of(looks, code.top());
                }
            }
            return Optional.empty();
        } finally {
            target.stopCode();
        }
    }

    /**
     * Writes the slices of a load to a file.
     *
     * @throws TargetException if the file cannot be written
     */
    static void write(List<Round> rounds, Path file) {
        try (CsvWriter rows = MonitorSeries.writer(file, StandardOpenOption.CREATE_NEW)) {
            rows.writeRecord("since.start.s", "cpu.s", "requests.per.s", "companion.requests.per.s");
            rounds.forEach(one -> rows.writeRecord(
                    Double.toString(one.at().seconds()),
                    Double.toString(one.at().cpuSeconds()),
                    Double.toString(one.rate()),
                    Double.toString(one.companion())));
        } catch (IOException e) {
            throw new TargetException("cannot write " + file + " (" + e.getMessage() + ")");
        }
    }

    private void join() {
        try {
            if (thread != null) {
                thread.join();
            }
        } catch (InterruptedException e) {
            throw TargetException.interrupted("putting load on a start");
        }
    }

    /** Ends the load. Returns when the last slice is over. */
    @Override
    public void close() {
        ended = true;
        join();
    }
}
