package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.Sending;

class Http2Test {

    private static final URI SERVER = URI.create("https://127.0.0.1:8443");

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    /** The examples of RFC 7541, appendix C. */
    @Test
    void packedTextIsRead() throws IOException {
        assertThat(Http2.unpacked(hex("f1e3 c2e5 f23a 6ba0 ab90 f4ff"))).isEqualTo("www.example.com");
        assertThat(Http2.unpacked(hex("6402"))).isEqualTo("302");
        assertThat(Http2.unpacked(hex("aec3 771a 4b"))).isEqualTo("private");
        assertThat(Http2.unpacked(hex("d07a be94 1054 d444 a820 0595 040b 8166 e082 a62d 1bff")))
                .isEqualTo("Mon, 21 Oct 2013 20:13:21 GMT");
        assertThat(Http2.unpacked(hex("9d29 ad17 1863 c78f 0b97 c8e9 ae82 ae43 d3")))
                .isEqualTo("https://www.example.com");
        assertThat(Http2.unpacked(hex(
                        "94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed"
                                + " 4ee5 b106 3d50 07")))
                .isEqualTo("foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1");
        assertThatThrownBy(() -> Http2.unpacked(hex("ffffffff"))).isInstanceOf(IOException.class);
    }

    /** Length, type, flags, stream, payload. */
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

    /** Settings, a size of the table, "go on", headers in two frames, padded data, another's stream, and the end. */
    @Test
    void anAnswerIsReadFromItsFrames() throws IOException {
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
        assertThat(sent.toString(StandardCharsets.ISO_8859_1))
                .startsWith("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
                .contains("\0\7:method\3GET", "\0\5:path\6/hello", ":authority\016127.0.0.1:8443")
                .doesNotContain("Host", "host");

        assertThatThrownBy(() -> {
                    connection.send(HttpWire.request(SERVER, "/none"));
                    connection.read();
                })
                .hasMessage("the server ended the connection (HTTP/2 error 0)");
    }

    /** No more than the server has room for. */
    @Test
    void aLongBodyWaitsForItsWindow() throws IOException {
        byte[] answers =
                all(frame(8, 0, 1, hex("00000003")), frame(8, 0, 0, hex("00000003")), frame(1, 5, 1, hex("89")));
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        Http2 connection = new Http2(new ByteArrayInputStream(answers), sent);
        String body = "b".repeat(65_538);

        connection.send(HttpWire.request(SERVER, "/", new Sending("POST", Map.of("X", "1"), body, 204)));

        assertThat(connection.read().status()).isEqualTo(204);
        // And that of servlet-bench.
        assertThat(sent.toString(StandardCharsets.ISO_8859_1).chars().filter(one -> one == 'b'))
                .hasSize(body.length() + 1);
    }
}
