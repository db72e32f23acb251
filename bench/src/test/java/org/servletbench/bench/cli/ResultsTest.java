package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.report.Campaigns;
import org.servletbench.bench.report.Gate.FailOn;

class ResultsTest {

    @TempDir
    Path folder;

    /** That nothing could be used is nothing that was found. */
    @Test
    void neverIsNoPassWhereNothingIsUsable() throws IOException {
        Campaigns.write(folder, 7, "jetty", 1);
        CampaignFolder read = CampaignFolder.read(folder);
        Path summary = folder.resolve("summary.md");
        for (FailOn one : FailOn.values()) {
            StringWriter errors = new StringWriter();
            Exit end = new Results(Map.of(ResultFile.SUMMARY, summary), Optional.of(one))
                    .end(
                            read,
                            false,
                            Optional.of("no cell can take part"),
                            "compare",
                            new PrintWriter(new StringWriter()),
                            new PrintWriter(errors));

            assertThat(end).isEqualTo(Exit.FAILED);
            assertThat(errors.toString().strip()).isEqualTo("compare: no cell can take part");
            assertThat(Files.readString(summary)).startsWith("<!-- servlet-bench: unusable -->");
        }
    }
}
