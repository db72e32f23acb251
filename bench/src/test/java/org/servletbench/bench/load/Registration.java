package org.servletbench.bench.load;

import org.servletbench.bench.model.KnownGenerator;

/** Registers a generator, and adds its facts to the catalogue, until it is closed. */
public record Registration(Generator generator, KnownGenerator known) implements AutoCloseable {

    /** Adds a generator to the others. */
    public Registration(Generator generator) {
        this(generator, new KnownGenerator(generator.facts()));
        Generators.add(generator);
    }

    @Override
    public void close() {
        Generators.remove(generator);
        known.close();
    }
}
