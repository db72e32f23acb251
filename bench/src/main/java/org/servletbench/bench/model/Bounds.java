package org.servletbench.bench.model;

import java.util.List;
import java.util.Set;

/** Checks values against their bounds. Messages name the option, its value and what to give instead. */
public final class Bounds {

    private Bounds() {}

    /**
     * Returns a number after checking it.
     *
     * @param option name of the option, for the message
     * @param low smallest number, inclusive
     * @param high largest number, inclusive
     * @throws UsageException if it is out of bounds
     */
    public static int whole(String option, int number, int low, int high) {
        if (number < low || number > high) {
            throw wrong(option, Integer.toString(number), wholes(low, high));
        }
        return number;
    }

    /** Returns a number after checking it; see {@link #whole}. */
    public static double decimal(String option, double number, double low, double high) {
        if (!(number >= low && number <= high)) {
            throw wrong(option, Text.plain(number), decimals(low, high));
        }
        return number;
    }

    /**
     * Returns a list after checking it for duplicates. A value named twice is a mistake, or would be measured twice.
     *
     * @throws UsageException if there is a duplicate
     */
    public static <T> List<T> distinct(String option, List<T> values) {
        if (Set.copyOf(values).size() < values.size()) {
            throw new UsageException(option + " has a duplicate");
        }
        return values;
    }

    static String wholes(int low, int high) {
        return "a whole number from " + low + " to " + high;
    }

    static String decimals(double low, double high) {
        return "a number from " + low + " to " + high;
    }

    /** Returns the error for a value of an option. */
    public static UsageException wrong(String option, String value, String wanted) {
        return new UsageException(option + "=" + value + " is not understood: give " + wanted);
    }
}
