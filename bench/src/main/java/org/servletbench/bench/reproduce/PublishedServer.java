package org.servletbench.bench.reproduce;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.servletbench.bench.record.Invocation.ThreadTimeline;

/**
 * {@code server.result.json}: one server of an article's experiment as it was published: a fresh JVM, not warmed up, that took
 * all of the article's loads.
 *
 * @param format version of this file's form
 * @param folder its own, relative to the reproduction's
 * @param jvmOptions what its JVM saw
 * @param arguments what stood after its jar, where only the application sees it
 * @param settings Spring Boot properties that were set
 * @param proven what the running server said it is
 * @param startUp start-up metrics by the campaign's keys: {@code ready} in ms, {@code jvm.memory.used} in bytes, …
 * @param threads its threads over its life; null where nobody could see them
 * @param runs what was measured, in order
 * @param trouble why nothing was; empty where something was
 */
public record PublishedServer(
        int format,
        String folder,
        String arm,
        String label,
        List<String> jvmOptions,
        List<String> arguments,
        Map<String, String> settings,
        Map<String, String> proven,
        Map<String, Double> startUp,
        ThreadTimeline threads,
        List<PublishedRun> runs,
        String trouble) {

    /** One of which nothing was measured. */
    static PublishedServer nothing(String folder, String arm, String trouble) {
        return new PublishedServer(
                FORMAT, folder, arm, arm, List.of(), List.of(), Map.of(), Map.of(), Map.of(), null, List.of(), trouble);
    }

    /** Its own files and those of its runs, relative to its folder. */
    public List<String> files() {
        return Stream.concat(
                        Stream.of("server.log", "server.json", FILE),
                        runs.stream().flatMap(run -> run.links().stream()))
                .distinct()
                .toList();
    }

    /** The version of the form that this code writes and reads. */
    public static final int FORMAT = 1;
    /** The file's name. */
    public static final String FILE = "server.result.json";
}
