package org.servletbench.bench.server.os;

import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * What a thread of a server's JVM does, by its name as the kernel has it: cut off after 15 characters. An entry is all that there is to
 * say of one; the first that matches counts.
 */
public enum ThreadRole {
    /** The same on JDK 17, 21 and 25. */
    COMPILER("compiler.cpu.ms", "C[12] CompilerThre.*"),
    /** Serial collects in the VM thread. */
    GC(
            "gc.cpu.ms",
            "GC Thread#.*|G1 .*|ParGC Thread.*|VM Thread|[XZ](Worker|Driver|Director|Stat|Uncommit|Unmap).*|Shenandoah.*"),
    /** Those that accept, read and answer, of Tomcat, Jetty, Undertow and Netty; and the carriers of virtual threads. */
    CONTAINER(
            "container.cpu.ms",
            "https?-.*|ajp-.*|qtp.*|XNIO-.*|undertow.*|Undertow.*|reactor-http.*|tomcat-.*|container-.*|ForkJoinPool.*|jetty.*"),
    OTHER("other.cpu.ms", ".*");

    /** A new thread has its parent's name until it sets its own: it is looked at again. */
    private static final Pattern UNNAMED = Pattern.compile("java|Thread-\\d+");

    private final String column;
    private final Pattern names;

    ThreadRole(String column, String names) {
        this.column = column;
        this.names = Pattern.compile(names);
    }

    /** Its CPU time in {@code monitor.csv}. */
    public String column() {
        return column;
    }

    public static ThreadRole of(String name) {
        return Arrays.stream(values())
                .filter(role -> role.names.matcher(name).matches())
                .findFirst()
                .orElse(OTHER);
    }

    /** Whether the name may not be the thread's own yet. */
    static boolean isUnnamed(String name) {
        return UNNAMED.matcher(name).matches();
    }
}
