package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.servletbench.bench.cli.Doctor.HostReadings;
import org.servletbench.bench.cli.Doctor.Line;
import org.servletbench.bench.cli.Doctor.MavenFound;
import org.servletbench.bench.cli.Doctor.Program;
import org.servletbench.bench.cli.Doctor.Readings;
import org.servletbench.bench.cli.Doctor.State;
import org.servletbench.bench.model.Scheduling;

/** Tests every check with a reading for each outcome, and the real command on this machine. */
class DoctorTest {

    private static final String ROOT = System.getProperty("bench.root");

    /** Readings of a good machine, as a builder: a test changes one of them. */
    private static final class Good {
        String system = "Linux";
        int jdk = 17;
        List<String> jdkParts = List.of();
        Optional<MavenFound> maven = Optional.of(new MavenFound("3.8.7", "17.0.15"));
        int cores = 2;
        Optional<String> pinning = Optional.of("servers on 0, generators on 1");
        Scheduling scheduling = Scheduling.SESSION;
        long available = 4L << 30;
        long server = 1L << 30;
        Optional<String> group = Optional.empty();
        long handles = 20_000;
        int users = 1500;
        boolean port = true;
        boolean cpuLimits = true;
        boolean memoryLimits = true;
        String hugePages = "madvise";
        String governor = "performance";
        OptionalDouble load = OptionalDouble.of(0.1);
        OptionalDouble steal = OptionalDouble.of(0);
        Optional<String> apr = Optional.of("there");
        List<Program> programs = List.of(new Program("wrk", Optional.of("4.1.0"), "load", "wrk"));
        boolean display = true;
        boolean clone = true;

        Readings readings() {
            List<Program> all = new ArrayList<>(programs);
            all.add(0, new Program("APR library", apr, "the profile tomcat-apr", "libtcnative-1"));
            return new Readings(
                    system,
                    jdk,
                    jdkParts,
                    maven,
                    cores,
                    pinning,
                    scheduling,
                    available,
                    server,
                    group,
                    handles,
                    users,
                    port,
                    cpuLimits,
                    memoryLimits,
                    hugePages,
                    governor,
                    load,
                    steal,
                    all,
                    display,
                    clone);
        }
    }

    private static Good with(UnaryOperator<Good> change) {
        return change.apply(new Good());
    }

    private static Good set(Runnable change, Good good) {
        change.run();
        return good;
    }

    /** The unzipped distribution runs without Maven, and needs it only to swap containers. */
    @Test
    void theUnzippedFolderNeedsNoMaven() {
        Good folder = new Good();
        folder.clone = false;
        folder.maven = Optional.empty();
        folder.display = false;
        List<Line> lines = Doctor.check(folder.readings());

        assertThat(lines).noneMatch(Line::fails).noneMatch(line -> line.name().equals("display"));
        assertThat(lines)
                .filteredOn(line -> line.name().equals("Maven"))
                .singleElement()
                .satisfies(line -> {
                    assertThat(line.state()).isEqualTo(State.MISSING);
                    assertThat(line.purpose()).startsWith("exchanging a service's container");
                });
        assertThat(Doctor.conclusion(lines, false))
                .isEqualTo("comparisons of finished jars, measure and report can run; worth a look: Maven");
    }

    @Test
    void aMachineThatHasAll() {
        List<Line> lines = Doctor.check(new Good().readings());
        assertThat(lines).allMatch(line -> line.state() == State.OK).noneMatch(Line::fails);
        assertThat(lines)
                .extracting(Line::name)
                .containsExactly(
                        "system",
                        "JDK",
                        "Maven",
                        "memory",
                        "file handles",
                        "port",
                        "newest JDK",
                        "cores",
                        "scheduler",
                        "memory for a group",
                        "CPU limits",
                        "memory limits",
                        "huge pages",
                        "CPU governor",
                        "running load",
                        "steal time",
                        "APR library",
                        "wrk",
                        "display");
        assertThat(lines).allSatisfy(line -> assertThat(List.of(line.found(), line.purpose(), line.hint()))
                .noneMatch(String::isBlank));
        assertThat(Doctor.conclusion(lines, true))
                .isEqualTo("mvn -Pjetty gatling:test and mvn -Pcompare verify can run");
    }

    static Stream<Arguments> bad() {
        List<Arguments> all = new ArrayList<>();
        all.add(bad("JDK", State.MISSING, true, good -> set(() -> good.jdk = 11, good)));
        all.add(bad("JDK", State.MISSING, true, good -> set(() -> good.jdkParts = List.of("attach module"), good)));
        all.add(bad("system", State.MISSING, true, good -> set(() -> good.system = "Mac OS X", good)));
        all.add(bad("newest JDK", State.WARNING, false, good -> set(() -> good.jdk = 26, good)));
        all.add(bad("Maven", State.MISSING, true, good -> set(() -> good.maven = Optional.empty(), good)));
        all.add(bad("Maven", State.MISSING, true, good -> set(() -> good.maven = maven("3.8.6", "17"), good)));
        all.add(bad("Maven", State.MISSING, true, good -> set(() -> good.maven = maven("3.9.9", "11.0.2"), good)));
        all.add(bad("memory", State.MISSING, true, good -> set(() -> good.available = good.server - 1, good)));
        all.add(bad("file handles", State.MISSING, true, good -> set(() -> good.handles = 1755, good)));
        all.add(bad("port", State.MISSING, true, good -> set(() -> good.port = false, good)));
        all.add(bad("cores", State.WARNING, false, good -> set(() -> good.cores = 1, good)));
        all.add(bad("cores", State.WARNING, false, good -> set(() -> good.pinning = Optional.empty(), good)));
        all.add(bad("scheduler", State.WARNING, false, good -> set(() -> good.scheduling = Scheduling.SHARED, good)));
        all.add(bad(
                "memory for a group", State.WARNING, false, good -> set(() -> good.group = Optional.of("x"), good)));
        all.add(bad("CPU limits", State.MISSING, false, good -> set(() -> good.cpuLimits = false, good)));
        all.add(bad("memory limits", State.MISSING, false, good -> set(() -> good.memoryLimits = false, good)));
        all.add(bad("huge pages", State.WARNING, false, good -> set(() -> good.hugePages = "never", good)));
        all.add(bad("CPU governor", State.WARNING, false, good -> set(() -> good.governor = "powersave", good)));
        all.add(bad("running load", State.WARNING, false, good -> set(() -> good.load = OptionalDouble.of(0.7), good)));
        all.add(bad("steal time", State.WARNING, false, good -> set(() -> good.steal = OptionalDouble.of(1.1), good)));
        all.add(bad("APR library", State.MISSING, false, good -> set(() -> good.apr = Optional.empty(), good)));
        all.add(bad("display", State.MISSING, false, good -> set(() -> good.display = false, good)));
        all.add(bad(
                "wrk",
                State.MISSING,
                false,
                good -> set(() -> good.programs = List.of(new Program("wrk", Optional.empty(), "load", "wrk")), good)));
        return all.stream();
    }

    private static Optional<MavenFound> maven(String version, String java) {
        return Optional.of(new MavenFound(version, java));
    }

    private static Arguments bad(String name, State state, boolean fails, UnaryOperator<Good> change) {
        return Arguments.of(name, state, fails, change);
    }

    @ParameterizedTest
    @MethodSource("bad")
    void oneThingIsNotAsItShouldBe(String name, State state, boolean fails, UnaryOperator<Good> change) {
        List<Line> lines = Doctor.check(with(change).readings());
        assertThat(lines)
                .filteredOn(line -> line.state() != State.OK)
                .singleElement()
                .satisfies(line -> {
                    assertThat(line.name()).isEqualTo(name);
                    assertThat(line.state()).isEqualTo(state);
                    assertThat(line.fails()).isEqualTo(fails);
                });
        assertThat(Doctor.conclusion(lines, true))
                .endsWith(fails ? " cannot run: " + name : " can run; worth a look: " + name);
    }

    @Test
    void whatAnotherMachineLacksIsNamedWithWhatNeedsIt() {
        HostReadings enough = new HostReadings(Scheduling.SESSION, 1000, 1000, 900, Optional.empty());
        assertThat(Doctor.check(enough)).hasSize(4).allMatch(line -> line.state() == State.OK);

        HostReadings little =
                new HostReadings(Scheduling.SHARED, 899L << 20, 2304L << 20, 900L << 20, Optional.of("x"));
        assertThat(Doctor.check(little))
                .allMatch(line -> line.state() == State.WARNING && !line.fails())
                .extracting(Line::name, Line::found, Line::purpose)
                .contains(
                        tuple("memory for a server", "899 MiB are free, it may take 2304", "--target-host"),
                        tuple("memory for a generator", "899 MiB are free, it may take 900", "--load-hosts"))
                .extracting(line -> line.toList().get(0))
                .containsExactly("memory for a server", "memory for a generator", "memory for a group", "scheduler");
    }

    @Test
    void whatIsNotKnownIsNoWarning() {
        Good good = new Good();
        good.load = OptionalDouble.empty();
        good.steal = OptionalDouble.empty();
        good.hugePages = "not known";
        good.governor = "not known";
        good.maven = maven("3.9.0", "");
        assertThat(Doctor.check(good.readings())).allMatch(line -> line.state() == State.OK);
    }

    @Test
    void theLeastThatIsEnough() {
        Good good = new Good();
        good.available = good.server;
        good.handles = 1756;
        good.load = OptionalDouble.of(0.6);
        assertThat(Doctor.check(good.readings())).allMatch(line -> line.state() == State.OK);
    }

    @ParameterizedTest
    @CsvSource({
        "3.8.7, 3.8.7, true",
        "3.8.6, 3.8.7, false",
        "3.10.1, 3.8.7, true",
        "4.0.0-rc-3, 3.8.7, true",
        "3.9, 3.8.7, true",
        "1.8.0_402, 17, false",
        "17.0.15, 17, true",
        "25-ea, 17, true",
        "nonsense, 17, false"
    })
    void versionsAreComparedAsNumbers(String version, String least, boolean enough) {
        assertThat(Doctor.isAtLeast(version, least)).isEqualTo(enough);
    }

    @Test
    void whatMavenSaysOfItself() {
        assertThat(DoctorReadings.maven("Apache Maven 3.8.7\nMaven home: /x\nJava version: 17.0.15, vendor: Debian\n"))
                .contains(new MavenFound("3.8.7", "17.0.15"));
        assertThat(DoctorReadings.maven("\u001B[1mApache Maven 3.9.9\u001B[m\nJava version: 21, vendor: x"))
                .contains(new MavenFound("3.9.9", "21"));
        assertThat(DoctorReadings.maven("another program")).isEmpty();
    }

    @Test
    void theRealCommandOnThisMachine() {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(new PrintWriter(out), new PrintWriter(err), "doctor", "--root", ROOT);
        assertThat(err.toString()).isEmpty();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines).hasSize(26);
        assertThat(lines.subList(0, 25)).allMatch(line -> line.matches("(ok|warning|missing) +[A-Za-z].*; for .*"));
        assertThat(lines.get(1))
                .startsWith("ok       JDK ")
                .contains("Java " + Runtime.version().feature());
        boolean hasMaven = Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "mvn")));
        assertThat(lines.get(2)).startsWith(hasMaven ? "ok       Maven " : "missing  Maven ");
        boolean good = lines.subList(0, 6).stream().allMatch(line -> line.startsWith("ok "));
        assertThat(code).isEqualTo(good ? 0 : 1);
        assertThat(lines.get(25)).contains(good ? " can run" : " cannot run: ");
    }

    @Test
    void badUsageIsTwo() {
        StringWriter err = new StringWriter();
        assertThat(Main.run(
                        new PrintWriter(new StringWriter()),
                        new PrintWriter(err),
                        "doctor",
                        "--root",
                        Path.of(ROOT).resolve("bench").toString()))
                .isEqualTo(2);
        assertThat(err.toString()).hasLineCount(1).contains("is not a clone of servlet-bench");
    }
}
