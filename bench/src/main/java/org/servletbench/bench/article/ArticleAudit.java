package org.servletbench.bench.article;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.measure.LittlesLaw;

/**
 * Holds a published article's figures against each other, its text and its method, by the arithmetic with which our own cells
 * are audited. It knows no article: each finding follows from the figures and the limits below.
 */
public final class ArticleAudit {

    /** Throughput that changes by less than this factor has not grown with the users. */
    static final double FLAT = 1.1;
    /** Users that grow by this factor should show in the throughput, until something is at its limit. */
    static final double GROWN_USERS = 3;
    /** Throughput this near to what the pause allows, as a share, follows the pause. */
    static final double NEAR_CEILING = 0.15;
    /** Users who wait for the server less than this share of the time: the pause rules. */
    static final double HARDLY_WAITING = 0.5;
    /** Two-sided 95 % of a normal distribution. */
    static final double NORMAL_95 = 1.96;

    private static final double MEGA = 1e6;

    private final Article article;
    private final List<AuditFinding> findings = new ArrayList<>();

    private ArticleAudit(Article article) {
        this.article = article;
    }

    /** Everything that is found, in the order of the kinds; empty for an article without a fault. */
    public static List<AuditFinding> of(Article article) {
        ArticleAudit audit = new ArticleAudit(article);
        audit.optionsAfterJar();
        audit.twoValues();
        audit.oneRun();
        audit.fractionAsPercent();
        audit.claimsAgainstTable();
        audit.usersNotReached();
        audit.networkCeiling();
        audit.pauseCeiling();
        audit.concurrencyLimit();
        audit.findings.addAll(RankingAudit.of(article));
        return List.copyOf(audit.findings);
    }

    private void found(FindingKind kind, String format, Object... figures) {
        findings.add(new AuditFinding(kind, "", text(format, figures)));
    }

    private Set<Point> cells() {
        return article.figures().values().keySet();
    }

    private OptionalDouble at(Point cell, Quantity metric) {
        return article.figures().at(cell, metric);
    }

    /** The mean response time, ms, and how far it may be from what was printed. */
    private record Mean(double ms, double resolutionMs) {}

    private Optional<Mean> mean(Point cell) {
        if (!article.asPublished().measuresLatency()) {
            return Optional.empty();
        }
        OptionalDouble ms = at(cell, Quantity.LATENCY_MEAN);
        // Hundredths of a second.
        return ms.isPresent()
                ? Optional.of(new Mean(ms.getAsDouble(), 0))
                : at(cell, Quantity.LATENCY_MEAN_SECONDS).stream()
                        .mapToObj(seconds -> new Mean(seconds * 1000, 5))
                        .findFirst();
    }

    // ---- what is printed ----

    private void optionsAfterJar() {
        List<String> late = article.afterJar().stream()
                .filter(word -> word.startsWith("-X") || word.startsWith("-D") || word.startsWith("-server"))
                .toList();
        if (!late.isEmpty()) {
            found(
                    FindingKind.OPTIONS_AFTER_JAR,
                    "%s are after the jar: they are arguments of the program, and the JVM never saw them",
                    String.join(" ", late));
        }
    }

    private void twoValues() {
        article.figuresInText()
                .values()
                .forEach((cell, told) -> told.forEach((metric, inText) -> {
                    OptionalDouble inTable = at(cell, metric);
                    if (inTable.isPresent() && inTable.getAsDouble() != inText) {
                        found(
                                FindingKind.TWO_VALUES,
                                "%s of %s: %s in the table, %s in the text",
                                metric,
                                cell.text(),
                                inTable.getAsDouble(),
                                inText);
                    }
                }));
    }

    private void oneRun() {
        if (article.method().oneRun()) {
            found(FindingKind.ONE_RUN, "one run for each arm: no interval can be given for any difference");
        }
    }

    /** A share e of failures lowers the mean length by about e: where it falls by far more than the printed percentage, that is a share. */
    private void fractionAsPercent() {
        if (!article.errorsArePercent()) {
            return;
        }
        for (Point cell : cells()) {
            OptionalDouble printed = at(cell, Quantity.ERRORS_PRINTED);
            OptionalDouble bytes = at(cell, Quantity.RESPONSE_BYTES);
            OptionalDouble whole = lengthWithoutErrors(cell.workload());
            if (printed.orElse(0) == 0 || printed.getAsDouble() > 1 || bytes.isEmpty() || whole.isEmpty()) {
                continue;
            }
            double fall = 1 - bytes.getAsDouble() / whole.getAsDouble();
            if (fall > 2 * printed.getAsDouble() / 100 && fall <= printed.getAsDouble()) {
                found(
                        FindingKind.FRACTION_AS_PERCENT,
                        "%s: mean bytes fall from %.0f to %.0f, by %.2f %%; %s %% of failures cannot do that, %.2f %% can",
                        cell.text(),
                        whole.getAsDouble(),
                        bytes.getAsDouble(),
                        100 * fall,
                        printed.getAsDouble(),
                        100 * printed.getAsDouble());
            }
        }
    }

    private OptionalDouble lengthWithoutErrors(String workload) {
        return cells().stream()
                .filter(cell -> cell.workload().equals(workload)
                        && at(cell, Quantity.ERRORS_PRINTED).orElse(1) == 0
                        && at(cell, Quantity.RESPONSE_BYTES).isPresent())
                .mapToDouble(cell -> at(cell, Quantity.RESPONSE_BYTES).getAsDouble())
                .average();
    }

    private void claimsAgainstTable() {
        Figures figures = article.figuresWithErrorShares();
        for (Article.Claim claim : article.claims()) {
            if (claim.statement().holds(figures).orElse(true)) {
                continue;
            }
            Stream<String> why = claim.statement() instanceof ErrorsOnly errors
                    ? wrongErrors(errors, figures)
                    : claim.statement().comparisons().stream()
                            .filter(part -> !part.holds(figures).orElse(true))
                            .map(part -> wrongRatio(part, part.metric()));
            findings.add(new AuditFinding(
                    FindingKind.CLAIM_AGAINST_TABLE,
                    claim.id(),
                    "'" + claim.says() + "': " + why.collect(Collectors.joining("; "))));
        }
    }

    private String wrongRatio(RatioBound part, Quantity metric) {
        double one = at(part.numerator(), metric).getAsDouble();
        double other = at(part.denominator(), metric).getAsDouble();
        return text(
                "%s: %s %s / %s %s = %.3f, claimed %s",
                metric, part.numerator().text(), one, part.denominator().text(), other, one / other, part.bounds());
    }

    private static Stream<String> wrongErrors(ErrorsOnly claim, Figures shares) {
        return claim.cells().stream().flatMap(cell -> shares.at(cell, Quantity.ERRORS_PRINTED).stream()
                .filter(share -> !claim.accepts(cell, share))
                .mapToObj(share -> text("%s has %.4f %%", cell.text(), 100 * share)));
    }

    // ---- the load ----

    /** Little's law, as for our own cells. Where a pause is known it is part of a user's round. */
    private void usersNotReached() {
        if (article.method().maxPauseSeconds() > 0) {
            // The pause is known in the mean only; see pauseCeiling.
            return;
        }
        article.underLoad().forEach(cell -> mean(cell).ifPresent(mean -> {
            double throughput = article.throughput(cell);
            double least = LittlesLaw.concurrency(throughput, mean.ms - mean.resolutionMs);
            double most = LittlesLaw.concurrency(throughput, mean.ms + mean.resolutionMs);
            boolean inside = least <= cell.users() && cell.users() <= most;
            double off = Math.min(LittlesLaw.deviation(least, cell.users()), LittlesLaw.deviation(most, cell.users()));
            if (!inside && off > LittlesLaw.LIMIT) {
                found(
                        FindingKind.USERS_NOT_REACHED,
                        "%s: throughput x mean time = %.0f, not %d%s",
                        cell.text(),
                        LittlesLaw.concurrency(throughput, mean.ms),
                        cell.users(),
                        rampUp(cell));
            }
        }));
    }

    private String rampUp(Point cell) {
        OptionalDouble seconds = article.seconds(cell);
        Double ramp = article.method().rampUpSeconds();
        return seconds.isPresent() && ramp != null
                ? text("; %.1f s of load, of which %.1f s ramp-up", seconds.getAsDouble(), ramp)
                : "";
    }

    private Map<String, List<Point>> tiers() {
        return article.underLoad()
                .sorted(Comparator.comparingInt(Point::users))
                .collect(Collectors.groupingBy(
                        cell -> cell.arm() + " " + cell.workload(), TreeMap::new, Collectors.toList()));
    }

    /** Over a network a throughput that no number of users changes may be the network's. Only tiers without errors count. */
    private void networkCeiling() {
        if (!Boolean.FALSE.equals(article.machine().generatorOnSameHost())) {
            return;
        }
        for (List<Point> measured : tiers().values()) {
            List<Point> tiers = measured.stream()
                    .filter(cell -> at(cell, Quantity.ERRORS_PRINTED).orElse(0) == 0)
                    .toList();
            if (tiers.size() < 2) {
                continue;
            }
            Point first = tiers.get(0);
            Point last = tiers.get(tiers.size() - 1);
            DoubleSummaryStatistics all =
                    tiers.stream().mapToDouble(article::throughput).summaryStatistics();
            OptionalDouble bytes = at(last, Quantity.RESPONSE_BYTES);
            if (last.users() >= GROWN_USERS * first.users()
                    && all.getMax() < FLAT * all.getMin()
                    && bytes.isPresent()) {
                found(
                        FindingKind.NETWORK_CEILING,
                        "%s: %.0f to %.0f requests/s from %d to %d users; at %.0f bytes a response that is %.0f Mbit/s%s",
                        first.arm(),
                        all.getMin(),
                        all.getMax(),
                        first.users(),
                        last.users(),
                        bytes.getAsDouble(),
                        all.getMax() * bytes.getAsDouble() * 8 / MEGA,
                        article.machine().network().isEmpty()
                                ? ""
                                : " over " + article.machine().network());
            }
        }
    }

    /** Users who mostly pause make about as many requests as their pause allows. A row above that by more than chance contradicts it. */
    private void pauseCeiling() {
        double pause = article.method().meanPauseSeconds();
        if (pause == 0) {
            return;
        }
        List<Point> known =
                article.underLoad().filter(cell -> mean(cell).isPresent()).toList();
        List<Point> ruled = known.stream()
                .filter(cell -> {
                    Mean mean = mean(cell).get();
                    double waiting = LittlesLaw.concurrency(article.throughput(cell), mean.ms + mean.resolutionMs)
                            / cell.users();
                    return waiting < HARDLY_WAITING
                            && !isAbove(cell, pause)
                            && article.throughput(cell) >= (1 - NEAR_CEILING) * LittlesLaw.ceiling(cell.users(), pause);
                })
                .toList();
        for (Point cell : ruled) {
            Mean mean = mean(cell).get();
            double slowest = (mean.ms + mean.resolutionMs) / 1000;
            found(
                    FindingKind.PAUSE_CEILING,
                    "%s: %s requests/s; a mean pause of %s s allows about %.0f, responses of %.0f ms at most would allow %.0f",
                    cell.text(),
                    article.throughput(cell),
                    pause,
                    LittlesLaw.ceiling(cell.users(), pause),
                    slowest * 1000,
                    cell.users() / slowest);
        }
        if (ruled.isEmpty()) {
            return;
        }
        known.stream().filter(cell -> isAbove(cell, pause)).forEach(cell -> {
            double throughput = article.throughput(cell);
            double ceiling = LittlesLaw.ceiling(cell.users(), pause);
            found(
                    FindingKind.ABOVE_PAUSE_CEILING,
                    "%s: %s requests/s, %.1f %% above the %.0f that a mean pause of %s s allows: it contradicts the ceiling",
                    cell.text(),
                    throughput,
                    100 * (throughput / ceiling - 1),
                    ceiling,
                    pause);
        });
    }

    /** A handler that waits, in a server that serves so many requests at once: its throughput is the limit's, whatever it runs on. */
    private void concurrencyLimit() {
        double seconds = article.method().handlerSeconds();
        for (Article.Claim claim : article.claims()) {
            if (seconds == 0 || !claim.statement().metric().equals(Optional.of(Quantity.THROUGHPUT))) {
                continue;
            }
            List<Point> cells = claim.statement().cells();
            if (cells.stream().anyMatch(cell -> isLimited(cell))) {
                findings.add(new AuditFinding(
                        FindingKind.CONCURRENCY_LIMIT,
                        claim.id(),
                        cells.stream().map(cell -> ceiling(cell, seconds)).collect(Collectors.joining("; "))));
            }
        }
    }

    private boolean isLimited(Point cell) {
        return article.concurrency().getOrDefault(cell.arm(), cell.users()) < cell.users();
    }

    private String ceiling(Point cell, double seconds) {
        int atOnce = Math.min(cell.users(), article.concurrency().getOrDefault(cell.arm(), cell.users()));
        return text(
                "%s: %d requests at once (%s) of %s s allow %.0f requests/s",
                cell.text(),
                atOnce,
                isLimited(cell) ? "its limit" : "all users",
                seconds,
                LittlesLaw.ceiling(atOnce, seconds));
    }

    /** Above the ceiling by more than the mean of so many pauses scatters. */
    private boolean isAbove(Point cell, double pause) {
        double requests = at(cell, Quantity.REQUESTS).orElse(Double.POSITIVE_INFINITY);
        double chance = NORMAL_95 * pauseSpread() / Math.sqrt(requests);
        return article.throughput(cell) > (1 + chance) * LittlesLaw.ceiling(cell.users(), pause);
    }

    /**
     * The standard deviation of a pause as a share of its mean: 1/sqrt(3) where it is any time from 0 to its greatest. siege sleeps whole
     * seconds, each number from 0 to its greatest n alike.
     */
    private double pauseSpread() {
        boolean whole = article.command().startsWith("siege");
        return Math.sqrt((1 + (whole ? 2 / article.method().maxPauseSeconds() : 0)) / 3);
    }
}
