package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Analysis.Against;
import org.servletbench.bench.record.Analysis.Group;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.verdict.AaCheck;
import org.servletbench.bench.verdict.Bound;
import org.servletbench.bench.verdict.NoVerdictReason;
import org.servletbench.bench.verdict.Spread;
import org.servletbench.bench.verdict.Verdict;

class AnalysisTest {
    private static final MeasuredLoad HELLO = new MeasuredLoad("hello", 100, 0, "gatling");
    private static final List<Arm> TWO =
            List.of(Fixture.arm("a", "A", "boot3", Arm.Role.BASELINE), Fixture.arm("b", "B", "boot3", Arm.Role.ARM));

    private static Fixture two(long seed) {
        return Fixture.seeded(seed).arms(TWO).loads(List.of(HELLO));
    }

    private static LoadFigures result(MeasuredLoad load, Map<String, Double> figures, List<Warning> warnings) {
        return new LoadFigures(
                load,
                new LoadFigures.Counted(1, 1000, 0, 10),
                new LoadFigures.Values(figures, Map.of(), "", Double.NaN),
                LoadFigures.Course.NONE,
                new LoadFigures.Findings(warnings, List.of()),
                List.of(),
                List.of());
    }

    private static ServerRun with(
            ServerRun old, int attempt, String outcome, List<Warning> warnings, double throughput) {
        LoadFigures result = old.loads().get(0);
        LoadFigures changed = result(result.load(), Map.of("throughput", throughput), List.of());
        return new ServerRun(
                ServerRun.FORMAT,
                new ServerRun.Run(old.block(), old.position(), old.arm(), attempt, old.started(), old.ended(), outcome),
                new ServerRun.Before(old.proven(), old.startUp(), old.warmUp()),
                new ServerRun.Results(
                        outcome.equals(ServerRun.MEASURED) ? List.of(changed) : List.of(), null, warnings, null));
    }

    /** A metric that another load tests takes no share of the level here, and gets no verdict. */
    @Test
    void aLoadHasMetricsOfItsOwn() {
        MeasuredLoad quiet = new MeasuredLoad("hello", 8, 0, "gatling");
        Fixture all = two(7).loads(List.of(HELLO, quiet)).testing(0.03, "throughput", "cpu", "mean");
        Fixture.Drawn drawn =
                all.judging(HELLO, "throughput", "cpu").judging(quiet, "mean").draw();
        Analysis analysis = drawn.analysis();
        Group group = analysis.groups().get(0);
        assertThat(analysis.family().pairs())
                .extracting(pair -> pair.contrast().load().users() + " "
                        + pair.contrast().metric().key())
                .containsExactlyInAnyOrder("100 throughput", "100 cpu", "8 mean");
        assertThat(analysis.campaign().plan().tests()).isEqualTo(3);
        assertThat(analysis.primary(quiet)).containsExactly(Metric.MEAN);
        assertThat(analysis.against(group, TWO.get(1), quiet, Metric.CPU)).isEmpty();
        assertThat(new Conclusions(analysis).lead(quiet)).isEqualTo(Metric.MEAN);
        assertThat(new Answering(analysis, Optional.empty(), group).part().tested())
                .extracting(one -> one.load().users() + " " + one.metric().key())
                .containsExactly("100 throughput", "100 cpu", "8 mean");
        assertThat(Outcomes.of(drawn.read()).rows().stream()
                        .filter(row -> row.judged() && row.against().isPresent())
                        .map(row -> row.load().users() + " " + row.metric().key()))
                .containsExactlyInAnyOrder("100 throughput", "100 cpu", "8 mean");
    }

    @Test
    void claimsEveryPairWithinAGroupAndNothingElse() {
        Analysis analysis = Fixture.seeded(1).draw().analysis();

        // boot3: 4 arms, 6 pairs; boot2: 2 arms, 1 pair; times 3 loads and 3 metrics.
        assertThat(analysis.family().pairs()).hasSize((6 + 1) * 3 * 3);
        assertThat(analysis.family().controls()).hasSize(2 * 3 * 3);
        assertThat(analysis.family().pairs())
                .noneMatch(pair -> (pair.contrast().a() + pair.contrast().b()).matches(".*(nginx|control).*"));
        assertThat(analysis.groups()).extracting(Group::name).containsExactly("boot3", "boot2");
        assertThat(analysis.groups())
                .allMatch(group -> group.references().get(0).id().equals("nginx"));
    }

    @Test
    void aVerdictIsToldFromTheSideOfTheArmAndHasTheTruthInItsInterval() {
        Analysis analysis =
                Fixture.seeded(2).spread(0.005).speed("undertow", 1.25).draw().analysis();
        Group boot3 = analysis.groups().get(0);

        Against undertow = analysis.against(boot3, analysis.campaign().arm("undertow"), HELLO, Metric.THROUGHPUT)
                .orElseThrow();
        Against cpu = analysis.against(boot3, analysis.campaign().arm("undertow"), HELLO, Metric.CPU)
                .orElseThrow();

        assertThat(undertow.verdict()).isEqualTo(Verdict.FASTER);
        assertThat(undertow.low()).isLessThan(1.25);
        assertThat(undertow.high()).isGreaterThan(1.25);
        assertThat(undertow.low()).isLessThan(undertow.ratio());
        assertThat(cpu.verdict()).isEqualTo(Verdict.FASTER);
        assertThat(cpu.ratio()).isCloseTo(1 / 1.25, within(0.05));
        assertThat(analysis.family().guard()).isEqualTo(AaCheck.HELD);
        assertThat(analysis.reference(boot3, analysis.campaign().arm("nginx"), HELLO, Metric.THROUGHPUT)
                        .mean())
                .isCloseTo(2.6, within(0.1));
    }

    @Test
    void aControlThatDiffersMakesItVoid() {
        Analysis analysis =
                Fixture.seeded(3).speed("tomcat-nio-control", 1.3).draw().analysis();

        assertThat(analysis.family().isVoid()).isTrue();
    }

    @Test
    void whatIsMarkedAsUnusableIsLeftOutAndNamed() {
        Fixture.Drawn drawn = two(4).draw();
        List<ServerRun> serverRuns = new ArrayList<>(drawn.serverRuns());
        ServerRun first = serverRuns.get(0);
        LoadFigures result = first.loads().get(0);
        Warning warning = new Warning(WarningKind.COUNTS, "12 counted, 13 in the histogram", true);
        LoadFigures warned = result(result.load(), Map.of("throughput", 1e9), List.of(warning));
        serverRuns.set(
                0,
                new ServerRun(
                        1,
                        new ServerRun.Run(first.block(), first.position(), first.arm(), 1, "", "", ServerRun.MEASURED),
                        new ServerRun.Before(Map.of(), Map.of(), null),
                        new ServerRun.Results(List.of(warned), null, List.of(), null)));
        Analysis analysis = Analysis.of(drawn.campaign(), serverRuns);

        assertThat(analysis.leftOut()).singleElement().satisfies(left -> {
            assertThat(left.serverRun().arm()).isEqualTo(first.arm());
            assertThat(left.load()).contains(HELLO);
            assertThat(left.warnings()).containsExactly(warning);
        });
        assertThat(analysis.values(drawn.campaign().arm(first.arm()), HELLO, Metric.THROUGHPUT))
                .hasSize(9)
                .doesNotContainKey(first.block());
        assertThat(analysis.family().pairs()).allMatch(pair -> pair.estimate().n() == 9);
    }

    /** If no rate met the objective in one block, the arm must not be judged by the other blocks. */
    @Test
    void anObjectiveThatWasMissedInOneBlockLeavesTheArmWithoutFigures() {
        Fixture.Drawn drawn = two(8).draw();
        Warning missed = Warning.of(WarningKind.OBJECTIVE_MISSED, "no rate met it");
        List<ServerRun> serverRuns = drawn.serverRuns().stream()
                .map(one -> load(
                        one,
                        Map.of("throughput", 1000.0 + one.block()),
                        one.arm().equals("b") && one.block() == 3 ? List.of(missed) : List.of(),
                        List.of()))
                .toList();
        Analysis analysis = Analysis.of(withPrimary(drawn.campaign(), List.of("throughput")), serverRuns);

        assertThat(analysis.values(analysis.campaign().arm("b"), HELLO, Metric.THROUGHPUT))
                .isEmpty();
        assertThat(analysis.leftOut()).hasSize(10).allSatisfy(left -> {
            assertThat(left.serverRun().arm()).isEqualTo("b");
            assertThat(left.warnings()).containsExactly(missed);
        });
        assertThat(analysis.values(analysis.campaign().arm("a"), HELLO, Metric.THROUGHPUT))
                .hasSize(10);
    }

    /**
     * The generator can send 1,030 requests/s. Arm b is as fast as a or slightly faster, and reaches that limit in its
     * fast blocks. Without these blocks, its mean would be biased to below that of a.
     */
    @Test
    void anArmThatHitTheGeneratorsLimitInSomeBlocksHasAFloorAndKeepsAllOfThem() {
        Fixture.Drawn drawn = two(8).draw();
        Warning limit = new Warning(WarningKind.GENERATOR_BOTTLENECK, "0.99 of 1", true);
        java.util.Random random = new java.util.Random(1);
        List<ServerRun> serverRuns = new ArrayList<>();
        for (ServerRun serverRun : drawn.serverRuns()) {
            double truth = (serverRun.arm().equals("b") ? 1030 : 1000) * Math.exp(0.02 * random.nextGaussian());
            boolean limited = truth > 1030;
            serverRuns.add(load(
                    serverRun,
                    Map.of("throughput", Math.min(truth, 1030), "p99", 1e6 / truth, "cpu", 1e6 / truth),
                    limited && serverRun.arm().equals("b") ? List.of(limit) : List.of(),
                    List.of()));
        }
        List<String> primary = List.of("throughput", "p99", "cpu");
        Analysis analysis = Analysis.of(withPrimary(drawn.campaign(), primary), serverRuns);
        Group group = analysis.groups().get(0);
        Arm b = analysis.campaign().arm("b");

        assertThat(analysis.leftOut()).isEmpty();
        assertThat(analysis.hasFloor(b, HELLO)).isTrue();
        assertThat(analysis.hasFloor(analysis.campaign().arm("a"), HELLO)).isFalse();
        assertThat(analysis.values(b, HELLO, Metric.THROUGHPUT)).hasSize(10);
        Against throughput =
                analysis.against(group, b, HELLO, Metric.THROUGHPUT).orElseThrow();
        assertThat(throughput.ratio()).isGreaterThan(1);
        assertThat(throughput.bound()).isEqualTo(Bound.AT_LEAST);
        assertThat(throughput.high()).isInfinite();
        assertThat(throughput.verdict()).isNotIn(Verdict.SLOWER, Verdict.EQUIVALENT);
        assertThat(analysis.against(group, b, HELLO, Metric.P99)
                        .orElseThrow()
                        .pair()
                        .reason())
                .contains(NoVerdictReason.FLOOR);
        assertThat(analysis.against(group, b, HELLO, Metric.CPU).orElseThrow().bound())
                .isEqualTo(Bound.EXACT);
        LoadFigures jmeter = result(new MeasuredLoad("hello", 100, 0, "jmeter"), Map.of(), List.of());
        LoadFigures gatling = result(HELLO, Map.of(), List.of());
        for (String check : List.of("littles-law", "users-held")) {
            assertThat(jmeter.isFloor(new Warning(WarningKind.of(check), "", true)))
                    .isTrue();
            assertThat(gatling.isFloor(new Warning(WarningKind.of(check), "", true)))
                    .isFalse();
        }
    }

    @Test
    void theClocksResolutionOfTheCellsIsInTheIntervals() throws Exception {
        Fixture.Drawn drawn = two(9).draw();
        java.util.Random random = new java.util.Random(1);
        ObjectMapper json = new ObjectMapper();
        List<ServerRun> serverRuns = new ArrayList<>();
        for (ServerRun serverRun : drawn.serverRuns()) {
            ServerRun plain =
                    load(serverRun, Map.of("p99", 1.5 * Math.exp(0.005 * random.nextGaussian())), List.of(), List.of());
            ObjectNode written = json.valueToTree(plain.loads().get(0));
            written.put("resolutionMs", 1.0);
            serverRuns.add(load(plain, json.treeToValue(written, LoadFigures.class), List.of()));
        }
        Analysis analysis = Analysis.of(withPrimary(drawn.campaign(), List.of("p99")), serverRuns);

        assertThat(analysis.family().pairs()).singleElement().satisfies(pair -> {
            assertThat(pair.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
            assertThat(pair.reason()).contains(NoVerdictReason.RESOLUTION);
        });
        Arm a = analysis.campaign().arm("a");
        Spread table = analysis.describe(a, HELLO, Metric.P99);
        Spread noise = analysis.describe(Metric.P99, analysis.values(a, HELLO, Metric.P99));
        assertThat(table.low()).isCloseTo(noise.low() - 1, within(1e-9));
        assertThat(table.high()).isCloseTo(noise.high() + 1, within(1e-9));
    }

    /** Whatever the warning and the block, figures are shown, but no conclusion is drawn. */
    @Test
    void anArmWithAServerThatWasNotWarmHasNoVerdict() {
        Fixture.Drawn drawn = two(10).draw();
        List<Warning> warnings = List.of(Warning.of(WarningKind.WARM_UP, ""));
        List<ServerRun> serverRuns = drawn.serverRuns().stream()
                .map(one -> load(
                        one,
                        Map.of("throughput", one.arm().equals("b") ? 500.0 + one.block() : 1000.0),
                        List.of(),
                        one.arm().equals("b") && one.block() == 2 ? warnings : List.of()))
                .toList();
        Analysis analysis = Analysis.of(withPrimary(drawn.campaign(), List.of("throughput")), serverRuns);

        assertThat(analysis.family().pairs()).singleElement().satisfies(pair -> {
            assertThat(pair.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
            assertThat(pair.reason()).contains(NoVerdictReason.NOT_WARM);
            assertThat(pair.estimate().n()).isEqualTo(10);
            assertThat(pair.low()).isBetween(1.5, 2.0);
        });
        assertThat(Claims.of(analysis).claims().get(0).sentence())
                .endsWith("B and A are not judged in throughput (B had servers that were not warm: they need a longer"
                        + " warm-up)");
    }

    /** By Little's law, arms with equal users have equal products. A product that differs has another cause. */
    @Test
    void productsOfThroughputAndResponseTimeThatDifferAreSaidToMoveTheRatio() {
        Fixture.Drawn drawn = two(10).inTimeSlices(0.25).draw();
        for (double off : new double[] {1, 1.05}) {
            List<ServerRun> serverRuns = drawn.serverRuns().stream()
                    .map(one -> {
                        boolean b = one.arm().equals("b");
                        double rate = (b ? 500.0 : 1000.0) + one.block();
                        double users = b ? 20 * off : 20;
                        return load(one, Map.of("throughput", rate, "mean", users / rate * 1000), List.of(), List.of());
                    })
                    .toList();
            Analysis analysis = Analysis.of(withPrimary(drawn.campaign(), List.of("throughput")), serverRuns);
            Optional<String> words =
                    UsersAccountedFor.words(analysis, analysis.groups().get(0));
            assertThat(words.isPresent()).as("%s", off).isEqualTo(off > 1);
            words.ifPresent(said -> assertThat(said)
                    .startsWith("throughput and mean response time of two arms differ by 5.0 % in the users"));
        }
    }

    /** These warnings also concern the machine, or are part of the figures, and are shown next to them. */
    @Test
    void aTrendOrACompilerAtWorkBarsNothing() {
        Fixture.Drawn drawn = two(10).draw();
        for (WarningKind shown : List.of(WarningKind.RISING, WarningKind.COMPILING)) {
            List<ServerRun> serverRuns = drawn.serverRuns().stream()
                    .map(one -> load(
                            one,
                            Map.of("throughput", one.arm().equals("b") ? 500.0 + one.block() : 1000.0),
                            List.of(Warning.of(shown, "")),
                            List.of()))
                    .toList();
            assertThat(Analysis.of(withPrimary(drawn.campaign(), List.of("throughput")), serverRuns)
                            .family()
                            .pairs())
                    .singleElement()
                    .satisfies(pair ->
                            assertThat(pair.verdict().namesADifference()).isTrue());
        }
    }

    /**
     * One of two equal arms fails requests when its server is slow. Without those blocks it would look faster, and a
     * fifth of all intervals would be wrong; with the whole arm excluded, no more than the level are wrong.
     */
    @Test
    void blocksThatASlowServerSpoiledMakeNoWrongInterval() {
        Draw dropped = new Draw(WarningKind.COUNTS);
        assertThat(dropped.mean).isBetween(1.008, 1.012);
        assertThat(dropped.wrong).isGreaterThan(0.15);
        for (WarningKind server : List.of(WarningKind.ERRORS, WarningKind.LITTLES_LAW, WarningKind.USERS_HELD)) {
            assertThat(new Draw(server).wrong).as(server.key()).isLessThanOrEqualTo(0.055);
        }
    }

    /** Results of many campaigns in which the slow blocks of b have a warning. */
    private static final class Draw {
        private static final int CAMPAIGNS = 500;
        private static final double SPREAD = 0.026;
        private final double wrong;
        private final double mean;

        Draw(WarningKind ofSlow) {
            java.util.Random random = new java.util.Random(38);
            Fixture.Drawn drawn = two(38).blocks(20).draw();
            Campaign campaign = withPrimary(drawn.campaign(), List.of("throughput"));
            int missed = 0;
            double logs = 0;
            for (int i = 0; i < CAMPAIGNS; i++) {
                Analysis analysis = Analysis.of(
                        campaign,
                        drawn.serverRuns().stream()
                                .map(one -> {
                                    double z = random.nextGaussian();
                                    boolean slow = one.arm().equals("b") && z < -0.75;
                                    return load(
                                            one,
                                            Map.of("throughput", 1000 * Math.exp(SPREAD * z)),
                                            slow ? List.of(Warning.of(ofSlow, "")) : List.of(),
                                            List.of());
                                })
                                .toList());
                Against b = analysis.against(analysis.groups().get(0), campaign.arm("b"), HELLO, Metric.THROUGHPUT)
                        .orElseThrow();
                missed += b.low() > 1 || b.high() < 1 ? 1 : 0;
                logs += Double.isNaN(b.ratio()) ? 0 : Math.log(b.ratio());
            }
            wrong = missed / (double) CAMPAIGNS;
            mean = Math.exp(logs / CAMPAIGNS);
        }
    }

    private static Campaign withPrimary(Campaign campaign, List<String> primary) {
        ObjectMapper json = new ObjectMapper();
        ObjectNode tree = json.valueToTree(campaign);
        ((ObjectNode) tree.get("plan")).set("primary", json.valueToTree(primary));
        return json.convertValue(tree, Campaign.class);
    }

    private static ServerRun load(
            ServerRun old, Map<String, Double> figures, List<Warning> ofLoad, List<Warning> ofServerRun) {
        return load(old, result(old.loads().get(0).load(), figures, ofLoad), ofServerRun);
    }

    private static ServerRun load(ServerRun old, LoadFigures result, List<Warning> warnings) {
        return new ServerRun(
                ServerRun.FORMAT,
                new ServerRun.Run(old.block(), old.position(), old.arm(), 1, "", "", ServerRun.MEASURED),
                new ServerRun.Before(Map.of(), Map.of(), null),
                new ServerRun.Results(List.of(result), null, warnings, null));
    }

    @Test
    void theLastAttemptThatIsUsableCounts() {
        Fixture.Drawn drawn = two(5).blocks(2).draw();
        ServerRun one = drawn.serverRuns().get(0);
        Warning bad = new Warning(WarningKind.COUNTS, "one header differs", true);
        List<ServerRun> serverRuns = new ArrayList<>(drawn.serverRuns().subList(1, 4));
        serverRuns.add(with(one, 3, ServerRun.MEASURED, List.of(bad), 333));
        serverRuns.add(with(one, 1, "no answer", List.of(), 0));
        serverRuns.add(with(one, 2, ServerRun.MEASURED, List.of(), 222));
        serverRuns.add(with(one, 4, "no answer", List.of(), 0));
        Analysis analysis = Analysis.of(drawn.campaign(), serverRuns);

        assertThat(analysis.values(drawn.campaign().arm(one.arm()), HELLO, Metric.THROUGHPUT))
                .containsEntry(one.block(), 222.0);
    }

    @Test
    void descriptionsAreGeometricButForPercentages() {
        Analysis analysis = two(6).draw().analysis();
        Spread speed = analysis.describe(Metric.THROUGHPUT, new java.util.TreeMap<>(Map.of(1, 100.0, 2, 400.0)));
        Spread gc = analysis.describe(Metric.GC, new java.util.TreeMap<>(Map.of(1, 1.0, 2, 4.0)));
        Spread none = analysis.describe(Metric.RSS, new java.util.TreeMap<>());

        assertThat(speed.mean()).isCloseTo(200, within(1e-9));
        assertThat(gc.mean()).isCloseTo(2.5, within(1e-9));
        // t with 1 degree of freedom at 97.5 %: 12.7062.
        assertThat(gc.high() - gc.mean()).isCloseTo(12.7062 * 1.5, within(1e-3));
        assertThat(none.known()).isFalse();
        assertThat(none.mean()).isNaN();
    }

    @Test
    void aCampaignWithoutAnyInvocationCanBeJudged() {
        Analysis analysis = Analysis.of(two(7).draw().campaign(), List.of());

        assertThat(analysis.family().pairs()).allMatch(pair -> pair.verdict() == Verdict.INCONCLUSIVE);
        assertThat(analysis.blocks()).isZero();
    }
}
