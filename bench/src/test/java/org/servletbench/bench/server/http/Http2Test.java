package org.servletbench.bench.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.hc.core5.http2.frame.FrameType;
import org.apache.hc.core5.http2.frame.RawFrame;
import org.apache.hc.core5.http2.hpack.HPackDecoder;
import org.apache.hc.core5.http2.impl.io.FrameInputBuffer;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.RequestSpec;

class Http2Test {

    private static final URI SERVER = URI.create("https://127.0.0.1:8443");

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    private final HPackDecoder decoder = new HPackDecoder(0, StandardCharsets.ISO_8859_1);

    /** Returns the contents of all sent frames of this type. */
    private static List<ByteBuffer> frames(ByteArrayOutputStream sent, FrameType type) throws IOException {
        ByteArrayInputStream in = new ByteArrayInputStream(sent.toByteArray());
        in.skipNBytes(PREFACE.length());
        List<ByteBuffer> contents = new ArrayList<>();
        FrameInputBuffer reader = new FrameInputBuffer(16_384);
        // The reader consumes more of the stream than it returns.
        for (int left = frameCount(sent.toByteArray()); left > 0; left--) {
            RawFrame frame = reader.read(in);
            if (frame.isType(type)) {
                contents.add(ByteBuffer.wrap(bytes(frame.getPayloadContent())));
            }
        }
        return contents;
    }

    private static int frameCount(byte[] sent) {
        int count = 0;
        for (int at = PREFACE.length(); at < sent.length; count++) {
            at += 9 + ((sent[at] & 255) << 16 | (sent[at + 1] & 255) << 8 | sent[at + 2] & 255);
        }
        return count;
    }

    private static byte[] bytes(ByteBuffer content) {
        byte[] bytes = new byte[content == null ? 0 : content.remaining()];
        if (content != null) {
            content.get(bytes);
        }
        return bytes;
    }

    /** Returns a frame with its length, type, flags, stream and payload. */
    private static byte[] frame(int type, int flags, int stream, byte[] payload) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {0, (byte) (payload.length >> 8), (byte) payload.length});
        out.writeBytes(new byte[] {(byte) type, (byte) flags, 0, 0, 0, (byte) stream});
        out.writeBytes(payload);
        return out.toByteArray();
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] all(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    /**
     * The frames: settings, a table size, an interim response, headers in two frames, padded data, another stream's
     * data, and the end.
     */
    @Test
    void anAnswerIsReadFromItsFrames() throws Exception {
        byte[] answers = all(
                frame(4, 0, 0, new byte[0]),
                frame(1, 4, 1, all(hex("20 08"), hex("03"), text("100"))),
                frame(1, 0, 1, hex("88 5c")),
                frame(9, 4, 1, all(hex("01"), text("5"), hex("00 03"), text("x-a"), hex("02"), text("ab"))),
                frame(0, 8, 1, all(hex("02"), text("wor"), hex("0000"))),
                frame(6, 0, 0, new byte[8]),
                frame(3, 0, 9, new byte[4]),
                frame(0, 1, 1, text("ld")),
                frame(7, 0, 0, hex("00000001 00000000")),
                frame(1, 5, 3, hex("8d")));
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        Http2 connection = new Http2(new ByteArrayInputStream(answers), sent);
        connection.send(HttpWire.request(SERVER, "/hello"));

        HttpWire.Answer answer = connection.read();

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers()).containsExactly("content-length: 5", "x-a: ab");
        assertThat(answer.body()).isEqualTo(text("world"));
        assertThat(answer.staysOpen()).isTrue();
        assertThat(sent.toString(StandardCharsets.ISO_8859_1)).startsWith(PREFACE);
        assertThat(decoder.decodeHeaders(frames(sent, FrameType.HEADERS).get(0)))
                .extracting(header -> header.getName() + ": " + header.getValue())
                .startsWith(":method: GET", ":scheme: https", ":authority: 127.0.0.1:8443", ":path: /hello")
                .noneMatch(line -> line.toLowerCase().startsWith("host"));

        assertThatThrownBy(() -> {
                    connection.send(HttpWire.request(SERVER, "/none"));
                    connection.read();
                })
                .hasMessage("the server ended the connection (HTTP/2 error 0)");
    }

    /** The client sends no more than the server has room for. */
    @Test
    void aLongBodyWaitsForItsWindow() throws IOException {
        byte[] answers =
                all(frame(8, 0, 1, hex("00000003")), frame(8, 0, 0, hex("00000003")), frame(1, 5, 1, hex("89")));
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        Http2 connection = new Http2(new ByteArrayInputStream(answers), sent);
        String body = "b".repeat(65_538);

        connection.send(HttpWire.request(SERVER, "/", new RequestSpec("POST", Map.of("X", "1"), body, 204)));

        assertThat(connection.read().status()).isEqualTo(204);
        assertThat(frames(sent, FrameType.DATA).stream().mapToInt(ByteBuffer::remaining))
                .containsExactly(16_384, 16_384, 16_384, 16_383, 3);
    }
}
