/**
 * Runs within JMeter, called by the scripts of a campaign's plan. Our classes come after JMeter's own libraries there, and without
 * our dependencies: these classes, and all that they use, may need only the JDK and Jackson.
 */
package org.servletbench.bench.generator.jmeter;
