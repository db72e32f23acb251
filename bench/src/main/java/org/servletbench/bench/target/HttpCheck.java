package org.servletbench.bench.target;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.time.Duration;

/** One plain GET, to see whether a server answers. */
final class HttpCheck {

    private static final int TIMEOUT_MILLIS = (int) Duration.ofSeconds(5).toMillis();

    private HttpCheck() {}

    /**
     * The status code of the answer.
     *
     * @throws IOException if there is none within 5 s
     */
    static int status(URI url) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) url.toURL().openConnection(Proxy.NO_PROXY);
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        connection.setInstanceFollowRedirects(false);
        connection.setRequestProperty("Connection", "close");
        try {
            return connection.getResponseCode();
        } finally {
            connection.disconnect();
        }
    }
}
