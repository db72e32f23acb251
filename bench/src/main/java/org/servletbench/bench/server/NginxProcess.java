package org.servletbench.bench.server;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * nginx's processes, one master and its workers, from their start to their certain end: a master that is killed leaves its
 * workers behind, so that it is asked to end.
 */
final class NginxProcess {

    private static final Duration STOP_GRACE = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final int PORT_ATTEMPTS = 3;
    private static final String PORT_TAKEN = "Address already in use";

    private final Process master;
    private final int port;
    private final Path log;
    private final Set<ProcessHandle> known = ConcurrentHashMap.newKeySet();
    private Duration timeToReady = Duration.ZERO;
    private String serverHeader = "";
    private volatile boolean stopping;
    private volatile String death;

    private NginxProcess(Process master, int port, Path log) {
        this.master = master;
        this.port = port;
        this.log = log;
    }

    /** Where nginx lies. */
    static Optional<Path> binary() {
        return ManagedProcess.onPath("nginx");
    }

    /**
     * Starts nginx and waits until it answers.
     *
     * @throws TargetException if it is missing, dies or does not answer in time; it has been stopped then
     */
    static NginxProcess start(NginxSpec spec, RunFolder folder) {
        Path binary = binary().orElseThrow(
                        () -> new TargetException(NginxSpec.missing().orElseThrow()));
        spec.port().ifPresent(Preflight::freePort);
        for (int attempt = 1; ; attempt++) {
            int port = spec.port().orElseGet(Preflight::anyFreePort);
            NginxProcess server = launch(binary, spec, folder, port);
            if (server.awaitReady(spec)) {
                return server;
            }
            // Between our look and nginx's start somebody else took the port.
            if (spec.port().isPresent() || attempt == PORT_ATTEMPTS) {
                throw new TargetException("port " + port + " on 127.0.0.1 was taken by another process while nginx"
                        + " started; run again, or give another port");
            }
        }
    }

    /** Lays out nginx's prefix in the run's folder: configuration, bodies, a place for temporary files. */
    private static Path layOut(NginxSpec spec, RunFolder folder, int port) {
        Path prefix = folder.file("nginx").toAbsolutePath();
        try {
            Files.createDirectories(prefix.resolve("temp"));
            Path bodies = Files.createDirectories(prefix.resolve("www"));
            Files.write(bodies.resolve("index.html"), Files.readAllBytes(spec.page()));
            Files.write(bodies.resolve("payload.txt"), Files.readAllBytes(spec.payload()));
            // Started by root, nginx would hand its workers to another user, who may not see this folder.
            boolean root = "root".equals(System.getProperty("user.name"));
            String config = Files.readString(spec.config(), StandardCharsets.UTF_8)
                    .replace("@user@", root ? "user root;" : "# Workers run as whoever started it.")
                    .replace("@workers@", Integer.toString(workers(spec)))
                    .replace("@port@", Integer.toString(port));
            Files.writeString(prefix.resolve("nginx.conf"), config, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new TargetException("cannot lay out nginx in " + prefix + " (" + e + ")");
        }
        return prefix;
    }

    /** As many workers as processors that it may use. */
    private static int workers(NginxSpec spec) {
        return spec.cpus()
                .map(list -> Processors.parse(list).size())
                .orElse(Runtime.getRuntime().availableProcessors());
    }

    private static NginxProcess launch(Path binary, NginxSpec spec, RunFolder folder, int port) {
        Path prefix = layOut(spec, folder, port);
        List<String> command = List.of(
                binary.toString(),
                "-e",
                "stderr",
                "-p",
                prefix.toString(),
                "-c",
                prefix.resolve("nginx.conf").toString());
        Path log = folder.file("server.log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.path().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        // nginx would take listening sockets from this variable.
        builder.environment().remove("NGINX");
        try {
            Process master = ManagedProcess.start(builder, ManagedProcess.Farewell.TERM, spec.cpus());
            NginxProcess server = new NginxProcess(master, port, log);
            server.master.onExit().thenAccept(ended -> {
                if (!server.stopping) {
                    server.death = ManagedProcess.exit(ended.exitValue());
                    server.known.forEach(ProcessHandle::destroyForcibly);
                }
            });
            return server;
        } catch (IOException e) {
            throw new TargetException("nginx could not be started: " + e.getMessage());
        }
    }

    /** Whether it answers; false when its port was taken. */
    private boolean awaitReady(NginxSpec spec) {
        long start = System.nanoTime();
        while (true) {
            if (!master.isAlive()) {
                stop();
                if (log().contains(PORT_TAKEN)) {
                    return false;
                }
                throw new TargetException("nginx died at its start; the last lines of " + log + ":\n" + lastLines());
            }
            if (log().contains(PORT_TAKEN)) {
                // nginx would try again for some seconds, while whoever has the port answers in its place.
                stop();
                return false;
            }
            // Workers exist only once the port is nginx's.
            if (processes().size() > 1 && answers()) {
                timeToReady = Duration.ofNanos(System.nanoTime() - start);
                return true;
            }
            if (System.nanoTime() - start > spec.startTimeout().toNanos()) {
                String lastLines = lastLines();
                stop();
                throw new TargetException(
                        "nginx was not ready after " + spec.startTimeout().toSeconds()
                                + " s; it has been stopped; the last lines of " + log + ":\n" + lastLines);
            }
            try {
                Thread.sleep(POLL.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                stop();
                throw new TargetException("interrupted while nginx started");
            }
        }
    }

    private boolean answers() {
        try {
            HttpCheck.Answer answer = HttpCheck.get(url().resolve("/hello"));
            serverHeader = answer.server();
            return answer.status() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private String log() {
        try {
            return Files.readString(log, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    private String lastLines() {
        return ServerProcess.lastLines(log().lines().toList());
    }

    /** The processes that live now, the master first. */
    List<ProcessHandle> processes() {
        List<ProcessHandle> living = Stream.concat(Stream.of(master.toHandle()), master.descendants())
                .toList();
        known.addAll(living);
        return living;
    }

    long pid() {
        return master.pid();
    }

    URI url() {
        return URI.create(String.format(Locale.ROOT, "http://127.0.0.1:%d", port));
    }

    /** From the start of the process to its first good answer. */
    Duration timeToReady() {
        return timeToReady;
    }

    /** What the running server says it is, in the {@code Server} header of its first good answer. */
    String serverHeader() {
        return serverHeader;
    }

    Optional<String> death() {
        return Optional.ofNullable(death);
    }

    /** Asks nginx to end, waits, then ends each of its processes; returns when all have gone. */
    void stop() {
        stopping = true;
        processes();
        ManagedProcess.stop(master, STOP_GRACE);
        // A master that has ended ended its workers, unless it was killed.
        known.forEach(ProcessHandle::destroyForcibly);
        known.forEach(handle -> handle.onExit().join());
    }
}
