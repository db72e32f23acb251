/**
 * The collector, in a JVM of its own. It receives what servers export, counts it, and discards it. It is plain Java
 * without dependencies.
 */
package org.servletbench.bench.server.collector;
