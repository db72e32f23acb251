package org.servletbench.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;

class RecorderTest {
    private static final int OK = Recorder.OK;
    private static final LogSource RECORDS = source(LogSource.Users.RECORDS, 0);

    private static LogSource source(LogSource.Users users, long origin) {
        return new LogSource("test", "", origin, users, true, true, false);
    }

    /**
     * Records users who each send the next request as soon as the last is answered. All requests take the same time.
     */
    private static Recorder closed(String name, int users, int rampMs, int holdMs, int responseMs) throws Exception {
        Recorder recorder = new Recorder(RECORDS);
        int load = recorder.load(name);
        int population = recorder.population(name);
        for (int user = 0; user < users; user++) {
            int at = rampMs * user / users;
            recorder.userStarts(population, at);
            int end = rampMs + holdMs + at;
            for (; at < end; at += responseMs) {
                recorder.request(load, at, at + responseMs, OK);
            }
            recorder.userEnds(population, at);
        }
        return recorder;
    }

    /**
     * Returns the warning about ten users for ten seconds, whose requests take 26 ms at first and {@code lastMs} at the
     * end.
     */
    private static Warning trend(int lastMs) throws Exception {
        Recorder recorder = new Recorder(RECORDS);
        int load = recorder.load("hello 10 users");
        int population = recorder.population("hello 10 users");
        for (int user = 0; user < 10; user++) {
            recorder.userStarts(population, 0);
            int at = user;
            while (at < 10_000) {
                int response = 26 - (26 - lastMs) * at / 10_000;
                recorder.request(load, at, at + response, OK);
                at += response;
            }
            recorder.userEnds(population, at);
        }
        return check(only(recorder), "trend");
    }

    /**
     * The default load has only ten slices of a second, so their quarters are used to show that a server is not warm.
     */
    @Test
    void aServerThatBecomesFasterWithinTenSecondsIsMarked() throws Exception {
        assertThat(trend(20).outcome()).isEqualTo(Warning.Outcome.FAILED);
        assertThat(trend(26).outcome()).isEqualTo(Warning.Outcome.PASSED);
    }

    private static WindowResult only(Recorder recorder) {
        LogMeasurement log = recorder.measure(0);
        assertThat(log.loads()).hasSize(1);
        return log.loads().get(0);
    }

    private static Warning check(WindowResult load, String name) {
        return check(load.checks(), name);
    }

    private static Warning check(List<Warning> checks, String name) {
        return checks.stream().filter(c -> c.check().equals(name)).findFirst().orElseThrow();
    }

    @Test
    void rampsAreCutByTheUsersThatWereActive() throws Exception {
        // 10 users start over 4 s and end over 4 s; all ten are present from 3.6 s to 14 s.
        WindowResult load = only(closed("hello 10 users", 10, 4000, 10_000, 20));
        assertThat(load.window()).isEqualTo(new SteadyWindow(4000, 14_000, SteadyWindow.Cut.PLANNED_USERS, 10));
        assertThat(load.steady().users()).isEqualTo(10);
        assertThat(load.steady().throughput()).isEqualTo(500);
        assertThat(load.steady().count()).isEqualTo(5000);
        assertThat(load.sound()).isTrue();
        assertThat(check(load, "littles-law").figures()).contains("N = 10:").contains("= 0.00 %");
        assertThat(load.whole().throughput()).isLessThan(400);
    }

    @Test
    void aRequestBelongsToTheSecondInWhichItEnds() throws Exception {
        Recorder recorder = closed("hello 1 users", 1, 0, 5000, 1000);
        int load = recorder.load("hello 1 users");
        // Ends with the last ms before the window's end, and with the first ms after it.
        recorder.request(load, 1990, 3999, OK);
        recorder.request(load, 1990, 4000, OK);
        WindowResult measured = only(recorder);
        assertThat(measured.slices()).extracting(Slice::count).containsExactly(0L, 1L, 1L, 2L, 2L, 1L);
        assertThat(measured.slices()).extracting(Slice::started).containsExactly(1L, 3L, 1L, 1L, 1L, 0L);
        // The user starts just within the first second.
        assertThat(measured.window().fromMs()).isEqualTo(1000);
        assertThat(measured.window().toMs()).isEqualTo(5000);
        assertThat(measured.steady().count()).isEqualTo(6);
        assertThat(measured.whole().count()).isEqualTo(7);
        assertThat(measured.whole().toMs()).isEqualTo(5001);
    }

    @Test
    void timesAreCountedFromTheOrigin() throws Exception {
        Recorder recorder = new Recorder(source(LogSource.Users.SAMPLES, 1_000_123));
        int load = recorder.load("x");
        for (int at = 0; at < 4000; at += 100) {
            recorder.request(load, at, at + 100, OK, 1, 5, 2);
        }
        LogMeasurement log = recorder.measure(40);
        assertThat(log.firstMs()).isEqualTo(1_000_123);
        assertThat(log.loads().get(0).window().fromMs()).isEqualTo(1_000_123);
        assertThat(log.loads().get(0).window().lengthMs()).isEqualTo(4000);
        assertThat(log.loads().get(0).steady().bytes()).isEqualTo(5 * 39);
        assertThat(log.loads().get(0).steady().sentBytes()).isEqualTo(2 * 39);
    }

    @Test
    void usersAreTimeWeighted() throws Exception {
        Recorder recorder = new Recorder(RECORDS);
        int load = recorder.load("x");
        int population = recorder.population("x");
        for (int at = 0; at < 10_000; at += 10) {
            recorder.request(load, at, at + 10, OK);
        }
        recorder.userStarts(population, 0);
        recorder.userStarts(population, 1250);
        recorder.userEnds(population, 1750);
        recorder.userStarts(population, 4500);
        recorder.userEnds(population, 8500);
        recorder.userEnds(population, 10_000);
        assertThat(only(recorder).slices())
                .extracting(Slice::users)
                .startsWith(1.0, 1.5, 1.0, 1.0, 1.5, 2.0, 2.0, 2.0, 1.5, 1.0);
    }

    @Test
    void aShortDipStaysInTheWindow() throws Exception {
        Recorder recorder = closed("hello 100 users", 100, 1000, 10_000, 50);
        int population = recorder.population("hello 100 users");
        for (int i = 0; i < 20; i++) {
            recorder.userEnds(population, 5100);
            recorder.userStarts(population, 5600);
        }
        WindowResult load = only(recorder);
        assertThat(load.window().lengthMs()).isEqualTo(10_000);
        assertThat(load.steady().users()).isCloseTo(99, within(1e-9));
    }

    /** Records two users who wait 10 ms after each response. */
    private static Recorder thinking(String name) throws Exception {
        Recorder recorder = new Recorder(RECORDS);
        int load = recorder.load(name);
        int population = recorder.population(name);
        for (int user = 0; user < 2; user++) {
            recorder.userStarts(population, 0);
            for (int at = 0; at < 10_000; at += 100) {
                recorder.request(load, at, at + 90, OK);
            }
            recorder.userEnds(population, 10_000);
        }
        return recorder;
    }

    @Test
    void littlesLawFailsWhenUsersThink() throws Exception {
        Warning little = check(only(thinking("hello 2 users")), "littles-law");
        assertThat(little.failed()).isTrue();
        assertThat(little.figures())
                .contains("x 90.000 ms = 1.8, L = 1.8 under way, N = 2:")
                .contains("10.00 %");
    }

    /** Requests take 90 ms and pauses 10 ms, first as the load says, and then half as long as it says. */
    @Test
    void littlesLawKnowsThePausesOfALoad() throws Exception {
        Warning little = check(only(thinking("hello 2 users pausing 10ms")), "littles-law");
        assertThat(little.failed()).as(little.figures()).isFalse();
        assertThat(little.figures())
                .containsPattern("L = 2(\\.0)? under way or in a pause of 10 ms on average, N = 2:");
        assertThat(check(only(thinking("hello 2 users pausing exponential 20ms")), "littles-law")
                        .failed())
                .isTrue();
    }

    /** In a third-party log, a name does not prove that users never pause. */
    @Test
    void littlesLawIsNotJudgedWhereUsersMayThink() throws Exception {
        Warning little = check(only(thinking("buy")), "littles-law");
        assertThat(little.failed()).isFalse();
        assertThat(little.figures()).contains("N = 2 seen").endsWith("users may pause between requests");
    }

    @Test
    void aTierThatWasNeverReachedIsSeen() throws Exception {
        Recorder recorder = closed("hello 10 users", 10, 1000, 10_000, 20);
        Recorder short9 = new Recorder(RECORDS);
        int load = short9.load("hello 10 users");
        int population = short9.population("hello 10 users");
        for (int user = 0; user < 9; user++) {
            short9.userStarts(population, 0);
            for (int at = 0; at < 10_000; at += 20) {
                short9.request(load, at, at + 20, OK);
            }
        }
        assertThat(check(only(recorder), "users-held").failed()).isFalse();
        WindowResult measured = only(short9);
        assertThat(measured.window().cut()).isEqualTo(SteadyWindow.Cut.OBSERVED_USERS);
        assertThat(check(measured, "steady-window").failed()).isTrue();
        assertThat(check(measured, "users-held").failed()).isTrue();
        assertThat(check(measured, "littles-law").failed()).isTrue();
    }

    @Test
    void anotherNameIsJudgedByTheUsersSeen() throws Exception {
        WindowResult load = only(closed("GET /", 7, 2000, 10_000, 10));
        assertThat(load.window().cut()).isEqualTo(SteadyWindow.Cut.OBSERVED_USERS);
        assertThat(load.window().fromMs()).isEqualTo(2000);
        assertThat(check(load, "littles-law").outcome()).isEqualTo(Warning.Outcome.PASSED);
        assertThat(check(load, "littles-law").figures()).contains("N = 7 seen");
    }

    @Test
    void namesThatShareUsersAreNotJudgedByThem() throws Exception {
        Recorder recorder = new Recorder(source(LogSource.Users.SAMPLES, 0));
        for (String name : List.of("a", "b")) {
            int load = recorder.load(name);
            for (int at = 0; at < 5000; at += 10) {
                recorder.request(load, at, at + 10, OK, 2, 0, 0);
            }
        }
        recorder.measure(0).loads().forEach(load -> assertThat(
                        check(load, "littles-law").outcome())
                .isEqualTo(Warning.Outcome.NOT_JUDGED));
    }

    private static WindowResult open(double rate, double achieved) throws Exception {
        Recorder recorder = new Recorder(RECORDS);
        int load = recorder.load("hello at " + rate + "/s");
        // A ramp of 2 s, then the rate for 20 s.
        for (int at = 0; at < 2000; at += 100) {
            recorder.request(load, at, at + 3, OK);
        }
        for (int i = 0; i < 20 * achieved; i++) {
            int at = 2000 + (int) (i * 1000 / achieved);
            recorder.request(load, at, at + 3, OK);
        }
        return only(recorder);
    }

    @Test
    void openRunsAreCutAndJudgedByTheOfferedRate() throws Exception {
        WindowResult kept = open(200, 200);
        assertThat(kept.window()).isEqualTo(new SteadyWindow(2000, 21_000, SteadyWindow.Cut.RATE, 200));
        assertThat(check(kept, "offered-rate").outcome()).isEqualTo(Warning.Outcome.PASSED);
        assertThat(kept.checks()).extracting(Warning::check).doesNotContain("littles-law");
        WindowResult missed = open(200, 180);
        assertThat(missed.window().cut()).isNotEqualTo(SteadyWindow.Cut.RATE);
        assertThat(check(missed, "offered-rate").failed()).isTrue();
    }

    /**
     * A server that answers everything after this many ms keeps up with the rate. Requests start at 500 ms, with or
     * without a ramp.
     */
    @ParameterizedTest
    @ValueSource(ints = {100, 300, 700, 1000, 2500})
    void slowAnswersAreNoMissingRequests(int ms) throws Exception {
        for (int ramp : new int[] {0, 2000}) {
            Recorder recorder = new Recorder(RECORDS);
            int load = recorder.load("hello at 100.0/s");
            for (int at = 500; at < 500 + ramp; at += 100) {
                recorder.request(load, at, at + ms, OK);
            }
            for (int at = 500 + ramp; at < 13_500 + ramp; at += 10) {
                recorder.request(load, at, at + ms, OK);
            }
            WindowResult measured = only(recorder);
            assertThat(check(measured, "offered-rate").outcome()).as("%d", ramp).isEqualTo(Warning.Outcome.PASSED);
            assertThat(measured.steady().throughput()).isCloseTo(100, withinPercentage(1));
            assertThat(measured.window().cut()).isEqualTo(SteadyWindow.Cut.RATE);
        }
    }

    /** Responses of 3 s come in waves. A window of 10 s has three of them, which would be 10 % too few. */
    @ParameterizedTest
    @ValueSource(ints = {40, 240, 900, 1004, 1500, 2005, 2500, 3004, 4003})
    void waitingUsersAreCountedInWholeWaves(int ms) throws Exception {
        for (int ramp : new int[] {700, 1000, 1400}) {
            WindowResult measured = only(closed("delay 100 users", 100, ramp, 10_000, ms));
            assertThat(measured.window().cut()).isEqualTo(SteadyWindow.Cut.PLANNED_USERS);
            assertThat(measured.steady().throughput())
                    .as("ramp %d", ramp)
                    .isCloseTo(100_000.0 / ms, withinPercentage(3));
            assertThat(check(measured, "littles-law").outcome()).isEqualTo(Warning.Outcome.PASSED);
        }
    }

    /** Ever slower responses must not move the window to where none is missing. */
    @Test
    void aServerThatFallsBehindIsMarked() throws Exception {
        Recorder recorder = new Recorder(RECORDS);
        int load = recorder.load("hello at 100.0/s");
        for (int i = 0; i < 1300; i++) {
            recorder.request(load, 500 + 10 * i, 500 + 12 * i, OK);
        }
        assertThat(check(only(recorder), "offered-rate").failed()).isTrue();
    }

    /** Records seconds with 700 requests, up to 25 more or less by chance, and {@code more} from second to second. */
    private static WindowResult drifting(int seconds, double more) throws Exception {
        Recorder recorder = new Recorder(RECORDS);
        int load = recorder.load("x");
        recorder.userStarts(recorder.population("x"), 0);
        Random random = new Random(3);
        for (int s = 0; s < seconds; s++) {
            long count = Math.round(700 + more * s) + random.nextInt(51) - 25;
            for (int i = 0; i < count; i++) {
                recorder.request(load, s * 1000 + i, s * 1000 + i, OK);
            }
        }
        recorder.request(load, 0, seconds * 1000 - 1, OK);
        return only(recorder);
    }

    @Test
    void aCellThatRisesOrFallsByMoreThanItsNoiseIsMarked() throws Exception {
        assertThat(check(drifting(40, 0), "trend").outcome()).isEqualTo(Warning.Outcome.PASSED);
        assertThat(check(drifting(40, 3), "trend").failed()).isTrue();
        assertThat(check(drifting(40, -3), "trend").failed()).isTrue();
        assertThat(check(drifting(10, 3), "trend").outcome()).isEqualTo(Warning.Outcome.NOT_JUDGED);
    }

    @Test
    void errorsAreCountedByKindAndLimited() throws Exception {
        Recorder recorder = closed("hello 10 users", 10, 1000, 10_000, 20);
        int load = recorder.load("hello 10 users");
        for (int i = 0; i < 5; i++) {
            recorder.request(load, 5000, 5020, recorder.errorKind("503"));
        }
        assertThat(check(only(recorder), "errors").failed()).isFalse();
        recorder.request(load, 5000, 5020, recorder.errorKind("refused"));
        recorder.request(load, 20, 40, recorder.errorKind("in the ramp"));
        WindowResult measured = only(recorder);
        assertThat(measured.steady().errors()).isEqualTo(6);
        assertThat(measured.steady().errorKinds()).isEqualTo(Map.of("503", 5L, "refused", 1L));
        assertThat(measured.steady().errorKinds().keySet()).containsExactly("503", "refused");
        assertThat(measured.whole().errors()).isEqualTo(7);
        assertThat(check(measured, "errors").failed()).isTrue();
        assertThat(measured.warnings())
                .filteredOn(warning -> warning.kind() == WarningKind.ERRORS)
                .singleElement()
                .satisfies(warning -> assertThat(warning.figures()).endsWith(": {503=5, refused=1}"));
    }

    @Test
    void furtherKindsOfErrorAreCountedTogether() throws Exception {
        Recorder recorder = new Recorder(RECORDS);
        int load = recorder.load("x");
        for (int i = 0; i < Recorder.MAX_KINDS + 50; i++) {
            recorder.request(load, i, i + 1, recorder.errorKind("id " + i));
        }
        Summary whole = only(recorder).whole();
        assertThat(whole.errors()).isEqualTo(Recorder.MAX_KINDS + 50);
        assertThat(whole.errorKinds()).hasSize(Recorder.MAX_KINDS + 1).containsEntry(Tally.Kinds.OTHER, 50L);
    }

    /** All names beyond the limit share one load, which shows how many they are. */
    @Test
    void namesBeyondTheMostAreOneCell() throws Exception {
        Recorder recorder = new Recorder(RECORDS);
        int names = Recorder.MAX_LOADS + 40;
        for (int i = 0; i < 2 * names; i++) {
            int load = recorder.load("item " + i % names);
            recorder.request(load, i, i + 1 + i % 7, OK);
        }
        assertThat(recorder.isFull()).isTrue();
        assertThat(recorder.load("item 5")).isEqualTo(5);
        LogMeasurement log = recorder.measure(2 * names);
        assertThat(log.loads()).hasSize(Recorder.MAX_LOADS + 1);
        assertThat(log.checks()).noneMatch(Warning::failed);
        WindowResult rest = log.loads().get(Recorder.MAX_LOADS);
        assertThat(rest.name()).isEqualTo("(40 other names)");
        assertThat(rest.whole().count()).isEqualTo(80);
    }

    /** Among many names, each has the same figures as among few. */
    @Test
    void namesOfARareRequestHaveTheirFigures() throws Exception {
        Random random = new Random(3);
        Recorder many = new Recorder(RECORDS);
        Recorder alone = new Recorder(RECORDS);
        int requests = 200_000;
        int ofOne = 0;
        for (int i = 0; i < requests; i++) {
            // One name has every third request, with response times of all classes; the others have about 130 requests
            // each.
            int name = i % 3 == 0 ? 0 : 1 + random.nextInt(1000);
            long start = i / 5;
            long end = start + (name == 0 ? random.nextInt(90_000) : 1 + random.nextInt(60));
            many.request(many.load("item " + name), start, end, i % 50 == 0 ? many.errorKind("503") : OK);
            if (name < 2) {
                ofOne++;
                alone.request(alone.load("item " + name), start, end, i % 50 == 0 ? alone.errorKind("503") : OK);
            }
        }
        LogMeasurement log = many.measure(requests);
        assertThat(log.loads()).hasSize(1001);
        assertThat(log.checks()).noneMatch(Warning::failed);
        List<WindowResult> expected = alone.measure(ofOne).loads();
        for (WindowResult load : expected) {
            WindowResult found = log.loads().stream()
                    .filter(one -> one.name().equals(load.name()))
                    .findFirst()
                    .orElseThrow();
            assertThat(found.whole()).isEqualTo(load.whole());
            assertThat(found.histogram().orElseThrow().getTotalCount())
                    .isEqualTo(found.steady().count());
        }
    }

    @Test
    void countsAreHeldAgainstTheReader() throws Exception {
        Recorder recorder = closed("hello 10 users", 10, 1000, 10_000, 20);
        LogMeasurement right = recorder.measure(5500);
        assertThat(right.checks()).noneMatch(Warning::failed);
        assertThat(right.loads()).allMatch(WindowResult::sound);
        assertThat(check(recorder.measure(5499).checks(), "raw-count").failed()).isTrue();
    }

    @Test
    void impossibleTimesEnterNoFigure() throws Exception {
        Recorder recorder = closed("hello 10 users", 10, 1000, 10_000, 20);
        WindowResult before = only(recorder);
        recorder.request(recorder.load("hello 10 users"), 5000, 4999, OK);
        recorder.request(recorder.load("hello 10 users"), 5000, 5001 + Recorder.LONGEST_MS, OK);
        LogMeasurement log = recorder.measure(5502);
        assertThat(log.loads().get(0).whole()).isEqualTo(before.whole());
        assertThat(check(log.checks(), "possible-times").failed()).isTrue();
        assertThat(check(log.checks(), "raw-count").failed()).isTrue();
    }

    @Test
    void truncationAndGeneratorErrorsFailTheLog() throws Exception {
        Recorder recorder = closed("hello 10 users", 10, 1000, 10_000, 20);
        recorder.truncated("ends early");
        recorder.generatorError(recorder.errorKind("crash"));
        LogMeasurement log = recorder.measure(5500);
        assertThat(check(log.checks(), "log-complete").figures()).isEqualTo("ends early");
        assertThat(check(log.checks(), "generator-errors").figures()).contains("1 x crash");
    }

    /** The order of records changes nothing, not even in logs so long that seconds are joined to save memory. */
    @Test
    void orderDoesNotMatter() throws Exception {
        Random random = new Random(3);
        for (long span : new long[] {20_000, 3_600_000, 80_000_000}) {
            List<long[]> records = new ArrayList<>();
            for (int i = 0; i < 6000; i++) {
                long start = (long) (random.nextDouble() * span);
                records.add(new long[] {
                    random.nextInt(3),
                    start,
                    start + (long) (random.nextDouble() * random.nextDouble() * Math.min(span, 1 << 24)),
                    random.nextInt(9)
                });
            }
            LogMeasurement first = recorded(records);
            for (int round = 0; round < 4; round++) {
                Collections.shuffle(records, random);
                LogMeasurement again = recorded(records);
                assertThat(again.sliceMs()).isEqualTo(first.sliceMs());
                assertThat(again.checks()).isEqualTo(first.checks());
                assertThat(figures(again)).isEqualTo(figures(first));
            }
            if (span != 3_600_000) {
                assertThat(first.sliceMs() > 1000).isEqualTo(span > 20_000);
            }
            for (WindowResult load : first.loads()) {
                assertThat(check(load, "counts").failed()).isFalse();
            }
        }
    }

    private static List<List<Object>> figures(LogMeasurement log) {
        return log.loads().stream()
                .map(c -> List.<Object>of(
                        c.name(), c.whole(), c.window(), c.steady(), c.histogram(), c.slices(), c.checks()))
                .toList();
    }

    private static LogMeasurement recorded(List<long[]> records) throws Exception {
        Recorder recorder = new Recorder(RECORDS);
        // Numbers must not depend on the order here, as readers assign them in the order of names.
        int[] loads = {recorder.load("a"), recorder.load("b 5 users"), recorder.load("c at 300/s")};
        int population = recorder.population("a");
        for (long[] r : records) {
            recorder.request(loads[(int) r[0]], r[1], r[2], r[3] == 0 ? recorder.errorKind("e") : OK);
            if (r[3] == 1) {
                recorder.userStarts(population, r[1]);
                recorder.userEnds(population, r[2] + 2000);
            }
        }
        return recorder.measure(records.size());
    }

    @Test
    void joinedSlicesGiveTheSameWindowFigures() throws Exception {
        Recorder recorder = closed("hello 10 users", 10, 4000, 10_000, 20);
        // A rare request over two days: too many seconds to keep.
        int rare = recorder.load("rare");
        for (int hours = 0; hours <= 48; hours += 4) {
            recorder.request(rare, 3_600_000L * hours, 3_600_000L * hours + 1, OK);
        }
        LogMeasurement log = recorder.measure(7013);
        assertThat(log.sliceMs()).isEqualTo(4000);
        assertThat(check(log.checks(), "raw-count").failed()).isFalse();
        WindowResult load = log.loads().get(0);
        assertThat(load.window()).isEqualTo(new SteadyWindow(4000, 12_000, SteadyWindow.Cut.PLANNED_USERS, 10));
        assertThat(load.steady().throughput()).isEqualTo(500);
        assertThat(load.slices().stream().mapToLong(Slice::count).sum()).isEqualTo(7000);
        assertThat(load.slices().get(0).users()).isCloseTo((10 * 4 - 18) / 4.0, within(1e-9));
        assertThat(load.slices().get(1).users()).isEqualTo(10);
    }

    /** The logs are so long that seconds are joined, in some parts earlier than in others. */
    @Test
    void logsOneAfterTheOtherGiveWhatOneGives() throws Exception {
        for (int seed = 0; seed < 6; seed++) {
            Random random = new Random(seed);
            Recorder whole = new Recorder(RECORDS);
            Recorder merged = new Recorder(RECORDS);
            int[] later = {0, random.nextInt(100_000), -random.nextInt(100_000)};
            for (int i = 0; i < 60_000; i++) {
                int part = i / 20_000;
                if (i % 20_000 == 0) {
                    merged.of(source(LogSource.Users.RECORDS, later[part]), 3, "");
                }
                String name = "load " + random.nextInt(2);
                // The third log is short.
                int at = random.nextInt(part == 2 ? 10_000_000 : 100_000_000);
                int response = (int) Math.exp(14 * random.nextDouble());
                String error = random.nextInt(7) > 0 ? null : "error " + random.nextInt(20);
                record(whole, name, at, response, error);
                record(merged, name, at - later[part], response, error);
            }
            LogMeasurement one = merged.measure(60_000);
            LogMeasurement other = whole.measure(60_000);
            assertThat(other.sliceMs()).isGreaterThan(2000);
            assertThat(one.sliceMs()).isEqualTo(other.sliceMs());
            assertThat(one.checks()).isEqualTo(other.checks());
            for (int load = 0; load < 2; load++) {
                assertThat(one.loads().get(load).whole())
                        .isEqualTo(other.loads().get(load).whole());
                assertThat(one.loads().get(load).slices())
                        .isEqualTo(other.loads().get(load).slices());
            }
        }
    }

    private static void record(Recorder recorder, String name, int at, int response, String error) throws Exception {
        recorder.request(recorder.load(name), at, at + response, error == null ? OK : recorder.errorKind(error));
    }

    /** Records a hundred users whose requests take 10 ms, without pauses. The server freezes once. */
    private static Recorder stalling(LogSource.Users known, int holdMs, int from, int to, int rampDownMs)
            throws Exception {
        Recorder recorder = new Recorder(source(known, 0));
        int load = recorder.load("x 100 users");
        int population = recorder.population("x 100 users");
        for (int user = 0; user < 100; user++) {
            int at = known == LogSource.Users.SAMPLES ? user / 10 : user * 10;
            recorder.userStarts(population, at);
            int end = holdMs + rampDownMs * user / 100;
            while (at < end) {
                int answer = at + 10 <= from || at >= to ? at + 10 : to + user / 10;
                recorder.request(load, at, answer, OK, known == LogSource.Users.SAMPLES ? 100 : -1, 0, 0);
                at = answer;
            }
            recorder.userEnds(population, at);
        }
        return recorder;
    }

    /**
     * The rate is 10,000/s whenever the server works. A stall counts for as long as users wait for it, and makes no
     * other check fail.
     */
    @ParameterizedTest
    @CsvSource({
        "0, 4000",
        "500, 4500",
        "3000, 3800",
        "5200, 9100",
        "7000, 11000",
        "9500, 13700",
        "9800, 10990",
        "2000, 30000",
        "0, 40000",
        "8900, 10900"
    })
    void aStallIsInTheFiguresWhereverItIs(int from, int to) throws Exception {
        for (LogSource.Users known : new LogSource.Users[] {LogSource.Users.RECORDS, LogSource.Users.SAMPLES}) {
            WindowResult load = only(stalling(known, 10_000, from, to, 0));
            double begin = load.window().fromMs();
            double length = load.window().lengthMs();
            assertThat(begin).isEqualTo(known == LogSource.Users.SAMPLES && from > 0 ? 0.0 : 1000.0);
            assertThat(load.window().toMs()).isGreaterThanOrEqualTo(Math.max(10_000, to));
            double stalled = Math.max(0, to - Math.max(from, begin));
            double truth = 10_000 * (1 - stalled / length);
            assertThat(load.steady().throughput()).as("%s", known).isCloseTo(truth, within(Math.max(12, truth / 50)));
            assertThat(load.steady().latency().max()).isGreaterThanOrEqualTo(to - from - 10.0);
            assertThat(load.checks())
                    .as("%s", load.checks())
                    .noneMatch(check -> check.failed() && check.kind().excludes());
            assertThat(check(load, "littles-law").outcome()).isEqualTo(Warning.Outcome.PASSED);
            assertThat(check(load, "steady-window").outcome()).isEqualTo(Warning.Outcome.PASSED);
        }
    }

    /** Users leave for 3 s after the stall, so that the window ends with it and cannot contain its responses. */
    @Test
    void aWindowThatEndsInAStallSaysSo() throws Exception {
        WindowResult load = only(stalling(LogSource.Users.RECORDS, 9000, 8000, 10_500, 3000));
        assertThat(load.window().toMs()).isEqualTo(10_000);
        assertThat(load.steady().throughput()).isCloseTo(10_000 * 7 / 9.0, withinPercentage(2));
        assertThat(check(load, "littles-law").failed()).isFalse();
        assertThat(check(load, "steady-window").failed()).isTrue();
        assertThat(check(load, "steady-window").figures()).contains("answered after it");
    }

    /** Requests stay due all the time; those of a stall are answered together when it ends. */
    @ParameterizedTest
    @CsvSource({"0, 2500", "300, 1800", "4000, 6500", "8000, 10900"})
    void aStallInTheOpenModelIsNoFaultOfTheLoad(int from, int to) throws Exception {
        Recorder recorder = new Recorder(RECORDS);
        int load = recorder.load("hello at 100.0/s");
        for (int at = 0; at < 12_000; at += 10) {
            recorder.request(load, at, at >= from && at < to ? to : at + 3, OK);
        }
        WindowResult measured = only(recorder);
        assertThat(measured.steady().latency().max()).isEqualTo(to - from);
        assertThat(check(measured, "offered-rate").failed())
                .as(check(measured, "offered-rate").figures())
                .isFalse();
    }

    /**
     * Random users, pauses, stalls and ramps. The counts, and the requests under way, equal those of a naive reader.
     */
    @Test
    void figuresOfRandomLogsAreThoseOfANaiveReader() throws Exception {
        Random random = new Random(12);
        for (int round = 0; round < 200; round++) {
            Recorder recorder = new Recorder(RECORDS);
            int load = recorder.load("x");
            int population = recorder.population("x");
            List<int[]> requests = new ArrayList<>();
            int stall = random.nextInt(20_000);
            int stalled = random.nextInt(6000);
            for (int user = 0; user < 20; user++) {
                int at = random.nextInt(3000);
                recorder.userStarts(population, at);
                while (at < 15_000) {
                    int end = at + 1 + random.nextInt(100);
                    end += end > stall && at < stall ? stalled : 0;
                    requests.add(new int[] {at, end});
                    recorder.request(load, at, end, OK);
                    at = end;
                }
                recorder.userEnds(population, at);
            }
            WindowResult measured = only(recorder);
            SteadyWindow window = measured.window();
            long ended = requests.stream()
                    .filter(one -> one[1] >= window.fromMs() && one[1] < window.toMs())
                    .count();
            double underWay = requests.stream()
                            .mapToLong(one ->
                                    Math.max(0, Math.min(one[1], window.toMs()) - Math.max(one[0], window.fromMs())))
                            .sum()
                    / (double) window.lengthMs();
            assertThat(measured.steady().count()).isEqualTo(ended);
            assertThat(measured.steady().throughput()).isCloseTo(1000.0 * ended / window.lengthMs(), within(1e-9));
            assertThat(check(measured, "littles-law").figures())
                    .contains(String.format(java.util.Locale.ROOT, "L = %.1f under way", underWay)
                            .replace(".0 ", " "));
            assertThat(check(measured, "littles-law").failed()).isFalse();
        }
    }

    @Test
    void usersWhoChangeThroughoutAreNotSteady() throws Exception {
        Recorder leaving = new Recorder(RECORDS);
        int load = leaving.load("x");
        int population = leaving.population("x");
        for (int user = 0; user < 100; user++) {
            leaving.userStarts(population, 0);
            for (int at = 0; at < 150 * (user + 1); at += 10) {
                leaving.request(load, at, at + 10, OK);
            }
            leaving.userEnds(population, 150 * (user + 1));
        }
        Warning window = check(only(leaving), "steady-window");
        assertThat(window.failed()).isTrue();
        assertThat(window.figures()).contains("the number of users changes throughout: from ");
        // Users who arrive by chance, 40/s for about 5 s each, vary by no more than chance.
        int alarms = 0;
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            Recorder open = new Recorder(RECORDS);
            load = open.load("x");
            population = open.population("x");
            for (double at = 0; at < 120_000; at -= 25 * Math.log(random.nextDouble())) {
                long start = (long) at;
                open.userStarts(population, start);
                for (int request = 0; request < 10; request++) {
                    open.request(load, start + 500 * request, start + 500 * request + 20, OK);
                }
                open.userEnds(population, start + 4520);
            }
            alarms += check(only(open), "steady-window").failed() ? 1 : 0;
        }
        assertThat(alarms).isLessThan(3);
    }

    /** Runs were appended to one file. There must be no average over the hour between them. */
    @Test
    void runsWithAGapBetweenThemAreNotAveraged() throws Exception {
        for (long gap : new long[] {5000, 60_000, 3_600_000}) {
            for (int runs = 2; runs <= 4; runs++) {
                Recorder recorder = new Recorder(RECORDS);
                int load = recorder.load("x");
                int population = recorder.population("x");
                for (int run = 0; run < runs; run++) {
                    // The second run is the longest.
                    long begin = run * (40_000 + gap);
                    long end = begin + (run == 1 ? 40_000 : 30_000);
                    for (int user = 0; user < 10; user++) {
                        recorder.userStarts(population, begin);
                        for (long at = begin; at < end; at += 100) {
                            recorder.request(load, at, at + 100, OK);
                        }
                        recorder.userEnds(population, end);
                    }
                }
                WindowResult measured = only(recorder);
                assertThat(measured.steady().throughput()).isCloseTo(100, withinPercentage(1));
                assertThat(measured.window().lengthMs()).isBetween(38_000L, 40_000L);
                assertThat(measured.steady().users()).isEqualTo(10);
                assertThat(check(measured, "steady-window").figures())
                        .contains(
                                runs + " runs with nothing under way between them", "Measure each run's log by itself");
                assertThat(check(measured, "steady-window").failed()).isTrue();
            }
        }
    }

    /** Users with a long think time leave gaps that do not end a run; so does a rare name in a busy log. */
    @Test
    void pausesOfUsersAreNoGaps() throws Exception {
        Recorder recorder = new Recorder(RECORDS);
        int thinking = recorder.load("thinking");
        recorder.userStarts(recorder.population("thinking"), 0);
        for (int at = 0; at < 600_000; at += 20_000) {
            recorder.request(thinking, at, at + 100, OK);
        }
        assertThat(check(only(recorder), "steady-window").failed()).isFalse();
        int busy = recorder.load("busy");
        int rare = recorder.load("rare");
        for (int at = 0; at < 600_000; at += 50) {
            recorder.request(busy, at, at + 40, OK);
            if (at % 100_000 < 5000) {
                recorder.request(rare, at, at + 40, OK);
            }
        }
        recorder.measure(0).loads().forEach(load -> assertThat(
                        check(load, "steady-window").figures())
                .doesNotContain("runs with"));
    }

    /** A time that was never set may come first, last or in between, in a log of a few requests or many. */
    @Test
    void timesFarFromAllOthersAreLeftOutAndNamed() throws Exception {
        long now = 1_700_000_000_000L;
        for (int seconds : new int[] {30, 3}) {
            for (int stray : new int[] {0, 50, 30 * seconds * 10 - 1}) {
                Recorder recorder = new Recorder(RECORDS);
                int load = recorder.load("x");
                int population = recorder.population("x");
                for (int i = 0; i < 30 * seconds * 10; i++) {
                    if (i == stray) {
                        recorder.request(load, 0, 7, recorder.errorKind("bad URI"));
                    }
                    recorder.request(load, now + 100L * (i / 30), now + 100L * (i / 30) + 100, OK);
                }
                for (int user = 0; user < 30; user++) {
                    recorder.userStarts(population, user == 0 ? 0 : now);
                    recorder.userEnds(population, now + 1000L * seconds);
                }
                LogMeasurement log = recorder.measure(300L * seconds + 1);
                assertThat(log.sliceMs()).isEqualTo(1000);
                assertThat(log.loads().get(0).steady().throughput()).isCloseTo(300, withinPercentage(4));
                assertThat(log.loads().get(0).steady().errors()).isZero();
                assertThat(check(log.checks(), "possible-times").failed()).isTrue();
                assertThat(check(log.checks(), "possible-times").figures())
                        .contains("6 h or more from all others", ": 1; ", "x at 1970-01-01T00:00:00Z, failed: bad URI");
            }
        }
    }

    /** JMeter numbers the requests of a redirect: they are parts of the request whose name is the prefix of theirs. */
    @Test
    void aLongNameKeepsWhatNumbersItsParts() {
        String whole = "/x?" + "y".repeat(600);
        assertThat(Recorder.shortened(whole))
                .hasSizeLessThan(300)
                .startsWith("/x?yyy")
                .contains("(603 characters, ");
        assertThat(Recorder.shortened(whole + "-0")).isEqualTo(Recorder.shortened(whole) + "-0");
        assertThat(Recorder.shortened(whole + "-0-12")).isEqualTo(Recorder.shortened(whole) + "-0-12");
        assertThat(Recorder.shortened(whole + "z")).isNotEqualTo(Recorder.shortened(whole));
        assertThat(Recorder.shortened(Recorder.shortened(whole))).isEqualTo(Recorder.shortened(whole));
        String longest = "y".repeat(500);
        assertThat(Recorder.shortened(longest)).isEqualTo(longest);
        assertThat(Recorder.shortened(longest + "-0"))
                .as("its whole has its name")
                .isEqualTo(longest + "-0");
    }
}
