package org.servletbench.bench.load;

import java.util.Optional;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.os.Processors;

/** Tells a running generator about its servers, and receives the generator's reports. */
public interface ToolWatch {

    /** A watch for servers that are not watched. */
    ToolWatch NOBODY = new ToolWatch() {};

    /** Returns a watch of one server. */
    static ToolWatch of(Target target) {
        return new ToolWatch() {
            private long generator = ProcessHandle.current().pid();

            @Override
            public Optional<String> death() {
                return target.death();
            }

            @Override
            public void loadedBy(ProcessHandle process) {
                target.watchGenerator(process);
                generator = process.pid();
            }

            @Override
            public void pin() {
                target.note("pinning", Processors.divide(target.pids(), generator));
            }
        };
    }

    /** Returns why a server ended; empty if none has ended. The load ends with it. */
    default Optional<String> death() {
        return Optional.empty();
    }

    /** Sets the process that loads the servers from now on. */
    default void loadedBy(ProcessHandle generator) {}

    /**
     * Reports that the server has seen all workloads and the generator's process is up. From now on, each may use only
     * its own processors.
     */
    default void pin() {}
}
