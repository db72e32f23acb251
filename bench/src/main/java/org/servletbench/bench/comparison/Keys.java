package org.servletbench.bench.comparison;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.servletbench.bench.model.Bounds;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.UsageException;

/** The keys of a comparison file, which are the components of its records. Checks a file against them. */
public final class Keys {

    /** Records whose components are keys, in the order of the reference page. */
    static final List<Class<? extends Record>> SECTIONS = List.of(
            ComparisonFile.class,
            ArmSpec.class,
            LoadSpec.class,
            WorkloadSpec.class,
            WorkloadSpec.ExpectSpec.class,
            ClaimEntry.class,
            StopSpec.class,
            MeasureSpec.class);

    /** Keys that have another name in the profiles and in records. */
    private static final Map<String, String> RENAMED = Map.of("search-rate-under", "slo", "judge", "primary");

    /** Former names of keys, options and comparisons. */
    private static final Map<String, String> FORMER = Map.of(
            "tiers", "users",
            "find", "search-rate-under",
            "turn", "slice",
            "settle", "settling-time",
            "explain", "cpu-profile",
            "agents", "observability");

    private Keys() {}

    /**
     * A key: a component of a record.
     *
     * @param part component of the record that in turn has the key, if the file does not nest it; empty if the record
     *     itself has the key
     */
    record Entry(String name, Key key, RecordComponent component, Optional<RecordComponent> part) {

        private Entry(RecordComponent component, Optional<RecordComponent> part) {
            this(dashed(component.getName()), component.getAnnotation(Key.class), component, part);
        }

        private Object value(Record values) {
            return Keys.value(
                    component, part.map(one -> (Record) Keys.value(one, values)).orElse(values));
        }

        Form form() {
            return key.form() == Form.OF_TYPE ? Form.of(component.getGenericType()) : key.form();
        }

        /**
         * Returns the record whose keys are nested below this one: the type of its value, or of the elements of a list
         * or mapping. Empty if there are no nested keys.
         */
        private Optional<Class<?>> below() {
            Type type = component.getGenericType();
            if (type instanceof ParameterizedType many) {
                Type[] arguments = many.getActualTypeArguments();
                type = arguments[arguments.length - 1];
            }
            return type instanceof Class<?> one && one.isAnnotationPresent(Section.class)
                    ? Optional.of(one)
                    : Optional.empty();
        }
    }

    /** Returns the keys of a record, in the order of its components. */
    static List<Entry> of(Class<?> section) {
        return Stream.of(section.getRecordComponents())
                .flatMap(one -> one.getAccessor().isAnnotationPresent(JsonUnwrapped.class)
                        ? Stream.of(one.getType().getRecordComponents())
                                .map(within -> new Entry(within, Optional.of(one)))
                        : Stream.of(new Entry(one, Optional.empty())))
                .filter(entry -> entry.key() != null)
                .toList();
    }

    /** Returns the names of a record's keys. */
    static List<String> names(Class<?> section) {
        return of(section).stream().map(Entry::name).toList();
    }

    private static String dashed(String component) {
        return component.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** Returns the name of a key in the profiles and in records. */
    static String option(String key) {
        return RENAMED.getOrDefault(key, key).replaceAll("^(generator|jvm|db|target|load|host|ssh)-", "$1.");
    }

    /** Returns a record without any value. */
    static <T extends Record> T none(Class<T> section) {
        return bind(section, Map.of(), "");
    }

    /**
     * Binds texts from the profiles, a record or options.
     *
     * @param texts texts by {@link #option}; unknown names are ignored
     * @param prefix prefix of names in messages: {@code -D}, or none
     * @throws UsageException in one line if a text is malformed
     */
    public static <T extends Record> T bind(Class<T> section, Map<String, String> texts, String prefix) {
        ObjectNode values = JsonNodeFactory.instance.objectNode();
        for (Entry entry : of(section)) {
            String name = option(entry.name());
            String text = texts.getOrDefault(name, "");
            if (!text.isBlank()) {
                JsonNode value = node(entry.form(), text.strip());
                if (!entry.form().accepts(value)) {
                    throw Bounds.wrong(prefix + name, text, entry.form().words);
                }
                values.set(entry.name(), value);
            }
        }
        return Tree.bound(values, section);
    }

    private static JsonNode node(Form form, String text) {
        if (form.isOfTexts()) {
            ArrayNode list = JsonNodeFactory.instance.arrayNode();
            Stream.of(text.split(",", -1)).map(String::strip).forEach(list::add);
            return list;
        }
        if (form == Form.SHARES && text.contains("=")) {
            ObjectNode shares = JsonNodeFactory.instance.objectNode();
            Stream.of(text.split(","))
                    .map(one -> one.split("=", 2))
                    .forEach(one -> shares.put(one[0].strip(), one.length < 2 ? "" : one[1].strip()));
            return shares;
        }
        return TextNode.valueOf(text);
    }

    /** Returns a record with the values of one, or where it has none, those of another. */
    static <T extends Record> T over(Class<T> section, T given, T usual) {
        RecordComponent[] components = section.getRecordComponents();
        Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Object[] values = Stream.of(components)
                .map(one -> Optional.ofNullable(value(one, given)).orElseGet(() -> value(one, usual)))
                .toArray();
        try {
            return section.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the values that a record has, by key. Elements of lists are separated by {@code between}. */
    static Map<String, String> texts(Record values, String between) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (Entry entry : of(values.getClass())) {
            Object value = entry.value(values);
            String text = value instanceof List<?> list
                    ? String.join(between, list.stream().map(Object::toString).toList())
                    : value instanceof Map<?, ?> map && map.isEmpty()
                            ? ""
                            : value instanceof Double number
                                    ? Text.plain(number)
                                    : value instanceof Enum<?> one
                                            ? one.name().toLowerCase(Locale.ROOT)
                                            : value == null ? "" : value.toString();
            if (!text.isEmpty()) {
                texts.put(entry.name(), text);
            }
        }
        return texts;
    }

    private static Object value(RecordComponent component, Record values) {
        try {
            return component.getAccessor().invoke(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Checks a whole file. Errors name the place, the key and the nearest known one. Where a list is required, a text
     * becomes one.
     */
    static void check(Tree tree) {
        check(tree, tree.root(), "", ComparisonFile.class, List.of());
    }

    private static void check(Tree tree, ObjectNode map, String path, Class<?> section, List<String> without) {
        List<Entry> known = of(section).stream()
                .filter(entry -> !without.contains(entry.name()))
                .toList();
        for (String name : names(map)) {
            String full = Tree.join(path, name);
            Entry entry = known.stream()
                    .filter(one -> one.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> tree.wrong(
                            full,
                            "unknown key '" + full + "'"
                                    + nearest(
                                            name,
                                            known.stream().map(Entry::name).toList())));
            JsonNode value = map.get(name);
            if (value.isTextual() && !entry.key().text().isEmpty()) {
                map.set(entry.key().text(), value);
                map.remove(name);
                continue;
            }
            if (value.isTextual() && entry.form().isOfTexts()) {
                String text = value.textValue();
                value = map.putArray(name);
                for (String part : text.split(",", -1)) {
                    ((ArrayNode) value).add(part.strip());
                }
                if (value.size() > Tree.MOST_ENTRIES) {
                    throw tree.wrong(full, "'" + full + "' has more than " + Tree.MOST_ENTRIES + " values");
                }
            }
            if (!entry.form().accepts(value)) {
                throw tree.wrong(
                        full,
                        "'" + full + "' " + (value.isNull() ? "has no value" : "is wrong") + ": give "
                                + entry.form().words);
            }
            JsonNode checked = value;
            entry.below().ifPresent(below -> below(tree, checked, full, entry, below));
        }
    }

    private static void below(Tree tree, JsonNode value, String path, Entry entry, Class<?> section) {
        List<String> without = List.of(entry.key().without());
        if (entry.component().getType().isRecord()) {
            check(tree, (ObjectNode) value, path, section, without);
        } else if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                String full = Tree.join(path, String.valueOf(i));
                check(tree, mapping(tree, value.get(i), full, section, (ArrayNode) value, i), full, section, without);
            }
        } else {
            for (String name : names(value)) {
                String full = Tree.join(path, name);
                JsonNode one = value.get(name);
                if (one.isNull()) {
                    one = ((ObjectNode) value).putObject(name);
                }
                check(tree, mapping(tree, one, full, section, null, 0), full, section, without);
            }
        }
    }

    private static ObjectNode mapping(Tree tree, JsonNode one, String path, Class<?> section, ArrayNode list, int at) {
        String text = section.getAnnotation(Section.class).text();
        if (one instanceof TextNode && !text.isEmpty()) {
            ObjectNode wrapped = list.objectNode();
            wrapped.set(text, one);
            list.set(at, wrapped);
            return list.objectNode();
        }
        if (!one.isObject()) {
            throw tree.wrong(path, "'" + path + "' must be a mapping of keys to values");
        }
        return (ObjectNode) one;
    }

    private static List<String> names(JsonNode map) {
        List<String> names = new ArrayList<>();
        map.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /**
     * Returns the metric with this key.
     *
     * @param where the key whose value it is, such as {@code judge}
     */
    static Metric metric(Tree tree, String where, String key) {
        return Metric.of(key)
                .orElseThrow(() -> tree.wrong(
                        where,
                        "'" + where + "': there is no metric '" + key + "'"
                                + nearest(
                                        key,
                                        Stream.of(Metric.values())
                                                .map(Metric::key)
                                                .toList())));
    }

    /** Returns {@link #near}; if no known name is similar, {@code : choose from …}. */
    static String nearest(String name, List<String> known) {
        return near(name, known).orElse(": choose from " + String.join(", ", known));
    }

    /** Returns {@code : it is called 'x' now} or {@code : did you mean 'x'?}; empty if no known name is similar. */
    public static Optional<String> near(String name, List<String> known) {
        String dashes = name.startsWith("--") ? "--" : "";
        String now = dashes + FORMER.get(name.substring(dashes.length()));
        if (known.contains(now)) {
            return Optional.of(": it is called '" + now + "' now");
        }
        Optional<String> near = known.stream()
                // Some keys lost their first word, such as siege's 'max-pause': counted in letters, the new name is too
                // different.
                .filter(one -> name.endsWith("-" + one)
                        || distance(name, one) <= Math.max(1, Math.min(name.length(), one.length()) / 3))
                .min(Comparator.comparingInt(one -> distance(name, one)));
        return near.map(one -> ": did you mean '" + one + "'?");
    }

    /** Returns the number of insertions, deletions and replacements that turn one into the other. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, 1 + Math.min(above, row[j - 1]));
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
