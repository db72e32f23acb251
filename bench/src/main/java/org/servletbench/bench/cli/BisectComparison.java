package org.servletbench.bench.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.servletbench.bench.comparison.Comparison;
import org.servletbench.bench.model.UsageException;

/**
 * Writes the comparison files of a search for the part that costs. Each is the one for pull requests, or a given one,
 * with other arms and without claims.
 *
 * @param source file with the loads, the settings, and the keys of the arm {@code before}
 * @param url path of the request
 * @param limit time limit of each comparison, as in a file; null while it is only read
 */
record BisectComparison(Path source, Path before, Path after, String url, String limit) {

    static final String BEFORE = "before";
    static final String AFTER = "after";

    private static final YAMLMapper YAML = new YAMLMapper();
    /**
     * Half width of the intervals at which a comparison ends before its time limit. Smaller than usual, because a
     * part's effect is smaller than what a pull request may add.
     */
    private static final String PRECISION = "1%";
    /** Keys whose values are paths. */
    private static final List<String> PATHS = List.of("workdir", "body-file", "data");

    /** Returns this comparison with another time limit. */
    BisectComparison within(String other) {
        return new BisectComparison(source, before, after, url, other);
    }

    /** @throws UsageException if it is no comparison file of two builds and one workload */
    ObjectNode read() throws IOException {
        if (!Files.isRegularFile(source) || !(YAML.readTree(source.toFile()) instanceof ObjectNode file)) {
            throw new UsageException("--comparison " + source + " is not a comparison file");
        }
        if (!(file.path("arms").path(BEFORE) instanceof ObjectNode)
                || file.path("workloads").size() != 1) {
            throw new UsageException(
                    "--comparison " + source + " needs an arm '" + BEFORE + "' and a single workload, whose"
                            + " path --url replaces: write it like comparisons/" + Comparison.TWO_BUILDS + ".yaml");
        }
        return file;
    }

    /**
     * Writes a comparison of both builds and of jars between them.
     *
     * @param jars jars by the id of their arm
     * @param labels labels of arms
     * @param onlyStarts true if the servers are only started; class archives are then not trained
     */
    Path write(Path out, Map<String, Path> jars, Map<String, String> labels, boolean onlyStarts) throws IOException {
        ObjectNode file = read();
        locate(file, parent(source));
        ObjectNode usual = (ObjectNode) file.path("arms").path(BEFORE);
        // The jars lie in another folder, where they would not find configuration next to the builds.
        if (!usual.has("workdir")) {
            usual.put("workdir", parent(before).toString());
        }
        if (onlyStarts) {
            usual.remove("archive");
        }
        file.put("question", "Which part of the change costs performance?");
        file.remove("claims");
        file.putObject("stop").put("precision", PRECISION).put("limit", limit);
        file.withObjectProperty("workloads").properties().forEach(one -> ((ObjectNode) one.getValue()).put("url", url));
        Map<String, Path> all = new LinkedHashMap<>();
        all.put(BEFORE, before.toAbsolutePath());
        all.put(AFTER, after.toAbsolutePath());
        all.putAll(jars);
        ObjectNode arms = file.putObject("arms");
        all.forEach((id, jar) -> {
            ObjectNode arm = usual.deepCopy().put("app", jar.toString());
            arms.set(id, arm);
            Optional.ofNullable(labels.get(id)).ifPresent(label -> arm.put("label", label));
        });
        YAML.writeValue(out.toFile(), file);
        return out;
    }

    /** Makes paths absolute that are relative to the file's folder, because the file is written to another one. */
    private static void locate(JsonNode node, Path from) {
        if (node instanceof ObjectNode object) {
            PATHS.forEach(key -> {
                Path named = from.resolve(object.path(key).asText()).normalize();
                if (object.path(key).isTextual() && Files.exists(named)) {
                    object.put(key, named.toString());
                }
            });
        }
        node.forEach(one -> locate(one, from));
    }

    /** Returns the folder of a file. */
    static Path parent(Path file) {
        return file.toAbsolutePath().normalize().getParent();
    }
}
