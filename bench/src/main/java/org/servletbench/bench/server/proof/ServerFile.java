package org.servletbench.bench.server.proof;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.servletbench.bench.measure.ServerRecord;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Proven;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.server.process.ServerProcess;
import org.servletbench.bench.server.process.TargetSpec;

/** Keeps {@code server.json} up to date: each change replaces the file atomically. */
public final class ServerFile {

    private static final Pattern STARTUP_METRIC = Pattern.compile(".*Startup Metric >> ([a-z.]+)=(\\d+)");

    private final Path file;
    private ServerRecord known;

    /**
     * Writes the initial facts.
     *
     * @param folder existing folder of the server
     * @throws TargetException if it cannot be written; this applies to all methods
     */
    public ServerFile(Path folder, ServerRecord known) {
        this.file = folder.resolve(ServerRecord.FILE);
        this.known = known;
        write();
    }

    /** Creates the file of a managed server. */
    public static ServerFile of(Path folder, TargetSpec spec) {
        return new ServerFile(
                folder,
                ServerRecord.EMPTY.with(Map.of(
                        "arm",
                        spec.arm(),
                        "profile",
                        spec.profile().name(),
                        "connector",
                        spec.profile().connector(),
                        "line",
                        spec.line(),
                        "settings",
                        spec.settingsName(),
                        "started",
                        Instant.now().toString())));
    }

    /** Records that a server is ready and has reported its identity. */
    public void started(ServerProcess server, Map<String, String> identity) {
        Map<String, Number> startUp = new TreeMap<>(server.atReady());
        server.logLines().stream()
                .map(STARTUP_METRIC::matcher)
                .filter(Matcher::matches)
                .forEach(metric -> startUp.put(metric.group(1), Long.parseLong(metric.group(2))));
        Map<String, String> running = new TreeMap<>(identity);
        running.keySet().removeIf(key -> key.startsWith("jvm.option."));
        put(Map.of(
                "url",
                server.url().toString(),
                "pid",
                server.pid(),
                "proven",
                new Proven(running),
                "jvm.options",
                ConnectorProof.jvmOptions(identity),
                "ready.ms",
                server.timeToReady().toMillis(),
                "start-up",
                startUp));
    }

    /**
     * Sets one value and writes the file.
     *
     * @param key key of {@link ServerRecord}, as in the file
     */
    public void put(String key, Object value) {
        put(Map.of(key, value));
    }

    /** Sets several values, and writes the file once. */
    public synchronized void put(Map<String, ?> values) {
        known = known.with(values);
        write();
    }

    private void write() {
        try {
            Json.write(file, Secrets.each(new Secrets().hidden(known), Secrets::scrubbed));
        } catch (IOException e) {
            throw new TargetException("cannot write " + file + " (" + e.getMessage() + ")");
        }
    }
}
