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
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Mark;
import org.servletbench.bench.model.MarkKind;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Invocation;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Judgement.Against;
import org.servletbench.bench.record.Judgement.Group;
import org.servletbench.bench.verdict.AaCheck;
import org.servletbench.bench.verdict.Bound;
import org.servletbench.bench.verdict.NoVerdictReason;
import org.servletbench.bench.verdict.Spread;
import org.servletbench.bench.verdict.Verdict;

class JudgementTest {
    private static final Cell HELLO = new Cell("hello", 100, 0, "gatling");
    private static final List<Arm> TWO =
            List.of(Fixture.arm("a", "A", "boot3", Arm.Role.BASELINE), Fixture.arm("b", "B", "boot3", Arm.Role.ARM));

    private static Fixture two(long seed) {
        return Fixture.seeded(seed).arms(TWO).cells(List.of(HELLO));
    }

    private static CellResult result(Cell cell, Map<String, Double> figures, List<Mark> marks) {
        return new CellResult(
                cell,
                new CellResult.Counted(1, 1000, 0, 10),
                new CellResult.Values(figures, Map.of(), "", Double.NaN),
                CellResult.Course.NONE,
                new CellResult.Findings(marks, List.of()),
                List.of(),
                List.of());
    }

    private static Invocation with(Invocation old, int attempt, String outcome, List<Mark> marks, double throughput) {
        CellResult result = old.cells().get(0);
        CellResult changed = result(result.cell(), Map.of("throughput", throughput), List.of());
        return new Invocation(
                Invocation.FORMAT,
                new Invocation.Run(
                        old.block(), old.position(), old.arm(), attempt, old.started(), old.ended(), outcome),
                new Invocation.Before(old.proven(), old.startUp(), old.warmUp()),
                new Invocation.Results(
                        outcome.equals(Invocation.MEASURED) ? List.of(changed) : List.of(), null, marks, null));
    }

    @Test
    void claimsEveryPairWithinAGroupAndNothingElse() {
        Judgement judgement = Fixture.seeded(1).draw().judgement();

        // boot3: 4 arms, 6 pairs; boot2: 2 arms, 1 pair; 3 cells, 3 metrics.
        assertThat(judgement.family().pairs()).hasSize((6 + 1) * 3 * 3);
        assertThat(judgement.family().controls()).hasSize(2 * 3 * 3);
        assertThat(judgement.family().pairs())
                .noneMatch(pair -> (pair.contrast().a() + pair.contrast().b()).matches(".*(nginx|control).*"));
        assertThat(judgement.groups()).extracting(Group::name).containsExactly("boot3", "boot2");
        assertThat(judgement.groups())
                .allMatch(group -> group.references().get(0).id().equals("nginx"));
    }

    @Test
    void aVerdictIsToldFromTheSideOfTheArmAndHasTheTruthInItsInterval() {
        Judgement judgement =
                Fixture.seeded(2).spread(0.005).speed("undertow", 1.25).draw().judgement();
        Group boot3 = judgement.groups().get(0);

        Against undertow = judgement
                .against(boot3, judgement.campaign().arm("undertow"), HELLO, Metric.THROUGHPUT)
                .orElseThrow();
        Against cpu = judgement
                .against(boot3, judgement.campaign().arm("undertow"), HELLO, Metric.CPU)
                .orElseThrow();

        assertThat(undertow.verdict()).isEqualTo(Verdict.FASTER);
        assertThat(undertow.low()).isLessThan(1.25);
        assertThat(undertow.high()).isGreaterThan(1.25);
        assertThat(undertow.low()).isLessThan(undertow.ratio());
        assertThat(cpu.verdict()).isEqualTo(Verdict.FASTER);
        assertThat(cpu.ratio()).isCloseTo(1 / 1.25, within(0.05));
        assertThat(judgement.family().guard()).isEqualTo(AaCheck.HELD);
        assertThat(judgement
                        .reference(boot3, judgement.campaign().arm("nginx"), HELLO, Metric.THROUGHPUT)
                        .mean())
                .isCloseTo(2.6, within(0.1));
    }

    @Test
    void aControlThatDiffersMakesItVoid() {
        Judgement judgement =
                Fixture.seeded(3).speed("tomcat-nio-control", 1.3).draw().judgement();

        assertThat(judgement.family().isVoid()).isTrue();
    }

    @Test
    void whatIsMarkedAsUnusableIsLeftOutAndNamed() {
        Fixture.Drawn drawn = two(4).draw();
        List<Invocation> invocations = new ArrayList<>(drawn.invocations());
        Invocation first = invocations.get(0);
        CellResult result = first.cells().get(0);
        Mark mark = new Mark(MarkKind.COUNTS, "12 counted, 13 in the histogram", true);
        CellResult marked = result(result.cell(), Map.of("throughput", 1e9), List.of(mark));
        invocations.set(
                0,
                new Invocation(
                        1,
                        new Invocation.Run(
                                first.block(), first.position(), first.arm(), 1, "", "", Invocation.MEASURED),
                        new Invocation.Before(Map.of(), Map.of(), null),
                        new Invocation.Results(List.of(marked), null, List.of(), null)));
        Judgement judgement = Judgement.of(drawn.campaign(), invocations);

        assertThat(judgement.leftOut()).singleElement().satisfies(left -> {
            assertThat(left.invocation().arm()).isEqualTo(first.arm());
            assertThat(left.cell()).contains(HELLO);
            assertThat(left.marks()).containsExactly(mark);
        });
        assertThat(judgement.values(drawn.campaign().arm(first.arm()), HELLO, Metric.THROUGHPUT))
                .hasSize(9)
                .doesNotContainKey(first.block());
        assertThat(judgement.family().pairs()).allMatch(pair -> pair.estimate().n() == 9);
    }

    /** A server that met the objective at no rate is no reason to judge by those that did. */
    @Test
    void anObjectiveThatWasMissedInOneBlockLeavesTheArmWithoutFigures() {
        Fixture.Drawn drawn = two(8).draw();
        Mark missed = Mark.of(MarkKind.OBJECTIVE_MISSED, "no rate met it");
        List<Invocation> invocations = drawn.invocations().stream()
                .map(one -> cell(
                        one,
                        Map.of("throughput", 1000.0 + one.block()),
                        one.arm().equals("b") && one.block() == 3 ? List.of(missed) : List.of(),
                        List.of()))
                .toList();
        Judgement judgement = Judgement.of(withPrimary(drawn.campaign(), List.of("throughput")), invocations);

        assertThat(judgement.values(judgement.campaign().arm("b"), HELLO, Metric.THROUGHPUT))
                .isEmpty();
        assertThat(judgement.leftOut()).hasSize(10).allSatisfy(left -> {
            assertThat(left.invocation().arm()).isEqualTo("b");
            assertThat(left.marks()).containsExactly(missed);
        });
        assertThat(judgement.values(judgement.campaign().arm("a"), HELLO, Metric.THROUGHPUT))
                .hasSize(10);
    }

    /**
     * The generator can send 1,030 requests/s. Arm b is as fast as a or slightly faster, and in its fast blocks it reaches
     * that limit: without them its mean would be biased down, below a's.
     */
    @Test
    void anArmThatHitTheGeneratorsLimitInSomeBlocksHasAFloorAndKeepsAllOfThem() {
        Fixture.Drawn drawn = two(8).draw();
        Mark limit = new Mark(MarkKind.GENERATOR_BOTTLENECK, "0.99 of 1", true);
        java.util.Random random = new java.util.Random(1);
        List<Invocation> invocations = new ArrayList<>();
        for (Invocation invocation : drawn.invocations()) {
            double truth = (invocation.arm().equals("b") ? 1030 : 1000) * Math.exp(0.02 * random.nextGaussian());
            boolean limited = truth > 1030;
            invocations.add(cell(
                    invocation,
                    Map.of("throughput", Math.min(truth, 1030), "p99", 1e6 / truth, "cpu", 1e6 / truth),
                    limited && invocation.arm().equals("b") ? List.of(limit) : List.of(),
                    List.of()));
        }
        List<String> primary = List.of("throughput", "p99", "cpu");
        Judgement judgement = Judgement.of(withPrimary(drawn.campaign(), primary), invocations);
        Group group = judgement.groups().get(0);
        Arm b = judgement.campaign().arm("b");

        assertThat(judgement.leftOut()).isEmpty();
        assertThat(judgement.hasFloor(b, HELLO)).isTrue();
        assertThat(judgement.hasFloor(judgement.campaign().arm("a"), HELLO)).isFalse();
        assertThat(judgement.values(b, HELLO, Metric.THROUGHPUT)).hasSize(10);
        Against throughput =
                judgement.against(group, b, HELLO, Metric.THROUGHPUT).orElseThrow();
        assertThat(throughput.ratio()).isGreaterThan(1);
        assertThat(throughput.bound()).isEqualTo(Bound.AT_LEAST);
        assertThat(throughput.high()).isInfinite();
        assertThat(throughput.verdict()).isNotIn(Verdict.SLOWER, Verdict.EQUIVALENT);
        assertThat(judgement
                        .against(group, b, HELLO, Metric.P99)
                        .orElseThrow()
                        .pair()
                        .reason())
                .contains(NoVerdictReason.FLOOR);
        assertThat(judgement.against(group, b, HELLO, Metric.CPU).orElseThrow().bound())
                .isEqualTo(Bound.EXACT);
        CellResult jmeter = result(new Cell("hello", 100, 0, "jmeter"), Map.of(), List.of());
        CellResult gatling = result(HELLO, Map.of(), List.of());
        for (String check : List.of("littles-law", "users-held")) {
            assertThat(jmeter.isFloor(new Mark(MarkKind.of(check), "", true))).isTrue();
            assertThat(gatling.isFloor(new Mark(MarkKind.of(check), "", true))).isFalse();
        }
    }

    @Test
    void theClocksResolutionOfTheCellsIsInTheIntervals() throws Exception {
        Fixture.Drawn drawn = two(9).draw();
        java.util.Random random = new java.util.Random(1);
        ObjectMapper json = new ObjectMapper();
        List<Invocation> invocations = new ArrayList<>();
        for (Invocation invocation : drawn.invocations()) {
            Invocation plain = cell(
                    invocation, Map.of("p99", 1.5 * Math.exp(0.005 * random.nextGaussian())), List.of(), List.of());
            ObjectNode written = json.valueToTree(plain.cells().get(0));
            written.put("resolutionMs", 1.0);
            invocations.add(cell(plain, json.treeToValue(written, CellResult.class), List.of()));
        }
        Judgement judgement = Judgement.of(withPrimary(drawn.campaign(), List.of("p99")), invocations);

        assertThat(judgement.family().pairs()).singleElement().satisfies(pair -> {
            assertThat(pair.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
            assertThat(pair.reason()).contains(NoVerdictReason.RESOLUTION);
        });
        Arm a = judgement.campaign().arm("a");
        Spread table = judgement.describe(a, HELLO, Metric.P99);
        Spread noise = judgement.describe(Metric.P99, judgement.values(a, HELLO, Metric.P99));
        assertThat(table.low()).isCloseTo(noise.low() - 1, within(1e-9));
        assertThat(table.high()).isCloseTo(noise.high() + 1, within(1e-9));
    }

    /** Whatever the warning and the block: its figures are shown, and nothing is concluded. */
    @Test
    void anArmWithAServerThatWasNotWarmHasNoVerdict() {
        Fixture.Drawn drawn = two(10).draw();
        List<Mark> marks = List.of(Mark.of(MarkKind.WARM_UP, ""));
        List<Invocation> invocations = drawn.invocations().stream()
                .map(one -> cell(
                        one,
                        Map.of("throughput", one.arm().equals("b") ? 500.0 + one.block() : 1000.0),
                        List.of(),
                        one.arm().equals("b") && one.block() == 2 ? marks : List.of()))
                .toList();
        Judgement judgement = Judgement.of(withPrimary(drawn.campaign(), List.of("throughput")), invocations);

        assertThat(judgement.family().pairs()).singleElement().satisfies(pair -> {
            assertThat(pair.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
            assertThat(pair.reason()).contains(NoVerdictReason.NOT_WARM);
            assertThat(pair.estimate().n()).isEqualTo(10);
            assertThat(pair.low()).isBetween(1.5, 2.0);
        });
        assertThat(Claims.of(judgement).claims().get(0).sentence())
                .endsWith("B and A are not judged in throughput (B had servers that were not warm: they need a longer"
                        + " warm-up)");
    }

    /** Little's law: all arms have the same users, so a product that differs has another cause. */
    @Test
    void productsOfThroughputAndResponseTimeThatDifferAreSaidToMoveTheRatio() {
        Fixture.Drawn drawn = two(10).inTurns(0.25).draw();
        for (double off : new double[] {1, 1.05}) {
            List<Invocation> invocations = drawn.invocations().stream()
                    .map(one -> {
                        boolean b = one.arm().equals("b");
                        double rate = (b ? 500.0 : 1000.0) + one.block();
                        double users = b ? 20 * off : 20;
                        return cell(one, Map.of("throughput", rate, "mean", users / rate * 1000), List.of(), List.of());
                    })
                    .toList();
            Judgement judgement = Judgement.of(withPrimary(drawn.campaign(), List.of("throughput")), invocations);
            Optional<String> words =
                    UsersAccountedFor.words(judgement, judgement.groups().get(0));
            assertThat(words.isPresent()).as("%s", off).isEqualTo(off > 1);
            words.ifPresent(said -> assertThat(said)
                    .startsWith("throughput and mean response time of two arms differ by 5.0 % in the users"));
        }
    }

    /** They also concern the machine, or are part of the figures: they are shown next to them. */
    @Test
    void aTrendOrACompilerAtWorkBarsNothing() {
        Fixture.Drawn drawn = two(10).draw();
        for (MarkKind shown : List.of(MarkKind.RISING, MarkKind.COMPILING)) {
            List<Invocation> invocations = drawn.invocations().stream()
                    .map(one -> cell(
                            one,
                            Map.of("throughput", one.arm().equals("b") ? 500.0 + one.block() : 1000.0),
                            List.of(Mark.of(shown, "")),
                            List.of()))
                    .toList();
            assertThat(Judgement.of(withPrimary(drawn.campaign(), List.of("throughput")), invocations)
                            .family()
                            .pairs())
                    .singleElement()
                    .satisfies(pair ->
                            assertThat(pair.verdict().namesADifference()).isTrue());
        }
    }

    /**
     * Two equal arms, one of which fails requests when its server is slow. Without those blocks it looks faster, and a fifth of all
     * intervals are wrong; with none of its blocks no more than the level.
     */
    @Test
    void blocksThatASlowServerSpoiledMakeNoWrongInterval() {
        Draw dropped = new Draw(MarkKind.COUNTS);
        assertThat(dropped.mean).isBetween(1.008, 1.012);
        assertThat(dropped.wrong).isGreaterThan(0.15);
        for (MarkKind server : List.of(MarkKind.ERRORS, MarkKind.LITTLES_LAW, MarkKind.USERS_HELD)) {
            assertThat(new Draw(server).wrong).as(server.key()).isLessThanOrEqualTo(0.055);
        }
    }

    /** Results of many campaigns in which slow blocks of b have a warning. */
    private static final class Draw {
        private static final int CAMPAIGNS = 500;
        private static final double SPREAD = 0.026;
        private final double wrong;
        private final double mean;

        Draw(MarkKind ofSlow) {
            java.util.Random random = new java.util.Random(38);
            Fixture.Drawn drawn = two(38).blocks(20).draw();
            Campaign campaign = withPrimary(drawn.campaign(), List.of("throughput"));
            int missed = 0;
            double logs = 0;
            for (int i = 0; i < CAMPAIGNS; i++) {
                Judgement judgement = Judgement.of(
                        campaign,
                        drawn.invocations().stream()
                                .map(one -> {
                                    double z = random.nextGaussian();
                                    boolean slow = one.arm().equals("b") && z < -0.75;
                                    return cell(
                                            one,
                                            Map.of("throughput", 1000 * Math.exp(SPREAD * z)),
                                            slow ? List.of(Mark.of(ofSlow, "")) : List.of(),
                                            List.of());
                                })
                                .toList());
                Against b = judgement
                        .against(judgement.groups().get(0), campaign.arm("b"), HELLO, Metric.THROUGHPUT)
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

    private static Invocation cell(
            Invocation old, Map<String, Double> figures, List<Mark> ofCell, List<Mark> ofInvocation) {
        return cell(old, result(old.cells().get(0).cell(), figures, ofCell), ofInvocation);
    }

    private static Invocation cell(Invocation old, CellResult result, List<Mark> marks) {
        return new Invocation(
                Invocation.FORMAT,
                new Invocation.Run(old.block(), old.position(), old.arm(), 1, "", "", Invocation.MEASURED),
                new Invocation.Before(Map.of(), Map.of(), null),
                new Invocation.Results(List.of(result), null, marks, null));
    }

    @Test
    void theLastAttemptThatIsUsableCounts() {
        Fixture.Drawn drawn = two(5).blocks(2).draw();
        Invocation one = drawn.invocations().get(0);
        Mark bad = new Mark(MarkKind.COUNTS, "one header differs", true);
        List<Invocation> invocations = new ArrayList<>(drawn.invocations().subList(1, 4));
        invocations.add(with(one, 3, Invocation.MEASURED, List.of(bad), 333));
        invocations.add(with(one, 1, "no answer", List.of(), 0));
        invocations.add(with(one, 2, Invocation.MEASURED, List.of(), 222));
        invocations.add(with(one, 4, "no answer", List.of(), 0));
        Judgement judgement = Judgement.of(drawn.campaign(), invocations);

        assertThat(judgement.values(drawn.campaign().arm(one.arm()), HELLO, Metric.THROUGHPUT))
                .containsEntry(one.block(), 222.0);
    }

    @Test
    void descriptionsAreGeometricButForPercentages() {
        Judgement judgement = two(6).draw().judgement();
        Spread speed = judgement.describe(Metric.THROUGHPUT, new java.util.TreeMap<>(Map.of(1, 100.0, 2, 400.0)));
        Spread gc = judgement.describe(Metric.GC, new java.util.TreeMap<>(Map.of(1, 1.0, 2, 4.0)));
        Spread none = judgement.describe(Metric.RSS, new java.util.TreeMap<>());

        assertThat(speed.mean()).isCloseTo(200, within(1e-9));
        assertThat(gc.mean()).isCloseTo(2.5, within(1e-9));
        // t with 1 degree of freedom at 97.5 %: 12.7062.
        assertThat(gc.high() - gc.mean()).isCloseTo(12.7062 * 1.5, within(1e-3));
        assertThat(none.known()).isFalse();
        assertThat(none.mean()).isNaN();
    }

    @Test
    void aCampaignWithoutAnyInvocationCanBeJudged() {
        Judgement judgement = Judgement.of(two(7).draw().campaign(), List.of());

        assertThat(judgement.family().pairs()).allMatch(pair -> pair.verdict() == Verdict.INCONCLUSIVE);
        assertThat(judgement.blocks()).isZero();
    }
}
