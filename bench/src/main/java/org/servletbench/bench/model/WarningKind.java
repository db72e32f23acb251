package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.servletbench.bench.model.Hint.Where;

/**
 * The catalogue of warnings: what each {@link Warning} means, its cause and consequence, what to do, and where it is
 * shown.
 */
public enum WarningKind {
    SERVER_FAILED(
            Cause.SERVER,
            Effect.EXCLUDES_BLOCK,
            Shown.RUNS_AND_CAMPAIGNS,
            "the server failed or died",
            "what it measured does not count",
            Hint.READ_SERVER_LOG),
    NO_WARM_UP(
            Cause.SERVER,
            Effect.BARS,
            Shown.WARM_UP_OF_RUNS,
            "the server was not warm: no warm-up was asked for",
            "a warm server is faster",
            Hint.WARM_UP_AT_ALL),
    WARM_UP(
            Cause.SERVER,
            Effect.BARS,
            Shown.WARM_UPS,
            "the server was not warm when the measurement began",
            "a warm server is faster",
            Hint.QUIET,
            Hint.LONGER_WARM_UP),
    RISING(
            Cause.SERVER,
            Effect.SHOWN,
            Shown.CAMPAIGNS,
            "throughput rose under the load, compared with the other servers (in absolute terms if it ran alone)",
            "a longer load would give more",
            Hint.QUIET,
            Hint.LONGER_LOAD),
    COMPILING(
            Cause.SERVER,
            Effect.SHOWN,
            Shown.EVERYWHERE,
            "the JIT compiler was at work under the load",
            "compiling adds to the CPU time per request and lowers throughput",
            Hint.QUIET,
            Hint.LONGER_LOAD),
    ERRORS(
            Cause.SERVER,
            Effect.EXCLUDES_ARM,
            Shown.EVERYWHERE,
            "too many requests failed",
            "failed requests are often faster or slower than others",
            Hint.READ_FAILURES),
    STEADY_WINDOW(
            Cause.SERVER,
            Effect.SHOWN,
            Shown.EVERYWHERE,
            "the load was never steady for a whole second",
            "ramps are in the figures",
            Hint.LONGER_LOAD),
    HUNG(
            Cause.SERVER,
            Effect.SHOWN,
            Shown.EVERYWHERE,
            "requests hung until long after the load ended",
            "no figure includes them",
            Hint.READ_SERVER_LOG),
    USERS_HELD(
            Cause.SERVER,
            Effect.EXCLUDES_ARM,
            Shown.EVERYWHERE,
            "not as many users were active as planned",
            "this is not the load that was asked for",
            Hint.FEWER_USERS,
            Hint.MORE_GENERATOR),
    LITTLES_LAW(
            Cause.SERVER,
            Effect.EXCLUDES_ARM,
            Shown.EVERYWHERE,
            "requests/s and response times do not account for all users (Little's law)",
            "the generator stalled, or answers take almost as long as the load, or a time slice, lasts",
            Hint.QUIET,
            Hint.LONGER_SLICES,
            Hint.LONGER_LOAD,
            Hint.FEWER_USERS),
    STANDSTILL(
            Cause.SERVER,
            Effect.SHOWN,
            Shown.EVERYWHERE,
            "the server answered nothing for a time, which hardly any response time shows",
            "users who wait send nothing: at a fixed rate far more requests would have waited",
            Hint.READ_SERVER_LOG,
            Hint.AT_A_RATE),
    TREND(
            Cause.SERVER,
            Effect.SHOWN,
            Shown.RUNS_AND_LOGS,
            "throughput rose or fell while it was measured",
            "its mean describes neither the start nor the end",
            Hint.QUIET,
            Hint.LONGER_LOAD),
    OFFERED_RATE(
            Cause.SERVER,
            Effect.EXCLUDES_ARM,
            Shown.EVERYWHERE,
            "the rate of an open model was not kept",
            "the server or the generator did not keep up, or answered in the window what was due before it",
            Hint.QUIET,
            Hint.LOWER_RATE),
    LATE_REQUESTS(
            Cause.GENERATOR,
            Effect.NO_RESPONSE_TIMES,
            Shown.EVERYWHERE,
            "the generator sent requests so late that p99 rose",
            "response times include its delays",
            Hint.QUIET,
            Hint.LOWER_RATE),
    GENERATOR_ERRORS(
            Cause.RECORD,
            Effect.EXCLUDES_BLOCK,
            Shown.EVERYWHERE,
            "the generator reported errors not tied to a request",
            "requests may be missing",
            Hint.READ_GENERATOR_LOG),
    POSSIBLE_TIMES(
            Cause.RECORD,
            Effect.EXCLUDES_BLOCK,
            Shown.EVERYWHERE,
            "requests end before they start, or are hours away from all others",
            "the clock was changed during the run: times are wrong",
            Hint.AGAIN),
    LOG_COMPLETE(
            Cause.RECORD,
            Effect.EXCLUDES_BLOCK,
            Shown.EVERYWHERE,
            "the log ends early",
            "the last requests are missing",
            Hint.AGAIN),
    REPEATED_ROWS(
            Cause.RECORD,
            Effect.EXCLUDES_BLOCK,
            Shown.RUNS_AND_LOGS,
            "the log has duplicate rows",
            "two JMeter listeners wrote to one file, or two logs were joined",
            Hint.ONE_LISTENER),
    BROKEN_ROWS(
            Cause.RECORD,
            Effect.EXCLUDES_BLOCK,
            Shown.RUNS_AND_LOGS,
            "the log has malformed rows",
            "each of them is a missing request",
            Hint.QUOTED_TEXT),
    RAW_COUNT(
            Cause.RECORD,
            Effect.EXCLUDES_BLOCK,
            Shown.EVERYWHERE,
            "the log and its loads disagree on the number of requests",
            "figures contradict the log",
            Hint.AGAIN),
    PERCENTILE_ORDER(
            Cause.RECORD,
            Effect.EXCLUDES_BLOCK,
            Shown.EVERYWHERE,
            "a higher percentile is below a lower one",
            "figures contradict each other",
            Hint.AGAIN),
    COUNTS(
            Cause.RECORD,
            Effect.EXCLUDES_BLOCK,
            Shown.EVERYWHERE,
            "requests counted in two ways differ",
            "figures contradict each other",
            Hint.AGAIN),
    NATIVE_NAMES(
            Cause.RECORD,
            Effect.SHOWN,
            Shown.CAMPAIGNS,
            "the generator's own report uses different names",
            "its counts could not be compared",
            Hint.AGAIN),
    UNEQUAL_MIX(
            Cause.RECORD,
            Effect.EXCLUDES_BLOCK,
            Shown.CAMPAIGNS,
            "requests of a list were not sent equally often",
            "their mean is that of a different mix",
            Hint.AGAIN),
    UNEQUAL_CHANGES(
            Cause.SERVER,
            Effect.SHOWN,
            Shown.CAMPAIGNS,
            "servers got different numbers of requests that change their state",
            "the faster one stores more data, which may slow it down",
            Hint.FIXED_RATE,
            Hint.RESET),
    UNEQUAL_ANSWERS(
            Cause.SERVER,
            Effect.SHOWN,
            Shown.CAMPAIGNS,
            "after the load, answers of the servers differed in size by more than the margin",
            "their states have drifted apart, and later requests are not the same work",
            Hint.FIXED_RATE,
            Hint.RESET),
    COOKIES_LOST(
            Cause.SERVER,
            Effect.SHOWN,
            Shown.CAMPAIGNS,
            "the server sets cookies that were never sent back",
            "where a cookie stands for a session, each request starts a new one",
            Hint.USERS_WITH_COOKIES),
    EMPTY(
            Cause.SERVER,
            Effect.EXCLUDES_ARM,
            Shown.CAMPAIGNS,
            "no request ended in the window",
            "there are no figures",
            Hint.LONGER_LOAD,
            Hint.FEWER_USERS),
    USERS_WAITING(
            Cause.GENERATOR,
            Effect.LOWER_BOUND,
            Shown.CAMPAIGNS,
            "the generator had no time for some of its users",
            "throughput is the generator's, not the server's",
            Hint.FEWER_USERS,
            Hint.MORE_GENERATOR),
    LATE_ARRIVALS(
            Cause.MACHINE,
            Effect.SHOWN,
            Shown.CAMPAIGNS,
            "users still waited for another server in its time slices",
            "throughput is that of fewer users: another server pauses for longer than a time slice",
            Hint.LONGER_SLICES,
            Hint.WHOLE_WINDOWS),
    GENERATOR_BOTTLENECK(
            Cause.GENERATOR,
            Effect.LOWER_BOUND,
            Shown.CAMPAIGNS,
            "the generator was at its limit, and the server was not",
            "this is the generator's speed, not the server's",
            Hint.MORE_GENERATOR),
    GENERATOR_BUSY(
            Cause.GENERATOR,
            Effect.SHOWN,
            Shown.CAMPAIGNS,
            "generator and server were both at their limits",
            "a faster server would hardly show as such",
            Hint.MORE_GENERATOR),
    SHORT_SLICES(
            Cause.SERVER,
            Effect.SHOWN,
            Shown.CAMPAIGNS,
            "little of its time slices could be counted (wrk, ab, siege: answers took long)",
            "throughput rests on few requests, and misses what was under way at the end of a window",
            Hint.LONGER_SLICES,
            Hint.WHOLE_WINDOWS),
    SPANS_MISSING(
            Cause.SERVER,
            Effect.SHOWN,
            Shown.CAMPAIGNS,
            "fewer spans were exported than requests served",
            "the exporter dropped the others: the cost of exporting all would be higher",
            Hint.FEWER_USERS,
            Hint.READ_SERVER_LOG),
    CUT_RESPONSES(
            Cause.SERVER,
            Effect.NO_RESPONSE_TIMES,
            Shown.CAMPAIGNS,
            "the ends of time slices shorten its response times",
            "some users wait for much longer than others, and are answered once no other requests come",
            Hint.LONGER_SLICES,
            Hint.WHOLE_WINDOWS),
    LONG_PAUSES(
            Cause.SERVER,
            Effect.SHOWN,
            Shown.CAMPAIGNS,
            "its pauses outlasted its time slices: throughput rests on few of them",
            "the pauses are counted, but few long ones differ from server to server",
            Hint.LONGER_LOAD),
    OUTSIDE_SLICES(
            Cause.SERVER,
            Effect.SHOWN,
            Shown.CAMPAIGNS,
            "it used more CPU time between its time slices, which is not counted, than other servers did",
            "it compiled or collected garbage during the time slices of others",
            Hint.WHOLE_WINDOWS),
    NO_CPU_READINGS(
            Cause.RECORD,
            Effect.SHOWN,
            Shown.CAMPAIGNS,
            "CPU time was read in less than half of its time slices",
            "CPU time per request rests on the remaining ones",
            Hint.QUIET,
            Hint.LONGER_SLICES),
    TIMEOUTS_MISSING(
            Cause.RECORD,
            Effect.SHOWN,
            Shown.CAMPAIGNS,
            "wrk leaves late answers out of its response times",
            "response times look better than they were",
            Hint.COMPLETE_GENERATOR),
    KEEP_ALIVE_REFUSED(
            Cause.SERVER,
            Effect.SHOWN,
            Shown.CAMPAIGNS,
            "ab: the server refused keep-alive; excluded if it often did",
            "connections were opened that others did not need",
            Hint.READ_SERVER_LOG),
    CONNECTIONS_DROPPED(
            Cause.SERVER,
            Effect.SHOWN,
            Shown.CAMPAIGNS,
            "the kernel dropped connections that waited to be accepted",
            "such a user connects 1, 3 or 7 s late",
            Hint.LONGER_QUEUE),
    UNSTEADY(
            Cause.SERVER,
            Effect.SHOWN,
            Shown.CAMPAIGNS,
            "the server became slower under the load, compared with the others (in absolute terms if it ran alone)",
            "a longer load would give less",
            Hint.QUIET,
            Hint.LONGER_LOAD),
    FIRST_TOUCH(
            Cause.SERVER,
            Effect.SHOWN,
            Shown.CAMPAIGNS,
            "the heap was used for the first time, which costs CPU time once",
            "this CPU time will not be needed later",
            Hint.PRE_TOUCHED_HEAP,
            Hint.LONGER_LOAD),
    SHARED_SCHEDULER(
            Cause.MACHINE,
            Effect.SHOWN,
            Shown.CAMPAIGNS,
            "servers in time slices share one group of the kernel's scheduler",
            "the time slices of others change how a server's threads share the processor",
            Hint.OWN_SCHEDULER_GROUPS),
    DISTURBED(
            Cause.MACHINE,
            Effect.SHOWN,
            Shown.EVERYWHERE,
            "other programs or the host took processor time",
            "less was left for server and generator",
            Hint.QUIET,
            Hint.OTHER_HOUR),
    OBJECTIVE_MISSED(
            Cause.SERVER,
            Effect.EXCLUDES_ARM,
            Shown.CAMPAIGNS,
            "the lowest rate of a search missed its objective",
            "the highest rate that meets it is lower, but unknown",
            Hint.LOWER_SEARCH),
    SEARCH_UNCLEAR(
            Cause.SERVER,
            Effect.EXCLUDES_ARM,
            Shown.CAMPAIGNS,
            "the lowest rate of a search gave no evidence",
            "the search found nothing",
            Hint.QUIET,
            Hint.LOWER_SEARCH);

    /** Likely cause of a warning, unless another warning shows otherwise. */
    public enum Cause {
        /**
         * A slow or failing server causes the warning more often. Leaving out blocks with this warning would make that
         * server look better.
         */
        SERVER,
        GENERATOR,
        /** Other programs, or the host machine. */
        MACHINE,
        /** The log, or other files that are read with it. */
        RECORD
    }

    /** Effect of a warning on the verdicts of a campaign. */
    public enum Effect {
        BARS(
                "The server was not warm: its arm has no verdict under a load where more than a tenth of its throughput may be missing"),
        EXCLUDES_ARM("All blocks of the arm are excluded in this load"),
        LOWER_BOUND("Throughput is a lower bound in all blocks, and response times have no verdict"),
        NO_RESPONSE_TIMES("Response times have no verdict; other verdicts stand"),
        EXCLUDES_BLOCK("The block is excluded and measured again"),
        SHOWN("Shown; the verdict stands");

        private final String words;

        Effect(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    private static final class Shown {
        static final Set<Where> EVERYWHERE = EnumSet.allOf(Where.class);
        static final Set<Where> CAMPAIGNS = EnumSet.of(Where.CAMPAIGN);
        static final Set<Where> RUNS_AND_LOGS = EnumSet.of(Where.RUN, Where.OWN_PLAN, Where.LOG);
        static final Set<Where> RUNS_AND_CAMPAIGNS = EnumSet.of(Where.RUN, Where.OWN_PLAN, Where.CAMPAIGN);
        static final Set<Where> WARM_UPS = EnumSet.of(Where.RUN, Where.CAMPAIGN);
        static final Set<Where> WARM_UP_OF_RUNS = EnumSet.of(Where.RUN);
    }

    private final Cause cause;
    private final Effect effect;
    private final Set<Where> shown;
    private final String meaning;
    private final String consequence;
    private final List<Hint> hints;

    WarningKind(Cause cause, Effect effect, Set<Where> shown, String meaning, String consequence, Hint... hints) {
        this.cause = cause;
        this.effect = effect;
        this.shown = shown;
        this.meaning = meaning;
        this.consequence = consequence;
        this.hints = List.of(hints);
    }

    @JsonValue
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public Cause cause() {
        return cause;
    }

    public Effect effect() {
        return effect;
    }

    /** Returns the places that can raise and show the warning. */
    public Set<Where> shown() {
        return shown;
    }

    /** Returns what was found, for people. */
    public String meaning() {
        return meaning;
    }

    /** Returns what it means for the figures, for people. */
    public String consequence() {
        return consequence;
    }

    /** Returns what to do about it in this place, for people: any of these. */
    public List<String> hints(Where where) {
        return hints.stream()
                .map(hint -> hint.words(where))
                .flatMap(Optional::stream)
                .toList();
    }

    /** Returns the same as one text. */
    public String hint(Where where) {
        return String.join("; or ", hints(where));
    }

    /** True if the load was not as intended, or the counts cannot be trusted. */
    public boolean excludes() {
        return effect == Effect.EXCLUDES_ARM || effect == Effect.LOWER_BOUND || effect == Effect.EXCLUDES_BLOCK;
    }

    /**
     * True if a block with this warning is measured again. A warning that is only shown never repeats a block,
     * regardless of its cause.
     */
    public boolean repeats() {
        return effect == Effect.EXCLUDES_BLOCK;
    }

    /** Returns the kind with this key. Throws an IllegalArgumentException if there is none. */
    @JsonCreator
    public static WarningKind of(String key) {
        return Arrays.stream(values())
                .filter(kind -> kind.key().equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no kind of warning '" + key + "'"));
    }
}
