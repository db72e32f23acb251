package org.servletbench.bench.server;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A trained AOT cache with method profiles (JEP 483, 514, 515), and the application that it belongs to.
 *
 * @param jar the extracted application: classes of nested jars are not archived
 * @param file the cache
 * @param number of its training, from 1
 * @param sha256 of the file, in hexadecimal
 */
public record AotCache(Path jar, Path file, int number, String sha256) {

    /** The first release whose caches hold method profiles. */
    public static final int OLDEST_JDK = 25;

    /** Without the cache, of a Spring Boot application some 10 to 20 % come from the JDK's own archive; with it nearly all. */
    private static final double LEAST_SHARE = 0.5;

    /** Options of a JVM that uses it, and does not start if it cannot. */
    List<String> options() {
        return List.of("-XX:AOTCache=" + file.toAbsolutePath(), "-XX:AOTMode=on");
    }

    /** What a server's record says of it. */
    Map<String, String> facts() {
        return Map.of("aot.cache.number", Integer.toString(number), "aot.cache.sha256", sha256);
    }

    /**
     * Whether the running server took its classes from an archive.
     *
     * @return what is wrong; empty if nothing
     */
    static Optional<String> missing(Map<String, String> identity) {
        try {
            double archived = Long.parseLong(identity.getOrDefault("aot.classes.archived", ""));
            double others = Long.parseLong(identity.getOrDefault("aot.classes.others", ""));
            return archived / (archived + others) >= LEAST_SHARE
                    ? Optional.empty()
                    : Optional.of(String.format(
                            java.util.Locale.ROOT,
                            "only %.0f of its %.0f classes come from the AOT cache",
                            archived,
                            archived + others));
        } catch (NumberFormatException e) {
            return Optional.of("it does not say how many classes come from the AOT cache: "
                    + identity.getOrDefault("aot.error", "no counters"));
        }
    }
}
