package org.servletbench.bench.server.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.servletbench.bench.model.Cpus;
import org.servletbench.bench.model.Scheduling;

/**
 * A server's own group of threads in the kernel's scheduler. The scheduler keeps account of the processor time of each
 * thread within a group. If servers with interleaved time slices share a group, the slice of one settles the accounts
 * of the other's threads, and the other starts each slice as if its threads had never competed. In measurements, Tomcat
 * then switched context less often than with the processor to itself: 0.15 times per request instead of 0.18
 * (docs/proof.md).
 *
 * <p>A session is such a group if the kernel groups by session (autogroup, sched(7)) and no control group manages the
 * processors instead. Otherwise a control group is created. A control group can limit CPU time, too. If one server of a
 * comparison has a limit, each has a control group, because the kernel weighs a session and a control group
 * differently.
 */
public final class SchedulerGroup implements AutoCloseable {

    private static final Path PROC = Path.of("/proc");
    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
    private static final Path ENABLED = Path.of("/proc/sys/kernel/sched_autogroup_enabled");

    private final Optional<ControlGroup> own;
    /** The group that keeps account of its CPU time. */
    private final Optional<ControlGroup> accounts;

    private SchedulerGroup(Optional<ControlGroup> own, Optional<ControlGroup> accounts) {
        this.own = own;
        this.accounts = accounts;
    }

    /** @param memory control group that already contains the server, if there is one */
    public static SchedulerGroup make(Optional<ControlGroup> memory) {
        return make(memory, Optional.empty(), false);
    }

    /**
     * @param memory control group that already contains the server, if there is one; in version 2 with its limit of CPU
     * time
     *
     * @param cpus limit of CPU time; empty for none
     * @param isLimited true if this server, or another one of its comparison, has such a limit
     */
    public static SchedulerGroup make(Optional<ControlGroup> memory, Optional<Cpus> cpus, boolean isLimited) {
        // In version 2, a process is in one group for all controllers.
        Optional<ControlGroup> taken = memory.filter(group -> group.version() == ControlGroup.Version.V2);
        boolean enough = taken.isPresent() || cpus.isEmpty() && !isLimited && sessionsCount(group("self"));
        Optional<ControlGroup> own = enough ? Optional.empty() : ControlGroup.ofProcessors(cpus);
        return new SchedulerGroup(own, isLimited ? own.or(() -> taken) : Optional.empty());
    }

    /** Returns the limit of a process's CPU time, as the kernel reports it; empty if it has none. */
    public Optional<Cpus> cpus(long pid) {
        return accounts.filter(group -> group.holds(pid)).flatMap(ControlGroup::cpus);
    }

    /**
     * Returns the totals for the limit of CPU time, by {@link ControlGroup#COLUMNS}; empty if no server of its
     * comparison has one.
     *
     * @throws IOException if the kernel does not report them
     */
    public Map<String, Long> throttling() throws IOException {
        return accounts.isPresent() ? accounts.get().throttling() : Map.of();
    }

    /** True if it counts periods of CPU time. */
    public boolean hasAccounts() {
        return accounts.isPresent();
    }

    /**
     * Returns the command that starts a session, enters the group and then becomes the given command, with the same
     * process id.
     */
    public List<String> entering(List<String> command) {
        // setsid does not fork for a process that leads no process group, and a JVM's children lead none.
        List<String> whole = new ArrayList<>(List.of("setsid"));
        whole.addAll(command);
        return own.map(group -> group.entering(whole)).orElse(whole);
    }

    /** Returns the scheduling that a server would have if it were started now. */
    public static Scheduling expected() {
        if (sessionsCount(group("self"))) {
            return Scheduling.SESSION;
        }
        Optional<ControlGroup> trial = ControlGroup.ofProcessors();
        trial.ifPresent(ControlGroup::close);
        return trial.isPresent() ? Scheduling.CONTROL_GROUP : Scheduling.SHARED;
    }

    /**
     * Returns the scheduling of a running process relative to this one.
     *
     * @return {@link Scheduling#SHARED} also if the kernel does not report it
     */
    public static Scheduling of(long pid) {
        String id = Long.toString(pid);
        if (!group(id).equals(group("self"))) {
            return Scheduling.CONTROL_GROUP;
        }
        return sessionsCount(group(id)) && !autogroup(id).equals(autogroup("self"))
                ? Scheduling.SESSION
                : Scheduling.SHARED;
    }

    private static boolean sessionsCount(Path group) {
        return ControlGroup.lines(ENABLED).equals(List.of("1"))
                && group.toString().isEmpty();
    }

    private static List<String> autogroup(String id) {
        return ControlGroup.lines(PROC.resolve(id).resolve("autogroup"));
    }

    private static Path group(String id) {
        return group(CGROUPS, ControlGroup.lines(PROC.resolve(id).resolve("cgroup")));
    }

    /**
     * Returns the control group that holds a process's share of the processors.
     *
     * @param process lines of its {@code cgroup} in /proc
     * @return empty for the kernel's root group
     */
    static Path group(Path cgroups, List<String> process) {
        Path none = Path.of("");
        for (String line : process) {
            String[] parts = line.split(":", 3);
            if (List.of(parts[1].split(",")).contains("cpu")) {
                return parts[2].equals("/") ? none : Path.of(parts[2]);
            }
        }
        // Version 2: the nearest group around the process with the controller enabled, but never the root.
        for (String line : process) {
            if (line.startsWith("0::/")) {
                Path at = cgroups.resolve(line.substring("0::/".length())).normalize();
                for (; at.startsWith(cgroups); at = at.getParent()) {
                    if (Files.exists(at.resolve("cpu.weight"))) {
                        return at;
                    }
                }
            }
        }
        return none;
    }

    @Override
    public void close() {
        own.ifPresent(ControlGroup::close);
    }
}
