package org.servletbench.bench.server.http;

import java.io.IOException;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The cookies that one user keeps of one server: those of another host are not taken. Not thread-safe. */
public final class Cookies {
    private static final String SET = "set-cookie:";

    private final URI server;
    private final CookieManager kept = new CookieManager(null, CookiePolicy.ACCEPT_ORIGINAL_SERVER);
    private boolean isEmpty = true;

    public Cookies(URI server) {
        this.server = server;
    }

    boolean isEmpty() {
        return isEmpty;
    }

    /** What goes into the request: {@code Cookie} with its value; empty where there is none for this path. */
    Map<String, String> of(String path) throws IOException {
        List<String> values = kept.get(server.resolve(path), Map.of()).getOrDefault("Cookie", List.of());
        return values.isEmpty() ? Map.of() : Map.of("Cookie", String.join("; ", values));
    }

    /** Keeps what an answer sets. */
    void keep(String path, HttpWire.Answer answer) throws IOException {
        List<String> set = new ArrayList<>();
        for (String line : answer.headers()) {
            if (line.regionMatches(true, 0, SET, 0, SET.length())) {
                set.add(line.substring(SET.length()).strip());
            }
        }
        if (!set.isEmpty()) {
            isEmpty = false;
            kept.put(server.resolve(path), Map.of("Set-Cookie", set));
        }
    }
}
