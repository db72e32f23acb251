package org.servletbench.bench.server.os;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.servletbench.bench.model.Scheduling;

/**
 * A server's own group of threads, to the kernel's scheduler. The scheduler keeps an account of the processor time of each
 * thread, within a group. Where servers that take turns share a group, the turn of one settles the accounts of the other's
 * threads, and the other begins each turn as if its threads had never competed. Measured: Tomcat then switched context less
 * often than with the processor to itself, 0.15 times a request instead of 0.18 (docs/proof.md).
 *
 * <p>A session of its own is such a group where the kernel groups by session (autogroup, sched(7)) and no control group has
 * the processors in its place; else a control group is made.
 */
public final class SchedulerGroup implements AutoCloseable {

    private static final Path PROC = Path.of("/proc");
    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
    private static final Path ENABLED = Path.of("/proc/sys/kernel/sched_autogroup_enabled");

    private final Optional<ControlGroup> own;

    private SchedulerGroup(Optional<ControlGroup> own) {
        this.own = own;
    }

    /** @param memory the control group that the server is in already, if any */
    public static SchedulerGroup make(Optional<ControlGroup> memory) {
        // In version 2 a process is in one group for all purposes.
        boolean taken = memory.isPresent() && memory.get().version() == ControlGroup.Version.V2;
        return new SchedulerGroup(
                taken || sessionsCount(group("self")) ? Optional.empty() : ControlGroup.ofProcessors());
    }

    /** The command that begins a session, enters the group and becomes this one: its process id stays. */
    public List<String> entering(List<String> command) {
        // setsid makes no process of its own for one that leads no process group, as of a JVM's children none does.
        List<String> whole = new ArrayList<>(List.of("setsid"));
        whole.addAll(command);
        return own.map(group -> group.entering(whole)).orElse(whole);
    }

    /** What a server would be, if it were started now. */
    public static Scheduling expected() {
        if (sessionsCount(group("self"))) {
            return Scheduling.SESSION;
        }
        Optional<ControlGroup> trial = ControlGroup.ofProcessors();
        trial.ifPresent(ControlGroup::close);
        return trial.isPresent() ? Scheduling.CONTROL_GROUP : Scheduling.SHARED;
    }

    /**
     * What a process that runs is to the scheduler, beside this one.
     *
     * @return {@link Scheduling#SHARED} also where the kernel does not say
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
     * The control group that has a process's share of the processors.
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
        // Version 2: that of the nearest group around it for which the controller is on; never of the root.
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
