/**
 * Code in a load generator's own JVM, which Gatling's simulations and JMeter's scripts call in their users' loops. It
 * decides which server receives the next request, which row of data the request uses, when a load begins, and when the
 * generator is warm.
 *
 * <p>It takes orders only from {@link org.servletbench.bench.generator.Schedule}. In servlet-bench,
 * {@code org.servletbench.bench.load} writes that file, and reads the lines that {@code Schedule} names from the
 * generator's output. This package starts, monitors and measures nothing, and its only library is Jackson, which every
 * generator has.
 */
package org.servletbench.bench.generator;
