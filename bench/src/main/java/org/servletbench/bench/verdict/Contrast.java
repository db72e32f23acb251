package org.servletbench.bench.verdict;

import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Metric;

/** What a verdict is about: A against B. Every verdict is told from A's side. */
public record Contrast(String group, Cell cell, Metric metric, String a, String b) {}
