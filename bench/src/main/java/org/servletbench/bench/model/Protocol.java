package org.servletbench.bench.model;

import java.util.Locale;

/** Protocols between a server and its load generator. */
public enum Protocol {
    /** HTTP/1.1. */
    HTTP,
    /** HTTP/1.1 over TLS. */
    HTTPS,
    /**
     * HTTP/2 over TLS, negotiated by ALPN. HTTP/2 without TLS is not supported, because none of our generators speaks
     * it.
     */
    H2;

    /** Returns {@code http}, {@code https} or {@code h2}, as in files and records. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the scheme of a server's address. */
    public String scheme() {
        return isSecure() ? "https" : "http";
    }

    /** True if it runs over TLS. */
    public boolean isSecure() {
        return this != HTTP;
    }
}
