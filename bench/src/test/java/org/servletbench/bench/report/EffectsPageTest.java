package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.comparison.Factorial;
import org.servletbench.bench.comparison.Factorial.Factor;
import org.servletbench.bench.record.CampaignEvent;
import org.servletbench.bench.record.CampaignFolder;

/** Tests a comparison with factors, whose effects come first on the page, in the summary and on the console. */
class EffectsPageTest {

    private static final CampaignEvent COMPLETED =
            new CampaignEvent(CampaignEvent.What.COMPLETED, "2026-11-21T10:00:00Z", 10, 10);

    @TempDir
    private Path folder;

    private static Factorial design() {
        Map<String, List<String>> combinations = new LinkedHashMap<>();
        for (String gc : List.of("serial", "g1")) {
            for (String threads : List.of("platform", "virtual")) {
                combinations.put(gc + "-" + threads, List.of(gc, threads));
            }
        }
        return new Factorial(
                List.of(
                        new Factor("gc", List.of("serial", "g1")),
                        new Factor("threads", List.of("platform", "virtual"))),
                combinations,
                List.of());
    }

    /**
     * Returns a campaign in which G1 adds 10 % and virtual threads add nothing. With both, the effect of G1 is
     * multiplied by {@code both}.
     */
    private static Fixture fixture(double both) {
        return Fixture.seeded(7)
                .factorial(design())
                .loads(List.of(Fixture.manyLoads().get(0)))
                .testing(0.03, "throughput", "cpu")
                .spread(0.01)
                .equalCpu()
                .speed("g1-platform", 1.1)
                .speed("g1-virtual", 1.1 * both)
                .history(COMPLETED);
    }

    private static CampaignFolder read(Fixture.Drawn drawn) {
        return new CampaignFolder(
                drawn.campaign(), drawn.serverRuns(), Map.of(), List.of(), Optional.empty(), Optional.empty());
    }

    @Test
    void theEffectsAreTheAnswer() {
        Outcomes found = Outcomes.of(read(fixture(1).draw()));
        assertThat(found.answer().parts().get(0).headline())
                .matches(
                        "Throughput: gc serial → g1 \\+\\d+(\\.\\d)? % ± [\\d.]+; no effect above [\\d.]+ % of threads"
                                + " platform → virtual; the effects add up within [\\d.]+ %\\. Server CPU time per request: no effect above [\\d.]+ %\\.");
        assertThat(found.answer().effects().get(0)).isEqualTo("hello 100 users, gatling: Throughput, effects");
        assertThat(found.answer().effects().get(1))
                .matches("  gc: serial → g1 +\\+[\\d.]+ % \\(\\+[\\d.]+ to \\+[\\d.]+ %\\)  n=10  faster");
        assertThat(found.answer().effects().get(2))
                .matches("  threads: platform → virtual .*  n=10  no effect above [\\d.]+ %");
        assertThat(found.answer().effects().get(3)).matches("  gc × threads .*  n=10  they add up within [\\d.]+ %");
        assertThat(found.outcome()).isEqualTo(Gate.Outcome.UNJUDGED);
    }

    @Test
    void aPairThatDoesNotAddUpIsSplit() {
        Outcomes found = Outcomes.of(read(fixture(1.2).draw()));
        assertThat(String.join("\n", found.answer().effects()))
                .containsPattern("gc × threads .* faster together than their sum")
                .containsPattern(
                        "Estimated: gc serial → g1 about \\+1\\d % with threads platform, \\+3\\d % with virtual");
        assertThat(found.answer().parts().get(0).headline())
                .containsPattern(
                        "threads platform → virtual about \\S+ % with gc serial, \\+\\d+ % with g1; gc serial → g1 \\+");
    }

    /** The mean of such an effect would describe neither level. */
    @Test
    void anEffectThatAnotherFactorTriplesOrReversesIsGivenAtEachLevel() {
        assertThat(Outcomes.of(read(fixture(1.5).draw()))
                        .answer()
                        .parts()
                        .get(0)
                        .headline())
                .startsWith("Throughput: gc serial → g1 about +11 % with threads platform, +66 % with virtual; threads"
                        + " platform → virtual about +1 % with gc serial, +50 % with g1. ");
        assertThat(Outcomes.of(read(fixture(0.7).draw()))
                        .answer()
                        .parts()
                        .get(0)
                        .headline())
                .containsPattern("gc serial → g1 about \\+\\d+ % with threads platform, −2\\d % with virtual;");
    }

    @Test
    void theTableIsFirstInTheSummary() {
        String markdown = MarkdownSummary.of(Outcomes.of(read(fixture(1).draw())));
        List<String> lines = markdown.lines().toList();
        assertThat(lines.get(1)).startsWith("### Throughput: gc serial → g1 +");
        assertThat(lines.subList(3, 5))
                .containsExactly("| load, metric | effect | difference | verdict |", "| --- | --- | --- | --- |");
        assertThat(lines.get(5)).matches("\\| hello.* \\| gc: serial → g1 \\| \\+.* \\| faster \\|");
        assertThat(lines.get(8)).isEmpty();
        assertThat(markdown).contains("<summary>Other effects</summary>", "<summary>All figures");
    }

    @Test
    void theTableAndTheChartAreFirstOnThePage() {
        ReportPage page = fixture(1).draw().page();
        Map<String, String> files = page.files();
        String index = files.get(ReportPage.INDEX);
        assertThat(index.indexOf("<table class='strips effects'>"))
                .isPositive()
                .isLessThan(index.indexOf("<summary>Every arm, as measured</summary>"));
        String chart = index.substring(index.indexOf("<table class='strips effects'>"));
        chart = chart.substring(0, chart.indexOf("</table>"));
        assertThat(chart.split("class='part'", -1))
                .as("a dot for each of 10 blocks")
                .hasSize(3 * 10 + 1);
        assertThat(chart.split("class='pt'", -1)).hasSize(3 + 1);
        assertThat(chart).contains(">gc: serial → g1<", ">gc × threads<", "better", "equal");
        assertThat(index).contains("<section id='effects'", "Effects of gc and threads");
        assertThat(files.get("tables/effects.csv").lines())
                .hasSize(1 + 2 * 3)
                .first()
                .isEqualTo("load,metric,effect,verdict,ratio,low,high,blocks");
    }

    /** Arms of factors are not compared with each other. */
    @Test
    void aCardShowsTheEffects() {
        Outcomes found = Outcomes.of(read(fixture(1).draw()));
        List<AnswerPlot> plots =
                AnswerPlot.of(found.analysis(), found.answer().parts().get(0));
        assertThat(plots).hasSize(1);
        assertThat(plots.get(0).against()).isEmpty();
        assertThat(plots.get(0).rows())
                .extracting(Forest.Row::name)
                .containsExactly("gc: serial → g1", "threads: platform → virtual");
    }

    /** A pair that does not add up under one load is shown under all of them. */
    @Test
    void aCardShowsTheEffectsUnderEachLoad() throws IOException {
        PublishedEntry entry = PublishedEntry.of(ReportPage.published(
                read(fixture(1.2).loads(Fixture.manyLoads().subList(0, 2)).draw())));
        assertThat(entry.answer())
                .startsWith(
                        "Throughput, hello at 100 users: threads platform → virtual about 0 % with gc serial, +20 % with g1;"
                                + " gc serial → g1 +");
        assertThat(entry.plots())
                .extracting(AnswerPlot::load)
                .containsExactly("hello at 100 users", "hello at 200 users");
        assertThat(entry.plots()).allSatisfy(plot -> assertThat(plot.rows())
                .extracting(Forest.Row::name)
                .containsExactly("gc: serial → g1", "threads: platform → virtual", "gc × threads"));
        String index = new PublishedIndex(List.of(entry), Set.of()).markdown();
        assertThat(index)
                .contains(
                        "|Effect on throughput, mean over other factors|hello at 100 users|hello at 200 users|",
                        "|gc: serial → g1|+",
                        "|gc × threads|+");
    }

    @Test
    void effectsAreVerdictsForPrograms() {
        Claims claims = Claims.of(fixture(1).draw().analysis());
        assertThat(claims.claims()).hasSize(2 * 3).allMatch(claim -> !claim.decides());
        assertThat(claims.claims().get(0).sentence())
                .matches("For hello at 100 users, gc: serial → g1 in throughput: \\+.*, faster");
        assertThat(JUnitXml.of(claims)).contains("gc: serial → g1").contains("failures=\"0\"");
    }

    @Test
    void withoutAnEndThereAreOnlyEstimates() {
        Fixture.Drawn drawn = fixture(1).history().draw();
        assertThat(Outcomes.of(read(drawn)).answer().parts().get(0).headline())
                .isEqualTo("No verdicts, only estimates.");
        String index = drawn.page().files().get(ReportPage.INDEX);
        assertThat(index).contains("strips effects").contains(">no verdict<").doesNotContain("no effect above");
        assertThat(Claims.of(drawn.analysis()).claims())
                .allMatch(claim -> claim.sentence().startsWith("No verdicts"));
    }

    /** The record contains all that a report needs. A record without a design is that of a comparison of arms. */
    @Test
    void theDesignIsInTheRecord() throws IOException {
        fixture(1).draw().write(folder.resolve("with"));
        CampaignFolder again = CampaignFolder.read(folder.resolve("with"));
        assertThat(again.campaign().plan().factorial()).contains(design());
        assertThat(Outcomes.of(again).answer().effects()).hasSize(2 * 4);
        Fixture.seeded(1).small().draw().write(folder.resolve("without"));
        assertThat(Files.readString(folder.resolve("without/campaign.json"))).doesNotContain("factorial");
        assertThat(CampaignFolder.read(folder.resolve("without"))
                        .campaign()
                        .plan()
                        .effects())
                .isEmpty();
    }

    @Test
    void aDesignOfOtherArmsIsDamaged() throws IOException {
        fixture(1).draw().write(folder);
        Path file = folder.resolve("campaign.json");
        String whole = Files.readString(file);
        for (String wrong : List.of(
                whole.replace("\"g1-virtual\" : [ \"g1\", \"virtual\" ]", "\"g1-virtual\" : [ \"g1\", \"platform\" ]"),
                whole.replace("\"g1-virtual\" : [", "\"jetty\" : ["),
                whole.replace("\"beside\" : [ ]", "\"beside\" : [ \"jetty\" ]"))) {
            assertThat(wrong).isNotEqualTo(whole);
            Files.writeString(file, wrong);
            assertThatThrownBy(() -> CampaignFolder.read(folder))
                    .hasMessageContaining("the design is not that of its arms");
        }
    }

    /** Only arms are pooled, and these have no verdicts here. */
    @Test
    void campaignsWithFactorsAreNotPooled() {
        List<CampaignFolder> several = List.of(
                read(fixture(1).named("one").draw()),
                read(fixture(1).named("two").draw()));
        assertThatThrownBy(() -> SeveralCampaigns.of(several, List.of()))
                .hasMessage("campaign one has factors, whose effects are not pooled: report it alone");
    }

    /**
     * The page says that half of all combinations were measured, and which effects are mixed. One block gives no
     * interval.
     */
    @Test
    void halfOfAllCombinationsIsSaid() {
        List<Factor> factors = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            factors.add(new Factor("f" + i, List.of("a" + i, "b" + i)));
        }
        Map<String, List<String>> combinations = new LinkedHashMap<>();
        for (int cell = 0; cell < 32; cell++) {
            if (Integer.bitCount(cell) % 2 == 0) {
                List<String> levels = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    levels.add(((cell >> i & 1) == 0 ? "a" : "b") + i);
                }
                combinations.put(String.join("-", levels), levels);
            }
        }
        String index = Fixture.seeded(3)
                .factorial(new Factorial(factors, combinations, List.of()))
                .loads(List.of(Fixture.manyLoads().get(0)))
                .testing(0.03, "throughput")
                .blocks(1)
                .history(COMPLETED)
                .draw()
                .page()
                .files()
                .get(ReportPage.INDEX);
        assertThat(index)
                .contains(
                        "Half of all combinations ran: an effect of 4 factors together would be counted as that of the"
                                + " remaining one, and one of 3 together as that of the remaining two");
    }
}
