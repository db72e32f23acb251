package org.servletbench.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.measure.LogMeasurement;
import org.servletbench.bench.measure.SteadyWindow;
import org.servletbench.bench.measure.UnreadableLogException;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Warning;

/** Tests logs from practice that are easily measured incorrectly: whole files, as JMeter and Gatling write them. */
class LogCasesTest {
    private static final String HEADER =
            "timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,bytes,"
                    + "grpThreads,allThreads,Hostname\n";
    private static final long T0 = 1_700_000_000_000L;

    @TempDir
    Path folder;

    private record Row(long at, String line) {}

    private static Row row(long at, long elapsed, String thread, int users, String host) {
        return new Row(
                at,
                at + "," + elapsed + ",GET /hello,200,OK," + thread + ",true,100," + users + "," + users + "," + host);
    }

    /** Returns the rows of threads that send without pauses. */
    private static List<Row> backToBack(long from, int seconds, int elapsed, int threads, String host, String prefix) {
        List<Row> rows = new ArrayList<>();
        for (int thread = 1; thread <= threads; thread++) {
            for (long at = from; at < from + 1000L * seconds; at += elapsed) {
                rows.add(row(at, elapsed, prefix + "Thread Group 1-" + thread, threads, host));
            }
        }
        return rows;
    }

    private static String text(List<Row> rows) {
        return rows.stream()
                .sorted(Comparator.comparingLong(Row::at))
                .map(Row::line)
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private WindowResult only(String csv) throws IOException {
        return Logs.measure(folder, csv).loads().get(0);
    }

    private static Warning check(List<Warning> checks, String name) {
        return checks.stream()
                .filter(check -> check.check().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static final String RUN = text(backToBack(T0, 30, 100, 10, "h", ""));

    /**
     * JMeter's remote servers put their own name into those of their threads. Logs of several machines have a column
     * for it.
     */
    @Test
    void usersOfSeveralHostsAddUp() throws IOException {
        for (String prefix : List.of("", "10.0.0.")) {
            List<Row> rows = new ArrayList<>();
            for (int host = 1; host <= 2; host++) {
                String named = prefix.isEmpty() ? "" : prefix + host + "-";
                rows.addAll(backToBack(T0, 30, 10, 3, prefix.isEmpty() ? "host" + host : "h", named));
            }
            WindowResult load = only(HEADER + text(rows));
            assertThat(load.steady().users()).isEqualTo(6);
            assertThat(load.steady().throughput()).isCloseTo(600, within(1.0));
            assertThat(load.checks()).noneMatch(Warning::failed);
            assertThat(check(load.checks(), "littles-law").outcome()).isEqualTo(Warning.Outcome.PASSED);
        }
    }

    @Test
    void twoRunsInOneFileAreNotAveraged() throws IOException {
        WindowResult load = only(HEADER + RUN + text(backToBack(T0 + 3_600_000, 30, 100, 10, "h", "")));
        assertThat(load.steady().throughput()).isCloseTo(100, within(1.0));
        assertThat(load.window().lengthMs()).isEqualTo(30_000);
        assertThat(load.steady().users()).isEqualTo(10);
        assertThat(check(load.checks(), "steady-window").figures())
                .contains("2 runs with nothing under way between them, for up to 3569 s", "3000 of 6000 requests");
        assertThat(load.sound()).isFalse();
    }

    /** Requests of the next day are outliers, which belong to no load. */
    @Test
    void theRunOfAnotherDayIsLeftOut() throws IOException {
        LogMeasurement log =
                Logs.measure(folder, HEADER + RUN + text(backToBack(T0 + 86_400_000, 30, 100, 10, "h", "")));
        assertThat(log.sliceMs()).isEqualTo(1000);
        assertThat(log.loads().get(0).steady().throughput()).isCloseTo(100, within(1.0));
        assertThat(log.loads().get(0).steady().users()).isEqualTo(10);
        assertThat(check(log.checks(), "possible-times").figures()).contains("another run", ": 3000; ");
    }

    @Test
    void aTimeThatWasNeverSetIsNamedAndLeftOut() throws IOException {
        String row = "0,0,GET /hello,Non HTTP response code: java.net.URISyntaxException,x,Thread Group"
                + " 1-1,false,0,10,10,h\n";
        for (String csv : List.of(HEADER + RUN + row, HEADER + row + RUN)) {
            LogMeasurement log = Logs.measure(folder, csv);
            WindowResult load = log.loads().get(0);
            assertThat(load.steady().throughput()).isCloseTo(100, within(1.0));
            assertThat(load.window().lengthMs()).isEqualTo(30_000);
            assertThat(load.steady().users()).isEqualTo(10);
            assertThat(check(log.checks(), "possible-times").figures())
                    .contains(
                            ": 1; ",
                            "GET /hello at 1970-01-01T00:00:00Z, failed: Non HTTP response code: java.net.URI");
        }
    }

    @Test
    void filesPutTogetherHaveTheirHeaderTwice() throws IOException {
        WindowResult load = only(HEADER + RUN + HEADER + text(backToBack(T0 + 30_000, 30, 100, 10, "h", "")));
        assertThat(load.steady().throughput()).isCloseTo(100, within(1.0));
        assertThat(load.window().lengthMs()).isEqualTo(60_000);
        assertThat(load.sound()).isTrue();
    }

    /** A hundred users start within 1 s. The server freezes from 7 s to 11 s, and then the load ends. */
    @Test
    void aStallAtTheEndIsInTheFigures() throws IOException {
        List<Row> rows = new ArrayList<>();
        Logs.GatlingWriter gatling = new Logs.GatlingWriter("3.15.1", "hello 100 users");
        for (int user = 0; user < 100; user++) {
            int at = user * 10;
            gatling.user(0, true, at);
            while (at < 11_000) {
                int elapsed = at + 10 < 7000 ? 10 : 11_000 - at;
                rows.add(row(T0 + at, elapsed, "Thread Group 1-" + (user + 1), 100, "h"));
                gatling.request("hello 100 users", at, at + elapsed, null);
                at += elapsed;
            }
            gatling.user(0, false, at);
        }
        // Without thread names, samples only have the number of users.
        String unnamed = (HEADER + text(rows)).replace("threadName", "thread");
        for (WindowResult load : List.of(
                only(HEADER + text(rows)),
                only(unnamed),
                Logs.measure(folder, gatling.log()).loads().get(0))) {
            // JMeter already reports 100 users while they start.
            assertThat(load.window().lengthMs()).isBetween(10_000L, 11_001L);
            assertThat(load.steady().throughput()).isBetween(5900.0, 6100.0);
            assertThat(load.steady().latency().p999()).isGreaterThan(3900);
            // A fixed rate would have hit the stall more often than users who waited for its end.
            assertThat(load.checks().stream()
                            .filter(Warning::failed)
                            .map(Warning::check)
                            .toList())
                    .as("%s", load.checks())
                    .containsExactly("standstill");
            assertThat(check(load.checks(), "littles-law").outcome()).isEqualTo(Warning.Outcome.PASSED);
        }
    }

    @Test
    void usersWhoLeaveAreNotSteady() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (int user = 0; user < 100; user++) {
            for (int at = 0; at < (user + 1) * 150; at += 10) {
                rows.add(row(T0 + at, 10, "Thread Group 1-" + (user + 1), 100 - at / 150, "h"));
            }
        }
        for (String csv : List.of(HEADER + text(rows), (HEADER + text(rows)).replace("threadName", "thread"))) {
            WindowResult load = only(csv);
            assertThat(load.window().cut()).isEqualTo(SteadyWindow.Cut.OBSERVED_USERS);
            assertThat(check(load.checks(), "steady-window").failed()).isTrue();
            assertThat(check(load.checks(), "steady-window").figures())
                    .contains("the number of users changes throughout");
        }
    }

    /**
     * Each name contains an id and has its own figures; beyond the limit the rest is one row. The log is read only
     * once, because it may be a pipe.
     */
    @ParameterizedTest
    @ValueSource(ints = {1000, 10_050})
    void manyNamesAreReported(int names) throws IOException {
        StringBuilder csv = new StringBuilder("timeStamp,elapsed,label,success\n");
        Logs.GatlingWriter gatling = new Logs.GatlingWriter("3.15.1", "s");
        int requests = 0;
        for (int name = 0; name < names; name++) {
            for (int request = 0; request < (name % 3 == 0 ? 3 : 2); request++) {
                csv.append(T0 + name)
                        .append(",")
                        .append(5 + request)
                        .append(",item ")
                        .append(name)
                        .append(",true\n");
                gatling.request("item " + name, name, name + 5 + request, null);
                requests++;
            }
        }
        for (LogMeasurement log : List.of(Logs.measure(folder, csv.toString()), Logs.measure(folder, gatling.log()))) {
            assertThat(log.records()).isEqualTo(requests);
            assertThat(log.loads()).hasSize(Math.min(names, 10_001));
            assertThat(log.loads().subList(0, Math.min(names, 10_000))).allSatisfy(load -> {
                boolean three = Integer.parseInt(load.name().substring("item ".length())) % 3 == 0;
                assertThat(load.whole().count()).isEqualTo(three ? 3 : 2);
                assertThat(load.whole().latency().mean()).isEqualTo(three ? 6 : 5.5);
                assertThat(load.whole().latency().p99()).isEqualTo(three ? 7 : 6);
            });
            if (names > 10_000) {
                WindowResult rest = log.loads().get(10_000);
                assertThat(rest.name()).isEqualTo("(50 other names)");
                assertThat(rest.whole().count()).isEqualTo(116);
            }
            assertThat(check(log.checks(), "raw-count").failed()).isFalse();
        }
    }

    @Test
    void aTextLogOfGatlingIsNamed() {
        assertThatThrownBy(() -> Logs.measure(
                        folder,
                        "RUN\tdemo.Sim\tsim\t1700000000000\t \t3.9.5\nUSER\ts\tSTART\t1700000000000\n"
                                + "REQUEST\t\thome\t1700000000010\t1700000000020\tOK\t \n"))
                .isInstanceOf(UnreadableLogException.class)
                .hasMessageStartingWith("a text log of Gatling 3.12 or older");
    }

    /** Returns a log in JMeter's default format with these rows, each of which has a message. */
    private static String rows(List<String> rows) {
        return HEADER + String.join("\n", rows) + "\n";
    }

    private static String like(long at, long elapsed, String label, String message, String thread) {
        return T0 + at + "," + elapsed + "," + label + ",200," + message + "," + thread + ",true,100,2,2,h";
    }

    /** Sums of other rows, and parts of a redirected request, are no separate requests. */
    @Test
    void transactionsAndPartsAreToldApart() throws IOException {
        List<String> rows = new ArrayList<>();
        String whole = "\"Number of samples in transaction : 2, number of failing samples : 0\"";
        for (int at = 0; at < 20_000; at += 100) {
            for (String thread : List.of("Buyers 1-1", "Buyers 1-2")) {
                rows.add(like(at, 100, "buy", whole, thread));
                rows.add(like(at, 40, "basket", "OK", thread));
                rows.add(like(at + 40, 10, "pay-0", "OK", thread));
                rows.add(like(at + 40, 60, "pay", "OK", thread));
                rows.add(like(at + 50, 50, "pay-1", "OK", thread));
                // This is a separate request, although its name looks like that of a part.
                rows.add(like(at, 5, "item-1", "OK", thread));
            }
        }
        LogMeasurement log = Logs.measure(folder, rows(rows));
        assertThat(log.rows()).isEqualTo("1,200 requests, 400 transactions, 800 parts of requests");
        assertThat(log.loads().stream().map(WindowResult::name).toList())
                .containsExactly("basket", "item-1", "pay", "buy (transaction)", "pay-0 (part)", "pay-1 (part)");
    }

    @Test
    void rowsThatAreThereTwiceCountOnce() throws IOException {
        String twice = RUN.lines().map(line -> line + "\n" + line + "\n").collect(Collectors.joining());
        LogMeasurement log = Logs.measure(folder, HEADER + twice);
        assertThat(log.records()).isEqualTo(3000);
        assertThat(log.loads().get(0).steady().throughput()).isCloseTo(100, within(1.0));
        assertThat(check(log.checks(), "repeated-rows").figures()).startsWith("3000 rows");
        assertThat(Logs.measure(folder, HEADER + RUN).checks()).noneMatch(Warning::failed);
    }

    /**
     * JMeter sets its clock back by 1 ms now and then. On a fast server, each of its threads then repeats a row of 1
     * ms.
     */
    @Test
    void rowsThatAStepOfTheClockMakesEqualAllCount() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (int user = 1; user <= 10; user++) {
            for (int at = 0; at < 20_000; at++) {
                rows.add(new Row(at, like(at < 7000 ? at : at - 1, 1, "x", "OK", "Users 1-" + user)));
            }
        }
        LogMeasurement log = Logs.measure(folder, HEADER + text(rows));
        assertThat(log.records()).isEqualTo(200_000);
        assertThat(log.checks()).noneMatch(Warning::failed);
        // A duplicated part of the log is still found: here the 5 ms response occurs twice as well.
        List<Row> twice = new ArrayList<>(rows);
        twice.add(new Row(20_000, like(20_000, 5, "x", "OK", "Users 1-1")));
        twice.add(new Row(20_000, like(20_000, 5, "x", "OK", "Users 1-1")));
        assertThat(check(Logs.measure(folder, HEADER + text(twice)).checks(), "repeated-rows")
                        .figures())
                .startsWith("11 rows");
    }

    /** Returns requests of one user, back to back until 20 s. */
    private static List<Row> user(int seed, String thread, long first, IntUnaryOperator next) {
        List<Row> rows = new ArrayList<>();
        Random random = new Random(seed);
        long at = first;
        while (at < 20_000) {
            int elapsed = next.applyAsInt(random.nextInt(1000));
            rows.add(new Row(at + elapsed, (T0 + at) + "," + elapsed + ",x,200,OK," + thread + ",true,100,20,20,h"));
            at += elapsed;
        }
        return rows;
    }

    private static List<Row> users(int count, IntFunction<String> name, int least, int spread) {
        List<Row> rows = new ArrayList<>();
        for (int user = 0; user < count; user++) {
            rows.addAll(user(user, name.apply(user), user % 10, random -> least + random % spread));
        }
        return rows;
    }

    private void assertNothingIsDropped(List<Row> rows, double requestsPerSecond) throws IOException {
        LogMeasurement log = Logs.measure(folder, HEADER + text(rows));
        WindowResult load = log.loads().get(0);
        assertThat(log.records()).isEqualTo(rows.size());
        assertThat(load.whole().count()).isEqualTo(rows.size());
        assertThat(load.whole().throughput()).isCloseTo(requestsPerSecond, within(0.06 * requestsPerSecond));
        assertThat(load.steady().users()).isNaN();
        assertThat(log.checks()).noneMatch(Warning::failed);
        assertThat(load.checks()).noneMatch(Warning::failed);
        assertThat(check(load.checks(), "littles-law").figures())
                .contains(
                        "the users of this name are not known; L = ", "requests of one thread name and label overlap");
    }

    /** Converters write one thread name for all users, and several hosts may use the same names. */
    @Test
    void aNameThatSeveralUsersShareIsNoThread() throws IOException {
        // With milliseconds, a few rows are equal by chance.
        assertNothingIsDropped(users(40, user -> "Live", 20, 40), 40 / 0.0395);
        assertThat(check(
                                only(HEADER + text(users(40, user -> "Users 1-" + user % 20, 20, 40)))
                                        .checks(),
                                "steady-window")
                        .figures())
                .matches(
                        ".* so that a name stands for several users; (39\\.\\d|40) requests were under way on average");
        assertNothingIsDropped(users(40, user -> "Users 1-" + user % 20, 2, 5), 40 / 0.004);
        // With whole seconds, most rows are.
        List<Row> seconds = users(20, user -> "default", 20, 20).stream()
                .map(row -> new Row(row.at, (T0 + row.at / 1000 * 1000) + row.line.substring(row.line.indexOf(','))))
                .toList();
        assertNothingIsDropped(seconds, 20 / 0.0295);
    }

    /**
     * JMeter's parallel controllers send from threads with the same name. Users with other names are still recognised.
     */
    @Test
    void assetsThatAreLoadedAtOnceAreAllCounted() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (int user = 1; user <= 20; user++) {
            for (int pass = 0; pass < 130; pass++) {
                long at = 7L * user + 150L * pass;
                rows.add(new Row(at + 100, like(at, 100, "page", "OK", "Users 1-" + user)));
                for (int asset : List.of(30, 30, 50, 40 + pass % 3)) {
                    rows.add(new Row(
                            at + 100 + asset, like(at + 100, asset, "asset", "OK", "parallel Users 1-" + user)));
                }
            }
        }
        LogMeasurement log = Logs.measure(folder, HEADER + text(rows));
        assertThat(log.rows()).isEqualTo("13,000 requests");
        assertThat(log.checks()).noneMatch(Warning::failed);
        WindowResult asset = log.loads().get(0);
        WindowResult page = log.loads().get(1);
        assertThat(asset.whole().count()).isEqualTo(10_400);
        assertThat(asset.steady().users()).isNaN();
        assertThat(asset.checks()).noneMatch(Warning::failed);
        assertThat(page.steady().users()).isEqualTo(20);
        assertThat(page.checks()).noneMatch(Warning::failed);
    }

    /** Two listeners write every row twice, even if several users share a name. */
    @Test
    void rowsThatComeTwiceThroughoutCountOnceWhateverTheirNames() throws IOException {
        List<Row> rows = users(10, user -> "Live", 500, 400);
        List<Row> twice = new ArrayList<>(rows);
        twice.addAll(rows);
        LogMeasurement log = Logs.measure(folder, HEADER + text(twice));
        assertThat(log.records()).isEqualTo(rows.size());
        assertThat(check(log.checks(), "repeated-rows").figures()).startsWith(rows.size() + " rows");
        assertThat(log.loads().get(0).steady().users()).isNaN();
    }

    /** The log has more rows than are buffered until the meaning of their names is known. */
    @Test
    void aLongLogIsDecidedOnTheWay() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (int client = 0; client < 40; client++) {
            for (int at = 0; at < 20_000; at += 20) {
                rows.add(new Row(at, like(at - at % 1000, 20 + at / 20 % 7, "x", "OK", "Live")));
            }
        }
        LogMeasurement log = Logs.measure(folder, HEADER + text(rows));
        assertThat(log.records()).isEqualTo(40_000);
        assertThat(log.checks()).noneMatch(Warning::failed);
    }

    /** Programs that cut and join files may omit the last line break, and a crash may cut a row anywhere. */
    @Test
    void aWholeLastRowNeedsNoLineBreak() throws IOException {
        String whole = (HEADER + RUN).stripTrailing();
        LogMeasurement log = Logs.measure(folder, whole);
        assertThat(log.records()).isEqualTo(3000);
        assertThat(log.checks()).noneMatch(Warning::failed);
        String unused = whole.replaceAll("(?m)$", ",17").replaceFirst(",17", ",Connect");
        for (int cut = 0; cut <= 2; cut++) {
            assertThat(Logs.measure(folder, unused.substring(0, unused.length() - cut))
                            .records())
                    .isEqualTo(3000);
        }
        // A field that may be cut does not count as complete: an unknown host, a number with fewer digits, half a word.
        for (String[] last : new String[][] {
            {"Hostname", "host-1", "host"}, {"allThreads", "10", "1"}, {"success", "true", "tru"}, {"x", "1", null}
        }) {
            String header = HEADER.replace(",Hostname\n", "," + last[0] + "\n");
            String rows = RUN.replaceAll("(?m),h$", "," + last[1]);
            if (last[0].equals("allThreads")) {
                header = header.replace("allThreads,", "x,");
            } else if (last[0].equals("success")) {
                header = header.replace("success,b", "y,b");
            }
            String csv = (header + rows).stripTrailing();
            assertThat(Logs.measure(folder, csv).records()).as(last[0]).isEqualTo(3000);
            if (last[2] != null) {
                LogMeasurement cut =
                        Logs.measure(folder, csv.substring(0, csv.length() - last[1].length() + last[2].length()));
                assertThat(cut.records()).as(last[0]).isEqualTo(2999);
                assertThat(check(cut.checks(), "log-complete").failed()).isTrue();
            }
        }
    }

    /** Other programs write {@code timestamp}. */
    @Test
    void columnsAreKnownWhateverTheirCase() throws IOException {
        LogMeasurement log = Logs.measure(
                folder, HEADER.replace("timeStamp", "timestamp") + RUN + HEADER.replace("timeStamp", "timestamp"));
        assertThat(log.records()).isEqualTo(3000);
        assertThat(log.checks()).noneMatch(Warning::failed);
    }

    /** Each message names the expected input, or what to do. */
    @Test
    void otherFormatsAreNamedWithTheWayOut() {
        Logs.assertRefused(
                folder,
                "metric_name,timestamp,metric_value,check\nhttp_reqs,1700000000,1.0,\n",
                "that has timeStamp, elapsed, label, success: docs/single-runs.md shows how to convert logs of k6 and Locust");
        Logs.assertRefused(
                folder, "<?xml version='1.0'?><testResults/>", "or convert the file as docs/single-runs.md shows");
        Logs.assertRefused(folder, "{\"type\":\"Point\"}\n", "k6's results: name the raw log, or convert it");
        Logs.assertRefused(folder, "\u0001\u0002", "the only formats that can be read: docs/single-runs.md");
    }

    private static List<Row> standingStill(int users, int fromMs, int toMs) {
        List<Row> rows = new ArrayList<>();
        for (int user = 1; user <= users; user++) {
            for (long at = 5L * user; at < 20_000; ) {
                long elapsed = 48 + at % 5;
                elapsed = at + elapsed >= fromMs && at < toMs ? toMs - at + user % 40 : elapsed;
                rows.add(row(T0 + at, elapsed, "Users 1-" + user, users, "h"));
                at += elapsed;
            }
        }
        return rows;
    }

    /** Users of a closed model send nothing while they wait: a stall of half the time is only one request per user. */
    @Test
    void aServerThatStoodStillIsSeenAlthoughPercentilesHideIt() throws IOException {
        WindowResult load = only(HEADER + text(standingStill(50, 5_000, 15_000)));
        assertThat(load.steady().latency().p99()).isLessThan(60);
        assertThat(load.checks().stream()
                        .filter(Warning::failed)
                        .map(Warning::check)
                        .toList())
                .containsExactly("standstill");
        assertThat(check(load.checks(), "standstill").figures())
                .isEqualTo(
                        "no answer for 10.0 s of 19.0 s, for up to 10.0 s at once, while requests waited; p99 is 52 ms"
                                + " because few were sent meanwhile: at a fixed rate it would be at least 9.8 s");
        // Without a stall, with one that a percentile shows, and with one request that takes longer than the others.
        assertThat(only(HEADER + text(standingStill(50, 30_000, 30_000))).checks())
                .noneMatch(Warning::failed);
        assertThat(only(HEADER + text(standingStill(50, 5_000, 5_600))).checks())
                .noneMatch(check -> check.check().equals("standstill"));
        List<Row> one = new ArrayList<>(backToBack(T0, 20, 50, 9, "h", ""));
        one.add(row(T0, 20_000, "Thread Group 1-10", 10, "h"));
        assertThat(only(HEADER + text(one)).checks())
                .noneMatch(check -> check.check().equals("standstill"));
    }

    /** A single request that is answered after the window is no stall of the server. */
    @Test
    void aStallAtTheEndIsOnlyClaimedWhereAnswersBecomeRare() throws IOException {
        List<Row> slow = new ArrayList<>(backToBack(T0, 20, 50, 3, "h", ""));
        for (int at = 0; at < 15_000; at += 50) {
            slow.add(row(T0 + at, 50, "Thread Group 1-4", 4, "h"));
        }
        slow.add(row(T0 + 15_000, 7_000, "Thread Group 1-4", 4, "h"));
        assertThat(check(only(HEADER + text(slow)).checks(), "steady-window").figures())
                .contains("% of the users' time was spent on requests that were answered after it")
                .endsWith("they took far longer than the others");
    }

    /** Recorded plans number their requests, and may name their transaction like them, but without a number. */
    @Test
    void requestsNamedLikePartsOfATransactionAreRequests() throws IOException {
        List<String> rows = new ArrayList<>();
        String whole = "\"Number of samples in transaction : 3, number of failing samples : 0\"";
        for (int at = 0; at < 20_000; at += 100) {
            for (int part = 0; part < 3; part++) {
                rows.add(like(at + 30 * part, 30, "HP-" + part, "OK", "Users 1-1"));
            }
            rows.add(like(at, 90, "HP", whole, "Users 1-1"));
        }
        LogMeasurement log = Logs.measure(folder, rows(rows));
        assertThat(log.rows()).isEqualTo("600 requests, 200 transactions");
        assertThat(log.loads().stream().map(WindowResult::name).toList())
                .containsExactly("HP-0", "HP-1", "HP-2", "HP (transaction)");
    }

    @Test
    void aRequestThatHangsIsNoLoad() throws IOException {
        List<Row> rows = new ArrayList<>(backToBack(T0, 20, 40, 3, "h", ""));
        for (int at = 0; at < 19_000; at += 40) {
            rows.add(row(T0 + at, 40, "Thread Group 1-4", 4, "h"));
        }
        rows.add(row(T0 + 19_000, 300_000, "Thread Group 1-4", 4, "h"));
        WindowResult load = only(HEADER + text(rows));
        assertThat(load.window().lengthMs()).isEqualTo(20_000);
        assertThat(load.steady().users()).isEqualTo(4);
        assertThat(load.steady().latency().mean()).isEqualTo(40);
        assertThat(check(load.checks(), "hung").figures())
                .isEqualTo(
                        "answers to 1 of its requests came up to 299 s after the last one was sent; the slowest took 300000 ms");
    }

    /** Each visitor is a thread: fewer threads in flight mean a faster server, not a ramp. */
    @Test
    void visitorsWhoComeAtARateAreAnOpenModel() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (int visitor = 0; visitor < 3000; visitor++) {
            long at = visitor * 10L;
            rows.add(row(T0 + at, at < 12_000 ? 20 : 80, "Visitors 1-" + visitor, 2, "h"));
        }
        WindowResult load = only(HEADER + text(rows));
        assertThat(load.window().cut()).isEqualTo(SteadyWindow.Cut.RATE);
        assertThat(load.window().lengthMs()).isEqualTo(30_000);
        assertThat(load.steady().count()).isEqualTo(2992);
        assertThat(load.checks()).noneMatch(Warning::failed);
    }

    private static final String SUMS =
            "timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,bytes,grpThreads,"
                    + "allThreads%s,Hostname\n";

    /** A remote run in statistical mode logs sums of times, and the time of day at which the last request ended. */
    @Test
    void rowsThatAreSumsGiveNoPercentiles() throws IOException {
        StringBuilder csv = new StringBuilder(SUMS.formatted(",SampleCount,ErrorCount"));
        for (int row = 1; row <= 20; row++) {
            csv.append(T0 + 1000 * row).append(",5000,read,,,1.2.3.4-Readers 1-1,false,10000,0,0,100,1,h\n");
        }
        LogMeasurement log = Logs.measure(folder, csv.toString());
        WindowResult load = log.loads().get(0);
        assertThat(log.records()).isEqualTo(2000);
        assertThat(load.steady().count()).isEqualTo(2000);
        assertThat(load.steady().errors()).isEqualTo(20);
        assertThat(load.steady().latency().mean()).isEqualTo(50);
        assertThat(load.steady().latency().p50()).isNaN();
        assertThat(load.steady().latency().max()).isNaN();
        assertThat(load.steady().throughput()).isCloseTo(100, within(5.5));
        assertThat(load.checks().stream()
                        .filter(Warning::failed)
                        .map(Warning::check)
                        .toList())
                .containsExactly("errors");
        assertThat(check(load.checks(), "littles-law").figures()).startsWith("L = ");
        String without = csv.toString().replace(",SampleCount,ErrorCount", "").replace(",100,1,h", ",h");
        Logs.assertRefused(folder, without, "jmeter.save.saveservice.sample_count=true");
    }

    /** Two names that are not UTF-8 would become one. */
    @Test
    void otherCharsetsAreRefused() throws IOException {
        Path log = folder.resolve("latin.csv");
        java.nio.file.Files.write(
                log,
                (HEADER + RUN.replace("GET /hello", "größe")).getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> RawLog.of(log).measure())
                .isInstanceOf(UnreadableLogException.class)
                .hasMessageStartingWith("line 2: label is not UTF-8: ");
    }

    @Test
    void blanksAfterCommasAndUnknownNumbersDoNotMatter() throws IOException {
        WindowResult plain = only(HEADER + RUN);
        assertThat(only(HEADER.replace(",", ", ") + RUN.replace(",", ", ")).steady())
                .isEqualTo(plain.steady());
        WindowResult unknown = only(HEADER + RUN.replaceFirst(",100,10,10,h", ",-1,-1,10,h"));
        assertThat(unknown.steady().count()).isEqualTo(plain.steady().count());
        assertThat(unknown.steady().bytes()).isEqualTo(plain.steady().bytes() - 100);
        assertThat(unknown.steady().users()).isEqualTo(10);
    }

    /** Two names that differ only by a blank are two requests, and must look different. */
    @Test
    void blanksAroundNamesAreSeen() throws IOException {
        String other = RUN.replace("GET /hello", "GET /hello ").replace("Group 1-", "Group 2-");
        assertThat(Logs.measure(folder, HEADER + RUN + other).loads().stream()
                        .map(WindowResult::name)
                        .toList())
                .containsExactly("GET /hello", "\"GET /hello \"");
    }

    @Test
    void aRowInTwoLinesIsNamed() throws IOException {
        LogMeasurement log = Logs.measure(folder, HEADER + RUN.replaceFirst("OK", "Not\nFound"));
        assertThat(log.records()).isEqualTo(2999);
        assertThat(check(log.checks(), "broken-rows").figures()).startsWith("lines 2 and 3 are one row");
        Logs.assertRefused(folder, HEADER + RUN.replaceFirst("OK,", "") + RUN, "line 2: 10 fields, the header has 11");
    }

    @Test
    void timesMustBeMilliseconds() {
        Logs.assertRefused(folder, HEADER + "1700000000,100,x,200,OK,t 1-1,true,1,1,1,h\n", "10 digits: it is in s, ");
        Logs.assertRefused(
                folder, HEADER + "1700000000000000,100,x,200,OK,t 1-1,true,1,1,1,h\n", "16 digits: it is in µs, ");
    }
}
