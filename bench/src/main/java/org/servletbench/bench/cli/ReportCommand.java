package org.servletbench.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import org.servletbench.bench.article.ArticleReader;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.report.Claims;
import org.servletbench.bench.report.CompareTwo;
import org.servletbench.bench.report.HistorySection;
import org.servletbench.bench.report.ReportPage;
import org.servletbench.bench.report.ReproductionPage;
import org.servletbench.bench.report.ci.JUnitXml;
import org.servletbench.bench.reproduce.Reproduction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Renders a campaign's page again, or compares two campaigns through the arms that are the same in both. */
@Command(
        name = "report",
        description =
                "Writes the page of a campaign again, or compares two campaigns through arms that did not change.",
        footer = {
            "",
            "One campaign: DIR/index.html, and every table as CSV and JSON in DIR/tables. Two: DIR2/comparison.html.",
            "Exit codes: 0 success, 1 an invocation cannot be read (the rest is rendered) or something became slower,"
                    + " 2 invalid usage, a folder without a readable campaign, or --fail-if-slower where no verdict is possible."
        })
final class ReportCommand extends BenchCommand implements Callable<Integer> {
    private static final String BOTH_JARS =
            " (compare --jar before.jar --jar after.jar --workload-file FILE, then report CAMPAIGN --junit verdicts.xml"
                    + " --fail-if-slower)";

    @Parameters(
            index = "0",
            paramLabel = "DIR",
            description = "folder of a campaign, or of an article in bench/target/reproductions")
    private Path first;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "DIR2",
            description =
                    "a later campaign, such as after an upgrade. Verdicts need an arm in it that is the same as in the"
                            + " first: same jar, JDK, JVM options and settings")
    private Path second;

    @Option(
            names = "--junit",
            paramLabel = "FILE",
            description = "write the verdicts as JUnit XML, one testcase a claim")
    private Path junit;

    @Option(
            names = "--fail-if-slower",
            description =
                    "exit with 1 if an arm is slower than its baseline (of one campaign; with compare --jar that is the"
                            + " first jar) or than before (of two), if one of the two has no usable figures, or if the campaign is void."
                            + " Inconclusive does not fail")
    private boolean failIfSlower;

    @Option(
            names = "--campaign-spread",
            paramLabel = "SHARE",
            description =
                    "with two campaigns: how much the ratio of two unchanged arms varies from campaign to campaign, as"
                            + " a standard deviation: 1%%. Estimated where two or more arms are unchanged")
    private String campaignSpread;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = console();
        if (junit != null && Files.isDirectory(junit)) {
            throw new UsageException("--junit " + junit + " is a folder: name a file");
        }
        if (junit != null) {
            Overwriting.check("--junit", junit, "<?xml");
        }
        OptionalDouble spread = campaignSpread();
        if (second == null && junit == null && Files.isRegularFile(first.resolve(Reproduction.FILE))) {
            if (failIfSlower) {
                throw new UsageException(
                        "--fail-if-slower: " + first + " is a reproduction: give the folder of one of its campaigns");
            }
            ArticleReader articles =
                    new ArticleReader(new ProfilesFolder(Repository.root(null).resolve("profiles")));
            out.println(new ReproductionPage(Reproduction.read(first, articles)).write(first));
            return 0;
        }
        List<CampaignFolder> read = new ArrayList<>();
        for (Path folder : second == null ? List.of(first) : List.of(first, second)) {
            read.add(read(folder));
        }
        List<String> problems =
                read.stream().flatMap(folder -> folder.problems().stream()).toList();
        problems.forEach(problem -> errors().println("report: " + Main.oneLine(problem)));
        Claims claims;
        Path page;
        if (second == null) {
            ReportPage report = ReportPage.of(read.get(0));
            requireVerdicts(HistorySection.withoutVerdicts(read.get(0).campaign()), "");
            page = report.write(first);
            claims = Claims.of(report.judgement());
        } else {
            CompareTwo two = compare(read, spread, problems);
            requireVerdicts(two.withoutVerdicts(), BOTH_JARS);
            page = two.write(second);
            claims = two.claims();
        }
        out.println(page);
        if (junit != null) {
            if (junit.toAbsolutePath().getParent() != null) {
                Files.createDirectories(junit.toAbsolutePath().getParent());
            }
            Files.writeString(junit, JUnitXml.of(claims), StandardCharsets.UTF_8);
        }
        boolean slower = failIfSlower && claims.fail();
        if (slower) {
            say(claims);
        }
        return problems.isEmpty() && !slower ? 0 : Main.FAILED;
    }

    private CampaignFolder read(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new UsageException("no such folder: " + folder);
        }
        try {
            return CampaignFolder.read(folder);
        } catch (IOException e) {
            throw new UsageException(Main.reason(e));
        }
    }

    private OptionalDouble campaignSpread() {
        if (campaignSpread == null) {
            return OptionalDouble.empty();
        }
        if (second == null) {
            throw new UsageException("--campaign-spread needs two campaigns");
        }
        try {
            return OptionalDouble.of(Options.share(campaignSpread));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--campaign-spread " + campaignSpread + ": give a share such as 1%");
        }
    }

    /** A gate without verdicts would let everything pass. */
    private void requireVerdicts(String withoutVerdicts, String remedy) {
        if (failIfSlower && !withoutVerdicts.isEmpty()) {
            throw new UsageException(
                    "--fail-if-slower needs verdicts: " + withoutVerdicts.replaceFirst("^No verdicts: ", "") + remedy);
        }
    }

    private CompareTwo compare(List<CampaignFolder> read, OptionalDouble spread, List<String> problems) {
        try {
            return new CompareTwo(judge(read.get(0)), judge(read.get(1)), spread, problems);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private static Judgement judge(CampaignFolder folder) {
        return Judgement.of(folder.campaign(), folder.invocations());
    }

    private void say(Claims claims) {
        PrintWriter err = errors();
        if (claims.isVoid()) {
            err.println("report: " + Main.oneLine(claims.why()));
            return;
        }
        claims.claims().stream()
                .filter(Claims.Claim::fails)
                .forEach(claim -> err.println("report: " + (claim.measured() ? "slower: " : "no usable figures: ")
                        + Main.oneLine(claim.sentence())));
    }
}
