package org.servletbench.bench.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.report.Campaigns;

class OwnLimitsTest {

    @TempDir
    private Path folder;

    /** Compares the reports of two servers: one of the unchanged service, and one with its container swapped. */
    private String differing(Map<String, String> tomcat, Map<String, String> jetty, boolean own) throws IOException {
        Campaigns.write(folder, 1, "jetty", 1);
        CampaignFolder read = CampaignFolder.read(folder);
        List<Arm> arms = Stream.of("tomcat-nio", "jetty")
                .map(id -> own
                        ? ofService(read.campaign().arm(id))
                        : read.campaign().arm(id))
                .toList();
        List<ServerRun> servers = Stream.of(Map.entry("tomcat-nio", tomcat), Map.entry("jetty", jetty))
                .map(one -> proven(read, one.getKey(), one.getValue()))
                .toList();
        return OwnLimits.differing(arms, servers, read.campaign()).orElse("");
    }

    private static Arm ofService(Arm arm) {
        ObjectNode json = Json.MAPPER.valueToTree(arm);
        ((ObjectNode) json.get("spec")).put("app", "/srv/shop.jar");
        return Json.MAPPER.convertValue(json, Arm.class);
    }

    private static ServerRun proven(CampaignFolder read, String arm, Map<String, String> facts) {
        ObjectNode json = Json.MAPPER.valueToTree(read.serverRuns().stream()
                .filter(one -> one.arm().equals(arm))
                .findFirst()
                .orElseThrow());
        json.set("proven", Json.MAPPER.valueToTree(facts));
        return Json.MAPPER.convertValue(json, ServerRun.class);
    }

    @Test
    void aServicesOwnThreadsOfOneContainerAreSaid() throws IOException {
        Map<String, String> jetty =
                Map.of("effective.threads.max", "203", "effective.acceptors", "1", "effective.selectors", "2");
        assertThat(differing(Map.of("effective.threads.max", "50"), jetty, true))
                .endsWith("50, Jetty 200")
                .startsWith("Tomcat");
        assertThat(differing(Map.of("effective.threads.max", "200"), jetty, true))
                .isEmpty();
        assertThat(differing(Map.of("effective.threads.max", "50"), jetty, false))
                .as("of ours limits are asked for")
                .isEmpty();
        assertThat(differing(Map.of(), jetty, true)).as("not known").isEmpty();
    }
}
