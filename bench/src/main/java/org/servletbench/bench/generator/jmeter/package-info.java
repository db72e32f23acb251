/**
 * Runs within JMeter, from the scripts of a campaign's plan. Our classes come after JMeter's own libraries there, and bring none of
 * ours: only the JDK and Jackson may be used, also by what these classes use.
 */
package org.servletbench.bench.generator.jmeter;
