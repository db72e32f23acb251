package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;

/** What a {@link Mark} can say. */
public enum MarkKind {
    /** Too many requests failed. */
    ERRORS("errors", true),
    /** Other numbers of users were active than asked for. */
    USERS_HELD("users-held", true),
    /** Throughput and response times do not account for all users. */
    LITTLES_LAW("littles-law", true),
    /** The rate of an open model was not kept, or delays of the generator raise p99. */
    OFFERED_RATE("offered-rate", true),
    /** A higher percentile is below a lower one. */
    PERCENTILE_ORDER("percentile-order", true),
    /** Requests counted in two ways differ. */
    COUNTS("counts", true),
    /** The generator's own report counts other requests than its log. */
    NATIVE_COUNT("native-count", true),
    /** The generator's own report names other loads than its log. */
    NATIVE_NAMES("native-names", false),
    /** The log ends early. */
    LOG_COMPLETE("log-complete", true),
    /** The log has other requests than its cells. */
    RAW_COUNT("raw-count", true),
    /** Requests end before they start. */
    POSSIBLE_TIMES("possible-times", true),
    /** The generator reported errors that belong to no request. */
    GENERATOR_ERRORS("generator-errors", true),
    /** The load was never steady for a whole second. */
    STEADY_WINDOW("steady-window", false),
    /** No request ended in the window. */
    EMPTY("empty", true),
    /** The generator had no time for some of its users. */
    USERS_WAITING("users-waiting", true),
    /** Little of the turns could be counted. */
    SHORT_TURNS("short-turns", false),
    /** The server paused for longer than a turn. */
    LONG_PAUSES("long-pauses", false),
    /** The server worked between its turns. */
    OUTSIDE_TURNS("outside-turns", false),
    /** CPU time was read in few turns. */
    NO_CPU_READINGS("no-cpu-readings", false),
    /** Responses that came too late are missing in the response times. */
    TIMEOUTS_MISSING("timeouts-missing", false),
    /** Connections should have been kept, and were not. */
    KEEP_ALIVE_REFUSED("keep-alive-refused", false),
    /** The server was still getting faster when the load began. */
    WARM_UP("warm-up", false),
    /** The server was getting faster under the load. */
    RISING("rising", false),
    /** Throughput rose or fell within one window; an invocation's windows together are {@link #RISING} or {@link #UNSTEADY}. */
    TREND("trend", false),
    /** The server became slower under the load. */
    UNSTEADY("unsteady", false),
    /** The heap was used for the first time under the load. */
    FIRST_TOUCH("first-touch", false),
    /** Other programs used the server's processors. */
    DISTURBED("disturbed", false),
    /** The lowest rate of a search missed its objective: the capacity is not known. */
    OBJECTIVE_MISSED("objective-missed", true),
    /** The generator was at its limit, and the server was not. */
    GENERATOR_BOTTLENECK("generator-bottleneck", true),
    /** The generator was at its limit, and the server as well. */
    GENERATOR_BUSY("generator-busy", false);

    private final String key;
    private final boolean excludes;

    MarkKind(String key, boolean excludes) {
        this.key = key;
        this.excludes = excludes;
    }

    /** The name in files and reports. */
    @JsonValue
    public String key() {
        return key;
    }

    /** Whether the load was not what it should be, or the counts cannot be trusted. */
    public boolean excludes() {
        return excludes;
    }

    /** The kind with this name; an IllegalArgumentException if there is none. */
    @JsonCreator
    public static MarkKind of(String key) {
        return Arrays.stream(values())
                .filter(kind -> kind.key.equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no kind of mark '" + key + "'"));
    }
}
