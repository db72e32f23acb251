package org.servletbench.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CampaignRecord;
import org.servletbench.bench.report.Publication;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes finished campaigns as pages for the web. */
@Command(
        name = "publish",
        description =
                "Writes finished campaigns as static pages of at most 400 kB each, with an index, figures as JSON, and a record of what each server did; without raw logs and flame graphs.",
        footer = {
            "",
            "What is in the folder stays in the index; a campaign of the same name is replaced. Values that the campaign hid stay hidden.",
            "Exit codes: 0 success, 1 a page cannot be written, 2 invalid usage, or a folder without a finished campaign."
        })
final class PublishCommand extends BenchCommand implements Callable<Integer> {
    @Parameters(
            arity = "1..*",
            paramLabel = "DIR",
            description = "folders of finished campaigns; with --pool also records of published ones, records/NAME.zip")
    private List<Path> folders;

    @Option(names = "--out", paramLabel = "DIR", required = true, description = "where the pages go")
    private Path out;

    @Option(
            names = "--pool",
            paramLabel = "NAME",
            description = "one pooled page for all DIRs instead of one for each: three or more of the same comparison")
    private Optional<String> pool;

    @Override
    public Integer call() throws IOException {
        if (Files.exists(out) && !Files.isDirectory(out)) {
            throw new UsageException("--out " + out + " is not a folder");
        }
        List<CampaignFolder> read = new ArrayList<>();
        List<CampaignFolder> recorded = new ArrayList<>();
        for (Path folder : folders) {
            if (CampaignRecord.isOne(folder)) {
                recorded.add(record(folder));
                continue;
            }
            CampaignFolder one = ReportCommand.read(folder);
            one.problems().stream().findFirst().ifPresent(problem -> {
                throw new UsageException(folder + ": " + problem);
            });
            read.add(one);
        }
        Files.createDirectories(out);
        console().println(Publication.write(read, recorded, pool.orElse(""), out));
        return 0;
    }

    private static CampaignFolder record(Path file) {
        try {
            return CampaignRecord.read(file);
        } catch (IOException e) {
            throw new UsageException(Main.reason(e));
        }
    }
}
