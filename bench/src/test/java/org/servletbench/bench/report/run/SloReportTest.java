package org.servletbench.bench.report.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.servletbench.bench.load.Logs;
import org.servletbench.bench.model.Slo;

class SloReportTest {

    @TempDir
    Path folder;

    /** Judges one user whose responses take 10 ms, every tenth 100 ms; every hundredth request fails. */
    private SloReport.Row judged(String label, String slo) throws IOException {
        StringBuilder text = new StringBuilder("timeStamp,elapsed,label,success,grpThreads\n");
        long at = 1_000_000;
        for (int i = 0; i < 10_000; i++) {
            int ms = i % 10 == 9 ? 100 : 10;
            text.append(at).append(',').append(ms).append(',').append(label);
            text.append(i % 100 == 50 ? ",false,1\n" : ",true,1\n");
            at += ms;
        }
        Measured measured = new Measured(folder.resolve("log"), Logs.measure(folder, text.toString()));
        return SloReport.of(measured, Slo.parse("--slo", slo)).rows().get(0);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            p95<200ms,errors<2%          | MET     | p95 100 ms, limit 200 ms, errors 1.0
            p95<101ms,errors<2%          | MET     | limit 101 ms
            p95<100ms,errors<2%          | UNKNOWN | closer than the clock
            p95<99ms,errors<2%           | MISSED  | p95 100 ms, limit 99 ms
            p50<11ms,p99<50ms,errors<2%  | MISSED  | p50 10 ms, limit 11 ms, p99 100 ms, limit 50 ms
            p99.9<200ms,errors<2%        | UNKNOWN | (10 needed)
            p99.9<200ms,errors<0.5%      | MISSED  | errors 1.0
            errors<2%                    | MET     | errors 1.0
            errors<1.1%                  | UNKNOWN | requests are inconclusive (95 % limits
            errors<0.9%                  | UNKNOWN | requests are inconclusive (95 % limits
            p95<200ms                    | UNKNOWN | which have no limit
            """)
    void eachLimitIsMetMissedOrNotKnown(String slo, SloReport.Outcome outcome, String figures) throws IOException {
        SloReport.Row row = judged("shop 1 users", slo);
        assertThat(row.outcome()).as(row.figures()).isEqualTo(outcome);
        assertThat(row.figures()).contains(figures);
    }

    /** If users were missing, response times are too good. Limits that are missed nevertheless count as missed. */
    @Test
    void aMarkedCellMeetsNothing() throws IOException {
        SloReport.Row row = judged("shop 2 users", "p95<200ms,errors<2%");
        assertThat(row.outcome()).isEqualTo(SloReport.Outcome.UNKNOWN);
        assertThat(row.figures()).contains("but marked: ", "users-held");
        assertThat(judged("shop 2 users", "p95<50ms").outcome()).isEqualTo(SloReport.Outcome.MISSED);
    }

    /**
     * Returns a run of one user with this many requests, without failures, whose response times change half way
     * through.
     */
    private Measured run(int requests, int firstMs, int thenMs) throws IOException {
        StringBuilder text = new StringBuilder("timeStamp,elapsed,label,success,grpThreads\n");
        long at = 1_000_000;
        for (int i = 0; i < requests; i++) {
            int ms = 2 * i < requests ? firstMs : thenMs;
            text.append(at).append(',').append(ms).append(",shop 1 users,true,1\n");
            at += ms;
        }
        return new Measured(folder.resolve("log"), Logs.measure(folder, text.toString()));
    }

    /** 5,000 requests without a failure do not prove a failure share below one in 10,000. */
    @Test
    void noFailureAmongFewRequestsIsNotKnownToBeBelowASmallShare() throws IOException {
        Measured few = run(5000, 10, 10);
        SloReport.Row small =
                SloReport.of(few, Slo.parse("--slo", "errors<0.01%")).rows().get(0);
        assertThat(small.outcome()).as(small.figures()).isEqualTo(SloReport.Outcome.UNKNOWN);
        assertThat(small.figures()).contains("0 failures in ", "limits 0.0000 and 0.0599 %");
        assertThat(SloReport.of(few, Slo.parse("--slo", "errors<0.1%"))
                        .rows()
                        .get(0)
                        .outcome())
                .isEqualTo(SloReport.Outcome.MET);
    }

    /**
     * A server that is not warm or not steady is slower than it will be. Limits that it meets are met; those that it
     * misses are unknown.
     */
    @Test
    void whatAServerThatWasNotWarmMissesIsNotKnown() throws IOException {
        Measured rising = run(2000, 40, 20);
        SloReport.Row missed =
                SloReport.of(rising, Slo.parse("--slo", "p95<30ms")).rows().get(0);
        assertThat(missed.outcome()).as(missed.figures()).isEqualTo(SloReport.Outcome.UNKNOWN);
        assertThat(missed.figures()).contains("p95 40 ms, limit 30 ms", "marked trend");
        assertThat(SloReport.of(rising, Slo.parse("--slo", "p95<50ms"))
                        .rows()
                        .get(0)
                        .outcome())
                .isEqualTo(SloReport.Outcome.MET);

        Measured steady = run(2000, 20, 20);
        Slo slo = Slo.parse("--slo", "p95<10ms");
        assertThat(SloReport.of(steady, slo).rows().get(0).outcome()).isEqualTo(SloReport.Outcome.MISSED);
        Files.writeString(
                folder.resolve("server.json"), "{\"warm-up\": {\"settled\": false, \"seconds\": 9, \"reason\": \"\"}}");
        assertThat(SloReport.of(steady, slo).rows().get(0).outcome()).isEqualTo(SloReport.Outcome.UNKNOWN);
    }
}
