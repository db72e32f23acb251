package org.servletbench.bench.server.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.model.Cpus;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.OwnFiles;
import org.servletbench.bench.model.Proven;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.ServerCommand;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Threads;
import org.servletbench.bench.server.http.HttpWire;
import org.servletbench.bench.server.http.Tls;
import org.servletbench.bench.server.os.ControlGroup;
import org.servletbench.bench.server.os.Listeners;
import org.servletbench.bench.server.os.ManagedProcess;
import org.servletbench.bench.server.os.ProcessMeters;
import org.servletbench.bench.server.os.SchedulerGroup;

/** The process of a JVM with a Spring Boot application, or of a server that a user's own command starts. */
public final class ServerProcess extends StartedProcess {

    /** First JDK in which native code needs explicit permission. */
    private static final int NATIVE_ACCESS_JDK = 22;
    /** Prefixes of variables that could change the server from outside the command line, which no report would show. */
    private static final List<String> HIDDEN_OPTIONS = Stream.concat(
                    JvmOptions.ENVIRONMENT.stream(), Stream.of("SPRING_", "SERVER_", "MANAGEMENT_", "LOGGING_"))
            .toList();

    /** Shell variables that are passed on to a server: paths, user and language, but no secrets. */
    static final List<String> PASSED_ON =
            List.of("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "LANG", "LANGUAGE");

    private static final String LOCALE = "LC_";

    /**
     * Variable with Spring properties that take precedence over its files. Only a process's owner can read its
     * environment.
     */
    private static final String PROPERTIES = "SPRING_APPLICATION_JSON";

    /** Property that the option {@code threads} sets, so that the arm's name shows it. */
    public static final String VIRTUAL_THREADS = "spring.threads.virtual.enabled";

    private static final Pattern TAKEN = Pattern.compile("(?i)(address|port( \\d+)?( was| is)?) already in use");
    private static final Pattern NOT_OPENED =
            Pattern.compile("Failed to bind|configured to listen on port \\d+ failed to start");
    private static final Pattern A_PORT = Pattern.compile("(?i)(?:port |:)(\\d{2,5})\\b");

    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    /** Lowest status of a server fault. */
    private static final int FAULTS = 500;
    /** Statuses of a server, or of a proxy in front of it, while the application is starting. */
    private static final List<Integer> STARTING = List.of(502, 503, 504);
    /** Time after which such a status counts as the service's real answer, like any other. */
    static final Duration STARTS_FOR = Duration.ofSeconds(10);

    private static final int CONNECT_MILLIS = 5_000;

    /** Placeholder in a property for a free port. */
    private static final String PORT = "${port}";

    /** Spring Boot's message about Jetty, whose starter does not include HTTP/2. */
    private static final String NO_HTTP_2 = "dependency is required for HTTP/2 support";

    /** Spring's message about a missing variable or property. */
    private static final String PLACEHOLDER = "Could not resolve placeholder";

    private final TargetSpec spec;
    /** JVM options before {@code -jar}. */
    public final List<String> jvmOptions;

    /** Files that only their owner can read; they are deleted when the server ends. */
    private final List<Path> secrets;

    private final Optional<ControlGroup> memory;
    private final SchedulerGroup scheduler;
    /**
     * Time of its first answer with a status of {@link #STARTING}, by {@link System#nanoTime}; empty if there was none.
     */
    private OptionalLong startsSince = OptionalLong.empty();
    /** Names of environment variables that were not passed on. */
    public final SortedSet<String> removed;

    private ServerProcess(
            TargetSpec spec,
            Process process,
            int port,
            Path log,
            List<String> jvmOptions,
            List<Path> secrets,
            Optional<ControlGroup> memory,
            SchedulerGroup scheduler,
            SortedSet<String> removed) {
        super("the server", process, spec.address(), port, log);
        this.spec = spec;
        this.jvmOptions = jvmOptions;
        this.secrets = secrets;
        this.memory = memory;
        this.scheduler = scheduler;
        this.removed = removed;
    }

    /** Starts the server and waits until it answers. */
    public static ServerProcess start(TargetSpec spec, Path folder) {
        ServerProcess server = start(
                spec.address(),
                spec.port(),
                "-Dtarget.port",
                new Timeout(
                        spec.startTimeout(),
                        " (measure.start-timeout of a comparison, -Dtarget.start-timeout of a single run)"),
                port -> launch(spec, folder, port));
        server.requireOwnAddress();
        if (spec.command().isPresent()) {
            server.requireItself();
        }
        return server;
    }

    /** Requires that a command's own process serves requests. A child's CPU time would not be counted. */
    private void requireItself() {
        try {
            if (!listensOnItsPort(Listeners.ofItself(process.toHandle()))) {
                stop();
                throw TargetException.refusal(
                        TargetException.Refusal.SERVER,
                        "the process that listens on " + spec.address() + ":" + port()
                                + " is not the one that the command started: let a script end with exec java …");
            }
        } catch (IOException e) {
            stop();
            throw new TargetException("cannot determine where the server listens (" + e.getMessage() + ")");
        }
    }

    /**
     * Requires that none of its ports can be reached from other machines. A service may open further ports because of
     * any property.
     */
    private void requireOwnAddress() {
        try {
            InetAddress own = InetAddress.getByName(spec.address());
            List<Listeners.Listener> outside = Listeners.outside(process.toHandle(), own);
            if (!outside.isEmpty()) {
                boolean hasItsPort = listensOnItsPort(Listeners.of(process.toHandle()));
                stop();
                throw TargetException.refusal(
                        TargetException.Refusal.SERVER,
                        "the server listens on " + outside.get(0)
                                + ", where other machines may reach it, and not only on "
                                + spec.address()
                                + (hasItsPort ? "" : ":" + port() + ", which it was given")
                                + (spec.command().isPresent()
                                        ? ": let its command or its 'env' give it " + ServerCommand.PORT + " and "
                                                + ServerCommand.ADDRESS
                                        : addressHint(own, hasItsPort)));
            }
        } catch (IOException e) {
            if (!process.isAlive()) {
                // It died; its death is reported elsewhere.
                return;
            }
            stop();
            throw new TargetException("cannot determine where the server listens (" + e.getMessage() + ")");
        }
    }

    private String addressHint(InetAddress own, boolean hasItsPort) {
        return ": give the arm properties: {management.server.address: "
                + (own.isLoopbackAddress() ? TargetSpec.LOOPBACK : spec.address())
                + "} for a management server, or close that port"
                + (hasItsPort
                        ? ""
                        : "; a service that sets its own port in its code must take server.port and"
                                + " server.address instead");
    }

    private boolean listensOnItsPort(List<Listeners.Listener> all) {
        return all.stream().anyMatch(one -> one.port() == port());
    }

    @Override
    void whileItStarts() {
        requireOwnAddress();
    }

    @Override
    String whereItListens() {
        try {
            List<Listeners.Listener> all = Listeners.of(process.toHandle());
            return listensOnItsPort(all)
                    ? ""
                    : "; it listens on "
                            + (all.isEmpty()
                                    ? "no port"
                                    : all.stream().map(Object::toString).collect(Collectors.joining(", "))
                                            + ", and not on " + spec.address() + ":" + port());
        } catch (IOException e) {
            return "";
        }
    }

    private static ServerProcess launch(TargetSpec spec, Path folder, int port) {
        Path log = folder.resolve("server.log");
        List<String> options =
                new ArrayList<>(spec.hasJvmOptions() ? spec.jvmOptions().values() : List.of());
        spec.profile().nativeLibrary().ifPresent(library -> {
            options.add("-Djava.library.path=" + Preflight.folderOf(library));
            if (spec.jdk().feature() >= NATIVE_ACCESS_JDK) {
                options.add("--enable-native-access=ALL-UNNAMED");
            }
        });
        spec.archive().ifPresent(archive -> options.addAll(archive.options()));
        List<String> command = new ArrayList<>();
        Optional<Path> arguments = secret(options);
        if (spec.hasJvmOptions()) {
            command.add(Jdk.command(spec.jdk().home()));
            command.addAll(arguments.map(file -> List.of("@" + file)).orElse(options));
        }
        List<String> given = given(spec, port);
        spec.command()
                .ifPresentOrElse(
                        own -> own.afterJava()
                                .forEach(word -> command.add(ServerCommand.filled(word, spec.address(), port))),
                        () -> {
                            command.addAll(
                                    List.of("-jar", spec.jar().toAbsolutePath().toString()));
                            command.addAll(given);
                        });
        Optional<Path> keyStore = spec.serving().protocol().isSecure()
                ? Optional.of(Tls.keyStore(spec.jdk().home(), folder, spec.address()))
                : Optional.empty();
        // A main method that ignores its arguments still uses these properties.
        List<String> properties = Stream.concat(
                        given.stream(), spec.arguments().stream().map(one -> withPorts(one, spec.address())))
                .collect(Collectors.toCollection(ArrayList::new));
        keyStore.ifPresent(
                file -> properties.addAll(Tls.arguments(spec.serving().protocol(), file)));
        Optional<ControlGroup> memory =
                spec.memoryLimit() > 0 ? ControlGroup.ofMemory(spec.memoryLimit(), spec.cpus()) : Optional.empty();
        SchedulerGroup scheduler = SchedulerGroup.make(memory, spec.cpus(), spec.cpusLimited());
        unlimited(spec.asked(), memory.isPresent(), scheduler.hasAccounts()).ifPresent(why -> {
            scheduler.close();
            memory.ifPresent(ControlGroup::close);
            throw TargetException.refusal(TargetException.Refusal.START, why);
        });
        List<String> apart = scheduler.entering(command);
        ProcessBuilder builder = new ProcessBuilder(
                        memory.map(group -> group.entering(apart)).orElse(apart))
                .directory(spec.workdir().orElse(folder).toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        SortedSet<String> removed = environment(builder, spec.asked().env());
        if (spec.command().isEmpty()) {
            builder.environment().put(PROPERTIES, json(properties));
        } else {
            builder.environment()
                    .replaceAll((name, value) -> spec.asked().env().containsKey(name)
                            ? ServerCommand.filled(value, spec.address(), port)
                            : value);
        }
        try {
            Process process = ManagedProcess.start(builder, ManagedProcess.Farewell.KILL);
            return new ServerProcess(
                    spec,
                    process,
                    port,
                    log,
                    List.copyOf(options),
                    Stream.concat(keyStore.stream(), arguments.stream()).toList(),
                    memory,
                    scheduler,
                    removed);
        } catch (IOException e) {
            scheduler.close();
            memory.ifPresent(ControlGroup::close);
            throw new TargetException("the server could not be started: " + e.getMessage());
        }
    }

    /**
     * Returns an error for a limit that an arm asks for but its server would not have; empty if it would have all
     * limits.
     *
     * @param memory true if there is a group that limits its memory
     * @param cpus true if there is a group that limits its CPU time
     */
    static Optional<String> unlimited(ArmSpec asked, boolean memory, boolean cpus) {
        if (asked.cpus() != null && !cpus) {
            return Optional.of("cpus: " + asked.cpus()
                    + " needs a cgroup, and this user cannot limit CPU time by one here: run"
                    + " as root, or let systemd delegate cpu to you");
        }
        return asked.memory() != null && !memory
                ? Optional.of("memory: " + asked.memory()
                        + " needs a cgroup, and this user cannot limit memory by one here: run"
                        + " as root, or let systemd delegate memory to you")
                : Optional.empty();
    }

    /** Returns the arguments that every server gets. */
    private static List<String> given(TargetSpec spec, int port) {
        List<String> given = new ArrayList<>(List.of(
                "--server.address=" + spec.address(),
                "--server.port=" + port,
                "--spring.config.additional-location="
                        + spec.settings().toAbsolutePath().toUri()));
        if (spec.serving().threads() == Threads.VIRTUAL) {
            given.add("--" + VIRTUAL_THREADS + "=true");
        }
        return given;
    }

    /** Replaces each placeholder for a port with a different free port. */
    static String withPorts(String argument, String address) {
        String[] parts = argument.split(Pattern.quote(PORT), -1);
        return Stream.of(parts)
                .reduce((begin, end) -> begin + Preflight.anyFreePort(address) + end)
                .orElse(argument);
    }

    /** Writes JVM options into a file if one of them may be secret, because everybody can read a command line. */
    private static Optional<Path> secret(List<String> options) {
        if (options.stream().allMatch(option -> Secrets.ofJvm(option).equals(option))) {
            return Optional.empty();
        }
        try {
            Path file = OwnFiles.folder().resolve("jvm.args");
            Files.writeString(
                    file,
                    options.stream()
                            .map(option -> '"' + option.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
                            .collect(Collectors.joining("\n")));
            return Optional.of(file);
        } catch (IOException e) {
            throw new TargetException("cannot write the options of the server's JVM (" + e.getMessage() + ")");
        }
    }

    /** Returns {@code --name=value} arguments as JSON, which Spring reads from {@value #PROPERTIES}. */
    private static String json(List<String> arguments) {
        Map<String, String> properties = new TreeMap<>();
        arguments.forEach(argument -> {
            String[] parts = argument.substring(2).split("=", 2);
            properties.put(parts[0], parts[1]);
        });
        try {
            return Json.MAPPER.writeValueAsString(properties);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    String scheme() {
        return spec.serving().protocol().scheme();
    }

    /** Sets a server's environment. Returns the names of variables that were not passed on. */
    static SortedSet<String> environment(ProcessBuilder builder, Map<String, String> own) {
        SortedSet<String> removed = new TreeSet<>(clean(builder));
        removed.removeAll(own.keySet());
        builder.environment().putAll(own);
        return removed;
    }

    /**
     * Removes all variables except {@link #PASSED_ON} and those of the locale. A shell may contain tokens, and no
     * report would show a variable that changes a JVM from outside its command line.
     *
     * @return names of the removed variables that could have changed the JVM
     */
    static List<String> clean(ProcessBuilder builder) {
        List<String> hidden = builder.environment().keySet().stream()
                .filter(name -> HIDDEN_OPTIONS.stream().anyMatch(JvmOptions.strict(name)::startsWith))
                .toList();
        builder.environment().keySet().removeIf(name -> !PASSED_ON.contains(name) && !name.startsWith(LOCALE));
        return hidden;
    }

    /**
     * True if the server is ready. Our own app reports this. The answers of a user's service are unknown beforehand, so
     * it is ready once it answers in its scheme, even with a login page. Its first real answer is checked later, by a
     * caller that knows what was requested.
     */
    @Override
    boolean answers() {
        try {
            int status = HttpWire.status(url(), spec.readyPath());
            if (spec.isOwn() && status == BAD_REQUEST) {
                requireScheme();
            }
            boolean ready = spec.asked().ready() != null
                    ? status == OK
                    : spec.isOwn()
                            ? !STARTING.contains(status) || hasStartedLong()
                            : status == OK
                                    || status < FAULTS && spec.readyPath().equals(TargetSpec.ANY_PATH);
            if (!ready) {
                // Our request may go to a further port of the server, which must not be reachable from other machines
                // while we wait.
                requireOwnAddress();
            }
            return ready;
        } catch (ConnectException e) {
            return false;
        } catch (SocketTimeoutException e) {
            // The server accepts connections, but this path hangs.
            return spec.isOwn() && spec.asked().ready() == null && isListening();
        } catch (IOException e) {
            if (spec.isOwn()) {
                requireScheme();
            }
            return false;
        }
    }

    private boolean hasStartedLong() {
        startsSince = OptionalLong.of(startsSince.orElse(System.nanoTime()));
        return System.nanoTime() - startsSince.getAsLong() > STARTS_FOR.toNanos();
    }

    private boolean isListening() {
        try (HttpWire.Connection connection = HttpWire.connectPlainly(url(), CONNECT_MILLIS)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Rejects a port that speaks TLS although its arm speaks plain HTTP, because the server would never get ready. */
    private void requireScheme() {
        if (!spec.serving().protocol().isSecure() && HttpWire.speaksTls(url())) {
            stop();
            throw TargetException.refusal(
                    TargetException.Refusal.START,
                    "the server speaks https on its port, and its arm http: give the arm protocol: https");
        }
    }

    /** Checked only after the process has ended, because reading the log would take time from a starting server. */
    @Override
    boolean isPortTaken() {
        return !process.isAlive()
                && lacksAPort()
                && otherPort(logLines(), port()).isEmpty()
                && !Preflight.isFree(spec.address(), port());
    }

    private boolean lacksAPort() {
        return logLines().stream().anyMatch(line -> TAKEN.matcher(line).find());
    }

    @Override
    TargetException diedAtStart() {
        String died = "the server died at its start (" + ManagedProcess.exit(process.exitValue()) + ")";
        if (logLines().stream().anyMatch(line -> line.contains(NO_HTTP_2))) {
            return TargetException.refusal(
                    TargetException.Refusal.START,
                    died + ": h2 needs jetty-http2-server and jetty-alpn-java-server, which it lacks: add them to its"
                            + " dependencies, or let its container be exchanged (container: jetty)");
        }
        OptionalInt other = otherPort(logLines(), port());
        if (other.isPresent() || lacksAPort()) {
            return TargetException.refusal(
                    TargetException.Refusal.START,
                    died + ": "
                            + (other.isPresent()
                                    ? "its port " + other.getAsInt()
                                    : "a port beside " + port() + ", which its log does not name,")
                            + " is in use, by another program or another server of the same"
                            + " comparison: "
                            + (spec.command().isPresent()
                                    ? "let its command or its 'env' give it " + PORT
                                    : "let each have a free one, with the property that sets it: --set"
                                            + " 'server.properties.NAME=" + PORT + "'"));
        }
        Optional<String> rejected = Jdk.rejectedOption(logLines());
        return rejected.isPresent()
                ? TargetException.refusal(
                        TargetException.Refusal.START, died + ": " + spec.rejectedOption(rejected.get()))
                : TargetException.died(died + ": " + cause(logLines()) + notPassedOn() + "; its log: " + log);
    }

    /** Returns a hint about variables of this shell that a service may need. */
    private String notPassedOn() {
        if (spec.isOwn() && logLines().stream().anyMatch(line -> line.contains(PLACEHOLDER))) {
            return "; from this shell it gets only " + String.join(", ", PASSED_ON)
                    + " and the locale: give what it needs as env: {NAME: \"${env:NAME}\"}";
        }
        return spec.isOwn() && !removed.isEmpty()
                ? "; not passed on from this shell: " + String.join(", ", removed) + " (give what it needs as env)"
                : "";
    }

    /** Returns a port that the server could not bind, other than the measured one. */
    static OptionalInt otherPort(List<String> log, int own) {
        return log.stream()
                .filter(line ->
                        TAKEN.matcher(line).find() || NOT_OPENED.matcher(line).find())
                .flatMap(line -> A_PORT.matcher(line).results())
                .mapToInt(found -> Integer.parseInt(found.group(1)))
                .filter(port -> port != own)
                .findFirst();
    }

    /** Returns its memory limit for people, as the kernel reports it; empty if it has none. */
    public Optional<String> memoryLimit() {
        if (memory.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    memory.get().holds(pid())
                            ? (memory.get().limit() >> 20) + " MiB"
                            : Proven.NO_LIMIT + ": the server is not in its cgroup");
        } catch (IOException e) {
            return Optional.of(Proven.NO_LIMIT + ": the limit cannot be read");
        }
    }

    /** Returns the peak memory of its cgroup so far, bytes; empty if it has no cgroup of its own. */
    public Optional<String> memoryPeak() {
        return memory.map(group -> ProcessMeters.value(group::peak));
    }

    /**
     * Returns its limit of CPU time for people, as the kernel reports it; empty if no server of its comparison has one.
     */
    public Optional<String> cpuLimit() {
        return spec.cpusLimited()
                ? Optional.of(scheduler.cpus(pid()).map(Cpus::toString).orElse(Proven.NO_LIMIT))
                : Optional.empty();
    }

    /**
     * Returns the totals for its limit of CPU time so far, by column; empty if no server of its comparison has such a
     * limit.
     */
    public Map<String, String> throttling() {
        return scheduler.hasAccounts() ? ProcessMeters.totals(ControlGroup.COLUMNS, scheduler::throttling) : Map.of();
    }

    @Override
    void ended() {
        secrets.forEach(Tls::delete);
        scheduler.close();
        memory.ifPresent(ControlGroup::close);
    }
}
