package org.servletbench.bench.load.tool;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.servletbench.bench.load.ToolFigures;
import org.servletbench.bench.load.ToolLatency;
import org.servletbench.bench.measure.UnreadableLogException;
import org.servletbench.bench.model.GeneratorFacts;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.UsageException;

/** siege: closed model, a thread for each user. Its settings come only from a file in the run's folder. */
public final class Siege extends CommandLineGenerator {

    private static final String RC = "siege.rc";
    private static final double TICK_SECONDS = GeneratorFacts.SIEGE.fidelity().resolutionMs() / 1000;
    /** Maximum number of failures. Without it, siege would retry a server that refuses connections endlessly. */
    private static final int MOST_FAILURES = 10_000;

    public Siege() {
        super(GeneratorFacts.SIEGE, "siege", List.of("--version"), Pattern.compile("SIEGE (\\S+)"));
    }

    @Override
    public List<String> command(ToolLoad load, Path folder) {
        if (load.requests().isPresent()) {
            throw new UsageException("siege counts requests for each user, not all together");
        }
        if (load.threads().isPresent()) {
            throw new UsageException("siege has a thread for each user; their number cannot be chosen");
        }
        requireKnown(load.options(), List.of("-H", "-A"), List.of("-b", "--no-parser", "--no-follow"));
        List<String> command = new ArrayList<>(
                List.of(name(), "-R", folder.resolve(RC).toAbsolutePath().toString(), "-c" + load.users()));
        load.duration().ifPresent(time -> command.add("-t" + time.toSeconds() + "S"));
        if (load.maxPauseSeconds() > 0) {
            command.add("-d"
                    + BigDecimal.valueOf(load.maxPauseSeconds())
                            .stripTrailingZeros()
                            .toPlainString());
        }
        command.addAll(load.options());
        command.add(load.url().toString());
        return command;
    }

    /** Returns a home folder of its own for siege, which requires files there. */
    private static Path home(Path folder) {
        return folder.resolve("siege.home").toAbsolutePath();
    }

    @Override
    Map<String, String> prepare(ToolLoad load, Path folder) throws IOException {
        Path settings = folder.resolve(RC).toAbsolutePath();
        Files.writeString(settings, settings(load));
        Files.createDirectory(home(folder));
        return Map.of("HOME", home(folder).toString(), "SIEGERC", settings.toString());
    }

    @Override
    void ended(Path folder) {
        ToolProcess.delete(home(folder));
    }

    @Override
    ToolFigures read(ToolLoad load, Path folder, Path out) throws IOException {
        return read(out, ToolProcess.err(folder, name()), load.users());
    }

    private static String settings(ToolLoad load) throws IOException {
        try (InputStream settings = Siege.class.getResourceAsStream(RC)) {
            return new String(settings.readAllBytes(), StandardCharsets.UTF_8)
                    .formatted(load.keepAlive() ? "keep-alive" : "close", Math.max(255, load.users()), MOST_FAILURES);
        }
    }

    static ToolFigures read(Path out, Path err, int users) throws IOException {
        String text = ToolProcess.text(out);
        int from = text.indexOf('{');
        int to = text.lastIndexOf('}');
        if (from < 0 || to < from) {
            throw new UnreadableLogException(
                    out + ": siege's figures are missing: it was ended, or its output is damaged");
        }
        if (Files.exists(err) && ToolProcess.text(err).contains("excessive socket failure")) {
            throw new UnreadableLogException(
                    "siege gave up after " + MOST_FAILURES + " failed connections; see " + err);
        }
        try {
            return figures(new Fields(out, "siege", Json.MAPPER.readTree(text.substring(from, to + 1))), users);
        } catch (JsonProcessingException e) {
            throw new UnreadableLogException(out + ": siege's figures are damaged: no JSON");
        }
    }

    private static long reported(Fields json, long completed, int users) throws UnreadableLogException {
        long successful = json.count("successful_transactions");
        if (successful > completed + users) {
            throw json.damaged("more successful transactions than transactions");
        }
        return successful;
    }

    private static ToolFigures figures(Fields json, int users) throws UnreadableLogException {
        long completed = json.count("transactions");
        // siege may have ended a user after it counted its success, but before it counted its transaction.
        long successful = Math.min(completed, reported(json, completed, users));
        long broken = json.count("failed_transactions");
        double seconds = json.number("elapsed_time");
        double throughput = json.number("transaction_rate");
        double concurrency = json.number("concurrency");
        double longest = json.number("longest_transaction");
        ToolProcess.requireConsistent(json.file(), completed, seconds, throughput, TICK_SECONDS);
        Map<String, Long> failures = new TreeMap<>();
        if (completed > successful) {
            failures.put("status from 400 to 499", completed - successful);
        }
        if (broken > 0) {
            failures.put("connection, or status from 500", broken);
        }
        ToolLatency latency = ToolLatency.UNKNOWN;
        if (completed > 0) {
            // Concurrency is the sum of all response times, including failed requests, over the elapsed time.
            double mean = broken == 0 ? concurrency * seconds / completed * 1000 : Double.NaN;
            latency = new ToolLatency(mean, longest * 1000, new TreeMap<>());
        }
        return new ToolFigures(
                completed, completed - successful + broken, broken, failures, seconds, latency, List.of());
    }
}
