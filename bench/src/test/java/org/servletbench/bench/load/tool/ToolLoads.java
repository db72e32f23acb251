package org.servletbench.bench.load.tool;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.servletbench.bench.load.ToolWatch;

/** Loads for tests. */
public final class ToolLoads {

    /** For loads that need no watch. */
    public static final ToolWatch UNWATCHED = ToolWatch.NOBODY;

    private ToolLoads() {}

    /** Returns a load with this number of users for this time, on persistent connections. */
    public static ToolLoad lasting(URI url, int users, Duration duration) {
        return load(url, users, Optional.of(duration), OptionalLong.empty());
    }

    /** Returns a load of this many requests by all users together, on persistent connections. */
    public static ToolLoad counting(URI url, int users, long requests) {
        return load(url, users, Optional.empty(), OptionalLong.of(requests));
    }

    private static ToolLoad load(URI url, int users, Optional<Duration> duration, OptionalLong requests) {
        return new ToolLoad(url, users, duration, requests, true, OptionalInt.empty(), 0, List.of());
    }

    private static ToolLoad with(
            ToolLoad load, boolean keepAlive, OptionalInt threads, double maxPauseSeconds, List<String> options) {
        return new ToolLoad(
                load.url(),
                load.users(),
                load.duration(),
                load.requests(),
                keepAlive,
                threads,
                maxPauseSeconds,
                options);
    }

    /** Returns a load whose connections are closed after each request. */
    public static ToolLoad closing(ToolLoad load) {
        return with(load, false, load.threads(), load.maxPauseSeconds(), load.options());
    }

    /** Returns a load with this number of generator threads. */
    public static ToolLoad threads(ToolLoad load, int number) {
        return with(load, load.keepAlive(), OptionalInt.of(number), load.maxPauseSeconds(), load.options());
    }

    /** Returns a load with a random pause before each request. */
    public static ToolLoad paused(ToolLoad load, double maxSeconds) {
        return with(load, load.keepAlive(), load.threads(), maxSeconds, load.options());
    }

    /** Returns a load with additional options of the tool. */
    public static ToolLoad options(ToolLoad load, List<String> further) {
        return with(load, load.keepAlive(), load.threads(), load.maxPauseSeconds(), further);
    }
}
