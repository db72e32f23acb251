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
 * Tests servers in time slices whose CPU time is read as in campaigns: within time slices in steps of 10 ms, and over
 * the whole load in rows of a second.
 */
class OutsideSlicesTest {

    private static final long ORIGIN_MS = 10_000;
    private static final int LOADS = 200;
    private static final int SERVERS = 4;
    /** Noise of CPU time per request, from time slice to time slice. */
    private static final double NOISE = 0.05;

    private static final int STEP_MS = 10;

    @TempDir
    Path folder;

    /** Returns the simulated values of one load. */
    private List<OutsideSlices> load(Random random, int rounds, long timeSliceMs, double outsideOfFirst)
            throws IOException {
        List<String> names =
                IntStream.range(0, SERVERS).mapToObj(server -> "s" + server).toList();
        Interleaving interleaving = Interleaving.jittered(names, ORIGIN_MS, timeSliceMs, rounds, random.nextLong());
        int[] order = interleaving.order();
        List<OutsideSlices> all = new ArrayList<>();
        for (int server = 0; server < SERVERS; server++) {
            double outside = server == 0 ? outsideOfFirst / SERVERS : 0;
            double requests = 0;
            double read = 0;
            double counted = 0;
            List<Double> rates = new ArrayList<>();
            for (int timeSlice = 0; timeSlice < order.length; timeSlice++) {
                if (order[timeSlice] == server) {
                    double cost = 0.1 * Math.exp(NOISE * random.nextGaussian());
                    long inside = interleaving.toMs(timeSlice) - interleaving.arrivedMs(timeSlice) - 5;
                    double steps = Math.floor(inside / (double) STEP_MS + random.nextDouble()) * STEP_MS;
                    requests += (interleaving.toMs(timeSlice) - interleaving.fromMs(timeSlice)) / cost;
                    read += steps;
                    counted += inside / cost;
                    rates.add(steps * cost / inside);
                }
            }
            int own = server;
            long phase = random.nextInt(1000);
            StringBuilder csv = new StringBuilder("time.ms,process.cpu.ms\n");
            LongStream.iterate(ORIGIN_MS - 3000 + phase, ms -> ms < interleaving.endMs() + 3000, ms -> ms + 1000)
                    .forEach(ms -> csv.append(ms)
                            .append(',')
                            .append(Math.round(used(interleaving, order, own, ms, outside)))
                            .append('\n'));
            MonitorSeries monitor = MonitorSeries.read(Files.writeString(folder.resolve("monitor.csv"), csv));
            SlicesMeasurement timeSlices = new SlicesMeasurement(
                    new SlicesMeasurement.Requests(0, 0, Map.of()),
                    new SlicesMeasurement.Held(rounds * timeSliceMs / 1e3, 0, 0, rounds),
                    new SlicesMeasurement.Users(0, 0),
                    new SlicesMeasurement.Batches(List.of(), rates, List.of()));
            WindowResult window = WindowResult.of(
                            names.get(server),
                            new Summary(ORIGIN_MS, interleaving.endMs(), 1, 1, 0, Map.of(), 1, -1, -1, Latency.NONE))
                    .with(timeSlices)
                    .with(new WindowResult.Meters(
                            ORIGIN_MS,
                            interleaving.endMs(),
                            Math.round(requests),
                            1.0 / SERVERS,
                            0,
                            Map.of(Metric.CPU, read * 1e3 / counted)));
            all.add(OutsideSlices.of(window, monitor).orElseThrow());
        }
        return all;
    }

    /**
     * Returns the CPU time that a server has used by then, ms: all of its time slices, and a share of all other time.
     */
    private static double used(Interleaving interleaving, int[] order, int server, long ms, double outside) {
        double used = 0;
        for (int timeSlice = 0; timeSlice < order.length; timeSlice++) {
            double passed = Math.max(0, Math.min(ms, interleaving.toMs(timeSlice)) - interleaving.fromMs(timeSlice));
            used += passed * (order[timeSlice] == server ? 1 : outside);
        }
        return used;
    }

    private static boolean hasWarning(OutsideSlices one, List<OutsideSlices> all) {
        return one.beyond(all).filter(own -> own.share() > own.limit()).isPresent();
    }

    /** When compared with the smallest of four noisy figures, half of all equal servers had a warning. */
    @Test
    @Tag("simulation")
    void equalServersAreSeldomMarked() throws IOException {
        Random random = new Random(6);
        for (long timeSliceMs : new long[] {250, 2000}) {
            int marked = 0;
            int before = 0;
            for (int i = 0; i < LOADS; i++) {
                List<OutsideSlices> all = load(random, 32, timeSliceMs, 0);
                double least =
                        all.stream().mapToDouble(OutsideSlices::share).min().orElseThrow();
                marked += (int) all.stream().filter(one -> hasWarning(one, all)).count();
                before += (int) all.stream()
                        .filter(one -> one.share() - least > OutsideSlices.LIMIT)
                        .count();
            }
            assertThat(marked / (double) (SERVERS * LOADS))
                    .as("%d ms", timeSliceMs)
                    .isLessThan(0.05);
            if (timeSliceMs == 250) {
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
            List<OutsideSlices> all = load(random, 32, 250, 0.12);
            found += hasWarning(all.get(0), all) ? 1 : 0;
            others += (int)
                    all.stream().skip(1).filter(one -> hasWarning(one, all)).count();
        }
        assertThat(found / (double) LOADS).isGreaterThan(0.8);
        assertThat(others / (double) ((SERVERS - 1) * LOADS)).isLessThan(0.05);
    }

    @Test
    void ofTwoServersNobodyCanTell() {
        OutsideSlices one = new OutsideSlices(0.5, 0.01, 20);
        assertThat(one.beyond(List.of(one, new OutsideSlices(0, 0.01, 20)))).isEmpty();
    }
}
