package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.load.RawLog;
import org.servletbench.bench.measure.ServerUse;
import org.servletbench.bench.model.Hint.Where;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.report.run.RunWarning;

class MeasureCommandTest {
    private static final String EVIL = "<script>alert(1)</script>";

    /** Limit that campaigns use. */
    private static final double PROFILE_LIMIT = Double.parseDouble(
            new ProfilesFolder(Path.of("../profiles")).campaignDefaults().get("disturbed.percent"));

    @TempDir
    Path folder;

    private Path gatling;
    private Path jmeter;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void logs() throws IOException {
        gatling = copy("gatling/simulation.log");
        jmeter = copy("jmeter/golden.csv");
    }

    private Path copy(String name) throws IOException {
        Path file = folder.resolve(Path.of(name).getFileName());
        try (InputStream in = RawLog.class.getResourceAsStream(name)) {
            Files.copy(in, file);
        }
        return file;
    }

    private int run(Object... args) {
        String[] texts = new String[args.length + 1];
        texts[0] = "measure";
        for (int i = 0; i < args.length; i++) {
            texts[i + 1] = args[i].toString();
        }
        return Main.run(new PrintWriter(out), new PrintWriter(err), texts);
    }

    @Test
    void aTableIsPrinted() {
        assertThat(run(gatling, jmeter)).isZero();
        assertThat(err.toString()).isEmpty();
        assertThat(out.toString())
                .contains("Gatling 3.15.1, Golden, 3,523 requests")
                .containsPattern("(?m)^! hello 4 users +6 +4\\.0 +2,179 +0 +363\\.2 ")
                .contains("hello 4 users: littles-law: X R = ")
                .contains("outer / stätic ✓ 2 users: failed 191 x status.find.is(201), found 200")
                .contains("JMeter, 352 requests")
                .doesNotContain("NaN");
        assertThat(out.toString()).doesNotContain("percentile-order");
        run("--audit", gatling);
        assertThat(out.toString()).contains("  ok hello 4 users: percentile-order: min 0, ");
    }

    /** Writes a run's log, and its monitor's readings of the processors for each second. */
    private Path runWith(String monitor) throws IOException {
        StringBuilder csv = new StringBuilder("timeStamp,elapsed,label,success,threadName\n");
        for (int ms = 0; ms < 10_000; ms += 50) {
            csv.append(1_700_000_000_000L + ms).append(",50,,").append(ms > 100).append(",t 1-1\n");
        }
        Files.writeString(folder.resolve("monitor.csv"), monitor);
        return Files.writeString(folder.resolve("results.csv"), csv);
    }

    private static String monitor(int othersMs, int stealMs) {
        StringBuilder csv = new StringBuilder("time.ms,others.ms,generator.others.ms,steal.ms\n");
        for (int second = -1; second <= 12; second++) {
            csv.append(1_700_000_000_000L + 1000L * second)
                    .append(",0,")
                    .append(othersMs * (second + 1))
                    .append(",")
                    .append(stealMs * (second + 1))
                    .append("\n");
        }
        return csv.toString();
    }

    @Test
    void othersWhoTakeTheProcessorsDisturbASingleRunToo() throws IOException {
        run(runWith(monitor(820, 90)));
        assertThat(out.toString())
                .contains(
                        "WARNING: other programs or the host took processor time: (no name). Hint: load the server again")
                .contains("disturbed: other programs took 82.0 % of the time of the server's processors, or of the"
                        + " generator's (limit 5 %); a host took 9.0 % of a processor");
        out.getBuffer().setLength(0);
        run(runWith(monitor(40, 0)), "--audit");
        assertThat(out.toString()).contains("ok (no name): disturbed: others took at most 5 %");
        assertThat(PROFILE_LIMIT).isEqualTo(ServerUse.DISTURBED_PERCENT);
    }

    /** Requests may lack a name, but sentences must have no gaps. */
    @Test
    void aRequestWithoutANameIsNamedSo() throws IOException {
        run(runWith(monitor(0, 0)));
        assertThat(out.toString())
                .contains("WARNING: too many requests failed: (no name). Hint: ")
                .contains("(no name): failed 3 x (no message)")
                .doesNotContain(": .", "  : ");
    }

    /** Runs with a pipe as input, which has no length and cannot be inspected beforehand. */
    private int runWithInput(byte[] input, Object... args) {
        InputStream before = System.in;
        System.setIn(new FilterInputStream(new ByteArrayInputStream(input)) {
            @Override
            public int read(byte[] bytes, int from, int length) throws IOException {
                return super.read(bytes, from, Math.min(length, 1000));
            }

            @Override
            public int available() {
                return 0;
            }
        });
        try {
            return run(args);
        } finally {
            System.setIn(before);
        }
    }

    private static byte[] packed(byte[]... parts) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            try (GZIPOutputStream packed = new GZIPOutputStream(all)) {
                packed.write(part);
            }
        }
        return all.toByteArray();
    }

    @Test
    void packedLogsAndPipesAreReadAsTheyAre() throws Exception {
        for (Path log : List.of(gatling, jmeter)) {
            assertThat(run("--csv", log)).isZero();
            String expected = out.toString().replace(log.toString(), "NAME");
            byte[] bytes = Files.readAllBytes(log);
            byte[] packed = packed(Arrays.copyOf(bytes, 5000), Arrays.copyOfRange(bytes, 5000, bytes.length));
            Path file = Files.write(folder.resolve(log.getFileName() + ".gz"), packed);
            out.getBuffer().setLength(0);
            assertThat(run("--csv", file)).isZero();
            assertThat(out.toString().replace(file.toString(), "NAME")).isEqualTo(expected);
            for (byte[] input : List.of(bytes, packed)) {
                out.getBuffer().setLength(0);
                assertThat(runWithInput(input, "--csv", "-")).isZero();
                assertThat(out.toString().replaceAll("(?m)^-,", "NAME,")).isEqualTo(expected);
            }
            Path pipe = folder.resolve(log.getFileName() + ".pipe");
            assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                    .isZero();
            Thread writer = new Thread(() -> {
                try {
                    Files.write(pipe, packed, StandardOpenOption.WRITE);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            writer.start();
            out.getBuffer().setLength(0);
            assertThat(run("--csv", pipe)).isZero();
            writer.join();
            assertThat(out.toString().replace(pipe.toString(), "NAME")).isEqualTo(expected);
            out.getBuffer().setLength(0);
        }
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void whatCannotBeReadFromAPipeOrAPackedFileIsSaid() throws IOException {
        byte[] packed = packed(Files.readAllBytes(jmeter));
        Path cut = Files.write(folder.resolve("cut.csv.gz"), Arrays.copyOf(packed, packed.length - 20));
        assertThat(run(cut)).isEqualTo(Exit.USAGE.code());
        assertThat(err.toString()).contains("cut.csv.gz: ", "the gzip data ends early or is damaged: copy or pack it");
        assertThat(runWithInput(packed, "--slo", "p95<1s", "-")).isEqualTo(Exit.USAGE.code());
        assertThat(err.toString()).contains("--slo writes a file beside each log: name a file instead of '-'");
        assertThat(runWithInput(packed, "-", "-")).isEqualTo(Exit.USAGE.code());
        assertThat(err.toString()).contains("'-' is standard input, which can only be read once");
        assertThat(runWithInput(packed, "--merge", jmeter, "-")).isEqualTo(Exit.USAGE.code());
        assertThat(err.toString()).contains("-: --merge reads the head of each log first");
    }

    /** A log named several times is read once. */
    @Test
    void manyNamesAreReadFromAPipe() {
        StringBuilder names = new StringBuilder("timeStamp,elapsed,label,success\n");
        IntStream.range(0, 400).forEach(i -> names.append("1000,5,x").append(i).append(",true\n"));
        assertThat(runWithInput(names.toString().getBytes(StandardCharsets.UTF_8), "--csv", "-"))
                .isZero();
        assertThat(out.toString().lines()).hasSize(401).anyMatch(line -> line.startsWith("-,x399,"));
    }

    @Test
    void jsonHoldsEverything() throws Exception {
        assertThat(run("--json", gatling, jmeter)).isZero();
        JsonNode logs = new ObjectMapper().readTree(out.toString()).get("logs");
        assertThat(logs).hasSize(2);
        JsonNode load = logs.get(0).get("loads").get(0);
        JsonNode steady = load.get("steady");
        assertThat(load.get("name").asText()).isEqualTo("hello 4 users");
        assertThat(load.get("planned_users").asInt()).isEqualTo(4);
        assertThat(load.get("offered_per_s").isNull()).isTrue();
        assertThat(load.get("window").get("cut_by").asText()).isEqualTo("planned_users");
        assertThat(steady.get("requests").asLong()).isEqualTo(2179);
        assertThat(steady.get("throughput_per_s").asDouble()).isCloseTo(2179 / 6.0, within(1e-9));
        assertThat(steady.get("p95_ms").asLong()).isEqualTo(14);
        assertThat(steady.get("p99_ms").asLong()).isEqualTo(35);
        assertThat(steady.get("received_bytes").isNull()).isTrue();
        Histogram histogram = Histogram.decodeFromCompressedByteBuffer(
                ByteBuffer.wrap(Base64.getDecoder()
                        .decode(load.get("steady_histogram_ms").asText())),
                0);
        assertThat(histogram.getTotalCount()).isEqualTo(2179);
        assertThat(histogram.getValueAtPercentile(99)).isEqualTo(35);
        assertThat(load.get("slices")).hasSize(9);
        assertThat(logs.get(1)
                        .get("loads")
                        .get(0)
                        .get("steady")
                        .get("failed_by_kind")
                        .fieldNames()
                        .next())
                .startsWith("200: Test failed: text expected to contain /two\nlines/");
    }

    @Test
    void csvHasALineForEachCell() {
        assertThat(run("--csv", gatling, jmeter)).isZero();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines).hasSize(9);
        assertThat(lines.get(0))
                .startsWith("file,load,workload,planned_users,offered_per_s,")
                .contains(",p99.9_ms,");
        assertThat(lines.get(1)).contains(",hello 4 users,hello,4,,").endsWith(",littles-law trend");
        assertThat(lines.get(7)).contains(",\"not \"\"there\"\", käse\",");
    }

    /**
     * JMeter's columns of threads are optional. Without them no ramp is cut off, and a note below the figures says so.
     */
    @Test
    void figuresWithRampsInThemSaySo() throws Exception {
        Path log = folder.resolve("uncut.csv");
        Files.writeString(log, "timeStamp,elapsed,label,success\n1000,5,x 2 users,true\n9000,7,x 2 users,true\n");
        assertThat(run(log)).isZero();
        assertThat(out.toString()).contains("x 2 users: steady-window: nothing cut: the log does not show the users");
    }

    /** Showing one figure's values in another's column would be the worst possible bug. */
    @Test
    void everyColumnShowsItsOwnFigure() throws Exception {
        Path log = folder.resolve("distinct.csv");
        StringBuilder text = new StringBuilder("timeStamp,elapsed,label,success,bytes,sentBytes,grpThreads\n");
        for (int i = 0; i < 1001; i++) {
            text.append(1_000_000 + 3 * i)
                    .append(',')
                    .append(i == 1000 ? 1900 : 1 + i)
                    .append(",x 3 users,");
            text.append(i != 500).append(",7,5,3\n");
        }
        Files.writeString(log, text);
        Files.writeString(folder.resolve("monitor.csv"), """
            time.ms,threads.live,threads.runnable,threads.blocked,threads.waiting,threads.timed_waiting,\
            threads.acceptor,threads.io,threads.worker,gc.ms,alloc.bytes,process.cpu.ms,compiler.cpu.ms,rss.bytes,\
            context.switches,generator.cpu.ms,steal.ms,others.ms,compiler.backlog,heap.after.gc.bytes,\
            memory.peak.bytes,process.user.ms,process.system.ms,page.faults,read.calls,write.calls,\
            context.switches.voluntary,context.switches.involuntary,container.cpu.ms,gc.cpu.ms,other.cpu.ms,\
            cpu.throttled.us,cpu.periods.throttled,exported.spans,pool.taken,pool.waited.us
            990000,1,1,1,1,1,1,1,1,0,0,0,0,1,0,0,0,0,0,5000000,90000000,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
            1002000,90,11,12,13,14,2,3,75,110,9000000,1300,170,70000000,19000,2300,290,1080,6,6000000,91000000,\
            1010,290,555,1777,1555,15000,4000,900,77,153,131000,27,1500,1000,7000000
            1010000,90,11,12,13,14,2,3,75,220,18000000,2600,340,70000000,38000,4600,580,2160,8,6000000,91000000,\
            2020,580,1110,3554,3110,30000,8000,1800,154,306,262000,54,3000,2000,14000000
            """);
        // 1001 requests end within 4.9 s. It only matters that all formats show the same window.
        run("--json", log);
        JsonNode load = new ObjectMapper().readTree(out.toString()).at("/logs/0/loads/0");
        JsonNode steady = load.get("steady");
        out.getBuffer().setLength(0);
        run("--csv", log);
        List<String> lines = out.toString().lines().toList();
        List<String> titles = List.of(lines.get(0).split(","));
        List<String> fields = List.of(lines.get(1).split(",", -1));
        for (String key : titles.subList(titles.indexOf("users"), titles.indexOf("failed_checks"))) {
            JsonNode same = Optional.ofNullable(steady.get(key))
                    .orElseGet(() -> load.get("server").get(key));
            assertThat(Double.parseDouble(fields.get(titles.indexOf(key))))
                    .as(key)
                    .isEqualTo(same.asDouble());
        }
        List<String> server = fields.subList(titles.indexOf("sent_bytes") + 1, titles.indexOf("failed_checks"));
        assertThat(server).doesNotHaveDuplicates().doesNotContain("");
        assertThat(titles.subList(7, 23).stream()
                        .map(key -> fields.get(titles.indexOf(key)))
                        .distinct()
                        .count())
                .isGreaterThan(13);
        out.getBuffer().setLength(0);
        run(log);
        List<String> table = out.toString().lines().toList();
        int first = IntStream.range(0, table.size())
                .filter(line -> table.get(line).startsWith("  load "))
                .findFirst()
                .orElseThrow();
        List<String> heads = List.of(table.get(first).trim().split(" {2,}"));
        List<String> shown = List.of(table.get(first + 1).substring(2).trim().split(" {2,}"));
        for (String title : List.of("p50", "p75", "p90", "p95", "p99", "p99.9")) {
            assertThat(shown.get(heads.indexOf(title + " ms")).replace(",", ""))
                    .as(title)
                    .isEqualTo(steady.get(title + "_ms").asText());
        }
    }

    @Test
    void thePageIsSelfContainedAndEscaped() throws Exception {
        Path log = folder.resolve(EVIL.replace('/', '_') + ".csv");
        Files.writeString(
                log,
                "timeStamp,elapsed,label,success,responseMessage\n1000,5,\"" + EVIL
                        + "\",false,'\"&<b>\n2500,5,a' b,true,\n");
        Path page = folder.resolve("page.html");
        assertThat(run("--plot", page, gatling, jmeter, log)).isZero();
        String html = Files.readString(page);
        assertThat(html)
                .doesNotContainIgnoringCase("<script")
                .doesNotContainIgnoringCase("http:")
                .doesNotContainIgnoringCase("https:")
                .doesNotContain("url(", "@import", "<link", "<img", "NaN", "Infinity")
                .contains("prefers-color-scheme: dark", "width=device-width", "&lt;script&gt;alert(1)&lt;/script&gt;");
        for (String svg : html.split("(?=<svg )")) {
            if (svg.startsWith("<svg ")) {
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new org.xml.sax.InputSource(
                                new java.io.StringReader(svg.substring(0, svg.indexOf("</svg>") + 6))));
            }
        }
    }

    /** The page of a run starts with its problems, and links to the files next to it. */
    @Test
    void theLogOfARunGetsTheRunsPage() throws IOException {
        Files.writeString(folder.resolve("index.html"), "no table in here");
        Files.writeString(folder.resolve("server.json"), """
            {"proven": {"container": "jetty", "container.version": "12.0.36", "boot.version": "3.5.16"},
             "warm-up": {"settled": false, "reason": "not settled within 5 s", "seconds": 4.1}, "ended": "stopped"}
            """);
        RunFigures figures = RunFigures.keep(jmeter);

        assertThat(figures.warnings())
                .extracting(RunWarning::kind)
                .startsWith(WarningKind.WARM_UP)
                .contains(WarningKind.ERRORS)
                .doesNotHaveDuplicates();
        String line = "WARNING: the server was not warm when the measurement began (not settled within 5 s). Hint: ";
        assertThat(figures.warnings().get(0).line()).startsWith(line);
        assertThat(folder.resolve("measured.txt")).content().startsWith(line);
        String html = Files.readString(folder.resolve(RunFigures.PAGE));
        assertThat(html)
                .containsPattern("<h1>Jetty 12\\.0\\.36, Boot 3\\.5\\.16, \\d+( to \\d+)? users</h1>")
                .contains("<a href='index.html'>Gatling&#39;s report</a>")
                .doesNotContain("href='dashboard", "href='monitor.csv'");
        assertThat(html.indexOf("have warnings (!)")).isPositive().isLessThan(html.indexOf("<table"));

        Path index = folder.resolve("index.html");
        Files.writeString(index, "<p title=\"Description\" data-content=\"jetty\">\n <span>jetty</span></p>");
        figures.completeLine(index);
        assertThat(index)
                .content()
                .contains("data-content=\"jetty\"", "<span>WARNINGS, see measured.html: jetty</span>");

        Files.writeString(
                index,
                "<p title=\"Description\" data-content=\"\"><span>jetty, boot3 (Spring Boot 3.5.16), settings equalised</span>");
        new RunFigures("", "JDK 25.0.3, virtual threads", List.of(), Optional.empty()).completeLine(index);
        assertThat(index)
                .content()
                .isEqualTo(
                        "<p title=\"Description\" data-content=\"\"><span>jetty, boot3 (Spring Boot 3.5.16), JDK 25.0.3, virtual"
                                + " threads, settings equalised</span>");

        Path dashboard = folder.resolve("dashboard.html");
        Files.writeString(dashboard, "<title>jetty</title><a class=\"navbar-brand\" href=\"index.html\">jetty</a>");
        figures.completeLine(dashboard);
        assertThat(dashboard)
                .content()
                .isEqualTo("<title>jetty</title><a class=\"navbar-brand\" href=\"index.html\">"
                        + "WARNINGS, see measured.html: jetty</a>");
    }

    /** Only the second measurement counts, whatever its result. */
    @Test
    void aCellThatWasMeasuredOnceMoreIsListedAndDoesNotCount() throws IOException {
        StringBuilder text = new StringBuilder("timeStamp,elapsed,label,success,grpThreads,allThreads\n");
        for (int i = 0; i < 1000; i++) {
            text.append(1_000_000 + 10 * i).append(",10,hello 1 users,true,1,1\n");
            text.append(1_020_000 + 20 * i).append(",20,hello 1 users (again),true,1,1\n");
        }
        Path log = Files.writeString(folder.resolve("results.csv"), text);
        Files.writeString(folder.resolve("monitor.csv"), """
            time.ms,process.cpu.ms,compiler.cpu.ms
            999000,0,0
            1012000,6500,260
            1019000,10000,260
            1042000,16500,290
            """);

        RunFigures figures = RunFigures.keep(log);

        assertThat(figures.warnings()).isEmpty();
        assertThat(figures.text().lines().filter(line -> line.contains("hello")))
                .singleElement()
                .satisfies(row -> assertThat(row).startsWith("  hello 1 users (again) "));
        assertThat(Files.readString(folder.resolve("measured.txt")))
                .contains("measured again, because the JIT compiler was busy the first time, which does not count:")
                .containsPattern("(?m)^  hello 1 users  +99\\.9 ");
        assertThat(Files.readString(folder.resolve(RunFigures.PAGE)))
                .contains(
                        "<caption>Server and machine</caption>",
                        "<th scope='col'>JIT %</th>",
                        "<th scope='col'>cores</th>")
                .contains("Measured again: the JIT compiler was busy the first time, which does not count");
    }

    @Test
    void cellsThatWereNotWarmOrCompiledAreMarked() throws IOException {
        StringBuilder text = new StringBuilder("timeStamp,elapsed,label,success,grpThreads,allThreads\n");
        for (int i = 0; i < 1000; i++) {
            text.append(1_000_000 + 10 * i).append(",10,hello 1 users,true,1,1\n");
            text.append(1_020_000 + 10 * i).append(",10,again 1 users,true,1,1\n");
        }
        Path log = folder.resolve("results.csv");
        Files.writeString(log, text);
        // The server is busy half of the time. The compiler takes 4 % of that in the first 10 s, and 2 % in the last.
        Files.writeString(folder.resolve("monitor.csv"), """
            time.ms,process.cpu.ms,compiler.cpu.ms
            999000,0,0
            1012000,6500,260
            1019000,10000,260
            1032000,16500,390
            """);
        Files.writeString(folder.resolve("server.json"), """
            {"warm-up": {"settled": true, "reason": "", "seconds": 4.1}}
            """);

        RunFigures figures = RunFigures.keep(log);
        List<RunWarning> warnings = figures.warnings();

        assertThat(figures.text()).containsPattern("(?m)^! hello 1 users ").contains("1 of 2 loads has a warning (!)");
        assertThat(Files.readString(folder.resolve("measured.txt"))).containsPattern("(?m)^! hello 1 users ");
        assertThat(Files.readString(folder.resolve(RunFigures.PAGE)))
                .contains("1 of 2 loads has a warning")
                .containsPattern("hello 1 users <span class='bad'[^>]*>!</span>");
        assertThat(warnings).contains(new RunWarning(WarningKind.COMPILING, "", List.of("hello 1 users"), Where.RUN));
        assertThat(warnings).extracting(RunWarning::kind).doesNotHaveDuplicates();
    }

    @Test
    void aServerThatDiedIsTheFirstMark() throws IOException {
        Files.writeString(
                folder.resolve("server.json"),
                "{\"died\": \"exit code 3\", \"ended\": \"died under load: exit code 3\"}");
        assertThat(RunFigures.keep(jmeter).warnings().get(0).line())
                .startsWith("WARNING: the server failed or died (died under load: exit code 3). Hint: read server.log");
    }

    @Test
    void errorsAreOneLineForPeople() throws IOException {
        Path noise = folder.resolve("noise");
        Files.write(noise, new byte[] {0, 1, 2});
        assertThat(run(noise, folder.resolve("none"), jmeter)).isEqualTo(2);
        assertThat(err.toString().lines())
                .hasSize(2)
                .anyMatch(line -> line.startsWith(noise + ": "))
                .anyMatch(line -> line.equals("no such file: " + folder.resolve("none")));
        assertThat(out.toString()).contains("JMeter, 352 requests");
    }

    @Test
    void aLogWithoutRequestsIsAFailure() throws Exception {
        Path log = folder.resolve("header.csv");
        Files.writeString(log, "timeStamp,elapsed,label,success\n");
        assertThat(run(log, jmeter)).isEqualTo(1);
        assertThat(err.toString()).isEqualTo(log + ": no requests\n");
        assertThat(out.toString()).doesNotContain("header.csv").contains("JMeter, 352 requests");
        Files.writeString(log, "timeStamp,elapsed,label,success\n1000,-5,x,true\n");
        assertThat(run(log)).isEqualTo(1);
        assertThat(err.toString()).contains("no requests; raw-count: ", "possible-times: 1 requests end before");
    }

    /** Writes a log of one user whose responses take 10 ms, every tenth {@code slowMs}. */
    private Path oneUser(String name, int requests, int slowMs) throws IOException {
        StringBuilder text = new StringBuilder("timeStamp,elapsed,label,success,grpThreads\n");
        long at = 1_000_000;
        for (int i = 0; i < requests; i++) {
            int ms = i % 10 == 9 ? slowMs : 10;
            text.append(at).append(',').append(ms).append(",shop 1 users,true,1\n");
            at += ms;
        }
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void anObjectiveDecidesTheExitCodeAndLeavesAFileForCi() throws Exception {
        Path log = oneUser("run.csv", 3000, 100);
        assertThat(run(log, "--slo", "p95<200ms,errors<1%")).isZero();
        assertThat(out.toString()).contains("SLO p95 below 200 ms, errors below 1 %: 1 met, 0 not met, 0 not known; ");
        Path xml = folder.resolve("run.csv.slo.xml");
        assertThat(xml).content().contains("failures=\"0\"", "name=\"shop 1 users\"");

        assertThat(run("--json", log, "--slo", "p95<50ms")).isEqualTo(1);
        assertThat(err.toString()).contains("SLO not met: shop 1 users: p95 100 ms, limit 50 ms\n");
        assertThat(xml).content().contains("failures=\"1\"", "<failure message=");

        // Only three requests are slower than p99.9: too few to decide anything, and there is nothing else to decide.
        assertThat(run(log, "--slo", "p99.9<200ms")).isEqualTo(1);
        assertThat(out.toString()).contains("SLO not known: shop 1 users: p99.9 100 ms, limit 200 ms: only 3 of ");
        assertThat(xml).content().contains("skipped=\"1\"");
        // If other loads meet the objective, a note is enough.
        Path more = oneUser("more.csv", 30_000, 100);
        assertThat(run(log, more, "--slo", "p99.9<200ms")).isZero();

        Files.delete(xml);
        assertThat(run(log, "--slo", "p95<200")).isEqualTo(Exit.USAGE.code());
        assertThat(xml).doesNotExist();
        Files.writeString(xml, "mine");
        assertThat(run(log, "--slo", "p95<200ms")).isEqualTo(Exit.USAGE.code());
        assertThat(xml).hasContent("mine");
    }

    @Test
    void twoLogsOfAGeneratorStandSideBySide() throws Exception {
        Path before = oneUser("before.csv", 3000, 100);
        Path after = oneUser("after.csv", 3000, 200);
        assertThat(run(before, after)).isZero();
        assertThat(out.toString())
                .contains("side by side: before = " + before + ", after = " + after)
                .containsPattern("(?m)^  shop 1 users +req/s +5\\d\\.\\d +3\\d\\.\\d +0\\.6\\d\\d$")
                // From 199 / 101 to 201 / 99, because whole ms allow no more precision.
                .containsPattern("(?m)^  shop 1 users +p95 ms +100 +200 +1\\.97 to 2\\.03$")
                .contains("Single runs give no verdict")
                .contains("compare");
        run(before, after, jmeter);
        run("--csv", before, after);
        run(before, gatling);
        assertThat(out.toString())
                .containsOnlyOnce("Single runs give no verdict")
                .contains("not compared: the generators differ");
    }

    @Test
    void badUsageIsTwo() {
        assertThat(run()).isEqualTo(2);
        assertThat(run("--json", "--csv", jmeter)).isEqualTo(2);
        assertThat(run("--nonsense", jmeter)).isEqualTo(2);
        assertThat(err.toString().lines()).hasSize(3).allMatch(line -> line.endsWith("--help)"));
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void helpIsPrinted() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("--plot=FILE.html");
    }

    @Test
    void logsOfOneLoadAreMeasuredAsOne() throws Exception {
        Path second = Files.copy(gatling, folder.resolve("second.log"));
        assertThat(run("--merge", "--offsets", "0,0", "--csv", gatling, second)).isZero();
        assertThat(err.toString()).isEmpty();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines).hasSize(5);
        assertThat(lines.get(1)).startsWith("\"" + gatling + ", " + second + "\",hello 4 users,");
        run("--merge", "--json", gatling, second);
        assertThat(out.toString()).contains("\"records\" : " + 2 * 3523);
        assertThat(run("--merge", gatling, jmeter)).isEqualTo(Exit.USAGE.code());
        assertThat(err.toString()).contains("are not of one load").hasLineCount(1);
        assertThat(run("--offsets", "1,2", gatling, second)).isEqualTo(Exit.USAGE.code());
        assertThat(run("--merge", "--offsets", "1", gatling, second)).isEqualTo(Exit.USAGE.code());
        assertThat(err.toString()).contains("one number for each of the 2 files");
    }
}
