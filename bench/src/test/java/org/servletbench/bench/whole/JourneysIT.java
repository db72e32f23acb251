package org.servletbench.bench.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.Leftovers;
import org.servletbench.bench.Services;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.ServerRun;

/**
 * The only test of a user's own service whose users log in by a form and keep their sessions, and of requests that
 * create unique things. The service counts them itself.
 */
@Tag("full")
class JourneysIT {
    private static final Pattern COUNTS = Pattern.compile("counts: (\\d+) sessions, (\\d+) guests, (\\d+) strangers");

    @TempDir
    private Path work;

    @Test
    void everyUserKeepsItsSessionAndEveryServerGetsTheSame() throws Exception {
        String login = """
                      - {label: form, url: /login, once: true, extract: {csrf: 'css("input[name=_csrf]", "value")'}}
                      - {label: login, url: /login, method: POST, headers: {Content-Type: application/x-www-form-urlencoded},
                         body: 'user=me&_csrf=${csrf}', expect: {status: 302}, once: true}
                """;
        Path comparison =
                Files.writeString(work.resolve("journeys.yaml"), """
                app: %s
                arms:
                  jetty: {container: jetty}
                workloads:
                  visits:
                    requests:
                %s      - {label: me, url: '/me?_csrf=${csrf}'}
                      - {label: lund, url: '/api/purchases?city=Lund'}
                  signs:
                    requests:
                %s      - {label: sign, url: '/guests?_csrf=${csrf}', method: POST,
                         headers: {Content-Type: application/x-www-form-urlencoded},
                         body: 'name=guest-${sequence}', expect: {status: 201}}
                load:
                  - {workloads: visits, users: 5}
                  - {workloads: signs, rates: 40}
                """.formatted(Services.built("shop"), login, login));
        Path campaign = work.resolve("campaign");
        String said;
        try (Rig rig = new Rig(work)) {
            rig.set("load.properties", Map.of("target.start-timeout", "5m"));
            said = rig.start(
                            work,
                            "campaign.log",
                            "compare " + comparison + " --hold 2s --blocks 2 --limit 0s --set measure.warmup=500ms"
                                    + " --set measure.rounds=2 --set measure.slice=250ms"
                                    + " --set measure.generator-warmup=1s" + rig.small() + " --out " + campaign)
                    .ends(0, 1);
        }
        CampaignFolder read = Rig.sound(campaign);
        assertThat(read.completeBlocks()).as(said).isEqualTo(2);
        assertThat(said).doesNotContain("sizes of answers were not compared");
        Map<Integer, Map<String, Long>> guests = new HashMap<>();
        for (ServerRun server : read.serverRuns()) {
            assertThat(server.loads()).hasSize(2).allSatisfy(load -> {
                assertThat(load.requests()).as(server.arm() + load.load()).isPositive();
                assertThat(load.errors())
                        .as("a user without its session is refused")
                        .isZero();
                assertThat(load.warnings())
                        .extracting(Warning::kind)
                        .doesNotContain(WarningKind.COOKIES_LOST, WarningKind.UNEQUAL_ANSWERS);
            });
            assertThat(server.loads().stream()
                            .filter(load -> load.load().workload().equals("visits"))
                            .flatMap(load -> load.each().stream()))
                    .extracting(one -> one.label())
                    .containsExactlyInAnyOrder("lund", "me");
            Matcher counts = counts(campaign.resolve(read.folder(server)));
            assertThat(counts.group(3)).as("strangers").isEqualTo("0");
            assertThat(Long.parseLong(counts.group(1))).as("sessions").isPositive();
            guests.computeIfAbsent(server.block(), none -> new HashMap<>())
                    .put(server.arm(), Long.parseLong(counts.group(2)));
        }
        assertThat(guests.values()).hasSize(2).allSatisfy(block -> {
            assertThat(new TreeSet<>(block.values())).as("%s", block).hasSize(1);
            assertThat(block.values()).allMatch(count -> count > 40);
        });
        Leftovers.awaitNone(work);
    }

    private static Matcher counts(Path server) throws IOException {
        String log = Files.readString(server.resolve("server.log"));
        Matcher found = COUNTS.matcher(log);
        assertThat(found.find()).as(log).isTrue();
        return found;
    }
}
