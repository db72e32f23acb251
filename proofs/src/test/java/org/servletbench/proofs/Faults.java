package org.servletbench.proofs;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.server.process.Jdk;

/** Kills processes at random moments, and checks for lost results and leftover processes. */
final class Faults {

    /** JVM options of a small server that warms up quickly. The test is about what it leaves behind, not its speed. */
    private static final String SMALL_JVM = "-Xmx256m -Xss256k\n-XX:+UseSerialGC\n-XX:TieredStopAtLevel=1\n"
            // Verifying classes takes a sixth of a start.
            + "-XX:+UnlockDiagnosticVMOptions\n-XX:-BytecodeVerificationRemote\n";

    private static final int PATIENCE_SECONDS = 300;
    private static final int LEFTOVER_SECONDS = 15;

    private final ProofLab lab;
    private final Path folder;
    private final Random random;

    Faults(ProofLab lab, long seed) {
        this.lab = lab;
        this.folder = lab.folder();
        this.random = new Random(seed);
    }

    private enum Victim {
        RIG,
        MAVEN,
        SERVER,
        GENERATOR
    }

    /**
     * Runs one small campaign for each kind of process to kill. The campaign is killed, resumed and killed again; it
     * must complete with all server runs, and leave no process behind.
     */
    List<Finding> run(int kills) {
        List<Finding> findings = new ArrayList<>();
        for (Victim victim : Victim.values()) {
            int lost = 0;
            int leftovers = 0;
            int done = 0;
            String trouble = "";
            try {
                for (int i = 1; i <= kills; i++) {
                    lab.say("faults: kill -9 of the " + name(victim) + ", " + i + " of " + kills);
                    Result result = kill(victim, ProofLab.free(folder, "kill-" + name(victim)));
                    lost += result.lost;
                    leftovers += result.leftovers;
                    done += result.killed ? 1 : 0;
                }
            } catch (IOException | TargetException | LoadException e) {
                trouble = e.getMessage();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                trouble = "interrupted";
            }
            findings.add(Finding.of(
                            "faults",
                            "kill -9 of the " + name(victim),
                            "0 lost, 0 left over",
                            lost + " server runs lost, " + leftovers + " processes left over, in " + done + " of "
                                    + kills + " kills",
                            "",
                            lost == 0 && leftovers == 0 && done == kills)
                    .withNote(trouble));
        }
        return findings;
    }

    private static String name(Victim victim) {
        return victim.toString().toLowerCase(Locale.ROOT);
    }

    /** @param killed false if the campaign ended before it could be killed */
    private record Result(int lost, int leftovers, boolean killed) {}

    private Result kill(Victim victim, Path campaign) throws IOException, InterruptedException {
        Map<String, String> small = new TreeMap<>(Map.of("arms", "jetty", "generators", "wrk", "users", "10"));
        small.putAll(Map.of("hold", "2s", "rounds", "1", "warmup", "2s", "blocks", "2", "limit", "0s"));
        small.put("out", campaign.toString());
        Path jvm = Files.writeString(folder.resolve("small.options"), SMALL_JVM);
        small.put("jvm-options", jvm.toAbsolutePath().toString());
        Process rig = victim == Victim.MAVEN ? maven(small) : start(small);
        long deadline = System.nanoTime() + PATIENCE_SECONDS * 1_000_000_000L;
        while (!Files.exists(campaign.resolve("blocks")) && rig.isAlive() && System.nanoTime() < deadline) {
            Thread.sleep(50);
        }
        Thread.sleep(random.nextInt(12_000));
        int before = measured(campaign);
        boolean killed = false;
        while (rig.isAlive() && !killed && System.nanoTime() < deadline) {
            killed = strike(victim, rig, campaign);
            Thread.sleep(20);
        }
        if (victim == Victim.RIG || victim == Victim.MAVEN) {
            rig.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
            int left = leftovers(campaign);
            int lost = Math.max(0, before - measured(campaign));
            rig = start(Map.of("resume", campaign.toString()));
            return new Result(lost + finish(rig, campaign), left + leftovers(campaign), killed);
        }
        return new Result(finish(rig, campaign), leftovers(campaign), killed);
    }

    private static boolean strike(Victim victim, Process rig, Path campaign) throws IOException {
        Optional<ProcessHandle> handle =
                switch (victim) {
                    case RIG, MAVEN -> Optional.of(rig.toHandle());
                    case SERVER -> ProofLab.server(campaign);
                    case GENERATOR ->
                        rig.descendants()
                                .filter(process ->
                                        process.info().command().orElse("").endsWith("/wrk"))
                                .findFirst();
                };
        handle.ifPresent(ProcessHandle::destroyForcibly);
        return handle.isPresent();
    }

    /** Waits for the end, and returns how many of the four server runs are missing. */
    private static int finish(Process rig, Path campaign) throws IOException, InterruptedException {
        if (!rig.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            rig.destroyForcibly();
            throw new LoadException("a campaign did not end after a kill: " + campaign);
        }
        long arms = CampaignFolder.read(campaign).serverRuns().stream()
                .filter(ServerRun::measured)
                .map(serverRun -> serverRun.block() + " " + serverRun.arm())
                .distinct()
                .count();
        return (int) (4 - arms);
    }

    private static int measured(Path campaign) throws IOException {
        return Files.exists(campaign.resolve("campaign.json"))
                ? (int) CampaignFolder.read(campaign).serverRuns().stream()
                        .filter(ServerRun::measured)
                        .count()
                : 0;
    }

    /** Returns the number of processes that still work in the campaign's folder after they had time to end. */
    private static int leftovers(Path campaign) throws IOException, InterruptedException {
        int count = 0;
        for (int i = 0; i < LEFTOVER_SECONDS * 5; i++) {
            count = 0;
            try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
                for (Path process : processes.toList()) {
                    if (process.getFileName().toString().matches("\\d+") && worksIn(process, campaign)) {
                        count++;
                    }
                }
            }
            if (count == 0) {
                return 0;
            }
            Thread.sleep(200);
        }
        return count;
    }

    private static boolean worksIn(Path process, Path campaign) {
        try {
            return Files.readSymbolicLink(process.resolve("cwd")).startsWith(campaign.toAbsolutePath());
        } catch (IOException e) {
            return false; // It has ended, or belongs to another user.
        }
    }

    private Process start(Map<String, String> options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Jdk.ownCommand(),
                "-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("tmp")),
                "-cp",
                System.getProperty("java.class.path"),
                "org.servletbench.bench.cli.Main",
                "compare",
                "--root",
                lab.repository().toString()));
        options.forEach((name, value) -> command.addAll(List.of("--" + name, value)));
        return start(command);
    }

    /** Starts Maven as a user does. The mvn script replaces its shell by the JVM that runs servlet-bench. */
    private Process maven(Map<String, String> options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "mvn",
                "-B",
                "-ntp",
                "-q",
                "-Pcompare",
                "verify",
                "-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("tmp"))));
        options.forEach((name, value) -> command.add("-D" + name + "=" + value));
        return start(command);
    }

    private Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .directory(lab.repository().toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("compare.log").toFile()))
                .start();
    }
}
