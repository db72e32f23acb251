package org.servletbench.bench.load.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.servletbench.bench.load.Logs;
import org.servletbench.bench.load.ToolFigures;
import org.servletbench.bench.measure.UnreadableLogException;
import org.servletbench.bench.model.WarningKind;

/** Tests the parsers with the output of the real tools, recorded in real runs, complete and damaged. */
class CommandLineParsersTest {

    @TempDir
    private Path folder;

    private static final Map<String, byte[]> RECORDED = new HashMap<>();

    private static byte[] recorded(String name) throws IOException {
        if (!RECORDED.containsKey(name)) {
            try (var in = Logs.class.getResourceAsStream("tools/" + name)) {
                RECORDED.put(name, in.readAllBytes());
            }
        }
        return RECORDED.get(name).clone();
    }

    private Path copy(String name) throws IOException {
        return Files.write(folder.resolve(name), recorded(name));
    }

    private ToolFigures wrk(String run) throws IOException {
        return Wrk.read(copy("wrk-" + run + ".out"));
    }

    private static final int SIEGE_USERS = 10;

    private ToolFigures ab(String run, boolean keepAlive) throws IOException {
        return ApacheBench.read(
                copy("ab-" + run + ".out"),
                copy("ab-" + run + ".percentiles.csv"),
                copy("ab-" + run + ".requests.tsv"),
                keepAlive);
    }

    /** Observed on a busy machine: siege ended a user between its two counts. */
    @Test
    void aUserWhoEndsBetweenSiegesCountsFailsNothing() throws IOException {
        String text = Files.readString(copy("siege-404.out"));
        assertThat(text).contains("50,").contains("\"successful_transactions\":\t           0,");
        Path one = Files.writeString(
                folder.resolve("one.out"),
                text.replace("\"successful_transactions\":\t           0,", "\"successful_transactions\": 51,"));
        assertThat(Siege.read(one, folder.resolve("none"), SIEGE_USERS).completed())
                .isEqualTo(50);
        assertThat(Siege.read(one, folder.resolve("none"), SIEGE_USERS).failed())
                .isZero();
        Path many = Files.writeString(
                folder.resolve("many.out"),
                text.replace("\"successful_transactions\":\t           0,", "\"successful_transactions\": 61,"));
        assertThatThrownBy(() -> Siege.read(many, folder.resolve("none"), SIEGE_USERS))
                .hasMessageContaining("more successful transactions");
    }

    private ToolFigures siege(String run) throws IOException {
        return Siege.read(copy("siege-" + run + ".out"), folder.resolve("siege-" + run + ".err"), SIEGE_USERS);
    }

    @Test
    void wrksFigures() throws IOException {
        ToolFigures figures = wrk("hello");

        assertThat(figures.completed()).isEqualTo(33_973);
        assertThat(figures.failed()).isZero();
        assertThat(figures.failures()).isEmpty();
        assertThat(figures.seconds()).isEqualTo(2.010744);
        assertThat(figures.latency().mean()).isEqualTo(0.822116);
        assertThat(figures.latency().max()).isEqualTo(9.781);
        assertThat(figures.latency().percentile(99)).isEqualTo(4.66);
        assertThat(figures.latency().percentile(99.9)).isEqualTo(7.861);
        assertThat(figures.latency().percentile(98)).isNaN();
        assertThat(figures.notes()).isEmpty();
    }

    @Test
    void wrksStatusesAndLateResponses() throws IOException {
        assertThat(wrk("404").failures()).isEqualTo(Map.of("status", 2_613L));
        assertThat(wrk("404").failed()).isEqualTo(wrk("404").completed());
        ToolFigures late = wrk("late");
        assertThat(late.failed()).isZero();
        assertThat(late.completed()).isEqualTo(111);
        assertThat(late.notes()).singleElement().satisfies(note -> {
            assertThat(note.kind()).isEqualTo(WarningKind.TIMEOUTS_MISSING);
            assertThat(note.figures()).startsWith("8 responses came later");
            assertThat(note.excludes()).as("its throughput has them").isFalse();
        });
    }

    @Test
    void abFigures() throws IOException {
        ToolFigures figures = ab("hello", true);

        assertThat(figures.completed()).isEqualTo(500);
        assertThat(figures.failed()).isZero();
        assertThat(figures.latency().mean()).isEqualTo(0.488);
        assertThat(figures.latency().max()).isBetween(1.5, 2.5);
        assertThat(figures.latency().percentiles()).containsOnlyKeys(50.0, 75.0, 90.0, 95.0, 99.0);
        assertThat(figures.notes()).isEmpty();
    }

    @Test
    void abFailures() throws IOException {
        assertThat(ab("404", false).failures()).isEqualTo(Map.of("status", 30L));
        assertThat(ab("404", false).failed()).isEqualTo(30);
        assertThat(ab("length", false).failures()).isEqualTo(Map.of("length", 30L));
        assertThat(ab("404", false).latency().percentile(99))
                .as("ab itself wrote 0.257 ms, from behind the end of its list")
                .isEqualTo(ab("404", false).latency().max())
                .isEqualTo(4.053);
        assertThat(ab("length", true).notes()).singleElement().satisfies(note -> {
            assertThat(note.kind()).isEqualTo(WarningKind.KEEP_ALIVE_REFUSED);
            assertThat(note.figures()).contains("kept the connection after only 0 of 40 requests");
            assertThat(note.excludes())
                    .as("it measured how connections are opened")
                    .isTrue();
        });
    }

    /** wrk and ab count unanswered requests separately from completed ones, and bad answers as part of these. */
    @Test
    void noMoreRequestsFailThanThereWere() throws IOException {
        String text = new String(recorded("wrk-404.out"), StandardCharsets.ISO_8859_1);
        ToolFigures wrk = Wrk.read(Files.writeString(
                folder.resolve("wrk"), text.replace("\"connect\":0,\"read\":0", "\"connect\":3,\"read\":4")));
        assertThat(wrk.failed()).isEqualTo(2_620).isEqualTo(wrk.requests());

        ab("404", false);
        String printed = Files.readString(folder.resolve("ab-404.out"));
        Path out = Files.writeString(
                folder.resolve("ab-404.out"),
                printed.replaceFirst(
                        "Failed requests: +\\d+\\n",
                        "Failed requests:        5\n   (Connect: 3, Receive: 0, Length: 0, Exceptions: 2)\n"));
        ToolFigures ab = ApacheBench.read(
                out, folder.resolve("ab-404.percentiles.csv"), folder.resolve("ab-404.requests.tsv"), false);
        assertThat(ab.completed()).isEqualTo(30);
        assertThat(ab.failed()).isEqualTo(35).isEqualTo(ab.requests());
    }

    @Test
    void siegesFigures() throws IOException {
        ToolFigures figures = siege("hello");

        assertThat(figures.completed()).isEqualTo(14_629);
        assertThat(figures.failed()).isZero();
        assertThat(figures.seconds()).isEqualTo(1.18);
        // 4.81 x 1.18 s / 14,629; siege itself prints 0.00 s.
        assertThat(figures.latency().mean()).isCloseTo(0.388, within(0.0005));
        assertThat(figures.latency().max()).isEqualTo(20);
        assertThat(figures.latency().percentiles()).isEmpty();
    }

    @Test
    void siegesFailures() throws IOException {
        assertThat(siege("404").failures()).isEqualTo(Map.of("status from 400 to 499", 50L));
        ToolFigures some = siege("503");
        assertThat(some.completed()).isEqualTo(20);
        assertThat(some.requests()).as("siege itself says 66.67 % of them").isEqualTo(30);
        assertThat(some.failures()).isEqualTo(Map.of("connection, or status from 500", 10L));
        assertThat(some.latency().mean())
                .as("failed requests are in siege's concurrency")
                .isNaN();
        ToolFigures refused = siege("refused");
        assertThat(refused.completed()).isZero();
        assertThat(refused.failed()).isEqualTo(20).isEqualTo(refused.requests());
        assertThat(siege("404").requests()).isEqualTo(siege("404").completed());
        assertThat(refused.latency().mean()).isNaN();
        assertThat(refused.latency().max()).isNaN();
    }

    private ToolFigures read(List<Path> files) throws IOException {
        return switch (files.size()) {
            case 1 ->
                files.get(0).getFileName().toString().startsWith("wrk")
                        ? Wrk.read(files.get(0))
                        : Siege.read(files.get(0), folder.resolve("none"), SIEGE_USERS);
            default -> ApacheBench.read(files.get(0), files.get(1), files.get(2), true);
        };
    }

    static Stream<List<String>> runs() {
        return Stream.of(
                List.of("wrk-hello.out"),
                List.of("wrk-late.out"),
                List.of("siege-hello.out"),
                List.of("siege-503.out"),
                List.of("ab-hello.out", "ab-hello.percentiles.csv", "ab-hello.requests.tsv"),
                List.of("ab-length.out", "ab-length.percentiles.csv", "ab-length.requests.tsv"));
    }

    /**
     * Output that is cut off anywhere is rejected in one line, or gives the same figures as the whole output, but never
     * others.
     */
    @ParameterizedTest
    @MethodSource("runs")
    void truncated(List<String> names) throws IOException {
        List<Path> files = names.stream().map(folder::resolve).toList();
        for (String name : names) {
            for (String other : names) {
                copy(other);
            }
            ToolFigures whole = read(files);
            byte[] bytes = recorded(name);
            int step = Math.max(1, bytes.length / 400);
            for (int length = 0; length < bytes.length; length += step) {
                Files.write(folder.resolve(name), Arrays.copyOf(bytes, length));
                try {
                    assertThat(read(files)).as("%s cut at %d", name, length).isEqualTo(whole);
                } catch (UnreadableLogException e) {
                    assertThat(e.getMessage().lines()).hasSize(1);
                }
            }
        }
    }

    /** Any bytes cause only one kind of exception. */
    @ParameterizedTest
    @MethodSource("runs")
    void garbage(List<String> names) throws IOException {
        Random random = new Random(6);
        List<Path> files = names.stream().map(folder::resolve).toList();
        for (int round = 0; round < 500; round++) {
            for (String name : names) {
                byte[] bytes = recorded(name);
                int damages = random.nextInt(4);
                for (int i = 0; i < damages; i++) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
                }
                Files.write(folder.resolve(name), bytes);
            }
            try {
                ToolFigures figures = read(files);
                assertThat(figures.completed()).isNotNegative();
                assertThat(figures.failed()).isNotNegative();
            } catch (UnreadableLogException e) {
                assertThat(e.getMessage().lines()).hasSize(1);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            wrk-hello.out   | "requests":33973  | "requests":null
            wrk-hello.out   | "requests":33973  | "requests":33972
            wrk-hello.out   | "mean":822.116    | "mean":"fast"
            wrk-hello.out   | "duration":2010744| "duration":0
            wrk-hello.out   | "read":0,         | ''
            siege-hello.out | 14629,            | -1,
            siege-hello.out | 14629,            | 14.5,
            siege-hello.out | 12397.46          | 2397.46
            siege-hello.out | "elapsed_time"    | "elapsed"
            siege-hello.out | 4.81,             | nan,
            """)
    void numbersMissing(String name, String reported, String instead) throws IOException {
        String whole = new String(recorded(name), StandardCharsets.ISO_8859_1);
        assertThat(whole).contains(reported);
        Path file = Files.writeString(folder.resolve(name), whole.replaceFirst(reported, instead));

        assertThatThrownBy(() -> read(List.of(file)))
                .isInstanceOf(UnreadableLogException.class)
                .hasMessageContaining(name);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            .out             | Complete requests:      500 | Complete requests:      400
            .out             | Complete requests:      500 | Complete requests:      many
            .out             | Time taken for tests        | Time
            .out             | Total:                      | Sum:
            .percentiles.csv | Percentage served           | Share
            .percentiles.csv | \\n50,                       | \\n51,
            .requests.tsv    | \\n                          | ;
            """)
    void abNumbersMissing(String file, String reported, String instead) throws IOException {
        ab("hello", true);
        Path damaged = folder.resolve("ab-hello" + file);
        String whole = Files.readString(damaged);
        String from = reported.replace("\\n", "\n");
        assertThat(whole).contains(from);
        Files.writeString(damaged, whole.replaceFirst(from, instead.replace("\\n", "\n")));

        assertThatThrownBy(() -> ApacheBench.read(
                        folder.resolve("ab-hello.out"),
                        folder.resolve("ab-hello.percentiles.csv"),
                        folder.resolve("ab-hello.requests.tsv"),
                        true))
                .isInstanceOf(UnreadableLogException.class)
                .hasMessageContaining("ab-hello");
    }

    @Test
    void siegeThatGaveUp() throws IOException {
        Path err = Files.writeString(folder.resolve("err"), "siege aborted due to excessive socket failure; you\n");
        assertThatThrownBy(() -> Siege.read(copy("siege-refused.out"), err, SIEGE_USERS))
                .isInstanceOf(UnreadableLogException.class)
                .hasMessageContaining("siege gave up");
    }
}
