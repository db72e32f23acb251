package org.servletbench.bench.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.servletbench.bench.Leftovers;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.ServerRun;

/** Tests servers with TLS and HTTP/2, under Gatling. Their own access logs show which protocol each client used. */
@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
class ProtocolsIT {

    private static final String ACCESS_LOG = "server.properties.server.tomcat.accesslog.";
    /** With one connection per request there would be thousands. */
    private static final int MOST_CONNECTIONS = 400;

    @TempDir
    Path work;

    @Test
    void eachArmIsLoadedInItsOwnProtocol() throws Exception {
        Path campaign = work.resolve("protocols");
        String said;
        try (Rig rig = new Rig(work)) {
            said = rig.start(
                            work,
                            "protocols.log",
                            "compare protocols --users 5 --hold 2s --blocks 2 --limit 0s --set measure.rounds=1"
                                    + " --set measure.warmup=500ms --set measure.generator-warmup=1s --set stop.seed=42"
                                    + " --set arms={'https':{'container':tomcat-nio,'protocol':https},"
                                    + "'h2':{'container':tomcat-nio,'protocol':h2}}"
                                    + " --set server.properties.server.tomcat.basedir=."
                                    + " --set " + ACCESS_LOG + "enabled=true --set " + ACCESS_LOG
                                    + "pattern='%U|%H|%{remote}p'"
                                    + rig.small() + " --out " + campaign)
                    .ends(0, 1, 3);
        }
        CampaignFolder read = Rig.sound(campaign);
        assertThat(read.completeBlocks()).as(said).isEqualTo(2);
        assertThat(said).contains("h2 differs from https in the protocol (h2, not https)");
        assertThat(Files.readString(campaign.resolve("index.html"))).contains("connection.alpn h2, ");
        for (ServerRun server : read.serverRuns()) {
            boolean h2 = server.arm().equals("h2");
            assertThat(server.proven())
                    .containsEntry("connection.protocol", h2 ? "h2" : "https")
                    .containsEntry("connection.alpn", h2 ? "h2" : "none")
                    .hasEntrySatisfying("connection.tls", tls -> assertThat(tls).startsWith("TLSv1.3, TLS_"));
            assertThat(server.loads()).singleElement().satisfies(load -> {
                assertThat(load.requests()).isGreaterThan(100);
                assertThat(load.errors()).isZero();
            });
            List<String> served = served(campaign.resolve(read.folder(server)));
            assertThat(served)
                    .hasSizeGreaterThan(100)
                    .allMatch(line -> line.startsWith(h2 ? "/hello|HTTP/2.0|" : "/hello|HTTP/1.1|"));
            assertThat(served.stream().distinct()).as("connections").hasSizeLessThan(MOST_CONNECTIONS);
            assertThat(Rig.isThere(campaign.resolve(read.folder(server)), "server.p12"))
                    .as("keys that stay")
                    .isFalse();
        }
        Leftovers.awaitNone(work);
    }

    /** Returns a line for each request of the workload. */
    private static List<String> served(Path server) throws IOException {
        try (Stream<Path> files = Files.list(server.resolve("logs"))) {
            return Files.readAllLines(files.findFirst().orElseThrow()).stream()
                    .filter(line -> line.startsWith("/hello|"))
                    .toList();
        }
    }
}
