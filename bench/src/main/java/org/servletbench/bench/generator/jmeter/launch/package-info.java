/** Main classes that call JMeter's own. They are alone on its class path: nothing but the JDK may be used. */
package org.servletbench.bench.generator.jmeter.launch;
