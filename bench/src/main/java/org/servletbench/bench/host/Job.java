package org.servletbench.bench.host;

import java.io.Serializable;

/**
 * Work for another machine: a lambda that is sent there. Its captured values must be serializable; paths are sent as
 * text.
 *
 * @param <T> type of the result, serializable or null
 */
@FunctionalInterface
public interface Job<T> extends Serializable {

    /**
     * Runs on the other machine.
     *
     * @param here objects that are kept there between jobs
     * @throws Exception any failure, which the caller receives as a
     *     {@link org.servletbench.bench.model.TargetException}
     */
    T run(HostTools here) throws Exception;
}
