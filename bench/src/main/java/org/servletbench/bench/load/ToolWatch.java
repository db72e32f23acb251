package org.servletbench.bench.load;

import java.util.Optional;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.os.Processors;

/** Information about its servers for a running generator, and its own reports. */
public interface ToolWatch {

    /** For servers that are not watched. */
    ToolWatch NOBODY = new ToolWatch() {};

    /** Watches one server. */
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

    /** Returns why a server ended, if one has ended: then the load ends, too. */
    default Optional<String> death() {
        return Optional.empty();
    }

    /** Sets the process that loads the servers from now on. */
    default void loadedBy(ProcessHandle generator) {}

    /** The server has seen all workloads, and the generator's process is up: from now on each gets its own processors only. */
    default void pin() {}
}
