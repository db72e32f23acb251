/**
 * Load generators. Each knows its command line and its log format, but not how a server is started. Raw logs are
 * streamed in one pass (with time slices in two), in constant memory and without an object per request.
 */
package org.servletbench.bench.load;
