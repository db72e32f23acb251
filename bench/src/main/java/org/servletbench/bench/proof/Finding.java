package org.servletbench.bench.proof;

/**
 * What one experiment found.
 *
 * @param experiment its name
 * @param subject the generator or arm that it is about; empty where it is about all
 * @param truth what is known, in words with its unit
 * @param measured what the rig said
 * @param interval its interval or bounds; empty where there is none
 * @param outcome passed, failed or skipped
 * @param note why it was skipped, or what to know
 */
public record Finding(
        String experiment,
        String subject,
        String truth,
        String measured,
        String interval,
        Outcome outcome,
        String note) {

    /** How it ended. */
    public enum Outcome {
        PASSED,
        FAILED,
        SKIPPED
    }

    static Finding of(
            String experiment, String subject, String truth, String measured, String interval, boolean passed) {
        return new Finding(
                experiment, subject, truth, measured, interval, passed ? Outcome.PASSED : Outcome.FAILED, "");
    }

    static Finding skipped(String experiment, String subject, String why) {
        return new Finding(experiment, subject, "", "", "", Outcome.SKIPPED, why);
    }

    Finding withNote(String text) {
        return new Finding(experiment, subject, truth, measured, interval, outcome, text);
    }
}
