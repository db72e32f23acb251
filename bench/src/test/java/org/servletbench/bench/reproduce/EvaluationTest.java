package org.servletbench.bench.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.Article.Claim;
import org.servletbench.bench.article.Figures;
import org.servletbench.bench.article.Point;
import org.servletbench.bench.article.PublishedFolderTest;
import org.servletbench.bench.article.Quantity;
import org.servletbench.bench.article.RerunPlan;
import org.servletbench.bench.article.Statement;
import org.servletbench.bench.reproduce.ClaimVerdict.Part;
import org.servletbench.bench.reproduce.ClaimVerdict.Standing;
import org.servletbench.bench.verdict.Settings;

/** Claims against blocks of figures whose truth is known: right, wrong, and not to be told. */
class EvaluationTest {

    private static final int BLOCKS = 10;
    private static final double NARROW = 0.0005;
    private static final double WIDE = 0.6;

    private static Claim claim(Article article, String id) {
        return article.claims().stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** {@code arm=value} for all users of the claim, or {@code arm@users=value}. */
    private static Map<Point, Double> values(Statement statement, String text) {
        Map<String, Double> told = new HashMap<>();
        for (String one : text.strip().split(" +")) {
            told.put(one.split("=")[0], Double.valueOf(one.split("=")[1]));
        }
        Map<Point, Double> values = new LinkedHashMap<>();
        for (Point cell : statement.cells()) {
            Double value = told.getOrDefault(cell.arm() + "@" + cell.users(), told.get(cell.arm()));
            if (value != null) {
                values.put(cell, value);
            }
        }
        return values;
    }

    /** Blocks that drift together, with values that differ from block to block besides. Shares do not. */
    private static SortedMap<Integer, Figures> blocks(
            Quantity metric, Map<Point, Double> truth, int number, double spread) {
        Random random = new Random(7);
        SortedMap<Integer, Figures> blocks = new TreeMap<>();
        for (int block = 1; block <= number; block++) {
            double drift = Math.exp(0.2 * random.nextGaussian());
            Map<Point, Map<Quantity, Double>> figures = new LinkedHashMap<>();
            truth.forEach((cell, value) -> figures.put(
                    cell,
                    metric == Quantity.ERRORS_PRINTED
                            ? Map.of(metric, value, Quantity.REQUESTS, 1e6)
                            : Map.of(metric, value * drift * Math.exp(spread * random.nextGaussian()))));
            blocks.put(block, new Figures(figures));
        }
        return blocks;
    }

    private static Observed observed(SortedMap<Integer, Figures> blocks) {
        return new Observed(blocks, Map.of(), Set.of(), Set.of(), new TreeMap<>(), 0, Optional.empty());
    }

    private static ClaimVerdict judge(Article article, String id, Observed observed) {
        return Evaluation.of(article, observed, Settings.DEFAULTS).stream()
                .filter(verdict -> verdict.claim().id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static ClaimVerdict judge(String articleId, String id, String truth, int blocks, double spread) {
        Article article = PublishedFolderTest.article(articleId);
        Statement statement = claim(article, id).statement();
        return judge(
                article,
                id,
                observed(blocks(statement.metric().orElseThrow(), values(statement, truth), blocks, spread)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            wrk-hello | order | jetty=4 undertow=3 tomcat-apr=2 tomcat-nio=1 | jetty=4 undertow=3 tomcat-apr=1 tomcat-nio=2
            wrk-hello | apr-gain | tomcat-apr=116 tomcat-nio=100 | tomcat-apr=118 tomcat-nio=100
            wrk-hello | apr-gain | tomcat-apr=108 tomcat-nio=100 | tomcat-apr=106 tomcat-nio=100
            wrk-hello | jetty-gain | jetty=135 tomcat-nio=100 | jetty=131 tomcat-nio=100
            wrk-hello | jetty-gain | jetty=151 tomcat-nio=100 | jetty=155 tomcat-nio=100
            wrk-hello | undertow-gain | undertow=126 tomcat-nio=100 | undertow=122 tomcat-nio=100
            wrk-hello | nginx-gap | nginx=100 tomcat-nio=85 tomcat-apr=80 jetty=50 undertow=88 | nginx=100 tomcat-nio=85 tomcat-apr=80 jetty=50 undertow=95
            jmeter-nio-apr-tiers | low-tiers | tomcat-nio=10.5 tomcat-apr=10 | tomcat-nio=10.5 tomcat-apr=10 tomcat-apr@200=11
            jmeter-nio-apr-tiers | low-tiers | tomcat-nio=10.5 tomcat-apr=10 | tomcat-nio=12 tomcat-apr=10
            jmeter-nio-apr-tiers | high-tier | tomcat-apr=2 tomcat-nio=1 | tomcat-apr=1 tomcat-nio=2
            jmeter-nio-apr-tiers | latency-grows | tomcat-nio@100=1 tomcat-nio@1500=21 | tomcat-nio@100=1 tomcat-nio@1500=19
            jmeter-nio-apr-tiers | min-stable | tomcat-apr=20 tomcat-apr@200=25 tomcat-nio=10 | tomcat-apr=20 tomcat-apr@200=35 tomcat-nio=10
            jmeter-nio-apr-tiers | errors-apr | tomcat-apr=0 tomcat-apr@1500=0.001144 tomcat-nio=0 | tomcat-apr=0 tomcat-apr@1500=0.1144 tomcat-nio=0
            jmeter-nio-apr-tiers | errors-apr | tomcat-apr=0 tomcat-apr@1500=0.001144 tomcat-nio=0.000001 | tomcat-apr=0 tomcat-apr@1500=0.001144 tomcat-nio=0 tomcat-nio@500=0.01
            siege-threads | high-load | undertow=2 jetty=1 | undertow=2 jetty=1 jetty@80=2.5
            siege-threads | low-load | jetty=1.05 undertow=1 | jetty=0.95 undertow=1
            siege-threads | low-load | jetty=1.05 undertow=1 | jetty=1.2 undertow=1
            siege-threads | payload-order | undertow=2.1 tomcat-nio=2 jetty=1 | undertow=2.1 tomcat-nio=2 jetty=1 jetty@80=2.2
            siege-threads | payload-order | undertow=2.1 tomcat-nio=2 jetty=1 | undertow=2.4 tomcat-nio=2 jetty=1
            ab-startup | memory-order | jetty=1 undertow=2 tomcat-nio=3 | jetty=1 undertow=3 tomcat-nio=2
            ab-startup | speed-order | jetty=2 undertow=3 tomcat-nio=1 | jetty=3 undertow=2 tomcat-nio=1
            ab-startup | undertow-clearly | undertow=100 jetty=85 tomcat-nio=80 | undertow=100 jetty=92 tomcat-nio=80
            virtual-threads-blocking | tomcat-15-times | tomcat-nio+virtual=2900 jetty+virtual=200 | tomcat-nio+virtual=1500 jetty+virtual=200
            virtual-threads-blocking | jetty-no-gain | jetty+virtual=200 jetty=197 | jetty+virtual=3000 jetty=200
            virtual-threads-blocking | startup-similar | tomcat-nio=10 jetty=10.2 tomcat-nio+virtual=10 jetty+virtual=9.8 | tomcat-nio=10 jetty=10 tomcat-nio+virtual=10 jetty+virtual=12
            """)
    void rightWrongAndTooNoisy(String article, String id, String right, String wrong) {
        ClaimVerdict confirmed = judge(article, id, right, BLOCKS, NARROW);
        assertThat(confirmed.outcome()).as(confirmed.toString()).isEqualTo(ClaimOutcome.CONFIRMED);
        assertThat(confirmed.parts()).allMatch(part -> part.standing() == Standing.WITHIN);

        ClaimVerdict refuted = judge(article, id, wrong, BLOCKS, NARROW);
        assertThat(refuted.outcome()).as(refuted.toString()).isEqualTo(ClaimOutcome.NOT_REPRODUCED_HERE);
        assertThat(refuted.parts()).anyMatch(part -> part.standing() == Standing.OUTSIDE);

        if (!id.equals("errors-apr")) {
            ClaimVerdict open = judge(article, id, right, 3, WIDE);
            assertThat(open.outcome()).as(open.toString()).isEqualTo(ClaimOutcome.UNDECIDABLE_HERE);
            assertThat(open.reason()).contains("find a difference of");
            assertThat(open.parts()).allMatch(part -> part.low() < part.value() && part.value() < part.high());
        }
    }

    @ParameterizedTest
    @MethodSource("org.servletbench.bench.article.PublishedFolderTest#articles")
    void withoutAFigureNothingIsDecidedAndEveryClaimSaysWhy(Article article) {
        List<ClaimVerdict> verdicts = Evaluation.of(
                article,
                Observed.of(article, Optional.empty(), Optional.empty(), "wrk is not here", false),
                Settings.DEFAULTS);

        assertThat(verdicts).hasSameSizeAs(article.claims());
        assertThat(verdicts).allMatch(verdict -> verdict.outcome() == ClaimOutcome.UNDECIDABLE_HERE);
        assertThat(verdicts).allMatch(verdict -> !verdict.reason().isBlank());
        assertThat(verdicts.stream().filter(verdict -> !verdict.parts().isEmpty()))
                .allMatch(verdict -> verdict.reason().contains("wrk is not here"));
    }

    @Test
    void whatNothingCanDecideStaysUndecided() {
        Article article = PublishedFolderTest.article("siege-threads");
        ClaimVerdict verdict = judge(article, "monitoring", observed(new TreeMap<>()));
        assertThat(verdict.outcome()).isEqualTo(ClaimOutcome.UNDECIDABLE_HERE);
        assertThat(verdict.reason()).contains("cause").contains("monitor.csv");
    }

    /** The ends of the interval by hand: t with 2 degrees of freedom at 1 - 0.05/2/10 is 14.08905. */
    @Test
    void theIntervalIsThatOfTheTDistributionAtBonferronisLevel() {
        Article article = PublishedFolderTest.article("wrk-hello");
        assertThat(Evaluation.comparisons(article)).isEqualTo(3 + 1 + 1 + 1 + 4);
        SortedMap<Integer, Figures> blocks = new TreeMap<>();
        double[] ratios = {1.10, 1.12, 1.14};
        for (int i = 0; i < 3; i++) {
            blocks.put(
                    i + 1,
                    new Figures(Map.of(
                            new Point("tomcat-apr", "hello", 400), Map.of(Quantity.THROUGHPUT, 1000 * ratios[i]),
                            new Point("tomcat-nio", "hello", 400), Map.of(Quantity.THROUGHPUT, 1000.0))));
        }
        Part part = judge(article, "apr-gain", observed(blocks)).parts().get(0);
        double[] d = Arrays.stream(ratios).map(Math::log).toArray();
        double mean = (d[0] + d[1] + d[2]) / 3;
        double sd = Math.sqrt(Arrays.stream(d).map(x -> (x - mean) * (x - mean)).sum() / 2);
        double half = 14.08905 * sd / Math.sqrt(3);
        assertThat(part.value()).isEqualTo(Math.exp(mean), within(1e-12));
        assertThat(part.low()).isEqualTo(Math.exp(mean - half), within(1e-5));
        assertThat(part.high()).isEqualTo(Math.exp(mean + half), within(1e-5));
        assertThat(part.blocks()).isEqualTo(3);
    }

    /** A server that a busy generator could not fill is at least that fast: enough for "at least", never for "at most". */
    @Test
    void whereTheGeneratorWasTheBottleneckOnlyOneEndIsKnown() {
        Article article = PublishedFolderTest.article("wrk-hello");
        Statement gap = claim(article, "nginx-gap").statement();
        Point nginx = new Point("nginx", "hello", 400);
        String busy = "the generator kept 1.00 processors busy";
        Observed fast = new Observed(
                blocks(
                        Quantity.THROUGHPUT,
                        values(gap, "nginx=300 tomcat-nio=85 tomcat-apr=80 jetty=50 undertow=88"),
                        BLOCKS,
                        NARROW),
                Map.of(nginx, busy),
                Set.of(nginx),
                Set.of(),
                new TreeMap<>(),
                0,
                Optional.empty());
        ClaimVerdict confirmed = judge(article, "nginx-gap", fast);
        assertThat(confirmed.outcome()).isEqualTo(ClaimOutcome.CONFIRMED);
        assertThat(confirmed.parts()).allMatch(part -> part.high() == Double.POSITIVE_INFINITY);

        Observed slow = new Observed(
                blocks(
                        Quantity.THROUGHPUT,
                        values(gap, "nginx=90 tomcat-nio=85 tomcat-apr=80 jetty=50 undertow=88"),
                        BLOCKS,
                        NARROW),
                Map.of(nginx, busy),
                Set.of(nginx),
                Set.of(),
                new TreeMap<>(),
                0,
                Optional.empty());
        ClaimVerdict open = judge(article, "nginx-gap", slow);
        assertThat(open.outcome()).isEqualTo(ClaimOutcome.UNDECIDABLE_HERE);
        assertThat(open.reason()).contains("nginx hello 400 users is a floor, so much at least: " + busy);
    }

    /** One end is known of a ratio with one floor: enough where the bound lies beyond it. Of a ratio of two floors nothing is. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            jetty-gain | jetty=160 tomcat-nio=100 | jetty                | NOT_REPRODUCED_HERE
            jetty-gain | jetty=143 tomcat-nio=100 | jetty                | UNDECIDABLE_HERE
            jetty-gain | jetty=120 tomcat-nio=100 | jetty                | UNDECIDABLE_HERE
            jetty-gain | jetty=120 tomcat-nio=100 | tomcat-nio           | NOT_REPRODUCED_HERE
            jetty-gain | jetty=143 tomcat-nio=100 | tomcat-nio           | UNDECIDABLE_HERE
            jetty-gain | jetty=160 tomcat-nio=100 | tomcat-nio           | UNDECIDABLE_HERE
            jetty-gain | jetty=120 tomcat-nio=100 | jetty tomcat-nio     | UNDECIDABLE_HERE
            order      | jetty=4 undertow=3 tomcat-apr=2 tomcat-nio=1 | jetty      | CONFIRMED
            order      | jetty=4 undertow=3 tomcat-apr=2 tomcat-nio=1 | undertow   | UNDECIDABLE_HERE
            order      | jetty=4 undertow=3 tomcat-apr=2 tomcat-nio=1 | tomcat-nio | UNDECIDABLE_HERE
            order      | jetty=4 undertow=5 tomcat-apr=2 tomcat-nio=1 | undertow   | NOT_REPRODUCED_HERE
            """)
    void aFloorDecidesWhereItsOneEndIsEnough(String id, String truth, String floored, ClaimOutcome outcome) {
        Article article = PublishedFolderTest.article("wrk-hello");
        Statement statement = claim(article, id).statement();
        Map<Point, String> why = new LinkedHashMap<>();
        for (String arm : floored.split(" ")) {
            why.put(new Point(arm, "hello", 400), "the generator was busy");
        }
        ClaimVerdict verdict = judge(
                article,
                id,
                new Observed(
                        blocks(Quantity.THROUGHPUT, values(statement, truth), BLOCKS, NARROW),
                        why,
                        why.keySet(),
                        Set.of(),
                        new TreeMap<>(),
                        0,
                        Optional.empty()));
        assertThat(verdict.outcome()).as(verdict.toString()).isEqualTo(outcome);
        if (outcome == ClaimOutcome.UNDECIDABLE_HERE) {
            assertThat(verdict.reason()).contains("is a floor, so much at least: the generator was busy");
        }
    }

    /** What the generator does at its limit is as steady as the generator: it says nothing of how servers spread. */
    @Test
    void theSpreadOfAnotherFloorIsNotTheNoiseOfAPair() {
        Article article = PublishedFolderTest.article("wrk-hello");
        Statement order = claim(article, "order").statement();
        SortedMap<Integer, Figures> noisy =
                blocks(Quantity.THROUGHPUT, values(order, "jetty=4 undertow=3 tomcat-apr=2 tomcat-nio=1"), 4, 0.05);
        SortedMap<Integer, Figures> capped = new TreeMap<>();
        noisy.forEach((block, figures) -> {
            Map<Point, Map<Quantity, Double>> values = new LinkedHashMap<>(figures.values());
            values.put(new Point("undertow", "hello", 400), Map.of(Quantity.THROUGHPUT, 3.0));
            values.put(new Point("tomcat-apr", "hello", 400), Map.of(Quantity.THROUGHPUT, 2.0));
            capped.put(block, new Figures(values));
        });
        SortedMap<Integer, Figures> alone = new TreeMap<>();
        noisy.forEach((block, figures) -> {
            Map<Point, Map<Quantity, Double>> values = new LinkedHashMap<>(figures.values());
            values.keySet().removeIf(cell -> List.of("undertow", "tomcat-apr").contains(cell.arm()));
            alone.put(block, new Figures(values));
        });
        Set<Point> floors = Set.of(new Point("undertow", "hello", 400), new Point("tomcat-apr", "hello", 400));

        Part gain = judge(
                        article,
                        "jetty-gain",
                        new Observed(capped, Map.of(), floors, Set.of(), new TreeMap<>(), 0, Optional.empty()))
                .parts()
                .get(0);

        Part same = judge(article, "jetty-gain", observed(alone)).parts().get(0);
        assertThat(gain.low()).isEqualTo(same.low(), within(1e-12));
        assertThat(gain.high()).isEqualTo(same.high(), within(1e-12));
    }

    /** Behind a limit of 200 throughput is steady; a server without one that is still cold is not, and says nothing of it. */
    @Test
    void twoArmsWhoseLimitSetsTheirThroughputHaveTheNoiseOfSuchArms() {
        Article article = PublishedFolderTest.article("virtual-threads-blocking");
        SortedMap<Integer, Figures> blocks = new TreeMap<>();
        double[] free = {2696, 2396, 2412};
        double[] jetty = {180, 181, 179};
        double[] jettyVirtual = {182, 182, 180};
        double[] tomcat = {183, 182, 183};
        for (int block = 0; block < 3; block++) {
            blocks.put(
                    block + 1,
                    new Figures(Map.of(
                            new Point("tomcat-nio+virtual", "delay", 3000), Map.of(Quantity.THROUGHPUT, free[block]),
                            new Point("tomcat-nio", "delay", 3000), Map.of(Quantity.THROUGHPUT, tomcat[block]),
                            new Point("jetty", "delay", 3000), Map.of(Quantity.THROUGHPUT, jetty[block]),
                            new Point("jetty+virtual", "delay", 3000),
                                    Map.of(Quantity.THROUGHPUT, jettyVirtual[block]))));
        }
        Set<Point> limited = Set.of(
                new Point("tomcat-nio", "delay", 3000),
                new Point("jetty", "delay", 3000),
                new Point("jetty+virtual", "delay", 3000));
        Observed counted = new Observed(blocks, Map.of(), Set.of(), limited, new TreeMap<>(), 0, Optional.empty());

        assertThat(judge(article, "jetty-no-gain", observed(blocks)).outcome())
                .isEqualTo(ClaimOutcome.UNDECIDABLE_HERE);
        ClaimVerdict gain = judge(article, "jetty-no-gain", counted);
        assertThat(gain.outcome()).isEqualTo(ClaimOutcome.CONFIRMED);
        assertThat(gain.parts().get(0).low()).isBetween(0.95, 1.0);
        // A pair of which one has no limit keeps the noise of all.
        assertThat(judge(article, "tomcat-15-times", counted).parts())
                .isEqualTo(judge(article, "tomcat-15-times", observed(blocks)).parts());
    }

    /** With few blocks the arms that no claim is about tell most of the noise. */
    @Test
    void armsThatNoClaimIsAboutTellOfTheNoise() {
        Article article = PublishedFolderTest.article("wrk-hello");
        Statement gain = claim(article, "jetty-gain").statement();
        Map<Point, Double> all = new LinkedHashMap<>(values(gain, "jetty=4 tomcat-nio=3"));
        all.put(new Point("tomcat-nio-control", "hello", 400), 3.0);
        SortedMap<Integer, Figures> claimed = new TreeMap<>();
        SortedMap<Integer, Figures> others = new TreeMap<>();
        blocks(Quantity.THROUGHPUT, all, 3, 0.02).forEach((block, figures) -> {
            Map<Point, Map<Quantity, Double>> pair = new LinkedHashMap<>(figures.values());
            Map<Point, Map<Quantity, Double>> rest = new LinkedHashMap<>(figures.values());
            pair.keySet().removeIf(cell -> cell.arm().equals("tomcat-nio-control"));
            rest.keySet().removeIf(cell -> !cell.arm().equals("tomcat-nio-control"));
            claimed.put(block, new Figures(pair));
            others.put(block, new Figures(rest));
        });
        Part alone = judge(article, "jetty-gain", observed(claimed)).parts().get(0);
        Part among = judge(
                        article,
                        "jetty-gain",
                        new Observed(claimed, Map.of(), Set.of(), Set.of(), others, 0, Optional.empty()))
                .parts()
                .get(0);
        assertThat(among.value()).isEqualTo(alone.value());
        assertThat(among.high() / among.low()).isLessThan(alone.high() / alone.low());
    }

    @ParameterizedTest
    @CsvSource({"198/200, true", "200/no limit, false", "no limit, false", "3000, false", "'', false"})
    void aLimitIsOneWhereEachServerWasCountedToServeFewerThanThereAreUsers(String counted, boolean limited) {
        assertThat(Observed.isLimited(List.of(counted.split("/")), 3000)).isEqualTo(limited);
    }

    /** Times of one or two whole ms say nothing of a factor of 1.5. */
    @Test
    void aCoarseClockDecidesNothingAboutItsOwnStep() {
        Article article = PublishedFolderTest.article("jmeter-nio-apr-tiers");
        Statement stable = claim(article, "min-stable").statement();
        Map<Integer, Figures> blocks = new TreeMap<>();
        for (int block = 1; block <= BLOCKS; block++) {
            Map<Point, Map<Quantity, Double>> figures = new LinkedHashMap<>();
            stable.cells()
                    .forEach(cell -> figures.put(cell, Map.of(Quantity.LATENCY_MIN, cell.users() == 100 ? 0.0 : 1.0)));
            blocks.put(block, new Figures(figures));
        }
        Observed observed =
                new Observed(new TreeMap<>(blocks), Map.of(), Set.of(), Set.of(), new TreeMap<>(), 1, Optional.empty());
        ClaimVerdict verdict = judge(article, "min-stable", observed);
        assertThat(verdict.outcome()).isEqualTo(ClaimOutcome.UNDECIDABLE_HERE);
        assertThat(verdict.reason()).contains("clock is too coarse");

        // The same clock is good enough for times that are far from its step.
        Observed far = new Observed(
                blocks(Quantity.LATENCY_MIN, values(stable, "tomcat-apr=200 tomcat-nio=210"), BLOCKS, NARROW),
                Map.of(),
                Set.of(),
                Set.of(),
                new TreeMap<>(),
                1,
                Optional.empty());
        assertThat(judge(article, "min-stable", far).outcome()).isEqualTo(ClaimOutcome.CONFIRMED);
    }

    @Test
    void errorsThatNeverOccurredDecideNothing() {
        ClaimVerdict verdict = judge("jmeter-nio-apr-tiers", "errors-apr", "tomcat-apr=0 tomcat-nio=0", BLOCKS, NARROW);
        assertThat(verdict.outcome()).isEqualTo(ClaimOutcome.UNDECIDABLE_HERE);
        assertThat(verdict.reason()).contains("no request failed here");
        // Of ten million requests none: the exact upper limit is -ln(level) / n.
        double level = 0.05 / Evaluation.comparisons(PublishedFolderTest.article("jmeter-nio-apr-tiers"));
        assertThat(verdict.parts())
                .allSatisfy(part -> assertThat(part.high()).isEqualTo(-Math.log(level) / 1e7, within(1e-10)));
    }

    @Test
    void aVoidCampaignDecidesOnlyWhatIsNotUnderLoad() {
        Article article = PublishedFolderTest.article("ab-startup");
        SortedMap<Integer, Figures> memory = blocks(
                Quantity.MEMORY_USED,
                values(claim(article, "memory-order").statement(), "jetty=1 undertow=2 tomcat-nio=3"),
                BLOCKS,
                NARROW);
        SortedMap<Integer, Figures> speed = blocks(
                Quantity.THROUGHPUT,
                values(claim(article, "speed-order").statement(), "undertow=3 jetty=2 tomcat-nio=1"),
                BLOCKS,
                NARROW);
        SortedMap<Integer, Figures> both = new TreeMap<>();
        memory.forEach((block, figures) -> {
            Map<Point, Map<Quantity, Double>> all = new LinkedHashMap<>(figures.values());
            all.putAll(speed.get(block).values());
            both.put(block, new Figures(all));
        });
        Observed observed = new Observed(
                both, Map.of(), Set.of(), Set.of(), new TreeMap<>(), 0, Optional.of("the campaign is void"));
        assertThat(judge(article, "memory-order", observed).outcome()).isEqualTo(ClaimOutcome.CONFIRMED);
        assertThat(judge(article, "speed-order", observed).outcome()).isEqualTo(ClaimOutcome.UNDECIDABLE_HERE);
        assertThat(judge(article, "speed-order", observed).reason()).isEqualTo("the campaign is void");
    }

    @Test
    void aVoidCampaignDecidesNothingAboutErrors() {
        Article article = PublishedFolderTest.article("jmeter-nio-apr-tiers");
        SortedMap<Integer, Figures> none = new TreeMap<>();
        ClaimVerdict verdict = judge(
                article,
                "errors-apr",
                new Observed(
                        none, Map.of(), Set.of(), Set.of(), new TreeMap<>(), 0, Optional.of("the campaign is void")));
        assertThat(verdict.outcome()).isEqualTo(ClaimOutcome.UNDECIDABLE_HERE);
        assertThat(verdict.reason()).isEqualTo("the campaign is void");
    }

    /** Four blocks of wrk with a residual of 2.87 % had intervals of 9.7 and 12.2 %. */
    @Test
    void theForecastIsThatOfTheProcedureThatJudges() {
        Article article = PublishedFolderTest.article("wrk-hello");
        assertThat(Evaluation.forecast(article, 5, 4, 0.0287, Settings.DEFAULTS))
                .isBetween(0.095, 0.13);
    }

    /** Equal values in two blocks are no certainty. */
    @Test
    void valuesThatDoNotSpreadNeedBlocksEnough() {
        assertThat(judge("ab-startup", "memory-order", "jetty=1 undertow=2 tomcat-nio=3", 2, 0)
                        .outcome())
                .isEqualTo(ClaimOutcome.UNDECIDABLE_HERE);
        assertThat(judge("ab-startup", "memory-order", "jetty=1 undertow=2 tomcat-nio=3", BLOCKS, 0)
                        .outcome())
                .isEqualTo(ClaimOutcome.CONFIRMED);
    }

    /** Whatever is true, a claim that is wrong by nothing is hardly ever called wrong: 1000 campaigns without a difference. */
    @Test
    void withoutADifferenceHardlyAnyOrderIsDecided() {
        Article article = PublishedFolderTest.article("ab-startup");
        Statement order = claim(article, "speed-order").statement();
        Random random = new Random(20261121);
        int decided = 0;
        int campaigns = 1000;
        for (int i = 0; i < campaigns; i++) {
            SortedMap<Integer, Figures> blocks = new TreeMap<>();
            for (int block = 1; block <= 8; block++) {
                Map<Point, Map<Quantity, Double>> figures = new LinkedHashMap<>();
                order.cells()
                        .forEach(cell -> figures.put(
                                cell, Map.of(Quantity.THROUGHPUT, 1000 * Math.exp(0.05 * random.nextGaussian()))));
                blocks.put(block, new Figures(figures));
            }
            decided +=
                    judge(article, "speed-order", observed(blocks)).outcome() == ClaimOutcome.UNDECIDABLE_HERE ? 0 : 1;
        }
        // 5 % and two standard errors and a half.
        assertThat(decided).isLessThan((int) (campaigns * 0.05 + 2.5 * Math.sqrt(campaigns * 0.05 * 0.95)));
    }

    static Stream<Scale> scales() {
        return Stream.of(new Scale(0.05), new Scale(0.5), Scale.FULL);
    }

    @ParameterizedTest
    @MethodSource("scales")
    void everyLoadCanBeRunAtAnyScale(Scale scale) {
        PublishedFolderTest.articles()
                .flatMap(article -> Stream.of(article.asPublished(), article.asItShouldBe()))
                .forEach(plan -> plan.loads().forEach(load -> {
                    RerunPlan.Stage scaled = scale.apply(load);
                    assertThat(scaled.users()).isEqualTo(load.users());
                    plan.tool().ifPresent(tool -> scaled.users()
                            .forEach(users -> tool.command(
                                    scaled.toolLoad(java.net.URI.create("http://127.0.0.1:8080/"), users),
                                    java.nio.file.Path.of("."))));
                }));
        assertThat(scale.blocks(10)).isGreaterThanOrEqualTo(2);
    }
}
