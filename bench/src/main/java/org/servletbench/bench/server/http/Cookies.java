package org.servletbench.bench.server.http;

import java.net.CookieManager;
import java.net.CookieStore;
import java.net.HttpCookie;
import java.net.URI;
import java.util.Map;
import java.util.stream.Collectors;

/** The cookies that one user keeps for one server. Cookies of other hosts are rejected. Not thread-safe. */
public final class Cookies {
    private static final String SET = "set-cookie:";

    private final URI server;
    private final CookieStore kept = new CookieManager().getCookieStore();
    private boolean isEmpty = true;

    public Cookies(URI server) {
        this.server = server;
    }

    boolean isEmpty() {
        return isEmpty;
    }

    /**
     * Returns the header of a request: {@code Cookie} with names and values as the server wrote them; empty if there
     * are none for this path. The JDK's own manager would write cookies with a Max-Age in the form of RFC 2965, which
     * no server expects.
     */
    Map<String, String> of(String path) {
        String plain = path.replaceFirst("[?#].*", "");
        String cookies = kept.get(server).stream()
                .filter(cookie -> isBelow(plain, cookie.getPath()))
                .map(cookie -> cookie.getName() + "=" + cookie.getValue())
                .collect(Collectors.joining("; "));
        return cookies.isEmpty() ? Map.of() : Map.of("Cookie", cookies);
    }

    /** True if a path matches that of a cookie, as in RFC 6265, 5.1.4. */
    private static boolean isBelow(String path, String of) {
        return path.equals(of) || path.startsWith(of) && (of.endsWith("/") || path.charAt(of.length()) == '/');
    }

    /** Keeps the cookies that an answer sets. */
    void keep(String path, HttpWire.Answer answer) {
        for (String line : answer.headers()) {
            if (line.regionMatches(true, 0, SET, 0, SET.length())) {
                keep(path, line.substring(SET.length()).strip());
            }
        }
    }

    private void keep(String path, String text) {
        try {
            for (HttpCookie cookie : HttpCookie.parse(text)) {
                if (cookie.getDomain() != null && !cookie.getDomain().equals(server.getHost())) {
                    continue;
                }
                cookie.setDomain(null);
                if (cookie.getPath() == null || !cookie.getPath().startsWith("/")) {
                    String plain = path.replaceFirst("[?#].*", "");
                    cookie.setPath(plain.substring(0, Math.max(1, plain.lastIndexOf('/'))));
                }
                kept.add(server, cookie);
                isEmpty = false;
            }
        } catch (IllegalArgumentException e) {
            // The cookie is invalid; browsers reject it, too.
        }
    }
}
