package org.servletbench.bench.server.process;

import java.nio.file.Path;
import java.util.Optional;
import org.servletbench.bench.server.os.ManagedProcess;

/**
 * Configuration of the reference server.
 *
 * @param config the template of its configuration
 * @param page the body of {@code /}
 * @param payload the body of {@code /payload}
 */
public record NginxSpec(Path config, Path page, Path payload) {

    /** The arm's name. */
    public static final String ARM = "nginx";

    /** Returns the spec of this repository. */
    public static NginxSpec of(Path root) {
        Path resources = root.resolve("target-apps/spring-boot/src/main/resources");
        return new NginxSpec(
                root.resolve("target-apps/nginx/nginx.conf"),
                resources.resolve("static/index.html"),
                resources.resolve("payload.txt"));
    }

    /** Returns the line that says what to install; empty if nothing is missing. */
    public static Optional<String> missing() {
        return ManagedProcess.onPath("nginx").isPresent()
                ? Optional.empty()
                : Optional.of("nginx is not on this machine: apt-get install nginx-light");
    }
}
