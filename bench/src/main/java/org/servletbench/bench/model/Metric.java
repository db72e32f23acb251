package org.servletbench.bench.model;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.servletbench.bench.model.Reading.How;

/**
 * The catalogue of figures of a load and of a start-up. Each entry has the key, unit and direction of a figure; those
 * of the server also have how the figure is read and merged, and what it means.
 */
public enum Metric {
    THROUGHPUT("throughput", "Throughput", "requests/s", Kind.LOAD, "req/s", 1),
    /** The highest rate that meets an objective. */
    CAPACITY("capacity", "Capacity", "requests/s", Kind.LOAD),
    MEAN("mean", "Mean response time", "ms", Kind.LATENCY, "mean ms", 2),
    P50("p50", "p50", "ms", Kind.LATENCY, "p50 ms", 0),
    P75("p75", "p75", "ms", Kind.LATENCY, "p75 ms", 0),
    P90("p90", "p90", "ms", Kind.LATENCY, "p90 ms", 0),
    P95("p95", "p95", "ms", Kind.LATENCY, "p95 ms", 0),
    P99("p99", "p99", "ms", Kind.LATENCY, "p99 ms", 0),
    P999("p999", "p99.9", "ms", Kind.LATENCY, "p99.9 ms", 0),
    MAX("max", "Slowest", "ms", Kind.LATENCY, "max ms", 0),
    ERRORS("errors", "Failed requests", "%", Kind.LOAD),
    CPU(
            "cpu",
            "Server CPU time per request",
            "µs",
            "CPU µs/req",
            1,
            How.PER_REQUEST,
            "process.cpu.ms",
            1000,
            "CPU time, user and system, of the server's process in the window, as its JVM reports it (in time slices, and of all of nginx's"
                    + " processes, from /proc), divided by the requests that ended in it. JIT compiler, garbage collection and the rig's questions to the"
                    + " JVM are in it.",
            Part.WHOLE,
            "CPU time per request"),
    CPU_USER(
            "cpu.user",
            "User CPU time per request",
            "µs",
            "user µs/req",
            1,
            How.PER_REQUEST,
            "process.user.ms",
            1000,
            "The part of the CPU time that the kernel books as user time (/proc/PID/stat).",
            Part.MODE,
            "in user code"),
    CPU_SYSTEM(
            "cpu.system",
            "System CPU time per request",
            "µs",
            "system µs/req",
            1,
            How.PER_REQUEST,
            "process.system.ms",
            1000,
            "The part that it books as system time: what the kernel does for the server.",
            Part.MODE,
            "in the kernel"),
    CPU_CONTAINER(
            "cpu.container",
            "CPU time of the container's threads per request",
            "µs",
            "container µs/req",
            1,
            How.PART_OF_CPU,
            "container.cpu.ms",
            1000,
            "CPU time of the threads that accept, read and answer requests, by the names that the containers give them, and of the carriers"
                    + " of virtual threads; from /proc/PID/task/*/schedstat. What a thread uses between the last reading and its end is"
                    + " missing."),
    CPU_COMPILER(
            "cpu.compiler",
            "CPU time of the JIT compiler per request",
            "µs",
            "compiler µs/req",
            1,
            How.PART_OF_CPU,
            "compiler.cpu.ms",
            1000,
            "CPU time of the threads in which the server's JVM compiles, read in the same way.",
            Part.ROLE,
            "in JIT compiler"),
    CPU_GC(
            "cpu.gc",
            "CPU time of garbage collection per request",
            "µs",
            "GC µs/req",
            1,
            How.PART_OF_CPU,
            "gc.cpu.ms",
            1000,
            "CPU time of the collectors' threads and of the VM thread, in which the serial collector collects, read in the same way.",
            Part.ROLE,
            "in garbage collection"),
    CPU_OTHER(
            "cpu.other",
            "CPU time of other threads per request",
            "µs",
            "other µs/req",
            1,
            How.PART_OF_CPU,
            "other.cpu.ms",
            1000,
            // Never the reason for a difference, because it depends on time, not on requests.
            "CPU time of all other threads, read in the same way: the application's own, the JVM's, and the rig's probe. Much of it is"
                    + " used without requests, too: a slower server has more of it for each request."),
    ALLOCATION(
            "alloc",
            "Allocation per request",
            "bytes",
            "alloc B/req",
            0,
            How.PER_REQUEST,
            "alloc.bytes",
            1,
            "Bytes that the server's live threads allocated in the window, divided by the requests that ended in it. What a thread"
                    + " allocates between the last reading and its end is missing.",
            Part.COUNT,
            "bytes allocated per request"),
    RSS(
            "rss",
            "Resident memory",
            "bytes",
            "RSS MiB",
            0,
            How.MOST,
            "rss.bytes",
            1,
            "The largest VmRSS of the server's process seen in the window."),
    HEAP(
            "heap",
            "Heap after a collection",
            "bytes",
            "heap MiB",
            0,
            How.LEAST,
            "heap.after.gc.bytes",
            1,
            "The smallest heap in use right after a collection (GcInfo), looked at once a second."),
    MEMORY_PEAK(
            "memory.peak",
            "Peak memory of the cgroup",
            "bytes",
            "peak MiB",
            0,
            How.MOST,
            "memory.peak.bytes",
            1,
            "The most that the server's cgroup had in use until the window's end, page cache among it; only where one limits it."),
    GC(
            "gc",
            "Time in garbage collection",
            "%",
            "GC %",
            2,
            How.PER_TIME_OF_LOAD,
            "gc.ms",
            100,
            "Growth of GarbageCollectorMXBean.getCollectionTime, summed over the collectors, in percent of the window. Of ZGC and"
                    + " Shenandoah only pauses: their cycles run beside the application."),
    COMPILER(
            "jit",
            "CPU time of the JIT compiler",
            "%",
            "JIT %",
            1,
            How.PER_CPU_TIME,
            "compiler.cpu.ms",
            100,
            "CPU time of the threads in which the server's JVM compiles, from /proc/PID/task/*/schedstat, in percent of the server's"
                    + " own CPU time."),
    BACKLOG(
            "jit.backlog",
            "Methods to compile",
            "",
            "to compile",
            1,
            How.MEAN,
            "compiler.backlog",
            1,
            "Methods that wait for the JIT compiler or are being compiled, by the JVM's diagnostic command Compiler.queue: the mean of"
                    + " looks once a second."),
    SWITCHES(
            "switches",
            "Context switches per request",
            "",
            "switches/req",
            2,
            How.PER_REQUEST,
            "context.switches",
            1,
            "Context switches of the server's live threads, voluntary and not, divided by the requests that ended in the window."),
    VOLUNTARY(
            "switches.voluntary",
            "Voluntary context switches per request",
            "",
            "voluntary/req",
            2,
            How.PER_REQUEST,
            "context.switches.voluntary",
            1,
            "Those of them in which a thread waited: for a socket, a lock, or work that another thread hands over.",
            Part.COUNT,
            "voluntary context switches per request"),
    INVOLUNTARY(
            "switches.involuntary",
            "Involuntary context switches per request",
            "",
            "involuntary/req",
            3,
            How.PER_REQUEST,
            "context.switches.involuntary",
            1,
            "Those of them in which the kernel gave the processor to another thread.",
            Part.COUNT,
            "involuntary context switches per request"),
    READ_CALLS(
            "reads",
            "Read calls per request",
            "",
            "reads/req",
            2,
            How.PER_REQUEST,
            "read.calls",
            1,
            "System calls such as read and readv of the server's process, sockets among them (syscr of /proc/PID/io). recv and epoll_wait"
                    + " are not counted: the figure says nothing of APR and nginx.",
            Part.COUNT,
            "read calls per request"),
    WRITE_CALLS(
            "writes",
            "Write calls per request",
            "",
            "writes/req",
            2,
            How.PER_REQUEST,
            "write.calls",
            1,
            "The same of write and writev (syscw); send and sendfile are not counted.",
            Part.COUNT,
            "write calls per request"),
    FAULTS(
            "faults",
            "Minor page faults per request",
            "",
            "faults/req",
            3,
            How.PER_REQUEST,
            "page.faults",
            1,
            "Pages that the kernel had to map, without reading them from a disk (minflt of /proc/PID/stat).",
            Part.COUNT,
            "minor page faults per request"),
    POOL_WAIT(
            "pool.wait",
            "Mean wait for a database connection",
            "ms",
            "pool wait ms",
            3,
            How.PER_CONNECTION,
            "pool.waited.us",
            1e-3,
            "Time from the request for a connection until the pool hands it out, in the mean over all connections that were taken in the"
                    + " window, without waits that ended in an error; only where the service counts it (HikariCP with Micrometer, as with Spring"
                    + " Boot's actuator: hikaricp.connections.acquire)."),
    SPANS(
            "spans",
            "Spans exported per request",
            "",
            "spans/req",
            2,
            How.PER_REQUEST,
            "exported.spans",
            1,
            "Spans that arrived at the rig's collector; only where an arm has `exports`. Less than one means that the exporter dropped some."),
    SERVER_CORES(
            "server.cores",
            "Processors busy: server",
            "",
            "cores",
            2,
            How.PER_TIME_OF_LOAD,
            "process.cpu.ms",
            1,
            "The same CPU time divided by the length of the window: 1 is one processor busy all the time."),
    THROTTLED(
            "throttled",
            "Time throttled",
            "%",
            "throttled %",
            1,
            How.PER_TIME_OF_LOAD,
            "cpu.throttled.us",
            0.1,
            "Time that the server's threads waited because its limit of CPU time was used up (throttled_time or throttled_usec of"
                    + " cpu.stat), summed over its processors, in percent of the window; only where an arm has `cpus`."),
    THROTTLED_PERIODS(
            "throttled.periods",
            "Periods throttled",
            "%",
            "throttled periods %",
            1,
            How.PER_TIME_OF_LOAD,
            "cpu.periods.throttled",
            10_000,
            "Periods of 100 ms in which it had to wait (nr_throttled), in percent of all periods of the window."),
    GENERATOR_CORES(
            "generator.cores",
            "Processors busy: generator",
            "",
            "generator cores",
            2,
            How.OF_BUSIEST_GENERATOR,
            "generator.cpu.ms",
            1,
            "CPU time, user and system, of the generator's process alone, divided by the length of the window. Gatling and JMeter: from"
                    + " /proc/PID/stat, in steps of 10 ms. wrk, ab, siege: of the whole process from its start to its end, divided by the"
                    + " seconds of load that it reports."),
    STEAL(
            "steal",
            "Time taken by the host",
            "%",
            "steal %",
            1,
            How.OF_WORST_MACHINE,
            "steal.ms",
            100,
            "Steal time from the first line of /proc/stat, summed over all processors of the machine, in percent of the window: 100 is"
                    + " one processor taken by the host for all of it, whichever it was."),
    OTHERS(
            "others",
            "Time taken by other programs",
            "%",
            "others %",
            1,
            How.OF_WORST_PROCESSORS,
            "others.ms",
            100,
            "Time in which the server's processors were not idle, from /proc/stat, less the CPU time of our servers, of the generator if it"
                    + " may run there, and of the rig; in percent of the time of these processors. The same is read of the generator's"
                    + " processors, and the larger figure is shown. The rig's whole CPU time is taken off, so that the figure is a little"
                    + " too low."),
    READY("ready", "Time to ready", "ms", Kind.START_UP),
    READY_CPU("ready.cpu", "CPU time until ready", "ms", Kind.START_UP),
    READY_RSS("ready.rss", "Resident memory when ready", "bytes", Kind.START_UP),
    MEMORY_USED("jvm.memory.used", "jvm.memory.used", "bytes", Kind.START_UP),
    CLASSES_LOADED("jvm.classes.loaded", "Classes loaded when ready", "", Kind.START_UP),
    THREADS_LIVE("jvm.threads.live", "Live threads when ready", "", Kind.START_UP),
    PEAK("peak", "Time to peak", "s", Kind.START_UP),
    PEAK_CPU("peak.cpu", "CPU time to peak", "s", Kind.START_UP),
    PEAK_LOST("peak.lost", "Work lost until the peak", "s at peak", Kind.START_UP),
    WARM("warm", "Time to warm code", "s", Kind.START_UP),
    WARM_CPU("warm.cpu", "CPU time to warm code", "s", Kind.START_UP);

    /** Section of a report that shows a figure. */
    public enum Kind {
        LOAD,
        LATENCY,
        COST,
        /** Measured once per server run, when the application is ready or {@linkplain #isOfPeak() later}. */
        START_UP
    }

    /** How a counter relates to the CPU time of a request, for the reasons of a difference. */
    public enum Part {
        /** All CPU time, which is to be explained. */
        WHOLE,
        /** CPU time in one mode. The modes add up to the whole. */
        MODE,
        /** CPU time of threads other than the container's. A part of the whole, in any mode. */
        ROLE,
        /** A number of events whose cost is unknown. */
        COUNT,
        /** Never a reason. */
        NONE
    }

    private final String key;
    private final String label;
    private final String unit;
    private final Kind kind;
    private final String title;
    private final int decimals;
    private final Reading reading;
    private final String meaning;
    private final Part part;
    private final String cause;

    Metric(String key, String label, String unit, Kind kind) {
        this(key, label, unit, kind, label, 0);
    }

    Metric(String key, String label, String unit, Kind kind, String title, int decimals) {
        this(key, label, unit, kind, title, decimals, null, "", Part.NONE, "");
    }

    /** A figure of the server, which its monitor records. */
    Metric(
            String key,
            String label,
            String unit,
            String title,
            int decimals,
            How how,
            String column,
            double factor,
            String meaning) {
        this(key, label, unit, title, decimals, how, column, factor, meaning, Part.NONE, "");
    }

    /**
     * A figure of the server that may be a reason. Its cause is part of a sentence: what there is more or less of, or
     * where CPU time is used.
     */
    Metric(
            String key,
            String label,
            String unit,
            String title,
            int decimals,
            How how,
            String column,
            double factor,
            String meaning,
            Part part,
            String cause) {
        this(key, label, unit, Kind.COST, title, decimals, new Reading(how, column, factor), meaning, part, cause);
    }

    Metric(
            String key,
            String label,
            String unit,
            Kind kind,
            String title,
            int decimals,
            Reading reading,
            String meaning,
            Part part,
            String cause) {
        this.key = key;
        this.label = label;
        this.unit = unit;
        this.kind = kind;
        this.title = title;
        this.decimals = decimals;
        this.reading = reading;
        this.meaning = meaning;
        this.part = part;
        this.cause = cause;
    }

    /** Returns the figures with this relation to the CPU time, in the catalogue's order. */
    public static List<Metric> of(Part part) {
        return Arrays.stream(values()).filter(metric -> metric.part == part).toList();
    }

    /** Returns the figures that a server's monitor records, in the order of tables. */
    public static List<Metric> ofServer() {
        return Arrays.stream(values()).filter(metric -> metric.reading != null).toList();
    }

    public static List<Metric> of(Kind kind) {
        return Arrays.stream(values()).filter(metric -> metric.kind == kind).toList();
    }

    /** Returns the name in files and options. */
    public String key() {
        return key;
    }

    public String label() {
        return label;
    }

    /**
     * Returns the unit: {@code requests/s}, {@code s}, {@code ms}, {@code µs}, {@code bytes} or {@code %}; empty for a
     * plain number.
     */
    public String unit() {
        return unit;
    }

    public boolean higherIsBetter() {
        return this == THROUGHPUT || this == CAPACITY;
    }

    /** True if it measures speed; the others measure resource use. */
    public boolean isSpeed() {
        return this == THROUGHPUT || kind == Kind.LATENCY || this == READY || this == PEAK || this == WARM;
    }

    public Kind kind() {
        return kind;
    }

    /** Returns the title of its column in a table of single runs, with the unit. */
    public String title() {
        return title;
    }

    /** Returns the number of its decimals in a table of single runs. */
    public int decimals() {
        return decimals;
    }

    /** Returns how it is read from the server's monitor; empty if it is not a figure of the server. */
    public Optional<Reading> reading() {
        return Optional.ofNullable(reading);
    }

    /** Returns what it includes and excludes, in sentences; empty if the label is enough. */
    public String meaning() {
        return meaning;
    }

    public Part part() {
        return part;
    }

    /**
     * Returns the figure as a reason in a sentence: what there is more or less of ("read calls per request"), or where
     * time is used ("in the kernel").
     */
    public String cause() {
        return cause;
    }

    /** True if it is shown in MiB. */
    public boolean isInMib() {
        return unit.equals("bytes") && this != ALLOCATION;
    }

    /**
     * True if it shows the heap's size instead of the container's use when the JVM touches its whole heap before the
     * application starts. {@code jvm.memory.used} is different: it counts what is in use, not what is resident.
     */
    public boolean isShapedByPreTouch() {
        return this == RSS || this == READY || this == READY_CPU || this == READY_RSS;
    }

    /** True if it is known only for starts under load. It may not be reached while a start is under load. */
    public boolean isOfPeak() {
        return isOfThroughput() || this == WARM || this == WARM_CPU;
    }

    /** True if it comes from the throughput of a start under load, and not from samples of its code. */
    public boolean isOfThroughput() {
        return this == PEAK || this == PEAK_CPU || this == PEAK_LOST;
    }

    /** True if only the cgroup of a server with a limit reports it. */
    public boolean isOfLimit() {
        return this == MEMORY_PEAK || isOfCpuLimit();
    }

    /** True if it shows the effect of a limit of CPU time. */
    public boolean isOfCpuLimit() {
        return this == THROTTLED || this == THROTTLED_PERIODS;
    }

    /** True if it is known only for services that have what it measures. */
    public boolean isOfSome() {
        return isOfExports() || this == POOL_WAIT;
    }

    /** True if it is known only for servers that may export to our collector. */
    public boolean isOfExports() {
        return this == SPANS;
    }

    /** True if only JVMs report it. */
    public boolean isOfJvm() {
        return switch (this) {
            case CPU_CONTAINER, CPU_COMPILER, CPU_GC, CPU_OTHER, ALLOCATION, HEAP, GC, COMPILER, BACKLOG, POOL_WAIT ->
                true;
            default -> kind == Kind.START_UP;
        };
    }

    public static Optional<Metric> of(String key) {
        return Arrays.stream(values()).filter(metric -> metric.key.equals(key)).findFirst();
    }

    /** Returns the value of this figure in a map by {@link #key}; empty if it is not known. */
    public OptionalDouble of(Map<String, Double> figures) {
        Double value = figures.get(key);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** True if it is one response time, such as a percentile, and therefore as coarse as the generator's clock. */
    public boolean isSingleTime() {
        return kind == Kind.LATENCY && this != MEAN;
    }

    /** Returns its name as part of a sentence, in the singular and without an article. */
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
