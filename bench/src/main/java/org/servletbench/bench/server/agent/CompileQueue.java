package org.servletbench.bench.server.agent;

/**
 * Counts the methods that are waiting for the JIT compiler, as {@code jcmd PID Compiler.queue} reports them. Each look
 * takes about 0.1 ms.
 */
final class CompileQueue {

    /** Key of {@link #backlog} in an answer. */
    static final String BACKLOG = "compiler.backlog";

    /** Separator between class and method in each line that names a method. */
    private static final String METHOD = "::";

    private final DiagnosticCommands commands = new DiagnosticCommands();

    /** Returns the number of methods that are waiting or being compiled; empty text if this JVM does not report it. */
    String backlog() {
        String queue = commands.run("compilerQueue");
        return queue.isEmpty() ? "" : Integer.toString(count(queue));
    }

    static int count(String queue) {
        return (int) queue.lines().filter(line -> line.contains(METHOD)).count();
    }
}
