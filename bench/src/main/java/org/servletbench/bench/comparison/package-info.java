/**
 * A comparison and its file. {@link org.servletbench.bench.comparison.Keys} holds its keys, checks the file and
 * generates the reference page. {@link org.servletbench.bench.comparison.Comparison} is the result that other packages
 * use.
 */
package org.servletbench.bench.comparison;
