package org.servletbench.bench.model;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** The figures of a cell and of a start-up, each with its unit and the direction in which it is better. */
public enum Metric {
    THROUGHPUT("throughput", "Throughput", "requests/s", Kind.LOAD),
    /** The highest rate that meets an objective. */
    CAPACITY("capacity", "Capacity", "requests/s", Kind.LOAD),
    MEAN("mean", "Mean response time", "ms", Kind.LATENCY),
    P50("p50", "p50", "ms", Kind.LATENCY),
    P75("p75", "p75", "ms", Kind.LATENCY),
    P90("p90", "p90", "ms", Kind.LATENCY),
    P95("p95", "p95", "ms", Kind.LATENCY),
    P99("p99", "p99", "ms", Kind.LATENCY),
    P999("p999", "p99.9", "ms", Kind.LATENCY),
    MAX("max", "Slowest", "ms", Kind.LATENCY),
    ERRORS("errors", "Failed requests", "%", Kind.LOAD),
    CPU("cpu", "Server CPU time per request", "µs", Kind.COST),
    ALLOCATION("alloc", "Allocation per request", "bytes", Kind.COST),
    RSS("rss", "Resident memory", "bytes", Kind.COST),
    HEAP("heap", "Heap after a collection", "bytes", Kind.COST),
    MEMORY_PEAK("memory.peak", "Peak memory of the cgroup", "bytes", Kind.COST),
    GC("gc", "Time in garbage collection", "%", Kind.COST),
    /** Of the server's own CPU time. */
    COMPILER("jit", "CPU time of the JIT compiler", "%", Kind.COST),
    BACKLOG("jit.backlog", "Methods to compile", "", Kind.COST),
    SWITCHES("switches", "Context switches per request", "", Kind.COST),
    SERVER_CORES("server.cores", "Processors busy: server", "", Kind.COST),
    GENERATOR_CORES("generator.cores", "Processors busy: generator", "", Kind.COST),
    STEAL("steal", "Time taken by the host", "%", Kind.COST),
    OTHERS("others", "Time taken by other programs", "%", Kind.COST),
    READY("ready", "Time to ready", "ms", Kind.START_UP),
    READY_CPU("ready.cpu", "CPU time until ready", "ms", Kind.START_UP),
    READY_RSS("ready.rss", "Resident memory when ready", "bytes", Kind.START_UP),
    MEMORY_USED("jvm.memory.used", "jvm.memory.used", "bytes", Kind.START_UP),
    CLASSES_LOADED("jvm.classes.loaded", "Classes loaded when ready", "", Kind.START_UP),
    THREADS_LIVE("jvm.threads.live", "Live threads when ready", "", Kind.START_UP);

    /** Where a figure belongs in a report. */
    public enum Kind {
        LOAD,
        LATENCY,
        COST,
        /** Of a few requests beside the load; shown, and never judged. */
        /** Of the invocation, once, at the moment the application is ready. */
        START_UP
    }

    private final String key;
    private final String label;
    private final String unit;
    private final Kind kind;

    Metric(String key, String label, String unit, Kind kind) {
        this.key = key;
        this.label = label;
        this.unit = unit;
        this.kind = kind;
    }

    /** The name in files and options. */
    public String key() {
        return key;
    }

    public String label() {
        return label;
    }

    /** {@code requests/s}, {@code ms}, {@code µs}, {@code bytes}, {@code %}, or empty for a plain number. */
    public String unit() {
        return unit;
    }

    public boolean higherIsBetter() {
        return this == THROUGHPUT || this == CAPACITY;
    }

    /** Whether it tells how fast something is; the others tell how much is used. */
    public boolean isSpeed() {
        return this == THROUGHPUT || kind == Kind.LATENCY || this == READY;
    }

    public Kind kind() {
        return kind;
    }

    /**
     * Whether it tells of the heap and not of the container where the JVM uses its whole heap before the application starts.
     * {@code jvm.memory.used} does not: it counts what is in use, not what is resident.
     */
    public boolean isShapedByPreTouch() {
        return this == RSS || this == READY || this == READY_CPU || this == READY_RSS;
    }

    public static Optional<Metric> of(String key) {
        return Arrays.stream(values()).filter(metric -> metric.key.equals(key)).findFirst();
    }

    /** Its value among these, by {@link #key}; empty where it is not known. */
    public OptionalDouble of(Map<String, Double> figures) {
        Double value = figures.get(key);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** Whether it is one of the response times, such as a percentile: as coarse as the generator's clock. */
    public boolean isSingleTime() {
        return kind == Kind.LATENCY && this != MEAN;
    }

    /** In a sentence, in the singular and without an article. */
    public String words() {
        if (this == CPU) {
            return "CPU time per request";
        }
        return isSingleTime() ? label + " response time" : lowerFirst(label);
    }

    private static String lowerFirst(String label) {
        boolean acronym = label.length() > 1 && Character.isUpperCase(label.charAt(1));
        return acronym || label.isEmpty() ? label : Character.toLowerCase(label.charAt(0)) + label.substring(1);
    }
}
