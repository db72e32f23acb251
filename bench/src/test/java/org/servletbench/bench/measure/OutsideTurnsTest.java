package org.servletbench.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.Metric;

/**
 * Servers in turns whose CPU time is read as in campaigns: within turns in steps of 10 ms, and over the whole load in rows of a
 * second.
 */
class OutsideTurnsTest {

    private static final long ORIGIN_MS = 10_000;
    private static final int LOADS = 200;
    private static final int SERVERS = 4;
    /** Noise of the CPU time per request, from turn to turn. */
    private static final double NOISE = 0.05;

    private static final int STEP_MS = 10;

    @TempDir
    Path folder;

    /** Returns the simulated values of one load. */
    private List<OutsideTurns> load(Random random, int rounds, long turnMs, double outsideOfFirst) throws IOException {
        List<String> names =
                IntStream.range(0, SERVERS).mapToObj(server -> "s" + server).toList();
        Rotation rotation = Rotation.jittered(names, ORIGIN_MS, turnMs, rounds, random.nextLong());
        int[] order = rotation.order();
        List<OutsideTurns> all = new ArrayList<>();
        for (int server = 0; server < SERVERS; server++) {
            double outside = server == 0 ? outsideOfFirst / SERVERS : 0;
            double requests = 0;
            double read = 0;
            double counted = 0;
            List<Double> rates = new ArrayList<>();
            for (int turn = 0; turn < order.length; turn++) {
                if (order[turn] == server) {
                    double cost = 0.1 * Math.exp(NOISE * random.nextGaussian());
                    long inside = rotation.toMs(turn) - rotation.arrivedMs(turn) - 5;
                    double steps = Math.floor(inside / (double) STEP_MS + random.nextDouble()) * STEP_MS;
                    requests += (rotation.toMs(turn) - rotation.fromMs(turn)) / cost;
                    read += steps;
                    counted += inside / cost;
                    rates.add(steps * cost / inside);
                }
            }
            int own = server;
            long phase = random.nextInt(1000);
            StringBuilder csv = new StringBuilder("time.ms,process.cpu.ms\n");
            LongStream.iterate(ORIGIN_MS - 3000 + phase, ms -> ms < rotation.endMs() + 3000, ms -> ms + 1000)
                    .forEach(ms -> csv.append(ms)
                            .append(',')
                            .append(Math.round(used(rotation, order, own, ms, outside)))
                            .append('\n'));
            MonitorSeries monitor = MonitorSeries.read(Files.writeString(folder.resolve("monitor.csv"), csv));
            TurnsMeasurement turns = new TurnsMeasurement(
                    new TurnsMeasurement.Requests(0, 0, Map.of()),
                    new TurnsMeasurement.Held(rounds * turnMs / 1e3, 0, 0, rounds),
                    new TurnsMeasurement.Users(0, 0),
                    new TurnsMeasurement.Batches(List.of(), rates, List.of()));
            WindowResult window = WindowResult.of(
                            names.get(server),
                            new Summary(ORIGIN_MS, rotation.endMs(), 1, 1, 0, Map.of(), 1, -1, -1, Latency.NONE))
                    .with(turns)
                    .with(new WindowResult.Meters(
                            ORIGIN_MS,
                            rotation.endMs(),
                            Math.round(requests),
                            1.0 / SERVERS,
                            0,
                            Map.of(Metric.CPU, read * 1e3 / counted)));
            all.add(OutsideTurns.of(window, monitor).orElseThrow());
        }
        return all;
    }

    /** Returns the CPU time of a server until then, ms: all of its turns, and a share of all other time. */
    private static double used(Rotation rotation, int[] order, int server, long ms, double outside) {
        double used = 0;
        for (int turn = 0; turn < order.length; turn++) {
            double passed = Math.max(0, Math.min(ms, rotation.toMs(turn)) - rotation.fromMs(turn));
            used += passed * (order[turn] == server ? 1 : outside);
        }
        return used;
    }

    private static boolean isMarked(OutsideTurns one, List<OutsideTurns> all) {
        return one.beyond(all).filter(own -> own.share() > own.limit()).isPresent();
    }

    /** Compared with the least of four noisy figures, half of equal servers had a mark. */
    @Test
    @Tag("simulation")
    void equalServersAreSeldomMarked() throws IOException {
        Random random = new Random(6);
        for (long turnMs : new long[] {250, 2000}) {
            int marked = 0;
            int before = 0;
            for (int i = 0; i < LOADS; i++) {
                List<OutsideTurns> all = load(random, 32, turnMs, 0);
                double least =
                        all.stream().mapToDouble(OutsideTurns::share).min().orElseThrow();
                marked += (int) all.stream().filter(one -> isMarked(one, all)).count();
                before += (int) all.stream()
                        .filter(one -> one.share() - least > OutsideTurns.LIMIT)
                        .count();
            }
            assertThat(marked / (double) (SERVERS * LOADS)).as("%d ms", turnMs).isLessThan(0.05);
            if (turnMs == 250) {
                assertThat(before / (double) (SERVERS * LOADS)).isGreaterThan(0.25);
            }
        }
    }

    @Test
    void aServerThatWorksBetweenItsTurnsIsFoundAndNoOther() throws IOException {
        Random random = new Random(7);
        int found = 0;
        int others = 0;
        for (int i = 0; i < LOADS; i++) {
            List<OutsideTurns> all = load(random, 32, 250, 0.12);
            found += isMarked(all.get(0), all) ? 1 : 0;
            others +=
                    (int) all.stream().skip(1).filter(one -> isMarked(one, all)).count();
        }
        assertThat(found / (double) LOADS).isGreaterThan(0.8);
        assertThat(others / (double) ((SERVERS - 1) * LOADS)).isLessThan(0.05);
    }

    @Test
    void ofTwoServersNobodyCanTell() {
        OutsideTurns one = new OutsideTurns(0.5, 0.01, 20);
        assertThat(one.beyond(List.of(one, new OutsideTurns(0, 0.01, 20)))).isEmpty();
    }
}
