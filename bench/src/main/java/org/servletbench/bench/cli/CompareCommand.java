package org.servletbench.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.servletbench.bench.campaign.CampaignLock;
import org.servletbench.bench.campaign.Planner;
import org.servletbench.bench.campaign.Preparation;
import org.servletbench.bench.campaign.Prepared;
import org.servletbench.bench.comparison.Comparison;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.OwnCommand;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.report.Early;
import org.servletbench.bench.report.Outcomes;
import org.servletbench.bench.report.ReportPage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Runs a campaign: randomised blocks of fresh servers, verdicts with intervals, and the comparison page. */
@Command(
        name = "compare",
        description = "Runs a comparison in randomised blocks of fresh JVMs, and reports which differences are real.",
        sortOptions = false,
        modelTransformer = CampaignOptions.class,
        footer = {
            "",
            "What may be compared, and every key: docs/comparison-file.md. Times have a unit: 10s, 2m.",
            "Exit code: 0 done, 1 failed (what was measured is kept), 2 bad usage, 3 a claim does not hold,"
                    + " 4 the A/A check failed. With Maven, 3 and 4 become 1."
        })
class CompareCommand extends BenchCommand implements Callable<Integer> {

    private static final String MEASURE = "measure.";

    private Path out;
    private Path resume;
    private boolean dryRun;
    private Results results;
    /** Folder of the campaign; null before it exists. */
    private volatile Path folder;
    /** True once results are written, also for a campaign that ended early. */
    private final AtomicBoolean written = new AtomicBoolean();

    private Preparation preparation;
    private ConsoleProgress progress;

    @Parameters(
            arity = "0..1",
            paramLabel = "NAME|FILE",
            description = "the comparison: a file, or the name of one in comparisons/. Default: " + Comparison.USUAL)
    private String comparison;

    @Override
    public Integer call() {
        Map<String, String> given = CampaignOptions.given(spec);
        out = path(given, "out");
        resume = path(given, "resume");
        dryRun = given.remove("dry-run") != null;
        results = Results.taken(given);
        if (dryRun && !results.options().isEmpty()) {
            throw new UsageException(results.options().get(0) + ": a dry run has no results: leave this option out");
        }
        Path repository = Repository.root(path(given, "root"));
        progress = new ConsoleProgress(console());
        preparation = new Preparation(repository, Main::version, () -> Repository.commit(repository), progress::say);
        if (dryRun) {
            preparation.onlyTell();
        }
        if (!dryRun) {
            BeforeTheBuild.unfit().ifPresent(UsageException::raise);
        }
        try (OnInterrupt interrupted = new OnInterrupt(() -> early(Early.interrupted()))) {
            return resume == null ? begin(given) : goOn(given);
        } catch (RuntimeException e) {
            early(Early.failed(Main.reason(e)));
            throw e;
        }
    }

    /** Writes partial results, unless results have been written already. */
    private void early(Early why) {
        if (!written.getAndSet(true)) {
            results.early(Optional.ofNullable(folder), why, console());
        }
    }

    private static Path path(Map<String, String> given, String option) {
        return given.containsKey(option) ? Path.of(given.remove(option)) : null;
    }

    private int begin(Map<String, String> given) {
        Planner.Draft read = preparation.draft(Optional.ofNullable(comparison), given);
        // If no finding can fail the command, there is no reason to end early.
        Planner.Draft asked = results.isOnlyShown() ? read.with(read.plan().withoutEarlyEnd()) : read;
        Path place = Repository.results(preparation.repository(), out, "campaigns", "campaign");
        requireClaims(asked.plan());
        Planner.Draft draft = preparation.fitting(asked);
        PlanText.lines(draft, dryRun).forEach(progress::say);
        Optional<String> tooLittle = preparation.tooLittleMemory(draft);
        if (dryRun) {
            tooLittle.ifPresent(line -> progress.say("warning: " + line));
            return 0;
        }
        tooLittle.ifPresent(UsageException::raise);
        try (CampaignLock lock = CampaignLock.take(place)) {
            Prepared ready = preparation.begin(draft, place.getFileName().toString(), place);
            try (CampaignLock own = CampaignLock.ofFolder(place)) {
                return run(ready);
            }
        }
    }

    private void requireClaims(Plan plan) {
        if (plan.claims().decideNothing()) {
            results.uselessWithoutClaims().ifPresent(UsageException::raise);
        }
    }

    private int goOn(Map<String, String> given) {
        Map<String, String> others = new LinkedHashMap<>(given);
        others.keySet().removeAll(List.of("blocks", "limit"));
        Map<String, String> again = namedAgain(others);
        Optional<Preparation.Named> named = Optional.ofNullable(comparison)
                .map(one -> new Preparation.Named(
                        one, Optional.ofNullable(others.remove("set")).orElse("")));
        if (dryRun) {
            others.put("dry-run", "");
        }
        if (out != null) {
            others.put("out", "");
        }
        if (!others.isEmpty()) {
            throw new UsageException("--resume takes the plan from " + resume
                    + ": only --blocks and --limit can be given with it, not --"
                    + others.keySet().iterator().next().replace('.', '-')
                    + "; name other machines again");
        }
        if (!Files.isRegularFile(resume.resolve("campaign.json"))) {
            throw new UsageException("--resume " + resume + ": there is no campaign.json in it");
        }
        Options wanted = new Options("--", given, Map.of());
        Optional<Integer> blocks =
                wanted.isGiven("blocks") ? Optional.of(wanted.integer("blocks", 2, 10_000)) : Optional.empty();
        Optional<Double> seconds = wanted.isGiven("limit")
                ? Optional.of(Planner.limitSeconds(wanted.duration("limit")))
                : Optional.empty();
        Path place = resume.toAbsolutePath().normalize();
        try (CampaignLock lock = CampaignLock.take(place);
                CampaignLock own = CampaignLock.ofFolder(place)) {
            CampaignFolder before = CampaignFolder.read(place);
            before.problems().forEach(progress::say);
            Prepared ready = preparation.goOn(before, place, named, again, blocks, seconds);
            Campaign campaign = ready.campaign();
            requireClaims(campaign.plan());
            Preparation.tooLittleMemory(ready).ifPresent(UsageException::raise);
            progress.say("continuing " + place + ": " + before.completeBlocks() + " of "
                    + campaign.order().size() + " blocks are done");
            return run(ready);
        } catch (IOException e) {
            throw new TargetException(e.getMessage());
        }
    }

    /**
     * Removes and returns the options that name other machines. They have to be given again because a record does not
     * contain them.
     */
    private static Map<String, String> namedAgain(Map<String, String> given) {
        Map<String, String> again = Comparison.ofCommandLine(given);
        given.keySet().removeAll(again.keySet());
        List<String> others = new ArrayList<>();
        for (String one : given.getOrDefault("set", "").split("[;\n]")) {
            String[] parts = one.strip().split("=", 2);
            Map<String, String> named = parts.length == 2 && parts[0].startsWith(MEASURE)
                    ? Comparison.ofCommandLine(
                            Map.of(parts[0].substring(MEASURE.length()).replaceFirst("-", "."), parts[1]))
                    : Map.of();
            again.putAll(named);
            if (named.isEmpty() && !one.isBlank()) {
                others.add(one);
            }
        }
        if (others.isEmpty()) {
            given.remove("set");
        }
        return again;
    }

    /** Returns the command that resumes a campaign. */
    private String goOn(Prepared ready) {
        String set = ready.named().entrySet().stream()
                .map(one -> MEASURE + one.getKey().replace('.', '-') + "=" + one.getValue())
                .collect(Collectors.joining(";"));
        // Commands from a record are run only if the user names their file again.
        String file = ready.campaign().arms().stream()
                        .allMatch(arm -> arm.spec().command().isEmpty())
                ? ""
                : Text.quoted(comparison);
        return (isFromMaven()
                        ? "mvn -Pcompare verify " + (file.isEmpty() ? "" : "-Dcomparison=" + file + " ") + "--resume="
                        : OwnCommand.NAME + " compare " + (file.isEmpty() ? "" : file + " ") + "--resume ")
                + ready.store().folder()
                + (set.isEmpty() ? "" : " " + Secrets.scrubbed(Text.quoted("--set=" + set)));
    }

    private int run(Prepared ready) {
        folder = ready.store().folder();
        progress.say("campaign: " + folder);
        String page = "report: " + folder.resolve(ReportPage.INDEX).toUri();
        progress.say(page + " (estimates, updated after each block)");
        CampaignFolder read;
        ConsoleProgress shown = progress;
        String goOn = goOn(ready);
        try (shown;
                OnInterrupt interrupted =
                        new OnInterrupt(console(), "interrupted: what was measured is kept; continue with " + goOn)) {
            shown.begin(ready.campaign(), ready.seconds(), folder);
            read = ready.run(progress, goOn);
        } finally {
            render(folder, progress);
        }
        Outcomes found = Outcomes.of(read);
        PrintWriter console = console();
        VerdictText.print(read, found, page, console);
        written.set(true);
        try {
            return results.end(
                            found,
                            false,
                            VerdictText.nothingUsable(read, found.analysis()),
                            spec.name(),
                            console,
                            errors())
                    .code();
        } catch (IOException e) {
            throw new TargetException(Main.reason(e));
        }
    }

    static void render(Path folder, ConsoleProgress progress) {
        try {
            ReportPage.of(CampaignFolder.read(folder)).write(folder);
        } catch (IOException e) {
            progress.say("the page could not be written: " + e.getMessage());
        }
    }
}
