package org.servletbench.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TurnUseTest {

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
