package org.servletbench.bench.measure;

import java.util.Arrays;

/** Receives the records of raw logs from a reader, one by one, in the log's order. The defaults ignore a record. */
public interface Records {

    /** Returns the number of a request name, for {@link #request}; names beyond the limit share one. */
    int load(String name);

    /** True if all new names share one number: a reader need not keep them. */
    default boolean isFull() {
        return false;
    }

    /** Returns the number of a kind of error, for {@link #request}; {@link Recorder#OTHER_KIND} if there are too many. */
    default int errorKind(String message) {
        return Recorder.OTHER_KIND;
    }

    /** Returns the number of the population of a scenario or a thread group, for {@link #userStarts}. */
    default int population(String scenario) {
        return 0;
    }

    /** The users of a population send requests of this {@link #load}. If a log does not say so, all users do. */
    default void sends(int population, int load) {}

    /**
     * One request of a log without users and bytes.
     *
     * @param load from {@link #load}
     * @param startMs time at which it was sent, ms on the log's clock
     * @param endMs time at which it was answered or given up, ms on the log's clock
     * @param kind {@link Recorder#OK}, or from {@link #errorKind}
     */
    void request(int load, long startMs, long endMs, int kind);

    /**
     * One request of a log with users and bytes.
     *
     * @param users active users when it ended, or {@link Recorder#UNKNOWN}
     */
    default void request(int load, long startMs, long endMs, int kind, int users, long bytes, long sentBytes) {
        request(load, startMs, endMs, kind);
    }

    /**
     * Several requests whose sum alone is in the log: their load has no percentiles.
     *
     * @param startMs approximate time at which the first of them was sent, ms on the log's clock
     * @param endMs when the last of them was answered, ms on the log's clock
     * @param count number of requests, including failed ones
     * @param errors number of failed requests
     * @param kind of error of those that failed, from {@link #errorKind}
     * @param sumMs sum of their response times, ms
     */
    default void sum(
            int load,
            long startMs,
            long endMs,
            int count,
            int errors,
            int kind,
            long sumMs,
            long bytes,
            long sentBytes) {}

    /** Kinds of rows of a name. */
    enum Role {
        REQUEST(""),
        /** Each row is the sum of others, which are in the log, too. */
        TRANSACTION(" (transaction)"),
        /** Each row is a part of another, such as one of the requests of a redirected request. */
        PART(" (part)");

        /** Suffix of the name in figures. */
        final String suffix;

        Role(String suffix) {
            this.suffix = suffix;
        }

        /** Returns the role of a name in figures. */
        static Role of(String shown) {
            return Arrays.stream(values())
                    .filter(role -> role != REQUEST && shown.endsWith(role.suffix))
                    .findFirst()
                    .orElse(REQUEST);
        }
    }

    /** The rows of a {@link #load} are not separate requests. Called when the log has been read. */
    default void role(int load, Role role) {}

    /** Counts rows that are in the log already: they are not recorded again. */
    default void repeated(long rows) {}

    /** Lines of the log that are no rows and are left out; one line for people, with the place. */
    default void broken(String what) {}

    /** A user of a {@link #population} has started; ms on the log's clock. */
    default void userStarts(int population, long atMs) {}

    default void userEnds(int population, long atMs) {}

    /** The users of this {@link #population} cannot be distinguished: their number is unknown, whatever was reported before. */
    default void unknownUsers(int population) {}

    /** An error of the generator itself, which belongs to no request; its {@link #errorKind}. */
    default void generatorError(int kind) {}

    /** The log ends in the middle of a record; the records before it count. One line for people, with the position. */
    default void truncated(String what) {}
}
