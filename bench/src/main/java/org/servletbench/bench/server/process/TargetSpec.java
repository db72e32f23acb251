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
 * Complete specification of a server before it starts, against which the running server is checked.
 *
 * @param line the Spring Boot version: {@code boot2}, {@code boot3} or {@code boot4}; {@link #OWN} for the user's own service
 * @param bootVersion the version of Spring Boot that the build chose
 * @param containerVersion the version of the container that the build chose
 * @param settingsName {@code equalised}, {@code defaults} or a set of the user's own
 * @param address address to listen on: {@link #LOOPBACK}, or one of its machine's if load comes from another
 * @param port the requested port; empty for any free one
 * @param startTimeout longest time until the server is ready
 * @param readyPath path that answers with status 200 once it is ready; {@link #ANY_PATH} accepts any status except server errors
 * @param arguments of the application, after its jar
 * @param archive class archive that it starts with; empty: the JDK's own
 * @param serving its threads, and whether it counts the requests that it serves at once
 * @param asked the arm's requests by the keys of a comparison
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

    /** Address that only this machine reaches. */
    public static final String LOOPBACK = "127.0.0.1";

    /**
     * Returns a separate address for each server on this machine, so that clients keep their cookies apart: all of 127.0.0.0/8 is
     * loopback on Linux.
     *
     * @param number number of the server, from 0
     */
    public static String loopback(int number) {
        int low = 2 + number;
        return "127.0." + low / LOOPBACK_ROW + "." + low % LOOPBACK_ROW;
    }

    private static final int LOOPBACK_ROW = 250;

    /** Copies the list. */
    public TargetSpec {
        arguments = List.copyOf(arguments);
    }

    /** Value of {@link #line} for the user's own service. */
    public static final String OWN = "own";

    /** True if it is the user's own service. */
    public boolean isOwn() {
        return line.equals(OWN);
    }

    /** Limit of its total memory if the kernel lets us set one, bytes; 0: none. */
    long memoryLimit() {
        return asked.memory() == null ? 0 : asked.memory().bytes();
    }

    /** Returns its working directory: as requested, or the folder of a service's jar; empty if there is no such folder. */
    Optional<Path> workdir() {
        return Stream.of(
                        asked.workdir() == null ? null : Path.of(asked.workdir()),
                        asked.app() == null ? null : Path.of(asked.app()).getParent())
                .filter(Objects::nonNull)
                .filter(Files::isDirectory)
                .findFirst();
    }

    /** Returns a copy with the extracted application. */
    public TargetSpec withJar(Path extracted) {
        return changed(extracted, settings, jvmOptions, address, jdk, archive, serving);
    }

    /** Returns a copy with other JVM options. */
    public TargetSpec with(JvmOptions others) {
        return changed(jar, settings, others, address, jdk, archive, serving);
    }

    /** Returns a copy with a class archive and the extracted application that it belongs to. */
    public TargetSpec with(ClassArchive other) {
        return changed(other.jar(), settings, jvmOptions, address, jdk, Optional.of(other), serving);
    }

    /** Returns a copy with this threading mode. */
    public TargetSpec with(ThreadingMode other) {
        return changed(jar, settings, jvmOptions, address, jdk, archive, other);
    }

    /** Returns a copy for another machine, with its files, JDK and address there. */
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

    /** Path that our own app answers once it is ready. */
    public static final String READY_PATH = "/actuator/health";

    /** Path requested from a service without a known plain GET. */
    public static final String ANY_PATH = "/";

    /**
     * Returns the server that the build made and the user's options describe.
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

    /** Returns the arguments of the application for the requested database; none if it has its own. */
    public static List<String> database(Optional<String> url) {
        return url.map(one -> List.of("--spring.datasource.url=" + one)).orElse(List.of());
    }

    /** Returns the line that says what to install for a connector's native library; empty if nothing is missing. */
    public static Optional<String> missing(NativeLibrary library) {
        try {
            Preflight.folderOf(library);
            return Optional.empty();
        } catch (TargetException e) {
            return Optional.of(e.getMessage());
        }
    }

    /** @param said the JVM's message about an option that it does not know or no longer has */
    public String rejectedOption(String said) {
        return jdk.describe() + " does not take the JVM options of " + jvmOptions.source() + ": " + said;
    }

    /** Returns the arm as used in folder names: container, connector and line. */
    public String arm() {
        return profile.container() + "-" + profile.connector() + "-" + line;
    }
}
