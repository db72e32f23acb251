/** Checks a running server against its specification: identity, connector, limits and answers; with its probe and CPU profiler. */
package org.servletbench.bench.server.proof;
