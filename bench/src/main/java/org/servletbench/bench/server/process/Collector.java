package org.servletbench.bench.server.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.server.collector.CollectorMain;
import org.servletbench.bench.server.http.HttpWire;
import org.servletbench.bench.server.os.ManagedProcess;
import org.servletbench.bench.server.os.OthersMeter;

/**
 * The collector to which servers export. It is a process of ours on this machine's loopback address that counts and
 * discards. It is not one of the other programs whose use of processors disturbs measurements, and it ends with
 * servlet-bench.
 */
public final class Collector implements AutoCloseable {

    /** Columns of {@code monitor.csv} with the totals of a server's exports, in the order of the collector's answer. */
    public static final List<String> COLUMNS =
            List.of(MonitorSeries.EXPORTED_REQUESTS, MonitorSeries.EXPORTED_BYTES, MonitorSeries.EXPORTED_SPANS);

    private static final int PATIENCE_MILLIS = 2000;

    private final Process process;
    private final Supplier<List<Long>> processes;
    private final int port;

    private Collector(Process process, int port) {
        this.process = process;
        this.port = port;
        processes = () -> process.isAlive() ? List.of(process.pid()) : List.of();
        OthersMeter.up(processes);
    }

    /**
     * Starts the collector.
     *
     * @param processors processors that it may use, in the format of {@code taskset -c}; empty for all
     * @throws TargetException if it does not start
     */
    public static Collector start(Optional<String> processors) {
        ProcessBuilder builder = new ProcessBuilder(
                        Jdk.ownCommand(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        // Without this, each answer may wait for 40 ms, and so may the exporter.
                        "-Dsun.net.httpserver.nodelay=true",
                        "-cp",
                        classes().toString(),
                        CollectorMain.class.getName())
                .redirectErrorStream(true);
        try {
            Process process = ManagedProcess.start(builder, ManagedProcess.Farewell.KILL, processors);
            BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
            String first = output.readLine();
            if (first == null || !first.matches("\\d{1,5}")) {
                ManagedProcess.stop(process);
                throw new TargetException("the rig's collector did not start: " + first);
            }
            return new Collector(process, Integer.parseInt(first));
        } catch (IOException e) {
            throw new TargetException("the rig's collector could not be started (" + e.getMessage() + ")");
        }
    }

    private static Path classes() {
        try {
            return Path.of(CollectorMain.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Returns the address to which the server of an arm exports. OTLP's paths, such as {@code /v1/traces}, follow it.
     */
    public URI address(String arm) {
        return URI.create("http://127.0.0.1:" + port + "/" + arm);
    }

    /**
     * Returns what has arrived at an address so far, by {@link #COLUMNS}: requests, their bytes, and spans.
     *
     * @throws IOException if the collector does not answer within 2 s
     */
    public static Map<String, Long> totals(URI address) throws IOException {
        try (HttpWire.Connection connection = HttpWire.connectPlainly(address, PATIENCE_MILLIS)) {
            HttpWire.Answer answer = connection.ask(HttpWire.request(address, address.getPath()));
            String[] totals = new String(answer.body(), StandardCharsets.US_ASCII).split(" ");
            return Map.of(
                    COLUMNS.get(0), Long.parseLong(totals[0]),
                    COLUMNS.get(1), Long.parseLong(totals[1]),
                    COLUMNS.get(2), Long.parseLong(totals[2]));
        }
    }

    @Override
    public void close() {
        OthersMeter.down(processes);
        ManagedProcess.stop(process);
    }
}
