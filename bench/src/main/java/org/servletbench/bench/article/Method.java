package org.servletbench.bench.article;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What an article says of how it measured.
 *
 * @param rampUpSeconds in how long the users start, s
 * @param durationSeconds how long a load lasts, s
 * @param maxPauseSeconds a user pauses a random time from 0 to this before each request, s
 * @param runsPerArm how often each arm was run
 * @param warmUp whether servers were warmed up
 */
public record Method(
        OptionalDouble rampUpSeconds,
        OptionalDouble durationSeconds,
        OptionalDouble maxPauseSeconds,
        OptionalInt runsPerArm,
        Optional<Boolean> warmUp) {

    /** Nothing is said. */
    public static final Method UNKNOWN = new Method(
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalInt.empty(),
            Optional.empty());

    /** The mean of the random pause, s: half of its greatest; 0 for none. */
    public double meanPauseSeconds() {
        return maxPauseSeconds.orElse(0) / 2;
    }
}
