package org.servletbench.bench.load;

import static org.servletbench.bench.generator.Schedule.PART;
import static org.servletbench.bench.model.Text.text;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.servletbench.bench.generator.Schedule.InterleavedLoad;
import org.servletbench.bench.generator.SliceClock;
import org.servletbench.bench.measure.Interleaving;
import org.servletbench.bench.measure.ServerUse;
import org.servletbench.bench.measure.WarmCode;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.server.WarmUp.Burst;

/**
 * The settling of a load, in time slices that are not counted. It determines how long settling takes, and how long the
 * counted time slices are. Settling ends once every server runs hardly anything but code of its best compiler under
 * this very load ({@link WarmCode}), or at the limit. If the code is not visible, it ends once no server became faster
 * from one part to the next and every compiler is quiet. Generators report the parts ({@link SliceClock}).
 */
final class Stabilization {

    /** Maximum rise of the throughput that can still be noise, in percent. A part has few seconds of each server. */
    private static final double RISE_PERCENT = 10;
    /** The same limit as for measured servers, in percent of the server's own CPU time. */
    static final double COMPILER_PERCENT = ServerUse.COMPILING_PERCENT;

    /** Number of quiet parts that are required. A compiler that is quiet for one part often has more to do. */
    private static final int QUIET_PARTS = 2;

    /**
     * Settling time after which servers need only look warm, as a multiple of {@code settlingMs}. Before that, they
     * must certainly be warm.
     */
    private static final int SURE_SETTLES = 2;

    private final InterleavedLoad timeSlices;
    private final int hosts;
    /**
     * Returns, for the index of a server, the CPU time of its compiler since the last call, in percent of the server's
     * own CPU time.
     */
    private final IntToDoubleFunction compilers;
    /** Returns, for the index of a server, the samples of its code under this load. */
    private final IntFunction<Optional<WarmCode>> codes;

    private final List<List<Burst>> bursts;
    private final Map<Object, Queue<Part>> waiting = new HashMap<>();
    /** The latest samples by the index of the server; none if the code is not visible. */
    private final Map<Integer, WarmCode> seen = new TreeMap<>();

    private long settledMs;

    private record Part(long ms, long[] answers) {}

    Stabilization(
            InterleavedLoad timeSlices,
            int hosts,
            IntToDoubleFunction compilers,
            IntFunction<Optional<WarmCode>> codes) {
        this.timeSlices = timeSlices;
        this.codes = codes;
        this.hosts = hosts;
        this.compilers = compilers;
        bursts = timeSlices.endpoints().stream()
                .map(endpoint -> (List<Burst>) new ArrayList<Burst>())
                .toList();
    }

    /** Returns the load that a line of a generator is about. */
    static String load(String line) {
        return words(line)[2];
    }

    private static String[] words(String line) {
        return line.substring(PART.length()).strip().split(" ", 3);
    }

    /**
     * Processes a part that a generator has reported.
     *
     * @param host the generator's host
     * @return length of a time slice, ms; empty: the load continues in time slices that are not counted
     */
    synchronized OptionalLong reported(Object host, String line) {
        String[] words = words(line);
        long[] answers =
                Arrays.stream(words[1].split(",")).mapToLong(Long::parseLong).toArray();
        waiting.computeIfAbsent(host, one -> new ArrayDeque<>()).add(new Part(Long.parseLong(words[0]), answers));
        if (waiting.size() < hosts || waiting.values().stream().anyMatch(Queue::isEmpty)) {
            return OptionalLong.empty();
        }
        List<Part> parts = waiting.values().stream().map(Queue::remove).toList();
        long ms = parts.stream().mapToLong(Part::ms).max().orElseThrow();
        settledMs += ms;
        for (int endpoint = 0; endpoint < bursts.size(); endpoint++) {
            int index = endpoint;
            long sum = parts.stream().mapToLong(part -> part.answers[index]).sum();
            // Each server had the users for its share of the time.
            bursts.get(endpoint)
                    .add(new Burst(
                            ms / 1e3 / bursts.size(),
                            1000.0 * bursts.size() * sum / Math.max(1, ms),
                            compilers.applyAsDouble(endpoint),
                            Double.NaN));
            codes.apply(endpoint).ifPresent(code -> seen.put(index, code));
        }
        return isOver(parts) ? OptionalLong.of(timeSliceMs(parts)) : OptionalLong.empty();
    }

    private boolean isOver(List<Part> parts) {
        long planned = timeSlices.rampUpMs() + timeSlices.settlingMs();
        // Such a low number can result from a pause of the machine, and would make time slices as long as possible.
        boolean few = parts.stream()
                .flatMapToLong(part -> Arrays.stream(part.answers))
                .anyMatch(answers -> answers < Math.min(users(), InterleavedLoad.FEW));
        if (settledMs < planned
                || few && settledMs < planned + InterleavedLoad.MOST_SETTLINGS * timeSlices.settlingMs()) {
            return false;
        }
        return isWarm() || settledMs + timeSlices.partMs() > timeSlices.rampUpMs() + timeSlices.longestSettlingMs();
    }

    /** Judges by the servers' code if it is visible, otherwise by throughput and compilers. */
    private boolean isWarm() {
        if (seen.isEmpty()) {
            return isFlatAndQuiet();
        }
        // A mostly idle server gives few samples, but a small share needs many. The bound in the report shows it.
        boolean late = settledMs >= timeSlices.rampUpMs() + SURE_SETTLES * timeSlices.settlingMs();
        return seen.values().stream().allMatch(code -> code.isWarm() || late && code.looksWarm());
    }

    private boolean isFlatAndQuiet() {
        return bursts.stream()
                .allMatch(own -> WarmUpPlan.isFlat(
                                own.stream().map(Burst::requestsPerSecond).toList(), 1, RISE_PERCENT)
                        && own.subList(Math.max(0, own.size() - QUIET_PARTS), own.size()).stream()
                                .noneMatch(part -> part.compilerPercent() > COMPILER_PERCENT));
    }

    private double users() {
        return Math.ceil((double) timeSlices.users() / hosts);
    }

    /**
     * Returns the length of a slice. It is long compared with the time in which the slowest server answers pending
     * requests: {@value Interleaving#DRAINS} times users / throughput.
     */
    private long timeSliceMs(List<Part> parts) {
        double longest = timeSlices.timeSliceMs();
        for (Part part : parts) {
            double eachMs = Math.max(1, part.ms) / (double) bursts.size();
            double requestsPerMs = Arrays.stream(part.answers).min().orElseThrow() / eachMs;
            double drains = Math.ceil(Interleaving.DRAINS * users() / requestsPerMs);
            longest = Math.max(longest, Math.min(InterleavedLoad.LONGEST_MS, drains));
        }
        return (long) longest;
    }

    /** Returns the length of all parts so far, s. */
    synchronized double seconds() {
        return settledMs / 1e3;
    }

    /** Describes the progress, for people. */
    synchronized String describe() {
        return text(
                "%s, not counted yet, %.0f s: %s",
                timeSlices.name(),
                seconds(),
                IntStream.range(0, bursts.size())
                        .mapToObj(endpoint -> describe(
                                timeSlices.endpoints().get(endpoint).name().replace(" " + timeSlices.name(), ""),
                                bursts.get(endpoint),
                                Optional.ofNullable(seen.get(endpoint))))
                        .collect(Collectors.joining("; ")));
    }

    private static String describe(String name, List<Burst> own, Optional<WarmCode> code) {
        if (own.isEmpty()) {
            // A host has not reported its first part.
            return name;
        }
        Burst last = own.get(own.size() - 1);
        return text("%s %.0f requests/s", name, last.requestsPerSecond())
                + (code.isPresent()
                        ? ", " + code.get().words()
                        : Double.isNaN(last.compilerPercent())
                                ? ""
                                : text(", compiler %.0f %%", last.compilerPercent()));
    }
}
