package org.servletbench.proofs;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Result of one experiment.
 *
 * @param subject the generator or arm it is about; empty if it is about all
 * @param truth the known truth, in words with its unit
 * @param interval interval or bounds of the measured value; empty if there are none
 * @param note why it was skipped, or a remark
 */
public record Finding(
        String experiment,
        String subject,
        String truth,
        String measured,
        String interval,
        Outcome outcome,
        String note) {

    public enum Outcome {
        PASSED,
        FAILED,
        SKIPPED,
        /** A result without a test: the experiment cannot fail, or could not decide. The note says which. */
        SHOWN;

        public String words() {
            return this == SHOWN ? "shown (no test)" : name().toLowerCase(Locale.ROOT);
        }
    }

    static Finding of(
            String experiment, String subject, String truth, String measured, String interval, boolean passed) {
        return new Finding(
                experiment, subject, truth, measured, interval, passed ? Outcome.PASSED : Outcome.FAILED, "");
    }

    /** Returns the result of an experiment that cannot fail, and so is no test. */
    static Finding shown(String experiment, String subject, String truth, String measured, String what) {
        return new Finding(experiment, subject, truth, measured, "", Outcome.SHOWN, what);
    }

    static Finding skipped(String experiment, String subject, String why) {
        return new Finding(experiment, subject, "", "", "", Outcome.SKIPPED, why);
    }

    /** Returns the number of findings by outcome, as text. */
    public static String tally(List<Finding> findings) {
        return findings.size() + " findings: "
                + Arrays.stream(Outcome.values())
                        .map(outcome -> findings.stream()
                                        .filter(finding -> finding.outcome() == outcome)
                                        .count()
                                + " " + outcome.words())
                        .collect(Collectors.joining(", "));
    }

    /** Returns the whole finding as one line of text. */
    public String line() {
        return String.format(
                "%-8s %-12s %s  truth: %s  measured: %s%s%s",
                outcome.words(),
                experiment,
                subject,
                truth,
                measured,
                interval.isEmpty() ? "" : "  interval: " + interval,
                note.isEmpty() ? "" : "  (" + note + ")");
    }

    Finding withNote(String text) {
        return new Finding(experiment, subject, truth, measured, interval, outcome, text);
    }
}
