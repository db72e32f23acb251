package org.servletbench.bench.load.jmeter;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
 * {@code elapsed}, {@code label} and {@code success}; used where they are there are {@code grpThreads} (or else
 * {@code allThreads}), {@code threadName}, {@code bytes}, {@code sentBytes}, {@code responseCode}, {@code responseMessage} and
 * {@code failureMessage}. A sample starts at {@code timeStamp} and ends {@code elapsed} ms later, which is JMeter's
 * setting {@code sampleresult.timestamp.start=true}, the one it ships with.
 *
 * <p>Users count from their first answer: {@code grpThreads} has those, too, that wait for their place in the ramp-up.
 *
 * <p>The delimiter is what stands after the header's first name. A field in quotes may hold delimiters, line breaks
 * and quotes (doubled).
 */
public final class JMeterCsvReader {
    /** The format of these logs. */
    public static final LogFormat FORMAT =
            new LogFormat(first -> first >= ' ' && first < 127, (feed, sink) -> new JMeterCsvReader(feed, sink).read());

    /** What a column is to us. */
    private enum Column {
        TIME("timeStamp"),
        ELAPSED("elapsed"),
        LABEL("label"),
        SUCCESS("success"),
        GROUP_THREADS("grpThreads"),
        ALL_THREADS("allThreads"),
        THREAD("threadName"),
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
    private static final int SUCCESS = Column.SUCCESS.ordinal();
    private static final int BYTES = Column.BYTES.ordinal();
    private static final int SENT_BYTES = Column.SENT_BYTES.ordinal();
    private static final int CODE = Column.CODE.ordinal();
    private static final int MESSAGE = Column.MESSAGE.ordinal();
    private static final int FAILURE = Column.FAILURE.ordinal();

    /** Number of digits that always fit a long. */
    private static final int MOST_DIGITS = 18;

    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1," + MOST_DIGITS + "}");

    /** Bytes of a kind of error that are kept: a failed assertion may quote a whole page. */
    private static final int LONGEST_KIND = 500;

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
    /** By the label's number. */
    private final Map<Integer, Crowd> crowds = new HashMap<>();

    private JMeterCsvReader(ByteFeed feed, Function<LogSource, ? extends Records> sink) {
        this.feed = feed;
        this.sink = sink;
        this.bytes = feed.bytes;
        this.at = feed.start();
    }

    private long read() throws IOException {
        more();
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
                throw new UnreadableLogException("line 1: the column " + column.title + " is there twice");
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
                            ? "neither a simulation.log of Gatling nor a CSV of JMeter with a header line"
                            : "line 1: no column " + String.join(", ", missing) + "; JMeter must save it"
                                    + " (jmeter.save.saveservice.*)");
        }
        users = present[Column.GROUP_THREADS.ordinal()] ? Column.GROUP_THREADS.ordinal() : Column.ALL_THREADS.ordinal();
        for (int column : new int[] {TIME, ELAPSED, users, BYTES, SENT_BYTES}) {
            numeric[column] = true;
        }
        LogSource.Users known = present[users] ? LogSource.Users.SAMPLES : LogSource.Users.UNKNOWN;
        recorder = sink.apply(new LogSource("JMeter", "", 0, known, present[BYTES], present[SENT_BYTES], false));
        labels = new ByteNames(Recorder.MAX_CELLS, recorder::cell);
        kinds = new ByteNames(2 * Recorder.MAX_KINDS, recorder::errorKind);
        at = end + 1;
        line = 2;
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
        long start = number(TIME);
        long elapsed = number(ELAPSED);
        int cell = labels.number(fieldBytes(LABEL), fieldFrom, fieldTo);
        int kind = success() ? Recorder.OK : kind();
        long active = present[users] ? number(users) : Recorder.UNKNOWN;
        if (active > Integer.MAX_VALUE) {
            throw malformed(active + " threads");
        }
        if (active > 0 && present[THREAD]) {
            Crowd crowd = crowds.get(cell);
            if (crowd == null) {
                crowd = new Crowd();
                crowds.put(cell, crowd);
            }
            active = crowd.seen(active);
        }
        long received = present[BYTES] ? number(BYTES) : 0;
        long sent = present[SENT_BYTES] ? number(SENT_BYTES) : 0;
        samples++;
        recorder.request(cell, start, start + elapsed, kind, (int) active, received, sent);
    }

    /** The threads of a label that have had an answer. */
    private final class Crowd {
        /** What stands before a thread's group where several JMeter hosts wrote into one log. */
        private final Optional<String> group;

        private final Map<String, Long> ofHosts = new HashMap<>();
        private long started;
        private final ByteNames threads = new ByteNames(Integer.MAX_VALUE, thread -> (int) ++started);

        Crowd() {
            // Plans of this repository name groups as their requests.
            String group = "-" + whole(LABEL);
            this.group = Optional.of(group).filter(name -> whole(THREAD).indexOf(name) > 0);
        }

        /**
         * Counts the thread of the sample at hand.
         *
         * @param active threads of its group on its host
         * @return threads of the group on all hosts that have had an answer
         */
        long seen(long active) throws IOException {
            long all = active;
            if (group.isPresent()) {
                String thread = whole(THREAD);
                ofHosts.put(thread.substring(0, Math.max(0, thread.indexOf(group.get()))), active);
                all = ofHosts.values().stream().mapToLong(Long::longValue).sum();
            }
            if (started < all) {
                threads.number(fieldBytes(THREAD), fieldFrom, fieldTo);
            }
            return Math.min(all, started);
        }
    }

    private boolean success() throws UnreadableLogException {
        int p = from[SUCCESS];
        int length = to[SUCCESS] - p;
        if (length == 4 && bytes[p] == 't' && bytes[p + 1] == 'r' && bytes[p + 2] == 'u' && bytes[p + 3] == 'e') {
            return true;
        }
        if (!text(SUCCESS).equals("false")) {
            throw malformed("success is \"" + text(SUCCESS) + "\", not true or false");
        }
        return false;
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
            String hint = column == TIME ? " (save it as ms: jmeter.save.saveservice.timestamp_format=ms)" : "";
            throw malformed(Column.values()[column].title + " is \"" + text(column) + "\", not a number" + hint);
        }
        return Long.parseLong(field);
    }

    private String whole(int column) {
        byte[] field = fieldBytes(column);
        return new String(field, fieldFrom, fieldTo - fieldFrom, StandardCharsets.UTF_8);
    }

    private String text(int column) {
        int length = Math.min(to[column] - from[column], 40);
        return new String(bytes, from[column], length, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "?");
    }

    private UnreadableLogException malformed(String what) {
        return new UnreadableLogException("line " + line + ": " + what);
    }
}
