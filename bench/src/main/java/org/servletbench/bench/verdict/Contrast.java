package org.servletbench.bench.verdict;

import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Metric;

/** The subject of a verdict: A against B. Every verdict is stated from A's side. */
public record Contrast(String group, Cell cell, Metric metric, String a, String b) {}
