/**
 * The load generators: each knows its command line and its log format, and nothing of how a server is started. Raw logs
 * are read in one pass, in constant memory and without an object per request.
 */
package org.servletbench.bench.load;
