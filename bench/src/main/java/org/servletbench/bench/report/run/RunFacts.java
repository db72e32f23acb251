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
 * What the folder of a run says of it: the server's own record, {@code server.json}, beside the raw log.
 *
 * @param title what ran, under which load: {@code Jetty 12.0.36, Boot 3.5.16, 100 to 1500 users}
 * @param jvm what the server proved to run on: {@code JDK 17.0.15}, {@code JDK 25.0.3, virtual threads}; empty where it is not ours
 * @param about when, on what and for how long it ran, by names for people
 * @param comparison the command that compares containers as this one ran; empty where its server is not ours or its load is none of a
 *     campaign
 * @param files what lies beside the log, as name and title: the generator's own report first
 */
public record RunFacts(
        String title, String jvm, Map<String, String> about, Optional<String> comparison, Map<String, String> files) {

    /**
     * Of a log in a run's folder.
     *
     * @return empty where there is no readable {@code server.json} beside the log: it is no run of ours
     */
    public static Optional<RunFacts> beside(Measured measured) {
        return record(measured)
                .map(server -> new RunFacts(
                        server(server) + ", "
                                + load(measured.cells(), known(server.run().jmeterPlan(), "load unknown")),
                        jvm(server.proven()),
                        RunAbout.of(measured, server),
                        RunAbout.comparison(measured, server),
                        files(folder(measured))));
    }

    /** The marks of any log, with those that the record of its run gives. */
    public static RunMarks marks(Measured measured) {
        return RunMarks.of(measured, record(measured));
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
     * What a log is of, in a line: what its generator wrote, the server's JVM, the number of requests.
     *
     * @param run what its folder says; empty where it is no run of ours
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

    /** {@code settings equalised, }; empty where it is not known. */
    private static String named(String what, String value) {
        return value == null ? "" : what + " " + value + ", ";
    }

    /** @param value null where it is not known */
    static String known(String value, String otherwise) {
        return value == null ? otherwise : value;
    }

    static String jvm(Proven proven) {
        String version = proven.jvmVersion();
        String threads = proven.threads();
        return version.isEmpty() ? "" : "JDK " + version + (threads.isEmpty() ? "" : ", " + threads + " threads");
    }

    private static String load(List<WindowResult> cells, String unknown) {
        int[] tiers = cells.stream()
                .mapToInt(cell -> cell.load().tier())
                .filter(tier -> tier > 0)
                .sorted()
                .distinct()
                .toArray();
        if (tiers.length > 0) {
            int most = tiers[tiers.length - 1];
            return (tiers.length == 1 ? "" : tiers[0] + " to ") + most + (most == 1 ? " user" : " users");
        }
        return cells.stream().mapToDouble(cell -> cell.load().rate()).filter(rate -> rate > 0).max().stream()
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
        // Of a run in its place within a clone.
        files.put("../../../../docs/compare.md", "how to compare containers");
        files.keySet().removeIf(name -> !name.equals("measured.txt") && !Files.isRegularFile(folder.resolve(name)));
        return files;
    }
}
