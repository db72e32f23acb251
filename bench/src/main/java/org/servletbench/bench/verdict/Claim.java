package org.servletbench.bench.verdict;

import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Metric;

/**
 * What a verdict is about: A against B. Every verdict is told from A's side.
 *
 * @param group the group of both arms
 * @param cell where they are compared
 * @param metric by what
 * @param a id of an arm
 * @param b id of another
 */
public record Claim(String group, Cell cell, Metric metric, String a, String b) {}
