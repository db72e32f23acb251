package org.servletbench.bench.load.jmeter;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.ZipFile;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.server.os.ManagedProcess;
import org.servletbench.bench.server.process.Jdk;

/**
 * A stock JMeter as the Maven plug-in laid it out, with our settings: its heap, and the properties that hold for every run, GUI
 * and server.
 *
 * @param home its folder: {@code bin}, {@code lib}
 * @param version for example {@code 5.6.3}
 * @param heap of its JVM, as in {@code -Xmx}
 * @param properties settings of JMeter: {@code jmeter.properties}
 * @param keystore by which JMeters on several hosts know each other
 */
public record JMeter(Path home, String version, String heap, Path properties, Path keystore, String keystorePassword) {

    private static final String MAIN_CLASS = "org.apache.jmeter.NewDriver";
    private static final String HEADLESS = "-Djava.awt.headless=true";
    private static final String WRAPPER = StopsHosts.class.getName().replace('.', '/') + ".class";

    /** What the build says of version and heap. */
    private static final String BUILD = "build.properties";

    private static final String DEFAULT_PASSWORD = "changeit";

    /**
     * The JMeter of the module {@code jmeter-plans}.
     *
     * @param module the folder of that module, with its build folder {@code target}
     * @param options {@code jmeter.version} and {@code generator.heap} are needed; {@code jmeter.keystore} and
     *     {@code jmeter.keystore.password} are taken where they are given
     * @throws LoadException if no JMeter was laid out there, or one of another version
     */
    public static JMeter of(Path module, Options options) {
        Path config = module.resolve("target/config.json");
        String version = options.required("jmeter.version");
        Path home;
        try {
            home = Path.of(Json.MAPPER
                    .readTree(config.toFile())
                    .at("/configurations/0/jmeterDirectoryPath")
                    .asText());
        } catch (IOException e) {
            throw new LoadException("no JMeter was laid out (" + config + "): run from the root, mvn -Pjmeter verify");
        }
        if (!Files.isRegularFile(jar(home, version))) {
            throw new LoadException(
                    "no JMeter " + version + " at " + home + ": delete jmeter-plans/target, then run it again");
        }
        Path groovy = home.resolve("lib").resolve("groovy-" + build().getProperty("groovy.version") + ".jar");
        if (!Files.isRegularFile(groovy)) {
            throw new LoadException("JMeter lacks " + groovy + ": delete jmeter-plans/target, then run it again");
        }
        return new JMeter(
                home,
                version,
                options.required("generator.heap"),
                module.resolve("jmeter.properties").toAbsolutePath(),
                options.text("jmeter.keystore").map(Path::of).orElse(module.resolve("rmi_keystore.jks")),
                options.text("jmeter.keystore.password").orElse(DEFAULT_PASSWORD));
    }

    /** The same with version and heap as the build that made this code has them. */
    public static JMeter ofBuild(Path module) {
        Properties build = build();
        Map<String, String> values = new TreeMap<>();
        build.stringPropertyNames().forEach(name -> values.put(name, build.getProperty(name)));
        return of(module, new Options(values, Map.of()));
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

    /** Names by which plans call elements of JMeter's own. */
    Set<String> elements() {
        Properties names = new Properties();
        try (InputStream in = Files.newInputStream(home.resolve("bin").resolve("saveservice.properties"))) {
            names.load(in);
        } catch (IOException e) {
            throw new LoadException("cannot read JMeter's names of elements (" + e.getMessage() + ")");
        }
        return names.stringPropertyNames();
    }

    /** Whether a class is in one of its jars. */
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
     * Starts JMeter without a GUI on a plan. Files in the folder: {@link JMeterRun#RESULTS}, {@code jmeter.log}.
     *
     * @param console file that gets what it prints; empty: the caller reads it from the process
     */
    Process run(
            Path plan,
            Path folder,
            JMeterHosts hosts,
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
                // The UDP port by which anybody could stop a run: JMeter would open it on every interface.
                "-Jjmeterengine.nongui.port=0"));
        if (!hosts.isEmpty()) {
            jvm.add("-D" + StopsHosts.HOSTS + "=" + hosts.list());
            jvm.add("-Djava.rmi.server.hostname=" + hosts.ownAddress());
            arguments.addAll(tls());
            arguments.addAll(
                    List.of("-R", hosts.list(), "-Jmode=StrippedBatch", "-Jjmeter.save.saveservice.hostname=true"));
            // By default of a slow load a host sends nothing for a minute, while the rows of others say how many users
            // there are.
            arguments.addAll(List.of("-Jnum_sample_threshold=100", "-Jtime_threshold=1000"));
        }
        arguments.addAll(further);
        return start(command(jvm, arguments, !hosts.isEmpty()), console, Map.of());
    }

    /**
     * Starts JMeter on all processors in a JVM of its own, which ends with this one: asked to, so that it writes out its results.
     *
     * @param arguments JMeter's own, besides those for the settings
     * @param console file that gets what it prints; empty: the caller reads it from the process
     */
    Process start(
            List<String> system, List<String> arguments, Optional<Path> console, Map<String, String> environment) {
        return start(command(system, arguments, false), console, environment);
    }

    private List<String> command(List<String> system, List<String> arguments, boolean stopsHosts) {
        List<String> command = new ArrayList<>(List.of(Jdk.ownCommand(), "-Xmx" + heap));
        command.addAll(system);
        command.add("-Djmeter.home=" + home);
        command.add("-cp");
        command.add((stopsHosts ? wrapper() + File.pathSeparator : "") + jar(home, version));
        if (stopsHosts) {
            command.add(StopsHosts.class.getName());
        }
        // In the open model each request is a thread, whose beginning and end JMeter would log.
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
     * JMeter's arguments for talking to other JMeters: TLS on both sides, with one keystore that is also the truststore.
     */
    List<String> tls() {
        if (!Files.isRegularFile(keystore)) {
            throw new LoadException("no keystore at " + keystore + " for JMeter on several hosts: make one with"
                    + " umask 077; keytool -genkeypair -alias rmi -keyalg RSA -validity 365 -dname CN=servlet-bench -storepass changeit"
                    + " -keystore " + keystore + " and copy it to every host");
        }
        return List.of(
                "-Jserver.rmi.ssl.disable=false",
                "-Jserver.rmi.ssl.keystore.file=" + keystore.toAbsolutePath(),
                "-Jserver.rmi.ssl.truststore.file=" + keystore.toAbsolutePath(),
                "-q",
                passwords().toString());
    }

    /** Everybody sees a command line, and JMeter logs what it is given there: a file for its owner alone, until this JVM ends. */
    private Path passwords() {
        Properties passwords = new Properties();
        passwords.setProperty("server.rmi.ssl.keystore.password", keystorePassword);
        passwords.setProperty("server.rmi.ssl.truststore.password", keystorePassword);
        try {
            Path file = Files.createTempFile("servlet-bench-", ".properties");
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

    /** A folder with the wrapper alone: no library of ours may stand before one of JMeter's. */
    private Path wrapper() {
        Path folder = home.resolve("servlet-bench");
        Path file = folder.resolve(WRAPPER);
        try (InputStream in = StopsHosts.class.getResourceAsStream("/" + WRAPPER)) {
            byte[] wanted = in.readAllBytes();
            if (!Files.isRegularFile(file) || !Arrays.equals(wanted, Files.readAllBytes(file))) {
                Json.replace(file, wanted);
            }
            return folder;
        } catch (IOException e) {
            throw new LoadException("cannot write to " + folder + " (" + e.getMessage() + ")");
        }
    }
}
