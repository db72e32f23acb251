package org.servletbench.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.servletbench.bench.campaign.CampaignLock;
import org.servletbench.bench.campaign.Machine;
import org.servletbench.bench.campaign.Preparation;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.proof.Experiment;
import org.servletbench.bench.proof.Experiments;
import org.servletbench.bench.proof.Finding;
import org.servletbench.bench.report.proof.ProofPage;
import org.servletbench.bench.server.TargetException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Experiments with known answers: is what this rig says true, on this machine? */
@Command(
        name = "prove",
        description = "Tests servlet-bench itself, by experiments whose answer is known beforehand.",
        sortOptions = false,
        footer = {"", "Exit code: 0 nothing failed, 1 something failed or could not be done, 2 bad usage."})
final class ProveCommand extends BenchCommand implements Callable<Integer> {

    private static final String FINDINGS = "findings.json";

    @Parameters(
            paramLabel = "EXPERIMENT",
            arity = "0..*",
            description =
                    "sabotage, bottleneck, errors, delay, stall, turns: all of them when none is named. Long ones run"
                            + " only when they are named: null, spike (uses the data of null), blind, gate, controls, faults")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--blocks",
            paramLabel = "N",
            description = "null, blind, controls: blocks of each campaign. Default: " + Experiments.NULL_BLOCKS + ", "
                    + Experiments.BLIND_BLOCKS + ", " + Experiments.CONTROLS_BLOCKS)
    private Integer blocks;

    @Option(
            names = "--limit",
            paramLabel = "TIME",
            description =
                    "null: no block begins that would end later; 0s: no limit. Default: " + Experiments.NULL_LIMIT)
    private String limit;

    @Option(
            names = "--arms",
            paramLabel = "N",
            defaultValue = "8",
            description =
                    "null: identical servers that are up at the same time, 2 to 16. spike needs at least one more than"
                            + " the quick plan has arms. Default: ${DEFAULT-VALUE}, which takes 21 GiB of memory")
    private int arms;

    @Option(
            names = "--chunk",
            paramLabel = "N",
            defaultValue = "5",
            description = "null, spike: blocks of a quick campaign, 2 or more. Default: ${DEFAULT-VALUE}")
    private int chunk;

    @Option(
            names = "--campaigns",
            paramLabel = "N",
            description = "blind, controls: campaigns. Default: " + Experiments.BLIND_CAMPAIGNS + ", "
                    + Experiments.CONTROLS_CAMPAIGNS)
    private Integer campaigns;

    @Option(
            names = "--servers",
            paramLabel = "N",
            defaultValue = "3",
            description = "gate: servers for each number of bursts; 3 take about 24 minutes. Default: ${DEFAULT-VALUE}")
    private int servers;

    @Option(
            names = "--hold",
            paramLabel = "TIME",
            description =
                    "null, blind, controls: measured time of each server in a block. Default: that of the quick plan,"
                            + " of controls 40s, in short turns and again in long ones")
    private String hold;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            description = "null, blind, controls: maximum warm-up per server. Default: that of the quick plan")
    private String warmup;

    @Option(
            names = "--kills",
            paramLabel = "N",
            defaultValue = "20",
            description = "faults: kills of each kind of process. Default: ${DEFAULT-VALUE}")
    private int kills;

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
        if (blocks != null && (blocks < 2 || blocks > 1000)
                || campaigns != null && (campaigns < 1 || campaigns > 1000)) {
            throw new UsageException("--campaigns is from 1 to 1000 and --blocks from 2 to 1000");
        }
        if (arms < 2 || arms > 16 || chunk < 2 || kills < 1 || servers < 1) {
            throw new UsageException(
                    "--arms is from 2 to 16, --chunk is 2 or more, --kills and --servers are 1 or more");
        }
        Path repository = Repository.root(root);
        Path folder = folder(repository);
        PrintWriter console = console();
        Consumer<String> say = line -> {
            console.println(line);
            console.flush();
        };
        Preparation preparation = new Preparation(repository, Main::version, () -> Repository.commit(repository), say);
        List<Experiment> known = new Experiments(preparation, folder)
                .all(new Experiments.Sizes(given(), Optional.ofNullable(campaigns), arms, chunk, servers, kills));
        List<String> all = known.stream().map(Experiment::name).toList();
        names.stream().filter(name -> !all.contains(name)).findFirst().ifPresent(name -> {
            throw new UsageException("no experiment '" + name + "': choose from " + String.join(", ", all));
        });
        List<Finding> findings = new ArrayList<>(resume == null ? List.of() : kept(folder));
        findings.removeIf(finding -> names.contains(finding.experiment()));
        Map<String, String> before = Machine.facts();
        try (CampaignLock lock = CampaignLock.take(folder)) {
            Files.createDirectories(folder);
            say.accept("folder: " + folder + " (go on after an interruption: the same command with --resume)");
            for (Experiment one : known) {
                if (names.isEmpty() ? !one.isLong() : names.contains(one.name())) {
                    List<Finding> found = one.run().get();
                    found.forEach(finding -> say.accept(line(finding)));
                    findings.addAll(found);
                    // After each: what is found is not lost with the next one.
                    Json.write(folder.resolve(FINDINGS), findings);
                    String page = ProofPage.html(findings, before);
                    Files.writeString(folder.resolve(ProofPage.INDEX), page, StandardCharsets.UTF_8);
                }
            }
        } catch (IOException e) {
            throw new TargetException("cannot write into " + folder + " (" + e.getMessage() + ")");
        }
        say.accept(Finding.tally(findings));
        say.accept("page: " + folder.resolve(ProofPage.INDEX).toUri());
        return findings.stream().anyMatch(finding -> finding.outcome() == Finding.Outcome.FAILED) ? Main.FAILED : 0;
    }

    /** Whether one of the experiments, or any that has ended, left something in the folder: else hours of load would begin there. */
    private boolean isBegun() {
        try (Stream<Path> files = Files.list(resume)) {
            return files.map(file -> file.getFileName().toString())
                    .anyMatch(file -> file.equals(FINDINGS) || names.stream().anyMatch(file::startsWith));
        } catch (IOException e) {
            throw new UsageException("--resume " + resume + " cannot be read (" + e.getMessage() + ")");
        }
    }

    private Path folder(Path repository) {
        if (resume != null) {
            if (out != null || names.isEmpty()) {
                throw new UsageException("--resume needs the names of the experiments to go on with, and no --out");
            }
            if (!Files.isDirectory(resume)) {
                throw new UsageException("--resume " + resume + ": there is no such folder");
            }
            if (!isBegun()) {
                throw new UsageException("--resume " + resume + ": none of these experiments began there");
            }
            return resume.toAbsolutePath().normalize();
        }
        return Repository.results(repository, out, "proofs", "proof");
    }

    /** What was asked for in place of the quick plan's values and the experiments' own. */
    private Map<String, String> given() {
        Map<String, String> given = new HashMap<>();
        for (String name : List.of("blocks", "limit", "hold", "warmup")) {
            Optional.ofNullable(spec.findOption("--" + name).getValue())
                    .ifPresent(value -> given.put(name, value.toString()));
        }
        return given;
    }

    private static List<Finding> kept(Path folder) {
        Path file = folder.resolve(FINDINGS);
        try {
            return Files.isRegularFile(file)
                    ? List.of(Json.MAPPER.readValue(file.toFile(), Finding[].class))
                    : List.of();
        } catch (IOException e) {
            throw new TargetException(file + " cannot be read (" + e.getMessage() + ")");
        }
    }

    private static String line(Finding finding) {
        return Main.oneLine(String.format(
                "%-8s %-12s %s  truth: %s  measured: %s%s%s",
                finding.outcome().words(),
                finding.experiment(),
                finding.subject(),
                finding.truth(),
                finding.measured(),
                finding.interval().isEmpty() ? "" : "  interval: " + finding.interval(),
                finding.note().isEmpty() ? "" : "  (" + finding.note() + ")"));
    }
}
