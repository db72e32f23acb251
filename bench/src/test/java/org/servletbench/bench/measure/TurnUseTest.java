package org.servletbench.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TurnUseTest {

    /** The servers' clock is known to 10 ms, so that their readings are 20 ms nearer. */
    @Test
    void theGeneratorsTimeIsThatOfTheServersSpan() {
        List<TurnUse> servers = List.of(new TurnUse(0, 35, 235, 150, 0));
        List<TurnUse> generators = List.of(new TurnUse(0, 25, 245, 0, 154));

        assertThat(TurnUse.join(servers, generators)).containsExactly(new TurnUse(0, 35, 235, 150, 140));
    }

    /** CPU time is read when those have come who waited for the server before: a tenth of a turn at most. */
    @Test
    void usersHaveArrivedAfterATenthOfATurn() {
        assertThat(arrived(100)).isEqualTo(1020);
        assertThat(arrived(250)).isEqualTo(1025);
        assertThat(arrived(2000)).isEqualTo(1200);
    }

    private static long arrived(long turnMs) {
        return new Rotation(List.of("a", "b"), 1000, turnMs, 6, 1).arrivedMs(0);
    }

    @Test
    void turnsThatBothMachinesReadAreJoined() {
        List<TurnUse> servers = List.of(new TurnUse(0, 20, 95, 70, 9), new TurnUse(2, 220, 295, 60, 9));
        List<TurnUse> generators = List.of(
                new TurnUse(0, 21, 96, 0, 30), new TurnUse(1, 121, 196, 0, 31), new TurnUse(2, 221, 296, 0, 32));

        assertThat(TurnUse.join(servers, generators))
                .containsExactly(new TurnUse(0, 20, 95, 70, 30), new TurnUse(2, 220, 295, 60, 32));
        assertThat(TurnUse.join(servers, generators.subList(1, 2))).isEmpty();
    }
}
