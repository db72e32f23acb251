package org.servletbench.bench.load.jmeter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.cli.RunOptions;
import org.servletbench.bench.generator.jmeter.launch.TargetAllowList;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.server.process.Jdk;

/** Tests the allow-list alone. OwnPlanTest in jmeter-plans tests the same with JMeter itself. */
class TargetAllowListTest {

    /** Ways in which a plan could connect: by name or address, with sockets or channels. */
    public static final class Connects {

        private Connects() {}

        /** @param args any number of pairs of host and port */
        public static void main(String[] args) {
            for (int i = 0; i < args.length; i += 2) {
                String name = args[i] + ":" + args[i + 1];
                int port = Integer.parseInt(args[i + 1]);
                try (Socket socket = new Socket(args[i], port);
                        SocketChannel channel = SocketChannel.open(new InetSocketAddress(args[i], port))) {
                    System.out.println("reached " + name + socket.isConnected() + channel.isConnected());
                } catch (IOException | SecurityException e) {
                    System.out.println("not " + name + " " + e.getMessage());
                }
            }
            try {
                System.setSecurityManager(null);
                System.out.println("nothing keeps it");
            } catch (SecurityException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    private static String ports(int... ports) throws IOException, InterruptedException {
        String here = System.getProperty("java.class.path");
        Process process = new ProcessBuilder(List.of(
                        Jdk.ownCommand(),
                        TargetAllowList.ALLOW,
                        "-D" + TargetAllowList.TARGETS + "=127.0.0.1:" + ports[0],
                        "-cp",
                        here,
                        TargetAllowList.class.getName(),
                        Connects.class.getName(),
                        "127.0.0.1",
                        "" + ports[0],
                        "localhost",
                        "" + ports[0],
                        "127.0.0.1",
                        "" + ports[1],
                        "127.0.0.9",
                        "" + ports[2]))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return said;
    }

    @Test
    void aPlanReachesItsServerAndNoOtherPortOrHost() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 9, InetAddress.getByName("127.0.0.1"));
                ServerSocket port = new ServerSocket(0, 9, InetAddress.getByName("127.0.0.1"));
                ServerSocket host = new ServerSocket(0, 9, InetAddress.getByName("127.0.0.9"))) {
            String said = ports(server.getLocalPort(), port.getLocalPort(), host.getLocalPort());
            assertThat(said)
                    .contains("reached 127.0.0.1:" + server.getLocalPort() + "truetrue")
                    .contains("reached localhost:" + server.getLocalPort())
                    .contains("not 127.0.0.1:" + port.getLocalPort() + " no connection to 127.0.0.1:")
                    .contains("not 127.0.0.9:" + host.getLocalPort() + " no connection to 127.0.0.9:"
                            + host.getLocalPort()
                            + ", which is not the server that was named: add -Djmeter.plan.hosts=")
                    .contains("a plan must not change what keeps its load")
                    .doesNotContain("nothing keeps it");
            host.setSoTimeout(1);
            assertThatThrownBy(host::accept).hasMessageContaining("timed out");
        }
    }

    @Test
    void consentNamesHosts() throws Exception {
        URI server = URI.create("http://127.0.0.1:8080");
        assertThat(targets(Map.of()).and(server)).containsExactly("127.0.0.1:8080");
        Map<String, String> given = Map.of("jmeter.plan", "x.jmx", "jmeter.plan.hosts", "127.0.0.9,127.0.0.8:5432");
        assertThat(targets(given).and(server)).containsExactly("127.0.0.1:8080", "127.0.0.8:5432", "127.0.0.9:*");
        assertThatThrownBy(() -> targets(Map.of("jmeter.plan.hosts", "127.0.0.9")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("is for a plan of your own");
        assertThatThrownBy(() -> targets(Map.of("jmeter.plan", "x.jmx", "jmeter.plan.hosts", "http://x/")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("give hosts such as");
    }

    private static PlanTargets targets(Map<String, String> given) {
        return new RunOptions(new Options(given, Map.of()), new ProfilesFolder(Path.of("../profiles"))).planTargets();
    }
}
