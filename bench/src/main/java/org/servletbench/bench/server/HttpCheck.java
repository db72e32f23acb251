package org.servletbench.bench.server;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** One plain GET, to see whether a server answers. */
public final class HttpCheck {

    private static final int TIMEOUT_MILLIS = (int) Duration.ofSeconds(5).toMillis();

    private HttpCheck() {}

    /**
     * An answer.
     *
     * @param status its code
     * @param server what its header {@code Server} says; empty without one
     */
    record Answer(int status, String server) {}

    /** The status code of the answer, which must come within 5 s. */
    public static int status(URI url) throws IOException {
        return get(url).status();
    }

    /** The answer, which must come within 5 s. */
    static Answer get(URI url) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) url.toURL().openConnection(Proxy.NO_PROXY);
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        connection.setInstanceFollowRedirects(false);
        connection.setRequestProperty("Connection", "close");
        try {
            return new Answer(
                    connection.getResponseCode(),
                    Optional.ofNullable(connection.getHeaderField("Server")).orElse(""));
        } finally {
            connection.disconnect();
        }
    }
}
