package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.report.Claims.Claim;
import org.servletbench.bench.report.Claims.Failure;
import org.servletbench.bench.report.Gate.FailOn;
import org.servletbench.bench.report.Gate.Outcome;

class GateTest {

    private static final Claim HOLDS = claim(Claims.STATED, false, Failure.NONE, true);
    private static final Claim OPEN = claim(Claims.STATED, true, Failure.NONE, true);
    private static final Claim WRONG = claim(Claims.STATED, false, Failure.NOT_AS_CLAIMED, true);
    private static final Claim EMPTY = claim(Claims.STATED, true, Failure.NO_FIGURES, true);
    private static final Claim OF_ARTICLE = claim(Claims.STATED, false, Failure.NOT_AS_CLAIMED, false);
    private static final Claim SLOWER = claim("boot3.hello.cpu", false, Failure.SLOWER, true);

    private static Claim claim(String where, boolean open, Failure failure, boolean decides) {
        return new Claim(where, "a claim", "it is so", open, failure, decides);
    }

    private static Gate gate(boolean isVoid, FailOn on, boolean verdicts, Claim... claims) {
        return new Gate(new Claims("campaign", List.of(claims), isVoid, isVoid ? "VOID" : ""), on, verdicts);
    }

    /** One row per outcome, with the settings that fail it. */
    @Test
    void theFirstThatAppliesDecides() {
        record Case(Outcome outcome, boolean slower, boolean undecided, Claim... claims) {}
        List<Case> cases = new ArrayList<>(List.of(
                new Case(Outcome.UNJUDGED, false, false),
                new Case(Outcome.PASSED, false, false, HOLDS),
                new Case(Outcome.UNJUDGED, false, false, SLOWER),
                new Case(Outcome.UNJUDGED, false, false, OF_ARTICLE),
                new Case(Outcome.UNDECIDED, false, true, HOLDS, OPEN),
                new Case(Outcome.SLOWER, true, true, OPEN, WRONG),
                new Case(Outcome.UNUSABLE, true, true, WRONG, EMPTY)));
        for (Case one : cases) {
            Gate gate = gate(false, FailOn.SLOWER, false, one.claims);
            assertThat(gate.outcome()).isEqualTo(one.outcome);
            assertThat(gate.fails()).isEqualTo(one.slower);
            assertThat(gate.why())
                    .hasSize(
                            one.slower
                                    ? (int) List.of(one.claims).stream()
                                            .filter(Claim::fails)
                                            .count()
                                    : 0);
            assertThat(gate(false, FailOn.UNDECIDED, false, one.claims).fails()).isEqualTo(one.undecided);
            assertThat(gate(false, FailOn.NEVER, false, one.claims).fails()).isEqualTo(one.outcome == Outcome.UNUSABLE);
            assertThat(gate(true, FailOn.SLOWER, false, one.claims).outcome()).isEqualTo(Outcome.BROKEN);
            assertThat(gate(true, FailOn.SLOWER, false, one.claims).why()).containsExactly("VOID");
            assertThat(gate(true, FailOn.NEVER, false, one.claims).fails()).isFalse();
        }
    }

    @Test
    void verdictsCountWhereTheyWereAskedFor() {
        assertThat(gate(false, FailOn.SLOWER, true, SLOWER).why()).containsExactly("slower: it is so");
        assertThat(gate(false, FailOn.SLOWER, false, WRONG).why()).containsExactly("not as claimed: a claim: it is so");
        assertThat(gate(false, FailOn.UNDECIDED, false, OPEN).why()).containsExactly("a claim: it is so");
    }
}
