package org.servletbench.bench.server.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.server.http.HttpWire;
import org.servletbench.bench.server.os.ManagedProcess;
import org.servletbench.bench.server.os.SchedulerGroup;

/**
 * The processes of nginx, a master and its workers. A killed master would leave its workers behind, so we ask it to
 * end.
 */
public final class NginxProcess extends StartedProcess {

    private static final Duration START_TIMEOUT = Duration.ofSeconds(10);

    private final Set<ProcessHandle> known = ConcurrentHashMap.newKeySet();
    /** Value of the {@code Server} header in the running server's first correct answer. */
    public String serverHeader = "";

    private final SchedulerGroup scheduler;

    private NginxProcess(Process master, int port, Path log, SchedulerGroup scheduler) {
        super("nginx", master, TargetSpec.LOOPBACK, port, log);
        this.scheduler = scheduler;
    }

    /** Starts nginx, which is installed on this machine, and waits until it answers. */
    public static NginxProcess start(NginxSpec spec, Path folder) {
        return start(
                TargetSpec.LOOPBACK,
                OptionalInt.empty(),
                "port",
                new Timeout(START_TIMEOUT, ""),
                port -> launch(spec, folder, port));
    }

    /** Creates nginx's prefix in the run's folder: configuration, bodies, and a folder for temporary files. */
    private static Path layOut(NginxSpec spec, Path folder, int port) {
        Path prefix = folder.resolve("nginx").toAbsolutePath();
        try {
            Files.createDirectories(prefix.resolve("temp"));
            Path bodies = Files.createDirectories(prefix.resolve("www"));
            Files.write(bodies.resolve("index.html"), Files.readAllBytes(spec.page()));
            Files.write(bodies.resolve("payload.txt"), Files.readAllBytes(spec.payload()));
            // If root started nginx, its workers would run as another user, who may not be able to read this folder.
            boolean root = "root".equals(System.getProperty("user.name"));
            String config = Files.readString(spec.config(), StandardCharsets.UTF_8)
                    .replace("@user@", root ? "user root;" : "# Workers run as whoever started it.")
                    // One worker per processor.
                    .replace("@workers@", Integer.toString(Runtime.getRuntime().availableProcessors()))
                    .replace("@port@", Integer.toString(port));
            Files.writeString(prefix.resolve("nginx.conf"), config, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new TargetException("cannot lay out nginx in " + prefix + " (" + e + ")");
        }
        return prefix;
    }

    private static NginxProcess launch(NginxSpec spec, Path folder, int port) {
        Path prefix = layOut(spec, folder, port);
        List<String> command = List.of(
                "nginx",
                "-e",
                "stderr",
                "-p",
                prefix.toString(),
                "-c",
                prefix.resolve("nginx.conf").toString());
        Path log = folder.resolve("server.log");
        SchedulerGroup scheduler = SchedulerGroup.make(Optional.empty(), Optional.empty(), spec.cpusLimited());
        ProcessBuilder builder = new ProcessBuilder(scheduler.entering(command))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        // This also removes the variable NGINX, from which nginx would take listening sockets.
        ServerProcess.clean(builder);
        try {
            Process master = ManagedProcess.start(builder, ManagedProcess.Farewell.TERM);
            return new NginxProcess(master, port, log, scheduler);
        } catch (IOException e) {
            scheduler.close();
            throw new TargetException("nginx could not be started: " + e.getMessage());
        }
    }

    /** True if the port was taken. nginx would retry for several seconds, while another process answers on it. */
    @Override
    boolean isPortTaken() {
        return logLines().stream().anyMatch(line -> line.contains("Address already in use"));
    }

    @Override
    TargetException diedAtStart() {
        return TargetException.died("nginx died at its start; the last lines of " + log + ":\n" + lastLines());
    }

    /** True if nginx itself answers. Its workers exist only once it has the port. */
    @Override
    boolean answers() {
        try {
            if (processes().size() < 2) {
                return false;
            }
            HttpWire.Answer answer = HttpWire.head(url(), "/hello");
            serverHeader = answer.headers().stream()
                    .filter(line -> line.regionMatches(true, 0, "server:", 0, 7))
                    .map(line -> line.substring(7).strip())
                    .findFirst()
                    .orElse("");
            return answer.status() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    void died() {
        known.forEach(ProcessHandle::destroyForcibly);
    }

    /** Returns the processes that are alive, the master first. */
    public List<ProcessHandle> processes() {
        List<ProcessHandle> living = Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList();
        known.addAll(living);
        return living;
    }

    /** Asks nginx to end, waits, then kills each remaining process. Returns when all have gone. */
    @Override
    public void stop() {
        processes();
        super.stop();
        // A master has ended its workers, unless it was killed.
        known.forEach(ProcessHandle::destroyForcibly);
        known.forEach(handle -> handle.onExit().join());
        scheduler.close();
    }
}
