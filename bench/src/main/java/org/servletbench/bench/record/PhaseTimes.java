package org.servletbench.bench.record;

import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.servletbench.bench.verdict.Sizing;

/**
 * Where a campaign's time went, summed over its blocks.
 *
 * @param blocks that began
 * @param start of servers, and the proofs of what runs, s
 * @param warmUp of servers and generators, s
 * @param load measured, ramps among it, s
 * @param rest stopping, reading logs, s
 */
public record PhaseTimes(int blocks, double start, double warmUp, double load, double rest) {

    /** In a campaign's folder: one row for each session of servers that were up at once. */
    public static final String FILE = "timings.csv";

    public static final String HEADER = "block,arms,start.s,warm-up.s,load.s,rest.s\n";

    /** What a campaign's folder tells; empty where nothing has run, or the file is damaged. */
    public static Optional<PhaseTimes> read(Path folder) {
        Path file = folder.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try (Stream<String> rows = Files.lines(file)) {
            Set<String> blocks = new HashSet<>();
            double[] sums = new double[4];
            for (String row : rows.skip(1).toList()) {
                String[] cells = row.split(",");
                blocks.add(cells[0]);
                for (int i = 0; i < sums.length; i++) {
                    sums[i] += Double.parseDouble(cells[i + 2]);
                }
            }
            PhaseTimes times = new PhaseTimes(blocks.size(), sums[0], sums[1], sums[2], sums[3]);
            return times.seconds() > 0 ? Optional.of(times) : Optional.empty();
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /** All of it, s. */
    public double seconds() {
        return start + warmUp + load + rest;
    }

    Sizing.Cost block() {
        return new Sizing.Cost((seconds() - load) / blocks, load / blocks);
    }

    /** The shares in one line: "start 9 %, warm-up 51 %, load 39 %, rest 1 %". */
    public String words() {
        return String.join(
                ", ", share("start", start), share("warm-up", warmUp), share("load", load), share("rest", rest));
    }

    private String share(String name, double part) {
        return text("%s %.0f %%", name, 100 * part / seconds());
    }
}
