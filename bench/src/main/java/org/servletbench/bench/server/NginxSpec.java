package org.servletbench.bench.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The reference server before it starts.
 *
 * @param config the template of its configuration
 * @param page the body of {@code /}
 * @param payload the body of {@code /payload}
 * @param port the port asked for; empty for any free one
 * @param cpus processors as {@code taskset -c} takes them; empty for all
 * @param startTimeout how long it may take until it answers
 */
public record NginxSpec(
        Path config, Path page, Path payload, OptionalInt port, Optional<String> cpus, Duration startTimeout) {

    /** The arm's name. */
    public static final String ARM = "nginx";

    private static final Duration START_TIMEOUT = Duration.ofSeconds(10);

    /** The one of this repository, on any free port and all processors. */
    public static NginxSpec of(Path root) {
        Path resources = root.resolve("target-apps/spring-boot/src/main/resources");
        return new NginxSpec(
                root.resolve("target-apps/nginx/nginx.conf"),
                resources.resolve("static/index.html"),
                resources.resolve("payload.txt"),
                OptionalInt.empty(),
                Optional.empty(),
                START_TIMEOUT);
    }

    /** The same, pinned to these processors. */
    public NginxSpec pinnedTo(String list) {
        return new NginxSpec(config, page, payload, port, Optional.of(list), startTimeout);
    }

    /** The same, on this port. */
    public NginxSpec at(int number) {
        return new NginxSpec(config, page, payload, OptionalInt.of(number), cpus, startTimeout);
    }

    /** The line that says what to install; empty where nothing is missing. */
    public static Optional<String> missing() {
        return NginxProcess.binary().isPresent()
                ? Optional.empty()
                : Optional.of("nginx is not on this machine: apt-get install nginx-light");
    }
}
