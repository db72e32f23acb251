package org.servletbench.bench.report.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.servletbench.bench.measure.CellMeasurement;
import org.servletbench.bench.measure.Check;
import org.servletbench.bench.measure.ServerUse;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.report.Numbers;

/**
 * What the folder of a run says of it: the server's own record, {@code server.json}, beside the raw log.
 *
 * @param title what ran, under which load: {@code Jetty 12.0.36, Boot 3.5.16, 100 to 1500 users}
 * @param jvm what the server proved to run on: {@code JDK 17.0.15}, {@code JDK 25.0.3, virtual threads}; empty where it is not ours
 * @param marks why its figures must not be trusted; empty where nothing is known against them
 * @param files what lies beside the log, as name and title: the generator's own report first
 */
public record RunFacts(String title, String jvm, List<RunMark> marks, Map<String, String> files) {

    private static final String RECORD = "server.json";

    /**
     * Of a log in a run's folder.
     *
     * @return empty where there is no readable {@code server.json} beside the log: it is no run of ours
     */
    public static Optional<RunFacts> beside(Measured measured) {
        Path folder = measured.file().toAbsolutePath().getParent();
        Path record = folder.resolve(RECORD);
        if (!Files.isRegularFile(record)) {
            return Optional.empty();
        }
        try {
            JsonNode server = Json.MAPPER.readTree(record.toFile());
            return Optional.of(new RunFacts(
                    server(server) + ", "
                            + load(measured.cells(), server.path("jmeter.plan").asText("load unknown")),
                    jvm(server.path("proven")),
                    marks(server, measured),
                    files(folder)));
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
                "%s%s, %,d requests",
                measured.log().source().words(), jvm, measured.log().records());
    }

    private static String server(JsonNode record) {
        JsonNode proven = record.path("proven");
        String container = proven.path("container").asText();
        if (container.isEmpty()) {
            return record.path("url").asText("unknown server");
        }
        return Character.toUpperCase(container.charAt(0)) + container.substring(1) + " "
                + proven.path("container.version").asText() + ", Boot "
                + proven.path("boot.version").asText();
    }

    private static String jvm(JsonNode proven) {
        String version = proven.path("jvm.version").asText();
        String threads = proven.path("served.threads").asText();
        return version.isEmpty() ? "" : "JDK " + version + (threads.isEmpty() ? "" : ", " + threads + " threads");
    }

    private static String load(List<CellMeasurement> cells, String unknown) {
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

    private static List<RunMark> marks(JsonNode record, Measured measured) {
        List<RunMark> marks = new ArrayList<>();
        if (record.hasNonNull("died")) {
            marks.add(new RunMark(RunMark.Kind.DIED, record.path("ended").asText(), List.of()));
        }
        JsonNode warmUp = record.path("warm-up");
        // Warmed up by itself, each cell says for itself whether the server was warm.
        List<String> cold = new ArrayList<>();
        record.path("warm-up.cells").fields().forEachRemaining(cell -> {
            if (!cell.getValue().path("settled").asBoolean()) {
                cold.add(cell.getKey());
            }
        });
        if (!cold.isEmpty()) {
            marks.add(new RunMark(RunMark.Kind.NOT_WARM, "", cold));
        }
        if (warmUp.isObject()
                && !warmUp.path("settled").asBoolean()
                && record.path("warm-up.cells").isEmpty()) {
            boolean none = warmUp.path("seconds").asDouble() == 0;
            RunMark.Kind kind = none ? RunMark.Kind.NO_WARM_UP : RunMark.Kind.NOT_WARM;
            marks.add(new RunMark(kind, warmUp.path("reason").asText(), List.of()));
        }
        Map<RunMark.Kind, List<String>> failed = new EnumMap<>(RunMark.Kind.class);
        for (Check check : measured.log().checks()) {
            if (check.failed()) {
                failed.computeIfAbsent(RunMark.Kind.of(check.kind()), kind -> new ArrayList<>());
            }
        }
        for (CellMeasurement cell : measured.cells()) {
            cell.checks().stream()
                    .filter(Check::failed)
                    .map(check -> RunMark.Kind.of(check.kind()))
                    .distinct()
                    .forEach(kind -> failed.computeIfAbsent(kind, none -> new ArrayList<>())
                            .add(cell.name()));
            if (cell.server()
                    .filter(use -> use.compiling() > ServerUse.COMPILING)
                    .isPresent()) {
                failed.computeIfAbsent(RunMark.Kind.COMPILING, none -> new ArrayList<>())
                        .add(cell.name());
            }
        }
        failed.forEach((kind, cells) -> marks.add(new RunMark(kind, "", List.copyOf(cells))));
        return marks;
    }

    private static Map<String, String> files(Path folder) {
        Map<String, String> files = new LinkedHashMap<>();
        files.put("index.html", "Gatling's report");
        files.put("dashboard/index.html", "JMeter's dashboard");
        files.put("measured.txt", "these figures as text");
        files.put(RECORD, "what the server said of itself");
        files.put("server.log", "the server's log");
        files.put("monitor.csv", "the server, second by second");
        // Of a run in its place within a clone.
        files.put("../../../../docs/compare.md", "how to compare containers");
        files.keySet().removeIf(name -> !name.equals("measured.txt") && !Files.isRegularFile(folder.resolve(name)));
        return files;
    }
}
