package org.servletbench.jmeter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.cli.Main;
import org.servletbench.bench.load.jmeter.JMeterTable;
import org.servletbench.bench.model.UsageException;

/** Tests of {@code mvn -Pjmeter verify}, with the app that this build has made. */
class MavenCommandTest {

    /** Options for a server that is small and warms up fast. */
    private static final String SMALL_JVM = "-Xmx256m -Xss256k\n-XX:+UseSerialGC\n-XX:TieredStopAtLevel=1\n";

    private static final Path RESULTS = Rig.MODULE.resolve("target/jmeter");

    @TempDir
    Path folder;

    private final Set<String> set = new TreeSet<>();

    private final StringWriter err = new StringWriter();

    private int run(Map<String, String> given) {
        given.forEach((name, value) -> {
            System.setProperty(name, value);
            set.add(name);
        });
        return Main.run(new PrintWriter(System.out, true), new PrintWriter(err), "jmeter", "run");
    }

    @AfterEach
    void forget() {
        set.forEach(System::clearProperty);
    }

    private static Set<Path> runs() throws IOException {
        if (!Files.isDirectory(RESULTS)) {
            return Set.of();
        }
        try (Stream<Path> folders = Files.list(RESULTS)) {
            return folders.collect(Collectors.toSet());
        }
    }

    @Test
    void oneContainerFromStartToDashboard() throws IOException {
        Path small = Files.writeString(folder.resolve("jvm.options"), SMALL_JVM);
        Set<Path> before = runs();

        int code = run(Map.of(
                "users",
                "5,10",
                "loops",
                "2",
                "warmup",
                "4s",
                "warmup.burst",
                "1s",
                "warmup.pause",
                "0s",
                "jvm.options",
                small.toString()));

        assertThat(code).as(err.toString()).isZero();
        Set<Path> made = new TreeSet<>(runs());
        made.removeAll(before);
        assertThat(made).hasSize(1);
        Path results = made.iterator().next();
        assertThat(results.getFileName().toString()).contains("-" + System.getProperty("bench.line") + "-");
        for (String name : List.of(
                "plan.jmx",
                "results.csv",
                "table.csv",
                "server.log",
                "server.json",
                "monitor.csv",
                "jmeter.log",
                "dashboard/index.html")) {
            assertThat(results.resolve(name)).exists();
        }
        JMeterTable table = JMeterTable.read(results.resolve("results.csv"));
        assertThat(table.rows())
                .extracting(JMeterTable.Row::label)
                .containsExactly(
                        "hello 5 users",
                        "hello 10 users",
                        "static 5 users",
                        "static 10 users",
                        "payload 5 users",
                        "payload 10 users",
                        "metrics 5 users",
                        "metrics 10 users",
                        "TOTAL");
        assertThat(table.rows())
                .allSatisfy(
                        row -> assertThat(row.all().errors()).as(row.label()).isZero());
        assertThat(Files.readString(results.resolve("server.json")))
                .contains("\"warm-up\"")
                .contains("\"stopped\"");
        assertThat(Files.readString(results.resolve("dashboard/index.html")))
                .as("a date, and not minutes and seconds alone")
                .containsPattern("Start Time</td>\\s*<td>\"[^\"]*\\d[./-]\\d[^\"]*\"");
        // The run's plan is a valid plan; reading it results in the same labels.
        assertThat(Files.readString(results.resolve("plan.jmx")))
                .contains("${__P(tier.2,10)}")
                .contains("${__P(loops.2,2)}");
    }

    @Test
    void badUsageIsSaidBeforeAnythingStarts() throws IOException {
        Set<Path> before = runs();
        assertThat(run(Map.of("workloads", "nothing"))).isEqualTo(UsageException.EXIT_CODE);
        assertThat(err.toString()).contains("no workload 'nothing'").hasLineCount(1);
        assertThat(run(Map.of("workloads", "hello", "jmeter.hosts", "192.0.2.1")))
                .isEqualTo(UsageException.EXIT_CODE);
        assertThat(err.toString()).contains("-Dtarget.allow-remote=true").hasLineCount(2);
        assertThat(run(Map.of("workloads", "hello", "jmeter.plan", Rig.TIERS.toString(), "jmeter.hosts", "")))
                .isEqualTo(UsageException.EXIT_CODE);
        assertThat(err.toString()).contains("-Dworkloads cannot be used here: the load is that of -Djmeter.plan");
        assertThat(runs()).isEqualTo(before);
    }

    /** A user's plan has server, proof, monitor and page as servlet-bench's own plans have. */
    @Test
    void aPlanOfTheUsersOwn() throws IOException {
        Path small = Files.writeString(folder.resolve("jvm.options"), SMALL_JVM);
        Path plan = Files.writeString(
                folder.resolve("shop.jmx"),
                Files.readString(Rig.MODULE.resolve("hello.jmx"))
                        .replace("${__P(users,100)}", "3")
                        .replace("testname=\"hello ${users} users\"", "testname=\"shop\""));
        Set<Path> before = runs();

        int code = run(Map.of("jmeter.plan", plan.toString(), "jvm.options", small.toString()));

        assertThat(code).as(err.toString()).isZero();
        Set<Path> made = new TreeSet<>(runs());
        made.removeAll(before);
        Path results = made.iterator().next();
        assertThat(JMeterTable.read(results.resolve("results.csv")).rows())
                .extracting(JMeterTable.Row::label, row -> row.all().count(), row -> row.all()
                        .errors())
                .containsExactly(tuple("shop", 30L, 0L), tuple("TOTAL", 30L, 0L));
        assertThat(results.resolve("server.json")).content().contains("\"proven\"", "\"shop.jmx\"");
        assertThat(results.resolve("measured.html")).content().contains(", shop.jmx</h1>");
        assertThat(results.resolve("monitor.csv")).isNotEmptyFile();
    }
}
