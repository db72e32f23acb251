package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.servletbench.bench.Mirror;
import org.servletbench.bench.generator.Schedule;
import org.servletbench.bench.host.Hosts;
import org.servletbench.bench.load.NativeReport;
import org.servletbench.bench.load.NativeReport.NativeCount;
import org.servletbench.bench.load.RawLog;
import org.servletbench.bench.load.gatling.Gatling;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.report.run.Measured;
import org.servletbench.bench.report.run.RunFacts;
import org.servletbench.bench.server.http.HttpWire;
import org.servletbench.bench.server.os.Processors;
import org.servletbench.bench.server.process.Jdk;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * The only test of commands that a user types, in a fresh clone. It covers Maven's profiles and properties down to
 * servlet-bench in its own or Gatling's JVM, and checks that no process outlives Maven or can be reached from another
 * machine. All tests share one clone, which is built once.
 */
class WaysInIT {

    private static final long PATIENCE_SECONDS = 300;

    @TempDir
    private static Path folder;

    private static Path clone;

    @BeforeAll
    static void cloneAfresh() throws IOException {
        clone = Maven.modestClone(folder.resolve("clone"));
        Mirror.set(clone, "campaign.properties", Mirror.HASTY);
        // A new workload takes a change in one place. The length of this one is wrong on purpose.
        Path workloads = clone.resolve("profiles/workloads.properties");
        Files.writeString(
                workloads,
                Files.readString(workloads)
                                .replace("workloads=hello,", "workloads=wrong,hello,")
                                .replace("workloads.more=", "workloads.more=again,")
                        + "\nwrong.path=/hello\nwrong.bytes=6\nagain.path=/hello\nagain.bytes=5\n");
    }

    /** Another machine, for tests that need one. */
    private static Hosts hosts;

    @AfterAll
    static void end() throws IOException {
        if (hosts != null) {
            hosts.close();
        }
    }

    /** Maven processes that a failed test left running. */
    private final List<Process> running = new ArrayList<>();

    @AfterEach
    void noProcessIsLeft() throws IOException, InterruptedException {
        running.forEach(Process::destroyForcibly);
        if (hosts != null) {
            hosts.awaitNothingLeft(1);
        }
        await("the end of every java process of this clone", PATIENCE_SECONDS, () -> ours().isEmpty());
    }

    private static List<Long> ours() {
        try {
            return Maven.javaProcesses(clone.toString());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void await(String what, long seconds, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("%s within %d s", what, seconds).isLessThan(deadline);
            Thread.sleep(100);
        }
    }

    /** Runs Maven, and checks that none of its sockets can be reached from another machine at any moment. */
    private Maven.Result watched(String log, String... arguments) throws IOException, InterruptedException {
        Path file = folder.resolve(log);
        Process maven = start(file, Maven.command(arguments));
        try (Sockets.Watch watch = new Sockets.Watch(() -> Sockets.family(maven.toHandle()))) {
            assertThat(maven.waitFor(3 * PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(watch.seen()).isNotEmpty().allMatch(Sockets.Open::isLoopback, "is on loopback");
        }
        return new Maven.Result(maven.exitValue(), Files.readString(file));
    }

    private Process start(Path log, List<String> command) throws IOException {
        Process maven = Maven.start(clone, command, ProcessBuilder.Redirect.to(log.toFile()));
        running.add(maven);
        return maven;
    }

    /** Adds the options for a server on another machine. */
    private static String[] there(String... arguments) throws IOException {
        if (hosts == null) {
            hosts = new Hosts(folder.resolve("hosts"), 1);
        }
        return Stream.concat(
                        Stream.of(arguments),
                        Stream.of(
                                "-Dtarget.host=h1",
                                "-Dtarget.allow-remote=true",
                                "-Dssh.config=" + hosts.config(),
                                "-Dhost.jdk=" + System.getProperty("java.home")))
                .toArray(String[]::new);
    }

    /** Checks the record of a run whose server was on the other machine. */
    private static void assertWasThere(JsonNode server) {
        assertThat(server.path("host").asText()).isEqualTo("h1");
        assertThat(server.path("url").asText()).contains(hosts.address(1));
        assertThat(server.path("ended").asText()).isEqualTo("stopped");
    }

    private static Maven.Result gatling(String... options) throws IOException, InterruptedException {
        return Maven.run(clone, gatlingArguments(options));
    }

    private static String[] gatlingArguments(String... options) {
        List<String> arguments = new ArrayList<>(List.of("-Pjetty", "gatling:test"));
        arguments.addAll(List.of(options));
        return arguments.toArray(String[]::new);
    }

    private static Path newestRun() throws IOException {
        try (Stream<Path> runs = Files.list(clone.resolve("simulations/target/gatling"))) {
            return runs.filter(run -> Files.exists(run.resolve("server.json")))
                    .max(Comparator.comparingLong(run -> run.toFile().lastModified()))
                    .orElseThrow();
        }
    }

    private static JsonNode serverJson(Path run) throws IOException {
        return new ObjectMapper().readTree(run.resolve("server.json").toFile());
    }

    /**
     * Returns how many requests of this name are in Gatling's report of the newest run, and how many of them failed.
     */
    private static long[] counts(String request) throws IOException {
        NativeCount count = NativeReport.read(newestRun().resolve("index.html")).get(request);
        return new long[] {count.count(), count.errors()};
    }

    /** Checks that the output fits in a screen or two, and that nothing looks like a mistake of the user. */
    private static void assertQuiet(Maven.Result result) {
        assertThat(result.lines())
                // Newer JDKs warn about Maven's own libraries.
                .filteredOn(line -> Runtime.version().feature() < 24 || !line.startsWith("WARNING: "))
                .hasSizeLessThanOrEqualTo(50)
                // Warnings on figures are our own.
                .filteredOn(
                        line -> !line.startsWith("servlet-bench: WARNING: ") && !line.matches(".* warnings? \\(!\\)"))
                .noneMatch(line -> line.matches("(?i).*(\\bwarnings?\\b|deprecat|SLF4J).*"));
    }

    private static void assertNoStackTrace(Maven.Result result) {
        assertThat(result.lines()).noneMatch(line -> line.startsWith("\tat "));
    }

    @Test
    void gatlingFromAFreshClone() throws IOException, InterruptedException {
        Maven.Result result = watched(
                "gatling.log",
                gatlingArguments(
                        "-Dusers=5,10",
                        "-Dhold=1s",
                        "-Dwarmup=2s",
                        "-Dwarmup.burst=1s",
                        "-Dworkloads=hello,static,payload,metrics"));

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertNoStackTrace(result);
        Path run = newestRun();
        assertThat(run.getFileName().toString()).matches("jetty-serverconnector-boot3-\\d{8}-\\d{6}");
        assertThat(result.ours().get(result.ours().size() - 1))
                .isEqualTo(
                        "servlet-bench: page: " + run.resolve("measured.html").toUri());
        assertQuiet(result);
        for (String workload : List.of("hello", "static", "payload", "metrics")) {
            for (int users : new int[] {5, 10}) {
                long[] counts = counts(workload + " " + users + " users");
                assertThat(counts[0]).isGreaterThan(users);
                assertThat(counts[1]).isZero();
            }
        }
        assertThat(Files.readString(run.resolve("index.html")))
                .contains(
                        "jetty ", ", connector serverconnector, boot3 (Spring Boot ", "), JDK ", ", settings equalised")
                .contains("metrics 10 users");
        assertThat(run.resolve("measured.txt")).content().contains("metrics 10 users", "p99");
        assertThat(run.resolve("measured.html")).content().contains("<svg");
        assertThat(run.resolve("measured.html"))
                .content()
                .contains("<h1>Jetty ", "5 to 10 users</h1>", "href='index.html'");
        assertThat(result.output())
                .contains("CPU µs/req", "[8/8] metrics 10 users")
                .doesNotContain("Global");
        assertThat(serverJson(run).get("ended").textValue()).isEqualTo("stopped");
        assertThat(serverJson(run).get("warm-up").get("bursts")).isNotEmpty();
        assertThat(serverJson(run).get("pinning").textValue())
                .isEqualTo(Processors.divided()
                        .map(halves -> "server on processors " + Processors.list(halves.server()) + ", generator on "
                                + Processors.list(halves.generator()))
                        .orElse(Processors.NONE));
        assertThat(run.resolve("measured.txt")).content().doesNotContain("before hello");
        assertThat(run.resolve("server.log")).content().contains("Startup Metric >> jvm.memory.used=");
        assertThat(Files.readAllLines(run.resolve("monitor.csv"))).hasSizeGreaterThan(10);
    }

    /** The first load of a run must have the same figures as the same load later, or a warning. */
    @Test
    @Tag("full")
    void theSameTierTwiceAgreesOrTheFirstIsMarked() throws IOException, InterruptedException {
        Path options = Files.writeString(folder.resolve("unlimited.options"), "-Xmx512m\n");
        Maven.Result result = gatling(
                "-Dworkloads=hello,again", "-Dusers=50", "-Dwarmup=20s", "-Dhold=4s", "-Djvm.options=" + options);

        assertThat(result.exitCode()).as(result.output()).isZero();
        Path log = newestRun().resolve("simulation.log");
        Measured measured = new Measured(log, RawLog.of(log).measure());
        List<WindowResult> loads = measured.loads();
        assertThat(loads)
                .extracting(load -> Load.first(load.name()).orElse(load.name()))
                .containsExactly("hello 50 users", "again 50 users");
        boolean warned = RunFacts.warnings(measured).hasWarning(loads.get(0));
        // Other programs on this machine may have disturbed only one of the two.
        boolean disturbed = loads.stream()
                .map(load -> load.use().orElseThrow())
                .anyMatch(use -> use.of(Metric.OTHERS) > 3 || use.of(Metric.STEAL) > 3);
        double ratio =
                loads.get(1).steady().throughput() / loads.get(0).steady().throughput();
        assertThat(warned || disturbed || Math.abs(ratio - 1) <= 0.1)
                .as("%.3f times the first; %s", ratio, result.output())
                .isTrue();
    }

    /** These are rejected in the root's validate phase, before anything is built, so no clone is needed. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        -Pjetty,undertow   | more than one container (picked:jetty;undertow;): choose one of
        -Ptomcat           | there is no profile tomcat; did you mean tomcat-apr, tomcat-nio, tomcat-nio2?
        """)
    void impossibleChoicesAreRefusedAtOnce(String profiles, String line) throws IOException, InterruptedException {
        assertRefused(Maven.run(Maven.ROOT, "-N", profiles, "validate"), line);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        -Ptomcat-apr,boot3 | there is no APR connector on boot3 (Tomcat dropped it after 9): choose -Ptomcat-apr alone
        -Pundertow,boot4   | there is no Undertow on boot4 (Spring Boot 4 dropped it): choose -Pundertow,boot3
        -Pcompare,serve    | more than one thing to do (compare;serve): choose one of them
        -Pboot3,boot4      | more than one Spring Boot line (picked:boot3;boot4;): choose one of
        -Pnothing-such     | The requested profile doesn't exist: nothing-such
        """)
    @Tag("full")
    void everyImpossibleChoiceIsRefused(String profiles, String line) throws IOException, InterruptedException {
        assertRefused(Maven.run(clone, profiles, "gatling:test"), line);
    }

    private static void assertRefused(Maven.Result result, String line) {
        assertThat(result.exitCode()).isNotZero();
        assertThat(result.lines()).filteredOn(text -> text.contains(line)).hasSize(1);
        assertThat(result.output()).doesNotContain("compiler");
        assertNoStackTrace(result);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        -Dworkload=hello                       | -Dworkload is not an option; did you mean -Dworkloads?
        """)
    void anOptionThatWouldDoNothingIsRejected(String option, String line) throws IOException, InterruptedException {
        assertRejected(Maven.run(Maven.ROOT, "-N", option, "validate"), line);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        -Dgatling.jvmArgs=-Xmx3g               | -Dgatling.jvmArgs is not taken: it would replace what the rig needs: the heap of the generator is -Dgenerator.heap=2g
        -Dgatling.reportsOnly=run-1            | -Dgatling.reportsOnly is not taken: for the figures of a log that is there, java -jar bench/target/bench.jar measure FILE
        -Dos.name=Mac OS X                     | servers are started on Linux only, and this is Mac OS X: use Linux, WSL 2 or a Linux container
        -Dgatling.simulationClass=demo.NoSuch  | -Dgatling.simulationClass=demo.NoSuch: there is no such class in simulations/src/test/scala
        -Dgatling.simulationClass=org.servletbench.simulations.CampaignSimulation | CampaignSimulation: it does not extend org.servletbench.simulations.JourneySimulation, which starts the server
        """)
    @Tag("full")
    void optionsThatWouldDoNothingAreRejected(String option, String line) throws IOException, InterruptedException {
        assertRejected(gatling(option), line);
    }

    private static void assertRejected(Maven.Result result, String line) {
        assertThat(result.exitCode()).isNotZero();
        // Ant repeats the message, with the line of the POM that rejected the options.
        assertThat(result.lines())
                .filteredOn(text -> text.contains(line) && !text.contains("around Ant part"))
                .hasSize(1);
        assertThat(result.ours()).noneMatch(text -> text.contains("proven by the running server"));
        assertNoStackTrace(result);
        // No lines of Ant, and none of Maven's about an exception.
        assertThat(result.lines()).noneMatch(text -> text.startsWith("[ERROR]"));
    }

    /**
     * A new release of a plug-in may add properties. Decide for each whether it takes effect, or reject it in pom.xml.
     */
    @Test
    void everyPropertyOfThePlugInsTakesEffectOrIsRejected() throws Exception {
        String pom = Files.readString(Maven.ROOT.resolve("pom.xml"));
        Set<String> properties = new TreeSet<>();
        properties.addAll(userProperties("gatling-maven-plugin", Set.of("test", "verify")));
        properties.addAll(userProperties(
                "jmeter-maven-plugin", Set.of("configure", "gui", "jmeter", "remote-server", "results")));

        assertThat(properties).contains("gatling.jvmArgs", "selectConfiguration");
        properties.removeAll(Set.of(
                "gatling.continueOnAssertionFailure",
                "gatling.failOnError",
                "gatling.ignoreDefaultGatlingJvmArgs",
                "gatling.simulationClass",
                "gatling.skip",
                "gatling.workingDirectory",
                "jmeter.version"));
        assertThat(properties).allSatisfy(name -> assertThat(pom).contains("<refuse if=\"" + name + "\" message="));
    }

    /** Returns the {@code -D} properties that these goals of a plug-in read; its jar is a dependency of these tests. */
    private static Set<String> userProperties(String plugin, Set<String> goals) throws Exception {
        for (URL file : Collections.list(WaysInIT.class.getClassLoader().getResources("META-INF/maven/plugin.xml"))) {
            try (InputStream in = file.openStream()) {
                Element root = DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(in)
                        .getDocumentElement();
                if (root.getElementsByTagName("artifactId")
                        .item(0)
                        .getTextContent()
                        .equals(plugin)) {
                    return userProperties(root, goals);
                }
            }
        }
        throw new AssertionError(plugin + " is not on the class path");
    }

    private static Set<String> userProperties(Element plugin, Set<String> goals) {
        Set<String> found = new TreeSet<>();
        NodeList mojos = plugin.getElementsByTagName("mojo");
        for (int i = 0; i < mojos.getLength(); i++) {
            Element mojo = (Element) mojos.item(i);
            String goal = mojo.getElementsByTagName("goal").item(0).getTextContent();
            NodeList all = mojo.getElementsByTagName("configuration");
            if (goals.contains(goal) && all.getLength() > 0) {
                Pattern.compile("\\$\\{([^}]+)}")
                        .matcher(all.item(0).getTextContent())
                        .results()
                        .map(match -> match.group(1))
                        .filter(key -> !key.matches("(project|session|settings|basedir|plugin|mojo).*"))
                        .forEach(found::add);
            }
        }
        return found;
    }

    /** For other bad values see BadInputTest and TargetErrorsIT. */
    @Test
    @Tag("full")
    void aBadValueIsRefusedInOneLine() throws IOException, InterruptedException {
        Maven.Result result = gatling("-Dworkloads=helo");

        assertThat(result.exitCode()).isNotZero();
        assertThat(result.ours())
                .contains(
                        "servlet-bench: no workload 'helo': choose from wrong,hello,static,payload,metrics,again,delay,query"
                                + " (profiles/workloads.properties)");
        assertNoStackTrace(result);
    }

    @Test
    @Tag("full")
    void tooFewFileHandlesForTheLargestTier() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bash", "-c", "ulimit -n 1000 && exec \"$@\"", "bash"));
        command.addAll(Maven.command(gatlingArguments()));

        Maven.Result result = Maven.exec(clone, command);

        assertThat(result.exitCode()).isNotZero();
        assertThat(result.output())
                .contains("servlet-bench: too few file handles for 1500 connections: this shell allows 1000 open files"
                        + " for a process; run: ulimit -n 1756");
        assertNoStackTrace(result);
    }

    /** Runs with other settings, and with an objective that one workload misses. */
    @Test
    @Tag("full")
    void fixedLoopsOnAnotherMachineAndAnObjectiveThatFailsTheBuildAfterTheReport()
            throws IOException, InterruptedException {
        Maven.Result result = gatling(there(
                "-Dusers=5,10",
                "-Dloops=3,4",
                "-Dworkloads=payload,wrong",
                "-Dwarmup=0s",
                "-Dsettings=defaults",
                "-Dslo=p50<1m,errors<50%"));

        assertThat(result.exitCode()).as(result.output()).isNotZero();
        assertThat(counts("payload 5 users")).containsExactly(15, 0);
        assertThat(counts("payload 10 users")).containsExactly(40, 0);
        assertThat(counts("wrong 5 users")).containsExactly(15, 15);
        assertThat(result.ours())
                .anyMatch(line -> line.startsWith("servlet-bench: SLO not met: wrong 5 users: "))
                .contains("servlet-bench: the objective (-Dslo) is not met, see above")
                .noneMatch(line -> line.contains("of the requests failed"));
        Path run = newestRun();
        assertThat(run.resolve("simulation.log.slo.xml")).content().contains("failures=\"2\"");
        assertThat(Files.readString(run.resolve("index.html"))).contains(", settings defaults");
        assertThat(result.output()).contains("WARNING: the server was not warm", "no warm-up was asked for");
        for (String file : List.of("index.html", "measured.html", "measured.txt")) {
            assertThat(run.resolve(file)).content().contains("WARNING");
        }
        assertWasThere(serverJson(run));
        assertThat(run.resolve("measured.html")).content().contains("h1");
        assertThat(Files.readAllLines(run.resolve("monitor.csv"))).hasSizeGreaterThan(1);
    }

    @Test
    @Tag("full")
    void theOpenModelOnAServerThatRunsAlreadyAndFailuresThatFailTheBuildAfterTheReport()
            throws IOException, InterruptedException {
        try (Target server = Arms.open("jetty,boot3", folder)) {
            Maven.Result result = gatling(
                    "-Dtarget.url=" + server.url(),
                    "-Dmodel=open",
                    "-Drate=50",
                    "-Dhold=2s",
                    "-Dworkloads=hello,wrong",
                    "-Dwarmup=0s");

            assertThat(result.exitCode()).isNotZero();
            assertThat(counts("hello at 50/s")).containsExactly(100, 0);
            assertThat(counts("wrong at 50/s")).containsExactly(100, 100);
            assertThat(result.output()).contains("servlet-bench: more than 0.1 % of the requests failed");
            Path run = newestRun();
            assertThat(run.getFileName().toString()).startsWith("foreign-127.0.0.1-");
            assertThat(Files.readString(run.resolve("index.html"))).contains("not started by servlet-bench");
            assertThat(run.resolve("server.json")).content().contains("\"proven\" : false");
            assertThat(HttpWire.status(server.url(), "/hello")).isEqualTo(200);
        }
    }

    /** Copies the example of docs/extending.md in one language into the clone. */
    private static void addExample(String language, String name) throws IOException {
        String page = Files.readString(Maven.ROOT.resolve("docs/extending.md"));
        String begins = "```" + language + "\n";
        String example = page.substring(page.indexOf(begins) + begins.length());
        Path file = clone.resolve("simulations/src/test").resolve(language).resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, example.substring(0, example.indexOf("```")));
    }

    /** Uses the example of docs/extending.md. */
    @Test
    void aSimulationOfTheUsersOwn() throws IOException, InterruptedException {
        addExample("scala", "shop/CheckoutSimulation.scala");

        Maven.Result result = gatling(
                "-Dgatling.simulationClass=shop.CheckoutSimulation",
                "-Dusers=2,4",
                "-Dhold=3s",
                "-Dwarmup=2s",
                "-Dwarmup.burst=1s");

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.ours()).anyMatch(line -> line.contains("[2/2] checkout 4 users"));
        Path run = newestRun();
        Path log = run.resolve("simulation.log");
        Measured measured = new Measured(log, RawLog.of(log).measure());
        // Without the warm-up.
        assertThat(measured.log().loads())
                .extracting(WindowResult::name)
                .containsExactlyInAnyOrder(
                        "checkout 2 users / list",
                        "checkout 2 users / pay / cart",
                        "checkout 2 users / pay / order",
                        "checkout 4 users / list",
                        "checkout 4 users / pay / cart",
                        "checkout 4 users / pay / order");
        assertThat(measured.log().loads()).allSatisfy(load -> assertThat(load.checks())
                .filteredOn(check -> check.check().equals("littles-law"))
                .noneMatch(Warning::failed)
                .allMatch(check -> check.figures().contains("in all loads of these users")));
        for (WindowResult load : measured.log().loads()) {
            assertThat(counts(load.name()))
                    .containsExactly(load.whole().count(), load.whole().errors());
        }
        assertThat(serverJson(run).get("proven").get("container").textValue()).isEqualTo("jetty");
        assertThat(serverJson(run).get("warm-up").get("bursts")).isNotEmpty();
        assertThat(run.resolve("measured.html")).content().contains("<h1>Jetty ", "2 to 4 users</h1>");
    }

    /**
     * A user's class as the load of a comparison. A warm Gatling sends whole windows to both servers, in their
     * protocol, and each of its requests has figures.
     */
    @Test
    @Tag("full")
    void aSimulationOfTheUsersOwnInACampaign() throws IOException, InterruptedException {
        addExample("scala", "shop/CheckoutSimulation.scala");
        Path campaign = folder.resolve("own-campaign");
        Path comparison = Files.writeString(folder.resolve("own.yaml"), """
                arms: {tomcat-nio: {protocol: h2}}
                server:
                  properties:
                    server.tomcat.basedir: '.'
                    server.tomcat.accesslog.enabled: true
                    server.tomcat.accesslog.pattern: '%U|%H'
                measure: {slice: 0s, hold: 3s, rounds: 1, warmup: 1s, generator-warmup: 2s}
                workloads: {checkout: {simulation: shop.CheckoutSimulation}}
                load: [{workloads: checkout, users: 4}]
                stop: {blocks: 2, limit: 0s}
                """);

        Maven.Result result = Maven.run(
                clone,
                "-Pcompare",
                "verify",
                "-Dcomparison=" + comparison,
                "-Dout=" + campaign,
                "-Djava.io.tmpdir=" + folder);

        assertThat(result.exitCode()).as(result.output()).isZero();
        List<ServerRun> servers = CampaignFolder.read(campaign).serverRuns();
        assertThat(servers).hasSize(4);
        assertThat(servers)
                .allSatisfy(server -> assertThat(server.loads()).singleElement().satisfies(load -> {
                    assertThat(load.errors()).isZero();
                    assertThat(load.each())
                            .extracting(LoadFigures.Request::label)
                            .containsExactlyInAnyOrder("list", "pay / cart", "pay / order");
                    assertThat(load.each().stream()
                                    .mapToLong(LoadFigures.Request::requests)
                                    .sum())
                            .isEqualTo(load.requests())
                            .isPositive();
                }));

        for (ServerRun server : servers) {
            assertThat(accessLog(campaign.resolve(CampaignFolder.read(campaign).folder(server))))
                    .contains("/payload|HTTP/2.0")
                    .doesNotContain("/payload|HTTP/1.1");
            assertThat(campaign.resolve("blocks/" + server.block() + "/load-1/gatling/gatling.out"))
                    .content()
                    .containsSubsequence(
                            "generator warm-up burst 1: ", "generator warm-up burst 1: ", Schedule.MEASURING);
        }

        assertThatThrownBy(() -> Gatling.requireSimulation(clone, "shop.NoSimulation"))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("simulation shop.NoSimulation: there is no such class");
        assertThatThrownBy(() -> Gatling.requireSimulation(clone, "org.servletbench.simulations.CampaignSimulation"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("it does not extend org.servletbench.simulations.JourneySimulation");
    }

    private static List<String> accessLog(Path server) throws IOException {
        try (Stream<Path> files = Files.list(server.resolve("logs"))) {
            return Files.readAllLines(files.findFirst().orElseThrow());
        }
    }

    /** Uses the documentation's example in Java, with visitors who arrive at a rate. */
    @Test
    @Tag("full")
    void aSimulationOfTheUsersOwnInJavaAtARate() throws IOException, InterruptedException {
        addExample("java", "shop/OrderSimulation.java");

        Maven.Result result = gatling(
                "-Dgatling.simulationClass=shop.OrderSimulation",
                "-Dmodel=open",
                "-Drate=20",
                "-Dhold=3s",
                "-Dwarmup=2s",
                "-Dwarmup.burst=1s");

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.ours()).anyMatch(line -> line.contains("[1/1] order at 20/s"));
        assertThat(RawLog.of(newestRun().resolve("simulation.log")).measure().loads())
                .extracting(WindowResult::name, load -> load.whole().count())
                .containsExactlyInAnyOrder(tuple("order at 20/s / list", 60L), tuple("order at 20/s / buy", 60L));
    }

    /** Starts a run of a minute, and returns when its first stage has started. */
    private Process longRun(Path log, String... prefix) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(prefix));
        command.addAll(Maven.command(gatlingArguments("-Dusers=5", "-Dhold=60s", "-Dworkloads=hello", "-Dwarmup=0s")));
        Process maven = start(log, command);
        await("load in " + log, PATIENCE_SECONDS, () -> read(log).contains("[1/1] hello 5 users"));
        await("requests", PATIENCE_SECONDS, WaysInIT::hasRequests);
        return maven;
    }

    /** While it runs, Gatling's log is in a folder named by Gatling. */
    private static boolean hasRequests() {
        try (Stream<Path> runs = Files.list(clone.resolve("simulations/target/gatling"))) {
            return runs.filter(run -> run.getFileName().toString().startsWith("tiersimulation-"))
                    .anyMatch(run -> run.resolve("simulation.log").toFile().length() > 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The settings ask for a version that does not exist, and that only arms of boot4 use. The outer Maven builds
     * without it.
     */
    @Test
    @Tag("full")
    void settingsAndTheirProfilesReachTheMavenThatBuildsArms() throws IOException, InterruptedException {
        Path settings = Files.writeString(folder.resolve("settings.xml"), """
            <settings><profiles><profile><id>corp</id>
              <properties><boot4.tomcat.version>0.0.of-settings</boot4.tomcat.version></properties>
            </profile></profiles></settings>
            """);
        // Downloads the dependencies for the offline build below, in case no other test has done so.
        assertThat(Maven.run(clone, "-Pboot4", "-pl", ".,target-apps/spring-boot", "process-classes")
                        .exitCode())
                .isZero();
        assertThat(Maven.run(clone, "-Pcompare", "verify", "-Darms=jetty", "-Ddry-run=true")
                        .exitCode())
                .isZero();
        Maven.Result result = Maven.run(
                clone,
                "-o",
                "-s",
                settings.toString(),
                "-Pcorp,compare",
                "verify",
                "-Darms=tomcat-nio:boot=boot4,jetty:boot=boot4",
                "-Djava.io.tmpdir=" + folder);
        assertThat(result.exitCode()).isNotZero();
        assertThat(result.output())
                .contains(
                        "the build failed",
                        "-s " + settings + " ",
                        " -Pcorp ",
                        "tomcat-embed-core:jar:0.0.of-settings");
        assertNoStackTrace(result);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    /** The main use of servlet-bench: a real campaign with Gatling, up to its page. It builds its arm itself. */
    @Test
    @Tag("full")
    void aCampaignFromAFreshClone() throws IOException, InterruptedException {
        Path campaign = folder.resolve("campaign");
        Maven.Result result = watched(
                "campaign.log",
                "-Pcompare",
                "verify",
                "-Darms=jetty",
                "-Dworkloads=hello",
                "-Dusers=10",
                "-Dblocks=2",
                "-Dhold=2s",
                "-Dset=measure.warmup=500ms;measure.generator-warmup=1s",
                "-Dlimit=0s",
                "-Dout=" + campaign,
                // Another campaign may run next to this test, whose figures do not matter.
                "-Djava.io.tmpdir=" + folder);
        assertThat(result.output()).contains("report: file:").contains("hello 10 users with gatling");
        assertQuiet(result);
        assertNoStackTrace(result);
        CampaignFolder read = CampaignFolder.read(campaign);
        assertThat(read.serverRuns().stream().filter(ServerRun::measured).map(ServerRun::arm))
                .containsExactlyInAnyOrder("jetty", "jetty", "jetty-control", "jetty-control");
        assertThat(read.serverRuns()).allSatisfy(serverRun -> {
            assertThat(serverRun.loads().get(0).requests()).isPositive();
            assertThat(serverRun.threads().series()).containsKey("live");
            Path report = campaign.resolve(read.folder(serverRun))
                    .resolve(serverRun.loads().get(0).links().get(0));
            assertThat(report).exists();
        });
        assertThat(campaign.resolve("index.html")).exists();
        assertSameBytes("bench/target/bench.jar");
        assertSameBytes("target-apps/spring-boot/target/tomcat-nio-boot3/app.jar");
    }

    /** Compares two builds of one commit in different folders: the clone's, and the one that these tests belong to. */
    private static void assertSameBytes(String jar) {
        assertThat(clone.resolve(jar))
                .as("if the first is from a fresh build, the second is not: mvn clean")
                .hasSameBinaryContentAs(Maven.ROOT.resolve(jar));
    }

    /**
     * Samples come back by RMI, which also stops JMeter. The server is on another machine. For JMeter alone see
     * MavenCommandTest.
     */
    @Test
    @Tag("full")
    void jmeterWithAnotherJMeter() throws Exception {
        makeKeystore();
        int registry = freePort();
        Path log = folder.resolve("host.log");
        Process host = start(log, Maven.command("-Pjmeter-server", "verify", "-Djmeter.server.port=" + registry));
        try (Sockets.Watch ofHost = new Sockets.Watch(() -> Sockets.family(host.toHandle()))) {
            await("the JMeter server", 3 * PATIENCE_SECONDS, () -> answers(registry));
            Path said = folder.resolve("jmeter.log");
            Process run = start(
                    said,
                    Maven.command(there(
                            "-Pjetty,jmeter",
                            "verify",
                            "-Djmeter.hosts=127.0.0.1:" + registry,
                            "-Dusers=5",
                            "-Dhold=1s",
                            "-Dwarmup=0s",
                            "-Dworkloads=hello")));
            try (Sockets.Watch ofRun = new Sockets.Watch(() -> Sockets.family(run.toHandle()))) {
                assertThat(run.waitFor(3 * PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
                assertThat(run.exitValue()).as(read(said)).isZero();
                // Includes the port to which samples return, because the watch has also seen JMeter's own process.
                assertThat(ofRun.seen())
                        .anyMatch(one -> one.protocol().startsWith("tcp")
                                && one.process().contains("org.apache.jmeter.NewDriver"))
                        .allMatch(Sockets.Open::isLoopback, "is on loopback");
            }
            assertThat(ofHost.seen())
                    .anyMatch(one -> one.port() == registry)
                    .allMatch(Sockets.Open::isLoopback, "is on loopback");
            host.destroy();
            assertThat(host.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
        Path results = runThere("jmeter");
        assertThat(results.resolve("measured.html")).content().contains("h1", "hello");
    }

    /** Runs the commands of docs/single-runs.md. */
    private static void makeKeystore() throws IOException, InterruptedException {
        Process made = new ProcessBuilder(
                        "sh",
                        "-c",
                        "umask 077; head -c 18 /dev/urandom | base64 > \"$2.password\"; exec \"$1\" -genkeypair -alias rmi"
                                + " -keyalg RSA -validity 365 -dname CN=servlet-bench -storepass:file \"$2.password\""
                                + " -keystore \"$2\"",
                        "sh",
                        Jdk.ownHome().resolve("bin/keytool").toString(),
                        clone.resolve("jmeter-plans/rmi_keystore.jks").toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        assertThat(made.waitFor()).isZero();
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    /** Here servlet-bench runs in Maven's own JVM. */
    @Test
    @Tag("full")
    void aServerThatIsServedOnAnotherMachine() throws Exception {
        Path log = folder.resolve("serve.log");
        Process maven = start(log, Maven.command(there("-Pjetty,serve", "verify")));
        await(
                "the server, " + log,
                3 * PATIENCE_SECONDS,
                () -> !maven.isAlive() || read(log).contains("Ctrl-C stops it"));
        assertThat(read(log)).contains("http://" + hosts.address(1));
        assertThat(hosts.left(1)).anyMatch(line -> line.contains("--server.address=" + hosts.address(1)));
        maven.destroy();
        assertThat(maven.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        runThere("serve");
    }

    /** Returns the only run of this command, and checks that its server was on the other machine. */
    private static Path runThere(String command) throws IOException {
        try (Stream<Path> files =
                Files.walk(clone.resolve("jmeter-plans/target").resolve(command))) {
            Path run = files.filter(file -> file.endsWith("server.json"))
                    .findFirst()
                    .orElseThrow()
                    .getParent();
            assertWasThere(serverJson(run));
            return run;
        }
    }

    @Test
    @Tag("full")
    void aServerThatDiesUnderLoadEndsTheRunAndMarksIt() throws IOException, InterruptedException {
        Path log = folder.resolve("dies.log");
        Process maven = longRun(log);
        ProcessHandle.of(serverJson(newestRun()).get("pid").longValue())
                .orElseThrow()
                .destroyForcibly();

        assertThat(maven.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(maven.exitValue()).isNotZero();
        Path run = newestRun();
        assertThat(run.getFileName().toString()).endsWith("-INCOMPLETE");
        assertThat(run.resolve("index.html")).exists();
        assertThat(serverJson(run).get("ended").textValue()).isEqualTo("died under load: ended by signal 9");
        assertThat(read(log))
                .contains("servlet-bench: the server died under load (ended by signal 9): what was measured until then"
                        + " is kept")
                .doesNotContain("\n\tat ");
    }

    @Test
    @Tag("full")
    void nothingOutlivesAMavenThatIsKilled() throws IOException, InterruptedException {
        Process maven = longRun(folder.resolve("killed.log"));
        Path run = newestRun();
        assertThat(ours()).hasSizeGreaterThan(2);

        maven.destroyForcibly().waitFor();

        await("the end of every java process of this clone", PATIENCE_SECONDS, () -> ours().isEmpty());
        assertThat(run.resolve("simulation.log")).isNotEmptyFile();
        assertThat(serverJson(run).get("ended").textValue()).isEqualTo("interrupted");
    }

    @Test
    @Tag("full")
    void ctrlCEndsEverythingAndKeepsWhatThereIs() throws IOException, InterruptedException {
        Path log = folder.resolve("interrupted.log");
        // A shell's background jobs ignore SIGINT, and so do all processes that they start.
        Process session = longRun(log, "env", "--default-signal=INT", "setsid");
        Path run = newestRun();
        // Sends SIGINT to the whole foreground process group, as a terminal does.
        assertThat(new ProcessBuilder("kill", "-INT", "--", "-" + session.pid())
                        .start()
                        .waitFor())
                .isZero();

        assertThat(session.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        await("the end of every java process of this clone", PATIENCE_SECONDS, () -> ours().isEmpty());
        assertThat(session.exitValue()).isNotZero();
        assertThat(run.resolve("simulation.log")).isNotEmptyFile();
        assertThat(serverJson(run).get("ended").textValue()).isEqualTo("interrupted");
    }

    @Test
    void everyNumberStandsInOnePlace() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(Maven.ROOT)) {
            files = all.filter(Files::isRegularFile)
                    .filter(file -> file.toString().matches(".*\\.(xml|properties|options|java|scala|conf)"))
                    .filter(file -> !Maven.ROOT
                            .relativize(file)
                            .toString()
                            .matches("((target-apps/)?[^/]+/)?target/.*|.*/src/test/(java|resources)/.*"))
                    .toList();
        }
        Path root = Maven.ROOT.resolve("pom.xml");
        // Javadoc has tables, whose figures are in elements as well.
        List<Path> settings = files.stream()
                .filter(file -> !file.toString().endsWith(".java"))
                .toList();
        Matcher version = Pattern.compile("<[a-z0-9.-]+\\.version>([^<$]+)</").matcher(Files.readString(root));
        while (version.find()) {
            assertThat(places(settings, ">" + version.group(1) + "<", "=" + version.group(1)))
                    .as(version.group())
                    .containsExactly("pom.xml");
        }
        String users = Arms.FOLDER.loadDefaults().get("users");
        assertThat(places(files, users)).containsExactly("profiles/load.properties");
        for (String line : Files.readAllLines(Arms.FOLDER.settings("equalised"))) {
            if (line.matches("[a-z.-]+=\\d+")) {
                assertThat(places(files, line)).containsExactly("profiles/settings/equalised.properties");
            }
        }
    }

    private static List<String> places(List<Path> files, String... texts) throws IOException {
        List<String> places = new ArrayList<>();
        for (Path file : files) {
            String content = Files.readString(file);
            if (Arrays.stream(texts).anyMatch(content::contains)) {
                places.add(Maven.ROOT.relativize(file).toString());
            }
        }
        return places;
    }

    /** The Scala plug-in records the absolute paths of a build, and deletes old classes by them. */
    @Test
    @Tag("full")
    void aCopyOfABuiltCloneTouchesOnlyItself() throws IOException, InterruptedException {
        assertThat(Maven.run(clone, "test-compile").exitCode()).isZero();
        Path classes = clone.resolve("simulations/target/test-classes");
        List<Path> built = files(classes);
        Path copy = folder.resolve("copy");
        for (Path file : files(clone)) {
            Path to = copy.resolve(clone.relativize(file));
            Files.createDirectories(to.getParent());
            Files.copy(file, to, StandardCopyOption.COPY_ATTRIBUTES);
        }
        assertThat(Maven.run(copy, "test-compile").exitCode()).isZero();
        assertThat(files(classes)).isEqualTo(built).anyMatch(file -> file.endsWith("CampaignSimulation.class"));
        assertThat(files(copy.resolve("simulations/target/test-classes"))).hasSameSizeAs(built);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
