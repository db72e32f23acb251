package org.servletbench.bench.load;

/** Registers a generator until it is closed. */
public record Registration(Generator generator) implements AutoCloseable {

    /** Adds it where the others are. */
    public Registration {
        Generators.add(generator);
    }

    @Override
    public void close() {
        Generators.remove(generator);
    }
}
