package org.servletbench.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.model.Cpus;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Pause;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;

/** Measures time slices of simulated servers and users whose true rates are known. */
class SliceReaderTest {

    private static final long ORIGIN = 1_000_000;
    private static final int USERS = 20;

    /** A request in a log, with times in ms since the epoch. */
    private record Sample(int server, long start, long end, boolean failed) {}

    private static SliceReader.Log log(List<Sample> samples) {
        return log(List.of("a", "b", "c"), samples);
    }

    /** Returns a log of samples, whose clock starts at 900 s. */
    private static SliceReader.Log log(List<String> names, List<Sample> samples) {
        return sink -> {
            Records records =
                    sink.apply(new LogSource("test", "", 900_000, LogSource.Users.RECORDS, false, false, false));
            int[] loads = names.stream().mapToInt(records::load).toArray();
            for (Sample sample : samples) {
                records.request(
                        loads[sample.server],
                        sample.start - 900_000,
                        sample.end - 900_000,
                        sample.failed ? records.errorKind("status 500") : Recorder.OK);
            }
            return samples.size();
        };
    }

    /**
     * Simulates users who move from server to server by the clock. Each server is one processor, shared by all of them.
     *
     * @param serviceMs time that each server needs for a request, ms
     * @param speed the machine's speed over time; 1 is normal
     */
    private static List<Sample> load(
            Interleaving interleaving, int users, double[] serviceMs, java.util.function.DoubleUnaryOperator speed) {
        return load(interleaving, users, serviceMs, speed, Integer.MAX_VALUE, 0);
    }

    /** Simulates users as above, but the first server pauses at random, after this many requests on average. */
    private static List<Sample> load(
            Interleaving interleaving,
            int users,
            double[] serviceMs,
            java.util.function.DoubleUnaryOperator speed,
            int pauseEvery,
            double pauseMs) {
        Random random = new Random(1);
        int[] order = interleaving.order();
        List<Sample> samples = new ArrayList<>();
        // Requests wait in one queue, and one processor serves them in the order in which they were sent.
        PriorityQueue<double[]> queue = new PriorityQueue<>((x, y) -> Double.compare(x[0], y[0]));
        for (int user = 0; user < users; user++) {
            queue.add(new double[] {interleaving.originMs() - 200 + user * 0.01});
        }
        double free = 0;
        while (!queue.isEmpty()) {
            double sent = queue.poll()[0];
            long timeSlice = interleaving.timeSliceAt((long) Math.floor(sent));
            if (timeSlice >= order.length) {
                continue;
            }
            int server = timeSlice < 0 ? 0 : order[(int) timeSlice];
            double begin = Math.max(sent, free);
            free = begin + serviceMs[server] / speed.applyAsDouble(begin);
            free += server == 0 && random.nextInt(pauseEvery) == 0 ? pauseMs : 0;
            if (timeSlice >= 0) {
                samples.add(new Sample(server, (long) Math.floor(sent), (long) Math.floor(free), false));
            }
            queue.add(new double[] {free});
        }
        return samples;
    }

    private static Interleaving interleaving(int servers, long timeSliceMs, int rounds) {
        return new Interleaving(List.of("a", "b", "c").subList(0, servers), ORIGIN, timeSliceMs, rounds, 7);
    }

    @Test
    void everyRoundHasEveryServerOnce() {
        Interleaving interleaving = interleaving(3, 100, 50);
        int[] order = interleaving.order();
        assertThat(order).hasSize(150);
        for (int round = 0; round < 50; round++) {
            int[] one = Arrays.copyOfRange(order, 3 * round, 3 * round + 3);
            Arrays.sort(one);
            assertThat(one).containsExactly(0, 1, 2);
        }
        assertThat(interleaving.order()).isEqualTo(order);
        assertThat(new Interleaving(interleaving.names(), ORIGIN, 100, 50, 8).order())
                .isNotEqualTo(order);
        assertThat(interleaving.timeSliceAt(ORIGIN - 1)).isNegative();
        assertThat(interleaving.timeSliceAt(ORIGIN + 99)).isZero();
        assertThat(interleaving.timeSliceAt(interleaving.endMs())).isEqualTo(150);
        assertThat(interleaving.ends()).hasSize(150).startsWith(100L, 200L);
        assertThatThrownBy(() -> new Interleaving(List.of(), 0, 100, 1, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void turnsOfRandomLengthHaveRecordedBorders() {
        Interleaving interleaving = Interleaving.jittered(List.of("a", "b"), ORIGIN, 250, 40, 7);
        assertThat(interleaving.endMs() - ORIGIN).isBetween(80 * 250 - 80L, 80 * 250 + 80L);
        for (int timeSlice = 0; timeSlice < 80; timeSlice++) {
            assertThat(interleaving.toMs(timeSlice) - interleaving.fromMs(timeSlice))
                    .isBetween(187L, 313L);
            assertThat(interleaving.timeSliceAt(interleaving.fromMs(timeSlice))).isEqualTo(timeSlice);
            assertThat(interleaving.timeSliceAt(interleaving.toMs(timeSlice) - 1))
                    .isEqualTo(timeSlice);
        }
        assertThat(Interleaving.jittered(interleaving.names(), ORIGIN, 250, 40, 8)
                        .ends())
                .isNotEqualTo(interleaving.ends());
        assertThat(interleaving.startingAt(5).ends()).isEqualTo(interleaving.ends());
        assertThatThrownBy(() -> new Interleaving(interleaving.names(), 0, 250, 40, 7, List.of(250L)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** If a machine doubles its speed during the load, every server rises, but none relative to the others. */
    @Test
    void whatTheMachineDoesToAllServersIsGoneFromRatesBesideTheOthers() throws Exception {
        Interleaving interleaving = interleaving(3, 100, 100);
        double span = interleaving.endMs() - interleaving.originMs();
        List<Sample> samples = load(
                interleaving,
                20,
                new double[] {0.1, 0.2, 0.1},
                ms -> 1 + Math.max(0, ms - interleaving.originMs()) / span);
        SliceReader.Result result = SliceReader.read(interleaving, List.of(), USERS, List.of(), 0, log(samples));
        for (int server = 0; server < 3; server++) {
            assertThat(trend(result.servers().get(server).rates()).rises()).isTrue();
            Trend beside = trend(result.besideOthers(server));
            assertThat(beside.rises() || beside.falls()).as(beside.words()).isFalse();
        }
        // On average, the machine was faster by half.
        assertThat(result.besideOthers(1)).hasSize(25).allSatisfy(rate -> assertThat(rate)
                .isCloseTo(7300, within(400.0)));
    }

    /**
     * 31 to 38 rounds used to be 16 to 19 batches without a trend, and so were 20 rounds whose first time slice is not
     * counted.
     */
    @ParameterizedTest
    @ValueSource(ints = {20, 21, 31, 36, 38, 39, 40, 59, 61, 100, 599})
    void everyLoadOfTwentyRoundsOrMoreHasATrend(int rounds) throws Exception {
        Interleaving interleaving = interleaving(3, 40, rounds);
        List<Sample> samples = load(interleaving, 4, new double[] {0.5, 0.6, 0.5}, ms -> 1);
        SliceReader.Result result = SliceReader.read(interleaving, List.of(), 4, List.of(), 0, log(samples));
        for (int server = 0; server < 3; server++) {
            assertThat(Trend.ofRounds(result.besideOthers(server).stream()
                            .mapToDouble(Double::doubleValue)
                            .toArray()))
                    .isPresent();
        }
    }

    @Test
    void fewerRoundsThanTwentyTellNothing() throws Exception {
        Interleaving interleaving = interleaving(3, 40, 19);
        List<Sample> samples = load(interleaving, 4, new double[] {0.5, 0.6, 0.5}, ms -> 1);
        assertThat(SliceReader.read(interleaving, List.of(), 4, List.of(), 0, log(samples))
                        .besideOthers(1))
                .isEmpty();
    }

    private static Trend trend(List<Double> rates) {
        return Trend.of(rates.stream().mapToDouble(Double::doubleValue).toArray())
                .orElseThrow();
    }

    /** Whoever measures something alongside the load must know which time spans counted. */
    @Test
    void responseTimesAreOfWhatWasSentInTheSpansThatAreTold() throws Exception {
        Interleaving interleaving = interleaving(3, 100, 30);
        List<Sample> samples = load(interleaving, 20, new double[] {0.1, 0.2, 0.1}, ms -> 1);
        SliceReader.Result result = SliceReader.read(interleaving, List.of(), USERS, List.of(), 0, log(samples));
        for (int server = 0; server < 3; server++) {
            int own = server;
            List<SliceReader.Span> spans = result.sent().get(server);
            assertThat(spans).isNotEmpty().allSatisfy(span -> {
                long timeSlice = interleaving.timeSliceAt(span.fromMs());
                assertThat(interleaving.order()[(int) timeSlice]).isEqualTo(own);
                assertThat(span.toMs()).isGreaterThan(span.fromMs()).isLessThan(interleaving.toMs((int) timeSlice));
            });
            assertThat(result.servers().get(server).histogram().orElseThrow().getTotalCount())
                    .isPositive()
                    .isEqualTo(samples.stream()
                            .filter(sample -> sample.server == own
                                    && spans.stream()
                                            .anyMatch(span ->
                                                    sample.start >= span.fromMs() && sample.start < span.toMs()))
                            .count());
        }
    }

    @Test
    void trueRatesComeOut() throws Exception {
        Interleaving interleaving = interleaving(3, 100, 100);
        List<Sample> samples = load(interleaving, 20, new double[] {0.1, 0.2, 0.1}, ms -> 1);
        List<WindowResult> servers = SliceReader.read(interleaving, List.of(), USERS, List.of(), 0, log(samples))
                .servers();
        assertThat(servers).extracting(WindowResult::name).containsExactly("a", "b", "c");
        assertThat(servers.get(0).throughput()).isCloseTo(10_000, within(50.0));
        assertThat(servers.get(1).throughput()).isCloseTo(5_000, within(25.0));
        assertThat(servers.get(2).throughput()).isCloseTo(10_000, within(50.0));
        // 20 users at 10,000/s: 2 ms each.
        assertThat(servers.get(0).histogram().orElseThrow().getMean()).isCloseTo(2, within(0.05));
        assertThat(servers.get(1).histogram().orElseThrow().getMean()).isCloseTo(4, within(0.05));
        assertThat(servers.get(0).steady().users()).isCloseTo(20, within(0.2));
        assertThat(servers.get(1).steady().users()).isCloseTo(20, within(0.2));
        assertThat(servers.get(0).timeSlices().orElseThrow().timeSliceSeconds()).isEqualTo(10);
        assertThat(servers.get(0).seconds()).isBetween(7.5, 8.0);
        assertThat(servers.get(0).rates()).hasSize(25);
    }

    /** With several load hosts it is unknown which users were where at the edges of time slices. */
    @Test
    void turnsAreCutOnBothSidesByWhatIsNotKnownOfTheClocks() throws Exception {
        Interleaving interleaving = interleaving(3, 200, 50);
        List<Sample> samples = load(interleaving, 20, new double[] {0.1, 0.2, 0.1}, ms -> 1);
        WindowResult known = SliceReader.read(interleaving, List.of(), USERS, List.of(), 20, log(samples))
                .servers()
                .get(0);
        WindowResult uncertain = SliceReader.read(interleaving, List.of(), USERS, List.of(), 49.5, log(samples))
                .servers()
                .get(0);
        assertThat(known.seconds()).as("20 ms are cut already").isBetween(50 * 0.17, 50 * 0.18);
        assertThat(uncertain.seconds()).as("50 ms on both sides").isBetween(49 * 0.1, 50 * 0.1);
        assertThat(uncertain.throughput()).isCloseTo(10_000, within(50.0));
        assertThat(uncertain.steady().users()).isCloseTo(20, within(0.2));
        assertThat(uncertain.histogram().orElseThrow().getMean()).isCloseTo(2, within(0.05));
        assertThat(uncertain.histogram().orElseThrow().getTotalCount())
                .isLessThan(known.histogram().orElseThrow().getTotalCount() * 2 / 3);
    }

    /**
     * The machine's speed varies by a factor of 1.8 within seconds, as observed. With windows of seconds, ratios would
     * be off by tens of percent.
     */
    @Test
    void theMachinesSpeedCancelsOut() throws Exception {
        Interleaving interleaving = interleaving(3, 100, 100);
        Random random = new Random(3);
        double[] speeds = new double[400];
        double log = 0;
        for (int i = 0; i < speeds.length; i++) {
            log = 0.9 * log + 0.12 * random.nextGaussian();
            speeds[i] = Math.exp(log);
        }
        List<Sample> samples = load(
                interleaving,
                20,
                new double[] {0.1, 0.1, 0.11},
                ms -> speeds[(int) Math.min(speeds.length - 1, Math.max(0, (ms - ORIGIN) / 100))]);
        List<WindowResult> servers = SliceReader.read(interleaving, List.of(), USERS, List.of(), 0, log(samples))
                .servers();
        assertThat(servers.get(1).throughput() / servers.get(0).throughput()).isCloseTo(1, within(0.03));
        assertThat(servers.get(2).throughput() / servers.get(0).throughput()).isCloseTo(1 / 1.1, within(0.03));
    }

    /**
     * Time slices of 40 ms, of which the previous server needs 20 ms for its pending responses. These are waited for.
     */
    @Test
    void aTurnCountsOnceTheServerBeforeHasAnswered() throws Exception {
        Interleaving interleaving = interleaving(2, 100, 200);
        // 300 pending requests take 30 ms (a) and 60 ms (b).
        List<Sample> samples = load(interleaving, 300, new double[] {0.1, 0.2}, ms -> 1);
        List<WindowResult> servers = SliceReader.read(interleaving, List.of(), 300, List.of(), 0, log(samples))
                .servers();
        assertThat(servers.get(0).throughput()).isCloseTo(10_000, within(100.0));
        assertThat(servers.get(1).throughput()).isCloseTo(5_000, within(50.0));
        assertThat(servers.get(0).seconds())
                .as("what the other owed is not counted")
                .isLessThan(15);
    }

    /**
     * Simulates two servers of 10,000 requests/s, the first of which may use half of a processor: half of each period
     * of 100 ms. As in the kernel, a period starts anew after the server was idle for longer than one.
     */
    private static List<Sample> withHalfOfAProcessor(Interleaving interleaving) {
        int[] order = interleaving.order();
        List<Sample> samples = new ArrayList<>();
        PriorityQueue<double[]> queue = new PriorityQueue<>((x, y) -> Double.compare(x[0], y[0]));
        for (int user = 0; user < USERS; user++) {
            queue.add(new double[] {interleaving.originMs() - 200 + user * 0.01});
        }
        double[] free = new double[2];
        double period = 0;
        double used = 0;
        while (!queue.isEmpty()) {
            double sent = queue.poll()[0];
            long timeSlice = interleaving.timeSliceAt((long) Math.floor(sent));
            if (timeSlice >= order.length) {
                continue;
            }
            int server = timeSlice < 0 ? 0 : order[(int) timeSlice];
            double begin = Math.max(sent, free[server]);
            if (server == 0) {
                if (begin - period >= 200) {
                    period = begin;
                    used = 0;
                }
                while (begin - period >= 100) {
                    period += 100;
                    used = 0;
                }
                if (used + 0.1 > 50) {
                    period += 100;
                    used = 0;
                    begin = period;
                }
                used += 0.1;
            }
            free[server] = begin + 0.1;
            if (timeSlice >= 0) {
                samples.add(new Sample(server, (long) Math.floor(sent), (long) Math.floor(free[server]), false));
            }
            queue.add(new double[] {free[server]});
        }
        return samples;
    }

    /** Returns the share of its time slices in which the limited server worked. */
    private static double used(Interleaving interleaving, List<Sample> samples) {
        int[] order = interleaving.order();
        double ms = 0;
        for (int timeSlice = 0; timeSlice < order.length; timeSlice++) {
            ms += order[timeSlice] == 0 ? interleaving.toMs(timeSlice) - interleaving.fromMs(timeSlice) : 0;
        }
        return 0.1 * samples.stream().filter(sample -> sample.server == 0).count() / ms;
    }

    /**
     * While a server waits for its quota, no other server is charged. Short time slices would contain more quotas than
     * their share of time.
     */
    @Test
    void aServerWithALimitIsChargedForItsOwnWaits() throws Exception {
        Interleaving interleaving =
                Interleaving.jittered(List.of("a", "b"), ORIGIN, Cpus.LEAST_SLICE.toMillis(), 60, 7);
        List<Sample> samples = withHalfOfAProcessor(interleaving);
        List<WindowResult> servers = SliceReader.read(
                        interleaving, List.of(), USERS, List.of(), 0, log(interleaving.names(), samples))
                .servers();
        assertThat(servers.get(0).throughput()).isCloseTo(5_000, within(100.0));
        assertThat(servers.get(1).throughput()).isCloseTo(10_000, within(100.0));
        assertThat(servers.get(1).timeSlices().orElseThrow().blocked()).isZero();
        assertThat(used(interleaving, samples)).isCloseTo(0.5, within(0.02));

        Interleaving brief = Interleaving.jittered(List.of("a", "b"), ORIGIN, 250, 480, 7);
        assertThat(used(brief, withHalfOfAProcessor(brief))).isGreaterThan(0.53);
    }

    /**
     * One server freezes for 300 ms, which is three time slices. Its neighbour must not be blamed for the users it did
     * not get.
     */
    @Test
    void aTurnThatAnotherServersPauseCoversDoesNotCount() throws Exception {
        Interleaving interleaving = interleaving(2, 100, 100);
        List<Sample> samples = load(interleaving, USERS, new double[] {0.1, 0.1}, ms -> 1);
        int[] order = interleaving.order();
        List<Sample> stalled = new ArrayList<>();
        List<Long> pauses = new ArrayList<>();
        for (int timeSlice = 10; timeSlice < order.length - 6; timeSlice += 20) {
            if (order[timeSlice] == 0) {
                pauses.add(interleaving.fromMs(timeSlice) + 50);
            }
        }
        assertThat(pauses).isNotEmpty();
        for (Sample sample : samples) {
            long from = pauses.stream()
                    .filter(pause -> sample.end >= pause && sample.end < pause + 300)
                    .findFirst()
                    .orElse(0L);
            // Responses due during the pause come at its end; until then these users send nothing.
            if (from == 0) {
                stalled.add(sample);
            } else if (sample.start < from) {
                stalled.add(new Sample(0, sample.start, from + 300, false));
            }
        }
        List<WindowResult> servers = SliceReader.read(interleaving, List.of(), USERS, List.of(), 0, log(stalled))
                .servers();
        assertThat(servers.get(1).throughput()).isCloseTo(10_000, within(100.0));
        assertThat(servers.get(0).timeSlices().orElseThrow().blocked()).isPositive();
        assertThat(servers.get(1).timeSlices().orElseThrow().blocked()).isZero();
    }

    /** In time slices, a server that pauses for longer than a time slice has the same rate as alone. */
    @ParameterizedTest
    @CsvSource({"20000, 350", "3000, 250", "50000, 1200"})
    void pausesLongerThanATurnAreCharged(int every, double pauseMs) throws Exception {
        Interleaving interleaving = interleaving(2, 100, 1500);
        List<Sample> samples = load(interleaving, USERS, new double[] {0.2, 0.2}, ms -> 1, every, pauseMs);
        List<WindowResult> servers = SliceReader.read(interleaving, List.of(), USERS, List.of(), 0, log(samples))
                .servers();
        double alone = every / (0.0002 * every + pauseMs / 1000);
        assertThat(servers.get(0).throughput()).isCloseTo(alone, within(0.03 * alone));
        assertThat(servers.get(1).throughput()).isCloseTo(5000, within(25.0));
        assertThat(servers.get(0).timeSlices().orElseThrow().chargedSeconds())
                .isGreaterThan(0.03 * servers.get(0).seconds());
        assertThat(servers.get(1).timeSlices().orElseThrow().chargedSeconds()).isZero();
    }

    /** If collections of duration L take a share g of the time, g L / (2 time slice) is not charged: up to 5 % here. */
    @ParameterizedTest
    @CsvSource({"14250, 150, 2", "6750, 150, 3", "22800, 240, 3", "10800, 240, 2", "9500, 100, 2", "9500, 50, 3"})
    void pausesShorterThanATurnAreCharged(int every, double pauseMs, int servers) throws Exception {
        Interleaving interleaving = interleaving(servers, 250, 1500);
        List<Sample> samples = load(interleaving, USERS, new double[] {0.2, 0.2, 0.2}, ms -> 1, every, pauseMs);
        List<WindowResult> measured = SliceReader.read(interleaving, List.of(), USERS, List.of(), 0, log(samples))
                .servers();
        double alone = every / (0.0002 * every + pauseMs / 1000);
        assertThat(measured.get(0).throughput()).isCloseTo(alone, within(0.01 * alone));
        assertThat(measured.get(1).throughput()).isCloseTo(5000, within(5.0));
        assertThat(measured.get(0).timeSlices().orElseThrow().chargedSeconds()).isPositive();
        assertThat(measured.get(1).timeSlices().orElseThrow().chargedSeconds()).isZero();
    }

    /**
     * Simulates a server that pauses after a certain amount of its own work, as garbage collectors do.
     *
     * @return its throughput in time slices relative to that alone on its processor, less 1
     */
    private static double bias(long timeSliceMs, double workMs, double pauseMs, long seed) throws Exception {
        return bias(timeSliceMs, workMs, pauseMs, seed, 1);
    }

    /** @param slower factor by which a response takes longer after the time slice, while the next server works */
    private static double bias(long timeSliceMs, double workMs, double pauseMs, long seed, double slower)
            throws Exception {
        Interleaving interleaving = Interleaving.jittered(
                List.of("a", "b", "c"), ORIGIN, timeSliceMs, (int) Math.max(300, 300_000 / timeSliceMs), seed);
        int[] order = interleaving.order();
        double serviceMs = 0.5;
        List<Sample> samples = new ArrayList<>();
        PriorityQueue<double[]> queue = new PriorityQueue<>((x, y) -> Double.compare(x[0], y[0]));
        for (int user = 0; user < USERS; user++) {
            queue.add(new double[] {interleaving.originMs() + user * 0.01});
        }
        double free = 0;
        double worked = workMs * new Random(seed).nextDouble();
        while (!queue.isEmpty()) {
            double sent = queue.poll()[0];
            int timeSlice = (int) interleaving.timeSliceAt((long) Math.floor(sent));
            if (timeSlice >= order.length) {
                continue;
            }
            double begin = Math.max(sent, free);
            free = begin + (order[timeSlice] == 0 && begin >= interleaving.toMs(timeSlice) ? slower : 1) * serviceMs;
            if (order[timeSlice] == 0) {
                worked += serviceMs;
                if (worked >= workMs) {
                    worked -= workMs;
                    free += pauseMs;
                }
            }
            samples.add(new Sample(order[timeSlice], (long) Math.floor(sent), (long) Math.floor(free), false));
            queue.add(new double[] {free});
        }
        WindowResult server = SliceReader.read(interleaving, List.of(), USERS, List.of(), 0, log(samples))
                .servers()
                .get(0);
        return server.throughput() * (serviceMs / 1000) * (workMs + pauseMs) / workMs - 1;
    }

    /**
     * Pauses at the ends of time slices used to be partly free: with 60 ms after 0.25 s of work, a server appeared 9.6
     * % faster. Pauses that take more than a sixth of the time often start in the uncounted part of a time slice: such
     * a server may appear slower, but not faster.
     */
    @ParameterizedTest
    @ValueSource(longs = {100, 250, 500, 1000})
    @Tag("full")
    void aServerThatPausesLooksAsFastAsItIsAlone(long timeSliceMs) throws Exception {
        for (double pauseMs : new double[] {10, 30, 60, 100, 200}) {
            for (double workMs : new double[] {50, 100, 250, 500, 1000, 3000}) {
                if (pauseMs <= 0.2 * workMs) {
                    assertThat(bias(timeSliceMs, workMs, pauseMs, 1))
                            .as("%.0f ms after %.0f ms", pauseMs, workMs)
                            .isBetween(-0.01, 0.01);
                } else if (pauseMs <= workMs && timeSliceMs > 100) {
                    assertThat(bias(timeSliceMs, workMs, pauseMs, 1))
                            .as("%.0f ms after %.0f ms", pauseMs, workMs)
                            .isLessThan(0.013);
                }
            }
        }
    }

    /**
     * A server that answers pending requests three times more slowly after its time slice used to appear 1.8 % slower
     * than it is.
     */
    @ParameterizedTest
    @CsvSource({"500, 30", "1000, 60", "500, 100"})
    void aServerThatPausesAndCompetesWithTheNextLooksAsFastAsItIsAlone(double workMs, double pauseMs) throws Exception {
        assertThat(bias(250, workMs, pauseMs, 2, 3)).isBetween(-0.005, 0.005);
    }

    /** The same bound for pauses as they are often observed, and for pauses in resonance with the time slices. */
    @ParameterizedTest
    @CsvSource({"250, 60", "500, 60", "230, 30"})
    void aServerThatPausesAboutOnceATurnDoesNotLookFaster(double workMs, double pauseMs) throws Exception {
        assertThat(bias(250, workMs, pauseMs, 2)).isBetween(-0.01, 0.01);
    }

    /** Simulates users of servers that only wait, each for about this long. */
    private static List<WindowResult> waiting(long timeSliceMs, double[] waitMs, double spread) throws Exception {
        Interleaving interleaving = Interleaving.jittered(List.of("a", "b"), ORIGIN, timeSliceMs, 300, 3);
        int[] order = interleaving.order();
        Random random = new Random(5);
        List<Sample> samples = new ArrayList<>();
        for (int user = 0; user < USERS; user++) {
            double now = interleaving.originMs() + random.nextDouble();
            while (now < interleaving.endMs()) {
                int server = order[(int) interleaving.timeSliceAt((long) Math.floor(now))];
                double end = now + Math.max(1, waitMs[server] * (1 + spread * random.nextGaussian()));
                samples.add(new Sample(server, (long) Math.floor(now), (long) Math.floor(end), false));
                now = end;
            }
        }
        return SliceReader.read(interleaving, List.of(), USERS, List.of(), 0, log(samples))
                .servers();
    }

    /**
     * Servers that wait answer nothing for one response time after users arrive. 20 ms against 100 ms used to come out
     * 7.7 % too low.
     */
    @ParameterizedTest
    @CsvSource({"20, 100, 1000", "20, 25, 250", "20, 80, 800", "80, 100, 1000"})
    void aServiceThatWaitsIsCountedFromWhenItsUsersHaveArrived(double a, double b, long timeSliceMs) throws Exception {
        for (double spread : new double[] {0.02, 0.1, 0.2}) {
            List<WindowResult> servers = waiting(timeSliceMs, new double[] {a, b}, spread);
            for (int server = 0; server < 2; server++) {
                double alone = 1000.0 * USERS / (server == 0 ? a : b);
                assertThat(servers.get(server).throughput())
                        .as("%d, spread %.2f", server, spread)
                        .isCloseTo(alone, within(0.015 * alone));
                assertThat(servers.get(server).timeSlices().orElseThrow().accounted())
                        .isCloseTo(USERS, within(0.015 * USERS));
            }
        }
    }

    /**
     * Simulates users who pause between their requests, with servers that take turns, or with a single server.
     *
     * @param timeMs time that each server needs for a request, ms
     * @param works whether a server processes one request after the other; otherwise each response only waits for about
     *     this time
     */
    private static List<Sample> pausing(
            Interleaving interleaving, int users, Pause pause, double[] timeMs, boolean works, long seed) {
        int[] order = interleaving.order();
        Random random = new Random(seed);
        List<Sample> samples = new ArrayList<>();
        double[] free = new double[timeMs.length];
        PriorityQueue<double[]> queue = new PriorityQueue<>((x, y) -> Double.compare(x[0], y[0]));
        for (int user = 0; user < users; user++) {
            queue.add(
                    new double[] {interleaving.originMs() - 1000 + random.nextDouble() * (pause.meanMs() + timeMs[0])});
        }
        while (!queue.isEmpty()) {
            double sent = queue.poll()[0];
            int timeSlice = (int) interleaving.timeSliceAt((long) Math.floor(sent));
            if (timeSlice >= order.length) {
                continue;
            }
            int server = timeSlice < 0 ? 0 : order[timeSlice];
            double time = timeMs[server] * (works ? 0.5 + random.nextDouble() : 1 + 0.1 * random.nextGaussian());
            double end = works ? Math.max(sent, free[server]) + time : sent + time;
            free[server] = end;
            if (timeSlice >= 0) {
                samples.add(new Sample(server, (long) Math.floor(sent), (long) Math.floor(end), false));
            }
            queue.add(new double[] {end + pause.nextMs(random)});
        }
        return samples;
    }

    /** Returns the throughput and the mean response time of a server that has its users all the time. */
    private static double[] alone(int users, Pause pause, double timeMs, boolean works) {
        Interleaving only = new Interleaving(List.of("a"), ORIGIN, 400_000, 1, 7);
        List<Sample> samples = pausing(only, users, pause, new double[] {timeMs}, works, 11);
        return new double[] {
            samples.stream()
                            .filter(one -> one.end >= ORIGIN && one.end < only.endMs())
                            .count()
                    / 400.0,
            samples.stream().mapToLong(one -> one.end - one.start).average().orElseThrow()
        };
    }

    /**
     * Without the special treatment of pauses, three of these fail: by up to 0.9 % in throughput, or by 5.5 % in
     * response time.
     */
    @ParameterizedTest
    @CsvSource({
        "20ms, 100, 0.1, 0.12, true",
        "20ms, 100, 0.1, 0.3, true",
        "20ms, 100, 0.19, 0.5, true",
        "20ms, 20, 0.1, 2, true",
        "20ms, 4, 1, 2, true",
        "20ms, 1, 1, 2, true",
        "20ms, 100, 20, 22, false",
        "20ms, 100, 5, 30, false",
        "20ms, 20, 20, 30, false",
        "100ms, 100, 10, 20, false",
        "exponential 20ms, 100, 0.1, 0.12, true",
        "exponential 20ms, 100, 0.1, 0.3, true",
        "exponential 20ms, 100, 0.19, 0.5, true",
        "exponential 20ms, 20, 0.1, 2, true",
        "exponential 20ms, 100, 20, 22, false",
        "exponential 20ms, 100, 5, 30, false",
        "exponential 20ms, 20, 20, 30, false",
        "exponential 100ms, 100, 10, 20, false",
        "up to 40ms, 100, 0.1, 0.3, true",
        "up to 40ms, 100, 5, 30, false",
    })
    void usersWhoPauseAcrossABorderAreCountedRight(Pause pause, int users, double a, double b, boolean works)
            throws Exception {
        double[] times = {a, b};
        double slowest = users / alone(users, pause, b, works)[0] * 1000;
        long timeSliceMs = Math.max(250, (long) Math.ceil(Interleaving.DRAINS * slowest));
        String load = " " + users + " users pausing " + pause;
        Interleaving interleaving = Interleaving.jittered(
                List.of("a" + load, "b" + load), ORIGIN, timeSliceMs, (int) (400_000 / timeSliceMs), 3);
        List<Sample> samples = pausing(interleaving, users, pause, times, works, 5);
        List<WindowResult> servers = SliceReader.read(
                        interleaving, List.of(), users, List.of(), 0, log(interleaving.names(), samples))
                .servers();
        for (int server = 0; server < 2; server++) {
            WindowResult window = servers.get(server);
            double[] truth = alone(users, pause, times[server], works);
            assertThat(window.throughput()).as("throughput").isCloseTo(truth[0], within(0.005 * truth[0]));
            double meanMs = window.steady().latency().mean();
            assertThat(meanMs).as("response time").isCloseTo(truth[1], within(0.02 * truth[1]));
            assertThat(window.throughput() * (meanMs + pause.meanMs()) / 1000)
                    .as("users")
                    .isCloseTo(users, within(0.01 * users));
            assertThat(warnings(window)).isEmpty();
        }
    }

    /**
     * Simulates one processor that serves two servers alternately, while both have work. Both need the same time for a
     * response. The first gives this share of its responses to the latest request, and all others to the one that has
     * waited longest.
     */
    private static List<WindowResult> unfair(long timeSliceMs, double serviceMs, double newest) throws Exception {
        Interleaving interleaving = Interleaving.jittered(
                List.of("a", "b"), ORIGIN, timeSliceMs, (int) Math.max(20, 100_000 / timeSliceMs), 3);
        int[] order = interleaving.order();
        Random random = new Random(5);
        List<Sample> samples = new ArrayList<>();
        List<ArrayDeque<Double>> waiting = List.of(new ArrayDeque<>(), new ArrayDeque<>());
        double now = interleaving.originMs();
        for (int user = 0; user < USERS; user++) {
            waiting.get(order[0]).addLast(now);
        }
        int server = 0;
        while (waiting.stream().anyMatch(one -> !one.isEmpty())) {
            server = waiting.get(1 - server).isEmpty() ? server : 1 - server;
            ArrayDeque<Double> own = waiting.get(server);
            double sent = server == 0 && random.nextDouble() < newest ? own.pollLast() : own.pollFirst();
            now += serviceMs;
            samples.add(new Sample(server, (long) Math.floor(sent), (long) Math.floor(now), false));
            int timeSlice = (int) interleaving.timeSliceAt((long) Math.floor(now));
            if (timeSlice < order.length) {
                waiting.get(order[timeSlice]).addLast(now);
            }
        }
        return SliceReader.read(interleaving, List.of(), USERS, List.of(), 0, log(samples))
                .servers();
    }

    /**
     * Simulates two servers, the second half as fast, whose pending responses are delayed by this much at the end of a
     * time slice: released users move on to the next server, which takes the processor.
     */
    private static List<WindowResult> drained(long timeSliceMs, int rounds, int users, double serviceMs, double drainMs)
            throws Exception {
        Interleaving interleaving = Interleaving.jittered(List.of("a", "b"), ORIGIN, timeSliceMs, rounds, 3);
        int[] order = interleaving.order();
        Random random = new Random(5);
        List<Sample> samples = new ArrayList<>();
        double[] free = new double[2];
        PriorityQueue<double[]> queue = new PriorityQueue<>((x, y) -> Double.compare(x[0], y[0]));
        for (int user = 0; user < users; user++) {
            queue.add(new double[] {interleaving.originMs() + user * 0.01});
        }
        while (!queue.isEmpty()) {
            double sent = queue.poll()[0];
            int timeSlice = (int) interleaving.timeSliceAt((long) Math.floor(sent));
            if (timeSlice >= order.length) {
                continue;
            }
            int server = order[timeSlice];
            double begin = Math.max(sent, free[server]);
            double end = begin + serviceMs * (1 + server) * (0.5 + random.nextDouble());
            int ended = (int) interleaving.timeSliceAt((long) Math.floor(end));
            boolean competes = begin < interleaving.toMs(timeSlice)
                    && ended > timeSlice
                    && ended < order.length
                    && order[ended] != server;
            free[server] = end + (competes ? drainMs : 0);
            samples.add(new Sample(server, (long) Math.floor(sent), (long) Math.floor(free[server]), false));
            queue.add(new double[] {free[server]});
        }
        return SliceReader.read(interleaving, List.of(), users, List.of(), 0, log(samples))
                .servers();
    }

    /**
     * The 25th response after a time slice used to come 1.1 to 3.1 ms late, so that servers appeared up to 1.3 % slower
     * than they were.
     */
    @ParameterizedTest
    @ValueSource(doubles = {0, 1, 3})
    void answersThatCompeteWithTheNextServerAreNotChargedToTheirTurn(double drainMs) throws Exception {
        List<WindowResult> servers = drained(250, 400, 100, 0.1, drainMs);
        assertThat(servers.get(0).throughput()).isCloseTo(10_000, within(10.0));
        assertThat(servers.get(1).throughput()).isCloseTo(5_000, within(5.0));
        assertThat(servers).allSatisfy(server -> {
            // Users with late responses have waited longer.
            assertThat(server.timeSlices().orElseThrow().accounted()).isCloseTo(100, within(1.0));
            assertThat(server.timeSlices().orElseThrow().chargedSeconds()).isZero();
            assertThat(server.throughput() * server.steady().latency().mean() / 1000)
                    .isCloseTo(100, within(0.5));
            assertThat(warnings(server)).isEmpty();
        });
    }

    /** Pending requests may take a tenth of a time slice, or more if time slices cannot become longer. */
    @ParameterizedTest
    @CsvSource({"250, 0.125, 0.001", "100, 0.05, 0.002", "100, 0.1, 0.005"})
    void theDrainOfAnyTurnIsNotCharged(long timeSliceMs, double serviceMs, double off) throws Exception {
        List<WindowResult> servers =
                drained(timeSliceMs, (int) (100_000 / timeSliceMs), 100, serviceMs, timeSliceMs / 40.0);
        for (int server = 0; server < 2; server++) {
            double alone = 1000 / serviceMs / (1 + server);
            assertThat(servers.get(server).throughput()).isCloseTo(alone, within(off * alone));
        }
    }

    private static List<WarningKind> warnings(WindowResult server) {
        return server.warnings().stream()
                .map(Warning::kind)
                .filter(kind -> kind != WarningKind.NO_CPU_READINGS)
                .toList();
    }

    /**
     * Static pages of a Spring Boot jar: half of the responses took 8 ms, one in a hundred took 250 ms, the length of a
     * time slice. Such a server comes out about 1 % too slow.
     */
    @ParameterizedTest
    @CsvSource({"250, 0.25, 0.9", "500, 0.5, 0.9", "1000, 1.25, 0.9"})
    void whereSomeUsersWaitForLongTheRateIsKnownAndResponseTimesAreNot(
            long timeSliceMs, double serviceMs, double newest) throws Exception {
        List<WindowResult> servers = unfair(timeSliceMs, serviceMs, newest);
        assertThat(warnings(servers.get(0))).containsExactly(WarningKind.CUT_RESPONSES);
        assertThat(warnings(servers.get(1))).isEmpty();
        double alone = 1000 / serviceMs;
        assertThat(servers.get(0).throughput()).isCloseTo(alone, within(0.002 * alone));
        assertThat(servers.get(0).throughput() / servers.get(1).throughput()).isBetween(0.998, 1.002);
        assertThat(servers).allSatisfy(server -> assertThat(
                        server.throughput() * server.steady().latency().mean() / 1000)
                .isCloseTo(USERS, within(0.005 * USERS)));
    }

    /** If pending requests take a fifth of a time slice, nothing is known about the rate. */
    @Test
    void whereTheWorkOnThoseWhoWaitMayLieInOtherTurnsNothingIsKnown() throws Exception {
        Summary counted =
                new Summary(0, 1, 100, 40_000, 0, Map.of(), 20, Recorder.UNKNOWN, Recorder.UNKNOWN, Latency.NONE);
        SlicesMeasurement timeSlices =
                unfair(250, 0.25, 0.9).get(0).timeSlices().orElseThrow();
        assertThat(Audit.ofTimeSlices(timeSlices, counted, USERS, interleaving(2, 250, 50), false))
                .extracting(Warning::kind)
                .contains(WarningKind.LITTLES_LAW);
        assertThat(Audit.ofTimeSlices(timeSlices, counted, USERS, interleaving(2, 2500, 50), false))
                .extracting(Warning::kind)
                .contains(WarningKind.CUT_RESPONSES);
        assertThat(Audit.ofTimeSlices(timeSlices, counted, USERS, interleaving(2, 2500, 50), true))
                .extracting(Warning::kind)
                .contains(WarningKind.LITTLES_LAW);
    }

    /** A JPA service with 100 users: responses of 19 ms, which take longer at the end of a time slice of 250 ms. */
    @ParameterizedTest
    @CsvSource({"52000, 105, true", "52000, 109, false", "350000, 103, true", "350000, 105, false"})
    void answersAtTheEndOfATimeSliceTakeLonger(long count, double accounted, boolean fine) throws Exception {
        Summary counted =
                new Summary(0, 10_000, 10, count, 0, Map.of(), 99.9, Recorder.UNKNOWN, Recorder.UNKNOWN, Latency.NONE);
        SlicesMeasurement any = unfair(250, 0.25, 0.9).get(0).timeSlices().orElseThrow();
        SlicesMeasurement timeSlices = new SlicesMeasurement(
                any.requests(), any.held(), new SlicesMeasurement.Users(0, accounted), any.batches());
        List<WarningKind> kinds = Audit.ofTimeSlices(timeSlices, counted, 100, interleaving(2, 250, 50), false).stream()
                .map(Warning::kind)
                .toList();
        assertThat(kinds.contains(WarningKind.LITTLES_LAW)).isEqualTo(!fine);
    }

    @Test
    void turnsThatOutlastLongWaitsLeaveResponseTimesAsTheyAre() throws Exception {
        WindowResult server = unfair(5000, 0.25, 0.9).get(0);
        assertThat(warnings(server)).isEmpty();
        assertThat(server.steady().latency().mean()).isCloseTo(USERS * 0.25, within(0.03 * USERS * 0.25));
    }

    /** Pauses of 10 ms that take 2.4 % of the time leave an error of 0.15 % with time slices of 100 ms. */
    @Test
    void shortPausesAreChargedNearlyInFull() throws Exception {
        Interleaving interleaving = interleaving(2, 100, 1500);
        List<Sample> samples = load(interleaving, USERS, new double[] {0.2, 0.2}, ms -> 1, 2000, 10);
        WindowResult server = SliceReader.read(interleaving, List.of(), USERS, List.of(), 0, log(samples))
                .servers()
                .get(0);
        double alone = 2000 / 0.41;
        assertThat(server.throughput()).isCloseTo(alone, within(0.005 * alone));
        assertThat(server.timeSlices().orElseThrow().chargedSeconds()).isZero();
    }

    @Test
    void aFailureInAnotherServersTurnIsAFailure() throws Exception {
        Interleaving interleaving = interleaving(2, 100, 2);
        int second = interleaving.order()[1];
        WindowResult server = SliceReader.read(
                        interleaving,
                        List.of(),
                        USERS,
                        List.of(),
                        0,
                        log(List.of(new Sample(second, ORIGIN + 105, ORIGIN + 110, true))))
                .servers()
                .get(second);
        assertThat(server.errors()).isZero();
        assertThat(server.timeSlices().orElseThrow().failed()).isEqualTo(1);
    }

    @Test
    void whatIsUnderWayBeforeTheFirstTurnIsNotInTheLogSoThatItIsNotCounted() throws Exception {
        Interleaving interleaving = interleaving(2, 100, 1);
        int first = interleaving.order()[0];
        List<Sample> samples = List.of(
                new Sample(first, ORIGIN + 30, ORIGIN + 40, false),
                new Sample(1 - first, ORIGIN + 130, ORIGIN + 140, false));
        List<WindowResult> servers = SliceReader.read(interleaving, List.of(), USERS, List.of(), 0, log(samples))
                .servers();
        assertThat(servers.get(first).requests()).isZero();
        assertThat(servers.get(first).seconds()).isZero();
        assertThat(servers.get(1 - first).requests()).isEqualTo(1);
        assertThat(servers.get(1 - first).seconds()).isEqualTo(0.08);
    }

    /**
     * A request that is answered after its time slice does not count in throughput, but its response time does.
     * Otherwise slow responses would vanish.
     */
    @Test
    void aSlowAnswerIsNotLost() throws Exception {
        Interleaving interleaving = interleaving(2, 100, 2);
        int second = interleaving.order()[1];
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            samples.add(new Sample(second, ORIGIN + 120 + i, ORIGIN + 121 + i, false));
        }
        samples.add(new Sample(second, ORIGIN + 150, ORIGIN + 270, false));
        SliceReader.Result result = SliceReader.read(interleaving, List.of(), USERS, List.of(), 0, log(samples));
        WindowResult server = result.servers().get(second);
        assertThat(server.requests()).isEqualTo(60);
        assertThat(server.steady().latency().max()).isEqualTo(120);
        assertThat(server.histogram().orElseThrow().getTotalCount()).isEqualTo(61);
        assertThat(result.logged()).isEqualTo(61);
        assertThat(result.records()).isEqualTo(61);
        // 60 requests of 1 ms, and one that waits from 150 ms to the end of the time slice; none in the second time
        // slice.
        assertThat(server.steady().users()).isCloseTo((60 + 50) / (server.seconds() * 1000), within(1e-9));
        // The late response was still pending when the next time slice started to count.
        WindowResult other = result.servers().get(1 - second);
        assertThat(other.seconds()).isLessThan(0.16);
    }

    /** Returns the result of a log with 40 of each of two requests of a list, and {@code more} of the first. */
    private static SliceReader.Result ofList(int more) throws Exception {
        Interleaving interleaving = interleaving(2, 100, 2);
        int second = interleaving.order()[1];
        String name = interleaving.names().get(second);
        return SliceReader.read(interleaving, List.of("list", "create"), 4, List.of(), 0, sink -> {
            Records records = sink.apply(new LogSource("test", "", 0, LogSource.Users.RECORDS, false, false, false));
            int list = records.load(name + " / list");
            int create = records.load(name + " / create");
            int other = records.load(name);
            for (int i = 0; i < 40; i++) {
                records.request(list, ORIGIN + 120 + i, ORIGIN + 122 + i, Recorder.OK);
                records.request(
                        create, ORIGIN + 130 + i, ORIGIN + 135 + i, i == 0 ? records.errorKind("500") : Recorder.OK);
            }
            for (int i = 0; i < more; i++) {
                records.request(list, ORIGIN + 170, ORIGIN + 171, Recorder.OK);
            }
            records.request(other, ORIGIN + 170, ORIGIN + 171, Recorder.OK);
            return 81 + more;
        });
    }

    @Test
    void eachRequestOfAListIsCountedAndAllTogetherAreTheServers() throws Exception {
        SliceReader.Result result = ofList(4);

        assertThat(result.checks()).isEmpty();
        assertThat(result.logged()).isEqualTo(84);
        WindowResult server = result.servers().stream()
                .filter(one -> one.requests() > 0)
                .findFirst()
                .orElseThrow();
        assertThat(server.requests()).isEqualTo(84);
        assertThat(server.errors()).isOne();
        assertThat(server.each())
                .extracting(
                        RequestTally::label,
                        RequestTally::requests,
                        RequestTally::errors,
                        one -> one.latency().getMinValue(),
                        one -> one.latency().getMaxValue())
                .containsExactly(tuple("list", 44L, 0L, 1L, 2L), tuple("create", 40L, 1L, 5L, 5L));
        assertThat(server.histogram().orElseThrow().getTotalCount()).isEqualTo(84);
    }

    /** Four users may have four unfinished passes, so that five more requests of one kind are too many. */
    @Test
    void requestsOfAListThatCameUnequallyOftenAreNoticed() throws Exception {
        assertThat(ofList(5).checks()).singleElement().satisfies(check -> assertThat(
                        check.check() + ": " + check.figures())
                .matches("unequal-mix: [ab]: 40 to 45 of each request of the list, with 4 users"));
    }

    @Test
    void failedRequestsAreCountedWithTheirKinds() throws Exception {
        Interleaving interleaving = interleaving(2, 100, 2);
        int second = interleaving.order()[1];
        SliceReader.Result result = SliceReader.read(
                interleaving,
                List.of(),
                USERS,
                List.of(),
                0,
                log(List.of(
                        new Sample(second, ORIGIN + 130, ORIGIN + 140, true),
                        new Sample(second, ORIGIN + 131, ORIGIN + 141, false),
                        new Sample(second, ORIGIN + 150, ORIGIN + 140, false))));
        assertThat(result.servers().get(second).errors()).isEqualTo(1);
        assertThat(result.servers().get(second).timeSlices().orElseThrow().errorKinds())
                .containsEntry("status 500", 1L);
        assertThat(result.checks()).extracting(Warning::check).containsExactly("possible-times");
    }

    @Test
    void cpuTimeIsThatOfTheRequestsBetweenItsReadings() throws Exception {
        Interleaving interleaving = interleaving(2, 100, 2);
        int second = interleaving.order()[1];
        List<Sample> samples = new ArrayList<>();
        for (int ms = 100; ms < 200; ms++) {
            samples.add(new Sample(second, ORIGIN + ms - 1, ORIGIN + ms, false));
        }
        WindowResult server = SliceReader.read(
                        interleaving,
                        List.of(),
                        USERS,
                        List.of(new SliceUsage(1, ORIGIN + 130, ORIGIN + 180, 40, 10)),
                        0,
                        log(samples))
                .servers()
                .get(second);
        assertThat(own(server).get(Metric.CPU)).isEqualTo(40_000.0 / 50);
        assertThat(own(server).get(Metric.SERVER_CORES)).isEqualTo(0.8);
        assertThat(own(server).get(Metric.GENERATOR_CORES)).isEqualTo(0.2);
        assertThat(own(server)).as("not read at these edges").doesNotContainKeys(Metric.WRITE_CALLS, Metric.VOLUNTARY);
        WindowResult counted = SliceReader.read(
                        interleaving,
                        List.of(),
                        USERS,
                        List.of(new SliceUsage(
                                1,
                                ORIGIN + 130,
                                ORIGIN + 180,
                                Map.of("process.cpu.ms", 40L, "process.system.ms", 30L, "write.calls", 75L),
                                10)),
                        0,
                        log(samples))
                .servers()
                .get(second);
        assertThat(own(counted)).containsEntry(Metric.CPU, 800.0).containsEntry(Metric.CPU_SYSTEM, 600.0);
        assertThat(own(counted)).containsEntry(Metric.WRITE_CALLS, 1.5);
        WindowResult unread = SliceReader.read(interleaving, List.of(), USERS, List.of(), 0, log(samples))
                .servers()
                .get(second);
        assertThat(own(unread).get(Metric.CPU)).isNaN();
    }

    private static Map<Metric, Double> own(WindowResult server) {
        return server.meters().orElseThrow().own();
    }
}
