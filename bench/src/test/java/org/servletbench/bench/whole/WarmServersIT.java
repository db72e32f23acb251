package org.servletbench.bench.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.Leftovers;
import org.servletbench.bench.Services;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.Verdict;

/**
 * The only test of a user's own service with much to compile (Spring Boot, JPA, H2), under a workload of its own, whose
 * servers are not warm. They must have a warning, and take no part in a verdict.
 */
@Tag("full")
class WarmServersIT {

    /** The same limit as that of the warning {@code compiling} for servers: 3 %. */
    private static final double MOST_COMPILING = 0.03;

    @TempDir
    private Path work;

    @Test
    void noVerdictRestsOnServersThatWereNotWarm() throws Exception {
        Path comparison = Files.writeString(work.resolve("shop.yaml"), """
                app: %s
                arms:
                  shop: {}
                  jetty: {container: jetty}
                workloads:
                  list: {url: "/api/purchases?city=Lund", length: 1000..20000}
                load:
                  - {workloads: list, users: 20}
                """.formatted(Services.built("shop")));
        Path jvm = Files.writeString(work.resolve("shop.options"), "-Xmx512m\n-XX:+UseSerialGC\n");
        Path campaign = work.resolve("campaign");
        try (Rig rig = new Rig(work)) {
            // Starting this service takes long on a busy machine.
            rig.set("load.properties", Map.of("target.start-timeout", "5m"));
            // A warm-up of one burst, which is too short to show that a server is warm.
            rig.start(
                            work,
                            "campaign.log",
                            "compare " + comparison + " --generators wrk --hold 2s --blocks 2 --limit 0s"
                                    + " --set measure.warmup=1s --set measure.rounds=1 --set measure.jvm-options=" + jvm
                                    + " --out " + campaign)
                    .ends(0);
        }
        CampaignFolder read = Rig.sound(campaign);
        List<ServerRun> servers =
                read.serverRuns().stream().filter(ServerRun::measured).toList();
        assertThat(servers).hasSize(6);
        assertKept(servers);
        Analysis judged = Analysis.of(read.campaign(), read.serverRuns());
        assertThat(servers).allSatisfy(server -> {
            assertThat(server.warmUp().settled()).isFalse();
            assertThat(server.loads()).singleElement().satisfies(load -> {
                assertThat(load.requests()).isPositive();
                assertThat(load.errors()).isZero();
                assertThat(judged.isCold(server, load)).isTrue();
                assertThat(compiling(load) > MOST_COMPILING)
                        .as("%s: %s, %s", server.arm(), load.figures(), load.warnings())
                        .isEqualTo(
                                load.warnings().stream().anyMatch(warning -> warning.kind() == WarningKind.COMPILING));
            });
        });
        List<PairVerdict> drawn = judged.family().controls();
        assertThat(drawn).isNotEmpty();
        assertThat(drawn).extracting(PairVerdict::verdict).containsOnly(Verdict.INCONCLUSIVE);
        Leftovers.awaitNone(work);
    }

    /**
     * The service's management port is fixed, so that no two could start without servlet-bench. Its threads are its
     * own, and its container is the arm's.
     */
    private static void assertKept(List<ServerRun> servers) {
        assertThat(servers)
                .extracting(one ->
                        one.proven().get("container") + " " + one.proven().get("effective.threads.max"))
                .containsOnly("tomcat 50", "jetty 202");
    }

    private static double compiling(LoadFigures result) {
        return result.figure(Metric.COMPILER).orElseThrow() / 100;
    }
}
