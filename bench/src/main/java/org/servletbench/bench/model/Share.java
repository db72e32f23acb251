package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** A share, such as {@code 3%} or {@code 0.03}. */
public record Share(@JsonValue String text) {
    /** Default margin: a smaller difference counts as none. */
    public static final double USUAL_MARGIN = 0.03;

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public Share {}

    /**
     * Returns it as a number above 0 and below 1.
     *
     * @param option its name in the message
     * @throws UsageException if it is out of bounds
     */
    public double share(String option) {
        try {
            return Options.share(text);
        } catch (IllegalArgumentException e) {
            throw Bounds.wrong(option, text, "a share such as 3%");
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
