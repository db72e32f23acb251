package org.servletbench.bench.load;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One Gatling process that works through a {@link Schedule}: it warms itself up, then runs every window. A process for each
 * window would measure a cold Gatling.
 */
public final class GatlingSession {

    private static final String SIMULATION = "org.servletbench.simulations.CampaignSimulation";
    /** Beyond what the schedule takes: start, report, a busy machine. */
    private static final long PATIENCE_SECONDS = 120;

    private static final long LOOK_MILLIS = 200;

    /**
     * How to run Gatling.
     *
     * @param classPath of the compiled simulations and everything that they use
     * @param heap such as {@code 1g}
     * @param version of Gatling
     */
    public record Setup(String classPath, String heap, String version) {

        private static final String CLASS_PATH = "simulations/target/generator.classpath";

        /**
         * From what the build left in {@code simulations/target}.
         *
         * @param root of the repository
         * @throws LoadException if it was not built
         */
        public static Setup of(Path root) {
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

    /** What happens while it runs. */
    public interface Watch {

        /** The process that loads the servers from now on. */
        void loadedBy(ProcessHandle generator);

        /** Its first requests were sent so long ago, ms. */
        void warmingUp(long sinceMs);

        /** It is warm, and the first window begins. */
        void measuring();

        /** This window begins. */
        void window(String name);

        /** This load in turns begins in a moment; its turns are in the folder's {@link Schedule#rotationFile}. */
        void rotation(String name);

        /** What ended a server, if one has ended. */
        Optional<String> death();
    }

    private GatlingSession() {}

    /**
     * Runs a schedule to its end.
     *
     * @param setup how to run Gatling
     * @param schedule what it does
     * @param folder gets {@code simulation.log}, the native report, {@code schedule.json} and {@code gatling.out}; it exists
     * @param watch is told what happens
     * @return the raw log
     * @throws LoadException if Gatling fails, a server dies or it takes far too long; what was measured is kept, and
     *     nothing runs any more
     */
    public static Path run(Setup setup, Schedule schedule, Path folder, Watch watch) {
        Path file = folder.resolve("schedule.json");
        Path results = folder.resolve("results");
        Path output = folder.resolve("gatling.out");
        try {
            schedule.write(file);
            Files.createDirectories(results);
            Process process = new ProcessBuilder(command(setup, schedule, file, results))
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
            try {
                watch.loadedBy(process.toHandle());
                Thread reader = new Thread(() -> listen(process, output, schedule, watch), "servlet-bench-gatling");
                reader.setDaemon(true);
                reader.start();
                await(process, schedule, watch, output);
                reader.join(LOOK_MILLIS * 5);
            } finally {
                JMeter.stop(process);
                collect(results, folder);
            }
            return folder.resolve("simulation.log");
        } catch (IOException e) {
            throw new LoadException("Gatling could not be run in " + folder + " (" + e.getMessage() + ")");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LoadException("interrupted under load");
        }
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

    private static void listen(Process process, Path output, Schedule schedule, Watch watch) {
        try (BufferedReader lines =
                        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                BufferedWriter copy = Files.newBufferedWriter(output, StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                copy.write(line);
                copy.newLine();
                copy.flush();
                tell(line, schedule, watch);
            }
        } catch (IOException e) {
            // Its end is seen by whoever waits for the process.
        }
    }

    private static void tell(String line, Schedule schedule, Watch watch) {
        try {
            if (line.startsWith(Schedule.FIRST_BURST)) {
                watch.warmingUp(schedule.warmUp().burstMs());
            } else if (line.startsWith(Schedule.MEASURING)) {
                watch.measuring();
            } else if (line.startsWith(Schedule.WINDOW)) {
                watch.window(line.substring(Schedule.WINDOW.length()));
            } else if (line.startsWith(Schedule.ROTATION)) {
                watch.rotation(line.substring(Schedule.ROTATION.length()));
            }
        } catch (RuntimeException e) {
            watch.death();
        }
    }

    private static void await(Process process, Schedule schedule, Watch watch, Path output)
            throws InterruptedException, IOException {
        long expected = schedule.warmUp().limitMs()
                + schedule.rotations().stream()
                        .mapToLong(Schedule.Turns::patienceMs)
                        .sum()
                + schedule.windows().stream()
                        .mapToLong(window -> window.rampUpMs() + window.holdMs() + 2000)
                        .sum();
        long deadline =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2 * expected) + PATIENCE_SECONDS * 1_000_000_000L;
        while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            Optional<String> death = watch.death();
            if (death.isPresent()) {
                throw new LoadException("a server died under load: " + death.get());
            }
            if (System.nanoTime() > deadline) {
                throw new LoadException("Gatling did not end; see " + output);
            }
        }
        Optional<String> death = watch.death();
        if (death.isPresent()) {
            throw new LoadException("a server died under load: " + death.get());
        }
        if (process.exitValue() != 0) {
            throw new LoadException("Gatling failed (exit code " + process.exitValue() + "): " + lastWords(output));
        }
    }

    private static String lastWords(Path output) throws IOException {
        return Files.readAllLines(output, StandardCharsets.UTF_8).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("\t"))
                .filter(line -> line.contains("xception"))
                .findFirst()
                .orElse("see " + output);
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
