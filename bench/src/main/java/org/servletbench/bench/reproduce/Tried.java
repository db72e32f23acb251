package org.servletbench.bench.reproduce;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.Article.Claim;
import org.servletbench.bench.article.Treatment;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Invocation;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.verdict.Settings;

/**
 * An article's claims, tried with one choice of settings.
 *
 * @param settings by name
 * @param words which treatment it is, and the settings by their name, for people
 * @param judgement the campaign under load; empty where it has not begun
 * @param starts the campaign of starts; empty where it has not begun, or nothing is claimed of starts
 * @param observed what they observed of the article's cells
 * @param verdicts on every claim, in the article's order
 * @param withoutRising the same without servers that were still getting faster; empty where none was
 */
public record Tried(
        Treatment treatment,
        String settings,
        String words,
        Optional<Judgement> judgement,
        Optional<Judgement> starts,
        Observed observed,
        List<ClaimVerdict> verdicts,
        List<ClaimVerdict> withoutRising) {

    /** @param why nothing was measured, where a campaign has not begun */
    static Tried of(
            Article article,
            Treatment treatment,
            Optional<Judgement> judgement,
            Optional<Judgement> starts,
            String why) {
        Observed observed = Observed.of(article, judgement, starts, why, false);
        Observed settled = Observed.of(article, judgement, starts, why, true);
        return new Tried(
                treatment,
                treatment.plan(article).settings(),
                treatment.described(article),
                judgement,
                starts,
                observed,
                Evaluation.of(article, observed, Settings.DEFAULTS),
                settled.equals(observed) ? List.of() : Evaluation.of(article, settled, Settings.DEFAULTS));
    }

    /** The campaign that decides a claim. */
    public Leg leg(Claim claim) {
        return new Leg(treatment, claim.ofStart().isPresent());
    }

    /** For people: how many requests each arm serves at once, as counted in the running servers; empty where it was not. */
    public String servedAtOnce() {
        return judgement
                .map(judged -> Observed.servedAtOnce(judged).entrySet().stream()
                        .map(one -> one.getKey() + " " + one.getValue())
                        .collect(Collectors.joining(", ")))
                .orElse("");
    }

    /** For people: beside how many servers under load others were busy; empty where these are few. */
    public Optional<String> disturbed() {
        List<Invocation> servers = judgement.map(Judgement::chosen).orElse(List.of());
        long disturbed = servers.stream().filter(Invocation::isDisturbed).count();
        return disturbed <= Invocation.MOST_DISTURBED * servers.size()
                ? Optional.empty()
                : Optional.of(Text.text(
                        "other programs or the host took processors from %d of %d servers under load: their figures, and the"
                                + " verdicts on claims about them, are of a busy machine",
                        disturbed, servers.size()));
    }

    /** Another verdict on a claim that comes out without servers that were still getting faster. */
    public Optional<ClaimVerdict> changed(int claim) {
        return withoutRising.isEmpty()
                        || withoutRising.get(claim).outcome()
                                == verdicts.get(claim).outcome()
                ? Optional.empty()
                : Optional.of(withoutRising.get(claim));
    }
}
