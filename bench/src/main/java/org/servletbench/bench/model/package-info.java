/**
 * Types that all other packages share: the files of {@code profiles/} (containers, settings, JVM options, workloads,
 * users), options and their values, workloads and loads, the catalogues of metrics, warnings and generators, and
 * helpers for texts, files, JSON and secrets. This package uses no other package of servlet-bench.
 */
package org.servletbench.bench.model;
