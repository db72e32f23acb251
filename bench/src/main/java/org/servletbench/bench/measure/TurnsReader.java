package org.servletbench.bench.measure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.MarkKind;

/**
 * Measures a {@link Rotation} from a log, in two passes. The first finds when each turn's server had the users for itself: the
 * answers of the server before must all have come. The second counts the answers.
 *
 * <p>A pause belongs to the turn in whose counted part it began. Where at least half of the users wait for what was sent in it, for longer
 * after the turn than is usual, that time is added to it; where they wait so for what was sent before it, that time does not count.
 */
public final class TurnsReader {

    /** A log, or several as one, that can be read more than once. */
    @FunctionalInterface
    public interface Log {
        /** Reads it from its beginning: the sink makes of each head what takes the records after it. Returns the number of requests. */
        long read(Function<LogSource, ? extends Records> sink) throws IOException;
    }

    /** A stretch of time: {@code [fromMs, toMs)}, ms since the epoch. */
    public record Span(long fromMs, long toMs) {}

    /**
     * What was found.
     *
     * @param servers one for each name, in the rotation's order
     * @param checks of the log as a whole: what failed
     * @param logged requests of these names in the log, those outside of the turns among them
     * @param records requests in the log, of whatever name
     * @param sent by server: when the requests were sent whose response times count
     */
    public record Result(
            List<TurnsMeasurement> servers, List<Check> checks, long logged, long records, List<List<Span>> sent) {

        /**
         * The rates of a server {@link Relative relative to the others}, in its batches, in order of time; none of fewer than
         * {@link Trend#LEAST_POINTS} rounds.
         */
        public List<Double> besideOthers(int server) {
            List<List<Double>> rates =
                    servers.stream().map(TurnsMeasurement::rates).toList();
            return rates.get(server).size() < Trend.LEAST_POINTS
                    ? List.of()
                    : Relative.of(rates).get(server);
        }
    }

    /** Batches of rounds, about: enough to see a trend, few enough that chance does not make a batch. */
    private static final int BATCHES = 30;

    /** Rounds of a batch: so many that every load with enough rounds has enough batches for a {@link Trend}. */
    private static int roundsOfBatch(int rounds) {
        return Math.max(1, Math.min((rounds + BATCHES - 1) / BATCHES, rounds / Trend.LEAST_POINTS));
    }

    /** Response times are taken of requests that are sent so many mean response times before the end of a turn, or earlier. */
    private static final double TAIL = 3;

    /** With fewer users than this share held by another server a turn still counts: one late answer among many is no stall. */
    private static final double STUCK = 0.05;

    /** Of exponential waits one in 500 is longer than the median by so many times what the upper quartile is. */
    private static final int BY_CHANCE = 8;

    private final Rotation rotation;
    /** Of the requests that users send to each server in order; empty where that is one. */
    private final List<String> labels;
    /** In the log: those of the first server, of the second, and so on. */
    private final List<String> names;

    private final int users;
    private final int[] order;
    /** By server: whole turns of others in which it held their users. */
    private final int[] blocked;
    /** By turn: from when it counts, ms since the epoch. */
    private final long[] countFrom;
    /** By server: sum and number of all response times, ms. */
    private final long[] responses;

    private final long[] answers;
    /** The end of a turn that is not counted, ms. */
    private final long cutMs;

    private TurnsReader(Rotation rotation, List<String> labels, int users, double uncertaintyMs) {
        long uncertain = (long) Math.ceil(uncertaintyMs);
        this.cutMs = uncertain > Rotation.SKIP_MS ? uncertain : 0;
        this.rotation = rotation;
        this.labels = labels;
        this.names = labels.isEmpty()
                ? rotation.names()
                : rotation.names().stream()
                        .flatMap(name -> labels.stream().map(label -> Load.step(name, label)))
                        .toList();
        this.users = users;
        this.blocked = new int[rotation.names().size()];
        this.order = rotation.order();
        this.countFrom = new long[order.length];
        this.responses = new long[rotation.names().size()];
        this.answers = new long[rotation.names().size()];
        for (int turn = 0; turn < order.length; turn++) {
            countFrom[turn] = Math.min(rotation.fromMs(turn) + Math.max(Rotation.SKIP_MS, cutMs), countTo(turn));
        }
        // What was under way before it is not in the log.
        countFrom[0] = countTo(0);
    }

    /** The ms after the counted part of a turn. */
    private long countTo(int turn) {
        return rotation.toMs(turn) - cutMs;
    }

    /**
     * Measures; the log is read twice.
     *
     * @param labels of the requests that users send in order; empty: those of a server have its name alone
     * @param uses CPU times at the edges of turns, of any turns
     * @param uncertaintyMs by how much the clocks of several hosts may differ, ms; where that is more than the {@value Rotation#SKIP_MS} ms that
     *     are cut already, turns are cut by it on both sides. A turn must be longer than twice that
     * @throws UnreadableLogException if it is no log
     */
    public static Result read(
            Rotation rotation, List<String> labels, int users, List<TurnUse> uses, double uncertaintyMs, Log log)
            throws IOException {
        TurnsReader reader = new TurnsReader(rotation, labels, users, uncertaintyMs);
        Drains drains = reader.new Drains();
        log.read(drains::of);
        drains.leaveOutBlockedTurns();
        Counts counts = reader.new Counts(uses);
        long records = log.read(counts::of);
        return counts.result(records);
    }

    /** The part that both passes share: names, and the log's own clock. */
    private abstract class Pass implements Records {
        private final Map<String, Integer> known = new HashMap<>();
        final Tally.Kinds kinds = new Tally.Kinds();
        private long originMs;

        Records of(LogSource source) {
            originMs = source.originMs();
            return this;
        }

        /** 0 for what is not of this rotation: another one of the same log. */
        @Override
        public int cell(String name) {
            return known.computeIfAbsent(name, names::indexOf) + 1;
        }

        @Override
        public int errorKind(String message) {
            return kinds.number(message);
        }

        @Override
        public void request(int cell, long startMs, long endMs, int kind) {
            if (cell > 0) {
                int each = Math.max(1, labels.size());
                request((cell - 1) / each, (cell - 1) % each, originMs + startMs, originMs + endMs, kind);
            }
        }

        /** @param index of the request in the list */
        abstract void request(int server, int index, long startMs, long endMs, int kind);

        /** The turn at a time, or -1. */
        int turnAt(long ms) {
            long turn = rotation.turnAt(ms);
            return turn < 0 || turn >= order.length ? -1 : (int) turn;
        }
    }

    /** The first pass: a turn counts after the last answer that another server still owed. */
    private final class Drains extends Pass {
        /** By turn and server: requests that another server owed from before the turn until after it. */
        private final int[][] owed = new int[order.length][rotation.names().size()];

        /** A server that stalls for longer than a turn holds users whom the next server should have had. */
        void leaveOutBlockedTurns() {
            for (int turn = 0; turn < order.length; turn++) {
                if (Arrays.stream(owed[turn]).sum() >= Math.max(1, STUCK * users)) {
                    countFrom[turn] = countTo(turn);
                    int most = 0;
                    for (int server = 1; server < owed[turn].length; server++) {
                        most = owed[turn][server] > owed[turn][most] ? server : most;
                    }
                    blocked[most]++;
                }
            }
        }

        @Override
        void request(int server, int index, long startMs, long endMs, int kind) {
            responses[server] += endMs - startMs;
            answers[server]++;
            long past = Math.min(order.length, rotation.turnAt(endMs));
            for (long covered = Math.max(0, rotation.turnAt(startMs) + 1); covered < past; covered++) {
                if (order[(int) covered] != server) {
                    owed[(int) covered][server]++;
                }
            }
            int turn = turnAt(endMs);
            // Who began in this turn began by a clock that is a ms off, at its end, and owes it nothing.
            if (turn >= 0
                    && order[turn] != server
                    && startMs < rotation.fromMs(turn) + Rotation.SKIP_MS / 2
                    && endMs >= countFrom[turn]) {
                countFrom[turn] = Math.min(endMs + 1, countTo(turn));
            }
        }
    }

    private final class Counts extends Pass {
        private final TurnUse[] uses = new TurnUse[order.length];
        private final long[] used = new long[order.length];
        private final long[] ended = new long[order.length];
        private final long[] failed = new long[order.length];
        /** By turn, ms: how long each answer came after it of what was sent in it, and in it of what was sent before. */
        private final Map<Integer, List<Long>> after = new HashMap<>();

        private final Map<Integer, List<Long>> before = new HashMap<>();
        private final List<Sums> sums = new ArrayList<>();
        /** By server: requests that are sent so short before the end of a turn are answered in the next one, ms. */
        private final long[] last = new long[answers.length];

        private final Map<Integer, Long> generatorErrors = new HashMap<>();
        private String truncation = "";
        private long impossible;
        private long logged;

        Counts(List<TurnUse> uses) {
            uses.forEach(use -> this.uses[use.turn()] = use);
            for (int server = 0; server < last.length; server++) {
                double mean = (double) responses[server] / Math.max(1, answers[server]);
                last[server] = Math.max(Rotation.SKIP_MS / 2, Math.round(TAIL * mean));
            }
            rotation.names().forEach(name -> sums.add(new Sums(labels)));
        }

        @Override
        void request(int server, int index, long startMs, long endMs, int kind) {
            long response = endMs - startMs;
            logged++;
            if (response < 0 || response > Recorder.LONGEST_MS) {
                impossible++;
                return;
            }
            int turn = turnAt(endMs);
            Sums own = sums.get(server);
            RequestTally one = own.each.get(index);
            one.logged();
            waits(own, server, startMs, endMs);
            if (turn >= 0) {
                own.all++;
                if (kind != Recorder.OK) {
                    own.failed++;
                    own.kinds.merge(kind, 1L, Long::sum);
                }
                if (order[turn] == server) {
                    TurnUse use = uses[turn];
                    if (use != null && endMs >= use.fromMs() && endMs < use.toMs()) {
                        used[turn]++;
                    }
                    if (endMs >= countFrom[turn] && endMs < countTo(turn)) {
                        ended[turn]++;
                        one.ended(kind != Recorder.OK);
                        if (kind != Recorder.OK) {
                            failed[turn]++;
                        }
                    }
                }
            }
            int sent = turnAt(startMs);
            if (sent >= 0 && order[sent] == server && startMs >= countFrom[sent] && startMs < sentTo(sent)) {
                one.answered(response);
                own.max = Math.max(own.max, response);
            }
        }

        /** Response times are taken of what is sent before, ms. */
        private long sentTo(int turn) {
            return countTo(turn) - last[order[turn]];
        }

        private List<Span> sent(int server) {
            return IntStream.range(0, order.length)
                    .filter(turn -> order[turn] == server && countFrom[turn] < sentTo(turn))
                    .mapToObj(turn -> new Span(countFrom[turn], sentTo(turn)))
                    .toList();
        }

        /** The parts of a request that lie in counted time of its server, and after it. */
        private void waits(Sums own, int server, long startMs, long endMs) {
            long first = Math.max(0, rotation.turnAt(startMs));
            long last = Math.min(order.length - 1L, rotation.turnAt(endMs));
            for (int turn = (int) first; turn <= last; turn++) {
                if (order[turn] == server) {
                    long within = Math.min(endMs, countTo(turn)) - Math.max(startMs, countFrom[turn]);
                    own.waited += Math.max(0, within);
                    if (startMs < countFrom[turn] && within > 0) {
                        before.computeIfAbsent(turn, none -> new ArrayList<>()).add(within);
                    } else if (startMs >= countFrom[turn] && startMs < countTo(turn) && endMs > countTo(turn)) {
                        after.computeIfAbsent(turn, none -> new ArrayList<>()).add(endMs - countTo(turn));
                    }
                }
            }
        }

        /**
         * By turn: how long a server paused after it ({@link #after}), or in it from before its counted part on ({@link #before}), ms. Half
         * of the users wait so long beyond what is usual after its turns. Less than the {@value Rotation#SKIP_MS} ms in which users
         * arrive is none, nor is what the last answers of a turn take by chance beside the next server.
         */
        private long[] pauses(int server, Map<Integer, List<Long>> waits) {
            long[] half = new long[order.length];
            Arrays.setAll(half, turn -> order[turn] == server ? half(waits.get(turn)) : 0);
            long[] own = IntStream.range(0, order.length)
                    .filter(turn -> order[turn] == server && countFrom[turn] < countTo(turn))
                    .mapToLong(turn -> half[turn])
                    .sorted()
                    .toArray();
            long usual = own.length == 0 ? 0 : own[own.length / 2];
            long spread = own.length == 0 ? 0 : own[3 * own.length / 4] - usual;
            return Arrays.stream(half)
                    .map(late -> late - usual < Math.max(Rotation.SKIP_MS, BY_CHANCE * spread) ? 0 : late - usual)
                    .toArray();
        }

        /** So long at least half of the users waited, ms. */
        private long half(List<Long> waits) {
            int least = (users + 1) / 2;
            return waits == null || waits.size() < least
                    ? 0
                    : waits.stream().sorted(Comparator.reverseOrder()).toList().get(least - 1);
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
            List<TurnsMeasurement> servers = new ArrayList<>();
            for (int server = 0; server < sums.size(); server++) {
                servers.add(measurement(server));
            }
            List<Check> checks = new ArrayList<>();
            servers.forEach(
                    one -> RequestTally.mix(one.name(), one.each(), users).ifPresent(checks::add));
            if (!truncation.isEmpty()) {
                checks.add(Check.of(MarkKind.LOG_COMPLETE, false, truncation));
            }
            if (impossible > 0) {
                checks.add(Check.of(
                        MarkKind.POSSIBLE_TIMES,
                        false,
                        impossible + " requests end before they start, or after decades"));
            }
            if (!generatorErrors.isEmpty()) {
                checks.add(Check.of(
                        MarkKind.GENERATOR_ERRORS,
                        false,
                        kinds.named(generatorErrors).toString()));
            }
            return new Result(
                    List.copyOf(servers),
                    List.copyOf(checks),
                    logged,
                    records,
                    IntStream.range(0, sums.size()).mapToObj(this::sent).toList());
        }

        private TurnsMeasurement measurement(int server) {
            Sums own = sums.get(server);
            int rounds = rotation.rounds();
            int batchRounds = roundsOfBatch(rounds);
            int batches = (rounds + batchRounds - 1) / batchRounds;
            long[] inBatch = new long[batches];
            long[] msOfBatch = new long[batches];
            long watchedMs = 0;
            long errors = 0;
            long chargedMs = 0;
            long[] serverMsOfBatch = new long[batches];
            long[] usedInBatch = new long[batches];
            int readings = 0;
            long withUse = 0;
            long useMs = 0;
            long serverMs = 0;
            long generatorMs = 0;
            long[] earlier = pauses(server, before);
            long[] later = pauses(server, after);
            for (int turn = 0; turn < order.length; turn++) {
                if (order[turn] != server) {
                    continue;
                }
                int batch = turn / rotation.names().size() / batchRounds;
                watchedMs += countTo(turn) - countFrom[turn];
                inBatch[batch] += ended[turn];
                errors += failed[turn];
                msOfBatch[batch] += countTo(turn) - countFrom[turn] - earlier[turn] + later[turn];
                chargedMs += later[turn];
                TurnUse use = uses[turn];
                if (use != null) {
                    readings++;
                    withUse += used[turn];
                    useMs += use.toMs() - use.fromMs();
                    serverMs += use.serverMs();
                    serverMsOfBatch[batch] += use.serverMs();
                    usedInBatch[batch] += used[turn];
                    generatorMs += use.generatorMs();
                }
            }
            List<Double> rates = new ArrayList<>();
            List<Double> cpuRates = new ArrayList<>();
            for (int batch = 0; batch < batches; batch++) {
                rates.add(msOfBatch[batch] == 0 ? Double.NaN : inBatch[batch] * 1000.0 / msOfBatch[batch]);
                cpuRates.add(usedInBatch[batch] == 0 ? Double.NaN : serverMsOfBatch[batch] * 1e3 / usedInBatch[batch]);
            }
            return new TurnsMeasurement(
                    rotation.names().get(server),
                    Arrays.stream(inBatch).sum(),
                    errors,
                    kinds.named(own.kinds),
                    Arrays.stream(msOfBatch).sum() / 1e3,
                    rounds * rotation.turnMs() / 1e3,
                    own.all,
                    own.failed,
                    blocked[server],
                    chargedMs / 1e3,
                    readings,
                    (double) own.waited / watchedMs,
                    own.latency(),
                    own.max,
                    List.copyOf(rates),
                    List.copyOf(cpuRates),
                    withUse == 0 ? Double.NaN : serverMs * 1e3 / withUse,
                    useMs == 0 ? Double.NaN : (double) serverMs / useMs,
                    useMs == 0 ? Double.NaN : (double) generatorMs / useMs,
                    labels.isEmpty() ? List.of() : own.each);
        }
    }

    private static final class Sums {
        private final List<RequestTally> each;
        private final Map<Integer, Long> kinds = new HashMap<>();
        private long all;
        private long failed;
        private long waited;
        private long max = -1;

        Sums(List<String> labels) {
            each = (labels.isEmpty() ? List.of("") : labels)
                    .stream().map(RequestTally::new).toList();
        }

        /** Of all requests of the list, ms. */
        Histogram latency() {
            Histogram latency = new Histogram(LatencyCounts.SIGNIFICANT_DIGITS);
            each.forEach(one -> latency.add(one.latency()));
            return latency;
        }
    }
}
