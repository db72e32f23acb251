package org.servletbench.bench.load.gatling;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.generator.Barrier;
import org.servletbench.bench.generator.Schedule;
import org.servletbench.bench.load.Batch;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.LoadHost;
import org.servletbench.bench.load.LogFormat;
import org.servletbench.bench.load.ScheduledLoad;
import org.servletbench.bench.model.GeneratorFacts;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.SafeFiles;
import org.servletbench.bench.model.Sha256;
import org.servletbench.bench.model.Size;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.server.os.ManagedProcess;
import org.servletbench.bench.server.process.Jdk;

/**
 * Gatling, with one process for all loads of a batch. It writes {@code simulation.log} and its native report to its
 * folder.
 */
public final class Gatling implements ScheduledLoad.Tool {

    /** Its name on command lines and in files. */
    public static final String NAME = GeneratorFacts.GATLING.name();

    /** Package of servlet-bench's simulations, which start the requests of an open load evenly. */
    static final String SIMULATIONS = SimulationClass.PACKAGE;

    private static final String SIMULATION = SIMULATIONS + "CampaignSimulation";

    private static final String RAW = "results";
    private static final String NO_REPORT = "-nr";
    private static final String CLASS_PATH = "simulations/target/generator.classpath";

    /**
     * The parts of a Gatling command.
     *
     * @param classPath class path of the compiled simulations and all their dependencies
     * @param heap heap of its JVM
     */
    record Setup(String classPath, Size heap, String version) {

        /** Reads the build's output in {@code simulations/target}. Paths may be relative to the root. */
        static Setup of(Path root) {
            Path file = root.resolve(CLASS_PATH);
            try {
                List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
                if (lines.size() < 3) {
                    throw new LoadException(file + " is damaged: build the simulations again with mvn -pl"
                            + " .,bench,simulations test-compile");
                }
                String classPath = Stream.of(lines.get(0).split(File.pathSeparator))
                        .map(entry ->
                                root.resolve(entry).toAbsolutePath().normalize().toString())
                        .collect(Collectors.joining(File.pathSeparator));
                return new Setup(classPath, new Size(lines.get(1)), lines.get(2));
            } catch (IOException e) {
                throw new LoadException(
                        "no " + file + ": build the simulations with mvn -pl .,bench,simulations test-compile");
            }
        }
    }

    /**
     * True if the native report can be made. Its library may not be redistributed, and is missing in the unzipped
     * folder.
     */
    static boolean canReport(Setup setup) {
        return Stream.of(setup.classPath().split(File.pathSeparator))
                .map(Path::of)
                .map(entry -> entry.getFileName().toString())
                .anyMatch(name -> name.startsWith("gatling-charts-highcharts"));
    }

    @Override
    public GeneratorFacts facts() {
        return GeneratorFacts.GATLING;
    }

    @Override
    public Optional<String> version(Path root) {
        return Optional.of(Setup.of(root).version());
    }

    @Override
    public Optional<LogFormat> log() {
        return Optional.of(GatlingLogReader.FORMAT);
    }

    @Override
    public Optional<Build> build() {
        return Optional.of(new Build(
                CLASS_PATH, "building the simulations", List.of("-pl", ".,bench,simulations", "test-compile")));
    }

    /**
     * Checks that a simulation that a user wrote can run in a campaign.
     *
     * @return SHA-256 of the compiled simulations, which decide what it sends; empty if they are in a jar
     * @throws UsageException if the compiled simulations contain no such class, or it has another base class
     */
    public static String requireSimulation(Path root, String name) {
        List<URL> places = new ArrayList<>();
        try {
            List<Path> classPath = Stream.of(Setup.of(root).classPath().split(File.pathSeparator))
                    .map(Path::of)
                    .toList();
            for (Path place : classPath) {
                places.add(place.toUri().toURL());
            }
            try (URLClassLoader loader =
                    new URLClassLoader(places.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
                SimulationClass.wrong(name, SimulationClass.OWN, loader)
                        .map(why -> "simulation " + name + ": " + why)
                        .ifPresent(UsageException::raise);
            }
            String file = name.replace('.', '/') + ".class";
            // The simulation may use other classes of its folder to send requests, so all are included.
            Path folder = classPath.stream()
                    .filter(place -> Files.isRegularFile(place.resolve(file)))
                    .findFirst()
                    .orElse(null);
            return folder == null ? "" : checksum(folder);
        } catch (IOException e) {
            throw new LoadException("cannot read the compiled simulations (" + e.getMessage() + ")");
        }
    }

    /** Returns the checksum of all classes in a folder, in the order of their names. */
    private static String checksum(Path folder) throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(one -> one.toString().endsWith(".class"))
                    .sorted()
                    .toList()) {
                all.append(folder.relativize(file))
                        .append(' ')
                        .append(Sha256.of(file))
                        .append('\n');
            }
        }
        return Sha256.of(all.toString());
    }

    @Override
    public Results run(Batch batch, Path folder, Watch watch) {
        return ScheduledLoad.run(this, batch, folder, watch);
    }

    @Override
    public Process start(Batch batch, Schedule schedule, Path file, Path folder) throws IOException {
        Path raw = SafeFiles.folder(folder, folder.resolve(RAW));
        Setup setup = Setup.of(batch.root());
        List<String> command = command(setup, file, raw, simulation(schedule));
        if (schedule.windows().isEmpty() || !canReport(setup)) {
            // Its report would divide by the whole run, although each server had only one of many time slices.
            command.add(NO_REPORT);
        }
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeAll(JvmOptions.ENVIRONMENT);
        return ManagedProcess.start(builder, ManagedProcess.Farewell.KILL);
    }

    @Override
    public Path log(Path folder) {
        return folder.resolve("simulation.log");
    }

    @Override
    public Optional<Path> report(Path folder) {
        return Optional.of(folder.resolve("index.html")).filter(Files::isRegularFile);
    }

    @Override
    public List<String> command(Batch batch, Schedule share, LoadHost host) throws IOException {
        List<String> command = command(Setup.of(batch.root()), host, simulation(share));
        command.add(1, Barrier.option());
        // The report would cover only this host's share of the users.
        command.add(NO_REPORT);
        return command;
    }

    private static List<String> command(Setup setup, LoadHost host, String simulation) throws IOException {
        List<String> classPath = host.push(Stream.of(setup.classPath().split(File.pathSeparator))
                .map(Path::of)
                .filter(Files::exists)
                .toList());
        return command(
                host.java(),
                new Setup(String.join(":", classPath), setup.heap(), setup.version()),
                host.folder() + "/" + Schedule.FILE,
                host.folder() + "/" + RAW,
                simulation);
    }

    /** Returns the name of the simulation class. Simulations that users wrote have a different schedule. */
    private static String simulation(Schedule schedule) {
        return schedule.windows().stream()
                .map(Schedule.Window::endpoint)
                .filter(Schedule.Endpoint::isSimulation)
                .map(Schedule.Endpoint::simulation)
                .findFirst()
                .orElse(SIMULATION);
    }

    private static List<String> command(Setup setup, Path file, Path results, String simulation) {
        return command(
                Jdk.ownCommand(),
                setup,
                file.toAbsolutePath().toString(),
                results.toAbsolutePath().toString(),
                simulation);
    }

    private static List<String> command(String java, Setup setup, String schedule, String results, String simulation) {
        return new ArrayList<>(List.of(
                java,
                "-Xmx" + setup.heap(),
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Djava.util.prefs.PreferencesFactory=org.servletbench.simulations.OfflinePreferences",
                "-Dservlet-bench.schedule=" + schedule,
                "-cp",
                setup.classPath(),
                "io.gatling.app.Gatling",
                "-s",
                simulation,
                "-rf",
                results));
    }

    /** Moves Gatling's files, which it writes to a folder of its own, next to servlet-bench's. */
    @Override
    public void ended(Path folder) throws IOException {
        Path raw = folder.resolve(RAW);
        for (Path run : list(raw)) {
            for (Path file : list(run)) {
                Files.move(file, folder.resolve(file.getFileName()));
            }
            Files.delete(run);
        }
        Files.delete(raw);
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
