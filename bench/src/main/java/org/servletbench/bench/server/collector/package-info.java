/** The collector, in a JVM of its own: receives what servers export, counts it, and discards it. Plain Java without dependencies. */
package org.servletbench.bench.server.collector;
