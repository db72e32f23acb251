package org.servletbench.bench.comparison;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.UsageException;

/**
 * Turns the factors of a file into arms, in its tree: one for each combination of levels, with the keys of these
 * levels. From then on they are arms like any other.
 */
final class Factors {

    private static final String KEY = "factors";
    private static final String ARMS = "arms";
    private static final String SERVER = "server";
    private static final String CONTAINER = "container";
    private static final String APP = "app";
    private static final String COMMAND = "command";
    private static final String JVM = "jvm";
    private static final String PROPERTIES = "properties";
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /**
     * Keys of {@code server} that apply to combinations of factors only, because other arms name their own container.
     */
    private static final List<String> OF_COMBINATIONS = List.of(CONTAINER, "version");

    /** Keys whose values are merged if several levels have them. */
    private static final List<String> ADDED = List.of(JVM, PROPERTIES, "env");

    /** Levels that are JVM options, by the names of factor and level. An empty option leaves the choice to the JVM. */
    private static final Map<String, Map<String, String>> OPTIONS = Map.of(
            "gc",
            Map.of(
                    "serial", "-XX:+UseSerialGC",
                    "parallel", "-XX:+UseParallelGC",
                    "g1", "-XX:+UseG1GC",
                    "z", "-XX:+UseZGC",
                    "shenandoah", "-XX:+UseShenandoahGC"),
            "headers",
            Map.of("usual", "", "compact", "-XX:+UseCompactObjectHeaders"));

    private final Tree tree;
    private final ProfilesFolder profiles;
    private final Map<String, Map<String, ObjectNode>> factors = new LinkedHashMap<>();

    private Factors(Tree tree, ProfilesFolder profiles) {
        this.tree = tree;
        this.profiles = profiles;
    }

    /**
     * Adds the combinations to a tree that has factors, after the arms of {@code arms}.
     *
     * @throws UsageException in one line if a factor is not understood
     */
    static Optional<Factorial> expand(Tree tree, ProfilesFolder profiles) {
        return tree.root().has(KEY) ? Optional.of(new Factors(tree, profiles).expand()) : Optional.empty();
    }

    private Factorial expand() {
        ObjectNode root = tree.root();
        if (tree.where(ARMS).startsWith("--arms")) {
            throw new UsageException(
                    "--arms: the comparison has factors, which make its arms: change those, such as --set " + KEY
                            + ".gc=[serial,parallel]");
        }
        if (!(root.get(KEY) instanceof ObjectNode asked) || asked.isEmpty()) {
            throw tree.wrong(KEY, "'" + KEY + "' must be a mapping of factors to their levels");
        }
        if (root.hasNonNull(ARMS) && !root.get(ARMS).isObject()) {
            throw tree.wrong(ARMS, "'" + ARMS + "' is wrong: give " + Form.MAPPING.words);
        }
        for (Map.Entry<String, JsonNode> factor : asked.properties()) {
            factors.put(factor.getKey(), levels(factor.getKey(), factor.getValue()));
        }
        List<Factorial.Factor> all = factors.entrySet().stream()
                .map(one -> new Factorial.Factor(
                        one.getKey(), List.copyOf(one.getValue().keySet())))
                .toList();
        requireFew(all);
        ObjectNode shared = shared();
        ObjectNode arms = root.get(ARMS) instanceof ObjectNode given ? given : NODES.objectNode();
        List<String> beside = new ArrayList<>();
        ObjectNode first = combined(all.stream().map(one -> one.levels().get(0)).toList(), shared);
        arms.properties().forEach(arm -> {
            if (arm.getValue().has("against")) {
                throw tree.wrong(
                        ARMS + "." + arm.getKey() + ".against",
                        "'arms." + arm.getKey()
                                + ".against': all arms of a comparison with 'factors' are compared together: leave it"
                                + " out");
            }
            if (!isReference(arm.getKey(), arm.getValue())) {
                beside.add(arm.getKey());
                arms.set(arm.getKey(), beside(arm.getKey(), arm.getValue(), first));
            }
        });
        Map<String, List<String>> combinations = new LinkedHashMap<>();
        for (List<String> levels : Factorial.combinations(all)) {
            String name = String.join("-", levels);
            if (arms.has(name)) {
                throw tree.wrong(KEY, "'" + KEY + "': two arms would be called '" + name + "': rename a level");
            }
            arms.set(name, combined(levels, shared));
            tree.placed(ARMS + "." + name, tree.where(KEY));
            combinations.put(name, levels);
        }
        root.set(ARMS, arms);
        return new Factorial(all, combinations, beside);
    }

    private void requireFew(List<Factorial.Factor> all) {
        double number = Factorial.number(all);
        if (number > Comparison.MOST_ARMS) {
            throw tree.wrong(
                    KEY,
                    "'" + KEY + "' make " + Math.round(number) + " arms: a comparison has " + Comparison.MOST_ARMS
                            + " at most");
        }
    }

    private static boolean isReference(String name, JsonNode arm) {
        return arm.path(CONTAINER).asText(name).equals(NamedArm.REFERENCE);
    }

    // ---- levels ----

    private Map<String, ObjectNode> levels(String factor, JsonNode asked) {
        String path = KEY + "." + factor;
        if (factor.isBlank() || factor.contains(":") || factor.contains("×")) {
            throw tree.wrong(path, "'" + path + "': a factor's name has no colon");
        }
        Map<String, ObjectNode> levels = new LinkedHashMap<>();
        if (asked instanceof ObjectNode named) {
            named.properties().forEach(level -> {
                if (!level.getValue().isObject() && !level.getValue().isNull()) {
                    throw tree.wrong(
                            path + "." + level.getKey(),
                            "'" + path + "." + level.getKey() + "' must be a mapping: keys of an arm");
                }
                levels.put(
                        level.getKey(),
                        level.getValue() instanceof ObjectNode keys ? keys.deepCopy() : NODES.objectNode());
            });
        } else {
            for (String text : texts(asked)) {
                if (levels.put(name(factor, text), known(path, factor, text)) != null) {
                    throw tree.wrong(path, "'" + path + "': the level '" + name(factor, text) + "' is named twice");
                }
            }
        }
        if (levels.size() < 2) {
            throw tree.wrong(path, "'" + path + "': a factor has two levels or more, such as " + path + ": [a, b]");
        }
        return levels;
    }

    private static List<String> texts(JsonNode asked) {
        List<String> texts = new ArrayList<>();
        if (asked.isTextual()) {
            Stream.of(asked.textValue().split(",")).map(String::strip).forEach(texts::add);
        } else {
            asked.forEach(one -> texts.add(one.asText()));
        }
        return texts;
    }

    private static String name(String factor, String text) {
        return OPTIONS.containsKey(factor) ? text : Overrides.named(factor, text);
    }

    /** Returns the keys that a level has because of its name alone. */
    private ObjectNode known(String path, String factor, String text) {
        ObjectNode keys = NODES.objectNode();
        if (OPTIONS.containsKey(factor)) {
            Map<String, String> known = OPTIONS.get(factor);
            if (!known.containsKey(text)) {
                throw tree.wrong(
                        path,
                        "'" + path + "': there is no level '" + text + "'"
                                + Keys.nearest(
                                        text, known.keySet().stream().sorted().toList()));
            }
            if (!known.get(text).isEmpty()) {
                keys.putArray(JVM).add(known.get(text));
            }
            return keys;
        }
        if (!isScalar(factor)) {
            throw tree.wrong(
                    path,
                    "'" + path + "': '" + factor + "' is not an arm key: give the keys of each level, as in " + path
                            + ": {small: {heap: 512m}, large: {heap: 1g}}");
        }
        if (factor.equals("threads") && isOfService()) {
            Form form = Form.THREADS;
            if (!form.accepts(NODES.textNode(text))) {
                throw tree.wrong(path, "'" + path + "' is wrong: give " + form.words);
            }
            // For a user's own service, a property replaces the key.
            keys.putObject(PROPERTIES).put("spring.threads.virtual.enabled", String.valueOf(text.equals("virtual")));
            return keys;
        }
        return keys.put(factor, text);
    }

    private static boolean isScalar(String key) {
        return Keys.of(ArmSpec.class).stream()
                .filter(entry -> !List.of("against", "label").contains(entry.name()))
                .filter(entry -> entry.form() != Form.PROPERTIES
                        && entry.form() != Form.TEXTS
                        && !entry.form().isOfTexts())
                .anyMatch(entry -> entry.name().equals(key));
    }

    private boolean isOfService() {
        return tree.root().has(APP) || allHave(APP);
    }

    /**
     * True if each combination has one of these keys: a factor is one of them, or all its levels have one. This must be
     * known before all levels are.
     */
    private boolean allHave(String... keys) {
        return tree.root().path(KEY).properties().stream()
                .anyMatch(factor -> factor.getValue().isObject()
                        ? factor.getValue().properties().stream()
                                .allMatch(level -> Stream.of(keys).anyMatch(level.getValue()::has))
                        : List.of(keys).contains(factor.getKey()));
    }

    // ---- arms ----

    /** Removes from {@code server} what only combinations share, and returns it. */
    private ObjectNode shared() {
        ObjectNode shared = NODES.objectNode();
        if (tree.root().get(SERVER) instanceof ObjectNode server) {
            OF_COMBINATIONS.stream().filter(server::has).forEach(key -> shared.set(key, server.remove(key)));
        }
        if (!shared.has(CONTAINER) && !isOfService() && !allHave(CONTAINER, APP, COMMAND)) {
            throw tree.wrong(
                    KEY,
                    "'" + KEY + "': no arm would have a container: add server: {container: tomcat-nio}, or an 'app'");
        }
        return shared;
    }

    private ObjectNode combined(List<String> levels, ObjectNode shared) {
        ObjectNode arm = shared.deepCopy();
        Map<String, String> from = new LinkedHashMap<>();
        int at = 0;
        for (Map.Entry<String, Map<String, ObjectNode>> factor : factors.entrySet()) {
            ObjectNode level = factor.getValue().get(levels.get(at++));
            for (Map.Entry<String, JsonNode> key : level.properties()) {
                requireOne(factor.getKey(), key.getKey(), key.getValue(), from);
                add(arm, key.getKey(), key.getValue());
            }
        }
        return arm;
    }

    /** Rejects a key to which two factors assign a value. */
    private void requireOne(String factor, String key, JsonNode value, Map<String, String> from) {
        List<String> names = ADDED.contains(key) && value.isObject()
                ? value.properties().stream()
                        .map(one -> key + "." + one.getKey())
                        .toList()
                : key.equals(JVM) ? List.of() : List.of(key);
        for (String name : names) {
            String other = from.put(name, factor);
            if (other != null) {
                throw tree.wrong(
                        KEY + "." + factor,
                        "'" + KEY + "." + factor + "' sets '" + name + "', which '" + other + "' sets too");
            }
        }
    }

    private static void add(ObjectNode arm, String key, JsonNode value) {
        JsonNode before = arm.get(key);
        if (key.equals(JVM) && before != null) {
            ArrayNode all = NODES.arrayNode();
            Stream.of(before, value).flatMap(one -> texts(one).stream()).forEach(all::add);
            arm.set(key, all);
        } else if (ADDED.contains(key) && before instanceof ObjectNode map && value instanceof ObjectNode more) {
            map.setAll(more);
        } else {
            arm.set(key, value.deepCopy());
        }
    }

    /** Returns an arm beside the factors: its own keys override those of the first combination. */
    private JsonNode beside(String name, JsonNode own, ObjectNode first) {
        if (!own.isObject() && !own.isNull()) {
            return own;
        }
        ObjectNode arm = first.deepCopy();
        if (!isOfService() && !allHave(COMMAND) && profiles.containers().contains(name)) {
            arm.put(CONTAINER, name);
        }
        own.properties().forEach(key -> add(arm, key.getKey(), key.getValue()));
        return arm;
    }
}
