package org.servletbench.bench.server.proof;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.server.process.ServerProcess;
import org.servletbench.bench.server.process.TargetSpec;

/** {@code server.json}: what ran, how we know, and how it ended. Each change replaces the file in one step. */
public final class ServerRecord {

    private static final Pattern STARTUP_METRIC = Pattern.compile(".*Startup Metric >> ([a-z.]+)=(\\d+)");

    private final Path file;
    private final Map<String, Object> values = new LinkedHashMap<>();

    /** A server that we start. */
    public ServerRecord(Path file, TargetSpec spec) {
        this.file = file;
        values.put("arm", spec.arm());
        values.put("profile", spec.profile().name());
        values.put("connector", spec.profile().connector());
        values.put("line", spec.line());
        values.put("settings", spec.settingsName());
        put("started", Instant.now().toString());
    }

    /** A server of which this is known. */
    public ServerRecord(Path file, Map<String, Object> said) {
        this.file = file;
        values.putAll(said);
        write();
    }

    /** The server is ready and has said what it is. */
    public void started(ServerProcess server, Map<String, String> identity) {
        Map<String, Object> startUp = new TreeMap<>(server.atReady());
        server.logLines().stream()
                .map(STARTUP_METRIC::matcher)
                .filter(Matcher::matches)
                .forEach(metric -> startUp.put(metric.group(1), Long.parseLong(metric.group(2))));
        Map<String, String> running = new TreeMap<>(identity);
        running.keySet().removeIf(key -> key.startsWith("jvm.option."));
        values.put("url", server.url().toString());
        values.put("pid", server.pid());
        values.put("proven", running);
        values.put("jvm.options", ConnectorProof.jvmOptions(identity));
        values.put("ready.ms", server.timeToReady().toMillis());
        put("start-up", startUp);
    }

    /** Sets one value and writes the file. */
    public synchronized void put(String key, Object value) {
        values.put(key, value);
        write();
    }

    private void write() {
        try {
            Json.write(file, Secrets.each(new Secrets().hidden(values), Secrets::scrubbed));
        } catch (IOException e) {
            throw new TargetException("cannot write " + file + " (" + e.getMessage() + ")");
        }
    }
}
