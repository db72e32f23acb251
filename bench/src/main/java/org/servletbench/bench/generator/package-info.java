/**
 * Code of a load generator's own JVM, which Gatling's simulations and JMeter's scripts call in their users' loops: it says which
 * server gets the next request, which row of data that takes, when a load begins, and when the generator is warm.
 *
 * <p>{@link org.servletbench.bench.generator.Schedule} is its only order and the rig's only hold on it: the rig, {@code
 * org.servletbench.bench.load}, writes the file, and reads the lines that {@code Schedule} names from the generator's output. Nothing
 * here starts, watches or measures anything, and the only library is Jackson, which every generator has.
 */
package org.servletbench.bench.generator;
