package org.servletbench.bench.server.collector;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.zip.GZIPInputStream;

/**
 * Receives telemetry in OTLP over HTTP on a free loopback port, counts it, and discards it. It first prints its port.
 * Data posted below {@code /NAME/} is counted for this name. {@code GET /NAME} answers with the number of requests,
 * bytes and spans so far, separated by blanks.
 */
public final class CollectorMain {

    private static final int OK = 200;
    private static final int NOT_UNDERSTOOD = 400;
    private static final String TRACES = "/v1/traces";

    private final Map<String, Counts> counts = new ConcurrentHashMap<>();

    private CollectorMain() {}

    private static final class Counts {
        private final LongAdder requests = new LongAdder();
        private final LongAdder bytes = new LongAdder();
        private final LongAdder spans = new LongAdder();

        private String text() {
            return requests + " " + bytes + " " + spans;
        }
    }

    /** @param arguments no arguments */
    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", new CollectorMain()::answer);
        // An exporter must not wait for another one's export.
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
        System.out.println(server.getAddress().getPort());
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        Counts own = counts.computeIfAbsent(path.split("/", -1)[1], name -> new Counts());
        byte[] sent = exchange.getRequestBody().readAllBytes();
        if (exchange.getRequestMethod().equals("GET")) {
            byte[] text = own.text().getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(OK, text.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(text);
            }
            return;
        }
        own.requests.increment();
        own.bytes.add(sent.length);
        boolean understood = !path.endsWith(TRACES) || count(exchange, sent, own.spans);
        exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
        // An empty answer says that everything was accepted. Closing the exchange would close its connection.
        exchange.sendResponseHeaders(understood ? OK : NOT_UNDERSTOOD, -1);
    }

    private static boolean count(HttpExchange exchange, byte[] sent, LongAdder spans) throws IOException {
        try {
            boolean gzip = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            spans.add(Spans.count(gzip ? decompressed(sent) : sent));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static byte[] decompressed(byte[] sent) throws IOException {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(sent))) {
            return in.readAllBytes();
        }
    }
}
