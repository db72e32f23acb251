package org.servletbench.bench.load.jmeter;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.model.LoadPlan;
import org.servletbench.bench.server.os.ManagedProcess;

/**
 * JMeter for interactive use: its GUI and its server. Both run in the foreground until they are closed.
 *
 * @param folder folder for logs and for plans made for the GUI
 */
public record JMeterDesk(JMeter jmeter, Path folder) {

    public JMeterDesk {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new LoadException("cannot make " + folder + " (" + e.getMessage() + ")");
        }
    }

    /**
     * Opens the GUI and waits until it is closed.
     *
     * @param plan {@code tiers.jmx}; it is opened directly, so that changes can be saved
     * @param target URL of the server, {@code http://host:port}
     * @param display the X display to open on; empty: that of this process
     * @param load workloads, users or times that differ from the plan's; if present, a copy of the plan with them is
     *     opened
     * @throws LoadException if JMeter fails
     */
    public void gui(Path plan, URI target, Optional<LoadPlan> load, Optional<String> display) {
        Path opened = load.map(wanted -> {
                    Path copy = folder.resolve(plan.getFileName());
                    JMeterPlan.of(plan, wanted, target, new JMeterHosts(List.of()))
                            .write(copy);
                    System.out.println("a copy of " + plan.getFileName() + " for these options: " + copy);
                    return copy;
                })
                .orElse(plan);
        await(jmeter.start(
                List.of(),
                List.of(
                        "-t",
                        opened.toAbsolutePath().toString(),
                        "-j",
                        folder.resolve("jmeter.log").toAbsolutePath().toString(),
                        "-Jhost=" + target.getHost(),
                        "-Jport=" + (target.getPort() == -1 ? 80 : target.getPort())),
                Optional.empty(),
                display.map(name -> Map.of("DISPLAY", name)).orElse(Map.of())));
    }

    /**
     * Runs a JMeter server and waits until it ends.
     *
     * @param host address on which registry and engine listen
     * @param port port of its RMI registry
     * @throws LoadException if the port is in use, there is no keystore, or JMeter fails
     */
    public void server(String host, int port) {
        List<String> arguments = new ArrayList<>(jmeter.tls());
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getByName(host))) {
            assert probe.isBound();
        } catch (IOException e) {
            throw new LoadException("port " + port + " on " + host + " is not available (" + e.getMessage()
                    + "): stop what listens there, or give another -Djmeter.server.port");
        }
        arguments.addAll(List.of(
                "-s",
                "-j",
                folder.resolve("jmeter-server-" + port + ".log")
                        .toAbsolutePath()
                        .toString(),
                "-Jserver_port=" + port));
        await(jmeter.start(
                List.of("-Djava.awt.headless=true", "-Djava.rmi.server.hostname=" + host),
                arguments,
                Optional.empty(),
                Map.of()));
    }

    private static void await(Process process) {
        // The reader is never closed here, because closing would wait for a read that ends only with the process.
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        Thread printer = new Thread(() -> print(lines));
        printer.setDaemon(true);
        printer.start();
        try {
            int code = process.waitFor();
            if (code != 0) {
                throw new LoadException("JMeter ended with exit code " + code);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ManagedProcess.stop(process);
        }
    }

    private static void print(BufferedReader lines) {
        try {
            lines.lines()
                    // Log4j's remark on JMeter's own configuration, which appears four times at every start.
                    .filter(line -> !line.contains("StatusConsoleListener"))
                    .forEach(System.out::println);
        } catch (UncheckedIOException e) {
            // The process has been ended.
        }
    }
}
