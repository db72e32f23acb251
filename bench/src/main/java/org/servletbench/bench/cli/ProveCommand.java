package org.servletbench.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.servletbench.bench.campaign.CampaignLock;
import org.servletbench.bench.campaign.Machine;
import org.servletbench.bench.campaign.Preparation;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.proof.Experiments;
import org.servletbench.bench.proof.Faults;
import org.servletbench.bench.proof.Finding;
import org.servletbench.bench.report.proof.ProofPage;
import org.servletbench.bench.server.TargetException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Experiments with known answers: is what this rig says true, on this machine? */
@Command(
        name = "prove",
        description = "Tests the rig by experiments with known answers.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footer = {"", "Exit codes: 0 nothing failed, 1 an experiment failed or could not run, 2 invalid usage."})
final class ProveCommand implements Callable<Integer> {

    private static final String FINDINGS = "findings.json";
    /** Long, or worse: they kill what runs. */
    private static final List<String> ONLY_NAMED = List.of("null", "spike", "blind", "gate", "controls", "faults");

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "EXPERIMENT",
            arity = "0..*",
            description = "sabotage, bottleneck, errors, delay, stall, turns: all of them if none is named."
                    + " Long, and run only if named: null, spike (on the data of null), blind, gate,"
                    + " controls, faults")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--blocks",
            paramLabel = "N",
            description = "blocks of a campaign: " + Experiments.NULL_BLOCKS + " of null, " + Experiments.BLIND_BLOCKS
                    + " of blind, " + Experiments.CONTROLS_BLOCKS + " of controls")
    private Integer blocks;

    @Option(
            names = "--limit",
            paramLabel = "TIME",
            description = "no block of null begins that would end later: " + Experiments.NULL_LIMIT + "; 0s: no limit")
    private String limit;

    @Option(
            names = "--arms",
            paramLabel = "N",
            defaultValue = "" + Experiments.NULL_ARMS,
            description =
                    "copies in null that are up at once, 2 to 16; resampling needs one more than the quick plan has"
                            + " arms: ${DEFAULT-VALUE}")
    private int arms;

    @Option(
            names = "--chunk",
            paramLabel = "N",
            defaultValue = "" + Experiments.NULL_CHUNK,
            description = "blocks of a quick campaign in null and spike, 2 or more: ${DEFAULT-VALUE}")
    private int chunk;

    @Option(
            names = "--campaigns",
            paramLabel = "N",
            description = "campaigns: " + Experiments.BLIND_CAMPAIGNS + " of blind, " + Experiments.CONTROLS_PAIRS
                    + " pairs of controls")
    private Integer campaigns;

    @Option(
            names = "--servers",
            paramLabel = "N",
            defaultValue = "" + Experiments.GATE_SERVERS,
            description = "servers for each number of bursts in gate: ${DEFAULT-VALUE}")
    private int servers;

    @Option(
            names = "--hold",
            paramLabel = "TIME",
            description = "load of each server in a block; default: that of the quick plan")
    private String hold;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            description = "maximum warm-up per server; default: that of the quick plan")
    private String warmup;

    @Option(
            names = "--kills",
            paramLabel = "N",
            defaultValue = "20",
            description = "kills of each kind in faults: ${DEFAULT-VALUE}")
    private int kills;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "folder of the results; must not exist; default: a new one in bench/target/proofs")
    private Path out;

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description = "continue in the folder of an earlier run: complete campaigns are only analysed again, and"
                    + " findings of other experiments are kept")
    private Path resume;

    @Option(
            names = "--root",
            paramLabel = "DIR",
            description = "the clone of servlet-bench; default: found from the jar or this folder")
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
        PrintWriter console = spec.commandLine().getOut();
        Consumer<String> say = line -> {
            console.println(line);
            console.flush();
        };
        Experiments experiments = new Experiments(
                new Preparation(repository, Main::version, () -> Repository.commit(repository), say), folder);
        Map<String, Supplier<List<Finding>>> known = new LinkedHashMap<>();
        known.put("sabotage", experiments::sabotage);
        known.put("bottleneck", experiments::bottleneck);
        known.put("errors", experiments::errors);
        known.put("delay", experiments::delay);
        known.put("stall", experiments::stall);
        known.put("turns", experiments::turns);
        known.put("null", () -> experiments.nothing(arms, chunk, withLimit()));
        known.put("spike", () -> experiments.spike(chunk));
        known.put("blind", () -> experiments.blind(Optional.ofNullable(campaigns), given()));
        known.put("gate", () -> experiments.gate(servers));
        known.put("controls", () -> experiments.controls(Optional.ofNullable(campaigns), given()));
        known.put("faults", () -> new Faults(repository, folder, System.nanoTime(), say).run(kills));
        names.stream().filter(name -> !known.containsKey(name)).findFirst().ifPresent(name -> {
            throw new UsageException("no experiment '" + name + "': choose from " + String.join(", ", known.keySet()));
        });
        List<Finding> findings = new ArrayList<>(resume == null ? List.of() : kept(folder));
        findings.removeIf(finding -> names.contains(finding.experiment()));
        Map<String, String> before = Machine.facts();
        try (CampaignLock lock = CampaignLock.take(folder)) {
            Files.createDirectories(folder);
            console.println("folder: " + folder + " (go on after an interruption: the same command with --resume)");
            console.flush();
            for (Map.Entry<String, Supplier<List<Finding>>> one : known.entrySet()) {
                if (names.isEmpty() && !ONLY_NAMED.contains(one.getKey()) || names.contains(one.getKey())) {
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

    private Path folder(Path repository) {
        if (resume != null) {
            if (out != null || names.isEmpty()) {
                throw new UsageException("--resume needs the names of the experiments to go on with, and no --out");
            }
            if (!Files.isDirectory(resume)) {
                throw new UsageException("--resume " + resume + ": there is no such folder");
            }
            return resume.toAbsolutePath().normalize();
        }
        if (out != null && Files.exists(out)) {
            throw new UsageException("--out " + out
                    + " already exists: nothing measured is ever overwritten; to go on with it give --resume " + out);
        }
        return (out == null
                        ? repository
                                .resolve("bench/target/proofs")
                                .resolve("proof-" + LocalDateTime.now().format(TIME))
                        : out)
                .toAbsolutePath()
                .normalize();
    }

    /** What was asked for in place of the quick plan's values and the experiment's own. */
    private Map<String, String> given() {
        Map<String, String> given = new HashMap<>();
        if (blocks != null) {
            given.put("blocks", Integer.toString(blocks));
        }
        if (hold != null) {
            given.put("hold", hold);
        }
        if (warmup != null) {
            given.put("warmup", warmup);
        }
        return given;
    }

    private Map<String, String> withLimit() {
        Map<String, String> given = given();
        if (limit != null) {
            given.put("limit", limit);
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

    /** After each experiment: what is found is not lost with the next one. */
    private static void keep(Path folder, List<Finding> findings, Map<String, String> machine) throws IOException {
        Json.write(folder.resolve(FINDINGS), findings);
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
