package org.servletbench.bench.server.os;

import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * Role of a thread in a server's JVM, by its name in the kernel, which cuts names off after 15 characters. The
 * constants here are the whole definition; the first one that matches counts.
 */
public enum ThreadRole {
    /** The names are the same on JDK 17, 21 and 25. */
    COMPILER("compiler.cpu.ms", "C[12] CompilerThre.*"),
    /** Includes the VM thread, in which Serial collects. */
    GC(
            "gc.cpu.ms",
            "GC Thread#.*|G1 .*|ParGC Thread.*|VM Thread|[XZ](Worker|Driver|Director|Stat|Uncommit|Unmap).*|Shenandoah.*"),
    /**
     * Threads that accept, read and answer in Tomcat, Jetty, Undertow and Netty; and the carriers of virtual threads.
     */
    CONTAINER(
            "container.cpu.ms",
            "https?-.*|ajp-.*|qtp.*|XNIO-.*|undertow.*|Undertow.*|reactor-http.*|tomcat-.*|container-.*|ForkJoinPool.*|jetty.*"),
    OTHER("other.cpu.ms", ".*");

    /** Names of a new thread, which has its parent's name until it sets its own. Such a thread is looked at again. */
    private static final Pattern UNNAMED = Pattern.compile("java|Thread-\\d+");

    private final String column;
    private final Pattern names;

    ThreadRole(String column, String names) {
        this.column = column;
        this.names = Pattern.compile(names);
    }

    /** Returns the column of its CPU time in {@code monitor.csv}. */
    public String column() {
        return column;
    }

    public static ThreadRole of(String name) {
        return Arrays.stream(values())
                .filter(role -> role.names.matcher(name).matches())
                .findFirst()
                .orElse(OTHER);
    }

    /** True if the thread may not have its own name yet. */
    static boolean isUnnamed(String name) {
        return UNNAMED.matcher(name).matches();
    }
}
