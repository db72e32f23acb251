/**
 * Starts, verifies, monitors and stops the servers that are loaded.
 *
 * <p>{@link org.servletbench.bench.server.Target} is the entry point. Every other class and subpackage has one concern.
 */
package org.servletbench.bench.server;
