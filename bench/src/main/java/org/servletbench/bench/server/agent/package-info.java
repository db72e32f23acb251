/**
 * The agent inside the server's JVM. Plain Java without dependencies, loaded when the server is ready, so that neither
 * start-up nor the start-up metrics see it.
 */
package org.servletbench.bench.server.agent;
