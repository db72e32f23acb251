package org.servletbench.bench.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.Leftovers;
import org.servletbench.bench.Mirror;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.RateStep;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.report.ReportPage;

/** The only test of the comparison {@code capacity}, whose searches find a known limit, up to the page. */
@Tag("full")
@Tag("alone")
class CapacityIT {

    private static final double LIMIT = 150;
    /**
     * Share of the server's processor time that others or the host took during a step, %. Above it, the server counts
     * as starved.
     */
    private static final double STARVED = 40;

    @TempDir
    static Path work;

    private static Rig rig;

    @BeforeAll
    static void make() throws IOException {
        rig = new Rig(work);
        rig.set("campaign.properties", Map.of("generator.warmup", "2s"));
    }

    @AfterAll
    static void unlink() throws IOException {
        rig.close();
    }

    /**
     * A block with an arm and its A/A copy makes two searches in two JVMs. Then the campaign is ended, and keeps them.
     * A server that gets 1 % more requests than its limit falls behind, whereas pauses of a busy machine are mostly
     * shorter than 150 ms.
     */
    @Test
    void aKnownLimitIsFoundWithinFivePercentInEverySearch() throws Exception {
        CampaignFolder read = search("capacity");
        if (counted(read).stream().anyMatch(CapacityIT::isStarved)) {
            read = search("again");
        }
        assumeThat(counted(read))
                .as("other programs took more than " + STARVED + " % of the processors, twice")
                .noneMatch(CapacityIT::isStarved);
        for (ServerRun serverRun : counted(read)) {
            LoadFigures found = serverRun.loads().get(0);
            assertThat(capacity(found)).as(found.steps().toString()).isBetween(0.95 * LIMIT, 1.05 * LIMIT);
            assertThat(found.excluding()).isEmpty();
            assertThat(found.steps()).hasSizeBetween(5, 40).allSatisfy(step -> {
                if (step.rate() < 0.8 * LIMIT && step.outcome() == RateStep.Outcome.MET) {
                    assertThat(step.figure(Metric.THROUGHPUT).getAsDouble())
                            .isBetween(0.8 * step.rate(), 1.2 * step.rate());
                }
                if (step.rate() > 1.2 * LIMIT) {
                    assertThat(step.outcome()).isNotEqualTo(RateStep.Outcome.MET);
                }
            });
        }
        assertThat(ReportPage.of(read).files().get("index.html")).contains("Response time against rate");
        Leftovers.awaitNone(work);
    }

    /**
     * Returns the attempt that counts for each arm, because blocks that other programs disturbed are measured again.
     */
    private static List<ServerRun> counted(CampaignFolder read) {
        return Analysis.of(read.campaign(), read.serverRuns()).chosen();
    }

    private static double capacity(LoadFigures found) {
        return found.figure(Metric.CAPACITY).orElse(0);
    }

    /** True if the result is wrong because the server got too little processor time. */
    private static boolean isStarved(ServerRun serverRun) {
        LoadFigures found = serverRun.loads().get(0);
        return Math.abs(capacity(found) / LIMIT - 1) > 0.05
                && found.steps().stream()
                        .anyMatch(step -> step.figure(Metric.OTHERS).orElse(0) > STARVED
                                || step.figure(Metric.STEAL).orElse(0) > STARVED);
    }

    /** Runs the searches of one block. */
    private static CampaignFolder search(String name) throws Exception {
        Path limited = Files.writeString(work.resolve("limited.options"), Mirror.smallJvm(Math.round(LIMIT)));
        Path campaign = work.resolve(name);
        Rig.Run running = rig.start(
                work,
                name + ".log",
                "compare capacity --arms jetty --hold 3s --blocks 2 --limit 0s --set load.0.search-rate-under=p90<150ms,errors<1%"
                        + " --set load.0.from=130 --set load.0.in-flight=300 --set load.0.resolution=4%"
                        + " --set measure.warmup=1s --set measure.together=true --set measure.jvm-options=" + limited
                        + " --out " + campaign);
        running.await(() -> Files.exists(campaign.resolve("blocks/2")));
        running.process().destroy();
        assertThat(running.process().waitFor(1, TimeUnit.MINUTES)).isTrue();
        String said = running.said();
        assertThat(said).doesNotContain("\tat ");

        CampaignFolder read = CampaignFolder.read(campaign);
        if (counted(read).stream().noneMatch(CapacityIT::isStarved)) {
            assertThat(said).contains("block 1/");
        }
        assertThat(read.problems()).isEmpty();
        assertThat(counted(read)).hasSize(2).allSatisfy(serverRun -> assertThat(serverRun.measured())
                .as(said)
                .isTrue());
        return read;
    }
}
