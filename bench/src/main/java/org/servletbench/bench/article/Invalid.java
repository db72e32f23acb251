package org.servletbench.bench.article;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;

/** A record of an article's file has a value that it may not have; {@link ArticleReader} adds the file and the way to the key. */
final class Invalid extends IllegalArgumentException {

    private static final long serialVersionUID = 1;
    static final int MOST_USERS = 100_000;

    private final String key;
    private final String expected;

    /**
     * @param key relative to the record
     * @param expected what is wrong with it, and what is allowed
     */
    Invalid(String key, String expected) {
        super("'" + key + "' " + expected);
        this.key = key;
        this.expected = expected;
    }

    String key() {
        return key;
    }

    String expected() {
        return expected;
    }

    /** The value lies in this range, or nothing is said. */
    static void range(String key, Number value, double least, double most) {
        if (value != null && !(value.doubleValue() >= least && value.doubleValue() <= most)) {
            throw new Invalid(
                    key,
                    "must be a number from " + plain(least)
                            + (most == Double.POSITIVE_INFINITY ? " on" : " to " + plain(most)));
        }
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    /** At least so many values, none twice. */
    static void distinct(String key, Collection<?> values, int least) {
        if (values.size() < least || new HashSet<>(values).size() != values.size()) {
            throw new Invalid(key, "must be a list of at least " + least + ", none of them twice");
        }
    }

    /** At least so many numbers of concurrent users, none twice. */
    static void users(String key, List<Integer> users, int least) {
        distinct(key, users, least);
        users.forEach(number -> range(key, number, 1, MOST_USERS));
    }

    static void oneOf(String key, String value, Collection<String> allowed) {
        if (!allowed.contains(value)) {
            throw new Invalid(key, "is '" + value + "', and must be one of " + String.join(", ", allowed));
        }
    }

    /** Figures under load are of a workload and numbers of users, those of the start of neither. */
    static void place(Quantity metric, String workload, List<Integer> users) {
        if (!metric.isStartUp()) {
            users("users", users, 1);
        } else if (!workload.isEmpty() || !users.isEmpty()) {
            throw new Invalid(
                    users.isEmpty() ? "workload" : "users",
                    "is no key here: " + metric + " is taken once, at start-up");
        }
    }

    static void two(String key, List<String> arms) {
        if (arms.size() != 2 || arms.get(0).equals(arms.get(1))) {
            throw new Invalid(key, "must be a list of two arms, the one and the one it is divided by");
        }
    }
}
