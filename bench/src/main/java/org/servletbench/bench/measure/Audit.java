package org.servletbench.bench.measure;

import static java.lang.Math.abs;
import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.Mark;
import org.servletbench.bench.model.MarkKind;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Share;

/**
 * Checks the figures against each other and against the intended load. All {@link Mark}s of a log, a window or of turns are raised here,
 * for single runs and campaigns alike; those that need all rounds of a campaign or all servers of a group are raised where these are known.
 */
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

    /** Connections that were dropped, as a share of the users: the windows of some seconds lack that share of users for some time. */
    private static final double DROPPED = 0.02;

    /** Share of a window: a user's last request, which does not end in it, is on average half of an answer's time. */
    private static final double LONG_ANSWERS = 0.05;

    /** Turns of which less than this share counts tell little: the rest was spent on answers for the server before. */
    private static final double LEAST_COUNTED = 0.5;
    /** Pauses that go on for longer than a turn after their own, as a share of the server's time: it rests on few of them. */
    private static final double LONG_PAUSES = 0.01;
    /** Users for whom the generator has no time, as a share: with more the throughput is what the generator could do. */
    private static final double USERS_MISSING = 0.05;

    /** Users of whom throughput and response times of turns do not account, or who come late, as a share. */
    private static final double UNACCOUNTED = Share.USUAL_MARGIN;
    /** By so much, as a share, throughput may be wrong where response times are cut: more, and nothing is known. */
    private static final double HIDDEN = 0.01;
    /** Standard errors by which these may be further apart by chance: the edges of turns cut through requests. */
    private static final double BY_CHANCE = 3;

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

    static List<Mark> ofCell(Facts cell) {
        List<Mark> checks = new ArrayList<>();
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
            checks.add(Mark.of(MarkKind.HUNG, false, cell.hung));
        }
        checks.add(trend(cell));
        checks.add(errors(cell));
        checks.add(order(cell));
        checks.add(counts(cell));
        return checks;
    }

    private static Mark window(Facts cell) {
        MarkKind kind = MarkKind.STEADY_WINDOW;
        if (cell.hasOnlySums()) {
            return Mark.notJudged(kind, SUMS + ": figures are of the whole run");
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
            return Mark.of(kind, false, found + "; " + String.join("; ", wrong));
        }
        return window.cut() != SteadyWindow.Cut.NONE
                ? Mark.of(kind, true, found)
                : cell.usersKnown || cell.load.rate() > 0 ? Mark.of(kind, false, found) : Mark.notJudged(kind, found);
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
    private static Optional<Mark> standstill(Facts cell) {
        double p99 = cell.steady.latency().p99();
        return cell.standstill
                .filter(one -> cell.window.cut() != SteadyWindow.Cut.RATE && !cell.hasOnlySums() && one.isHiddenIn(p99))
                .map(one -> Mark.of(MarkKind.STANDSTILL, false, one.words(p99)));
    }

    private static Mark offeredRate(Facts cell) {
        double offered = cell.load.rate();
        double started = cell.inWindow.started() / cell.steady.seconds();
        // Surplus answers belong to a stall before the window, which is no fault of the load.
        double achieved = Math.min(cell.steady.throughput(), Math.max(started, offered));
        // Requests are evenly spaced, so that one at each end of the window may be missing.
        double limit = Math.max(RATE, 2 / (offered * cell.steady.seconds()));
        double off = achieved / offered - 1;
        return Mark.of(
                MarkKind.OFFERED_RATE,
                abs(off) <= limit,
                text(
                        "achieved %s/s of %s/s offered: %s (limit %s)",
                        number(achieved), number(offered), signed(off), percent(limit)));
    }

    /** Delays of the generator are in the response times since requests were due, and are not the server's. */
    private static Mark late(Facts cell) {
        double p99 = cell.steady.latency().p99();
        double service = cell.inWindow.servicePercentile(99);
        return Double.isNaN(service)
                ? Mark.notJudged(MarkKind.LATE_REQUESTS, "the log does not tell when requests were due")
                : Mark.of(
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

    private static Mark users(Facts cell) {
        MarkKind kind = MarkKind.USERS_HELD;
        double users = cell.steady.users();
        if (cell.load.tier() == 0 || Double.isNaN(users)) {
            return Mark.notJudged(
                    kind, cell.load.tier() == 0 ? "the name states no tier" : "the log does not tell the users");
        }
        if (cell.window.cut() == SteadyWindow.Cut.NONE) {
            return Mark.notJudged(kind, NO_WINDOW);
        }
        int tier = cell.load.tier();
        double off = users / tier - 1;
        return Mark.of(
                kind,
                abs(off) <= USERS,
                text("mean %s users of %d: %s (limit %s)", number(users), tier, signed(off), percent(USERS)));
    }

    /**
     * See {@link LittlesLaw}; the load's name says whether users pause. The requests under way are counted directly and not as X R:
     * after a stall of the server at an end of the window, whose answers come later, users would otherwise seem not to send.
     */
    private static Mark littlesLaw(Facts cell) {
        MarkKind kind = MarkKind.LITTLES_LAW;
        if (cell.hasOnlySums()) {
            return Mark.notJudged(kind, text("L = %s under way; %s", number(busy(cell.steady)), SUMS));
        }
        boolean tier = cell.load.tier() > 0;
        double n = tier ? cell.load.tier() : cell.steady.users();
        if (Double.isNaN(n) || !tier && !cell.ownUsers) {
            return Mark.notJudged(
                    kind,
                    text("the users of this name are not known; L = %s under way", number(cell.underWay))
                            + (cell.namesOverlap ? ": " + OVERLAP : ""));
        }
        if (cell.window.cut() == SteadyWindow.Cut.NONE) {
            return Mark.notJudged(kind, NO_WINDOW);
        }
        if (cell.ofJourney.isPresent()) {
            return ofJourney(cell.ofJourney.get(), n);
        }
        double pauseMs = cell.load.pause().meanMs();
        double pausing = pauseMs == 0 ? 0 : LittlesLaw.concurrency(cell.steady.throughput(), pauseMs);
        double off = LittlesLaw.deviation(cell.underWay + pausing, n);
        String figures = text(
                "X R = %s/s x %.3f ms = %s, L = %s under way%s, N = %s%s: |L - N|/N = %s (limit %s)",
                number(cell.steady.throughput()),
                cell.steady.latency().mean(),
                number(busy(cell.steady)),
                number(cell.underWay + pausing),
                pauseMs == 0 ? "" : text(" or in a pause of %s ms on average", number(pauseMs)),
                number(n),
                tier ? "" : " seen",
                percent(off),
                percent(LittlesLaw.LIMIT));
        if (!tier && off > LittlesLaw.LIMIT && cell.underWay < n) {
            // Only our names state the users and their pauses; in other logs users may think.
            return Mark.notJudged(kind, figures + "; users may pause between requests");
        }
        return Mark.of(
                kind,
                off <= LittlesLaw.LIMIT,
                tier || off <= LittlesLaw.LIMIT
                        ? figures
                        : figures + "; logs of several generators in one file? Measure theirs with --merge");
    }

    /** Users whose requests are several cells: all of them together are held against the users, who may pause between them. */
    private static Mark ofJourney(double underWay, double n) {
        MarkKind kind = MarkKind.LITTLES_LAW;
        double off = LittlesLaw.deviation(underWay, n);
        String figures = text(
                "L = %s under way in all cells of these users, N = %s: |L - N|/N = %s (limit %s)",
                number(underWay), number(n), percent(off), percent(LittlesLaw.LIMIT));
        return off > LittlesLaw.LIMIT && underWay < n
                ? Mark.notJudged(kind, figures + "; users may pause between requests")
                : Mark.of(kind, off <= LittlesLaw.LIMIT, figures);
    }

    private static Mark trend(Facts cell) {
        MarkKind kind = MarkKind.TREND;
        if (cell.load.rate() > 0 || cell.hasOnlySums()) {
            return Mark.notJudged(kind, cell.hasOnlySums() ? SUMS : "the load sets the rate");
        }
        return cell.trend
                .map(trend -> Mark.of(kind, !trend.rises() && !trend.falls(), trend.words()))
                .orElseGet(() -> Mark.notJudged(
                        kind,
                        text(
                                "less than %.0f s under load, or a slice without answers",
                                Math.ceil(Trend.LEAST_POINTS / (double) Tally.QUARTERS))));
    }

    private static Mark errors(Facts cell) {
        Summary steady = cell.steady;
        long kinds =
                steady.errorKinds().values().stream().mapToLong(Long::longValue).sum();
        String share = text("%s (limit %s)", percent(steady.errorShare()), percent(ERRORS));
        Mark mark = errors(steady.errors(), steady.count(), share);
        return kinds == steady.errors()
                ? mark
                : Mark.of(mark.kind(), mark.figures() + text("; but the kinds of error add up to %d", kinds));
    }

    /** @param more what else is known of the failed requests */
    private static Mark errors(long failed, long all, Object more) {
        return Mark.of(
                MarkKind.ERRORS,
                (all == 0 ? 0 : (double) failed / all) <= ERRORS,
                text("%d of %d failed: %s", failed, all, more));
    }

    private static Mark empty(boolean empty, String figures) {
        return Mark.of(MarkKind.EMPTY, !empty, figures);
    }

    /** Nothing counts: no request, or the number of users was never seen for a whole slice, so that ramps are in the figures. */
    static Mark empty(WindowResult window) {
        return empty(
                window.requests() == 0
                        || window.load().tier() > 0 && window.window().cut() == SteadyWindow.Cut.NONE,
                "no request ended while all users were active: the window is too short");
    }

    /**
     * The marks of a window of a tool that tells only figures.
     *
     * @param completed requests that were answered
     * @param answerSeconds mean response time, s
     * @param counted whether the tool ends by a number of requests, so that each is waited for
     */
    public static List<Mark> ofTool(Summary told, long completed, double answerSeconds, boolean counted) {
        List<Mark> marks = new ArrayList<>();
        marks.add(empty(completed == 0, "no request was answered"));
        Mark.add(
                marks,
                !counted && answerSeconds > LONG_ANSWERS * told.seconds(),
                MarkKind.SHORT_TURNS,
                "answers took %.1f s, more than %.0f %% of a window of %.1f s: what was under way at its end is missing in the"
                        + " throughput",
                answerSeconds,
                100 * LONG_ANSWERS,
                told.seconds());
        marks.add(errors(told.errors(), told.count(), told.errorKinds()));
        return marks.stream().filter(Mark::failed).toList();
    }

    /**
     * The marks of a server's turns.
     *
     * @param counted the requests in the counted part of the turns
     * @param users of the load
     * @param list whether users send several requests in order: those that wait may be other ones than those that are answered
     */
    static List<Mark> ofTurns(TurnsMeasurement turns, Summary counted, int users, Rotation rotation, boolean list) {
        List<Mark> marks = new ArrayList<>();
        boolean empty = counted.count() == 0;
        double seconds = counted.seconds() - turns.chargedSeconds();
        double pauseMs = rotation.pause().meanMs();
        double pausing = pauseMs == 0 ? 0 : LittlesLaw.concurrency(counted.throughput(), pauseMs);
        marks.add(empty(empty, "no request was answered in the counted part of its turns"));
        if (!empty) {
            marks.add(errors(turns.failed(), turns.all(), turns.errorKinds()));
        }
        Mark.add(
                marks,
                !empty && 1 - (counted.users() + turns.late() + pausing) / users > USERS_MISSING,
                MarkKind.USERS_WAITING,
                "only %.1f of %d users waited for an answer%s in its turns (limit %.0f %% fewer)",
                counted.users() + turns.late() + pausing,
                users,
                pauseMs == 0 ? "" : " or paused",
                100 * USERS_MISSING);
        Mark.add(
                marks,
                !empty && turns.late() / users > UNACCOUNTED,
                MarkKind.LATE_ARRIVALS,
                "%.1f of %d users still waited for another server in its turns (limit %.0f %%)",
                turns.late(),
                users,
                100 * UNACCOUNTED);
        if (!empty && turns.chargedSeconds() <= LONG_PAUSES * counted.seconds()) {
            marks.add(littlesLaw(turns, counted, users, rotation, list));
        }
        Mark.add(
                marks,
                seconds < LEAST_COUNTED * turns.turnSeconds(),
                MarkKind.SHORT_TURNS,
                "only %.0f %% of its turns of %d ms could be counted (limit %.0f %%): the servers before took long to answer what"
                        + " was under way",
                100 * seconds / turns.turnSeconds(),
                rotation.turnMs(),
                100 * LEAST_COUNTED);
        Mark.add(
                marks,
                turns.chargedSeconds() > LONG_PAUSES * counted.seconds(),
                MarkKind.LONG_PAUSES,
                "its pauses went on for %.1f s after its turns, %.1f %% of its time (limit %.0f %%), through %d turns of others",
                turns.chargedSeconds(),
                100 * turns.chargedSeconds() / counted.seconds(),
                100 * LONG_PAUSES,
                turns.blocked());
        Mark.add(
                marks,
                2 * turns.readings() < rotation.rounds(),
                MarkKind.NO_CPU_READINGS,
                "CPU time was read at the edges of only %d of its %d turns",
                turns.readings(),
                rotation.rounds());
        return marks.stream().filter(Mark::failed).toList();
    }

    private static Mark littlesLaw(
            TurnsMeasurement turns, Summary counted, int users, Rotation rotation, boolean list) {
        double limit = UNACCOUNTED + BY_CHANCE / Math.sqrt(counted.count());
        double more = (turns.accounted() - counted.users()) / users;
        // Requests under way are answered in users / throughput: the work on them may lie on the other side of a turn's
        // end.
        double hidden = -more * 1e3 * users / counted.throughput() / rotation.turnMs();
        boolean cut = more < -limit && hidden <= HIDDEN && !list;
        return Mark.of(
                cut ? MarkKind.CUT_RESPONSES : MarkKind.LITTLES_LAW,
                !(abs(more) > limit),
                text(
                        "throughput times response time is %.1f users, of %.1f who waited in its turns of %d ms (limit %.0f %% of %d)",
                        turns.accounted(), counted.users(), rotation.turnMs(), 100 * limit, users));
    }

    /** Users go through their list again and again: of no request there may be more than one for each of them beyond any other. */
    public static Optional<Mark> mix(String name, List<RequestTally> list, int users) {
        LongSummaryStatistics sent = list.stream().mapToLong(RequestTally::sent).summaryStatistics();
        return list.isEmpty() || sent.getMax() - sent.getMin() <= users
                ? Optional.empty()
                : Optional.of(Mark.of(
                        MarkKind.UNEQUAL_MIX,
                        text(
                                "%s: %d to %d of each request of the list, with %d users",
                                name, sent.getMin(), sent.getMax(), users)));
    }

    static Mark compiling(ServerUse use) {
        double percent = use.of(Metric.COMPILER);
        return Double.isNaN(percent)
                ? Mark.notJudged(MarkKind.COMPILING, "nobody read the compiler's time")
                : Mark.of(
                        MarkKind.COMPILING,
                        percent <= ServerUse.COMPILING_PERCENT,
                        text("%.1f %% of the server's CPU time (limit %.0f %%)", percent, ServerUse.COMPILING_PERCENT));
    }

    static Mark disturbed(ServerUse use) {
        double others = use.of(Metric.OTHERS);
        double steal = use.of(Metric.STEAL);
        List<String> found = ServerUse.disturbances(others, steal, ServerUse.DISTURBED_PERCENT);
        if (!found.isEmpty()) {
            return Mark.of(MarkKind.DISTURBED, String.join("; ", found));
        }
        return Double.isNaN(others) && Double.isNaN(steal)
                ? Mark.notJudged(MarkKind.DISTURBED, "nobody read what others took of the processors")
                : Mark.of(
                        MarkKind.DISTURBED,
                        true,
                        text("others took at most %.0f %% of the processors' time", ServerUse.DISTURBED_PERCENT));
    }

    /** @param connecting users that open their connections while the server is watched */
    static Optional<Mark> dropped(long attempts, int connecting) {
        return connecting > 0 && attempts > DROPPED * connecting
                ? Optional.of(Mark.of(
                        MarkKind.CONNECTIONS_DROPPED,
                        text(
                                "the kernel dropped %d attempts of %d users to connect, because too many waited to be accepted (limit %.0f %%)",
                                attempts, connecting, 100 * DROPPED)))
                : Optional.empty();
    }

    private static Mark order(Facts cell) {
        Latency l = cell.steady.latency();
        if (cell.steady.count() == 0 || cell.hasOnlySums()) {
            return Mark.notJudged(MarkKind.PERCENTILE_ORDER, cell.hasOnlySums() ? SUMS : "no request in the window");
        }
        double[] rising = {l.min(), l.p50(), l.p75(), l.p90(), l.p95(), l.p99(), l.p999(), l.max()};
        boolean ordered = l.min() <= l.mean() && l.mean() <= l.max();
        for (int i = 1; i < rising.length; i++) {
            ordered &= rising[i - 1] <= rising[i];
        }
        return Mark.of(
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

    private static Mark counts(Facts cell) {
        long inHistogram = cell.all.histogram().getTotalCount();
        long inSlices = cell.slices.stream().mapToLong(Slice::count).sum();
        long started = cell.all.started();
        long count = cell.whole.count();
        if (cell.hasOnlySums()) {
            return Mark.notJudged(MarkKind.COUNTS, SUMS);
        }
        return Mark.of(
                MarkKind.COUNTS,
                inHistogram == count && inSlices == count && started == count,
                text(
                        "whole run: %d counted, %d in the histogram, %d in the slices, %d started",
                        count, inHistogram, inSlices, started));
    }

    static List<Mark> ofLog(Recorder recorder, long records, long counted) {
        List<Mark> checks = new ArrayList<>();
        checks.add(complete(recorder.truncation()));
        checks.add(Mark.of(
                MarkKind.RAW_COUNT,
                records == counted,
                text("%d requests in the log, %d in the cells", records, counted)));
        checks.add(Mark.of(
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
            checks.add(Mark.of(
                    MarkKind.REPEATED_ROWS,
                    false,
                    text(
                            "%d rows have the thread, name, time and duration of another: each is counted once",
                            recorder.repeated())));
        }
        recorder.broken().ifPresent(words -> checks.add(Mark.of(MarkKind.BROKEN_ROWS, false, words)));
        long generator = recorder.generatorErrors().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        String kinds = recorder.generatorErrors().entrySet().stream()
                .map(e -> e.getValue() + " x " + e.getKey())
                .collect(Collectors.joining("; "));
        checks.add(Mark.of(
                MarkKind.GENERATOR_ERRORS,
                generator == 0,
                generator == 0 ? "none" : text("%d that belong to no request: %s", generator, kinds)));
        return checks;
    }

    private static Mark complete(Optional<String> truncation) {
        return Mark.of(MarkKind.LOG_COMPLETE, truncation.isEmpty(), truncation.orElse("ends after a record"));
    }

    /**
     * The marks of a log of turns as a whole.
     *
     * @param impossible requests that end before they start, or after decades
     * @param generatorErrors how often each kind of those that belong to no request
     */
    static List<Mark> ofTurnsLog(Optional<String> truncation, long impossible, Map<String, Long> generatorErrors) {
        return Stream.of(
                        complete(truncation),
                        Mark.of(
                                MarkKind.POSSIBLE_TIMES,
                                impossible == 0,
                                impossible + " requests end before they start, or after decades"),
                        Mark.of(MarkKind.GENERATOR_ERRORS, generatorErrors.isEmpty(), generatorErrors.toString()))
                .filter(Mark::failed)
                .toList();
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
