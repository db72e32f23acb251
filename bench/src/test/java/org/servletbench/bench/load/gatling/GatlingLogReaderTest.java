package org.servletbench.bench.load.gatling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.load.Logs;
import org.servletbench.bench.load.Sample;
import org.servletbench.bench.load.Slow;
import org.servletbench.bench.measure.LogMeasurement;
import org.servletbench.bench.measure.SteadyWindow;
import org.servletbench.bench.measure.UnreadableLogException;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Warning;

class GatlingLogReaderTest {
    /** Written by Gatling 3.15.1, from the simulation next to it. */
    private static final byte[] GOLDEN = Logs.golden("gatling/simulation.log");

    @TempDir
    Path folder;

    @Test
    void figuresAreThoseOfASlowComputation() throws IOException {
        SlowGatling slow = new SlowGatling(GOLDEN);
        LogMeasurement measured = Logs.measure(folder, GOLDEN);
        Slow.assertSame(measured, slow.samples, slow.origin);
        assertThat(measured.source().tool()).isEqualTo("Gatling 3.15.1");
        assertThat(measured.source().description()).isEqualTo("Golden");
    }

    /** Expects the counts that Gatling itself reported for this log on its console. */
    @Test
    void countsAreThoseOfGatlingsReport() throws IOException {
        LogMeasurement measured = Logs.measure(folder, GOLDEN);
        Map<String, String> counts = measured.loads().stream()
                .collect(Collectors.toMap(
                        c -> c.name(),
                        c -> c.whole().count() + ", failed " + c.whole().errors()));
        assertThat(counts)
                .isEqualTo(Map.of(
                        "hello 4 users", "2489, failed 0",
                        "hello at 50/s", "310, failed 0",
                        "outer / stätic ✓ 2 users", "414, failed 414",
                        "refused", "310, failed 310"));
        assertThat(measured.records()).isEqualTo(3523);
        assertThat(failed(measured.checks())).containsExactly("generator-errors");
        assertThat(measured.checks())
                .anyMatch(c -> c.figures().contains("2 x crash: No attribute named 'missing' is defined"));
    }

    private static List<String> failed(List<Warning> checks) {
        return checks.stream().filter(Warning::failed).map(Warning::check).toList();
    }

    /** Computes the window of the closed load from the number of users in every single ms. */
    @Test
    void theWindowIsThatOfASlowComputation() throws IOException {
        SlowGatling slow = new SlowGatling(GOLDEN);
        String name = "hello 4 users";
        int[] active = new int[20_000];
        for (SlowGatling.User user : slow.users) {
            if (user.scenario().equals(name)) {
                for (int ms = user.at(); ms < active.length; ms++) {
                    active[ms] += user.starts() ? 1 : -1;
                }
            }
        }
        long first = slow.samples.stream()
                .filter(s -> s.name().equals(name))
                .mapToLong(Sample::start)
                .min()
                .orElseThrow();
        long last = slow.samples.stream()
                .filter(s -> s.name().equals(name))
                .mapToLong(Sample::end)
                .max()
                .orElseThrow();
        List<Integer> full = java.util.stream.IntStream.range(0, 19)
                .filter(s -> s * 1000L >= first && s * 1000L + 1000 <= last + 1)
                .filter(s -> Arrays.stream(active, s * 1000, s * 1000 + 1000).allMatch(n -> n == 4))
                .boxed()
                .toList();
        WindowResult load = Logs.measure(folder, GOLDEN).loads().get(0);
        assertThat(load.name()).isEqualTo(name);
        assertThat(load.window())
                .isEqualTo(new SteadyWindow(
                        slow.origin + full.get(0) * 1000L,
                        slow.origin + full.get(full.size() - 1) * 1000L + 1000,
                        SteadyWindow.Cut.PLANNED_USERS,
                        4));
        assertThat(load.window().lengthMs()).isEqualTo(6000);
        assertThat(load.steady().users()).isEqualTo(4);
    }

    @Test
    void aLogCutAnywhereGivesWhatItHolds() throws IOException {
        Set<Integer> lengths = new HashSet<>();
        for (int length = 0; length < 800; length++) {
            lengths.add(length);
        }
        new Random(4).ints(20, 0, GOLDEN.length).forEach(lengths::add);
        int header = headerLength();
        for (int length : lengths) {
            byte[] part = Arrays.copyOf(GOLDEN, length);
            if (length < header) {
                assertThatThrownBy(() -> Logs.measure(folder, part)).isInstanceOf(UnreadableLogException.class);
            } else {
                SlowGatling slow = new SlowGatling(part);
                LogMeasurement measured = Logs.measure(folder, part);
                Slow.assertSame(measured, slow.samples, slow.origin);
                assertThat(failed(measured.checks()).contains("log-complete")).isEqualTo(slow.truncated);
            }
        }
    }

    private static int headerLength() {
        for (int length = 1; ; length++) {
            try {
                new SlowGatling(Arrays.copyOf(GOLDEN, length));
                return length;
            } catch (IOException e) {
                // not yet
            }
        }
    }

    @Test
    void strangeBytesGiveAnErrorOrAMeasurementAndNothingElse() throws IOException {
        Random random = new Random(5);
        int refused = 0;
        for (int round = 0; round < 500; round++) {
            byte[] log = Arrays.copyOf(GOLDEN, 300 + random.nextInt(3000));
            for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
                // Changes some bytes anywhere, and some in the header, whose lengths are the most dangerous.
                int place = random.nextInt(random.nextBoolean() ? log.length : 200);
                log[place] = (byte) (random.nextBoolean() ? random.nextInt(256) : log[place] ^ 1 << random.nextInt(8));
            }
            try {
                LogMeasurement measured = Logs.measure(folder, log);
                assertThat(measured.records()).isLessThanOrEqualTo(log.length / 22);
            } catch (UnreadableLogException e) {
                assertThat(e.getMessage()).doesNotContain("\n").isNotBlank();
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(80);
    }

    @Test
    void noiseIsRefused() throws IOException {
        Random random = new Random(6);
        for (int round = 0; round < 500; round++) {
            byte[] noise = new byte[random.nextInt(5000)];
            random.nextBytes(noise);
            if (noise.length > 0) {
                noise[0] = 0;
            }
            assertThatThrownBy(() -> Logs.measure(folder, noise)).isInstanceOf(UnreadableLogException.class);
        }
    }

    @Test
    void otherVersionsAreRefusedPlainly() throws IOException {
        byte[] log = new Logs.GatlingWriter("3.14.9", "s").log();
        assertThatThrownBy(() -> Logs.measure(folder, log))
                .isInstanceOf(UnreadableLogException.class)
                .hasMessage(
                        "written by Gatling 3.14.9; only logs of Gatling 3.15.1 are read: run the simulation with it, or"
                                + " take the figures of that Gatling's own report");
    }

    @Test
    void recordsThatGatlingDoesNotWriteAreRefused() throws IOException {
        int[][] tails = {{9}, {1, -1, -1, -1, -1}, {2, 0, 0, 0, 1, 1, 0, 0, 0, 0}, {2, 0, 0, 0, 0, 2}};
        for (int[] tail : tails) {
            byte[] log = new Logs.GatlingWriter("3.15.1", "s").raw(tail).log();
            assertThatThrownBy(() -> Logs.measure(folder, log))
                    .isInstanceOf(UnreadableLogException.class)
                    .hasMessageContaining("not what Gatling 3.15.1 writes");
        }
    }

    /**
     * Each of 63 nested groups used to hold the whole path of its name: half a megabyte, and 63 of them for each
     * request.
     */
    @Test
    void groupsOfLongNamesWithinEachOtherTakeLittleMemory() throws IOException {
        Logs.GatlingWriter writer = new Logs.GatlingWriter("3.15.1", "s").user(0, true, 0);
        List<String> groups = IntStream.range(0, 63)
                .mapToObj(i -> "x".repeat(8_000) + i)
                .collect(Collectors.toCollection(ArrayList::new));
        for (int i = 0; i < 100; i++) {
            Collections.rotate(groups, 1);
            writer.request(groups, "hello", 10 * i, 10 * i + 5, null);
        }
        byte[] log = writer.log();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        LogMeasurement measured = Logs.measure(folder, log);
        assertThat(threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before)
                .isLessThan(100L << 20);
        assertThat(measured.records()).isEqualTo(100);
        assertThat(measured.loads())
                .extracting(WindowResult::name)
                .hasSize(63)
                .allMatch(name -> name.length() < 300)
                .doesNotHaveDuplicates();
    }

    /** Millions of messages, each with its own id, and a record across every possible end of a chunk. */
    @Test
    void longLogsAreReadAcrossChunks() throws IOException {
        Logs.GatlingWriter writer = new Logs.GatlingWriter("3.15.1", "hello 3 users");
        Random random = new Random(7);
        for (int user = 0; user < 3; user++) {
            writer.user(0, true, user);
        }
        for (int i = 0; i < 100_000; i++) {
            int end = i / 3 + random.nextInt(50);
            String error = random.nextInt(3) == 0 ? "no answer for ✓ " + random.nextInt(50_000) : null;
            writer.request("hello 3 users", end - random.nextInt(30), end, error);
        }
        byte[] log = writer.log();
        assertThat(log.length).isGreaterThan(3 << 20);
        SlowGatling slow = new SlowGatling(log);
        LogMeasurement measured = Logs.measure(folder, log);
        WindowResult load = measured.loads().get(0);
        assertThat(load.whole().count()).isEqualTo(100_000);
        long failed = slow.samples.stream().filter(s -> s.error() != null).count();
        assertThat(load.whole().errors()).isEqualTo(failed);
        assertThat(load.whole().errorKinds().values().stream().mapToLong(l -> l).sum())
                .isEqualTo(failed);
        assertThat(load.whole().latency().mean())
                .isEqualTo(slow.samples.stream().mapToLong(Sample::response).sum() / 100_000.0);
    }
}
