package org.servletbench.bench.verdict;

import java.util.Collection;

/** The outcome of the A/A guard: two copies of one arm, between which no campaign may find a difference. */
public enum AaCheck {
    /**
     * Proven to be without bias: the control's 90 % interval lies inside the margin, which is two one-sided tests at 5 % (D. J.
     * Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987).
     */
    HELD,
    /** Proven to be biased: the control lies outside the margin. Its cause may have affected any other verdict, and all are void. */
    BROKEN,
    /** Neither is proven: there is no control, or its interval reaches across the margin. */
    UNPROVEN;

    public static AaCheck of(PairVerdict control) {
        return switch (control.verdict()) {
            case EQUIVALENT -> HELD;
            case FASTER, SLOWER -> BROKEN;
            default -> UNPROVEN;
        };
    }

    /** The worst of several; UNPROVEN without any. */
    static AaCheck worst(Collection<PairVerdict> controls) {
        if (controls.stream().anyMatch(control -> of(control) == BROKEN)) {
            return BROKEN;
        }
        boolean held = !controls.isEmpty() && controls.stream().allMatch(control -> of(control) == HELD);
        return held ? HELD : UNPROVEN;
    }
}
