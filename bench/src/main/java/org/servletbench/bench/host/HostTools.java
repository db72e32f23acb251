package org.servletbench.bench.host;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What jobs find on the machine that they run on: a folder for this connection, and what earlier jobs kept. */
public final class HostTools {

    private final Path folder;
    private final Map<String, Object> kept = new ConcurrentHashMap<>();
    private final Deque<AutoCloseable> closing = new ArrayDeque<>();

    HostTools(Path folder) {
        this.folder = folder;
    }

    /** Goes with the connection: for logs and records until they are brought back. */
    public Path folder() {
        return folder;
    }

    /** Keeps something for later jobs; what can be closed is closed when the connection ends, the last first. */
    public <T> T keep(String name, T thing) {
        kept.put(name, thing);
        if (thing instanceof AutoCloseable closeable) {
            synchronized (closing) {
                closing.push(closeable);
            }
        }
        return thing;
    }

    /** What was kept under this name. */
    public <T> T kept(String name, Class<T> type) {
        Object thing = kept.get(name);
        if (thing == null) {
            throw new IllegalStateException("there is no " + name + " here");
        }
        return type.cast(thing);
    }

    /** Closes everything; what fails to close does not keep the rest from it. */
    void closeAll() {
        synchronized (closing) {
            while (!closing.isEmpty()) {
                try {
                    closing.pop().close();
                } catch (Exception e) {
                    System.err.println("servlet-bench: " + e.getMessage());
                }
            }
        }
    }
}
