/**
 * Checks a running server against its specification: identity, connector, limits and answers. Includes the probe and
 * the CPU profiler.
 */
package org.servletbench.bench.server.proof;
