package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.comparison.ClaimList;
import org.servletbench.bench.comparison.ClaimSpec;
import org.servletbench.bench.comparison.ClaimSpec.Part;
import org.servletbench.bench.comparison.ClaimSpec.Relation;
import org.servletbench.bench.comparison.Comparison;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.ClaimResult;
import org.servletbench.bench.record.ClaimResult.Outcome;

/** Tests outcomes of claims in campaigns with a known truth. */
class ClaimsSectionTest {

    private static final Path ROOT = Path.of(System.getProperty("bench.root"));
    private static final MeasuredLoad ONE = new MeasuredLoad("hello", 100, 0, "gatling");
    private static final MeasuredLoad OTHER = new MeasuredLoad("hello", 500, 0, "gatling");

    /** Mean of the fixture's six blocks, requests/s, including its drift. */
    private static final double MEAN = 15_000
            * Math.exp(0.05
                    * IntStream.rangeClosed(1, 6)
                            .mapToDouble(block -> Math.sin(block / 2.0))
                            .average()
                            .orElseThrow());

    static ClaimList claims(String comparison) {
        return Comparison.read(ROOT, comparison, Map.of(), new ProfilesFolder(ROOT.resolve("profiles")))
                .claims();
    }

    private static ClaimSpec claim(Part part) {
        return new ClaimSpec("says", "", "", List.of(part));
    }

    private static Part ratio(String of, String than, double least, double most, boolean own) {
        return new Part("throughput", of, than, Relation.WITHIN, least, most, Map.of(), Map.of(), own);
    }

    private static Analysis judged(long seed, double spread, Part... parts) {
        return Fixture.seeded(seed)
                .oneGroup()
                .loads(List.of(ONE, OTHER))
                .blocks(6)
                .spread(spread)
                .claims(new ClaimList(
                        List.of(parts).stream().map(ClaimsSectionTest::claim).toList(), null))
                .draw()
                .analysis();
    }

    private static List<Outcome> outcomes(Analysis judged) {
        return judged.claims().stream().map(ClaimResult::outcome).toList();
    }

    /**
     * All ratios and figures are exactly as claimed. In 300 campaigns with six claims each, at most one in twenty may
     * have any claim that is found not to hold, because intervals are simultaneous.
     */
    @Test
    @Tag("simulation")
    void whatIsTrueIsFoundNotToHoldInOneCampaignOfTwentyAtTheMost() {
        Part[] truths = {
            ratio("jetty", "tomcat-nio", 1, 1, false),
            ratio("undertow", "tomcat-nio", 1.09, 1.09, false),
            ratio("nginx", "jetty", 2.6, 2.6, true),
            new Part("throughput", "jetty", "", Relation.WITHIN, MEAN, MEAN, Map.of(), Map.of(), true),
            new Part(
                    "throughput",
                    "jetty",
                    "jetty",
                    Relation.WITHIN,
                    1.0,
                    1.0,
                    Map.of("users", List.of("500")),
                    Map.of("users", List.of("100")),
                    true),
            new Part("throughput", "jetty", "tomcat-nio", Relation.EQUIVALENT, null, null, Map.of(), Map.of(), false)
        };
        long wrong = IntStream.range(0, 300)
                .filter(i -> outcomes(judged(1000 + i, 0.02, truths)).contains(Outcome.DOES_NOT_HOLD))
                .count();
        assertThat(wrong).isLessThanOrEqualTo(22);
    }

    @Test
    void whatIsFarFromTheBoundsIsDecided() {
        Analysis judged = judged(
                1,
                0.01,
                ratio("undertow", "tomcat-nio", 1.01, 1.2, false),
                ratio("tomcat-nio", "undertow", 0.85, 0.99, false),
                ratio("undertow", "tomcat-nio", 1.3, 1.5, false),
                ratio("nginx", "tomcat-nio", 2, 3, true),
                new Part("throughput", "jetty", "", Relation.WITHIN, 20_000.0, null, Map.of(), Map.of(), true),
                new Part(
                        "throughput",
                        "undertow",
                        "tomcat-nio2",
                        Relation.FASTER,
                        null,
                        null,
                        Map.of(),
                        Map.of(),
                        false),
                new Part(
                        "throughput",
                        "undertow",
                        "tomcat-nio2",
                        Relation.NOT_FASTER,
                        null,
                        null,
                        Map.of(),
                        Map.of(),
                        false));
        assertThat(outcomes(judged))
                .containsExactly(
                        Outcome.HOLDS,
                        Outcome.HOLDS,
                        Outcome.DOES_NOT_HOLD,
                        Outcome.HOLDS,
                        Outcome.DOES_NOT_HOLD,
                        Outcome.HOLDS,
                        Outcome.DOES_NOT_HOLD);
        assertThat(ClaimsSection.lines(judged).get(2))
                .matches(
                        "claim: says: does not hold: throughput, hello.*Undertow against Tomcat NIO is \\+[\\d.]+ % \\(\\+[\\d.]+"
                                + " to \\+[\\d.]+ %\\), claimed at least \\+30 % and at most \\+50 % \\(1 more\\)");
    }

    /** More claims about the figures of an arm widen all intervals, because they share the level. */
    @Test
    void figuresShareTheLevelWithTheVerdicts() {
        Part figure = new Part("throughput", "jetty", "", Relation.WITHIN, 1.0, null, Map.of(), Map.of(), true);
        Analysis none = judged(1, 0.02);
        Analysis some = judged(1, 0.02, figure, figure);
        assertThat(none.family().shares()).isEqualTo(6);
        assertThat(some.family().shares())
                .as("two more under each of two loads")
                .isEqualTo(10);
        assertThat(some.family().widestHalfWidth()).isGreaterThan(none.family().widestHalfWidth());
    }

    /** Percentiles in whole ms may be off by one step either way. */
    @Test
    void aCoarseClockWidensAFigure() {
        Part figure = new Part("p99", "jetty", "", Relation.WITHIN, 1.0, null, Map.of(), Map.of(), true);
        ClaimResult.Part part = judged(1, 0.001, figure).claims().get(0).parts().get(0);
        assertThat(part.high() - part.low()).isGreaterThan(2);
    }

    @Test
    void aPageHasTheArticleAndWhatItsFiguresShow() {
        String page = Fixture.seeded(6)
                .oneGroup()
                .loads(List.of(new MeasuredLoad("hello", 400, 0, "wrk")))
                .claims(claims("published/wrk-hello"))
                .draw()
                .page()
                .files()
                .get(ReportPage.INDEX);
        assertThat(page)
                .contains(
                        "43% 左右的性能提升",
                        "published: not stated",
                        "at least +33 % and at most +53 %",
                        "+42.7 %",
                        "The JVM options stand after the jar name",
                        "What is different here");
    }

    /** Both resuming a campaign and rewriting its page start from its record. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "published/wrk-hello",
                "published/jmeter-nio-apr-tiers",
                "published/siege-threads",
                "published/ab-startup:starts",
                "published/virtual-threads-blocking"
            })
    void theRecordHasThemAsTheyWere(String comparison) throws IOException {
        ClaimList claims = claims(comparison);
        assertThat(Json.MAPPER.readValue(Json.MAPPER.writeValueAsString(claims), ClaimList.class))
                .isEqualTo(claims);
    }

    /** An article's claims fail no build, but the user's own do. */
    @Test
    void onlyOwnClaimsFailABuild() {
        Part wrong = ratio("undertow", "jetty", 2, 3, false);
        assertThat(JUnitXml.of(Claims.of(judged(1, 0.01, wrong))))
                .contains("classname=\"claims\" name=\"says\"", "<failure message=\"does not hold: throughput");
        Analysis article = Fixture.seeded(6)
                .oneGroup()
                .loads(List.of(new MeasuredLoad("hello", 400, 0, "wrk")))
                .claims(claims("published/wrk-hello"))
                .draw()
                .analysis();
        assertThat(article.claims()).extracting(ClaimResult::outcome).contains(Outcome.DOES_NOT_HOLD);
        assertThat(Claims.of(article).claims())
                .filteredOn(claim -> claim.where().equals(Claims.STATED))
                .hasSize(5)
                .noneMatch(Claims.Claim::fails);
    }

    /** An arm without any figures fails a build. A single missing figure does not hide the results of the others. */
    @Test
    void aFigureThatIsNotThereLeavesTheOthersToDecide() {
        Part absent = new Part("memory.peak", "jetty", "", Relation.WITHIN, 1.0, null, Map.of(), Map.of(), true);
        Part errors = new Part("errors", "jetty", "", Relation.WITHIN, null, 10.0, Map.of(), Map.of(), true);
        Analysis failing = Fixture.seeded(1)
                .small()
                .blocks(6)
                .failing("jetty")
                .claims(new ClaimList(List.of(claim(errors)), null))
                .draw()
                .analysis();

        assertThat(gate(judged(1, 0.01, absent))).isEqualTo(Gate.Outcome.UNDECIDED);
        assertThat(gate(judged(1, 0.01, absent, ratio("undertow", "jetty", 2, 3, false))))
                .isEqualTo(Gate.Outcome.SLOWER);
        assertThat(gate(failing)).as("5 % of its requests failed").isEqualTo(Gate.Outcome.PASSED);
    }

    private static Gate.Outcome gate(Analysis judged) {
        return new Gate(Claims.of(judged), Gate.FailOn.SLOWER, false).outcome();
    }

    /** A few requests without failures do not prove a failure share below one in 10,000. */
    @Test
    void noFailureAmongFewRequestsShowsNoSmallShare() {
        Fixture.Drawn drawn = Fixture.seeded(4)
                .small()
                .blocks(6)
                .claims(new ClaimList(
                        IntStream.of(1, 100)
                                .mapToObj(most -> claim(new Part(
                                        "errors",
                                        "jetty",
                                        "",
                                        Relation.WITHIN,
                                        null,
                                        most / 100.0,
                                        Map.of(),
                                        Map.of(),
                                        true)))
                                .toList(),
                        null))
                .draw();
        Fixture.Drawn few = new Fixture.Drawn(
                drawn.campaign(),
                drawn.serverRuns().stream()
                        .map(one -> Fixture.counting(one, 1000, 0))
                        .toList());
        assertThat(outcomes(few.analysis())).containsExactly(Outcome.UNDECIDED, Outcome.HOLDS);
    }
}
