package org.servletbench.bench.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.Leftovers;
import org.servletbench.bench.Mirror;
import org.servletbench.bench.Services;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.ServerRun;

/**
 * Tests one campaign as a service's team would run it: its own jar and the same jar with another container, a login
 * over TLS and HTTP/2, CPU profiles, the page, and the published pages. With it, {@code mvn verify} shows that all of
 * this works together; the full tests have a campaign for each part, with every case.
 */
class ServiceCampaignIT {

    private static final String COMPARISON = """
            question: Does the shop gain from Jetty?
            app: %s
            arms:
              tomcat: {protocol: h2}
              jetty: {container: jetty, protocol: h2}
            workloads:
              visits:
                requests:
                  - {label: form, url: /login, once: true, extract: {csrf: 'css("input[name=_csrf]", "value")'}}
                  - {label: login, url: /login, method: POST, headers: {Content-Type: application/x-www-form-urlencoded},
                     body: 'user=me&_csrf=${csrf}', expect: {status: 302}, once: true}
                  - {label: me, url: '/me?_csrf=${csrf}'}
                  - {label: lund, url: '/api/purchases?city=Lund'}
            load:
              - {workloads: visits, users: 5}
            """;

    @TempDir
    private Path work;

    @Test
    void aServiceFromItsJarToPublishedPages() throws Exception {
        Path comparison = Files.writeString(work.resolve("shop.yaml"), COMPARISON.formatted(Services.built("shop")));
        Path campaign = work.resolve("campaign");
        Path published = work.resolve("published");
        String said;
        try (Rig rig = new Rig(work)) {
            // Starting this service takes long on a busy machine.
            rig.set("load.properties", Map.of("target.start-timeout", "5m"));
            said = rig.start(
                            work,
                            "campaign.log",
                            "compare " + comparison + " --cpu-profile --hold 2s --blocks 2 --limit 0s"
                                    + " --set measure.warmup=500ms --set measure.rounds=1"
                                    + " --set measure.generator-warmup=1s" + rig.small() + " --out " + campaign)
                    .ends(0);
            Rig.start(
                            work.resolve("publish.log"),
                            Mirror.rig(work, List.of("publish", campaign.toString(), "--out", published.toString()))
                                    .command())
                    .ends(0);
        }

        CampaignFolder read = Rig.sound(campaign);
        assertThat(read.completeBlocks()).as(said).isEqualTo(2);
        List<ServerRun> servers =
                read.serverRuns().stream().filter(ServerRun::measured).toList();
        assertThat(servers)
                .hasSize(6)
                .extracting(server -> server.proven().get("container"))
                .containsOnly("tomcat", "jetty");
        assertThat(servers).allSatisfy(server -> {
            assertThat(server.proven())
                    .containsEntry("connection.protocol", "h2")
                    .hasEntrySatisfying("connection.tls", tls -> assertThat(tls).startsWith("TLSv1.3, TLS_"));
            assertThat(server.loads()).singleElement().satisfies(load -> {
                assertThat(load.requests()).isPositive();
                assertThat(load.errors())
                        .as("a user without its session is refused")
                        .isZero();
                assertThat(load.each()).extracting(one -> one.label()).containsExactlyInAnyOrder("me", "lund");
            });
        });
        assertThat(servers)
                .extracting(ServerRun::profile)
                .as("profiles; beside other tests a profiler may miss too much of one")
                .anySatisfy(profile -> assertThat(profile.layers()).containsKey("container"));
        assertThat(Files.readString(campaign.resolve("index.html")))
                .contains("Does the shop gain from Jetty?", "Where the CPU time goes");
        assertThat(published.resolve("campaign/index.html"))
                .content()
                .contains("Does the shop gain from Jetty?")
                .doesNotContain(work.toString());
        assertThat(Json.MAPPER
                        .readTree(published.resolve("campaign/entry.json").toFile())
                        .path("question")
                        .asText())
                .isEqualTo("Does the shop gain from Jetty?");
        Leftovers.awaitNone(work);
    }
}
