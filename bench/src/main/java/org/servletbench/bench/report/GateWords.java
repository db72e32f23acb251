package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.comparison.ClaimSpec;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.ClaimResult;
import org.servletbench.bench.record.ClaimResult.Outcome;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.report.Claims.Claim;
import org.servletbench.bench.verdict.Wording;

/** The result of a gate in a sentence, and what it could have found. */
record GateWords(Outcomes outcomes) {

    /** Maximum number of arms, claims or groups that a sentence names. */
    static final int MOST_NAMED = 2;

    /** Answer of a campaign whose A/A check failed. */
    static final String BROKEN = "No answer: two copies of the same server came out different";

    /** Minimum number of blocks whose noise is known well enough for a forecast. */
    private static final int FORECAST_BLOCKS = 5;

    /** A slowdown that a gate should find, as a share. */
    private static final double REGRESSION = 0.1;

    /** Factor by which a run that could not decide should be longer. */
    private static final int LONGER = 3;

    private Analysis analysis() {
        return outcomes.analysis();
    }

    /** Returns the result in one sentence without a full stop, or the headline. */
    String sentence() {
        if (outcomes.early().isPresent()) {
            boolean some = analysis().serverRuns().stream().anyMatch(ServerRun::measured);
            return (some ? "No verdicts: " : "No answer: ")
                    + outcomes.early().get().why();
        }
        if (analysis().isSilent()) {
            return HistorySection.withoutVerdicts(analysis().campaign());
        }
        List<Claim> claimed = outcomes.claims().claims().stream()
                .filter(claim -> claim.isStated() && claim.decides())
                .toList();
        return switch (outcomes.outcome()) {
            case BROKEN -> BROKEN;
            case UNUSABLE ->
                "No answer: "
                        + (claimed.stream().anyMatch(Claim::fails)
                                ? first(claimed.stream().filter(Claim::fails).map(Claim::failed))
                                : "nothing could be judged");
            case SLOWER ->
                first(
                        claimed.isEmpty()
                                ? outcomes.claims().claims().stream()
                                        .filter(Claim::fails)
                                        .map(Claim::sentence)
                                : analysis().claims().stream()
                                        .filter(claim -> claim.outcome() == Outcome.DOES_NOT_HOLD)
                                        .flatMap(this::failed)
                                        .distinct());
            case UNDECIDED ->
                text(
                        "UNDECIDED after %s: %s; %s",
                        Words.count(analysis().blocks(), "block"),
                        first(analysis().claims().stream()
                                .filter(claim -> claim.outcome() == Outcome.UNDECIDED)
                                .flatMap(this::open)
                                .distinct()),
                        undecided());
            case PASSED ->
                claimed.isEmpty()
                        ? headline()
                        : "As claimed: " + first(claimed.stream().map(Claim::what));
            case UNJUDGED -> headline();
        };
    }

    /**
     * Describes a claim that does not hold. A claim that an arm is not slower is described by the verdicts on its
     * subject.
     */
    private Stream<String> failed(ClaimResult claim) {
        List<String> slower = claim.parts().stream()
                .filter(part -> part.outcome() == Outcome.DOES_NOT_HOLD)
                .map(ClaimResult.Part::term)
                .filter(term -> isNotSlower(term.part()))
                .flatMap(term -> analysis()
                        .against(
                                term.part().of(),
                                term.part().than(),
                                term.load(),
                                Metric.of(term.part().metric()).orElseThrow())
                        .stream())
                .map(against -> analysis().wording().sentence(against.pair(), against.arm()))
                .toList();
        return slower.isEmpty()
                ? Stream.of(Claims.claim(claim, analysis(), true).failed())
                : slower.stream();
    }

    /**
     * Describes an undecided claim. A claim that an arm is not slower is described by its interval and margin, any
     * other by its own words.
     */
    private Stream<String> open(ClaimResult claim) {
        List<String> open =
                openTerms(claim).flatMap(term -> interval(term).stream()).toList();
        return open.isEmpty() ? Stream.of(claim.claim().says()) : open.stream();
    }

    /** Returns the undecided terms of a claim that an arm is not slower. */
    private static Stream<ClaimSpec.Term> openTerms(ClaimResult claim) {
        return claim.parts().stream()
                .filter(part -> part.outcome() == Outcome.UNDECIDED)
                .map(ClaimResult.Part::term)
                .filter(term -> isNotSlower(term.part()));
    }

    /** Returns {@code CPU time per request of after +3.1 % (−0.2 to +6.5 %), margin 5 %}. */
    private Optional<String> interval(ClaimSpec.Term term) {
        Metric metric = Metric.of(term.part().metric()).orElseThrow();
        double margin = analysis().settings().margin(metric);
        return analysis()
                .against(term.part().of(), term.part().than(), term.load(), metric)
                .filter(against -> against.ratio() > 0 && !Double.isNaN(against.low()))
                .map(against -> Forest.Row.of(against, margin))
                .map(row -> text(
                        "%s of %s %s %% (%s), margin %s",
                        metric.words(),
                        analysis().name(term.part().of()),
                        row.difference(),
                        row.interval(),
                        Wording.share(margin)));
    }

    /** True if the claim is decided by the margin, like a verdict. */
    private static boolean isNotSlower(ClaimSpec.Part part) {
        return part.relation() == ClaimSpec.Relation.NOT_SLOWER && !part.own();
    }

    private static String first(Stream<String> words) {
        List<String> all = words.toList();
        return all.stream().limit(MOST_NAMED).collect(Collectors.joining("; ")).replace("; For ", "; for ")
                + (all.size() > MOST_NAMED ? text("; and %d more", all.size() - MOST_NAMED) : "");
    }

    private String headline() {
        return outcomes.answer().parts().isEmpty()
                ? "Nothing is judged"
                : outcomes.answer().each(MOST_NAMED, CampaignAnswer.Part::headline);
    }

    /**
     * Returns how often an undecided campaign would have found a regression of 10 %, and what to try. It gives no
     * forecast after few blocks, because they say too little about their noise.
     */
    String undecided() {
        String longer = tryLonger();
        if (analysis().blocks() < FORECAST_BLOCKS) {
            return "too few blocks to forecast; " + longer;
        }
        Map<Metric, Double> chances = new EnumMap<>(Metric.class);
        analysis().claims().stream()
                .filter(claim -> claim.outcome() == Outcome.UNDECIDED)
                .flatMap(GateWords::openTerms)
                .forEach(term -> chance(term)
                        .ifPresent(chance ->
                                chances.merge(Metric.of(term.part().metric()).orElseThrow(), chance, Math::min)));
        return chances.isEmpty()
                ? longer
                : text(
                        "a %.0f %% regression would have been found in at least %s; %s",
                        100 * REGRESSION,
                        chances.entrySet().stream()
                                        .map(one -> text(
                                                "%.0f %% (%s)",
                                                Math.floor(100 * one.getValue()),
                                                one.getKey().words()))
                                        .collect(Collectors.joining(", "))
                                + " of such runs",
                        longer);
    }

    /** Returns the probability that a claim fails if its arm is slower by {@link #REGRESSION}. */
    private Optional<Double> chance(ClaimSpec.Term term) {
        Metric metric = Metric.of(term.part().metric()).orElseThrow();
        double distance =
                Math.log1p(REGRESSION) - Math.log1p(analysis().settings().margin(metric));
        return analysis()
                .against(term.part().of(), term.part().than(), term.load(), metric)
                .map(against -> distance > 0 ? against.pair().chanceBeyond(distance) : 0)
                .filter(chance -> !Double.isNaN(chance));
    }

    private String tryLonger() {
        Plan plan = analysis().campaign().plan();
        return plan.limitSeconds() > 0
                ? text("try limit: %.0fm", Math.ceil(LONGER * plan.limitSeconds() / 60))
                : text("try blocks: %d", LONGER * plan.blocks());
    }

    /**
     * Returns why the campaign ended early, or else what it would have found and which difference fails a claim, in
     * sentences.
     */
    String found() {
        // After an early end, only the findings are reported, because few blocks do not show what such campaigns can
        // find.
        return ClaimsSection.ended(analysis()).orElseGet(() -> power() + failing());
    }

    /**
     * Returns "This campaign would have found 9 % in CPU time per request, 2 % in allocation per request, in at least 8
     * of 10 repetitions". This assumes that the noise is at its upper limit, so usually it would have found smaller
     * differences.
     */
    private String power() {
        List<String> found = outcomes.detectable().entrySet().stream()
                .filter(one -> !Double.isNaN(one.getValue()))
                .map(one -> (one.getValue() < 10 ? Wording.share(one.getValue()) : "more than ten times") + " in "
                        + one.getKey().words())
                .toList();
        List<String> unknown = analysis().primary().stream()
                .filter(metric -> Double.isNaN(outcomes.detectable().getOrDefault(metric, 0.0)))
                .map(Metric::words)
                .toList();
        String why = " is not known: not every arm has an interval under every load.";
        return found.isEmpty()
                ? "The sensitivity of this campaign" + why
                : text(
                                "This campaign (%s) would have found %s, %sin at least 8 of 10 repetitions.",
                                Words.count(analysis().blocks(), "block"),
                                String.join(", ", found),
                                analysis().loads().size() > 1 ? "under the noisiest of its loads, " : "")
                        + (unknown.isEmpty() ? "" : " Its sensitivity in " + Text.list(unknown) + why);
    }

    /**
     * Describes the difference that fails a claim of "not slower". The whole interval must be beyond the margin, which
     * takes more than just finding the difference.
     */
    private String failing() {
        Set<Metric> claimed = analysis().campaign().plan().claims().decideNothing()
                ? Set.of()
                : analysis().claims().stream()
                        .flatMap(result -> result.claim().parts().stream())
                        .filter(GateWords::isNotSlower)
                        .flatMap(part -> Metric.of(part.metric()).stream())
                        .collect(Collectors.toSet());
        List<String> failing = outcomes.detectable().entrySet().stream()
                .filter(one -> claimed.contains(one.getKey()) && one.getValue() < 10)
                .map(one -> Wording.share((1 + one.getValue())
                                        * (1 + analysis().settings().margin(one.getKey()))
                                - 1)
                        + " in " + one.getKey().words())
                .toList();
        return failing.isEmpty()
                ? ""
                : " To fail as often, a change must cost " + String.join(" or ", failing)
                        + ": the whole interval must lie beyond the margin.";
    }
}
