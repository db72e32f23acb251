package org.servletbench.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.measure.Rotation;
import org.servletbench.bench.model.Slo;

class TurnClockTest {

    private static Schedule.Turns turns(int users, long settleMs, long holdMs, long turnMs) {
        return new Schedule.Turns(
                "hello",
                List.of(
                        new Schedule.Stop("a", "http://127.0.0.1:1", "/", 1, 1),
                        new Schedule.Stop("b", "http://127.0.0.1:2", "/", 1, 1)),
                users,
                1000,
                settleMs,
                holdMs,
                turnMs,
                5);
    }

    /** Settles with so many answers per ms of each server's own time. */
    private static TurnClock settled(Schedule.Turns turns, AtomicLong now, int... answersPerMs) {
        TurnClock clock = new TurnClock(turns, now::get);
        clock.begin();
        Set<Integer> seen = new HashSet<>();
        while (!clock.isSettled()) {
            int stop = clock.next();
            seen.add(stop);
            for (int i = 0; i < answersPerMs[stop]; i++) {
                clock.answered(stop);
            }
            now.incrementAndGet();
        }
        assertThat(seen).as("both servers are rehearsed, nothing is logged").containsExactlyInAnyOrder(0, 1);
        return clock;
    }

    @Test
    void fastServersHaveTheShortestTurns() {
        AtomicLong now = new AtomicLong(1_000_000);
        TurnClock clock = settled(turns(100, 4000, 5000, 100), now, 20, 20);
        Rotation rotation = clock.rotation();
        assertThat(rotation.turnMs()).isEqualTo(100);
        assertThat(rotation.rounds()).isEqualTo(50);
        assertThat(rotation.originMs()).isGreaterThan(now.get());
        assertThat(clock.next()).as("until the first turn").isBetween(0, 1);
        int[] order = rotation.order();
        now.set(rotation.fromMs(7) + 50);
        assertThat(clock.next()).isEqualTo(2 + order[7]);
        assertThat(clock.isRunning()).isTrue();
        now.set(rotation.endMs());
        assertThat(clock.isRunning()).isFalse();
        assertThat(clock.next()).isBetween(2, 3);
    }

    /** 1500 users and 2 answers/ms: 750 ms until what is under way is answered. */
    @Test
    void turnsAreLongAgainstTheTimeThatAnswersTake() {
        TurnClock clock = settled(turns(1500, 4000, 5000, 100), new AtomicLong(1_000_000), 2, 2);
        assertThat(clock.rotation().turnMs()).isBetween(7450L, 7550L);
        assertThat(clock.rotation().rounds()).isEqualTo(Schedule.Turns.LEAST_ROUNDS);
    }

    /** Else its answers would not fit into its turns, and it would be left out because it is slow. */
    @Test
    void theSlowestServerSetsTheTurn() {
        TurnClock clock = settled(turns(100, 4000, 5000, 100), new AtomicLong(1_000_000), 40, 1);
        assertThat(clock.rotation().turnMs()).isBetween(990L, 1020L);
    }

    @Test
    void aServerThatHardlyAnswersDoesNotMakeTurnsEndless() {
        TurnClock clock = settled(turns(100, 4000, 5000, 100), new AtomicLong(1_000_000), 40, 0);
        assertThat(clock.rotation().turnMs()).isEqualTo(Schedule.Turns.LONGEST_MS);
    }

    @Test
    void whoWatchesReadsTheTurnsFromAFile(@TempDir Path folder) throws Exception {
        Rotation rotation = new Rotation(List.of("a", "b"), 12, 100, 3, 9);
        Path file = Schedule.rotationFile(folder, "hello 100 users");
        Schedule.writeRotation(rotation, file);
        assertThat(Schedule.readRotation(file)).isEqualTo(rotation);
        assertThat(file.getFileName()).hasToString("rotation-hello-100-users.json");
    }

    @Test
    void theScheduleIsRead(@TempDir Path folder) throws Exception {
        Schedule schedule = new Schedule(
                new Schedule.WarmUp(1000, 1, 100, 5, 2),
                List.of("http://127.0.0.1:1"),
                List.of(),
                List.of(turns(100, 4000, 5000, 100)),
                List.of(new Schedule.Search(
                        new Schedule.Stop("jetty", "http://127.0.0.1:1", "/hello", 5, 5),
                        "hello",
                        Slo.parse("p99<50ms,errors<0.1%"),
                        new RateSearch(130, 100, 20_000, 0.02),
                        3000,
                        1000,
                        10_000)),
                "test");
        Path file = folder.resolve("schedule.json");
        schedule.write(file);
        assertThat(Schedule.read(file)).isEqualTo(schedule);
    }
}
