package org.servletbench.micronaut;

import io.micronaut.runtime.Micronaut;

/** The target app on Micronaut; its address and port come as {@code --micronaut.server.host} and {@code --micronaut.server.port}. */
public final class TargetApplication {

    private TargetApplication() {}

    /** Starts the server. */
    public static void main(String[] arguments) {
        Micronaut.run(TargetApplication.class, arguments);
    }
}
