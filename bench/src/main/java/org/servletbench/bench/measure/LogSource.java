package org.servletbench.bench.measure;

/**
 * What wrote a log and what the log can tell.
 *
 * @param tool the generator, e.g. {@code Gatling 3.15.1}
 * @param description what the run says of itself; may be empty
 * @param originMs the epoch time in ms that the log's times count from; 0 when they are epoch times themselves
 * @param bytes whether bytes received are logged
 * @param sentBytes whether bytes sent are logged
 * @param evenStarts whether the requests of a load at a rate, which has a population of its name, start evenly; see {@link EvenStarts}
 */
public record LogSource(
        String tool,
        String description,
        long originMs,
        Users users,
        boolean bytes,
        boolean sentBytes,
        boolean evenStarts) {
    /** Where the number of active users is known from. */
    public enum Users {
        /** The log has a record for every user that starts or ends. */
        RECORDS,
        /** Every sample states the users that were active when it ended. */
        SAMPLES,
        /** The log does not tell. */
        UNKNOWN
    }

    public String words() {
        return description.isEmpty() ? tool : tool + ", " + description;
    }

    /** The same log by a clock that is later by so many ms. */
    public LogSource later(long ms) {
        return new LogSource(tool, description, originMs + ms, users, bytes, sentBytes, evenStarts);
    }

    /** The same where nothing is known of the users. */
    public LogSource withoutUsers() {
        return new LogSource(tool, description, originMs, Users.UNKNOWN, bytes, sentBytes, evenStarts);
    }

    /** Whether both may be logs of one load that several hosts applied: all but the origin is the same. */
    public boolean isOfTheSameLoadAs(LogSource other) {
        return later(other.originMs - originMs).equals(other);
    }
}
