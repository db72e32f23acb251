package org.servletbench.bench.load.tool;

import java.util.Optional;

/** What a running command-line generator needs to know of the server, and tells about itself. */
public interface ToolWatch {

    /** Nobody watches. */
    ToolWatch NONE = new ToolWatch() {
        @Override
        public Optional<String> death() {
            return Optional.empty();
        }

        @Override
        public void loadedBy(ProcessHandle generator) {
            // Nobody wants to know.
        }
    };

    /** What ended the server, if it has ended: then the load ends too. */
    Optional<String> death();

    /** The process that applies the load from now on. */
    void loadedBy(ProcessHandle generator);
}
