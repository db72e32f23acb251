package org.servletbench.bench.load.jmeter;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.model.Json;

/**
 * A stock JMeter as the Maven plug-in laid it out, and how to start it.
 *
 * @param path JMeter's home: {@code bin}, {@code lib}
 * @param version for example {@code 5.6.3}
 */
public record JMeterHome(Path path, String version) {

    private static final String MAIN_CLASS = "org.apache.jmeter.NewDriver";
    private static final String WRAPPER = StopsHosts.class.getName().replace('.', '/') + ".class";

    /**
     * The JMeter that {@code jmeter-maven-plugin}'s {@code configure} laid out.
     *
     * @param config the plug-in's {@code config.json}, which says where
     * @param version the version that the build asks for
     * @throws LoadException if there is none, or one of another version
     */
    public static JMeterHome locate(Path config, String version) {
        try {
            JsonNode first =
                    Json.MAPPER.readTree(config.toFile()).path("configurations").path(0);
            Path path = Path.of(first.path("jmeterDirectoryPath").asText());
            JMeterHome home = new JMeterHome(path, version);
            if (!Files.isRegularFile(home.jar())) {
                throw new LoadException(
                        "no JMeter " + version + " at " + path + ": delete jmeter-plans/target, then run it again");
            }
            return home;
        } catch (IOException e) {
            throw new LoadException("no JMeter was laid out (" + config + "): run from the root, mvn -Pjmeter verify");
        }
    }

    private Path jar() {
        return path.resolve("bin").resolve("ApacheJMeter-" + version + ".jar");
    }

    /**
     * A command that runs JMeter in a JVM of its own.
     *
     * @param arguments JMeter's own
     */
    List<String> command(List<String> jvmOptions, List<String> arguments, boolean stopsHosts) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.add("-Djmeter.home=" + path);
        command.add("-cp");
        command.add((stopsHosts ? wrapper() + File.pathSeparator : "") + jar());
        if (stopsHosts) {
            command.add(StopsHosts.class.getName());
        }
        command.add(MAIN_CLASS);
        command.addAll(arguments);
        return command;
    }

    /** A folder with the wrapper alone: no library of ours may stand before one of JMeter's. */
    private Path wrapper() {
        Path folder = path.resolve("servlet-bench");
        Path file = folder.resolve(WRAPPER);
        try (InputStream in = StopsHosts.class.getResourceAsStream("/" + WRAPPER)) {
            byte[] wanted = in.readAllBytes();
            if (!Files.isRegularFile(file) || !java.util.Arrays.equals(wanted, Files.readAllBytes(file))) {
                Json.replace(file, wanted);
            }
            return folder;
        } catch (IOException e) {
            throw new LoadException("cannot write to " + folder + " (" + e.getMessage() + ")");
        }
    }
}
