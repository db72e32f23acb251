package org.servletbench.bench.load.tool;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.servletbench.bench.load.ToolFigures;
import org.servletbench.bench.load.ToolLatency;
import org.servletbench.bench.measure.UnreadableLogException;
import org.servletbench.bench.model.GeneratorFacts;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.ToolSettings;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;

/**
 * wrk: closed model, a few threads with many connections each. A Lua script of servlet-bench prints its figures as
 * JSON.
 */
public final class Wrk extends CommandLineGenerator {

    private static final String SCRIPT = "done.lua";
    private static final Pattern COUNTED = Pattern.compile("(?m)^ *(\\d+) requests in ");
    private static final int DEFAULT_THREADS = 2;

    public Wrk() {
        super(GeneratorFacts.WRK, "wrk", List.of("--version"), Pattern.compile("wrk (?:debian/)?(\\S+)"));
    }

    @Override
    public int mostProcessors(ToolSettings settings, int users) {
        return settings.threads() > 0 ? settings.threads() : usualThreads(users);
    }

    /** Returns a number of threads that divides the users evenly, because wrk silently drops a remainder. */
    private static int usualThreads(int users) {
        return users % DEFAULT_THREADS == 0 ? DEFAULT_THREADS : 1;
    }

    @Override
    public List<String> command(ToolLoad load, Path folder) {
        if (load.duration().isEmpty() || load.requests().isPresent()) {
            throw new UsageException("wrk ends after a time, not after a number of requests: give it a duration");
        }
        if (load.maxPauseSeconds() > 0) {
            throw new UsageException("wrk has no pause between requests");
        }
        requireKnown(load.options(), List.of("-H", "--header", "--timeout"), List.of("--latency"));
        List<String> command = new ArrayList<>(List.of(
                name(),
                "-t" + load.threads().orElse(usualThreads(load.users())),
                "-c" + load.users(),
                "-d" + load.duration().get().toSeconds() + "s"));
        if (!load.keepAlive()) {
            command.addAll(List.of("-H", "Connection: close"));
        }
        command.addAll(load.options());
        command.addAll(List.of("-s", folder.resolve(SCRIPT).toAbsolutePath().toString()));
        command.add(load.url().toString());
        return command;
    }

    @Override
    Map<String, String> prepare(ToolLoad load, Path folder) throws IOException {
        try (InputStream script = Wrk.class.getResourceAsStream(SCRIPT)) {
            Files.write(folder.resolve(SCRIPT), script.readAllBytes());
        }
        return Map.of();
    }

    @Override
    ToolFigures read(ToolLoad load, Path folder, Path out) throws IOException {
        return read(out);
    }

    static ToolFigures read(Path out) throws IOException {
        String text = ToolProcess.text(out);
        String json = text.lines()
                .filter(line -> line.startsWith("{\"wrk\":"))
                .reduce((first, last) -> last)
                .orElseThrow(() -> new UnreadableLogException(
                        out + ": wrk's figures are missing: it was ended, or its output is damaged"));
        try {
            return figures(new Fields(out, "wrk", Json.MAPPER.readTree(json)), text);
        } catch (JsonProcessingException e) {
            throw new UnreadableLogException(out + ": the line with wrk's figures is damaged");
        }
    }

    private static ToolFigures figures(Fields json, String text) throws UnreadableLogException {
        Fields errors = json.in("errors");
        long completed = json.count("requests");
        Matcher counted = COUNTED.matcher(text);
        if (!counted.find() || !counted.group(1).equals(Long.toString(completed))) {
            throw json.damaged("wrk's own line and its figures do not count the same requests");
        }
        double seconds = json.number("duration") / 1e6;
        if (!(seconds > 0)) {
            throw json.damaged("'duration' is not above 0");
        }
        Map<String, Long> failures = new TreeMap<>();
        long failed = 0;
        for (String kind : List.of("connect", "read", "write", "status")) {
            long count = errors.count(kind);
            failed += count;
            if (count > 0) {
                failures.put(kind, count);
            }
        }
        List<Warning> notes = new ArrayList<>();
        long late = errors.count("timeout");
        if (late > 0) {
            notes.add(new Warning(
                    WarningKind.TIMEOUTS_MISSING,
                    late + " responses came later than wrk's timeout: they are counted, but missing from its latencies",
                    // Its throughput includes late responses, and its response times are not judged anyway.
                    false));
        }
        return new ToolFigures(
                completed,
                failed,
                failed - errors.count("status"),
                failures,
                seconds,
                latency(json.in("latency"), completed),
                notes);
    }

    private static ToolLatency latency(Fields latency, long completed) throws UnreadableLogException {
        if (completed == 0) {
            return ToolLatency.UNKNOWN;
        }
        SortedMap<Double, Double> percentiles = new TreeMap<>();
        Fields ranks = latency.in("percentiles");
        for (String rank : List.of("50", "75", "90", "95", "99", "99.9")) {
            percentiles.put(Double.valueOf(rank), ranks.number(rank) / 1000);
        }
        return new ToolLatency(latency.number("mean") / 1000, latency.number("max") / 1000, percentiles);
    }
}
