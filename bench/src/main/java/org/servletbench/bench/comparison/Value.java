package org.servletbench.bench.comparison;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.servletbench.bench.model.UsageException;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * A text, a list or a mapping, and the file and line or the option that it comes from. Numbers are texts: a version 1.10 is not 1.1.
 *
 * @param where for messages: {@code quick.yaml:12}, or {@code --set stop.limit}
 * @param text of a scalar; empty for others, and for a key without a value
 * @param list its elements; null for others
 * @param map its values by key; null for others
 */
record Value(String where, String text, List<Value> list, Map<String, Value> map) {

    static final ObjectMapper JSON = new ObjectMapper();

    private static final int LONGEST = 1 << 20;

    static Value text(String where, String text) {
        return new Value(where, text, null, null);
    }

    static Value list(String where, List<Value> list) {
        return new Value(where, "", new ArrayList<>(list), null);
    }

    static Value map(String where) {
        return new Value(where, "", null, new LinkedHashMap<>());
    }

    boolean isText() {
        return list == null && map == null;
    }

    /** A key without a value. */
    boolean isEmpty() {
        return isText() && text.isEmpty();
    }

    Optional<Value> get(String key) {
        return Optional.ofNullable(map == null ? null : map.get(key));
    }

    /** The texts of a list, or of a text with commas between; a value of another form is rejected when keys are checked. */
    List<String> texts() {
        return list != null
                ? list.stream().map(Value::text).toList()
                : List.of(text.split(",", -1)).stream().map(String::strip).toList();
    }

    /** Puts what another mapping says over it: mappings key by key, and all else whole; a key without a value goes. */
    void over(Value other) {
        other.map.forEach((key, value) -> {
            Value own = map.get(key);
            if (value.isEmpty()) {
                map.remove(key);
            } else if (own == null || own.map == null || value.map == null) {
                map.put(key, value.copy());
            } else {
                own.over(value);
            }
        });
    }

    JsonNode json() {
        if (list != null) {
            ArrayNode node = JSON.createArrayNode();
            list.forEach(one -> node.add(one.json()));
            return node;
        }
        if (map == null) {
            return JSON.getNodeFactory().textNode(text);
        }
        ObjectNode node = JSON.createObjectNode();
        map.forEach((key, value) -> node.set(key, value.json()));
        return node;
    }

    UsageException wrong(String what) {
        return new UsageException(where + ": " + what);
    }

    /** A copy that can be changed without changing this one. */
    Value copy() {
        if (isText()) {
            return this;
        }
        if (list != null) {
            return list(where, list.stream().map(Value::copy).toList());
        }
        Value copy = map(where);
        map.forEach((key, value) -> copy.map.put(key, value.copy()));
        return copy;
    }

    /** @throws UsageException if it cannot be read, or is no YAML */
    static Value read(Path file) {
        try {
            if (Files.size(file) > LONGEST) {
                throw new UsageException(file + ": too long for a comparison");
            }
            return parse(file.toString(), Files.readString(file, StandardCharsets.UTF_8), true);
        } catch (IOException e) {
            throw new UsageException("cannot read " + file + " (" + e.getMessage() + ")");
        }
    }

    /**
     * A value from an option.
     *
     * @param where the option, for messages
     * @throws UsageException if it is no YAML
     */
    static Value parse(String where, String text) {
        return parse(where, text, false);
    }

    private static Value parse(String source, String text, boolean lines) {
        LoaderOptions options = new LoaderOptions();
        options.setMaxAliasesForCollections(0);
        try {
            Node node = new Yaml(options).compose(new java.io.StringReader(text));
            if (node == null) {
                throw new UsageException(source + ": there is nothing in it");
            }
            return of(source, node, lines);
        } catch (MarkedYAMLException e) {
            String line = lines && e.getProblemMark() != null
                    ? ":" + (e.getProblemMark().getLine() + 1)
                    : "";
            throw new UsageException(source + line + ": not YAML (" + e.getProblem() + ")");
        } catch (org.yaml.snakeyaml.error.YAMLException e) {
            throw new UsageException(source + ": not YAML ("
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse("") + ")");
        }
    }

    private static Value of(String source, Node node, boolean lines) {
        String where = lines ? source + ":" + (node.getStartMark().getLine() + 1) : source;
        if (node instanceof ScalarNode scalar) {
            boolean none = scalar.isPlain() && List.of("~", "null").contains(scalar.getValue());
            return text(where, none ? "" : scalar.getValue().strip());
        }
        if (node instanceof SequenceNode sequence) {
            return list(
                    where,
                    sequence.getValue().stream()
                            .map(one -> of(source, one, lines))
                            .toList());
        }
        Value map = map(where);
        ((MappingNode) node).getValue().forEach(entry -> {
            Value key = of(source, entry.getKeyNode(), lines);
            if (!key.isText() || key.text.isEmpty()) {
                throw key.wrong("a key must be a text");
            }
            if (map.map.put(key.text, of(source, entry.getValueNode(), lines).at(key.where)) != null) {
                throw key.wrong("the key '" + key.text + "' is there twice");
            }
        });
        return map;
    }

    /** The same with the place of its key. */
    private Value at(String place) {
        return new Value(place, text, list, map);
    }
}
