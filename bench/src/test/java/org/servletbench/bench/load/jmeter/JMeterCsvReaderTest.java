package org.servletbench.bench.load.jmeter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.load.Logs;
import org.servletbench.bench.load.NativeReport;
import org.servletbench.bench.load.RawLog;
import org.servletbench.bench.load.Sample;
import org.servletbench.bench.load.Slow;
import org.servletbench.bench.measure.LogMeasurement;
import org.servletbench.bench.measure.LogSource;
import org.servletbench.bench.measure.SteadyWindow;
import org.servletbench.bench.measure.UnreadableLogException;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Warning;

class JMeterCsvReaderTest {
    /** Written by JMeter 5.6.3 from the plan next to it, with quotes, commas, umlauts and line breaks in its fields. */
    private static final String GOLDEN = new String(Logs.golden("jmeter/golden.csv"), StandardCharsets.UTF_8);

    private static final String HEADER = "timeStamp,elapsed,label,success\n";

    @TempDir
    Path folder;

    @Test
    void figuresAreThoseOfASlowComputation() throws IOException {
        LogMeasurement measured = Logs.measure(folder, GOLDEN);
        Slow.assertSame(measured, new SlowJMeter(GOLDEN).samples, 0);
        WindowResult hello = measured.loads().get(1);
        assertThat(hello.name()).isEqualTo("hello 4 users");
        assertThat(hello.window().cut()).isEqualTo(SteadyWindow.Cut.PLANNED_USERS);
        assertThat(hello.window().lengthMs()).isEqualTo(6000);
        assertThat(hello.steady().bytes()).isEqualTo(166 * hello.steady().count());
        assertThat(hello.steady().sentBytes()).isEqualTo(123 * hello.steady().count());
    }

    /** Expects the counts of JMeter's own dashboard for this log. */
    @Test
    void countsAreThoseOfTheDashboard() throws IOException {
        Path log = folder.resolve("golden.csv");
        java.nio.file.Files.writeString(log, GOLDEN);
        Path dashboard = folder.resolve("statistics.json");
        java.nio.file.Files.write(dashboard, Logs.golden("jmeter/statistics.json"));
        LogMeasurement measured = RawLog.of(log).measure();
        assertThat(measured.loads()).hasSize(4);
        assertThat(NativeReport.read(dashboard))
                .isEqualTo(measured.loads().stream()
                        .collect(Collectors.toMap(
                                load -> load.name(),
                                load -> new NativeReport.NativeCount(
                                        load.whole().count(), load.whole().errors()))));
        assertThat(measured.checks()).noneMatch(Warning::failed);
        assertThat(measured.loads().get(1).whole().latency().mean()).isCloseTo(69.60322580645163, within(1e-12));
    }

    private List<List<Object>> figures(String csv) throws IOException {
        return Logs.measure(folder, csv).loads().stream()
                .map(c -> List.<Object>of(c.name(), c.whole(), c.window(), c.steady(), c.slices(), c.checks()))
                .toList();
    }

    private static String csv(List<List<String>> rows, String delimiter, String lineEnd, boolean quoteAll) {
        return rows.stream()
                .map(row -> row.stream()
                        .map(f -> quoteAll || f.matches("(?s).*[,\"\n\t;].*") ? '"' + f.replace("\"", "\"\"") + '"' : f)
                        .collect(Collectors.joining(delimiter)))
                .collect(Collectors.joining(lineEnd, "", lineEnd));
    }

    /** Returns the golden log's fields, without the columns that are not read. */
    private static List<List<String>> goldenRows() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "timeStamp",
                "elapsed",
                "label",
                "responseCode",
                "success",
                "bytes",
                "sentBytes",
                "grpThreads",
                "Junk"));
        for (Sample s : new SlowJMeter(GOLDEN).samples) {
            rows.add(List.of(
                    "" + s.start(),
                    "" + s.response(),
                    s.name(),
                    s.error() == null ? "200" : s.error(),
                    "" + (s.error() == null),
                    "" + s.bytes(),
                    "" + s.sentBytes(),
                    "" + s.users(),
                    "a, \"b\"\nc"));
        }
        return rows;
    }

    @Test
    void neitherOrderNorDialectMatters() throws IOException {
        List<List<String>> rows = goldenRows();
        List<List<Object>> expected = figures(csv(rows, ",", "\n", false));
        Random random = new Random(8);
        for (String delimiter : List.of(",", "\t", ";", "|")) {
            for (String lineEnd : List.of("\n", "\r\n")) {
                List<Integer> columns = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8));
                Collections.shuffle(columns, random);
                List<List<String>> lines = new ArrayList<>(rows.subList(1, rows.size()));
                Collections.shuffle(lines, random);
                lines.add(0, rows.get(0));
                List<List<String>> moved = lines.stream()
                        .map(row -> columns.stream().map(row::get).toList())
                        .toList();
                boolean quoteAll = random.nextBoolean();
                assertThat(figures(csv(moved, delimiter, lineEnd, quoteAll))).isEqualTo(expected);
            }
        }
    }

    /** JMeter reports 4 users from the first sample on, although the last one is held back by the ramp-up until 3 s. */
    @Test
    void usersCountFromTheirFirstAnswer() throws IOException {
        StringBuilder csv = new StringBuilder("timeStamp,elapsed,label,success,threadName,grpThreads\n");
        for (int ms = 0; ms < 8000; ms += 10) {
            for (int user = 0; user < 4; user++) {
                if (ms >= 1000 * user) {
                    csv.append(1_000_000 + ms)
                            .append(",9,hello 4 users,true,hello 4 users 1-")
                            .append(user + 1);
                    csv.append(",4\n");
                }
            }
        }
        WindowResult load = Logs.measure(folder, csv.toString()).loads().get(0);
        assertThat(load.window().fromMs()).isGreaterThanOrEqualTo(1_003_000);
        assertThat(load.steady().users()).isEqualTo(4);
        assertThat(load.steady().throughput()).isCloseTo(400, within(8.0));
    }

    /** Some programs concatenate files together with their headers. */
    @Test
    void aHeaderMayComeAgainAndSpreadsheetsMayHaveSavedIt() throws IOException {
        List<List<String>> rows = goldenRows();
        List<List<Object>> expected = figures(csv(rows, ",", "\n", false));
        List<List<String>> twice = new ArrayList<>(rows);
        twice.add(100, rows.get(0));
        twice.add(rows.get(0));
        assertThat(figures(csv(twice, ",", "\n", false))).isEqualTo(expected);
        String saved =
                csv(twice, ";", "\r\n", true).replace("\"true\"", "\"TRUE\"").replace("\"false\"", "FALSE");
        for (String before : List.of("", "\uFEFF", "sep=;\r\n", "\uFEFFsep=;\n")) {
            assertThat(figures(before + saved)).as(before).isEqualTo(expected);
        }
        assertThat(figures("\uFEFF" + csv(rows.subList(0, 9), ",", "\n", false) + "\uFEFF"
                        + csv(twice.subList(100, twice.size()), ",", "\n", false)))
                .hasSize(4);
    }

    /** Each host knows only its own threads. */
    @Test
    void usersOfSeveralHostsAreAddedUp() throws IOException {
        StringBuilder csv = new StringBuilder("timeStamp,elapsed,label,success,threadName,grpThreads\n");
        for (int ms = 0; ms < 4000; ms += 10) {
            for (String host : List.of("app1:1099", "app2:1099")) {
                for (int user = 1; user <= 3; user++) {
                    csv.append(1_000_000 + ms).append(",9,hello 6 users,true,").append(host);
                    csv.append("-hello 6 users 1-").append(user).append(",3\n");
                }
            }
        }
        assertThat(Logs.measure(folder, csv.toString()).loads().get(0).steady().users())
                .isEqualTo(6);
    }

    @Test
    void manyUsersAndNamesAreToldApart() throws IOException {
        StringBuilder csv = new StringBuilder("Hostname,label,timeStamp,elapsed,success,threadName\n");
        for (int ms = 0; ms < 4000; ms += 1000) {
            for (int user = 0; user < 1000; user++) {
                csv.append(user % 2 == 0 ? "a" : "b")
                        .append(",x ")
                        .append(user % 200)
                        .append(',');
                csv.append(1_000_000 + ms).append(",999,true,group 1-").append(user / 2);
                csv.append('\n');
            }
        }
        LogMeasurement measured = Logs.measure(folder, csv.toString());
        Slow.assertSame(measured, new SlowJMeter(csv.toString()).samples, 0);
        assertThat(measured.loads())
                .hasSize(200)
                .allSatisfy(load -> assertThat(load.whole().count()).isEqualTo(20));
        assertThat(measured.source().users()).isEqualTo(LogSource.Users.RECORDS);
    }

    @Test
    void quotedFieldsAreTakenAsTheyAre() throws IOException {
        LogMeasurement measured = Logs.measure(
                folder,
                "label,success,timeStamp,elapsed,responseMessage\n"
                        + "\"a, \"\"b\"\"\",true,1000,5,\"x\ny\"\n"
                        + "\"a, \"\"b\"\"\",\"false\",\"1010\",\"6\",\"no, \"\"never\"\"\n\"\n"
                        + "\"\",true,1020,7,\r\n"
                        + "\n"
                        + "\"\"\"\",true,1030,8,\"\"\r\n");
        assertThat(measured.loads()).extracting(c -> c.name()).containsExactly("", "\"", "a, \"b\"");
        WindowResult load = measured.loads().get(2);
        assertThat(load.whole().count()).isEqualTo(2);
        assertThat(load.whole().errorKinds()).isEqualTo(Map.of("no, \"never\"\n", 1L));
        assertThat(load.whole().latency().max()).isEqualTo(6);
        assertThat(measured.records()).isEqualTo(4);
    }

    @Test
    void optionalColumnsMayBeMissing() throws IOException {
        LogMeasurement measured = Logs.measure(folder, HEADER + "1000,5,x,true\n1001,7,x,false\n");
        WindowResult load = measured.loads().get(0);
        assertThat(load.whole().count()).isEqualTo(2);
        assertThat(load.whole().errorKinds()).isEqualTo(Map.of("(no message)", 1L));
        assertThat(load.whole().bytes()).isEqualTo(-1);
        assertThat(load.whole().users()).isNaN();
        assertThat(load.checks())
                .filteredOn(c -> c.check().equals("steady-window"))
                .extracting(Warning::outcome)
                .containsExactly(Warning.Outcome.NOT_JUDGED);
    }

    @Test
    void aLogCutAnywhereGivesWhatItHolds() throws IOException {
        byte[] golden = GOLDEN.getBytes(StandardCharsets.UTF_8);
        int header = GOLDEN.indexOf('\n') + 1;
        Random random = new Random(9);
        for (int i = 0; i < 700; i++) {
            int length = i < 600 ? i : random.nextInt(golden.length);
            byte[] part = Arrays.copyOf(golden, length);
            if (length < header) {
                assertThatThrownBy(() -> Logs.measure(folder, part)).isInstanceOf(UnreadableLogException.class);
            } else {
                SlowJMeter slow = new SlowJMeter(new String(part, StandardCharsets.UTF_8));
                LogMeasurement measured = Logs.measure(folder, part);
                Slow.assertSame(measured, slow.samples, 0);
                assertThat(measured.checks())
                        .filteredOn(c -> c.check().equals("log-complete"))
                        .extracting(Warning::failed)
                        .containsExactly(slow.truncated);
            }
        }
    }

    @Test
    void longLogsAreReadAcrossChunks() throws IOException {
        StringBuilder csv = new StringBuilder("timeStamp,elapsed,label,responseMessage,success,grpThreads\n");
        Random random = new Random(10);
        for (int i = 0; i < 40_000; i++) {
            String filler = "line\n, \"\"end\"\" ✓ ".repeat(random.nextInt(10));
            csv.append(1_000_000 + i).append(',').append(random.nextInt(3000)).append(",x ");
            csv.append(random.nextInt(5)).append(",\"").append(filler).append("\",true,7\n");
        }
        assertThat(csv.length()).isGreaterThan(3 << 20);
        LogMeasurement measured = Logs.measure(folder, csv.toString());
        List<Sample> samples = new SlowJMeter(csv.toString()).samples;
        Slow.assertSame(measured, samples, 0);
        assertThat(measured.records()).isEqualTo(40_000);
    }

    @Test
    void whatDoesNotFitIsRefusedInOnePlainLine() {
        Logs.assertRefused(
                folder, "timeStamp,elapsed,label\n1,2,x\n", "line 1: no column success; JMeter must save it");
        Logs.assertRefused(
                folder, "elapsed,label,success,success,timeStamp\n", "line 1: the column success appears twice");
        Logs.assertRefused(folder, "1000,5,x,true\n", "neither a simulation.log of Gatling nor a CSV of JMeter");
        Logs.assertRefused(folder, "timeStamp,elapsed,label,success", "no header line");
        Logs.assertRefused(folder, HEADER + "1,2,x,true\n3,4,x\n", "line 3: 3 fields, the header has 4");
        Logs.assertRefused(folder, HEADER + "1,2,x,true,y\n", "line 2: 5 fields, the header has 4");
        Logs.assertRefused(
                folder,
                HEADER + "1,2,x,true\ntimeStamp,elapsed,success,label\n",
                "line 3: the header differs from line 1: measure");
        Logs.assertRefused(
                folder,
                "1700000000000,5,x,true\n",
                "line 1 is not a header: put the names of JMeter's columns before the first");
        Logs.assertRefused(
                folder, HEADER + "\"1,70000E+12\",2,x,true\n", "(a spreadsheet rounded it: measure JMeter's own file");
        Logs.assertRefused(
                folder, HEADER + "2026/11/21 10:00,2,x,true\n", "(save it as ms: jmeter.save.saveservice.timestamp");
        Logs.assertRefused(folder, HEADER + "1,,x,true\n", "line 2: elapsed is \"\", not a number");
        Logs.assertRefused(folder, HEADER + "1,1234567890123456789,x,true\n", "not a number");
        Logs.assertRefused(folder, HEADER + "-1,5,x,true\n", "timeStamp is \"-1\"");
        Logs.assertRefused(
                folder, HEADER + "1,2,\"x\ny\",true\n1,2,x,yes\n", "line 4: success is \"yes\", not true or false");
        Logs.assertRefused(
                folder, HEADER + "\n\n1,2,\"x\ny\",true\n\n1,-,x,true\n", "line 7: elapsed is \"-\", not a number");
        Logs.assertRefused(folder, HEADER + "1,2,\"x\"y,true\n", "line 2: text after the closing quote of a field");
        Logs.assertRefused(folder, HEADER + "1,2,\"" + "x".repeat(2 << 20), "a record of more than 262144 characters");
    }

    @Test
    void strangeBytesGiveAnErrorOrAMeasurementAndNothingElse() throws IOException {
        byte[] golden = GOLDEN.getBytes(StandardCharsets.UTF_8);
        Random random = new Random(11);
        int refused = 0;
        for (int round = 0; round < 1500; round++) {
            byte[] log = Arrays.copyOf(golden, 200 + random.nextInt(3000));
            for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
                log[1 + random.nextInt(log.length - 1)] =
                        (byte) (random.nextBoolean() ? ",\"\n\r0-t".charAt(random.nextInt(7)) : random.nextInt(256));
            }
            try {
                LogMeasurement measured = Logs.measure(folder, log);
                assertThat(measured.records()).isLessThan(log.length / 8);
            } catch (UnreadableLogException e) {
                assertThat(e.getMessage()).doesNotContain("\n").isNotBlank();
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(250);
    }
}
