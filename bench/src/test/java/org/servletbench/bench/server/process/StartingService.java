package org.servletbench.bench.server.process;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.stream.Stream;

/**
 * A service with an open port that reports for the first {@code --requests=N} requests that it is starting. With
 * {@code -Dopens=ADDRESS}, it listens only at that address instead, on any free port. With {@code -Dlacks=true}, it
 * ends because a port that it does not name is in use.
 */
public final class StartingService {

    private StartingService() {}

    public static void main(String[] args) throws IOException {
        if (System.getProperty("lacks") != null) {
            throw new BindException("Address already in use");
        }
        if (System.getProperty("opens") != null) {
            HttpServer.create(new InetSocketAddress(System.getProperty("opens"), 0), 0)
                    .start();
            return;
        }
        System.out.println(System.getenv("SPRING_APPLICATION_JSON"));
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
