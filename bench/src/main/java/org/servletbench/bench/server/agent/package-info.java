/**
 * The agent inside the server's JVM. It is plain Java without dependencies, and is loaded when the server is ready, so
 * that it affects neither the start-up nor its metrics.
 */
package org.servletbench.bench.server.agent;
