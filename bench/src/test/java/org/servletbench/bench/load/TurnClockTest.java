package org.servletbench.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.measure.Rotation;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Slo;
import org.servletbench.bench.model.UsageException;

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
        TurnClock clock = new TurnClock(turns, now::get, Optional.empty());
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

    /** A pause of the whole machine that lasts as long as the length of a turn is looked for. */
    @Test
    void aPauseDoesNotMakeTurnsLong() {
        AtomicLong now = new AtomicLong(1_000_000);
        TurnClock clock = new TurnClock(turns(10, 600, 2000, 250), now::get, Optional.empty());
        clock.begin();
        while (!clock.isSettled()) {
            boolean pause = now.get() >= 1_001_250 && now.get() < 1_001_700;
            if (!pause) {
                clock.answered(clock.next());
            }
            now.incrementAndGet();
        }
        assertThat(clock.rotation().turnMs()).isEqualTo(250);
        assertThat(now.get()).as("the time that was planned, and once more").isBetween(1_002_200L, 1_002_300L);
    }

    /** On several load hosts: all take the same turns, and none begins with its own. */
    @Test
    void turnsThatAreSetElsewhereAreWaitedFor(@TempDir Path folder) throws Exception {
        AtomicLong now = new AtomicLong(1_000_000);
        Schedule.Turns turns = turns(100, 4000, 5000, 100);
        TurnClock clock = new TurnClock(turns, now::get, Optional.of(folder));
        clock.begin(999_900);
        Set<Integer> seen = new HashSet<>();
        for (; now.get() < 1_010_000; now.addAndGet(10)) {
            assertThat(clock.isSettled()).isFalse();
            assertThat(clock.isRunning()).isTrue();
            assertThat(clock.next()).as("in step with the others").isEqualTo((int) ((now.get() - 999_900) / 500 % 2));
            clock.answered(clock.next());
            seen.add(clock.next());
        }
        assertThat(seen).containsExactlyInAnyOrder(0, 1);

        Rotation common = Together.common(turns, List.of(150L, 300L, 200L), 1.5, 1_010_500);
        Json.write(Schedule.rotationFile(folder, turns.name()), common);
        while (!clock.isSettled()) {
            Thread.sleep(5);
        }

        assertThat(clock.rotation()).isEqualTo(common);
        assertThat(clock.next()).as("until the first turn").isBetween(0, 1);
        now.set(common.fromMs(3));
        assertThat(clock.next()).isEqualTo(2 + common.order()[3]);
    }

    @Test
    void theCommonTurnIsAsLongAsAnyHostNeedsIt() {
        Schedule.Turns turns = turns(100, 4000, 5000, 100);
        Rotation common = Together.common(turns, List.of(150L, 300L, 200L), 1.5, 1_000_500);
        assertThat(common).isEqualTo(new Rotation(List.of("a", "b"), 1_000_500, 300, 17, 5));
        assertThat(Together.common(turns, List.of(150L, 300L), 42.05, 0).turnMs())
                .as("ten times what is not known of the clocks")
                .isEqualTo(421);
    }

    @Test
    void usersAndRatesAreDividedSoThatTheSumIsWhatWasAskedFor() {
        Schedule all = new Schedule(
                new Schedule.WarmUp(1000, 1, 100, 5, 2),
                List.of("http://127.0.0.1:1"),
                List.of(
                        new Schedule.Window("a hello 5 users", "http://127.0.0.1:1", "/", 1, 1, 5, 0, 10, 20),
                        new Schedule.Window("a hello 90/s", "http://127.0.0.1:1", "/", 1, 1, 0, 90, 10, 20)),
                List.of(turns(200, 4000, 5000, 100)),
                List.of(),
                "test");
        assertThat(all.shareOf(0, 1)).isEqualTo(all);
        for (int hosts = 2; hosts <= 5; hosts++) {
            int users = 0;
            int inTurns = 0;
            double rate = 0;
            for (int host = 0; host < hosts; host++) {
                Schedule share = all.shareOf(host, hosts);
                users += share.windows().get(0).users();
                rate += share.windows().get(1).rate();
                assertThat(share.windows().get(1).users()).isZero();
                inTurns += share.rotations().get(0).users();
                assertThat(share.rotations().get(0).users()).isBetween(200 / hosts, 200 / hosts + 1);
            }
            assertThat(users).isEqualTo(5);
            assertThat(inTurns).isEqualTo(200);
            assertThat(rate).isCloseTo(90, within(1e-9));
        }
        assertThat(all.shareOf(0, 2).windows().get(0).users()).isEqualTo(3);
        assertThat(all.shareOf(1, 2).windows().get(0).users()).isEqualTo(2);
        assertThatThrownBy(() -> all.shareOf(0, 6))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("5 users cannot be divided between 6 load hosts");
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
