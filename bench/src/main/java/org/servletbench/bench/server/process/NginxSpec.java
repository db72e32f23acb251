package org.servletbench.bench.server.process;

import java.nio.file.Path;
import java.util.Optional;
import org.servletbench.bench.server.os.ManagedProcess;

/**
 * Configuration of the reference server.
 *
 * @param config template of the configuration file
 * @param page body of {@code /}
 * @param payload body of {@code /payload}
 * @param cpusLimited true if a server of its comparison has a limit of CPU time
 */
public record NginxSpec(Path config, Path page, Path payload, boolean cpusLimited) {

    /** The arm's name. */
    public static final String ARM = "nginx";

    /** Creates a spec for a comparison without limits of CPU time. */
    public NginxSpec(Path config, Path page, Path payload) {
        this(config, page, payload, false);
    }

    /**
     * Returns this spec for another comparison.
     *
     * @param limits true if a server of that comparison has a limit of CPU time
     */
    public NginxSpec beside(boolean limits) {
        return new NginxSpec(config, page, payload, limits);
    }

    /** Returns the spec of this repository. */
    public static NginxSpec of(Path root) {
        Path resources = root.resolve("target-apps/spring-boot/src/main/resources");
        return new NginxSpec(
                root.resolve("target-apps/nginx/nginx.conf"),
                resources.resolve("static/index.html"),
                resources.resolve("payload.txt"));
    }

    /** Returns a line that says what to install; empty if nothing is missing. */
    public static Optional<String> missing() {
        return ManagedProcess.onPath("nginx").isPresent()
                ? Optional.empty()
                : Optional.of("nginx is not on this machine: apt-get install nginx-light");
    }
}
