package org.servletbench.bench.load;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.servletbench.bench.measure.LogMeasurement;
import org.servletbench.bench.measure.LogSource;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.measure.Recorder;
import org.servletbench.bench.measure.Records;
import org.servletbench.bench.measure.UnreadableLogException;

/**
 * The log of a load: one file, or one file from each load host, read as one log. Requests with the same name belong to
 * one load; users of different files are different users. A file may be Gatling's {@code simulation.log} or JMeter's
 * results as CSV, compressed with gzip or not.
 *
 * @param parts at least one file, in any order
 */
public record RawLog(List<Part> parts) {

    /**
     * A file of a log.
     *
     * @param file the log, or {@link LogFile#INPUT}
     * @param offsetMs added to the file's times to bring all files to a common clock, ms
     */
    public record Part(Path file, long offsetMs) {}

    private static final String TEXT_LOG =
            "a text log of Gatling 3.12 or older, which is not read: run the simulation with the Gatling of this"
                    + " project";
    private static final String PACKED = "a packed file: unpack it";
    private static final String UTF_16 = "text in UTF-16: save it as UTF-8";
    private static final String XML =
            "XML: let JMeter save its results as CSV (jmeter.save.saveservice.output_format=csv), or convert the file as"
                    + " docs/single-runs.md shows";
    private static final String JSON =
            "JSON, such as a report's statistics or k6's results: name the raw log, or convert it to JMeter's CSV as"
                    + " docs/single-runs.md shows";

    private static final int LONGEST_BEGIN = 16;

    /** Beginnings of other kinds of files, in ISO 8859-1, and hints on what to do with them. */
    private static final String[][] OTHERS = {
        {"RUN\t", TEXT_LOG},
        {"ASSERTION\t", TEXT_LOG},
        {"\u001f\u008b", PACKED},
        {"BZh", PACKED},
        {"\u00fd7zXZ", PACKED},
        {"(\u00b5/\u00fd", PACKED},
        {"PK\u0003\u0004", "a zip file or a spreadsheet: unpack it, or save the sheet as CSV"},
        {"\u00d0\u00cf\u0011\u00e0", "a spreadsheet: save the sheet as CSV"},
        {"\u00ff\u00fe", UTF_16},
        {"\u00fe\u00ff", UTF_16},
        {"t\0", UTF_16},
        {"\0t", UTF_16},
        {"<?xml", XML},
        {"<testResults", XML},
        {"<", "HTML or XML, such as a report: name the raw log"},
        {"{", JSON},
        {"[", JSON},
        {"%PDF", "a PDF: name the raw log"}
    };

    public RawLog {
        parts = List.copyOf(parts);
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("no log");
        }
    }

    /** Returns a log with a single file, by its own clock. */
    public static RawLog of(Path file) {
        return new RawLog(List.of(new Part(file, 0)));
    }

    /** Compresses the files with gzip on the disk, to about a fortieth of their size. */
    RawLog packed() {
        return new RawLog(parts.stream()
                .map(part -> new Part(LogFile.pack(part.file), part.offsetMs))
                .toList());
    }

    /**
     * Measures all files, one after the other.
     *
     * @throws UnreadableLogException if a part is not a log, is of a version that is not supported, or is of another
     *     run than the others
     * @throws IOException if a file cannot be read at all
     */
    public LogMeasurement measure() throws IOException {
        return measure(UnaryOperator.identity());
    }

    /** Measures this log after renaming its requests. Several names may become one. */
    public LogMeasurement measure(UnaryOperator<String> naming) throws IOException {
        if (parts.size() == 1) {
            Recorder[] one = new Recorder[1];
            long records = read(
                    parts.get(0),
                    source -> one[0] = new Recorder(source).naming(naming).of(source, 1, ""));
            return withMonitor(one[0].measure(records));
        }
        Recorder all = new Recorder(together(heads())).naming(naming);
        long records = 0;
        for (Part part : parts) {
            records += read(part, source -> all.of(source, parts.size(), part.file + " "));
        }
        return withMonitor(all.measure(records));
    }

    private LogMeasurement withMonitor(LogMeasurement measured) throws IOException {
        for (Part part : parts) {
            Path monitor = part.file.resolveSibling("monitor.csv");
            if (!part.file.equals(LogFile.INPUT) && Files.isRegularFile(monitor)) {
                return measured.with(MonitorSeries.read(monitor).as(part.offsetMs, 1));
            }
        }
        return measured;
    }

    @Override
    public String toString() {
        return parts.stream().map(part -> part.file.toString()).collect(Collectors.joining(", "));
    }

    /**
     * Reads the parts, one after the other.
     *
     * @param sink creates the receiver of the records from a part's head, for each part in turn; the origin in the head
     *     is by the common clock
     * @return the number of requests read
     * @throws IOException as {@link #measure}
     */
    public long read(Function<LogSource, ? extends Records> sink) throws IOException {
        if (parts.size() > 1) {
            together(heads());
        }
        long records = 0;
        for (Part part : parts) {
            records += read(part, sink);
        }
        return records;
    }

    private long read(Part part, Function<LogSource, ? extends Records> sink) throws IOException {
        try (InputStream log = LogFile.open(part.file)) {
            return format(log).read(log, source -> sink.apply(source.later(part.offsetMs)));
        } catch (UnreadableLogException e) {
            throw parts.size() == 1 ? e : new UnreadableLogException(part.file + ": " + e.getMessage());
        }
    }

    /** Ends the reading of a log after its head. */
    private static final class Head extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient LogSource source;

        Head(LogSource source) {
            super(null, null, false, false);
            this.source = source;
        }
    }

    private List<LogSource> heads() throws IOException {
        List<LogSource> heads = new ArrayList<>();
        for (Part part : parts) {
            if (LogFile.isReadOnce(part.file)) {
                throw new UnreadableLogException(
                        part.file + ": --merge reads the head of each log first: name a file, not a pipe");
            }
            try {
                read(part, source -> {
                    throw new Head(source);
                });
            } catch (Head head) {
                heads.add(head.source);
            }
        }
        return heads;
    }

    /** Returns the common head of all parts, which must belong to one load. */
    private LogSource together(List<LogSource> heads) throws UnreadableLogException {
        LogSource all = heads.get(0);
        for (int i = 1; i < heads.size(); i++) {
            LogSource other = heads.get(i);
            if (!all.isOfTheSameLoadAs(other)) {
                throw new UnreadableLogException(
                        parts.get(i).file + " (" + other.words() + ") and " + parts.get(0).file + " (" + all.words()
                                + ") are not of one load: only logs of the same generator, simulation and columns are"
                                + " merged");
            }
            all = all.later(Math.min(0, other.originMs() - all.originMs()));
        }
        // A sample counts only the users of its own host.
        return parts.size() > 1 && all.users() == LogSource.Users.SAMPLES ? all.withoutUsers() : all;
    }

    private static LogFormat format(InputStream log) throws IOException {
        log.mark(LONGEST_BEGIN);
        String begin = new String(log.readNBytes(LONGEST_BEGIN), StandardCharsets.ISO_8859_1);
        log.reset();
        if (begin.isEmpty()) {
            throw new UnreadableLogException("empty");
        }
        String text = begin.startsWith("\u00ef\u00bb\u00bf") ? begin.substring(3) : begin;
        for (String[] other : OTHERS) {
            if (text.startsWith(other[0])) {
                throw new UnreadableLogException(other[1]);
            }
        }
        int first = begin.charAt(0);
        return Generators.all().stream()
                .flatMap(generator -> generator.log().stream())
                .filter(one -> one.begins().test(first))
                .findFirst()
                .orElseThrow(() -> new UnreadableLogException(
                        "neither a simulation.log of Gatling nor a CSV of JMeter, the only formats that can be"
                                + " read: docs/single-runs.md shows how to convert others"));
    }
}
