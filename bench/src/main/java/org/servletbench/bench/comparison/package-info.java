/**
 * A comparison as its file has it: {@link org.servletbench.bench.comparison.Keys} is the table of its keys, which checks the file and
 * makes the reference page; {@link org.servletbench.bench.comparison.Comparison} is what the rest of the rig knows of it.
 */
package org.servletbench.bench.comparison;
