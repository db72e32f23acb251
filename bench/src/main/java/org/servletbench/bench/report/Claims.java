package org.servletbench.bench.report;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.servletbench.bench.comparison.ClaimSpec;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Analysis.Against;
import org.servletbench.bench.record.Analysis.Group;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.ClaimResult;
import org.servletbench.bench.record.ClaimResult.Outcome;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.Verdict;
import org.servletbench.bench.verdict.Wording;

/**
 * Verdicts and claims, one by one, for programs that act on them.
 *
 * @param isVoid true if none of them may be used
 * @param why the reason; empty if they may be used
 */
public record Claims(String name, List<Claim> claims, boolean isVoid, String why) {
    /** Value of {@link Claim#where} for a claim of the comparison. */
    public static final String STATED = "claims";

    /**
     * A verdict, or the outcome of a claim of the comparison.
     *
     * @param where group, load and metric: {@code boot3.hello-100-gatling.throughput}; {@code claims} for a claim
     * @param what the two arms, {@code Jetty against Tomcat NIO}, or the claim
     * @param open true if nothing could be concluded
     * @param decides true if it can fail a build. False for an article's claims, whose failure is a finding, and for
     *     verdicts if the user has stated claims
     */
    public record Claim(String where, String what, String sentence, boolean open, Failure failure, boolean decides) {
        public boolean fails() {
            return decides && failure != Failure.NONE;
        }

        boolean isUnusable() {
            return fails() && failure == Failure.NO_FIGURES;
        }

        /** True if it is a claim of the comparison, false for a verdict. */
        public boolean isStated() {
            return where.equals(STATED);
        }

        /** Returns why it fails a build, in one line. */
        public String failed() {
            // The sentence of a claim already says that it is undecided.
            String why = failure != Failure.NONE ? failure.words + ": " : isStated() ? "" : "undecided: ";
            return why + (isStated() ? what + ": " : "") + sentence;
        }
    }

    /** Reasons why a build fails that must not become slower. */
    public enum Failure {
        NONE(""),
        SLOWER("slower"),
        NOT_AS_CLAIMED("not as claimed"),
        /** There are no usable figures: all requests of a broken arm may have failed. */
        NO_FIGURES("no usable figures");

        private final String words;

        Failure(String words) {
            this.words = words;
        }
    }

    /**
     * Returns the verdicts and claims of one campaign: each arm against its baseline, the other pairs, and the
     * comparison's claims.
     */
    public static Claims of(Analysis analysis) {
        Wording wording = analysis.wording();
        boolean stated = !analysis.campaign().plan().claims().decideNothing();
        return new Claims(
                analysis.campaign().id(),
                Stream.concat(
                                verdicts(analysis, wording, !stated),
                                analysis.claims().stream().map(result -> claim(result, analysis, stated)))
                        .toList(),
                analysis.family().isVoid(),
                analysis.family().isVoid() ? wording.guard() : "");
    }

    /**
     * Returns the verdicts: in a comparison with factors those of effects, which cannot fail a build, otherwise those
     * of all pairs.
     */
    private static Stream<Claim> verdicts(Analysis analysis, Wording wording, boolean decide) {
        return analysis.campaign().plan().factorial().isEmpty()
                ? analysis.family().pairs().stream().map(pair -> verdict(analysis, pair, wording, decide))
                : analysis.groups().stream()
                        .flatMap(group -> Effects.of(analysis, group).stream())
                        .flatMap(Effects::claims);
    }

    private static Claim verdict(Analysis analysis, PairVerdict pair, Wording wording, boolean decides) {
        Metric metric = pair.contrast().metric();
        Group group = analysis.group(pair.contrast().group());
        String baseline = group.baseline().id();
        boolean guarded =
                pair.contrast().a().equals(baseline) || pair.contrast().b().equals(baseline);
        String side = Words.side(group, pair);
        Against against = Against.of(pair, side);
        Arm other = analysis.campaign().arm(against.other());
        return new Claim(
                group.name() + "." + pair.contrast().load().id() + "." + metric.key(),
                analysis.name(side) + " against " + analysis.name(other),
                analysis.isSilent()
                        ? HistorySection.withoutVerdicts(analysis.campaign())
                        : wording.sentence(pair, side),
                against.verdict() == Verdict.INCONCLUSIVE,
                !guarded
                        ? Failure.NONE
                        : Double.isNaN(pair.ratio())
                                ? Failure.NO_FIGURES
                                : against.verdict() == Verdict.SLOWER ? Failure.SLOWER : Failure.NONE,
                decides && guarded);
    }

    static Claim claim(ClaimResult result, Analysis analysis, boolean decides) {
        return new Claim(
                STATED,
                result.claim().says(),
                ClaimsSection.sentence(result, analysis),
                result.outcome() == Outcome.UNDECIDED,
                result.outcome() == Outcome.DOES_NOT_HOLD
                        ? Failure.NOT_AS_CLAIMED
                        : result.parts().stream().anyMatch(part -> isUnusable(part, analysis))
                                ? Failure.NO_FIGURES
                                : Failure.NONE,
                decides);
    }

    /**
     * True if an arm was measured but none of its figures is usable. An arm that this machine cannot run does not
     * appear at all.
     */
    private static boolean isUnusable(ClaimResult.Part part, Analysis analysis) {
        ClaimSpec.Part claimed = part.term().part();
        Metric metric = Metric.of(claimed.metric()).orElseThrow();
        return !analysis.isSilent()
                && (isEmpty(analysis, claimed.of(), part.term().load(), metric)
                        || claimed.ratio()
                                && isEmpty(analysis, claimed.than(), part.term().other(), metric));
    }

    /**
     * True if the whole load has no figures. If only one figure is missing, its claim is undecided, and other claims
     * decide.
     */
    private static boolean isEmpty(Analysis analysis, String id, MeasuredLoad load, Metric metric) {
        return analysis.campaign().arms().stream()
                .filter(arm -> arm.id().equals(id))
                .map(arm -> metric == Metric.ERRORS ? analysis.counted(arm, load) : analysis.results(arm, load))
                .anyMatch(Map::isEmpty);
    }

    /**
     * True if a build that must not become slower fails: something got slower, contradicts a claim, or has no usable
     * figures.
     */
    public boolean fail() {
        return isVoid || claims.stream().anyMatch(Claim::fails);
    }
}
