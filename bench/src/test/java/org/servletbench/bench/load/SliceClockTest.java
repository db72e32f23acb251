package org.servletbench.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.generator.RateSearch;
import org.servletbench.bench.generator.Schedule;
import org.servletbench.bench.generator.SliceClock;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.measure.Interleaving;
import org.servletbench.bench.measure.TopTier;
import org.servletbench.bench.measure.WarmCode;
import org.servletbench.bench.model.RequestSpec;
import org.servletbench.bench.model.Slo;
import org.servletbench.bench.model.Times;
import org.servletbench.bench.model.UsageException;

class SliceClockTest {

    private static final long BEGIN = 1_000_000;

    @TempDir
    private Path folder;

    private final AtomicLong now = new AtomicLong(BEGIN);
    private final List<String> said = new ArrayList<>();

    private static Schedule.InterleavedLoad timeSlices(
            int users, long settlingMs, long longestMs, long holdMs, long timeSliceMs) {
        return new Schedule.InterleavedLoad(
                "hello",
                List.of(
                        new Schedule.Endpoint("a", "http://127.0.0.1:1", "/", 1, 1),
                        new Schedule.Endpoint("b", "http://127.0.0.1:2", "/", 1, 1)),
                users,
                1000,
                settlingMs,
                longestMs,
                holdMs,
                timeSliceMs,
                5,
                0);
    }

    @Test
    void theGeneratorReportsWhatWasAnsweredUntilTheRigHasSetTheTurns() throws Exception {
        Schedule.InterleavedLoad timeSlices = timeSlices(100, 4000, 4000, 5000, 100);
        SliceClock clock = new SliceClock(timeSlices, now::get, folder, said::add);
        clock.begin();
        Set<Integer> seen = new HashSet<>();
        for (; now.get() < BEGIN + 7000; now.incrementAndGet()) {
            assertThat(clock.next()).as("both in turn").isEqualTo((int) ((now.get() - BEGIN) / 500 % 2));
            seen.add(clock.next());
            for (int i = 0; i < 2 - clock.next(); i++) {
                clock.answered(clock.next());
            }
            assertThat(clock.interleaving()).isNull();
            assertThat(clock.isRunning()).isTrue();
        }
        assertThat(seen).as("both servers are rehearsed, nothing is logged").containsExactlyInAnyOrder(0, 1);
        assertThat(said)
                .as("the ramp and a part, then each part")
                .hasSize(2)
                .allMatch(line -> line.matches("servlet-bench: settling \\d+ \\d+,\\d+ hello"));
        String[] words = said.get(1).split(" ");
        assertThat(Long.parseLong(words[2])).isBetween(2000L, 2001L);
        assertThat(Long.parseLong(words[3].split(",")[0])).isBetween(1990L, 2010L);
        assertThat(Long.parseLong(words[3].split(",")[1])).isBetween(990L, 1010L);

        Interleaving interleaving = timeSlices.interleaving(100, now.get() + 500);
        Schedule.writeInterleaving(interleaving, Schedule.interleavingFile(folder, timeSlices.name()));
        while (clock.interleaving() == null) {
            Thread.sleep(5);
        }
        assertThat(clock.interleaving()).isEqualTo(interleaving);
        assertThat(clock.next()).as("until the first time slice").isBetween(0, 1);
        int[] order = interleaving.order();
        now.set(interleaving.fromMs(7) + 50);
        assertThat(clock.next()).isEqualTo(2 + order[7]);
        assertThat(clock.isRunning()).isTrue();
        now.set(interleaving.endMs());
        assertThat(clock.isRunning()).isFalse();
        assertThat(clock.next()).as("counted no longer").isBetween(0, 1);
    }

    /** After the last time slice, the servers' code is sampled once more under the same load, which is not counted. */
    @Test
    void theLoadGoesOnUncountedAfterItsLastTurn() throws Exception {
        Schedule.InterleavedLoad timeSlices = new Schedule.InterleavedLoad(
                "hello", timeSlices(3, 4000, 4000, 5000, 100).endpoints(), 3, 0, 4000, 4000, 5000, 100, 5, 2000);
        SliceClock clock = new SliceClock(timeSlices, now::get, folder, said::add);
        clock.begin();
        Interleaving interleaving = timeSlices.interleaving(100, now.get() + 200);
        Schedule.writeInterleaving(interleaving, Schedule.interleavingFile(folder, "hello"));
        while (clock.interleaving() == null) {
            Thread.sleep(5);
        }
        now.set(interleaving.endMs() - 1);
        assertThat(clock.next()).isBetween(2, 3);
        now.set(interleaving.endMs() + 1999);
        assertThat(clock.isRunning()).isTrue();
        assertThat(clock.next()).isBetween(0, 1);
        now.set(interleaving.endMs() + 2000);
        assertThat(clock.isRunning()).isFalse();
    }

    /** Logins take long. Their CPU time would belong to no request, and they would make time slices long. */
    @Test
    void noPartEndsBeforeAllUsersHaveBehindThemWhatTheySendOnce() {
        Schedule.InterleavedLoad timeSlices = timeSlicesWithLogin(60_000);
        SliceClock clock = new SliceClock(timeSlices, now::get, folder, said::add);
        clock.begin();
        for (int login = 1; login <= 6; login++) {
            now.addAndGet(3000);
            clock.answered(0);
            assertThat(said).as("login %d of 6", login).isEmpty();
            clock.begun();
        }
        now.addAndGet(1999);
        clock.answered(1);
        assertThat(said).isEmpty();
        now.addAndGet(1);
        clock.answered(1);
        assertThat(said).containsExactly("servlet-bench: settling 2000 0,2 hello");
    }

    @Test
    void aUserWhoseLoginAlwaysFailsIsWaitedForUpToTheLimit() {
        Schedule.InterleavedLoad timeSlices = timeSlicesWithLogin(4000);
        SliceClock clock = new SliceClock(timeSlices, now::get, folder, said::add);
        clock.begin();
        now.addAndGet(4999);
        clock.answered(0);
        assertThat(said).isEmpty();
        now.addAndGet(1);
        clock.answered(0);
        assertThat(said).hasSize(1);
    }

    private static Schedule.InterleavedLoad timeSlicesWithLogin(long longestMs) {
        RequestSpec login =
                new RequestSpec("POST", Map.of(), "", 302, List.of(), List.of(), List.of(), List.of(), Times.ONCE);
        List<Schedule.Endpoint> endpoints = Stream.of("a", "b")
                .map(name -> new Schedule.Endpoint(
                        name,
                        "http://127.0.0.1:1",
                        "/login",
                        0,
                        9,
                        login,
                        List.of(
                                new Schedule.Endpoint("login", "http://127.0.0.1:1", "/login", 0, 9, login),
                                new Schedule.Endpoint("page", "http://127.0.0.1:1", "/", 0, 9)),
                        null))
                .toList();
        return new Schedule.InterleavedLoad("hello", endpoints, 3, 1000, 4000, longestMs, 5000, 100, 5, 0);
    }

    @Test
    void theCommonTurnIsAsLongAsTheClocksOfHostsNeedIt() {
        Schedule.InterleavedLoad timeSlices = timeSlices(100, 4000, 4000, 5000, 100);
        assertThat(HostCoordinator.common(timeSlices, 300, 1.5, 1_000_500))
                .isEqualTo(Interleaving.jittered(List.of("a", "b"), 1_000_500, 300, 17, 5));
        assertThat(HostCoordinator.common(timeSlices, 300, 42.05, 0).timeSliceMs())
                .as("ten times what is not known of the clocks")
                .isEqualTo(421);
    }

    /** How servlet-bench reacts to the generators' reports. */
    @Nested
    class Settled {

        private final Queue<Double> compiler = new ArrayDeque<>();

        private Stabilization settling(Schedule.InterleavedLoad timeSlices, int hosts) {
            return new Stabilization(
                    timeSlices,
                    hosts,
                    endpoint -> compiler.isEmpty() ? 0 : compiler.remove(),
                    endpoint -> Optional.empty());
        }

        private OptionalLong report(Stabilization settling, long ms, long a, long b) {
            return settling.reported("here", "servlet-bench: settling " + ms + " " + a + "," + b + " hello");
        }

        @Test
        void serversThatAreWarmTakeTheTimeThatWasPlanned() {
            Stabilization settling = settling(timeSlices(100, 4000, 60_000, 5000, 100), 1);
            assertThat(report(settling, 3000, 15_000, 15_000)).isEmpty();
            assertThat(report(settling, 2000, 10_000, 10_000)).hasValue(100);
            assertThat(settling.seconds()).isEqualTo(5);
            assertThat(settling.describe())
                    .isEqualTo("hello, not counted yet, 5 s: a 10000 requests/s, compiler 0 %; b 10000 requests/s,"
                            + " compiler 0 %");
        }

        @Test
        void untilEveryHostHasReportedNoServerHasARate() {
            Stabilization settling = settling(timeSlices(100, 4000, 60_000, 5000, 100), 2);
            assertThat(report(settling, 3000, 15_000, 15_000)).isEmpty();
            assertThat(settling.describe()).isEqualTo("hello, not counted yet, 0 s: a; b");
        }

        /**
         * The rate rises by 12 % every 2 s, for almost a minute. A limit meant for small services must not end that.
         */
        @Test
        void aServerWhoseRateRisesSlowlyIsLoadedUntilItStops() {
            Stabilization settling = settling(timeSlices(100, 4000, 120_000, 5000, 100), 1);
            OptionalLong timeSlice = OptionalLong.empty();
            double rate = 300;
            while (timeSlice.isEmpty()) {
                rate = Math.min(4000, rate * 1.12);
                timeSlice = report(settling, 2000, 10_000, Math.round(rate));
            }
            assertThat(rate).isEqualTo(4000);
            assertThat(settling.seconds()).isBetween(40.0, 60.0);
        }

        @Test
        void aCompilerThatWorksIsWaitedForUpToTheLimit() {
            compiler.addAll(List.of(50.0, 0.0, 30.0, 0.0, 2.9, 0.0, 3.1, 0.0, 2.9, 0.0, 1.0, 0.0));
            Stabilization settling = settling(timeSlices(100, 4000, 60_000, 5000, 100), 1);
            assertThat(report(settling, 3000, 15_000, 15_000)).isEmpty();
            for (int noisy = 0; noisy < 4; noisy++) {
                assertThat(report(settling, 2000, 10_000, 10_000)).isEmpty();
            }
            assertThat(report(settling, 2000, 10_000, 10_000)).hasValue(100);

            Stabilization never = new Stabilization(
                    timeSlices(100, 4000, 20_000, 5000, 100), 1, endpoint -> 40, endpoint -> Optional.empty());
            int parts = 1;
            while (report(never, 2000, 10_000, 10_000).isEmpty()) {
                parts++;
            }
            assertThat(2 * parts).as("s").isBetween(19, 21);
        }

        /**
         * Returns the number of parts of 2 s until the time slices are set. Each part has this many samples, of which
         * this many are in code of C1.
         */
        private int parts(int below, int samples) {
            WarmCode code = new WarmCode(TopTier.C2);
            Stabilization settling =
                    new Stabilization(timeSlices(100, 4000, 60_000, 5000, 100), 1, endpoint -> 50, endpoint -> {
                        code.add(new CodeTiers(0, below, samples - below));
                        return Optional.of(code);
                    });
            int parts = 1;
            long rate = 1000;
            while (report(settling, parts == 1 ? 3000 : 2000, 10_000, rate).isEmpty()) {
                parts++;
                // A machine that keeps becoming faster says nothing about a server.
                rate = Math.round(rate * 1.15);
            }
            return parts;
        }

        @Test
        void whereTheCodeIsSeenThroughputAndCompilerDecideNothing() {
            assertThat(parts(1, 200)).as("warm: as long as planned").isEqualTo(2);
            assertThat(parts(20, 200)).as("cold: to the limit").isBetween(29, 31);
        }

        /** After twice the planned time, few samples suffice if the servers look warm. */
        @Test
        void fewSamplesAreNotWaitedForLonger() {
            assertThat(parts(0, 20)).isEqualTo(4);
        }

        @Test
        void aCompilerThatNobodyCanReadIsNotWaitedFor() {
            compiler.addAll(List.of(Double.NaN, Double.NaN, Double.NaN, Double.NaN));
            Stabilization settling = settling(timeSlices(100, 4000, 60_000, 5000, 100), 1);
            report(settling, 3000, 15_000, 15_000);
            assertThat(report(settling, 2000, 10_000, 10_000)).hasValue(100);
        }

        /** 1500 users, and 2 answers/ms of the server's own time: it takes 750 ms to answer all pending requests. */
        @Test
        void turnsAreLongAgainstTheTimeThatAnswersTakeAtTheSlowestServer() {
            Stabilization settling = settling(timeSlices(1500, 4000, 4000, 5000, 100), 1);
            report(settling, 3000, 40_000, 3000);
            assertThat(report(settling, 2000, 40_000, 2000)).hasValue(7500);
        }

        /** The whole machine pauses while the length of a time slice is being determined. */
        @Test
        void aPauseDoesNotMakeTurnsLong() {
            Stabilization settling = settling(timeSlices(10, 600, 600, 2000, 250), 1);
            assertThat(report(settling, 1300, 500, 500)).isEmpty();
            assertThat(report(settling, 300, 2, 3)).isEmpty();
            assertThat(report(settling, 300, 100, 100)).hasValue(250);
        }

        @Test
        void aServerThatHardlyAnswersDoesNotMakeTurnsEndless() {
            Stabilization settling = settling(timeSlices(100, 4000, 4000, 5000, 100), 1);
            OptionalLong timeSlice = OptionalLong.empty();
            while (timeSlice.isEmpty()) {
                timeSlice = report(settling, 2000, 10_000, 0);
            }
            assertThat(timeSlice).hasValue(Schedule.InterleavedLoad.LONGEST_MS);
            assertThat(settling.seconds()).isBetween(16.0, 20.0);
        }

        /** 100 users on two hosts: the slower one determines the length of a time slice. */
        @Test
        void loadHostsAreSettledTogether() {
            Stabilization settling = settling(timeSlices(100, 4000, 60_000, 5000, 10), 2);
            String part = "servlet-bench: settling 3000 3000,3000 hello";
            assertThat(settling.reported("one", part)).isEmpty();
            assertThat(settling.reported("one", part)).isEmpty();
            assertThat(settling.reported("two", "servlet-bench: settling 3000 1500,1500 hello"))
                    .isEmpty();
            assertThat(settling.reported("two", "servlet-bench: settling 3000 1500,1500 hello"))
                    .hasValue(500);
        }
    }

    private static Schedule.Endpoint endpoint(String name) {
        return new Schedule.Endpoint(name, "http://127.0.0.1:1", "/", 1, 1);
    }

    @Test
    void usersAndRatesAreDividedSoThatTheSumIsWhatWasAskedFor() {
        Schedule all = new Schedule(
                new Schedule.WarmUp(1000, 1, 100, 5, 2),
                List.of("http://127.0.0.1:1"),
                List.of(
                        new Schedule.Window(endpoint("a hello 5 users"), 5, 0, 10, 20),
                        new Schedule.Window(endpoint("a hello 90/s"), 0, 90, 10, 20)),
                List.of(timeSlices(200, 4000, 4000, 5000, 100)),
                List.of(),
                "test");
        assertThat(all.shareOf(0, 1)).isEqualTo(all);
        for (int hosts = 2; hosts <= 5; hosts++) {
            int users = 0;
            int inTimeSlices = 0;
            double rate = 0;
            for (int host = 0; host < hosts; host++) {
                Schedule share = all.shareOf(host, hosts);
                users += share.windows().get(0).users();
                rate += share.windows().get(1).rate();
                assertThat(share.windows().get(1).users()).isZero();
                inTimeSlices += share.interleavings().get(0).users();
                assertThat(share.interleavings().get(0).users()).isBetween(200 / hosts, 200 / hosts + 1);
            }
            assertThat(users).isEqualTo(5);
            assertThat(inTimeSlices).isEqualTo(200);
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
        Interleaving interleaving = new Interleaving(List.of("a", "b"), 12, 100, 3, 9);
        Path file = Schedule.interleavingFile(folder, "hello 100 users");
        Schedule.writeInterleaving(interleaving, file);
        assertThat(Schedule.readInterleaving(file)).isEqualTo(interleaving);
        assertThat(file.getFileName()).hasToString("interleaving-hello-100-users.json");
    }

    @Test
    void theScheduleIsRead(@TempDir Path folder) throws Exception {
        Schedule schedule = new Schedule(
                new Schedule.WarmUp(1000, 1, 100, 5, 2),
                List.of("http://127.0.0.1:1"),
                List.of(),
                List.of(timeSlices(100, 4000, 4000, 5000, 100)),
                List.of(new Schedule.Search(
                        new Schedule.Endpoint("jetty", "http://127.0.0.1:1", "/hello", 5, 5),
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
