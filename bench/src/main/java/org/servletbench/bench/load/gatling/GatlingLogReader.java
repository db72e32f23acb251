package org.servletbench.bench.load.gatling;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.servletbench.bench.load.LogFormat;
import org.servletbench.bench.measure.LogSource;
import org.servletbench.bench.measure.Recorder;
import org.servletbench.bench.measure.Records;
import org.servletbench.bench.measure.UnreadableLogException;

/**
 * Reads the {@code simulation.log} of Gatling {@value #VERSION}. The format is binary, undocumented and bound to the
 * version, so no other version is read. Numbers are big-endian. A string consists of its length in bytes (an int), the
 * bytes and, unless it is empty, its coder (0: Latin-1, 1: UTF-16 in the byte order of the machine that wrote it).
 * Names and messages are written once, after the next free number (an int from 1), and later only as that number
 * negated. Times are ints: ms since the start of the run.
 *
 * <p>A request within groups belongs to the load {@code group / request}.
 */
public final class GatlingLogReader {
    /** The only version that can be read. */
    public static final String VERSION = "3.15.1";

    private static final byte RUN = 0;
    private static final byte REQUEST = 1;
    private static final byte USER = 2;
    private static final byte GROUP = 3;
    private static final byte ERROR = 4;

    /** The format of these logs. */
    public static final LogFormat FORMAT =
            new LogFormat(first -> first == RUN, (log, sink) -> new GatlingLogReader(log, sink).read());

    /** Maximum length of a string. Gatling's writer cannot write longer ones, because they would not fit its buffer. */
    private static final int LONGEST_STRING = 8192;

    private static final int MOST_SCENARIOS = 10_000;
    private static final int MOST_ASSERTIONS = 10_000;
    /** Maximum number of groups around one request. */
    private static final int MOST_GROUPS = 64;

    private static final int MOST_NODES = 100_000;
    /** Maximum number of names that are kept. Further names share the figures of others. */
    private static final int MOST_NAMES = 100_000;

    private static final int BUFFER = 1 << 20;
    /**
     * Placeholder for rare messages, of which only the kind of error is kept, because every message might contain an
     * id.
     */
    private static final Text OTHER = new Text("");
    /** Placeholder for a new name when there are too many. */
    private static final Text REST = new Text("(others)");

    private static final Charset UTF_16 =
            ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE;

    private final InputStream log;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER).limit(0);
    /** Bytes that have been read into the buffer so far. */
    private long filled;

    private long recordStart;
    private final Function<LogSource, ? extends Records> sink;
    private Records recorder;
    private int[] populations;
    private long requests;
    /** Names and messages by their numbers, from 1. */
    private final List<Text> texts = new ArrayList<>();

    private final Node root = new Node(null, "");
    private int groups;

    private GatlingLogReader(InputStream log, Function<LogSource, ? extends Records> sink) {
        this.log = log;
        this.sink = sink;
    }

    /** A name or a message. */
    private static final class Text {
        final String text;
        /** The kind of error; null until it is known. */
        Integer kind;

        Text(String text) {
            this.text = text;
        }
    }

    /** A group, or the root of all groups. */
    private static final class Node {
        /** The group around this one; null for the root. */
        private final Node above;

        private final String name;
        final Map<Text, Node> groups = new HashMap<>();
        final Map<Text, Integer> loads = new HashMap<>();

        Node(Node above, String name) {
            this.above = above;
            this.name = name;
        }

        /** Returns the path of a request in this group. It is not kept, because it is long within many groups. */
        String path(String request) {
            Deque<String> names = new ArrayDeque<>(List.of(request));
            for (Node node = this; node.above != null; node = node.above) {
                names.addFirst(node.name);
            }
            return String.join(" / ", names);
        }
    }

    private long read() throws IOException {
        try {
            run();
        } catch (EOFException e) {
            throw new UnreadableLogException("ends within its header");
        }
        try {
            while (has(1)) {
                recordStart = at();
                record();
            }
        } catch (EOFException e) {
            recorder.truncated("ends within a record, at byte " + filled + " (the record began at byte " + recordStart
                    + "); what came before it counts");
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
                            ? "written by Gatling " + version + "; only logs of Gatling " + VERSION
                                    + " are read: run the simulation with it, or take the figures of that Gatling's own report"
                            : "no simulation.log of Gatling 3.13 or later");
        }
        String simulation = string();
        long start = need(Long.BYTES).getLong();
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
            need(length).position(buffer.position() + length);
        }
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
        Node node = root;
        for (int left = number("groups", MOST_GROUPS); left > 0; left--) {
            node = group(node, text(false));
        }
        Text name = text(false);
        int start = int32();
        int end = int32();
        boolean ok = bool();
        Text message = text(true);
        // The record is complete only now.
        requests++;
        recorder.request(load(node, name), start, end, ok ? Recorder.OK : kind(message));
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
            text(false);
        }
        int32();
        int32();
        int32();
        bool();
    }

    private void error() throws IOException {
        Text message = text(true);
        int32();
        recorder.generatorError(kind(message));
    }

    private int load(Node node, Text name) {
        Integer known = node.loads.get(name);
        if (known == null) {
            known = recorder.load(node.path(name.text));
            node.loads.put(name, known);
        }
        return known;
    }

    private Node group(Node above, Text name) throws UnreadableLogException {
        Node known = above.groups.get(name);
        if (known == null) {
            if (++groups > MOST_NODES) {
                throw new UnreadableLogException("more than " + MOST_NODES + " groups");
            }
            known = new Node(above, name.text);
            above.groups.put(name, known);
        }
        return known;
    }

    private int kind(Text message) {
        if (message == OTHER) {
            return Recorder.OTHER_KIND;
        }
        if (message.kind == null) {
            message.kind = recorder.errorKind(message.text.isBlank() ? "(no message)" : message.text.trim());
        }
        return message.kind;
    }

    /** Reads a string that is written in full once and as its number from then on. */
    private Text text(boolean message) throws IOException {
        int number = int32();
        if (number < 0) {
            if (number < -texts.size()) {
                throw malformed("string " + -(long) number + " of " + texts.size());
            }
            Text known = texts.get(-number - 1);
            if (known == OTHER && !message) {
                throw malformed("a name that was a message before");
            }
            return known;
        }
        if (number != texts.size() + 1) {
            throw malformed("string " + number + " where " + (texts.size() + 1) + " is due");
        }
        String string = sanitized(string());
        Text text = new Text(message ? string : Recorder.shortened(string));
        boolean rare = message && !text.text.isEmpty() && kind(text) == Recorder.OTHER_KIND;
        texts.add(rare ? OTHER : message || texts.size() < MOST_NAMES || !recorder.isFull() ? text : REST);
        return text;
    }

    /** Replaces line breaks and tabs by blanks, as in Gatling's own report. */
    private static String sanitized(String text) {
        return text.replace('\n', ' ').replace('\r', ' ').replace('\t', ' ');
    }

    private String string() throws IOException {
        int length = number("bytes of a string", LONGEST_STRING);
        if (length == 0) {
            return "";
        }
        byte[] bytes = new byte[length];
        need(length + 1).get(bytes);
        byte coder = buffer.get();
        if (coder != 0 && !(coder == 1 && length % 2 == 0)) {
            throw malformed("a string of " + length + " bytes with coder " + coder);
        }
        return new String(bytes, coder == 0 ? StandardCharsets.ISO_8859_1 : UTF_16);
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
        return need(1).get();
    }

    private int int32() throws IOException {
        return need(Integer.BYTES).getInt();
    }

    /**
     * @throws EOFException if the log ends within the current record
     */
    private ByteBuffer need(int count) throws IOException {
        if (!has(count)) {
            throw new EOFException();
        }
        return buffer;
    }

    private boolean has(int count) throws IOException {
        if (buffer.remaining() < count) {
            buffer.compact();
            int read = log.readNBytes(buffer.array(), buffer.position(), buffer.remaining());
            filled += read;
            buffer.position(buffer.position() + read);
            buffer.flip();
        }
        return buffer.remaining() >= count;
    }

    /** Returns the position in the file of the next byte to read. */
    private long at() {
        return filled - buffer.remaining();
    }

    private UnreadableLogException malformed(String what) {
        return new UnreadableLogException(
                "at byte " + at() + ": " + what + "; not what Gatling " + VERSION + " writes");
    }
}
