package org.servletbench.jmeter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.ToolWatch;
import org.servletbench.bench.load.jmeter.JMeterHosts;
import org.servletbench.bench.load.jmeter.JMeterPlan;
import org.servletbench.bench.load.jmeter.JMeterRun;

/** Tests of a third-party plan in JMeter itself. Its load stays at the server; 127.0.0.9 stands for another machine. */
@Tag("full")
class OwnPlanTest {

    @TempDir
    Path folder;

    private final AtomicInteger elsewhere = new AtomicInteger();

    private static HttpServer server(String address) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName(address), 0), 100);
        server.start();
        return server;
    }

    private static URI url(HttpServer server) {
        return URI.create("http://" + server.getAddress().getAddress().getHostAddress() + ":"
                + server.getAddress().getPort());
    }

    private static void answer(
            HttpServer server, String path, int code, String location, String body, Runnable reported) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        server.createContext(path, exchange -> {
            reported.run();
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().add("Content-Type", "text/html");
            if (!location.isEmpty()) {
                exchange.getResponseHeaders().add("Location", location);
            }
            exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
            if (bytes.length > 0) {
                exchange.getResponseBody().write(bytes);
            }
            exchange.close();
        });
    }

    private void run(HttpServer server, String plan, String name, Map<String, String> given) throws IOException {
        Path file = Files.writeString(folder.resolve(name + ".jmx"), plan);
        Path results = Files.createDirectories(folder.resolve(name));
        JMeterRun.Server reported = new JMeterRun.Server(
                url(server), "a server", ToolWatch.NOBODY, OptionalInt::empty, Optional::empty, Optional.empty());
        new JMeterRun(Rig.jmeter(given), Rig.load(Map.of()), new JMeterHosts(List.of()), reported, results, line -> {})
                .run(JMeterPlan.own(file, Rig.load(Map.of())), Rig.asked(given).planTargets());
    }

    private static String hello(String path) throws IOException {
        return Files.readString(Rig.MODULE.resolve("hello.jmx"))
                .replace("${__P(users,100)}", "2")
                .replace("${__P(loops,10)}", "3")
                .replaceAll("(?s)<ResponseAssertion.*?</ResponseAssertion>\\s*<hashTree/>", "")
                .replaceAll("(?s)<SizeAssertion.*?</SizeAssertion>\\s*<hashTree/>", "")
                .replaceAll("(name=\"HTTPSampler.follow_redirects\">)[a-z]+", "$1true")
                .replace("${__P(hello.path,/hello)}", path);
    }

    @Test
    void loadLeavesNeitherByRedirectNorByResourceNorByProperty() throws Exception {
        HttpServer server = server("127.0.0.1");
        HttpServer other = server("127.0.0.9");
        try {
            answer(other, "/", 200, "", "here", elsewhere::incrementAndGet);
            answer(server, "/away", 302, url(other) + "/x", "", () -> {});
            answer(server, "/page", 200, "", "<html><img src=\"" + url(other) + "/x.png\"/></html>", () -> {});
            answer(server, "/", 200, "", "12345", () -> {});

            assertRefused(server, hello("/away"), "redirect");
            assertRefused(server, hello("/page").replace("image_parser\">false", "image_parser\">true"), "resource");
            assertRefused(server, hello("${__P(elsewhere," + url(other) + "/)}"), "property");
            assertThat(elsewhere).hasValue(0);

            run(server, hello("/fine"), "fine", Map.of());
            String named = url(other).getHost() + ":" + url(other).getPort();
            run(server, hello("/away"), "named", Map.of("jmeter.plan", "x.jmx", "jmeter.plan.hosts", named));
            assertThat(elsewhere).hasValue(6);
        } finally {
            server.stop(0);
            other.stop(0);
        }
    }

    private void assertRefused(HttpServer server, String plan, String name) {
        assertThatThrownBy(() -> run(server, plan, name, Map.of()))
                .as(name)
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("failed")
                .hasMessageNotContaining("\n");
        assertThat(elsewhere).as(name).hasValue(0);
    }
}
