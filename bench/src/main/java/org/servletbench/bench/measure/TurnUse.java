package org.servletbench.bench.measure;

import de.siegmar.fastcsv.writer.CsvWriter;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * CPU time used within one turn, read at its edges.
 *
 * @param turn its number, from 0
 * @param fromMs when the clocks were read first, ms since the epoch
 * @param toMs when they were read again
 * @param serverMs CPU time that the server's processes used in between, ms
 * @param generatorMs CPU time that the generator used in between, ms
 */
public record TurnUse(int turn, long fromMs, long toMs, long serverMs, long generatorMs) implements Serializable {

    /**
     * What was read of servers and of a generator on different machines, in one clock. A turn that one of them missed is left
     * out.
     *
     * @param servers gives the times and the servers' CPU time
     * @param generators gives the generator's CPU time
     */
    public static List<TurnUse> join(List<TurnUse> servers, List<TurnUse> generators) {
        Map<Integer, TurnUse> ofTurn = generators.stream().collect(Collectors.toMap(TurnUse::turn, use -> use));
        return servers.stream()
                .filter(use -> ofTurn.containsKey(use.turn))
                .map(use -> new TurnUse(
                        use.turn,
                        use.fromMs,
                        use.toMs,
                        use.serverMs,
                        ofTurn.get(use.turn).generatorMsIn(use)))
                .toList();
    }

    /** Its own readings may be farther apart, or nearer, than those of the servers. */
    private long generatorMsIn(TurnUse other) {
        return Math.round((double) generatorMs * (other.toMs - other.fromMs) / (toMs - fromMs));
    }

    public static void write(List<TurnUse> uses, Path csv) throws IOException {
        try (CsvWriter rows = MonitorSeries.writer(csv)) {
            rows.writeRecord("turn", "from.ms", "to.ms", "server.cpu.ms", "generator.cpu.ms");
            for (TurnUse use : uses) {
                rows.writeRecord(LongStream.of(use.turn, use.fromMs, use.toMs, use.serverMs, use.generatorMs)
                        .mapToObj(Long::toString)
                        .toList());
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
