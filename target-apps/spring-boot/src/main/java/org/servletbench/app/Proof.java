package org.servletbench.app;

import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Known faults and costs, which are injected to prove that servlet-bench detects them. They are off unless
 * requested, and then they add nothing to a request.
 *
 * <p>They are JVM system properties only, such as {@code -Dproof.delay=20ms}, and not Spring's. No file, environment or
 * program argument can switch one on, so they always appear among the JVM's options, which servlet-bench reads from the
 * running server and records.
 *
 * <ul>
 *   <li>{@code proof.burn=50us}: each request burns this much additional CPU time. The switch itself costs a few
 *       tenths of a µs more, so compare with a server with {@code proof.burn=0us}, which pays that, too
 *   <li>{@code proof.hand-over=true}: each request hands off an empty task to another thread, and waits for it
 *   <li>{@code proof.write=true}: each request writes one byte to {@code /dev/null}, one more call of {@code write}
 *   <li>{@code proof.delay=20ms}: each request waits this long before it is answered
 *   <li>{@code proof.rate=150}: this many requests are answered per second, evenly; the others wait
 *   <li>{@code proof.fail.every=100}: each hundredth request is answered with status 500, after which Tomcat closes
 *       the connection, as it always does
 *   <li>{@code proof.truncate.every=100}: each hundredth answer ends within its body, with its connection
 *   <li>{@code proof.header=Name:value}: each answer has this header
 *   <li>{@code proof.body=true}: one bit of one byte of each text that the app itself writes is flipped
 * </ul>
 *
 * <p>They affect the requests of the workloads, but not those to the actuator or of servlet-bench itself.
 */
final class Proof {

    static final String BURN = "proof.burn";
    static final String HAND_OVER = "proof.hand-over";
    static final String WRITE = "proof.write";
    static final String DELAY = "proof.delay";
    static final String RATE = "proof.rate";
    static final String FAIL_EVERY = "proof.fail.every";
    static final String TRUNCATE_EVERY = "proof.truncate.every";
    static final String HEADER = "proof.header";
    static final String BODY = "proof.body";

    private static final String PREFIX = "proof.";
    private static final Set<String> KNOWN =
            Set.of(BURN, HAND_OVER, WRITE, DELAY, RATE, FAIL_EVERY, TRUNCATE_EVERY, HEADER, BODY);
    private static final Map<String, Long> UNITS = Map.of("ns", 1L, "us", 1_000L, "ms", 1_000_000L);
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ns|us|ms)");

    private Proof() {}

    /** Returns the active switches, by name. */
    static Map<String, String> on() {
        Map<String, String> on = new TreeMap<>();
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith(PREFIX))
                .forEach(name -> on.put(name, System.getProperty(name)));
        return on;
    }

    /**
     * @throws IllegalArgumentException if an unknown switch is active, because it would prove nothing
     */
    static void requireKnown() {
        on().keySet().stream().filter(name -> !KNOWN.contains(name)).findFirst().ifPresent(name -> {
            throw new IllegalArgumentException("no switch " + name + ": choose from " + KNOWN);
        });
    }

    /** Returns a time in ns; empty if the switch is off. */
    static OptionalLong nanos(String name) {
        String value = System.getProperty(name);
        if (value == null) {
            return OptionalLong.empty();
        }
        Matcher matcher = TIME.matcher(value);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    name + "=" + value + " is not understood: give a time such as 500ns, 50us or 20ms");
        }
        return OptionalLong.of(Long.parseLong(matcher.group(1)) * UNITS.get(matcher.group(2)));
    }

    /** True if any switch is active. */
    static final class Asked implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return !on().isEmpty();
        }
    }

    /** True if another body is requested. */
    static final class BodyAsked implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return Boolean.getBoolean(BODY);
        }
    }
}
