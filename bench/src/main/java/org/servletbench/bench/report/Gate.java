package org.servletbench.bench.report;

import java.util.List;
import java.util.function.Predicate;
import org.servletbench.bench.report.Claims.Claim;

/**
 * Whether a build passes that depends on what a campaign found. The claims of the comparison decide; where it claims nothing, nothing
 * fails, unless its verdicts were asked for.
 *
 * @param verdicts whether each arm is held against its baseline as if the comparison claimed that it is not slower
 */
public record Gate(Claims claims, FailOn failOn, boolean verdicts) {

    /** What fails a build. */
    public enum FailOn {
        /** A claim that does not hold. */
        SLOWER,
        /** Also one that is undecided. */
        UNDECIDED,
        /** Nothing that was found. */
        NEVER
    }

    /** What became of it; the first that applies. */
    public enum Outcome {
        /** The two copies of the baseline came out different: nothing may be said. */
        BROKEN,
        /** What a claim is about has no usable figures: its requests may all have failed. */
        UNUSABLE,
        /** Something is slower, or not as claimed. */
        SLOWER,
        UNDECIDED,
        PASSED,
        /** Nothing is claimed. */
        UNJUDGED
    }

    /** What came out, whatever is to fail. */
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

    /** Whether the build fails. What has no figures fails it in any case: nothing was found, and it may be broken. */
    public boolean fails() {
        return switch (outcome()) {
            case UNUSABLE -> true;
            case BROKEN, SLOWER -> failOn != FailOn.NEVER;
            case UNDECIDED -> failOn == FailOn.UNDECIDED;
            case PASSED, UNJUDGED -> false;
        };
    }

    /** Why it fails, a line for each reason; none if it does not. */
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
