/** The servlet container of a finished Spring Boot jar, exchanged for another one. */
package org.servletbench.bench.server.exchange;
