package org.servletbench.bench.verdict;

import java.util.Comparator;
import java.util.Objects;
import org.servletbench.bench.measure.CellName;

/**
 * Workload x tier x generator.
 *
 * @param load workload, and tier or rate
 * @param generator what applied the load, such as {@code wrk}
 */
public record Cell(CellName load, String generator) implements Comparable<Cell> {
    private static final Comparator<Cell> ORDER =
            Comparator.comparing(Cell::load).thenComparing(Cell::generator);

    /** @throws NullPointerException if anything is missing */
    public Cell {
        Objects.requireNonNull(load, "load");
        Objects.requireNonNull(generator, "generator");
    }

    /** By load, then by generator. */
    @Override
    public int compareTo(Cell other) {
        return ORDER.compare(this, other);
    }
}
