package org.servletbench.bench.measure;

/** What a reader of raw logs tells of them, record by record, in the log's order. */
public interface Records {

    /**
     * The number of a request name, for {@link #request}.
     *
     * @param name the request's name
     * @return the same number for the same name
     * @throws UnreadableLogException for more names than can be told apart
     */
    int cell(String name) throws UnreadableLogException;

    /**
     * The number of a kind of error, for {@link #request}.
     *
     * @param message what the log says of the error
     * @return the same number for the same message, or {@link Recorder#OTHER_KIND}
     */
    int errorKind(String message);

    /**
     * The number of a population, for {@link #userStarts}.
     *
     * @param scenario the name of a scenario
     */
    int population(String scenario);

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
     * @param cell from {@link #cell}
     * @param startMs time at which it was sent, ms on the log's clock
     * @param endMs time at which it was answered or given up, ms on the log's clock
     * @param kind {@link Recorder#OK}, or from {@link #errorKind}
     * @param users active users when it ended, or {@link Recorder#UNKNOWN}
     * @param bytes bytes received
     * @param sentBytes bytes sent
     */
    default void request(int cell, long startMs, long endMs, int kind, int users, long bytes, long sentBytes) {
        request(cell, startMs, endMs, kind);
    }

    /**
     * A user has started.
     *
     * @param population from {@link #population}
     * @param atMs time, ms on the log's clock
     */
    void userStarts(int population, long atMs);

    /** A user has ended; see {@link #userStarts}. */
    void userEnds(int population, long atMs);

    /**
     * An error of the generator itself, which belongs to no request.
     *
     * @param kind from {@link #errorKind}
     */
    void generatorError(int kind);

    /**
     * The log ends in the middle of a record; what came before it counts.
     *
     * @param what one line for people, with the place
     */
    void truncated(String what);
}
