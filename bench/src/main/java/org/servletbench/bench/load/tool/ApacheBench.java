package org.servletbench.bench.load.tool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.servletbench.bench.load.ToolFigures;
import org.servletbench.bench.load.ToolLatency;
import org.servletbench.bench.measure.UnreadableLogException;
import org.servletbench.bench.model.GeneratorFacts;
import org.servletbench.bench.model.ToolSettings;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;

/**
 * ab (ApacheBench): closed model, one thread, HTTP/1.0. It writes percentiles as CSV ({@code -e}), and a row for each
 * request ({@code -g}).
 */
public final class ApacheBench extends CommandLineGenerator {

    private static final String PERCENTILES = "ab.percentiles.csv";
    private static final String ROWS = "ab.requests.tsv";
    /**
     * Number of requests per second at which ab stops, because it reserves a row for each request that it might make.
     * One thread can send far fewer.
     */
    private static final long MOST_PER_SECOND = 100_000;

    /** Share of kept connections below which opening connections is a noticeable part of the cost. */
    private static final double MOSTLY_KEPT = 0.9;

    private static final Pattern KINDS = Pattern.compile(
            "\\(Connect: (\\d{1,18}), Receive: (\\d{1,18}), Length: (\\d{1,18}), Exceptions: (\\d{1,18})\\)");

    public ApacheBench() {
        super(GeneratorFacts.AB, "apache2-utils", List.of("-V"), Pattern.compile("Version (\\S+)"));
    }

    /** Returns 1, because ab has one thread. */
    @Override
    public int mostProcessors(ToolSettings settings, int users) {
        return 1;
    }

    @Override
    public List<String> command(ToolLoad load, Path folder) {
        if (load.maxPauseSeconds() > 0) {
            throw new UsageException("ab has no pause between requests");
        }
        if (load.threads().isPresent()) {
            throw new UsageException("ab has one thread");
        }
        requireKnown(load.options(), List.of("-H", "-s"), List.of("-l", "-r"));
        List<String> command = new ArrayList<>(List.of(name(), "-q"));
        // The time comes first, because it sets the number of requests to 50,000, which later options override.
        load.duration().ifPresent(time -> command.addAll(List.of("-t", Long.toString(time.toSeconds()))));
        long requests =
                load.requests().orElseGet(() -> load.duration().orElseThrow().toSeconds() * MOST_PER_SECOND);
        command.addAll(List.of("-n", Long.toString(requests), "-c", Integer.toString(load.users())));
        if (load.keepAlive()) {
            command.add("-k");
        }
        command.addAll(load.options());
        command.addAll(List.of(
                "-e",
                folder.resolve(PERCENTILES).toAbsolutePath().toString(),
                "-g",
                folder.resolve(ROWS).toAbsolutePath().toString()));
        command.add(load.url().toString());
        return command;
    }

    @Override
    ToolFigures read(ToolLoad load, Path folder, Path out) throws IOException {
        return read(out, folder.resolve(PERCENTILES), folder.resolve(ROWS), load.keepAlive());
    }

    static ToolFigures read(Path out, Path percentiles, Path rows, boolean keepAlive) throws IOException {
        Printed printed = new Printed(out, ToolProcess.text(out));
        long completed = printed.count("Complete requests");
        long failed = printed.count("Failed requests");
        double seconds = printed.number("Time taken for tests");
        double throughput = printed.number("Requests per second");
        long status = (long) printed.optional("Non-2xx responses").orElse(0);
        long notWritten = (long) printed.optional("Write errors").orElse(0);
        ToolProcess.requireConsistent(out, completed, seconds, throughput, 0.001);

        Map<String, Long> failures = new TreeMap<>();
        // ab counts a request with a short answer as completed, but not one that it could not send.
        long unanswered = notWritten;
        if (failed > 0) {
            Matcher kinds = KINDS.matcher(printed.text);
            if (!kinds.find()) {
                throw printed.damaged("the kinds of failed requests");
            }
            List<String> names = List.of("connect", "receive", "length", "exceptions");
            for (int i = 0; i < names.size(); i++) {
                failures.put(names.get(i), Long.parseLong(kinds.group(i + 1)));
            }
            long notConnected = failures.get("connect") + failures.get("exceptions");
            failed -= notConnected;
            unanswered += notConnected;
        }
        failures.put("status", status);
        failures.put("write", notWritten);
        failures.values().removeIf(count -> count == 0);

        List<Warning> notes = new ArrayList<>();
        if (keepAlive) {
            long kept = (long) printed.optional("Keep-Alive requests").orElse(0);
            if (kept < completed) {
                notes.add(new Warning(
                        WarningKind.KEEP_ALIVE_REFUSED,
                        "keep-alive was asked for, but the server kept the connection after only " + kept + " of "
                                + completed + " requests",
                        kept < MOSTLY_KEPT * completed));
            }
        }
        requireRows(rows, completed);
        return new ToolFigures(
                completed,
                // A response with the wrong status may also have the wrong length. ab may have counted the last
                // statuses without their requests, whose bodies were incomplete when time ran out.
                Math.min(completed, Math.max(failed, status)) + unanswered,
                unanswered,
                failures,
                seconds,
                completed == 0 ? ToolLatency.UNKNOWN : latency(printed, percentiles, completed),
                notes);
    }

    private static ToolLatency latency(Printed printed, Path percentiles, long completed) throws IOException {
        double[] ranks = percentiles(percentiles, completed);
        if (!printed.text.contains("\nTotal: ")) {
            throw printed.damaged("the line 'Total' of the connection times");
        }
        SortedMap<Double, Double> reported = new TreeMap<>();
        for (int rank : new int[] {50, 75, 90, 95, 99}) {
            reported.put((double) rank, ranks[rank]);
        }
        return new ToolLatency(printed.number("Time per request"), ranks[100], reported);
    }

    /**
     * Returns the times in ms of the ranks from 0 to 100. With fewer than 50 requests, ab reads the highest ranks from
     * beyond the end of its list, where their values are arbitrary, so they are replaced by the longest time.
     */
    private static double[] percentiles(Path file, long completed) throws IOException {
        List<String> lines = ToolProcess.text(file).lines().toList();
        double[] times = new double[101];
        if (lines.size() != times.length + 1 || !lines.get(0).equals("Percentage served,Time in ms")) {
            throw new UnreadableLogException(file + ": not the percentiles from 0 to 100 that ab writes, or not all");
        }
        for (int rank = 0; rank < times.length; rank++) {
            String line = lines.get(rank + 1);
            if (!line.matches(rank + ",\\d{1,12}\\.\\d{3}")) {
                throw new UnreadableLogException(file + ": line " + (rank + 2) + " is damaged");
            }
            times[rank] = Double.parseDouble(line.substring(line.indexOf(',') + 1));
        }
        int last = times.length - 1;
        for (int rank = 1; rank < last; rank++) {
            if (Math.floor(completed * rank / 100.0 + 0.5) >= completed) {
                times[rank] = times[last];
            }
        }
        for (int rank = 1; rank <= last; rank++) {
            if (times[rank] < times[rank - 1]) {
                throw new UnreadableLogException(file + ": line " + (rank + 2) + ": percentiles must not fall");
            }
        }
        return times;
    }

    /** Checks that ab has written a row for each request that it reports as completed. */
    private static void requireRows(Path file, long completed) throws IOException {
        if (completed == 0) {
            return;
        }
        if (!Files.isRegularFile(file)) {
            throw new UnreadableLogException(file + ": is missing");
        }
        long rows;
        try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
            rows = lines.skip(1)
                    .filter(line -> line.split("\t", -1).length == 6)
                    .count();
        }
        if (rows != completed) {
            throw new UnreadableLogException(
                    file + ": " + rows + " whole rows for " + completed + " requests: the file is damaged");
        }
    }

    /** The figures that ab prints, one per line: {@code Name: value [unit]}. */
    private record Printed(Path file, String text) {

        OptionalDouble optional(String name) throws UnreadableLogException {
            Matcher line =
                    Pattern.compile("(?m)^" + Pattern.quote(name) + ": +(\\S+)").matcher(text);
            if (!line.find()) {
                return OptionalDouble.empty();
            }
            if (!line.group(1).matches("\\d{1,18}(\\.\\d+)?")) {
                throw damaged("the line '" + name + "'");
            }
            return OptionalDouble.of(Double.parseDouble(line.group(1)));
        }

        double number(String name) throws UnreadableLogException {
            OptionalDouble value = optional(name);
            if (value.isEmpty()) {
                throw damaged("the line '" + name + "'");
            }
            return value.getAsDouble();
        }

        long count(String name) throws UnreadableLogException {
            double value = number(name);
            if (value != Math.rint(value)) {
                throw damaged("the line '" + name + "'");
            }
            return (long) value;
        }

        UnreadableLogException damaged(String what) {
            return new UnreadableLogException(
                    file + ": " + what + " is missing or damaged: ab was ended, or this is not its output");
        }
    }
}
