/**
 * Starts, proves, monitors and stops the servers that take the load.
 *
 * <p>{@link org.servletbench.bench.server.Target} is the entry point; each other class and subpackage has one concern.
 */
package org.servletbench.bench.server;
