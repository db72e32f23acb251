package org.servletbench.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.report.Claims;
import org.servletbench.bench.report.HistorySection;
import org.servletbench.bench.report.JUnitXml;
import org.servletbench.bench.report.ReportPage;
import org.servletbench.bench.report.SeveralCampaigns;
import org.servletbench.bench.server.http.Tls;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Renders a campaign's page again, or shows several campaigns: two side by side, three or more pooled. */
@Command(
        name = "report",
        description =
                "Writes the page of a campaign again, or one of several campaigns: two side by side, three or more of the"
                        + " same comparison pooled.",
        footer = {
            "",
            "One campaign: DIR/index.html, and every table as CSV and JSON in DIR/tables. Several: comparison.html and its tables"
                    + " in the last DIR.",
            "Exit codes: 0 success, 1 an invocation cannot be read (the rest is rendered) or something became slower,"
                    + " 2 invalid usage, a folder without a readable campaign, or --fail-if-slower where no verdict is possible."
        })
final class ReportCommand extends BenchCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "DIR", description = "folder of a campaign, or folders of several")
    private List<Path> folders;

    @Option(
            names = "--junit",
            paramLabel = "FILE",
            description = "write the verdicts as JUnit XML, one testcase a claim")
    private Path junit;

    @Option(
            names = "--fail-if-slower",
            description =
                    "exit with 1 if an arm is slower than its baseline (the first arm), if one of the"
                            + " two has no usable figures, if a claim does not hold, or if the campaign is void. Inconclusive does not fail")
    private boolean failIfSlower;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = console();
        if (junit != null && Files.isDirectory(junit)) {
            throw new UsageException("--junit " + junit + " is a folder: name a file");
        }
        if (junit != null) {
            requireReplaceable("--junit", junit, "<?xml");
        }
        if (folders.size() > 1) {
            return several();
        }
        Path folder = folders.get(0);
        CampaignFolder read = read(folder);
        boolean whole = say(read.problems());
        ReportPage report = ReportPage.of(read);
        String withoutVerdicts = HistorySection.withoutVerdicts(read.campaign());
        // A gate without verdicts would let everything pass.
        if (failIfSlower && !withoutVerdicts.isEmpty()) {
            throw new UsageException(
                    "--fail-if-slower needs verdicts: " + withoutVerdicts.replaceFirst("^No verdicts: ", ""));
        }
        Tls.sweep(folder);
        out.println(report.write(folder));
        Claims claims = Claims.of(report.judgement());
        if (junit != null) {
            Json.replace(junit, JUnitXml.of(claims).getBytes(StandardCharsets.UTF_8));
        }
        boolean slower = failIfSlower && claims.fail();
        if (slower) {
            say(claims);
        }
        return whole && !slower ? 0 : Main.FAILED;
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
        if (junit != null || failIfSlower) {
            throw new UsageException((junit != null ? "--junit" : "--fail-if-slower")
                    + " needs verdicts, and several campaigns have none: give one DIR (measure before and after as two arms of"
                    + " one campaign)");
        }
        List<CampaignFolder> read = new ArrayList<>();
        folders.forEach(folder -> read.add(read(folder)));
        List<String> problems =
                read.stream().flatMap(folder -> folder.problems().stream()).toList();
        SeveralCampaigns several;
        try {
            several = new SeveralCampaigns(
                    read.stream()
                            .map(one -> Judgement.of(one.campaign(), one.invocations()))
                            .toList(),
                    problems);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
        boolean whole = say(problems);
        several.words().forEach(line -> console().println(line + "."));
        console().println(several.write(folders.get(folders.size() - 1)));
        return whole ? 0 : Main.FAILED;
    }

    /** Whether there are none. */
    private boolean say(List<String> problems) {
        problems.forEach(problem -> errors().println("report: " + Main.oneLine(problem)));
        return problems.isEmpty();
    }

    private void say(Claims claims) {
        PrintWriter err = errors();
        if (claims.isVoid()) {
            err.println("report: " + Main.oneLine(claims.why()));
            return;
        }
        claims.claims().stream()
                .filter(Claims.Claim::fails)
                .forEach(claim -> err.println("report: " + claim.failure() + ": " + Main.oneLine(claim.sentence())));
    }
}
