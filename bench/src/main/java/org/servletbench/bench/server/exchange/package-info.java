/** Reads a finished Spring Boot jar, and replaces its servlet container by another one. */
package org.servletbench.bench.server.exchange;
