package org.servletbench.bench.measure;

import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a request in a log, and what it says about the load: {@code hello 100 users} (closed model) or
 * {@code hello at 200/s} (open model). Any other name is a cell too, of a load that is not known.
 *
 * @param text the name as it stands in the log
 * @param workload the request kind; the whole text when the name fits neither form
 * @param tier concurrent users, at least 1; only in the closed model
 * @param rate requests/s that were offered, above 0; only in the open model
 */
public record CellName(String text, String workload, OptionalInt tier, OptionalDouble rate)
        implements Comparable<CellName> {
    private static final Pattern CLOSED = Pattern.compile("(\\S.*) ([1-9][0-9]{0,8}) users");
    private static final Pattern OPEN = Pattern.compile("(\\S.*) at ([0-9]{1,9}(?:\\.[0-9]{1,9})?)/s");

    /**
     * Reads a name.
     *
     * @param text any text; never refused
     * @return the name with the tier or the rate it states
     */
    public static CellName parse(String text) {
        Matcher closed = CLOSED.matcher(text);
        if (closed.matches()) {
            OptionalInt tier = OptionalInt.of(Integer.parseInt(closed.group(2)));
            return new CellName(text, closed.group(1), tier, OptionalDouble.empty());
        }
        Matcher open = OPEN.matcher(text);
        if (open.matches() && Double.parseDouble(open.group(2)) > 0) {
            OptionalDouble rate = OptionalDouble.of(Double.parseDouble(open.group(2)));
            return new CellName(text, open.group(1), OptionalInt.empty(), rate);
        }
        return new CellName(text, text, OptionalInt.empty(), OptionalDouble.empty());
    }

    /** By workload, then closed before open before unknown, then by tier or rate, then by text. */
    @Override
    public int compareTo(CellName other) {
        int order = workload.compareTo(other.workload);
        order = order != 0 ? order : Integer.compare(model(), other.model());
        order = order != 0 ? order : Integer.compare(tier.orElse(0), other.tier.orElse(0));
        order = order != 0 ? order : Double.compare(rate.orElse(0), other.rate.orElse(0));
        return order != 0 ? order : text.compareTo(other.text);
    }

    private int model() {
        return tier.isPresent() ? 0 : rate.isPresent() ? 1 : 2;
    }

    @Override
    public String toString() {
        return text;
    }
}
