package org.servletbench.bench.record;

import static org.servletbench.bench.model.Text.text;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.servletbench.bench.model.SafeFiles;

/**
 * Time of each phase of a campaign, summed over its blocks.
 *
 * @param blocks number of blocks that began
 * @param start starting servers and verifying what runs, s
 * @param warmUp warming up servers and generators, s
 * @param load measured load, including ramps, s
 * @param rest stopping servers and reading logs, s
 */
public record PhaseTimes(int blocks, double start, double warmUp, double load, double rest) {

    /** File in a campaign's folder: one row for each session of servers that were up at once. */
    public static final String FILE = "timings.csv";

    private static final int LONGEST = 64 << 20;
    /** Maximum duration of a phase of one session, s: 30 years. */
    private static final double MOST = 1e9;

    private static final List<String> PHASES = List.of("start.s", "warm-up.s", "load.s", "rest.s");

    private static final List<String> COLUMNS =
            Stream.concat(Stream.of("block", "arms"), PHASES.stream()).toList();

    /**
     * Appends a row to a campaign's file. Creates the file if necessary.
     *
     * @param arms arms that were up at the same time
     * @param session times of the session's phases
     * @throws IOException if it cannot be written
     */
    public static void append(Path folder, int block, List<String> arms, PhaseTimes session) throws IOException {
        Path file = folder.resolve(FILE);
        boolean begun = Files.exists(file);
        try (CsvWriter rows = CsvWriter.builder()
                .lineDelimiter(LineDelimiter.LF)
                .build(new OutputStreamWriter(SafeFiles.appending(file), StandardCharsets.UTF_8))) {
            if (!begun) {
                rows.writeRecord(COLUMNS);
            }
            rows.writeRecord(
                    Integer.toString(block),
                    String.join(" ", arms),
                    text("%.1f", session.start),
                    text("%.1f", session.warmUp),
                    text("%.1f", session.load),
                    text("%.1f", session.rest));
        }
    }

    /**
     * Reads the times from a campaign's folder; empty if nothing has run, or the file is damaged.
     *
     * @throws IOException if a time is invalid; the message is one line for people
     */
    public static Optional<PhaseTimes> read(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        String impossible = null;
        try (CsvReader<NamedCsvRecord> rows =
                CsvReader.builder().ofNamedCsvRecord(SafeFiles.textInFolder(file, LONGEST))) {
            Set<String> blocks = new HashSet<>();
            double[] sums = new double[PHASES.size()];
            for (NamedCsvRecord row : rows) {
                blocks.add(row.getField("block"));
                for (int i = 0; i < sums.length; i++) {
                    double seconds = Double.parseDouble(row.getField(PHASES.get(i)));
                    if (!(seconds >= 0 && seconds <= MOST)) {
                        impossible = FILE + ": " + PHASES.get(i) + " is " + seconds + " in line "
                                + row.getStartingLineNumber() + ", which is not a time";
                    }
                    sums[i] += seconds;
                }
            }
            if (impossible != null) {
                throw new IllegalArgumentException(impossible);
            }
            PhaseTimes times = new PhaseTimes(blocks.size(), sums[0], sums[1], sums[2], sums[3]);
            return times.seconds() > 0 ? Optional.of(times) : Optional.empty();
        } catch (IOException | RuntimeException e) {
            if (impossible != null) {
                throw new IOException(impossible, e);
            }
            return Optional.empty();
        }
    }

    /** Returns the sum of all phases, s. */
    public double seconds() {
        return start + warmUp + load + rest;
    }

    /** Returns the shares in one line: "start 9 %, warm-up 51 %, load 39 %, rest 1 %". */
    public String words() {
        return String.join(
                ", ", share("start", start), share("warm-up", warmUp), share("load", load), share("rest", rest));
    }

    private String share(String name, double part) {
        return text("%s %.0f %%", name, 100 * part / seconds());
    }
}
