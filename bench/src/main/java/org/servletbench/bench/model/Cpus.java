package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.Duration;

/**
 * A limit of CPU time in processors, as Kubernetes writes it: {@code 500m} or {@code 1.5}. The kernel applies it to
 * periods. A server that has used up its time in one must wait for the next.
 *
 * @param millis thousandths of a processor
 */
public record Cpus(int millis) implements Serializable {

    /** Form of a value. The minimum is 10m, because the kernel gives at least 1 ms of a period. */
    public static final String FORM = "[1-9]\\d{1,6}m|[1-9]\\d{0,2}(\\.\\d{1,3})?|0\\.([1-9]\\d{0,2}|0[1-9]\\d?)";

    /** Length of a period, as in Kubernetes, ms. */
    public static final int PERIOD_MS = 100;

    /** Shortest time slice of a server with a limit. A slice cuts periods at its edges, which must not matter. */
    public static final Duration LEAST_SLICE = Duration.ofMillis(20L * PERIOD_MS);

    private static final int WHOLE = 1000;

    /** Parses a text of {@link #FORM}. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Cpus of(String text) {
        return new Cpus(
                text.endsWith("m")
                        ? Integer.parseInt(text.substring(0, text.length() - 1))
                        : new BigDecimal(text).movePointRight(3).intValueExact());
    }

    /** True if a server on this number of processors never reaches the limit. */
    public boolean isAtLeast(int processors) {
        return millis >= processors * WHOLE;
    }

    @JsonValue
    @Override
    public String toString() {
        return millis % WHOLE == 0 ? Integer.toString(millis / WHOLE) : millis + "m";
    }
}
