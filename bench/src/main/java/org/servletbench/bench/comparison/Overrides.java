package org.servletbench.bench.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.servletbench.bench.comparison.Keys.Section;
import org.servletbench.bench.model.UsageException;

/** Options over a comparison's file. */
final class Overrides {

    private Overrides() {}

    /** {@code PATH=VALUE}, several with line breaks or semicolons between. */
    static final String SET = "set";

    /**
     * The file with the options in it.
     *
     * @param options by name: {@code arms}, {@code workloads}, {@code tiers}, {@code rates}, {@code jdk}, {@code judge}, keys of
     *     {@code stop} and {@code measure}, and {@value #SET}
     * @throws UsageException if one is not understood
     */
    static Value apply(Value file, Map<String, String> options) {
        Value tree = file.copy();
        if (tree.map() == null) {
            return tree;
        }
        options.forEach((name, value) -> {
            if (value.isBlank()) {
                throw new UsageException("--" + name + " has an empty value");
            }
            switch (name) {
                case "arms" -> tree.map().put("arms", arms(value, tree));
                case "workloads", "tiers", "rates", SET -> {}
                case "jdk" -> set(tree, "server.jdk", Value.text("--jdk", value));
                case "judge" -> tree.map().put(name, Value.text("--judge", value));
                default -> set(tree, path(name), Value.text("--" + name, value));
            }
        });
        if (Stream.of("workloads", "tiers", "rates").anyMatch(options::containsKey)) {
            tree.map().put("load", load(tree, options));
        }
        if (options.containsKey("blocks") && !options.containsKey("precision")) {
            // A number of blocks that somebody asks for is the number that they get.
            tree.get("stop").filter(stop -> stop.map() != null).ifPresent(stop -> stop.map()
                    .remove("precision"));
        }
        if (options.containsKey(SET)) {
            for (String one : options.get(SET).split("[;\n]")) {
                String[] parts = one.split("=", 2);
                if (parts.length < 2 || parts[0].isBlank() || parts[1].isBlank()) {
                    throw new UsageException("--set " + one + ": give PATH=VALUE, such as stop.limit=5m");
                }
                set(tree, parts[0].strip(), Value.parse("--set " + parts[0].strip(), parts[1]));
            }
        }
        return tree;
    }

    private static String path(String option) {
        for (Section section : List.of(Section.STOP, Section.MEASURE)) {
            for (Keys.Key key : Keys.of(section)) {
                if (key.name().equals(option.replace('.', '-'))) {
                    return (section == Section.STOP ? "stop." : "measure.") + key.name();
                }
            }
        }
        throw new UsageException("'" + option + "' is no option of a comparison");
    }

    private static Value load(Value tree, Map<String, String> options) {
        Value first = tree.get("load")
                .filter(load -> load.list() != null && !load.list().isEmpty())
                .map(load -> load.list().get(0))
                .filter(load -> load.map() != null)
                .orElse(Value.map("--workloads"));
        boolean fixed = options.containsKey("tiers") || options.containsKey("rates");
        if (fixed) {
            first.map().keySet().removeAll(List.of("tiers", "rates", "find", "from", "resolution", "users", "starts"));
        } else if (tree.get("load").map(load -> load.list().size()).orElse(0) > 1) {
            throw new UsageException(
                    "--workloads: the comparison has several loads: add --tiers or --rates, or use --set");
        }
        Stream.of("workloads", "tiers", "rates").filter(options::containsKey).forEach(name -> first.map()
                .put(name, Value.text("--" + name, options.get(name))));
        return Value.list("--tiers", List.of(first));
    }

    /** {@code tomcat-nio,jetty:version=12.0.5,threads=virtual}: arms of the file or containers, with what they have of their own. */
    private static Value arms(String text, Value tree) {
        List<String> words = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            boolean more = part.contains("=") && !part.split("=")[0].contains(":") && !words.isEmpty();
            if (more) {
                words.set(words.size() - 1, words.get(words.size() - 1) + "," + part.strip());
            } else {
                words.add(part.strip());
            }
        }
        Value arms = Value.map("--arms");
        for (String word : words) {
            String[] parts = word.split(":", 2);
            Optional<Value> known = tree.get("arms").flatMap(all -> all.get(parts[0]));
            Value arm =
                    known.filter(value -> value.map() != null).map(Value::copy).orElseGet(() -> Value.map("--arms"));
            StringBuilder name = new StringBuilder(parts[0]);
            if (parts.length > 1) {
                if (!arm.map().containsKey("app")) {
                    arm.map().putIfAbsent("container", Value.text("--arms", parts[0]));
                }
                for (String own : parts[1].split(",")) {
                    String[] pair = own.split("=", 2);
                    if (pair.length < 2 || pair[1].isBlank()) {
                        throw new UsageException("--arms " + word
                                + ": give CONTAINER:KEY=VALUE, such as jetty:version=12.0.5,threads=virtual");
                    }
                    set(arm, pair[0].strip(), Value.text("--arms", pair[1].strip()));
                    name.append('-').append(named(pair[1]));
                }
            }
            if (name.toString().isEmpty()) {
                throw new UsageException("--arms " + text + " is not understood: give names with commas between");
            }
            if (arms.map().put(name.toString(), arm) != null) {
                throw new UsageException("--arms: " + name + " is named twice");
            }
        }
        return arms;
    }

    /** A value as a part of an arm's name: of a path the last step. */
    private static String named(String value) {
        return value.strip()
                .replaceFirst("/+$", "")
                .replaceFirst(".*/", "")
                .replaceAll("[^A-Za-z0-9._]+", "-")
                .replaceFirst("^-+", "");
    }

    /** Names may have dots: of a mapping's keys the longest that fits is meant, and a property is one name. */
    private static void set(Value tree, String path, Value value) {
        Value at = tree;
        String rest = path;
        while (true) {
            if (at.isText()) {
                throw value.wrong("'" + path + "': there is no such key");
            }
            String step = step(at, rest);
            if (at.list() != null) {
                int index = step.matches("\\d{1,4}") ? Integer.parseInt(step) : Integer.MAX_VALUE;
                if (index >= at.list().size()) {
                    throw value.wrong("'" + path + "': there is no element '" + step + "' there");
                }
                if (step.length() == rest.length()) {
                    at.list().set(index, value);
                    return;
                }
                at = at.list().get(index);
            } else if (step.length() == rest.length()) {
                at.map().put(step, value);
                return;
            } else {
                Value below = at.map().get(step);
                if (below == null || below.isText()) {
                    below = Value.map(value.where());
                    at.map().put(step, below);
                }
                at = below;
            }
            rest = rest.substring(step.length() + 1);
            if (step.equals("properties") && at.map() != null) {
                at.map().put(rest, value);
                return;
            }
        }
    }

    private static String step(Value at, String rest) {
        return at.map() == null
                ? rest.split("\\.", 2)[0]
                : at.map().keySet().stream()
                        .filter(key -> rest.equals(key) || rest.startsWith(key + "."))
                        .max(java.util.Comparator.comparingInt(String::length))
                        .orElse(rest.split("\\.", 2)[0]);
    }
}
