package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Duration;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Think time: the pause of a user between an answer and the next request.
 *
 * @param length length of every pause; for exponential pauses their mean, for uniform ones their maximum; in whole ms
 */
public record Pause(Kind kind, Duration length) {

    /** Distributions of pauses. */
    public enum Kind {
        CONSTANT(""),
        EXPONENTIAL("exponential "),
        /** All lengths up to the maximum are equally likely. */
        UNIFORM("up to ");

        private final String prefix;

        Kind(String prefix) {
            this.prefix = prefix;
        }
    }

    /** No pause: users send their next request at once. */
    public static final Pause NONE = new Pause(Kind.CONSTANT, Duration.ZERO);

    /** Regular expression of {@link #text}. */
    public static final String FORM =
            "(?:" + Kind.EXPONENTIAL.prefix + "|" + Kind.UNIFORM.prefix + ")?\\d{1,9}(?:ms|s|m|h)";

    /** Pauses of length 0 are equal, whatever their kind. */
    public Pause {
        kind = length.isZero() ? Kind.CONSTANT : kind;
    }

    /**
     * Parses {@link #text}.
     *
     * @throws IllegalArgumentException if it is not a pause
     */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Pause parse(String text) {
        if (!text.matches(FORM)) {
            throw new IllegalArgumentException(text);
        }
        Kind kind = Stream.of(Kind.EXPONENTIAL, Kind.UNIFORM)
                .filter(one -> text.startsWith(one.prefix))
                .findFirst()
                .orElse(Kind.CONSTANT);
        return new Pause(kind, new Time(text.substring(kind.prefix.length())).duration());
    }

    public boolean isNone() {
        return length.isZero();
    }

    /** Returns the mean length, ms. */
    public double meanMs() {
        return kind == Kind.UNIFORM ? length.toMillis() / 2.0 : length.toMillis();
    }

    /** Returns the length of the next pause in whole ms, rounded at random so that the mean is right. */
    public long nextMs(RandomGenerator random) {
        double ms =
                switch (kind) {
                    case CONSTANT -> length.toMillis();
                    case EXPONENTIAL -> length.toMillis() * random.nextExponential();
                    case UNIFORM -> length.toMillis() * random.nextDouble();
                };
        return (long) Math.floor(ms + (kind == Kind.CONSTANT ? 0 : random.nextDouble()));
    }

    /**
     * Returns the text in comparison files and names of loads: {@code 20ms}, {@code exponential 20ms} or
     * {@code up to 1s}.
     */
    @JsonValue
    public String text() {
        return kind.prefix + Time.of(length);
    }

    /** Returns the pause for people: {@code 20 ms}, {@code about 20 ms} or {@code up to 1 s}. */
    public String words() {
        return (kind == Kind.EXPONENTIAL ? "about " : kind.prefix)
                + Time.of(length).toString().replaceFirst("(?<=\\d)(?=\\D)", " ");
    }

    @Override
    public String toString() {
        return text();
    }
}
