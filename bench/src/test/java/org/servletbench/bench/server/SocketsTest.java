package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the socket listing that other tests apply to everything that servlet-bench starts: generators in
 * CommandLineGeneratorsIT, and Maven commands in WaysInIT.
 */
class SocketsTest {

    @Test
    void theListingSeesWhatListensAndNotWhatIsConnected() throws IOException {
        try (ServerSocket tcp = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                DatagramSocket udp = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                DatagramSocket connected = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                Socket client = new Socket(InetAddress.getLoopbackAddress(), tcp.getLocalPort())) {
            connected.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), 9));
            Set<Sockets.Open> open = Sockets.of(Set.of(ProcessHandle.current().pid()));
            assertThat(open)
                    .anyMatch(one -> one.protocol().startsWith("tcp") && one.port() == tcp.getLocalPort())
                    .anyMatch(one -> one.protocol().startsWith("udp") && one.port() == udp.getLocalPort())
                    .noneMatch(one -> one.protocol().startsWith("udp") && one.port() == connected.getLocalPort())
                    .noneMatch(one -> one.port() == client.getLocalPort())
                    .allMatch(Sockets.Open::isLoopback);
        }
        assertThat(Sockets.of(Set.of(Long.MAX_VALUE))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0100007F, true",
        "0200017F, true",
        "00000000, false",
        "0100000A, false",
        "7F000001, false",
        "00000000000000000000000001000000, true",
        "0000000000000000FFFF00000100007F, true",
        "00000000000000000000000000000000, false",
        "0000000000000000FFFF000000000000, false",
        "0000000000000000FFFF00000100000A, false",
        "000080FE00000000000000000100007F, false"
    })
    void loopbackAsTheKernelWritesIt(String address, boolean loopback) {
        assertThat(new Sockets.Open("tcp", address, 1, "").isLoopback()).isEqualTo(loopback);
    }
}
