package org.servletbench.bench.article;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.servletbench.bench.model.UsageException;

/**
 * A mapping in an article's file. It remembers which keys were asked for, so that any other can be refused; each message
 * names the file, the key and what is expected there.
 */
final class Node {

    private static final int LONGEST_TEXT = 2000;

    private final Path file;
    private final String place;
    private final JsonNode json;
    private final Set<String> asked = new LinkedHashSet<>();

    Node(Path file, String place, JsonNode json) {
        this.file = file;
        this.place = place;
        this.json = json;
        if (json == null || !json.isObject()) {
            throw new UsageException(file + ": " + (place.isEmpty() ? "the file" : "'" + place + "'")
                    + " must be a mapping of keys to values");
        }
    }

    UsageException wrong(String key, String expected) {
        return new UsageException(file + ": '" + path(key) + "' " + expected);
    }

    private String path(String key) {
        return place.isEmpty() ? key : place + "." + key;
    }

    boolean has(String key) {
        asked.add(key);
        return json.has(key);
    }

    private JsonNode required(String key, String expected) {
        asked.add(key);
        if (!json.has(key)) {
            throw wrong(key, "is missing: " + expected + " is expected");
        }
        return json.get(key);
    }

    private <T> Optional<T> optional(String key, Function<String, T> reading) {
        return has(key) ? Optional.of(reading.apply(key)) : Optional.empty();
    }

    String text(String key) {
        JsonNode value = required(key, "a text");
        return text(value, key);
    }

    private String text(JsonNode value, String key) {
        if (!value.isTextual()
                || value.textValue().isBlank()
                || value.textValue().length() > LONGEST_TEXT) {
            throw wrong(key, "must be a text (in quotes, if it looks like a number)");
        }
        return value.textValue();
    }

    Optional<String> optionalText(String key) {
        return optional(key, this::text);
    }

    boolean flag(String key) {
        JsonNode value = required(key, "true or false");
        if (!value.isBoolean()) {
            throw wrong(key, "must be true or false");
        }
        return value.booleanValue();
    }

    Optional<Boolean> optionalFlag(String key) {
        return optional(key, this::flag);
    }

    double number(String key, double least, double most) {
        JsonNode value = required(key, "a number");
        if (!value.isNumber() || !(value.doubleValue() >= least && value.doubleValue() <= most)) {
            throw wrong(
                    key,
                    "must be a number from " + plain(least)
                            + (most == Double.POSITIVE_INFINITY ? " on" : " to " + plain(most)));
        }
        return value.doubleValue();
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    OptionalDouble optionalNumber(String key, double least, double most) {
        return has(key) ? OptionalDouble.of(number(key, least, most)) : OptionalDouble.empty();
    }

    int integer(String key, int least, int most) {
        return integer(required(key, "a whole number"), key, least, most);
    }

    private int integer(JsonNode value, String key, int least, int most) {
        if (!value.isInt() || value.intValue() < least || value.intValue() > most) {
            throw wrong(key, "must be a whole number from " + least + " to " + most);
        }
        return value.intValue();
    }

    OptionalInt optionalInteger(String key, int least, int most) {
        return has(key) ? OptionalInt.of(integer(key, least, most)) : OptionalInt.empty();
    }

    OptionalLong optionalLong(String key, int least, int most) {
        return has(key) ? OptionalLong.of(integer(key, least, most)) : OptionalLong.empty();
    }

    Node node(String key) {
        return new Node(file, path(key), required(key, "a mapping of keys to values"));
    }

    private List<JsonNode> list(String key, String of) {
        JsonNode value = required(key, "a list of " + of);
        if (!value.isArray()) {
            throw wrong(key, "must be a list of " + of);
        }
        List<JsonNode> elements = new ArrayList<>();
        value.forEach(elements::add);
        return elements;
    }

    List<Node> nodes(String key) {
        List<JsonNode> elements = list(key, "mappings");
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < elements.size(); i++) {
            nodes.add(new Node(file, path(key) + "[" + i + "]", elements.get(i)));
        }
        return nodes;
    }

    List<String> texts(String key) {
        return list(key, "texts").stream().map(value -> text(value, key)).toList();
    }

    /** Whole numbers, of which none comes twice if they must be distinct. */
    List<Integer> integers(String key, int least, int most, boolean distinct) {
        List<Integer> numbers = list(key, "whole numbers").stream()
                .map(value -> integer(value, key, least, most))
                .toList();
        if (numbers.isEmpty() || distinct && Set.copyOf(numbers).size() != numbers.size()) {
            throw wrong(key, "must be a list of one or more whole numbers" + (distinct ? ", none of them twice" : ""));
        }
        return numbers;
    }

    /** One of a few words. */
    String oneOf(String key, List<String> words) {
        String word = text(key);
        if (!words.contains(word)) {
            throw wrong(key, "is '" + word + "', and must be one of " + String.join(", ", words));
        }
        return word;
    }

    /** A list of some of a few words, none twice. */
    List<String> someOf(String key, List<String> words) {
        List<String> some = texts(key);
        if (some.isEmpty() || Set.copyOf(some).size() != some.size()) {
            throw wrong(key, "must be a list of one or more texts, none of them twice");
        }
        some.stream().filter(word -> !words.contains(word)).findFirst().ifPresent(word -> {
            throw wrong(key, "has '" + word + "', and must be of " + String.join(", ", words));
        });
        return some;
    }

    /** All keys of this mapping with their texts; any key may be there. */
    Map<String, String> textsByKey() {
        Map<String, String> texts = new LinkedHashMap<>();
        json.fieldNames().forEachRemaining(key -> {
            JsonNode value = required(key, "a text or a number");
            texts.put(key, value.isNumber() ? value.asText() : text(value, key));
        });
        return texts;
    }

    /** All keys of this mapping with the mappings below them; any key may be there. */
    Map<String, Node> nodesByKey() {
        Map<String, Node> nodes = new LinkedHashMap<>();
        json.fieldNames().forEachRemaining(key -> nodes.put(key, node(key)));
        return nodes;
    }

    /** The keys that nobody asked for so far. */
    List<String> rest() {
        List<String> rest = new ArrayList<>();
        for (Iterator<String> names = json.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!asked.contains(name)) {
                rest.add(name);
            }
        }
        return rest;
    }

    /** Refuses keys that nobody asked for. */
    void end() {
        rest().stream().findFirst().ifPresent(key -> {
            throw wrong(key, "is no key here: choose from " + String.join(", ", asked));
        });
    }
}
