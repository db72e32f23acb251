package org.servletbench.bench.cli;

import java.io.PrintWriter;

/** Says a line when the process is ended from outside (Ctrl-C, kill) before it is closed. */
final class OnInterrupt implements AutoCloseable {

    private final Thread hook;

    OnInterrupt(PrintWriter console, String line) {
        hook = new Thread(
                () -> {
                    console.println();
                    console.println(line);
                    console.flush();
                },
                "servlet-bench-interrupted");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending: the line has been said.
        }
    }
}
