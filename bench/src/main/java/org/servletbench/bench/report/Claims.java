package org.servletbench.bench.report;

import java.util.List;
import java.util.stream.Stream;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.ClaimResult;
import org.servletbench.bench.record.ClaimResult.Outcome;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Judgement.Against;
import org.servletbench.bench.record.Judgement.Group;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.Verdict;
import org.servletbench.bench.verdict.Wording;

/**
 * Verdicts and claims, one by one, for programs that act on them.
 *
 * @param isVoid whether none of them may be used
 * @param why that is so; empty if it is not
 */
public record Claims(String name, List<Claim> claims, boolean isVoid, String why) {
    /** Where a claim of the comparison stands. */
    public static final String STATED = "claims";

    /**
     * A verdict, or what became of a claim of the comparison.
     *
     * @param where group, load and metric: {@code boot3.hello-100-gatling.throughput}; of a claim {@code claims}
     * @param what which arm against which, {@code Jetty against Tomcat NIO}, or the claim
     * @param open whether nothing was shown
     * @param failure why it fails a build that may not become slower: something became slower, has no usable figures (requests of an
     *     arm that is broken may all have failed), or is not as claimed; empty where it does not
     */
    public record Claim(String where, String what, String sentence, boolean open, String failure) {
        public boolean fails() {
            return !failure.isEmpty();
        }
    }

    /** Those of one campaign: each arm against its baseline, the other pairs, and what the comparison claims. */
    public static Claims of(Judgement judgement) {
        Wording wording = judgement.wording();
        boolean published = judgement.campaign().plan().claims().published() != null;
        return new Claims(
                judgement.campaign().id(),
                Stream.concat(
                                judgement.family().pairs().stream().map(pair -> verdict(judgement, pair, wording)),
                                judgement.claims().stream().map(result -> claim(result, judgement, published)))
                        .toList(),
                judgement.family().isVoid(),
                judgement.family().isVoid() ? wording.guard() : "");
    }

    private static Claim verdict(Judgement judgement, PairVerdict pair, Wording wording) {
        Metric metric = pair.contrast().metric();
        Group group = judgement.group(pair.contrast().group());
        String baseline = group.baseline().id();
        boolean guarded =
                pair.contrast().a().equals(baseline) || pair.contrast().b().equals(baseline);
        String side = Words.side(group, pair);
        Against against = Against.of(pair, side);
        Arm other = judgement.campaign().arm(against.other());
        return new Claim(
                group.name() + "." + pair.contrast().cell().id() + "." + metric.key(),
                judgement.name(side) + " against " + judgement.name(other),
                judgement.isSilent()
                        ? HistorySection.withoutVerdicts(judgement.campaign())
                        : wording.sentence(pair, side),
                against.verdict() == Verdict.INCONCLUSIVE,
                !guarded
                        ? ""
                        : Double.isNaN(pair.ratio())
                                ? "no usable figures"
                                : against.verdict() == Verdict.SLOWER ? "slower" : "");
    }

    /** What an article claims fails nothing: that it is not so here is a finding. */
    private static Claim claim(ClaimResult result, Judgement judgement, boolean published) {
        boolean fails = result.outcome() == Outcome.DOES_NOT_HOLD && !published;
        return new Claim(
                STATED,
                result.claim().says(),
                ClaimsSection.sentence(result, judgement),
                result.outcome() == Outcome.UNDECIDED,
                fails ? "not as claimed" : "");
    }

    /** Whether a build that may not become slower fails: something did, is not as claimed, or nothing can be said of it. */
    public boolean fail() {
        return isVoid || claims.stream().anyMatch(Claim::fails);
    }
}
