package org.servletbench.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Numbers as they were computed earlier, as JSON. {@code -Dgolden=write} writes them anew, and {@code git diff} shows
 * the changes.
 */
public final class Golden {

    public static final Path FOLDER = Path.of(System.getProperty("bench.root"), "bench/src/test/resources/golden");

    public static final boolean WRITE = "write".equals(System.getProperty("golden"));

    /** Number of digits compared. Digits beyond depend on the order of sums, and for logarithms on the processor. */
    private static final MathContext DIGITS = new MathContext(12);

    /** Maximum number of differences shown. */
    private static final int SHOWN = 25;

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private Golden() {}

    /** Fails with one line per changed number: its path, the old value, the new one. */
    public static void check(Path file, Object numbers) throws IOException {
        Object rounded = rounded(JSON.valueToTree(numbers));
        if (WRITE) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, JSON.writeValueAsString(rounded) + "\n");
        }
        assertThat(file).exists();
        assertThat(differences(JSON.readTree(file.toFile()), JSON.readTree(JSON.writeValueAsString(rounded))))
                .as("%s (was → is)", FOLDER.relativize(file))
                .isEmpty();
    }

    /** Returns one line per value that differs between two trees, at most {@value #SHOWN}. */
    static List<String> differences(JsonNode was, JsonNode is) {
        Map<String, String> before = new TreeMap<>();
        Map<String, String> now = new TreeMap<>();
        flatten("", was, before);
        flatten("", is, now);
        Set<String> paths = new LinkedHashSet<>(before.keySet());
        paths.addAll(now.keySet());
        List<String> lines = new ArrayList<>();
        for (String path : paths) {
            String one = before.getOrDefault(path, "not there");
            String other = now.getOrDefault(path, "not there");
            if (!one.equals(other)) {
                lines.add(path + ": " + one + " → " + other);
            }
        }
        if (lines.size() > SHOWN) {
            int more = lines.size() - SHOWN;
            lines = new ArrayList<>(lines.subList(0, SHOWN));
            lines.add("and " + more + " more");
        }
        return lines;
    }

    private static void flatten(String path, JsonNode node, Map<String, String> values) {
        if (node.isObject()) {
            node.fields().forEachRemaining(field -> flatten(path + "/" + field.getKey(), field.getValue(), values));
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                flatten(path + "/" + String.format("%03d", i), node.get(i), values);
            }
        } else if (!node.isNull()) {
            // Unknown values are absent, so that a new figure changes no golden file without it.
            values.put(path, node.asText());
        }
    }

    private static Object rounded(JsonNode node) {
        if (node.isObject()) {
            Map<String, Object> fields = new TreeMap<>();
            node.fields().forEachRemaining(field -> fields.put(field.getKey(), rounded(field.getValue())));
            return fields;
        }
        if (node.isArray()) {
            List<Object> values = new ArrayList<>();
            node.forEach(value -> values.add(rounded(value)));
            return values;
        }
        if (node.isDouble() && Double.isFinite(node.doubleValue())) {
            return new BigDecimal(node.doubleValue()).round(DIGITS).doubleValue();
        }
        return node;
    }
}
