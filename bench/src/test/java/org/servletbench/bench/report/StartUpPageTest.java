package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.comparison.ClaimList;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Shares;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.BlockOrder;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignEvent;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Conditions;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.record.StartCourse;
import org.servletbench.bench.verdict.Baseline;
import org.servletbench.bench.verdict.NoVerdictReason;
import org.servletbench.bench.verdict.Verdict;

/** Tests a start-up campaign with known effects: Jetty is ready 20 % sooner, with 3 % noise. */
class StartUpPageTest {

    private static final List<Arm> ARMS = List.of(
            Fixture.arm("tomcat-nio", "Tomcat NIO", "boot3", Arm.Role.BASELINE),
            Fixture.arm("jetty", "Jetty", "boot3", Arm.Role.ARM),
            Fixture.arm("tomcat-nio-control", "Tomcat NIO", "boot3", Arm.Role.CONTROL));
    private static final int BLOCKS = 20;

    static Campaign campaign(Path folder) throws IOException {
        return campaign(folder, List.of("ready", "ready.rss"));
    }

    /**
     * Writes a campaign in which Jetty is ready in half the time, and does not become warm in one of its starts.
     *
     * @param judged tested metrics; if the peak is among them, starts are under load
     */
    private static Campaign campaign(Path folder, List<String> judged) throws IOException {
        Plan plan = new Plan(
                new Plan.Subject("startup", "", ClaimList.NONE),
                new Plan.Design(7, BLOCKS, false, 900),
                new Plan.Windows(1, 0, 0, 0, 0),
                List.of(MeasuredLoad.START_UP),
                new Plan.Rule(judged, Map.of(), Shares.of(0.03), 0.05, Shares.of(0), Baseline.BOTH_COPIES),
                "equalised",
                true);
        Campaign campaign = new Campaign(
                Campaign.FORMAT,
                new Campaign.Origin("starts", "2026-11-22T07:00:00Z", ""),
                plan,
                ARMS,
                BlockOrder.all(ARMS, plan.seed(), BLOCKS),
                new Campaign.Surroundings(
                        Map.of("cpu", "some", "cores", "2"),
                        Map.of("jdk", "17.0.17"),
                        Conditions.NONE.ofJvm(List.of("-Xmx2g")),
                        "none"),
                List.of(new CampaignEvent(CampaignEvent.What.COMPLETED, "2026-11-22T07:10:00Z", BLOCKS, BLOCKS)));
        Json.write(folder.resolve("campaign.json"), campaign);
        Random random = new Random(11);
        for (int block = 1; block <= BLOCKS; block++) {
            List<String> order = campaign.order().get(block - 1);
            for (String arm : order) {
                double speed = arm.equals("jetty") ? 0.8 : 1;
                Map<String, Double> figures = new TreeMap<>(Map.of(
                        Metric.READY.key(), 2500 * speed * Math.exp(0.03 * random.nextGaussian()),
                        Metric.READY_RSS.key(), 1.5e8 * Math.exp(0.005 * random.nextGaussian()),
                        Metric.CLASSES_LOADED.key(), arm.equals("jetty") ? 9784.0 : 9869.0));
                StartCourse course = null;
                if (judged.contains("peak")) {
                    double peak = (arm.equals("jetty") ? 10 : 20) * Math.exp(0.1 * random.nextGaussian());
                    figures.put(Metric.PEAK.key(), peak);
                    if (block != 3 || !arm.equals("jetty")) {
                        figures.put(Metric.WARM.key(), 2 * peak);
                    }
                    List<Double> rates = IntStream.range(0, 120)
                            .mapToObj(second -> (double) Math.round(9000 * (1 - Math.exp(-second / peak))))
                            .toList();
                    course = new StartCourse("hello with 6 users", 120, rates, null);
                }
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
                        new ServerRun.Before(Map.of(), figures, null),
                        new ServerRun.Results(List.of(LoadFigures.startUp(figures)), null, List.of(), null, course));
                Path own = Files.createDirectories(folder.resolve(CampaignFolder.usualFolder(serverRun)));
                Json.write(own.resolve("server-run.json"), serverRun);
            }
        }
        return campaign;
    }

    @Test
    void startsAreJudgedAsLoadsAreAndThePageTellsOfNoLoad(@TempDir Path folder) throws IOException {
        campaign(folder);
        CampaignFolder read = CampaignFolder.read(folder);
        assertThat(read.problems()).isEmpty();
        Analysis judged = Analysis.of(read.campaign(), read.serverRuns());

        Analysis.Group group = judged.groups().get(0);
        Analysis.Against jetty = judged.against(group, ARMS.get(1), MeasuredLoad.START_UP, Metric.READY)
                .orElseThrow();
        assertThat(jetty.verdict()).isEqualTo(Verdict.FASTER);
        assertThat(jetty.low()).isLessThan(0.8);
        assertThat(jetty.high()).isBetween(0.8, 0.9);
        assertThat(judged.against(group, ARMS.get(1), MeasuredLoad.START_UP, Metric.READY_RSS)
                        .orElseThrow()
                        .verdict())
                .isEqualTo(Verdict.EQUIVALENT);
        assertThat(judged.noises().get(0).words()).contains("start-up").contains("from start to start");

        Map<String, String> files = ReportPage.of(read).files();
        assertThat(files.get(ReportPage.INDEX))
                .containsPattern("Jetty has a (19|20|21)\u00a0% lower time to ready than Tomcat NIO")
                .contains("Servers start one at a time")
                .contains("starts without load")
                .contains("Classes loaded when ready")
                .doesNotContain("Load generator and servers share one machine")
                .doesNotContain("start-up, none")
                .doesNotContain("Throughput, errors, response times")
                .doesNotContain(">NaN");
    }

    @Test
    void startsUnderLoadAreJudgedUnlessOneDidNotGetThere(@TempDir Path folder) throws IOException {
        campaign(folder, List.of("peak", "warm"));
        CampaignFolder read = CampaignFolder.read(folder);
        assertThat(read.problems()).isEmpty();
        Analysis judged = Analysis.of(read.campaign(), read.serverRuns());

        Analysis.Group group = judged.groups().get(0);
        assertThat(judged.against(group, ARMS.get(1), MeasuredLoad.START_UP, Metric.PEAK)
                        .orElseThrow()
                        .verdict())
                .isEqualTo(Verdict.FASTER);
        assertThat(judged.against(group, ARMS.get(1), MeasuredLoad.START_UP, Metric.WARM)
                        .orElseThrow()
                        .pair()
                        .reason())
                .contains(NoVerdictReason.NOT_REACHED);
        assertThat(judged.unreached(ARMS.get(1), Metric.WARM)).isEqualTo(1);
        assertThat(judged.startUps(ARMS.get(1), Metric.WARM)).isEmpty();
        assertThat(judged.startUps(ARMS.get(0), Metric.WARM)).hasSize(BLOCKS);

        assertThat(ReportPage.of(read).files().get(ReportPage.INDEX))
                .contains("not reached within 120 s in 1 of 20 starts")
                .contains("under hello with 6 users from the first answer on")
                .contains("not reached in time")
                .contains("starts under load")
                .contains("Each start is under load until 120 s after the start of its process")
                .doesNotContain("without load")
                .doesNotContain(">NaN");
    }

    @Test
    void whatIsWrittenIsReadAgain(@TempDir Path folder) throws IOException {
        Campaign written = campaign(folder);
        assertThat(CampaignFolder.read(folder).campaign()).isEqualTo(written);
        assertThat(Files.readString(folder.resolve("campaign.json"))).doesNotContain("\"startUp\"");
    }
}
