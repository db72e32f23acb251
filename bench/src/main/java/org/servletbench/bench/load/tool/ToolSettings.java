package org.servletbench.bench.load.tool;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.UsageException;

/**
 * How a campaign uses the command-line generators. A generator's name may carry a pause, which makes it another generator to
 * the campaign: {@code siege-d1} is siege with a random pause of up to 1 s before each request. Options for all of them:
 * {@code tool.threads} (wrk), {@code tool.keep-alive} (true where not given), {@code tool.requests} by all users together
 * instead of a time (ab), {@code tool.options}, with blanks between.
 */
public final class ToolSettings {

    private static final Pattern PAUSE = Pattern.compile("(siege)-d(\\d{1,2})");

    private ToolSettings() {}

    /**
     * The program behind a generator's name.
     *
     * @throws UsageException if there is none
     */
    public static CommandLineGenerator tool(String generator) {
        Matcher pause = PAUSE.matcher(generator);
        return CommandLineGenerator.named(pause.matches() ? pause.group(1) : generator);
    }

    /** siege with a random pause from 0 to so many seconds before each request. */
    public static String withPause(String generator, double maxSeconds) {
        return maxSeconds > 0 ? generator + "-d" + Math.round(maxSeconds) : generator;
    }

    /** The longest pause before a request that a generator's name asks for, s; 0 for none. */
    public static double maxPauseSeconds(String generator) {
        Matcher pause = PAUSE.matcher(generator);
        return pause.matches() ? Integer.parseInt(pause.group(2)) : 0;
    }

    /** Whether this is a generator's name with a pause. */
    static boolean isPaused(String generator) {
        return PAUSE.matcher(generator).matches();
    }

    /** Whether a window is so many requests, and not a time. */
    static boolean isCounted(Options options) {
        return options.isGiven("tool.requests");
    }

    /** The load of one window. */
    static ToolLoad load(Options options, String generator, URI url, int users, double seconds) {
        boolean counted = isCounted(options);
        return new ToolLoad(
                url,
                users,
                counted ? Optional.empty() : Optional.of(Duration.ofSeconds(Math.round(Math.ceil(seconds)))),
                counted ? OptionalLong.of(options.integer("tool.requests", users, 100_000_000)) : OptionalLong.empty(),
                OptionalInt.empty(),
                !options.isGiven("tool.keep-alive") || options.flag("tool.keep-alive"),
                options.isGiven("tool.threads")
                        ? OptionalInt.of(options.integer("tool.threads", 1, users))
                        : OptionalInt.empty(),
                maxPauseSeconds(generator),
                options.isGiven("tool.options")
                        ? Arrays.asList(options.required("tool.options").split(" +"))
                        : List.of(),
                ToolLoad.DEFAULT_LIMIT);
    }
}
