/**
 * Runs within JMeter, called by the scripts of a campaign's plan. Our classes come after JMeter's own libraries there, and without
 * our dependencies: these classes, and all that they use, may need only the JDK, Jackson and (for {@link
 * org.servletbench.bench.model.Extract}) jsoup, which JMeter has.
 */
package org.servletbench.bench.generator.jmeter;
