package org.servletbench.bench.report;

import java.util.Locale;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Analysis.Against;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.verdict.AaCheck;
import org.servletbench.bench.verdict.Bound;
import org.servletbench.bench.verdict.NoVerdictReason;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.Verdict;
import org.servletbench.bench.verdict.Wording;

/** Words that several parts of the page use. */
public final class Words {

    /** CPU time of a typical handler, with which differences of containers are compared, µs. */
    static final double HANDLER_MICROS = 2000;

    /** The time of that handler, for people. */
    static final String HANDLER = Text.text("%.0f ms", HANDLER_MICROS / 1000);

    private Words() {}

    /** Returns a sentence in which numbers and percent signs stay on one line. */
    static String unbroken(String sentence) {
        return sentence.replace(" %", "\u00a0%");
    }

    /** Returns a clause with a capital and a full stop. */
    public static String sentence(String clause) {
        return clause.isEmpty() ? "" : capital(clause) + ".";
    }

    /** @param text text that is not empty */
    static String capital(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    /** Returns a verdict in a few words, from the arm's point of view. */
    public static String word(Against against, Metric metric) {
        return against.pair()
                .reason()
                .map(Words::word)
                .orElseGet(() -> against.verdict() == Verdict.DIFFERENT
                        ? word(Verdict.towards(against.ratio(), metric), metric) + Wording.MAYBE_WITHIN_MARGIN
                        : word(against.verdict(), metric));
    }

    /** Returns "faster", "slower", "less", "more", "equal" or "inconclusive". */
    static String word(Verdict verdict, Metric metric) {
        return verdict == Verdict.EQUIVALENT ? "equal" : verdict.words(metric).toLowerCase(Locale.ROOT);
    }

    static String word(NoVerdictReason reason) {
        return switch (reason) {
            case TOO_FEW_BLOCKS, NOT_DRAWN -> reason.words();
            case SPREAD -> "inconclusive";
            default -> "inconclusive: " + reason.words();
        };
    }

    /** Word for an A/A check that passed. */
    static final String HELD = "passed";

    static String control(PairVerdict control) {
        return switch (AaCheck.of(control)) {
            case HELD -> HELD;
            case BROKEN -> "failed: differs";
            case UNPROVEN ->
                control.reason().filter(NoVerdictReason.TOO_FEW_BLOCKS::equals).isPresent()
                        ? "inconclusive: too few blocks"
                        : "inconclusive";
        };
    }

    /** Returns "at least " or "at most " if an arm ran at the generator's limit; otherwise empty text. */
    static String bound(Bound bound) {
        return switch (bound) {
            case EXACT -> "";
            case AT_LEAST -> "at least ";
            case AT_MOST -> "at most ";
            case NONE -> "unknown, measured ";
        };
    }

    /** Returns a metric as a heading: "p99 response time". */
    static String title(Metric metric) {
        return metric.kind() == Metric.Kind.LATENCY && metric.label().startsWith("p")
                ? metric.label() + " response time"
                : metric.label();
    }

    static Forest.Kind kind(Verdict verdict) {
        return switch (verdict) {
            case FASTER -> Forest.Kind.BETTER;
            case SLOWER -> Forest.Kind.WORSE;
            case EQUIVALENT -> Forest.Kind.EQUAL;
            case DIFFERENT -> Forest.Kind.DIFFERENT;
            case INCONCLUSIVE -> Forest.Kind.OPEN;
        };
    }

    /**
     * Returns the arm from whose point of view a pair is reported. If the pair includes the baseline, it is the other
     * arm.
     */
    static String side(Analysis.Group group, PairVerdict pair) {
        return pair.contrast().a().equals(group.baseline().id())
                ? pair.contrast().b()
                : pair.contrast().a();
    }

    /** Returns an arm's name for places that also show its role. An A/A copy has its baseline's name there. */
    static String name(Analysis analysis, Arm arm) {
        boolean control = arm.role() == Arm.Role.CONTROL && !arm.label().isBlank();
        return control ? arm.label() : analysis.name(arm);
    }

    /** Returns "1 block", "2 blocks". */
    static String count(long n, String noun) {
        return Text.text("%,d %s", n, n == 1 ? noun : noun + "s");
    }
}
