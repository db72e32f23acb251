package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;

/** What a {@link Mark} can say, and who causes it. */
public enum MarkKind {
    /** Too many requests failed. */
    ERRORS(Cause.SERVER, true),
    /** Other numbers of users were active than asked for. */
    USERS_HELD(Cause.SERVER, true),
    /** Throughput and response times do not account for all users. */
    LITTLES_LAW(Cause.SERVER, true),
    /** The rate of an open model was not kept. */
    OFFERED_RATE(Cause.SERVER, true),
    /** Delays of the generator raise p99. */
    LATE_REQUESTS(Cause.GENERATOR, false),
    /** A higher percentile is below a lower one. */
    PERCENTILE_ORDER(Cause.RECORD, true),
    /** Requests counted in two ways differ. */
    COUNTS(Cause.RECORD, true),
    /** The generator's own report counts other requests than its log. */
    NATIVE_COUNT(Cause.RECORD, true),
    /** The generator's own report names other loads than its log. */
    NATIVE_NAMES(Cause.RECORD, false),
    /** The log ends early. */
    LOG_COMPLETE(Cause.RECORD, true),
    /** The log has other requests than its cells. */
    RAW_COUNT(Cause.RECORD, true),
    /** Requests end before they start. */
    POSSIBLE_TIMES(Cause.RECORD, true),
    /** The generator reported errors that belong to no request. */
    GENERATOR_ERRORS(Cause.RECORD, true),
    /** The load was never steady for a whole second. */
    STEADY_WINDOW(Cause.SERVER, false),
    /** No request ended in the window. */
    EMPTY(Cause.SERVER, true),
    /** The generator had no time for some of its users. */
    USERS_WAITING(Cause.GENERATOR, true),
    /** Little of the turns could be counted. */
    SHORT_TURNS(Cause.SERVER, false),
    /** The server paused for longer than a turn. */
    LONG_PAUSES(Cause.SERVER, false),
    /** The server worked between its turns. */
    OUTSIDE_TURNS(Cause.SERVER, false),
    /** CPU time was read in few turns. */
    NO_CPU_READINGS(Cause.RECORD, false),
    /** Responses that came too late are missing in the response times. */
    TIMEOUTS_MISSING(Cause.RECORD, false),
    /** Connections should have been kept, and were not. */
    KEEP_ALIVE_REFUSED(Cause.SERVER, false),
    /** The kernel dropped connections that were not accepted soon enough. */
    CONNECTIONS_DROPPED(Cause.SERVER, false),
    /** It did not start, was not what it should be, or died. */
    SERVER_FAILED(Cause.SERVER, true),
    /** The server was still getting faster when the load began. */
    WARM_UP(Cause.SERVER, false),
    /** The server was getting faster under the load. */
    RISING(Cause.SERVER, false),
    /** The server compiled under the load. */
    COMPILING(Cause.SERVER, false),
    /** Throughput rose or fell within one window; an invocation's windows together are {@link #RISING} or {@link #UNSTEADY}. */
    TREND(Cause.SERVER, false),
    /** The server became slower under the load. */
    UNSTEADY(Cause.SERVER, false),
    /** The heap was used for the first time under the load. */
    FIRST_TOUCH(Cause.SERVER, false),
    /** Servers in turns share a group of the scheduler. */
    SHARED_SCHEDULER(Cause.MACHINE, false),
    /** Other programs used the server's processors, or the generator's. */
    DISTURBED(Cause.MACHINE, false),
    /** The lowest rate of a search missed its objective: the capacity is not known. */
    OBJECTIVE_MISSED(Cause.SERVER, true),
    /** The lowest rate of a search was no evidence: the capacity is not known. */
    SEARCH_UNCLEAR(Cause.SERVER, true),
    /** The generator was at its limit, and the server was not. */
    GENERATOR_BOTTLENECK(Cause.GENERATOR, true),
    /** The generator was at its limit, and the server as well. */
    GENERATOR_BUSY(Cause.GENERATOR, false);

    /** Where the reason of a mark lies, as long as no other mark says otherwise. */
    public enum Cause {
        /** A slow or failing server has it more often: to leave out the blocks that have it would make the server look better. */
        SERVER,
        GENERATOR,
        /** Other programs, or the host. */
        MACHINE,
        /** The log, or what was read beside it. */
        RECORD
    }

    private final Cause cause;
    private final boolean excludes;

    MarkKind(Cause cause, boolean excludes) {
        this.cause = cause;
        this.excludes = excludes;
    }

    @JsonValue
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public Cause cause() {
        return cause;
    }

    /** Whether the load was not what it should be, or the counts cannot be trusted. */
    public boolean excludes() {
        return excludes;
    }

    /** The kind with this name; an IllegalArgumentException if there is none. */
    @JsonCreator
    public static MarkKind of(String key) {
        return Arrays.stream(values())
                .filter(kind -> kind.key().equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no kind of mark '" + key + "'"));
    }
}
