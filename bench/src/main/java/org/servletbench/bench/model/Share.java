package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A share, such as {@code 3%} or {@code 0.03}. */
public record Share(@JsonValue String text) {
    /** Default margin. A smaller difference counts as none. */
    public static final double USUAL_MARGIN = 0.03;

    private static final Pattern FORM = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,12})?|\\.\\d{1,12})(%?)");

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public Share {}

    /**
     * Returns the share as a number above 0 and below 1.
     *
     * @throws IllegalArgumentException if the text is not a share
     */
    double value() {
        Matcher matcher = FORM.matcher(text);
        double share = matcher.matches()
                ? Double.parseDouble(matcher.group(1)) / (matcher.group(2).isEmpty() ? 1 : 100)
                : 0;
        if (!(share > 0 && share < 1)) {
            throw new IllegalArgumentException(text);
        }
        return share;
    }

    /**
     * Returns the share as a number above 0 and below 1.
     *
     * @param option name of the option, for the message
     * @throws UsageException if it is out of bounds
     */
    public double share(String option) {
        try {
            return value();
        } catch (IllegalArgumentException e) {
            throw Bounds.wrong(option, text, "a share such as 3%");
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
