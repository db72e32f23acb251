package org.servletbench.bench.comparison;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.servletbench.bench.model.Cpus;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.LocalJar;
import org.servletbench.bench.model.Protocol;
import org.servletbench.bench.model.ServerCommand;
import org.servletbench.bench.model.Size;
import org.servletbench.bench.model.Threads;

/**
 * An arm, by the keys of a comparison file. Null and empty mean the default. In files, the keys of all parts are on one
 * level.
 *
 * @param settings name of a settings set, which a file may give instead of {@code properties}
 */
@Section(
        title = "An arm",
        place =
                "Below `arms.NAME`. `server` has the same keys except `container`, `version`, `app`, `command`, `ready`, `against` and `label`. A"
                        + " key of\nan arm replaces that of `server`; its `jvm`, `properties` and `env` are added to those of `server`")
@JsonNaming(PropertyNamingStrategies.KebabCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ArmSpec(
        @JsonUnwrapped Software software,
        @JsonUnwrapped Serving serving,
        @JsonUnwrapped Setup setup,

        @Key(
                means =
                        "the arm with which this one is compared; its own name makes it a baseline. Arms with the same baseline are judged together",
                standard = "the first arm")
        String against,

        @Key(means = "name of the arm on pages", standard = "the arm's name")
        String label,

        String settings)
        implements Serializable {

    /** The program that runs. */
    @JsonNaming(PropertyNamingStrategies.KebabCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Software(
            @Key(
                    means =
                            "tomcat-nio, tomcat-nio2, tomcat-apr, jetty or undertow; nginx is a reference that is not ranked. With an app: tomcat, jetty or undertow replaces the app's own container; without this key the app runs unchanged",
                    standard = "the arm's name")
            String container,

            @Key(means = "version of the container", standard = "of the line, or of the app")
            String version,

            @Key(means = "line of Spring Boot (boot2, boot3, boot4), or a version such as 4.0.1", standard = "boot3")
            String boot,

            @Key(means = "your executable Spring Boot jar", standard = "of the file")
            String app,

            @Key(
                    means =
                            "adds to the jar that is built here (boot3): OpenTelemetry's Spring Boot starter, or Micrometer Tracing with OpenTelemetry's exporter",
                    standard = "nothing",
                    form = Form.ADDITION)
            String with,

            @Key(
                    means =
                            "starts any JVM server instead: ${port} is the port on which it must listen (here or in `env`), ${address} its loopback address. `java` is the arm's JDK, with its JVM options. Container, versions and pool sizes are unproven",
                    form = Form.WORDS)
            List<String> command,

            @Key(
                    means = "with a command: path that answers 200 once the server is ready",
                    standard = "path of the first plain request; any answer will do",
                    form = Form.PATH)
            String ready)
            implements Serializable {
        static final Software USUAL = new Software(null, null, null, null, null, null, null);

        public Software {
            command = command == null ? List.of() : List.copyOf(command);
        }

        private Software over(Software shared) {
            return new Software(
                    container, version, first(boot, shared.boot), app, first(with, shared.with), command, ready);
        }
    }

    /** The JVM, and how it serves requests. */
    @JsonNaming(PropertyNamingStrategies.KebabCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Serving(
            @Key(means = "home of a JDK, 17 or newer", standard = "the rig's")
            String jdk,

            @Key(
                    means =
                            "virtual: JDK 21 or newer, boot3 or boot4; an app of one's own has the property spring.threads.virtual.enabled",
                    standard = "platform")
            Threads threads,

            @Key(
                    means =
                            "https: HTTP/1.1 over TLS; h2: HTTP/2 over TLS (Gatling only). The rig makes a certificate for the run. h2c is not supported",
                    standard = "http")
            Protocol protocol,

            @Key(
                    means =
                            "heap size; replaces all sizes of the heap in profiles/jvm.options, as -Xmx or -XX:MaxRAMPercentage below `jvm` does: give one of them. The young generation keeps the share that it has in that file (half of the heap), unless `jvm` sets it",
                    standard = "of the JVM options")
            Size heap,

            @Key(
                    means = "limit for all memory of the server, set by a cgroup (usually needs root)",
                    standard = "no limit")
            Size memory,

            @Key(
                    means =
                            "limit of CPU time in processors, below those that a server has, set by a cgroup (usually needs root); not with `measure.peak`; its JVM sees it, as in Kubernetes",
                    standard = "no limit")
            Cpus cpus,

            @Key(
                    means =
                            "JVM options, added after those of profiles/jvm.options; an option of the heap that has no effect is rejected, and so are arms whose options differ but whose heaps do not",
                    form = Form.OPTIONS)
            List<String> jvm,

            @Key(
                    means =
                            "a Java agent, a jar of the local Maven repository; without a version that of the property ARTIFACT.version in pom.xml",
                    standard = "none",
                    form = Form.COORDINATES)
            String agent)
            implements Serializable {
        static final Serving USUAL = new Serving(null, null, null, null, null, null, null, null);

        public Serving {
            jvm = jvm == null ? List.of() : List.copyOf(jvm);
        }

        private Serving with(Protocol other) {
            return new Serving(jdk, threads, other, heap, memory, cpus, jvm, agent);
        }

        private Serving withAgent(String other) {
            return new Serving(jdk, threads, protocol, heap, memory, cpus, jvm, other);
        }

        private Serving with(Size otherHeap, List<String> otherOptions) {
            return new Serving(jdk, threads, protocol, otherHeap, memory, cpus, otherOptions, agent);
        }

        /** Returns a copy without default values. */
        private Serving plain() {
            return new Serving(
                    jdk,
                    threads == Threads.PLATFORM ? null : threads,
                    protocol == Protocol.HTTP ? null : protocol,
                    heap,
                    memory,
                    cpus,
                    jvm,
                    agent);
        }

        private Serving over(Serving shared) {
            List<String> options = new ArrayList<>(shared.jvm);
            options.addAll(jvm);
            return new Serving(
                    first(jdk, shared.jdk),
                    first(threads, shared.threads),
                    first(protocol, shared.protocol),
                    first(heap, shared.heap),
                    first(memory, shared.memory),
                    first(cpus, shared.cpus),
                    options,
                    first(agent, shared.agent));
        }
    }

    /** The settings and the environment of the server. */
    @JsonNaming(PropertyNamingStrategies.KebabCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Setup(
            @Key(
                    means =
                            "Spring properties, which override those of the settings set `equalised`; or the name of a settings set",
                    standard = "equalised",
                    form = Form.PROPERTIES,
                    text = "settings")
            Map<String, String> properties,

            @Key(
                    means =
                            "cds: an archive of the classes; aot: a cache that was trained under load (JDK 25 or newer)",
                    standard = "none",
                    form = Form.ARCHIVE)
            String archive,

            @Key(
                    means =
                            "environment variables of the server; values are recorded as hashes; ${env:NAME} takes a value from the environment of the rig. JAVA_TOOL_OPTIONS, JDK_JAVA_OPTIONS and _JAVA_OPTIONS become options of `jvm`, but not with a command",
                    form = Form.TEXTS)
            Map<String, String> env,

            @Key(
                    means = "working directory of the server",
                    standard =
                            "folder of the app's jar, or of the first file that a command names; else that of the run")
            String workdir,

            @Key(
                    means =
                            "whether the server sends spans to the rig's collector, which counts and discards them: at ${collector} in `jvm`, `properties` or `env` (OTLP over HTTP). Under load a server that does otherwise is refused; `starts` are not checked",
                    standard = "no collector")
            Boolean exports)
            implements Serializable {
        static final Setup USUAL = new Setup(null, null, null, null, null);

        public Setup {
            properties = properties == null ? new TreeMap<>() : new TreeMap<>(properties);
            env = env == null ? new TreeMap<>() : new TreeMap<>(env);
        }

        /** Returns a copy without default values. */
        private Setup plain() {
            return new Setup(properties, "none".equals(archive) ? null : archive, env, workdir, exports);
        }

        private Setup over(Setup shared) {
            return new Setup(
                    together(shared.properties, properties),
                    first(archive, shared.archive),
                    together(shared.env, env),
                    first(workdir, shared.workdir),
                    first(exports, shared.exports));
        }
    }

    /** An arm that has only defaults. */
    public static final ArmSpec USUAL = new ArmSpec(Software.USUAL, Serving.USUAL, Setup.USUAL, null, null, null);

    /** Placeholder for the address of servlet-bench's collector for this server, without OTLP's path. */
    public static final String COLLECTOR = "${collector}";

    /** Prefix of the name of a Spring property, in {@link #texts}. */
    public static final String PROPERTY = "properties.";

    public ArmSpec {
        software = software == null ? Software.USUAL : software;
        serving = serving == null ? Serving.USUAL : serving;
        setup = setup == null ? Setup.USUAL : setup;
    }

    /** Returns an arm with a container, and otherwise defaults. */
    public static ArmSpec of(String container) {
        return USUAL.as(container, null, null);
    }

    /** Returns this arm with another container, version of Spring Boot, and jar. */
    ArmSpec as(String otherContainer, String otherBoot, String otherApp) {
        Software other = new Software(otherContainer, version(), otherBoot, otherApp, with(), command(), ready());
        return new ArmSpec(other, serving, setup, against, label, settings);
    }

    /** Returns this arm with another command. */
    ArmSpec startedBy(List<String> words) {
        Software other = new Software(container(), version(), boot(), app(), with(), words, ready());
        return new ArmSpec(other, serving, setup, against, label, settings);
    }

    /** Returns this arm with another label and another baseline. */
    public ArmSpec called(String otherLabel, String otherAgainst) {
        return new ArmSpec(software, serving, setup, otherAgainst, otherLabel, settings);
    }

    /** Returns this arm with another heap. */
    public ArmSpec withHeap(Size other) {
        return with(serving.with(other, jvm()));
    }

    /** Returns this arm with another protocol. */
    public ArmSpec speaking(Protocol other) {
        return with(serving.with(other));
    }

    /** Returns this arm with other JVM options. */
    public ArmSpec withJvm(List<String> options) {
        return with(serving.with(heap(), options));
    }

    /**
     * Returns this arm with the JVM options from its environment variables among its own, in the order in which a JVM
     * reads them. The variables are removed.
     */
    ArmSpec withOptionsOfEnv() {
        List<String> options = new ArrayList<>();
        Map<String, String> rest = new TreeMap<>(env());
        for (String name : JvmOptions.ENVIRONMENT) {
            if (name.equals(JvmOptions.LAST_OF_ENVIRONMENT)) {
                options.addAll(jvm());
            }
            Optional.ofNullable(rest.remove(name)).ifPresent(options::add);
        }
        return new ArmSpec(
                software,
                serving.with(heap(), options),
                new Setup(properties(), archive(), rest, workdir(), exports()),
                against,
                label,
                settings);
    }

    private ArmSpec with(Serving other) {
        return new ArmSpec(software, other, setup, against, label, settings);
    }

    /** Returns this arm with another agent. */
    ArmSpec withAgent(String coordinates) {
        return with(serving.withAgent(coordinates));
    }

    /** Returns this arm with the collector's address instead of its placeholder. */
    public ArmSpec exportingTo(String collector) {
        UnaryOperator<String> filled = text -> text.replace(COLLECTOR, collector);
        Setup other = new Setup(each(properties(), filled), archive(), each(env(), filled), workdir(), exports());
        return new ArmSpec(
                software, serving.with(heap(), jvm().stream().map(filled).toList()), other, against, label, settings);
    }

    private static Map<String, String> each(Map<String, String> texts, UnaryOperator<String> change) {
        Map<String, String> changed = new TreeMap<>(texts);
        changed.replaceAll((name, text) -> change.apply(text));
        return changed;
    }

    /** True if it mentions the collector. */
    boolean namesCollector() {
        return Stream.of(jvm(), properties().values(), env().values())
                .flatMap(Collection::stream)
                .anyMatch(text -> text.contains(COLLECTOR));
    }

    /** Returns this arm in another working directory. */
    ArmSpec in(String other) {
        return new ArmSpec(
                software,
                serving,
                new Setup(properties(), archive(), env(), other, exports()),
                against,
                label,
                settings);
    }

    /**
     * Returns this arm without label, baseline, and default values. Arms for which this is equal run the same server.
     */
    public ArmSpec server() {
        return new ArmSpec(
                software, serving.plain(), setup.plain(), null, null, "equalised".equals(settings) ? null : settings);
    }

    /**
     * Returns this arm, with the settings shared by all arms where it has none. JVM options and properties are merged.
     */
    ArmSpec over(ArmSpec shared) {
        return new ArmSpec(
                software.over(shared.software),
                serving.over(shared.serving),
                setup.over(shared.setup),
                against,
                label,
                first(settings, shared.settings));
    }

    private static Map<String, String> together(Map<String, String> shared, Map<String, String> own) {
        Map<String, String> all = new TreeMap<>(shared);
        all.putAll(own);
        return all;
    }

    private static <T> T first(T own, T shared) {
        return own == null ? shared : own;
    }

    /** Returns the protocol of its servers; by default HTTP. */
    public Protocol speaks() {
        return protocol() == null ? Protocol.HTTP : protocol();
    }

    /** Returns the kind of threads that serve requests; by default platform threads. */
    public Threads serves() {
        return threads() == null ? Threads.PLATFORM : threads();
    }

    /** Returns its properties about compression. */
    public Map<String, String> compression() {
        Map<String, String> own = new TreeMap<>(properties());
        own.keySet().removeIf(name -> !name.startsWith("server.compression."));
        return own;
    }

    /** Returns its JVM options: those of all servers, then its own. */
    public JvmOptions jvmOptions(JvmOptions common) {
        List<String> own = new ArrayList<>(jvm());
        Optional.ofNullable(agent())
                .ifPresent(one -> own.add("-javaagent:" + LocalJar.parse(one).path()));
        return common.with(heap(), own);
    }

    /** Returns its settings that differ from the defaults, for people, by key. Each property has its own entry. */
    public SortedMap<String, String> texts() {
        SortedMap<String, String> texts = new TreeMap<>(Keys.texts(server(), " "));
        texts.keySet().removeAll(List.of("properties", "env"));
        properties().forEach((name, value) -> texts.put(PROPERTY + name, value));
        env().forEach((name, value) -> texts.put("env." + name, value));
        Optional.ofNullable(server().settings).ifPresent(name -> texts.put("settings", name));
        return texts;
    }

    public String container() {
        return software.container;
    }

    public String version() {
        return software.version;
    }

    public String boot() {
        return software.boot;
    }

    public String app() {
        return software.app;
    }

    /** Returns a Maven profile that adds something to our own application; null for no addition. */
    public String with() {
        return software.with;
    }

    public List<String> command() {
        return software.command;
    }

    public String ready() {
        return software.ready;
    }

    /** Returns the command that starts its servers; empty if they are Spring Boot jars. */
    public Optional<ServerCommand> serverCommand() {
        return Optional.of(command()).filter(words -> !words.isEmpty()).map(ServerCommand::new);
    }

    public String jdk() {
        return serving.jdk;
    }

    public Threads threads() {
        return serving.threads;
    }

    public Protocol protocol() {
        return serving.protocol;
    }

    public Size heap() {
        return serving.heap;
    }

    public Size memory() {
        return serving.memory;
    }

    public Cpus cpus() {
        return serving.cpus;
    }

    public List<String> jvm() {
        return serving.jvm;
    }

    public String agent() {
        return serving.agent;
    }

    public Map<String, String> properties() {
        return setup.properties;
    }

    public String archive() {
        return setup.archive;
    }

    public Map<String, String> env() {
        return setup.env;
    }

    public String workdir() {
        return setup.workdir;
    }

    /** Returns whether its servers send spans to the collector; null if there is none. */
    public Boolean exports() {
        return setup.exports;
    }
}
