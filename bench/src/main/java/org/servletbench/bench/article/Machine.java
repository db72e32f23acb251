package org.servletbench.bench.article;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * What an article says of its machines.
 *
 * @param cores processors of the server
 * @param memoryGb memory of the server, GB
 * @param os its system
 * @param generatorOnSameHost whether the generator shared it
 * @param network what lay between, where it did not
 */
public record Machine(
        OptionalInt cores,
        OptionalInt memoryGb,
        Optional<String> os,
        Optional<Boolean> generatorOnSameHost,
        Optional<String> network) {

    /** Generator and server on one machine; of the rest nothing is said. */
    public static final Machine LOOPBACK = new Machine(
            OptionalInt.empty(), OptionalInt.empty(), Optional.empty(), Optional.of(true), Optional.empty());

    /** Nothing is said. */
    public static final Machine UNKNOWN =
            new Machine(OptionalInt.empty(), OptionalInt.empty(), Optional.empty(), Optional.empty(), Optional.empty());
}
