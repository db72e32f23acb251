package org.servletbench.bench.cli;

import java.io.PrintWriter;

/** Runs an action if the process is ended from outside (Ctrl-C, kill) while this is open. */
final class OnInterrupt implements AutoCloseable {

    private final Thread hook;

    /** @param line line to print on an interrupt */
    OnInterrupt(PrintWriter console, String line) {
        this(() -> {
            console.println();
            console.println(line);
            console.flush();
        });
    }

    OnInterrupt(Runnable what) {
        hook = new Thread(what, "servlet-bench-interrupted");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is already ending, and the hook runs.
        }
    }
}
