package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Facts about a running server, as the server itself reports them. A third-party server cannot be verified; files
 * contain {@code false} then.
 *
 * @param facts facts by key, in alphabetical order
 */
public record Proven(Map<String, String> facts) {

    /** Names of environment variables that were removed before its start, separated by blanks. */
    public static final String ENV_REMOVED = "environment.removed";

    /** Value of {@link #container} if a user's own command started the server, which then does not report it. */
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

    /** Limit of CPU time, as the kernel reports it: {@code 500m}; {@code none} if only other servers have a limit. */
    public static final String CPU_LIMIT = "cpu.limit";

    /** Limit of memory, as the kernel reports it: {@code 512 MiB}; {@code none} with the reason if it has no effect. */
    public static final String MEMORY_LIMIT = "memory.limit";

    /** Memory that the process has in huge pages: {@code 1078 MiB}. */
    public static final String HUGE_PAGES = "memory.huge.pages";

    /** Value of a limit that a server does not have, or that has no effect. */
    public static final String NO_LIMIT = "none";

    /** Prefix of the JVM's heap flags. Their values are sizes in bytes, as the running JVM reports them. */
    public static final String HEAP = "jvm.heap.";

    /**
     * Returns the heap that the JVM reports, for people: {@code 512 MiB, 32 MiB at the start}; empty if it is not
     * known.
     */
    public String heap() {
        OptionalLong most = mib("MaxHeapSize");
        if (most.isEmpty()) {
            return "";
        }
        StringBuilder words = new StringBuilder(most.getAsLong() + " MiB");
        part(words, "InitialHeapSize", most.getAsLong(), "at the start");
        part(words, "SoftMaxHeapSize", most.getAsLong(), "as a soft limit");
        part(words, "MaxNewSize", most.getAsLong(), "young at most");
        return words.toString();
    }

    /** Returns the maximum size of the heap, such as {@code 512 MiB} or {@code 1 GiB}; empty if it is not known. */
    public String heapSize() {
        OptionalLong mib = mib("MaxHeapSize");
        return mib.isEmpty()
                ? ""
                : mib.getAsLong() % 1024 == 0 ? mib.getAsLong() / 1024 + " GiB" : mib.getAsLong() + " MiB";
    }

    /** Returns a limit, such as {@code 512 MiB} or {@code 500m}; {@link #NO_LIMIT} if it has none, or it has no effect. */
    public String limit(String key) {
        String limit = text(key);
        return limit.isEmpty() || limit.startsWith(NO_LIMIT) ? NO_LIMIT : limit;
    }

    /**
     * Adds a part of the heap if it is smaller than the whole. Flags that a collector does not use have larger values.
     */
    private void part(StringBuilder words, String flag, long most, String what) {
        mib(flag).stream()
                .filter(size -> size < most)
                .forEach(size -> words.append(", ").append(size).append(" MiB ").append(what));
    }

    private OptionalLong mib(String flag) {
        String bytes = text(HEAP + flag);
        return bytes.matches("\\d{1,18}") ? OptionalLong.of(Long.parseLong(bytes) >> 20) : OptionalLong.empty();
    }

    private String text(String key) {
        return facts.getOrDefault(key, "");
    }

    /** Returns the container, such as {@code tomcat}. Like the other facts, it is empty if it is not known. */
    public String container() {
        return text("container");
    }

    public String containerVersion() {
        return text("container.version");
    }

    public String bootVersion() {
        return text("boot.version");
    }

    /** Returns the JVM's version, such as {@code 25.0.3}. */
    public String jvmVersion() {
        return text("jvm.version");
    }

    /** Returns the kind of thread that serves requests. */
    public String threads() {
        return text(ServedAtOnce.KIND);
    }
}
