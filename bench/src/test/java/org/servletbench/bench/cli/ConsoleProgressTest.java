package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.report.Campaigns;
import org.servletbench.bench.report.ReportPage;
import org.servletbench.bench.verdict.Verdict;

class ConsoleProgressTest {
    @TempDir
    Path folder;

    @Test
    void afterABlockThereIsOneLineOfEstimatesAndNoVerdict() throws IOException {
        Campaigns.write(folder, 5, "jetty", 0.7);
        CampaignFolder read = CampaignFolder.read(folder);
        Analysis judged = Analysis.of(read.campaign(), read.serverRuns());
        StringWriter out = new StringWriter();
        ConsoleProgress progress = new ConsoleProgress(new PrintWriter(out));
        progress.begin(read.campaign(), 60, folder);
        progress.estimate(1000, 400, 2, 0.0412);
        progress.block(8, read, judged);
        progress.close();

        assertThat(judged.family().pairs()).anyMatch(pair -> pair.verdict() == Verdict.SLOWER);
        assertThat(out.toString().lines())
                .singleElement()
                .asString()
                .startsWith("block 8/10: ")
                .endsWith("; about 2 blocks (7 min) to go, to ± 4.1 %");
        assertThat(out.toString())
                .containsPattern("Jetty -(29|30|31) % ± [12]\\.\\d,")
                .contains("(A/A)", "estimates");
        for (Verdict verdict : Verdict.values()) {
            assertThat(out.toString()).doesNotContainIgnoringCase(verdict.name());
        }
    }

    /** Minutes without a line look like a hanging process. */
    @Test
    void withoutATerminalALongWarmUpIsReportedEveryFiveMinutes() {
        StringWriter out = new StringWriter();
        AtomicLong nanos = new AtomicLong();
        ConsoleProgress progress = new ConsoleProgress(new PrintWriter(out), false, nanos::get);
        progress.phase(1, "jetty", "start");
        nanos.addAndGet(60_000_000_000L);
        progress.tick();
        assertThat(out.toString()).as("a start has its own lines").isEmpty();
        progress.say("jetty is up");
        for (int second = 0; second < 60; second++) {
            nanos.addAndGet(15_000_000_000L);
            progress.phase(1, "", "warm-up, 0 of 4 servers warm: jetty " + second + "/s");
            progress.tick();
        }
        progress.close();
        assertThat(out.toString().lines())
                .containsExactly(
                        "jetty is up",
                        "block 1 warm-up, 0 of 4 servers warm: jetty 19/s",
                        "block 1 warm-up, 0 of 4 servers warm: jetty 39/s",
                        "block 1 warm-up, 0 of 4 servers warm: jetty 59/s");
    }

    @Test
    void noWidthIsShownWhereNoneIsTold() throws IOException {
        Campaigns.interrupted(folder, 2);
        CampaignFolder read = CampaignFolder.read(folder);
        StringWriter out = new StringWriter();
        ConsoleProgress progress = new ConsoleProgress(new PrintWriter(out));
        progress.begin(read.campaign(), 60, folder);
        progress.estimate(1000, 400, 2, Double.NaN);
        progress.block(2, read, Analysis.of(read.campaign(), read.serverRuns()));
        progress.close();

        assertThat(out.toString().lines()).first().asString().endsWith("; about 2 blocks (7 min) to go");
    }

    /** The page appears after two blocks and shows estimates, reloading itself; the final page does not reload. */
    @Test
    void thePageStandsAfterTwoBlocksAndReloadsItselfUntilTheEnd() throws IOException {
        Campaigns.interrupted(folder, 2);
        CampaignFolder read = CampaignFolder.read(folder);
        ConsoleProgress progress = new ConsoleProgress(new PrintWriter(new StringWriter()));
        progress.begin(read.campaign(), 60, folder);
        progress.block(2, read, Analysis.of(read.campaign(), read.serverRuns()));
        String interim = Files.readString(folder.resolve(ReportPage.INDEX));
        CompareCommand.render(folder, progress);
        progress.close();
        String reload = "<meta http-equiv='refresh' content='60'>\n";

        assertThat(interim)
                .contains(reload, "<b>No verdicts: the campaign has not", "Estimates only")
                .containsPattern("Jetty.*[01]\\.\\d\\d");
        assertThat(Files.readString(folder.resolve(ReportPage.INDEX))).isEqualTo(interim.replace(reload, ""));
    }
}
