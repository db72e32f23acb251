package org.servletbench.bench.measure;

import java.util.Arrays;

/** Receives the records of raw logs from a reader, one by one, in the log's order. By default, records are ignored. */
public interface Records {

    /** Returns the number of a request name, for {@link #request}. Names beyond the limit share one number. */
    int load(String name);

    /** True if all new names share one number. Readers then need not keep them. */
    default boolean isFull() {
        return false;
    }

    /**
     * Returns the number of a kind of error, for {@link #request}; {@link Recorder#OTHER_KIND} if there are too many.
     */
    default int errorKind(String message) {
        return Recorder.OTHER_KIND;
    }

    /** Returns the number of the population of a scenario or a thread group, for {@link #userStarts}. */
    default int population(String scenario) {
        return 0;
    }

    /**
     * Reports that the users of a population send requests of this {@link #load}. If a log does not contain this, all
     * users do.
     */
    default void sends(int population, int load) {}

    /**
     * Receives one request of a log without users and bytes.
     *
     * @param load number from {@link #load}
     * @param startMs time at which it was sent, ms on the log's clock
     * @param endMs time at which it was answered or given up, ms on the log's clock
     * @param kind {@link Recorder#OK}, or number from {@link #errorKind}
     */
    void request(int load, long startMs, long endMs, int kind);

    /**
     * Receives one request of a log with users and bytes.
     *
     * @param users number of active users when it ended, or {@link Recorder#UNKNOWN}
     */
    default void request(int load, long startMs, long endMs, int kind, int users, long bytes, long sentBytes) {
        request(load, startMs, endMs, kind);
    }

    /**
     * Receives several requests of which the log contains only the sum. Their load has no percentiles.
     *
     * @param startMs approximate time at which the first of them was sent, ms on the log's clock
     * @param endMs time at which the last of them was answered, ms on the log's clock
     * @param count number of requests, including failed ones
     * @param errors number of failed requests
     * @param kind kind of error of the failed requests, from {@link #errorKind}
     * @param sumMs sum of the response times, ms
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

    /** What the rows with a name mean. */
    enum Role {
        REQUEST(""),
        /** Each row is the sum of other rows of the log. */
        TRANSACTION(" (transaction)"),
        /** Each row is part of another one, such as one of the requests of a redirected request. */
        PART(" (part)");

        /** Suffix of the name in figures. */
        final String suffix;

        Role(String suffix) {
            this.suffix = suffix;
        }

        /** Returns the role that a name in figures shows. */
        static Role of(String shown) {
            return Arrays.stream(values())
                    .filter(role -> role != REQUEST && shown.endsWith(role.suffix))
                    .findFirst()
                    .orElse(REQUEST);
        }
    }

    /** Reports that the rows of a {@link #load} are not separate requests. Called after the log has been read. */
    default void role(int load, Role role) {}

    /** Counts rows that are already in the log. They are not recorded again. */
    default void repeated(long rows) {}

    /** Receives one line for people, with the place, about lines of the log that are not rows and are left out. */
    default void broken(String what) {}

    /** Receives the start of a user of a {@link #population}, ms on the log's clock. */
    default void userStarts(int population, long atMs) {}

    default void userEnds(int population, long atMs) {}

    /**
     * Reports that the users of this {@link #population} cannot be distinguished. Their number is then unknown,
     * whatever was reported before.
     */
    default void unknownUsers(int population) {}

    /** Receives an error of the generator itself, which belongs to no request, as its {@link #errorKind}. */
    default void generatorError(int kind) {}

    /**
     * Receives one line for people, with the position, if the log ends in the middle of a record. The records before it
     * count.
     */
    default void truncated(String what) {}
}
