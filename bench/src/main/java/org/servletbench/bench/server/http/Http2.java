package org.servletbench.bench.server.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http2.config.H2Param;
import org.apache.hc.core5.http2.config.H2Setting;
import org.apache.hc.core5.http2.frame.DefaultFrameFactory;
import org.apache.hc.core5.http2.frame.FrameFactory;
import org.apache.hc.core5.http2.frame.FrameFlag;
import org.apache.hc.core5.http2.frame.FrameType;
import org.apache.hc.core5.http2.frame.RawFrame;
import org.apache.hc.core5.http2.hpack.HPackDecoder;
import org.apache.hc.core5.http2.hpack.HPackEncoder;
import org.apache.hc.core5.http2.hpack.HPackException;
import org.apache.hc.core5.http2.impl.io.FrameInputBuffer;
import org.apache.hc.core5.http2.impl.io.FrameOutputBuffer;
import org.apache.hc.core5.util.ByteArrayBuffer;

/**
 * HTTP/2 on one connection, as far as a workload needs it: one request after the other (RFC 9113). It uses the frames
 * and headers of Apache HttpCore. HttpCore's clients are unsuitable, because they close connections whenever they like,
 * and do not report which one they use.
 */
final class Http2 {

    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    private static final int LARGEST_FRAME = 16_384;
    private static final int USUAL_WINDOW = 65_535;
    /** Number of bytes of all answers on a connection before its window is opened again. */
    private static final int MOST_RECEIVED = 1 << 30;
    /** Length of the obsolete priority in a header frame. */
    private static final int PRIORITY_BYTES = 5;

    private static final FrameFactory FRAMES = DefaultFrameFactory.INSTANCE;

    private final InputStream in;
    private final OutputStream out;
    private final FrameInputBuffer reader = new FrameInputBuffer(LARGEST_FRAME);
    private final FrameOutputBuffer writer = new FrameOutputBuffer(LARGEST_FRAME);
    private final HPackEncoder encoder = new HPackEncoder(0, StandardCharsets.ISO_8859_1);
    private final HPackDecoder decoder = new HPackDecoder(0, StandardCharsets.ISO_8859_1);
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

    /** Starts HTTP/2 on a connection for which the server has chosen h2. */
    Http2(InputStream in, OutputStream out) throws IOException {
        this.in = in;
        // Collected, because each write becomes a TLS record.
        ByteArrayOutputStream first = new ByteArrayOutputStream();
        first.writeBytes(PREFACE.getBytes(StandardCharsets.US_ASCII));
        // There is no header table, there are no pushes, and no stream's window ever fills.
        writer.write(
                FRAMES.createSettings(
                        new H2Setting(H2Param.HEADER_TABLE_SIZE, 0),
                        new H2Setting(H2Param.ENABLE_PUSH, 0),
                        new H2Setting(H2Param.INITIAL_WINDOW_SIZE, Integer.MAX_VALUE)),
                first);
        writer.write(FRAMES.createWindowUpdate(0, Integer.MAX_VALUE - USUAL_WINDOW), first);
        out.write(first.toByteArray());
        this.out = out;
    }

    void send(HttpWire.Request request) throws IOException {
        stream += 2;
        streamWindow = initialWindow;
        block.reset();
        body.reset();
        ended = false;
        ByteArrayBuffer list = new ByteArrayBuffer(512);
        encoder.encodeHeader(list, ":method", request.method(), false);
        encoder.encodeHeader(list, ":scheme", "https", false);
        encoder.encodeHeader(list, ":authority", request.headers().get("Host"), false);
        encoder.encodeHeader(list, ":path", request.path(), false);
        for (Map.Entry<String, String> header : request.headers().entrySet()) {
            if (!header.getKey().equals("Host")) {
                encoder.encodeHeader(list, header.getKey().toLowerCase(Locale.ROOT), header.getValue(), false);
            }
        }
        byte[] content = request.body();
        write(FRAMES.createHeaders(stream, ByteBuffer.wrap(list.array(), 0, list.length()), true, content.length == 0));
        int at = 0;
        while (at < content.length && !ended) {
            int length = (int) Math.min(Math.min(LARGEST_FRAME, content.length - at), Math.min(window, streamWindow));
            if (length <= 0) {
                receive();
                continue;
            }
            write(FRAMES.createData(stream, ByteBuffer.wrap(content, at, length), at + length == content.length));
            at += length;
            window -= length;
            streamWindow -= length;
        }
    }

    private void write(RawFrame frame) throws IOException {
        ByteArrayOutputStream one = new ByteArrayOutputStream();
        writer.write(frame, one);
        out.write(one.toByteArray());
    }

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
        RawFrame frame = reader.read(in);
        if (frame == null) {
            throw new IOException("the server closed the connection");
        }
        ByteBuffer content = frame.getPayload() == null ? ByteBuffer.allocate(0) : frame.getPayloadContent();
        FrameType type = FrameType.valueOf(frame.getType());
        switch (type == null ? FrameType.PRIORITY : type) {
            case DATA -> {
                body.writeBytes(bytes(content));
                ended = frame.isFlagSet(FrameFlag.END_STREAM);
                received += frame.getLength();
                if (received > MOST_RECEIVED) {
                    write(FRAMES.createWindowUpdate(0, received));
                    received = 0;
                }
            }
            case HEADERS -> {
                endsWithHeaders = frame.isFlagSet(FrameFlag.END_STREAM);
                if (frame.isFlagSet(FrameFlag.PRIORITY)) {
                    content.position(content.position() + PRIORITY_BYTES);
                }
                headers(content, frame);
            }
            case CONTINUATION -> headers(content, frame);
            case SETTINGS -> {
                if (!frame.isFlagSet(FrameFlag.ACK)) {
                    settings(content);
                }
            }
            case PING -> {
                if (!frame.isFlagSet(FrameFlag.ACK)) {
                    write(FRAMES.createPingAck(content));
                }
            }
            case WINDOW_UPDATE -> {
                int more = content.getInt();
                window += frame.getStreamId() == 0 ? more : 0;
                streamWindow += frame.getStreamId() == stream ? more : 0;
            }
            case RST_STREAM -> {
                if (frame.getStreamId() == stream && !ended) {
                    throw new IOException("the server gave the request up (HTTP/2 error " + content.getInt() + ")");
                }
            }
            case GOAWAY -> {
                leaves = true;
                if (content.getInt() < stream) {
                    throw new IOException("the server ended the connection (HTTP/2 error " + content.getInt() + ")");
                }
            }
            default -> {
                // Irrelevant to this client, as unknown frame types are.
            }
        }
    }

    private static byte[] bytes(ByteBuffer content) {
        byte[] bytes = new byte[content.remaining()];
        content.get(bytes);
        return bytes;
    }

    private void settings(ByteBuffer all) throws IOException {
        while (all.hasRemaining()) {
            int name = all.getShort();
            int value = all.getInt();
            if (name == H2Param.INITIAL_WINDOW_SIZE.getCode()) {
                streamWindow += value - initialWindow;
                initialWindow = value;
            }
        }
        write(FRAMES.createSettingsAck());
    }

    private void headers(ByteBuffer part, RawFrame frame) throws IOException {
        block.writeBytes(bytes(part));
        if (!frame.isFlagSet(FrameFlag.END_HEADERS)) {
            return;
        }
        List<String> lines = new ArrayList<>();
        int said = 0;
        try {
            for (Header header : decoder.decodeHeaders(ByteBuffer.wrap(block.toByteArray()))) {
                if (header.getName().equals(":status")) {
                    said = Integer.parseInt(header.getValue());
                } else {
                    lines.add(header.getName() + ": " + header.getValue());
                }
            }
        } catch (HPackException | NumberFormatException e) {
            throw new IOException("the answer has headers that cannot be read (" + e.getMessage() + ")");
        }
        block.reset();
        // Trailers have no status, and an interim answer, such as 100, is not the answer.
        if (said >= 200) {
            status = said;
            headers = lines;
        }
        ended = endsWithHeaders;
    }
}
