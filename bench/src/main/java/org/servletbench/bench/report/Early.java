package org.servletbench.bench.report;

/**
 * The reason why a command ended before its campaign. Its partial results are still written.
 *
 * @param word status in the first line of a summary, for programs
 * @param why reason for people, in one line
 */
public record Early(String word, String why) {

    /** Returns the reason for a command that failed. */
    public static Early failed(String why) {
        return new Early("failed", why);
    }

    /** Returns the reason for a command that was stopped from outside. */
    public static Early interrupted() {
        return new Early("unfinished", "interrupted before its end");
    }
}
