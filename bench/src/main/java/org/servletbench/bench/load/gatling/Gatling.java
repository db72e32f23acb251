package org.servletbench.bench.load.gatling;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.load.Batch;
import org.servletbench.bench.load.DiesWithParent;
import org.servletbench.bench.load.Fidelity;
import org.servletbench.bench.load.Generator;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.LoadResult;
import org.servletbench.bench.load.Schedule;
import org.servletbench.bench.load.ScheduledLoad;
import org.servletbench.bench.load.WindowLog;

/** Gatling: one process for all loads of a batch. Its folder gets {@code simulation.log} and the native report. */
public final class Gatling implements Generator {

    private static final String SIMULATION = "org.servletbench.simulations.CampaignSimulation";

    /**
     * How to run Gatling.
     *
     * @param classPath of the compiled simulations and everything that they use
     * @param heap such as {@code 1g}
     * @param version of Gatling
     */
    record Setup(String classPath, String heap, String version) {

        private static final String CLASS_PATH = "simulations/target/generator.classpath";

        /**
         * From what the build left in {@code simulations/target}.
         *
         * @param root of the repository
         * @throws LoadException if it was not built
         */
        static Setup of(Path root) {
            Path file = root.resolve(CLASS_PATH);
            try {
                List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
                if (lines.size() < 3) {
                    throw new LoadException(file + " is damaged: build the simulations again with mvn -pl"
                            + " .,bench,simulations test-compile");
                }
                return new Setup(lines.get(0), lines.get(1), lines.get(2));
            } catch (IOException e) {
                throw new LoadException(
                        "no " + file + ": build the simulations with mvn -pl .,bench,simulations test-compile");
            }
        }
    }

    @Override
    public String name() {
        return "gatling";
    }

    @Override
    public Optional<String> missing(Path root) {
        try {
            Setup.of(root);
            return Optional.empty();
        } catch (LoadException e) {
            return Optional.of(e.getMessage());
        }
    }

    @Override
    public Optional<String> version(Path root) {
        return Optional.of(Setup.of(root).version());
    }

    @Override
    public Fidelity fidelity() {
        return Fidelity.GATLING;
    }

    @Override
    public Results run(Batch batch, Path folder, Watch watch) {
        Setup setup = Setup.of(batch.root());
        Path raw = folder.resolve("results");
        try (ScheduledLoad load = new ScheduledLoad("Gatling", batch, folder, watch)) {
            try {
                Files.createDirectories(raw);
                Process process = new ProcessBuilder(command(setup, load.schedule(), load.write(), raw))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
                try {
                    load.run(process, folder.resolve("gatling.out"));
                } finally {
                    collect(raw, folder);
                }
            } catch (IOException e) {
                throw new LoadException("Gatling could not be run in " + folder + " (" + e.getMessage() + ")");
            }
            return results(batch, load, folder);
        }
    }

    private static Results results(Batch batch, ScheduledLoad load, Path folder) {
        Path log = folder.resolve("simulation.log");
        List<LoadResult> results = new ArrayList<>();
        if (!load.windows().isEmpty()) {
            Set<String> inTurns = load.schedule().rotations().stream()
                    .flatMap(turns -> turns.stops().stream())
                    .map(Schedule.Stop::name)
                    .collect(Collectors.toSet());
            List<Path> files = new ArrayList<>(List.of(folder.resolve("index.html")));
            if (batch.keepRaw()) {
                files.add(log);
            }
            results.addAll(WindowLog.read(log, load.windows(), inTurns, files));
        }
        results.addAll(load.turns(sink -> GatlingLogReader.read(log, sink), log));
        if (!batch.keepRaw()) {
            WindowLog.delete(log);
        }
        return load.results(results);
    }

    private static List<String> command(Setup setup, Schedule schedule, Path file, Path results) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-Xmx" + setup.heap(),
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Djava.util.prefs.PreferencesFactory=org.servletbench.simulations.OfflinePreferences",
                "-Dservlet-bench.schedule=" + file.toAbsolutePath(),
                "-cp",
                setup.classPath(),
                DiesWithParent.class.getName(),
                "io.gatling.app.Gatling",
                "-s",
                SIMULATION,
                "-rf",
                results.toAbsolutePath().toString()));
        if (schedule.windows().isEmpty()) {
            // Its report would divide by the whole run, in which each server had a turn of many.
            command.add("-nr");
        }
        return command;
    }

    /** Gatling makes a folder of its own; its files belong beside ours. */
    private static void collect(Path results, Path folder) throws IOException {
        List<Path> runs;
        try (Stream<Path> list = Files.list(results)) {
            runs = list.toList();
        }
        for (Path run : runs) {
            List<Path> files;
            try (Stream<Path> list = Files.list(run)) {
                files = list.toList();
            }
            for (Path file : files) {
                Files.move(file, folder.resolve(file.getFileName()));
            }
            Files.delete(run);
        }
        Files.delete(results);
    }
}
