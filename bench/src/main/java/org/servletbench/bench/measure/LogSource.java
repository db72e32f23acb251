package org.servletbench.bench.measure;

/**
 * The writer of a log and the kinds of data in it.
 *
 * @param tool the generator, e.g. {@code Gatling 3.15.1}
 * @param description from the head of the log; may be empty
 * @param originMs the epoch time in ms that the log's times count from; 0 if they are epoch times themselves
 * @param bytes true if bytes received are logged
 * @param sentBytes true if bytes sent are logged
 * @param evenStarts true if the requests of a load at a rate, which has a population with the load's name, start evenly; see {@link
 *     EvenStarts}
 */
public record LogSource(
        String tool,
        String description,
        long originMs,
        Users users,
        boolean bytes,
        boolean sentBytes,
        boolean evenStarts) {
    /** Source of the number of active users. */
    public enum Users {
        /** The log has a record for every user that starts or ends. */
        RECORDS,
        /** Every sample states the users that were active when it ended. */
        SAMPLES,
        /** Not in the log. */
        UNKNOWN
    }

    public String words() {
        return description.isEmpty() ? tool : tool + ", " + description;
    }

    /** Returns the same log by a clock that is ahead by this many ms. */
    public LogSource later(long ms) {
        return new LogSource(tool, description, originMs + ms, users, bytes, sentBytes, evenStarts);
    }

    /** Returns this source with unknown users. */
    public LogSource withoutUsers() {
        return new LogSource(tool, description, originMs, Users.UNKNOWN, bytes, sentBytes, evenStarts);
    }

    /** True if both may be logs of one load that several hosts applied: everything but the origin is equal. */
    public boolean isOfTheSameLoadAs(LogSource other) {
        return later(other.originMs - originMs).equals(other);
    }
}
