package org.servletbench.bench.model;

import java.util.List;

/**
 * Settings of a generator besides users and time, from an article or for an experiment. They are part of a load's
 * identity.
 *
 * @param pause pause of a user between requests
 * @param requests number of requests in a window, from all users together; 0 if a window is a time
 * @param threads number of the generator's threads, if it has the option (wrk); 0 for its own default
 * @param keepAlive true if users keep their connections from one request to the next
 * @param options further options of the tool, as published
 * @param timeSlices length of the servers' time slices
 */
public record ToolSettings(
        Pause pause, long requests, int threads, boolean keepAlive, List<String> options, SliceLength timeSlices) {

    /** Length of the servers' time slices. */
    public enum SliceLength {
        AS_PLANNED,
        /** Slices of {@value ToolSettings#LONG_MS} ms, in which a server behaves as if it were up alone. */
        LONG
    }

    /** Length of a long time slice, ms. */
    public static final long LONG_MS = 3000;

    /** Default settings of a campaign. */
    public static final ToolSettings PLAIN = new ToolSettings(Pause.NONE, 0, 0, true, List.of());

    /** Plain settings with long time slices. */
    public static final ToolSettings LONG_SLICES =
            new ToolSettings(Pause.NONE, 0, 0, true, List.of(), SliceLength.LONG);

    public ToolSettings {
        options = List.copyOf(options);
    }

    /** Creates settings with the plan's time slices. */
    public ToolSettings(Pause pause, long requests, int threads, boolean keepAlive, List<String> options) {
        this(pause, requests, threads, keepAlive, options, SliceLength.AS_PLANNED);
    }

    /** True if all settings except pauses have their defaults. */
    public boolean onlyPauses() {
        return equals(new ToolSettings(
                pause, PLAIN.requests, PLAIN.threads, PLAIN.keepAlive, PLAIN.options, PLAIN.timeSlices));
    }

    /** True if a window is a number of requests instead of a time. */
    public boolean isCounted() {
        return requests > 0;
    }

    /**
     * Returns the tool's name on pages and in file names. With long slices, {@code gatling} becomes
     * {@code gatling-long}.
     */
    public String label(String tool) {
        return timeSlices == SliceLength.LONG ? tool + "-long" : tool;
    }

    /** Makes Jackson leave out values that equal {@link #PLAIN}. */
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
