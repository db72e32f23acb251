package org.servletbench.bench.measure;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.io.Serializable;
import java.util.Map;
import org.apache.commons.statistics.distribution.BetaDistribution;

/**
 * Kinds of code that a server's Java threads ran: samples of their CPU time, by the compiler of the running frame.
 * Threads without a Java frame (compiler, collector, the JVM's own) are not included, nor is our own probe.
 *
 * @param interpreted number of samples in interpreted code
 * @param c1 number of samples in code of the fast compiler
 * @param c2 number of samples in code of the optimising compiler
 */
public record CodeTiers(long interpreted, long c1, long c2) implements Serializable {

    public static final CodeTiers NONE = new CodeTiers(0, 0, 0);

    /** Frames of our own code in the server, which runs once a second and is never compiled. */
    private static final String PROBE = "org/servletbench/bench/server/agent/";

    /**
     * Counts the stacks of async-profiler, whose Java frames end with {@code _[0]} (interpreted), {@code _[1]} (C1),
     * {@code _[j]} (C2) or {@code _[i]} (inlined). The nearest frame that is not inlined determines the kind of a
     * sample, because C1 inlines as well as C2. Native and kernel frames belong to the Java frame below them.
     *
     * @param stacks samples by stack, which is a list of frames from the root, separated by semicolons
     */
    public static CodeTiers of(Map<String, Long> stacks) {
        long[] found = new long[3];
        stacks.forEach((stack, samples) -> {
            if (stack.contains(PROBE)) {
                return;
            }
            String[] frames = stack.split(";");
            for (int i = frames.length - 1; i >= 0; i--) {
                int kind = frames[i].endsWith("]")
                                && frames[i].length() > 4
                                && frames[i].startsWith("_[", frames[i].length() - 4)
                        ? "01j".indexOf(frames[i].charAt(frames[i].length() - 2))
                        : -1;
                if (kind >= 0) {
                    found[kind] += samples;
                    break;
                }
            }
        });
        return new CodeTiers(found[0], found[1], found[2]);
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
