package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Facts about a running server, reported by the server itself. A third-party server proves nothing: files say {@code false} then.
 *
 * @param facts by key, in alphabetical order
 */
public record Proven(Map<String, String> facts) {

    /** Names of environment variables that were removed before its start, with blanks between. */
    public static final String ENV_REMOVED = "environment.removed";

    /** Value of {@link #container} of a server that does not report it, because a command of the user's own started it. */
    public static final String UNPROVEN = "unproven";

    public static final Proven NOTHING = new Proven(Map.of());

    public Proven {
        facts = Collections.unmodifiableMap(new TreeMap<>(facts));
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Proven of(Object json) {
        Map<String, String> facts = new TreeMap<>();
        if (json instanceof Map<?, ?> known) {
            known.forEach((key, value) -> facts.put(String.valueOf(key), String.valueOf(value)));
        }
        return new Proven(facts);
    }

    @JsonValue
    Object json() {
        return facts.isEmpty() ? Boolean.FALSE : facts;
    }

    private String text(String key) {
        return facts.getOrDefault(key, "");
    }

    /** Returns the container, such as {@code tomcat}; empty if it is not known, as for the other facts. */
    public String container() {
        return text("container");
    }

    public String containerVersion() {
        return text("container.version");
    }

    public String bootVersion() {
        return text("boot.version");
    }

    /** Returns the version, such as {@code 25.0.3}. */
    public String jvmVersion() {
        return text("jvm.version");
    }

    /** Returns the kind of thread that serves a request. */
    public String threads() {
        return text(ServedAtOnce.KIND);
    }
}
