package org.servletbench.bench.model;

import java.util.List;

/**
 * How a generator is used, beyond users and time: as an article did, or an experiment does. Part of what a cell is.
 *
 * @param pauseSeconds before each request a user pauses a random time from 0 up to this, s; 0 for none (siege)
 * @param requests a window is so many requests by all users together; 0: a time
 * @param threads of the generator, where it lets us choose (wrk); 0: its own choice
 * @param keepAlive whether a user keeps its connection from one request to the next
 * @param options further options of the tool, as published
 * @param turns of the servers
 */
public record ToolSettings(
        double pauseSeconds, long requests, int threads, boolean keepAlive, List<String> options, Turns turns) {

    /** How long the turns of servers are. */
    public enum Turns {
        AS_PLANNED,
        /** Of {@value ToolSettings#LONG_MS} ms, in which a server is as it is alone. */
        LONG
    }

    /** Length of a long turn, ms. */
    public static final long LONG_MS = 3000;

    /** As a campaign uses a tool when no article says otherwise. */
    public static final ToolSettings PLAIN = new ToolSettings(0, 0, 0, true, List.of());

    /** The same in long turns. */
    public static final ToolSettings LONG_TURNS = new ToolSettings(0, 0, 0, true, List.of(), Turns.LONG);

    /** Older files do not name the turns. */
    public ToolSettings {
        turns = turns == null ? Turns.AS_PLANNED : turns;
        options = List.copyOf(options);
    }

    /** In the turns of the plan. */
    public ToolSettings(double pauseSeconds, long requests, int threads, boolean keepAlive, List<String> options) {
        this(pauseSeconds, requests, threads, keepAlive, options, Turns.AS_PLANNED);
    }

    /** Whether a window is so many requests, and not a time. */
    public boolean isCounted() {
        return requests > 0;
    }

    /**
     * The tool's name on pages and in file names: with a pause of up to 1 s, {@code siege} is {@code siege-d1}; in long turns
     * {@code gatling} is {@code gatling-long}.
     */
    public String label(String tool) {
        String paused = pauseSeconds > 0 ? tool + "-d" + Math.round(pauseSeconds) : tool;
        return turns == Turns.LONG ? paused + "-long" : paused;
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
