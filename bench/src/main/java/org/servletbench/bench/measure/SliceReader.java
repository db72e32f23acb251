package org.servletbench.bench.measure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Reading;
import org.servletbench.bench.model.Warning;

/**
 * Measures an {@link Interleaving} from a log, in two passes. The first determines when each time slice's server had
 * the users for itself, after the previous server had sent all of its answers. The second counts the answers.
 *
 * <p>A time slice is timed from answer to answer: from the one with which a share of the users has been answered after
 * its counted part began, to the same one after it ended. Everything the server does in between is charged to it,
 * however long it takes. A pause belongs to the time slice in whose counted part it began. The time that users spend on
 * their first request, or that passes until they arrive, belongs to no time slice.
 *
 * <p>After a time slice, its users go to the next server, which takes the processor away from requests in flight. Their
 * answers come 2 to 13 ms later than within the time slice, which is not the server's own work. Therefore the time to
 * the answer after the end, as a mean over a server's time slices, is compared with that after a moment within the time
 * slice, a tenth of a time slice before its end, and the difference is not charged. Pauses are not part of this
 * comparison; they are charged to the time slice in which they began. Not counting the last tenth of a time slice would
 * make the comparison unnecessary, but pauses of a server that often begin there would be free: in simulations, up to 8
 * % of the time.
 *
 * <p>Users may pause between requests. If a pause begins in a time slice and ends in the next one, its user is then at
 * the next server. The pause is charged to no server, and a time slice counts only after the users whom the previous
 * server answered last have paused. The edges are timed by a quarter of the users who wait for an answer, which are all
 * users if nobody pauses.
 *
 * <p>The mean response time is the time that users waited in the counted parts, divided by the number of answers. The
 * mean over single requests would differ, because the end of a time slice cuts the longest waits short, and at its
 * beginning nobody has waited for long yet.
 */
public final class SliceReader {

    /** A log, or several logs as one, that can be read more than once. */
    @FunctionalInterface
    public interface Log {
        /**
         * Reads the log from its beginning, and returns the number of requests.
         *
         * @param sink creates the receiver of the records after each head
         */
        long read(Function<LogSource, ? extends Records> sink) throws IOException;
    }

    /** A stretch of time: {@code [fromMs, toMs)}, ms since the epoch. */
    public record Span(long fromMs, long toMs) {}

    /**
     * The result of both passes.
     *
     * @param servers one for each name, in the interleaving's order
     * @param checks of the log as a whole that failed
     * @param logged requests of these names in the log, including those outside of the time slices
     * @param records requests in the log, with any name
     * @param sent by server: spans in which those requests were sent whose response times count
     */
    public record Result(
            List<WindowResult> servers, List<Warning> checks, long logged, long records, List<List<Span>> sent) {

        /** Returns the result of a server relative to the others, with the failed checks of the log. */
        public WindowResult window(int server) {
            WindowResult own = servers.get(server);
            return own.with(own.timeSlices().orElseThrow().besideOthers(besideOthers(server)))
                    .ofLog(checks);
        }

        /**
         * Returns the rates of a server {@link Relative relative to the others}, in its batches, in order of time;
         * empty for fewer than {@link Trend#LEAST_POINTS} rounds.
         */
        public List<Double> besideOthers(int server) {
            List<List<Double>> rates = servers.stream().map(WindowResult::rates).toList();
            return rates.get(server).size() < Trend.LEAST_POINTS
                    ? List.of()
                    : Relative.of(rates).get(server);
        }
    }

    /**
     * Approximate number of batches of rounds. It is large enough to show a trend, and small enough that a batch is
     * more than chance.
     */
    private static final int BATCHES = 30;

    /**
     * Returns the number of rounds per batch, so that every load with enough rounds has enough batches for a
     * {@link Trend}.
     */
    private static int roundsOfBatch(int rounds) {
        return Math.max(1, Math.min((rounds + BATCHES - 1) / BATCHES, rounds / Trend.LEAST_POINTS));
    }

    /**
     * Minimum time from sending a request to the end of its time slice for its response time to count, in mean response
     * times.
     */
    private static final double TAIL = 3;

    /**
     * Minimum share of users held by another server for which a time slice does not count. One late answer among many
     * is not a stall.
     */
    private static final double STUCK = 0.05;

    /**
     * Share of the users whose answers mark the edges of a time slice. If the server is the limit, any share is right.
     * If answers only wait, a smaller share counts too little of the time of answers that come in waves, and a larger
     * one too much of the time of answers that come at random, because no new requests are sent after a time slice.
     * With a quarter, both errors are below 1 % for time slices of ten response times.
     */
    private static final double ANSWERED = 0.25;

    /** Its multiples have fractional parts that are spread evenly over 0 to 1. */
    private static final double GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

    /** Minimum time without an answer that counts as a pause of the server, ms. */
    private static final long PAUSE_MS = 10;

    private final Interleaving interleaving;
    /** Mean pause of a user between its requests, ms. */
    private final double pauseMs;
    /** Names of the requests that users send to each server in order; empty if there is only one. */
    private final List<String> labels;
    /** Names in the log: first those of the first server, then those of the second, and so on. */
    private final List<String> names;

    private final int users;
    private final int[] order;
    /** For each server, the number of whole time slices of others during which it held their users. */
    private final int[] blocked;
    /** For each time slice, the start of its counted part, ms since the epoch. */
    private final long[] countFrom;
    /** For each time slice, its start, ms since the epoch; and finally the end of the last one. */
    private final long[] borders;
    /** For each server, the sum and the number of all response times, ms. */
    private final long[] responses;

    private final long[] answers;
    /** Length of the end of a time slice that is not counted, ms. */
    private final long cutMs;
    /** A tenth of a mean time slice, ms. Requests in flight are answered in less time, unless there is a pause. */
    private final long drainMs;

    private SliceReader(Interleaving interleaving, List<String> labels, int users, double uncertaintyMs) {
        long uncertain = (long) Math.ceil(uncertaintyMs);
        this.cutMs = uncertain > Interleaving.SKIP_MS ? uncertain : 0;
        this.drainMs = interleaving.timeSliceMs() / Interleaving.DRAINS;
        this.interleaving = interleaving;
        this.pauseMs = interleaving.pause().meanMs();
        this.labels = labels;
        this.names = labels.isEmpty()
                ? interleaving.names()
                : interleaving.names().stream()
                        .flatMap(name -> labels.stream().map(label -> Load.step(name, label)))
                        .toList();
        this.users = users;
        this.blocked = new int[interleaving.names().size()];
        this.order = interleaving.order();
        this.countFrom = new long[order.length];
        this.responses = new long[interleaving.names().size()];
        this.answers = new long[interleaving.names().size()];
        this.borders = IntStream.rangeClosed(0, order.length)
                .mapToLong(
                        timeSlice -> timeSlice < order.length ? interleaving.fromMs(timeSlice) : interleaving.endMs())
                .toArray();
        for (int timeSlice = 0; timeSlice < order.length; timeSlice++) {
            countFrom[timeSlice] = Math.min(
                    Math.max(
                            interleaving.fromMs(timeSlice) + Math.max(Interleaving.SKIP_MS, cutMs),
                            arrived(borders[timeSlice])),
                    countTo(timeSlice));
        }
        // Requests that were already in flight are not in the log.
        countFrom[0] = countTo(0);
    }

    /** Returns when users have arrived whom another server answered before a given time, ms. They pause first. */
    private long arrived(long answeredMs) {
        return answeredMs + (long) Math.ceil(pauseMs);
    }

    /**
     * If users pause, begins a time slice's counted part at a random moment of a user's cycle, which is a pause and a
     * response. Users who come one by one from a server with another cycle leave gaps that recur in each cycle, always
     * at the same time after the start of a time slice.
     */
    private void beginAtRandom() {
        for (int timeSlice = 0; timeSlice < order.length && pauseMs > 0; timeSlice++) {
            double share = (timeSlice / interleaving.names().size() * GOLDEN_RATIO) % 1;
            countFrom[timeSlice] = Math.min(
                    countFrom[timeSlice] + Math.round(share * (pauseMs + responseMs(order[timeSlice]))),
                    countTo(timeSlice));
        }
    }

    private double responseMs(int server) {
        return (double) responses[server] / Math.max(1, answers[server]);
    }

    /**
     * Returns the number of answers that mark the edges of a server's time slices; 0 if so few users wait for an answer
     * that the clock decides.
     */
    private int answersOfEdge(int server) {
        return pauseMs == 0
                ? (int) Math.max(1, Math.round(ANSWERED * users))
                : (int) Math.round(ANSWERED * users * responseMs(server) / (responseMs(server) + pauseMs));
    }

    /** Returns the end of the counted part of a time slice, ms (exclusive). */
    private long countTo(int timeSlice) {
        return borders[timeSlice + 1] - cutMs;
    }

    /**
     * Returns a moment near the end of a time slice, ms. Users who are answered in the following tenth of the time
     * slice still send to the same server.
     */
    private long beforeEnd(int timeSlice) {
        return countTo(timeSlice) - drainMs;
    }

    /**
     * Measures the time slices, reading the log twice.
     *
     * @param labels names of the requests that users send in order; empty if a server's requests have only its name
     * @param uses CPU times at the edges of time slices, which may be missing for some
     * @param uncertaintyMs largest difference between the clocks of several hosts, ms. If it exceeds the
     *     {@value Interleaving#SKIP_MS} ms that are cut in any case, time slices are cut by it on both sides, and must
     *     be longer than twice this time
     * @throws UnreadableLogException if it is not a log
     */
    public static Result read(
            Interleaving interleaving,
            List<String> labels,
            int users,
            List<SliceUsage> uses,
            double uncertaintyMs,
            Log log)
            throws IOException {
        SliceReader reader = new SliceReader(interleaving, labels, users, uncertaintyMs);
        Drains drains = reader.new Drains();
        log.read(drains::of);
        drains.leaveOutBlockedSlices();
        reader.beginAtRandom();
        Counts counts = reader.new Counts(uses);
        long records = log.read(counts::of);
        return counts.result(records);
    }

    /** What both passes have in common: names, and the log's own clock. */
    private abstract class Pass implements Records {
        private final Map<String, Integer> known = new HashMap<>();
        final Tally.Kinds kinds = new Tally.Kinds();
        private long originMs;
        private int latest;

        Records of(LogSource source) {
            originMs = source.originMs();
            return this;
        }

        /** Returns 0 for names that belong to another interleaving of the same log. */
        @Override
        public int load(String name) {
            return known.computeIfAbsent(name, names::indexOf) + 1;
        }

        @Override
        public int errorKind(String message) {
            return kinds.number(message);
        }

        @Override
        public void request(int load, long startMs, long endMs, int kind) {
            if (load > 0) {
                int each = Math.max(1, labels.size());
                request((load - 1) / each, (load - 1) % each, originMs + startMs, originMs + endMs, kind);
            }
        }

        /** @param index index of the request in the list */
        abstract void request(int server, int index, long startMs, long endMs, int kind);

        /** Returns the time slice at this time; -1 if there is none. */
        int timeSliceAt(long ms) {
            int timeSlice = placeOf(ms);
            return timeSlice >= order.length ? -1 : timeSlice;
        }

        /**
         * Returns the time slice at this time; -1 before the first one, and their number after the last one. Times come
         * almost in order.
         */
        int placeOf(long ms) {
            if (ms >= borders[latest] && (latest == order.length || ms < borders[latest + 1])) {
                return latest;
            }
            int found = Arrays.binarySearch(borders, ms);
            int place = found < 0 ? -found - 2 : found;
            if (place >= 0) {
                latest = place;
            }
            return place;
        }
    }

    /** The first pass: a time slice counts from the last answer that another server still owed. */
    private final class Drains extends Pass {
        /**
         * For each time slice and server, the number of requests that the server owed from before the time slice until
         * after it.
         */
        private final int[][] owed = new int[order.length][interleaving.names().size()];

        /** Excludes time slices during which a stalled server holds their users for longer than the time slice. */
        void leaveOutBlockedSlices() {
            for (int timeSlice = 0; timeSlice < order.length; timeSlice++) {
                if (Arrays.stream(owed[timeSlice]).sum() >= Math.max(1, STUCK * users)) {
                    countFrom[timeSlice] = countTo(timeSlice);
                    int most = 0;
                    for (int server = 1; server < owed[timeSlice].length; server++) {
                        most = owed[timeSlice][server] > owed[timeSlice][most] ? server : most;
                    }
                    blocked[most]++;
                }
            }
        }

        @Override
        void request(int server, int index, long startMs, long endMs, int kind) {
            responses[server] += endMs - startMs;
            answers[server]++;
            long past = Math.min(order.length, placeOf(endMs));
            for (long covered = Math.max(0, placeOf(startMs) + 1); covered < past; covered++) {
                if (order[(int) covered] != server) {
                    owed[(int) covered][server]++;
                }
            }
            int timeSlice = timeSliceAt(endMs);
            // Clocks differ by a ms, so a request that began at the end of the previous time slice may seem to have
            // begun in this one. Here it does not matter.
            if (timeSlice >= 0
                    && order[timeSlice] != server
                    && startMs < borders[timeSlice] + Interleaving.SKIP_MS / 2
                    && arrived(endMs) >= countFrom[timeSlice]) {
                countFrom[timeSlice] = Math.min(arrived(endMs) + 1, countTo(timeSlice));
            }
        }
    }

    private final class Counts extends Pass {
        private final SliceUsage[] uses = new SliceUsage[order.length];
        private final long[] used = new long[order.length];
        private final long[] ended = new long[order.length];
        private final long[] failed = new long[order.length];
        /** For each time slice, the first answers after its counted part began, near its end, and after it ended. */
        private final First[] opening = new First[order.length];

        private final First[] nearing = new First[order.length];
        private final First[] closing = new First[order.length];
        /** For each time slice, the time that users spent on requests of other servers while it counted, ms. */
        private final long[] lateMs = new long[order.length];

        private final List<Sums> sums = new ArrayList<>();
        /**
         * For each server, the time before the end of a time slice from which on requests are answered in the next one,
         * ms.
         */
        private final long[] last = new long[answers.length];

        private final Map<Integer, Long> generatorErrors = new HashMap<>();
        private String truncation = "";
        private long impossible;
        private long logged;

        Counts(List<SliceUsage> uses) {
            uses.forEach(use -> this.uses[use.timeSlice()] = use);
            for (int server = 0; server < last.length; server++) {
                last[server] = Math.max(Interleaving.SKIP_MS / 2, Math.round(TAIL * responseMs(server)));
            }
            interleaving.names().forEach(name -> sums.add(new Sums(labels)));
            int[] edges = IntStream.range(0, last.length)
                    .map(SliceReader.this::answersOfEdge)
                    .toArray();
            Arrays.setAll(opening, timeSlice -> new First(edges[order[timeSlice]]));
            Arrays.setAll(nearing, timeSlice -> new First(edges[order[timeSlice]]));
            Arrays.setAll(closing, timeSlice -> new First(edges[order[timeSlice]]));
        }

        @Override
        void request(int server, int index, long startMs, long endMs, int kind) {
            long response = endMs - startMs;
            logged++;
            if (response < 0 || response > Recorder.LONGEST_MS) {
                impossible++;
                return;
            }
            int timeSlice = timeSliceAt(endMs);
            Sums own = sums.get(server);
            RequestTally one = own.each.get(index);
            one.logged();
            waits(own, server, startMs, endMs);
            if (timeSlice >= 0) {
                own.all++;
                if (kind != Recorder.OK) {
                    own.failed++;
                    own.kinds.merge(kind, 1L, Long::sum);
                }
                if (order[timeSlice] == server) {
                    SliceUsage use = uses[timeSlice];
                    if (use != null && endMs >= use.fromMs() && endMs < use.toMs()) {
                        used[timeSlice]++;
                    }
                    if (endMs >= countFrom[timeSlice] && endMs < countTo(timeSlice)) {
                        ended[timeSlice]++;
                        one.ended(kind != Recorder.OK);
                        if (kind != Recorder.OK) {
                            failed[timeSlice]++;
                        }
                    }
                }
            }
            int sent = timeSliceAt(startMs);
            if (sent >= 0 && order[sent] == server && startMs >= countFrom[sent] && startMs < sentTo(sent)) {
                one.answered(response);
                own.max = Math.max(own.max, response);
            }
        }

        /** Returns the time before which requests must be sent for their response times to count, ms. */
        private long sentTo(int timeSlice) {
            return countTo(timeSlice) - last[order[timeSlice]];
        }

        private List<Span> sent(int server) {
            return IntStream.range(0, order.length)
                    .filter(timeSlice -> order[timeSlice] == server && countFrom[timeSlice] < sentTo(timeSlice))
                    .mapToObj(timeSlice -> new Span(countFrom[timeSlice], sentTo(timeSlice)))
                    .toList();
        }

        /** Adds the parts of a request that lie in the counted time of its own server, and of others. */
        private void waits(Sums own, int server, long startMs, long endMs) {
            long first = Math.max(0, placeOf(startMs));
            long last = Math.min(order.length - 1L, placeOf(endMs));
            for (int timeSlice = (int) first; timeSlice <= last; timeSlice++) {
                long within =
                        Math.max(0, Math.min(endMs, countTo(timeSlice)) - Math.max(startMs, countFrom[timeSlice]));
                if (order[timeSlice] != server) {
                    lateMs[timeSlice] += within;
                } else if (startMs < countTo(timeSlice) && countFrom[timeSlice] < countTo(timeSlice)) {
                    own.waited += within;
                    if (startMs >= countFrom[timeSlice]) {
                        own.sentMs += endMs - startMs;
                    }
                    if (endMs >= countFrom[timeSlice]) {
                        opening[timeSlice].add(endMs);
                    }
                    if (endMs >= beforeEnd(timeSlice)) {
                        nearing[timeSlice].add(endMs);
                    }
                    if (endMs >= countTo(timeSlice)) {
                        closing[timeSlice].add(endMs);
                    }
                }
            }
        }

        /**
         * True if enough requests were in flight. If not, most users are elsewhere, and the rest do not represent them.
         */
        private boolean endsWithAnswer(int timeSlice) {
            return closing[timeSlice].isFull();
        }

        /**
         * Returns by how much the distance of the last answer from the end of a time slice exceeds the distance of the
         * first answer from its start, ms.
         *
         * @param released delay of the last answer because users have left for the next server, ms
         */
        private double overhang(int timeSlice, double released) {
            return endsWithAnswer(timeSlice)
                    ? closing[timeSlice].last()
                            - countTo(timeSlice)
                            - released
                            - (opening[timeSlice].last() - countFrom[timeSlice])
                    : 0;
        }

        /**
         * Returns the mean delay of answers after the ends of a server's time slices, compared with answers within, ms.
         * Time slices with a pause do not count. A pause that begins in the meantime counts as at most a tenth of a
         * time slice, because it may occur more often at one of the two moments.
         */
        private double released(int server) {
            LongSummaryStatistics within = new LongSummaryStatistics();
            LongSummaryStatistics after = new LongSummaryStatistics();
            for (int timeSlice = 0; timeSlice < order.length; timeSlice++) {
                if (order[timeSlice] == server
                        && endsWithAnswer(timeSlice)
                        && countFrom[timeSlice] < beforeEnd(timeSlice)) {
                    waited(nearing[timeSlice], beforeEnd(timeSlice), within);
                    waited(closing[timeSlice], countTo(timeSlice), after);
                }
            }
            return within.getCount() == 0 || after.getCount() == 0 ? 0 : after.getAverage() - within.getAverage();
        }

        private void waited(First answers, long fromMs, LongSummaryStatistics into) {
            if (answers.isFull() && answers.first() - fromMs <= PAUSE_MS) {
                into.accept(Math.min(answers.last() - fromMs, drainMs));
            }
        }

        @Override
        public void generatorError(int kind) {
            generatorErrors.merge(kind, 1L, Long::sum);
        }

        @Override
        public void truncated(String what) {
            truncation = truncation.isEmpty() ? what : truncation + "; " + what;
        }

        Result result(long records) {
            List<WindowResult> servers = new ArrayList<>();
            for (int server = 0; server < sums.size(); server++) {
                servers.add(measurement(server));
            }
            List<Warning> checks = new ArrayList<>();
            servers.forEach(one -> Audit.mix(one.name(), one.each(), users).ifPresent(checks::add));
            checks.addAll(Audit.ofTimeSlicesLog(
                    Optional.of(truncation).filter(words -> !words.isEmpty()),
                    impossible,
                    kinds.named(generatorErrors)));
            return new Result(
                    List.copyOf(servers),
                    List.copyOf(checks),
                    logged,
                    records,
                    IntStream.range(0, sums.size()).mapToObj(this::sent).toList());
        }

        private WindowResult measurement(int server) {
            Sums own = sums.get(server);
            int rounds = interleaving.rounds();
            int batchRounds = roundsOfBatch(rounds);
            int batches = (rounds + batchRounds - 1) / batchRounds;
            long[] inBatch = new long[batches];
            double[] msOfBatch = new double[batches];
            long watchedMs = 0;
            long errors = 0;
            double chargedMs = 0;
            long[] serverMsOfBatch = new long[batches];
            long[] usedInBatch = new long[batches];
            int readings = 0;
            long withUse = 0;
            long useMs = 0;
            Map<String, Long> totals = null;
            long generatorMs = 0;
            long lateMs = 0;
            long timeSliceMs = 0;
            double released = released(server);
            for (int timeSlice = 0; timeSlice < order.length; timeSlice++) {
                if (order[timeSlice] != server) {
                    continue;
                }
                int batch = timeSlice / interleaving.names().size() / batchRounds;
                watchedMs += countTo(timeSlice) - countFrom[timeSlice];
                lateMs += this.lateMs[timeSlice];
                timeSliceMs += borders[timeSlice + 1] - borders[timeSlice];
                double overhang = overhang(timeSlice, released);
                inBatch[batch] += ended[timeSlice];
                errors += failed[timeSlice];
                msOfBatch[batch] += countTo(timeSlice) - countFrom[timeSlice] + overhang;
                chargedMs += overhang > Math.max(Interleaving.SKIP_MS, drainMs) ? overhang : 0;
                SliceUsage use = uses[timeSlice];
                if (use != null) {
                    readings++;
                    withUse += used[timeSlice];
                    useMs += use.toMs() - use.fromMs();
                    totals = totals == null ? use.server() : both(totals, use.server());
                    serverMsOfBatch[batch] += use.serverMs();
                    usedInBatch[batch] += used[timeSlice];
                    generatorMs += use.generatorMs();
                }
            }
            List<Double> rates = new ArrayList<>();
            List<Double> cpuRates = new ArrayList<>();
            for (int batch = 0; batch < batches; batch++) {
                rates.add(msOfBatch[batch] == 0 ? Double.NaN : inBatch[batch] * 1000.0 / msOfBatch[batch]);
                cpuRates.add(usedInBatch[batch] == 0 ? Double.NaN : serverMsOfBatch[batch] * 1e3 / usedInBatch[batch]);
            }
            Histogram latency = own.latency();
            long requests = Arrays.stream(inBatch).sum();
            double ms = Arrays.stream(msOfBatch).sum();
            double waiting = (double) own.waited / watchedMs;
            Summary counted = new Summary(
                    interleaving.originMs(),
                    interleaving.endMs(),
                    ms / 1e3,
                    requests,
                    errors,
                    Map.of(),
                    waiting,
                    Recorder.UNKNOWN,
                    Recorder.UNKNOWN,
                    own.max < 0
                            ? Latency.NONE
                            : Latency.reported(
                                    requests == 0 ? Double.NaN : waiting * ms / requests,
                                    own.max,
                                    latency::getValueAtPercentile));
            SlicesMeasurement timeSlices = new SlicesMeasurement(
                    new SlicesMeasurement.Requests(own.all, own.failed, kinds.named(own.kinds)),
                    new SlicesMeasurement.Held(timeSliceMs / 1e3, blocked[server], chargedMs / 1e3, readings),
                    new SlicesMeasurement.Users((double) lateMs / watchedMs, own.sentMs / ms),
                    new SlicesMeasurement.Batches(List.copyOf(rates), List.copyOf(cpuRates), List.of()));
            return WindowResult.of(interleaving.names().get(server), counted)
                    .with(latency, labels.isEmpty() ? List.of() : own.each)
                    .with(timeSlices)
                    .with(new WindowResult.Meters(
                            interleaving.originMs(),
                            interleaving.endMs(),
                            own.all,
                            1.0 / interleaving.names().size(),
                            0,
                            own(totals == null ? Map.of() : totals, withUse, useMs, generatorMs)))
                    .withWarnings(Audit.ofTimeSlices(timeSlices, counted, users, interleaving, labels.size() > 1));
        }
    }

    /** Adds the columns that both have. A column that is missing in any time slice is unknown for all requests. */
    private static Map<String, Long> both(Map<String, Long> one, Map<String, Long> other) {
        Map<String, Long> sum = new HashMap<>(one);
        sum.keySet().retainAll(other.keySet());
        sum.replaceAll((column, total) -> total + other.get(column));
        return sum;
    }

    /**
     * Returns the figures from readings at the edges of time slices, which are all figures per request whose column was
     * read.
     */
    private static Map<Metric, Double> own(Map<String, Long> totals, long requests, long ms, long generatorMs) {
        Map<Metric, Double> own = new EnumMap<>(Metric.class);
        for (Metric metric : Metric.ofServer()) {
            Reading reading = metric.reading().orElseThrow();
            Long total = totals.get(reading.column());
            if (reading.how() == Reading.How.PER_REQUEST && (total != null || metric == Metric.CPU)) {
                own.put(metric, requests == 0 || total == null ? Double.NaN : total * reading.factor() / requests);
            }
        }
        double serverMs = totals.getOrDefault(MonitorSeries.CPU, 0L);
        own.put(Metric.SERVER_CORES, ms == 0 ? Double.NaN : serverMs / ms);
        own.put(Metric.GENERATOR_CORES, ms == 0 ? Double.NaN : (double) generatorMs / ms);
        return own;
    }

    private static final class Sums {
        private final List<RequestTally> each;
        private final Map<Integer, Long> kinds = new HashMap<>();
        private long all;
        private long failed;
        private long waited;
        /** Sum of the response times of requests that were sent in counted time, ms. */
        private long sentMs;

        private long max = -1;

        Sums(List<String> labels) {
            each = (labels.isEmpty() ? List.of("") : labels)
                    .stream().map(RequestTally::new).toList();
        }

        /** Returns the response times of all requests of the list, ms. */
        Histogram latency() {
            Histogram latency = new Histogram(LatencyCounts.SIGNIFICANT_DIGITS);
            each.forEach(one -> latency.add(one.latency()));
            return latency;
        }
    }

    /** The first answers after a certain time. */
    private static final class First {
        private final long[] ends;
        private int known;

        First(int most) {
            ends = new long[most];
        }

        /**
         * Adds an answer, or drops it if it is too late. Times come almost in order, so a new one usually belongs at
         * the end.
         */
        void add(long endMs) {
            if (ends.length == 0 || known == ends.length && endMs >= ends[known - 1]) {
                return;
            }
            int place = known < ends.length ? known++ : known - 1;
            for (; place > 0 && ends[place - 1] > endMs; place--) {
                ends[place] = ends[place - 1];
            }
            ends[place] = endMs;
        }

        /** True if all of the answers have come. */
        boolean isFull() {
            return ends.length > 0 && known == ends.length;
        }

        long first() {
            return ends[0];
        }

        /** Returns the time of the last of these answers, ms. */
        long last() {
            return ends[ends.length - 1];
        }
    }
}
