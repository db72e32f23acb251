package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;

/** What a {@link Mark} can say. */
public enum MarkKind {
    /** Too many requests failed. */
    ERRORS(true),
    /** Other numbers of users were active than asked for. */
    USERS_HELD(true),
    /** Throughput and response times do not account for all users. */
    LITTLES_LAW(true),
    /** The rate of an open model was not kept. */
    OFFERED_RATE(true),
    /** Delays of the generator raise p99. */
    LATE_REQUESTS(false),
    /** A higher percentile is below a lower one. */
    PERCENTILE_ORDER(true),
    /** Requests counted in two ways differ. */
    COUNTS(true),
    /** The generator's own report counts other requests than its log. */
    NATIVE_COUNT(true),
    /** The generator's own report names other loads than its log. */
    NATIVE_NAMES(false),
    /** The log ends early. */
    LOG_COMPLETE(true),
    /** The log has other requests than its cells. */
    RAW_COUNT(true),
    /** Requests end before they start. */
    POSSIBLE_TIMES(true),
    /** The generator reported errors that belong to no request. */
    GENERATOR_ERRORS(true),
    /** The load was never steady for a whole second. */
    STEADY_WINDOW(false),
    /** No request ended in the window. */
    EMPTY(true),
    /** The generator had no time for some of its users. */
    USERS_WAITING(true),
    /** Little of the turns could be counted. */
    SHORT_TURNS(false),
    /** The server paused for longer than a turn. */
    LONG_PAUSES(false),
    /** The server worked between its turns. */
    OUTSIDE_TURNS(false),
    /** CPU time was read in few turns. */
    NO_CPU_READINGS(false),
    /** Responses that came too late are missing in the response times. */
    TIMEOUTS_MISSING(false),
    /** Connections should have been kept, and were not. */
    KEEP_ALIVE_REFUSED(false),
    /** The kernel dropped connections that were not accepted soon enough. */
    CONNECTIONS_DROPPED(false),
    /** It did not start, was not what it should be, or died. */
    SERVER_FAILED(true),
    /** The server was still getting faster when the load began. */
    WARM_UP(false),
    /** The server was getting faster under the load. */
    RISING(false),
    /** The server compiled under the load. */
    COMPILING(false),
    /** Throughput rose or fell within one window; an invocation's windows together are {@link #RISING} or {@link #UNSTEADY}. */
    TREND(false),
    /** The server became slower under the load. */
    UNSTEADY(false),
    /** The heap was used for the first time under the load. */
    FIRST_TOUCH(false),
    /** Servers in turns share a group of the scheduler. */
    SHARED_SCHEDULER(false),
    /** Other programs used the server's processors, or the generator's. */
    DISTURBED(false),
    /** The lowest rate of a search missed its objective: the capacity is not known. */
    OBJECTIVE_MISSED(true),
    /** The lowest rate of a search was no evidence: the capacity is not known. */
    SEARCH_UNCLEAR(true),
    /** The generator was at its limit, and the server was not. */
    GENERATOR_BOTTLENECK(true),
    /** The generator was at its limit, and the server as well. */
    GENERATOR_BUSY(false);

    private final boolean excludes;

    MarkKind(boolean excludes) {
        this.excludes = excludes;
    }

    @JsonValue
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
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
