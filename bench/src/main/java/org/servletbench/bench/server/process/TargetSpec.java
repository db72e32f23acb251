package org.servletbench.bench.server.process;

import java.io.Serializable;
import java.net.URI;
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
import org.servletbench.bench.model.Cpus;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.ServerCommand;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.ThreadingMode;

/**
 * The complete specification of a server before it starts, with which the running server is compared.
 *
 * @param serving its threads, and whether it counts the requests that it serves at once
 * @param asked what the arm requests, by the keys of a comparison
 */
public record TargetSpec(Application application, Start start, Endpoint endpoint, ThreadingMode serving, ArmSpec asked)
        implements Serializable {

    /**
     * The application, as the build made it.
     *
     * @param jar jar; for a command the first file that it names; empty if it names none
     * @param line version of Spring Boot: {@code boot2}, {@code boot3} or {@code boot4}; {@link #OWN} for the user's
     *     own service
     * @param bootVersion version of Spring Boot that the build chose
     * @param containerVersion version of the container that the build chose
     * @param archive class archive with which it starts; empty for the JDK's own
     */
    public record Application(
            Path jar,
            ContainerProfile profile,
            String line,
            String bootVersion,
            String containerVersion,
            Optional<ClassArchive> archive)
            implements Serializable {

        private Application in(Path other, Optional<ClassArchive> otherArchive) {
            return new Application(other, profile, line, bootVersion, containerVersion, otherArchive);
        }
    }

    /**
     * The command that starts the server.
     *
     * @param settingsName {@code equalised}, {@code defaults} or a set of the user's own
     * @param arguments arguments of the application, after its jar
     * @param cpusLimited true if this server, or another one of its comparison, has a limit of CPU time
     * @param collector address of our collector that counts what this server exports; empty if it has none
     */
    public record Start(
            Jdk jdk,
            JvmOptions jvmOptions,
            String settingsName,
            Path settings,
            List<String> arguments,
            boolean cpusLimited,
            Optional<URI> collector)
            implements Serializable {

        public Start {
            arguments = List.copyOf(arguments);
        }

        /** Creates the start of a server in a comparison without limits of CPU time, and without a collector. */
        public Start(Jdk jdk, JvmOptions jvmOptions, String settingsName, Path settings, List<String> arguments) {
            this(jdk, jvmOptions, settingsName, settings, arguments, false, Optional.empty());
        }
    }

    /**
     * The address at which the server is reached.
     *
     * @param address address to listen on: {@link #LOOPBACK}, or one of its machine's if load comes from another one
     * @param port requested port; empty for any free port
     * @param startTimeout longest time until the server is ready
     * @param readyPath path that answers with status 200 once the server is ready; {@link #ANY_PATH} accepts any status
     *     except server errors
     */
    public record Endpoint(String address, OptionalInt port, Duration startTimeout, String readyPath)
            implements Serializable {}

    /** Address that only this machine can reach. */
    public static final String LOOPBACK = "127.0.0.1";

    /**
     * Returns a separate address for each server on this machine, so that clients keep their cookies apart. On Linux,
     * all of 127.0.0.0/8 is loopback.
     *
     * @param number number of the server, from 0
     */
    public static String loopback(int number) {
        int low = 2 + number;
        return "127.0." + low / LOOPBACK_ROW + "." + low % LOOPBACK_ROW;
    }

    private static final int LOOPBACK_ROW = 250;

    /** Value of {@link #line} for the user's own service. */
    public static final String OWN = "own";

    /** True if it is the user's own service. */
    public boolean isOwn() {
        return line().equals(OWN);
    }

    /** Returns the limit of its total memory, bytes; 0 for none. */
    long memoryLimit() {
        return asked.memory() == null ? 0 : asked.memory().bytes();
    }

    /** Returns the user's own command that starts it; empty for a Spring Boot jar. */
    public Optional<ServerCommand> command() {
        return asked.serverCommand();
    }

    /**
     * True if its JVM gets our options, and runs on our JDK. This is always so, unless a command starts another program
     * than java.
     */
    public boolean hasJvmOptions() {
        return command().map(ServerCommand::isJava).orElse(true);
    }

    /** Returns the limit of its CPU time; empty for none. */
    Optional<Cpus> cpus() {
        return Optional.ofNullable(asked.cpus());
    }

    /** True if this server, or another one of its comparison, has a limit of CPU time. */
    public boolean cpusLimited() {
        return start.cpusLimited || asked.cpus() != null;
    }

    /** Returns the address of our collector that counts what it exports; empty if it has none. */
    public Optional<URI> collector() {
        return start.collector;
    }

    /**
     * Returns its working directory: the requested one, or the folder of a service's jar; empty if there is no such
     * folder.
     */
    Optional<Path> workdir() {
        return Stream.of(
                        asked.workdir() == null ? null : Path.of(asked.workdir()),
                        asked.app() == null ? null : Path.of(asked.app()).getParent(),
                        command().isEmpty() ? null : jar().getParent())
                .filter(Objects::nonNull)
                .filter(Files::isDirectory)
                .findFirst();
    }

    /** Returns a copy with the extracted application. */
    public TargetSpec withJar(Path extracted) {
        return with(application.in(extracted, archive()));
    }

    /** Returns a copy with other JVM options. */
    public TargetSpec with(JvmOptions others) {
        Start other =
                new Start(jdk(), others, settingsName(), settings(), arguments(), start.cpusLimited, start.collector);
        return new TargetSpec(application, other, endpoint, serving, asked);
    }

    /** Returns a copy with a class archive and the extracted application that it belongs to. */
    public TargetSpec with(ClassArchive other) {
        return with(application.in(other.jar(), Optional.of(other)));
    }

    /** Returns a copy with this threading mode. */
    public TargetSpec with(ThreadingMode other) {
        return new TargetSpec(application, start, endpoint, other, asked);
    }

    /** Returns a copy for another machine, with files, JDK and address on that machine. */
    public TargetSpec on(Path newJar, Path newSettings, Jdk newJdk, String newAddress) {
        return new TargetSpec(
                application.in(newJar, archive()),
                new Start(
                        newJdk,
                        jvmOptions(),
                        settingsName(),
                        newSettings,
                        arguments(),
                        start.cpusLimited,
                        start.collector),
                new Endpoint(newAddress, port(), startTimeout(), readyPath()),
                serving,
                asked);
    }

    private TargetSpec with(Application other) {
        return new TargetSpec(other, start, endpoint, serving, asked);
    }

    public Path jar() {
        return application.jar;
    }

    public ContainerProfile profile() {
        return application.profile;
    }

    public String line() {
        return application.line;
    }

    public String bootVersion() {
        return application.bootVersion;
    }

    public String containerVersion() {
        return application.containerVersion;
    }

    public Optional<ClassArchive> archive() {
        return application.archive;
    }

    public Jdk jdk() {
        return start.jdk;
    }

    public JvmOptions jvmOptions() {
        return start.jvmOptions;
    }

    public String settingsName() {
        return start.settingsName;
    }

    public Path settings() {
        return start.settings;
    }

    public List<String> arguments() {
        return start.arguments;
    }

    public String address() {
        return endpoint.address;
    }

    public OptionalInt port() {
        return endpoint.port;
    }

    public Duration startTimeout() {
        return endpoint.startTimeout;
    }

    public String readyPath() {
        return endpoint.readyPath;
    }

    /** Path that our own app answers once it is ready. */
    public static final String READY_PATH = "/actuator/health";

    /** Path requested from a service without a known plain GET. */
    public static final String ANY_PATH = "/";

    /** Returns the arguments of the application for the requested database; empty if each server has its own. */
    public static List<String> database(Optional<String> url) {
        return url.map(one -> List.of("--spring.datasource.url=" + one)).orElse(List.of());
    }

    /** Returns a line that says what to install for a connector's native library; empty if nothing is missing. */
    public static Optional<String> missing(NativeLibrary library) {
        try {
            Preflight.folderOf(library);
            return Optional.empty();
        } catch (TargetException e) {
            return Optional.of(e.getMessage());
        }
    }

    /** @param said the JVM's message about an option that it does not know, or no longer has */
    public String rejectedOption(String said) {
        return jdk().describe() + " does not take the JVM options of "
                + jvmOptions().source() + ": " + said;
    }

    /** Returns the arm as it is used in folder names: container, connector and version of Spring Boot. */
    public String arm() {
        return profile().container() + "-" + profile().connector() + "-" + line();
    }
}
