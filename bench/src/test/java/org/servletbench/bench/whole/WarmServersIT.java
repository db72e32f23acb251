package org.servletbench.bench.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.Leftovers;
import org.servletbench.bench.Mirror;
import org.servletbench.bench.Services;
import org.servletbench.bench.model.Mark;
import org.servletbench.bench.model.MarkKind;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Invocation;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.Verdict;

/**
 * A service with much to compile (Spring Boot, JPA, H2), measured with the warm-up that nobody asked for: either its servers are
 * warm, or they have no part in a verdict.
 */
class WarmServersIT {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();

    /** As the servers' own limit of the mark {@code compiling}: 3 %. */
    private static final double MOST_COMPILING = 0.03;

    @TempDir
    private Path work;

    @Test
    void noVerdictRestsOnServersThatWereNotWarm() throws Exception {
        Path comparison = Files.writeString(work.resolve("shop.yaml"), """
                arms:
                  shop: {app: %s}
                workloads:
                  list: {url: "/api/purchases?city=Lund", length: 1000..20000}
                load:
                  - {workloads: list, tiers: 20}
                """.formatted(Services.built("shop")));
        Path jvm = Files.writeString(work.resolve("small.options"), "-Xms512m\n-Xmx512m\n");
        // A start of this service on a busy machine.
        Path root = Mirror.of(ROOT, work.resolve("root"));
        Mirror.set(root, "load.properties", Map.of("target.start-timeout", "5m"));
        Path campaign = work.resolve("campaign");
        Path log = work.resolve("campaign.log");
        Process running = Mirror.rig(
                        work,
                        List.of(
                                "compare",
                                comparison.toString(),
                                "--root",
                                root.toString(),
                                "--set",
                                "measure.jvm-options=" + jvm,
                                "--hold",
                                "4s",
                                "--blocks",
                                "2",
                                "--out",
                                campaign.toString()))
                .redirectOutput(log.toFile())
                .start();
        boolean ended = running.waitFor(20, TimeUnit.MINUTES);
        Mirror.unlink(root);
        assertThat(ended).isTrue();
        String said = Files.readString(log);
        assertThat(Mirror.exitCode(running, said)).as(said).isZero();

        CampaignFolder read = CampaignFolder.read(campaign);
        List<Invocation> servers =
                read.invocations().stream().filter(Invocation::measured).toList();
        assertThat(servers).hasSize(4);
        assertThat(servers).allSatisfy(server -> {
            // With the limit that is enough for hello none had more than 12 bursts.
            assertThat(server.warmUp().settled() || server.warmUp().rates().size() > 50)
                    .isTrue();
            assertThat(server.cells()).singleElement().satisfies(cell -> assertThat(compiling(cell) > MOST_COMPILING)
                    .as("%s: %s, %s", server.arm(), cell.figures(), cell.marks())
                    .isEqualTo(cell.marks().stream().anyMatch(mark -> mark.kind() == MarkKind.COMPILING)));
        });
        boolean cold = servers.stream()
                .flatMap(server -> server.cells().stream())
                .flatMap(cell -> cell.marks().stream())
                .anyMatch(Mark::saysCold);
        List<PairVerdict> drawn =
                Judgement.of(read.campaign(), read.invocations()).family().controls();
        assertThat(drawn).isNotEmpty();
        if (cold) {
            assertThat(drawn).extracting(PairVerdict::verdict).containsOnly(Verdict.INCONCLUSIVE);
        }
        Leftovers.awaitNone(work);
    }

    private static double compiling(CellResult result) {
        return result.figure(Metric.JIT).orElseThrow()
                / (100 * result.figure(Metric.SERVER_CORES).orElseThrow());
    }
}
