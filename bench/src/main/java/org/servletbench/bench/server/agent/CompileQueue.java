package org.servletbench.bench.server.agent;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Counts the methods that are waiting for the JIT compiler, as {@code jcmd PID Compiler.queue} reports them. Each look
 * takes about 0.1 ms.
 */
final class CompileQueue {

    /** Key of {@link #backlog} in an answer. */
    static final String BACKLOG = "compiler.backlog";

    /** Separator between class and method in each line that names a method. */
    private static final String METHOD = "::";

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    /** Returns the number of methods that are waiting or being compiled; empty text if this JVM does not report it. */
    String backlog() {
        try {
            Object text = server.invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "compilerQueue",
                    new Object[0],
                    new String[0]);
            return Integer.toString(count((String) text));
        } catch (JMException | RuntimeException e) {
            return "";
        }
    }

    static int count(String queue) {
        return (int) queue.lines().filter(line -> line.contains(METHOD)).count();
    }
}
