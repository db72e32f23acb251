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
 * Known faults and costs that are injected to prove the rig: does it find what is there? Off unless asked for, and then
 * nothing of them is in the way of a request.
 *
 * <p>They are JVM system properties only, such as {@code -Dproof.delay=20ms}, and not Spring's: no file, environment or
 * program argument can switch one on, so they always stand among the JVM's options, which the rig reads from the running
 * server and puts on record.
 *
 * <ul>
 *   <li>{@code proof.burn=50us}: each request burns so much CPU time more. What the switch itself costs (some
 *       tenths of a µs) comes on top: hold it against a server with {@code proof.burn=0us}, which pays that, too
 *   <li>{@code proof.hand-over=true}: each request hands a task that does nothing to another thread, and waits for it
 *   <li>{@code proof.write=true}: each request writes one byte to {@code /dev/null}: one more call of {@code write}
 *   <li>{@code proof.delay=20ms}: each request waits so long before it is answered
 *   <li>{@code proof.rate=150}: so many requests are answered a second, evenly; the others wait for their turn
 *   <li>{@code proof.fail.every=100}: each hundredth request is answered with status 500, after which Tomcat closes
 *       the connection, as it always does
 *   <li>{@code proof.truncate.every=100}: each hundredth answer ends within its body, with its connection
 *   <li>{@code proof.header=Name:value}: each answer has this header
 *   <li>{@code proof.body=true}: one bit of one byte of each text that the app itself writes is another
 * </ul>
 *
 * <p>Requests are those of the workloads; the actuator's and the rig's own are left alone.
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

    /** The switches that are on, by name. */
    static Map<String, String> on() {
        Map<String, String> on = new TreeMap<>();
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith(PREFIX))
                .forEach(name -> on.put(name, System.getProperty(name)));
        return on;
    }

    /**
     * @throws IllegalArgumentException if one is on that there is not: it would prove nothing
     */
    static void requireKnown() {
        on().keySet().stream().filter(name -> !KNOWN.contains(name)).findFirst().ifPresent(name -> {
            throw new IllegalArgumentException("no switch " + name + ": choose from " + KNOWN);
        });
    }

    /** A time in ns; empty if the switch is off. */
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

    /** Whether anything is asked for. */
    static final class Asked implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return !on().isEmpty();
        }
    }

    /** Whether another body is asked for. */
    static final class BodyAsked implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return Boolean.getBoolean(BODY);
        }
    }
}
