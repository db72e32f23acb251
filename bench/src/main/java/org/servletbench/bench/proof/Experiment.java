package org.servletbench.bench.proof;

import java.util.List;
import java.util.function.Supplier;

/**
 * An experiment with a known answer.
 *
 * @param isLong whether it runs only when it is named: it takes long, or kills what runs
 * @param run makes its findings, and fails no other experiment
 */
public record Experiment(String name, boolean isLong, Supplier<List<Finding>> run) {}
