package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** A share, such as {@code 3%} or {@code 0.03}. */
public record Share(@JsonValue String text) {
    /** Default margin: a smaller difference counts as none. */
    public static final double USUAL_MARGIN = 0.03;

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public Share {}

    @Override
    public String toString() {
        return text;
    }
}
