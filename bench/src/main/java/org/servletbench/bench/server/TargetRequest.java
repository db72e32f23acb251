package org.servletbench.bench.server;

import java.net.URI;
import org.servletbench.bench.server.process.TargetSpec;

/** The server of a single run. */
public sealed interface TargetRequest {

    /** A server that servlet-bench starts and stops. */
    record ToStart(TargetSpec spec) implements TargetRequest {}

    /**
     * A server that is already running.
     *
     * @param url its address, which has been checked
     */
    record Running(URI url) implements TargetRequest {}
}
