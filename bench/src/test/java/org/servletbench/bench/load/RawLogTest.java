package org.servletbench.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.measure.NativeCount;
import org.servletbench.bench.measure.UnreadableLogException;

class RawLogTest {
    @TempDir
    Path folder;

    @Test
    void whatIsNoLogIsRefused() throws IOException {
        assertThatThrownBy(() -> RawLog.of(folder).measure()).hasMessage("a directory; name the log in it");
        assertThatThrownBy(() -> RawLog.of(folder.resolve("none")).measure()).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> Logs.measure(folder, new byte[0])).hasMessage("empty");
        assertThatThrownBy(() -> Logs.measure(folder, new byte[] {(byte) 0x1f, (byte) 0x8b, 8}))
                .isInstanceOf(UnreadableLogException.class)
                .hasMessageContaining("neither");
    }

    /** As Gatling lays out its table; the figures' cells are numbered from the name's on. */
    @Test
    void gatlingsReportIsRead() throws IOException {
        StringBuilder html = new StringBuilder("<table><tbody>");
        row(html, "ROOT", "", "All Requests", 30, 3);
        row(html, "group_g", "ROOT", "a &amp; b", 9, 0);
        row(html, "req_x", "group_g", "st&auml;tic &#39;✓&#x27; &lt;2&gt;", 12, 3);
        row(html, "req_y", "ROOT", "hello 5 users", 18, 0);
        Files.writeString(folder.resolve("index.html"), html.append("</tbody></table>"));
        assertThat(NativeReport.beside(folder.resolve("simulation.log")))
                .hasValue(Map.of(
                        "a & b / stätic '✓' <2>", new NativeCount(12, 3), "hello 5 users", new NativeCount(18, 0)));
        assertThat(NativeReport.beside(folder.resolve("other.csv"))).isEmpty();
    }

    private static void row(StringBuilder html, String id, String parent, String name, int total, int failed) {
        html.append("<tr id=\"%s\" data-parent=\"%s\">\n<td><span id=\"z\" class=\"ellipsed-name\">%s</span></td>"
                .formatted(id, parent, name));
        html.append(
                "\n<td class=\"value total col-2\">%d</td><td class=\"col-3\">0</td><td class=\"col-4\">%d</td></tr>"
                        .formatted(total, failed));
    }

    @Test
    void jmetersReportIsFoundWhereItMayBe() throws IOException {
        byte[] json = Logs.golden("jmeter/statistics.json");
        Path log = Files.createDirectories(folder.resolve("results")).resolve("tier.csv");
        for (String place : new String[] {"reports/tier", "results/tier", "results"}) {
            assertThat(NativeReport.beside(log).isPresent()).isEqualTo(!place.equals("reports/tier"));
            Files.write(Files.createDirectories(folder.resolve(place)).resolve("statistics.json"), json);
            assertThat(NativeReport.beside(log).orElseThrow())
                    .containsEntry("hello 4 users", new NativeCount(310, 0))
                    .doesNotContainKey("Total")
                    .hasSize(4);
        }
        Files.writeString(folder.resolve("results/statistics.json"), "{\"x\": [");
        assertThatThrownBy(() -> NativeReport.beside(log)).isInstanceOf(UnreadableLogException.class);
    }
}
