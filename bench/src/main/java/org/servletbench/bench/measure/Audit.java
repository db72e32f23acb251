package org.servletbench.bench.measure;

import static java.lang.Math.abs;
import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.MarkKind;

/** Checks the figures against each other and against the intended load. */
public final class Audit {
    /** Users: largest deviation of their mean over the window from the tier, as a share. */
    static final double USERS = 0.01;
    /** Failed requests: largest share of a cell. */
    public static final double ERRORS = 0.001;
    /** Open model: largest deviation of the achieved rate from the offered, as a share, beyond what chance explains. */
    static final double RATE = 0.02;
    /** Open model: largest share of p99 by which delays of the generator may raise it, beyond {@value #LATENESS_MS} ms. */
    static final double LATENESS = 0.25;

    private static final long LATENESS_MS = 2;
    /** Users: largest distance between their means over thirds of a window, as a share. */
    private static final double CHANGING = 0.1;
    /** Share of its usual answers below which a server stalls. */
    private static final double STALLED = 0.5;

    private Audit() {}

    record Facts(
            String name,
            Load load,
            Summary whole,
            Tally all,
            SteadyWindow window,
            Summary steady,
            Tally inWindow,
            double underWay,
            Optional<Double> ofJourney,
            List<Slice> slices,
            Optional<Trend> trend,
            Optional<Standstill> standstill,
            boolean usersKnown,
            boolean namesOverlap,
            boolean ownUsers,
            String otherRuns,
            String hung) {

        /** True if the log has no single requests. */
        boolean hasOnlySums() {
            return all.hasOnlySums();
        }
    }

    private static final String SUMS = "the log has sums of many requests, and no single ones";
    private static final String OVERLAP =
            "requests of one thread name and label overlap in time, so that a name stands for several users";
    private static final String NO_WINDOW = "no window is known in which all users were active";

    static List<Check> ofCell(Facts cell) {
        List<Check> checks = new ArrayList<>();
        checks.add(window(cell));
        if (cell.load.rate() > 0) {
            checks.add(offeredRate(cell));
            checks.add(late(cell));
        } else {
            checks.add(users(cell));
            checks.add(littlesLaw(cell));
            standstill(cell).ifPresent(checks::add);
        }
        if (!cell.hung.isEmpty()) {
            checks.add(Check.of(MarkKind.HUNG, false, cell.hung));
        }
        checks.add(trend(cell));
        checks.add(errors(cell));
        checks.add(order(cell));
        checks.add(counts(cell));
        return checks;
    }

    private static Check window(Facts cell) {
        MarkKind kind = MarkKind.STEADY_WINDOW;
        if (cell.hasOnlySums()) {
            return Check.notJudged(kind, SUMS + ": figures are of the whole run");
        }
        SteadyWindow window = cell.window;
        String length = text("%.1f s of %.1f s", window.lengthMs() / 1000.0, cell.whole.seconds());
        boolean asked = cell.load.tier() > 0 || cell.load.rate() > 0;
        String found =
                switch (window.cut()) {
                    case TIER -> text("%s: %.0f users", length, window.target());
                    case RATE -> text("%s: %s requests/s started", length, number(window.target()));
                    case OBSERVED_USERS -> text("%s: about %s users, the median seen", length, number(window.target()));
                    case NONE ->
                        cell.usersKnown || cell.load.rate() > 0
                                ? "nothing cut: no whole slice was under load"
                                : "nothing cut: the log does not tell the users" + overlap(cell);
                };
        List<String> wrong = new ArrayList<>();
        if (!cell.otherRuns.isEmpty()) {
            wrong.add(cell.otherRuns);
        }
        if (window.cut() == SteadyWindow.Cut.OBSERVED_USERS) {
            if (asked) {
                wrong.add("the load asked for was never reached");
            } else {
                changingUsers(cell).ifPresent(wrong::add);
            }
        }
        if (cell.load.rate() == 0 && window.cut() != SteadyWindow.Cut.NONE) {
            waitingAtTheEnd(cell).ifPresent(wrong::add);
        }
        if (!wrong.isEmpty()) {
            return Check.of(kind, false, found + "; " + String.join("; ", wrong));
        }
        return window.cut() != SteadyWindow.Cut.NONE
                ? Check.of(kind, true, found)
                : cell.usersKnown || cell.load.rate() > 0 ? Check.of(kind, false, found) : Check.notJudged(kind, found);
    }

    /** Compares the mean users in each third of the window, whose number may vary by its square root if users arrive by chance. */
    private static Optional<String> changingUsers(Facts cell) {
        double[] users =
                inWindow(cell).mapToDouble(Slice::users).filter(one -> one >= 0).toArray();
        if (users.length < 3) {
            return Optional.empty();
        }
        double[] thirds = IntStream.range(0, 3)
                .mapToDouble(third -> Arrays.stream(users, third * users.length / 3, (third + 1) * users.length / 3)
                        .average()
                        .orElseThrow())
                .sorted()
                .toArray();
        double mean = Arrays.stream(users).average().orElseThrow();
        return thirds[2] - thirds[0] > Math.max(CHANGING * mean, Math.sqrt(mean))
                ? Optional.of(text(
                        "the number of users changes throughout: from %s to %s in thirds of the window",
                        number(thirds[0]), number(thirds[2])))
                : Optional.empty();
    }

    /** Requests that are answered after the window are in no response time, although their users were in it. */
    private static Optional<String> waitingAtTheEnd(Facts cell) {
        double missing = cell.underWay - busy(cell.steady);
        double usual = cell.steady.count() == 0 ? 0 : 2 * cell.steady.latency().p50() / cell.window.lengthMs();
        double share = missing / cell.underWay;
        return share > Math.max(LittlesLaw.LIMIT, usual)
                ? Optional.of(text(
                        "%s of the users' time was spent on requests that were answered after it, which are in no"
                                + " response time: %s",
                        percent(share),
                        isStalledAtTheEnd(cell, share)
                                ? "the server stalled at its end"
                                : "they took far longer than the others"))
                : Optional.empty();
    }

    /** True if answers became rare in the last part of the window, which is this share of it: otherwise only some requests waited. */
    private static boolean isStalledAtTheEnd(Facts cell, double share) {
        double[] answers = inWindow(cell).mapToDouble(Slice::count).toArray();
        int last = (int) Math.max(1, Math.floor(share * answers.length));
        double atTheEnd = Arrays.stream(answers, Math.max(0, answers.length - last), answers.length)
                .average()
                .orElse(0);
        double before = Arrays.stream(answers, 0, Math.max(0, answers.length - last))
                .average()
                .orElse(0);
        return atTheEnd < STALLED * before;
    }

    private static double busy(Summary steady) {
        return steady.count() == 0
                ? 0
                : LittlesLaw.concurrency(steady.throughput(), steady.latency().mean());
    }

    private static String overlap(Facts cell) {
        return cell.namesOverlap
                ? text(": %s; %s requests were under way on average", OVERLAP, number(cell.underWay))
                : "";
    }

    private static Stream<Slice> inWindow(Facts cell) {
        return cell.slices.stream().filter(s -> s.fromMs() >= cell.window.fromMs() && s.toMs() <= cell.window.toMs());
    }

    /** Only if there was one: at a fixed rate the waiting requests are in the figures anyway. */
    private static Optional<Check> standstill(Facts cell) {
        double p99 = cell.steady.latency().p99();
        return cell.standstill
                .filter(one -> cell.window.cut() != SteadyWindow.Cut.RATE && !cell.hasOnlySums() && one.isHiddenIn(p99))
                .map(one -> Check.of(MarkKind.STANDSTILL, false, one.words(p99)));
    }

    private static Check offeredRate(Facts cell) {
        double offered = cell.load.rate();
        double started = cell.inWindow.started() / cell.steady.seconds();
        // Surplus answers belong to a stall before the window, which is no fault of the load.
        double achieved = Math.min(cell.steady.throughput(), Math.max(started, offered));
        // Requests are evenly spaced, so that one at each end of the window may be missing.
        double limit = Math.max(RATE, 2 / (offered * cell.steady.seconds()));
        double off = achieved / offered - 1;
        return Check.of(
                MarkKind.OFFERED_RATE,
                abs(off) <= limit,
                text(
                        "achieved %s/s of %s/s offered: %s (limit %s)",
                        number(achieved), number(offered), signed(off), percent(limit)));
    }

    /** Checks delays of the generator, which are in the response times since requests were due, and are not the server's. */
    private static Check late(Facts cell) {
        double p99 = cell.steady.latency().p99();
        double service = cell.inWindow.servicePercentile(99);
        return Double.isNaN(service)
                ? Check.notJudged(MarkKind.LATE_REQUESTS, "the log does not tell when requests were due")
                : Check.of(
                        MarkKind.LATE_REQUESTS,
                        p99 - service <= LATENESS_MS + LATENESS * service,
                        text(
                                "p99 %s ms from when requests were due, %s ms from when they were sent (limit %s);"
                                        + " %s were sent late, by at most %d ms",
                                number(p99),
                                number(service),
                                percent(LATENESS),
                                percent(cell.inWindow.lateShare()),
                                cell.inWindow.latestMs()));
    }

    private static Check users(Facts cell) {
        MarkKind kind = MarkKind.USERS_HELD;
        double users = cell.steady.users();
        if (cell.load.tier() == 0 || Double.isNaN(users)) {
            return Check.notJudged(
                    kind, cell.load.tier() == 0 ? "the name states no tier" : "the log does not tell the users");
        }
        if (cell.window.cut() == SteadyWindow.Cut.NONE) {
            return Check.notJudged(kind, NO_WINDOW);
        }
        int tier = cell.load.tier();
        double off = users / tier - 1;
        return Check.of(
                kind,
                abs(off) <= USERS,
                text("mean %s users of %d: %s (limit %s)", number(users), tier, signed(off), percent(USERS)));
    }

    /**
     * See {@link LittlesLaw}; there is no pause. The requests under way are counted directly and not as X R: after a stall of the
     * server at an end of the window, whose answers come later, users would otherwise seem not to send.
     */
    private static Check littlesLaw(Facts cell) {
        MarkKind kind = MarkKind.LITTLES_LAW;
        if (cell.hasOnlySums()) {
            return Check.notJudged(kind, text("L = %s under way; %s", number(busy(cell.steady)), SUMS));
        }
        boolean tier = cell.load.tier() > 0;
        double n = tier ? cell.load.tier() : cell.steady.users();
        if (Double.isNaN(n) || !tier && !cell.ownUsers) {
            return Check.notJudged(
                    kind,
                    text("the users of this name are not known; L = %s under way", number(cell.underWay))
                            + (cell.namesOverlap ? ": " + OVERLAP : ""));
        }
        if (cell.window.cut() == SteadyWindow.Cut.NONE) {
            return Check.notJudged(kind, NO_WINDOW);
        }
        if (cell.ofJourney.isPresent()) {
            return ofJourney(cell.ofJourney.get(), n);
        }
        double off = LittlesLaw.deviation(cell.underWay, n);
        String figures = text(
                "X R = %s/s x %.3f ms = %s, L = %s under way, N = %s%s: |L - N|/N = %s (limit %s)",
                number(cell.steady.throughput()),
                cell.steady.latency().mean(),
                number(busy(cell.steady)),
                number(cell.underWay),
                number(n),
                tier ? "" : " seen",
                percent(off),
                percent(LittlesLaw.LIMIT));
        if (!tier && off > LittlesLaw.LIMIT && cell.underWay < n) {
            // Only our names contain the number of users, who do not pause; in other logs users may have think time.
            return Check.notJudged(kind, figures + "; users may pause between requests");
        }
        return Check.of(
                kind,
                off <= LittlesLaw.LIMIT,
                tier || off <= LittlesLaw.LIMIT
                        ? figures
                        : figures + "; logs of several generators in one file? Measure theirs with --merge");
    }

    /** Users whose requests are several cells: all of these together must account for the users, who may pause between them. */
    private static Check ofJourney(double underWay, double n) {
        MarkKind kind = MarkKind.LITTLES_LAW;
        double off = LittlesLaw.deviation(underWay, n);
        String figures = text(
                "L = %s under way in all cells of these users, N = %s: |L - N|/N = %s (limit %s)",
                number(underWay), number(n), percent(off), percent(LittlesLaw.LIMIT));
        return off > LittlesLaw.LIMIT && underWay < n
                ? Check.notJudged(kind, figures + "; users may pause between requests")
                : Check.of(kind, off <= LittlesLaw.LIMIT, figures);
    }

    private static Check trend(Facts cell) {
        MarkKind kind = MarkKind.TREND;
        if (cell.load.rate() > 0 || cell.hasOnlySums()) {
            return Check.notJudged(kind, cell.hasOnlySums() ? SUMS : "the load sets the rate");
        }
        return cell.trend
                .map(trend -> Check.of(kind, !trend.rises() && !trend.falls(), trend.words()))
                .orElseGet(() -> Check.notJudged(
                        kind,
                        text(
                                "less than %.0f s under load, or a slice without answers",
                                Math.ceil(Trend.LEAST_POINTS / (double) Tally.QUARTERS))));
    }

    private static Check errors(Facts cell) {
        Summary steady = cell.steady;
        long kinds =
                steady.errorKinds().values().stream().mapToLong(Long::longValue).sum();
        String figures = text(
                "%d of %d failed: %s (limit %s)",
                steady.errors(), steady.count(), percent(steady.errorShare()), percent(ERRORS));
        if (kinds != steady.errors()) {
            figures += text("; but the kinds of error add up to %d", kinds);
        }
        return Check.of(MarkKind.ERRORS, kinds == steady.errors() && steady.errorShare() <= ERRORS, figures);
    }

    private static Check order(Facts cell) {
        Latency l = cell.steady.latency();
        if (cell.steady.count() == 0 || cell.hasOnlySums()) {
            return Check.notJudged(MarkKind.PERCENTILE_ORDER, cell.hasOnlySums() ? SUMS : "no request in the window");
        }
        double[] rising = {l.min(), l.p50(), l.p75(), l.p90(), l.p95(), l.p99(), l.p999(), l.max()};
        boolean ordered = l.min() <= l.mean() && l.mean() <= l.max();
        for (int i = 1; i < rising.length; i++) {
            ordered &= rising[i - 1] <= rising[i];
        }
        return Check.of(
                MarkKind.PERCENTILE_ORDER,
                ordered,
                text(
                        "min %s, p50 %s, p75 %s, p90 %s, p95 %s, p99 %s, p99.9 %s, max %s ms; mean %.3f ms",
                        number(l.min()),
                        number(l.p50()),
                        number(l.p75()),
                        number(l.p90()),
                        number(l.p95()),
                        number(l.p99()),
                        number(l.p999()),
                        number(l.max()),
                        l.mean()));
    }

    private static Check counts(Facts cell) {
        long inHistogram = cell.all.histogram().getTotalCount();
        long inSlices = cell.slices.stream().mapToLong(Slice::count).sum();
        long started = cell.all.started();
        long count = cell.whole.count();
        if (cell.hasOnlySums()) {
            return Check.notJudged(MarkKind.COUNTS, SUMS);
        }
        return Check.of(
                MarkKind.COUNTS,
                inHistogram == count && inSlices == count && started == count,
                text(
                        "whole run: %d counted, %d in the histogram, %d in the slices, %d started",
                        count, inHistogram, inSlices, started));
    }

    static List<Check> ofLog(Recorder recorder, long records, long counted) {
        List<Check> checks = new ArrayList<>();
        checks.add(Check.of(
                MarkKind.LOG_COMPLETE,
                recorder.truncation().isEmpty(),
                recorder.truncation().orElse("ends after a record")));
        checks.add(Check.of(
                MarkKind.RAW_COUNT,
                records == counted,
                text("%d requests in the log, %d in the cells", records, counted)));
        checks.add(Check.of(
                MarkKind.POSSIBLE_TIMES,
                recorder.impossible() == 0 && recorder.far().isEmpty(),
                Stream.concat(
                                Stream.of(text(
                                                "%d requests end before they start, or after decades; they are in no"
                                                        + " cell",
                                                recorder.impossible()))
                                        .filter(words -> recorder.impossible() > 0
                                                || recorder.far().isEmpty()),
                                recorder.far().stream())
                        .collect(Collectors.joining("; "))));
        if (recorder.repeated() > 0) {
            checks.add(Check.of(
                    MarkKind.REPEATED_ROWS,
                    false,
                    text(
                            "%d rows have the thread, name, time and duration of another: each is counted once",
                            recorder.repeated())));
        }
        recorder.broken().ifPresent(words -> checks.add(Check.of(MarkKind.BROKEN_ROWS, false, words)));
        long generator = recorder.generatorErrors().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        String kinds = recorder.generatorErrors().entrySet().stream()
                .map(e -> e.getValue() + " x " + e.getKey())
                .collect(Collectors.joining("; "));
        checks.add(Check.of(
                MarkKind.GENERATOR_ERRORS,
                generator == 0,
                generator == 0 ? "none" : text("%d that belong to no request: %s", generator, kinds)));
        return checks;
    }

    private static String percent(double share) {
        return text("%.2f %%", 100 * share);
    }

    private static String signed(double share) {
        return text("%+.2f %%", 100 * share);
    }

    /** Returns whole numbers as such, others with one decimal. */
    private static String number(double value) {
        return value == Math.rint(value) ? text("%.0f", value) : text("%.1f", value);
    }
}
