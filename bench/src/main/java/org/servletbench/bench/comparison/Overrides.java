package org.servletbench.bench.comparison;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.UsageException;

/** Applies options over a comparison file. */
final class Overrides {

    /** Option with {@code PATH=VALUE}; several are separated by line breaks or semicolons. */
    static final String SET = "set";

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final Tree tree;
    private final ObjectNode root;

    private Overrides(Tree tree) {
        this.tree = tree;
        this.root = tree.root();
    }

    /**
     * Applies options to a file's tree.
     *
     * @param options options by name: {@code arms}, {@code workloads}, {@code users}, {@code rates}, {@code jdk},
     *     {@code judge}, keys of {@code stop} and {@code measure}, and {@value #SET}
     * @throws UsageException if an option is not understood
     */
    static void apply(Tree tree, Map<String, String> options) {
        new Overrides(tree).apply(options);
    }

    private void apply(Map<String, String> options) {
        options.forEach((name, value) -> {
            if (value.isBlank()) {
                throw new UsageException("--" + name + " has an empty value");
            }
            String where = "--" + name;
            switch (name) {
                case "arms" -> arms(value);
                case "workloads", "users", "rates", SET -> {}
                case "jdk" -> set("server.jdk", NODES.textNode(value.strip()), where);
                case "judge" -> set("judge", NODES.textNode(value.strip()), where);
                default -> set(path(name), NODES.textNode(value.strip()), where);
            }
        });
        if (Stream.of("arms", "workloads", "rates", "judge").anyMatch(options::containsKey)) {
            // The file's question and note were about other arms, loads or metrics.
            root.remove(List.of("question", "note"));
        }
        if (Stream.of("workloads", "users", "rates").anyMatch(options::containsKey)) {
            load(options);
        }
        if (options.containsKey("blocks")
                && !options.containsKey("precision")
                && root.get("stop") instanceof ObjectNode stop) {
            // If the user gives a number of blocks, the campaign measures exactly that number.
            stop.remove("precision");
        }
        if (options.containsKey(SET)) {
            for (String one : options.get(SET).split("[;\n]")) {
                String[] parts = one.split("=", 2);
                if (parts.length < 2 || parts[0].isBlank() || parts[1].isBlank()) {
                    throw new UsageException("--set " + one + ": give PATH=VALUE, such as stop.limit=5m");
                }
                String where = "--set " + parts[0].strip();
                set(parts[0].strip(), Tree.parse(where, parts[1]), where);
            }
        }
    }

    private static String path(String option) {
        Map<String, Class<? extends Record>> sections = Map.of("stop.", StopSpec.class, "measure.", MeasureSpec.class);
        return sections.entrySet().stream()
                .flatMap(section -> Keys.of(section.getValue()).stream()
                        .filter(key -> key.name().equals(option.replace('.', '-')))
                        .map(key -> section.getKey() + key.name()))
                .findFirst()
                .orElseThrow(() -> new UsageException("'" + option + "' is not an option of a comparison"));
    }

    private void load(Map<String, String> options) {
        JsonNode loads = root.path("load");
        ObjectNode first = loads.path(0) instanceof ObjectNode known ? known : NODES.objectNode();
        boolean fixed = options.containsKey("users") || options.containsKey("rates");
        if (fixed) {
            first.remove(List.of("users", "rates", "search-rate-under", "from", "resolution", "in-flight", "starts"));
        } else if (loads.size() > 1) {
            throw new UsageException(
                    "--workloads: the comparison has several loads: add --users or --rates, or use --set");
        }
        root.putArray("load").add(first);
        tree.placed("load", "--users");
        Stream.of("workloads", "users", "rates").filter(options::containsKey).forEach(name -> {
            first.put(name, options.get(name));
            tree.placed("load.0." + name, "--" + name);
        });
    }

    /**
     * Reads {@code tomcat-nio,jetty:version=12.0.5,threads=virtual}: arms of the file or containers, each with keys of
     * its own.
     */
    private void arms(String text) {
        List<String> words = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            boolean more = part.contains("=") && !part.split("=")[0].contains(":") && !words.isEmpty();
            if (more) {
                words.set(words.size() - 1, words.get(words.size() - 1) + "," + part.strip());
            } else {
                words.add(part.strip());
            }
        }
        ObjectNode arms = NODES.objectNode();
        for (String word : words) {
            String[] parts = word.split(":", 2);
            ObjectNode arm =
                    root.path("arms").get(parts[0]) instanceof ObjectNode known ? known.deepCopy() : NODES.objectNode();
            StringBuilder name = new StringBuilder(parts[0]);
            if (parts.length > 1) {
                // The file compares a service, and this arm of it has no container: it runs the service as built.
                boolean asBuilt = root.has("app") && root.path("arms").has(parts[0]);
                if (!arm.has("app") && !arm.has("command") && !arm.has("container") && !asBuilt) {
                    arm.put("container", parts[0]);
                }
                for (String own : parts[1].split(",")) {
                    String[] pair = own.split("=", 2);
                    if (pair.length < 2 || pair[1].isBlank()) {
                        throw new UsageException("--arms " + word
                                + ": give CONTAINER:KEY=VALUE, such as jetty:version=12.0.5,threads=virtual");
                    }
                    set(arm, pair[0].strip(), NODES.textNode(pair[1].strip()), "--arms");
                    name.append('-').append(named(pair[0].strip(), pair[1]));
                }
            }
            if (name.toString().isEmpty()) {
                throw new UsageException("--arms " + text + " is not understood: give names with commas between");
            }
            if (arms.replace(name.toString(), arm) != null) {
                throw new UsageException("--arms: " + name + " is named twice");
            }
        }
        root.set("arms", arms);
        tree.placed("arms", "--arms");
    }

    /**
     * Returns a value as part of an arm's name: of a path the last element, of a hidden value the start of its hash.
     */
    static String named(String key, String value) {
        ObjectNode arm = NODES.objectNode();
        set(arm, key, NODES.textNode(value.strip()), "--arms");
        if (!new Secrets().hidden(arm).equals(arm)) {
            return Secrets.token(value.strip()).replaceFirst(".*:(.{6}).*", "$1");
        }
        return value.strip()
                .replaceFirst("/+$", "")
                .replaceFirst(".*/", "")
                .replaceAll("[^A-Za-z0-9._]+", "-")
                .replaceFirst("^-+", "");
    }

    private void set(String path, JsonNode value, String where) {
        set(root, path, value, where);
        tree.placed(path, where);
    }

    /**
     * Sets a value. Names in a path may contain dots: the longest matching key of a mapping wins, and a property's name
     * is never split.
     */
    private static void set(JsonNode from, String path, JsonNode value, String where) {
        JsonNode at = from;
        String rest = path;
        while (true) {
            if (!at.isContainerNode()) {
                throw new UsageException(where + ": '" + path + "': there is no such key");
            }
            String step = step(at, rest);
            if (at instanceof ArrayNode list) {
                int index = step.matches("\\d{1,4}") ? Integer.parseInt(step) : Integer.MAX_VALUE;
                if (index >= list.size()) {
                    throw new UsageException(where + ": '" + path + "': there is no element '" + step + "' there");
                }
                if (step.length() == rest.length()) {
                    list.set(index, value);
                    return;
                }
                at = list.get(index);
            } else if (step.length() == rest.length()) {
                ((ObjectNode) at).set(step, value);
                return;
            } else {
                JsonNode below = at.get(step);
                at = below == null || !below.isContainerNode() ? ((ObjectNode) at).putObject(step) : below;
            }
            rest = rest.substring(step.length() + 1);
            if (step.equals("properties") && at instanceof ObjectNode properties) {
                properties.set(rest, value);
                return;
            }
        }
    }

    private static String step(JsonNode at, String rest) {
        List<String> names = new ArrayList<>();
        at.fieldNames().forEachRemaining(names::add);
        return names.stream()
                .filter(key -> rest.equals(key) || rest.startsWith(key + "."))
                .max(Comparator.comparingInt(String::length))
                .orElse(rest.split("\\.", 2)[0]);
    }
}
