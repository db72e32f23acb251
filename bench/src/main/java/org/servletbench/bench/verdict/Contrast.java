package org.servletbench.bench.verdict;

import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;

/** The subject of a verdict: A compared with B. Every verdict is stated from A's side. */
public record Contrast(String group, MeasuredLoad load, Metric metric, String a, String b) {}
