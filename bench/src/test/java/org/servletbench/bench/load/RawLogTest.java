package org.servletbench.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.servletbench.bench.load.NativeReport.NativeCount;
import org.servletbench.bench.measure.ServerUse;
import org.servletbench.bench.measure.UnreadableLogException;
import org.servletbench.bench.model.Metric;

class RawLogTest {
    @TempDir
    Path folder;

    @Test
    void whatIsNoLogIsRefused() throws IOException {
        assertThatThrownBy(() -> RawLog.of(folder).measure()).hasMessage("a directory; name the log in it");
        assertThatThrownBy(() -> RawLog.of(folder.resolve("none")).measure()).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> Logs.measure(folder, new byte[0])).hasMessage("empty");
        assertThatThrownBy(() -> Logs.measure(folder, new byte[] {7, 8, 9}))
                .isInstanceOf(UnreadableLogException.class)
                .hasMessageContaining("neither");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "\u001f\u008b\b|the gzip data ends early or is damaged",
                "BZh9|a packed file: unpack it",
                "PK\u0003\u0004\u0014|save the sheet as CSV",
                "\u00d0\u00cf\u0011\u00e0\u00a1|save the sheet as CSV",
                "\u00ff\u00fet\u0000i\u0000|UTF-16: save it as UTF-8",
                "t\u0000i\u0000m\u0000|UTF-16: save it as UTF-8",
                "<?xml version=\"1.0\"?>|jmeter.save.saveservice.output_format=csv",
                "\u00ef\u00bb\u00bf<?xml version=\"1.0\"?>|jmeter.save.saveservice.output_format=csv",
                "<!DOCTYPE html>|name the raw log",
                "{ \"Total\": 1}|name the raw log",
                "RUN\tdemo.Sim\tsim|a text log of Gatling 3.12 or older",
                "ASSERTION\tAAECAAI=|a text log of Gatling 3.12 or older"
            })
    void otherFilesAreNamedByTheirFirstBytes(String begin, String message) {
        assertThatThrownBy(() -> Logs.measure(folder, begin.getBytes(StandardCharsets.ISO_8859_1)))
                .isInstanceOf(UnreadableLogException.class)
                .hasMessageContaining(message);
    }

    /** Has the layout of Gatling's table, whose columns of figures are numbered starting at the name. */
    @Test
    void gatlingsReportIsRead() throws IOException {
        StringBuilder html = new StringBuilder("<table><tbody>");
        row(html, "ROOT", "", "All Requests", 30, 3);
        row(html, "group_g", "ROOT", "a &amp; b", 9, 0);
        row(html, "req_x", "group_g", "st&auml;tic &#39;✓&#x27; &lt;2&gt;", 12, 3);
        row(html, "req_y", "ROOT", "hello 5 users", 18, 0);
        Files.writeString(folder.resolve("index.html"), html.append("</tbody></table>"));
        assertThat(NativeReport.read(folder.resolve("index.html")))
                .isEqualTo(Map.of(
                        "a & b / stätic '✓' <2>", new NativeCount(12, 3), "hello 5 users", new NativeCount(18, 0)));
    }

    private static void row(StringBuilder html, String id, String parent, String name, int total, int failed) {
        html.append("<tr id=\"%s\" data-parent=\"%s\">\n<td><span id=\"z\" class=\"ellipsed-name\">%s</span></td>"
                .formatted(id, parent, name));
        html.append(
                "\n<td class=\"value total col-2\">%d</td><td class=\"col-3\">0</td><td class=\"col-4\">%d</td></tr>"
                        .formatted(total, failed));
    }

    /** A monitor's file uses the clock of the log next to it. */
    @Test
    void aMonitorIsMovedWithItsLog() throws IOException {
        long origin = 1_700_000_000_000L;
        long late = 3_600_000;
        Path first = csv("first", origin);
        Path second = csv("second", origin - late);
        StringBuilder monitor = new StringBuilder("time.ms,process.cpu.ms,generator.time.ms,generator.cpu.ms\n");
        for (int row = -1; row <= 21; row++) {
            long at = origin - late + 1000L * row;
            monitor.append(at + "," + 500 * row + "," + (at + 3) + "," + 250 * row + "\n");
        }
        Files.writeString(second.resolveSibling("monitor.csv"), monitor);

        ServerUse use = new RawLog(List.of(new RawLog.Part(first, 0), new RawLog.Part(second, late)))
                .measure()
                .loads()
                .get(0)
                .use()
                .orElseThrow();

        assertThat(use.of(Metric.SERVER_CORES)).isCloseTo(0.5, within(1e-9));
        assertThat(use.of(Metric.GENERATOR_CORES)).isCloseTo(0.25, within(1e-9));
    }

    @Test
    void aPackedLogGivesTheSameAndTakesItsPlace() throws IOException {
        Path first = csv("first", 1_700_000_000_000L);
        RawLog plain = RawLog.of(first);
        String before = plain.measure().loads().toString();
        long length = Files.size(first);

        RawLog packed = plain.packed();

        Path file = packed.parts().get(0).file();
        assertThat(file).isEqualTo(first.resolveSibling("results.csv.gz"));
        assertThat(first).doesNotExist();
        assertThat(Files.size(file)).isLessThan(length / 8);
        assertThat(packed.measure().loads()).hasToString(before);
        try (Stream<Path> left = Files.list(first.getParent())) {
            assertThat(left).containsExactly(file);
        }
    }

    @Test
    void aLogThatCannotBePackedStays() throws IOException {
        Path first = csv("first", 1_700_000_000_000L);
        // The file next to it cannot be written.
        Files.createDirectories(first.resolveSibling("results.csv.gz.next/x"));
        assertThat(RawLog.of(first).packed()).isEqualTo(RawLog.of(first));
        assertThat(first).isNotEmptyFile();
    }

    private Path csv(String name, long origin) throws IOException {
        StringBuilder csv = new StringBuilder("timeStamp,elapsed,label,success,bytes,sentBytes,grpThreads\n");
        for (int i = 0; i < 2000; i++) {
            csv.append(origin + 10 * i).append(",5,x,true,7,5,3\n");
        }
        return Files.writeString(Files.createDirectory(folder.resolve(name)).resolve("results.csv"), csv);
    }
}
