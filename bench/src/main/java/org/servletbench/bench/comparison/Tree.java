package org.servletbench.bench.comparison;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.UsageException;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/**
 * The content of a file before it is bound to records, with the line or option that each key comes from. All scalars
 * are texts, because a version 1.10 is not 1.1. A key without a value has null.
 */
final class Tree {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private static final YAMLFactory YAML = new YAMLFactory();

    /** Binds to records. The presence and form of all values have been checked before. */
    private static final JsonMapper BINDER = JsonMapper.builder()
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .build();

    /** Maximum length of a file, bytes. Those that ship are a hundred times shorter. */
    private static final int LONGEST = 256 << 10;
    /** Maximum nesting. Each key is stored with its whole path, so endless nesting would use up the memory. */
    private static final int MOST_LEVELS = 16;

    private static final int LONGEST_PATH = 1000;
    /** Maximum number of entries of one mapping or list. */
    static final int MOST_ENTRIES = 1000;

    private final ObjectNode root;
    /** Origin of each value, by path: {@code quick.yaml:12}, or {@code --set stop.limit}. */
    private final Map<String, String> places = new HashMap<>();

    private Tree(ObjectNode root) {
        this.root = root;
    }

    ObjectNode root() {
        return root;
    }

    static String join(String path, String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** @throws UsageException if the file cannot be read, or is not a YAML mapping */
    static Tree read(Path file) {
        String text;
        try {
            if (Files.size(file) > LONGEST) {
                throw new UsageException(file + ": too long for a comparison: more than " + LONGEST / 1024 + " KiB");
            }
            text = Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UsageException("cannot read " + file + " (" + e.getMessage() + ")");
        }
        Map<String, String> places = new HashMap<>();
        JsonNode root = parse(file.toString(), text, places);
        if (!(root instanceof ObjectNode map)) {
            throw new UsageException(places.get("") + ": the file must be a mapping of keys to values");
        }
        // This includes values that an option replaces later; no message may show these either.
        Secrets.learn(map);
        Tree tree = new Tree(map);
        tree.places.putAll(places);
        return tree;
    }

    /**
     * Parses the value of an option.
     *
     * @param where the option, for messages
     * @throws UsageException if it is not YAML
     */
    static JsonNode parse(String where, String text) {
        return parse(where, text, null);
    }

    private static JsonNode parse(String source, String text, Map<String, String> places) {
        try (YAMLParser parser = YAML.createParser(text)) {
            if (parser.nextToken() == null) {
                throw new UsageException(source + ": there is nothing in it");
            }
            JsonNode node = node(parser, source, "", places, 0);
            if (parser.nextToken() != null) {
                throw new UsageException(source + ": not YAML (several documents)");
            }
            return node;
        } catch (JsonProcessingException e) {
            boolean marked = e.getCause() instanceof MarkedYAMLException;
            int line = marked
                    ? ((MarkedYAMLException) e.getCause()).getProblemMark().getLine() + 1
                    : e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            String why = marked ? ((MarkedYAMLException) e.getCause()).getProblem() : e.getOriginalMessage();
            throw new UsageException(source + (places == null ? "" : ":" + line) + ": not YAML ("
                    + String.valueOf(why).lines().findFirst().orElse("") + ")");
        } catch (IOException e) {
            throw new UsageException(source + ": not YAML (" + e.getMessage() + ")");
        }
    }

    /** @param places receives the place of each key; null if the source as a whole is the place */
    private static JsonNode node(YAMLParser parser, String source, String path, Map<String, String> places, int level)
            throws IOException {
        String here = place(parser, source, places);
        if (level > MOST_LEVELS) {
            throw new UsageException(here + ": keys within keys, more than " + MOST_LEVELS + " levels of them");
        }
        if (path.length() > LONGEST_PATH) {
            throw new UsageException(
                    here + ": a key of more than " + LONGEST_PATH + " characters, with those above it");
        }
        if (places != null) {
            places.putIfAbsent(path, here);
        }
        if (parser.isCurrentAlias()) {
            throw new UsageException(here + ": not YAML (an alias: write it out)");
        }
        switch (parser.currentToken()) {
            case START_OBJECT -> {
                ObjectNode map = NODES.objectNode();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String key = parser.currentName().strip();
                    String full = join(path, key);
                    String place = place(parser, source, places);
                    if (key.isEmpty()) {
                        throw new UsageException(place + ": a key must be a text");
                    }
                    if (map.has(key)) {
                        throw new UsageException(place + ": duplicate key '" + full + "'");
                    }
                    if (places != null) {
                        places.put(full, place);
                    }
                    parser.nextToken();
                    map.set(key, node(parser, source, full, places, level + 1));
                    requireFew(map, here);
                }
                return map;
            }
            case START_ARRAY -> {
                ArrayNode list = NODES.arrayNode();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    list.add(node(parser, source, join(path, String.valueOf(list.size())), places, level + 1));
                    requireFew(list, here);
                }
                return list;
            }
            default -> {
                String text = parser.currentToken() == JsonToken.VALUE_NULL
                        ? ""
                        : parser.getText().strip();
                return text.isEmpty() ? NODES.nullNode() : NODES.textNode(text);
            }
        }
    }

    private static void requireFew(JsonNode many, String here) {
        if (many.size() > MOST_ENTRIES) {
            throw new UsageException(here + ": a " + (many.isArray() ? "list" : "mapping") + " of more than "
                    + MOST_ENTRIES + " entries");
        }
    }

    private static String place(YAMLParser parser, String source, Map<String, String> places) {
        return places == null
                ? source
                : source + ":" + parser.currentTokenLocation().getLineNr();
    }

    /** Returns the whole file bound to a record. {@link Keys} has checked it. */
    <T> T bind(Class<T> type) {
        try {
            return BINDER.treeToValue(root, type);
        } catch (com.fasterxml.jackson.databind.JsonMappingException e) {
            String path = String.join(
                    ".",
                    e.getPath().stream()
                            .map(step ->
                                    step.getFieldName() == null ? String.valueOf(step.getIndex()) : step.getFieldName())
                            .toList());
            throw wrong(path, "'" + path + "'" + Json.wrong(e));
        } catch (JsonProcessingException e) {
            throw wrong("", Json.why(e));
        }
    }

    /** Returns values bound to a record. Their presence and form have been checked. */
    static <T> T bound(ObjectNode values, Class<T> type) {
        try {
            return BINDER.treeToValue(values, type);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    UsageException wrong(String path, String what) {
        return new UsageException(where(path) + ": " + what);
    }

    /** True if a key is present and does not come from the command line. */
    boolean isOfFile(String path) {
        return places.containsKey(path) && !places.get(path).startsWith("--");
    }

    /** Returns the place of a key; for a missing key, the place of the enclosing one. */
    String where(String path) {
        String at = path;
        while (!places.containsKey(at) && !at.isEmpty()) {
            at = at.substring(0, Math.max(0, at.lastIndexOf('.')));
        }
        return places.get(at);
    }

    /** Records an option as the origin of this path. */
    void placed(String path, String where) {
        places.keySet().removeIf(other -> other.startsWith(path + "."));
        places.put(path, where);
    }

    /**
     * Merges another mapping of this tree into it. Mappings are merged key by key, all else is replaced, and a key
     * without a value is removed.
     */
    void over(ObjectNode other, String path) {
        Map<String, String> before = new TreeMap<>(places);
        over(root, "", other, path, before);
    }

    private void over(ObjectNode own, String path, ObjectNode other, String from, Map<String, String> before) {
        for (Map.Entry<String, JsonNode> entry : List.copyOf(other.properties())) {
            String key = entry.getKey();
            JsonNode value = entry.getValue();
            String full = join(path, key);
            if (value.isNull()) {
                own.remove(key);
            } else if (own.get(key) instanceof ObjectNode below && value instanceof ObjectNode more) {
                over(below, full, more, join(from, key), before);
            } else {
                own.set(key, value);
                String prefix = join(from, key);
                placed(full, before.get(prefix));
                before.forEach((place, where) -> {
                    if (place.startsWith(prefix + ".")) {
                        places.put(full + place.substring(prefix.length()), where);
                    }
                });
            }
        }
    }
}
