package org.servletbench.bench.record;

import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.servletbench.bench.measure.CollapsedStacks;
import org.servletbench.bench.model.MeasuredLoad;

/**
 * Stack samples of a server under an uncounted load.
 *
 * @param load the load; the measured CPU time of its requests is divided among the layers
 * @param samples number of stacks
 * @param seen share of the server's CPU time that the samples cover
 * @param layers share of the samples by layer, 0 to 1
 * @param frames share of the samples by frame, for the most frequent frames by self time
 */
public record CpuProfile(
        MeasuredLoad load, long samples, double seen, Map<String, Double> layers, Map<String, Double> frames) {

    /** File with the stacks, next to the server's log. */
    public static final String FILE = "profile.collapsed";

    private static final int MOST_FRAMES = 200;

    /**
     * Share of CPU time that a profile may miss or count twice, because the missed part need not resemble the rest.
     * Profiles covered 80 to 85 % while other programs used the processors, and 97 to 102 % otherwise, with few and
     * with many threads alike.
     */
    private static final double MOST_MISSED = 0.25;

    /**
     * Number of standard deviations of a number of samples (its square root) within which a deviation does not mean
     * that samples were missed. A server that is idle most of the time is sampled by few ticks of the kernel (0.69 to
     * 1.14 with 190 to 320 samples, for servers that slept in between).
     */
    private static final double CHANCE = 3;

    /**
     * Sums up the profiler's output.
     *
     * @param cpuMillis CPU time of the server while it was profiled, ms
     * @param intervalMillis CPU time that a sample represents, ms
     * @throws IOException if it cannot be read, has no samples, or its samples cover much less or more than the CPU
     *     time, so that shares would be those of other work
     */
    public static CpuProfile read(Path collapsed, MeasuredLoad load, Layers layers, long cpuMillis, long intervalMillis)
            throws IOException {
        Map<String, Long> ofLayer = new TreeMap<>();
        Map<String, Long> ofFrame = new HashMap<>();
        long samples = 0;
        for (Map.Entry<String, Long> stack : CollapsedStacks.read(collapsed).entrySet()) {
            String[] frames = stack.getKey().split(";");
            samples += stack.getValue();
            ofLayer.merge(layers.of(frames), stack.getValue(), Long::sum);
            ofFrame.merge(frames[frames.length - 1], stack.getValue(), Long::sum);
        }
        if (samples == 0) {
            throw new IOException("the profiler saw no stack");
        }
        double all = samples;
        Map<String, Double> shares = new TreeMap<>();
        ofLayer.forEach((layer, seen) -> shares.put(layer, seen / all));
        Map<String, Double> most = ofFrame.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST_FRAMES)
                .collect(Collectors.toMap(
                        Map.Entry::getKey, one -> one.getValue() / all, (one, same) -> one, LinkedHashMap::new));
        return new CpuProfile(load, samples, covered(samples, cpuMillis, intervalMillis), shares, most);
    }

    /** Returns the share of the CPU time that the samples cover. Throws an IOException if it is not close to 1. */
    private static double covered(long samples, long cpuMillis, long intervalMillis) throws IOException {
        double expected = Math.max(1.0, cpuMillis) / intervalMillis;
        double share = samples / expected;
        double allowed = MOST_MISSED + CHANCE / Math.sqrt(expected);
        if (Math.abs(share - 1) > allowed) {
            throw new IOException(text(
                    "the profiler saw %.0f %% of the server's CPU time (at least %.0f and at most %.0f %% are needed of %.0f samples)",
                    100 * share, 100 * Math.max(0, 1 - allowed), 100 * (1 + allowed), expected));
        }
        return share;
    }
}
