package org.servletbench.bench.cli;

import static org.servletbench.bench.model.Text.text;

import java.lang.module.ModuleDescriptor.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.Scheduling;
import org.servletbench.bench.server.Jdk;
import org.servletbench.bench.server.Preflight;

/** Compares what this machine has with what the rig needs. Pure: every reading is given. */
final class Doctor {

    /** As in the rules of the root pom. */
    static final String LEAST_MAVEN = "3.8.7";

    /** More running programs than this, for each core, disturb. */
    private static final double BUSY_PER_CORE = 0.3;

    private static final double MOST_STEAL_PERCENT = 1;
    private static final String BASIC = "mvn -Pjetty gatling:test and mvn -Pcompare verify";

    /** How a check came out; a warning: it works, and the figures suffer. */
    enum State {
        OK,
        WARNING,
        MISSING
    }

    /**
     * One check.
     *
     * @param needed whether the two basic commands need it
     * @param purpose what it is for
     * @param remedy how to get it
     */
    record Line(String name, State state, boolean needed, String found, String purpose, String remedy) {

        /** Whether the two basic commands cannot run. */
        boolean fails() {
            return needed && state == State.MISSING;
        }
    }

    /** A program or library; its version is empty if it is missing. */
    record Program(String name, Optional<String> version, String purpose, String debianPackage) {

        /** Without it no server starts. */
        boolean needed() {
            return name.equals("setpriv");
        }
    }

    /** Maven's version and that of its Java; the second is empty if it does not say. */
    record MavenFound(String version, String java) {}

    /**
     * What the machine says.
     *
     * @param system name of the operating system
     * @param jdkParts those of {@code compiler} and {@code attach} that it lacks
     * @param scheduling what servers would be to the scheduler
     * @param pinning which cores servers and generators get; empty if they cannot be divided
     * @param groupTooLittle why all servers of a group cannot be up at once; empty if they can
     * @param fileHandles that a process may open
     * @param users in the largest tier
     * @param governor of the CPU's clock, or {@code not known}
     * @param load programs that wanted to run, mean of the last minute
     * @param stealPercent time that the host kept from this machine
     */
    record Readings(
            String system,
            int jdk,
            List<String> jdkParts,
            Optional<MavenFound> maven,
            int cores,
            Optional<String> pinning,
            Scheduling scheduling,
            long availableBytes,
            long serverBytes,
            Optional<String> groupTooLittle,
            long fileHandles,
            int users,
            boolean freePort,
            String governor,
            OptionalDouble load,
            OptionalDouble stealPercent,
            List<Program> programs,
            boolean display) {}

    /**
     * What another machine says to a process of ours there.
     *
     * @param scheduling what servers would be to the scheduler there
     * @param serverBytes what a server may take
     * @param generatorBytes what a generator and what directs it may take
     * @param groupTooLittle why all servers of a group cannot be up there at once; empty if they can
     */
    record HostReadings(
            Scheduling scheduling,
            long availableBytes,
            long serverBytes,
            long generatorBytes,
            Optional<String> groupTooLittle) {}

    /** Each check: whether it is needed, changes figures (quality) or is optional, what it is for, and how to get it. */
    private static final Map<String, String> TABLE = Stream.of("""
            JDK | needed | building, and checking a running server \
                | apt-get install openjdk-17-jdk (17 or newer), and set JAVA_HOME
            newest JDK | quality | what was tried: JDK %s; Gatling, JMeter or Maven may not run on a newer one \
                | set JAVA_HOME to one of them; servers may run on another (jdk of an arm)
            system | needed | starting servers; plans, measure and report run everywhere \
                | Linux, WSL 2 or a Linux container
            Maven | needed | building, and running the rig | %s
            memory | needed | the server under load | end other programs, or give -Djvm.options=FILE with a smaller -Xmx
            file handles | needed | the largest tier, %s users, each with a connection | ulimit -n %s
            port | needed | the server under load | end the programs that use them, or widen net.ipv4.ip_local_port_range
            cores | quality | a generator that takes no time from the server \
                | a machine with two or more cores, and apt-get install util-linux for taskset
            scheduler | quality | load in turns: in one group for all, the turns of others change how a server's threads \
                share the processor | sysctl kernel.sched_autogroup_enabled=1; where a cgroup has your processors, run as \
                root, or let systemd delegate cpu to you
            memory for a server | quality | --target-host | end other programs there, or give --set server.heap=512m
            memory for a generator | quality | --load-hosts | end other programs there
            memory for a group | quality | measuring servers in turns | more memory, or --set server.heap=512m
            CPU governor | quality | a constant CPU clock \
                | apt-get install linux-cpupower, then cpupower frequency-set -g performance
            running load | quality | a quiet machine: other programs change every figure | end other programs, and wait a minute
            steal time | quality | processors of our own: the host of a virtual machine may take them away \
                | a machine that is not shared, or more blocks
            display | optional | JMeter's GUI (mvn -Pjmeter-gui verify) \
                | a desktop session, or apt-get install xvfb; and a JDK that is not headless
            """.split("\n"))
            .collect(Collectors.toMap(line -> line.split(" \\| ")[0], line -> line.replaceAll(" +", " ")));

    private Doctor() {}

    /** @param figures for the texts of the table */
    private static Line line(String name, boolean good, String found, Object... figures) {
        String[] texts = TABLE.get(name).formatted(figures).split(" \\| ");
        State bad = texts[1].equals("quality") ? State.WARNING : State.MISSING;
        return new Line(name, good ? State.OK : bad, texts[1].equals("needed"), found, texts[2], texts[3]);
    }

    /** All checks, the needed ones first. */
    static List<Line> check(Readings machine) {
        boolean complete = machine.jdkParts().isEmpty();
        MavenFound maven = machine.maven().orElse(new MavenFound("none", ""));
        boolean java = maven.java().isEmpty() || isAtLeast(maven.java(), Integer.toString(Jdk.OLDEST));
        long handles = (long) machine.users() + Preflight.OTHER_FILE_HANDLES;
        boolean governed = !machine.governor().equals("not known");
        List<Line> lines = new ArrayList<>(List.of(
                line("system", machine.system().equals("Linux"), machine.system()),
                line(
                        "JDK",
                        machine.jdk() >= Jdk.OLDEST && complete,
                        "Java " + machine.jdk()
                                + (complete
                                        ? ""
                                        : " without " + String.join(" and ", machine.jdkParts()) + ": no full JDK")),
                line(
                        "Maven",
                        java && isAtLeast(maven.version(), LEAST_MAVEN),
                        machine.maven().isEmpty()
                                ? "not on the path"
                                : maven.version() + (maven.java().isEmpty() ? "" : " on Java " + maven.java()),
                        java
                                ? "apt-get install maven (" + LEAST_MAVEN + " or newer)"
                                : "set JAVA_HOME to a JDK " + Jdk.OLDEST + " or newer"),
                line(
                        "memory",
                        machine.availableBytes() >= machine.serverBytes(),
                        (machine.availableBytes() >> 20) + " MiB are free, a server may take "
                                + (machine.serverBytes() >> 20)),
                line(
                        "file handles",
                        machine.fileHandles() >= handles,
                        machine.fileHandles() + " open files are allowed",
                        machine.users(),
                        handles),
                line("port", machine.freePort(), (machine.freePort() ? "a free one" : "none") + " on 127.0.0.1"),
                line(
                        "newest JDK",
                        machine.jdk() <= Jdk.NEWEST,
                        "Java " + machine.jdk(),
                        Jdk.OLDEST + " to " + Jdk.NEWEST),
                line(
                        "cores",
                        machine.cores() >= 2 && machine.pinning().isPresent(),
                        machine.cores() + ": "
                                + machine.pinning().orElse("server and generator cannot be pinned apart")),
                scheduler(machine.scheduling()),
                groupMemory(machine.groupTooLittle()),
                line(
                        "CPU governor",
                        !governed || machine.governor().equals("performance"),
                        governed ? machine.governor() : "not visible here"),
                line(
                        "running load",
                        machine.load().orElse(0) <= BUSY_PER_CORE * machine.cores(),
                        known(machine.load(), "%.2f programs ran on " + machine.cores() + " cores in the last minute")),
                line(
                        "steal time",
                        machine.stealPercent().orElse(0) <= MOST_STEAL_PERCENT,
                        known(machine.stealPercent(), "%.1f %% of the time now"))));
        machine.programs()
                .forEach(program -> lines.add(new Line(
                        program.name(),
                        program.version().isPresent() ? State.OK : State.MISSING,
                        program.needed(),
                        program.version().orElse("not found"),
                        program.purpose(),
                        "apt-get install " + program.debianPackage())));
        lines.add(line("display", machine.display(), machine.display() ? "there" : "none"));
        return lines;
    }

    /** The checks of a machine that can be used: which of them matter depends on what it is wanted for. */
    static List<Line> check(HostReadings host) {
        return List.of(
                hostMemory("memory for a server", host.availableBytes(), host.serverBytes()),
                hostMemory("memory for a generator", host.availableBytes(), host.generatorBytes()),
                groupMemory(host.groupTooLittle()),
                scheduler(host.scheduling()));
    }

    private static Line hostMemory(String name, long available, long needed) {
        return line(name, available >= needed, (available >> 20) + " MiB are free, it may take " + (needed >> 20));
    }

    private static Line scheduler(Scheduling scheduling) {
        return line("scheduler", scheduling != Scheduling.SHARED, "each server: " + scheduling);
    }

    private static Line groupMemory(Optional<String> tooLittle) {
        return line(
                "memory for a group",
                tooLittle.isEmpty(),
                tooLittle.orElse("enough for all servers of a group at once"));
    }

    private static String known(OptionalDouble figure, String format) {
        return figure.isEmpty() ? "not known" : text(format, figure.getAsDouble());
    }

    /** Compares numbers, part by part, without what follows a dash; what is no version is too old. */
    static boolean isAtLeast(String version, String least) {
        try {
            return Version.parse(version.replaceFirst("-.*", "")).compareTo(Version.parse(least)) >= 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** The last line. */
    static String conclusion(List<Line> lines) {
        List<String> failing =
                lines.stream().filter(Line::fails).map(Line::name).toList();
        List<String> others = lines.stream()
                .filter(line -> !line.fails() && line.state() != State.OK)
                .map(Line::name)
                .toList();
        return (failing.isEmpty()
                        ? "all that " + BASIC + " need is here"
                        : BASIC + " cannot run: " + String.join(", ", failing))
                + (others.isEmpty() ? "" : "; of what is optional, look at: " + String.join(", ", others));
    }
}
