package org.servletbench.bench.server.process;

import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.model.ContainerProfile;
import org.servletbench.bench.model.ContainerProfile.NativeLibrary;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.ThreadingMode;
import org.servletbench.bench.model.Threads;
import org.servletbench.bench.model.UsageException;

/**
 * Everything that is said about a server before it starts, and that it is held against when it runs.
 *
 * @param line the Spring Boot line: {@code boot2}, {@code boot3} or {@code boot4}; {@link #OWN} for a service of the user's own
 * @param bootVersion the version of Spring Boot that the build chose
 * @param containerVersion the version of the container that the build chose
 * @param settingsName {@code equalised}, {@code defaults} or a set of the user's own
 * @param address where it listens: {@link #LOOPBACK}, or one of its machine's where load comes from another
 * @param port the port asked for; empty for any free one
 * @param startTimeout how long the server may take until it is ready
 * @param readyPath what answers with status 200 once it is ready; {@link #ANY_PATH} with any status that is no error of the server
 * @param arguments of the application, after its jar
 * @param archive of classes that it starts with; empty: the JDK's own
 * @param serving on which threads, and whether it is counted how many requests it serves at once
 * @param asked what its arm asks for by the keys of a comparison
 */
public record TargetSpec(
        Path jar,
        ContainerProfile profile,
        String line,
        String bootVersion,
        String containerVersion,
        String settingsName,
        Path settings,
        JvmOptions jvmOptions,
        String address,
        OptionalInt port,
        Duration startTimeout,
        String readyPath,
        List<String> arguments,
        Jdk jdk,
        Optional<ClassArchive> archive,
        ThreadingMode serving,
        ArmSpec asked)
        implements Serializable {

    /** Only this machine reaches it. */
    public static final String LOOPBACK = "127.0.0.1";

    /**
     * An address of its own for each server of this machine, so that clients keep the cookies of each apart: all of 127.0.0.0/8 is
     * loopback on Linux.
     *
     * @param number of the server, from 0
     */
    public static String loopback(int number) {
        int low = 2 + number;
        return "127.0." + low / LOOPBACK_ROW + "." + low % LOOPBACK_ROW;
    }

    private static final int LOOPBACK_ROW = 250;

    /** The list is copied. */
    public TargetSpec {
        arguments = List.copyOf(arguments);
    }

    /** In place of a line: a service of the user's own. */
    public static final String OWN = "own";

    /** Whether it is a service of the user's own. */
    public boolean isOwn() {
        return line.equals(OWN);
    }

    /** Limit of all its memory, where the kernel lets us limit it, bytes; 0: none. */
    long memoryLimit() {
        return asked.memory() == null ? 0 : asked.memory().bytes();
    }

    /** Where it is started: as asked for, or where a service's jar is; empty where there is no such folder. */
    Optional<Path> workdir() {
        return Stream.of(
                        asked.workdir() == null ? null : Path.of(asked.workdir()),
                        asked.app() == null ? null : Path.of(asked.app()).getParent())
                .filter(Objects::nonNull)
                .filter(Files::isDirectory)
                .findFirst();
    }

    /** The same application, extracted. */
    public TargetSpec withJar(Path extracted) {
        return changed(extracted, settings, jvmOptions, address, jdk, archive, serving);
    }

    /** The same with other options of its JVM. */
    public TargetSpec with(JvmOptions others) {
        return changed(jar, settings, others, address, jdk, archive, serving);
    }

    /** The same, with an archive of classes and the extracted application that it belongs to. */
    public TargetSpec with(ClassArchive other) {
        return changed(other.jar(), settings, jvmOptions, address, jdk, Optional.of(other), serving);
    }

    /** The same, serving in this way. */
    public TargetSpec with(ThreadingMode other) {
        return changed(jar, settings, jvmOptions, address, jdk, archive, other);
    }

    /** The same on another machine, with what it has there and where it is to listen. */
    public TargetSpec on(Path newJar, Path newSettings, Jdk newJdk, String newAddress) {
        return changed(newJar, newSettings, jvmOptions, newAddress, newJdk, archive, serving);
    }

    private TargetSpec changed(
            Path newJar,
            Path newSettings,
            JvmOptions newOptions,
            String newAddress,
            Jdk newJdk,
            Optional<ClassArchive> newArchive,
            ThreadingMode newServing) {
        return new TargetSpec(
                newJar,
                profile,
                line,
                bootVersion,
                containerVersion,
                settingsName,
                newSettings,
                newOptions,
                newAddress,
                port,
                startTimeout,
                readyPath,
                arguments,
                newJdk,
                newArchive,
                newServing,
                asked);
    }

    /** What answers in our own app once the server is ready. */
    public static final String READY_PATH = "/actuator/health";

    /** What a service is asked of which no plain GET is known. */
    public static final String ANY_PATH = "/";

    /**
     * The server that the build made and the user's options describe.
     *
     * @throws UsageException if a value is not understood
     */
    public static TargetSpec of(Options options, ProfilesFolder folder) {
        String settings = options.required("settings");
        Threads threads = Threads.of(options.text(Threads.OPTION).orElse(Threads.PLATFORM.key()));
        Jdk jdk = Jdk.of(options);
        threads.requirePossible("-Dthreads=virtual", options.required("bench.line"), jdk.feature(), jdk.describe());
        return new TargetSpec(
                Path.of(options.required("bench.jar")),
                folder.container(options.required("bench.profile")),
                options.required("bench.line"),
                options.required("bench.boot.version"),
                options.required("bench.container.version"),
                settings,
                folder.settings(settings),
                options.isGiven("jvm.options")
                        ? JvmOptions.read(Path.of(options.required("jvm.options")))
                        : folder.jvmOptions(),
                LOOPBACK,
                options.isGiven("target.port")
                        ? OptionalInt.of(options.integer("target.port", 1, 65_535))
                        : OptionalInt.empty(),
                options.duration("target.start-timeout"),
                READY_PATH,
                database(options.isGiven("db.url") ? options.text("db.url") : Optional.empty()),
                jdk,
                Optional.empty(),
                new ThreadingMode(threads, false, 0),
                ArmSpec.USUAL);
    }

    /** Arguments of the application for the database that was asked for; none: it has its own. */
    public static List<String> database(Optional<String> url) {
        return url.map(one -> List.of("--spring.datasource.url=" + one)).orElse(List.of());
    }

    /** The line that says what to install for a connector's native library; empty where nothing is missing. */
    public static Optional<String> missing(NativeLibrary library) {
        try {
            Preflight.folderOf(library);
            return Optional.empty();
        } catch (TargetException e) {
            return Optional.of(e.getMessage());
        }
    }

    /** @param said what the JVM said of an option that it does not know or no longer has */
    public String rejectedOption(String said) {
        return jdk.describe() + " does not take the JVM options of " + jvmOptions.source() + ": " + said;
    }

    /** The arm as it stands in folder names: container, connector and line. */
    public String arm() {
        return profile.container() + "-" + profile.connector() + "-" + line;
    }
}
