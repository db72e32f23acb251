package org.servletbench.bench.load;

import java.util.Optional;

/** What a running generator needs to know of its servers, and tells about itself. */
public interface ToolWatch {

    /** Of servers that nobody watches. */
    ToolWatch NOBODY = new ToolWatch() {
        @Override
        public Optional<String> death() {
            return Optional.empty();
        }

        @Override
        public void loadedBy(ProcessHandle generator) {
            // Nobody wants to know.
        }
    };

    /** What ended a server, if one has ended: then the load ends too. */
    Optional<String> death();

    /** The process that loads the servers from now on. */
    void loadedBy(ProcessHandle generator);
}
