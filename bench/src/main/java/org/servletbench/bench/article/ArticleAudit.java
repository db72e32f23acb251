package org.servletbench.bench.article;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.comparison.ClaimList;
import org.servletbench.bench.comparison.ClaimSpec;
import org.servletbench.bench.comparison.ClaimSpec.Term;
import org.servletbench.bench.comparison.Published;
import org.servletbench.bench.comparison.Published.Row;
import org.servletbench.bench.comparison.Quantity;
import org.servletbench.bench.measure.LittlesLaw;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Metric;

/**
 * Holds a published article's figures against each other, its claims and its method, by the arithmetic with which our own cells
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
    /** Spread of single runs of the same arm, as a share: of runs that are long and warm. */
    static final double SPREAD_LONG = 0.02;
    /** The same of runs that are short or cold. */
    static final double SPREAD_SHORT = 0.05;
    /** A run shorter than this is short, s. */
    static final double SHORT_SECONDS = 10;

    private static final double MEGA = 1e6;

    private final Published article;
    private final List<ClaimSpec> claims;
    private final List<Cell> cells;
    private final List<AuditFinding> findings = new ArrayList<>();

    private ArticleAudit(ClaimList claims, List<Cell> cells) {
        article = claims.published();
        this.claims = claims.all();
        this.cells = cells;
    }

    /**
     * Everything that is found, in the order of the kinds; empty for an article without a fault.
     *
     * @param claims with an article
     * @param cells loads under which its claims are judged
     */
    public static List<AuditFinding> of(ClaimList claims, List<Cell> cells) {
        ArticleAudit audit = new ArticleAudit(claims, cells);
        audit.optionsAfterJar();
        audit.twoValues();
        audit.oneRun();
        audit.fractionAsPercent();
        audit.claimsAgainstTable();
        audit.usersNotReached();
        audit.networkCeiling();
        audit.pauseCeiling();
        audit.concurrencyLimit();
        audit.leaderNotNamed();
        audit.gapsTooSmall();
        return List.copyOf(audit.findings);
    }

    private void found(FindingKind kind, String format, Object... figures) {
        findings.add(new AuditFinding(kind, text(format, figures)));
    }

    private static double throughput(Row row) {
        return row.at(Quantity.THROUGHPUT).orElse(Double.NaN);
    }

    private Stream<Row> underLoad() {
        return article.figures().stream()
                .filter(row -> row.users() > 0 && row.at(Quantity.THROUGHPUT).isPresent());
    }

    /** How long a load took, s: as printed, or by requests and throughput, or as planned; infinite where nothing says so. */
    private double seconds(Row row) {
        double requests = row.at(Quantity.REQUESTS).orElse(Double.NaN) / throughput(row);
        Double planned = article.method().durationSeconds();
        return row.at(Quantity.ELAPSED)
                .orElse(!Double.isNaN(requests) ? requests : planned == null ? Double.POSITIVE_INFINITY : planned);
    }

    /** The mean response time, ms, and how far it may be from what was printed. */
    private record Mean(double ms, double resolutionMs) {}

    private Optional<Mean> mean(Row row) {
        if (!article.measuresLatency()) {
            return Optional.empty();
        }
        // Hundredths of a second.
        return Stream.concat(
                        row.at(Quantity.LATENCY_MEAN).stream().mapToObj(ms -> new Mean(ms, 0)),
                        row.at(Quantity.LATENCY_MEAN_SECONDS).stream().mapToObj(s -> new Mean(1000 * s, 5)))
                .findFirst();
    }

    /** Rows by what they have in common, in its order. */
    private static Map<String, List<Row>> grouped(Stream<Row> rows, Function<Row, String> by) {
        return rows.collect(Collectors.groupingBy(by, TreeMap::new, Collectors.toList()));
    }

    // ---- what is printed ----

    private void optionsAfterJar() {
        List<String> words = List.of(article.serverCommand().strip().split("\\s+"));
        int jar = words.indexOf("-jar");
        List<String> late = jar < 0
                ? List.of()
                : words.stream()
                        .skip(jar + 2L)
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
        for (Row told : article.figuresInText()) {
            Cell cell = new Cell(told.workload(), told.users(), 0, "");
            article.row(told.arm(), cell).forEach(row -> told.values().forEach((key, inText) -> {
                double inTable = row.values().getOrDefault(key, inText);
                if (inTable != inText) {
                    found(
                            FindingKind.TWO_VALUES,
                            "%s of %s: %s in the table, %s in the text",
                            key,
                            told.words(),
                            inTable,
                            inText);
                }
            }));
        }
    }

    private void oneRun() {
        if (article.method().oneRun()) {
            found(FindingKind.ONE_RUN, "one run for each arm: no interval can be given for any difference");
        }
    }

    /** A share e of failures lowers the mean length by about e: where it falls by far more than the printed percentage, that is a share. */
    private void fractionAsPercent() {
        if (!article.errorsColumn().equals("percent")) {
            return;
        }
        for (Row row : article.figures()) {
            double printed = row.at(Quantity.ERRORS_PRINTED).orElse(0);
            OptionalDouble bytes = row.at(Quantity.RESPONSE_BYTES);
            OptionalDouble whole = article.figures().stream()
                    .filter(other -> other.workload().equals(row.workload())
                            && other.at(Quantity.ERRORS_PRINTED).orElse(1) == 0)
                    .flatMapToDouble(other -> other.at(Quantity.RESPONSE_BYTES).stream())
                    .average();
            if (printed == 0 || printed > 1 || bytes.isEmpty() || whole.isEmpty()) {
                continue;
            }
            double fall = 1 - bytes.getAsDouble() / whole.getAsDouble();
            if (fall > 2 * printed / 100 && fall <= printed) {
                found(
                        FindingKind.FRACTION_AS_PERCENT,
                        "%s: mean bytes fall from %.0f to %.0f, by %.2f %%; %s %% of failures cannot do that, %.2f %% can",
                        row.words(),
                        whole.getAsDouble(),
                        bytes.getAsDouble(),
                        100 * fall,
                        printed,
                        100 * printed);
            }
        }
    }

    private void claimsAgainstTable() {
        for (ClaimSpec claim : claims) {
            List<String> wrong = claim.terms(cells).stream()
                    .filter(term ->
                            !Double.isNaN(article.value(term)) && !term.part().accepts(article.value(term)))
                    .map(term -> text(
                            "%s of %s%s = %.4g, claimed %s",
                            term.part().metric(),
                            place(term.part().of(), term.cell()),
                            term.part().ratio() ? " / " + place(term.part().than(), term.other()) : "",
                            article.value(term),
                            term.part().claimed()))
                    .toList();
            if (!wrong.isEmpty()) {
                found(FindingKind.CLAIM_AGAINST_TABLE, "'%s': %s", claim.says(), String.join("; ", wrong));
            }
        }
    }

    private static String place(String arm, Cell cell) {
        return new Row(arm, cell.workload(), cell.tier(), Map.of()).words();
    }

    // ---- the load ----

    /** Little's law, as for our own cells. A pause is known in the mean only: see {@link #pauseCeiling}. */
    private void usersNotReached() {
        if (article.method().maxPauseSeconds() > 0) {
            return;
        }
        underLoad().forEach(row -> mean(row).ifPresent(mean -> {
            double least = LittlesLaw.concurrency(throughput(row), mean.ms - mean.resolutionMs);
            double most = LittlesLaw.concurrency(throughput(row), mean.ms + mean.resolutionMs);
            boolean inside = least <= row.users() && row.users() <= most;
            double off = Math.min(LittlesLaw.deviation(least, row.users()), LittlesLaw.deviation(most, row.users()));
            if (!inside && off > LittlesLaw.LIMIT) {
                Double ramp = article.method().rampUpSeconds();
                found(
                        FindingKind.USERS_NOT_REACHED,
                        "%s: throughput x mean time = %.0f, not %d%s",
                        row.words(),
                        LittlesLaw.concurrency(throughput(row), mean.ms),
                        row.users(),
                        ramp == null ? "" : text("; %.1f s of load, of which %.1f s ramp-up", seconds(row), ramp));
            }
        }));
    }

    /** Over a network a throughput that no number of users changes may be the network's. Only tiers without errors count. */
    private void networkCeiling() {
        if (!Boolean.FALSE.equals(article.generatorOnSameHost())) {
            return;
        }
        Stream<Row> sound = underLoad()
                .filter(row -> row.at(Quantity.ERRORS_PRINTED).orElse(0) == 0)
                .sorted(Comparator.comparingInt(Row::users));
        for (List<Row> tiers :
                grouped(sound, row -> row.arm() + " " + row.workload()).values()) {
            Row first = tiers.get(0);
            Row last = tiers.get(tiers.size() - 1);
            DoubleSummaryStatistics all =
                    tiers.stream().mapToDouble(ArticleAudit::throughput).summaryStatistics();
            OptionalDouble bytes = last.at(Quantity.RESPONSE_BYTES);
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
                        article.network().isEmpty() ? "" : " over " + article.network());
            }
        }
    }

    /** Users who mostly pause make about as many requests as their pause allows. A row above that by more than chance contradicts it. */
    private void pauseCeiling() {
        double pause = article.method().meanPauseSeconds();
        if (pause == 0) {
            return;
        }
        List<Row> known = underLoad().filter(row -> mean(row).isPresent()).toList();
        List<Row> ruled = known.stream()
                .filter(row -> {
                    Mean mean = mean(row).get();
                    double waiting = LittlesLaw.concurrency(throughput(row), mean.ms + mean.resolutionMs) / row.users();
                    return waiting < HARDLY_WAITING
                            && !isAbove(row, pause)
                            && throughput(row) >= (1 - NEAR_CEILING) * LittlesLaw.ceiling(row.users(), pause);
                })
                .toList();
        for (Row row : ruled) {
            Mean mean = mean(row).get();
            double slowest = (mean.ms + mean.resolutionMs) / 1000;
            found(
                    FindingKind.PAUSE_CEILING,
                    "%s: %s requests/s; a mean pause of %s s allows about %.0f, responses of %.0f ms at most would allow %.0f",
                    row.words(),
                    throughput(row),
                    pause,
                    LittlesLaw.ceiling(row.users(), pause),
                    slowest * 1000,
                    row.users() / slowest);
        }
        known.stream().filter(row -> !ruled.isEmpty() && isAbove(row, pause)).forEach(row -> {
            double ceiling = LittlesLaw.ceiling(row.users(), pause);
            found(
                    FindingKind.ABOVE_PAUSE_CEILING,
                    "%s: %s requests/s, %.1f %% above the %.0f that a mean pause of %s s allows: it contradicts the ceiling",
                    row.words(),
                    throughput(row),
                    100 * (throughput(row) / ceiling - 1),
                    ceiling,
                    pause);
        });
    }

    /** Above the ceiling by more than the mean of so many pauses scatters. */
    private boolean isAbove(Row row, double pause) {
        double requests = row.at(Quantity.REQUESTS).orElse(Double.POSITIVE_INFINITY);
        double chance = NORMAL_95 * pauseSpread() / Math.sqrt(requests);
        return throughput(row) > (1 + chance) * LittlesLaw.ceiling(row.users(), pause);
    }

    /**
     * The standard deviation of a pause as a share of its mean: 1/sqrt(3) where it is any time from 0 to its greatest. siege sleeps whole
     * seconds, each number from 0 to its greatest n alike.
     */
    private double pauseSpread() {
        boolean whole = article.command().startsWith("siege");
        return Math.sqrt((1 + (whole ? 2 / article.method().maxPauseSeconds() : 0)) / 3);
    }

    /** A handler that waits, in a server that serves so many requests at once: its throughput is the limit's, whatever it runs on. */
    private void concurrencyLimit() {
        double seconds = article.method().handlerSeconds();
        for (ClaimSpec claim : seconds == 0 ? List.<ClaimSpec>of() : claims) {
            Set<String> ceilings = new LinkedHashSet<>();
            boolean limited = false;
            for (Term term : claim.terms(cells)) {
                if (isThroughput(term)) {
                    for (String arm : List.of(term.part().of(), term.part().than())) {
                        int users = term.cell().tier();
                        int atOnce = Math.min(users, article.concurrency().getOrDefault(arm, users));
                        limited |= atOnce < users;
                        ceilings.add(text(
                                "%s: %d requests at once (%s) of %s s allow %.0f requests/s",
                                place(arm, term.cell()),
                                atOnce,
                                atOnce < users ? "its limit" : "all users",
                                seconds,
                                LittlesLaw.ceiling(atOnce, seconds)));
                    }
                }
            }
            if (limited) {
                found(FindingKind.CONCURRENCY_LIMIT, "'%s': %s", claim.says(), String.join("; ", ceilings));
            }
        }
    }

    // ---- the ranking ----

    private static boolean isThroughput(Term term) {
        return term.part().ratio() && term.part().metric().equals(Metric.THROUGHPUT.key());
    }

    private Stream<Term> ranked() {
        return claims.stream().flatMap(claim -> claim.terms(cells).stream()).filter(ArticleAudit::isThroughput);
    }

    private void leaderNotNamed() {
        for (List<Row> rivals : grouped(underLoad(), row -> row.workload() + " " + text("%09d", row.users()))
                .values()) {
            Row leader = Collections.max(rivals, Comparator.comparingDouble(ArticleAudit::throughput));
            Set<String> named = ranked().filter(term -> term.cell().workload().equals(leader.workload()))
                    .flatMap(term -> Stream.of(term.part().of(), term.part().than()))
                    .collect(Collectors.toCollection(TreeSet::new));
            if (rivals.size() > 1 && !named.isEmpty() && !named.contains(leader.arm())) {
                found(
                        FindingKind.LEADER_NOT_NAMED,
                        "%s has the highest throughput, %s requests/s; the claims name %s",
                        leader.words(),
                        throughput(leader),
                        String.join(", ", named));
            }
        }
    }

    /** Two single runs of the same arm differ by this share at the most, 19 times of 20. */
    static double noise(double spread) {
        return NORMAL_95 * Math.sqrt(2) * spread;
    }

    /** Arms that a claim ranks by throughput, pair by pair, against what single runs of the same arm differ by. */
    private void gapsTooSmall() {
        if (!article.method().oneRun()) {
            return;
        }
        Set<Set<Row>> seen = new LinkedHashSet<>();
        for (ClaimSpec claim : claims) {
            Map<Cell, Set<String>> arms = new TreeMap<>(Comparator.comparing(Cell::id));
            claim.terms(cells).stream()
                    .filter(term -> isThroughput(term) && !term.part().accepts(1))
                    .forEach(term -> arms.computeIfAbsent(term.cell(), cell -> new LinkedHashSet<>())
                            .addAll(List.of(term.part().of(), term.part().than())));
            arms.forEach((cell, names) -> {
                List<Row> rows =
                        names.stream().flatMap(arm -> article.row(arm, cell)).toList();
                for (int i = 0; i < rows.size(); i++) {
                    for (Row other : rows.subList(i + 1, rows.size())) {
                        if (seen.add(Set.of(rows.get(i), other))) {
                            gap(rows.get(i), other);
                        }
                    }
                }
            });
        }
    }

    private void gap(Row one, Row other) {
        double shorter = Math.min(seconds(one), seconds(other));
        boolean cold = article.method().cold();
        double spread = shorter < SHORT_SECONDS || cold ? SPREAD_SHORT : SPREAD_LONG;
        double gap = Math.max(throughput(one), throughput(other)) / Math.min(throughput(one), throughput(other)) - 1;
        if (gap < noise(spread)) {
            found(
                    FindingKind.GAP_TOO_SMALL,
                    "%s and %s: %.1f %% apart in single runs of %.1f s%s; two runs of the same arm differ by up to %.1f %%"
                            + " (19 times of 20, at a spread of %.0f %%)",
                    one.words(),
                    other.arm(),
                    100 * gap,
                    shorter,
                    cold ? " on a JVM that was not warm" : "",
                    100 * noise(spread),
                    100 * spread);
        }
    }
}
