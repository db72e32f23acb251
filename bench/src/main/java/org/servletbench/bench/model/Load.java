package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A workload at a number of users or at a rate. An unknown load has neither.
 *
 * @param users concurrent users in the closed model; 0 in the open model
 * @param rate requests/s in the open model; 0 in the closed model
 * @param pause pause of each user between requests, in the closed model
 */
public record Load(String workload, int users, double rate, Pause pause) implements Comparable<Load> {
    private static final String STEP = " / ";
    /** Suffix of a load that was measured again. */
    private static final String AGAIN = " (again)";
    /** Text before the pause of users. */
    private static final String PAUSING = " pausing ";

    private static final Pattern CLOSED = Pattern.compile("(?<workload>\\S.*) (?<users>[1-9][0-9]{0,8}) users(?:"
            + PAUSING + "(?<pause>" + Pause.FORM + "))?(?:" + Pattern.quote(AGAIN) + ")?(?<step>" + STEP + "\\S.*)?");
    private static final Pattern OPEN = Pattern.compile("(\\S.*) at ([0-9]{1,9}(?:\\.[0-9]{1,9})?)/s");

    /** Closed loads come before open ones, and these before unknown ones. */
    private static final Comparator<Load> ORDER = Comparator.comparing(Load::workload)
            .thenComparing(load -> load.users > 0 ? 0 : load.rate > 0 ? 1 : 2)
            .thenComparing(Load::users)
            .thenComparing(Load::rate)
            .thenComparing(load -> load.pause.meanMs())
            .thenComparing(load -> load.pause.kind());

    /** Creates a load without pauses. */
    public Load(String workload, int users, double rate) {
        this(workload, users, rate, Pause.NONE);
    }

    /** True if its rate has still to be found. */
    @JsonIgnore
    public boolean isUnknown() {
        return users == 0 && rate == 0;
    }

    /**
     * Parses {@link #name}. Any other text is the workload of an unknown load. A request of a journey,
     * {@code shop 10 users / cart}, is the workload {@code shop / cart}.
     */
    public static Load parse(String text) {
        Matcher closed = CLOSED.matcher(text);
        if (closed.matches()) {
            String step = closed.group("step") == null ? "" : closed.group("step");
            return new Load(
                    closed.group("workload") + step,
                    Integer.parseInt(closed.group("users")),
                    0,
                    closed.group("pause") == null ? Pause.NONE : Pause.parse(closed.group("pause")));
        }
        Matcher open = OPEN.matcher(text);
        return open.matches() && Double.parseDouble(open.group(2)) > 0
                ? new Load(open.group(1), 0, Double.parseDouble(open.group(2)))
                : new Load(text, 0, 0);
    }

    /** True if a rate is the same after being written into a name and read back: it has at most nine decimals. */
    public static boolean canName(double rate) {
        return parse(new Load("any", 0, rate).name()).rate == rate;
    }

    /**
     * Returns the name of the load that a request of a journey belongs to, such as {@code shop 10 users}; empty if it
     * is not a request of a journey.
     */
    public static Optional<String> journey(String text) {
        Matcher closed = CLOSED.matcher(text);
        return closed.matches() && closed.group("step") != null
                ? Optional.of(text.substring(0, closed.start("step")))
                : Optional.empty();
    }

    /** Returns the name in logs of a closed-model load that is measured again. */
    public static String again(String name) {
        return name + AGAIN;
    }

    /** Returns the name of the load that this one repeats and replaces; empty if it is not a repetition. */
    public static Optional<String> first(String name) {
        return name.endsWith(AGAIN) && parse(name).users > 0
                ? Optional.of(name.substring(0, name.length() - AGAIN.length()))
                : Optional.empty();
    }

    /** Returns the name in logs of one of the requests that a load's users send in order. */
    public static String step(String load, String request) {
        return load + STEP + request;
    }

    /**
     * Returns the name in the generators' logs: {@code hello 100 users}, {@code hello 100 users pausing 20ms} or
     * {@code hello at 62.5/s}.
     */
    public String name() {
        return isUnknown() ? workload : workload + " " + amount();
    }

    /** Returns the amount of load: {@code 100 users} or {@code at 62.5/s}; empty if it is not known. */
    @JsonIgnore
    public String amount() {
        return users > 0 ? users + " users" + pausing() : rate > 0 ? "at " + plainRate() + "/s" : "";
    }

    /**
     * Returns the load as part of a sentence: {@code hello at 100 users}, {@code hello at 8 users pausing about 100 ms}
     * or {@code hello at 62.5 requests/s}.
     */
    public String words() {
        return users > 0
                ? workload + " at " + users + " users" + (pause.isNone() ? "" : PAUSING + pause.words())
                : rate > 0 ? workload + " at " + plainRate() + " requests/s" : workload;
    }

    private String pausing() {
        return pause.isNone() ? "" : PAUSING + pause;
    }

    /** Returns the rate without exponent or trailing zeros, requests/s. */
    String plainRate() {
        return BigDecimal.valueOf(rate).stripTrailingZeros().toPlainString();
    }

    @Override
    public int compareTo(Load other) {
        return ORDER.compare(this, other);
    }
}
