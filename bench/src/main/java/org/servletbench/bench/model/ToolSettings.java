package org.servletbench.bench.model;

import java.util.List;

/**
 * How an article used its command-line generator, beyond users and time. Part of what a cell is.
 *
 * @param pauseSeconds before each request a user pauses a random time from 0 up to this, s; 0 for none (siege)
 * @param requests a window is so many requests by all users together; 0: a time
 * @param threads of the generator, where it lets us choose (wrk); 0: its own choice
 * @param keepAlive whether a user keeps its connection from one request to the next
 * @param options further options of the tool, as published
 */
public record ToolSettings(double pauseSeconds, long requests, int threads, boolean keepAlive, List<String> options) {

    /** As a campaign uses a tool when no article says otherwise. */
    public static final ToolSettings PLAIN = new ToolSettings(0, 0, 0, true, List.of());

    public ToolSettings {
        options = List.copyOf(options);
    }

    /** Whether a window is so many requests, and not a time. */
    public boolean isCounted() {
        return requests > 0;
    }

    /** The tool's name on pages and in file names: with a pause of up to 1 s, {@code siege} is {@code siege-d1}. */
    public String label(String tool) {
        return pauseSeconds > 0 ? tool + "-d" + Math.round(pauseSeconds) : tool;
    }

    /** Equal to {@link #PLAIN}: for Jackson, which leaves such values out. */
    public static final class IsPlain {
        @Override
        public boolean equals(Object other) {
            return PLAIN.equals(other);
        }

        @Override
        public int hashCode() {
            return 0;
        }
    }
}
