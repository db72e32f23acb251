package org.servletbench.bench.target;

import java.io.File;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * nginx's processes, one master and its workers, from their start to their certain end. The {@link Warden} watches each:
 * a master that is killed leaves its workers behind.
 */
final class NginxProcess {

    private static final Duration STOP_GRACE = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final int PORT_ATTEMPTS = 3;
    private static final int LAST_LINES = 6;
    private static final String PORT_TAKEN = "Address already in use";
    private static final int TIMEOUT_MILLIS = 5000;
    private static final List<String> ADMIN_FOLDERS = List.of("/usr/local/sbin", "/usr/sbin", "/sbin");
    private static final Pattern CPUS = Pattern.compile("\\d{1,4}(-\\d{1,4})?(,\\d{1,4}(-\\d{1,4})?)*");

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

    /** Where nginx lies: administrators' commands are often not on a user's path. */
    static Optional<Path> binary() {
        return command("nginx");
    }

    private static Optional<Path> command(String name) {
        Stream<String> path =
                Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator));
        return Stream.concat(path, ADMIN_FOLDERS.stream())
                .filter(folder -> !folder.isBlank())
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
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
            int port = spec.port().orElseGet(NginxProcess::anyFreePort);
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

    private static int anyFreePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new TargetException("no free port on 127.0.0.1 (" + e.getMessage() + ")");
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
                .map(list -> Stream.of(list.split(","))
                        .mapToInt(part -> {
                            String[] ends = part.split("-");
                            return ends.length == 1 ? 1 : Integer.parseInt(ends[1]) - Integer.parseInt(ends[0]) + 1;
                        })
                        .sum())
                .orElse(Runtime.getRuntime().availableProcessors());
    }

    private static NginxProcess launch(Path binary, NginxSpec spec, RunFolder folder, int port) {
        List<String> command = new ArrayList<>();
        spec.cpus().ifPresent(list -> {
            if (!CPUS.matcher(list).matches()) {
                throw new TargetException(
                        "processors '" + list + "' are not understood: give a list such as 0 or 0,2-3");
            }
            Path taskset = command("taskset")
                    .orElseThrow(
                            () -> new TargetException("taskset is not on this machine: apt-get install util-linux"));
            command.addAll(List.of(taskset.toString(), "-c", list));
        });
        Path prefix = layOut(spec, folder, port);
        command.addAll(List.of(
                binary.toString(),
                "-e",
                "stderr",
                "-p",
                prefix.toString(),
                "-c",
                prefix.resolve("nginx.conf").toString()));
        Path log = folder.file("server.log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.path().toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        // nginx would take listening sockets from this variable.
        builder.environment().remove("NGINX");
        try {
            Warden warden = Warden.get();
            NginxProcess server = new NginxProcess(builder.start(), port, log);
            server.known.add(server.master.toHandle());
            warden.watch(server.master.toHandle());
            server.master.onExit().thenAccept(ended -> {
                if (!server.stopping) {
                    int code = ended.exitValue();
                    server.death = code > 128 ? "ended by signal " + (code - 128) : "exit code " + code;
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
            HttpURLConnection connection =
                    (HttpURLConnection) url().resolve("/hello").toURL().openConnection(Proxy.NO_PROXY);
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            connection.setRequestProperty("Connection", "close");
            try {
                serverHeader =
                        Optional.ofNullable(connection.getHeaderField("Server")).orElse("");
                return connection.getResponseCode() == 200;
            } finally {
                connection.disconnect();
            }
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
        List<String> lines = log().lines().filter(line -> !line.isBlank()).toList();
        return lines.stream()
                .skip(Math.max(0, lines.size() - LAST_LINES))
                .map(line -> "    " + line)
                .collect(Collectors.joining("\n"));
    }

    /** The processes that live now, the master first; those that are new are watched from now on. */
    List<ProcessHandle> processes() {
        List<ProcessHandle> living = new ArrayList<>(List.of(master.toHandle()));
        living.addAll(master.descendants().toList());
        for (ProcessHandle handle : living) {
            if (known.add(handle)) {
                try {
                    Warden.get().watch(handle);
                } catch (IOException e) {
                    // The warden has gone; stop() still ends what is known.
                }
            }
        }
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
        master.destroy();
        boolean interrupted = false;
        long deadline = System.nanoTime() + STOP_GRACE.toNanos();
        try {
            master.waitFor(STOP_GRACE.toMillis(), TimeUnit.MILLISECONDS);
            while (known.stream().anyMatch(ProcessHandle::isAlive)
                    && System.nanoTime() < deadline
                    && master.isAlive()) {
                Thread.sleep(POLL.toMillis());
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        // A master that has ended ended its workers, unless it was killed.
        known.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle handle : known) {
            handle.onExit().join();
            Warden.get().forget(handle);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
