package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A time with its unit, such as {@code 500ms}, {@code 10s} or {@code 2m}. */
public record Time(@JsonValue String text) {

    private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public Time {}

    /** Returns a time in the largest unit that gives a whole number. */
    public static Time of(Duration time) {
        long ms = time.toMillis();
        return new Time(
                ms % 1000 != 0
                        ? ms + "ms"
                        : ms % 60_000 != 0 || ms == 0
                                ? ms / 1000 + "s"
                                : ms % 3_600_000 != 0 ? ms / 60_000 + "m" : ms / 3_600_000 + "h");
    }

    /** @throws IllegalArgumentException if the text is not a time */
    public Duration duration() {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(text);
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }

    public double seconds() {
        return duration().toMillis() / 1000.0;
    }

    @Override
    public String toString() {
        return text;
    }
}
