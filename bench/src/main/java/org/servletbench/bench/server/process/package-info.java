/**
 * Starts and stops servers as processes that end with servlet-bench: Spring Boot jars with their JDK and class
 * archives, and nginx.
 */
package org.servletbench.bench.server.process;
