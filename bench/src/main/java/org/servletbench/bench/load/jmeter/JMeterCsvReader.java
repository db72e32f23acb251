package org.servletbench.bench.load.jmeter;

import de.siegmar.fastcsv.reader.AbstractBaseCsvCallbackHandler;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.load.LogFormat;
import org.servletbench.bench.measure.LogSource;
import org.servletbench.bench.measure.Recorder;
import org.servletbench.bench.measure.Records;
import org.servletbench.bench.measure.UnreadableLogException;

/**
 * Reads JMeter's results as CSV, with the columns in any order that the header gives. Required columns are
 * {@code timeStamp}, {@code elapsed}, {@code label} and {@code success}; optional are {@code threadName} with
 * {@code Hostname} (or else {@code grpThreads}, or {@code allThreads}), {@code bytes}, {@code sentBytes},
 * {@code responseCode}, {@code responseMessage} and {@code failureMessage}. A sample starts at {@code timeStamp} and
 * ends {@code elapsed} ms later, as with JMeter's setting {@code sampleresult.timestamp.start=true}, its default.
 *
 * <p>A thread is a user from its first request to its last. ({@code grpThreads} also includes users that still wait for
 * their place in the ramp-up, and excludes those of other hosts and groups.)
 *
 * <p>A row of a remote run in statistical mode is the sum of {@code SampleCount} requests: {@code elapsed} is the sum
 * of their times, and {@code timeStamp} the end of the last one. A transaction, which is the sum of other rows, and the
 * parts of a redirected request are distinguished from requests.
 *
 * <p>If two rows have the same thread, label, time and duration, they are counted once, because a thread sends one
 * request at a time. If other requests with one thread name and label overlap in time, that name stands for several
 * users. Then the number of users of its group is unknown, and its rows count, unless each occurs twice throughout.
 *
 * <p>The delimiter is the character after the header's first name. A field in quotes may contain delimiters, line
 * breaks and (doubled) quotes. The header may be repeated, as in concatenated files.
 */
public final class JMeterCsvReader {
    /** Byte order mark that some programs put before text in UTF-8. */
    private static final String MARK = "\uFEFF";

    /** The format of these logs. */
    public static final LogFormat FORMAT = new LogFormat(
            first -> first >= ' ' && first < 127 || first == (MARK.getBytes(StandardCharsets.UTF_8)[0] & 0xff),
            (log, sink) -> new JMeterCsvReader(log, sink).read());

    /** Columns that are read. */
    private enum Column {
        TIME("timeStamp", true),
        ELAPSED("elapsed", true),
        LABEL("label", false),
        SUCCESS("success", false),
        GROUP_THREADS("grpThreads", true),
        ALL_THREADS("allThreads", true),
        THREAD("threadName", false),
        HOST("Hostname", false),
        BYTES("bytes", true),
        SENT_BYTES("sentBytes", true),
        CODE("responseCode", false),
        MESSAGE("responseMessage", false),
        FAILURE("failureMessage", false),
        SAMPLES("SampleCount", true),
        FAILED_SAMPLES("ErrorCount", true);

        static final Column[] ALL = values();
        static final List<Column> REQUIRED = List.of(TIME, ELAPSED, LABEL, SUCCESS);
        final String title;
        final boolean isNumber;

        Column(String title, boolean isNumber) {
            this.title = title;
            this.isNumber = isNumber;
        }
    }

    /** Columns whose names are kept. */
    private static final Set<Column> NAMES = EnumSet.of(Column.LABEL, Column.THREAD, Column.HOST);
    /** Length from which a name may be too long to be kept as it is. */
    private static final int LEAST_LONG = 400;

    /** Number of all names that have none of their own. */
    private static final int REST = -1;

    /** Number of digits that always fit into a long. */
    private static final int MOST_DIGITS = 18;
    /** Matches a result where the header should be. */
    private static final Pattern DATA = Pattern.compile("^\"?[0-9]{12,14}\"?[,;\t|]\"?[0-9]+\"?[,;\t|]");
    /** Matches a time as a spreadsheet rewrites it. */
    private static final Pattern ROUNDED = Pattern.compile("[0-9]([.,][0-9]+)?E\\+?[0-9]+");
    /** Maximum length of a kind of error, characters. A failed assertion may quote a whole page. */
    private static final int LONGEST_KIND = 500;
    /** Maximum length of a record, so that an unclosed quote does not load the whole log into memory. */
    private static final int LONGEST_RECORD = 256 << 10;
    /** Beginning of the message in a transaction controller's row. */
    private static final String TRANSACTION = "Number of samples in transaction : ";
    /**
     * Matches the name of one of several requests that a redirected request, or one with embedded resources, consists
     * of.
     */
    private static final Pattern PART = Pattern.compile("(.*)-[0-9]+", Pattern.DOTALL);
    /** Minimum share of a name's rows that lie within rows of the whole, for its rows to count as parts. */
    private static final double MOST_PARTS = 0.99;
    /** Replacement for text that is not UTF-8. */
    private static final char REPLACED = '\uFFFD';
    /** Smallest time that is taken to be in s. Today's times in ms have 13 digits. */
    private static final long LEAST_SECONDS = 1_000_000_000L;

    private static final long MOST_SECONDS = 100_000_000_000L;
    private static final long LEAST_MICROSECONDS = 1_000_000_000_000_000L;
    /**
     * Number of rows among which repeated ones are searched for, and of requests that are compared with the next of
     * their thread. It is a power of two.
     */
    private static final int RECENT = 1 << 14;
    /** Maximum number of rows that look repeated and wait until more is known about their threads. */
    private static final int MOST_HELD = 1 << 14;
    /**
     * Share of overlapping requests above which thread names stand for several users. Adjustments of the clock cause
     * fewer overlaps.
     */
    private static final double OVERLAPPING = 0.02;
    /** Maximum share of rows that occur once, in a log whose rows occur twice throughout. */
    private static final double SINGLE = 0.01;
    /**
     * Maximum duration, ms, for which two requests of a thread may have the same row by coincidence. JMeter reads the
     * time of day anew every few seconds, which may set its clock back by 1 ms.
     */
    private static final long CLOCK_STEP_MS = 1;
    /** Ending of a thread name, after the name of the thread's group. */
    private static final Pattern NUMBER = Pattern.compile("-[0-9]+$");

    private static final char[] BLANK = {' '};
    /** Maximum number of distinct users. Beyond it, each request counts as one user. */
    private static final int MOST_USERS = 200_000;

    private final Bytes log;
    private final Chars chars;
    private final Function<LogSource, ? extends Records> sink;
    private final Fields fields = new Fields();
    private final SliceMap<Label> labels = new SliceMap<>();
    /** Users by host and thread. */
    private final SliceMap<User> users = new SliceMap<>();

    private final List<User> inOrder = new ArrayList<>();
    private final Map<String, Group> groups = new LinkedHashMap<>();

    private Records recorder;
    private Column active;
    private int columns;
    /** Line number of the current record, or of the header. */
    private long line;

    private long headerLines;
    private long samples;

    /** Names that have parts, or would have parts if they occurred. */
    private final Set<String> wholes = new HashSet<>();

    private final Map<String, Label> names = new LinkedHashMap<>();
    /** Label for all names that are not distinguished; null if there are none. */
    private Label rest;
    /** Hash of the current row's name if it is not distinguished. */
    private int restHash;
    /** Recent rows, in a hash table. */
    private final long[] recent = new long[RECENT];
    /** True for rows that occurred an odd number of times. */
    private final boolean[] odd = new boolean[RECENT];
    /** The last request for each thread and label, in a hash table by both. */
    private final long[] lastOf = new long[RECENT];

    private final long[] lastFrom = new long[RECENT];
    private final long[] lastTo = new long[RECENT];

    /** Number in the last column of the previous row. */
    private long lastNumber;

    private int held;
    private long repeated;
    /** Number of rows each of which may stand for many requests. */
    private long uncounted;
    /** Number of fields in the previous line if it had too few; 0 if it was a complete row. */
    private int fieldsBefore;

    private long lineBefore;
    private long brokenRows;
    private String firstBroken;
    private boolean blanks;

    private JMeterCsvReader(InputStream log, Function<LogSource, ? extends Records> sink) {
        this.log = new Bytes(log);
        chars = new Chars(this.log);
        this.sink = sink;
    }

    /** Facts about the rows with one name. */
    private static final class Label extends SliceMap.Entry {
        /** Number in the recorder; several names may share it. */
        final int load;

        final int number;
        final String name;
        /** The name of the request of which it may be a part; null if there is none. */
        final String ofWhole;
        /** True if rows with other names may be parts of it. */
        boolean isWhole;

        long rows;
        long transactions;
        /** Number of rows that lie within a row of the whole. */
        long within;

        Label(int load, int number, String name, String ofWhole) {
            this.load = load;
            this.number = number;
            this.name = name;
            this.ofWhole = ofWhole;
        }

        boolean isPartOf(Label other) {
            return ofWhole != null && other.name.equals(ofWhole);
        }

        boolean isTransaction() {
            return rows > 0 && transactions == rows;
        }

        boolean isWithinWhole() {
            return rows > 0 && within >= MOST_PARTS * rows;
        }
    }

    /** The times of a row. */
    private record Span(Label label, long from, long to) {
        boolean contains(Span other) {
            return from <= other.from && other.to <= to;
        }
    }

    /** A thread of JMeter, from its first request to its last. */
    private static final class User extends SliceMap.Entry {
        /** Number of latest rows among which parts and their whole are searched for. */
        private static final int NEAR = 16;

        final int number;
        final Group group;
        /** Its latest rows that have, or may have, parts or a whole; null if there are none. */
        private ArrayDeque<Span> spans;

        /** Adds a row that is or may have a part. Either may come first in the log. */
        void add(Span span) {
            spans = spans == null ? new ArrayDeque<>() : spans;
            for (Iterator<Span> others = spans.iterator(); others.hasNext(); ) {
                Span other = others.next();
                if (span.label.isPartOf(other.label) && other.contains(span)) {
                    span.label.within++;
                    return;
                }
                if (other.label.isPartOf(span.label) && span.contains(other)) {
                    other.label.within++;
                    others.remove();
                }
            }
            spans.addLast(span);
            if (spans.size() > NEAR) {
                spans.removeFirst();
            }
        }

        int label = -1;
        long from = Long.MAX_VALUE;
        long to;

        User(int number, Group group) {
            this.number = number;
            this.group = group;
        }
    }

    /** A request as its row describes it. */
    private record Row(
            Label label,
            boolean isTransaction,
            long start,
            long end,
            int kind,
            int threads,
            long received,
            long sentBytes) {}

    /** The threads of one thread group. */
    private static final class Group {
        /** Number in the recorder. */
        final int population;
        /** The labels of its requests. */
        final BitSet sent = new BitSet();
        /** Rows that look repeated, while it is undecided whether they are. */
        private final List<Row> held = new ArrayList<>();

        private Boolean dropsRepeated;
        /** True if a row that looks repeated took too long for a coincidence within one thread. */
        private boolean certain;

        private long different;
        private long odd;
        private long compared;
        private long overlapping;

        Group(int population) {
            this.population = population;
        }

        /** True if each name stands for one thread, which sends one request at a time. */
        boolean hasThreads() {
            return overlapping <= OVERLAPPING * compared;
        }

        /** True if rows occur twice throughout, which no coincidence causes. */
        private boolean comesTwice() {
            return odd <= SINGLE * different;
        }

        boolean isDecided() {
            return dropsRepeated != null;
        }

        void decide() {
            dropsRepeated = hasThreads() && certain || comesTwice();
        }
    }

    /** A log that counts the bytes read from it. */
    private static final class Bytes extends FilterInputStream {
        long count;

        Bytes(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] buffer, int from, int length) throws IOException {
            int read = super.read(buffer, from, length);
            count += Math.max(0, read);
            return read;
        }
    }

    /** The text of the log. Reading it fails if a record has no end. */
    private static final class Chars extends PushbackReader {
        int ofRecord;
        boolean ended;

        Chars(InputStream log) {
            super(new InputStreamReader(log, StandardCharsets.UTF_8));
        }

        @Override
        public int read(char[] buffer, int from, int length) throws IOException {
            int read = super.read(buffer, from, length);
            ended = read < 0;
            ofRecord += Math.max(0, read);
            if (ofRecord > LONGEST_RECORD) {
                throw new UnreadableLogException("a record of more than " + LONGEST_RECORD + " characters");
            }
            return read;
        }
    }

    /**
     * The used fields of a record. The parser's buffer contains only the current field, so numbers are converted at
     * once, and other text is copied.
     */
    private final class Fields extends AbstractBaseCsvCallbackHandler<Fields> {
        private static final long NONE = Long.MIN_VALUE;
        private static final boolean[] IS_NUMBER = new boolean[Column.ALL.length];

        static {
            for (Column column : Column.ALL) {
                IS_NUMBER[column.ordinal()] = column.isNumber;
            }
        }

        private static final int UNUSED = -1;

        /** The ordinal of the column at each place of the header, or {@link #UNUSED}. */
        int[] byPlace = {};

        final boolean[] has = new boolean[Column.ALL.length];
        final long[] numbers = new long[Column.ALL.length];
        final int[] from = new int[Column.ALL.length];
        final int[] to = new int[Column.ALL.length];
        char[] text = new char[1024];
        int used;
        int count;

        @Override
        protected void handleBegin(long startingLine) {
            line = headerLines + startingLine;
            chars.ofRecord = 0;
            used = 0;
            count = 0;
        }

        @Override
        protected void handleField(int place, char[] buffer, int begin, int length, boolean quoted) {
            count++;
            int i = place < byPlace.length ? byPlace[place] : UNUSED;
            if (i == UNUSED) {
                return;
            }
            int first = begin;
            int end = begin + length;
            if (blanks) {
                while (first < end && buffer[first] == ' ') {
                    first++;
                }
                while (first < end && buffer[end - 1] == ' ') {
                    end--;
                }
            }
            if (IS_NUMBER[i]) {
                long number = parse(buffer, first, end - first, i != Column.TIME.ordinal());
                numbers[i] = number;
                if (number != NONE) {
                    return;
                }
            }
            from[i] = used;
            if (end - first > LEAST_LONG && NAMES.contains(Column.ALL[i])) {
                char[] name = Recorder.shortened(new String(buffer, first, end - first))
                        .toCharArray();
                append(name, 0, name.length);
            } else {
                append(buffer, first, end - first);
            }
            to[i] = used;
        }

        @Override
        protected Fields buildRecord() {
            return this;
        }

        void append(char[] buffer, int begin, int length) {
            if (used + length > text.length) {
                text = Arrays.copyOf(text, 2 * (used + length));
            }
            System.arraycopy(buffer, begin, text, used, length);
            used += length;
        }

        private static long parse(char[] buffer, int begin, int length, boolean signed) {
            boolean minus = signed && length > 1 && buffer[begin] == '-';
            if (length == 0 || length > MOST_DIGITS) {
                return NONE;
            }
            long number = 0;
            for (int i = minus ? 1 : 0; i < length; i++) {
                int digit = buffer[begin + i] - '0';
                if (digit < 0 || digit > 9) {
                    return NONE;
                }
                number = 10 * number + digit;
            }
            return minus ? -number : number;
        }

        String text(Column column) {
            int i = column.ordinal();
            return new String(text, from[i], to[i] - from[i]);
        }

        boolean startsWith(Column column, String prefix) {
            int i = column.ordinal();
            if (to[i] - from[i] < prefix.length()) {
                return false;
            }
            int same = 0;
            while (same < prefix.length() && text[from[i] + same] == prefix.charAt(same)) {
                same++;
            }
            return same == prefix.length();
        }

        boolean isEmpty(Column column) {
            int i = column.ordinal();
            return to[i] == from[i];
        }

        boolean isTitle(Column column) {
            int i = column.ordinal();
            return !(column.isNumber && numbers[i] != NONE)
                    && to[i] - from[i] >= column.title.length()
                    && text(column).replace(MARK, "").equalsIgnoreCase(column.title);
        }

        boolean is(Column column, String word) {
            int i = column.ordinal();
            if (to[i] - from[i] != word.length()) {
                return false;
            }
            int same = 0;
            while (same < word.length() && Character.toLowerCase(text[from[i] + same]) == word.charAt(same)) {
                same++;
            }
            return same == word.length();
        }
    }

    private long read() throws IOException {
        char delimiter = header();
        headerLines = line;
        CsvReader<Fields> parser = CsvReader.builder()
                .fieldSeparator(delimiter)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .build(fields, chars);
        records(parser.iterator());
        if (fieldsBefore > 0) {
            throw fewFields();
        }
        if (uncounted > 0 && uncounted == samples) {
            throw new UnreadableLogException(
                    "all rows have 0 threads and no response code, as in JMeter's mode=Statistical: each may"
                            + " stand for many requests, and their number is not in the log: save it"
                            + " (jmeter.save.saveservice.sample_count=true)");
        }
        inOrder.forEach(this::ends);
        decideHeld();
        groups.values().stream()
                .filter(group -> !group.hasThreads())
                .forEach(group -> recorder.unknownUsers(group.population));
        roles();
        recorder.repeated(repeated);
        if (brokenRows > 0) {
            recorder.broken(firstBroken + (brokenRows == 1 ? "" : "; " + brokenRows + " rows are broken so"));
        }
        return samples;
    }

    /** Sets the roles of the loads. A load may have several names. */
    private void roles() {
        Map<Integer, Set<Records.Role>> ofLoads = new HashMap<>();
        Stream.concat(names.values().stream(), Stream.ofNullable(rest))
                .filter(label -> label.load >= 0)
                .forEach(label -> ofLoads.computeIfAbsent(label.load, none -> EnumSet.noneOf(Records.Role.class))
                        .add(role(label)));
        ofLoads.forEach((load, roles) -> {
            if (roles.size() == 1) {
                recorder.role(load, roles.iterator().next());
            }
        });
    }

    /**
     * Returns the role of a label. A transaction has no parts, so a row that is named like a part and lies within it is
     * a separate request.
     */
    private Records.Role role(Label label) {
        if (label.isTransaction()) {
            return Records.Role.TRANSACTION;
        }
        return label.isWithinWhole() && !names.get(label.ofWhole).isTransaction()
                ? Records.Role.PART
                : Records.Role.REQUEST;
    }

    /**
     * Reads the records. The last one counts only if its line has an end or it is complete without one; otherwise, the
     * text ended too early.
     */
    private void records(Iterator<Fields> parsed) throws IOException {
        try {
            while (parsed.hasNext()) {
                parsed.next();
                if (!chars.ended || isWhole()) {
                    sample();
                } else {
                    truncated();
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause() instanceof UnreadableLogException known ? malformed(known.getMessage()) : e.getCause();
        } catch (CsvParseException e) {
            if (e.getCause() != null) {
                throw e;
            }
            if (!chars.ended) {
                throw malformed("text after the closing quote of a field");
            }
            truncated();
        }
    }

    /**
     * True if a record at the end of the text is complete. A field that was cut off is not a known name, or has fewer
     * digits than before.
     */
    private boolean isWhole() {
        if (fields.count != columns || fieldsBefore > 0) {
            return false;
        }
        int last = lastColumn();
        if (last == Fields.UNUSED) {
            return true;
        }
        Column column = Column.ALL[last];
        if (column.isNumber) {
            return fields.numbers[last] != Fields.NONE
                    && Long.toString(fields.numbers[last]).length()
                            >= Long.toString(lastNumber).length();
        }
        return switch (column) {
            case SUCCESS -> fields.is(column, "true") || fields.is(column, "false");
            case LABEL -> names.containsKey(fields.text(column));
            case THREAD, HOST -> !has(Column.THREAD) || isKnownUser();
            default -> true;
        };
    }

    /** Returns the ordinal of the column in which a row ends, or {@link Fields#UNUSED}. */
    private int lastColumn() {
        return fields.byPlace[columns - 1];
    }

    private boolean isKnownUser() {
        char[] name =
                ((has(Column.HOST) ? fields.text(Column.HOST) + " " : "") + fields.text(Column.THREAD)).toCharArray();
        return users.get(name, 0, name.length) != null;
    }

    private void truncated() {
        recorder.truncated("ends within line " + line + ", at byte " + log.count + "; the lines before it count");
    }

    // The header

    /** Reads the header, and returns the delimiter. */
    private char header() throws IOException {
        String text = headerLine().replace(MARK, "");
        if (text.startsWith("sep=")) {
            // A spreadsheet program's hint to itself, before the header.
            text = headerLine();
        }
        char delimiter = delimiter(text);
        List<String> written = List.of(text.split(Pattern.quote("" + delimiter), -1));
        blanks = written.stream().anyMatch(title -> !title.equals(title.strip()));
        List<String> titles = written.stream()
                .map(title -> title.strip().replaceFirst("^\"(.*)\"$", "$1"))
                .toList();
        columns = titles.size();
        fields.byPlace = new int[columns];
        Arrays.fill(fields.byPlace, Fields.UNUSED);
        for (Column column : Column.ALL) {
            // Other programs write timestamp.
            String title = titles.contains(column.title)
                    ? column.title
                    : titles.stream()
                            .filter(column.title::equalsIgnoreCase)
                            .findFirst()
                            .orElse(column.title);
            int place = titles.indexOf(title);
            if (place != titles.lastIndexOf(title)) {
                throw malformed("the column " + column.title + " appears twice");
            }
            if (place >= 0) {
                fields.byPlace[place] = column.ordinal();
                fields.has[column.ordinal()] = true;
            }
        }
        List<String> missing = Column.REQUIRED.stream()
                .filter(column -> !has(column))
                .map(column -> column.title)
                .toList();
        if (missing.size() == Column.REQUIRED.size()) {
            throw new UnreadableLogException(
                    DATA.matcher(text).find()
                            ? "line 1 is not a header: put the names of JMeter's columns before the first result"
                                    + " (jmeter.save.saveservice.print_field_names=true)"
                            : "neither a simulation.log of Gatling nor a CSV of JMeter with a header line that has "
                                    + Column.REQUIRED.stream()
                                            .map(column -> column.title)
                                            .collect(Collectors.joining(", "))
                                    + ": docs/single-runs.md shows how to convert logs of k6 and Locust");
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

    private String headerLine() throws IOException {
        StringBuilder text = new StringBuilder();
        int next = chars.read();
        while (next >= 0 && next != '\n' && next != '\r' && text.length() < LONGEST_RECORD) {
            text.append((char) next);
            next = chars.read();
        }
        if (next != '\n' && next != '\r') {
            throw new UnreadableLogException("no header line with the names of JMeter's columns");
        }
        if (next == '\r') {
            next = chars.read();
            if (next >= 0 && next != '\n') {
                chars.unread(next);
            }
        }
        line++;
        return text.toString().strip();
    }

    private static char delimiter(String header) {
        int i = 0;
        while (i < header.length() && (Character.isLetterOrDigit(header.charAt(i)) || header.charAt(i) == '"')) {
            i++;
        }
        return i < header.length() && header.charAt(i) < 128 ? header.charAt(i) : ',';
    }

    private boolean has(Column column) {
        return fields.has[column.ordinal()];
    }

    // A record

    /** Processes the current record. */
    private void sample() throws IOException {
        if (fieldsBefore > 0 && fieldsBefore + fields.count - 1 == columns) {
            // A line break should have been quoted.
            brokenRows++;
            firstBroken = firstBroken == null
                    ? "lines " + (line - 1) + " and " + line
                            + " are one row, split by a line break without quotes; it is not counted"
                    : firstBroken;
            fieldsBefore = 0;
            return;
        }
        if (fieldsBefore > 0 || fields.count > columns) {
            throw fieldsBefore > 0 ? fewFields() : malformed(fields.count + " fields, the header has " + columns);
        }
        if (fields.count < columns) {
            fieldsBefore = fields.count;
            lineBefore = line;
            return;
        }
        if (fields.isTitle(Column.TIME)) {
            // The header was repeated.
            if (!Arrays.stream(Column.ALL).filter(this::has).allMatch(fields::isTitle)) {
                throw malformed("the header differs from line 1: measure the files separately, or with --merge");
            }
            return;
        }
        long start = number(Column.TIME);
        long elapsed = number(Column.ELAPSED);
        if (samples == 0) {
            requireMilliseconds(start);
        }
        Label label = label();
        int kind = succeeded() ? Recorder.OK : recorder.errorKind(kind());
        long threads = has(active) ? Math.max(Recorder.UNKNOWN, number(active)) : Recorder.UNKNOWN;
        if (threads > Integer.MAX_VALUE) {
            throw malformed(threads + " threads");
        }
        long received = has(Column.BYTES) ? Math.max(0, number(Column.BYTES)) : 0;
        long sentBytes = has(Column.SENT_BYTES) ? Math.max(0, number(Column.SENT_BYTES)) : 0;
        boolean hasNoThreads = threads == 0 && has(Column.CODE) && fields.isEmpty(Column.CODE);
        if (has(Column.SAMPLES) && (hasNoThreads || number(Column.SAMPLES) > 1)) {
            sum(label, start, elapsed, kind, received, sentBytes);
            return;
        }
        uncounted += hasNoThreads ? 1 : 0;
        long end = start + elapsed;
        boolean isTransaction = has(Column.MESSAGE) && fields.startsWith(Column.MESSAGE, TRANSACTION);
        if (has(Column.THREAD)) {
            User user = user();
            if (!isTransaction) {
                compare(user, label, start, end);
            }
            if (isRepeated(user, label, start, elapsed)) {
                if (!user.group.isDecided()) {
                    hold(
                            user.group,
                            new Row(label, isTransaction, start, end, kind, (int) threads, received, sentBytes));
                    return;
                }
                if (user.group.dropsRepeated) {
                    repeated++;
                    return;
                }
            }
            sends(user, label.load, start, end);
            if (label.ofWhole != null || label.isWhole) {
                user.add(new Span(label, start, end));
            }
        }
        lastNumber = lastColumn() == Fields.UNUSED ? 0 : fields.numbers[lastColumn()];
        count(label, isTransaction, start, end, kind, (int) threads, received, sentBytes);
    }

    private void count(
            Label label,
            boolean isTransaction,
            long start,
            long end,
            int kind,
            int threads,
            long received,
            long sentBytes) {
        label.rows++;
        label.transactions += isTransaction ? 1 : 0;
        samples++;
        recorder.request(label.load, start, end, kind, threads, received, sentBytes);
    }

    private void hold(Group group, Row row) {
        group.held.add(row);
        if (++held == MOST_HELD) {
            decideHeld();
        }
    }

    /** Decides for each group whether its held rows are repeated, and drops or counts them. */
    private void decideHeld() {
        for (Group group : groups.values()) {
            if (!group.held.isEmpty()) {
                group.decide();
                if (group.dropsRepeated) {
                    repeated += group.held.size();
                } else {
                    group.held.forEach(row -> count(
                            row.label,
                            row.isTransaction,
                            row.start,
                            row.end,
                            row.kind,
                            row.threads,
                            row.received,
                            row.sentBytes));
                }
                group.held.clear();
            }
        }
        held = 0;
    }

    /** Counts several requests in one row, whose time is the end of the last request. */
    private void sum(Label label, long endMs, long sumMs, int kind, long received, long sentBytes)
            throws UnreadableLogException {
        long count = number(Column.SAMPLES);
        long errors = has(Column.FAILED_SAMPLES) ? number(Column.FAILED_SAMPLES) : kind == Recorder.OK ? 0 : count;
        if (count < 1 || count > Integer.MAX_VALUE || errors < 0 || errors > count || sumMs < 0) {
            throw malformed(count + " samples, of which " + errors + " failed, in " + sumMs + " ms");
        }
        label.rows++;
        samples += count;
        int failed = errors > 0 && kind == Recorder.OK ? recorder.errorKind(kind()) : kind;
        recorder.sum(
                label.load,
                endMs - sumMs / count,
                endMs,
                (int) count,
                (int) errors,
                failed,
                sumMs,
                received,
                sentBytes);
    }

    private void requireMilliseconds(long time) throws UnreadableLogException {
        if (time >= LEAST_SECONDS && time < MOST_SECONDS || time >= LEAST_MICROSECONDS) {
            throw malformed("timeStamp " + time + " has " + Long.toString(time).length() + " digits: it is in "
                    + (time < MOST_SECONDS ? "s" : "µs") + ", and must be in ms, as JMeter writes it");
        }
    }

    /**
     * True if the row is repeated. A thread cannot send two requests of one name that begin and end at the same times,
     * unless they take no time.
     */
    private boolean isRepeated(User user, Label label, long start, long elapsed) {
        if (elapsed <= 0 || user.number < 0) {
            return false;
        }
        long hash = hash((start * 31 + elapsed) * 1_000_003 + user.number, label);
        int place = place(hash);
        if (recent[place] == hash) {
            odd[place] = !odd[place];
            user.group.odd += odd[place] ? 1 : -1;
            user.group.certain |= elapsed > CLOCK_STEP_MS;
            return true;
        }
        recent[place] = hash;
        odd[place] = true;
        user.group.odd++;
        user.group.different++;
        return false;
    }

    /** Compares a request with the previous one of this thread and name, unless both are the same. */
    private void compare(User user, Label label, long start, long end) {
        if (end <= start || user.number < 0) {
            return;
        }
        long hash = hash(user.number, label);
        int place = place(hash);
        if (lastOf[place] == hash && !(lastFrom[place] == start && lastTo[place] == end)) {
            user.group.compared++;
            user.group.overlapping += start < lastTo[place] && lastFrom[place] < end ? 1 : 0;
        }
        lastOf[place] = hash;
        lastFrom[place] = start;
        lastTo[place] = end;
    }

    private long hash(long of, Label label) {
        return (of * 1_000_003 + (label == rest ? restHash : label.number)) * 0x9E3779B97F4A7C15L;
    }

    private static int place(long hash) {
        return (int) (hash >>> 40) & RECENT - 1;
    }

    private UnreadableLogException fewFields() {
        line = lineBefore;
        return malformed(fieldsBefore + " fields, the header has " + columns);
    }

    private Label label() throws UnreadableLogException {
        int from = fields.from[Column.LABEL.ordinal()];
        int to = fields.to[Column.LABEL.ordinal()];
        Label known = labels.get(fields.text, from, to);
        if (known != null) {
            return known;
        }
        String name = fields.text(Column.LABEL);
        requireText(name, Column.LABEL);
        if (recorder.isFull()) {
            int load = recorder.load(name);
            rest = rest == null ? new Label(load, REST, name, null) : rest;
            restHash = name.hashCode();
            return rest;
        }
        Matcher part = PART.matcher(name);
        Label label = new Label(recorder.load(name), names.size(), name, part.matches() ? part.group(1) : null);
        labels.add(fields.text, from, to, label);
        names.put(name, label);
        if (label.ofWhole != null) {
            Optional.ofNullable(names.get(label.ofWhole)).ifPresent(whole -> whole.isWhole = true);
            wholes.add(label.ofWhole);
        }
        label.isWhole = wholes.contains(name);
        return label;
    }

    private void requireText(String field, Column column) throws UnreadableLogException {
        if (field.indexOf(REPLACED) >= 0) {
            throw malformed(column.title
                    + " is not UTF-8: convert the log first (iconv -f WINDOWS-1252 -t UTF-8, or the charset"
                    + " of the machine that wrote it)");
        }
    }

    /**
     * Returns the user of a row. A thread's name consists of its host (if it is a remote one), its group, the group's
     * number and its own number.
     */
    private User user() throws UnreadableLogException {
        int from = fields.from[Column.THREAD.ordinal()];
        int to = fields.to[Column.THREAD.ordinal()];
        if (has(Column.HOST)) {
            int host = Column.HOST.ordinal();
            int name = fields.used;
            fields.append(fields.text, fields.from[host], fields.to[host] - fields.from[host]);
            fields.append(BLANK, 0, 1);
            fields.append(fields.text, from, to - from);
            from = name;
            to = fields.used;
        }
        User user = users.get(fields.text, from, to);
        boolean kept = user != null || users.size() < MOST_USERS;
        if (user == null) {
            String name = new String(fields.text, from, to - from);
            requireText(name, Column.THREAD);
            String group = NUMBER.matcher(name).replaceFirst("");
            user = new User(
                    kept ? inOrder.size() : -1,
                    groups.computeIfAbsent(group, one -> new Group(recorder.population(one))));
            if (kept) {
                users.add(fields.text, from, to, user);
                inOrder.add(user);
            }
        }
        return user;
    }

    private void sends(User user, int load, long start, long end) {
        if (user.label != load) {
            user.label = load;
            if (!user.group.sent.get(load)) {
                user.group.sent.set(load);
                recorder.sends(user.group.population, load);
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
        if (user.number < 0) {
            ends(user);
        }
    }

    private void ends(User user) {
        if (user.from <= user.to) {
            recorder.userStarts(user.group.population, user.from);
            recorder.userEnds(user.group.population, user.to);
        }
    }

    /** True if the request succeeded. Spreadsheet programs write the value in capitals. */
    private boolean succeeded() throws UnreadableLogException {
        if (fields.is(Column.SUCCESS, "true")) {
            return true;
        }
        if (!fields.is(Column.SUCCESS, "false")) {
            throw malformed("success is \"" + shown(Column.SUCCESS) + "\", not true or false");
        }
        return false;
    }

    /** Returns the response code, the message and the failure messages of assertions, as far as they are present. */
    private String kind() {
        StringBuilder kind = new StringBuilder();
        for (Column column : List.of(Column.CODE, Column.MESSAGE, Column.FAILURE)) {
            String part = has(column) ? fields.text(column) : "";
            kind.append(kind.isEmpty() || part.isEmpty() ? "" : column == Column.FAILURE ? ": " : " ")
                    .append(part);
        }
        return kind.isEmpty() ? "(no message)" : kind.substring(0, Math.min(kind.length(), LONGEST_KIND));
    }

    private long number(Column column) throws UnreadableLogException {
        long number = fields.numbers[column.ordinal()];
        if (number != Fields.NONE) {
            return number;
        }
        String hint = ROUNDED.matcher(fields.text(column)).matches()
                ? " (a spreadsheet rounded it: measure JMeter's own file, or save the column as whole numbers)"
                : column == Column.TIME ? " (save it as ms: jmeter.save.saveservice.timestamp_format=ms)" : "";
        throw malformed(column.title + " is \"" + shown(column) + "\", not a number" + hint);
    }

    /** Returns a field's text, for people. */
    private String shown(Column column) {
        String field = fields.text(column);
        return field.substring(0, Math.min(field.length(), 40)).replaceAll("\\p{Cntrl}", "?");
    }

    private UnreadableLogException malformed(String what) {
        return new UnreadableLogException("line " + line + ": " + what);
    }
}
