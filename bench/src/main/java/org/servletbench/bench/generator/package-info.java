/**
 * Code of a load generator's own JVM, which Gatling's simulations and JMeter's scripts call in their users' loops: it decides which
 * server gets the next request, which row of data that takes, when a load begins, and when the generator is warm.
 *
 * <p>It takes orders only from {@link org.servletbench.bench.generator.Schedule}: servlet-bench, in {@code
 * org.servletbench.bench.load}, writes that file, and reads the lines that {@code Schedule} names from the generator's output.
 * Nothing here starts, monitors or measures anything, and the only library is Jackson, which every generator has.
 */
package org.servletbench.bench.generator;
