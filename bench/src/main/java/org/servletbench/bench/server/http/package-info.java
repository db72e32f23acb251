/** A client for HTTP/1.1, HTTPS and HTTP/2 that shows what was on the wire. */
package org.servletbench.bench.server.http;
