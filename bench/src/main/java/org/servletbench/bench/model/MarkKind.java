package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;

/** What a {@link Mark} can say, and who causes it. */
public enum MarkKind {
    ERRORS(Cause.SERVER, true, "too many requests failed"),
    USERS_HELD(Cause.SERVER, true, "not as many users were active as planned"),
    LITTLES_LAW(Cause.SERVER, true, "fewer requests were under way than there were users"),
    OFFERED_RATE(Cause.SERVER, true, "the rate of an open model was not kept"),
    LATE_REQUESTS(Cause.GENERATOR, false, "the generator sent requests so late that p99 rose"),
    PERCENTILE_ORDER(Cause.RECORD, true, "a higher percentile is below a lower one"),
    COUNTS(Cause.RECORD, true, "requests counted in two ways differ"),
    // The next two are marks of older records.
    NATIVE_COUNT(Cause.RECORD, true, "the generator's own report has other counts"),
    NATIVE_NAMES(Cause.RECORD, false, "the generator's own report has other names"),
    LOG_COMPLETE(Cause.RECORD, true, "the log ends early"),
    RAW_COUNT(Cause.RECORD, true, "the log has other requests than its cells"),
    UNEQUAL_MIX(Cause.RECORD, true, "requests of a list came unequally often"),
    POSSIBLE_TIMES(Cause.RECORD, true, "requests end before they start, or lie hours from all others"),
    GENERATOR_ERRORS(Cause.RECORD, true, "the generator reported errors of no request"),
    STEADY_WINDOW(Cause.SERVER, false, "the load was never steady for a whole second"),
    EMPTY(Cause.SERVER, true, "no request ended in the window"),
    USERS_WAITING(Cause.GENERATOR, true, "the generator had no time for some of its users"),
    SHORT_TURNS(Cause.SERVER, false, "little of its turns could be counted; wrk, ab, siege: answers took long"),
    LONG_PAUSES(Cause.SERVER, false, "its pauses outlasted its turns: throughput rests on few of them"),
    OUTSIDE_TURNS(Cause.SERVER, false, "CPU time between its turns is not in the figure"),
    NO_CPU_READINGS(Cause.RECORD, false, "CPU time was read in less than half of its turns"),
    TIMEOUTS_MISSING(Cause.RECORD, false, "late answers are missing in wrk's response times"),
    KEEP_ALIVE_REFUSED(Cause.SERVER, false, "ab: keep-alive was refused; excluded where it often was"),
    CONNECTIONS_DROPPED(Cause.SERVER, false, "the kernel dropped connections that waited to be accepted"),
    SERVER_FAILED(Cause.SERVER, true, "the server did not start, was not what it should be, or died"),
    WARM_UP(Cause.SERVER, false, "the server was still getting faster when its warm-up ended"),
    RISING(Cause.SERVER, false, "the server was getting faster under the load"),
    COMPILING(Cause.SERVER, false, "the JIT compiler was at work under the load"),
    TREND(Cause.SERVER, false, "throughput rose or fell within the window; single runs and `measure` only"),
    UNSTEADY(Cause.SERVER, false, "the server became slower under the load"),
    FIRST_TOUCH(Cause.SERVER, false, "the heap was used for the first time, which costs CPU time once"),
    SHARED_SCHEDULER(Cause.MACHINE, false, "servers in turns share one group of the kernel's scheduler"),
    DISTURBED(Cause.MACHINE, false, "other programs or the host took processor time"),
    OBJECTIVE_MISSED(Cause.SERVER, true, "the lowest rate of a search missed its objective"),
    SEARCH_UNCLEAR(Cause.SERVER, true, "the lowest rate of a search was no evidence"),
    GENERATOR_BOTTLENECK(Cause.GENERATOR, true, "the generator was at its limit, and the server was not"),
    GENERATOR_BUSY(Cause.GENERATOR, false, "generator and server were both at their limits");

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
    private final String meaning;

    MarkKind(Cause cause, boolean excludes, String meaning) {
        this.cause = cause;
        this.excludes = excludes;
        this.meaning = meaning;
    }

    @JsonValue
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What it says, for people; the table of marks in docs/method.md is made of it. */
    public String meaning() {
        return meaning;
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
