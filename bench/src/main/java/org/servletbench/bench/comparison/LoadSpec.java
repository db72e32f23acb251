package org.servletbench.bench.comparison;

import java.util.List;
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
}
