package org.servletbench.bench.host;

import java.io.Serializable;

/** What goes through the connection. */
sealed interface Message extends Serializable {

    /** @param id repeated by the reply */
    record Request(long id, Job<?> job) implements Message {}

    /**
     * @param value what the job gave
     * @param failure what it threw; null if it went well
     */
    record Reply(long id, Object value, Throwable failure) implements Message {}
}
