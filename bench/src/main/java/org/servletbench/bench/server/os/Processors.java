package org.servletbench.bench.server.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.servletbench.bench.model.TargetException;

/**
 * Processors for servers and generators. Each gets half of those that this process may use, so that neither takes time
 * from the other. If their number is odd, the servers get the smaller half.
 */
public record Processors(List<Integer> server, List<Integer> generator) {

    /** Text for no division. */
    public static final String NONE = "none: there is one processor, or no taskset";

    private static final Duration LIMIT = Duration.ofSeconds(30);

    /**
     * Returns the division of this machine; empty with one processor, or without {@code taskset} (package util-linux).
     */
    public static Optional<Processors> divided() {
        List<Integer> allowed = allowed();
        return allowed.size() < 2 || ManagedProcess.onPath("taskset").isEmpty()
                ? Optional.empty()
                : Optional.of(divide(allowed, Processors::siblings));
    }

    /**
     * Divides this machine between a single run's server and its generator, once both are warm, as a campaign does.
     *
     * @param servers processes of the server; empty if it is external, or on another machine
     * @param generator process of the generator
     * @return description of the division
     * @throws TargetException if the system refuses
     */
    public static String divide(List<Long> servers, long generator) {
        if (servers.isEmpty()) {
            return "none: the server is not ours, or on another machine";
        }
        Optional<Processors> divided = divided();
        divided.ifPresent(division -> {
            servers.forEach(pid -> pin(pid, division.server));
            pin(generator, division.generator);
        });
        return divided.map(division ->
                        "server on processors " + list(division.server) + ", generator on " + list(division.generator))
                .orElse(NONE);
    }

    /**
     * Divides the processors. Threads of one core stay together, because otherwise they would take time from each
     * other.
     *
     * @param siblings returns the processors that are threads of the same core as a given one, including that one
     */
    static Processors divide(List<Integer> allowed, IntFunction<List<Integer>> siblings) {
        Collection<List<Integer>> cores = cores(allowed, siblings);
        List<Integer> inOrder = cores.stream().flatMap(List::stream).toList();
        int half = cores.size() < 2
                ? allowed.size() / 2
                : cores.stream().limit(cores.size() / 2).mapToInt(List::size).sum();
        return new Processors(
                inOrder.stream().limit(half).sorted().toList(),
                inOrder.stream().skip(half).sorted().toList());
    }

    /** Returns the allowed threads of each core. */
    private static Collection<List<Integer>> cores(List<Integer> allowed, IntFunction<List<Integer>> siblings) {
        return allowed.stream()
                .collect(Collectors.groupingBy(
                        processor -> Collections.min(siblings.apply(processor)), TreeMap::new, Collectors.toList()))
                .values();
    }

    /** Returns the siblings from /sys; if unknown, only the processor itself. */
    private static List<Integer> siblings(int processor) {
        Path file = Path.of("/sys/devices/system/cpu/cpu" + processor + "/topology/thread_siblings_list");
        try {
            return parse(Files.readString(file).strip());
        } catch (IOException | NumberFormatException e) {
            return List.of(processor);
        }
    }

    /** True if all processors are threads of one core, so that server and generator share it. */
    public static boolean areOneCore() {
        List<Integer> allowed = allowed();
        return allowed.size() > 1 && cores(allowed, Processors::siblings).size() == 1;
    }

    /**
     * Returns the allowed processors, but no more than a quota permits (a container's limit of CPU time). Beyond it,
     * they would be throttled unnoticed.
     */
    private static List<Integer> allowed() {
        List<Integer> all = allowed(Path.of("/proc/self/status")).orElse(List.of());
        return all.subList(0, Math.min(all.size(), Runtime.getRuntime().availableProcessors()));
    }

    /**
     * Returns the processors that a process or thread may use, from its file {@code status} in /proc; empty if it has
     * ended.
     */
    static Optional<List<Integer>> allowed(Path status) {
        return LinuxKernel.value(status, "Cpus_allowed_list").map(Processors::parse);
    }

    /** Parses a list as the kernel writes it: {@code 0-3,8}. */
    static List<Integer> parse(String list) {
        List<Integer> processors = new ArrayList<>();
        for (String part : list.split(",")) {
            String[] ends = part.split("-");
            IntStream.rangeClosed(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]))
                    .forEach(processors::add);
        }
        return processors;
    }

    /** Formats a list for {@code taskset -c}: {@code 0,1}. */
    public static String list(List<Integer> processors) {
        return processors.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /**
     * Pins a process, with all its present and future threads, to these processors.
     *
     * @throws TargetException if the system refuses
     */
    public static void pin(long pid, List<Integer> processors) {
        try {
            ManagedProcess.Ended taskset = ManagedProcess.run(
                    new ProcessBuilder("taskset", "-a", "-c", "-p", list(processors), Long.toString(pid)), LIMIT);
            // If a thread ends between the listing and the call, taskset fails without harm. A second look shows that.
            if (taskset.exitCode() != 0 && !isPinned(pid, processors)) {
                throw new TargetException("cannot pin process " + pid + " to processors " + list(processors) + ": "
                        + taskset.lastLine().orElse(""));
            }
        } catch (IOException e) {
            throw new TargetException("cannot run taskset (" + e.getMessage() + ")");
        } catch (InterruptedException e) {
            throw TargetException.interrupted("dividing processors");
        }
    }

    private static boolean isPinned(long pid, List<Integer> processors) throws IOException {
        try (var tasks = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            return tasks.allMatch(task ->
                    allowed(task.resolve("status")).map(processors::equals).orElse(true));
        }
    }
}
