package org.servletbench.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.SafeFiles;
import org.servletbench.bench.model.Sha256;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.CampaignStore;
import org.servletbench.bench.server.exchange.JarParts;
import org.servletbench.bench.server.exchange.JarParts.Part;
import org.servletbench.bench.server.process.RunFolder;

/**
 * The folder of a search for the part that costs: what the search is about, the jars that it makes, its stages and what they found.
 *
 * @param path the folder
 * @param parts all parts in which the builds differ
 * @param comparison that of its stages
 */
record BisectFolder(Path path, JarParts parts, BisectComparison comparison) {

    static final String USUAL_LIMIT = "30m";

    private static final String STAGE = "stage-";
    private static final String JARS = "jars";
    /** The file with the findings of all stages. */
    private static final String ANSWER = "answer.txt";
    /** The file that says what the search is about. */
    private static final String SEARCH = "bisect.json";

    /** Letters of a checksum that distinguish two jars. */
    private static final int NAME = 8;
    /** Most parts that a name lists. */
    private static final int MOST_NAMED = 2;

    /**
     * The subject of a search. A folder is continued only by the same one.
     *
     * @param before SHA-256 of the first jar
     * @param after SHA-256 of the second one
     * @param comparison SHA-256 of the comparison file
     * @param limit time limit of each comparison, as given
     */
    private record Search(String before, String after, String url, String comparison, String limit) {

        static Search of(BisectComparison comparison) throws IOException {
            return new Search(
                    Sha256.of(comparison.before()),
                    Sha256.of(comparison.after()),
                    comparison.url(),
                    Sha256.of(comparison.source()),
                    comparison.limit());
        }

        /** Returns what differs from another one, for people. */
        private List<String> differences(Search other) {
            Map<String, Boolean> same = new LinkedHashMap<>();
            same.put("the first jar", before.equals(other.before));
            same.put("the second jar", after.equals(other.after));
            same.put("--url", url.equals(other.url));
            same.put("the comparison file", comparison.equals(other.comparison));
            same.put("--limit", limit.equals(other.limit));
            return same.entrySet().stream()
                    .filter(one -> !one.getValue())
                    .map(Map.Entry::getKey)
                    .toList();
        }
    }

    /**
     * Makes the folder of a search, or continues it.
     *
     * @param repository the clone of servlet-bench, which has the folder if none is given
     * @param out the folder; null: a new one
     * @param parts all parts in which the builds differ
     * @param asked its limit may be null: that of the folder, or the usual one
     * @throws UsageException if the folder has measured something for another search, or is something else
     */
    static BisectFolder open(Path repository, Path out, JarParts parts, BisectComparison asked) throws IOException {
        boolean isThere = out != null && Files.exists(out);
        if (isThere && !Files.isRegularFile(out.resolve(SEARCH))) {
            throw new UsageException("--out " + out + " exists and is not a bisect folder: name a new one");
        }
        Path path =
                isThere ? out.toAbsolutePath().normalize() : Repository.results(repository, out, "bisects", "bisect");
        Path file = path.resolve(SEARCH);
        Optional<Search> begun =
                isThere ? Optional.of(Json.MAPPER.readValue(file.toFile(), Search.class)) : Optional.empty();
        String limit = asked.limit() == null ? begun.map(Search::limit).orElse(USUAL_LIMIT) : asked.limit();
        new Options("--", Map.of("limit", limit), Map.of()).duration("limit");
        BisectFolder folder = new BisectFolder(path, parts, asked.within(limit));
        Search search = Search.of(folder.comparison);
        List<String> others = begun.map(search::differences).orElse(List.of());
        if (!others.isEmpty() && new CampaignStore(folder.stage(1)).exists()) {
            throw new UsageException("--out " + out + " belongs to another search: " + Text.list(others)
                    + (others.size() == 1 ? " differs" : " differ") + "; name a new folder");
        }
        if (!isThere) {
            SafeFiles.ownFolder(path);
        }
        if (!isThere || !others.isEmpty()) {
            // Jars and arms of another search, which has measured nothing.
            RunFolder.delete(path.resolve(JARS));
            Files.deleteIfExists(folder.planOf(1));
            Json.MAPPER.writeValue(file.toFile(), search);
        }
        return folder;
    }

    /** Returns the folder of a stage's campaign. */
    Path stage(int number) {
        return path.resolve(STAGE + number);
    }

    private Path planOf(int number) {
        return path.resolve(STAGE + number + ".json");
    }

    /** Returns the arms of a stage as they were when it began; empty if it did not. */
    Optional<BisectStage> begun(int number) throws IOException {
        return Files.isRegularFile(planOf(number))
                ? Optional.of(Json.MAPPER.readValue(planOf(number).toFile(), BisectStage.class))
                : Optional.empty();
    }

    /** Keeps the arms of a stage that begins. */
    void begin(int number, BisectStage stage) throws IOException {
        Json.MAPPER.writeValue(planOf(number).toFile(), stage);
    }

    /** Adds the findings of a stage to a file; the first one begins it anew. */
    void answer(int number, List<String> lines) throws IOException {
        Files.writeString(
                path.resolve(ANSWER),
                String.join("\n", lines) + "\n" + STAGE + number + "/index.html\n\n",
                StandardOpenOption.CREATE,
                number == 1 ? StandardOpenOption.TRUNCATE_EXISTING : StandardOpenOption.APPEND);
    }

    /**
     * Writes the jars of a stage's arms, and their comparison.
     *
     * @param name of the comparison's file, without its ending
     * @param onlyStarts true if its servers are only started
     * @return the comparison's file
     */
    Path write(String name, BisectStage stage, boolean onlyStarts) throws IOException {
        Path made = Files.createDirectories(path.resolve(JARS));
        Map<String, Path> jars = new LinkedHashMap<>();
        Map<String, String> labels = new LinkedHashMap<>();
        for (Map.Entry<String, List<String>> arm : stage.parts().entrySet()) {
            if (arm.getKey().equals(BisectComparison.AFTER)) {
                continue;
            }
            boolean allBut = stage.kind() == BisectStage.Kind.ALL_BUT;
            List<String> keys = allBut ? allBut(arm.getValue()) : arm.getValue();
            String checksum = Sha256.of(String.join(" ", keys)).substring(0, NAME);
            Path jar = made.resolve(arm.getKey() + "-" + checksum + ".jar");
            if (!Files.exists(jar)) {
                Path unfinished = made.resolve("unfinished");
                parts.write(named(keys), unfinished);
                Files.move(unfinished, jar);
            }
            jars.put(arm.getKey(), jar);
            labels.put(arm.getKey(), (allBut ? "all but " : "only ") + words(arm.getValue()));
        }
        return comparison.write(path.resolve(name + ".yaml"), jars, labels, onlyStarts);
    }

    private List<String> allBut(List<String> keys) {
        return parts.parts().stream()
                .map(Part::key)
                .filter(key -> !keys.contains(key))
                .toList();
    }

    /** Returns the parts with these keys. */
    List<Part> named(List<String> keys) {
        return parts.parts().stream().filter(part -> keys.contains(part.key())).toList();
    }

    /** Returns the names of the parts with these keys, for people. */
    String words(List<String> keys) {
        List<Part> some = named(keys);
        int more = some.size() - MOST_NAMED;
        return some.stream().limit(MOST_NAMED).map(Part::name).collect(Collectors.joining(" with "))
                + (more > 0 ? " and " + more + " more" : "");
    }
}
