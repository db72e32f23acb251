package org.servletbench.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.report.HistorySection;
import org.servletbench.bench.report.Outcomes;
import org.servletbench.bench.report.ReportPage;
import org.servletbench.bench.report.SeveralCampaigns;
import org.servletbench.bench.server.http.Tls;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Writes a campaign's page again, or one page about several campaigns: two side by side, three or more pooled. */
@Command(
        name = "report",
        description =
                "Writes the page of a campaign again, or one of several campaigns: two side by side, three or more of the"
                        + " same comparison pooled.",
        modelTransformer = CampaignOptions.OfResults.class,
        footer = {
            "",
            "One campaign: DIR/index.html, and every table as CSV and JSON in DIR/tables. Several: comparison.html and its tables"
                    + " in the last DIR.",
            "Without --fail-on only the comparison's claims can fail. With it, if there are none, an arm fails that is slower than its"
                    + " baseline (the first arm) or has no usable figures.",
            "Exit code: 0 done, 1 a server run cannot be read (the rest is rendered), 2 bad usage, a folder without a readable"
                    + " campaign, or --fail-on where no verdict is possible, 3 a claim does not hold, 4 the A/A check failed."
        })
final class ReportCommand extends BenchCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "DIR", description = "folder of a campaign, or folders of several")
    private List<Path> folders;

    private Results results;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = console();
        results = Results.taken(CampaignOptions.given(spec));
        if (folders.size() > 1) {
            return several();
        }
        Path folder = folders.get(0);
        CampaignFolder read = read(folder);
        boolean whole = say(read.problems());
        ReportPage report = ReportPage.of(read);
        String withoutVerdicts = HistorySection.withoutVerdicts(read.campaign());
        // A gate without verdicts would always pass.
        if (results.failOn().isPresent() && !withoutVerdicts.isEmpty()) {
            throw new UsageException("--fail-on needs verdicts: " + withoutVerdicts.replaceFirst("^No verdicts: ", ""));
        }
        Tls.sweep(folder);
        out.println(report.write(folder));
        boolean verdicts =
                results.failOn().isPresent() && read.campaign().plan().claims().decideNothing();
        Exit end = results.end(Outcomes.of(read), verdicts, Optional.empty(), "report", out, errors());
        return (whole || end != Exit.DONE ? end : Exit.FAILED).code();
    }

    static CampaignFolder read(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new UsageException("no such folder: " + folder);
        }
        try {
            return CampaignFolder.read(folder);
        } catch (IOException e) {
            throw new UsageException(Main.reason(e));
        }
    }

    private int several() throws IOException {
        results.options().stream()
                .filter(option -> !isOfPool(option))
                .findFirst()
                .ifPresent(option -> {
                    throw new UsageException(option
                            + " needs verdicts, and several campaigns have none: give one DIR (measure before and after as two arms of"
                            + " one campaign)");
                });
        List<CampaignFolder> read = new ArrayList<>();
        folders.forEach(folder -> read.add(read(folder)));
        List<String> problems =
                read.stream().flatMap(folder -> folder.problems().stream()).toList();
        SeveralCampaigns several = SeveralCampaigns.of(read, problems);
        boolean whole = say(problems);
        several.leftOut().forEach(line -> errors().println("report: " + line));
        Path summary = results.files().get(ResultFile.SUMMARY);
        if (summary != null) {
            Json.replace(summary, several.markdown().orElseThrow());
        }
        several.words().forEach(line -> console().println(line + "."));
        console().println(several.write(folders.get(folders.size() - 1)));
        return whole ? 0 : Exit.FAILED.code();
    }

    /** True for an option that makes sense without verdicts: the summary of three or more campaigns. */
    private boolean isOfPool(String option) {
        return option.equals("--" + ResultFile.SUMMARY.key()) && folders.size() > 2;
    }

    /** Prints the problems; returns true if there are none. */
    private boolean say(List<String> problems) {
        problems.forEach(problem -> errors().println("report: " + Main.oneLine(problem)));
        return problems.isEmpty();
    }
}
