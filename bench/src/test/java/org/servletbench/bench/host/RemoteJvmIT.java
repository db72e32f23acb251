package org.servletbench.bench.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.server.os.ManagedProcess;

/** The only test of jobs, files and clocks over ssh, and of every way in which a connection ends. */
@Timeout(120)
class RemoteJvmIT {

    private static final HostJava JAVA = Hosts.JAVA;

    @TempDir
    private static Path work;

    private static Hosts hosts;

    @BeforeAll
    static void make() throws IOException {
        hosts = new Hosts(work.resolve("hosts"), 2);
    }

    @AfterAll
    static void end() throws IOException {
        hosts.close();
    }

    @Test
    void jobsRunThereAndWhatTheyKeepIsThereForTheNext() throws Exception {
        try (RemoteJvm jvm = hosts.connect(1)) {
            long pid = jvm.call(here -> here.keep("pid", ProcessHandle.current().pid()));

            assertThat(hosts.processes(1)).extracting(ProcessHandle::pid).contains(pid);
            assertThat(jvm.<Long>call(here -> here.kept("pid", Long.class))).isEqualTo(pid);
            assertThat(jvm.<String>call(here -> System.getenv("HOME")))
                    .isEqualTo(hosts.home(1).toString());
            assertThatThrownBy(() -> jvm.call(here -> {
                        throw new IOException("the disk is full");
                    }))
                    .isInstanceOf(TargetException.class)
                    .hasMessage("the disk is full");
            assertThatThrownBy(() -> jvm.call(here -> {
                        throw TargetException.refusal(TargetException.Refusal.START, "no");
                    }))
                    .isInstanceOfSatisfying(TargetException.class, refused -> assertThat(refused.refusal())
                            .contains(TargetException.Refusal.START));
            assertThat(jvm.lost()).isNull();
        }
        assertThat(hosts.left(1)).isEmpty();
        assertThat(connections(1)).isEmpty();
    }

    @Test
    @Tag("full")
    void clocksOfOneMachineAreEqualWithinTheStatedUncertainty() throws Exception {
        try (RemoteJvm jvm = hosts.connect(1)) {
            HostClock clock = HostClock.measure(jvm);

            // Both read the same clock, in whole microseconds.
            assertThat(Math.abs(clock.aheadMs())).isLessThanOrEqualTo(clock.uncertaintyMs() + 0.001);
            assertThat(clock.here(clock.there(1_000))).isEqualTo(1_000);
        }
    }

    @Test
    @Tag("full")
    void filesGoThereOnceAndComeBackWhole() throws Exception {
        byte[] bytes = new byte[(3 << 20) + 17];
        new Random(1).nextBytes(bytes);
        Path file = Files.write(work.resolve("file"), bytes);
        try (RemoteJvm jvm = hosts.connect(2)) {
            String place = HostFiles.push(jvm, file);
            Path there = hosts.home(2).resolve(place);
            assertThat(there).hasBinaryContent(bytes);
            Object first = Files.getAttribute(there, "unix:ino");

            assertThat(HostFiles.push(jvm, file)).isEqualTo(place);
            assertThat(Files.getAttribute(there, "unix:ino")).isEqualTo(first);
            HostFiles.bring(jvm, place, work.resolve("back"));
            assertThat(work.resolve("back")).hasBinaryContent(bytes);
        }
    }

    @Test
    @Tag("full")
    void aLostConnectionFailsJobsAndLeavesNoProcess() throws Exception {
        try (RemoteJvm jvm = hosts.connect(2)) {
            long sleeper = jvm.call(here -> here.keep(
                            "sleeper",
                            ManagedProcess.start(new ProcessBuilder("sleep", "600"), ManagedProcess.Farewell.KILL))
                    .pid());
            assertThat(ProcessHandle.of(sleeper)).isPresent();

            hosts.killSshd(2);

            assertThatThrownBy(() -> jvm.call(here -> {
                        Thread.sleep(60_000);
                        return null;
                    }))
                    .isInstanceOf(TargetException.class)
                    .hasMessageContaining("the connection to h2 was lost");
            assertThat(jvm.lost()).isNotNull();
        } finally {
            hosts.startSshd(2);
        }
        requireNothingLeft(2);
    }

    /**
     * Slower there than back: the worst case for an estimate that assumes the clock is read in the middle of the round
     * trip.
     */
    @Test
    @Tag("full")
    void aSlowLineMakesClocksLessCertainAndNotWrong() throws Exception {
        try (SlowLine line = hosts.line(1, 40, 10);
                RemoteJvm jvm = RemoteJvm.connect(new Host("h1", Optional.of(line.config())), JAVA)) {
            HostClock clock = HostClock.measure(jvm);

            assertThat(clock.uncertaintyMs()).isGreaterThanOrEqualTo(25);
            // Both are the same clock.
            assertThat(Math.abs(clock.aheadMs())).isLessThanOrEqualTo(clock.uncertaintyMs() + 0.001);
        }
        requireNothingLeft(1);
    }

    @Test
    @Tag("full")
    void aLineThatIsCutInTheMiddleOfAFileLosesThisConnectionOnly() throws Exception {
        byte[] bytes = new byte[3 << 20];
        new Random(2).nextBytes(bytes);
        Path file = Files.write(work.resolve("cut"), bytes);
        try (SlowLine line = hosts.line(1, 1, 1)) {
            Host far = new Host("h1", Optional.of(line.config()));
            String place;
            try (RemoteJvm jvm = RemoteJvm.connect(far, JAVA)) {
                place = HostFiles.push(jvm, file);
                line.cutAfter(1 << 20);

                assertThatThrownBy(() -> HostFiles.bring(jvm, place, work.resolve("back")))
                        .isInstanceOf(TargetException.class)
                        .hasMessageContaining("the connection to h1 was lost");
            }
            assertThatThrownBy(() -> RemoteJvm.connect(far, JAVA))
                    .isInstanceOf(TargetException.class)
                    .hasMessageStartingWith("h1 cannot be reached: ");
            requireNothingLeft(1);

            line.mend();
            try (RemoteJvm jvm = RemoteJvm.connect(far, JAVA)) {
                HostFiles.bring(jvm, place, work.resolve("back"));
                assertThat(work.resolve("back")).hasBinaryContent(bytes);
            }
        }
    }

    /** Several machines may share a home. Only on this machine are processes known to have ended. */
    @Test
    @Tag("full")
    void whatAKilledJvmLeftIsDeletedByTheNext() throws Exception {
        String place = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip() + " "
                + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
        Path left = folder(1, "connection-left", "999999999\n" + place);
        Path others = folder(1, "connection-others", "999999999\nanother " + place);
        Path alive = folder(1, "connection-alive", ProcessHandle.current().pid() + "\n" + place);

        hosts.connect(1).close();

        assertThat(left).doesNotExist();
        for (Path stays : List.of(others, alive)) {
            assertThat(stays.resolve("owner")).exists();
            Files.delete(stays.resolve("owner"));
            Files.delete(stays);
        }
    }

    private static Path folder(int host, String name, String owner) throws IOException {
        Path folder = Files.createDirectories(
                hosts.home(host).resolve(".servlet-bench").resolve(name));
        Files.writeString(folder.resolve("owner"), owner);
        return folder;
    }

    /** The check uses one connection, and the JVM the next. */
    @Test
    @Tag("full")
    void aHostThatGoesAwayAfterItWasCheckedCannotBeReached() throws Exception {
        try (SlowLine line = hosts.line(1, 1, 1)) {
            Host far = new Host("h1", Optional.of(line.config()));
            RemoteJvm.connect(far, JAVA).close();
            line.carryOnly(1);

            assertThatThrownBy(() -> RemoteJvm.connect(far, JAVA))
                    .isInstanceOf(TargetException.class)
                    .hasMessageStartingWith("h1 cannot be reached: ");
        }
        requireNothingLeft(1);
    }

    @Test
    @Tag("full")
    void aHostThatCannotBeUsedIsNamedWithWhatToDo() throws Exception {
        assertThat(HostCheck.of(hosts.host(1), JAVA).problems()).isEmpty();
        assertThat(HostCheck.of(hosts.host(1), new HostJava(Optional.of("/nowhere")))
                        .problems())
                .singleElement()
                .asString()
                .startsWith("h1 has no java that runs")
                .contains("--host-jdk");

        Path config = work.resolve("other.config");
        Files.writeString(
                config,
                Files.readString(hosts.config())
                        .replace(work.resolve("hosts/user").toString(), "/dev/null"));
        assertThat(HostCheck.of(new Host("h1", Optional.of(config)), JAVA).problems())
                .singleElement()
                .asString()
                .startsWith("h1 cannot be reached: ")
                .contains("Permission denied");
        assertThatThrownBy(() -> RemoteJvm.connect(new Host("h1", Optional.of(config)), JAVA))
                .isInstanceOf(TargetException.class)
                .hasMessageStartingWith("h1 cannot be reached: ");
        for (String wrong : List.of("-oProxyCommand=x", "a b", "", "a;b", "$(x)", "a@-b")) {
            assertThatThrownBy(() -> Host.of("--target-host", wrong, Optional.empty()))
                    .isInstanceOf(UsageException.class);
        }
    }

    /** Requires that everything there ends soon after its connection. */
    private static void requireNothingLeft(int host) throws Exception {
        hosts.awaitNothingLeft(host);
        assertThat(connections(host)).isEmpty();
    }

    /** Returns the existing folders of connections. */
    private static List<Path> connections(int host) throws IOException {
        try (var all = Files.list(hosts.home(host).resolve(".servlet-bench"))) {
            return all.filter(one -> one.getFileName().toString().startsWith("connection"))
                    .toList();
        }
    }
}
