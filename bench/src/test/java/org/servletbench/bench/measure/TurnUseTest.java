package org.servletbench.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TurnUseTest {

    @TempDir
    private Path folder;

    /** The servers' clock is known to 10 ms, so that their readings are 20 ms nearer. */
    @Test
    void theGeneratorsTimeIsThatOfTheServersSpan() {
        List<TurnUse> servers = List.of(new TurnUse(0, 35, 235, 150, 0));
        List<TurnUse> generators = List.of(new TurnUse(0, 25, 245, 0, 154));

        assertThat(TurnUse.join(servers, generators)).containsExactly(new TurnUse(0, 35, 235, 150, 140));
    }

    /** CPU time is read when the users have arrived who waited for the previous server: after at most a tenth of a turn. */
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

    /** Counters that some turns lack have an empty cell there. */
    @Test
    void theFileHasAColumnForEachCounter() throws IOException {
        Path csv = folder.resolve("turns.csv");
        TurnUse counted = new TurnUse(1, 100, 200, Map.of("process.cpu.ms", 70L, "write.calls", 9L), 5);
        TurnUse.write(List.of(new TurnUse(0, 0, 90, 60, 4), counted), csv);
        assertThat(csv).hasContent("""
                turn,from.ms,to.ms,server.cpu.ms,generator.cpu.ms,write.calls
                0,0,90,60,4,
                1,100,200,70,5,9
                """);
        assertThat(TurnUse.join(List.of(counted), List.of(new TurnUse(1, 100, 200, 0, 8))))
                .containsExactly(counted.with(100, 200, 8));
    }
}
