package org.servletbench.bench.reproduce;

import java.util.List;
import java.util.Map;
import org.servletbench.bench.article.Point;
import org.servletbench.bench.article.Quantity;
import org.servletbench.bench.article.RerunPlan;

/**
 * {@code run.json}: one load of an article's experiment as it was published, run once.
 *
 * @param variant tells loads on the same workload apart; empty for none
 * @param command the exact command line, word by word
 * @param startedMs when, ms since the epoch
 * @param figures by {@link Quantity#key}; what is not known is not there. Failed requests are a share of all
 * @param failures failed requests by kind, in the tool's words
 * @param notes what must be known to read the figures
 * @param links raw files, from the server's folder
 * @param trouble why there are no figures; empty where there are
 */
public record PublishedRun(
        String variant,
        String arm,
        String workload,
        int users,
        String tool,
        String version,
        List<String> command,
        long startedMs,
        Map<String, Double> figures,
        Map<String, Long> failures,
        List<String> notes,
        List<String> links,
        String trouble) {

    /** One without figures. */
    static PublishedRun failed(
            RerunPlan.Stage load, String arm, int users, String tool, long startedMs, String trouble) {
        return new PublishedRun(
                load.variant(),
                arm,
                load.workload(),
                users,
                tool,
                "",
                List.of(),
                startedMs,
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                trouble);
    }

    /** Of the load's folder in the server's. */
    static String name(String variant, String workload, int users) {
        return workload + "-" + users + (variant.isEmpty() ? "" : "-" + variant);
    }

    String name() {
        return name(variant, workload, users);
    }

    /** Where its figures belong. */
    Point cell() {
        return new Point(arm, workload, users);
    }
}
