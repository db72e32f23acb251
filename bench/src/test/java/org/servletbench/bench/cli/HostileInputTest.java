package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.load.jmeter.JMeterTable;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.SafeFiles;
import org.servletbench.bench.model.Slo;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.report.Campaigns;
import org.servletbench.bench.server.process.Jdk;

/** Tests that an untrusted comparison, folder or name cannot have forbidden effects. */
class HostileInputTest {

    @TempDir
    private Path folder;

    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err), arguments);
    }

    private Path comparison(String text) throws IOException {
        return Files.writeString(folder.resolve("stranger.yaml"), text);
    }

    @Test
    void aDryRunStartsNoJavaOfAFile() throws IOException {
        Path bin = Files.createDirectories(folder.resolve("jdk/bin"));
        Path java = Files.writeString(bin.resolve("java"), "#!/bin/sh\ntouch " + folder.resolve("ran") + "\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"21.0.1\"\nIMPLEMENTOR=\"Somebody\"\n");
        Path file = comparison("arms:\n  jetty:\n  other: {container: jetty, jdk: " + folder.resolve("jdk")
                + "}\nload: [{users: [10]}]\n");
        assertThat(run("compare", "--dry-run", file.toString()))
                .as(err.toString())
                .isZero();
        assertThat(folder.resolve("ran")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({
        "/dev/zero, is not a regular file",
        "/proc/self/environ, is not a regular file",
        "environ, is not a regular file",
        "long, is longer than 1024 KiB",
    })
    void aFileThatAComparisonNamesIsAFileOfText(String named, String why) throws IOException {
        Files.createSymbolicLink(folder.resolve("environ"), Path.of("/proc/self/environ"));
        Files.write(folder.resolve("long"), new byte[(1 << 20) + 1]);
        String file = folder.resolve(named).toString();
        for (String text : List.of(
                "arms: {jetty: , undertow: }\nload: [{users: [10]}]\nmeasure: {jvm-options: " + file + "}\n",
                "arms: {jetty: , undertow: }\nworkloads:\n  send: {url: /x, method: POST, headers: {Content-Type: text/plain},"
                        + " body-file: " + file + "}\nload: [{workloads: [send], users: [10]}]\n")) {
            err.getBuffer().setLength(0);
            assertThat(run("compare", "--dry-run", comparison(text).toString())).isEqualTo(Exit.USAGE.code());
            assertThat(err.toString())
                    .containsAnyOf(why, "there is no file /dev/zero")
                    .hasLineCount(1);
        }
    }

    @Test
    void columnsOfAFileThatIsAnotherOneAreNotTold() throws IOException {
        Path passwords = Files.writeString(folder.resolve("passwd"), "root:x:0:0:secret\n");
        Path file = comparison("arms: {jetty: , undertow: }\nworkloads: {w: {url: '/${id}', data: " + passwords
                + "}}\nload: [{workloads: [w], users: [10]}]\n");
        assertThat(run("compare", "--dry-run", file.toString())).isEqualTo(Exit.USAGE.code());
        assertThat(err.toString())
                .contains("has no column 'id' in its first line")
                .doesNotContain("secret")
                .hasLineCount(1);
    }

    /** Each bad value is left out, with a message that names it; all others are shown. */
    @ParameterizedTest
    @CsvSource({
        "/loads/0/figures/p99, 1e999, loads[0].figures.p99 is Infinity",
        "/loads/0/figures/throughput, 1e308, loads[0].figures.throughput is 1.0E308",
        "/loads/0/rates/1, 1e308, loads[0].rates[1] is 1.0E308",
        "/loads/0/requests, -5, loads[0].requests is -5",
        "/loads/0/seconds, 1e300, loads[0].seconds is 1.0E300",
        "/block, 2147483647, 'block is 2147483647, and there are 1 to '",
        "/block, 0, 'block is 0, and there are 1 to '",
        "/position, 0, 'position is 0, and there are 1 to '",
        "/attempt, -1, 'attempt is -1, which nothing measures'",
    })
    void figuresThatNothingMeasuresAreNamed(String at, String value, String why) throws IOException {
        Campaigns.write(folder, 1, "jetty", 1);
        Path file;
        try (Stream<Path> files = Files.walk(folder)) {
            file = files.filter(one -> one.endsWith("server-run.json"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
        JsonNode json = Json.MAPPER.readTree(file.toFile());
        int name = at.lastIndexOf('/');
        JsonNode parent = json.at(at.substring(0, name));
        String last = at.substring(name + 1);
        if (parent instanceof ObjectNode map) {
            map.set(last, Json.MAPPER.readTree(value));
        } else {
            ((ArrayNode) parent).set(Integer.parseInt(last), Json.MAPPER.readTree(value));
        }
        Files.writeString(file, json.toString());
        assertThat(run("report", folder.toString())).isOne();
        assertThat(err.toString())
                .contains(folder.relativize(file) + ": damaged: " + why, "; it is left out")
                .hasLineCount(1);
        assertThat(folder.resolve("index.html")).isNotEmptyFile();
    }

    @Test
    void timesThatAreNoneAreNamed() throws IOException {
        Campaigns.write(folder, 1, "jetty", 1);
        Files.writeString(
                folder.resolve("timings.csv"),
                "block,arms,start.s,warm-up.s,load.s,rest.s\n1,a,1,1,1,1\n2,a,1,Infinity,1,1\n");
        assertThat(run("report", folder.toString())).isOne();
        assertThat(err.toString())
                .contains("timings.csv: warm-up.s is Infinity in line 3, which is not a time; it is left out")
                .hasLineCount(1);
    }

    /**
     * Reports a campaign with one bad value in campaign.json, at a JSON pointer; in a list, its first element. It must
     * fail with a message that names the key of the file, and no class of servlet-bench or its libraries.
     */
    private void reportOfCampaignWith(String at, String value) throws IOException {
        Campaigns.write(folder, 1, "jetty", 1);
        Path file = folder.resolve("campaign.json");
        JsonNode json = Json.MAPPER.readTree(file.toFile());
        int name = at.lastIndexOf('/');
        JsonNode parent = json.at(at.substring(0, name));
        if (parent instanceof ObjectNode map) {
            map.set(at.substring(name + 1), Json.MAPPER.readTree(value));
        } else {
            ((ArrayNode) parent).set(0, Json.MAPPER.readTree(value));
        }
        Files.writeString(file, json.toString());
        assertThat(run("report", folder.toString())).isNotZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/plan | [1] | 'plan' has a value of the wrong kind",
                "/plan/blocks | \"many\" | 'plan.blocks' is 'many'",
                "/plan/margin | null | no plan.margin",
                "/arms/0/role | \"KING\" | 'arms[0].role' is 'KING'",
                "/arms/0/spec/threads | [] | 'arms[0].spec.threads' has a value of the wrong kind",
                "/order/0/0 | null | order[0][0] is empty",
                "/plan/blocks | 2147483647 | plan.blocks is 2147483647",
            })
    void aDamagedFileIsToldByItsKeys(String at, String value, String why) throws IOException {
        reportOfCampaignWith(at, value);
        assertThat(err.toString())
                .contains("campaign.json: damaged: " + why)
                .doesNotContain("`", "java.", "org.servletbench", "jackson", "Token")
                .hasLineCount(1);
    }

    @Test
    void aFileOfNestedListsIsALine() throws IOException {
        Campaigns.write(folder, 1, "jetty", 1);
        Files.writeString(folder.resolve("campaign.json"), "[".repeat(2000) + "]".repeat(2000));
        assertThat(run("report", folder.toString())).isNotZero();
        assertThat(err.toString()).contains("damaged: ").doesNotContain("`").hasLineCount(1);
    }

    /** The path of each key is recorded; deep nesting used to exhaust the memory. */
    @Test
    void keysWithinKeysWithoutEndAreALine() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 400; i++) {
            text.append("{").append("k".repeat(500)).append(i).append(": ");
        }
        Path file = comparison(text + "x" + "}".repeat(400));
        long before = allocated();
        assertThat(run("compare", "--dry-run", file.toString())).isEqualTo(Exit.USAGE.code());
        assertThat(err.toString())
                .contains("stranger.yaml:1: ", " of more than 1000 characters, with those above it")
                .hasLineCount(1);
        assertThat(allocated() - before).isLessThan(100L << 20);
        err.getBuffer().setLength(0);
        assertThat(run(
                        "compare",
                        "--dry-run",
                        comparison("{a: ".repeat(30) + "x" + "}".repeat(30)).toString()))
                .isEqualTo(Exit.USAGE.code());
        assertThat(err.toString())
                .contains("keys within keys, more than 16 levels of them")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource({"900, are 900: a comparison has 100 at most", "20000, a mapping of more than 1000 entries"})
    void moreArmsThanABlockCanStartAreALine(int arms, String why) throws IOException {
        StringBuilder text = new StringBuilder("load: [{users: [10]}]\narms:\n");
        for (int i = 0; i < arms; i++) {
            text.append(" a").append(i).append(":\n");
        }
        assertThat(run("compare", "--dry-run", comparison(text.toString()).toString()))
                .isEqualTo(Exit.USAGE.code());
        assertThat(err.toString()).contains(why).hasLineCount(1);
    }

    @Test
    void aNameOfALogThatIsALongTextIsCut() throws IOException {
        StringBuilder text = new StringBuilder("timeStamp,elapsed,label,success\n");
        for (int i = 0; i < 600; i++) {
            text.append(1_700_000_000_000L + 10L * i)
                    .append(",5,")
                    .append("x".repeat(10_000))
                    .append(i % 300)
                    .append(i % 2 == 0 ? "" : "-0")
                    .append(",true\n");
        }
        Path log = Files.writeString(folder.resolve("long.csv"), text);
        StringWriter out = new StringWriter();
        assertThat(Main.run(new PrintWriter(out), new PrintWriter(err), "measure", "--csv", log.toString()))
                .as(err.toString())
                .isZero();
        assertThat(out.toString().lines().skip(1))
                .hasSizeGreaterThanOrEqualTo(300)
                .allSatisfy(line -> assertThat(line)
                        .hasSizeLessThan(1500)
                        .containsPattern("x{200}… \\(1000[123] characters, [0-9a-f]{16}\\)"));
    }

    /** Options that would run something other than the server, or hide in a file that no record shows. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-version",
                "-cp /tmp/x",
                "-jar /tmp/x.jar",
                "--class-path=/tmp/x",
                "-Xmx1g -m evil/evil.Main",
                "-XX:VMOptionsFile=/tmp/x",
                "-XX:Flags=/tmp/x",
                "--source",
                "-Xms1g @/tmp/x"
            })
    void whatIsNoOptionOfAJvmIsNotGivenToOne(String option) throws IOException {
        for (String text : List.of(
                "arms: {jetty: , undertow: }\nserver: {jvm: \"" + option + "\"}\nload: [{users: [10]}]\n",
                "arms: {jetty: {jvm: [\"" + option + "\"]}, undertow: }\nload: [{users: [10]}]\n")) {
            err.getBuffer().setLength(0);
            assertThat(run("compare", "--dry-run", comparison(text).toString())).isEqualTo(Exit.USAGE.code());
            assertThat(err.toString())
                    .contains("jvm': '", "is not a JVM option: options start with -X, -D")
                    .hasLineCount(1);
        }
    }

    @Test
    void aDryRunListsWhatAFileGivesToJava() throws IOException {
        Path file = comparison("arms: {jetty: , undertow: {env: {SHOP_KEY: hunter2}}}\nserver:\n  jvm: [-Dshop=1,"
                + " '-XX:OnError=touch', -javaagent:/tmp/agent.jar, --add-opens=java.base/java.lang=ALL-UNNAMED, -ea]\n"
                + "load: [{users: [10]}]\n");
        StringWriter out = new StringWriter();
        assertThat(Main.run(new PrintWriter(out), new PrintWriter(err), "compare", "--dry-run", file.toString()))
                .as(err.toString())
                .isZero();
        assertThat(out.toString())
                .contains("-XX:OnError=touch -javaagent:/tmp/agent.jar", "environment SHOP_KEY")
                .doesNotContain("hunter2");
    }

    @Test
    void whatIsInAFileThatIsNoneOfOptionsIsNotTold() throws IOException {
        Path shadow = Files.writeString(folder.resolve("shadow"), "root:$6$secret:19000:0:99999:7:::\n");
        Path file = comparison(
                "arms: {jetty: , undertow: }\nload: [{users: [10]}]\nmeasure: {jvm-options: " + shadow + "}\n");
        assertThat(run("compare", "--dry-run", file.toString())).isEqualTo(Exit.USAGE.code());
        assertThat(err.toString())
                .contains("is not a JVM option: options start with -")
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource({
        "/plan/margin, 1e308, 'plan.margin.usual is 1.0E308, which nothing measures'",
        "/plan/margin, 2, the plan's margin and precision are 2.0 and 0.0",
        "/plan/precision, -1, the plan's margin and precision are",
        "/plan/loads, [], the plan has no load",
        "/plan/loads/0/generator, \"stranger\", there is no load generator 'stranger'",
    })
    void aCampaignWithFiguresThatAreNoneIsDamaged(String at, String value, String why) throws IOException {
        reportOfCampaignWith(at, value);
        assertThat(err.toString()).contains("damaged: " + why).hasLineCount(1);
    }

    @Test
    void anInvocationThatIsTooLongIsLeftOut() throws IOException {
        Campaigns.write(folder, 1, "jetty", 1);
        Path place = folder.resolve("blocks/1/9-jetty");
        Files.createDirectories(place);
        try (RandomAccessFile file =
                new RandomAccessFile(place.resolve("server-run.json").toFile(), "rw")) {
            file.setLength(3L << 30);
        }
        assertThat(run("report", folder.toString())).isOne();
        assertThat(err.toString())
                .contains("9-jetty/server-run.json", "is longer than 65536 KiB; it is left out")
                .hasLineCount(1);
        assertThat(folder.resolve("index.html")).as("of all others").isNotEmptyFile();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "target-host: app1",
                "load-hosts: [app1]",
                "ssh-config: ./config",
                "target-allow-remote: true",
                "host-jdk: /x",
                "target-address: 192.0.2.1"
            })
    void aFileGivesNoConsent(String key) throws IOException {
        Path file = comparison("arms: {jetty: , undertow: }\nload: [{users: [10]}]\nmeasure: {" + key + "}\n");
        assertThat(run("compare", "--dry-run", file.toString())).isEqualTo(Exit.USAGE.code());
        assertThat(err.toString())
                .contains("is not taken from a file, which may be a stranger's")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SERVER_PORT", "server_port", "Server_Port", "spring_application_json", "server_address"})
    void anArmMovesNoPortByItsEnvironment(String name) throws IOException {
        Path file = comparison("arms: {jetty: {env: {" + name + ": x}}, undertow: }\nload: [{users: [10]}]\n");
        assertThat(run("compare", "--dry-run", file.toString())).isEqualTo(Exit.USAGE.code());
        assertThat(err.toString()).contains("the rig sets what").hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {2_000, 3_900, 200_000})
    void aLongUrlIsALineAndNoStackOverflow(int length) throws IOException {
        Path file = comparison(
                "arms: {jetty: , undertow: }\nload: [{workloads: [x], users: [10]}]\nworkloads:\n  x: {url: /"
                        + "a%20".repeat(length / 4) + "}\n");
        assertThat(run("compare", "--dry-run", file.toString()))
                .as(err.toString())
                .isEqualTo(length < 4_000 ? 0 : Exit.USAGE.code());
        assertThat(err.toString()).doesNotContain("StackOverflow");
    }

    @Test
    void aFileIsNotWrittenThroughALink() throws IOException {
        Path victim = Files.writeString(folder.resolve("victim"), "mine");
        Path page = folder.resolve("index.html");
        Files.createSymbolicLink(folder.resolve("index.html.next"), victim);
        Json.replace(page, "page".getBytes());
        assertThat(page).hasContent("page");
        Files.delete(page);
        Files.createSymbolicLink(page, victim);
        Json.replace(page, "page".getBytes());
        assertThat(page).hasContent("page");
        assertThat(Files.isSymbolicLink(page)).isFalse();
        assertThat(victim).hasContent("mine");
    }

    @Test
    void aFolderIsNotMadeThroughALink() throws IOException {
        Path elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
        Path root = Files.createDirectories(folder.resolve("received"));
        Files.createSymbolicLink(root.resolve("tables"), elsewhere);
        assertThat(catchThrowable(() -> SafeFiles.folder(root, root.resolve("tables"))))
                .hasMessageContaining("is a link");
        assertThat(catchThrowable(() -> SafeFiles.folder(root, root.resolve("../other"))))
                .hasMessageContaining("is not below");
        assertThat(Files.exists(elsewhere.resolve("x"), LinkOption.NOFOLLOW_LINKS))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../x", "b/../../x", "..", ".", "", "a\u0000", "/x", "-x", "a/b"})
    void aNameOfAFolderIsOneName(String name) {
        assertThat(SafeFiles.isName(name)).isFalse();
    }

    @Test
    void namesOfArmsAreNamesOfFolders() {
        assertThat(List.of("jetty", "tomcat-apr+boot2", "jetty-control", "tomcat@256m", "1.2_x"))
                .allMatch(SafeFiles::isName);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "=HYPERLINK(1) | '=HYPERLINK(1)",
                "@SUM(A1) | '@SUM(A1)",
                "+cmd | '+cmd",
                "-cmd | '-cmd",
                "-3.5 | -3.5",
                "+1e-3 | +1e-3",
                "Tomcat | Tomcat",
            })
    void aCellIsNoFormula(String text, String load) {
        assertThat(Text.cell(text)).isEqualTo(load);
    }

    @Test
    void aDatabaseOfAFileIsOnThisMachine() throws IOException {
        for (String url : List.of(
                "jdbc:postgresql://db1/bench",
                "jdbc:postgresql://127.0.0.1,db1/bench",
                "jdbc:postgresql://127.0.0.1@db1/bench",
                "jdbc:h2:tcp://db1/x",
                "jdbc:h2:mem:x;INIT=RUNSCRIPT FROM 'http://db1/x'")) {
            Path file = comparison("arms: {jetty: , undertow: }\nload: [{workloads: [query], users: [10]}]\n"
                    + "measure: {db-url: \"" + url + "\"}\n");
            err.getBuffer().setLength(0);
            assertThat(run("compare", "--dry-run", file.toString())).as(url).isEqualTo(Exit.USAGE.code());
            assertThat(err.toString())
                    .contains("'measure.db-url' of a file, which may be a stranger's, is one on this machine")
                    .hasLineCount(1);
        }
        err.getBuffer().setLength(0);
        Path own = comparison("arms: {jetty: , undertow: }\nload: [{workloads: [query], users: [10]}]\n"
                + "measure: {db-url: \"jdbc:postgresql://127.0.0.1:5433/bench?user=me\"}\n");
        assertThat(run("compare", "--dry-run", own.toString()))
                .as(err.toString())
                .isZero();
        assertThat(run("compare", "--dry-run", own.toString(), "--set", "measure.db-url=jdbc:postgresql://db1/bench"))
                .as(err.toString())
                .isZero();
    }

    /** Escape sequences, and characters that change the writing direction. */
    private static final String STEERING = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202eevil";

    private static final String NO_STEERING = "[^\\p{Cntrl}\\u0080-\\u009f\\u2028-\\u202e\\u2066-\\u2069]*";

    private Path log(String name, String label, int rows) throws IOException {
        StringBuilder text = new StringBuilder("timeStamp,elapsed,label,success\n");
        for (int i = 0; i < rows; i++) {
            text.append(1_700_000_000_000L + 10L * i)
                    .append(",5,\"")
                    .append(label)
                    .append("\",true\n");
        }
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void namesOfALogSteerNoTerminalAndNoPage() throws IOException {
        // File names only with characters that a C locale has.
        Path log = log("\u001b]0;owned\u0007.csv", STEERING, 500);
        Path page = folder.resolve("page.html");
        for (List<String> more : List.of(
                List.of("--audit"),
                List.of("--csv"),
                List.of("--json"),
                List.of("--plot", page.toString()),
                List.of("--slo", "p95<1ms"))) {
            StringWriter out = new StringWriter();
            List<String> words = new ArrayList<>(List.of("measure", log.toString()));
            words.addAll(more);
            Main.run(new PrintWriter(out), new PrintWriter(err), words.toArray(new String[0]));
            assertThat((out.toString() + err).lines()).isNotEmpty().allSatisfy(line -> assertThat(line)
                    .matches(NO_STEERING));
        }
        assertThat(page)
                .content()
                .contains("Content-Security-Policy", "default-src 'none'; ")
                .doesNotContain("\u001b", "\u202e", "<script");
    }

    @Test
    void namesOfAReceivedFolderSteerNoTerminal() throws IOException {
        Path received = Files.createDirectories(folder.resolve("received"));
        Campaigns.write(received, 1, "jetty", 1.0);
        Path file = received.resolve("campaign.json");
        Files.writeString(
                file,
                Files.readString(file)
                        .replaceFirst("\"question\" : \"[^\"]*\"", "\"question\" : \"\\\\u001b]0;owned\\\\u0007\""));
        StringWriter out = new StringWriter();
        Main.run(new PrintWriter(out), new PrintWriter(err), "report", "--fail-on", "slower", received.toString());
        assertThat((out.toString() + err).lines()).isNotEmpty().allSatisfy(line -> assertThat(line)
                .matches(NO_STEERING));
    }

    /**
     * A folder that may have come by mail: each file that {@code report} writes is a link to one of the receiver's
     * files.
     */
    @Test
    void aReceivedFolderWritesThroughNoLink() throws IOException {
        Path received = Files.createDirectories(folder.resolve("received"));
        Campaigns.write(received, 1, "jetty", 1.0);
        Path victim = Files.writeString(folder.resolve("victim"), "mine");
        Path victims = Files.createDirectories(folder.resolve("victims"));
        for (String name : List.of("index.html", "index.html.next", "campaign.json.next")) {
            Files.deleteIfExists(received.resolve(name));
            Files.createSymbolicLink(received.resolve(name), victim);
        }
        Path tables = received.resolve("tables");
        assertThat(tables).doesNotExist();
        Files.createSymbolicLink(tables, victims);
        assertThat(run("report", received.toString())).isEqualTo(Exit.FAILED.code());
        assertThat(err.toString())
                .contains("tables is a link, and we do not write through links")
                .hasLineCount(1);
        assertThat(victims).isEmptyDirectory();
        Files.delete(tables);
        Files.createDirectories(tables);
        Files.createSymbolicLink(tables.resolve("boot3-verdicts.csv"), victim);
        Files.createSymbolicLink(tables.resolve("boot3-verdicts.csv.next"), victim);
        assertThat(run("report", received.toString())).as(err.toString()).isZero();
        assertThat(victim).hasContent("mine");
        assertThat(received.resolve("index.html")).isNotEmptyFile();
        assertThat(Files.isSymbolicLink(received.resolve("index.html"))).isFalse();
        assertThat(Files.isSymbolicLink(tables.resolve("boot3-verdicts.csv"))).isFalse();
    }

    @Test
    void whatIsWrittenBesideALogFollowsNoLink() throws IOException {
        Path log = log("results.csv", "hello", 500);
        Path victim = Files.writeString(folder.resolve("victim"), "<?xml mine");
        Files.createSymbolicLink(folder.resolve("results.csv.slo.xml"), victim);
        for (String name : List.of("measured.html", "measured.txt", "table.csv")) {
            Files.createSymbolicLink(folder.resolve(name), victim);
        }
        assertThat(run("measure", log.toString(), "--slo", "p95<1s"))
                .as(err.toString())
                .isZero();
        RunFigures.keep(log).misses(Slo.parse("--slo", "p95<1s"), line -> {});
        assertThat(folder.resolve("measured.html")).content().contains("<h1>");
        assertThat(folder.resolve("measured.txt")).content().contains("hello", "1 met, 0 not met");
        JMeterTable.read(log).writeCsv(folder.resolve("table.csv"));
        assertThat(folder.resolve("table.csv")).content().contains("hello");
        assertThat(victim).hasContent("<?xml mine");
    }

    @Test
    void theTimesOfPhasesAreAddedToNoLink() throws IOException {
        Path victim = Files.writeString(folder.resolve("victim"), "mine");
        Files.createSymbolicLink(folder.resolve("timings.csv"), victim);
        assertThat(catchThrowable(() -> SafeFiles.appending(folder.resolve("timings.csv"))))
                .hasMessageContaining("is a link");
        assertThat(victim).hasContent("mine");
    }

    /** The file is small when compressed, but used to exhaust the memory. */
    @Test
    void aHeaderLineWithoutAnEndIsALine() throws IOException {
        Path log = folder.resolve("endless.csv.gz");
        byte[] megabyte = "x".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
        try (OutputStream packed = new GZIPOutputStream(Files.newOutputStream(log))) {
            packed.write("timeStamp,elapsed,label,success,".getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; i < 400; i++) {
                packed.write(megabyte);
            }
        }
        long before = allocated();
        assertThat(run("measure", log.toString())).isEqualTo(Exit.USAGE.code());
        assertThat(err.toString()).contains("no header line").hasLineCount(1);
        assertThat(allocated() - before).isLessThan(100L << 20);
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    /** Uses a file system of 8 KB in a mount namespace. The previous page must stay intact. */
    @Test
    void aFullDiskLeavesThePageBefore() throws Exception {
        Assumptions.assumeTrue(
                new ProcessBuilder("unshare", "-m", "true").start().waitFor() == 0, "no name spaces of mounts here");
        Path log = log("results.csv", "hello", 500);
        Path disk = Files.createDirectories(folder.resolve("disk"));
        String java = Jdk.ownCommand();
        Process process = new ProcessBuilder(
                        "unshare",
                        "-m",
                        "sh",
                        "-c",
                        "mount -t tmpfs -o size=8k none \"$1\" && printf '<!DOCTYPE html>before' > \"$1/page.html\" && \"$2\""
                                + " -cp \"$3\" " + Main.class.getName()
                                + " measure \"$4\" --plot \"$1/page.html\"; echo code $?; cat \"$1/page.html\"; ls -a \"$1\"",
                        "sh",
                        disk.toString(),
                        java,
                        System.getProperty("java.class.path"),
                        log.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said)
                .contains("code 1", "<!DOCTYPE html>before", "No space left on device")
                .doesNotContain("page.html.next", "\tat ");
    }

    @Test
    void aFileThatCannotBeWrittenLeavesTheOneBefore() throws IOException {
        Path file = Files.writeString(folder.resolve("junit.xml"), "<?xml before");
        Files.createDirectories(folder.resolve("junit.xml.next/x"));
        assertThat(catchThrowable(() -> Json.replace(file, "after"))).isInstanceOf(IOException.class);
        assertThat(file).hasContent("<?xml before");
    }
}
