/**
 * Code that runs within JMeter, called by the scripts of a campaign's plan. Its classes come after JMeter's own
 * libraries there, and without servlet-bench's dependencies, so these classes, and everything that they use, may need
 * only the JDK and Jackson.
 */
package org.servletbench.bench.generator.jmeter;
