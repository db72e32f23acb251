package org.servletbench.bench.load.jmeter;

import java.io.BufferedReader;
import java.io.FilterReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.servletbench.bench.load.LogFormat;
import org.servletbench.bench.measure.LogSource;
import org.servletbench.bench.measure.Recorder;
import org.servletbench.bench.measure.Records;
import org.servletbench.bench.measure.UnreadableLogException;

/**
 * Reads JMeter's results as CSV, in whatever order its header names the columns. Needed are {@code timeStamp},
 * {@code elapsed}, {@code label} and {@code success}; used where they are there are {@code threadName} with {@code Hostname} (or else
 * {@code grpThreads}, or {@code allThreads}), {@code bytes}, {@code sentBytes}, {@code responseCode}, {@code responseMessage} and
 * {@code failureMessage}. A sample starts at {@code timeStamp} and ends {@code elapsed} ms later, which is JMeter's
 * setting {@code sampleresult.timestamp.start=true}, the one it ships with.
 *
 * <p>A thread is a user from its first request to its last: {@code grpThreads} has those, too, that wait for their place in the
 * ramp-up, and not those of other hosts and groups.
 *
 * <p>The delimiter is what stands after the header's first name. A field in quotes may hold delimiters, line breaks
 * and quotes (doubled). The header may come again, as in files that were put one after the other.
 */
public final class JMeterCsvReader {
    /** What some programs put before text in UTF-8. */
    private static final String MARK = "\uFEFF";

    /** The format of these logs. */
    public static final LogFormat FORMAT = new LogFormat(
            first -> first >= ' ' && first < 127 || first == (MARK.getBytes(StandardCharsets.UTF_8)[0] & 0xff),
            (log, sink) -> new JMeterCsvReader(log, sink).read());

    /** What a column is to us. */
    private enum Column {
        TIME("timeStamp"),
        ELAPSED("elapsed"),
        LABEL("label"),
        SUCCESS("success"),
        GROUP_THREADS("grpThreads"),
        ALL_THREADS("allThreads"),
        THREAD("threadName"),
        HOST("Hostname"),
        BYTES("bytes"),
        SENT_BYTES("sentBytes"),
        CODE("responseCode"),
        MESSAGE("responseMessage"),
        FAILURE("failureMessage");

        static final List<Column> REQUIRED = List.of(TIME, ELAPSED, LABEL, SUCCESS);
        final String title;

        Column(String title) {
            this.title = title;
        }
    }

    /** Number of digits that always fit a long. */
    private static final int MOST_DIGITS = 18;
    /** A result where the header should be. */
    private static final Pattern DATA = Pattern.compile("^\"?[0-9]{12,14}\"?[,;\t|]\"?[0-9]+\"?[,;\t|]");
    /** What becomes of a time in a spreadsheet. */
    private static final Pattern ROUNDED = Pattern.compile("[0-9]([.,][0-9]+)?E\\+?[0-9]+");
    /** Characters of a kind of error that are kept: a failed assertion may quote a whole page. */
    private static final int LONGEST_KIND = 500;
    /** A quote that nothing closes must not take all of a log into memory. */
    private static final int LONGEST_RECORD = 256 << 10;
    /** What stands after a thread's group. */
    private static final Pattern NUMBER = Pattern.compile("-[0-9]+$");
    /** More users are not told apart: each of their requests is one. */
    private static final int MOST_USERS = 200_000;

    private final Path log;
    private final Function<LogSource, ? extends Records> sink;
    private final Map<Column, Integer> places = new EnumMap<>(Column.class);
    private final Map<String, Integer> labels = new HashMap<>();
    /** By host and thread. */
    private final Map<String, User> users = new LinkedHashMap<>();

    private final Map<String, Integer> groups = new HashMap<>();
    /** By group: the labels that it sends. */
    private final Map<Integer, BitSet> sent = new HashMap<>();

    private Records recorder;
    private Column active;
    private int columns;
    private CSVRecord fields;
    /** Of the record at hand, or of the header. */
    private long line;

    private long samples;

    private JMeterCsvReader(Path log, Function<LogSource, ? extends Records> sink) {
        this.log = log;
        this.sink = sink;
    }

    /** A thread of JMeter's, from its first request to its last. */
    private static final class User {
        final int group;
        int label = -1;
        long from = Long.MAX_VALUE;
        long to;

        User(int group) {
            this.group = group;
        }
    }

    /** Fails where a record has no end. */
    private static final class Limited extends FilterReader {
        int ofRecord;

        Limited(Reader in) {
            super(in);
        }

        @Override
        public int read(char[] buffer, int from, int length) throws IOException {
            int read = super.read(buffer, from, length);
            ofRecord += Math.max(0, read);
            if (ofRecord > LONGEST_RECORD) {
                throw new UnreadableLogException("a record of more than " + LONGEST_RECORD + " characters");
            }
            return read;
        }
    }

    private long read() throws IOException {
        boolean whole = endsWithLine();
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(Files.newInputStream(log), StandardCharsets.UTF_8))) {
            char delimiter = header(in, whole);
            Limited limited = new Limited(in);
            CSVFormat format =
                    CSVFormat.DEFAULT.builder().setDelimiter(delimiter).get();
            records(format.parse(limited), limited, whole);
        }
        users.values().forEach(this::ends);
        return samples;
    }

    private boolean endsWithLine() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            file.seek(Math.max(0, file.length() - 1));
            return file.read() == '\n';
        }
    }

    /** The last record counts only if its line has an end. */
    private void records(CSVParser parser, Limited limited, boolean whole) throws IOException {
        var all = parser.iterator();
        long header = line;
        while (true) {
            long next = header + parser.getCurrentLineNumber() + 1;
            boolean more;
            try {
                limited.ofRecord = 0;
                more = all.hasNext();
            } catch (UncheckedIOException e) {
                sample();
                line = next;
                if (e.getCause() instanceof UnreadableLogException known) {
                    throw malformed(known.getMessage());
                }
                if (!e.getCause().getMessage().contains("EOF")) {
                    throw malformed("text after the closing quote of a field");
                }
                truncated();
                return;
            }
            if (more) {
                sample();
                fields = all.next();
                line = next;
            } else if (whole || fields == null) {
                sample();
                return;
            } else {
                truncated();
                return;
            }
        }
    }

    private void truncated() throws IOException {
        recorder.truncated("ends within line " + line + ", at byte " + Files.size(log) + "; the lines before it count");
    }

    // The header

    /** Reads it, and gives the delimiter. */
    private char header(BufferedReader in, boolean whole) throws IOException {
        String text = headerLine(in, whole).replace(MARK, "");
        if (text.startsWith("sep=")) {
            // A spreadsheet's hint to itself.
            text = headerLine(in, whole);
        }
        char delimiter = delimiter(text);
        List<String> titles = Arrays.stream(text.split(Pattern.quote("" + delimiter), -1))
                .map(title -> title.replaceFirst("^\"(.*)\"$", "$1"))
                .toList();
        columns = titles.size();
        for (Column column : Column.values()) {
            int place = titles.indexOf(column.title);
            if (place != titles.lastIndexOf(column.title)) {
                throw malformed("the column " + column.title + " is there twice");
            }
            if (place >= 0) {
                places.put(column, place);
            }
        }
        List<String> missing = Column.REQUIRED.stream()
                .filter(column -> !has(column))
                .map(column -> column.title)
                .toList();
        if (missing.size() == Column.REQUIRED.size()) {
            throw new UnreadableLogException(
                    DATA.matcher(text).find()
                            ? "line 1 is no header: put the names of JMeter's columns before the first result"
                                    + " (jmeter.save.saveservice.print_field_names=true)"
                            : "neither a simulation.log of Gatling nor a CSV of JMeter with a header line");
        }
        if (!missing.isEmpty()) {
            throw malformed(
                    "no column " + String.join(", ", missing) + "; JMeter must save it (jmeter.save.saveservice.*)");
        }
        active = has(Column.GROUP_THREADS) ? Column.GROUP_THREADS : Column.ALL_THREADS;
        LogSource.Users known = has(Column.THREAD)
                ? LogSource.Users.RECORDS
                : has(active) ? LogSource.Users.SAMPLES : LogSource.Users.UNKNOWN;
        recorder = sink.apply(new LogSource("JMeter", "", 0, known, has(Column.BYTES), has(Column.SENT_BYTES), false));
        return delimiter;
    }

    private String headerLine(BufferedReader in, boolean whole) throws IOException {
        String text = in.readLine();
        in.mark(1);
        boolean last = in.read() < 0;
        if (text == null || last && !whole) {
            throw new UnreadableLogException("no header line with the names of JMeter's columns");
        }
        if (!last) {
            in.reset();
        }
        line++;
        return text.strip();
    }

    private static char delimiter(String header) {
        int i = 0;
        while (i < header.length() && (Character.isLetterOrDigit(header.charAt(i)) || header.charAt(i) == '"')) {
            i++;
        }
        return i < header.length() && header.charAt(i) < 128 ? header.charAt(i) : ',';
    }

    private boolean has(Column column) {
        return places.containsKey(column);
    }

    // A record

    /** Takes the record at hand, if there is one. */
    private void sample() throws IOException {
        if (fields == null) {
            return;
        }
        if (fields.size() != columns) {
            throw malformed(fields.size() + " fields, the header has " + columns);
        }
        if (isTitle(Column.TIME)) {
            // The header once more.
            if (!places.keySet().stream().allMatch(this::isTitle)) {
                throw malformed("another header than in line 1: measure the files by themselves, or with --merge");
            }
            return;
        }
        long start = number(Column.TIME);
        long end = start + number(Column.ELAPSED);
        String label = field(Column.LABEL);
        Integer cell = labels.get(label);
        if (cell == null) {
            cell = recorder.cell(label);
            labels.put(label, cell);
        }
        int kind = succeeded() ? Recorder.OK : recorder.errorKind(kind());
        long threads = has(active) ? number(active) : Recorder.UNKNOWN;
        if (threads > Integer.MAX_VALUE) {
            throw malformed(threads + " threads");
        }
        if (has(Column.THREAD)) {
            sends(cell, start, end);
        }
        long received = has(Column.BYTES) ? number(Column.BYTES) : 0;
        long sentBytes = has(Column.SENT_BYTES) ? number(Column.SENT_BYTES) : 0;
        samples++;
        recorder.request(cell, start, end, kind, (int) threads, received, sentBytes);
    }

    private boolean isTitle(Column column) {
        String text = field(column);
        return text.endsWith(column.title) && text.replace(MARK, "").equals(column.title);
    }

    /** A thread is named after its host, if that is another one, its group and the group's number, and its own. */
    private void sends(int cell, long start, long end) {
        String name = (has(Column.HOST) ? field(Column.HOST) + " " : "") + field(Column.THREAD);
        User user = users.get(name);
        boolean kept = user != null || users.size() < MOST_USERS;
        if (user == null) {
            user = new User(groups.computeIfAbsent(NUMBER.matcher(name).replaceFirst(""), recorder::population));
            if (kept) {
                users.put(name, user);
            }
        }
        if (user.label != cell) {
            user.label = cell;
            BitSet ofGroup = sent.computeIfAbsent(user.group, none -> new BitSet());
            if (!ofGroup.get(cell)) {
                ofGroup.set(cell);
                recorder.sends(user.group, cell);
            }
        }
        if (end < start) {
            return;
        }
        boolean far = user.from <= user.to && (start > user.to + Recorder.FAR_MS || end < user.from - Recorder.FAR_MS);
        if (far) {
            ends(user);
            user.from = Long.MAX_VALUE;
        }
        user.to = user.from == Long.MAX_VALUE ? end : Math.max(user.to, end);
        user.from = Math.min(user.from, start);
        if (!kept) {
            ends(user);
        }
    }

    private void ends(User user) {
        if (user.from <= user.to) {
            recorder.userStarts(user.group, user.from);
            recorder.userEnds(user.group, user.to);
        }
    }

    /** Spreadsheets write it in capitals. */
    private boolean succeeded() throws UnreadableLogException {
        String success = field(Column.SUCCESS);
        if (!success.equalsIgnoreCase("true") && !success.equalsIgnoreCase("false")) {
            throw malformed("success is \"" + text(Column.SUCCESS) + "\", not true or false");
        }
        return success.equalsIgnoreCase("true");
    }

    /** Response code, message and what the assertions said, as far as they are there. */
    private String kind() {
        StringBuilder kind = new StringBuilder();
        for (Column column : List.of(Column.CODE, Column.MESSAGE, Column.FAILURE)) {
            String part = has(column) ? field(column) : "";
            kind.append(kind.isEmpty() || part.isEmpty() ? "" : column == Column.FAILURE ? ": " : " ")
                    .append(part);
        }
        return kind.isEmpty() ? "(no message)" : kind.substring(0, Math.min(kind.length(), LONGEST_KIND));
    }

    private long number(Column column) throws UnreadableLogException {
        String field = field(column);
        boolean begins = !field.isEmpty()
                && field.length() <= MOST_DIGITS
                && (Character.isDigit(field.charAt(0)) || column == Column.ELAPSED && field.charAt(0) == '-');
        try {
            if (begins) {
                return Long.parseLong(field);
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        String hint = ROUNDED.matcher(field).matches()
                ? " (a spreadsheet rounded it: measure JMeter's own file, or save the column as whole numbers)"
                : column == Column.TIME ? " (save it as ms: jmeter.save.saveservice.timestamp_format=ms)" : "";
        throw malformed(column.title + " is \"" + text(column) + "\", not a number" + hint);
    }

    private String field(Column column) {
        return fields.get(places.get(column));
    }

    /** The same for people. */
    private String text(Column column) {
        String field = field(column);
        return field.substring(0, Math.min(field.length(), 40)).replaceAll("\\p{Cntrl}", "?");
    }

    private UnreadableLogException malformed(String what) {
        return new UnreadableLogException("line " + line + ": " + what);
    }
}
