package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** A time with its unit, such as {@code 500ms}, {@code 10s} or {@code 2m}. */
public record Time(@JsonValue String text) {

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public Time {}

    public double seconds() {
        return Options.duration0(text).toMillis() / 1000.0;
    }

    @Override
    public String toString() {
        return text;
    }
}
