package org.servletbench.bench.load;

import java.util.Optional;
import org.servletbench.bench.server.Target;

/** What a running generator needs to know of its servers, and tells about itself. */
public interface ToolWatch {

    /** Of servers that nobody watches. */
    ToolWatch NOBODY = new ToolWatch() {};

    /** Of one server. */
    static ToolWatch of(Target target) {
        return new ToolWatch() {
            @Override
            public Optional<String> death() {
                return target.death();
            }

            @Override
            public void loadedBy(ProcessHandle generator) {
                target.watchGenerator(generator);
            }
        };
    }

    /** What ended a server, if one has ended: then the load ends too. */
    default Optional<String> death() {
        return Optional.empty();
    }

    /** The process that loads the servers from now on. */
    default void loadedBy(ProcessHandle generator) {}
}
