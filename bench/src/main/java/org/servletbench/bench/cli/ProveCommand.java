package org.servletbench.bench.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.servletbench.bench.campaign.CampaignLock;
import org.servletbench.bench.campaign.Machine;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.profile.UsageException;
import org.servletbench.bench.proof.Experiments;
import org.servletbench.bench.proof.Faults;
import org.servletbench.bench.proof.Finding;
import org.servletbench.bench.report.ProofPage;
import org.servletbench.bench.target.TargetException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Experiments with known answers: is what this rig says true, on this machine? */
@Command(
        name = "prove",
        description = "Shows that the rig is right, by experiments whose answer is known beforehand.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footer = {"", "Exit code: 0 nothing failed, 1 something failed or could not be done, 2 bad usage."})
final class ProveCommand implements Callable<Integer> {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "EXPERIMENT",
            arity = "0..*",
            description =
                    "delay, errors, stall, cold, bottleneck, sabotage, turns, cost, faults; all but faults when none is named")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--campaigns",
            paramLabel = "N",
            defaultValue = "10",
            description = "campaigns with injected costs: ${DEFAULT-VALUE}")
    private int campaigns;

    @Option(
            names = "--blocks",
            paramLabel = "N",
            defaultValue = "4",
            description = "blocks of each of them: ${DEFAULT-VALUE}")
    private int blocks;

    @Option(
            names = "--kills",
            paramLabel = "N",
            defaultValue = "20",
            description = "kills of each kind in the experiment faults, which is run only when it is named:"
                    + " ${DEFAULT-VALUE}")
    private int kills;

    @Option(names = "--out", paramLabel = "DIR", description = "where everything goes; must not exist")
    private Path out;

    @Option(names = "--root", paramLabel = "DIR", description = "the repository, where it is not found by itself")
    private Path root;

    @Override
    public Integer call() {
        try {
            return prove();
        } catch (UsageException e) {
            spec.commandLine().getErr().println("prove: " + Main.oneLine(e.getMessage()));
            return Main.USAGE;
        } catch (TargetException | LoadException e) {
            spec.commandLine().getErr().println("prove: " + Main.oneLine(e.getMessage()));
            return Main.FAILED;
        }
    }

    private int prove() {
        if (campaigns < 1 || campaigns > 1000 || blocks < 2 || blocks > 1000 || kills < 1) {
            throw new UsageException("--campaigns is from 1 to 1000 and --blocks from 2 to 1000, --kills 1 or more");
        }
        Path repository = Repository.root(root);
        Path folder = (out == null
                        ? repository
                                .resolve("bench/target/proofs")
                                .resolve("proof-" + LocalDateTime.now().format(TIME))
                        : out)
                .toAbsolutePath()
                .normalize();
        if (Files.exists(folder)) {
            throw new UsageException("--out " + out + " is there already: nothing measured is ever overwritten");
        }
        PrintWriter console = spec.commandLine().getOut();
        Experiments experiments = new Experiments(repository, folder, line -> {
            console.println(line);
            console.flush();
        });
        Map<String, Supplier<List<Finding>>> known = new LinkedHashMap<>();
        known.put("sabotage", experiments::sabotage);
        known.put("cold", experiments::cold);
        known.put("bottleneck", experiments::bottleneck);
        known.put("errors", experiments::errors);
        known.put("delay", experiments::delay);
        known.put("stall", experiments::stall);
        known.put("turns", experiments::turns);
        known.put("cost", () -> experiments.cost(campaigns, blocks));
        known.put("faults", () -> new Faults(repository, folder, System.nanoTime(), line -> {
                    console.println(line);
                    console.flush();
                })
                .run(kills));
        names.stream().filter(name -> !known.containsKey(name)).findFirst().ifPresent(name -> {
            throw new UsageException("no experiment '" + name + "': choose from " + String.join(", ", known.keySet()));
        });
        List<Finding> findings = new ArrayList<>();
        Map<String, String> before = Machine.facts();
        try (CampaignLock lock = CampaignLock.take(folder)) {
            Files.createDirectories(folder);
            for (Map.Entry<String, Supplier<List<Finding>>> one : known.entrySet()) {
                if (names.isEmpty() && !one.getKey().equals("faults") || names.contains(one.getKey())) {
                    List<Finding> found = one.getValue().get();
                    found.forEach(finding -> console.println(line(finding)));
                    console.flush();
                    findings.addAll(found);
                    keep(folder, findings, before);
                }
            }
        } catch (IOException e) {
            throw new TargetException("cannot write into " + folder + " (" + e.getMessage() + ")");
        }
        long failed = findings.stream()
                .filter(finding -> finding.outcome() == Finding.Outcome.FAILED)
                .count();
        console.println(Finding.tally(findings));
        console.println("page: " + folder.resolve(ProofPage.INDEX).toUri());
        return failed == 0 ? 0 : Main.FAILED;
    }

    /** After each experiment: what is found is not lost with the next one. */
    private static void keep(Path folder, List<Finding> findings, Map<String, String> machine) throws IOException {
        new ObjectMapper()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .writeValue(folder.resolve("findings.json").toFile(), findings);
        Files.writeString(folder.resolve(ProofPage.INDEX), ProofPage.html(findings, machine), StandardCharsets.UTF_8);
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
