package org.servletbench.bench.reproduce;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.Treatment;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.verdict.Settings;

/**
 * An article's claims, tried with one choice of settings.
 *
 * @param settings by name
 * @param words which treatment it is, and the settings by their name, for people
 * @param judgement the campaign; empty where it has not begun
 * @param observed what it observed of the article's cells
 * @param verdicts on every claim, in the article's order
 * @param withoutRising the same without servers that were still getting faster; empty where none was
 */
public record Tried(
        Treatment treatment,
        String settings,
        String words,
        Optional<Judgement> judgement,
        Observed observed,
        List<ClaimVerdict> verdicts,
        List<ClaimVerdict> withoutRising) {

    /** @param why nothing was measured, where the campaign has not begun */
    static Tried of(Article article, Treatment treatment, Optional<Judgement> judgement, String why) {
        Observed observed =
                judgement.map(judged -> Observed.of(article, judged)).orElseGet(() -> Observed.nothing(article, why));
        return new Tried(
                treatment,
                treatment.plan(article).settings(),
                treatment.described(article),
                judgement,
                observed,
                Evaluation.of(article, observed, Settings.DEFAULTS),
                judgement
                        .map(judged -> Observed.withoutRising(article, judged))
                        .filter(settled -> !settled.equals(observed))
                        .map(settled -> Evaluation.of(article, settled, Settings.DEFAULTS))
                        .orElse(List.of()));
    }

    /** For people: how many requests each arm serves at once, as counted in the running servers; empty where it was not. */
    public String servedAtOnce() {
        return judgement
                .map(judged -> Observed.servedAtOnce(judged).entrySet().stream()
                        .map(one -> one.getKey() + " " + one.getValue())
                        .collect(Collectors.joining(", ")))
                .orElse("");
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
