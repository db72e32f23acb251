package org.servletbench.bench.campaign;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.jar.Attributes;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.load.Generator;
import org.servletbench.bench.load.Generators;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.model.Protocol;
import org.servletbench.bench.model.Sha256;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.server.exchange.ContainerSwap;
import org.servletbench.bench.server.exchange.JarManifest;
import org.servletbench.bench.server.process.MavenBuild;

/** Builds the arms with the same Maven profiles that users run, but only if their sources changed. */
public final class ArmBuilds {

    private final Path root;
    private final Consumer<String> say;
    private final Map<String, Arm> built = new HashMap<>();

    public ArmBuilds(Path root, Consumer<String> say) {
        this.root = root;
        this.say = say;
    }

    /**
     * A build other than the default: Maven properties with versions, and profiles that add something to the
     * application.
     */
    private record Variant(SortedMap<String, String> versions, List<String> with) {

        /** Returns the variant that an arm needs. */
        private static Variant of(Arm arm, List<String> with) {
            SortedMap<String, String> versions = new TreeMap<>();
            String boot = arm.spec().boot() == null ? arm.line() : arm.spec().boot();
            if (!boot.equals(arm.line())) {
                versions.put(arm.line() + ".version", boot);
            }
            if (arm.spec().version() != null) {
                versions.put(
                        arm.line() + "." + arm.container() + ".version",
                        arm.spec().version());
            }
            return new Variant(
                    versions,
                    Stream.of(
                                    with.stream(),
                                    bringsHttp2(arm) ? Stream.of("jetty-h2") : Stream.<String>empty(),
                                    Stream.ofNullable(arm.spec().with()))
                            .flatMap(profiles -> profiles)
                            .toList());
        }

        /** Returns the suffix of the folder's name, because each variant has its own jar. */
        private String suffix() {
            return Stream.concat(with.stream(), versions.values().stream())
                    .map(one -> "-" + one)
                    .collect(Collectors.joining());
        }
    }

    /** True if the arm needs HTTP/2 libraries, which Jetty's starter leaves out. */
    private static boolean bringsHttp2(Arm arm) {
        return "jetty".equals(arm.spec().container()) && arm.spec().speaks() == Protocol.H2;
    }

    /** Returns the Maven profiles that add to the application what the workloads need. */
    static List<String> with(List<Workload> workloads) {
        return workloads.stream()
                .map(Workload::with)
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }

    /**
     * Returns the arms with their jars, checksums and versions.
     *
     * @param with Maven profiles that add something to the application
     * @throws TargetException if a build fails, or a jar is not what it should be
     */
    public List<Arm> complete(List<Arm> arms, List<String> with) {
        return arms.stream()
                .map(arm -> arm.role() == Arm.Role.REFERENCE
                        ? arm
                        : arm.spec()
                                .serverCommand()
                                .map(command -> arm.with(CommandArms.build(command)))
                                .orElseGet(() -> complete(arm, Variant.of(arm, with))))
                .toList();
    }

    /** Completes the arms with the default build. */
    public List<Arm> complete(List<Arm> arms) {
        return complete(arms, List.of());
    }

    private Arm complete(Arm arm, Variant variant) {
        boolean ours = arm.jar().isEmpty();
        String key = ours
                ? arm.profile() + "," + arm.line() + variant.suffix()
                : arm.jar() + "," + arm.spec().container() + "," + arm.spec().version() + bringsHttp2(arm);
        Arm facts = built.computeIfAbsent(key, any -> ours ? build(arm, variant) : read(arm, jar(arm)));
        return arm.with(facts.build());
    }

    private Arm build(Arm arm, Variant variant) {
        String name = arm.container() + "-" + arm.connector() + "-" + arm.line() + variant.suffix();
        requireSources(arm);
        Path folder = root.resolve("target-apps/spring-boot/target").resolve(name);
        Path jar = folder.resolve("app.jar");
        Path stamp = folder.resolve("built-from.sha256");
        List<String> arguments = new ArrayList<>();
        arguments.add(Stream.concat(Stream.of(arm.profile(), arm.line()), variant.with().stream())
                .collect(Collectors.joining(",", "-P", "")));
        variant.versions().forEach((property, version) -> arguments.add("-D" + property + "=" + version));
        arguments.addAll(List.of("-Dbench.arm=" + name, "-pl", ".,target-apps/spring-boot", "process-classes"));
        try (FileChannel lock = locked()) {
            String sources = sources(arm.profile());
            // The jar itself is compared, too, because a manual build may have replaced it.
            if (!Files.isRegularFile(jar)
                    || !Files.isRegularFile(stamp)
                    || !Files.readString(stamp).equals(sources + Sha256.of(jar))) {
                say.accept("building " + arm.profile() + " on " + arm.line() + variant.suffix());
                maven(arguments.toArray(String[]::new));
                Files.writeString(stamp, sources + Sha256.of(jar));
            }
            return read(arm, jar);
        } catch (IOException e) {
            throw new TargetException("cannot build " + arm.id() + " (" + e.getMessage() + ")");
        }
    }

    /**
     * Rejects arms and generators whose build would fail because Maven or the sources are missing.
     *
     * @param hasMaven true if Maven can be run
     * @throws TargetException that names the arm or the generator, and the solution
     */
    void requireBuildable(List<Arm> arms, Plan plan, boolean hasMaven) {
        for (Arm arm : arms) {
            if (arm.role() == Arm.Role.REFERENCE || arm.spec().serverCommand().isPresent()) {
                continue;
            }
            if (arm.jar().isEmpty()) {
                requireSources(arm);
            }
            String app = arm.spec().app();
            String container = arm.spec().container();
            if (!hasMaven
                    && app != null
                    && container != null
                    && ContainerSwap.in(root)
                            .needsMaven(
                                    Path.of(app),
                                    container,
                                    Optional.ofNullable(arm.spec().version()),
                                    bringsHttp2(arm))) {
                throw new TargetException(arm.id() + ": exchanging the container of "
                        + Path.of(app).getFileName()
                        + " needs Maven, which is not on the PATH: install it, or compare two builds (--app twice), or"
                        + " heaps and JDKs of one (--arms tomcat:heap=256m,tomcat:heap=512m)");
            }
        }
        plan.tools().stream()
                .map(Generators::named)
                .filter(one -> one.build().isPresent() && !MavenBuild.hasSources(root))
                .filter(one -> !Files.isRegularFile(
                        root.resolve(one.build().orElseThrow().file())))
                .findFirst()
                .ifPresent(one -> {
                    throw new TargetException("generator " + one.name()
                            + " is built from the sources of servlet-bench, which this folder does not have: take a clone,"
                            + " or --generators gatling");
                });
    }

    private void requireSources(Arm arm) {
        if (!MavenBuild.hasSources(root)) {
            throw new TargetException(
                    arm.id() + " is built from the sources of servlet-bench, which this folder does not have: take a"
                            + " clone, or give arms that are finished jars (--app)");
        }
    }

    /**
     * Returns the jar of an arm that names one: the jar itself, or one with another container. A record's jar of ours
     * is used as it is.
     */
    private Path jar(Arm arm) {
        String app = arm.spec().app();
        String container = arm.spec().container();
        if (app == null || container == null) {
            return Path.of(arm.jar());
        }
        ContainerSwap.Outcome outcome = ContainerSwap.in(root)
                .exchange(
                        Path.of(app), container, Optional.ofNullable(arm.spec().version()), bringsHttp2(arm));
        ContainerSwap.Exchange exchange = outcome.exchange();
        say.accept(
                arm.id() + ": " + exchange.words() + ", " + exchange.removed().size() + " libraries removed, "
                        + exchange.added().size() + " added");
        exchange.warnings().forEach(say);
        return outcome.jar();
    }

    private static Arm read(Arm arm, Path jar) {
        try {
            Attributes manifest = JarManifest.of(jar).getMainAttributes();
            if (manifest.getValue(Attributes.Name.MAIN_CLASS) == null) {
                throw new TargetException(jar + " is not an application that java -jar can start");
            }
            return arm.with(new Arm.Build(
                    text(manifest, "Bench-Container-Version"),
                    text(manifest, "Spring-Boot-Version"),
                    jar.toString(),
                    Sha256.of(jar)));
        } catch (IOException e) {
            throw new TargetException("cannot read " + jar + " (" + e.getMessage() + ")");
        }
    }

    private static String text(Attributes manifest, String name) {
        return Optional.ofNullable(manifest.getValue(name)).orElse("");
    }

    /** Returns the sources of one of our jars. */
    private String sources(String profile) throws IOException {
        List<Path> files = new ArrayList<>(List.of(
                root.resolve("pom.xml"),
                root.resolve("target-apps/spring-boot/pom.xml"),
                root.resolve("profiles").resolve(profile + ".properties")));
        try (Stream<Path> tree = Files.walk(root.resolve("target-apps/spring-boot/src"))) {
            tree.filter(Files::isRegularFile).sorted().forEach(files::add);
        }
        MessageDigest digest = Sha256.digest();
        for (Path file : files) {
            digest.update(root.relativize(file).toString().getBytes(StandardCharsets.UTF_8));
            digest.update(Files.readAllBytes(file));
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Checks that a generator is available. If a build makes it, builds it when it is missing or outdated. */
    public void generator(Generator generator) {
        generator.build().ifPresent(build -> {
            Path built = root.resolve(build.file());
            if (!MavenBuild.hasSources(root) && Files.isRegularFile(built)) {
                // The generator came with the program.
                return;
            }
            try (FileChannel lock = locked()) {
                if (!Files.isRegularFile(built) || isOlder(built)) {
                    say.accept(build.what());
                    maven(build.maven().toArray(String[]::new));
                    Files.setLastModifiedTime(built, FileTime.from(Instant.now()));
                }
            } catch (IOException e) {
                throw new LoadException(build.what() + " failed (" + e.getMessage() + ")");
            }
        });
    }

    /** True if the generator's sources changed since it was built. After an update it would send the old load. */
    private boolean isOlder(Path built) throws IOException {
        Path module = built.getParent().getParent();
        List<Path> sources = new ArrayList<>(List.of(root.resolve("pom.xml"), module.resolve("pom.xml")));
        if (Files.isDirectory(module.resolve("src"))) {
            try (Stream<Path> tree = Files.walk(module.resolve("src"))) {
                tree.filter(Files::isRegularFile).forEach(sources::add);
            }
        }
        FileTime since = Files.getLastModifiedTime(built);
        for (Path source : sources) {
            if (Files.getLastModifiedTime(source).compareTo(since) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Locks builds in this working copy. No jar may be replaced while another servlet-bench runs a server from it. */
    private FileChannel locked() throws IOException {
        Path folder = Files.createDirectories(root.resolve("bench/target"));
        FileChannel channel =
                FileChannel.open(folder.resolve("builds.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            channel.lock();
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Checks that all generators of a plan are available, and builds those that a build makes. */
    public void generators(Plan plan) {
        plan.tools().stream().map(Generators::named).forEach(this::generator);
    }

    private void maven(String... arguments) {
        MavenBuild.run(root.resolve("pom.xml"), List.of(arguments));
    }
}
