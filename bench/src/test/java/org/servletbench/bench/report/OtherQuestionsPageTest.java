package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Mark;
import org.servletbench.bench.model.MarkKind;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Invocation;

/** Pages of campaigns with fixed rates, small heaps, and arms of several lines. */
class OtherQuestionsPageTest {

    static final Cell SLOW = new Cell("hello", 0, 500, "gatling");
    static final Cell FAST = new Cell("hello", 0, 2000, "gatling");

    private static Arm arm(String id, String label, String group, Arm.Role role) {
        return Fixture.arm(id, label, group, role);
    }

    private static String page(Map<String, String> files) {
        return files.get(ReportPage.INDEX).replace('\u00a0', ' ');
    }

    @Test
    void costAndResponseTimesStandAgainstTheRate() {
        Map<String, String> files =
                Fixture.seeded(5).cells(List.of(SLOW, FAST)).draw().page().files();

        assertThat(page(files))
                .contains("Cost and response times at fixed rates")
                .contains("requests/s that were sent")
                .contains("Requests start at the rate, whatever the server does");
        assertThat(files.entrySet())
                .anySatisfy(file -> assertThat(file.getKey()).contains("rates-boot3"));
        assertThat(page(Fixture.seeded(5)
                        .cells(List.of(new Cell("hello", 100, 0, "gatling")))
                        .draw()
                        .page()
                        .files()))
                .doesNotContain("at fixed rates");
    }

    @Test
    void theFirstScreenHasNoPercentileThatAFewRequestsDecide() {
        String column = "<b>p50</b><small>ms</small>";
        assertThat(page(Fixture.seeded(5).cells(List.of(SLOW)).draw().page().files()))
                .contains(column);
        // 15 requests a server: fewer than ten are slower than the median.
        Cell few = new Cell("hello", 0, 0.5, "gatling");
        assertThat(page(Fixture.seeded(5).cells(List.of(few)).draw().page().files()))
                .doesNotContain(column)
                .contains("<b>CPU</b>");
    }

    @Test
    void armsOfSeveralLinesAreLabelledAsAChangeOfBoth() {
        List<Arm> arms = List.of(
                migrating(arm("undertow", "Undertow", "boot3", Arm.Role.BASELINE)),
                migrating(arm("jetty+boot4", "Jetty", "boot4", Arm.Role.ARM)),
                migrating(arm("undertow-control", "Undertow", "boot3", Arm.Role.CONTROL)));
        String page = page(Fixture.seeded(6).arms(arms).draw().page().files());

        assertThat(page)
                .contains("compared: a change of framework and container")
                .contains("Arms of boot3 and boot4 are compared")
                .contains("Jetty (boot4)");
    }

    private static Arm migrating(Arm arm) {
        return arm.in("migration", arm.id(), arm.label() + " (" + arm.line() + ")");
    }

    @Test
    void theSmallestHeapThatHoldsTheRateIsNamed() {
        assertThat(page(heaps().files()))
                .contains("The smallest of these heaps that holds hello at 500/s: Tomcat NIO 256m and Jetty 512m.")
                .contains("Tomcat NIO and Jetty compared with heaps of 512m and 256m")
                .contains("Resident memory is the largest VmRSS");
    }

    /** Jetty does not hold the rate with the small heap. */
    static ReportPage heaps() {
        List<Arm> arms = new ArrayList<>();
        for (String heap : List.of("512m", "256m")) {
            arms.add(heap(arm("tomcat-nio", "Tomcat NIO", "boot3", Arm.Role.BASELINE), heap));
            arms.add(heap(arm("jetty", "Jetty", "boot3", Arm.Role.ARM), heap));
            arms.add(heap(arm("tomcat-nio-control", "Tomcat NIO", "boot3", Arm.Role.CONTROL), heap));
        }
        Fixture.Drawn drawn =
                Fixture.seeded(7).arms(arms).cells(List.of(SLOW)).blocks(4).draw();
        // One block in which Jetty with the small heap did not reach the rate.
        List<Invocation> invocations = drawn.invocations().stream()
                .map(one -> one.arm().equals("jetty-256m") && one.block() == 2 ? short0(one) : one)
                .toList();
        return ReportPage.of(new CampaignFolder(
                asked(drawn.campaign(), "512m,256M"), invocations, Map.of(), List.of(), Optional.empty()));
    }

    private static Arm heap(Arm arm, String heap) {
        return arm.in(
                arm.group() + " " + heap,
                arm.id().replaceFirst("^(tomcat-nio|jetty)", "$1-" + heap),
                arm.label() + ", " + heap + " heap");
    }

    private static Campaign asked(Campaign campaign, String memory) {
        Map<String, String> options = new HashMap<>(campaign.options());
        options.put(Campaign.OPTION + Campaign.MEMORY, memory);
        return new Campaign(
                campaign.format(),
                campaign.id(),
                campaign.created(),
                campaign.commit(),
                campaign.plan(),
                campaign.arms(),
                campaign.order(),
                campaign.machine(),
                campaign.versions(),
                options,
                campaign.pinning(),
                campaign.history());
    }

    private static Invocation short0(Invocation one) {
        List<CellResult> cells = one.cells().stream()
                .map(cell -> new CellResult(
                        cell.cell(),
                        cell.rounds(),
                        cell.requests(),
                        cell.errors(),
                        cell.seconds(),
                        cell.figures(),
                        cell.rates(),
                        cell.histogram(),
                        List.of(new Mark(MarkKind.OFFERED_RATE, "a tenth is missing", true)),
                        cell.links(),
                        cell.resolutionMs(),
                        cell.told(),
                        cell.trend(),
                        cell.cpuRates(),
                        List.of()))
                .toList();
        return new Invocation(
                one.format(),
                one.block(),
                one.position(),
                one.arm(),
                one.attempt(),
                one.started(),
                one.ended(),
                one.outcome(),
                one.proven(),
                one.startUp(),
                one.warmUp(),
                cells,
                one.threads(),
                one.marks());
    }
}
