package org.servletbench.bench.report.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.servletbench.bench.measure.ServerRecord;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Proven;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.report.Numbers;

/**
 * Facts from the folder of a run: the server's own record, {@code server.json}, next to the raw log.
 *
 * @param title server and load: {@code Jetty 12.0.36, Boot 3.5.16, 100 to 1500 users}
 * @param jvm the JVM as the server reported it: {@code JDK 17.0.15}, {@code JDK 25.0.3, virtual threads}; empty for an
 *     external server
 * @param about date, machine and duration, by names for people
 * @param comparison command that compares containers under this run's conditions; empty for an external server, or a
 *     load that campaigns do not have
 * @param files names and titles of files next to the log, the generator's own report first
 */
public record RunFacts(
        String title, String jvm, Map<String, String> about, Optional<String> comparison, Map<String, String> files) {

    /**
     * Returns the facts of a log in a run's folder.
     *
     * @return empty if there is no readable {@code server.json} next to the log, so that it is not from a run of
     *     servlet-bench
     */
    public static Optional<RunFacts> beside(Measured measured) {
        return record(measured)
                .map(server -> new RunFacts(
                        server(server) + ", "
                                + load(measured.loads(), known(server.run().jmeterPlan(), "load unknown")),
                        jvm(server.proven()),
                        RunAbout.of(measured, server),
                        RunAbout.comparison(measured, server),
                        files(folder(measured))));
    }

    /** Returns the warnings on any log, including those from the record of its run. */
    public static RunWarnings warnings(Measured measured) {
        return RunWarnings.of(measured, record(measured));
    }

    private static Path folder(Measured measured) {
        return measured.file().toAbsolutePath().getParent();
    }

    private static Optional<ServerRecord> record(Measured measured) {
        Path file = folder(measured).resolve(ServerRecord.FILE);
        try {
            return Files.isRegularFile(file) ? Optional.of(ServerRecord.read(file)) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /**
     * Describes a log in one line: its generator, the server's JVM, the number of requests.
     *
     * @param run facts from its folder; empty if it is not from a run of servlet-bench
     */
    public static String source(Measured measured, Optional<RunFacts> run) {
        String jvm = run.map(RunFacts::jvm)
                .filter(known -> !known.isEmpty())
                .map(", "::concat)
                .orElse("");
        return Text.text(
                "%s%s, %s", measured.log().source().words(), jvm, measured.log().rows());
    }

    private static String server(ServerRecord record) {
        Proven proven = record.proven();
        String container = proven.container();
        if (container.isEmpty()) {
            return known(record.life().url(), "unknown server");
        }
        return Character.toUpperCase(container.charAt(0)) + container.substring(1) + " "
                + proven.containerVersion() + ", "
                + named("connector", record.asked().connector()) + "Boot "
                + proven.bootVersion()
                + named(", settings", record.asked().settings()).replaceFirst(", $", "");
    }

    /** Returns {@code settings equalised, }; empty if unknown. */
    private static String named(String what, String value) {
        return value == null ? "" : what + " " + value + ", ";
    }

    /** @param value the value; null if unknown */
    static String known(String value, String otherwise) {
        return value == null ? otherwise : value;
    }

    static String jvm(Proven proven) {
        String version = proven.jvmVersion();
        String threads = proven.threads();
        return version.isEmpty() ? "" : "JDK " + version + (threads.isEmpty() ? "" : ", " + threads + " threads");
    }

    private static String load(List<WindowResult> loads, String unknown) {
        int[] users = loads.stream()
                .mapToInt(load -> load.load().users())
                .filter(userCount -> userCount > 0)
                .sorted()
                .distinct()
                .toArray();
        if (users.length > 0) {
            int most = users[users.length - 1];
            return (users.length == 1 ? "" : users[0] + " to ") + most + (most == 1 ? " user" : " users");
        }
        return loads.stream().mapToDouble(load -> load.load().rate()).filter(rate -> rate > 0).max().stream()
                .mapToObj(rate -> Numbers.shown(rate) + " requests/s")
                .findFirst()
                .orElse(unknown);
    }

    private static Map<String, String> files(Path folder) {
        Map<String, String> files = new LinkedHashMap<>();
        files.put("index.html", "Gatling's report");
        files.put("dashboard/index.html", "JMeter's dashboard");
        files.put("measured.txt", "these figures as text");
        files.put(ServerRecord.FILE, "what the server said of itself");
        files.put("server.log", "the server's log");
        files.put("monitor.csv", "the server, second by second");
        // This file exists if the run is in its place within a clone.
        files.put("../../../../docs/recipes.md", "how to compare containers");
        files.keySet().removeIf(name -> !name.equals("measured.txt") && !Files.isRegularFile(folder.resolve(name)));
        return files;
    }
}
