package org.servletbench.bench.comparison;

import java.util.List;
import java.util.stream.Stream;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.ToolSettings;

/**
 * A load of a comparison.
 *
 * @param workloads by name
 * @param tiers numbers of concurrent users
 * @param rates requests/s, as written
 * @param tool how wrk, ab and siege are used
 */
public record LoadSpec(Kind kind, List<String> workloads, List<String> tiers, List<String> rates, ToolSettings tool) {

    /** What is done in each server. */
    public enum Kind {
        /** Numbers of users, rates, or both. */
        FIXED,
        /** The highest rate that meets an objective is found. */
        FIND,
        /** The server is started, and that is all. */
        STARTS
    }

    /** What it consists of, without generators. */
    public List<Cell> cells() {
        return switch (kind) {
            case STARTS -> List.of(Cell.START_UP);
            case FIND ->
                workloads.stream().map(workload -> new Cell(workload, 0, 0, "")).toList();
            case FIXED ->
                workloads.stream()
                        .flatMap(workload -> Stream.concat(
                                tiers.stream().map(tier -> new Cell(workload, Integer.parseInt(tier), 0, "")),
                                rates.stream().map(rate -> new Cell(workload, 0, Double.parseDouble(rate), ""))))
                        .toList();
        };
    }
}
