package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.comparison.ClaimList;
import org.servletbench.bench.comparison.ClaimSpec;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.verdict.Verdict;

/** Tests that the top of a page claims no more than the verdicts below it. */
class FirstScreenTest {

    private static final MeasuredLoad USERS = new MeasuredLoad("hello", 100, 0, "gatling");
    private static final MeasuredLoad RATE = new MeasuredLoad("hello", 0, 500, "gatling");

    private static Fixture one(long seed, MeasuredLoad... loads) {
        return Fixture.seeded(seed).oneGroup().loads(List.of(loads));
    }

    private static String page(Fixture.Drawn drawn) {
        return drawn.page().files().get(ReportPage.INDEX).replaceAll("[\\s\u00a0]+", " ");
    }

    private static String headline(Fixture.Drawn drawn) {
        String page = page(drawn);
        return page.substring(page.indexOf("<h1>") + 4, page.indexOf("</h1>"));
    }

    /** The file's question comes first, and the conditions of the answer come next to the answer. */
    @Test
    void thePageBeginsWithTheQuestionAndNamesTheConditionsOfItsAnswer() {
        String own = page(one(38, USERS)
                .question("Is <b>Jetty</b> worth it?")
                .note("Only for <i>hello</i>.")
                .draw());
        assertThat(own)
                .containsPattern("<header>\\s*<p class='question'>Is &lt;b&gt;Jetty&lt;/b&gt; worth it\\?</p>")
                .contains("<p class='conditions'>Only for &lt;i&gt;hello&lt;/i&gt;.</p>"
                        + " <p class='conditions'>Conditions: hello at 100 users; the server has processor 1,"
                        + " the generator processor 0; load over loopback.</p>")
                .doesNotContain("Which container is fastest");
        assertThat(page(one(38, USERS).draw())).contains("<p class='question'>Which container is fastest for hello");
        Arm usual = Fixture.arm("tomcat-nio", "usual", "boot3", Arm.Role.BASELINE);
        assertThat(page(one(38, USERS)
                        .arms(List.of(
                                usual,
                                Fixture.arm("tomcat-nio+8", "eight", "boot3", Arm.Role.ARM),
                                Fixture.arm("tomcat-nio-control", "usual copy", "boot3", Arm.Role.CONTROL)))
                        .draw()))
                .contains("<p class='question'>Which arm is fastest for hello");
    }

    /** A reader sees the answer and the chart before anything that explains them. */
    @Test
    void theChartFollowsTheAnswerAndTrustIsOneLine() {
        String page = page(one(38, USERS).spread(0.004).speed("undertow", 1.2).draw());
        assertThat(List.of(
                        "<h1>",
                        "<table class='strips'>",
                        "What it means for you:",
                        "<ul aria-label='Why'>",
                        "<p class='conditions'>",
                        "<div class='trust good'>",
                        "<details><summary>What was checked",
                        "<div class='next'>",
                        "<p class='kicker'>servlet-bench",
                        "<nav "))
                .extracting(part -> page.indexOf(part))
                .doesNotContain(-1)
                .isSorted();
        assertThat(between(page, "<div class='trust good'>", "<details>"))
                .contains("Trust: good</strong> <span>The A/A check passed: two copies of Tomcat NIO differ by ");
    }

    @Test
    void whatADifferenceMeansIsSaidInMicrosecondsAndAsAShareOfAHandler() {
        String page = page(one(38, USERS).spread(0.004).speed("undertow", 1.2).draw());
        assertThat(page)
                .containsPattern("Undertow needs [\\d.]+ µs less CPU time per request than Tomcat NIO: [\\d.]+ % of a"
                        + " handler that takes 2 ms of CPU time\\.</p>")
                .containsPattern("<li>Undertow: [\\d.]+ µs less CPU time per request[^<]*\\.</li>");
        assertThat(page(one(38, USERS).spread(0.004).equalCpu().draw())).doesNotContain("What it means for you");
    }

    @Test
    void aVerdictThatMayBeWithinTheMarginShowsItsDirection() {
        List<Analysis.Against> different = LongStream.range(1, 30)
                .mapToObj(seed -> one(seed, USERS)
                        .spread(0.02)
                        .speed("undertow", 1.04)
                        .speed("jetty", 0.96)
                        .draw()
                        .analysis())
                .flatMap(judged -> judged.groups().get(0).arms().stream()
                        .flatMap(arm -> judged.against(judged.groups().get(0), arm, USERS, Metric.THROUGHPUT).stream()))
                .filter(against -> against.verdict() == Verdict.DIFFERENT)
                .toList();
        assertThat(different).extracting(one -> one.ratio() > 1).contains(true, false);
        assertThat(different).allSatisfy(one -> assertThat(Words.word(one, Metric.THROUGHPUT))
                .isEqualTo((one.ratio() > 1 ? "faster" : "slower") + ", maybe within the margin"));
    }

    @Test
    void differentLoadsAreOneSentence() {
        MeasuredLoad other = new MeasuredLoad("payload", 100, 0, "gatling");
        MeasuredLoad third = new MeasuredLoad("static", 100, 0, "gatling");
        Analysis judged = one(38, USERS, other, third).draw().analysis();
        Analysis.Group group = judged.groups().get(0);
        Arm nio2 = judged.campaign().arm("tomcat-nio2");
        Ranking won = new Ranking(Ranking.Kind.WON, List.of(nio2), List.of(), List.of(), List.of(), false);
        Ranking open = new Ranking(Ranking.Kind.OPEN, group.arms(), List.of(), List.of(), List.of(), false);
        Ranking nothing = new Ranking(Ranking.Kind.OPEN, List.of(), List.of(), group.arms(), List.of(), false);
        assertThat(headline(judged, won, won, open))
                .isEqualTo("Tomcat NIO2 is fastest under two of three loads; the third has no clear winner.");
        assertThat(headline(judged, won, open, open))
                .isEqualTo("Tomcat NIO2 is fastest under one of three loads; the other two have no clear winner.");
        assertThat(headline(judged, won, open, nothing))
                .isEqualTo(
                        "Tomcat NIO2 is fastest under one of three loads; one has no clear winner; one has no verdict.");
        assertThat(headline(judged, open, open, nothing))
                .isEqualTo("Two of three loads have no clear winner; one has no verdict.");
        assertThat(headline(judged, won, won, won)).isEqualTo("Tomcat NIO2 is fastest under all three loads.");
        Arm undertow = judged.campaign().arm("undertow");
        Arm jetty = judged.campaign().arm("jetty");
        Ranking pair =
                new Ranking(Ranking.Kind.WON, List.of(undertow, jetty), List.of(nio2), List.of(), List.of(), false);
        assertThat(headline(judged, pair, won, open))
                .isEqualTo(
                        "Fastest: Undertow and Jetty under hello at 100 users; Tomcat NIO2 under payload at 100 users;"
                                + " no clear winner under static at 100 users.");
        List<Arm> two = List.of(nio2, undertow);
        Ranking both =
                new Ranking(Ranking.Kind.SHARED, two, List.of(group.baseline(), jetty), List.of(), List.of(), false);
        Ranking three = new Ranking(
                Ranking.Kind.SHARED,
                List.of(nio2, undertow, group.baseline()),
                List.of(jetty),
                List.of(),
                List.of(),
                false);
        assertThat(headline(judged, both, three, both))
                .isEqualTo(
                        "None of the three loads has a single clear winner; Jetty is behind in throughput under all of them.");
        assertThat(headline(judged, both, open, both)).isEqualTo("None of the three loads has a single clear winner.");
        assertThat(headline(judged, open, open, open))
                .isEqualTo("Under all three loads, no clear winner: 10 blocks cannot separate the four.");
    }

    private static String headline(Analysis judged, Ranking... byLoad) {
        Map<MeasuredLoad, Ranking> outcomes = new LinkedHashMap<>();
        judged.loads().forEach(load -> outcomes.put(load, byLoad[outcomes.size()]));
        return Ranking.headline(judged, judged.groups().get(0), outcomes, Metric.THROUGHPUT);
    }

    /** The trust is low only if the copies could hide the largest difference in their metric. */
    @Test
    void copiesThatDisagreeInAnotherMetricAreNamed() {
        String copies = ": the A/A check is inconclusive: two copies of Tomcat NIO differ by ";
        Fixture noisy =
                one(38, USERS).spread(0.004).testing(0.03, "throughput", "cpu").cpuSpread(20);

        assertThat(page(noisy.equalCpu().draw()))
                .contains("low" + copies + "−7 % (90 % interval −13 to −1 %) in CPU time per request");
        assertThat(page(noisy.cpu("undertow", 2).draw()))
                .contains("fair" + copies + "−2 % (90 % interval −10 to +7 %) in CPU time per request");
    }

    @Test
    void theMetricOfNoWinnerIsNamedUnlessItIsThroughput() {
        assertThat(headline(one(38, USERS)
                        .spread(0.04)
                        .testing(0.03, "cpu")
                        .equalCpu()
                        .cpuSpread(1)
                        .draw()))
                .isEqualTo("No clear winner in CPU time per request: 10 blocks cannot separate the four.");
    }

    /** Arms are only called tied if the verdict says that they are equal. */
    @Test
    void thoseBehindAreTiedOnlyIfTheyAreEqual() {
        Fixture.Drawn drawn = one(38, USERS)
                .spread(0.002)
                .speed("undertow", 0.8)
                .speed("jetty", 0.5)
                .speed("tomcat-nio2", 0.8)
                .draw();
        assertThat(headline(drawn)).matches("Tomcat NIO is fastest\\. .* are tied( at about|:) −.*\\.");
    }

    /** servlet-bench gives Undertow more than its default, and a user may give an arm other values. */
    @Test
    void whatServersHaveAsWorkersIsAConditionOfTheAnswer() {
        assertThat(page(withWorkers("200", "200")))
                .contains(
                        "; 200 worker threads in each server (Undertow defaults to 8 for each processor, at least 16); ");
        assertThat(page(withWorkers("200", "16")))
                .contains("; worker threads: 200 in Tomcat NIO, Tomcat NIO2, Jetty and nginx, 16 in Undertow; ");
        assertThat(page(withWorkers("200", ""))).doesNotContain("worker threads in", "worker threads:");
    }

    private static Fixture.Drawn withWorkers(String all, String undertow) {
        Fixture.Drawn drawn = one(38, USERS).draw();
        return new Fixture.Drawn(
                drawn.campaign(),
                drawn.serverRuns().stream()
                        .map(one -> Fixture.proven(
                                one, "effective.threads.max", one.arm().equals("undertow") ? undertow : all))
                        .toList());
    }

    /** Two blocks with much noise: the interval extends beyond the axis, and its ends mean nothing. */
    @Test
    void anIntervalThatSaysNothingIsNotKnownAndHasArrows() {
        Fixture.Drawn wide = one(38, USERS)
                .blocks(2)
                .spread(0.5)
                .claims(new ClaimList(
                        List.of(new ClaimSpec(
                                "Jetty is fast",
                                "",
                                "",
                                List.of(new ClaimSpec.Part(
                                        "throughput",
                                        "jetty",
                                        "",
                                        ClaimSpec.Relation.WITHIN,
                                        1.0,
                                        null,
                                        Map.of(),
                                        Map.of(),
                                        true)))),
                        null))
                .draw();
        assertThat(page(wide))
                .contains("interval not known", "class='far'", ">−50<", ">+100<")
                .containsPattern("requests/s \\(interval not known\\)")
                .contains("<b>Claims: 1 holds, 0 do not, 0 undecided.</b>")
                .doesNotContainPattern("\\d,\\d{3},\\d{3},\\d{3}");
    }

    /** The whole page shows the same interval of the A/A copy: the one that decides the A/A check. */
    @Test
    void theCopyHasOneInterval() {
        String page = page(one(38, USERS).draw());
        String first = between(page, "noise (90 %)</span><small>", "</small>");
        assertThat(first).matches("[−+][\\d.]+ to [−+][\\d.]+ %");
        assertThat(page.split(java.util.regex.Pattern.quote(first), -1).length - 1)
                .as("%s in chart, trust and plot", first)
                .isGreaterThanOrEqualTo(3);
    }

    private static String between(String text, String from, String to) {
        int begin = text.indexOf(from) + from.length();
        return text.substring(begin, text.indexOf(to, begin));
    }

    /** These arms are neither beaten by nor beat any other. */
    @Test
    void nobodyIsAheadWhoIsNotShownToBe() {
        List<String> shared = LongStream.range(1, 16)
                .mapToObj(seed -> one(seed, USERS)
                        .spread(0.04)
                        .blocks(4)
                        .speed("undertow", 0.93)
                        .speed("jetty", 0.8)
                        .draw())
                .filter(drawn -> {
                    Analysis judged = drawn.analysis();
                    return !judged.family().isVoid()
                            && Ranking.of(judged, judged.groups().get(0), USERS, Metric.THROUGHPUT)
                                            .kind()
                                    == Ranking.Kind.SHARED;
                })
                .limit(2)
                .map(FirstScreenTest::headline)
                .toList();
        assertThat(shared)
                .isNotEmpty()
                .allMatch(said ->
                        said.matches("Fastest is .* or .*, not .*Jetty.*: 4 blocks show no clear difference between the"
                                + " (two|three)\\."));
    }

    @Test
    void armsThatAreEqualToTheBaselineAreNamed() {
        List<String> partly = LongStream.range(1, 60)
                .mapToObj(seed -> one(seed, USERS)
                        .spread(0.015)
                        .speed("tomcat-nio2", 1)
                        .speed("jetty", 1)
                        .speed("undertow", 1)
                        .draw())
                .filter(drawn -> {
                    Analysis judged = drawn.analysis();
                    Ranking found = Ranking.of(judged, judged.groups().get(0), USERS, Metric.THROUGHPUT);
                    return !judged.family().isVoid()
                            && !found.even().isEmpty()
                            && found.even().size() < 3;
                })
                .limit(3)
                .map(FirstScreenTest::headline)
                .toList();
        assertThat(partly)
                .isNotEmpty()
                .allMatch(said ->
                        said.matches(".* (is|are) equal to Tomcat NIO within 3 %; 10 blocks left .* undecided\\."));
    }

    /** Eight names would hide the two that matter. */
    @Test
    void ofManyTiedArmsThoseBehindAreNamed() {
        List<Arm> arms = new ArrayList<>(List.of(Fixture.arm("before", "before", "boot3", Arm.Role.BASELINE)));
        Stream.of("after", "a", "b", "c", "d", "e").forEach(id -> arms.add(Fixture.arm(id, id, "boot3", Arm.Role.ARM)));
        arms.add(Fixture.arm("before-control", "before", "boot3", Arm.Role.CONTROL));
        Fixture.Drawn drawn = Fixture.seeded(5)
                .spread(0.05)
                .cpuSpread(1)
                .arms(arms)
                .loads(List.of(USERS))
                .testing(0.03, "cpu")
                .cpu("after", 1.3)
                .cpu("c", 1.3)
                .blocks(4)
                .draw();
        assertThat(headline(drawn))
                .isEqualTo("after and c are behind in CPU time per request."
                        + " 4 blocks show no clear difference between the other five.");
    }

    /** An arm is only named as the next if that is proven. */
    @Test
    void thoseBehindThatCannotBeToldApartAreNamedTogether() {
        assertThat(headline(one(38, USERS)
                        .spread(0.01)
                        .speed("undertow", 0.8)
                        .speed("jetty", 0.5)
                        .speed("tomcat-nio2", 0.9)
                        .draw()))
                .matches("Tomcat NIO is fastest; next is Tomcat NIO2 with −1?\\d[\\d.]* % ± [\\d.]+\\.");
        assertThat(headline(one(38, USERS)
                        .spread(0.03)
                        .speed("undertow", 0.8)
                        .speed("jetty", 0.5)
                        .speed("tomcat-nio2", 0.8)
                        .draw()))
                .matches(
                        "Tomcat NIO is fastest\\. (Undertow and Tomcat NIO2|Tomcat NIO2 and Undertow): (about −(1[6-9]|2\\d) % each"
                                + "|−(1[6-9]|2\\d) % and −(1[6-9]|2\\d) %), no clear difference between them\\.");
    }

    /** A headline with one metric would hide what the others found. */
    @Test
    void metricsThatSayAnotherThingAreNamed() {
        assertThat(headline(one(38, USERS).spread(0.01).speed("undertow", 1.2).draw()))
                .as("nothing else")
                .isEqualTo("Undertow is fastest: +21 % ± 3 against Tomcat NIO.");
        assertThat(headline(one(38, USERS)
                        .spread(0.01)
                        .speed("undertow", 1.2)
                        .equalCpu()
                        .draw()))
                .isEqualTo("Undertow is fastest: +21 % ± 3 against Tomcat NIO."
                        + " CPU time per request: Tomcat NIO, Tomcat NIO2, Jetty and Undertow are equal within 3 %.");
    }

    /** A headline with one metric would call arms equal although another tested metric separates them. */
    @Test
    void aMetricThatTellsApartWhatTheFirstLeavesOpenIsNamed() {
        List<Fixture.Drawn> shared = LongStream.range(1, 40)
                .mapToObj(seed -> one(seed, USERS)
                        .spread(0.04)
                        .blocks(4)
                        .speed("undertow", 0.97)
                        .speed("jetty", 0.7)
                        .cpu("tomcat-nio2", 0.8)
                        .draw())
                .filter(drawn -> {
                    Analysis judged = drawn.analysis();
                    if (judged.family().isVoid()) {
                        return false;
                    }
                    Ranking lead = Ranking.of(judged, judged.groups().get(0), USERS, Metric.THROUGHPUT);
                    return lead.kind() == Ranking.Kind.SHARED
                            && lead.first().stream().anyMatch(arm -> arm.id().equals("tomcat-nio2"))
                            && lead.first().size() > 1;
                })
                .limit(2)
                .toList();
        assertThat(shared).isNotEmpty().allSatisfy(drawn -> assertThat(headline(drawn))
                .startsWith("Fastest is ")
                .contains(": 4 blocks show no clear difference between the ")
                .containsPattern(" Tomcat NIO2 is lowest in CPU time per request: −(19\\.9|2)"));
    }

    @Test
    void loadsOfAnotherQuestionHaveASentenceOfTheirOwn() {
        Fixture.Drawn drawn =
                one(38, USERS, RATE).spread(0.01).speed("undertow", 1.2).draw();
        assertThat(headline(drawn))
                .startsWith("For hello at 100 users, Undertow is fastest")
                .contains(". For hello at 500 requests/s, ");
        assertThat(page(drawn)).contains("Which container is best for 2 loads");
    }

    @Test
    void whatRanAtTheGeneratorsLimitIsAtLeastSoFast() {
        Fixture.Drawn drawn = one(38, USERS).spread(0.01).speed("undertow", 1.2).draw();
        assertThat(page(drawn)).doesNotContain("<small>at least</small>", "at least <b>");
        Warning limit = Warning.of(WarningKind.GENERATOR_BOTTLENECK, "0.99 of 1 processor");
        Fixture.Drawn limited = warned(drawn, limit, List.of("undertow"));
        assertThat(page(limited))
                .containsPattern("<b>18,\\d+</b><small>at least</small>")
                .containsPattern("at least <b>[+]\\d+ %</b>")
                .contains("In 1 load an arm ran at the load generator&#39;s limit");
        Fixture.Drawn all = warned(
                drawn, limit, drawn.campaign().arms().stream().map(Arm::id).toList());
        assertThat(headline(all))
                .isEqualTo(
                        "No clear winner: the generator&#39;s limit hides which of the four is fastest. Undertow is lowest in CPU time"
                                + " per request: −17 % ± 2 against Tomcat NIO.");
    }

    /** Truncated times are not shown next to the true times of others, but the cost of requests is. */
    @Test
    void responseTimesThatAreCutAreNotShown() {
        Fixture.Drawn drawn = one(38, USERS).draw();
        Analysis cut = warned(drawn, Warning.of(WarningKind.CUT_RESPONSES, "80 of 100 users"), List.of("undertow"))
                .analysis();
        for (Arm arm : cut.groups().get(0).arms()) {
            for (Metric metric : List.of(Metric.P99, Metric.MEAN, Metric.CPU, Metric.THROUGHPUT)) {
                assertThat(FigureTables.supported(cut, metric, arm, USERS).known())
                        .as("%s of %s", metric, arm.id())
                        .isEqualTo(!arm.id().equals("undertow") || metric.kind() != Metric.Kind.LATENCY);
            }
        }
    }

    @Test
    void loadsOfWhichNothingIsJudgedAreCountedApart() {
        MeasuredLoad other = new MeasuredLoad("payload", 100, 0, "gatling");
        Fixture.Drawn drawn =
                one(38, USERS, other).spread(0.01).speed("undertow", 1.2).draw();
        assertThat(headline(drawn)).isEqualTo("Undertow is fastest under both loads.");
        Fixture.Drawn half = new Fixture.Drawn(
                drawn.campaign(),
                drawn.serverRuns().stream()
                        .map(one -> {
                            List<LoadFigures> warned = Fixture.warned(
                                    one, List.of(Warning.of(WarningKind.LITTLES_LAW, "80 of 100 users")));
                            return Fixture.with(
                                    one,
                                    one.outcome(),
                                    one.proven(),
                                    List.of(one.loads().get(0), warned.get(1)),
                                    one.warnings());
                        })
                        .toList());
        assertThat(headline(half)).isEqualTo("Undertow is fastest under one of two loads; the other has no verdict.");
    }

    /** On several processors, an arm may be faster and still need more CPU time, which explains nothing. */
    @Test
    void whyIsSaidOfWhatGoesTheSameWay() {
        Fixture.Drawn drawn = one(38, USERS).spread(0.01).speed("undertow", 1.2).draw();
        assertThat(page(drawn)).contains("Why: Undertow needs").doesNotContain("Also measured: Undertow");
        drawn.serverRuns().stream()
                .filter(one -> one.arm().equals("undertow"))
                .forEach(one -> one.loads().get(0).figures().computeIfPresent("cpu", (key, micros) -> 2 * micros));
        assertThat(page(drawn)).contains("Also measured: Undertow needs").doesNotContain("Why: Undertow");
    }

    /** An arm with one block is unknown, so the detectable difference does not include it. */
    @Test
    void whatHasNoIntervalIsNamed() {
        Fixture.Drawn drawn = one(38, USERS)
                .spread(0.01)
                .speed("undertow", 1.001)
                .speed("jetty", 1.02)
                .speed("tomcat-nio2", 0.98)
                .draw();
        Fixture.Drawn once = new Fixture.Drawn(
                drawn.campaign(),
                drawn.serverRuns().stream()
                        .filter(one -> !one.arm().equals("undertow") || one.block() == 1)
                        .toList());
        assertThat(page(drawn)).containsPattern("would very likely have shown a difference of \\d+ %");
        assertThat(page(drawn)).doesNotContain("too few blocks");
        assertThat(page(once))
                .containsPattern("would very likely have shown a difference of \\d+ % in throughput between"
                        + " Tomcat NIO, Tomcat NIO2 and Jetty \\(by the upper limit of the noise\\)\\.")
                .contains("too few blocks");
    }

    /** Two arms are equal within the margin, and only one of them beats the third. */
    @Test
    void severalWinOnlyIfEachBeatsAllOthers() {
        List<Analysis> drawn = LongStream.range(1, 60)
                .mapToObj(seed -> one(seed, USERS)
                        .arms(List.of(
                                Fixture.arm("tomcat-nio", "Tomcat NIO", "boot3", Arm.Role.BASELINE),
                                Fixture.arm("undertow", "Undertow", "boot3", Arm.Role.ARM),
                                Fixture.arm("jetty", "Jetty", "boot3", Arm.Role.ARM),
                                Fixture.arm("tomcat-nio-control", "Tomcat NIO", "boot3", Arm.Role.CONTROL)))
                        .spread(0.012)
                        .speed("undertow", 0.988)
                        .speed("jetty", 0.97)
                        .draw()
                        .analysis())
                .filter(judged -> !judged.family().isVoid())
                .toList();
        List<Ranking> pairs = drawn.stream()
                .map(judged -> Ranking.of(judged, judged.groups().get(0), USERS, Metric.THROUGHPUT))
                .filter(winner -> winner.first().size() == 2 && winner.beaten().size() == 1)
                .toList();
        assertThat(pairs).extracting(Ranking::kind).contains(Ranking.Kind.WON, Ranking.Kind.AHEAD);
        assertThat(drawn).allSatisfy(judged -> {
            Ranking winner = Ranking.of(judged, judged.groups().get(0), USERS, Metric.THROUGHPUT);
            if (winner.kind() == Ranking.Kind.WON && winner.first().size() == 2) {
                String beaten = winner.beaten().get(0).id();
                assertThat(judged.pairs(judged.groups().get(0), USERS, Metric.THROUGHPUT))
                        .filteredOn(pair -> Conclusions.hasArm(pair, beaten))
                        .allMatch(pair -> pair.verdict().namesADifference());
            }
        });
    }

    /** If copies agree, other programs may still have affected both. */
    @Test
    void aBusyMachineIsNotTrustedAsAQuietOne() {
        Fixture.Drawn quiet = one(38, USERS).spread(0.004).draw();
        Fixture.Drawn busy = warned(
                quiet,
                Warning.of(WarningKind.DISTURBED, "30 % of a processor"),
                quiet.campaign().arms().stream().map(Arm::id).toList());
        assertThat(page(quiet)).contains("Trust: good").doesNotContain("took processors from");
        assertThat(page(busy))
                .contains("Trust: fair", "other programs or the host took processors from 60 of 60 servers");
    }

    private static Fixture.Drawn warned(Fixture.Drawn drawn, Warning warning, List<String> arms) {
        return new Fixture.Drawn(
                drawn.campaign(),
                drawn.serverRuns().stream()
                        .map(one -> arms.contains(one.arm())
                                ? Fixture.with(
                                        one,
                                        one.outcome(),
                                        one.proven(),
                                        Fixture.warned(one, List.of(warning)),
                                        one.warnings())
                                : one)
                        .toList());
    }

    /** Every plan has the preset's time slices, but only some loads use them. */
    @Test
    void turnsAreToldOnlyOfLoadsThatTookThem() {
        assertThat(page(one(36, USERS).inTimeSlices(0.1).blocks(2).draw()))
                .contains("In time slices</b> of Gatling and JMeter");
        for (Fixture none : List.of(
                one(36, RATE).inTimeSlices(0.1),
                one(36, USERS).load(0.1, "2s", "3.15.1"),
                one(36, USERS).inTimeSlices(0))) {
            assertThat(page(none.blocks(2).draw())).doesNotContain("In time slices</b>", "one group to the kernel");
        }
    }

    private static String command(String began) {
        Campaign drawn = one(1, USERS).blocks(4).draw().campaign();
        return HistorySection.command(
                Fixture.with(drawn, drawn.plan(), drawn.conditions().by(began)), 12);
    }

    @Test
    void theCommandForMoreBlocksMeasuresTheSame() {
        assertThat(command("compare capacity --hold=10s"))
                .isEqualTo("java -jar bench/target/bench.jar compare capacity --hold=10s --blocks 12 --limit 0s");
        assertThat(command(""))
                .as("no compare command makes a campaign of an article")
                .isEmpty();
    }
}
