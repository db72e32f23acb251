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
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Share;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;

/**
 * Checks the figures against each other and against the intended load. All {@link Warning}s about a log, a window or
 * time slices are raised here, for single runs and campaigns alike. Those that need all rounds of a campaign or all
 * servers of a group are raised where these are known.
 */
public final class Audit {
    /** Maximum deviation of the mean number of users over the window from the planned number, as a share. */
    static final double USERS = 0.01;
    /** Maximum share of failed requests in a load. */
    public static final double ERRORS = 0.001;
    /**
     * Open model: maximum deviation of the achieved rate from the offered one, as a share, beyond what chance explains.
     */
    static final double RATE = 0.02;
    /** Open model: maximum increase of p99 by delays of the generator, as a share, beyond {@value #LATENESS_MS} ms. */
    static final double LATENESS = 0.25;

    private static final long LATENESS_MS = 2;
    /** Maximum difference between the mean numbers of users in the thirds of a window, as a share. */
    private static final double CHANGING = 0.1;
    /** Share of its usual answers below which a server counts as stalled. */
    private static final double STALLED = 0.5;

    /**
     * Maximum number of dropped connections, as a share of the users. In windows of a few seconds, that share of users
     * is missing for some time.
     */
    private static final double DROPPED = 0.02;

    /**
     * Maximum allowance for a user's last request, as a share of a window. The request does not end in the window, and
     * lasts half of a response time on average.
     */
    private static final double LONG_ANSWERS = 0.05;

    /** Minimum share of time slices that must count. The rest was spent on answers for the previous server. */
    private static final double LEAST_COUNTED = 0.5;
    /**
     * Maximum duration of pauses beyond the end of their time slices, as a share of the server's time. With more, the
     * result depends on few pauses.
     */
    private static final double LONG_PAUSES = 0.01;
    /**
     * Maximum share of users for whom the generator has no time. With more, throughput is what the generator could do.
     */
    private static final double USERS_MISSING = 0.05;

    /** Maximum share of users whom throughput and response times of time slices do not explain, or who arrive late. */
    private static final double UNACCOUNTED = Share.USUAL_MARGIN;
    /** Maximum error of throughput, as a share, if response times are cut. Beyond it, nothing is known. */
    private static final double HIDDEN = 0.01;
    /** Number of standard errors that chance may explain. The edges of time slices cut through requests. */
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

        /** True if the log contains no single requests. */
        boolean hasOnlySums() {
            return all.hasOnlySums();
        }
    }

    private static final String SUMS = "the log has sums of many requests, and no single ones";
    private static final String OVERLAP =
            "requests of one thread name and label overlap in time, so that a name stands for several users";
    private static final String NO_WINDOW = "no window is known in which all users were active";

    static List<Warning> ofLoad(Facts load) {
        List<Warning> checks = new ArrayList<>();
        checks.add(window(load));
        if (load.load.rate() > 0) {
            checks.add(offeredRate(load));
            checks.add(late(load));
        } else {
            checks.add(users(load));
            checks.add(littlesLaw(load));
            standstill(load).ifPresent(checks::add);
        }
        if (!load.hung.isEmpty()) {
            checks.add(Warning.of(WarningKind.HUNG, false, load.hung));
        }
        checks.add(trend(load));
        checks.add(errors(load));
        checks.add(order(load));
        checks.add(counts(load));
        return checks;
    }

    private static Warning window(Facts load) {
        WarningKind kind = WarningKind.STEADY_WINDOW;
        if (load.hasOnlySums()) {
            return Warning.notJudged(kind, SUMS + ": figures are of the whole run");
        }
        SteadyWindow window = load.window;
        String length = text("%.1f s of %.1f s", window.lengthMs() / 1000.0, load.whole.seconds());
        boolean asked = load.load.users() > 0 || load.load.rate() > 0;
        String found =
                switch (window.cut()) {
                    case PLANNED_USERS -> text("%s: %.0f users", length, window.target());
                    case RATE -> text("%s: %s requests/s started", length, number(window.target()));
                    case OBSERVED_USERS -> text("%s: about %s users, the median seen", length, number(window.target()));
                    case NONE ->
                        load.usersKnown || load.load.rate() > 0
                                ? "nothing cut: no whole slice was under load"
                                : "nothing cut: the log does not show the users" + overlap(load);
                };
        List<String> wrong = new ArrayList<>();
        if (!load.otherRuns.isEmpty()) {
            wrong.add(load.otherRuns);
        }
        if (window.cut() == SteadyWindow.Cut.OBSERVED_USERS) {
            if (asked) {
                wrong.add("the load asked for was never reached");
            } else {
                changingUsers(load).ifPresent(wrong::add);
            }
        }
        if (load.load.rate() == 0 && window.cut() != SteadyWindow.Cut.NONE) {
            waitingAtTheEnd(load).ifPresent(wrong::add);
        }
        if (!wrong.isEmpty()) {
            return Warning.of(kind, false, found + "; " + String.join("; ", wrong));
        }
        return window.cut() != SteadyWindow.Cut.NONE
                ? Warning.of(kind, true, found)
                : load.usersKnown || load.load.rate() > 0
                        ? Warning.of(kind, false, found)
                        : Warning.notJudged(kind, found);
    }

    /**
     * Compares the mean number of users in the thirds of the window. If users arrive by chance, it may vary by its
     * square root.
     */
    private static Optional<String> changingUsers(Facts load) {
        double[] users =
                inWindow(load).mapToDouble(Slice::users).filter(one -> one >= 0).toArray();
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

    /**
     * Reports users' time that was spent on requests answered after the window. No response time includes it, although
     * the users were in the window.
     */
    private static Optional<String> waitingAtTheEnd(Facts load) {
        double missing = load.underWay - busy(load.steady);
        double usual = load.steady.count() == 0 ? 0 : 2 * load.steady.latency().p50() / load.window.lengthMs();
        double share = missing / load.underWay;
        return share > Math.max(LittlesLaw.LIMIT, usual)
                ? Optional.of(text(
                        "%s of the users' time was spent on requests that were answered after it, which are in no"
                                + " response time: %s",
                        percent(share),
                        isStalledAtTheEnd(load, share)
                                ? "the server stalled at its end"
                                : "they took far longer than the others"))
                : Optional.empty();
    }

    /**
     * True if answers became rare in the last part of the window.
     *
     * @param share length of that part, as a share of the window
     */
    private static boolean isStalledAtTheEnd(Facts load, double share) {
        double[] answers = inWindow(load).mapToDouble(Slice::count).toArray();
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

    private static String overlap(Facts load) {
        return load.namesOverlap
                ? text(": %s; %s requests were under way on average", OVERLAP, number(load.underWay))
                : "";
    }

    private static Stream<Slice> inWindow(Facts load) {
        return load.slices.stream().filter(s -> s.fromMs() >= load.window.fromMs() && s.toMs() <= load.window.toMs());
    }

    /**
     * Reports a standstill, if there was one. At a fixed rate there is no need, because the waiting requests are in the
     * figures anyway.
     */
    private static Optional<Warning> standstill(Facts load) {
        double p99 = load.steady.latency().p99();
        return load.standstill
                .filter(one -> load.window.cut() != SteadyWindow.Cut.RATE && !load.hasOnlySums() && one.isHiddenIn(p99))
                .map(one -> Warning.of(WarningKind.STANDSTILL, false, one.words(p99)));
    }

    private static Warning offeredRate(Facts load) {
        double offered = load.load.rate();
        double started = load.inWindow.started() / load.steady.seconds();
        // Surplus answers belong to a stall before the window, for which the load is not to blame.
        double achieved = Math.min(load.steady.throughput(), Math.max(started, offered));
        // Requests are evenly spaced, so one may be missing at each end of the window.
        double limit = Math.max(RATE, 2 / (offered * load.steady.seconds()));
        double off = achieved / offered - 1;
        return Warning.of(
                WarningKind.OFFERED_RATE,
                abs(off) <= limit,
                text(
                        "achieved %s/s of %s/s offered: %s (limit %s)",
                        number(achieved), number(offered), signed(off), percent(limit)));
    }

    /**
     * Checks the generator's delays. They are part of response times since requests were due, but are not the server's.
     */
    private static Warning late(Facts load) {
        double p99 = load.steady.latency().p99();
        double service = load.inWindow.servicePercentile(99);
        return Double.isNaN(service)
                ? Warning.notJudged(WarningKind.LATE_REQUESTS, "the log does not show when requests were due")
                : Warning.of(
                        WarningKind.LATE_REQUESTS,
                        p99 - service <= LATENESS_MS + LATENESS * service,
                        text(
                                "p99 %s ms from when requests were due, %s ms from when they were sent (limit %s);"
                                        + " %s were sent late, by at most %d ms",
                                number(p99),
                                number(service),
                                percent(LATENESS),
                                percent(load.inWindow.lateShare()),
                                load.inWindow.latestMs()));
    }

    private static Warning users(Facts load) {
        WarningKind kind = WarningKind.USERS_HELD;
        double users = load.steady.users();
        if (load.load.users() == 0 || Double.isNaN(users)) {
            return Warning.notJudged(
                    kind,
                    load.load.users() == 0 ? "the name states no number of users" : "the log does not show the users");
        }
        if (load.window.cut() == SteadyWindow.Cut.NONE) {
            return Warning.notJudged(kind, NO_WINDOW);
        }
        int userCount = load.load.users();
        double off = users / userCount - 1;
        return Warning.of(
                kind,
                abs(off) <= USERS,
                text("mean %s users of %d: %s (limit %s)", number(users), userCount, signed(off), percent(USERS)));
    }

    /**
     * Checks Little's law, see {@link LittlesLaw}. The load's name says whether users pause. Requests in flight are
     * counted directly instead of as X R. Otherwise, after a stall at an end of the window, whose answers come later,
     * users would seem not to send.
     */
    private static Warning littlesLaw(Facts load) {
        WarningKind kind = WarningKind.LITTLES_LAW;
        if (load.hasOnlySums()) {
            return Warning.notJudged(kind, text("L = %s under way; %s", number(busy(load.steady)), SUMS));
        }
        boolean users = load.load.users() > 0;
        double n = users ? load.load.users() : load.steady.users();
        if (Double.isNaN(n) || !users && !load.ownUsers) {
            return Warning.notJudged(
                    kind,
                    text("the users of this name are not known; L = %s under way", number(load.underWay))
                            + (load.namesOverlap ? ": " + OVERLAP : ""));
        }
        if (load.window.cut() == SteadyWindow.Cut.NONE) {
            return Warning.notJudged(kind, NO_WINDOW);
        }
        if (load.ofJourney.isPresent()) {
            return ofJourney(load.ofJourney.get(), n);
        }
        double pauseMs = load.load.pause().meanMs();
        double pausing = pauseMs == 0 ? 0 : LittlesLaw.concurrency(load.steady.throughput(), pauseMs);
        double off = LittlesLaw.deviation(load.underWay + pausing, n);
        String figures = text(
                "X R = %s/s x %.3f ms = %s, L = %s under way%s, N = %s%s: |L - N|/N = %s (limit %s)",
                number(load.steady.throughput()),
                load.steady.latency().mean(),
                number(busy(load.steady)),
                number(load.underWay + pausing),
                pauseMs == 0 ? "" : text(" or in a pause of %s ms on average", number(pauseMs)),
                number(n),
                users ? "" : " seen",
                percent(off),
                percent(LittlesLaw.LIMIT));
        if (!users && off > LittlesLaw.LIMIT && load.underWay < n) {
            // Only our names contain the users and their pauses. In other logs, users may think between requests.
            return Warning.notJudged(kind, figures + "; users may pause between requests");
        }
        return Warning.of(
                kind,
                off <= LittlesLaw.LIMIT,
                users || off <= LittlesLaw.LIMIT
                        ? figures
                        : figures + "; logs of several generators in one file? Measure theirs with --merge");
    }

    /**
     * Checks users whose requests are several loads. All loads together are compared with the number of users, who may
     * pause between them.
     */
    private static Warning ofJourney(double underWay, double n) {
        WarningKind kind = WarningKind.LITTLES_LAW;
        double off = LittlesLaw.deviation(underWay, n);
        String figures = text(
                "L = %s under way in all loads of these users, N = %s: |L - N|/N = %s (limit %s)",
                number(underWay), number(n), percent(off), percent(LittlesLaw.LIMIT));
        return off > LittlesLaw.LIMIT && underWay < n
                ? Warning.notJudged(kind, figures + "; users may pause between requests")
                : Warning.of(kind, off <= LittlesLaw.LIMIT, figures);
    }

    private static Warning trend(Facts load) {
        WarningKind kind = WarningKind.TREND;
        if (load.load.rate() > 0 || load.hasOnlySums()) {
            return Warning.notJudged(kind, load.hasOnlySums() ? SUMS : "the load sets the rate");
        }
        return load.trend
                .map(trend -> Warning.of(kind, !trend.rises() && !trend.falls(), trend.words()))
                .orElseGet(() -> Warning.notJudged(
                        kind,
                        text(
                                "less than %.0f s under load, or a slice without answers",
                                Math.ceil(Trend.LEAST_POINTS / (double) Tally.QUARTERS))));
    }

    private static Warning errors(Facts load) {
        Summary steady = load.steady;
        long kinds =
                steady.errorKinds().values().stream().mapToLong(Long::longValue).sum();
        String share = text("%s (limit %s)", percent(steady.errorShare()), percent(ERRORS));
        Warning warning = errors(steady.errors(), steady.count(), share);
        return kinds == steady.errors()
                ? warning
                : Warning.of(warning.kind(), warning.figures() + text("; but the kinds of error add up to %d", kinds));
    }

    /** @param more what else is known about the failed requests */
    private static Warning errors(long failed, long all, Object more) {
        return Warning.of(
                WarningKind.ERRORS,
                (all == 0 ? 0 : (double) failed / all) <= ERRORS,
                text("%d of %d failed: %s", failed, all, more));
    }

    private static Warning empty(boolean empty, String figures) {
        return Warning.of(WarningKind.EMPTY, !empty, figures);
    }

    /**
     * Returns a warning if nothing counts: there was no request, or the number of users was never reached for a whole
     * slice, so that ramps are in the figures.
     */
    static Warning empty(WindowResult window) {
        return empty(
                window.requests() == 0
                        || window.load().users() > 0 && window.window().cut() == SteadyWindow.Cut.NONE,
                "no request ended while all users were active: the window is too short");
    }

    /**
     * Returns the warnings about a window of a tool that reports only figures.
     *
     * @param completed number of requests that were answered
     * @param answerSeconds mean response time, s
     * @param counted true if the tool stops after a number of requests, so that it waits for each of them
     */
    public static List<Warning> ofTool(Summary reported, long completed, double answerSeconds, boolean counted) {
        List<Warning> warnings = new ArrayList<>();
        warnings.add(empty(completed == 0, "no request was answered"));
        Warning.add(
                warnings,
                !counted && answerSeconds > LONG_ANSWERS * reported.seconds(),
                WarningKind.SHORT_SLICES,
                "answers took %.1f s, more than %.0f %% of a window of %.1f s: what was under way at its end is missing in the"
                        + " throughput",
                answerSeconds,
                100 * LONG_ANSWERS,
                reported.seconds());
        warnings.add(errors(reported.errors(), reported.count(), reported.errorKinds()));
        return warnings.stream().filter(Warning::failed).toList();
    }

    /**
     * Returns the warnings about a server's time slices.
     *
     * @param counted the requests in the counted part of the time slices
     * @param users number of users of the load
     * @param list true if users send several requests in order; those that wait may then be others than those that are
     *     answered
     */
    static List<Warning> ofTimeSlices(
            SlicesMeasurement timeSlices, Summary counted, int users, Interleaving interleaving, boolean list) {
        List<Warning> warnings = new ArrayList<>();
        boolean empty = counted.count() == 0;
        double seconds = counted.seconds() - timeSlices.chargedSeconds();
        double pauseMs = interleaving.pause().meanMs();
        double pausing = pauseMs == 0 ? 0 : LittlesLaw.concurrency(counted.throughput(), pauseMs);
        warnings.add(empty(empty, "no request was answered in the counted part of its time slices"));
        if (!empty) {
            warnings.add(errors(timeSlices.failed(), timeSlices.all(), timeSlices.errorKinds()));
        }
        Warning.add(
                warnings,
                !empty && 1 - (counted.users() + timeSlices.late() + pausing) / users > USERS_MISSING,
                WarningKind.USERS_WAITING,
                "only %.1f of %d users waited for an answer%s in its time slices (limit %.0f %% fewer)",
                counted.users() + timeSlices.late() + pausing,
                users,
                pauseMs == 0 ? "" : " or paused",
                100 * USERS_MISSING);
        Warning.add(
                warnings,
                !empty && timeSlices.late() / users > UNACCOUNTED,
                WarningKind.LATE_ARRIVALS,
                "%.1f of %d users still waited for another server in its time slices (limit %.0f %%)",
                timeSlices.late(),
                users,
                100 * UNACCOUNTED);
        if (!empty && timeSlices.chargedSeconds() <= LONG_PAUSES * counted.seconds()) {
            warnings.add(littlesLaw(timeSlices, counted, users, interleaving, list));
        }
        Warning.add(
                warnings,
                seconds < LEAST_COUNTED * timeSlices.timeSliceSeconds(),
                WarningKind.SHORT_SLICES,
                "only %.0f %% of its time slices of %d ms could be counted (limit %.0f %%): the servers before took long to answer what"
                        + " was under way",
                100 * seconds / timeSlices.timeSliceSeconds(),
                interleaving.timeSliceMs(),
                100 * LEAST_COUNTED);
        Warning.add(
                warnings,
                timeSlices.chargedSeconds() > LONG_PAUSES * counted.seconds(),
                WarningKind.LONG_PAUSES,
                "its pauses went on for %.1f s after its time slices, %.1f %% of its time (limit %.0f %%), through %d time slices of others",
                timeSlices.chargedSeconds(),
                100 * timeSlices.chargedSeconds() / counted.seconds(),
                100 * LONG_PAUSES,
                timeSlices.blocked());
        Warning.add(
                warnings,
                2 * timeSlices.readings() < interleaving.rounds(),
                WarningKind.NO_CPU_READINGS,
                "CPU time was read at the edges of only %d of its %d time slices",
                timeSlices.readings(),
                interleaving.rounds());
        return warnings.stream().filter(Warning::failed).toList();
    }

    private static Warning littlesLaw(
            SlicesMeasurement timeSlices, Summary counted, int users, Interleaving interleaving, boolean list) {
        double more = (timeSlices.accounted() - counted.users()) / users;
        // Requests in flight at the end of a time slice share the processor with the next server's first requests, and
        // probably take longer. Half of a response time was observed, in all servers alike. Throughput is not affected.
        double edge =
                Math.min(LONG_ANSWERS, 1e3 * counted.users() / counted.throughput() / 2 / interleaving.timeSliceMs());
        double limit = UNACCOUNTED + BY_CHANCE / Math.sqrt(counted.count()) + (more > 0 ? edge : 0);
        // Requests in flight are answered within users / throughput. Work on them may be on the other side of the end
        // of a time slice.
        double hidden = -more * 1e3 * users / counted.throughput() / interleaving.timeSliceMs();
        boolean cut = more < -limit && hidden <= HIDDEN && !list;
        return Warning.of(
                cut ? WarningKind.CUT_RESPONSES : WarningKind.LITTLES_LAW,
                !(abs(more) > limit),
                text(
                        "throughput times response time is %.1f users, of %.1f who waited in its time slices of %d ms (limit %.0f %% of %d)",
                        timeSlices.accounted(), counted.users(), interleaving.timeSliceMs(), 100 * limit, users));
    }

    /**
     * Returns a warning if requests of a list were sent unequally often. Users repeat their list, so the numbers of two
     * requests may differ by at most one per user.
     */
    public static Optional<Warning> mix(String name, List<RequestTally> list, int users) {
        LongSummaryStatistics sent = list.stream().mapToLong(RequestTally::sent).summaryStatistics();
        return list.isEmpty() || sent.getMax() - sent.getMin() <= users
                ? Optional.empty()
                : Optional.of(Warning.of(
                        WarningKind.UNEQUAL_MIX,
                        text(
                                "%s: %d to %d of each request of the list, with %d users",
                                name, sent.getMin(), sent.getMax(), users)));
    }

    static Warning compiling(ServerUse use) {
        double percent = use.of(Metric.COMPILER);
        return Double.isNaN(percent)
                ? Warning.notJudged(WarningKind.COMPILING, "the compiler's time was not read")
                : Warning.of(
                        WarningKind.COMPILING,
                        percent <= ServerUse.COMPILING_PERCENT,
                        text("%.1f %% of the server's CPU time (limit %.0f %%)", percent, ServerUse.COMPILING_PERCENT));
    }

    static Warning disturbed(ServerUse use) {
        double others = use.of(Metric.OTHERS);
        double steal = use.of(Metric.STEAL);
        List<String> found = ServerUse.disturbances(others, steal, ServerUse.DISTURBED_PERCENT);
        if (!found.isEmpty()) {
            return Warning.of(WarningKind.DISTURBED, String.join("; ", found));
        }
        return Double.isNaN(others) && Double.isNaN(steal)
                ? Warning.notJudged(WarningKind.DISTURBED, "the processor time that others took was not read")
                : Warning.of(
                        WarningKind.DISTURBED,
                        true,
                        text("others took at most %.0f %% of the processors' time", ServerUse.DISTURBED_PERCENT));
    }

    /** @param connecting number of users that open their connections while the server is watched */
    static Optional<Warning> dropped(long attempts, int connecting) {
        return connecting > 0 && attempts > DROPPED * connecting
                ? Optional.of(Warning.of(
                        WarningKind.CONNECTIONS_DROPPED,
                        text(
                                "the kernel dropped %d attempts of %d users to connect, because too many waited to be accepted (limit %.0f %%)",
                                attempts, connecting, 100 * DROPPED)))
                : Optional.empty();
    }

    private static Warning order(Facts load) {
        Latency l = load.steady.latency();
        if (load.steady.count() == 0 || load.hasOnlySums()) {
            return Warning.notJudged(
                    WarningKind.PERCENTILE_ORDER, load.hasOnlySums() ? SUMS : "no request in the window");
        }
        double[] rising = {l.min(), l.p50(), l.p75(), l.p90(), l.p95(), l.p99(), l.p999(), l.max()};
        boolean ordered = l.min() <= l.mean() && l.mean() <= l.max();
        for (int i = 1; i < rising.length; i++) {
            ordered &= rising[i - 1] <= rising[i];
        }
        return Warning.of(
                WarningKind.PERCENTILE_ORDER,
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

    private static Warning counts(Facts load) {
        long inHistogram = load.all.histogram().getTotalCount();
        long inSlices = load.slices.stream().mapToLong(Slice::count).sum();
        long started = load.all.started();
        long count = load.whole.count();
        if (load.hasOnlySums()) {
            return Warning.notJudged(WarningKind.COUNTS, SUMS);
        }
        return Warning.of(
                WarningKind.COUNTS,
                inHistogram == count && inSlices == count && started == count,
                text(
                        "whole run: %d counted, %d in the histogram, %d in the slices, %d started",
                        count, inHistogram, inSlices, started));
    }

    static List<Warning> ofLog(Recorder recorder, long records, long counted) {
        List<Warning> checks = new ArrayList<>();
        checks.add(complete(recorder.truncation()));
        checks.add(Warning.of(
                WarningKind.RAW_COUNT,
                records == counted,
                text("%d requests in the log, %d in the loads", records, counted)));
        checks.add(Warning.of(
                WarningKind.POSSIBLE_TIMES,
                recorder.impossible() == 0 && recorder.far().isEmpty(),
                Stream.concat(
                                Stream.of(text(
                                                "%d requests end before they start, or after decades; they count in no"
                                                        + " load",
                                                recorder.impossible()))
                                        .filter(words -> recorder.impossible() > 0
                                                || recorder.far().isEmpty()),
                                recorder.far().stream())
                        .collect(Collectors.joining("; "))));
        if (recorder.repeated() > 0) {
            checks.add(Warning.of(
                    WarningKind.REPEATED_ROWS,
                    false,
                    text(
                            "%d rows have the thread, name, time and duration of another: each is counted once",
                            recorder.repeated())));
        }
        recorder.broken().ifPresent(words -> checks.add(Warning.of(WarningKind.BROKEN_ROWS, false, words)));
        long generator = recorder.generatorErrors().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        String kinds = recorder.generatorErrors().entrySet().stream()
                .map(e -> e.getValue() + " x " + e.getKey())
                .collect(Collectors.joining("; "));
        checks.add(Warning.of(
                WarningKind.GENERATOR_ERRORS,
                generator == 0,
                generator == 0 ? "none" : text("%d that belong to no request: %s", generator, kinds)));
        return checks;
    }

    private static Warning complete(Optional<String> truncation) {
        return Warning.of(WarningKind.LOG_COMPLETE, truncation.isEmpty(), truncation.orElse("ends after a record"));
    }

    /**
     * Returns the warnings about a log of time slices as a whole.
     *
     * @param impossible number of requests that end before they start, or after decades
     * @param generatorErrors number of errors that belong to no request, by kind
     */
    static List<Warning> ofTimeSlicesLog(
            Optional<String> truncation, long impossible, Map<String, Long> generatorErrors) {
        return Stream.of(
                        complete(truncation),
                        Warning.of(
                                WarningKind.POSSIBLE_TIMES,
                                impossible == 0,
                                impossible + " requests end before they start, or after decades"),
                        Warning.of(WarningKind.GENERATOR_ERRORS, generatorErrors.isEmpty(), generatorErrors.toString()))
                .filter(Warning::failed)
                .toList();
    }

    private static String percent(double share) {
        return text("%.2f %%", 100 * share);
    }

    private static String signed(double share) {
        return text("%+.2f %%", 100 * share);
    }

    /** Returns whole numbers without decimals, others with one. */
    private static String number(double value) {
        return value == Math.rint(value) ? text("%.0f", value) : text("%.1f", value);
    }
}
