/** Starts a server from its jar, and stops it. */
package org.servletbench.bench.server.process;
