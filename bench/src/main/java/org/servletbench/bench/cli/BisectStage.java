package org.servletbench.bench.cli;

import java.util.List;
import java.util.Map;

/**
 * One comparison of a search for the part that costs.
 *
 * @param kind what its arms are
 * @param parts keys of the parts that an arm is about, by the arm's id
 */
record BisectStage(Kind kind, Map<String, List<String>> parts) {

    /** Arms of a stage. */
    enum Kind {
        /** The old build with several parts of the new one: there were too many parts to measure each alone. */
        GROUPS,
        /** The old build with one part of the new one. */
        ALONE,
        /** The new build with one part of the old one. */
        ALL_BUT
    }
}
