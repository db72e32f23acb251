package org.servletbench.bench.report;

import java.util.List;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Judgement.Against;
import org.servletbench.bench.record.Judgement.Group;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.Verdict;
import org.servletbench.bench.verdict.Wording;

/**
 * What was claimed, one by one, for programs that act on it.
 *
 * @param isVoid whether none of them may be used
 * @param why that is so; empty if it is not
 */
public record Claims(String name, List<Claim> claims, boolean isVoid, String why) {
    /**
     * One verdict.
     *
     * @param where group, load and metric: {@code boot3.hello-100-gatling.throughput}
     * @param what which arm against which: {@code Jetty against Tomcat NIO}
     * @param guarded whether it is a failure when the first is slower against the baseline
     * @param measured whether both have usable figures: requests of an arm that is broken may all have failed
     */
    public record Claim(
            String where, String what, Verdict verdict, String sentence, boolean guarded, boolean measured) {
        /** Whether what is guarded became worse, or cannot be told because it has no usable figures. */
        public boolean fails() {
            return guarded && (verdict == Verdict.SLOWER || !measured);
        }
    }

    /** Those of one campaign: each arm against its baseline, and the other pairs. */
    public static Claims of(Judgement judgement) {
        Wording wording = judgement.wording();
        return new Claims(
                judgement.campaign().id(),
                judgement.family().pairs().stream()
                        .map(pair -> claim(judgement, pair, wording))
                        .toList(),
                judgement.family().isVoid(),
                judgement.family().isVoid() ? wording.guard() : "");
    }

    private static Claim claim(Judgement judgement, PairVerdict pair, Wording wording) {
        Metric metric = pair.claim().metric();
        Group group = judgement.group(pair.claim().group());
        String baseline = group.baseline().id();
        boolean guarded = pair.claim().a().equals(baseline) || pair.claim().b().equals(baseline);
        String side = Words.side(group, pair);
        Against against = Against.of(pair, side);
        Arm other = judgement.campaign().arm(against.other());
        return new Claim(
                group.name() + "." + pair.claim().cell().id() + "." + metric.key(),
                judgement.name(side) + " against " + judgement.name(other),
                against.verdict(),
                judgement.isSilent()
                        ? HistorySection.withoutVerdicts(judgement.campaign())
                        : wording.sentence(pair, side),
                guarded,
                !Double.isNaN(pair.ratio()));
    }

    /** Whether a build that may not become slower fails: something did, or nothing can be said of it. */
    public boolean fail() {
        return isVoid || claims.stream().anyMatch(Claim::fails);
    }
}
