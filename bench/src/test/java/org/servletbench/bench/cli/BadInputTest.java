package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.comparison.ClaimList;
import org.servletbench.bench.comparison.Comparison;
import org.servletbench.bench.generator.Schedule;
import org.servletbench.bench.load.RawLog;
import org.servletbench.bench.load.jmeter.JMeterHosts;
import org.servletbench.bench.load.jmeter.JMeterPlan;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Shares;
import org.servletbench.bench.model.Threads;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.Conditions;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.record.WarmStart;
import org.servletbench.bench.verdict.Baseline;

/**
 * Tests that invalid values are rejected in one line that says what is wrong, with the exit code of bad usage.
 *
 * <p>The rule: arguments of a command, and the files that they name, count as bad usage (exit code 2) if they are
 * missing, of another kind, or damaged. Failures despite good arguments, such as a server that dies or a full disk,
 * have exit code 1.
 */
class BadInputTest {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();
    private static final ProfilesFolder PROFILES = new ProfilesFolder(ROOT.resolve("profiles"));

    @TempDir
    private static Path folder;

    /** Files and folders that may be bad, by the name that the tables use: {@code {name}}. */
    private static final Map<String, Path> FILES = new HashMap<>();

    @BeforeAll
    static void makeBadThings() throws IOException {
        logs();
        workloads();
        jvmOptions();
        campaigns();
        roots();
        plansAndSchedules();
        FILES.put("folder", Files.createDirectory(folder.resolve("an-empty-folder")));
        FILES.put("none", folder.resolve("no-such-file"));
        FILES.put("root", ROOT);
        FILES.put("jdk", Path.of(System.getProperty("java.home")));
    }

    private static Path write(String name, String content) {
        return write(name, content.getBytes(StandardCharsets.UTF_8));
    }

    private static Path write(String name, byte[] content) {
        try {
            Path file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            FILES.put(name, Files.write(file, content));
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] golden(String name) throws IOException {
        try (InputStream in = RawLog.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        }
    }

    private static void logs() throws IOException {
        byte[] gatling = golden("gatling/simulation.log");
        byte[] otherVersion = gatling.clone();
        int at = new String(gatling, StandardCharsets.ISO_8859_1).indexOf("3.15.1");
        otherVersion[at] = '4';
        byte[] noise = gatling.clone();
        Arrays.fill(noise, gatling.length / 2, gatling.length / 2 + 64, (byte) 0x77);
        write("simulation.log", gatling);
        write("other-version.log", otherVersion);
        write("noise.log", noise);
        write("header-only.log", Arrays.copyOf(gatling, 12));
        write("random.log", new byte[] {0, 1, 2});
        write("picture.png", new byte[] {(byte) 0x89, 'P', 'N', 'G'});
        write("empty.log", "");
        write("words.csv", "these are only words\n");
        write("short.csv", "timeStamp,elapsed,label\n1000,5,a\n");
        write("twice.csv", "timeStamp,elapsed,elapsed,label,success\n1000,5,5,a,true\n");
        write("letters.csv", "timeStamp,elapsed,label,success\n1000,soon,a,true\n2000,5,a,true\n");
        write("perhaps.csv", "timeStamp,elapsed,label,success\n1000,5,a,perhaps\n2000,5,a,true\n");
        write("ragged.csv", "timeStamp,elapsed,label,success\n1000,5,a,true,more\n2000,5,a,true\n");
        write("quotes.csv", "timeStamp,elapsed,label,success\n1000,5,\"a\"b,true\n2000,5,a,true\n");
        byte[] jmeter = golden("jmeter/golden.csv");
        write("good.csv", jmeter);
        write("watched/results.csv", jmeter);
        write("watched/monitor.csv", "what,is,this\n1,2,3\n");
        write("report.html", "<html><body>no report</body></html>");
    }

    private static void workloads() {
        write("no-list.properties", "hello.path=/hello\nhello.bytes=5\n");
        write("no-path.properties", "workloads=hello\nhello.bytes=5\n");
        write("no-slash.properties", "workloads=hello\nhello.path=hello\nhello.bytes=5\n");
        write("blank-in-path.properties", "workloads=hello\nhello.path=/a b\nhello.bytes=5\n");
        write("break-in-path.properties", "workloads=hello\nhello.path=/a\\r\\nHost: evil\nhello.bytes=5\n");
        write("many-bytes.properties", "workloads=hello\nhello.path=/hello\nhello.bytes=many\n");
        write("huge-bytes.properties", "workloads=hello\nhello.path=/hello\nhello.bytes=99999999999\n");
        write("turned-bytes.properties", "workloads=hello\nhello.path=/hello\nhello.bytes=9..3\n");
        write("twice.properties", "workloads=hello,hello\nhello.path=/hello\nhello.bytes=5\n");
        write("unknown.properties", "workloads=up\nup.path=/up\nup.bytes=5\nup.method=POST\n");
        write("unlisted.properties", "workloads=up\nup.path=/up\nup.bytes=5\ndown.path=/down\n");
        write("escape.properties", "workloads=\\u00zz\n");
        write("latin.properties", new byte[] {'w', '=', (byte) 0xE4, '\n'});
        write("good.properties", "workloads=hello\nhello.path=/hello\nhello.bytes=5\n");
    }

    private static void jvmOptions() {
        write("no-dash.options", "-Xms1g Xmx1g\n");
        write("much.options", "-Xmxmuch\n");
        write("endless.options", "-Xmx99999999999999999999g\n");
        write("too-much.options", "-Xmx99999999999t\n");
        write("binary.options", new byte[] {'-', (byte) 0xFF, (byte) 0xFE});
    }

    private static void campaigns() throws IOException {
        Plan plan = new Plan(
                new Plan.Subject("quick", "", ClaimList.NONE),
                new Plan.Design(7, 2, true, 0),
                new Plan.Windows(1, 5, 1, 30, 0),
                List.of(new MeasuredLoad("hello", 100, 0, "gatling")),
                new Plan.Rule(
                        List.of("throughput"), Map.of(), Shares.of(0.03), 0.05, Shares.of(0), Baseline.BOTH_COPIES),
                "equalised",
                true);
        Campaign campaign = new Campaign(
                Campaign.FORMAT,
                new Campaign.Origin("c", "2026-11-21T00:00:00Z", ""),
                plan,
                List.of(arm("jetty", Arm.Role.BASELINE), arm("jetty-control", Arm.Role.CONTROL)),
                List.of(List.of("jetty", "jetty-control"), List.of("jetty-control", "jetty")),
                new Campaign.Surroundings(Map.of(), Map.of(), Conditions.NONE, ""),
                List.of());
        String good = new ObjectMapper().writeValueAsString(campaign);
        campaign("good", good);
        campaign("blank", "");
        campaign("null", "null");
        campaign("list", "[]");
        campaign("words", "this is no JSON");
        campaign("cut", good.substring(0, good.length() / 2));
        campaign("trailing", good + "}");
        campaign("format", good.replaceFirst("\"format\":\\d+", "\"format\":99"));
        campaign("no-plan", good.replaceFirst("\"plan\":\\{.*?\\},\"arms\"", "\"arms\""));
        campaign("no-arms", good.replaceFirst("\"arms\":\\[.*?\\],\"order\"", "\"order\""));
        campaign("twice", good.replace("\"jetty-control\"", "\"jetty\""));
        campaign("role", good.replace("\"CONTROL\"", "\"WATCHER\""));
        campaign("alpha", good.replace("\"alpha\":0.05", "\"alpha\":0"));
        campaign("text", good.replace("\"seed\":7", "\"seed\":\"seven\""));
        campaign("other", good.replace("jetty", "undertow"));
    }

    private static void campaign(String name, String json) {
        FILES.put(
                "campaign-" + name,
                write("campaign-" + name + "/campaign.json", json).getParent());
    }

    private static Arm arm(String id, Arm.Role role) {
        return new Arm(
                new Arm.Identity(id, id, "boot3", role),
                new Arm.Stack("jetty", "boot3", "jetty", "serverconnector"),
                new Arm.Build("12", "3.5", "a.jar", "0"),
                Threads.PLATFORM,
                WarmStart.NONE,
                ArmSpec.USUAL);
    }

    private static void comparison(String name, String text) throws IOException {
        write(name + ".yaml", text);
    }

    /** Makes clones with modified profiles. */
    private static void roots() throws IOException {
        String load = "load: [{users: 5}]\n";
        comparison("not", "arms:\n  jetty: [\n");
        comparison("text", "jetty\n");
        comparison("twice", "arms:\n  jetty:\n  jetty:\n" + load);
        comparison("unknown", "arms:\n  jetty:\nload:\n  - {user: 5}\n");
        comparison("same", "arms:\n  a: {container: jetty}\n  b: {container: jetty, boot: boot3}\n" + load);
        comparison("no-load", "arms:\n  jetty:\n");
        comparison("app", "arms:\n  a: {app: none.jar}\n" + load);
        comparison("exchange", "app: no-dash.options\narms:\n  a: {container: jety}\n" + load);
        comparison("misnamed", "app: no-dash.options\narms:\n  tomcat: {container: jety}\n" + load);
        comparison("version", "app: no-dash.options\narms:\n  a: {version: 12.0.5}\n" + load);
        comparison("length", "arms:\n  jetty:\nworkloads:\n  w: {url: /w, length: many}\n" + load);
        comparison("jdk", "arms:\n  jetty:\n  other: {container: jetty, jdk: /nowhere}\n" + load);
        root("root-no-class", "jetty.properties", "container=jetty\nconnector=x\nconnector.class=\n");
        root("root-no-connector", "jetty.properties", "container=jetty\nconnector.class=x\n");
        root("root-no-load", "load.properties", null);
        root("root-escape", "load.properties", "users=\\u12\n");
        root("root-tiers", "campaign.properties", "rounds=lots\n");
        root("root-options", "jvm.options", "Xmx1g\n");
    }

    private static void root(String name, String changed, String content) throws IOException {
        Path root = folder.resolve(name);
        Files.createDirectories(root.resolve("target-apps"));
        Files.createSymbolicLink(
                root.resolve("comparisons"), ROOT.resolve("comparisons").toAbsolutePath());
        Path from = ROOT.resolve("profiles");
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Path to = root.resolve("profiles").resolve(from.relativize(file));
                Files.createDirectories(to.getParent());
                Files.copy(file, to);
                return FileVisitResult.CONTINUE;
            }
        });
        Path file = root.resolve("profiles").resolve(changed);
        if (content == null) {
            Files.delete(file);
        } else if (changed.equals("campaign.properties")) {
            Map<String, String> before = new HashMap<>(PROFILES.campaignDefaults());
            content.lines().forEach(line -> before.put(line.split("=")[0], line.split("=")[1]));
            StringBuilder all = new StringBuilder();
            before.forEach(
                    (key, value) -> all.append(key).append('=').append(value).append('\n'));
            Files.writeString(file, all);
        } else {
            Files.writeString(file, content);
        }
        FILES.put(name, root);
    }

    private static void plansAndSchedules() throws IOException {
        String users = Files.readString(ROOT.resolve("jmeter-plans/tiers.jmx"));
        write("empty.jmx", "");
        write("words.jmx", "a plan in words");
        write("cut.jmx", users.substring(0, users.length() / 2));
        write("other.jmx", "<html><body/></html>");
        write("doctype.jmx", "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><x>&e;</x>");
        write("no-plan.jmx", users.replace("TestPlan", "Plan"));
        write("no-groups.jmx", users.replace("ThreadGroup", "Group"));
        write("huge-tier.jmx", users.replaceFirst("name=\"tier\\.4\"", "name=\"tier.99999999999999\""));
        write("empty.schedule", "");
        write("words.schedule", "no JSON\nat all");
        write("null.schedule", "null");
        write("bare.schedule", "{}");
        write("key.schedule", "{\"colour\": 1}");
        write(
                "window.schedule",
                "{\"warmUp\":{\"limitMs\":1,\"users\":1,\"burstMs\":1,\"risePercent\":1,\"flatBursts\":1},"
                        + "\"servers\":[\"http://127.0.0.1:1\"],\"windows\":[{\"endpoint\":{\"name\":\"x\"}}],\"description\":\"\"}");
    }

    // ---- commands ----

    static List<Arguments> commandLines() {
        List<Arguments> rows = new ArrayList<>();
        for (String row : (COMMANDS + MEASURE + REPORT + DOCTOR + COMPARE).split("\n")) {
            String[] parts = row.split(" => ", 2);
            rows.add(Arguments.of(parts[0].strip(), parts[1].strip()));
        }
        return rows;
    }

    private static final String COMMANDS = """
        compute => servlet-bench: Unmatched argument at index 0: 'compute': did you mean 'compare'? (see java -jar bench/target/bench.jar --help)
        --fast => servlet-bench: Unknown option: '--fast' (see java -jar bench/target/bench.jar --help)
        Measure {good.csv} => servlet-bench: Unmatched arguments from index 0: 'Measure'
        """;

    private static final String MEASURE = """
        measure => measure: Missing required parameter: 'FILE'
        measure --nonsense {good.csv} => measure: Unknown option: '--nonsense'
        measure --json --csv {good.csv} => are mutually exclusive
        measure --plot {none}/page.html {good.csv} => --plot {none}/page.html: name a file in an existing folder
        measure --plot {folder} {good.csv} => --plot {folder}: name a file in an existing folder
        measure {none} => no such file: {none}
        measure {folder} => {folder}: a directory; name the log in it
        measure {empty.log} => {empty.log}: empty
        measure {picture.png} => {picture.png}: neither a simulation.log of Gatling nor a CSV of JMeter
        measure {random.log} => {random.log}: ends within its header
        measure {header-only.log} => {header-only.log}: ends within its header
        measure {other-version.log} => {other-version.log}: written by Gatling 4.15.1
        measure {noise.log} => {noise.log}: at byte
        measure {words.csv} => {words.csv}: neither a simulation.log of Gatling nor a CSV of JMeter with a header line
        measure {short.csv} => {short.csv}: line 1: no column success
        measure {twice.csv} => {twice.csv}: line 1: the column elapsed appears twice
        measure {letters.csv} => {letters.csv}: line 2: elapsed is "soon", not a number
        measure {perhaps.csv} => {perhaps.csv}: line 2: success is "perhaps", not true or false
        measure {ragged.csv} => {ragged.csv}: line 2: 5 fields, the header has 4
        measure {quotes.csv} => {quotes.csv}: line 2: text after the closing quote of a field
        measure --csv --audit {good.csv} => --audit is for the table: --json has all checks
        measure {watched/results.csv} => not a monitor's file: its first column is not time.ms
        """;

    private static final String REPORT = """
        report => report: Missing required parameter: 'DIR'
        report {campaign-good} {campaign-good} => is named twice
        report {campaign-good} {campaign-good} --junit verdicts.xml => --junit needs verdicts, and several campaigns have none
        report --fast {campaign-good} => report: Unknown option: '--fast'
        report --junit => report: Missing required parameter for option '--junit'
        report --junit {folder} {campaign-good} => --junit {folder} is a folder: name a file
        diff {none} {none} => {none}: there is no such file
        diff {no-dash.options} {no-dash.options} => {no-dash.options} is not a jar
        diff {none} {none} --format html => 'html' is not a format: choose text, markdown or json
        bisect {none} {none} --url / => {none}: there is no such file
        bisect {no-dash.options} {no-dash.options} --url / => {no-dash.options} is not a jar
        bisect {none} {none} => Missing required option: '--url=PATH'
        report --fail-on perhaps {campaign-good} => --fail-on perhaps: give slower, undecided, never
        report {none} => report: no such folder: {none}
        report {good.csv} => report: no such folder: {good.csv}
        report {campaign-good} {none} => report: no such folder: {none}
        report {folder} => {folder}: no campaign: there is no campaign.json in it
        report {campaign-blank} => {campaign-blank}/campaign.json: damaged: it is empty
        report {campaign-null} => {campaign-null}/campaign.json: damaged: it is empty
        report {campaign-list} => {campaign-list}/campaign.json: damaged:
        report {campaign-words} => {campaign-words}/campaign.json: damaged: Unrecognized token 'this'
        report {campaign-cut} => {campaign-cut}/campaign.json: damaged: Unexpected end-of-input
        report {campaign-trailing} => {campaign-trailing}/campaign.json: damaged:
        report {campaign-format} => damaged: its format is 99, this version reads 5
        report {campaign-no-plan} => damaged: no plan
        report {campaign-no-arms} => damaged: no arms
        report {campaign-twice} => damaged: an arm appears twice
        report {campaign-role} => damaged:
        report {campaign-alpha} => damaged: the plan's alpha and margin are 0.0 and 0.03
        report {campaign-text} => damaged:
        report {campaign-good} {campaign-alpha} => damaged: the plan's alpha and margin are 0.0 and 0.03
        report {campaign-good} {campaign-other} => report:
        """;

    private static final String DOCTOR = """
        doctor now => doctor: Unmatched argument at index 1: 'now'
        doctor --fix => doctor: Unknown option: '--fix'
        doctor --root => doctor: Missing required parameter for option '--root'
        doctor --root {none} => doctor: --root {none} is not a clone of servlet-bench
        doctor --root {folder} => doctor: --root {folder} is not a clone of servlet-bench
        doctor --root {root-no-load} => no load.properties in
        doctor --root {root-escape} => load.properties (Malformed
        doctor --root {root-options} => 'Xmx1g' in
        doctor --root {root-tiers} => rounds=lots is not understood
        """;

    private static final String COMPARE = """
        compare --dry-run jetty => there is no comparison 'jetty': choose from aot
        compare --dry-run agents => there is no comparison 'agents': it is called 'observability' now
        compare --dry-run quik => there is no comparison 'quik': did you mean 'quick'?
        compare --dry-run {none}/my.yaml => there is no file {none}/my.yaml
        compare --dry-run --arms tomcat => 'arms.tomcat' has no container: there is no container 'tomcat'
        compare --dry-run --arms ../profiles/jetty => 'arms.../profiles/jetty': a name has letters
        compare --dry-run --arms jetty:threads=green => --arms: 'arms.jetty-green.threads' is wrong: give platform or virtual
        compare --dry-run --arms jetty:treads=virtual => --arms: unknown key 'arms.jetty-virtual.treads': did you mean 'threads'?
        compare --dry-run --arms jetty:boot=boot2,threads=virtual => Spring Boot 2.7 cannot serve with virtual threads
        compare --dry-run --arms jetty:boot=boot5 => there is no line 'boot5': choose from boot2, boot3, boot4
        compare --dry-run --arms undertow:boot=boot4 => there is no Undertow on boot4
        compare --dry-run --arms jetty,jetty => jetty is named twice
        compare --dry-run --arms jetty,jetty:threads=platform => 'arms.jetty-platform' does not differ from 'jetty'
        compare --dry-run --set server.protocol=spdy => 'server.protocol' is wrong: give http, https or h2
        compare --dry-run --arms jetty:protocol=h2c => --arms: 'arms.jetty-h2c.protocol' is wrong: give http, https or h2
        compare --dry-run --set server.protocol=h2 --generators jmeter => arms.tomcat-nio.protocol: jmeter does not speak h2: choose generators from gatling
        compare startup --dry-run --set server.protocol=h2 => starts: the time to ready is measured in http: leave out 'protocol'
        compare --dry-run --arms jetty,nginx --set server.protocol=https => 'arms': nginx speaks http here: leave it out of a comparison
        compare --dry-run --arms jetty,jetty:heap=much => 'arms.jetty-much.heap' is wrong: give a size
        compare --dry-run --arms jetty,jetty:heap => give CONTAINER:KEY=VALUE
        compare --dry-run --arms nginx => nginx is a reference, and no baseline
        compare --dry-run --arms jetty,,undertow => is not understood: give names with commas between
        compare --dry-run --arms jetty,jetty:archive=aot --jdk {none} => the JDK {none} cannot be used
        compare --dry-run --set arms.jetty.against=none => 'arms.jetty.against': there is no arm 'none'
        compare --dry-run --set arms.jetty.env.TOKEN=${env:SERVLET_BENCH_UNSET} => ${env:SERVLET_BENCH_UNSET}: the environment has no SERVLET_BENCH_UNSET: set it with
        compare --dry-run --set stop.limits=5m => --set stop.limits: unknown key 'stop.limits': did you mean 'limit'?
        compare --dry-run --set stop.limit => --set stop.limit: give PATH=VALUE
        compare --dry-run --set load.3.users=5 => 'load.3.users': there is no element '3' there
        compare --dry-run --set stop.seed=tree => 'stop.seed' is wrong: give a whole number
        compare --dry-run --set measure.rounds=0 => rounds=0 is not understood
        compare --dry-run --set measure.warmup=soon => 'measure.warmup' is wrong: give a time with its unit
        compare --dry-run --set measure.together=perhaps => 'measure.together' is wrong: give true or false
        compare startup --dry-run --set load.0.requests=5 => 'load.0.requests' is only allowed with 'users' alone
        compare published/ab-startup --dry-run --rates 5 => 'load.0.requests' is only allowed with 'users' alone
        compare --dry-run --set load.0.pause=soon => 'load.0.pause' is wrong: give a pause, such as 20ms, exponential 20ms or up to 1s
        compare --dry-run --set load.0.pause=2s => in time slices a user may pause for 1000 ms on average at most: set measure.slice to 0s
        compare --dry-run --set load.0.pause=2m => load: 'pause: 2m' is longer than 1m
        compare --dry-run --set load.0.pause=20ms --set load.0.rates=50 => 'load.0.pause' is only allowed with 'users' alone: at a rate
        compare capacity --dry-run --set load.0.pause=20ms => 'load.0.pause' is only allowed with 'users' alone: at a rate ('rates', 'search-rate-under')
        compare startup --dry-run --set load.0.pause=20ms => 'load.0.pause' is only allowed with 'users' alone
        compare --dry-run --set load.0.max-pause=1s => unknown key 'load.0.max-pause': did you mean 'pause'?
        compare --dry-run --set judge=speed => 'judge': there is no metric 'speed'
        compare --dry-run --set judge=[throughput,throughput] => judge has a duplicate
        compare --dry-run --set judge=gc => judge: gc is a share
        compare --dry-run --set judge=spans => judge: spans may be 0, which has no ratio
        compare --dry-run --set arms.jetty.exports=true => 'arms.jetty.exports' has no effect: give the server the address ${collector}
        compare --dry-run --set arms.jetty.jvm=-Dto=${collector} => 'arms.jetty' names ${collector}: say whether spans arrive there
        compare --dry-run --set arms.jetty.exports=some => 'arms.jetty.exports' is wrong: give true or false
        compare observability --dry-run --set arms.agent.archive=cds => 'arms.agent.exports' and 'archive' exclude each other
        compare observability --dry-run --target-host a --set measure.target-allow-remote=true => a: the rig's collector listens on this machine only
        compare --dry-run --set arms.jetty.with=zipkin => 'arms.jetty.with' is wrong: give opentelemetry-starter or micrometer-tracing
        compare --dry-run --set arms.jetty.with=micrometer-tracing --set arms.jetty.boot=boot4 => 'arms.jetty.with': micrometer-tracing is built on boot3 only, and not on boot4
        compare --dry-run --set arms.jetty.agent=a.b:c => 'arms.jetty.agent': pom.xml has no version of a.b:c: give group:artifact:version
        compare --dry-run --set judge=ready => judge: 'ready' is not measured here
        compare --dry-run --set margin=0 => margin=0 is not understood
        compare --dry-run --set alpha=2 => alpha=2 is not understood
        compare --dry-run --set margin.p99=1%% => 'margin.p99': 'p99' is not judged: choose from throughput, cpu
        compare --dry-run --set margin.cpu=much => 'margin' is wrong: give a share, such as 3%%, or a mapping of metrics to shares
        compare --dry-run --set stop.precision.alloc=1%% => 'stop.precision.alloc': 'alloc' is not judged
        compare --dry-run --set margin.cpu=60%% => give at most 50%%
        compare --dry-run --app {none}/a.jar --app {none}/b.jar --url / => --app: there is no file {none}/a.jar
        compare --dry-run --app {none}/a.jar --app {none}/b.jar => --app and --url belong together
        compare --dry-run --fail-on slower => --fail-on: a dry run has no results
        compare --fail-on undecided => --fail-on undecided would do nothing, because the comparison claims nothing
        compare --dry-run --set server.properties=fast => no settings set 'fast': choose one of defaults, equalised
        compare --dry-run --set measure.aot-caches=5 => 'aot-caches' needs an arm with archive: aot
        compare --dry-run --set measure.host-jdk=/jdk => host.jdk is for servers on another machine: add target.host
        compare --dry-run --set measure.db-url=jdbc:h2:mem:x => db.url=jdbc:h2:mem:x is for the workload query
        compare --dry-run --workloads delay --set measure.delay=5s => this one waits for 5000: set measure.slice to 0s
        compare startup --dry-run --set measure.settling-time=5s => 'settling-time' has no meaning with starts
        compare startup --dry-run --arms jetty,nginx => nginx is not a JVM
        compare startup --dry-run --generators wrk => 'generators' has no meaning with starts
        compare capacity --dry-run --set load.0.search-rate-under=p99<50ms => errors<SHARE is missing
        compare capacity --dry-run --set load.0.search-rate-under=fast => is not understood: give limits
        compare capacity --dry-run --set load.0.search-rate-under=p99.9<50ms,errors<1%% => give at least from: 1000 or hold: 100s
        compare capacity --dry-run --hold 5s => give at least from: 200 or hold: 10s
        compare capacity --dry-run --set load.0.resolution=0%% => resolution=0%% is not understood
        compare capacity --dry-run --set load.0.in-flight=20 => enough for 133 requests/s at most
        compare capacity --dry-run --workloads hello,static => workloads: give one
        compare capacity --dry-run --set judge=p99 => judge: 'p99' is not measured here
        compare --dry-run {not.yaml} => {not.yaml}:3: not YAML
        compare --dry-run {text.yaml} => the file must be a mapping
        compare --dry-run {twice.yaml} => {twice.yaml}:3: duplicate key 'arms.jetty'
        compare --dry-run {unknown.yaml} => {unknown.yaml}:4: unknown key 'load.0.user': did you mean 'users'?
        compare --dry-run {same.yaml} => {same.yaml}:3: 'arms.b' does not differ from 'a'
        compare --dry-run {no-load.yaml} => 'load' is missing
        compare --dry-run {app.yaml} => {app.yaml}:2: 'arms.a.app': there is no file none.jar
        compare --dry-run {exchange.yaml} => {exchange.yaml}:3: 'arms.a.container': unknown container 'jety': did you mean 'jetty'?
        compare --dry-run {misnamed.yaml} => {misnamed.yaml}:3: 'arms.tomcat.container': unknown container 'jety': did you mean 'jetty'?
        compare --dry-run {version.yaml} => {version.yaml}:3: 'arms.a': 'version' is not for your own app without a 'container'
        compare --dry-run {length.yaml} => 'workloads.w.length' is wrong: give a number of bytes, or LOW..HIGH
        compare --dry-run {jdk.yaml} => the JDK /nowhere cannot be used
        compare --dry-run --nonsense => compare: Unknown option: '--nonsense' (see java -jar bench/target/bench.jar compare --help)
        compare --dry-run --ap x.jar => compare: Unknown option: '--ap': did you mean '--app'? (see java
        compare --dry-run --limt=5m => compare: Unknown option: '--limt=5m': did you mean '--limit'? (see java
        compare --dry-run --blocks => '--blocks'
        compare --dry-run --root {none} => --root {none} is not a clone of servlet-bench
        compare --dry-run --target-host a --set measure.target-allow-remote=true --load-hosts b,me@b => load.hosts: a host is named twice
        compare --dry-run --target-host a --set measure.target-allow-remote=true --load-hosts b,me@a => load.hosts: the servers run on a, whose
        compare --dry-run --target-host=-oProxyCommand=x --set measure.target-allow-remote=true => '-oProxyCommand=x' is not a host
        compare --dry-run --target-host a => add -Dtarget.allow-remote=true, or in a campaign --set measure.target-allow-remote=true
        compare --dry-run --target-host a --set measure.target-allow-remote=true --arms jetty,nginx => the reference nginx runs on this machine only
        compare --dry-run --target-host a --set measure.target-allow-remote=true --jdk {jdk} => set measure.host-jdk
        compare --dry-run --target-host a --set measure.target-allow-remote=true --arms jetty:archive=cds => archives of classes are trained on this machine
        compare --dry-run --generators gatling, => is wrong
        compare --dry-run --users 0 => is wrong: give
        compare --dry-run --users ten => is wrong: give
        compare --dry-run --users 5,,10 => is wrong: give
        compare --dry-run --users 99999999999 => is wrong: give
        compare --dry-run --rates fast => is wrong: give
        compare --dry-run --url /api => --app and --url belong together
        compare --dry-run --app {none} --url /api => --app: there is no file {none}
        compare quick --dry-run --app {none} --url /api => --app and --url are a comparison of their own: leave out quick
        compare --dry-run --app {no-dash.options} --url /api => {no-dash.options} is not a jar
        compare --dry-run --rates 0 => rates
        compare --dry-run --rates 50 => judge: p99: at 50 requests/s for 12s fewer than 10 requests lie beyond it
        compare --dry-run --rates NaN => is wrong: give
        compare --dry-run --rates 33.3333333333 => rates
        compare --dry-run --workloads helo => there is no workload 'helo': did you mean 'hello'?
        compare --dry-run --set measure.jvm-options={none} => cannot read {none}
        compare --dry-run --set measure.jvm-options={folder} => cannot read {folder}
        compare --dry-run --set measure.jvm-options={no-dash.options} => 'Xmx1g' in {no-dash.options} is not a JVM option
        compare --dry-run --set measure.jvm-options={much.options} => '-Xmxmuch' in {much.options} has no size such as 512m or 2g
        compare --dry-run --set measure.jvm-options={endless.options} => '-Xmx99999999999999999999g' in {endless.options} has no size
        compare --dry-run --set measure.jvm-options={too-much.options} => '-Xmx99999999999t' in {too-much.options} is more than any machine has
        compare --dry-run --set measure.jvm-options={binary.options} => cannot read {binary.options}
        compare --dry-run --blocks 1 => blocks=1 is not understood: give a whole number from 2 to 10000
        compare --dry-run --blocks many => is wrong: give
        compare --dry-run --blocks=-3 => is wrong: give
        compare --dry-run --hold 10 => is wrong: give
        compare --dry-run --hold 1s => hold: give at least 2s
        compare --dry-run --set stop.precision=0 => precision=0 is not understood
        compare --dry-run --set stop.precision=wide => is wrong: give
        compare --dry-run --limit forever => is wrong: give
        compare --out {folder} => --out {folder} already exists: measurements are never overwritten
        compare --resume {none} => --resume {none}: there is no campaign.json in it
        compare --dry-run --users 5,5 => appears twice
        compare --dry-run --generators curl => no generator 'curl': choose from gatling, jmeter, wrk, ab, siege
        compare --dry-run --generators jmeter --rates 100 => rates: the open model is Gatling's
        compare --dry-run --rates fast => is wrong: give
        compare --dry-run --workloads hello,hello => appears twice
        compare --dry-run --generators gatling,gatling => generators has a duplicate
        compare --dry-run --rates 500,500.0 => appears twice
        compare --dry-run --hold 999999999h => hold: more than a day is not a plan
        compare --dry-run --out {campaign-good} => already exists: measurements are never overwritten
        compare --resume {campaign-good} --arms jetty => only --blocks and --limit can be given with it, not --arms
        compare --resume {campaign-good} --dry-run => only --blocks and --limit can be given with it, not --dry-run
        compare --resume {campaign-good} --out {none} => only --blocks and --limit can be given with it, not --out
        compare --resume {campaign-good} --limit soon => limit=soon is not understood
        compare --resume {campaign-good} --blocks many => blocks=many is not understood
        compare --dry-run --arms= => compare: --arms has an empty value
        compare --dry-run --users= => compare: --users has an empty value
        compare --dry-run --generators= => compare: --generators has an empty value
        compare --resume= => compare: --resume has an empty value
        compare --dry-run --jdk {none} => the JDK {none} cannot be used: there is no such folder
        compare --dry-run --jdk {folder} => the JDK {folder} cannot be used: it has no bin/java
        compare --dry-run --root {root-no-class} => has no value for 'connector.class'
        compare --dry-run --root {root-no-connector} => has no value for 'connector'
        compare --dry-run --root {root-no-load} => no load.properties in
        compare --dry-run --root {root-escape} => load.properties (Malformed
        compare --dry-run --root {root-tiers} => rounds=lots is not understood
        compare --dry-run --root {root-options} => 'Xmx1g' in
        """;

    private static String filled(String text) {
        String filled = text;
        for (Map.Entry<String, Path> file : FILES.entrySet()) {
            filled = filled.replace("{" + file.getKey() + "}", file.getValue().toString());
        }
        return filled.replace("%%", "%");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commandLines")
    void aBadCommandLine(String commandLine, String line) {
        List<String> args = new ArrayList<>();
        for (String word : commandLine.isEmpty() ? new String[0] : commandLine.split(" ")) {
            args.add(filled(word));
        }
        if (List.of("compare", "doctor").contains(commandLine.split(" ")[0]) && !commandLine.contains("--root")) {
            args.addAll(List.of("--root", ROOT.toString()));
        }
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();

        int code = Main.run(new PrintWriter(out), new PrintWriter(err), args.toArray(String[]::new));

        assertOneLine(err.toString(), filled(line));
        assertThat(out.toString()).doesNotContain("\tat ", "Exception");
        assertThat(code).as(err.toString()).isEqualTo(UsageException.EXIT_CODE);
    }

    private static void assertOneLine(String text, String line) {
        assertThat(text.strip().lines().toList())
                .as(text)
                .singleElement()
                .asString()
                .contains(line)
                .doesNotContain("\tat ", "Exception")
                .doesNotContainPattern("\\p{Cntrl}");
        assertThat(text).doesNotContain("java.", "org.servletbench");
    }

    /** Names may come from anywhere. None may break a line or control a terminal. */
    @ParameterizedTest
    @MethodSource("hostile")
    void hostileNamesStayInTheirLine(String[] args) {
        StringWriter err = new StringWriter();
        int code = Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err), args);
        assertOneLine(err.toString(), "evil");
        assertThat(code).isEqualTo(UsageException.EXIT_CODE);
    }

    static List<Arguments> hostile() {
        String name = "/no\n/such\u001B[31m/evil";
        return List.of(
                Arguments.of((Object) new String[] {"measure", name}),
                Arguments.of((Object) new String[] {"report", name}),
                Arguments.of((Object) new String[] {"doctor", "--root", name}),
                Arguments.of((Object) new String[] {"doctor", name}));
    }

    // ---- options of the Maven commands ----

    static List<Arguments> properties() {
        return Arrays.stream("""
            users=0 => -Dusers=0 is not understood: give whole numbers from 1 to 20000
            users=5,5 => -Dusers has a duplicate
            users=5;10 => -Dusers=5;10 is not understood
            workloads=helo => no workload 'helo': choose from
            workloads=hello,hello => -Dworkloads has a duplicate
            hold=ten => -Dhold=ten is not understood: give a time with its unit
            hold=0s => -Dhold must be longer than zero
            rampup=0ms => -Drampup must be longer than zero
            loops=0 => -Dloops=0 is not understood
            loops=1,2 => -Dloops has 2 values for 4 users
            loops=5 hold=10s => -Dhold cannot be used here
            model=half-open => -Dmodel=half-open is not understood: give closed or open
            model=open => -Dmodel=open needs a rate in requests/s
            model=open rate=0 => -Drate=0 is not understood
            model=open rate=5 users=5 => -Dusers cannot be used here: the open model has no users
            model=open rate=5 loops=5 => -Dloops cannot be used here: the open model has no loops
            rate=5 => -Drate cannot be used here: the closed model has no rate
            warmup=long => -Dwarmup=long is not understood
            warmup.users=0 => -Dwarmup.users=0 is not understood
            warmup.rise.percent=-1 => -Dwarmup.rise.percent=-1 is not understood
            warmup.burst=0s => -Dwarmup.burst must be longer than zero
            failed.max.percent=101 => -Dfailed.max.percent=101 is not understood
            slo=p95 => -Dslo p95: 'p95' is not understood: give limits of p50
            slo=p95<200ms,errors<0% => -Dslo p95<200ms,errors<0%: '0%' is not a share
            slo=errors<1% failed.max.percent=1 => -Dfailed.max.percent cannot be used here: errors<… of -Dslo is the limit
            jmeter.hosts=a/b => -Djmeter.hosts: a/b is not understood
            jmeter.hosts=127.0.0.1:99999 => -Djmeter.hosts: 127.0.0.1:99999: a port is from 1 to 65535
            jmeter.hosts=127.0.0.1,127.0.0.1:1099 => -Djmeter.hosts has a duplicate
            jmeter.hosts=192.0.2.1 => -Djmeter.hosts: 192.0.2.1 is not on this machine
            jmeter.hosts=192.0.2.1 target.allow-remote=perhaps => -Dtarget.allow-remote=perhaps is not understood
            target.url=ftp://127.0.0.1 => -Dtarget.url=ftp://127.0.0.1 is not understood
            target.url=127.0.0.1:8080 => -Dtarget.url=127.0.0.1:8080 is not understood
            target.url=http://127.0.0.1:8080/app => is not understood: give a server such as
            target.url=http://me:secret@127.0.0.1 => is not understood: give a server such as
            target.url=http://127.0.0.1:99999 => -Dtarget.url=http://127.0.0.1:99999: a port is from 1 to 65535
            target.url=http://192.0.2.1:80 => -Dtarget.url=http://192.0.2.1:80 is not on this machine
            target.port=http => -Dtarget.port=http is not understood
            target.port=65536 => -Dtarget.port=65536 is not understood
            target.start-timeout=never => -Dtarget.start-timeout=never is not understood
            settings=fast => no settings set 'fast': choose one of defaults, equalised
            bench.profile=../jetty => no profile '../jetty': choose one of
            """.split("\n"))
                .map(row -> row.strip().split(" => ", 2))
                .map(parts -> Arguments.of(parts[0], parts[1]))
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("properties")
    void aBadProperty(String given, String line) {
        Map<String, String> values = new HashMap<>(Map.of(
                "bench.jar", "app.jar",
                "bench.profile", "jetty",
                "bench.line", "boot3",
                "bench.boot.version", "3",
                "bench.container.version", "12",
                "settings", "equalised"));
        for (String one : given.split(" ")) {
            values.put(one.split("=", 2)[0], one.split("=", 2)[1]);
        }
        Options options = new Options(values, PROFILES.loadDefaults());
        assertRefused(line, () -> {
            RunOptions asked = new RunOptions(options, PROFILES);
            asked.load();
            asked.jmeterHosts();
            if (options.isGiven("target.url")) {
                asked.address();
            }
            asked.server();
        });
    }

    private static void assertRefused(String line, Runnable action) {
        Throwable refusal = catchThrowable(action::run);
        assertThat(refusal).isInstanceOf(UsageException.class);
        assertOneLine(refusal.getMessage(), filled(line));
    }

    // ---- files that are read without a command of their own ----

    static List<Arguments> files() {
        Map<String, Consumer<Path>> readers = Map.of(
                "jmx",
                file -> JMeterPlan.of(
                        file,
                        new RunOptions(new Options(Map.of("users", "5"), PROFILES.loadDefaults()), PROFILES).load(),
                        URI.create("http://127.0.0.1:1"),
                        new JMeterHosts(List.of())),
                "schedule",
                Schedule::read,
                "options",
                file -> JvmOptions.read(file).memoryBytes(),
                "yaml",
                file -> Comparison.read(ROOT, file.toString(), Map.of(), PROFILES));
        return Arrays.stream("""
            jmx {none} => cannot read {none}
            jmx {folder} => cannot read {folder}
            jmx {empty.jmx} => {empty.jmx} is not a JMeter plan: line 1
            jmx {words.jmx} => {words.jmx} is not a JMeter plan: line 1
            jmx {cut.jmx} => {cut.jmx} is not a JMeter plan: line
            jmx {other.jmx} => {other.jmx} is not a plan with users
            jmx {doctype.jmx} => {doctype.jmx} is not a JMeter plan: line 1: DOCTYPE is disallowed
            jmx {no-plan.jmx} => {no-plan.jmx} is not a plan with users
            jmx {no-groups.jmx} => {no-groups.jmx} is not a plan with users
            jmx {huge-tier.jmx} => {huge-tier.jmx} is not a plan with users
            schedule {none} => cannot read {none}
            schedule {empty.schedule} => {empty.schedule} is not a campaign schedule
            schedule {words.schedule} => {words.schedule} is not a campaign schedule (Unrecognized token 'no'
            schedule {null.schedule} => {null.schedule} is not a campaign schedule
            schedule {bare.schedule} => {bare.schedule} is not a campaign schedule (it lacks its warm-up
            schedule {key.schedule} => {key.schedule} is not a campaign schedule (Unrecognized field "colour"
            schedule {window.schedule} => {window.schedule} is not a campaign schedule (it lacks its warm-up
            options {none} => cannot read {none}
            options {no-dash.options} => 'Xmx1g' in {no-dash.options} is not a JVM option
            options {much.options} => '-Xmxmuch' in {much.options} has no size
            yaml {none} => there is no file {none}
            yaml {folder} => there is no file {folder}
            yaml {empty.log} => {empty.log}
            yaml {words.csv} => {words.csv}
            yaml {picture.png} => cannot read {picture.png}
            yaml {cut.jmx} => {cut.jmx}:
            """.split("\n"))
                .map(row -> row.strip().split(" ", 2))
                .map(parts -> Arguments.of(parts[1], readers.get(parts[0])))
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("files")
    void aBadFile(String row, Consumer<Path> reader) {
        String[] parts = row.split(" =>", 2);
        assertRefused(parts[1].strip(), () -> reader.accept(Path.of(filled(parts[0].strip()))));
    }

    // ---- the tables themselves ----

    @Test
    void theTablesAreAsLongAsTheyShouldBe() {
        assertThat(commandLines().size() + properties().size() + files().size()).isGreaterThan(150);
        assertThat(commandLines().stream().map(row -> row.get()[0].toString().split(" ")[0]))
                .filteredOn(command -> List.of("compare", "report", "doctor").contains(command))
                .hasSizeGreaterThan(100);
    }

    /** The opposite: good input must not be rejected. */
    @Test
    void goodInputIsTaken() {
        for (String good : List.of(
                "measure {good.csv}",
                "measure {simulation.log}",
                "report {campaign-good}",
                "compare --dry-run --root {root} --arms jetty --set margin=0.05",
                "compare --help",
                "doctor --help")) {
            StringWriter err = new StringWriter();
            int code = Main.run(
                    new PrintWriter(new StringWriter()),
                    new PrintWriter(err),
                    filled(good).split(" "));
            assertThat(err.toString()).as(good).isEmpty();
            assertThat(code).as(good).isZero();
        }
    }
}
