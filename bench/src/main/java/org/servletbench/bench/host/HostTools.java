package org.servletbench.bench.host;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The resources of jobs on the machine on which they run: a folder for this connection, and objects that earlier jobs
 * kept.
 */
public final class HostTools {

    private final Path folder;
    private final Map<String, Object> kept = new ConcurrentHashMap<>();
    private final Deque<AutoCloseable> closing = new ArrayDeque<>();

    HostTools(Path folder) {
        this.folder = folder;
    }

    /** Returns a folder that is deleted with the connection. It holds logs and records until they are copied back. */
    public Path folder() {
        return folder;
    }

    /**
     * Keeps an object for later jobs. Closeable objects are closed when the connection ends, starting with the last
     * one.
     */
    public <T> T keep(String name, T thing) {
        kept.put(name, thing);
        if (thing instanceof AutoCloseable closeable) {
            synchronized (closing) {
                closing.push(closeable);
            }
        }
        return thing;
    }

    /** Returns the object kept under this name. */
    public <T> T kept(String name, Class<T> type) {
        Object thing = kept.get(name);
        if (thing == null) {
            throw new IllegalStateException("there is no " + name + " here");
        }
        return type.cast(thing);
    }

    /** Closes everything; a failure does not prevent closing the rest. */
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
