package org.servletbench.bench.server.process;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.stream.Stream;

/** A service whose port is open and that says for so many requests that it starts: {@code --requests=N}. */
public final class StartingService {

    private StartingService() {}

    public static void main(String[] args) throws IOException {
        int[] left = {Integer.parseInt(value("requests", args))};
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(value("server.port", args))),
                0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(left[0]-- > 0 ? 503 : 200, -1);
            exchange.close();
        });
        server.start();
    }

    private static String value(String name, String... args) {
        return Stream.of(args)
                .filter(arg -> arg.startsWith("--" + name + "="))
                .map(arg -> arg.substring(name.length() + 3))
                .findFirst()
                .orElse(System.getProperty(name));
    }
}
