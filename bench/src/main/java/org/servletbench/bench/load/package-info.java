/** The load generators: each knows its command line and its log format, and nothing of how a server is started. */
package org.servletbench.bench.load;
