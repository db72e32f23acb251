package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.comparison.ClaimList;
import org.servletbench.bench.comparison.ClaimSpec;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.ServerRun;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Compares the files that a campaign writes for programs with the documentation of their formats. */
class OutcomesTest {

    @TempDir
    Path folder;

    private Outcomes outcomes(Fixture campaign) throws IOException {
        return outcomes(campaign.draw());
    }

    private Outcomes outcomes(Fixture.Drawn drawn) throws IOException {
        Path own = Files.createTempDirectory(folder, "campaign");
        drawn.write(own);
        return Outcomes.of(CampaignFolder.read(own));
    }

    private static Fixture campaign(long seed) {
        return Fixture.seeded(seed).spread(0.01);
    }

    /** Returns a campaign of one arm and a baseline under one load, with the claim that the arm is not slower. */
    private static Fixture pair(long seed, double speed) {
        return campaign(seed)
                .arms(List.of(
                        Fixture.arm("before", "before", "boot3", Arm.Role.BASELINE),
                        Fixture.arm("after", "after", "boot3", Arm.Role.ARM),
                        Fixture.arm("before-control", "before", "boot3", Arm.Role.CONTROL)))
                .loads(List.of(new MeasuredLoad("hello", 100, 0, "gatling")))
                .speed("after", speed)
                .claims(claiming(notSlower("throughput")));
    }

    private static ClaimList claiming(ClaimSpec claim) {
        return new ClaimList(List.of(claim), null);
    }

    private static ClaimSpec notSlower(String metric) {
        return claim("after is not slower than before", metric, ClaimSpec.Relation.NOT_SLOWER);
    }

    private static ClaimSpec claim(String says, String metric, ClaimSpec.Relation relation) {
        return new ClaimSpec(
                says,
                "",
                "",
                List.of(new ClaimSpec.Part(
                        metric, "after", "before", relation, null, null, Map.of(), Map.of(), false)));
    }

    /** Claims an upper limit of the arm's own figure. */
    private static ClaimSpec atMost(String says, String metric, double most) {
        return new ClaimSpec(
                says,
                "",
                "",
                List.of(new ClaimSpec.Part(
                        metric, "after", "", ClaimSpec.Relation.WITHIN, null, most, Map.of(), Map.of(), true)));
    }

    /** See https://bencher.dev/docs/reference/bencher-metric-format: benchmark, measure, value and its bounds. */
    @Test
    void figuresInTheBencherMetricFormatHaveTheirBounds() throws IOException {
        JsonNode all =
                Json.MAPPER.readTree(BencherMetrics.of(outcomes(campaign(81).hostile())));

        assertThat(BencherMetrics.isOne(all)).isTrue();
        assertThat(all.size()).isGreaterThan(10);
        all.properties().forEach(benchmark -> {
            assertThat(benchmark.getKey()).isNotBlank().hasSizeLessThanOrEqualTo(1024);
            benchmark.getValue().properties().forEach(measure -> {
                assertThat(measure.getKey()).isNotBlank().hasSizeLessThanOrEqualTo(64);
                JsonNode metric = measure.getValue();
                Set<String> keys = new TreeSet<>();
                metric.fieldNames().forEachRemaining(keys::add);
                assertThat(keys).contains("value").isSubsetOf("value", "lower_value", "upper_value");
                assertThat(metric).allMatch(JsonNode::isNumber);
                if (keys.size() == 3) {
                    assertThat(metric.get("value").asDouble())
                            .isBetween(
                                    metric.get("lower_value").asDouble(),
                                    metric.get("upper_value").asDouble());
                }
            });
        });
        assertThat(BencherMetrics.isOne(Json.MAPPER.readTree("{\"name\": {\"version\": \"1.0\"}}")))
                .isFalse();
        assertThat(BencherMetrics.isOne(Json.MAPPER.readTree("[1]"))).isFalse();
    }

    @Test
    void aRatioIsAMeasureOfItsOwnAndTheControlIsNone() throws IOException {
        JsonNode all = Json.MAPPER.readTree(BencherMetrics.of(outcomes(pair(82, 0.8))));

        assertThat(all.size()).isEqualTo(2);
        JsonNode after = all.get("hello 100 users, gatling: after");
        assertThat(after.at("/throughput-ratio/value").asDouble()).isBetween(0.77, 0.83);
        assertThat(after.at("/throughput-ratio/upper_value").asDouble()).isLessThan(0.9);
        assertThat(all.get("hello 100 users, gatling: before").has("throughput-ratio"))
                .isFalse();
    }

    /** See the README of github-action-benchmark: name, unit and value; range and extra are texts. */
    @Test
    void figuresForGithubActionBenchmarkAreSmallerIsBetter() throws IOException {
        JsonNode all =
                Json.MAPPER.readTree(GithubBenchmark.of(outcomes(campaign(83).hostile())));

        assertThat(GithubBenchmark.isOne(all)).isTrue();
        assertThat(all).isNotEmpty().allSatisfy(one -> {
            Set<String> keys = new TreeSet<>();
            one.fieldNames().forEachRemaining(keys::add);
            assertThat(keys).containsExactly("extra", "name", "range", "unit", "value");
            assertThat(one.get("value").isNumber()).isTrue();
            assertThat(List.of("name", "unit", "range", "extra"))
                    .allMatch(key -> one.get(key).isTextual());
            assertThat(one.get("name").asText()).doesNotContain("throughput");
        });
        assertThat(GithubBenchmark.isOne(Json.MAPPER.readTree("[{\"name\": \"x\"}]")))
                .isFalse();
    }

    /**
     * Follows the JUnit schema of Jenkins' xUnit plug-in (junit-10.xsd): a suite with its counts as attributes, and
     * named test cases with at most one outcome each, besides printed output.
     */
    @Test
    void junitHasTheElementsAndAttributesOfItsSchema() throws Exception {
        Element suite = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(JUnitXml.of(
                        outcomes(pair(84, 0.8).failing("before-control")).claims()))))
                .getDocumentElement();

        assertThat(suite.getTagName()).isEqualTo("testsuite");
        assertThat(attributes(suite)).containsExactlyInAnyOrder("name", "tests", "failures", "errors", "skipped");
        for (String count : List.of("tests", "failures", "errors", "skipped")) {
            assertThat(suite.getAttribute(count)).matches("\\d+");
        }
        List<Element> cases = elements(suite);
        assertThat(cases).isNotEmpty().allMatch(one -> one.getTagName().equals("testcase"));
        for (Element one : cases) {
            assertThat(attributes(one)).containsExactlyInAnyOrder("classname", "name");
            assertThat(elements(one)).hasSize(1).allSatisfy(outcome -> {
                assertThat(outcome.getTagName()).isIn("failure", "error", "skipped", "system-out");
                assertThat(attributes(outcome)).isSubsetOf("message");
                assertThat(elements(outcome)).isEmpty();
            });
        }
    }

    private static Set<String> attributes(Element element) {
        Set<String> names = new TreeSet<>();
        for (int i = 0; i < element.getAttributes().getLength(); i++) {
            names.add(element.getAttributes().item(i).getNodeName());
        }
        return names;
    }

    private static List<Element> elements(Element element) {
        NodeList all = element.getChildNodes();
        return java.util.stream.IntStream.range(0, all.getLength())
                .mapToObj(all::item)
                .filter(node -> node.getNodeType() == Node.ELEMENT_NODE)
                .map(Element.class::cast)
                .toList();
    }

    // ---- the summary ----

    private static List<String> open(String summary) {
        return summary.substring(0, summary.indexOf("\n<details>")).lines().toList();
    }

    @Test
    void theSummarySaysWhatIsSlowerWhatItIsWorthAndHowToRepeatIt() throws IOException {
        String summary = MarkdownSummary.of(outcomes(pair(85, 0.8)));

        List<String> open = open(summary);
        assertThat(open).hasSizeLessThanOrEqualTo(20);
        assertThat(open.get(0)).isEqualTo("<!-- servlet-bench: slower -->");
        assertThat(open.get(1))
                .matches(
                        "### For hello at 100 users, after answers (19|2[01])(\\.\\d)? % fewer requests than before .*");
        assertThat(open)
                .anyMatch(line -> line.startsWith("| hello at 100 users, throughput | after | ")
                        && line.matches(".*\\| −(19|2[01])(\\.\\d)? % \\(−\\d.* to −\\d.* %\\) \\| slower \\|"));
        assertThat(open).contains("- Claims: 0 hold, 1 does not, 0 undecided.", "- Warnings: none.");
        assertThat(open).anyMatch(line -> line.startsWith("- A/A check: Two copies of before "));
        assertThat(open)
                .anyMatch(
                        line -> line.matches(
                                "- This campaign \\(10 blocks\\) would have found \\d[\\d.]* % in throughput, .*"
                                        + "\\d % in CPU time per request.*, in at least 8 of 10 repetitions\\. To fail as often, a change must cost \\d.*"));
        assertThat(summary).contains("<details><summary>What ran</summary>", "SHA-256 9f86d081");
    }

    @Test
    void theSummaryOfWhatIsEqualSaysWhatWasClaimed() throws IOException {
        assertThat(MarkdownSummary.of(outcomes(pair(86, 1.0))))
                .startsWith("<!-- servlet-bench: passed -->\n### As claimed: after is not slower than before\n");
    }

    /** Arms of the second group used to be missing in the visible table. */
    @Test
    void theSummaryOfSeveralGroupsHasEachArm() throws IOException {
        List<String> open = open(MarkdownSummary.of(outcomes(Fixture.seeded(88).spread(0.01))));

        assertThat(open).hasSizeLessThanOrEqualTo(20);
        assertThat(open).filteredOn(line -> line.contains(", throughput | ")).hasSize(4);
        assertThat(open)
                .anyMatch(line -> line.startsWith("| boot3, ") && line.contains(" | Undertow | "))
                .anyMatch(line -> line.startsWith("| boot2, ") && line.contains(" | Tomcat APR | "));
    }

    @Test
    void theSummaryOfAVoidCampaignHasNoAnswer() throws IOException {
        assertThat(MarkdownSummary.of(outcomes(pair(87, 0.8).speed("before-control", 1.5))))
                .startsWith(
                        "<!-- servlet-bench: broken -->\n### No answer: two copies of the same server came out different\n")
                .contains("| void |")
                .doesNotContain("would have found", "To fail as often");
    }

    /** An undecided gate passes, so its first words must not look like a result. */
    @Test
    void theSummaryOfAnUndecidedGateSaysSoFirst() throws IOException {
        Fixture few = pair(94, 0.98).spread(0.03).blocks(3).limit(600);
        assertThat(open(MarkdownSummary.of(outcomes(few))).get(1))
                .matches("### UNDECIDED after 3 blocks: throughput of after [−+]?\\d.* % \\(.* to .* %\\), margin 3 %;"
                        + " too few blocks to forecast; try limit: 30m");
        Outcomes more = outcomes(pair(95, 0.98).spread(0.03).blocks(5));
        assertThat(open(MarkdownSummary.of(more)).get(1))
                .matches("### UNDECIDED after 5 blocks: throughput of after [−+]?\\d.* % \\(.* to .* %\\), margin 3 %;"
                        + " a 10 % regression would have been found in at least \\d+ % \\(throughput\\) of such runs;"
                        + " try blocks: 15");
        assertThat(JUnitXml.of(more))
                .containsPattern("<skipped message=\"undecided: .*; a 10 % regression would have been found in ");
    }

    /** Other metrics are slower in the same campaign, but nothing was claimed about them. */
    @Test
    void theSentenceIsAboutTheClaimThatFailed() throws IOException {
        assertThat(open(MarkdownSummary.of(outcomes(pair(92, 0.8).claims(claiming(notSlower("cpu"))))))
                        .get(1))
                .matches(
                        "### For hello at 100 users, after needs 2\\d(\\.\\d)? % more CPU time per request than before .*");
        assertThat(open(MarkdownSummary.of(
                                outcomes(pair(93, 0.8).claims(claiming(atMost("after answers in time", "p99", 0.1))))))
                        .get(1))
                .startsWith("### not as claimed: after answers in time: does not hold: p99");
    }

    /**
     * A sentence on what would have been found is about all loads, and would be wrong if one of them was not tested.
     */
    @Test
    void whatOneLoadCouldNotHaveFoundIsNotKnown() throws IOException {
        MeasuredLoad light = new MeasuredLoad("hello", 100, 0, "gatling");
        MeasuredLoad heavy = new MeasuredLoad("hello", 500, 0, "gatling");
        Fixture.Drawn drawn = pair(94, 1.0).loads(List.of(light, heavy)).draw();
        Outcomes all = outcomes(new Fixture.Drawn(
                drawn.campaign(),
                drawn.serverRuns().stream()
                        .map(one -> one.arm().equals("after") ? failing(one, heavy) : one)
                        .toList()));

        assertThat(all.detectable()).containsEntry(Metric.CPU, Double.NaN).containsEntry(Metric.THROUGHPUT, Double.NaN);
        assertThat(MarkdownSummary.of(all))
                .contains(
                        "- The sensitivity of this campaign is not known: not every arm has an interval under every load.")
                .doesNotContain("To fail as often");
    }

    private static ServerRun failing(ServerRun one, MeasuredLoad where) {
        List<LoadFigures> warned = Fixture.warned(one, List.of(new Warning(WarningKind.ERRORS, "5 % failed", true)));
        List<LoadFigures> loads = new ArrayList<>(one.loads());
        for (int i = 0; i < loads.size(); i++) {
            if (loads.get(i).load().equals(where)) {
                loads.set(i, warned.get(i));
            }
        }
        return Fixture.with(one, one.outcome(), one.proven(), loads, one.warnings());
    }

    /** For a claim that something is faster, the threshold would be a different one. */
    @Test
    void fromWhereOnAClaimFailsIsSaidOfWhatMustNotBeSlower() throws IOException {
        String faster = MarkdownSummary.of(outcomes(
                pair(95, 1.2).claims(claiming(claim("after is faster", "throughput", ClaimSpec.Relation.FASTER)))));
        String cpu = MarkdownSummary.of(outcomes(pair(95, 1.0).claims(claiming(notSlower("cpu")))));

        assertThat(faster).contains("would have found").doesNotContain("To fail as often");
        assertThat(cpu)
                .containsPattern(
                        "To fail as often, a change must cost [\\d.]+ % in CPU time per request: the whole interval");
    }

    @Test
    void whatHasNoFiguresIsNoPass() throws IOException {
        String summary = MarkdownSummary.of(outcomes(pair(88, 1.0).failing("after")));
        assertThat(summary)
                .startsWith(
                        "<!-- servlet-bench: unusable -->\n### No answer: no usable figures: after is not slower than");
    }

    /** Names and labels are untrusted, and must remain text. */
    @Test
    void nothingOfALabelIsMarkup() throws IOException {
        String summary = MarkdownSummary.of(outcomes(campaign(89).hostile()));

        assertThat(summary).doesNotContain("<script", "<img", "onerror='", "\u202e");
        assertThat(summary.replaceAll("</?(details|summary|code)>|<!-- servlet-bench: [a-z]+ -->", ""))
                .doesNotContain("<", ">");
        List<String> table =
                summary.lines().filter(line -> line.startsWith("|")).toList();
        assertThat(table)
                .isNotEmpty()
                .allMatch(line -> line.chars().filter(c -> c == '|').count() == 7);
        assertThat(Markdown.text("a|b\n*c* [d](e) `f` @team <i>&amp;"))
                .isEqualTo("a&#124;b &#42;c&#42; &#91;d&#93;(e) &#96;f&#96; @&#8203;team &#60;i&#62;&#38;amp;");
    }

    @Test
    void theSummaryOfALargeCampaignIsShorterThanACommentMayBe() throws IOException {
        String summary =
                MarkdownSummary.of(outcomes(campaign(90).hostile().blocks(3).loads(Fixture.manyLoads())));

        assertThat(summary.getBytes(StandardCharsets.UTF_8).length).isLessThan(64 * 1024);
        assertThat(open(summary)).hasSizeLessThanOrEqualTo(20);
    }

    @Test
    void whatIsNotJudgedIsShownAndTakesNothingFromWhatIs() throws IOException {
        Outcomes all = outcomes(pair(91, 0.8));

        assertThat(all.analysis().primary()).doesNotContain(Metric.SWITCHES);
        assertThat(all.rows())
                .filteredOn(row -> !row.judged())
                .isNotEmpty()
                .allMatch(row -> all.analysis().primary().stream().noneMatch(metric -> metric == row.metric()));
        assertThat(all.analysis().family().comparisons())
                .hasSize(all.analysis().primary().size());
        assertThat(all.rows().stream()
                        .filter(row -> row.arm().id().equals("after"))
                        .map(row -> row.against().map(against -> against.verdict()))
                        .filter(Optional::isPresent))
                .isNotEmpty();
    }
}
