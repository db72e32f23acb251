/**
 * Main classes that call JMeter's own main class. Only they are on its class path, so they may use nothing but the JDK.
 */
package org.servletbench.bench.generator.jmeter.launch;
