package org.servletbench.bench.whole;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** The workload {@code hello} on the JDK's own HTTP server, as a JVM server without a framework. */
public final class PlainServer {

    private PlainServer() {}

    /** @param arguments its address and port */
    public static void main(String[] arguments) throws IOException {
        byte[] body = "world".getBytes(StandardCharsets.US_ASCII);
        HttpServer server = HttpServer.create(new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])), 100);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.createContext("/hello", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/plain;charset=UTF-8");
            exchange.sendResponseHeaders(200, body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
        server.start();
    }
}
