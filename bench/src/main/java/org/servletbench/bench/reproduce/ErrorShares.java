package org.servletbench.bench.reproduce;

import static org.servletbench.bench.reproduce.Evaluation.text;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.servletbench.bench.article.Article.Claim;
import org.servletbench.bench.article.ErrorsOnly;
import org.servletbench.bench.article.Point;
import org.servletbench.bench.article.Quantity;
import org.servletbench.bench.reproduce.ClaimVerdict.Part;
import org.servletbench.bench.reproduce.ClaimVerdict.Standing;
import org.servletbench.bench.reproduce.ClaimVerdict.Why;
import org.servletbench.bench.verdict.Spread;

/**
 * Claims about failed requests. Shares have an interval over blocks; where "elsewhere" means none at all, a single failed request
 * there is outside.
 *
 * @param level of each interval
 */
record ErrorShares(Observed observed, double level) {

    ClaimVerdict judge(Claim claim, ErrorsOnly statement) {
        List<Part> parts =
                statement.cells().stream().map(cell -> part(statement, cell)).toList();
        List<Part> outside = ClaimVerdict.with(parts, Standing.OUTSIDE);
        List<Part> open = ClaimVerdict.with(parts, Standing.OPEN);
        String reasons = open.stream().map(Part::reason).distinct().collect(Collectors.joining("; "));
        if (statement.cells().stream()
                .allMatch(cell -> Arrays.stream(shares(cell)).allMatch(share -> share == 0))) {
            boolean unmeasured = parts.stream().anyMatch(part -> Double.isNaN(part.value()));
            return ClaimVerdict.undecidable(
                    claim,
                    parts.stream()
                            .map(part -> part.untested("no request failed here, of any arm"))
                            .toList(),
                    unmeasured
                            ? reasons
                            : "no request failed here, of either arm at any number of users: whatever made them fail there does"
                                    + " not happen here");
        }
        if (!outside.isEmpty()) {
            String cells = outside.stream().map(Part::what).collect(Collectors.joining(", "));
            return new ClaimVerdict(claim, ClaimOutcome.NOT_REPRODUCED_HERE, parts, cells + ": other than claimed");
        }
        return open.isEmpty()
                ? new ClaimVerdict(
                        claim, ClaimOutcome.CONFIRMED, parts, "requests failed there alone, and in that share")
                : ClaimVerdict.undecidable(claim, parts, reasons);
    }

    private double[] shares(Point cell) {
        return observed.values(cell, Quantity.ERRORS_PRINTED);
    }

    private Part part(ErrorsOnly statement, Point cell) {
        double[] shares = shares(cell);
        boolean failing = cell.equals(statement.failing());
        String what = "failed requests of " + cell.text();
        String none = statement.elsewhereBelow() > 0 ? text("below %.4f %%", 100 * statement.elsewhereBelow()) : "none";
        String bounds = failing ? text("%.4f %%", 100 * statement.share()) : none;
        Spread spread = Spread.of(shares, false, level);
        if (shares.length < 2) {
            String reason = cell.text() + ": " + observed.why().getOrDefault(cell, "was not measured");
            return Part.unknown(what, bounds, shares.length, spread.mean(), true, reason);
        }
        double low = Math.max(0, spread.low());
        boolean noneFailed = spread.high() - spread.low() < Evaluation.ROUNDING && spread.mean() == 0;
        double high = noneFailed ? none(cell) : Math.min(1, Math.max(0, spread.high()));
        Standing standing;
        if (!failing && statement.elsewhereBelow() == 0) {
            standing = spread.mean() > 0 ? Standing.OUTSIDE : Standing.WITHIN;
        } else {
            double least = failing ? statement.share() - statement.shareWithin() : 0;
            double most = failing ? statement.share() + statement.shareWithin() : statement.elsewhereBelow();
            standing = high < least || low > most
                    ? Standing.OUTSIDE
                    : low >= least && high <= most ? Standing.WITHIN : Standing.OPEN;
        }
        boolean open = standing == Standing.OPEN;
        return new Part(
                what,
                bounds,
                shares.length,
                spread.mean(),
                low,
                high,
                true,
                standing,
                Double.NaN,
                open ? Why.OTHER : Why.NOT_OPEN,
                open
                        ? text(
                                "%s: the interval from %.4f to %.4f %% is wider than what is claimed",
                                cell.text(), 100 * low, 100 * high)
                        : "");
    }

    /** Of n requests without a failure: the exact upper limit of the share of failures, {@code 1 - level^(1/n)}. */
    private double none(Point cell) {
        double requests =
                Arrays.stream(observed.values(cell, Quantity.REQUESTS)).sum();
        return requests > 0 ? -Math.expm1(Math.log(level) / requests) : 1;
    }
}
