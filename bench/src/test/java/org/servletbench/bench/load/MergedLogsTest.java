package org.servletbench.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.load.RawLog.Part;
import org.servletbench.bench.measure.Interleaving;
import org.servletbench.bench.measure.LogMeasurement;
import org.servletbench.bench.measure.SliceReader;
import org.servletbench.bench.measure.SteadyWindow;
import org.servletbench.bench.measure.UnreadableLogException;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Warning;

/** Tests several logs that are measured as one. The result must equal that of a single log of all their users. */
class MergedLogsTest {

    private static final long ORIGIN = 1_700_000_000_123L;
    private static final List<String> MEASURED_LOADS = List.of("hello 12 users", "static 12 users");

    @TempDir
    Path folder;

    private Path file(String name, byte[] log) throws IOException {
        return Files.write(folder.resolve(name), log);
    }

    /** One load as a single log, and as several logs with their own users and clocks. */
    private record Split(RawLog whole, RawLog parts) {}

    private Split split(long seed) throws IOException {
        Random random = new Random(seed);
        int hosts = 1 + random.nextInt(5);
        int[] late = IntStream.range(0, hosts)
                .map(host -> host == 0 ? 0 : random.nextInt(3000))
                .toArray();
        Logs.GatlingWriter all = new Logs.GatlingWriter("3.15.1", MEASURED_LOADS.toArray(new String[0]));
        List<Logs.GatlingWriter> own = new ArrayList<>();
        for (int host = 0; host < hosts; host++) {
            own.add(new Logs.GatlingWriter("3.15.1", MEASURED_LOADS.toArray(new String[0])));
        }
        for (int load = 0; load < MEASURED_LOADS.size(); load++) {
            for (int user = 0; user < 12; user++) {
                int host = random.nextInt(hosts);
                int at = 15_000 * load + random.nextInt(4000);
                int end = 15_000 * load + 9000 + random.nextInt(2000);
                all.user(load, true, at);
                own.get(host).user(load, true, at - late[host]);
                while (at < end) {
                    int next = at + (int) Math.min(5000, 1 + Math.exp(6 * random.nextDouble()));
                    String error = random.nextInt(30) > 0 ? null : "failure " + random.nextInt(4);
                    all.request(MEASURED_LOADS.get(load), at, next, error);
                    own.get(host).request(MEASURED_LOADS.get(load), at - late[host], next - late[host], error);
                    at = next;
                }
                all.user(load, false, at);
                own.get(host).user(load, false, at - late[host]);
            }
        }
        List<Part> parts = new ArrayList<>();
        for (int host = 0; host < hosts; host++) {
            parts.add(new Part(file("host" + host, own.get(host).log()), late[host]));
        }
        return new Split(RawLog.of(file("whole", all.log())), new RawLog(parts));
    }

    @Test
    void partsOfALogGiveWhatTheWholeLogGives() throws IOException {
        for (int seed = 0; seed < 40; seed++) {
            Split split = split(seed);
            assertSame(split.parts.measure(), split.whole.measure());
        }
    }

    private static void assertSame(LogMeasurement merged, LogMeasurement whole) {
        assertThat(merged.source()).isEqualTo(whole.source());
        assertThat(merged.records()).isEqualTo(whole.records());
        assertThat(merged.sliceMs()).isEqualTo(whole.sliceMs());
        assertThat(merged.firstMs()).isEqualTo(whole.firstMs());
        assertThat(merged.checks()).isEqualTo(whole.checks());
        assertThat(merged.loads()).hasSameSizeAs(whole.loads());
        for (int i = 0; i < whole.loads().size(); i++) {
            WindowResult one = merged.loads().get(i);
            WindowResult other = whole.loads().get(i);
            assertThat(one.name()).isEqualTo(other.name());
            assertThat(one.whole()).isEqualTo(other.whole());
            assertThat(one.window()).isEqualTo(other.window());
            assertThat(one.steady()).isEqualTo(other.steady());
            assertThat(one.histogram()).isEqualTo(other.histogram());
            assertThat(one.slices()).isEqualTo(other.slices());
            assertThat(one.checks()).isEqualTo(other.checks());
        }
    }

    @Test
    void turnsAreThoseOfTheWholeLog() throws IOException {
        for (int seed = 0; seed < 20; seed++) {
            Split split = split(seed);
            Interleaving interleaving = new Interleaving(MEASURED_LOADS, ORIGIN + 4000, 500, 20, seed);
            SliceReader.Result whole = SliceReader.read(interleaving, List.of(), 12, List.of(), 0, split.whole::read);
            SliceReader.Result merged = SliceReader.read(interleaving, List.of(), 12, List.of(), 0, split.parts::read);
            assertThat(whole.logged()).isPositive();
            assertThat(merged).isEqualTo(whole);
        }
    }

    /** The ten users of one host arrive long before the ten of the other. */
    @Test
    void aWindowBeginsWhenTheLastHostsUsersAreThere() throws IOException {
        List<Part> parts = new ArrayList<>();
        for (int host = 0; host < 2; host++) {
            Logs.GatlingWriter log = new Logs.GatlingWriter("3.15.1", "hello 20 users");
            for (int user = 0; user < 10; user++) {
                log.user(0, true, 4000 * host);
                for (int at = 4000 * host; at < 20_000; at += 100) {
                    log.request("hello 20 users", at, at + 100, null);
                }
                log.user(0, false, 20_000);
            }
            parts.add(new Part(file("log" + host, log.log()), 0));
        }
        WindowResult load = new RawLog(parts).measure().loads().get(0);
        assertThat(load.window().fromMs()).isEqualTo(ORIGIN + 5000);
        assertThat(load.window().toMs()).isEqualTo(ORIGIN + 20_000);
        assertThat(load.steady().users()).isEqualTo(20);
        assertThat(load.steady().count()).isEqualTo(3000);
        assertThat(load.sound()).isTrue();
        // By its own clock, the second host started as early as the first.
        parts.set(1, new Part(parts.get(1).file(), -4000));
        assertThat(new RawLog(parts).measure().loads().get(0).window().fromMs()).isEqualTo(ORIGIN + 1000);
    }

    private static String csv(int host, int... users) {
        StringBuilder csv = new StringBuilder("timeStamp,elapsed,label,success,grpThreads\n");
        for (int at = 0; at < 8000; at += 100) {
            // Every third second the second host gets no answers, but its users are still there.
            if (host == 1 && at / 1000 % 3 == 2) {
                continue;
            }
            for (int user = 0; user < users[host]; user++) {
                csv.append(1_000_000 + at)
                        .append(",99,x ")
                        .append(Arrays.stream(users).sum());
                csv.append(" users,")
                        .append(user > 0)
                        .append(',')
                        .append(users[host])
                        .append('\n');
            }
        }
        return csv.toString();
    }

    @Test
    void samplesDoNotTellTheUsersOfSeveralHosts() throws IOException {
        int[] users = {2, 3, 4};
        List<Part> parts = new ArrayList<>();
        long records = 0;
        for (int host = 0; host < users.length; host++) {
            Path log = Files.writeString(folder.resolve(host + ".csv"), csv(host, users));
            parts.add(new Part(log, 0));
            records += RawLog.of(log).measure().records();
        }
        LogMeasurement measured = new RawLog(parts).measure();
        WindowResult load = measured.loads().get(0);
        assertThat(measured.records()).isEqualTo(records).isEqualTo(load.whole().count());
        assertThat(load.slices()).hasSize(8).allSatisfy(slice -> assertThat(slice.users())
                .isNaN());
        assertThat(load.steady().users()).isNaN();
        assertThat(load.window().cut()).isEqualTo(SteadyWindow.Cut.NONE);
        assertThat(load.whole().errors()).isEqualTo(80 + 60 + 80);
    }

    @Test
    void logsOfDifferentLoadsAreRejected() throws IOException {
        Path gatling = file("simulation.log", Logs.golden("gatling/simulation.log"));
        Path jmeter = file("golden.csv", Logs.golden("jmeter/golden.csv"));
        Path other = file("other.log", new Logs.GatlingWriter("3.15.1", "x").log());
        Path older = file("older.log", new Logs.GatlingWriter("3.14.0", "x").log());
        assertThatThrownBy(() -> merged(gatling, jmeter))
                .isInstanceOf(UnreadableLogException.class)
                .hasMessage(jmeter + " (JMeter) and " + gatling
                        + " (Gatling 3.15.1, Golden) are not of one load: only logs of"
                        + " the same generator, simulation and columns are merged");
        assertThatThrownBy(() -> merged(gatling, gatling, other))
                .hasMessageContaining(other + " (Gatling 3.15.1, a.Simulation)");
        assertThatThrownBy(() -> merged(gatling, older))
                .hasMessage(older + ": written by Gatling 3.14.0; only logs of Gatling 3.15.1 are read: run the"
                        + " simulation with it, or take the figures of that Gatling's own report");
        assertThatThrownBy(() -> new RawLog(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SliceReader.read(
                        new Interleaving(MEASURED_LOADS, 0, 1, 1, 1),
                        List.of(),
                        1,
                        List.of(),
                        0,
                        log(gatling, other)::read))
                .hasMessageContaining("are not of one load");
    }

    private static RawLog log(Path... files) {
        return new RawLog(Arrays.stream(files).map(file -> new Part(file, 0)).toList());
    }

    private static LogMeasurement merged(Path... files) throws IOException {
        return log(files).measure();
    }

    @Test
    void aLogThatWasCutIsNamed() throws IOException {
        byte[] log = Logs.golden("gatling/simulation.log");
        Path cut = file("cut.log", Arrays.copyOf(log, log.length - 1));
        LogMeasurement measured = merged(file("whole.log", log), cut, cut);
        assertThat(measured.records())
                .isEqualTo(3523 + 2 * RawLog.of(cut).measure().records());
        assertThat(measured.checks()).filteredOn(Warning::failed).first().satisfies(check -> assertThat(check.figures())
                .contains(cut + " ends within a record")
                .doesNotContain("whole.log"));
    }
}
