package org.servletbench.bench.load.jmeter;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.servletbench.bench.load.ByteFeed;
import org.servletbench.bench.load.ByteNames;
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
    private static final byte[] MARK = "\uFEFF".getBytes(StandardCharsets.UTF_8);

    /** The format of these logs. */
    public static final LogFormat FORMAT = new LogFormat(
            first -> first >= ' ' && first < 127 || first == (MARK[0] & 0xff),
            (feed, sink) -> new JMeterCsvReader(feed, sink).read());

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

        final String title;

        Column(String title) {
            this.title = title;
        }

        static final Column[] REQUIRED = {TIME, ELAPSED, LABEL, SUCCESS};
    }

    private static final int UNUSED = Column.values().length;
    private static final int TIME = Column.TIME.ordinal();
    private static final int ELAPSED = Column.ELAPSED.ordinal();
    private static final int LABEL = Column.LABEL.ordinal();
    private static final int THREAD = Column.THREAD.ordinal();
    private static final int HOST = Column.HOST.ordinal();
    private static final int SUCCESS = Column.SUCCESS.ordinal();
    private static final int BYTES = Column.BYTES.ordinal();
    private static final int SENT_BYTES = Column.SENT_BYTES.ordinal();
    private static final int CODE = Column.CODE.ordinal();
    private static final int MESSAGE = Column.MESSAGE.ordinal();
    private static final int FAILURE = Column.FAILURE.ordinal();

    /** Number of digits that always fit a long. */
    private static final int MOST_DIGITS = 18;

    /** A result where the header should be. */
    private static final Pattern DATA = Pattern.compile("^\"?[0-9]{12,14}\"?[,;\t|]\"?[0-9]+\"?[,;\t|]");
    /** What becomes of a time in a spreadsheet. */
    private static final Pattern ROUNDED = Pattern.compile("[0-9]([.,][0-9]+)?E\\+?[0-9]+");

    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1," + MOST_DIGITS + "}");

    /** Bytes of a kind of error that are kept: a failed assertion may quote a whole page. */
    private static final int LONGEST_KIND = 500;

    /** What stands after a thread's group. */
    private static final Pattern NUMBER = Pattern.compile("-[0-9]+$");

    private static final int INCOMPLETE = -1;
    private static final long UNREAD = -1;

    private final ByteFeed feed;
    private byte[] bytes;
    private int at;
    private long line = 1;

    private byte delimiter;
    /** For each column of the file the {@link Column} that it is, or {@link #UNUSED}. */
    private int[] roles;

    private boolean[] present = new boolean[UNUSED + 1];
    private int users;

    /** The fields of the record at hand: where they begin and end, and whether they hold doubled quotes. */
    private final int[] from = new int[UNUSED + 1];

    private final int[] to = new int[UNUSED + 1];
    private final boolean[] doubled = new boolean[UNUSED + 1];
    /** The fields that are plain numbers, or {@link #UNREAD}. */
    private final long[] values = new long[UNUSED + 1];

    private final boolean[] numeric = new boolean[UNUSED + 1];
    private long lineBreaks;
    /** The field that {@link #fieldBytes} gave. */
    private int fieldFrom;

    private int fieldTo;

    private final Function<LogSource, ? extends Records> sink;
    private Records recorder;
    private ByteNames labels;
    private ByteNames kinds;
    private byte[] scratch = new byte[1024];
    private long samples;
    private final Threads threads = new Threads();

    private JMeterCsvReader(ByteFeed feed, Function<LogSource, ? extends Records> sink) {
        this.feed = feed;
        this.sink = sink;
        this.bytes = feed.bytes;
        this.at = feed.start();
    }

    private long read() throws IOException {
        more();
        if (feed.to - at >= MARK.length && Arrays.equals(bytes, at, at + MARK.length, MARK, 0, MARK.length)) {
            at += MARK.length;
        }
        header();
        while (true) {
            // The sentinel ends every search for the end of a field; whether it was the real end is asked once a
            // record.
            bytes[feed.to] = '\n';
            int next = fields(at);
            if (next == INCOMPLETE) {
                if (more()) {
                    continue;
                }
                if (at < feed.to) {
                    recorder.truncated("ends within line " + line + ", at byte " + feed.offset(feed.to)
                            + "; the lines before it count");
                }
                break;
            }
            if (next - at > 1) {
                sample();
            }
            line += 1 + lineBreaks;
            at = next;
        }
        threads.end();
        return samples;
    }

    private boolean more() throws IOException {
        int place = feed.more(at);
        if (place < 0) {
            return false;
        }
        at = place;
        bytes = feed.bytes;
        return true;
    }

    // The header

    private void header() throws IOException {
        int end = at;
        while (end < feed.to && bytes[end] != '\n') {
            end++;
        }
        if (end == feed.to) {
            throw new UnreadableLogException("no header line with the names of JMeter's columns");
        }
        String text = new String(bytes, at, end - at, StandardCharsets.UTF_8).strip();
        if (text.startsWith("sep=") && line == 1) {
            // A spreadsheet's hint to itself.
            at = end + 1;
            line++;
            header();
            return;
        }
        delimiter = delimiter(text);
        List<String> titles = new ArrayList<>();
        for (String title : text.split(Pattern.quote("" + (char) delimiter), -1)) {
            titles.add(
                    title.length() > 1 && title.startsWith("\"") && title.endsWith("\"")
                            ? title.substring(1, title.length() - 1)
                            : title);
        }
        roles = new int[titles.size()];
        Arrays.fill(roles, UNUSED);
        for (Column column : Column.values()) {
            int place = titles.indexOf(column.title);
            if (place != titles.lastIndexOf(column.title)) {
                throw malformed("the column " + column.title + " is there twice");
            }
            if (place >= 0) {
                roles[place] = column.ordinal();
                present[column.ordinal()] = true;
            }
        }
        List<String> missing = Arrays.stream(Column.REQUIRED)
                .filter(column -> !present[column.ordinal()])
                .map(column -> column.title)
                .toList();
        if (!missing.isEmpty()) {
            throw new UnreadableLogException(
                    missing.size() == Column.REQUIRED.length
                            ? DATA.matcher(text).find()
                                    ? "line 1 is no header: put the names of JMeter's columns before the first result"
                                            + " (jmeter.save.saveservice.print_field_names=true)"
                                    : "neither a simulation.log of Gatling nor a CSV of JMeter with a header line"
                            : "line " + line + ": no column " + String.join(", ", missing) + "; JMeter must save it"
                                    + " (jmeter.save.saveservice.*)");
        }
        users = present[Column.GROUP_THREADS.ordinal()] ? Column.GROUP_THREADS.ordinal() : Column.ALL_THREADS.ordinal();
        for (int column : new int[] {TIME, ELAPSED, users, BYTES, SENT_BYTES}) {
            numeric[column] = true;
        }
        LogSource.Users known = present[THREAD]
                ? LogSource.Users.RECORDS
                : present[users] ? LogSource.Users.SAMPLES : LogSource.Users.UNKNOWN;
        recorder = sink.apply(new LogSource("JMeter", "", 0, known, present[BYTES], present[SENT_BYTES], false));
        labels = new ByteNames(Recorder.MAX_CELLS, recorder::cell);
        kinds = new ByteNames(2 * Recorder.MAX_KINDS, recorder::errorKind);
        at = end + 1;
        line++;
    }

    private static byte delimiter(String header) {
        int i = 0;
        while (i < header.length() && (Character.isLetterOrDigit(header.charAt(i)) || header.charAt(i) == '"')) {
            i++;
        }
        boolean usable = i < header.length() && header.charAt(i) < 128;
        return usable ? (byte) header.charAt(i) : (byte) ',';
    }

    // A record

    /**
     * Finds the fields of the record that begins at {@code p}.
     *
     * @return the place after it, or {@link #INCOMPLETE} when the bytes at hand end before it does
     */
    private int fields(int p) throws UnreadableLogException {
        byte[] b = bytes;
        int end = feed.to;
        byte delimiter = this.delimiter;
        int[] roles = this.roles;
        lineBreaks = 0;
        int column = 0;
        while (true) {
            int role = column < roles.length ? roles[column] : UNUSED;
            byte c = b[p];
            if (c == '"' && p < end) {
                p = quoted(p, role);
                if (p == INCOMPLETE) {
                    return INCOMPLETE;
                }
                c = b[p];
            } else {
                from[role] = p;
                if (numeric[role]) {
                    // Read on the way: most of a line is numbers, and each would else be gone over twice.
                    long value = 0;
                    while (c >= '0' && c <= '9') {
                        value = 10 * value + (c - '0');
                        c = b[++p];
                    }
                    int digits = p - from[role];
                    boolean whole = c == delimiter || c == '\n';
                    values[role] = whole && digits > 0 && digits <= MOST_DIGITS ? value : UNREAD;
                }
                while (c != delimiter && c != '\n') {
                    c = b[++p];
                }
                to[role] = p;
                doubled[role] = false;
            }
            if (c == '\n') {
                if (p >= end) {
                    return INCOMPLETE;
                }
                return complete(column + 1, role, p);
            }
            p++;
            column++;
        }
    }

    private int complete(int columns, int lastRole, int p) throws UnreadableLogException {
        if (columns != roles.length && p > at) {
            boolean blank = columns == 1 && p == at + 1 && bytes[at] == '\r';
            if (!blank) {
                throw malformed(columns + " fields, the header has " + roles.length);
            }
            // An empty line, with Windows' line end.
            at++;
        }
        if (to[lastRole] > from[lastRole] && to[lastRole] == p && bytes[p - 1] == '\r') {
            to[lastRole]--;
        }
        return p + 1;
    }

    /** A field in quotes: gives the place after it, which is a delimiter or a line break. */
    private int quoted(int open, int role) throws UnreadableLogException {
        byte[] b = bytes;
        int end = feed.to;
        boolean pairs = false;
        int p = open + 1;
        while (true) {
            while (p < end && b[p] != '"') {
                if (b[p] == '\n') {
                    lineBreaks++;
                }
                p++;
            }
            if (p + 1 >= end) {
                return INCOMPLETE;
            }
            if (b[p + 1] != '"') {
                break;
            }
            pairs = true;
            p += 2;
        }
        values[role] = UNREAD;
        from[role] = open + 1;
        to[role] = p;
        doubled[role] = pairs;
        p++;
        if (b[p] == '\r') {
            if (p + 1 >= end) {
                return INCOMPLETE;
            }
            if (b[p + 1] == '\n') {
                p++;
            }
        }
        if (b[p] != delimiter && b[p] != '\n') {
            throw malformed("text after the closing quote of a field");
        }
        return p;
    }

    private void sample() throws IOException {
        if (values[TIME] == UNREAD && isHeader()) {
            return;
        }
        long start = number(TIME);
        long end = start + number(ELAPSED);
        int cell = labels.number(fieldBytes(LABEL), fieldFrom, fieldTo);
        int kind = success() ? Recorder.OK : kind();
        long active = present[users] ? number(users) : Recorder.UNKNOWN;
        if (active > Integer.MAX_VALUE) {
            throw malformed(active + " threads");
        }
        if (present[THREAD]) {
            threads.send(cell, start, end);
        }
        long received = present[BYTES] ? number(BYTES) : 0;
        long sent = present[SENT_BYTES] ? number(SENT_BYTES) : 0;
        samples++;
        recorder.request(cell, start, end, kind, (int) active, received, sent);
    }

    /** Whether this is the header once more. */
    private boolean isHeader() throws UnreadableLogException {
        if (!isTitle(TIME)) {
            return false;
        }
        for (int column = 0; column < UNUSED; column++) {
            if (present[column] && !isTitle(column)) {
                throw malformed("another header than in line 1: measure the files by themselves, or with --merge");
            }
        }
        return true;
    }

    private boolean isTitle(int column) {
        return text(column).replace("\uFEFF", "").equals(Column.values()[column].title);
    }

    /** The users: threads by the name of their host and their own. */
    private final class Threads {
        /** More are not told apart: each of their requests is a user. */
        private static final int MOST = 200_000;

        private final ByteNames names = new ByteNames(MOST, this::add);
        private final Map<String, Integer> groups = new HashMap<>();
        /** By group: the labels that it sends. */
        private final Map<Integer, BitSet> labels = new HashMap<>();

        private int count;
        private int[] group = new int[64];
        /** By thread: the number after that of the label that it sent last. */
        private int[] label = new int[64];

        private long[] from = new long[64];
        private long[] to = new long[64];
        private byte[] key = new byte[128];

        /** A thread is named after its host, if that is another one, its group and the group's number, and its own. */
        private int add(String name) {
            if (count == group.length) {
                group = Arrays.copyOf(group, 2 * count);
                label = Arrays.copyOf(label, 2 * count);
                from = Arrays.copyOf(from, 2 * count);
                to = Arrays.copyOf(to, 2 * count);
            }
            int thread = Math.min(count, MOST);
            count = Math.min(count + 1, MOST);
            group[thread] = groups.computeIfAbsent(NUMBER.matcher(name).replaceFirst(""), recorder::population);
            from[thread] = Long.MAX_VALUE;
            return thread;
        }

        void send(int cell, long start, long end) throws IOException {
            byte[] field = fieldBytes(THREAD);
            int thread;
            if (present[HOST]) {
                int length = fieldTo - fieldFrom;
                int host = to(HOST) - from(HOST);
                key = key.length < length + host + 1 ? new byte[2 * (length + host + 1)] : key;
                System.arraycopy(bytes, from(HOST), key, 0, host);
                key[host] = ' ';
                System.arraycopy(field, fieldFrom, key, host + 1, length);
                thread = names.number(key, 0, host + 1 + length);
            } else {
                thread = names.number(field, fieldFrom, fieldTo);
            }
            if (label[thread] != cell + 1) {
                label[thread] = cell + 1;
                BitSet sent = labels.computeIfAbsent(group[thread], none -> new BitSet());
                if (!sent.get(cell)) {
                    sent.set(cell);
                    recorder.sends(group[thread], cell);
                }
            }
            if (end < start) {
                return;
            }
            boolean far = from[thread] <= to[thread]
                    && (start > to[thread] + Recorder.FAR_MS || end < from[thread] - Recorder.FAR_MS);
            if (far) {
                end(thread);
                from[thread] = Long.MAX_VALUE;
            }
            to[thread] = from[thread] == Long.MAX_VALUE ? end : Math.max(to[thread], end);
            from[thread] = Math.min(from[thread], start);
            if (thread == MOST) {
                end(thread);
            }
        }

        private void end(int thread) {
            if (from[thread] <= to[thread]) {
                recorder.userStarts(group[thread], from[thread]);
                recorder.userEnds(group[thread], to[thread]);
            }
        }

        void end() {
            for (int thread = 0; thread < Math.min(count, MOST); thread++) {
                end(thread);
            }
        }
    }

    private int from(int column) {
        return from[column];
    }

    private int to(int column) {
        return to[column];
    }

    private boolean success() throws UnreadableLogException {
        int p = from[SUCCESS];
        int length = to[SUCCESS] - p;
        if (length == 4 && bytes[p] == 't' && bytes[p + 1] == 'r' && bytes[p + 2] == 'u' && bytes[p + 3] == 'e') {
            return true;
        }
        // Spreadsheets write them in capitals.
        boolean succeeded = text(SUCCESS).equals("TRUE");
        if (!succeeded && !text(SUCCESS).equalsIgnoreCase("false")) {
            throw malformed("success is \"" + text(SUCCESS) + "\", not true or false");
        }
        return succeeded;
    }

    /** Response code, message and what the assertions said, as far as they are there. */
    private int kind() throws IOException {
        int length = 0;
        for (int column = CODE; column <= FAILURE; column++) {
            if (present[column] && to[column] > from[column]) {
                byte[] field = fieldBytes(column);
                int fieldLength = fieldTo - fieldFrom;
                if (scratch.length < length + 3 + fieldLength) {
                    scratch = Arrays.copyOf(scratch, 2 * (length + 3 + fieldLength));
                }
                if (length > 0) {
                    scratch[length++] = column == FAILURE ? (byte) ':' : (byte) ' ';
                    if (column == FAILURE) {
                        scratch[length++] = ' ';
                    }
                }
                System.arraycopy(field, fieldFrom, scratch, length, fieldLength);
                length += fieldLength;
            }
        }
        if (length == 0) {
            return recorder.errorKind("(no message)");
        }
        return kinds.number(scratch, 0, Math.min(length, LONGEST_KIND));
    }

    /** Sets {@link #fieldFrom} and {@link #fieldTo} to the field within the array that is given back. */
    private byte[] fieldBytes(int column) {
        fieldFrom = from[column];
        fieldTo = to[column];
        if (!doubled[column]) {
            return bytes;
        }
        byte[] single = new byte[fieldTo - fieldFrom];
        int length = 0;
        for (int p = fieldFrom; p < fieldTo; p++) {
            single[length++] = bytes[p];
            if (bytes[p] == '"') {
                p++;
            }
        }
        fieldFrom = 0;
        fieldTo = length;
        return single;
    }

    private long number(int column) throws UnreadableLogException {
        return values[column] != UNREAD ? values[column] : unusualNumber(column);
    }

    /** A number that is in quotes, or negative, or at the end of a line in Windows' way, or none. */
    private long unusualNumber(int column) throws UnreadableLogException {
        int length = to[column] - from[column];
        String field = new String(bytes, from[column], length, StandardCharsets.ISO_8859_1);
        if (!WHOLE.matcher(field).matches() || field.startsWith("-") && column != ELAPSED) {
            String hint = ROUNDED.matcher(field).matches()
                    ? " (a spreadsheet rounded it: measure JMeter's own file, or save the column as whole numbers)"
                    : column == TIME ? " (save it as ms: jmeter.save.saveservice.timestamp_format=ms)" : "";
            throw malformed(Column.values()[column].title + " is \"" + text(column) + "\", not a number" + hint);
        }
        return Long.parseLong(field);
    }

    private String text(int column) {
        int length = Math.min(to[column] - from[column], 40);
        return new String(bytes, from[column], length, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "?");
    }

    private UnreadableLogException malformed(String what) {
        return new UnreadableLogException("line " + line + ": " + what);
    }
}
