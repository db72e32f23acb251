package org.servletbench.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.measure.Rotation;
import org.servletbench.bench.measure.TurnsReader;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ToolSettings;

class ProbeTest {

    private static final long ORIGIN = 1_700_000_000_123L;
    private static final Schedule.Stop A = new Schedule.Stop("a hello 2 users", "http://a", "/", 1, 1);
    private static final Schedule.Stop B = new Schedule.Stop("b hello 2 users", "http://b", "/", 1, 1);
    private static final Rotation ROTATION = new Rotation(List.of(A.name(), B.name()), ORIGIN + 1000, 100, 40, 5);

    @TempDir
    Path folder;

    private static Schedule schedule() {
        return new Schedule(
                new Schedule.WarmUp(0, 1, 1, 1, 1),
                List.of("http://a", "http://b"),
                List.of(new Schedule.Window("a round 1 hello at 9/s", "http://a", "/", 1, 1, 0, 9, 0, 1000)),
                List.of(new Schedule.Turns("hello 2 users", List.of(A, B), 2, 0, 1, 1, 1, 1, 5)),
                List.of(),
                "");
    }

    @Test
    void itGoesWhereTheLoadIs() throws IOException {
        AtomicLong now = new AtomicLong(ORIGIN);
        ProbeTarget target = new ProbeTarget(schedule(), folder, now::get);
        assertThat(target.stops())
                .extracting(Schedule.Stop::name)
                .containsExactly(A.name(), B.name(), "a round 1 hello at 9/s");
        assertThat(target.next()).as("nothing was told").isEqualTo(-1);

        Schedule.writeRotation(ROTATION, Schedule.rotationFile(folder, "hello 2 users"));
        ProbeTarget.tell(folder, "anything");
        ProbeTarget.tell(folder, Schedule.ROTATION + "hello 2 users");
        assertThat(target.next()).as("before the first turn").isEqualTo(-1);
        for (int turn = 0; turn < ROTATION.turns(); turn++) {
            now.set(ROTATION.toMs(turn) - 1);
            assertThat(target.next()).isEqualTo(ROTATION.order()[turn]);
            target.answered();
        }
        now.set(ROTATION.endMs());
        assertThat(target.next()).as("after the last turn").isEqualTo(-1);

        ProbeTarget.tell(folder, Schedule.WINDOW + "a round 1 hello at 9/s");
        assertThat(target.next()).isEqualTo(2);
        assertThat(target.isOver()).isFalse();
        ProbeTarget.tell(folder, ProbeTarget.END);
        assertThat(target.next()).isEqualTo(-1);
        assertThat(target.isOver()).as("one request is under way").isFalse();
        target.answered();
        assertThat(target.isOver()).isTrue();
    }

    @Test
    void whatIsNeverAnsweredIsNotWaitedForForEver() throws IOException {
        AtomicLong now = new AtomicLong(ORIGIN);
        ProbeTarget target = new ProbeTarget(schedule(), folder, now::get);
        ProbeTarget.tell(folder, Schedule.WINDOW + "a round 1 hello at 9/s");
        target.next();
        ProbeTarget.tell(folder, ProbeTarget.END);
        assertThat(target.isOver()).isFalse();
        now.addAndGet(60_000);
        assertThat(target.isOver()).isTrue();
    }

    private RawLog log(String name, Logs.GatlingWriter log) throws IOException {
        return RawLog.of(Files.write(folder.resolve(name), log.log()));
    }

    /** Every 20 ms one request to a, and one to b: of each only those in its own turns count, and one of them stalls. */
    @Test
    void onlyWhatIsSentInCountedTimeCounts() throws IOException {
        Logs.GatlingWriter load = new Logs.GatlingWriter("3.15.1", "x");
        Logs.GatlingWriter probe = new Logs.GatlingWriter("3.15.1", "x");
        int stallAt = (int) (ROTATION.fromMs(20) + 40 - ORIGIN);
        String stalled = ROTATION.names().get(ROTATION.order()[20]);
        for (int at = 1000; at < 9000; at += 2) {
            String own = ROTATION.names().get(ROTATION.order()[(at - 1000) / 100]);
            load.request(own, at, at + 2, null);
            if (at % 20 == 0) {
                probe.request(A.name(), at, at + 3, null);
                probe.request(B.name(), at, at + 5, at % 40 == 0 ? "status 500" : null);
            }
        }
        probe.request(stalled, stallAt, stallAt + 700, null);
        probe.request("another", 2000, 2100, null);
        Batch.Task task = new Batch.Task(
                new Load("hello", 2, 0),
                ToolSettings.PLAIN,
                List.of(new Schedule.Stop("a", "http://a", "/", 1, 1), new Schedule.Stop("b", "http://b", "/", 1, 1)));
        TurnsReader.Result turns = TurnsReader.read(ROTATION, 2, List.of(), 0, log("load", load)::read);
        List<LoadResult> results =
                Probe.read(List.of(new LoadResult.InTurns(task, ROTATION, turns, List.of())), log("probe", probe), 0);

        List<LoadResult> uncertain = Probe.read(
                List.of(new LoadResult.InTurns(task, ROTATION, turns, List.of())), log("probe", probe), 14.2);

        assertThat(results).hasSize(2);
        long stalls = 0;
        for (int server = 0; server < 2; server++) {
            LoadResult.Probed probed = (LoadResult.Probed) results.get(server);
            Histogram seen = probed.latency();
            assertThat(probed.server()).isEqualTo(server == 0 ? "a" : "b");
            assertThat(seen.getMinValue()).isEqualTo(server == 0 ? 3 : 5);
            // Of a turn of 100 ms the first 20 and the last 10 are left out: three or four requests remain.
            assertThat(seen.getTotalCount()).isBetween(39L * 3, 40L * 4 + 1);
            assertThat(((LoadResult.Probed) uncertain.get(server)).latency().getTotalCount())
                    .as("15 ms less at either edge")
                    .isBetween(39L * 2, 40L * 2 + 1);
            assertThat(probed.failed() > 0).isEqualTo(server == 1);
            stalls += seen.getCountBetweenValues(699, 701);
        }
        assertThat(stalls).as("its answer comes long after the turn").isEqualTo(1);
    }

    @Test
    void withoutAnOptionThereIsNone() {
        assertThat(Probe.rate(new Options(Map.of(), Map.of()))).isZero();
        assertThat(Probe.rate(new Options(Map.of("probe.rate", "50"), Map.of())))
                .isEqualTo(50);
    }
}
