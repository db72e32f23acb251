package org.servletbench.bench.load.jmeter;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.servletbench.bench.generator.jmeter.launch.JMeterMain;
import org.servletbench.bench.generator.jmeter.launch.StopsHosts;
import org.servletbench.bench.generator.jmeter.launch.TargetAllowList;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.OwnFiles;
import org.servletbench.bench.model.Size;
import org.servletbench.bench.server.os.ManagedProcess;
import org.servletbench.bench.server.process.Jdk;

/**
 * A standard JMeter as installed by the Maven plug-in, with servlet-bench's settings: its heap, and the properties of
 * every run, GUI and server.
 *
 * @param home its folder, with {@code bin} and {@code lib}
 * @param version its version, for example {@code 5.6.3}
 * @param heap heap of its JVM
 * @param properties settings of JMeter: {@code jmeter.properties}
 * @param keystore keystore with which JMeters on several hosts authenticate each other
 */
public record JMeter(Path home, String version, Size heap, Path properties, Path keystore, String keystorePassword) {

    private static final String MAIN_CLASS = "org.apache.jmeter.NewDriver";
    private static final String HEADLESS = "-Djava.awt.headless=true";

    private static final Set<PosixFilePermission> OF_OTHERS = PosixFilePermissions.fromString("---rw-rw-");

    /** File with the version and the heap, which the build wrote. */
    private static final String BUILD = "build.properties";

    /** Ending of the file next to a keystore whose first line is the keystore's password. */
    private static final String PASSWORD = ".password";

    /**
     * The JMeter that a run requires.
     *
     * @param heap heap of its JVM
     * @param keystore empty: the module's own
     * @param password password of the keystore; empty: the first line of the file next to it
     */
    public record Asked(String version, Size heap, Optional<Path> keystore, Optional<String> password) {}

    /**
     * Returns the JMeter of the module {@code jmeter-plans}.
     *
     * @param module folder of that module, with its build folder {@code target}
     * @throws LoadException if no JMeter was installed there, or one of another version
     */
    public static JMeter of(Path module, Asked asked) {
        Path config = module.resolve("target/config.json");
        String version = asked.version;
        Path home;
        try {
            home = Path.of(Json.MAPPER
                    .readTree(config.toFile())
                    .at("/configurations/0/jmeterDirectoryPath")
                    .asText());
        } catch (IOException e) {
            throw new LoadException("JMeter is not set up (" + config + "): run mvn -Pjmeter verify in the root");
        }
        if (!Files.isRegularFile(jar(home, version))) {
            throw new LoadException(
                    "no JMeter " + version + " at " + home + ": delete jmeter-plans/target, then run it again");
        }
        Path groovy = home.resolve("lib").resolve("groovy-" + build().getProperty("groovy.version") + ".jar");
        if (!Files.isRegularFile(groovy)) {
            throw new LoadException("JMeter lacks " + groovy + ": delete jmeter-plans/target, then run it again");
        }
        Path keystore = asked.keystore.orElse(module.resolve("rmi_keystore.jks"));
        return new JMeter(
                home,
                version,
                asked.heap,
                module.resolve("jmeter.properties").toAbsolutePath(),
                keystore,
                asked.password.orElseGet(() -> password(keystore)));
    }

    /** Returns the password from the file next to the keystore; empty if there is none. */
    private static String password(Path keystore) {
        try {
            return Files.readString(passwordOf(keystore)).lines().findFirst().orElse("");
        } catch (IOException e) {
            return "";
        }
    }

    private static Path passwordOf(Path keystore) {
        return keystore.resolveSibling(keystore.getFileName() + PASSWORD);
    }

    /** Returns JMeter with the version and heap of the build that compiled this code. */
    public static JMeter ofBuild(Path module) {
        Properties build = build();
        return of(
                module,
                new Asked(
                        build.getProperty("jmeter.version"),
                        new Size(build.getProperty("generator.heap")),
                        Optional.empty(),
                        Optional.empty()));
    }

    private static Properties build() {
        Properties build = new Properties();
        try (InputStream in = LoadException.class.getResourceAsStream(BUILD)) {
            build.load(in);
            return build;
        } catch (IOException e) {
            throw new LoadException("cannot read " + BUILD + " (" + e.getMessage() + ")");
        }
    }

    /** Returns the names by which plans refer to JMeter's own elements. */
    Set<String> elements() {
        Properties names = new Properties();
        try (InputStream in = Files.newInputStream(home.resolve("bin").resolve("saveservice.properties"))) {
            names.load(in);
        } catch (IOException e) {
            throw new LoadException("cannot read JMeter's names of elements (" + e.getMessage() + ")");
        }
        // One class can have several names: HTTPSamplerProxy,HTTPSampler,HTTPSampler2=…
        return names.stringPropertyNames().stream()
                .flatMap(key -> Stream.of(key.split(",")))
                .collect(Collectors.toSet());
    }

    /** True if a class is in one of JMeter's jars. */
    boolean hasClass(String name) {
        String entry = name.replace('.', '/') + ".class";
        for (Path folder : List.of(home.resolve("lib").resolve("ext"), home.resolve("lib"))) {
            try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*.jar")) {
                for (Path jar : jars) {
                    try (ZipFile zip = new ZipFile(jar.toFile())) {
                        if (zip.getEntry(entry) != null) {
                            return true;
                        }
                    }
                }
            } catch (IOException e) {
                throw new LoadException("cannot read JMeter's jars (" + e.getMessage() + ")");
            }
        }
        return false;
    }

    private static Path jar(Path home, String version) {
        return home.resolve("bin").resolve("ApacheJMeter-" + version + ".jar");
    }

    /**
     * Starts JMeter without a GUI on a plan. It writes {@link JMeterRun#RESULTS} and {@code jmeter.log} to the folder.
     *
     * @param targets addresses to which it may connect, see {@link TargetAllowList}; empty: any
     * @param console file for its output; empty: the caller reads it from the process
     */
    Process run(
            Path plan,
            Path folder,
            JMeterHosts hosts,
            Set<String> targets,
            List<String> system,
            List<String> further,
            Optional<Path> console) {
        List<String> jvm = new ArrayList<>(List.of(HEADLESS));
        jvm.addAll(system);
        List<String> arguments = new ArrayList<>(List.of(
                "-n",
                "-t",
                plan.toAbsolutePath().toString(),
                "-l",
                folder.resolve(JMeterRun.RESULTS).toAbsolutePath().toString(),
                "-j",
                folder.resolve("jmeter.log").toAbsolutePath().toString(),
                // Turns off the UDP port that JMeter would open on every interface, and by which anyone could stop a
                // run.
                "-Jjmeterengine.nongui.port=0"));
        if (!hosts.isEmpty()) {
            jvm.add("-D" + StopsHosts.HOSTS + "=" + hosts.list());
            jvm.add("-Djava.rmi.server.hostname=" + hosts.ownAddress());
            arguments.addAll(tls());
            arguments.addAll(
                    List.of("-R", hosts.list(), "-Jmode=StrippedBatch", "-Jjmeter.save.saveservice.hostname=true"));
            // By default, with a slow load, a host sends nothing for a minute, while the rows of other hosts contain
            // the number of users.
            arguments.addAll(List.of("-Jnum_sample_threshold=100", "-Jtime_threshold=1000"));
        }
        arguments.addAll(further);
        Optional<Class<?>> wrapper = Optional.empty();
        if (!targets.isEmpty()) {
            jvm.addAll(
                    List.of(TargetAllowList.ALLOW, "-D" + TargetAllowList.TARGETS + "=" + String.join(",", targets)));
            wrapper = Optional.of(TargetAllowList.class);
        } else if (!hosts.isEmpty()) {
            wrapper = Optional.of(StopsHosts.class);
        }
        return start(command(jvm, arguments, wrapper), console, Map.of());
    }

    /**
     * Starts JMeter on all processors in a separate JVM, which ends with this one. It ends by a request, so that it
     * writes its results first.
     *
     * @param arguments JMeter's own arguments, besides those for the settings
     * @param console file for its output; empty: the caller reads it from the process
     */
    Process start(
            List<String> system, List<String> arguments, Optional<Path> console, Map<String, String> environment) {
        return start(command(system, arguments, Optional.empty()), console, environment);
    }

    private List<String> command(List<String> system, List<String> arguments, Optional<Class<?>> wrapper) {
        List<String> command = new ArrayList<>(List.of(Jdk.ownCommand(), "-Xmx" + heap));
        command.addAll(system);
        command.add("-Djmeter.home=" + home);
        command.add("-cp");
        command.add(wrapper.map(one -> folderOf(one) + File.pathSeparator).orElse("") + jar(home, version));
        wrapper.ifPresent(one -> command.add(one.getName()));
        // In the open model, each request is a thread, whose start and end JMeter would log.
        command.addAll(
                List.of(MAIN_CLASS, "-q", properties.toString(), "-Lorg.apache.jmeter.threads.JMeterThread=WARN"));
        command.addAll(arguments);
        return command;
    }

    private static Process start(List<String> command, Optional<Path> console, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeAll(JvmOptions.ENVIRONMENT);
        console.ifPresent(file -> builder.redirectOutput(ProcessBuilder.Redirect.appendTo(file.toFile())));
        builder.environment().putAll(environment);
        try {
            return ManagedProcess.start(builder, ManagedProcess.Farewell.TERM);
        } catch (IOException e) {
            throw new LoadException("JMeter could not be started: " + e.getMessage());
        }
    }

    /**
     * Returns JMeter's arguments for connections to other JMeters: TLS on both sides, with one keystore that is also
     * the truststore.
     */
    List<String> tls() {
        if (!Files.isRegularFile(keystore)) {
            throw new LoadException("no keystore at " + keystore
                    + " for JMeter on several hosts: make one with keytool,"
                    + " for yourself alone: umask 077; head -c 18 /dev/urandom | base64 > " + passwordOf(keystore)
                    + "; keytool -genkeypair -alias rmi -keyalg RSA -validity 365 -dname CN=servlet-bench -storepass:file "
                    + passwordOf(keystore) + " -keystore " + keystore + " and copy both to every host");
        }
        if (keystorePassword.isEmpty()) {
            throw new LoadException("no password for " + keystore + ": write it into " + passwordOf(keystore)
                    + " (umask 077), or give -Djmeter.keystore.password, which others on this machine see");
        }
        requireOwn(keystore);
        if (Files.exists(passwordOf(keystore))) {
            requireOwn(passwordOf(keystore));
        }
        return List.of(
                "-Jserver.rmi.ssl.disable=false",
                "-Jserver.rmi.ssl.keystore.file=" + keystore.toAbsolutePath(),
                "-Jserver.rmi.ssl.truststore.file=" + keystore.toAbsolutePath(),
                "-q",
                passwords().toString());
    }

    /** Rejects a file that others can access. Anyone who can read it can run code on the hosts. */
    private static void requireOwn(Path file) {
        try {
            if (Files.getPosixFilePermissions(file).stream().anyMatch(OF_OTHERS::contains)) {
                throw new LoadException(file + " can be read or changed by others, who could run code on the JMeter"
                        + " servers: chmod 600 " + file);
            }
        } catch (UnsupportedOperationException e) {
            // This file system has no such permissions.
        } catch (IOException e) {
            throw new LoadException("cannot look at " + file + " (" + e.getMessage() + ")");
        }
    }

    /**
     * Returns a file with the passwords that only its owner can read, until this JVM ends. Every user can see a command
     * line, and JMeter logs its arguments.
     */
    private Path passwords() {
        Properties passwords = new Properties();
        passwords.setProperty("server.rmi.ssl.keystore.password", keystorePassword);
        passwords.setProperty("server.rmi.ssl.truststore.password", keystorePassword);
        try {
            Path file = OwnFiles.file(".properties");
            file.toFile().deleteOnExit();
            try (OutputStream out = Files.newOutputStream(file)) {
                passwords.store(out, null);
            }
            return file;
        } catch (IOException e) {
            throw new LoadException(
                    "cannot write the password of " + keystore + " for JMeter (" + e.getMessage() + ")");
        }
    }

    /**
     * Returns a folder that contains only wrappers, because no library of servlet-bench may precede one of JMeter's.
     */
    private Path folderOf(Class<?> wrapper) {
        Path folder = home.resolve("servlet-bench");
        for (Class<?> one : List.of(wrapper, JMeterMain.class)) {
            String name = one.getName().replace('.', '/') + ".class";
            Path file = folder.resolve(name);
            try (InputStream in = one.getResourceAsStream("/" + name)) {
                byte[] wanted = in.readAllBytes();
                if (!Files.isRegularFile(file) || !Arrays.equals(wanted, Files.readAllBytes(file))) {
                    Json.replace(file, wanted);
                }
            } catch (IOException e) {
                throw new LoadException("cannot write to " + folder + " (" + e.getMessage() + ")");
            }
        }
        return folder;
    }
}
