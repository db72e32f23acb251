package org.servletbench.bench.cli;

import java.io.PrintWriter;

/** Runs an action if the process is ended from outside (Ctrl-C, kill) before it is closed. */
final class OnInterrupt implements AutoCloseable {

    private final Thread hook;

    /** Prints a line. */
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
            // The process is ending: the line has been printed.
        }
    }
}
