package org.servletbench.bench.cli;

import static org.servletbench.bench.model.Text.text;

import java.lang.module.ModuleDescriptor.Version;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.servletbench.bench.model.Scheduling;
import org.servletbench.bench.server.process.Jdk;
import org.servletbench.bench.server.process.Preflight;

/** Compares this machine with the needs of servlet-bench. It reads nothing itself: all readings are passed in. */
final class Doctor {

    /** Oldest supported Maven; the same version as in the rules of the root pom. */
    static final String LEAST_MAVEN = "3.8.7";

    private static final String MAVEN = "Maven";

    /** Number of runnable programs per core above which they disturb measurements. */
    private static final double BUSY_PER_CORE = 0.3;

    private static final double MOST_STEAL_PERCENT = 1;
    private static final String BASIC = "mvn -Pjetty gatling:test and mvn -Pcompare verify";
    /** Basic uses of the unzipped distribution. */
    private static final String BASIC_OF_ZIP = "comparisons of finished jars, measure and report";

    /** Result of a check. A warning means that servlet-bench works here, but the figures are less precise. */
    enum State {
        OK,
        WARNING,
        MISSING
    }

    /**
     * Result of a check, for one line of output.
     *
     * @param needed true if the basic commands need what was checked
     * @param purpose commands or features that need it
     * @param hint how to get it
     */
    record Line(String name, State state, boolean needed, String found, String purpose, String hint) {

        /** True if the two basic commands cannot run because of this. */
        boolean fails() {
            return needed && state == State.MISSING;
        }
    }

    /** A program or library; its version is empty if it is missing. */
    record Program(String name, Optional<String> version, String purpose, String debianPackage) {

        /** True if no server starts without it. */
        boolean needed() {
            return name.equals("setpriv");
        }
    }

    /** Maven's version and that of its Java; the second is empty if unknown. */
    record MavenFound(String version, String java) {}

    /**
     * Readings of the machine.
     *
     * @param system name of the operating system
     * @param jdkParts missing parts of the JDK, {@code compiler} or {@code attach}
     * @param scheduling how the scheduler would group servers
     * @param pinning division of cores between servers and generators; empty if they cannot be divided
     * @param groupTooLittle why all servers of a group cannot be up at once; empty if they can
     * @param fileHandles number of files that a process may open
     * @param users largest number of users
     * @param cpuLimits true if this user can limit the CPU time of servers
     * @param memoryLimits true if this user can limit the memory of servers
     * @param hugePages when the kernel uses transparent huge pages: {@code always}, {@code madvise} or {@code never}, or
     *     {@code not known}
     * @param governor frequency governor of the CPU, or {@code not known}
     * @param load number of runnable programs, mean of the last minute
     * @param stealPercent time that the hypervisor withheld from this machine, percent
     * @param hasSources true if there are sources, which Maven builds; false for the unzipped distribution
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
            boolean cpuLimits,
            boolean memoryLimits,
            String hugePages,
            String governor,
            OptionalDouble load,
            OptionalDouble stealPercent,
            List<Program> programs,
            boolean display,
            boolean hasSources) {

        /** True if Maven's Java is new enough, or unknown. */
        boolean mavenHasJava() {
            String java = maven.map(MavenFound::java).orElse("");
            return java.isEmpty() || isAtLeast(java, Integer.toString(Jdk.OLDEST));
        }

        long neededHandles() {
            return (long) users + Preflight.OTHER_FILE_HANDLES;
        }

        boolean isGoverned() {
            return !governor.equals("not known");
        }
    }

    /**
     * Readings of another machine, from our process there.
     *
     * @param scheduling how the scheduler would group servers there
     * @param serverBytes memory that a server may use
     * @param generatorBytes memory that a generator and the program directing it may use
     * @param groupTooLittle why all servers of a group cannot be up there at once; empty if they can
     */
    record HostReadings(
            Scheduling scheduling,
            long availableBytes,
            long serverBytes,
            long generatorBytes,
            Optional<String> groupTooLittle) {}

    /** Consequence of a failed check. */
    private enum Need {
        /** The two basic commands do not run. */
        NEEDED,
        /** The basic commands run, but the figures suffer. */
        QUALITY,
        /** Another feature does not run. */
        OPTIONAL
    }

    /**
     * An entry of the list of checks.
     *
     * @param purpose commands or features that need it
     * @param hint how to get it
     * @param good true if the machine has it
     * @param found the machine's value
     */
    private record Check<R>(
            String name,
            Need need,
            Function<R, String> purpose,
            Function<R, String> hint,
            Predicate<R> good,
            Function<R, String> found) {

        Check(String name, Need need, String purpose, String hint, Predicate<R> good, Function<R, String> found) {
            this(name, need, any -> purpose, any -> hint, good, found);
        }

        Line of(R machine) {
            boolean has = good.test(machine);
            State bad = need == Need.QUALITY ? State.WARNING : State.MISSING;
            return new Line(
                    name,
                    has ? State.OK : bad,
                    need == Need.NEEDED,
                    found.apply(machine),
                    purpose.apply(machine),
                    hint.apply(machine));
        }
    }

    private static final String SMALLER_HEAPS = "add memory, or give --set server.heap=512m";

    /** Checks of this machine, those that the basic commands need first. */
    private static final List<Check<Readings>> CHECKS = List.of(
            new Check<>(
                    "system",
                    Need.NEEDED,
                    "starting servers (plans, measure and report run everywhere)",
                    "use Linux, WSL 2 or a Linux container",
                    machine -> machine.system().equals("Linux"),
                    Readings::system),
            new Check<>(
                    "JDK",
                    Need.NEEDED,
                    "building and inspecting a running server",
                    "apt-get install openjdk-17-jdk (17 or newer), and set JAVA_HOME",
                    machine -> machine.jdk() >= Jdk.OLDEST && machine.jdkParts().isEmpty(),
                    machine -> "Java " + machine.jdk()
                            + (machine.jdkParts().isEmpty()
                                    ? ""
                                    : " without " + String.join(" and ", machine.jdkParts()) + ": not a full JDK")),
            new Check<>(
                    MAVEN,
                    Need.NEEDED,
                    machine -> "building and running servlet-bench",
                    machine -> machine.mavenHasJava()
                            ? "apt-get install maven (" + LEAST_MAVEN + " or newer)"
                            : "set JAVA_HOME to a JDK " + Jdk.OLDEST + " or newer",
                    machine -> machine.mavenHasJava()
                            && machine.maven()
                                    .filter(maven -> isAtLeast(maven.version(), LEAST_MAVEN))
                                    .isPresent(),
                    machine -> machine.maven()
                            .map(maven -> maven.version() + (maven.java().isEmpty() ? "" : " on Java " + maven.java()))
                            .orElse("not on the PATH")),
            new Check<>(
                    "memory",
                    Need.NEEDED,
                    "the server under load",
                    "stop other programs, or give -Djvm.options=FILE with a smaller -Xmx",
                    machine -> machine.availableBytes() >= machine.serverBytes(),
                    machine -> mib(machine.availableBytes()) + " MiB are free, a server may need "
                            + mib(machine.serverBytes())),
            new Check<>(
                    "file handles",
                    Need.NEEDED,
                    machine -> "the highest load, " + machine.users() + " users with a connection each",
                    machine -> "ulimit -n " + machine.neededHandles(),
                    machine -> machine.fileHandles() >= machine.neededHandles(),
                    machine -> machine.fileHandles() + " open files are allowed"),
            new Check<>(
                    "port",
                    Need.NEEDED,
                    "the server under load",
                    "stop the programs that use them, or widen net.ipv4.ip_local_port_range",
                    Readings::freePort,
                    machine -> (machine.freePort() ? "a free one" : "none") + " on 127.0.0.1"),
            new Check<>(
                    "newest JDK",
                    Need.QUALITY,
                    "a tested JDK, " + Jdk.OLDEST + " to " + Jdk.NEWEST
                            + " (Gatling, JMeter or Maven may not run on a newer one)",
                    "set JAVA_HOME to one of these (an arm's server may run on another: jdk)",
                    machine -> machine.jdk() <= Jdk.NEWEST,
                    machine -> "Java " + machine.jdk()),
            new Check<>(
                    "cores",
                    Need.QUALITY,
                    "a generator that takes no CPU time from the server",
                    "use a machine with two or more cores, and apt-get install util-linux (taskset)",
                    machine -> machine.cores() >= 2 && machine.pinning().isPresent(),
                    machine -> machine.cores() + ": "
                            + machine.pinning().orElse("server and generator cannot be pinned apart")),
            scheduler(Readings::scheduling),
            groupMemory(Readings::groupTooLittle),
            new Check<>(
                    "CPU limits",
                    Need.OPTIONAL,
                    "the key cpus of an arm",
                    "run as root, or let systemd delegate cpu to you",
                    Readings::cpuLimits,
                    machine -> (machine.cpuLimits() ? "" : "no ") + "cgroup limits of CPU time"),
            new Check<>(
                    "memory limits",
                    Need.OPTIONAL,
                    "the key memory of an arm",
                    "run as root, or let systemd delegate memory to you",
                    Readings::memoryLimits,
                    machine -> (machine.memoryLimits() ? "" : "no ") + "cgroup limits of memory"),
            new Check<>(
                    "huge pages",
                    Need.QUALITY,
                    "memory of equal speed for all servers (on a virtual machine the first to start may be slower)",
                    "as root: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
                    machine -> !machine.hugePages().equals("never"),
                    Readings::hugePages),
            new Check<>(
                    "CPU governor",
                    Need.QUALITY,
                    "a constant CPU clock",
                    "apt-get install linux-cpupower, then cpupower frequency-set -g performance",
                    machine -> !machine.isGoverned() || machine.governor().equals("performance"),
                    machine -> machine.isGoverned() ? machine.governor() : "not visible here"),
            new Check<>(
                    "running load",
                    Need.QUALITY,
                    "a quiet machine (other programs distort every figure)",
                    "stop other programs and wait a minute",
                    machine -> machine.load().orElse(0) <= BUSY_PER_CORE * machine.cores(),
                    machine -> known(
                            machine.load(), "%.2f programs ran on " + machine.cores() + " cores in the last minute")),
            new Check<>(
                    "steal time",
                    Need.QUALITY,
                    "undisturbed processors (a virtual machine's host may take them away)",
                    "use a machine that is not shared, or more blocks",
                    machine -> machine.stealPercent().orElse(0) <= MOST_STEAL_PERCENT,
                    machine -> known(machine.stealPercent(), "%.1f %% of the time now")));

    private static final Check<Readings> DISPLAY = new Check<>(
            "display",
            Need.OPTIONAL,
            "JMeter's GUI (mvn -Pjmeter-gui verify)",
            "use a desktop session, or apt-get install xvfb, and a JDK that is not headless",
            Readings::display,
            machine -> machine.display() ? "there" : "none");

    /** Checks of another machine. Which of them matter depends on what the machine is used for. */
    private static final List<Check<HostReadings>> HOST_CHECKS = List.of(
            new Check<>(
                    "memory for a server",
                    Need.QUALITY,
                    "--target-host",
                    "stop other programs there, or give --set server.heap=512m",
                    host -> host.availableBytes() >= host.serverBytes(),
                    host -> mib(host.availableBytes()) + " MiB are free, it may take " + mib(host.serverBytes())),
            new Check<>(
                    "memory for a generator",
                    Need.QUALITY,
                    "--load-hosts",
                    "stop other programs there",
                    host -> host.availableBytes() >= host.generatorBytes(),
                    host -> mib(host.availableBytes()) + " MiB are free, it may take " + mib(host.generatorBytes())),
            groupMemory(HostReadings::groupTooLittle),
            scheduler(HostReadings::scheduling));

    private Doctor() {}

    private static <R> Check<R> scheduler(Function<R, Scheduling> of) {
        return new Check<>(
                "scheduler",
                Need.QUALITY,
                "time slices (in a shared group, other servers' slices change how a server's threads share the processor)",
                "sysctl kernel.sched_autogroup_enabled=1; if a cgroup holds your processors, run as root, or let systemd delegate"
                        + " cpu to you",
                machine -> of.apply(machine) != Scheduling.SHARED,
                machine -> "each server: " + of.apply(machine));
    }

    private static <R> Check<R> groupMemory(Function<R, Optional<String>> tooLittle) {
        return new Check<>(
                "memory for a group",
                Need.QUALITY,
                "measuring servers in time slices",
                SMALLER_HEAPS,
                machine -> tooLittle.apply(machine).isEmpty(),
                machine -> tooLittle.apply(machine).orElse("enough for all servers of a group at once"));
    }

    private static long mib(long bytes) {
        return bytes >> 20;
    }

    /** Runs all checks, those that the basic commands need first. */
    static List<Line> check(Readings machine) {
        return Stream.of(
                        CHECKS.stream().map(check -> check.of(machine)),
                        machine.programs().stream().map(Doctor::program),
                        Stream.of(DISPLAY.of(machine)).filter(any -> machine.hasSources()))
                .flatMap(lines -> lines)
                .map(line -> machine.hasSources() || !line.name().equals(MAVEN) ? line : ofZip(line))
                .toList();
    }

    /**
     * Returns the check of Maven for a distribution, which needs Maven only to download the libraries of another
     * container.
     */
    private static Line ofZip(Line maven) {
        return new Line(
                maven.name(),
                maven.state(),
                false,
                maven.found(),
                "exchanging a service's container (compare with one --app, exchange)",
                maven.hint());
    }

    private static Line program(Program program) {
        return new Line(
                program.name(),
                program.version().isPresent() ? State.OK : State.MISSING,
                program.needed(),
                program.version().orElse("not found"),
                program.purpose(),
                "apt-get install " + program.debianPackage());
    }

    /** Runs the checks of another machine. */
    static List<Line> check(HostReadings host) {
        return HOST_CHECKS.stream().map(check -> check.of(host)).toList();
    }

    private static String known(OptionalDouble figure, String format) {
        return figure.isEmpty() ? "not known" : text(format, figure.getAsDouble());
    }

    /** Compares versions part by part, ignoring everything after a dash; an unparsable version is too old. */
    static boolean isAtLeast(String version, String least) {
        try {
            return Version.parse(version.replaceFirst("-.*", "")).compareTo(Version.parse(least)) >= 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Returns the last line, which sums up the checks.
     *
     * @param clone true if there are sources
     */
    static String conclusion(List<Line> lines, boolean clone) {
        String basic = clone ? BASIC : BASIC_OF_ZIP;
        List<String> failing =
                lines.stream().filter(Line::fails).map(Line::name).toList();
        List<String> others = lines.stream()
                .filter(line -> !line.fails() && line.state() != State.OK)
                .map(Line::name)
                .toList();
        return (failing.isEmpty() ? basic + " can run" : basic + " cannot run: " + String.join(", ", failing))
                + (others.isEmpty() ? "" : "; worth a look: " + String.join(", ", others));
    }
}
