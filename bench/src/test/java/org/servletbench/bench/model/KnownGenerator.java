package org.servletbench.bench.model;

/** Adds a generator's facts to the catalogue until it is closed. */
public record KnownGenerator(GeneratorFacts facts) implements AutoCloseable {

    /** Adds a generator to the others. */
    public KnownGenerator {
        GeneratorFacts.add(facts);
    }

    @Override
    public void close() {
        GeneratorFacts.remove(facts);
    }
}
