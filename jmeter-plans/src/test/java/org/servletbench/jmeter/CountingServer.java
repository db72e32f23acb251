package org.servletbench.jmeter;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.servletbench.bench.load.ToolWatch;
import org.servletbench.bench.load.jmeter.JMeterRun;
import org.servletbench.bench.model.Workload;

/**
 * A server that knows exactly how many connections and requests it received, and that fails exactly as often as
 * requested. Tests compare the generator's counts with it; MavenCommandTest covers the application itself.
 */
final class CountingServer implements ToolWatch, AutoCloseable {

    final AtomicInteger connections = new AtomicInteger();
    final AtomicInteger pinned = new AtomicInteger();
    final Map<String, AtomicLong> requests = new ConcurrentHashMap<>();
    /** Interval of failing requests to a path; 0: none fail. */
    volatile int failEvery;

    volatile String death;

    private final ServerSocket socket = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress());

    CountingServer() throws IOException {
        start(() -> {
            while (true) {
                Socket user = socket.accept();
                connections.incrementAndGet();
                start(() -> serve(user));
            }
        });
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // The client has disconnected, or the test is over.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void serve(Socket user) throws IOException {
        try (user) {
            user.setTcpNoDelay(true);
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(user.getInputStream(), StandardCharsets.US_ASCII));
            OutputStream out = user.getOutputStream();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String path = line.split(" ")[1];
                while (!line.isEmpty()) {
                    line = lines.readLine();
                }
                AtomicLong counter = requests.computeIfAbsent(path, key -> new AtomicLong());
                long number = counter.incrementAndGet();
                int length = Rig.PROFILES.workloads().stream()
                        .filter(workload -> workload.path().equals(path))
                        .findFirst()
                        .map(Workload::minBytes)
                        .orElse(0);
                boolean fails = failEvery > 0 && number % failEvery == 0;
                String head = "HTTP/1.1 " + (fails ? "500 Told To Fail" : "200 OK") + "\r\nContent-Type: text/plain\r\n"
                        + "Content-Length: " + length + "\r\n\r\n";
                out.write((head + "x".repeat(length)).getBytes(StandardCharsets.US_ASCII));
                out.flush();
            }
        }
    }

    long requestsTo(String path) {
        return requests.getOrDefault(path, new AtomicLong()).get();
    }

    JMeterRun.Server asServer() {
        return new JMeterRun.Server(
                url(), "a server that counts", this, OptionalInt::empty, Optional::empty, Optional.empty());
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    @Override
    public void pin() {
        pinned.incrementAndGet();
    }

    @Override
    public Optional<String> death() {
        return Optional.ofNullable(death);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
