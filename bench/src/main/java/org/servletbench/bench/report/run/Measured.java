package org.servletbench.bench.report.run;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.servletbench.bench.measure.LogMeasurement;
import org.servletbench.bench.measure.Slice;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Load;

/**
 * A log and its measurement.
 *
 * @param file the raw log; the first one if several were measured as one
 * @param name name for people: the file, or all files
 */
public record Measured(Path file, String name, LogMeasurement log) {

    /** Creates a measurement of a single file. */
    public Measured(Path file, LogMeasurement log) {
        this(file, file.toString(), log);
    }

    /**
     * Returns the loads that count, in the order in which they ran. A second measurement of a load replaces the first.
     */
    public List<WindowResult> loads() {
        Set<String> again = measuredAgain();
        return inOrder(load -> !again.contains(load.name()));
    }

    /** Returns first measurements of loads that were repeated; they do not count. */
    public List<WindowResult> firstTries() {
        Set<String> again = measuredAgain();
        return inOrder(load -> again.contains(load.name()));
    }

    private Set<String> measuredAgain() {
        return log.loads().stream()
                .flatMap(load -> Load.first(load.name()).stream())
                .collect(Collectors.toSet());
    }

    /** Sorts loads by time. A second measurement takes the place of the first. */
    private List<WindowResult> inOrder(Predicate<WindowResult> which) {
        Map<String, Long> began = new HashMap<>();
        log.loads().forEach(load -> began.putIfAbsent(load.name(), began(load)));
        return log.loads().stream()
                .filter(which)
                .sorted(Comparator.comparingLong(
                        load -> Load.first(load.name()).map(began::get).orElseGet(() -> began(load))))
                .toList();
    }

    private static long began(WindowResult load) {
        return load.slices().stream().mapToLong(Slice::fromMs).min().orElse(Long.MAX_VALUE);
    }
}
