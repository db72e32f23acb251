package org.servletbench.bench.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.servletbench.bench.campaign.CampaignLock;
import org.servletbench.bench.campaign.Machine;
import org.servletbench.bench.campaign.Preparation;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.proof.Experiment;
import org.servletbench.bench.proof.Experiments;
import org.servletbench.bench.proof.Finding;
import org.servletbench.bench.proof.ProofFolder;
import org.servletbench.bench.report.proof.ProofPage;
import org.servletbench.bench.server.TargetException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Experiments with known answers: is what this rig says true, on this machine? */
@Command(
        name = "prove",
        description = "Tests servlet-bench itself, by experiments whose answer is known beforehand.",
        sortOptions = false,
        footer = {"", "Exit code: 0 nothing failed, 1 something failed or could not be done, 2 bad usage."})
final class ProveCommand extends BenchCommand implements Callable<Integer> {

    @Parameters(
            paramLabel = "EXPERIMENT",
            arity = "0..*",
            description =
                    "sabotage, bottleneck, errors, delay, stall, turns: all of them when none is named. Long ones run"
                            + " only when they are named: null, spike (uses the data of null), blind, gate, controls, faults")
    private List<String> names = new ArrayList<>();

    @Mixin
    private ProveOptions options;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "folder of all results; must not exist. Default: a new one in bench/target/proofs")
    private Path out;

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description = "continue the named experiments in the folder of an earlier run: complete campaigns are only"
                    + " analysed again, and findings of other experiments are kept")
    private Path resume;

    @Option(
            names = "--root",
            paramLabel = "DIR",
            description = "a clone of servlet-bench. Default: the one that this command belongs to")
    private Path root;

    @Override
    public Integer call() {
        Experiments.Sizes sizes = options.sizes();
        Path repository = Repository.root(root);
        Path folder = folder(repository);
        Preparation preparation =
                new Preparation(repository, Main::version, () -> Repository.commit(repository), this::say);
        List<Experiment> chosen = chosen(new Experiments(preparation, folder).all(sizes));
        Map<String, String> before = Machine.facts();
        Path page = folder.resolve(ProofPage.INDEX);
        List<Finding> findings;
        try (CampaignLock lock = CampaignLock.take(folder)) {
            say("folder: " + folder + " (go on after an interruption: the same experiments with --resume " + folder
                    + ")");
            findings = new ProofFolder(folder)
                    .run(
                            chosen,
                            finding -> say(Main.oneLine(finding.line())),
                            all -> write(page, ProofPage.html(all, before)));
        } catch (IOException | UncheckedIOException e) {
            throw new TargetException(folder + " cannot be read or written (" + e.getMessage() + ")");
        }
        say(Finding.tally(findings));
        say("page: " + page.toUri());
        return findings.stream().anyMatch(finding -> finding.outcome() == Finding.Outcome.FAILED) ? Main.FAILED : 0;
    }

    private void say(String line) {
        console().println(line);
        console().flush();
    }

    private static void write(Path page, String html) {
        try {
            Files.writeString(page, html, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those that were named, or all short ones; an option that none of them takes would be ignored. */
    private List<Experiment> chosen(List<Experiment> known) {
        List<String> all = known.stream().map(Experiment::name).toList();
        names.stream().filter(name -> !all.contains(name)).findFirst().ifPresent(name -> {
            throw new UsageException("no experiment '" + name + "': choose from " + String.join(", ", all));
        });
        List<Experiment> chosen = known.stream()
                .filter(one -> names.isEmpty() ? !one.isLong() : names.contains(one.name()))
                .toList();
        known.stream()
                .flatMap(one -> one.options().stream())
                .filter(option -> spec.commandLine().getParseResult().hasMatchedOption("--" + option))
                .filter(option -> chosen.stream().noneMatch(one -> one.options().contains(option)))
                .findFirst()
                .ifPresent(option -> {
                    throw new UsageException("--" + option + " is an option of "
                            + known.stream()
                                    .filter(one -> one.options().contains(option))
                                    .map(Experiment::name)
                                    .collect(Collectors.joining(", "))
                            + ", and none of them is named");
                });
        return chosen;
    }

    private Path folder(Path repository) {
        if (resume == null) {
            return Repository.results(repository, out, "proofs", "proof");
        }
        if (out != null) {
            throw new UsageException("--resume goes on in its own folder: leave out --out");
        }
        if (names.isEmpty()) {
            throw new UsageException("--resume needs the names of the experiments that go on");
        }
        new ProofFolder(resume).requireBegun(names);
        return resume.toAbsolutePath().normalize();
    }
}
