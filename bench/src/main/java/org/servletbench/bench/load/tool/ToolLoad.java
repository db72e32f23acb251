package org.servletbench.bench.load.tool;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.servletbench.bench.model.UsageException;

/**
 * The load that a command-line generator applies: one URL, closed model. It ends by {@code duration} or
 * {@code requests}; each tool declares which of them it supports.
 *
 * @param url http or https, with its path; the URL of a server that servlet-bench started, on this machine or one that
 *     the user allowed
 * @param users number of concurrent users, from 1
 * @param duration length of the load, in whole seconds
 * @param requests number of requests by all users together
 * @param keepAlive true if a user keeps its connection from one request to the next
 * @param threads number of threads of the generator, if it has the option (wrk)
 * @param maxPauseSeconds maximum random pause of a user before each request, s; 0 for none (siege)
 * @param options further options of the tool as they were published; only options that the tool declares harmless
 */
public record ToolLoad(
        URI url,
        int users,
        Optional<Duration> duration,
        OptionalLong requests,
        boolean keepAlive,
        OptionalInt threads,
        double maxPauseSeconds,
        List<String> options) {

    /** Maximum time of a load that ends by a number of requests. */
    private static final Duration LIMIT = Duration.ofMinutes(10);

    /**
     * @throws UsageException if such a load is impossible
     */
    public ToolLoad {
        options = List.copyOf(options);
        requirePlain(url);
        require(users >= 1, "users must be 1 or more, not " + users);
        require(
                duration.isPresent() || requests.isPresent(),
                "say when the load ends: a duration, or a number of requests");
        duration.ifPresent(time -> require(
                !time.isZero() && !time.isNegative() && time.equals(Duration.ofSeconds(time.toSeconds())),
                "a command-line generator runs whole seconds, not " + time.toMillis() + " ms"));
        requests.ifPresent(number -> require(
                number >= users, "requests=" + number + " must be at least one for each of " + users + " users"));
        threads.ifPresent(number -> require(
                number >= 1 && number <= users, "threads must be from 1 to the number of users, not " + number));
        // wrk gives each thread the same number of users, and silently drops the rest.
        threads.ifPresent(number -> require(
                users % number == 0,
                "users must be a multiple of threads: " + users + " is not a multiple of " + number));
        require(
                maxPauseSeconds >= 0 && maxPauseSeconds <= 60,
                "the pause must be from 0 to 60 s, not " + maxPauseSeconds);
    }

    /** Returns the maximum time of the load. */
    Duration longest() {
        return duration.orElse(LIMIT);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new UsageException(message);
        }
    }

    private static void requirePlain(URI url) {
        boolean plain = List.of("http", "https").contains(String.valueOf(url.getScheme()))
                && url.getHost() != null
                && url.getUserInfo() == null
                && url.getFragment() == null
                && url.getRawPath().startsWith("/");
        require(plain, "'" + url + "' is not a plain address with a path, such as http://127.0.0.1:8080/hello");
    }
}
