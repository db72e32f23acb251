package org.servletbench.bench.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Analysis.Against;
import org.servletbench.bench.record.Analysis.Group;
import org.servletbench.bench.record.Analysis.Why;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.PhaseTimes;

/**
 * The answer of a campaign: question, verdict for each arm, reasons, trust, conditions, and what could have been found.
 * {@link Answering} builds it once; page, console, summary and index only arrange it.
 *
 * @param question the comparison's own question or, if it has none, one about the arms that are compared
 * @param parts the answer of each group; empty if no metric is tested
 * @param control outcome of the A/A check in a sentence without a full stop
 * @param claims how many claims hold; empty if there are no claims, or if nothing may be concluded
 * @param conditions conditions of all groups
 * @param effects effects of factors, in lines for the console; empty in a comparison of arms
 */
public record CampaignAnswer(
        String question, List<Part> parts, String control, String claims, String conditions, List<String> effects) {

    /**
     * The answer of a group. Except for the headline, its sentences are about the first load.
     *
     * @param question question about the arms and loads, for a comparison without a question of its own
     * @param load the first load
     * @param metric the first metric of interest under this load
     * @param headline one or several sentences
     * @param gap the widest gap to the baseline, as a sentence; empty if there is none, or if nothing may be shown
     * @param meaning the largest difference in CPU time, in µs per request and as a share of a handler; a sentence, or
     *     empty if no difference is shown, or for factors, whose arms are not judged
     * @param difference the largest difference of arms, as {@code ratio - 1}; NaN if it is unknown
     * @param tested every load and tested metric
     * @param why causes of the differences by load, for each arm
     * @param copy the baseline's copy with its own interval; empty if there is none
     * @param failures how many requests failed, as a sentence; empty if none are counted
     * @param found the difference that these blocks would have found, as a sentence; empty if it may not be shown
     * @param steps smaller differences, and what it takes to find them
     */
    public record Part(
            Group group,
            String question,
            MeasuredLoad load,
            Metric metric,
            String headline,
            String gap,
            String meaning,
            double difference,
            List<Tested> tested,
            Map<MeasuredLoad, List<Why>> why,
            Optional<Forest.Row> copy,
            Trust trust,
            String conditions,
            String failures,
            String found,
            List<Step> steps) {

        /** Returns the causes under the first load. */
        List<Why> whyFirst() {
            return why.get(load);
        }

        /** Returns the verdicts of one load and metric. */
        Tested tested(MeasuredLoad load, Metric of) {
            return tested.stream()
                    .filter(one -> one.load().equals(load) && one.metric() == of)
                    .findFirst()
                    .orElseThrow();
        }
    }

    /**
     * The verdicts for a load and metric.
     *
     * @param detectable the difference that the blocks would most likely have found, as {@code ratio - 1}; NaN if it
     *     may not be shown
     * @param arms every arm except the baseline, then the copy
     */
    public record Tested(MeasuredLoad load, Metric metric, double detectable, List<ArmVerdict> arms) {}

    /**
     * An arm, or the copy, against the baseline.
     *
     * @param against empty if they have no block in common
     * @param row difference, interval and verdict in words; empty if {@code against} is
     * @param blocks number of blocks in which it was lower or higher; empty if {@code against} is
     */
    public record ArmVerdict(Arm arm, Optional<Against> against, Optional<Forest.Row> row, String blocks) {
        public boolean isCopy() {
            return arm.role() == Arm.Role.CONTROL;
        }

        /** Returns the difference and its interval: "−13 % (−15 to −11 %)"; empty if {@link #against} is. */
        public String figures() {
            return row.filter(one -> one.ratio() > 0)
                    .map(one -> Words.bound(against.orElseThrow().bound()) + one.difference() + " % (" + one.interval()
                            + ")")
                    .orElse("");
        }

        /** Returns the verdict in a few words; empty if {@link #against} is. */
        public String word() {
            return row.map(Forest.Row::word).orElse("");
        }
    }

    /**
     * A smaller difference, and the number of blocks with which a new campaign finds it, with the noise at its upper
     * limit.
     *
     * @param gap difference as {@code ratio - 1}
     * @param cost the blocks in words, with their time if it is known
     */
    public record Step(double gap, int blocks, String cost) {}

    public static CampaignAnswer of(Analysis analysis, Optional<PhaseTimes> times) {
        String question = analysis.campaign().plan().question();
        boolean isQuiet = analysis.isSilent() || analysis.family().isVoid();
        return new CampaignAnswer(
                question.isEmpty() ? Conclusions.title(analysis.campaign()) : question,
                analysis.primary().isEmpty()
                        ? List.of()
                        : analysis.groups().stream()
                                .map(group -> new Answering(analysis, times, group).part())
                                .toList(),
                analysis.wording().guard(),
                analysis.claims().isEmpty() || isQuiet ? "" : new ClaimsSection(analysis).tally(),
                analysis.primary().isEmpty()
                        ? ""
                        : Provenance.conditions(analysis, analysis.campaign().arms()),
                analysis.groups().stream()
                        .flatMap(group -> Effects.of(analysis, group).stream())
                        .flatMap(effects -> effects.lines().stream())
                        .toList());
    }

    /** Joins the sentences of all groups. Each has its group's name if there are several. */
    String each(Function<Part, String> said) {
        return each(parts, said);
    }

    /** Joins the sentences of the first groups. Each has its group's name if there are several. */
    String each(int most, Function<Part, String> said) {
        return each(parts.subList(0, Math.min(most, parts.size())), said);
    }

    private static String each(List<Part> some, Function<Part, String> said) {
        return some.stream()
                .flatMap(part -> Stream.of(said.apply(part))
                        .filter(text -> !text.isEmpty())
                        .map(text -> (some.size() == 1 ? "" : part.group().name() + ": ") + text))
                .collect(Collectors.joining(" "));
    }
}
