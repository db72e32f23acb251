package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.record.Arm;

class PartEffectsTest {

    private static final List<String> PARTS = List.of("only-a", "only-b", "only-c");

    /** Returns the effects of parts a, b and c of a change. */
    private static PartEffects effects(long seed, double a, double b, double c, double whole, PartEffects.Arms kind) {
        return effects(seed, a, b, c, whole, kind, "");
    }

    /** @param failing id of an arm whose requests fail; empty if none do */
    private static PartEffects effects(
            long seed, double a, double b, double c, double whole, PartEffects.Arms kind, String failing) {
        List<Arm> arms = new ArrayList<>(List.of(
                Fixture.arm("before", "before", "boot3", Arm.Role.BASELINE),
                Fixture.arm("after", "after", "boot3", Arm.Role.ARM)));
        Map<String, String> names = new LinkedHashMap<>();
        PARTS.forEach(id -> {
            arms.add(Fixture.arm(id, id, "boot3", Arm.Role.ARM));
            names.put(id, "part " + id.substring(id.length() - 1));
        });
        arms.add(Fixture.arm("before-control", "before", "boot3", Arm.Role.CONTROL));
        return new PartEffects(
                Fixture.seeded(seed)
                        .spread(0.01)
                        .arms(arms)
                        .loads(List.of(new MeasuredLoad("hello", 32, 0, "gatling")))
                        .testing(0.03, "cpu", "alloc")
                        .cpu("only-a", a)
                        .cpu("only-b", b)
                        .cpu("only-c", c)
                        .cpu("after", whole)
                        .failing(failing)
                        .blocks(12)
                        .draw()
                        .analysis(),
                names,
                "after",
                kind);
    }

    @Test
    void thePartThatCostsIsNamedFirst() {
        PartEffects effects = effects(1, 1, 1.05, 1, 1.05, PartEffects.Arms.ONE_OF_ALL);
        assertThat(effects.carriers()).containsExactly("only-b");
        assertThat(effects.lines())
                .hasSize(5)
                .first()
                .asString()
                .matches(
                        "part b: \\+[45]\\.\\d % \\(\\+4\\.\\d to \\+5\\.\\d %\\) of \\+[45]\\.\\d % in CPU time per request"
                                + " \\(hello at 32 users\\);"
                                + " each other part: at most 0\\.\\d %");
        assertThat(effects.lines().get(4)).startsWith("  all of the change: +");
    }

    @Test
    void whereNothingDiffersNoPartIsNamed() {
        PartEffects effects = effects(2, 1, 1, 1, 1, PartEffects.Arms.ONE_OF_ALL);
        assertThat(effects.carriers()).isEmpty();
        assertThat(effects.lines().get(0)).startsWith("No part's interval excludes 0 in ");
    }

    /** Part a fails requests in every block, and costs twice as much. */
    @Test
    void aPartThatDidNotHoldTheLoadIsNotNamed() {
        PartEffects effects = effects(7, 2, 1.05, 1, 1.05, PartEffects.Arms.ONE_OF_ALL, "only-a");
        assertThat(effects.carriers()).containsExactly("only-b");
        assertThat(effects.hasInteraction()).isFalse();
        assertThat(effects.lines()).noneMatch(line -> line.contains("NaN"));
        assertThat(effects.lines().get(0)).doesNotContain("each other part");
        assertThat(effects.lines().get(1)).matches("  part a: (no usable figures|no verdict: load not held)");
    }

    /** Two parts cost 3 % each, but 10 % together. */
    @Test
    void partsThatDoNotAddUpAreCalledAnInteraction() {
        assertThat(effects(3, 1.03, 1.03, 1, 1.1, PartEffects.Arms.ONE_OF_ALL).lines())
                .last()
                .asString()
                .matches("interaction: the parts do not add up; together they make \\+3\\.\\d %.*");
        assertThat(effects(3, 1.03, 1.03, 1, 1.1, PartEffects.Arms.ONE_OF_SOME).lines())
                .noneMatch(line -> line.startsWith("interaction"));
        assertThat(effects(4, 1.03, 1.03, 1, 1.03 * 1.03, PartEffects.Arms.ONE_OF_ALL)
                        .lines())
                .noneMatch(line -> line.startsWith("interaction"));
    }

    /**
     * Without a or without b, the new build costs 3 % more than the old one; with both it costs 10 % more. c does not
     * matter.
     */
    @Test
    void partsThatActTogetherAreNamed() {
        PartEffects alone = effects(3, 1.03, 1.03, 1, 1.1, PartEffects.Arms.ONE_OF_ALL);
        assertThat(alone.hasInteraction()).isTrue();
        PartEffects others = effects(5, 1.03, 1.03, 1.1, 1.1, PartEffects.Arms.ALL_BUT_ONE);
        assertThat(others.together(alone))
                .hasSize(4)
                .first()
                .isEqualTo("These parts act together, in CPU time per request: part a and part b");
        assertThat(others.together(alone).get(3)).startsWith("  part c: ").contains(" with all others in place, ");
        assertThat(effects(4, 1.03, 1.03, 1, 1.03 * 1.03, PartEffects.Arms.ONE_OF_ALL)
                        .hasInteraction())
                .isFalse();
        assertThat(effects(6, 1.03, 1.03, 1.06, 1.06, PartEffects.Arms.ALL_BUT_ONE)
                        .together(effects(4, 1.03, 1.03, 1, 1.06, PartEffects.Arms.ONE_OF_ALL))
                        .get(0))
                .isEqualTo("Which parts act together does not show: try a longer --limit");
    }
}
