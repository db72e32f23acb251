package org.servletbench.bench.server.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.servletbench.bench.model.Protocol;
import org.servletbench.bench.model.RequestSpec;

/**
 * HTTP as far as a workload needs it. All of servlet-bench's connections to servers are opened here. They use TLS if
 * the address says https, and then HTTP/2 if the server chooses it, as with a browser or Gatling.
 */
public final class HttpWire {

    private static final int LONGEST_HEAD = 64 << 10;
    private static final int CHECK_MILLIS = 5_000;
    private static final String H2 = "h2";
    private static final String HTTP_1 = "http/1.1";

    /** Key in a server's record: {@code https} or {@code h2}, as {@link Protocol#key}. */
    public static final String PROTOCOL = "connection.protocol";

    private HttpWire() {}

    /**
     * One answer.
     *
     * @param headers the raw lines between status line and body
     * @param body bytes of the body, with chunks joined
     */
    public record Answer(int status, List<String> headers, byte[] body) {

        /** Returns this answer with its body decompressed. */
        public Answer decoded() throws IOException {
            if (headers.stream().noneMatch(line -> line.toLowerCase(Locale.ROOT).matches("content-encoding: *gzip"))) {
                return this;
            }
            try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
                return new Answer(status, headers, in.readAllBytes());
            }
        }

        /** Returns the value of its first header with this name; null if there is none. */
        public String header(String name) {
            return headers.stream()
                    .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .findFirst()
                    .orElse(null);
        }

        /** Returns its body as UTF-8. */
        public String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        /** True if the server keeps the connection open. */
        public boolean staysOpen() {
            return headers.stream().noneMatch(line -> line.equalsIgnoreCase("connection: close"));
        }
    }

    /**
     * One request, ready to be sent.
     *
     * @param headers all headers
     * @param bytes the complete request in HTTP/1.1
     */
    public record Request(String method, String path, Map<String, String> headers, byte[] body, byte[] bytes) {}

    /** A connection that sends one request after the other. */
    public static final class Connection implements Closeable {

        private final Socket socket;
        private final InputStream in;
        private final Http2 http2;

        private Connection(Socket socket) throws IOException {
            this.socket = socket;
            in = new BufferedInputStream(socket.getInputStream(), 16 << 10);
            http2 = alpn().equals(H2) ? new Http2(in, socket.getOutputStream()) : null;
        }

        /** Returns the protocol that the server chose; empty if it chose none. */
        private String alpn() {
            return socket instanceof SSLSocket tls && tls.getApplicationProtocol() != null
                    ? tls.getApplicationProtocol()
                    : "";
        }

        public void send(Request request) throws IOException {
            if (http2 == null) {
                socket.getOutputStream().write(request.bytes());
            } else {
                http2.send(request);
            }
        }

        public Answer read() throws IOException {
            return http2 == null ? HttpWire.read(in) : http2.read();
        }

        public Answer ask(Request request) throws IOException {
            send(request);
            return read();
        }

        /** Sets the time within which each answer must come, ms. */
        public void patience(int millis) throws IOException {
            socket.setSoTimeout(millis);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** Opens a connection to the server. The connection, and each answer on it, must come within the timeout. */
    public static Connection connect(URI server, int timeoutMillis) throws IOException {
        return connect(server, timeoutMillis, H2, HTTP_1);
    }

    /** Opens a connection with HTTP/1.1, which every server speaks. TLS is negotiated with the first request. */
    public static Connection connectPlainly(URI server, int timeoutMillis) throws IOException {
        return connect(server, timeoutMillis, HTTP_1);
    }

    private static Connection connect(URI server, int timeoutMillis, String... protocols) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setSoTimeout(timeoutMillis);
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), timeoutMillis);
            if (server.getScheme().equals("https")) {
                SSLSocket tls = (SSLSocket) Tls.CLIENT.createSocket(socket, server.getHost(), server.getPort(), true);
                socket = tls;
                SSLParameters parameters = tls.getSSLParameters();
                parameters.setApplicationProtocols(protocols);
                tls.setSSLParameters(parameters);
                if (protocols.length > 1) {
                    tls.startHandshake();
                }
            }
            return new Connection(socket);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Returns the protocol negotiated on a connection that offers both HTTP/1.1 and HTTP/2, after it has answered one
     * request.
     *
     * @return facts for the server's record
     */
    public static Map<String, String> facts(URI server, String path) throws IOException {
        try (Connection connection = connect(server, CHECK_MILLIS)) {
            connection.ask(request(server, path));
            String alpn = connection.alpn();
            SSLSession session = ((SSLSocket) connection.socket).getSession();
            return Map.of(
                    PROTOCOL,
                    connection.http2 == null ? Protocol.HTTPS.key() : Protocol.H2.key(),
                    "connection.alpn",
                    alpn.isEmpty() ? "none" : alpn,
                    "connection.tls",
                    session.getProtocol() + ", " + session.getCipherSuite());
        }
    }

    /** True if the server speaks TLS on its port, regardless of the scheme of its address. */
    public static boolean speaksTls(URI server) {
        try (Connection connection =
                connect(URI.create(server.toString().replaceFirst("^http:", "https:")), CHECK_MILLIS)) {
            return connection.socket instanceof SSLSocket;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the status code of the answer to one GET, which must come within 5 s. */
    public static int status(URI server, String path) throws IOException {
        return head(server, path).status();
    }

    /** Returns the answer to one GET, without its body. */
    public static Answer head(URI server, String path) throws IOException {
        try (Connection connection = connectPlainly(server, CHECK_MILLIS)) {
            connection.send(request(server, path));
            return head(connection.in);
        }
    }

    public static Request request(URI server, String path) {
        return request(server, path, RequestSpec.GET);
    }

    /** Returns the first of a workload's requests. */
    public static Request request(URI server, String path, RequestSpec sending) {
        return request(server, sending.path(path, 0), sending.filled(0), Map.of());
    }

    /** Returns a complete request, with additional headers. */
    static Request request(URI server, String path, RequestSpec sending, Map<String, String> more) {
        byte[] body = sending.body().getBytes(StandardCharsets.UTF_8);
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(Map.of("User-Agent", "servlet-bench", "Accept", "*/*"));
        headers.putAll(more);
        headers.putAll(sending.headers());
        headers.put("Host", server.getHost() + ":" + server.getPort());
        if (sending.changesState()) {
            headers.put("Content-Length", Integer.toString(body.length));
        }
        StringBuilder head = new StringBuilder(sending.method() + " " + path + " HTTP/1.1\r\n");
        headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
        request.writeBytes(body);
        return new Request(sending.method(), path, headers, body, request.toByteArray());
    }

    /** Reads one answer. */
    public static Answer read(InputStream in) throws IOException {
        Answer head = head(in);
        long length = -1;
        boolean chunked = false;
        for (String line : head.headers) {
            if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
                length = number(line.substring(15).strip(), 10);
            } else if (line.regionMatches(true, 0, "transfer-encoding:", 0, 18)) {
                chunked = line.substring(18).strip().equalsIgnoreCase("chunked");
            }
        }
        boolean none = head.status == 204 || head.status == 304;
        byte[] body = none ? new byte[0] : chunked ? chunks(in) : length >= 0 ? exactly(in, length) : in.readAllBytes();
        return new Answer(head.status, head.headers, body);
    }

    private static Answer head(InputStream in) throws IOException {
        String[] status = line(in).split(" ", 3);
        if (status.length < 2 || !status[0].startsWith("HTTP/1.") || !status[1].matches("\\d{3}")) {
            throw new IOException("the answer is not HTTP");
        }
        List<String> headers = new ArrayList<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            headers.add(line);
        }
        return new Answer(Integer.parseInt(status[1]), headers, new byte[0]);
    }

    private static byte[] chunks(InputStream in) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            String head = line(in);
            long length = number(head.split(";")[0].strip(), 16);
            body.writeBytes(exactly(in, length));
            line(in);
            if (length == 0) {
                return body.toByteArray();
            }
        }
    }

    private static long number(String text, int radix) throws IOException {
        try {
            return Long.parseLong(text, radix);
        } catch (NumberFormatException e) {
            throw new IOException("the answer has a length that is not a number");
        }
    }

    static byte[] exactly(InputStream in, long length) throws IOException {
        byte[] bytes = in.readNBytes((int) Math.min(length, Integer.MAX_VALUE - 8));
        if (bytes.length < length) {
            throw new IOException("the body ended after " + bytes.length + " of " + length + " bytes");
        }
        return bytes;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder(64);
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0 || line.length() > LONGEST_HEAD) {
                throw new IOException("the connection was closed in the middle of an answer");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }
}
