package org.servletbench.bench.verdict;

import java.util.Collection;

/** The outcome of the A/A check: two copies of one arm, between which no campaign may find a difference. */
public enum AaCheck {
    /**
     * Passed: the 90 % interval of the control lies inside the margin, which is two one-sided tests at 5 % (D. J.
     * Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987).
     */
    HELD,
    /**
     * Failed: the control lies outside the margin. The cause of this bias may affect any other verdict, so that all are
     * void.
     */
    BROKEN,
    /** Inconclusive: there is no control, or its interval reaches across the margin. */
    UNPROVEN;

    public static AaCheck of(PairVerdict control) {
        return switch (control.verdict()) {
            case EQUIVALENT -> HELD;
            case FASTER, SLOWER -> BROKEN;
            default -> UNPROVEN;
        };
    }

    /** Returns the worst of several outcomes; UNPROVEN if there are none. */
    static AaCheck worst(Collection<PairVerdict> controls) {
        if (controls.stream().anyMatch(control -> of(control) == BROKEN)) {
            return BROKEN;
        }
        boolean held = !controls.isEmpty() && controls.stream().allMatch(control -> of(control) == HELD);
        return held ? HELD : UNPROVEN;
    }
}
