package org.servletbench.bench.server;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.servletbench.bench.server.os.LinuxKernel;
import org.servletbench.bench.server.os.OthersMeter;
import org.servletbench.bench.server.os.ProcessMeters;
import org.servletbench.bench.server.os.ThreadMeters;
import org.servletbench.bench.server.process.RunFolder;
import org.servletbench.bench.server.process.ServerProcess;
import org.servletbench.bench.server.process.TargetSpec;
import org.servletbench.bench.server.proof.JvmProbe;

/**
 * Measures the monitor's cost to the server, in two ways under load: the exact CPU time of the probe's own thread; and
 * the server's CPU time per request in pairs of windows with the monitor on and off, as a ratio with an interval. It is
 * not a test; {@code bench/BENCHMARKS.md} says how to run it.
 */
final class MonitorCost {

    private static final int PAIRS = 30;
    /** Student's t for 29 degrees of freedom, 97.5 %. */
    private static final double T = 2.045;

    private static final int CONNECTIONS = 16;
    private static final long WINDOW_MILLIS = 2000;
    private static final long WARM_UP_MILLIS = 40_000;

    private static final LongAdder ANSWERS = new LongAdder();
    private static volatile boolean loading = true;

    private MonitorCost() {}

    /** @param args a profile and a Spring Boot version, for example {@code tomcat-nio,boot3} */
    public static void main(String[] args) throws IOException, InterruptedException {
        Path work = Files.createTempDirectory("monitor-cost-");
        Map<String, String> given = new HashMap<>(Arms.options(args[0], work));
        given.remove("jvm.options");
        TargetSpec spec = Arms.spec(given);
        ServerProcess server = ServerProcess.start(spec, RunFolder.create(work, "cost"));
        try (JvmProbe probe = JvmProbe.attach(server.pid())) {
            probe.sample();
            List<Thread> users =
                    Stream.generate(() -> user(server.url())).limit(CONNECTIONS).toList();
            users.forEach(Thread::start);
            Thread.sleep(WARM_UP_MILLIS);
            compare(server, probe, work);
            loading = false;
            for (Thread user : users) {
                user.join();
            }
        } finally {
            server.stop();
        }
    }

    private static void compare(ServerProcess server, JvmProbe probe, Path work)
            throws IOException, InterruptedException {
        double[] logRatios = new double[PAIRS];
        long probeMillis = 0;
        long onMillis = 0;
        for (int pair = 0; pair < PAIRS; pair++) {
            boolean onFirst = pair % 2 == 0;
            double first = window(server, probe, work.resolve(pair + ".csv"), onFirst);
            long probeBefore = probeCpuMillis(server.pid());
            long cpuBefore = LinuxKernel.HERE.cpuMillis(server.pid());
            double second = window(server, probe, work.resolve(pair + ".csv"), !onFirst);
            if (!onFirst) {
                probeMillis += probeCpuMillis(server.pid()) - probeBefore;
                onMillis += LinuxKernel.HERE.cpuMillis(server.pid()) - cpuBefore;
            }
            logRatios[pair] = onFirst ? Math.log(first / second) : Math.log(second / first);
        }
        print(logRatios, probeMillis, onMillis);
    }

    /** Returns the server's CPU time per request over one window, ms. */
    private static double window(ServerProcess server, JvmProbe probe, Path csv, boolean on)
            throws IOException, InterruptedException {
        JvmMonitor monitor = on ? JvmMonitor.start(() -> with(probe.sample(), server), csv) : null;
        long answers = ANSWERS.sum();
        long cpu = LinuxKernel.HERE.cpuMillis(server.pid());
        Thread.sleep(WINDOW_MILLIS);
        double perRequest = (LinuxKernel.HERE.cpuMillis(server.pid()) - cpu) / (double) (ANSWERS.sum() - answers);
        if (monitor != null) {
            monitor.close();
        }
        return perRequest;
    }

    private static final Map<Long, ThreadMeters> THREADS = new ConcurrentHashMap<>();
    private static final OthersMeter OTHERS = ProcessMeters.newOthers();
    private static final OthersMeter GENERATOR_OTHERS = ProcessMeters.newOthers();

    private static Map<String, String> with(Map<String, String> sample, ServerProcess server) {
        long rig = ProcessHandle.current().pid();
        ThreadMeters threads = THREADS.computeIfAbsent(server.pid(), ThreadMeters::new);
        sample.putAll(new ProcessMeters(server.pid(), rig, OTHERS, GENERATOR_OTHERS, threads).sample());
        return sample;
    }

    /** Returns the CPU time of the probe's only thread. Linux keeps only 15 characters of its name. */
    private static long probeCpuMillis(long pid) throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + pid + "/task"))) {
            for (Path task : tasks.toList()) {
                if (Files.readString(task.resolve("comm")).startsWith("servlet-bench-p")) {
                    String stat = Files.readString(task.resolve("stat"));
                    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
                    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * 10;
                }
            }
        }
        throw new IOException("the probe's thread is not there");
    }

    private static void print(double[] logRatios, long probeMillis, long onMillis) {
        double mean = Arrays.stream(logRatios).average().orElseThrow();
        double squares = 0;
        for (double ratio : logRatios) {
            squares += (ratio - mean) * (ratio - mean);
        }
        double half = T * Math.sqrt(squares / (PAIRS - 1) / PAIRS);
        System.out.printf(
                Locale.ROOT,
                "the probe's thread: %d ms of %d ms of the server's CPU time with the monitor on: %.2f %%%n",
                probeMillis,
                onMillis,
                100.0 * probeMillis / onMillis);
        System.out.printf(
                Locale.ROOT,
                "server CPU per request, monitor on against off, %d pairs: %+.2f %% (95 %% interval %+.2f to %+.2f %%)%n",
                PAIRS,
                100 * Math.expm1(mean),
                100 * Math.expm1(mean - half),
                100 * Math.expm1(mean + half));
    }

    /** Starts a user in a closed loop over one connection. */
    private static Thread user(URI url) {
        Thread thread = new Thread(() -> {
            byte[] request = "GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
            try (Socket socket = new Socket(url.getHost(), url.getPort())) {
                socket.setTcpNoDelay(true);
                InputStream in = new BufferedInputStream(socket.getInputStream());
                OutputStream out = socket.getOutputStream();
                while (loading) {
                    out.write(request);
                    Arms.readAnswer(in);
                    ANSWERS.increment();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        thread.setDaemon(true);
        return thread;
    }
}
