package org.servletbench.bench.model;

import java.util.Locale;

/** What a server speaks with those who load it. */
public enum Protocol {
    /** HTTP/1.1. */
    HTTP,
    /** HTTP/1.1 over TLS. */
    HTTPS,
    /** HTTP/2 over TLS, chosen by ALPN. HTTP/2 without TLS is none: no generator here speaks it. */
    H2;

    /** {@code http}, {@code https} or {@code h2}, as in files and records. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Of a server's address. */
    public String scheme() {
        return isSecure() ? "https" : "http";
    }

    /** Whether it is over TLS. */
    public boolean isSecure() {
        return this != HTTP;
    }
}
