package org.servletbench.bench.host;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * Machines for tests: network namespaces, each with its own address and sshd, which are reached over a bridge. If
 * namespaces cannot be created (without root), sshd listens on loopback addresses instead. Their home is a folder of
 * the test.
 */
public final class Hosts implements AutoCloseable {

    /** The JDK of these hosts is that of the test. */
    public static final HostJava JAVA = new HostJava(Optional.of(System.getProperty("java.home")));

    private static final String SSHD = "/usr/sbin/sshd";
    private static final int LOOPBACK_PORT = 20_000;

    private final Path work;
    private final String prefix = "sb" + ProcessHandle.current().pid();
    private final int net = (int) (ProcessHandle.current().pid() % 200) + 20;
    private final boolean namespaces;
    private final List<Process> daemons = new ArrayList<>();
    private final int count;

    /**
     * Starts the hosts. Skips the test without sshd, but fails it in CI.
     *
     * @param work an empty folder
     * @param count number of hosts: h1, h2, ...
     */
    public Hosts(Path work, int count) throws IOException {
        if (!"true".equals(System.getenv("CI")) && !Files.isExecutable(Path.of(SSHD))) {
            Assumptions.abort("no " + SSHD + " for machines of tests: apt-get install openssh-server iproute2");
        }
        this.work = Files.createDirectories(work);
        this.count = count;
        this.namespaces = tryRun("ip", "link", "add", prefix, "type", "bridge");
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file("user").toString());
        StringBuilder config = new StringBuilder();
        StringBuilder known = new StringBuilder();
        if (namespaces) {
            run("ip", "addr", "add", "10.77." + net + ".1/24", "dev", prefix);
            run("ip", "link", "set", prefix, "up");
            Files.createDirectories(Path.of("/run/sshd"));
        }
        for (int i = 1; i <= count; i++) {
            if (namespaces) {
                plugIn(i);
            }
            run(
                    "ssh-keygen",
                    "-q",
                    "-t",
                    "ed25519",
                    "-N",
                    "",
                    "-f",
                    file("key" + i).toString());
            known.append("[")
                    .append(address(i))
                    .append("]:")
                    .append(port(i))
                    .append(' ')
                    .append(Files.readString(file("key" + i + ".pub")));
            config.append("""
                    Host h%d
                      HostName %s
                      Port %d
                      User %s
                      IdentityFile %s
                      IdentitiesOnly yes
                      UserKnownHostsFile %s
                      StrictHostKeyChecking yes
                    """.formatted(
                            i, address(i), port(i), System.getProperty("user.name"), file("user"), file("known")));
            startSshd(i);
        }
        Files.writeString(file("known"), known);
        Files.writeString(file("config"), config);
    }

    private Path file(String name) {
        return work.resolve(name).toAbsolutePath();
    }

    private String space(int host) {
        return prefix + "-" + host;
    }

    /** Returns the address on which a host listens. */
    public String address(int host) {
        return namespaces ? "10.77." + net + "." + (host + 1) : "127.0.0." + (host + 1);
    }

    private int port(int host) {
        return namespaces ? 2222 : LOOPBACK_PORT + host;
    }

    /** Returns the ssh configuration for the hosts. */
    public Path config() {
        return file("config");
    }

    public Host host(int host) {
        return new Host("h" + host, Optional.of(config()));
    }

    /**
     * Opens a slow connection to a host, until it is closed.
     *
     * @param thereMs delay on the way to the host, ms
     * @param backMs delay on the way back, ms
     */
    public SlowLine line(int host, long thereMs, long backMs) throws IOException {
        SlowLine line =
                new SlowLine(new InetSocketAddress(address(host), port(host)), file("line" + host), thereMs, backMs);
        String direct = "HostName %s\n  Port %d\n".formatted(address(host), port(host));
        String slow = "HostName 127.0.0.1\n  Port %d\n  HostKeyAlias [%s]:%d\n"
                .formatted(line.port(), address(host), port(host));
        Files.writeString(line.config(), Files.readString(config()).replace(direct, slow));
        return line;
    }

    /** Connects to a host. Jobs may use test classes. */
    public RemoteJvm connect(int host) throws IOException {
        try {
            Path classes = Path.of(Hosts.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return RemoteJvm.connect(host(host), JAVA, List.of(HostFiles.packed(classes)));
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    /** Returns the home of a host's user. */
    public Path home(int host) {
        return file("home" + host);
    }

    private void plugIn(int host) throws IOException {
        String outer = prefix + "v" + host;
        String space = space(host);
        run("ip", "netns", "add", space);
        run("ip", "link", "add", outer, "type", "veth", "peer", "name", "eth0", "netns", space);
        run("ip", "link", "set", outer, "master", prefix, "up");
        run("ip", "-n", space, "addr", "add", address(host) + "/24", "dev", "eth0");
        run("ip", "-n", space, "link", "set", "eth0", "up");
        run("ip", "-n", space, "link", "set", "lo", "up");
    }

    /** Starts a host's sshd, which may have been killed before. */
    public void startSshd(int host) throws IOException {
        startSshd(host, List.of());
    }

    /** Limits the number of files that new processes there may open. */
    public void limitFiles(int host, int most) throws IOException {
        killSshd(host);
        startSshd(host, List.of("prlimit", "--nofile=" + most + ":" + most));
    }

    private void startSshd(int host, List<String> prefix) throws IOException {
        Files.createDirectories(home(host));
        Path config = file("sshd" + host);
        Files.writeString(
                config, """
                ListenAddress %s
                Port %d
                HostKey %s
                AuthorizedKeysFile %s
                StrictModes no
                UsePAM no
                PidFile none
                PermitRootLogin prohibit-password
                SetEnv HOME=%s
                """.formatted(address(host), port(host), file("key" + host), file("user.pub"), home(host)));
        List<String> command = new ArrayList<>();
        if (namespaces) {
            command.addAll(List.of("ip", "netns", "exec", space(host)));
        }
        command.addAll(prefix);
        command.addAll(List.of(SSHD, "-D", "-e", "-f", config.toString()));
        daemons.add(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        file("sshd" + host + ".log").toFile()))
                .start());
        Instant patience = Instant.now().plusSeconds(60);
        while (!tryRun(sshTrue(host))) {
            if (Instant.now().isAfter(patience)) {
                throw new IOException(
                        "sshd of host " + host + " does not answer: " + Files.readString(file("sshd" + host + ".log")));
            }
        }
    }

    /** True if a host's sshd accepts connections. */
    public boolean isListening(int host) throws IOException {
        return tryRun(sshTrue(host));
    }

    private String[] sshTrue(int host) throws IOException {
        Files.createDirectories(work);
        return new String[] {"bash", "-c", "exec 3<>/dev/tcp/" + address(host) + "/" + port(host)};
    }

    /** Kills a host's sshd, then all its connections, so that reconnecting at once fails. */
    public void killSshd(int host) throws IOException {
        List<ProcessHandle> oldestFirst = processes(host).stream()
                .filter(process -> process.info().command().orElse("").endsWith("sshd"))
                .sorted(Comparator.comparing(
                        process -> process.info().startInstant().orElseThrow()))
                .toList();
        for (ProcessHandle process : oldestFirst) {
            process.destroyForcibly();
            // A new sshd could not bind the port before.
            process.onExit().join();
        }
    }

    /** Returns all processes of a host. On loopback hosts, these are the processes whose home is the host's. */
    public List<ProcessHandle> processes(int host) throws IOException {
        List<ProcessHandle> all = new ArrayList<>();
        if (namespaces) {
            for (String pid : run("ip", "netns", "pids", space(host)).split("\\s+")) {
                if (!pid.isBlank()) {
                    ProcessHandle.of(Long.parseLong(pid)).ifPresent(all::add);
                }
            }
        } else {
            String home = "HOME=" + home(host) + "\0";
            ProcessHandle.allProcesses().forEach(process -> {
                try {
                    Path environment = Path.of("/proc/" + process.pid() + "/environ");
                    if (Files.readString(environment, StandardCharsets.ISO_8859_1)
                            .contains(home)) {
                        all.add(process);
                    }
                } catch (IOException e) {
                    // It belongs to another user, or has ended.
                }
            });
        }
        return all;
    }

    /** Returns a host's processes other than sshd, which a connection left behind. */
    public List<String> left(int host) throws IOException {
        return processes(host).stream()
                .filter(ProcessHandle::isAlive)
                .map(process -> process.info().commandLine().orElse("?"))
                .filter(line -> !line.contains("sshd"))
                .toList();
    }

    /**
     * Waits until processes of a closed connection have ended, which takes seconds; throws an IOException after half a
     * minute.
     */
    public void awaitNothingLeft(int host) throws IOException, InterruptedException {
        for (int look = 0; !left(host).isEmpty(); look++) {
            if (look > 600) {
                throw new IOException("still there: " + left(host));
            }
            Thread.sleep(50);
        }
    }

    private static boolean tryRun(String... command) throws IOException {
        try {
            run(command);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static String run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException(String.join(" ", command) + ": " + output.strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted");
        }
        return output;
    }

    @Override
    public void close() throws IOException {
        for (int host = 1; host <= count; host++) {
            processes(host).forEach(ProcessHandle::destroyForcibly);
        }
        daemons.forEach(Process::destroyForcibly);
        if (namespaces) {
            for (int host = 1; host <= count; host++) {
                tryRun("ip", "netns", "del", space(host));
            }
            tryRun("ip", "link", "del", prefix);
        }
    }
}
