package org.servletbench.bench.article;

/**
 * Where a figure was taken.
 *
 * @param arm container and connector by the name of our profile, with its threads where they are virtual
 *     ({@code jetty+virtual}), or {@code nginx}
 * @param workload the workload's name in our {@code profiles/}; empty at start-up
 * @param users concurrent users; 0 at start-up
 */
public record Point(String arm, String workload, int users) {

    public static Point atStartUp(String arm) {
        return new Point(arm, "", 0);
    }

    /** For people: {@code jetty hello 400 users}, or {@code jetty at start-up}. */
    public String text() {
        return users == 0 ? arm + " at start-up" : arm + " " + workload + " " + users + " users";
    }
}
