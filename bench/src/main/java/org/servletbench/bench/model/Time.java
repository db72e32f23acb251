package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Duration;

/** A time with its unit, such as {@code 500ms}, {@code 10s} or {@code 2m}. */
public record Time(@JsonValue String text) {

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public Time {}

    /** Returns a time in the largest unit in which it is a whole number. */
    public static Time of(Duration time) {
        long ms = time.toMillis();
        return new Time(
                ms % 1000 != 0
                        ? ms + "ms"
                        : ms % 60_000 != 0 || ms == 0
                                ? ms / 1000 + "s"
                                : ms % 3_600_000 != 0 ? ms / 60_000 + "m" : ms / 3_600_000 + "h");
    }

    public Duration duration() {
        return Options.duration0(text);
    }

    public double seconds() {
        return duration().toMillis() / 1000.0;
    }

    @Override
    public String toString() {
        return text;
    }
}
