package org.servletbench.bench.measure;

/**
 * The program that wrote a log, and what the log contains.
 *
 * @param tool the generator, e.g. {@code Gatling 3.15.1}
 * @param description text from the head of the log; may be empty
 * @param originMs epoch time from which the log's times count, ms; 0 if they are epoch times themselves
 * @param bytes true if the log contains bytes received
 * @param sentBytes true if the log contains bytes sent
 * @param evenStarts true if the requests of a load at a rate, which has a population with the load's name, start
 *     evenly; see {@link EvenStarts}
 */
public record LogSource(
        String tool,
        String description,
        long originMs,
        Users users,
        boolean bytes,
        boolean sentBytes,
        boolean evenStarts) {
    /** How the number of active users is known. */
    public enum Users {
        /** The log has a record for every user that starts or ends. */
        RECORDS,
        /** Every sample contains the number of users that were active when it ended. */
        SAMPLES,
        /** The log does not contain users. */
        UNKNOWN
    }

    public String words() {
        return description.isEmpty() ? tool : tool + ", " + description;
    }

    /** Returns the same log on a clock that is ahead by this time, ms. */
    public LogSource later(long ms) {
        return new LogSource(tool, description, originMs + ms, users, bytes, sentBytes, evenStarts);
    }

    /** Returns this source with unknown users. */
    public LogSource withoutUsers() {
        return new LogSource(tool, description, originMs, Users.UNKNOWN, bytes, sentBytes, evenStarts);
    }

    /** True if both may be logs of one load that several hosts applied. Everything except the origin must be equal. */
    public boolean isOfTheSameLoadAs(LogSource other) {
        return later(other.originMs - originMs).equals(other);
    }
}
