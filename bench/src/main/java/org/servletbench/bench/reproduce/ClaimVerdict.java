package org.servletbench.bench.reproduce;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import java.io.IOException;
import java.util.List;
import org.servletbench.bench.article.Article.Claim;

/**
 * What became of a claim, with the figures from which it follows.
 *
 * @param parts each comparison of its statement; none where it is not about ratios
 * @param reason why it cannot be decided here, or in one sentence what decided it
 */
public record ClaimVerdict(Claim claim, ClaimOutcome outcome, List<Part> parts, String reason) {

    /** How an interval lies to what is claimed. */
    public enum Standing {
        WITHIN,
        OUTSIDE,
        OPEN
    }

    /** Why an interval is open. */
    enum Why {
        /** It is not. */
        NOT_OPEN,
        /** The interval reaches across a bound. */
        WIDE,
        /** The generator's clock is too coarse for single response times. */
        COARSE,
        /** Something else; the reason says what. */
        OTHER
    }

    /**
     * One comparison, or for claims about errors one cell.
     *
     * @param what which ratio or share, for people
     * @param bounds what it should be, for people
     * @param blocks from how many blocks
     * @param value the ratio, or the share of failed requests; NaN where it is not known
     * @param low lower end of its simultaneous interval; NaN where there is none
     * @param high its upper end; infinite where nothing bounds it
     * @param share whether it is a share and not a ratio
     * @param standing how it lies to the bounds
     * @param detectable the smallest difference that this many blocks could have found, as a share; NaN where it is not known
     * @param why it is open
     * @param reason the same for people; empty where it is not open
     */
    public record Part(
            String what,
            @JsonProperty("claimed") String bounds,
            int blocks,
            @JsonSerialize(using = FiniteOrNull.class) double value,
            @JsonSerialize(using = FiniteOrNull.class) double low,
            @JsonSerialize(using = FiniteOrNull.class) double high,
            boolean share,
            Standing standing,
            @JsonSerialize(using = FiniteOrNull.class) double detectable,
            @JsonIgnore Why why,
            String reason) {

        /** A number that is not known or not bounded is null. */
        private static final class FiniteOrNull extends JsonSerializer<Double> {
            @Override
            public void serialize(Double value, JsonGenerator json, SerializerProvider context) throws IOException {
                if (Double.isFinite(value)) {
                    json.writeNumber(value);
                } else {
                    json.writeNull();
                }
            }
        }

        /** Open, and without an interval. */
        static Part unknown(String what, String bounds, int blocks, double value, boolean share, String reason) {
            double none = Double.NaN;
            return new Part(what, bounds, blocks, value, none, none, share, Standing.OPEN, none, Why.OTHER, reason);
        }

        /** Where nothing failed anywhere, the one that should have failed is not refuted: nothing has put it to the test. */
        Part untested(String because) {
            return standing != Standing.OUTSIDE
                    ? this
                    : new Part(
                            what,
                            bounds,
                            blocks,
                            value,
                            low,
                            high,
                            share,
                            Standing.OPEN,
                            detectable,
                            Why.OTHER,
                            because);
        }
    }

    static List<Part> with(List<Part> parts, Standing standing) {
        return parts.stream().filter(part -> part.standing() == standing).toList();
    }

    static ClaimVerdict undecidable(Claim claim, List<Part> parts, String reason) {
        return new ClaimVerdict(claim, ClaimOutcome.UNDECIDABLE_HERE, parts, reason);
    }
}
