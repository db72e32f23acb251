package org.servletbench.bench.measure;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.commons.statistics.distribution.BetaDistribution;

/**
 * Kinds of code that a server's Java threads ran: samples of their CPU time, by the compiler of the running frame.
 * Threads without a Java frame (compiler, collector, the JVM's own) are not included, nor is our own probe.
 *
 * @param interpreted number of samples in interpreted code
 * @param c1 number of samples in code of the fast compiler
 * @param c2 number of samples in code of the optimising compiler, or in final code of the fast one
 */
public record CodeTiers(long interpreted, long c1, long c2) implements Serializable {

    public static final CodeTiers NONE = new CodeTiers(0, 0, 0);

    /** Marks of interpreted code, C1 and C2, in the order of this record. */
    private static final String KINDS = "01j";

    /** End of a frame of C1. */
    private static final String C1 = "_[1]";

    /** End of a frame of code that only C1's code calls. */
    private static final String C1_STUB = " Runtime1 stub";

    /** Length of a frame's end, {@code _[0]}. */
    private static final int KIND = 4;

    /** Frames of our own code in the server, which runs once a second and is never compiled. */
    private static final String PROBE = "org/servletbench/bench/server/agent/";

    /**
     * Returns the samples of async-profiler by the frame that ran. Java frames end with {@code _[0]} (interpreted),
     * {@code _[1]} (C1), {@code _[j]} (C2) or {@code _[i]} (inlined). It is the nearest frame that is not inlined, because
     * C1 inlines as well as C2. Native and kernel frames belong to the Java frame below them. From a stub of C1,
     * async-profiler does not find the compiled frames that led to it. So the nearest frame that it does find, often
     * interpreted, counts as code of C1.
     *
     * @param stacks samples by stack, which is a list of frames from the root, separated by semicolons
     */
    public static Map<String, Long> running(Map<String, Long> stacks) {
        Map<String, Long> running = new HashMap<>();
        stacks.forEach((stack, samples) -> {
            if (stack.contains(PROBE)) {
                return;
            }
            boolean fromC1 = false;
            String[] frames = stack.split(";");
            for (int i = frames.length - 1; i >= 0; i--) {
                String frame = frames[i];
                fromC1 |= frame.endsWith(C1_STUB);
                if (kind(frame) >= 0) {
                    String name = frame.substring(0, frame.length() - KIND);
                    running.merge(fromC1 ? name + C1 : frame, samples, Long::sum);
                    break;
                }
            }
        });
        return running;
    }

    /**
     * Returns the kinds of frames that ran.
     *
     * @param running number of samples by frame
     * @param finalC1 methods whose code of C1 is final, {@code java/util/ArrayList.size}
     */
    public static CodeTiers of(Map<String, Long> running, Set<String> finalC1) {
        long[] found = new long[KINDS.length()];
        running.forEach((frame, samples) -> {
            boolean best = kind(frame) == 1 && finalC1.contains(frame.substring(0, frame.length() - KIND));
            found[best ? 2 : kind(frame)] += samples;
        });
        return new CodeTiers(found[0], found[1], found[2]);
    }

    /** Returns the kind of a frame, 0 to 2, or -1 for any other text. */
    private static int kind(String frame) {
        return frame.endsWith("]") && frame.length() > KIND && frame.startsWith("_[", frame.length() - KIND)
                ? KINDS.indexOf(frame.charAt(frame.length() - 2))
                : -1;
    }

    public CodeTiers plus(CodeTiers other) {
        return new CodeTiers(interpreted + other.interpreted, c1 + other.c1, c2 + other.c2);
    }

    public CodeTiers minus(CodeTiers earlier) {
        return new CodeTiers(interpreted - earlier.interpreted, c1 - earlier.c1, c2 - earlier.c2);
    }

    @JsonIgnore
    public long samples() {
        return interpreted + c1 + c2;
    }

    /** Returns the number of samples in code that the JVM may still replace by better code. */
    public long below(TopTier top) {
        return switch (top) {
            case INTERPRETER -> 0;
            case C1 -> interpreted;
            case C2, JVMCI -> interpreted + c1;
        };
    }

    /** Returns the share of these samples, 0 to 1; NaN without a sample. */
    public double shareBelow(TopTier top) {
        return below(top) / (double) samples();
    }

    /**
     * Returns the upper limit of that share (Clopper and Pearson 1934, Biometrika 26, 404).
     *
     * @param level probability that the share is above it, such as 0.05
     * @return 0 to 1; 1 without a sample
     */
    public double mostBelow(TopTier top, double level) {
        long below = below(top);
        return below == samples()
                ? 1
                : BetaDistribution.of(below + 1.0, samples() - below).inverseSurvivalProbability(level);
    }

    /** Returns the lower limit of that share; 0 without a sample. */
    public double leastBelow(TopTier top, double level) {
        long below = below(top);
        return below == 0
                ? 0
                : BetaDistribution.of(below, samples() - below + 1.0).inverseCumulativeProbability(level);
    }
}
