package org.servletbench.bench.server.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListenersTest {

    @Test
    void whatListensIsSeenWithItsAddress() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            assertThat(Listeners.of(ProcessHandle.current()))
                    .anyMatch(one ->
                            one.port() == socket.getLocalPort() && one.address().isLoopbackAddress());
            assertThat(Listeners.outside(ProcessHandle.current(), InetAddress.getByName("127.0.0.1")))
                    .noneMatch(one -> one.port() == socket.getLocalPort());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0100007F:2329, 127.0.0.1:9001, false",
        "0200017F:2329, 127.1.0.2:9001, false",
        "00000000:2329, *:9001, true",
        "0100000A:2329, 10.0.0.1:9001, true",
        "0500000A:2329, 10.0.0.5:9001, false",
        "00000000000000000000000001000000:2329, 0:0:0:0:0:0:0:1:9001, false",
        "0000000000000000FFFF00000100007F:2329, 127.0.0.1:9001, false",
        "00000000000000000000000000000000:2329, *:9001, true",
        "0000000000000000FFFF000000000000:2329, *:9001, true",
        "0000000000000000FFFF00000100000A:2329, 10.0.0.1:9001, true",
    })
    void addressesAsTheKernelWritesThem(String local, String words, boolean outside) throws Exception {
        String line =
                "   0: " + local + " 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1";
        List<Listeners.Listener> all = Listeners.of(List.of("  sl  local_address", line), Set.of("4711"));
        assertThat(all).hasToString("[" + words + "]");
        assertThat(all.get(0).isOutside(InetAddress.getByName("10.0.0.5"))).isEqualTo(outside);
        assertThat(Listeners.of(List.of(line), Set.of("4712"))).isEmpty();
        assertThat(Listeners.of(List.of(line.replace(" 0A ", " 01 ")), Set.of("4711")))
                .isEmpty();
    }
}
