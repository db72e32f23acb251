package org.servletbench.bench.server.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests exports in the encoding of Protocol Buffers, written by hand. */
class SpansTest {

    /** Returns a field that contains bytes. */
    private static byte[] field(int number, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        Arrays.stream(parts).forEach(content::writeBytes);
        ByteArrayOutputStream field = new ByteArrayOutputStream();
        varint(field, number << 3 | 2);
        varint(field, content.size());
        field.writeBytes(content.toByteArray());
        return field.toByteArray();
    }

    private static void varint(ByteArrayOutputStream out, int value) {
        for (int rest = value; ; rest >>>= 7) {
            if (rest < 128) {
                out.write(rest);
                return;
            }
            out.write(rest & 127 | 128);
        }
    }

    /** Returns a span with an id, a name of this length, a kind, a start and flags: fields of every type. */
    private static byte[] span(int nameLength) {
        return field(
                2,
                field(1, new byte[16]),
                field(5, new byte[nameLength]),
                new byte[] {6 << 3, (byte) 200, 1},
                new byte[] {7 << 3 | 1, 1, 2, 3, 4, 5, 6, 7, 8},
                new byte[] {(byte) (16 << 3 | 5), 1, 1, 0, 0, 0});
    }

    private static byte[] export(byte[]... spans) {
        byte[] resource = field(1, field(1, "service.name".getBytes(StandardCharsets.US_ASCII)));
        byte[] scope = field(1, field(1, "tomcat".getBytes(StandardCharsets.US_ASCII)));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(scope);
        Arrays.stream(spans).forEach(all::writeBytes);
        return field(
                1,
                resource,
                field(2, all.toByteArray()),
                field(3, "https://schema".getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void spansOfEveryResourceAndScopeAreCounted() {
        assertThat(Spans.count(new byte[0])).isZero();
        assertThat(Spans.count(export())).isZero();
        assertThat(Spans.count(export(span(5), span(300), span(0)))).isEqualTo(3);

        ByteArrayOutputStream two = new ByteArrayOutputStream();
        two.writeBytes(export(span(5), span(5)));
        two.writeBytes(export(span(20_000)));
        assertThat(Spans.count(two.toByteArray())).isEqualTo(3);
    }

    @Test
    void aCutExportIsRejected() {
        byte[] whole = export(span(5), span(300));
        assertThatThrownBy(() -> Spans.count(Arrays.copyOf(whole, whole.length - 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"resourceSpans\": []}", "<html>", "\u00ff\u00ff"})
    void whatIsNoExportIsRejected(String text) {
        assertThatThrownBy(() -> Spans.count(text.getBytes(StandardCharsets.ISO_8859_1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
