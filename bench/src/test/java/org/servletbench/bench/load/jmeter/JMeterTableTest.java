package org.servletbench.bench.load.jmeter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.load.LoadException;

class JMeterTableTest {

    private static final String HEADER = "timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,"
            + "failureMessage,bytes,sentBytes,grpThreads,allThreads,Latency,IdleTime,Connect";

    @TempDir
    Path folder;

    private static String line(long start, long elapsed, String label, boolean ok, int bytes, int sent) {
        return start + "," + elapsed + "," + label + ","
                + (ok ? "200,,t,true," : "500,\"Server \"\"broke\"\", twice\",t,false,") + "," + bytes + "," + sent
                + ",1,1," + elapsed + ",0,0";
    }

    private JMeterTable read(String text) throws IOException {
        return JMeterTable.read(Files.writeString(folder.resolve("results.csv"), text));
    }

    @Test
    void followsJMetersDefinitions() throws IOException {
        JMeterTable table = read(String.join(
                "\n",
                HEADER,
                line(1_000, 10, "hello 5 users", true, 2048, 100),
                line(1_500, 30, "hello 5 users", false, 1024, 100),
                line(2_960, 40, "hello 10 users", true, 1024, 100),
                line(1_200, 20, "hello 5 users", true, 1024, 100),
                ""));

        assertThat(table.rows())
                .extracting(JMeterTable.Row::label)
                .containsExactly("hello 5 users", "hello 10 users", "TOTAL");
        JMeterTable.Row row = table.row("hello 5 users").orElseThrow();
        assertThat(row.requests()).isEqualTo(3);
        assertThat(row.meanMs()).isEqualTo(20);
        assertThat(row.minMs()).isEqualTo(10);
        assertThat(row.maxMs()).isEqualTo(30);
        // Of a population: the squares of 10, 10 and 0 over 3 and not over 2.
        assertThat(row.stdevMs()).isCloseTo(Math.sqrt(200.0 / 3), within(1e-9));
        assertThat(row.errorPercent()).isCloseTo(100.0 / 3, within(1e-9));
        // From the first start, 1000, to the last end, 1530.
        assertThat(row.throughput()).isCloseTo(3 / 0.53, within(1e-9));
        assertThat(row.receivedKiBs()).isCloseTo(4 / 0.53, within(1e-9));
        assertThat(row.sentKiBs()).isCloseTo(300 / 1024.0 / 0.53, within(1e-9));
        assertThat(row.meanBytes()).isCloseTo(4096 / 3.0, within(1e-9));
        assertThat(row.firstFailure()).contains("500 Server \"broke\", twice");
        assertThat(table.row("TOTAL").orElseThrow().throughput()).isCloseTo(2, within(1e-9));
        assertThat(table.truncated()).isFalse();
    }

    @Test
    void agreesWithASlowComputation() throws IOException {
        Random random = new Random(3);
        List<String> lines = new ArrayList<>(List.of(HEADER));
        List<Long> times = new ArrayList<>();
        long firstStart = Long.MAX_VALUE;
        long lastEnd = 0;
        for (int i = 0; i < 5_000; i++) {
            long start = 1_795_000_000_000L + random.nextInt(10_000);
            long elapsed = random.nextInt(2_000);
            times.add(elapsed);
            firstStart = Math.min(firstStart, start);
            lastEnd = Math.max(lastEnd, start + elapsed);
            lines.add(line(start, elapsed, "static 100 users", true, 11_503, 118));
        }
        JMeterTable.Row row =
                read(String.join("\n", lines) + "\n").row("static 100 users").orElseThrow();

        double mean = times.stream().mapToLong(Long::longValue).average().orElseThrow();
        double variance = times.stream()
                .mapToDouble(time -> (time - mean) * (time - mean))
                .average()
                .orElseThrow();
        assertThat(row.meanMs()).isCloseTo(mean, within(1e-6));
        assertThat(row.stdevMs()).isCloseTo(Math.sqrt(variance), within(1e-6));
        assertThat(row.throughput()).isCloseTo(5_000 * 1e3 / (lastEnd - firstStart), within(1e-6));
        assertThat(row.meanBytes()).isEqualTo(11_503);
    }

    @Test
    void percentIsPercent() throws IOException {
        List<String> lines = new ArrayList<>(List.of(HEADER));
        for (int i = 0; i < 1_000; i++) {
            lines.add(line(1_000 + i, 1, "x", i != 500, 1, 1));
        }
        JMeterTable table = read(String.join("\n", lines) + "\n");

        assertThat(table.row("x").orElseThrow().errorPercent()).isEqualTo(0.1);
        table.writeCsv(folder.resolve("table.csv"));
        assertThat(Files.readAllLines(folder.resolve("table.csv")))
                .hasSize(3)
                .satisfies(written -> assertThat(written.get(1)).contains(",0.100,"))
                .first()
                .isEqualTo("label,requests,mean_ms,min_ms,max_ms,stdev_ms,error_percent,throughput_rps,received_kib_s,"
                        + "sent_kib_s,mean_bytes");
    }

    @Test
    void aFileCutOffAnywhereGivesItsWholeLines() throws IOException {
        String whole = String.join(
                "\n",
                HEADER,
                line(1_000, 10, "a", true, 1, 1),
                line(1_010, 10, "a", false, 1, 1),
                line(1_020, 10, "a", true, 1, 1));
        for (int length = HEADER.length() + 1; length < whole.length(); length++) {
            long wholeLines = whole.substring(0, length).lines().count() - 1;
            JMeterTable table = read(whole.substring(0, length));
            long counted = table.row("a").map(JMeterTable.Row::requests).orElse(0L);
            assertThat(counted).isBetween(Math.max(0, wholeLines - 1), wholeLines);
        }
    }

    @Test
    void refusesWhatIsNoResultsFile() {
        assertThatThrownBy(() -> read("a,b\n1,2\n"))
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("nor a CSV of JMeter with a header line");
        assertThatThrownBy(() -> read(HEADER + "\nnonsense\n" + line(1, 1, "a", true, 1, 1) + "\n"))
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("line 2: 1 fields, the header has 15");
    }
}
