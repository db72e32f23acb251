package org.servletbench.bench.reproduce;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import java.util.stream.IntStream;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.reproduce.ClaimVerdict.Part;

/**
 * {@code claims.json}: what became of an article's claims, for programs.
 *
 * @param article its id
 * @param scale factor of counts, times and blocks
 * @param claims in the article's order
 */
public record ClaimsFile(String article, double scale, List<Tested> claims) {

    /** The file's name. */
    public static final String NAME = "claims.json";

    /** A claim, with a verdict for each choice of settings. */
    record Tested(String id, String says, String original, String reading, List<Verdict> verdicts) {}

    /**
     * @param campaign the folder of the campaign that decides it
     * @param withoutRising what comes out without servers that were still getting faster, where it is something else
     */
    record Verdict(
            String treatment,
            String settings,
            String campaign,
            ClaimOutcome outcome,

            @JsonProperty("outcome-without-rising") @JsonInclude(JsonInclude.Include.NON_NULL)
            ClaimOutcome withoutRising,

            String reason,
            List<Part> parts) {}

    /** What came out with each choice of settings. */
    public static ClaimsFile of(Reproduction reproduction, List<Tried> tried) {
        Article article = reproduction.article();
        return new ClaimsFile(
                article.id(),
                reproduction.header().scale(),
                IntStream.range(0, article.claims().size())
                        .mapToObj(i -> {
                            var claim = article.claims().get(i);
                            return new Tested(
                                    claim.id(),
                                    claim.says(),
                                    claim.original(),
                                    claim.reading(),
                                    tried.stream().map(one -> verdict(one, i)).toList());
                        })
                        .toList());
    }

    private static Verdict verdict(Tried one, int claim) {
        ClaimVerdict verdict = one.verdicts().get(claim);
        return new Verdict(
                one.treatment().name(),
                one.settings(),
                one.leg(verdict.claim()).folder(),
                verdict.outcome(),
                one.changed(claim).map(ClaimVerdict::outcome).orElse(null),
                verdict.reason(),
                verdict.parts());
    }

    /** Its text. */
    public String json() {
        try {
            return Json.MAPPER.writeValueAsString(this) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
