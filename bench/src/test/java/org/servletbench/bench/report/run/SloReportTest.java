package org.servletbench.bench.report.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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

    /** One user, who gets answers after 10 ms, each tenth after 100 ms; each hundredth fails. */
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
            p99.9<200ms,errors<2%        | UNKNOWN | 10 are needed
            p99.9<200ms,errors<0.5%      | MISSED  | errors 1.0
            errors<2%                    | MET     | errors 1.0
            p95<200ms                    | UNKNOWN | which have no limit
            """)
    void eachLimitIsMetMissedOrNotKnown(String slo, SloReport.Outcome outcome, String figures) throws IOException {
        SloReport.Row row = judged("shop 1 users", slo);
        assertThat(row.outcome()).as(row.figures()).isEqualTo(outcome);
        assertThat(row.figures()).contains(figures);
    }

    /** Where users were missing, response times are too good; what is missed all the same is missed. */
    @Test
    void aMarkedCellMeetsNothing() throws IOException {
        SloReport.Row row = judged("shop 2 users", "p95<200ms,errors<2%");
        assertThat(row.outcome()).isEqualTo(SloReport.Outcome.UNKNOWN);
        assertThat(row.figures()).contains("but marked: ", "users-held");
        assertThat(judged("shop 2 users", "p95<50ms").outcome()).isEqualTo(SloReport.Outcome.MISSED);
    }
}
