package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** A share, such as {@code 3%} or {@code 0.03}. */
public record Share(@JsonValue String text) {

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public Share {}

    @Override
    public String toString() {
        return text;
    }
}
