package org.servletbench.bench.cli;

import java.awt.AWTError;
import java.awt.GraphicsEnvironment;
import java.awt.HeadlessException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.servletbench.bench.campaign.Machine;
import org.servletbench.bench.campaign.Memory;
import org.servletbench.bench.campaign.Planner;
import org.servletbench.bench.comparison.Comparison;
import org.servletbench.bench.host.RemoteJvm;
import org.servletbench.bench.load.tool.CommandLineGenerator;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.os.ControlGroup;
import org.servletbench.bench.server.os.MachineMemory;
import org.servletbench.bench.server.os.ManagedProcess;
import org.servletbench.bench.server.os.Processors;
import org.servletbench.bench.server.os.SchedulerGroup;
import org.servletbench.bench.server.process.MavenBuild;
import org.servletbench.bench.server.process.Preflight;
import org.servletbench.bench.server.process.TargetSpec;

/**
 * Takes the readings of this machine for {@link Doctor}. Changes nothing; programs are only asked for their version.
 */
final class DoctorReadings {

    private static final long STEAL_NANOS = 1_000_000_000L;
    /** Colour codes: Maven prints its version in bold, even into a file. */
    private static final Pattern COLOUR = Pattern.compile("\u001B\\[[0-9;]*m");

    private static final Pattern MAVEN = Pattern.compile("(?m)^Apache Maven (\\S+)");
    private static final Pattern MAVEN_JAVA = Pattern.compile("(?m)^Java version: ([^,\\s]+)");

    private DoctorReadings() {}

    static Doctor.Readings take(Path root) {
        long start = System.nanoTime();
        long[] before = ticks();
        ProfilesFolder profiles = new ProfilesFolder(root.resolve("profiles"));
        JvmOptions jvm = profiles.jvmOptions();
        Map<String, String> facts = Machine.facts();
        Optional<Doctor.MavenFound> maven = maven();
        List<Doctor.Program> programs = programs(profiles);
        return new Doctor.Readings(
                System.getProperty("os.name"),
                Runtime.version().feature(),
                missingParts(),
                maven,
                Runtime.getRuntime().availableProcessors(),
                Processors.divided()
                        .map(divided -> "servers on " + Processors.list(divided.server()) + ", generators on "
                                + Processors.list(divided.generator())
                                + (Processors.areOneCore() ? ", all threads of one core" : "")),
                SchedulerGroup.expected(),
                MachineMemory.available(),
                jvm.memoryBytes(),
                groupTooLittle(profiles, jvm, MachineMemory.total()),
                Preflight.mostFileHandles(),
                new RunOptions(new Options(Map.of(), profiles.loadDefaults()), profiles)
                        .load()
                        .mostUsers(),
                freePort(),
                ControlGroup.canLimitProcessors(),
                ControlGroup.canLimitMemory(),
                facts.get("huge.pages"),
                facts.getOrDefault("governor", "not known"),
                facts.containsKey("load.before")
                        ? OptionalDouble.of(Double.parseDouble(facts.get("load.before")))
                        : OptionalDouble.empty(),
                steal(before, start),
                programs,
                display(),
                MavenBuild.hasSources(root));
    }

    /** Takes the readings of another machine. */
    static Doctor.HostReadings take(Path root, RemoteJvm there) {
        ProfilesFolder profiles = new ProfilesFolder(root.resolve("profiles"));
        JvmOptions jvm = profiles.jvmOptions();
        return new Doctor.HostReadings(
                there.call(here -> SchedulerGroup.expected()),
                there.call(here -> MachineMemory.available()),
                jvm.memoryBytes(),
                Memory.GENERATOR,
                groupTooLittle(profiles, jvm, there.call(here -> MachineMemory.total())));
    }

    private static List<String> missingParts() {
        List<String> missing = new ArrayList<>();
        if (ToolProvider.getSystemJavaCompiler() == null) {
            missing.add("compiler");
        }
        if (ModuleLayer.boot().findModule("jdk.attach").isEmpty()) {
            missing.add("attach module");
        }
        return missing;
    }

    // ---- programs ----

    private static Optional<Doctor.MavenFound> maven() {
        return ManagedProcess.output("mvn", "-B", "-v").flatMap(DoctorReadings::maven);
    }

    static Optional<Doctor.MavenFound> maven(String output) {
        String plain = COLOUR.matcher(output).replaceAll("");
        Matcher version = MAVEN.matcher(plain);
        Matcher java = MAVEN_JAVA.matcher(plain);
        return version.find()
                ? Optional.of(new Doctor.MavenFound(version.group(1), java.find() ? java.group(1) : ""))
                : Optional.empty();
    }

    private static List<Doctor.Program> programs(ProfilesFolder profiles) {
        List<Doctor.Program> programs = new ArrayList<>();
        profiles.containers().stream().map(profiles::container).forEach(profile -> profile.nativeLibrary()
                .map(library -> new Doctor.Program(
                        profile.connector().toUpperCase(Locale.ROOT) + " library",
                        there(TargetSpec.missing(library)),
                        "the profile " + profile.name(),
                        library.debianPackage()))
                .ifPresent(programs::add));
        programs.add(new Doctor.Program(
                "taskset",
                ManagedProcess.output("taskset", "--version").map(DoctorReadings::lastWord),
                "pinning server and generator to different processors",
                "util-linux"));
        programs.add(new Doctor.Program(
                "setpriv",
                ManagedProcess.output("setpriv", "--version").map(DoctorReadings::lastWord),
                "every server and generator (ends them when the rig ends, even if it is killed)",
                "util-linux"));
        CommandLineGenerator.all()
                .forEach(tool -> programs.add(new Doctor.Program(
                        tool.name(),
                        tool.version(),
                        "the generator " + tool.name() + ", which some articles used",
                        tool.debianPackage())));
        programs.add(new Doctor.Program(
                "nginx", there(Target.missingReference()), "the reference server of a comparison", "nginx-light"));
        programs.add(new Doctor.Program(
                "git",
                ManagedProcess.output("git", "--version").map(DoctorReadings::lastWord),
                "the commit in a campaign's record",
                "git"));
        return programs;
    }

    private static Optional<String> there(Optional<String> missing) {
        return missing.isPresent() ? Optional.empty() : Optional.of("there");
    }

    private static String lastWord(String output) {
        String line = output.strip().lines().findFirst().orElse("");
        return Main.oneLine(line.substring(line.lastIndexOf(' ') + 1));
    }

    // ---- the machine ----

    /** @param total memory of the machine, bytes */
    private static Optional<String> groupTooLittle(ProfilesFolder profiles, JvmOptions jvm, long total) {
        Comparison quick =
                Comparison.read(profiles.path().toAbsolutePath().getParent(), Comparison.USUAL, Map.of(), profiles);
        return Memory.tooLittleTogether(
                        Planner.draft(quick, profiles, line -> {}).arms(), arm -> jvm, total)
                .map(line -> line + ": they run one after the other");
    }

    private static boolean freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns total and stolen CPU time of all processors since the machine's start, in ticks; empty if unknown. */
    private static long[] ticks() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/stat"))) {
            long[] columns = lines.findFirst().stream()
                    .flatMap(line -> Arrays.stream(line.split("\\s+")).skip(1).limit(8))
                    .mapToLong(Long::parseLong)
                    .toArray();
            return columns.length < 8
                    ? new long[0]
                    : new long[] {Arrays.stream(columns).sum(), columns[7]};
        } catch (IOException | NumberFormatException e) {
            return new long[0];
        }
    }

    /** Returns the steal time during this command, for at least a second, in percent. */
    private static OptionalDouble steal(long[] before, long start) {
        try {
            TimeUnit.NANOSECONDS.sleep(STEAL_NANOS - (System.nanoTime() - start));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return OptionalDouble.empty();
        }
        long[] after = ticks();
        return before.length == 0 || after.length == 0 || after[0] <= before[0]
                ? OptionalDouble.empty()
                : OptionalDouble.of(100.0 * (after[1] - before[1]) / (after[0] - before[0]));
    }

    /** True if the display answers. Only a request shows this: a display may be configured and not exist. */
    static boolean display() {
        try {
            GraphicsEnvironment.getLocalGraphicsEnvironment().getDefaultScreenDevice();
            return true;
        } catch (HeadlessException | AWTError | LinkageError e) {
            return false;
        }
    }
}
