package org.servletbench.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.servletbench.bench.campaign.Preparation;
import org.servletbench.bench.comparison.Comparison;
import org.servletbench.bench.model.OwnCommand;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CampaignStore;
import org.servletbench.bench.report.Outcomes;
import org.servletbench.bench.report.PartEffects;
import org.servletbench.bench.server.exchange.JarParts;
import org.servletbench.bench.server.exchange.JarParts.Part;
import org.servletbench.bench.server.process.RunFolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Finds the part of a change that costs. Jars with single parts of the new build are arms of one comparison; if there are too many
 * parts for one, they are measured in groups first.
 */
@Command(
        name = "bisect",
        description = "Finds which library, or whose own code, makes one build of a service slower than another.",
        footer = {
            "",
            "A family of libraries that moved together is a part; your own classes are another. Jars with one part each are written to the"
                    + " folder, and run as arms of one comparison next to both builds.",
            "Exit code: that of compare."
        })
final class BisectCommand extends BenchCommand implements Callable<Integer> {

    /** Most parts in one comparison, besides both builds and the copy of the first. */
    static final int MOST = 8;

    private static final String ALL_BUT = "all-but-";

    @Parameters(index = "0", paramLabel = "BEFORE", description = "an executable jar of Spring Boot")
    private Path before;

    @Parameters(index = "1", paramLabel = "AFTER", description = "another build of it")
    private Path after;

    @Option(
            names = "--url",
            required = true,
            paramLabel = "PATH",
            description = "path of the request, such as /api/owners")
    private String url;

    @Option(
            names = "--comparison",
            paramLabel = "FILE",
            description =
                    "comparison file that gives loads, settings and the keys of the arm 'before' (env, properties, jvm, memory,"
                            + " …). Default: pull-request")
    private Path given;

    @Option(
            names = "--limit",
            paramLabel = "TIME",
            description = "time limit of each comparison. Default: " + BisectFolder.USUAL_LIMIT)
    private String limit;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "folder for jars and campaigns. Name an existing one to continue its search")
    private Path out;

    @Option(
            names = "--root",
            paramLabel = "DIR",
            description = "the clone of servlet-bench; default: found from the jar or this folder")
    private Path root;

    @Option(names = "--dry-run", description = "only list the parts")
    private boolean dryRun;

    private Path repository;
    private BisectFolder folder;

    @Override
    public Integer call() throws IOException {
        repository = Repository.root(root);
        JarParts parts = JarParts.between(before, after);
        List<Part> all = parts.parts();
        console().println(all.size() == 1 ? "1 part differs:" : all.size() + " parts differ:");
        all.forEach(part -> console().println("  " + part.name()));
        Path usual = repository.resolve("comparisons").resolve(Comparison.TWO_BUILDS + ".yaml");
        BisectComparison comparison = new BisectComparison(given == null ? usual : given, before, after, url, limit);
        comparison.read();
        if (dryRun) {
            return 0;
        }
        folder = BisectFolder.open(repository, out, parts, comparison);
        Path here = BisectComparison.parent(before);
        if (!here.equals(BisectComparison.parent(after))) {
            console().println("every server runs in the first jar's folder: " + here);
        }
        return search(all).code();
    }

    private Exit search(List<Part> all) throws IOException {
        List<Part> asked = all;
        for (int number = 1; true; number++) {
            BisectStage stage = stage(number, asked);
            Exit end = measured(number, stage);
            if (end != Exit.DONE) {
                return end;
            }
            PartEffects effects = effects(number, stage, asked.size() == all.size());
            answer(number, effects.lines());
            if (effects.hasInteraction() && stage.kind() == BisectStage.Kind.ALONE) {
                return together(number + 1, stage, effects);
            }
            List<Part> carriers = stage.kind() == BisectStage.Kind.GROUPS
                    ? carriers(stage, effects.carriers(), asked.size())
                    : List.of();
            if (carriers.size() < 2) {
                return Exit.DONE;
            }
            asked = carriers;
            console().println("next: these " + asked.size() + " parts");
        }
    }

    /** Returns the parts of all groups that differ; of the one that differs most, if all do. */
    private List<Part> carriers(BisectStage stage, List<String> groups, int asked) {
        List<Part> all = folder.named(
                groups.stream().flatMap(id -> stage.parts().get(id).stream()).toList());
        return all.size() < asked
                ? all
                : stage.parts().size() == 1
                        ? List.of()
                        : folder.named(stage.parts().get(groups.get(0)));
    }

    /** Measures the new build without one part at a time: a part that acts together with others then has another effect than alone. */
    private Exit together(int number, BisectStage alone, PartEffects before) throws IOException {
        console().println("next: each part with all others in place");
        Map<String, List<String>> parts = new LinkedHashMap<>();
        alone.parts().values().forEach(keys -> parts.put(BisectStarts.id(ALL_BUT, keys), keys));
        BisectStage stage = new BisectStage(BisectStage.Kind.ALL_BUT, parts);
        Exit end = measured(number, stage);
        if (end == Exit.DONE) {
            answer(number, effects(number, stage, true).together(before));
        }
        return end;
    }

    /** Prints the findings of a stage, and keeps them. */
    private void answer(int number, List<String> lines) throws IOException {
        console().println();
        lines.forEach(console()::println);
        folder.answer(number, lines);
    }

    /** Returns a stage: as it was when it began, or with arms that start. */
    private BisectStage stage(int number, List<Part> asked) throws IOException {
        Optional<BisectStage> begun = folder.begun(number);
        if (begun.isPresent()) {
            return begun.get();
        }
        BisectStarts starts = new BisectStarts(
                folder,
                new Preparation(repository, Main::version, () -> Repository.commit(repository), line -> {}),
                console());
        int most = starts.fitting(Math.min(MOST, asked.size()));
        List<List<String>> even = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            even.add(asked.subList(i * asked.size() / most, (i + 1) * asked.size() / most).stream()
                    .map(Part::key)
                    .toList());
        }
        Map<String, List<String>> arms = new LinkedHashMap<>();
        if (asked.size() == 1) {
            // The new build is the old one with this part.
            arms.put(BisectComparison.AFTER, even.get(0));
        } else {
            starts.starting(number, even).forEach(keys -> arms.put(BisectStarts.only(keys), keys));
        }
        BisectStage stage =
                new BisectStage(asked.size() > most ? BisectStage.Kind.GROUPS : BisectStage.Kind.ALONE, arms);
        folder.begin(number, stage);
        return stage;
    }

    /** Runs the comparison of a stage, continues it, or reads how it ended. */
    private Exit measured(int number, BisectStage stage) throws IOException {
        Path place = folder.stage(number);
        if (new CampaignStore(place).exists()) {
            CampaignFolder read = CampaignFolder.read(place);
            return read.campaign().hasEnded() ? ended(read) : compare(place, "--resume", place.toString());
        }
        // Without that file nothing was measured.
        RunFolder.delete(place);
        Path file = folder.write(place.getFileName().toString(), stage, false);
        return compare(place, file.toString(), "--out", place.toString());
    }

    private static Exit ended(CampaignFolder read) {
        Outcomes found = Outcomes.of(read);
        return found.analysis().family().isVoid()
                ? Exit.CONTROL_BROKEN
                : VerdictText.nothingUsable(read, found.analysis()).isPresent() ? Exit.FAILED : Exit.DONE;
    }

    private Exit compare(Path place, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("compare", "--root", repository.toString()));
        all.addAll(List.of(arguments));
        int code = spec.root().commandLine().execute(all.toArray(String[]::new));
        boolean ended = new CampaignStore(place).exists()
                && CampaignFolder.read(place).campaign().hasEnded();
        if (code != 0 && !ended) {
            errors().println("to continue: " + OwnCommand.NAME + " bisect " + Text.quoted(before.toString()) + " "
                    + Text.quoted(after.toString()) + " --url " + Text.quoted(url)
                    + (given == null ? "" : " --comparison " + Text.quoted(given.toString()))
                    + (root == null ? "" : " --root " + Text.quoted(root.toString())) + " --out "
                    + Text.quoted(folder.path().toString()));
        }
        return code < Exit.values().length ? Exit.values()[code] : Exit.FAILED;
    }

    private PartEffects effects(int number, BisectStage stage, boolean isWhole) {
        try {
            CampaignFolder read = CampaignFolder.read(folder.stage(number));
            Map<String, String> names = new LinkedHashMap<>();
            stage.parts().forEach((id, keys) -> names.put(id, folder.words(keys)));
            return new PartEffects(
                    Analysis.of(read.campaign(), read.serverRuns()),
                    names,
                    BisectComparison.AFTER,
                    stage.kind() == BisectStage.Kind.ALL_BUT
                            ? PartEffects.Arms.ALL_BUT_ONE
                            : isWhole ? PartEffects.Arms.ONE_OF_ALL : PartEffects.Arms.ONE_OF_SOME);
        } catch (IOException e) {
            throw new TargetException(e.getMessage());
        }
    }
}
