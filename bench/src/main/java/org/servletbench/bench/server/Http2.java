package org.servletbench.bench.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * HTTP/2 on one connection as far as a workload needs it: one request after the other (RFC 9113, and RFC 7541 for its headers).
 * The JDK's client would not do: it closes connections when it likes, and does not say which one it uses.
 */
final class Http2 {

    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GOAWAY = 7;
    private static final int WINDOW_UPDATE = 8;
    private static final int CONTINUATION = 9;

    /** Of a stream, and of settings and pings: acknowledged. */
    private static final int ENDS = 1;

    private static final int HEADERS_END = 4;
    private static final int PADDED = 8;
    private static final int PRIORITY = 32;

    private static final int LARGEST_FRAME = 16_384;
    private static final int USUAL_WINDOW = 65_535;
    private static final int INITIAL_WINDOW = 4;
    /** Of all answers on a connection, before their window is opened again. */
    private static final int MOST_RECEIVED = 1 << 30;

    private final InputStream in;
    private final OutputStream out;
    private int stream = -1;
    private long window = USUAL_WINDOW;
    private long streamWindow;
    private int initialWindow = USUAL_WINDOW;
    private int received;
    private boolean leaves;

    private final ByteArrayOutputStream block = new ByteArrayOutputStream();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private List<String> headers = List.of();
    private int status;
    private boolean endsWithHeaders;
    private boolean ended;

    /** On a connection for which the server has chosen h2. */
    Http2(InputStream in, OutputStream out) throws IOException {
        this.in = in;
        this.out = out;
        ByteBuffer settings = ByteBuffer.allocate(18);
        // No table of headers, no pushes, and streams whose window is never full.
        settings.putShort((short) 1).putInt(0).putShort((short) 2).putInt(0);
        settings.putShort((short) INITIAL_WINDOW).putInt(Integer.MAX_VALUE);
        ByteArrayOutputStream first = new ByteArrayOutputStream();
        first.writeBytes(PREFACE.getBytes(StandardCharsets.US_ASCII));
        frame(first, SETTINGS, 0, 0, settings.array());
        frame(first, WINDOW_UPDATE, 0, 0, number(Integer.MAX_VALUE - USUAL_WINDOW));
        out.write(first.toByteArray());
    }

    private static byte[] number(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }

    private static void frame(ByteArrayOutputStream to, int type, int flags, int id, byte[] payload) {
        to.writeBytes(number(payload.length << 8 | type));
        to.write(flags);
        to.writeBytes(number(id));
        to.writeBytes(payload);
    }

    private void write(int type, int flags, int id, byte[] payload) throws IOException {
        ByteArrayOutputStream one = new ByteArrayOutputStream();
        frame(one, type, flags, id, payload);
        out.write(one.toByteArray());
    }

    // ---- requests ----

    void send(HttpWire.Request request) throws IOException {
        stream += 2;
        streamWindow = initialWindow;
        block.reset();
        body.reset();
        ended = false;
        ByteArrayOutputStream list = new ByteArrayOutputStream();
        put(list, ":method", request.method());
        put(list, ":scheme", "https");
        put(list, ":authority", request.headers().get("Host"));
        put(list, ":path", request.path());
        for (Map.Entry<String, String> header : request.headers().entrySet()) {
            if (!header.getKey().equals("Host")) {
                put(list, header.getKey().toLowerCase(Locale.ROOT), header.getValue());
            }
        }
        byte[] content = request.body();
        write(HEADERS, HEADERS_END | (content.length == 0 ? ENDS : 0), stream, list.toByteArray());
        int at = 0;
        while (at < content.length && !ended) {
            int length = (int) Math.min(Math.min(LARGEST_FRAME, content.length - at), Math.min(window, streamWindow));
            if (length <= 0) {
                receive();
                continue;
            }
            byte[] part = new byte[length];
            System.arraycopy(content, at, part, 0, length);
            at += length;
            window -= length;
            streamWindow -= length;
            write(DATA, at == content.length ? ENDS : 0, stream, part);
        }
    }

    /** A name and a value as they are: not packed, and not to be remembered. */
    private static void put(ByteArrayOutputStream to, String name, String value) {
        to.write(0);
        for (String text : List.of(name, value)) {
            byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            int rest = bytes.length - 127;
            to.write(Math.min(127, bytes.length));
            if (rest >= 0) {
                for (; rest >= 128; rest >>= 7) {
                    to.write(rest & 127 | 128);
                }
                to.write(rest);
            }
            to.writeBytes(bytes);
        }
    }

    // ---- answers ----

    HttpWire.Answer read() throws IOException {
        while (!ended) {
            receive();
        }
        List<String> lines = new ArrayList<>(headers);
        if (leaves) {
            lines.add("connection: close");
        }
        return new HttpWire.Answer(status, lines, body.toByteArray());
    }

    private void receive() throws IOException {
        ByteBuffer head = ByteBuffer.wrap(HttpWire.exactly(in, 9));
        int first = head.getInt();
        int flags = head.get();
        int id = head.getInt() & Integer.MAX_VALUE;
        byte[] payload = HttpWire.exactly(in, first >>> 8);
        switch (first & 255) {
            case DATA -> {
                body.writeBytes(unpadded(payload, flags, 0));
                ended = (flags & ENDS) != 0;
                received += payload.length;
                if (received > MOST_RECEIVED) {
                    write(WINDOW_UPDATE, 0, 0, number(received));
                    received = 0;
                }
            }
            case HEADERS -> {
                endsWithHeaders = (flags & ENDS) != 0;
                headers(unpadded(payload, flags, (flags & PRIORITY) == 0 ? 0 : 5), flags);
            }
            case CONTINUATION -> headers(payload, flags);
            case SETTINGS -> settings(ByteBuffer.wrap(payload), flags);
            case PING -> {
                if ((flags & ENDS) == 0) {
                    write(PING, ENDS, 0, payload);
                }
            }
            case WINDOW_UPDATE -> {
                int more = ByteBuffer.wrap(payload).getInt();
                window += id == 0 ? more : 0;
                streamWindow += id == stream ? more : 0;
            }
            case RST_STREAM -> {
                if (id == stream && !ended) {
                    throw new IOException("the server gave the request up (HTTP/2 error "
                            + ByteBuffer.wrap(payload).getInt() + ")");
                }
            }
            case GOAWAY -> {
                leaves = true;
                if (ByteBuffer.wrap(payload).getInt() < stream) {
                    throw new IOException("the server ended the connection (HTTP/2 error "
                            + ByteBuffer.wrap(payload).getInt(4) + ")");
                }
            }
            default -> {
                // Of no concern to this client.
            }
        }
    }

    private static byte[] unpadded(byte[] payload, int flags, int priority) {
        int before = priority + ((flags & PADDED) == 0 ? 0 : 1);
        int after = (flags & PADDED) == 0 ? 0 : payload[0] & 255;
        byte[] bytes = new byte[payload.length - before - after];
        System.arraycopy(payload, before, bytes, 0, bytes.length);
        return bytes;
    }

    private void settings(ByteBuffer all, int flags) throws IOException {
        if ((flags & ENDS) != 0) {
            return;
        }
        while (all.hasRemaining()) {
            int name = all.getShort();
            int value = all.getInt();
            if (name == INITIAL_WINDOW) {
                streamWindow += value - initialWindow;
                initialWindow = value;
            }
        }
        write(SETTINGS, ENDS, 0, new byte[0]);
    }

    private void headers(byte[] part, int flags) throws IOException {
        block.writeBytes(part);
        if ((flags & HEADERS_END) == 0) {
            return;
        }
        List<String> lines = new ArrayList<>();
        ByteBuffer all = ByteBuffer.wrap(block.toByteArray());
        block.reset();
        int said = 0;
        while (all.hasRemaining()) {
            String[] one = header(all);
            if (one[0].equals(":status")) {
                said = Integer.parseInt(one[1]);
            } else if (!one[0].isEmpty()) {
                lines.add(one[0] + ": " + one[1]);
            }
        }
        // What comes after the body has no status, and what says "go on" is no answer.
        if (said >= 200) {
            status = said;
            headers = lines;
        }
        ended = endsWithHeaders;
    }

    // ---- what headers are written in ----

    /** The entries that everybody knows, from 1. */
    private static final String[] KNOWN = (":authority|:method=GET|:method=POST|:path=/|:path=/index.html|:scheme=http"
                    + "|:scheme=https|:status=200|:status=204|:status=206|:status=304|:status=400|:status=404|:status=500"
                    + "|accept-charset|accept-encoding=gzip, deflate|accept-language|accept-ranges|accept"
                    + "|access-control-allow-origin|age|allow|authorization|cache-control|content-disposition"
                    + "|content-encoding|content-language|content-length|content-location|content-range|content-type|cookie"
                    + "|date|etag|expect|expires|from|host|if-match|if-modified-since|if-none-match|if-range"
                    + "|if-unmodified-since|last-modified|link|location|max-forwards|proxy-authenticate"
                    + "|proxy-authorization|range|referer|refresh|retry-after|server|set-cookie|strict-transport-security"
                    + "|transfer-encoding|user-agent|vary|via|www-authenticate")
            .split("\\|");

    /** How many bits each character of ASCII has, as a letter from a, 5: the codes follow from it, shorter ones first. */
    private static final String BITS = "i-------------------------------bffhibdgffdgdbbb" + "aaabbbbbbbcdkbhf"
            + "ibccccccccccccccccccccccdcdioijb" + "kabababbbaccbbbabcbaabccccckgji-";

    private static final int MOST_BITS = 19;

    /** By the code, with a 1 before it. */
    private static final Map<Integer, Character> CODES = new HashMap<>();

    static {
        for (int bits = 5, next = 0; bits <= MOST_BITS; bits++, next <<= 1) {
            for (char symbol = 0; symbol < BITS.length(); symbol++) {
                if (BITS.charAt(symbol) == 'a' + bits - 5) {
                    CODES.put(1 << bits | next++, symbol);
                }
            }
        }
    }

    /** Name and value; an empty name for what is none. */
    private static String[] header(ByteBuffer all) throws IOException {
        int first = all.get(all.position()) & 255;
        if (first >= 128) {
            return known(integer(all, 7));
        }
        if (first >= 32 && first < 64) {
            integer(all, 5);
            return new String[] {"", ""};
        }
        int index = integer(all, first >= 64 ? 6 : 4);
        String name = index == 0 ? text(all) : known(index)[0];
        return new String[] {name, text(all)};
    }

    private static String[] known(int index) throws IOException {
        if (index < 1 || index > KNOWN.length) {
            throw new IOException("the answer has a header from a table that there is not");
        }
        String[] entry = KNOWN[index - 1].split("=", 2);
        return entry.length == 2 ? entry : new String[] {entry[0], ""};
    }

    private static int integer(ByteBuffer all, int bits) {
        int most = (1 << bits) - 1;
        int value = all.get() & most;
        if (value == most) {
            int next;
            int shift = 0;
            do {
                next = all.get();
                value += (next & 127) << shift;
                shift += 7;
            } while (next < 0);
        }
        return value;
    }

    private static String text(ByteBuffer all) throws IOException {
        boolean packed = all.get(all.position()) < 0;
        byte[] bytes = new byte[integer(all, 7)];
        all.get(bytes);
        return packed ? unpacked(bytes) : new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Of printable characters, which is what headers have. */
    static String unpacked(byte[] bytes) throws IOException {
        StringBuilder text = new StringBuilder();
        int code = 0;
        int bits = 0;
        for (int i = 0; i < 8 * bytes.length; i++) {
            code = code << 1 | bytes[i / 8] >> 7 - i % 8 & 1;
            bits++;
            Character symbol = CODES.get(1 << bits | code);
            if (symbol != null) {
                text.append(symbol);
                code = 0;
                bits = 0;
            } else if (bits > MOST_BITS) {
                throw new IOException("the answer has a header that is no text");
            }
        }
        return text.toString();
    }
}
