package org.servletbench.bench.report;

/**
 * An end of a command before its campaign had ended: what is known is written all the same.
 *
 * @param word in the first line of a summary, where programs read it
 * @param why for people, one line
 */
public record Early(String word, String why) {

    /** It could not be done. */
    public static Early failed(String why) {
        return new Early("failed", why);
    }

    /** It was ended from outside. */
    public static Early interrupted() {
        return new Early("unfinished", "interrupted before its end");
    }
}
