package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TimeZone;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Scheduling;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.ServerRun;

class ReportPageTest {
    @TempDir
    Path folder;

    @Test
    void theSameFilesGiveTheSameBytesInAnyCountryAndOrder() throws IOException {
        Fixture.Drawn drawn = Fixture.seeded(21).oneGroup().faults().hostile().draw();
        drawn.write(folder);
        ReportPage.of(CampaignFolder.read(folder)).write(folder);
        Map<String, String> first = written();

        Locale locale = Locale.getDefault();
        TimeZone zone = TimeZone.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("tr-TR-u-nu-arab"));
            TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Chatham"));
            List<ServerRun> shuffled = new ArrayList<>(drawn.serverRuns());
            Collections.shuffle(shuffled, new Random(1));
            CampaignFolder read = CampaignFolder.read(folder);
            new ReportPage(Analysis.of(read.campaign(), shuffled), i -> "x", List.of(), Optional.empty()).files();
            ReportPage.of(read).write(folder);
        } finally {
            Locale.setDefault(locale);
            TimeZone.setDefault(zone);
        }
        assertThat(written()).isEqualTo(first);
        assertThat(first).containsKey("index.html").hasSizeGreaterThan(20);
    }

    @Test
    void theOrderOfTheInvocationsDoesNotMatter() {
        Fixture.Drawn drawn = Fixture.seeded(22).faults().draw();
        List<ServerRun> shuffled = new ArrayList<>(drawn.serverRuns());
        Collections.shuffle(shuffled, new Random(1));

        assertThat(new Fixture.Drawn(drawn.campaign(), shuffled).page().files())
                .isEqualTo(drawn.page().files());
    }

    private Map<String, String> written() throws IOException {
        Map<String, String> files = new java.util.TreeMap<>();
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.filter(Files::isRegularFile)
                    .filter(path -> !path.getFileName().toString().contains("server-run.json"))
                    .toList()) {
                files.put(folder.relativize(path).toString(), Files.readString(path));
            }
        }
        return files;
    }

    @Test
    void aLargeCampaignFitsAndOneThatIsFarTooLargeFitsToo() {
        Map<String, String> large = Fixture.seeded(23)
                .oneGroup()
                .loads(Fixture.manyLoads())
                .draw()
                .page()
                .files();
        List<MeasuredLoad> huge = new ArrayList<>();
        for (int i = 1; i <= 30; i++) {
            huge.add(new MeasuredLoad("a workload with a rather long name, ".repeat(10) + i, 100, 0, "gatling"));
        }
        Map<String, String> far =
                Fixture.seeded(24).blocks(2).loads(huge).draw().page().files();

        assertThat(bytes(large)).isLessThanOrEqualTo(2_000_000);
        assertThat(bytes(far)).isLessThanOrEqualTo(2_000_000);
        assertThat(far.get("group-boot3.html")).contains("too large for one page");
        assertThat(far.keySet().stream().filter(name -> name.endsWith(".csv")).count())
                .as("every table is there as a file")
                .isGreaterThanOrEqualTo(30);
    }

    @Test
    void loadsBeyondTheFirstFewAreFolded() {
        String page = Fixture.seeded(23)
                .oneGroup()
                .loads(Fixture.manyLoads())
                .draw()
                .page()
                .files()
                .get("index.html");
        assertThat(page)
                .contains("<h3>hello at 100 users (gatling)</h3>")
                .contains("<details><summary>static at 100 users (gatling)</summary>")
                .doesNotContain("<h3>static at 100 users (gatling)</h3>")
                .contains("<summary>Windows under 20 more loads</summary>");
    }

    @Test
    void windowsOfManyBlocksAreABand() {
        assertThat(Fixture.seeded(2).small().blocks(40).draw().page().files().get("index.html"))
                .doesNotContain("class='band ");
        assertThat(Fixture.seeded(2).small().blocks(41).draw().page().files().get("index.html"))
                .contains("class='band c1", "the middle 80 % of their windows")
                .doesNotContain("MNaN", "LNaN");
    }

    private static int bytes(Map<String, String> files) {
        return files.entrySet().stream()
                .filter(file -> file.getKey().endsWith(".html"))
                .mapToInt(file -> file.getValue().getBytes(StandardCharsets.UTF_8).length)
                .max()
                .orElseThrow();
    }

    /** Returns all pages as one text. */
    private static String pages(Fixture.Drawn drawn) {
        return drawn.page().files().entrySet().stream()
                .filter(file -> file.getKey().endsWith(".html"))
                .map(Map.Entry::getValue)
                .collect(Collectors.joining())
                .replaceAll("\\s+", " ");
    }

    @Test
    void namesFromDataStayTextAndNamesOfFilesStayNames() {
        Map<String, String> files =
                Fixture.seeded(25).oneGroup().faults().hostile().draw().page().files();
        String page = files.get("index.html");

        assertThat(page)
                .doesNotContain("<script>alert")
                .doesNotContain("<img")
                .doesNotContain("<b>of its start")
                .doesNotContain("\u202e")
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;");
        assertThat(files.keySet())
                .allMatch(name ->
                        name.matches("index\\.html|group-boot[23]\\.html|tables/[a-z0-9][a-z0-9.-]*\\.(csv|json)"));
        assertThat(page).doesNotContain("http://").doesNotContain("https://").doesNotContain("url(");
    }

    @Test
    void linksStayWithinTheCampaign() {
        assertThat(ValidityChecks.link("blocks/1/2-a", "gatling/index.html"))
                .isEqualTo("<a href='blocks/1/2-a/gatling/index.html'>gatling/index.html</a>");
        assertThat(ValidityChecks.link("blocks/1/2-a+b", "a b/<x>'#?.log"))
                .isEqualTo("<a href='blocks/1/2-a+b/a%20b/%3Cx%3E%27%23%3F.log'>a b/&lt;x&gt;&#39;#?.log</a>");
        assertThat(ValidityChecks.link("blocks/1/2-a", "../load-1/gatling/simulation.log"))
                .as("what all servers of a block share lies beside their folders")
                .isEqualTo("<a href='blocks/1/load-1/gatling/simulation.log'>load-1/gatling/simulation.log</a>");
        for (String out : List.of(
                "../../../../etc/passwd",
                "a/../../../../../b",
                "../../..",
                "a\0b",
                "/etc/passwd",
                "javascript:alert(1)",
                "http://example.org/",
                "a\\b")) {
            assertThat(ValidityChecks.link("blocks/1/2-a", out)).as(out).doesNotContain("href");
        }
    }

    @Test
    void theAnswerNamesWhatIsWrong() {
        String page = pages(
                Fixture.seeded(26).faults().spread(0.01).speed("undertow", 1.2).draw());

        assertThat(page)
                .containsPattern("hello at 100 users: Undertow is (1[89]|2[012])\u00a0% faster than Tomcat NIO \\(")
                .contains("never settled in the warm-up")
                .contains("1 attempt failed")
                .contains("the generator used 0.99 of 1 processor")
                .contains("not ranked")
                .contains("another attempt was measured")
                .contains("seed 20261121");
    }

    @Test
    void theAnswerTellsOfAnArmAgainstItsBaselineEvenWhereTheBaselineIsBetter() {
        Fixture.Drawn drawn =
                Fixture.seeded(36).spread(0.01).speed("jetty", 0.8).draw();
        String page = drawn.page().files().get("index.html");

        assertThat(page)
                .containsPattern(
                        "hello at 100 users: Jetty answers (19|2[01])\u00a0% fewer requests than Tomcat NIO \\(")
                .doesNotContainPattern("Tomcat NIO is [0-9.]+\u00a0% faster than Jetty");
        assertThat(Claims.of(drawn.analysis()).claims())
                .filteredOn(claim -> claim.what().equals("Jetty against Tomcat NIO") && claim.fails())
                .isNotEmpty()
                .allMatch(claim -> claim.sentence().contains(" Jetty "))
                .noneMatch(claim -> claim.sentence().contains("than Jetty"));
    }

    /** With this much noise, four blocks could only have shown a bias of about 20 %. */
    @Test
    void aControlThatShowsNothingGetsNoGreenTick() {
        String page = Fixture.seeded(35)
                .oneGroup()
                .spread(0.08)
                .blocks(4)
                .draw()
                .page()
                .files()
                .get("index.html");

        assertThat(page)
                .contains("class='guard untested'>Inconclusive: the two copies of")
                .contains("would not have been seen")
                .doesNotContain("class='guard held'")
                .doesNotContain("class='trust good'");
    }

    @Test
    void itSaysWhetherServersWereApartToTheScheduler() {
        Fixture.Drawn drawn =
                Fixture.seeded(36).small().inTimeSlices(0.1).blocks(2).draw();
        String apart = "Each server is a group of its own to the kernel&#39;s scheduler";
        String shared = "may have been, one group to the kernel&#39;s scheduler";

        assertThat(pages(drawn)).contains(shared).doesNotContain(apart);
        for (Scheduling how : Scheduling.values()) {
            List<ServerRun> proven = drawn.serverRuns().stream()
                    .map(one -> Fixture.proven(one, Scheduling.FACT, how.toString()))
                    .toList();
            assertThat(pages(new Fixture.Drawn(drawn.campaign(), proven)))
                    .contains(how == Scheduling.SHARED ? shared : apart)
                    .doesNotContain(how == Scheduling.SHARED ? apart : shared);
        }
    }

    @Test
    void anArmWithoutUsableFiguresIsBeatenByNobodyAndFailsABuild() {
        Fixture one = Fixture.seeded(41).small();
        Fixture.Drawn four = one.spread(0.2).blocks(3).failing("jetty").draw();
        Fixture.Drawn two = Fixture.seeded(42)
                .loads(List.of(new MeasuredLoad("hello", 100, 0, "gatling")))
                .arms(List.of(
                        Fixture.arm("tomcat-nio", "Tomcat NIO", "boot3", Arm.Role.BASELINE),
                        Fixture.arm("jetty", "Jetty", "boot3", Arm.Role.ARM),
                        Fixture.arm("tomcat-nio-control", "Tomcat NIO", "boot3", Arm.Role.CONTROL)))
                .failing("jetty")
                .draw();

        assertThat(pages(four))
                .contains("<h1>No clear winner: 3 blocks cannot separate the three. Jetty has no usable figures.</h1>")
                .containsPattern("[\\d,]+ of [\\d,]+ requests failed\\.")
                .doesNotContain("counted requests failed");
        // In one of twenty drawn loads a request fails.
        assertThat(List.of(1, 2, 3, 4))
                .map(seed -> pages(Fixture.seeded(seed).small().blocks(2).draw()))
                .anySatisfy(page -> assertThat(page).containsPattern("None of the [\\d,]+ counted requests failed\\."));
        assertThat(pages(two))
                .contains("<h1>Nothing is judged. Jetty has no usable figures.</h1>")
                .doesNotContain("NIO is fastest");
        Claims claims = Claims.of(two.analysis());
        assertThat(claims.fail()).isTrue();
        assertThat(claims.claims()).isNotEmpty().allMatch(claim -> claim.failure() == Claims.Failure.NO_FIGURES);
    }

    @Test
    void theFirstScreenAnswersAndAgreesWithTheVerdicts() {
        Fixture one = Fixture.seeded(38).small();
        String won = pages(one.spread(0.01).speed("undertow", 1.2).draw());
        String open = pages(Fixture.seeded(39).small().spread(0.1).blocks(3).draw());

        assertThat(won)
                .containsPattern("<h1>Undertow is fastest: \\+(1[89]|2[012])\u00a0% ± [1-4] against Tomcat NIO\\.")
                .contains(
                        "class='trust good'",
                        "The widest gap to the baseline: Undertow is ",
                        "higher in 10 of 10 blocks")
                .containsPattern("Which container is fastest for hello at 100 users, Spring Boot 3.5.16")
                .contains("<tr class='copy'>", "same jar: shows noise");
        assertThat(open)
                .contains("<h1>No clear winner: 3 blocks cannot separate the four.</h1>", "class='trust low'")
                .contains(
                        "would very likely have shown a difference of",
                        "blocks in a new campaign",
                        "--blocks ",
                        "--limit 0s</code>");
    }

    private static String figure(String page, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(page);
        assertThat(matcher.find()).as(pattern).isTrue();
        return matcher.group(1);
    }

    @Test
    void equalArmsAreToldAsEqual() {
        String page = pages(Fixture.seeded(40)
                .small()
                .spread(0.003)
                .speed("undertow", 1)
                .speed("tomcat-nio2", 1)
                .draw());

        assertThat(page).contains("are equal within 3\u00a0%.</h1>").doesNotContain("class='trust low'");
    }

    @Test
    void aPercentileWithFewerThanTenRequestsBeyondIsNotShown() {
        LoadFigures few = Fixture.seeded(41).draw().serverRuns().get(0).loads().get(0);

        assertThat(FigureTables.isSupported(Metric.P99, few.requests())).isTrue();
        assertThat(FigureTables.isSupported(Metric.P999, few.requests()))
                .isEqualTo(few.requests() >= 10_000)
                .isTrue();
        assertThat(FigureTables.isSupported(Metric.P99, 9_000)).isTrue();
        assertThat(FigureTables.isSupported(Metric.P999, 9_000)).isFalse();
    }

    /** Requests appear in the order of the list, not alphabetically. */
    @Test
    void eachRequestOfAListIsShownAndNotJudged() throws IOException {
        Fixture.Drawn usual = Fixture.seeded(42)
                .oneGroup()
                .loads(List.of(new MeasuredLoad("shop", 100, 0, "gatling")))
                .draw();
        List<LoadFigures.Request> requests = List.of(
                new LoadFigures.Request("list", 9_000, 0, Map.of("throughput", 100.0, "p99", 20.0)),
                new LoadFigures.Request("create", 500, 5, Map.of("throughput", 50.0, "p50", 3.0, "p99", 9.0)));
        Analysis analysis = Analysis.of(
                usual.campaign(),
                usual.serverRuns().stream()
                        .map(one -> Fixture.listing(one, requests))
                        .toList());
        Map<String, String> files = new ReportPage(analysis, one -> "", List.of(), Optional.empty()).files();

        String name = files.keySet().stream()
                .filter(file -> file.endsWith("-each.json"))
                .findFirst()
                .orElseThrow();
        JsonNode rows = new ObjectMapper().readTree(files.get(name)).get("rows");
        int arms = analysis.groups().get(0).all().size();
        assertThat(rows).hasSize(2 * arms);
        assertThat(rows.get(0).get("request").textValue()).isEqualTo("list");
        assertThat(rows.get(arms).get("request").textValue()).isEqualTo("create");
        assertThat(rows.get(arms).get("throughput").doubleValue()).isCloseTo(50, within(1e-9));
        assertThat(rows.get(arms).get("p50").doubleValue()).isCloseTo(3, within(1e-9));
        assertThat(rows.get(arms).get("p99").isNull())
                .as("fewer than ten requests beyond it")
                .isTrue();
        assertThat(files.get(ReportPage.INDEX)).contains("Each request of", "shown, not judged");
        assertThat(analysis.family().pairs())
                .hasSameSizeAs(Analysis.of(usual.campaign(), usual.serverRuns())
                        .family()
                        .pairs());
    }

    @Test
    void inAVoidCampaignNoVerdictIsSaid() {
        Map<String, String> files = Fixture.seeded(27)
                .speed("tomcat-nio-control", 1.4)
                .draw()
                .page()
                .files();

        assertThat(files.get("group-boot3.html")).doesNotContain(">faster<").doesNotContain(">better<");
        assertThat(files.get("index.html"))
                .contains("VOID")
                .contains("no verdict of this campaign may be used")
                .doesNotContain(">faster<")
                .doesNotContain(">better<")
                .doesNotContain("is the best");
        assertThat(files.get("tables/boot3-verdicts.csv")).contains("VOID").doesNotContain("FASTER");
    }

    @Test
    void tablesAreTheSameAsFilesWithNullForWhatIsNotKnown() throws IOException {
        Fixture.Drawn drawn = Fixture.seeded(28).draw();
        Map<String, String> files = drawn.page().files();
        JsonNode rows = new ObjectMapper()
                .readTree(files.get("tables/boot3-hello-100-gatling-speed.json"))
                .path("rows");
        List<NamedCsvRecord> csv =
                CsvReader.builder().ofNamedCsvRecord(files.get("tables/boot3-hello-100-gatling-speed.csv")).stream()
                        .toList();
        Analysis analysis = drawn.analysis();
        double mean = analysis.describe(
                        Metric.THROUGHPUT,
                        analysis.values(
                                drawn.campaign().arm("jetty"),
                                drawn.campaign().plan().loads().get(0),
                                Metric.THROUGHPUT))
                .mean();

        assertThat(csv).hasSize(rows.size()).hasSize(6);
        NamedCsvRecord jetty = csv.stream()
                .filter(row -> row.getField("arm").equals("Jetty"))
                .findFirst()
                .orElseThrow();
        assertThat(Double.parseDouble(jetty.getField("throughput"))).isEqualTo(mean);
        assertThat(Double.parseDouble(jetty.getField("throughput.low"))).isLessThan(mean);
        assertThat(jetty.getField("throughput.n")).isEqualTo("10");
        rows.forEach(row -> assertThat(row.path("throughput").isNumber()).isTrue());

        String one = Fixture.seeded(29).blocks(1).draw().page().files().get("tables/boot3-verdicts.json");
        JsonNode verdict = new ObjectMapper().readTree(one).path("rows").get(0);
        assertThat(verdict.path("low").isNull()).isTrue();
        assertThat(verdict.path("detectable.percent").isNull()).isTrue();
        assertThat(verdict.path("reason").asText()).isEqualTo("TOO_FEW_BLOCKS");
        assertThat(verdict.path("verdict").asText()).isEqualTo("INCONCLUSIVE");
    }

    @Test
    void whatWrkTellsOfResponseTimesIsShownWithItsLabelAndJudgedNowhere() throws IOException {
        Fixture.Drawn drawn = Fixture.seeded(32)
                .loads(List.of(new MeasuredLoad("hello", 100, 0, "wrk"), new MeasuredLoad("hello", 100, 0, "gatling")))
                .draw();
        Map<String, String> files = drawn.page().files();
        String page = pages(drawn);

        assertThat(page)
                .contains("p99 reported by wrk: corrected for coordinated omission by the tool, not a measurement");
        assertThat(page).contains("wrk corrects its latencies for coordinated omission by samples that it makes up");
        JsonNode row = new ObjectMapper()
                .readTree(files.get("tables/boot3-hello-100-wrk-speed.json"))
                .path("rows")
                .get(0);
        assertThat(row.path("reported.p99").isNumber()).isTrue();
        assertThat(row.has("p99")).isFalse();
        assertThat(drawn.analysis().family().pairs())
                .as("what nobody measures takes nothing from the level of the others")
                .isNotEmpty()
                .noneMatch(pair -> pair.contrast().load().equals(new MeasuredLoad("hello", 100, 0, "wrk"))
                        && pair.contrast().metric() == Metric.P99);
        drawn.analysis().family().pairs().stream()
                .filter(pair -> pair.contrast().load().equals(new MeasuredLoad("hello", 100, 0, "wrk")))
                .filter(pair -> pair.contrast().metric().equals(Metric.P99))
                .forEach(pair -> assertThat(pair.estimate().n()).isZero());
    }

    @Test
    void aHeapThatWasTouchedFirstIsSaidBesideTheFiguresThatItMakes() {
        String page = pages(Fixture.seeded(33).small().preTouched().draw());
        String note = Html.escape(" with -XX:+AlwaysPreTouch: the heap's, not the container's");

        assertThat(page).contains("Time to ready" + note).contains("Resident memory" + note);
        assertThat(page).doesNotContain("Server CPU time per request" + note);
        assertThat(pages(Fixture.seeded(33).small().draw())).doesNotContain("AlwaysPreTouch");
    }

    @Test
    void thePageSaysWhatExactlyEachFigureOfCostIs() {
        Fixture.Drawn drawn = Fixture.seeded(34).draw();
        String page = new Fixture.Drawn(
                        drawn.campaign(),
                        drawn.serverRuns().stream()
                                .map(one -> Fixture.with(
                                        one, one.outcome(), one.proven(), Fixture.trending(one, null), one.warnings()))
                                .toList())
                .page()
                .files()
                .get("index.html");

        assertThat(page)
                .contains("compiles, from /proc/PID/task/*/schedstat, in percent of the server")
                .contains("Steal time from the first line of /proc/stat, summed over all processors of the machine")
                .contains("process alone, divided by the length of the window")
                .contains("results too little was measured for a trend");
        assertThat(page)
                .as("what response times are at a fixed rate")
                .contains("Times run from when a request was due, so that a delay of Gatling is in them, too.");
    }

    @Test
    void aCampaignThatHasOnlyBegunHasAPage() {
        Fixture.Drawn drawn = Fixture.seeded(30).history().draw();

        assertThat(new Fixture.Drawn(drawn.campaign(), List.of()).page().files().get("index.html"))
                .contains("0 of 10 blocks so far");
        assertThat(Fixture.seeded(31).blocks(1).draw().page().files().get("index.html"))
                .contains("too few blocks");
    }
}
