package org.servletbench.bench.host;

import java.io.Serializable;

/**
 * Work for another machine: a lambda that is sent there. What it captures must be serializable; paths travel as text.
 *
 * @param <T> what comes back, serializable or null
 */
@FunctionalInterface
public interface Job<T> extends Serializable {

    /**
     * Runs on the other machine.
     *
     * @param here what is kept there between jobs
     * @throws Exception comes back to the caller as a {@link org.servletbench.bench.model.TargetException}
     */
    T run(HostTools here) throws Exception;
}
