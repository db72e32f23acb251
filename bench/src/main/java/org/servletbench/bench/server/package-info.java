/**
 * Starts, proves, watches and stops the server under test.
 *
 * <p>{@link org.servletbench.bench.server.Target} is the way in; everything else is one concern each.
 */
package org.servletbench.bench.server;
