package org.servletbench.bench.load;

/**
 * What must be known to read the figures of one run of a command-line generator.
 *
 * @param kind what it is
 * @param figures the numbers it rests on, in one line for people
 * @param excludes whether the run measured something else than was asked for, so that none of its figures counts
 */
public record ToolNote(Kind kind, String figures, boolean excludes) {

    /** What can be wrong with a run that came to its end. */
    public enum Kind {
        /** Responses later than the tool waits for are counted, and missing in its response times. */
        TIMEOUTS_MISSING("timeouts-missing"),
        /** Connections should have been kept, and the server closed them: opening them is part of what was measured. */
        KEEP_ALIVE_REFUSED("keep-alive-refused");

        private final String key;

        Kind(String key) {
            this.key = key;
        }

        /** The name in files and of marks. */
        public String key() {
            return key;
        }
    }
}
