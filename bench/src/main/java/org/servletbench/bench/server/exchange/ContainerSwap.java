package org.servletbench.bench.server.exchange;

import com.fasterxml.jackson.core.JacksonException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.SafeFiles;
import org.servletbench.bench.model.Sha256;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Version;
import org.servletbench.bench.server.process.RunFolder;

/**
 * Replaces the servlet container of a finished Spring Boot jar. Removes the libraries of the old container and adds
 * those of the new one's starter, in the versions of the same Spring Boot. The service's own classes and all its other
 * libraries remain unchanged.
 */
public final class ContainerSwap {

    /**
     * Record of a swap, which is stored in the new jar.
     *
     * @param from container and version before
     * @param to container and version now, such as {@code Jetty 12.0.36}
     * @param removed file names of removed libraries
     * @param added file names of added libraries
     * @param needOld classes of the service that use a class of the old container, and may fail without it
     */
    public record Exchange(
            String bootVersion,
            String from,
            String to,
            List<String> removed,
            List<String> added,
            List<String> needOld) {

        /** @throws IllegalArgumentException if a part is missing, as in a record that somebody else wrote into a jar */
        public Exchange {
            requireWhole("bootVersion", bootVersion);
            requireWhole("from", from);
            requireWhole("to", to);
            requireWhole("removed", removed);
            requireWhole("added", added);
            requireWhole("needOld", needOld);
        }

        private static void requireWhole(String name, Object part) {
            if (part == null || part instanceof List<?> list && list.stream().anyMatch(Objects::isNull)) {
                throw new IllegalArgumentException("it has no whole '" + name + "'");
            }
        }

        /** Returns the old and the new container: {@code Tomcat 10.1.55 -> Jetty 12.0.36}. */
        public String words() {
            return from + " -> " + to;
        }

        /** Returns the swap with every library, for a record, in three lines. */
        public String text() {
            return words() + "\nremoved: " + String.join(" ", removed) + "\nadded: " + String.join(" ", added);
        }

        /** Returns reasons why the service may not start, one line each. */
        public List<String> warnings() {
            return needOld.stream()
                    .map(one -> "warning: " + Text.plain(one) + ", which is gone: the service may not start")
                    .toList();
        }
    }

    /** The new jar and the record of the swap. */
    public record Outcome(Path jar, Exchange exchange) {}

    private static final String NETTY = "netty";

    /** Attribute in the new jar's manifest for the container that the running server must have. */
    static final String CONTAINER = "Bench-Container";

    static final String CONTAINER_VERSION = "Bench-Container-Version";
    /** Entry of the new jar that contains the record of the swap. */
    static final String RECORD = "META-INF/servlet-bench/exchange.json";

    /** Version of the jars in the cache. Jars of another version are made again. */
    private static final String FORM = "2";

    /** Time of new entries, ms since the epoch. It is constant, so that the same input gives the same bytes. */
    private static final long TIME = 1_700_000_000_000L;

    private final Path cache;
    private final Starters starters;
    private final Supplier<Budget> budgets;

    /** Creates an instance with the cache of a clone. */
    public static ContainerSwap in(Path repository) {
        return new ContainerSwap(repository.resolve("bench/target/exchange"));
    }

    /** @param cache folder for libraries and new jars, which may be deleted at any time */
    public ContainerSwap(Path cache) {
        this(cache, Budget::new);
    }

    /** @param budgets supplies a budget for each service */
    ContainerSwap(Path cache, Supplier<Budget> budgets) {
        this.cache = cache;
        this.budgets = budgets;
        starters = new Starters(cache.resolve("starters"));
    }

    /**
     * Returns the containers on which a service can run, its own first; only its own if that is not a servlet
     * container.
     *
     * @throws UsageException if it has no replaceable container; the message says why
     */
    public static List<String> containers(Path jar) {
        if (BootJar.runsOnNetty(jar)) {
            return List.of(NETTY);
        }
        BootJar service = BootJar.withContainer(jar);
        return Stream.concat(
                        Stream.of(service.container()),
                        Stream.of(ServletContainer.values())
                                .filter(one -> one.isIn(service.bootVersion()))
                                .filter(one -> !service.hasPages() || one != ServletContainer.UNDERTOW))
                .distinct()
                .map(ServletContainer::key)
                .toList();
    }

    /**
     * Returns the jar with another container, from the cache if the same swap was made before.
     *
     * @param container {@code tomcat}, {@code jetty} or {@code undertow}
     * @param version version of the container; empty for the one in the jar or, for another container, the one of its
     *     Spring Boot
     * @param http2 true if a Jetty needs the libraries for HTTP/2
     * @throws UsageException if this jar's container cannot be replaced, or there is no such container or version
     * @throws TargetException if Maven fails, or a file cannot be written
     */
    public Outcome exchange(Path jar, String container, Optional<String> version, boolean http2) {
        if (!Files.isRegularFile(jar)) {
            throw new UsageException(jar + ": there is no such file");
        }
        Path own = null;
        try {
            // Replacing the jar in the meantime has no effect, because the hash and the new jar come from one copy.
            own = Files.createTempDirectory(SafeFiles.ownFolder(cache), "unfinished");
            Budget budget = budgets.get();
            budget.requireFile(jar);
            Path copy = Files.copy(jar, own.resolve("service.jar"));
            BootJar service = BootJar.withContainer(copy, jar, budget);
            boolean needed = http2
                    || ServiceJar.read(jar, jar.toAbsolutePath().getParent(), List.of())
                            .hasHttp2();
            return exchange(jar, service, budget, own, container, version, needed);
        } catch (IOException e) {
            throw new TargetException("cannot exchange the container of " + jar + " (" + e.getMessage() + ")");
        } finally {
            delete(own);
        }
    }

    private static void delete(Path own) {
        if (own != null) {
            try {
                RunFolder.delete(own);
            } catch (IOException e) {
                // The folder remains in the cache, which may be deleted at any time.
            }
        }
    }

    private Outcome exchange(
            Path jar,
            BootJar service,
            Budget budget,
            Path own,
            String container,
            Optional<String> version,
            boolean http2)
            throws IOException {
        ServletContainer target = target(jar, service, container);
        List<Artifact> old = starters.libraries(old(service));
        List<Artifact> fresh = starters.libraries(fresh(service, target, version, http2));
        String key = Sha256.of(Stream.concat(
                        Stream.of(FORM, Sha256.of(service.file())),
                        fresh.stream().map(one -> one.module() + ":" + one.version()))
                .collect(Collectors.joining("\n")));
        Path made = cache.resolve("jars").resolve(key).resolve(jar.getFileName());
        if (!Files.isRegularFile(made)) {
            SafeFiles.folder(cache, made.getParent());
            Path unfinished = own.resolve("made.jar");
            write(service, target, old, fresh, budget, unfinished);
            Files.move(unfinished, made, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        // Some services report the age of their jar as that of their files.
        Files.setLastModifiedTime(made, Files.getLastModifiedTime(jar));
        Files.setPosixFilePermissions(made, Files.getPosixFilePermissions(jar));
        return read(made);
    }

    /** Returns the starter to remove. A service without JSP pages keeps a JSP engine. */
    private static Starters.Starter old(BootJar service) {
        return new Starters.Starter(
                service.bootVersion(), service.container(), Optional.empty(), false, service.hasPages());
    }

    /**
     * Returns the starter to add. A service may have another container version than that of its Spring Boot; replacing
     * Tomcat by Tomcat keeps it.
     */
    private static Starters.Starter fresh(
            BootJar service, ServletContainer target, Optional<String> version, boolean http2) {
        Optional<Version> wanted = version.map(Version::new)
                .or(() -> Optional.of(service.containerVersion()).filter(any -> target == service.container()));
        return new Starters.Starter(
                service.bootVersion(), target, wanted, http2 && target == ServletContainer.JETTY, service.hasPages());
    }

    /**
     * True if a swap needs Maven, because its libraries have not been resolved before.
     *
     * @throws UsageException if this jar's container cannot be replaced, or there is no such container
     */
    public boolean needsMaven(Path jar, String container, Optional<String> version, boolean http2) {
        BootJar service = BootJar.withContainer(jar);
        return !starters.has(old(service))
                || !starters.has(fresh(service, target(jar, service, container), version, http2));
    }

    private static ServletContainer target(Path jar, BootJar service, String name) {
        ServletContainer target = ServletContainer.named(name);
        if (!target.isIn(service.bootVersion())) {
            throw new UsageException(jar + " is built with Spring Boot " + service.bootVersion()
                    + ", which has no Undertow: give tomcat or jetty");
        }
        if (service.hasPages() && target == ServletContainer.UNDERTOW) {
            throw new UsageException(
                    jar + " has JSP pages, which Spring Boot does not run on Undertow: give tomcat or jetty");
        }
        return target;
    }

    private static Outcome read(Path jar) throws IOException {
        return new Outcome(jar, of(jar).orElseThrow(() -> new IOException(jar + " has no " + RECORD)));
    }

    /**
     * Returns the record of a jar's swap; empty for a jar as its build made it.
     *
     * @throws IOException if it cannot be read
     */
    public static Optional<Exchange> of(Path jar) throws IOException {
        Budget budget = new Budget();
        try (ZipFile file = budget.open(jar)) {
            ZipEntry entry = file.getEntry(RECORD);
            if (entry == null) {
                return Optional.empty();
            }
            Exchange done = Json.MAPPER.readValue(budget.read(file, entry).readNBytes(Budget.TEXT), Exchange.class);
            return Optional.of(
                    Optional.ofNullable(done).orElseThrow(() -> new IOException(jar + ": " + RECORD + " is empty")));
        } catch (JacksonException e) {
            throw new IOException(jar + ": " + RECORD + " is damaged: " + Json.why(e), e);
        }
    }

    private static void write(
            BootJar service, ServletContainer target, List<Artifact> old, List<Artifact> fresh, Budget budget, Path out)
            throws IOException {
        List<String> removed = service.libraries().stream()
                .filter(library -> isReplaced(library, service.container(), old) || isReplaced(library, target, fresh))
                .toList();
        Set<String> gone = Set.copyOf(removed);
        List<Artifact> added = fresh.stream()
                .filter(one -> service.libraries().stream()
                        .noneMatch(library -> one.isModuleOf(library) && !gone.contains(library)))
                .toList();
        String version = added.stream()
                .flatMap(one -> Stream.ofNullable(target.versionOf(one.fileName())))
                .findFirst()
                .orElseThrow(() -> new IOException(target.starter() + " brings no " + target.title()));
        Exchange done = new Exchange(
                service.bootVersion().text(),
                service.container().title() + " " + service.containerVersion(),
                target.title() + " " + version,
                removed,
                added.stream().map(Artifact::fileName).toList(),
                service.container() == target ? List.of() : service.classesThatNeed(service.container(), budget));
        Manifest manifest = new Manifest(service.manifest());
        Attributes main = manifest.getMainAttributes();
        String layers = main.getValue(JarWriter.LAYERS_INDEX);
        String index = main.getValue(JarWriter.CLASSPATH_INDEX);
        main.putValue(CONTAINER, target.key());
        main.putValue(CONTAINER_VERSION, version);
        List<String> come = added.stream()
                .map(one -> service.libraryFolder() + one.fileName())
                .toList();
        try (ZipFile in = budget.open(service.file());
                JarWriter jar = new JarWriter(out, service.before())) {
            for (ZipEntry entry : in.stream().toList()) {
                String name = entry.getName();
                if (name.equals(RECORD) || service.isOneOf(gone, name)) {
                    continue;
                }
                if (name.equals(JarFile.MANIFEST_NAME)) {
                    jar.put(entry, JarWriter.bytes(manifest));
                } else if (name.equals(index)) {
                    jar.put(entry, JarWriter.index(budget.text(in, entry), gone, come));
                } else if (name.equals(layers)) {
                    jar.put(entry, JarWriter.layers(budget.text(in, entry), gone, come));
                } else {
                    jar.copy(in, entry, budget);
                }
            }
            jar.put(RECORD, TIME, Json.MAPPER.writeValueAsBytes(done), false);
            for (Artifact one : added) {
                // The launcher reads libraries in place, so they must not be compressed.
                jar.put(service.libraryFolder() + one.fileName(), TIME, Files.readAllBytes(one.file()), true);
            }
        }
    }

    /** True if a library is replaced, as all of the container's own are. Every other library keeps its version. */
    private static boolean isReplaced(String library, ServletContainer container, List<Artifact> libraries) {
        return libraries.stream().anyMatch(one -> container.owns(one) && one.isModuleOf(library));
    }
}
