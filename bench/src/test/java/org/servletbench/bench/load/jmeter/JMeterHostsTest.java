package org.servletbench.bench.load.jmeter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.UsageException;

class JMeterHostsTest {

    private static JMeterHosts hosts(String list) {
        return JMeterHosts.of(List.of(list.split(",")), false);
    }

    @Test
    void aTierIsTheTotal() {
        JMeterHosts three = hosts("127.0.0.1:1,127.0.0.1:2,127.0.0.1:3");
        assertThat(IntStream.range(0, 3).map(i -> three.share(20, i))).containsExactly(7, 7, 6);
        assertThat(IntStream.range(0, 3).map(i -> three.share(1, i))).containsExactly(1, 0, 0);
        for (int users = 0; users < 100; users++) {
            int userCount = users;
            assertThat(IntStream.range(0, 3).map(i -> three.share(userCount, i)).sum())
                    .isEqualTo(users);
        }
    }

    @Test
    void thePortIsJMetersOwnUnlessGiven() {
        assertThat(hosts("127.0.0.1,localhost:1100").hosts())
                .extracting(JMeterHosts.Host::port)
                .containsExactly(1099, 1100);
    }

    @Test
    void noneMeansHere() {
        assertThat(JMeterHosts.of(List.of(), false).isEmpty()).isTrue();
    }

    @Test
    void refusesWhatItShould() {
        assertThatThrownBy(() -> hosts("192.0.2.1"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("-Dtarget.allow-remote=true");
        assertThatThrownBy(() -> hosts("127.0.0.1,127.0.0.1:1099"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("has a duplicate");
        assertThatThrownBy(() -> hosts("http://127.0.0.1"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("is not understood");
    }
}
