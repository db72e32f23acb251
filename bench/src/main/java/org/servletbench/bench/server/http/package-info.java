/**
 * A client for HTTP/1.1, HTTPS and HTTP/2 that exposes the bytes on the wire, with cookies, TLS and the light load of a
 * warm-up.
 */
package org.servletbench.bench.server.http;
