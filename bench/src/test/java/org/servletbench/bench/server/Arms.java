package org.servletbench.bench.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.servletbench.bench.Mirror;
import org.servletbench.bench.campaign.ArmBuilds;
import org.servletbench.bench.cli.RunOptions;
import org.servletbench.bench.model.ContainerProfile;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.server.process.Preflight;
import org.servletbench.bench.server.process.TargetSpec;

/** All arms, built with the same profiles that users name. */
final class Arms {

    static final ProfilesFolder FOLDER = new ProfilesFolder(Maven.ROOT.resolve("profiles"));

    private static final Map<String, Map<String, String>> BUILT = new ConcurrentHashMap<>();

    private Arms() {}

    /** Returns every profile, on each Spring Boot version that supports it. */
    static Stream<String> all() {
        return Stream.of("boot2", "boot3", "boot4")
                .flatMap(line -> FOLDER.containers().stream().map(profile -> profile + "," + line))
                .filter(arm -> !List.of("tomcat-apr,boot3", "tomcat-apr,boot4", "undertow,boot4")
                        .contains(arm));
    }

    /** Returns each profile once: on boot3, except for APR, which only boot2 supports. */
    static Stream<String> usual() {
        return all().filter(Arms::isUsual);
    }

    static Stream<String> onOtherLines() {
        return all().filter(arm -> !isUsual(arm));
    }

    private static boolean isUsual(String arm) {
        return arm.endsWith(",boot3") || arm.equals("tomcat-apr,boot2");
    }

    /** Returns the options that the build's profiles pass to servlet-bench, for example for {@code jetty,boot3}. */
    static Map<String, String> options(String arm, Path work) throws IOException {
        Map<String, String> options = new HashMap<>(BUILT.computeIfAbsent(arm, Arms::build));
        options.put("settings", "equalised");
        options.put(
                "jvm.options",
                Files.writeString(work.resolve("small.options"), Mirror.SMALL_JVM)
                        .toString());
        return options;
    }

    /** Opens a target of this arm, with its records below {@code work}. */
    static Target open(String arm, Path work) throws IOException {
        return open(options(arm, work), FOLDER, work);
    }

    /** Returns the server that these options describe. */
    static TargetSpec spec(Map<String, String> given) {
        return new RunOptions(new Options(given, FOLDER.loadDefaults()), FOLDER).server();
    }

    static Target open(Map<String, String> given, ProfilesFolder folder, Path work) {
        RunOptions asked = new RunOptions(new Options(given, folder.loadDefaults()), folder);
        return Target.open(asked.target(), work.resolve("results"), asked.load());
    }

    /** Skips tests of APR without the native library, but never in CI. */
    static void assumeRunnable(String arm) {
        FOLDER.container(arm.split(",")[0]).nativeLibrary().ifPresent(library -> {
            if (!"true".equals(System.getenv("CI"))) {
                try {
                    Preflight.folderOf(library);
                } catch (TargetException e) {
                    Assumptions.abort(e.getMessage());
                }
            }
        });
    }

    /** Builds one arm at a time, because the lock of builds only works between processes. */
    private static synchronized Map<String, String> build(String arm) {
        String[] names = arm.split(",");
        ContainerProfile profile = FOLDER.container(names[0]);
        Arm asked = Arm.planned(arm, arm, Arm.Role.ARM, profile, names[1]);
        Arm built =
                new ArmBuilds(Maven.ROOT, line -> {}).complete(List.of(asked)).get(0);
        return Map.of(
                "bench.jar", built.jar(),
                "bench.profile", built.profile(),
                "bench.line", built.line(),
                "bench.container.version", built.containerVersion(),
                "bench.boot.version", built.bootVersion());
    }

    /** Reads one complete HTTP/1.1 response from a persistent connection. */
    static String readAnswer(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                return head.toString();
            }
            head.append((char) next);
        }
        String headers = head.toString().toLowerCase(java.util.Locale.ROOT);
        int start = headers.indexOf("content-length:");
        if (start < 0) {
            return head + readChunks(in);
        }
        int length = Integer.parseInt(
                headers.substring(start + 15, headers.indexOf('\r', start)).strip());
        return head + new String(in.readNBytes(length), java.nio.charset.StandardCharsets.UTF_8);
    }

    private static String readChunks(InputStream in) throws IOException {
        StringBuilder body = new StringBuilder();
        while (true) {
            StringBuilder size = new StringBuilder();
            for (int next = in.read(); next != '\n'; next = in.read()) {
                size.append((char) next);
            }
            int length = Integer.parseInt(size.toString().strip(), 16);
            body.append(new String(in.readNBytes(length), java.nio.charset.StandardCharsets.UTF_8));
            in.readNBytes(2);
            if (length == 0) {
                return body.toString();
            }
        }
    }
}
