package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.Invocation;
import org.servletbench.bench.record.Judgement;

/** What a reader must know of a campaign before believing its answers. */
final class Caveats {
    /**
     * A sentence, with a link to a section of the page in it where there is more to read.
     *
     * @param words before the link
     * @param section id of the section, which is also the text of the link; null without a link
     * @param after the link
     */
    record Caveat(String words, String section, String after) {
        static Caveat of(String words) {
            return new Caveat(words, null, "");
        }
    }

    private final Judgement judgement;
    private final Campaign campaign;
    private final int problems;

    /** @param problems how many files could not be read */
    Caveats(Judgement judgement, int problems) {
        this.judgement = judgement;
        this.problems = problems;
        campaign = judgement.campaign();
    }

    private static Caveat gates(String format, Object... values) {
        return new Caveat(text(format, values) + " (", "gates", ").");
    }

    List<Caveat> all() {
        List<Caveat> caveats = new ArrayList<>();
        Arm.acrossLines(campaign.arms()).map(Words::sentence).map(Caveat::of).ifPresent(caveats::add);
        List<Invocation> chosen = judgement.chosen();
        long unsettled = chosen.stream()
                .filter(invocation ->
                        invocation.warmUp() != null && !invocation.warmUp().settled())
                .count();
        if (unsettled > 0) {
            caveats.add(
                    gates("%s of %d never settled in the warm-up", Words.count(unsettled, "server"), chosen.size()));
        }
        int left = judgement.leftOut().size();
        if (left > 0) {
            caveats.add(gates(
                    "%s left out of the verdicts for a named reason",
                    left == 1 ? "One measurement is" : text("%,d measurements are", left)));
        }
        long failed = judgement.invocations().stream()
                .filter(invocation -> !invocation.measured())
                .count();
        if (failed > 0) {
            caveats.add(gates("%s failed", Words.count(failed, "attempt")));
        }
        if (problems > 0) {
            caveats.add(gates("%s could not be read", Words.count(problems, "file")));
        }
        floors().map(Caveat::of).ifPresent(caveats::add);
        long changed = judgement.family().pairs().stream()
                .filter(pair -> judgement.changedWithoutRising(pair).isPresent())
                .count();
        if (changed > 0) {
            caveats.add(new Caveat(
                    Words.count(changed, "verdict")
                            + " would be another one without servers that were still getting faster (marked in the ",
                    "verdicts",
                    ")."));
        }
        List<String> unknown = campaign.plan().primary().stream()
                .filter(key -> Metric.of(key).isEmpty())
                .toList();
        if (!unknown.isEmpty()) {
            caveats.add(
                    Caveat.of("The plan names metrics that this version does not know, and nothing is said of them: "
                            + Text.list(unknown) + "."));
        }
        int looks = HistorySection.wentOnAfterVerdicts(campaign);
        if (looks > 0) {
            caveats.add(new Caveat(
                    "Verdicts could be seen before the planned blocks were complete, and the campaign went on (",
                    "history",
                    text(
                            "). If that was because of them, the chance of a false verdict is up to %s the level.",
                            looks == 1 ? "twice" : looks + 1 + " times")));
        }
        if (campaign.plan().cells().stream().anyMatch(cell -> cell.tier() > 0)) {
            caveats.add(Caveat.of(
                    "Users wait for a slow server before they ask again, so response times understate stalls."));
        }
        caveats.add(Caveat.of(
                campaign.plan().isStartUp()
                        ? "The operating system has the files of these servers in memory: the first start after the machine's own takes longer."
                        : machines() + steal() + "."));
        return caveats;
    }

    /** Arms that ran at the generator's limit, and how often. */
    private Optional<String> floors() {
        long floors = judgement.groups().stream()
                .flatMap(group -> group.all().stream())
                .mapToLong(arm -> judgement.cells().stream()
                        .filter(cell -> judgement.hasFloor(arm, cell))
                        .count())
                .sum();
        return floors == 0
                ? Optional.empty()
                : Optional.of(text(
                        "In %s an arm ran at the load generator's limit: what it can do is at least what is shown.",
                        Words.count(floors, "load")));
    }

    private String machines() {
        return campaign.machine().containsKey(Campaign.TARGET)
                ? "Load generator and servers are on different machines"
                : "Load generator and servers share one machine";
    }

    private String steal() {
        double host = most(Metric.STEAL);
        double others = most(Metric.OTHERS);
        return (host >= 1 ? text(", and its host kept up to %.0f %% of a processor from it", host) : "")
                + (others >= 1
                        ? text("; other programs took up to %.0f %% of the time of the servers' processors", others)
                        : "");
    }

    /** The largest value in any cell. */
    private double most(Metric metric) {
        return judgement.chosen().stream()
                .flatMap(invocation -> invocation.cells().stream())
                .flatMapToDouble(result -> result.figure(metric).stream())
                .filter(Double::isFinite)
                .max()
                .orElse(0);
    }
}
