package org.servletbench.bench.load.tool;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.servletbench.bench.model.UsageException;

/**
 * The load that a command-line generator applies: one URL, closed model. {@code duration} or {@code requests} ends it;
 * which of them a tool knows it says itself.
 *
 * @param url http or https, with its path; of a server that we started, here or where the user allowed it
 * @param users concurrent users, from 1
 * @param duration how long; whole seconds
 * @param requests how many requests by all users together
 * @param keepAlive whether a user keeps its connection from one request to the next
 * @param threads threads of the generator, where it lets us choose (wrk)
 * @param maxPauseSeconds before each request a user pauses a random time from 0 up to this, s; 0 for none (siege)
 * @param options further options of the tool as they were published; only those that a tool names as harmless
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

    /** How long a load that ends by a number of requests may take. */
    private static final Duration LIMIT = Duration.ofMinutes(10);

    /** @throws UsageException if the load cannot be */
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
        // wrk gives each thread as many users as the others, and leaves out the rest without a word.
        threads.ifPresent(number -> require(
                users % number == 0, "users must be a multiple of threads, and " + users + " is none of " + number));
        require(
                maxPauseSeconds >= 0 && maxPauseSeconds <= 60,
                "the pause must be from 0 to 60 s, not " + maxPauseSeconds);
    }

    /** How long it takes at the most. */
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
        require(plain, "'" + url + "' is no plain address with a path, such as http://127.0.0.1:8080/hello");
    }
}
