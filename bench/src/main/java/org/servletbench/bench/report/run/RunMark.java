package org.servletbench.bench.report.run;

import java.util.List;
import java.util.stream.Collectors;
import org.servletbench.bench.model.MarkKind;

/**
 * A reason why the figures of a run must not be trusted.
 *
 * @param detail how we know, in a few words; empty where the kind says it all
 * @param cells the workloads and tiers that it concerns; none: the whole run
 */
public record RunMark(Kind kind, String detail, List<String> cells) {

    public enum Kind {
        DIED("the server died: this is not a result", "read server.log"),
        NO_WARM_UP("the server was not warm when the measurement began", "leave out -Dwarmup=0s"),
        NOT_WARM(
                "the server was not warm when the measurement began",
                "end other programs, or allow a longer warm-up: -Dwarmup=10m"),
        COMPILING(
                "the server's JIT compiler was at work while it was measured: it was not warm for this load",
                "allow a longer warm-up (-Dwarmup=10m), hold the tiers longer (-Dhold=60s), and end other programs"),
        FAILED("too many requests failed", "read the kinds of failure in measured.txt, and server.log"),
        NOT_STEADY(
                "the load was never steady for a whole second",
                "hold the tiers longer: -Dhold=60s, or with -Dloops more of them"),
        USERS(
                "other numbers of users were active than asked for",
                "use smaller tiers, or a generator with more memory"),
        STALLED(
                "requests/s and response times do not account for all users (Little's law): the generator stalled, or"
                        + " answers take almost as long as the load lasts",
                "end other programs, hold the tiers longer (-Dhold=60s, or more -Dloops), or use smaller tiers"),
        TREND(
                "throughput rose or fell while it was measured",
                "end other programs, or hold the tiers longer: -Dhold=60s, or with -Dloops more of them"),
        RATE(
                "not the rate that was asked for: the server or the generator did not keep up, or answered in the window what was"
                        + " due before it",
                "use a lower -Drate, or end other programs"),
        LATE(
                "the generator sent requests late, and that is in their times",
                "use a lower -Drate, or end other programs"),
        GENERATOR(
                "the generator reported errors that belong to no request",
                "read measured.txt, and the generator's own log"),
        CLOCK("requests end before they start: the clock was set while it ran", "run again"),
        LOG("the log is incomplete or contradicts the generator's own report", "read measured.txt, and run again");

        private final String words;
        private final String remedy;

        Kind(String words, String remedy) {
            this.words = words;
            this.remedy = remedy;
        }

        public String words() {
            return words;
        }

        public String remedy() {
            return remedy;
        }

        /** What a failed check of the audit means. */
        static Kind of(MarkKind check) {
            return switch (check) {
                case ERRORS -> FAILED;
                case GENERATOR_ERRORS -> GENERATOR;
                case POSSIBLE_TIMES -> CLOCK;
                case STEADY_WINDOW -> NOT_STEADY;
                case USERS_HELD -> USERS;
                case LITTLES_LAW -> STALLED;
                case TREND -> TREND;
                case OFFERED_RATE -> RATE;
                case LATE_REQUESTS -> LATE;
                default -> LOG;
            };
        }
    }

    public String text() {
        return kind.words()
                + (detail.isEmpty() ? "" : " (" + detail + ")")
                + cells.stream().collect(Collectors.joining(", ", cells.isEmpty() ? "" : ": ", ""));
    }

    public String line() {
        return "MARKED: " + text() + ". Remedy: " + kind.remedy() + ".";
    }
}
