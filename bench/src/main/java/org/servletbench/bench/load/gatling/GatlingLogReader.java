package org.servletbench.bench.load.gatling;

import java.io.EOFException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.servletbench.bench.load.ByteFeed;
import org.servletbench.bench.load.LogFormat;
import org.servletbench.bench.measure.LogSource;
import org.servletbench.bench.measure.Recorder;
import org.servletbench.bench.measure.Records;
import org.servletbench.bench.measure.UnreadableLogException;

/**
 * Reads the {@code simulation.log} of Gatling {@value #VERSION}. The format is binary, not documented and bound to the
 * version, so no other version is read. Numbers are big-endian; a string is its length in bytes (an int), the bytes
 * and, unless it is empty, its coder (0: Latin-1, 1: UTF-16 in the byte order of the machine that wrote it). Names and
 * messages are written once, after the next free number (an int from 1 on), and later only as that number negated.
 * Times are ints: ms since the start of the run.
 *
 * <p>A request within groups is the cell {@code group / request}.
 */
public final class GatlingLogReader {
    /** The one version that is read. */
    public static final String VERSION = "3.15.1";

    private static final byte RUN = 0;
    private static final byte REQUEST = 1;
    private static final byte USER = 2;
    private static final byte GROUP = 3;
    private static final byte ERROR = 4;

    /** The format of these logs. */
    public static final LogFormat FORMAT = new LogFormat(first -> first == RUN, (log, sink) -> {
        try (ByteFeed feed = new ByteFeed(log)) {
            return new GatlingLogReader(feed, sink).read();
        }
    });

    /** Bytes of a request record without groups whose name and message have come before. */
    private static final int SHORT_REQUEST = 22;
    /** Its writer cannot write longer strings: they would not fit its buffer. */
    private static final int LONGEST_STRING = 8192;

    private static final int MOST_SCENARIOS = 10_000;
    private static final int MOST_ASSERTIONS = 10_000;
    /** Of one request. */
    private static final int MOST_GROUPS = 64;

    private static final int MOST_NODES = 100_000;
    private static final int UNRESOLVED = -2;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final Charset UTF_16 =
            ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE;

    private final ByteFeed feed;
    private byte[] bytes;
    private int at;
    private int recordStart;

    private final Function<LogSource, ? extends Records> sink;
    private Records recorder;
    private int[] populations;
    private long requests;

    /** Strings by number; null where only its kind of error is kept. */
    private String[] strings = new String[64];
    /** By the number of a string: the cell of the request with that name, outside of any group. */
    private int[] cells = unresolved(new int[64], 0);
    /** By the number of a string: the kind of error with that message. */
    private int[] kinds = unresolved(new int[64], 0);

    private int stringCount;
    /** Groups that were met, and the cells in them: by the number of the node above and of the string. */
    private final Map<Long, Integer> groupNodes = new HashMap<>();

    private final Map<Long, Integer> groupedCells = new HashMap<>();
    private String[] nodePaths = new String[16];

    private GatlingLogReader(ByteFeed feed, Function<LogSource, ? extends Records> sink) {
        this.feed = feed;
        this.sink = sink;
        this.bytes = feed.bytes;
        this.at = feed.start();
    }

    private long read() throws IOException {
        try {
            run();
        } catch (EOFException e) {
            throw new UnreadableLogException("ends within its header");
        }
        try {
            while (true) {
                shortRequests();
                recordStart = at;
                if (at == feed.to && !more()) {
                    break;
                }
                record();
            }
        } catch (EOFException e) {
            recorder.truncated("ends within a record, at byte " + feed.offset(feed.to) + " (the record began at byte "
                    + feed.offset(recordStart) + "); what came before it counts");
        }
        return requests;
    }

    private void run() throws IOException {
        if (oneByte() != RUN) {
            throw new UnreadableLogException("no simulation.log of Gatling 3.13 or later");
        }
        String version = string();
        if (!version.equals(VERSION)) {
            boolean plausible = version.matches("[0-9A-Za-z.\\-]{1,40}");
            throw new UnreadableLogException(
                    plausible
                            ? "written by Gatling " + version + "; only logs of Gatling " + VERSION + " are read"
                            : "no simulation.log of Gatling 3.13 or later");
        }
        String simulation = string();
        need(Long.BYTES);
        long start = (long) LONG.get(bytes, at);
        at += Long.BYTES;
        if (start < 0 || start > 1L << 50) {
            throw malformed("the run starts at " + start + " ms since 1970");
        }
        String description = string();
        String about = description.isEmpty() ? simulation : simulation + ": " + description;
        boolean ours = simulation.startsWith(Gatling.SIMULATIONS);
        recorder = sink.apply(
                new LogSource("Gatling " + version, about, start, LogSource.Users.RECORDS, false, false, ours));
        populations = new int[number("scenarios", MOST_SCENARIOS)];
        for (int i = 0; i < populations.length; i++) {
            populations[i] = recorder.population(sanitized(string()));
        }
        for (int left = number("assertions", MOST_ASSERTIONS); left > 0; left--) {
            int length = number("bytes of an assertion", LONGEST_STRING);
            need(length);
            at += length;
        }
    }

    /** The usual record, as long as one lies wholly in the bytes at hand and is nothing special. */
    private void shortRequests() throws IOException {
        byte[] b = bytes;
        int p = at;
        int last = feed.to - SHORT_REQUEST;
        while (p <= last && b[p] == REQUEST && (int) INT.get(b, p + 1) == 0) {
            int name = -(int) INT.get(b, p + 5);
            int message = -(int) INT.get(b, p + 18);
            int status = b[p + 17];
            if (name <= 0
                    || name > stringCount
                    || cells[name] < 0
                    || message <= 0
                    || message > stringCount
                    || (status & ~1) != 0
                    || status == 0 && kinds[message] < 0) {
                break;
            }
            requests++;
            recorder.request(
                    cells[name],
                    (int) INT.get(b, p + 9),
                    (int) INT.get(b, p + 13),
                    status == 1 ? Recorder.OK : kinds[message]);
            p += SHORT_REQUEST;
        }
        at = p;
    }

    private void record() throws IOException {
        byte header = oneByte();
        switch (header) {
            case REQUEST -> request();
            case USER -> user();
            case GROUP -> group();
            case ERROR -> error();
            default -> throw malformed("no record begins with " + header);
        }
    }

    private void request() throws IOException {
        int groups = number("groups", MOST_GROUPS);
        int node = 0;
        for (int i = 0; i < groups; i++) {
            node = groupNode(node, cachedString(false));
        }
        int name = cachedString(false);
        int start = int32();
        int end = int32();
        boolean ok = bool();
        int message = cachedString(true);
        // Only now: the record is whole.
        requests++;
        recorder.request(cell(node, name), start, end, ok ? Recorder.OK : kind(message));
    }

    private void user() throws IOException {
        int scenario = int32();
        boolean starts = bool();
        int time = int32();
        if (scenario < 0 || scenario >= populations.length) {
            throw malformed("scenario " + scenario + " of " + populations.length);
        }
        if (starts) {
            recorder.userStarts(populations[scenario], time);
        } else {
            recorder.userEnds(populations[scenario], time);
        }
    }

    private void group() throws IOException {
        for (int left = number("groups", MOST_GROUPS); left > 0; left--) {
            cachedString(false);
        }
        int32();
        int32();
        int32();
        bool();
    }

    private void error() throws IOException {
        int message = cachedString(true);
        int32();
        recorder.generatorError(kind(message));
    }

    private int cell(int node, int name) throws UnreadableLogException {
        if (node == 0) {
            if (cells[name] < 0) {
                cells[name] = recorder.cell(strings[name]);
            }
            return cells[name];
        }
        Integer known = groupedCells.get(key(node, name));
        if (known == null) {
            known = recorder.cell(nodePaths[node] + strings[name]);
            groupedCells.put(key(node, name), known);
        }
        return known;
    }

    private int groupNode(int above, int name) throws UnreadableLogException {
        Integer known = groupNodes.get(key(above, name));
        if (known == null) {
            known = groupNodes.size() + 1;
            if (known > MOST_NODES) {
                throw new UnreadableLogException("more than " + MOST_NODES + " groups");
            }
            groupNodes.put(key(above, name), known);
            if (known >= nodePaths.length) {
                nodePaths = Arrays.copyOf(nodePaths, 2 * known);
            }
            nodePaths[known] = (above == 0 ? "" : nodePaths[above]) + strings[name] + " / ";
        }
        return known;
    }

    private static Long key(int node, int name) {
        return (long) node << 32 | name;
    }

    private int kind(int message) {
        if (kinds[message] < 0) {
            kinds[message] = recorder.errorKind(strings[message].isBlank() ? "(no message)" : strings[message].trim());
        }
        return kinds[message];
    }

    /** The number of a string that is written in full once and as its number from then on. */
    private int cachedString(boolean message) throws IOException {
        int number = int32();
        if (number < 0) {
            if (number < -stringCount) {
                throw malformed("string " + -(long) number + " of " + stringCount);
            }
            if (strings[-number] == null && !message) {
                throw malformed("a name that was a message before");
            }
            return -number;
        }
        if (number != stringCount + 1) {
            throw malformed("string " + number + " where " + (stringCount + 1) + " is due");
        }
        String text = sanitized(string());
        if (number == strings.length) {
            strings = Arrays.copyOf(strings, 2 * number);
            cells = unresolved(Arrays.copyOf(cells, 2 * number), number);
            kinds = unresolved(Arrays.copyOf(kinds, 2 * number), number);
        }
        stringCount = number;
        strings[number] = text;
        if (message && !text.isEmpty() && kind(number) == Recorder.OTHER_KIND) {
            // There may be millions of these: an id in every message, say.
            strings[number] = null;
        }
        return number;
    }

    private static int[] unresolved(int[] numbers, int from) {
        Arrays.fill(numbers, from, numbers.length, UNRESOLVED);
        return numbers;
    }

    /** Line breaks and tabs become blanks, as in Gatling's own report. */
    private static String sanitized(String text) {
        return text.replace('\n', ' ').replace('\r', ' ').replace('\t', ' ');
    }

    private String string() throws IOException {
        int length = number("bytes of a string", LONGEST_STRING);
        if (length == 0) {
            return "";
        }
        need(length + 1);
        byte coder = bytes[at + length];
        if (coder != 0 && !(coder == 1 && length % 2 == 0)) {
            throw malformed("a string of " + length + " bytes with coder " + coder);
        }
        String text = new String(bytes, at, length, coder == 0 ? StandardCharsets.ISO_8859_1 : UTF_16);
        at += length + 1;
        return text;
    }

    private int number(String of, int most) throws IOException {
        int number = int32();
        if (number < 0 || number > most) {
            throw malformed(number + " " + of);
        }
        return number;
    }

    private boolean bool() throws IOException {
        byte value = oneByte();
        if ((value & ~1) != 0) {
            throw malformed("a truth value of " + value);
        }
        return value == 1;
    }

    private byte oneByte() throws IOException {
        need(1);
        return bytes[at++];
    }

    private int int32() throws IOException {
        need(Integer.BYTES);
        int value = (int) INT.get(bytes, at);
        at += Integer.BYTES;
        return value;
    }

    /** @throws EOFException if the log ends within the record that is being read */
    private void need(int count) throws IOException {
        while (feed.to - at < count) {
            if (!more()) {
                throw new EOFException();
            }
        }
    }

    private boolean more() throws IOException {
        int place = feed.more(at);
        if (place < 0) {
            return false;
        }
        recordStart += place - at;
        at = place;
        bytes = feed.bytes;
        return true;
    }

    private UnreadableLogException malformed(String what) {
        return new UnreadableLogException(
                "at byte " + feed.offset(at) + ": " + what + "; not what Gatling " + VERSION + " writes");
    }
}
