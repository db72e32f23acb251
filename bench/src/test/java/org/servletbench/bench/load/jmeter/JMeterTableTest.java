package org.servletbench.bench.load.jmeter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
        assertThat(row.all().count()).isEqualTo(3);
        assertThat(row.all().latency().mean()).isEqualTo(20);
        assertThat(row.all().latency().min()).isEqualTo(10);
        assertThat(row.all().latency().max()).isEqualTo(30);
        // Population standard deviation: the sum of the squares of 10, 10 and 0 is divided by 3, not by 2.
        assertThat(row.stdevMs()).isCloseTo(Math.sqrt(200.0 / 3), within(1e-9));
        assertThat(row.errorPercent()).isCloseTo(100.0 / 3, within(1e-9));
        // From the first start, 1000, to the last end, 1530.
        assertThat(row.perSecond(row.all().count())).isCloseTo(3 / 0.53, within(1e-9));
        assertThat(row.failure()).contains("500 Server \"broke\", twice");
        JMeterTable.Row total = table.row("TOTAL").orElseThrow();
        assertThat(total.perSecond(total.all().count())).isCloseTo(2, within(1e-9));
        assertThat(total.all().latency().mean()).isEqualTo(25);
        // 10, 30, 40 and 20 ms.
        assertThat(total.stdevMs()).isCloseTo(Math.sqrt(125), within(1e-9));
        table.writeCsv(folder.resolve("table.csv"));
        assertThat(Files.readAllLines(folder.resolve("table.csv")))
                .containsExactly(
                        "label,requests,mean_ms,min_ms,max_ms,stdev_ms,error_percent,throughput_rps,received_kib_s,"
                                + "sent_kib_s,mean_bytes",
                        "hello 5 users,3,20.00,10,30,8.16,33.333,5.66,7.55,0.55,1365.3",
                        "hello 10 users,1,40.00,40,40,0.00,0.000,25.00,25.00,2.44,1024.0",
                        "TOTAL,4,25.00,10,40,11.18,25.000,2.00,2.50,0.20,1280.0");
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
            // Separate threads, because one cannot send the same request twice at once.
            lines.add(
                    line(start, elapsed, "static 100 users", true, 11_503, 118).replace(",t,", ",t 1-" + i + ","));
        }
        JMeterTable.Row row =
                read(String.join("\n", lines) + "\n").row("static 100 users").orElseThrow();

        double mean = times.stream().mapToLong(Long::longValue).average().orElseThrow();
        double variance = times.stream()
                .mapToDouble(time -> (time - mean) * (time - mean))
                .average()
                .orElseThrow();
        assertThat(row.all().latency().mean()).isCloseTo(mean, within(1e-6));
        assertThat(row.stdevMs()).isCloseTo(Math.sqrt(variance), within(1e-6));
        assertThat(row.perSecond(5_000)).isCloseTo(5_000 * 1e3 / (lastEnd - firstStart), within(1e-6));
    }
}
