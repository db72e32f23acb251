package org.servletbench.bench.campaign;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.comparison.Comparison;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Protocol;
import org.servletbench.bench.model.SafeFiles;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Threads;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Version;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.WarmStart;
import org.servletbench.bench.server.exchange.ServiceJar;
import org.servletbench.bench.server.exchange.ServiceJar.Setting;
import org.servletbench.bench.server.process.ClassArchive;
import org.servletbench.bench.server.process.Jdk;

/** Arms with the user's own service: what their jars reveal, and the settings that servlet-bench adds. */
final class ServiceArms {

    private static final String MANAGEMENT_PORT = "management.server.port";
    private static final String MANAGEMENT_ADDRESS = "management.server.address";
    private static final String VIRTUAL_THREADS = "spring.threads.virtual.enabled";
    private static final String TOMCAT_THREADS = "server.tomcat.threads.max";
    private static final String CONTEXT_PATH = "server.servlet.context-path";
    private static final int NOT_FOUND = 404;
    private static final String DATABASE = "spring.datasource.url";
    /** Variable from the user's shell that servers do not get. */
    private static final String PROFILES = "SPRING_PROFILES_ACTIVE";

    private static final int OLDEST_MAJOR = 2;
    private static final int OLDEST_MINOR = 7;

    /** Placeholder in a property for the name of its arm, so that each arm has its own file. */
    static final String ARM = "${arm}";

    private ServiceArms() {}

    /** Reads the jar of an arm, taking its working directory and profiles into account. */
    static ServiceJar jar(ArmSpec spec) {
        Path app = Path.of(spec.app()).toAbsolutePath();
        Path folder = spec.workdir() == null ? app.getParent() : Path.of(spec.workdir());
        String active = Stream.of(
                        spec.properties().get("spring.profiles.active"),
                        spec.env().get(PROFILES))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("");
        return ServiceJar.read(
                app,
                folder,
                Stream.of(active.split(","))
                        .map(String::strip)
                        .filter(one -> !one.isEmpty())
                        .toList());
    }

    private static boolean isService(ArmSpec spec) {
        return spec.app() != null && Files.isRegularFile(Path.of(spec.app()));
    }

    /** Returns the comparison with the protocol TLS for services that have their own certificate. */
    static Comparison speaking(Comparison comparison) {
        return comparison.withArms(spec -> {
            if (!isService(spec) || spec.protocol() != null) {
                return spec;
            }
            Protocol own = jar(spec).protocol();
            return own == Protocol.HTTP ? spec : spec.speaking(own);
        });
    }

    /**
     * Rejects arms that would fail when their servers start, with a less helpful message.
     *
     * @throws UsageException that names the arm, the reason and the solution
     */
    static void requirePossible(Planner.Draft draft, List<Jdk> jdks) {
        for (Arm arm : draft.arms()) {
            if (arm.role() == Arm.Role.CONTROL || !isService(arm.spec())) {
                requireLimit(arm, arm.profile().startsWith("tomcat") && arm.threads() == Threads.VIRTUAL);
                continue;
            }
            ServiceJar jar = jar(arm.spec());
            Path name = jar.file().getFileName();
            if (!jar.isExecutable()) {
                throw wrong(
                        arm,
                        name + " cannot be started (its manifest has no Main-Class): give the jar that"
                                + " spring-boot:repackage or bootJar makes");
            }
            if (isTooOld(jar.bootVersion())) {
                throw wrong(
                        arm,
                        name + " is built with Spring Boot " + jar.bootVersion()
                                + ": the oldest that can be compared is " + OLDEST_MAJOR + "." + OLDEST_MINOR);
            }
            jar.lacks(arm.spec().container()).ifPresent(why -> {
                throw wrong(arm, why);
            });
            Jdk jdk = ArmList.jdk(arm, draft.procedure(), jdks);
            if (jdk.feature() > 0 && jar.java() > jdk.feature()) {
                throw wrong(
                        arm,
                        name + " is built for Java " + jar.java() + ", and its servers would run on JDK "
                                + jdk.version() + ": give --jdk HOME, the home of a JDK " + jar.java() + " or newer");
            }
            lacksVirtualThreads(arm.spec(), jar, jdk).ifPresent(why -> {
                throw wrong(arm, why);
            });
            String container = arm.container().isEmpty() ? jar.container() : arm.container();
            requireLimit(arm, container.equals("tomcat") && isVirtual(arm.spec(), jar, jdk));
            if (arm.warmStart() != WarmStart.NONE) {
                ClassArchive.lacksTools(jar.file()).ifPresent(UsageException::raise);
            }
            if (!container.isEmpty() && draft.plan().loads().stream().noneMatch(MeasuredLoad::isStartUp)) {
                outside(arm.spec(), jar, draft.workloads()).ifPresent(why -> {
                    throw wrong(arm, why);
                });
            }
            if (draft.plan().together()) {
                fileDatabase(arm.spec(), jar).ifPresent(why -> {
                    throw wrong(arm, why);
                });
            }
        }
    }

    /** Returns a path outside the service's context path, which would answer 404. */
    private static Optional<String> outside(ArmSpec spec, ServiceJar jar, List<Workload> workloads) {
        if (spec.env().keySet().stream()
                .anyMatch(name -> ServiceJar.uniform(name).contains("contextpath"))) {
            return Optional.empty();
        }
        String context = Optional.ofNullable(spec.properties().get(CONTEXT_PATH))
                .or(() -> jar.value(CONTEXT_PATH))
                .map(String::strip)
                .orElse("");
        if (!context.matches("(/[\\w.~-]+)+")) {
            return Optional.empty();
        }
        return workloads.stream()
                .filter(Workload::isKnown)
                .flatMap(one -> one.parts().stream())
                .filter(part -> part.sending().status() != NOT_FOUND)
                .map(Workload::path)
                .filter(path -> path.matches("/[^$]*"))
                .filter(path -> !path.equals(context) && !path.matches(Pattern.quote(context) + "[/?].*"))
                .findFirst()
                .map(path -> path + " is not below its context path " + context + " (" + CONTEXT_PATH + "): give "
                        + context + path);
    }

    /** Rejects a thread limit of an arm whose virtual threads have none, so that it would have no effect. */
    private static void requireLimit(Arm arm, boolean none) {
        String limit = arm.spec().properties().get(TOMCAT_THREADS);
        if (none && limit != null) {
            throw wrong(
                    arm,
                    TOMCAT_THREADS + "=" + limit + " limits nothing: its threads are virtual, and Tomcat starts one for"
                            + " each request: leave it out, or compare platform threads");
        }
    }

    /** True if virtual threads serve requests: the arm asks for them, and both Spring Boot and the JDK support them. */
    private static boolean isVirtual(ArmSpec spec, ServiceJar jar, Jdk jdk) {
        return asksForVirtualThreads(spec, jar.value(VIRTUAL_THREADS).orElse("false"))
                && jdk.feature() >= Threads.OLDEST_JDK
                && Version.isOne(jar.bootVersion())
                && !isBeforeVirtualThreads(jar);
    }

    /** @param otherwise value of the property if the arm does not set it */
    private static boolean asksForVirtualThreads(ArmSpec spec, String otherwise) {
        return Stream.of(
                        spec.env().get("SPRING_THREADS_VIRTUAL_ENABLED"),
                        spec.properties().get(VIRTUAL_THREADS),
                        otherwise)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow()
                .equalsIgnoreCase("true");
    }

    private static boolean isBeforeVirtualThreads(ServiceJar jar) {
        return jar.bootVersion().matches("2[.].*|3[.][01][.].*");
    }

    /**
     * Returns why an arm that asks for virtual threads does not get them: Spring Boot ignores the property, or the JDK
     * has none.
     */
    private static Optional<String> lacksVirtualThreads(ArmSpec spec, ServiceJar jar, Jdk jdk) {
        boolean oldJdk = jdk.feature() > 0 && jdk.feature() < Threads.OLDEST_JDK;
        return asksForVirtualThreads(spec, "false") && (oldJdk || isBeforeVirtualThreads(jar))
                ? Optional.of(VIRTUAL_THREADS + " has no effect with "
                        + (Version.isOne(jar.bootVersion()) ? "Spring Boot " + jar.bootVersion() + " on " : "")
                        + "JDK " + jdk.version() + ": virtual threads need Spring Boot 3.2 and JDK "
                        + Threads.OLDEST_JDK + ", or newer ones")
                : Optional.empty();
    }

    private static UsageException wrong(Arm arm, String why) {
        return new UsageException("arms." + arm.id() + ": " + why);
    }

    private static boolean isTooOld(String boot) {
        String[] parts = boot.split("[.-]");
        return boot.matches("\\d{1,4}\\.\\d{1,4}\\b.*")
                && (Integer.parseInt(parts[0]) < OLDEST_MAJOR
                        || Integer.parseInt(parts[0]) == OLDEST_MAJOR && Integer.parseInt(parts[1]) < OLDEST_MINOR);
    }

    private static Optional<String> fileDatabase(ArmSpec spec, ServiceJar jar) {
        if (spec.env().containsKey("SPRING_DATASOURCE_URL")) {
            return Optional.empty();
        }
        return Optional.ofNullable(spec.properties().get(DATABASE))
                .or(() -> jar.value(DATABASE))
                .flatMap(ServiceJar::fileOf)
                .filter(url -> !url.contains(ARM))
                .map(url -> {
                    String plain = url.replaceFirst("[;?].*", "");
                    return "its database is in a file (" + plain + "), which one server at a time can open, and "
                            + "servers run together: give --set measure.together=false, or each its own file:"
                            + " --set 'server.properties." + DATABASE + "=" + plain + "-" + ARM + "'";
                });
    }

    /**
     * Returns the arguments that servlet-bench adds to every service: they give its management server a port and an
     * address of its own.
     */
    static List<String> arguments(ArmSpec spec) {
        return isService(spec) && movedPort(spec, jar(spec)).isPresent()
                ? List.of("--" + MANAGEMENT_PORT + "=${port}", "--" + MANAGEMENT_ADDRESS + "=${server.address}")
                : List.of();
    }

    /** Returns the port of its management server that servlet-bench replaces; empty if the arm sets the port. */
    private static Optional<String> movedPort(ArmSpec spec, ServiceJar jar) {
        return spec.properties().containsKey(MANAGEMENT_PORT) ? Optional.empty() : jar.managementPort();
    }

    /**
     * Returns the settings set of an arm, without the settings that its own service has, unless the arm names the set.
     *
     * @param folder receives the reduced file if settings are left out
     */
    static Path settings(Path set, ArmSpec spec, Path folder, String arm) {
        List<Setting> kept = isService(spec) ? kept(set, spec, jar(spec)) : List.of();
        if (kept.isEmpty()) {
            return set;
        }
        Properties rest = new Properties();
        ProfilesFolder.settingsValues(set).forEach((name, value) -> {
            if (kept.stream().noneMatch(one -> isSame(one, name))) {
                rest.setProperty(name, value);
            }
        });
        try {
            StringWriter text = new StringWriter();
            rest.store(text, null);
            Path file = SafeFiles.folder(folder.toAbsolutePath().getParent(), folder)
                    .resolve(arm + ".properties");
            Json.replace(
                    file,
                    text.toString()
                            .lines()
                            .filter(line -> !line.startsWith("#"))
                            .sorted()
                            .collect(Collectors.joining("\n", "", "\n")));
            return file;
        } catch (IOException e) {
            throw new TargetException("cannot write the settings of " + arm + " (" + e.getMessage() + ")");
        }
    }

    private static boolean isSame(Setting own, String name) {
        return ServiceJar.uniform(own.name()).equals(ServiceJar.uniform(name));
    }

    /** Returns the service's own settings that the settings set would replace. */
    private static List<Setting> kept(Path set, ArmSpec spec, ServiceJar jar) {
        if (spec.settings() != null) {
            return List.of();
        }
        return ProfilesFolder.settingsValues(set).keySet().stream()
                .flatMap(name -> Stream.ofNullable(jar.settings().get(ServiceJar.uniform(name))))
                .toList();
    }

    /**
     * Describes the settings of each service, by the arm's id: those added, those of its own that are kept, and those
     * that differ between arms.
     *
     * @param environment environment variables of servlet-bench
     */
    static Map<String, String> words(Planner.Draft draft, ProfilesFolder profiles, Map<String, String> environment) {
        List<Arm> arms = draft.arms();
        Map<String, String> words = new LinkedHashMap<>();
        for (Arm arm : arms) {
            arm.spec()
                    .serverCommand()
                    .filter(any -> arm.role() != Arm.Role.CONTROL)
                    .ifPresent(command -> words.put(arm.id(), CommandArms.words(arm, command)));
            if (arm.role() != Arm.Role.CONTROL && isService(arm.spec())) {
                String name = arm.spec().settings() == null
                        ? draft.plan().settings()
                        : arm.spec().settings();
                String text = String.join(
                        "; ", words(arm, name, draft.procedure().start().acceptsGzip(), profiles, arms, environment));
                if (!text.isEmpty()) {
                    words.put(arm.id(), text);
                }
            }
        }
        return words;
    }

    private static List<String> words(
            Arm arm,
            String name,
            boolean acceptsGzip,
            ProfilesFolder profiles,
            List<Arm> arms,
            Map<String, String> environment) {
        Path set = profiles.settings(name);
        ArmSpec spec = arm.spec();
        ServiceJar jar = jar(spec);
        String container = arm.container().isEmpty() ? jar.container() : arm.container();
        List<String> words = new ArrayList<>();
        List<Setting> kept = kept(set, spec, jar).stream()
                .filter(one -> isOf(container, one.name()))
                .toList();
        if (!kept.isEmpty()) {
            words.add("its own " + join(kept) + " stay");
        }
        Map<String, String> values = new TreeMap<>(ProfilesFolder.settingsValues(set));
        String rig = values.keySet().stream()
                .filter(key -> key.startsWith("server.") && isOf(container, key))
                .filter(key -> kept.stream().noneMatch(one -> isSame(one, key)))
                .map(key -> key + "=" + resolved(values.get(key), values))
                .collect(Collectors.joining(", "));
        if (!rig.isEmpty()) {
            words.add("the rig sets " + rig + " (settings set " + name + ")");
        }
        movedPort(spec, jar)
                .ifPresent(port -> words.add("the rig moves its " + MANAGEMENT_PORT + "=" + port
                        + " to a free port on each server's own address"));
        if (spec.speaks() != Protocol.HTTP && jar.protocol() != Protocol.HTTP) {
            words.add("it speaks " + spec.speaks().key() + ", with a certificate of the rig");
        }
        if (jar.value("server.compression.enabled").map("true"::equals).orElse(false) && !acceptsGzip) {
            words.add(
                    "it compresses answers, and no request accepts that: measure: {accept-encoding: gzip} asks for it");
        }
        oneContainerOnly(spec, jar, arms).ifPresent(words::add);
        String shell = environment.get(PROFILES);
        if (shell != null && !spec.env().containsKey(PROFILES)) {
            words.add(PROFILES + " of this shell does not reach it: give --set server.env." + PROFILES + "=" + shell);
        }
        return words;
    }

    /** True if a property affects a container. If the container is unknown, any property may. */
    private static boolean isOf(String container, String name) {
        return container.isEmpty()
                || !name.matches("server\\.(tomcat|jetty|undertow)\\..*")
                || name.startsWith("server." + container + ".");
    }

    private static String resolved(String value, Map<String, String> values) {
        return value.matches("\\$\\{[^}]+}")
                ? values.getOrDefault(value.substring(2, value.length() - 1), value)
                : value;
    }

    private static String join(List<Setting> settings) {
        return settings.stream().map(Setting::toString).collect(Collectors.joining(", "));
    }

    /**
     * Returns a setting that only one container has. Jetty ignores Tomcat's thread limit or access log, for example.
     */
    private static Optional<String> oneContainerOnly(ArmSpec spec, ServiceJar jar, List<Arm> arms) {
        boolean exchanged = arms.stream()
                .filter(arm -> Objects.equals(arm.spec().app(), spec.app()))
                .anyMatch(arm -> arm.spec().container() != null);
        if (!exchanged) {
            return Optional.empty();
        }
        List<Setting> alone = Stream.of("tomcat", "jetty", "undertow")
                .flatMap(one -> jar.below("server." + one + ".").stream())
                .toList();
        return alone.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        join(alone) + " has an effect on that container alone: what the arms do may differ by it");
    }
}
