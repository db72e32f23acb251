package org.servletbench.bench.measure;

/** What a reader of raw logs tells of them, record by record, in the log's order. What nobody wants is not kept. */
public interface Records {

    /**
     * The number of a request name, for {@link #request}.
     *
     * @throws UnreadableLogException for more names than can be told apart
     */
    int cell(String name) throws UnreadableLogException;

    /** The number of a kind of error, for {@link #request}; {@link Recorder#OTHER_KIND} where there are too many. */
    default int errorKind(String message) {
        return Recorder.OTHER_KIND;
    }

    /** The number of the population of a scenario or a thread group, for {@link #userStarts}. */
    default int population(String scenario) {
        return 0;
    }

    /** The users of a population send requests of this {@link #cell}. Where a log does not tell, all users do. */
    default void sends(int population, int cell) {}

    /**
     * One request of a log that tells neither users nor bytes.
     *
     * @param cell from {@link #cell}
     * @param startMs time at which it was sent, ms on the log's clock
     * @param endMs time at which it was answered or given up, ms on the log's clock
     * @param kind {@link Recorder#OK}, or from {@link #errorKind}
     */
    void request(int cell, long startMs, long endMs, int kind);

    /**
     * One request of a log that tells more.
     *
     * @param users active users when it ended, or {@link Recorder#UNKNOWN}
     */
    default void request(int cell, long startMs, long endMs, int kind, int users, long bytes, long sentBytes) {
        request(cell, startMs, endMs, kind);
    }

    /** A user of a {@link #population} has started; ms on the log's clock. */
    default void userStarts(int population, long atMs) {}

    default void userEnds(int population, long atMs) {}

    /** An error of the generator itself, which belongs to no request; its {@link #errorKind}. */
    default void generatorError(int kind) {}

    /** The log ends in the middle of a record; what came before it counts. One line for people, with the place. */
    default void truncated(String what) {}
}
