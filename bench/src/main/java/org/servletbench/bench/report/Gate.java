package org.servletbench.bench.report;

import java.util.List;
import java.util.function.Predicate;
import org.servletbench.bench.report.Claims.Claim;

/**
 * Decides whether a build that depends on a campaign passes. The claims of the comparison decide. Without claims
 * nothing fails, unless verdicts were requested.
 *
 * @param verdicts true if verdicts decide, as if the comparison claimed that no arm is slower than its baseline
 */
public record Gate(Claims claims, FailOn failOn, boolean verdicts) {

    /** Findings that fail a build. */
    public enum FailOn {
        /** A claim that does not hold. */
        SLOWER,
        /** A claim that does not hold, or an undecided claim. */
        UNDECIDED,
        /** No finding fails the build. */
        NEVER
    }

    /** Outcomes of a gate. The first one that applies counts. */
    public enum Outcome {
        /** The A/A copies of the baseline came out different, so that nothing can be concluded. */
        BROKEN,
        /** The subject of a claim has no usable figures. All its requests may have failed. */
        UNUSABLE,
        /** Something is slower, or contradicts a claim. */
        SLOWER,
        UNDECIDED,
        PASSED,
        /** There are no claims. */
        UNJUDGED
    }

    /** Returns the outcome, which does not depend on {@link FailOn}. */
    public Outcome outcome() {
        return claims.isVoid()
                ? Outcome.BROKEN
                : decisive().isEmpty()
                        ? Outcome.UNJUDGED
                        : any(Claim::isUnusable)
                                ? Outcome.UNUSABLE
                                : any(Claim::fails)
                                        ? Outcome.SLOWER
                                        : any(Claim::open) ? Outcome.UNDECIDED : Outcome.PASSED;
    }

    /**
     * True if the build fails. Missing figures always fail it, because there is no finding, and the arm may be broken.
     */
    public boolean fails() {
        return switch (outcome()) {
            case UNUSABLE -> true;
            case BROKEN, SLOWER -> failOn != FailOn.NEVER;
            case UNDECIDED -> failOn == FailOn.UNDECIDED;
            case PASSED, UNJUDGED -> false;
        };
    }

    /** Returns why the build fails, one line per reason; empty if it passes. */
    public List<String> why() {
        if (!fails()) {
            return List.of();
        }
        Outcome outcome = outcome();
        return outcome == Outcome.BROKEN
                ? List.of(claims.why())
                : decisive().stream()
                        .filter(claim -> outcome == Outcome.UNDECIDED ? claim.open() : claim.fails())
                        .map(Claim::failed)
                        .toList();
    }

    private boolean any(Predicate<Claim> which) {
        return decisive().stream().anyMatch(which);
    }

    private List<Claim> decisive() {
        return claims.claims().stream()
                .filter(claim -> claim.decides() && (verdicts || claim.isStated()))
                .toList();
    }
}
