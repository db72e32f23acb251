package org.servletbench.bench.proof;

import java.util.List;
import java.util.function.Supplier;

/**
 * An experiment with a known answer.
 *
 * @param isLong whether it runs only when it is named: it takes long, or kills what runs
 * @param options those of {@code prove} that it takes, without dashes: with others than these they would be ignored
 * @param run makes its findings, and fails no other experiment
 */
public record Experiment(String name, boolean isLong, List<String> options, Supplier<List<Finding>> run) {

    /** A short one, without options. */
    Experiment(String name, Supplier<List<Finding>> run) {
        this(name, false, List.of(), run);
    }
}
