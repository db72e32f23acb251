package org.servletbench.bench.report;

/**
 * A command that ended before its campaign: its partial results are written nevertheless.
 *
 * @param word status in the first line of a summary, for programs
 * @param why reason for people, one line
 */
public record Early(String word, String why) {

    /** Returns the end of a command that failed. */
    public static Early failed(String why) {
        return new Early("failed", why);
    }

    /** Returns the end of a command that was stopped from outside. */
    public static Early interrupted() {
        return new Early("unfinished", "interrupted before its end");
    }
}
