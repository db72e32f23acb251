package org.servletbench.bench.report.run;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.servletbench.bench.measure.LogMeasurement;
import org.servletbench.bench.measure.Slice;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Load;

/**
 * A log and what was measured in it.
 *
 * @param file the raw log; of several that were measured as one the first
 * @param name for people: the file, or all of them
 */
public record Measured(Path file, String name, LogMeasurement log) {

    /** A log that is one file. */
    public Measured(Path file, LogMeasurement log) {
        this(file, file.toString(), log);
    }

    /** The cells that count, in the order in which they ran: the second measurement of a load takes the place of the first. */
    public List<WindowResult> cells() {
        return inOrder(cell -> !isMeasuredAgain(cell));
    }

    /** First measurements of loads that were measured once more; they do not count. */
    public List<WindowResult> firstTries() {
        return inOrder(this::isMeasuredAgain);
    }

    private boolean isMeasuredAgain(WindowResult cell) {
        return log.cells().stream()
                .anyMatch(other ->
                        Load.first(other.name()).filter(cell.name()::equals).isPresent());
    }

    private List<WindowResult> inOrder(Predicate<WindowResult> which) {
        return log.cells().stream()
                .filter(which)
                .sorted(Comparator.comparingLong(this::began))
                .toList();
    }

    /** A second measurement stands where the first would. */
    private long began(WindowResult cell) {
        String first = Load.first(cell.name()).orElse(cell.name());
        return log.cells().stream()
                .filter(other -> other.name().equals(first))
                .findFirst()
                .orElse(cell)
                .slices()
                .stream()
                .mapToLong(Slice::fromMs)
                .min()
                .orElse(Long.MAX_VALUE);
    }
}
