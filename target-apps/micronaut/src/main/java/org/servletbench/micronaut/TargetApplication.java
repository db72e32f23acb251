package org.servletbench.micronaut;

import io.micronaut.runtime.Micronaut;

/**
 * The target app on Micronaut. The options {@code --micronaut.server.host} and {@code --micronaut.server.port} set its
 * address and port.
 */
public final class TargetApplication {

    private TargetApplication() {}

    public static void main(String[] arguments) {
        Micronaut.run(TargetApplication.class, arguments);
    }
}
