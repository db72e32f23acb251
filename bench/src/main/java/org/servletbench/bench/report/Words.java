package org.servletbench.bench.report;

import java.util.List;
import org.servletbench.bench.campaign.Arm;
import org.servletbench.bench.campaign.Judgement;
import org.servletbench.bench.campaign.Judgement.Against;
import org.servletbench.bench.campaign.Metric;
import org.servletbench.bench.verdict.Caveat;
import org.servletbench.bench.verdict.Verdict;

/** Small words of the page. */
final class Words {
    private Words() {}

    /** "A", "A and B", "A, B and C". */
    static String list(List<String> items) {
        int last = items.size() - 1;
        return last <= 0
                ? String.join("", items)
                : String.join(", ", items.subList(0, last)) + " and " + items.get(last);
    }

    /** A sentence as HTML; a number and its percent sign stay on one line. */
    static String html(String sentence) {
        return Html.escape(sentence).replace(" %", "\u00a0%");
    }

    /** With a capital and a full stop. */
    static String sentence(String clause) {
        return clause.isEmpty() ? "" : Character.toUpperCase(clause.charAt(0)) + clause.substring(1) + ".";
    }

    /** A verdict in one or two words, from the arm's side. */
    static String word(Against against, Metric metric) {
        if (against.pair().caveat().filter(Caveat.TOO_FEW_BLOCKS::equals).isPresent()) {
            return "too few blocks";
        }
        return word(against.verdict(), metric);
    }

    /** The verdict alone. */
    static String word(Verdict verdict, Metric metric) {
        boolean speed = metric == Metric.THROUGHPUT;
        return switch (verdict) {
            case FASTER -> speed ? "faster" : "better";
            case SLOWER -> speed ? "slower" : "worse";
            case EQUIVALENT -> "equal";
            case DIFFERENT_BUT_SMALL -> "differs";
            case INCONCLUSIVE -> "inconclusive";
        };
    }

    /** What became of a control. */
    static String control(Against against) {
        return switch (against.verdict()) {
            case FASTER, SLOWER -> "broken: differs";
            case DIFFERENT_BUT_SMALL -> "held, differs a little";
            default -> against.estimate().possible() ? "held" : "too few blocks";
        };
    }

    /** A metric as a heading: "p99 response time". */
    static String title(Metric metric) {
        return metric.kind() == Metric.Kind.LATENCY && metric.label().startsWith("p")
                ? metric.label() + " response time"
                : metric.label();
    }

    /** Whether a control with this verdict makes its campaign void. */
    static boolean broken(Verdict verdict) {
        return verdict == Verdict.FASTER || verdict == Verdict.SLOWER;
    }

    static Forest.Kind kind(Verdict verdict) {
        return switch (verdict) {
            case FASTER -> Forest.Kind.BETTER;
            case SLOWER -> Forest.Kind.WORSE;
            case EQUIVALENT -> Forest.Kind.EQUAL;
            case DIFFERENT_BUT_SMALL -> Forest.Kind.SMALL;
            case INCONCLUSIVE -> Forest.Kind.OPEN;
        };
    }

    /** An arm's name where its role stands beside it: a control has its baseline's. */
    static String name(Judgement judgement, Arm arm) {
        boolean control = arm.role() == Arm.Role.CONTROL && !arm.label().isBlank();
        return control ? arm.label() : judgement.name(arm);
    }

    /** "1 block", "2 blocks". */
    static String count(long n, String noun) {
        return Html.text("%,d %s", n, n == 1 ? noun : noun + "s");
    }
}
