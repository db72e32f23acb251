package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Facts that a running server has proven of itself. One that is not ours proves nothing: files say {@code false} then.
 *
 * @param facts by key, in alphabetical order
 */
public record Proven(Map<String, String> facts) {

    /** Names of environment variables that were removed before its start, with blanks between. */
    public static final String ENV_REMOVED = "environment.removed";

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

    /** {@code tomcat}; empty where it is not known, as in the others. */
    public String container() {
        return text("container");
    }

    public String containerVersion() {
        return text("container.version");
    }

    public String bootVersion() {
        return text("boot.version");
    }

    /** {@code 25.0.3}. */
    public String jvmVersion() {
        return text("jvm.version");
    }

    /** The kind of thread that serves a request. */
    public String threads() {
        return text(ServedAtOnce.KIND);
    }
}
