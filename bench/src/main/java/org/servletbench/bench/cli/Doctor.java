package org.servletbench.bench.cli;

import java.lang.module.ModuleDescriptor.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** What this machine needs for the rig, held against what it has. Pure: every reading is given. */
final class Doctor {

    /** The least JDK. */
    static final int LEAST_JDK = 17;

    /** The least Maven, as in the rules of the root pom. */
    static final String LEAST_MAVEN = "3.8.7";

    /** What a JVM opens beside its users' connections: jars, logs, selectors. */
    static final int OTHER_FILE_HANDLES = 256;

    /** More running programs than this, in each core, disturb. */
    private static final double BUSY_PER_CORE = 0.3;

    private static final double MOST_STEAL_PERCENT = 1;

    /** How a check came out. */
    enum State {
        /** All is well. */
        OK,
        /** It works, and the figures suffer. */
        WARNING,
        /** It is not there. */
        MISSING
    }

    /**
     * One check.
     *
     * @param name what was looked at
     * @param state how it came out
     * @param needed whether the two basic commands need it
     * @param found what was found
     * @param purpose what it is for
     * @param remedy how to get it
     */
    record Line(String name, State state, boolean needed, String found, String purpose, String remedy) {

        /** Whether the two basic commands cannot do without it, and must. */
        boolean fails() {
            return needed && state == State.MISSING;
        }
    }

    /**
     * A program or library that may be there.
     *
     * @param name its command
     * @param version what it says of itself; empty if it is not there
     * @param purpose what it is for
     * @param debianPackage that brings it
     */
    record Program(String name, Optional<String> version, String purpose, String debianPackage) {}

    /**
     * Maven, and the Java that it takes.
     *
     * @param version for example {@code 3.8.7}
     * @param java for example {@code 17.0.15}; empty if it does not say
     */
    record MavenFound(String version, String java) {}

    /**
     * What the machine says.
     *
     * @param jdk feature version of this Java
     * @param jdkParts those of {@code compiler} and {@code attach} that it lacks
     * @param maven empty if there is none
     * @param cores that this process may use
     * @param pinning which cores servers and generators get; empty if they cannot be divided
     * @param availableBytes memory that new processes could get
     * @param serverBytes memory that one server may take
     * @param groupTooLittle why all servers of a group cannot be up at once; empty if they can
     * @param fileHandles that a process may open
     * @param users in the largest tier
     * @param freePort whether a port on loopback could be had
     * @param governor of the processors' frequency, or {@code not known}
     * @param load programs that wanted to run, mean of the last minute; empty if not known
     * @param stealPercent time that the host kept from this machine, in percent; empty if not known
     * @param programs optional ones, and native libraries of connectors
     * @param display whether a window could be opened
     */
    record Readings(
            int jdk,
            List<String> jdkParts,
            Optional<MavenFound> maven,
            int cores,
            Optional<String> pinning,
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

    private Doctor() {}

    /** All checks, the needed ones first. */
    static List<Line> check(Readings machine) {
        List<Line> lines = new ArrayList<>();
        lines.add(jdk(machine));
        lines.add(maven(machine));
        lines.add(memory(machine));
        lines.add(fileHandles(machine));
        lines.add(needed(
                "port",
                machine.freePort(),
                machine.freePort() ? "a free one on 127.0.0.1" : "none on 127.0.0.1",
                "the server under load",
                "end what holds them, or widen net.ipv4.ip_local_port_range"));
        lines.add(cores(machine));
        lines.add(new Line(
                "memory for a group",
                machine.groupTooLittle().isEmpty() ? State.OK : State.WARNING,
                false,
                machine.groupTooLittle().orElse("enough for all servers of a group at once"),
                "windows in rotation, which lets slow drift cancel",
                "more memory, or --jvm-options with a smaller -Xmx"));
        lines.add(governor(machine));
        lines.add(load(machine));
        lines.add(steal(machine));
        for (Program program : machine.programs()) {
            lines.add(optional(
                    program.name(),
                    program.version().isPresent(),
                    program.version().orElse("not found"),
                    program.purpose(),
                    "apt-get install " + program.debianPackage()));
        }
        lines.add(optional(
                "display",
                machine.display(),
                machine.display() ? "there" : "none",
                "JMeter's GUI (mvn -Pjmeter-gui verify)",
                "a desktop session, or apt-get install xvfb; and a JDK that is not headless"));
        return lines;
    }

    private static Line needed(String name, boolean good, String found, String purpose, String remedy) {
        return new Line(name, good ? State.OK : State.MISSING, true, found, purpose, remedy);
    }

    private static Line optional(String name, boolean good, String found, String purpose, String remedy) {
        return new Line(name, good ? State.OK : State.MISSING, false, found, purpose, remedy);
    }

    private static Line jdk(Readings machine) {
        boolean complete = machine.jdkParts().isEmpty();
        return needed(
                "JDK",
                machine.jdk() >= LEAST_JDK && complete,
                "Java " + machine.jdk()
                        + (complete ? "" : " without " + String.join(" and ", machine.jdkParts()) + ": no full JDK"),
                "building, and asking a running server what it is",
                "apt-get install openjdk-17-jdk (17 or newer), and set JAVA_HOME");
    }

    private static Line maven(Readings machine) {
        String remedy = "apt-get install maven (" + LEAST_MAVEN + " or newer)";
        String purpose = "both commands: building, and running the rig";
        if (machine.maven().isEmpty()) {
            return needed("Maven", false, "not on the path", purpose, remedy);
        }
        MavenFound maven = machine.maven().get();
        boolean java = maven.java().isEmpty() || isAtLeast(maven.java(), Integer.toString(LEAST_JDK));
        return needed(
                "Maven",
                java && isAtLeast(maven.version(), LEAST_MAVEN),
                maven.version() + (maven.java().isEmpty() ? "" : " on Java " + maven.java()),
                purpose,
                java ? remedy : "set JAVA_HOME to a JDK " + LEAST_JDK + " or newer");
    }

    /** Compares numbers, part by part, without what follows a dash; what is no version is too old. */
    static boolean isAtLeast(String version, String least) {
        try {
            return Version.parse(version.replaceFirst("-.*", "")).compareTo(Version.parse(least)) >= 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static Line memory(Readings machine) {
        return needed(
                "memory",
                machine.availableBytes() >= machine.serverBytes(),
                (machine.availableBytes() >> 20) + " MiB are free, a server may take " + (machine.serverBytes() >> 20),
                "the server under load",
                "end other programs, or give -Djvm.options=FILE with a smaller -Xmx");
    }

    private static Line fileHandles(Readings machine) {
        long wanted = (long) machine.users() + OTHER_FILE_HANDLES;
        return needed(
                "file handles",
                machine.fileHandles() >= wanted,
                machine.fileHandles() + " open files are allowed",
                "the largest tier, " + machine.users() + " users, each with a connection",
                "ulimit -n " + wanted);
    }

    private static Line cores(Readings machine) {
        return new Line(
                "cores",
                machine.cores() >= 2 && machine.pinning().isPresent() ? State.OK : State.WARNING,
                false,
                machine.cores()
                        + machine.pinning()
                                .map(text -> ": " + text)
                                .orElse(": server and generator cannot be pinned apart"),
                "a generator that takes no time from the server",
                "a machine with two or more cores, and apt-get install util-linux for taskset");
    }

    private static Line governor(Readings machine) {
        boolean steady =
                machine.governor().equals("performance") || machine.governor().equals("not known");
        return new Line(
                "CPU governor",
                steady ? State.OK : State.WARNING,
                false,
                machine.governor().equals("not known") ? "not visible here" : machine.governor(),
                "a clock that does not change while it is measured by",
                "apt-get install linux-cpupower, then cpupower frequency-set -g performance");
    }

    private static Line load(Readings machine) {
        double most = BUSY_PER_CORE * machine.cores();
        boolean quiet = machine.load().orElse(0) <= most;
        return new Line(
                "running load",
                quiet ? State.OK : State.WARNING,
                false,
                machine.load().isEmpty()
                        ? "not known"
                        : String.format(
                                Locale.ROOT,
                                "%.2f programs ran on %d cores in the last minute",
                                machine.load().getAsDouble(),
                                machine.cores()),
                "a quiet machine: what else runs is in every figure",
                "end other programs, and wait a minute");
    }

    private static Line steal(Readings machine) {
        return new Line(
                "steal time",
                machine.stealPercent().orElse(0) <= MOST_STEAL_PERCENT ? State.OK : State.WARNING,
                false,
                machine.stealPercent().isEmpty()
                        ? "not known"
                        : String.format(
                                Locale.ROOT,
                                "%.1f %% of the time now",
                                machine.stealPercent().getAsDouble()),
                "processors of our own: a virtual machine's host may take them away",
                "a machine that is not shared, or more blocks");
    }

    /** The last line, and whether it is a good one. */
    static String conclusion(List<Line> lines) {
        String basic = "mvn -Pjetty gatling:test and mvn -Pcompare verify";
        List<String> failing =
                lines.stream().filter(Line::fails).map(Line::name).toList();
        List<String> others = lines.stream()
                .filter(line -> !line.fails() && line.state() != State.OK)
                .map(Line::name)
                .toList();
        String rest = others.isEmpty() ? "" : "; of what is optional, look at: " + String.join(", ", others);
        return failing.isEmpty()
                ? "all that " + basic + " need is here" + rest
                : basic + " cannot run: " + String.join(", ", failing) + rest;
    }
}
