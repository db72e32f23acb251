package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.comparison.ClaimList;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Shares;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.BlockOrder;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignEvent;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Conditions;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.record.RateStep;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.verdict.Baseline;
import org.servletbench.bench.verdict.Bound;
import org.servletbench.bench.verdict.Verdict;

/** Tests a campaign of searches with known effects: Jetty sustains a rate 20 % higher, with 2 % noise. */
class CapacityPageTest {

    private static final List<Arm> ARMS = List.of(
            Fixture.arm("tomcat-nio", "Tomcat NIO", "boot3", Arm.Role.BASELINE),
            Fixture.arm("jetty", "Jetty", "boot3", Arm.Role.ARM),
            Fixture.arm("tomcat-nio-control", "Tomcat NIO", "boot3", Arm.Role.CONTROL));
    private static final int BLOCKS = 10;
    private static final MeasuredLoad HELLO = new MeasuredLoad("hello", 0, 0, "gatling");

    /** Returns the result of a search. Response times grow as in a queue: in proportion to 1 / (limit - rate). */
    private static LoadFigures search(double limit, List<Warning> warnings) {
        List<RateStep> steps = new ArrayList<>();
        for (double share : new double[] {0.2, 0.4, 0.8, 1.6, 1.6, 1.13, 1.13, 0.97, 1.05, 1.05, 1, 1}) {
            double p99 = share <= 1 ? 5 / (1.1 - share) : 400 * share;
            steps.add(new RateStep(
                    share * limit,
                    share <= 1 ? RateStep.Outcome.MET : RateStep.Outcome.MISSED,
                    Map.of("p99", p99, "p50", p99 / 5, "errors", 0.0, "throughput", share * limit),
                    ""));
        }
        return new LoadFigures(
                HELLO,
                new LoadFigures.Counted(steps.size(), 10_000, 0, 10),
                new LoadFigures.Values(
                        Map.of("capacity", limit, "throughput", limit, "p50", 10.0, "p99", 49.0, "cpu", 100.0),
                        Map.of(),
                        "",
                        1),
                LoadFigures.Course.NONE,
                new LoadFigures.Findings(warnings, List.of()),
                steps,
                List.of());
    }

    private static Campaign campaign(Path folder, List<Warning> ofJetty) throws IOException {
        Plan plan = new Plan(
                new Plan.Subject("capacity", "", ClaimList.NONE),
                new Plan.Design(7, BLOCKS, false, 0),
                new Plan.Windows(1, 10, 1, 24, 0),
                List.of(HELLO),
                new Plan.Rule(List.of("capacity"), Map.of(), Shares.of(0.03), 0.05, Shares.of(0), Baseline.BOTH_COPIES),
                "equalised",
                true);
        Campaign campaign = new Campaign(
                Campaign.FORMAT,
                new Campaign.Origin("campaign-1", "2026-11-22T07:00:00Z", ""),
                plan,
                ARMS,
                BlockOrder.all(ARMS, plan.seed(), BLOCKS),
                new Campaign.Surroundings(
                        Map.of("cpu", "some", "cores", "2"),
                        Map.of("jdk", "17.0.17"),
                        Conditions.NONE
                                .ofJvm(List.of("-Xmx2g"))
                                .with(Map.of("slo", "p99<50ms,errors<0.1%"))
                                .by("compare capacity --set 'load.0.search-rate-under=p99<50ms,errors<0.1%'"),
                        "none"),
                List.of(new CampaignEvent(CampaignEvent.What.COMPLETED, "2026-11-22T07:10:00Z", BLOCKS, BLOCKS)));
        Json.write(folder.resolve("campaign.json"), campaign);
        Random random = new Random(11);
        for (int block = 1; block <= BLOCKS; block++) {
            List<String> order = campaign.order().get(block - 1);
            for (String arm : order) {
                boolean jetty = arm.equals("jetty");
                double limit = (jetty ? 6000 : 5000) * Math.exp(0.02 * random.nextGaussian());
                ServerRun serverRun = new ServerRun(
                        ServerRun.FORMAT,
                        new ServerRun.Run(
                                block,
                                order.indexOf(arm) + 1,
                                arm,
                                1,
                                "2026-11-22T07:00:00Z",
                                "2026-11-22T07:00:05Z",
                                ServerRun.MEASURED),
                        new ServerRun.Before(Map.of(), Map.of(), null),
                        new ServerRun.Results(
                                List.of(search(limit, jetty && block == 1 ? ofJetty : List.of())),
                                null,
                                List.of(),
                                null));
                Path own = Files.createDirectories(folder.resolve(CampaignFolder.usualFolder(serverRun)));
                Json.write(own.resolve("server-run.json"), serverRun);
            }
        }
        return campaign;
    }

    private static Analysis.Against jetty(Analysis judged) {
        return judged.against(judged.groups().get(0), ARMS.get(1), HELLO, Metric.CAPACITY)
                .orElseThrow();
    }

    @Test
    void capacitiesAreJudgedAndThePageShowsTheKnee(@TempDir Path folder) throws IOException {
        campaign(folder, List.of());
        CampaignFolder read = CampaignFolder.read(folder);
        assertThat(read.problems()).isEmpty();
        Analysis judged = Analysis.of(read.campaign(), read.serverRuns());
        assertThat(jetty(judged).verdict()).isEqualTo(Verdict.FASTER);
        assertThat(jetty(judged).ratio()).isBetween(1.17, 1.23);

        Map<String, String> files = ReportPage.of(read).files();
        assertThat(files.get(ReportPage.INDEX).replaceAll("\\s+", " "))
                .containsPattern("Jetty holds (19|20|21)(\u00a0| )% more requests/s than Tomcat NIO")
                .contains("hello: p99 below 50 ms, errors below 0.1 %")
                .contains("requests/s that were due", "← less · more →")
                .doesNotContain("% less", "slower · faster")
                .containsPattern(">Jetty [56]\\d\\d\\d/s</text>")
                .contains(">objective</text>")
                .contains("Every step")
                .containsPattern(
                        "bench.jar compare capacity --set .{1,5}load.0.search-rate-under=p99&lt;50ms,errors&lt;0.1%.{1,5} --blocks \\d+ --limit 0s")
                .doesNotContain(">NaN");
        assertThat(files.get("tables/steps-0.csv").lines()).hasSize(1 + 12 * 3 * BLOCKS);
    }

    @Test
    void oneSearchAtTheGeneratorsLimitMakesTheArmAFloor(@TempDir Path folder) throws IOException {
        campaign(folder, List.of(Warning.of(WarningKind.GENERATOR_BOTTLENECK, "busy")));
        CampaignFolder read = CampaignFolder.read(folder);
        Analysis judged = Analysis.of(read.campaign(), read.serverRuns());
        assertThat(jetty(judged).pair().bound()).isNotEqualTo(Bound.EXACT);
        assertThat(ReportPage.of(read).files().get(ReportPage.INDEX))
                .containsPattern("Jetty holds at least (19|20|21)(\u00a0| )% more requests/s");
    }

    @Test
    void stepsAreReadAgainAsTheyWereWritten() throws IOException {
        LoadFigures written = search(5000, List.of());
        assertThat(Json.MAPPER.readValue(Json.MAPPER.writeValueAsBytes(written), LoadFigures.class))
                .isEqualTo(written);
    }
}
