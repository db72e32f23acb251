package org.servletbench.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.servletbench.bench.record.Analysis.Why;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.report.CampaignAnswer.Part;

/** The answer of a campaign in a few lines that make sense in a chat. */
public final class ShortAnswer {

    private ShortAnswer() {}

    /** Returns the answer in one sentence without a full stop. */
    public static String sentence(Outcomes outcomes) {
        return new GateWords(outcomes).sentence();
    }

    /** Returns the answer in at most eight lines. */
    public static List<String> lines(Outcomes outcomes) {
        CampaignAnswer answer = outcomes.answer();
        Campaign campaign = outcomes.analysis().campaign();
        List<String> lines =
                new ArrayList<>(List.of(answer.question(), sentence(outcomes).replaceFirst("[.]?$", ".")));
        if (!outcomes.analysis().isSilent() && !answer.parts().isEmpty()) {
            add(lines, "What it means: ", answer.each(Part::meaning));
            add(lines, "Why: ", answer.each(ShortAnswer::why));
            add(lines, "Trust: ", answer.each(part -> part.trust().words() + "."));
            add(lines, "Note: ", campaign.plan().note());
            add(lines, "Conditions: ", answer.conditions() + ".");
            add(
                    lines,
                    "Measured: ",
                    String.join(
                            "; ",
                            List.of(
                                    Words.count(outcomes.analysis().blocks(), "block"),
                                    Provenance.versions(outcomes.analysis()),
                                    Provenance.machine(campaign),
                                    campaign.created().replaceFirst("T.*", ""))));
        }
        return lines;
    }

    /** Returns the reasons. They may begin with an arm's name, whose case is kept. */
    private static String why(Part part) {
        String reasons = part.whyFirst().stream()
                .map(Why::brief)
                .filter(brief -> !brief.isEmpty())
                .collect(Collectors.joining("; "));
        return reasons.isEmpty() ? "" : reasons + ".";
    }

    private static void add(List<String> lines, String what, String said) {
        if (!said.isEmpty()) {
            lines.add(what + said);
        }
    }
}
