package org.servletbench.bench.model;

import java.util.concurrent.ThreadFactory;

/** Creates threads with this name that do not keep the JVM from ending. */
public record Daemon(String name) implements ThreadFactory {

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
