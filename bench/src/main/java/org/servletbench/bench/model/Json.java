package org.servletbench.bench.model;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.stream.IntStream;

/** The one JSON mapper, and a way to write files completely or not at all. */
public final class Json {

    /** Writes indented JSON. Ignores unknown properties, which newer versions may add, but rejects damaged files. */
    public static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    /** Jackson's description of a position, with a quotation of the input. */
    private static final String SOURCE = "\\[Source: .*?; (line: \\d+, column: \\d+)]";

    /** Beginnings of Jackson's messages, with our wording of each. */
    private static final Map<String, String> SAID = Map.of(
            "Trailing token", " has extra text after its end",
            "Duplicate field", " has a key twice",
            "Cannot map `null`", " has no value");

    /** Digits of numbers in published files: noise is far larger, and all digits would double their size. */
    public static final MathContext PUBLISHED = new MathContext(7);

    private Json() {}

    /** Rounds all numbers of a tree that are not whole, for a published file. Returns the tree. */
    public static JsonNode rounded(JsonNode tree) {
        if (tree instanceof ObjectNode object) {
            object.properties().forEach(key -> key.setValue(rounded(key.getValue())));
        } else if (tree instanceof ArrayNode array) {
            IntStream.range(0, array.size()).forEach(i -> array.set(i, rounded(array.get(i))));
        } else if (tree.isDouble() && Double.isFinite(tree.doubleValue())) {
            return DoubleNode.valueOf(
                    BigDecimal.valueOf(tree.doubleValue()).round(PUBLISHED).doubleValue());
        }
        return tree;
    }

    /** Writes NaN, which JSON does not have, as null. */
    public static final class UnknownAsNull extends JsonSerializer<Double> {
        @Override
        public void serialize(Double value, JsonGenerator json, SerializerProvider context) throws IOException {
            if (value.isNaN()) {
                json.writeNull();
            } else {
                json.writeNumber(value);
            }
        }
    }

    /**
     * Reads a file.
     *
     * @throws IOException if it cannot be read, or is damaged; the message is one line for people, with the file's name
     */
    public static <T> T read(Path file, Class<T> type) throws IOException {
        try {
            T value = MAPPER.readValue(Files.readAllBytes(file), type);
            if (value != null) {
                return value;
            }
        } catch (JacksonException e) {
            throw new IOException(file + ": damaged: " + why(e), e);
        }
        throw new IOException(file + ": damaged: it is empty");
    }

    /**
     * Returns what is wrong with a file, in one line: the line of a syntax error, or the key of a wrong value. It
     * mentions no details of our parser. Wrong combinations of values have no line number.
     */
    public static String why(Exception e) {
        String message;
        if (parsing(e) instanceof JsonProcessingException parsing) {
            message = parsing.getOriginalMessage().replaceAll(SOURCE, "$1").replaceAll("(, from )?`[^`]*`", "")
                    + line(parsing);
        } else if (e instanceof JsonMappingException mapping) {
            String path = path(mapping);
            message = (path.isEmpty() ? "it" : "'" + path + "'") + wrong(mapping);
        } else {
            message = String.valueOf(e.getMessage());
        }
        return message.replaceAll("\\p{Cntrl}+", " ");
    }

    /** Returns the syntax error behind an exception, even if it was found while values were bound. */
    private static Throwable parsing(Throwable e) {
        Throwable at = e;
        while (at instanceof JsonMappingException && at.getCause() instanceof JsonProcessingException) {
            at = at.getCause();
        }
        return at instanceof JsonMappingException ? null : at;
    }

    private static String line(JsonProcessingException e) {
        return e.getLocation() == null ? "" : " (line " + e.getLocation().getLineNr() + ")";
    }

    /** Returns the path of a key: {@code plan.loads[0].tier}. */
    private static String path(JsonMappingException e) {
        StringBuilder path = new StringBuilder();
        for (JsonMappingException.Reference step : e.getPath()) {
            if (step.getFieldName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(Text.shown(step.getFieldName()));
            }
        }
        return path.toString();
    }

    /** Returns what is wrong with a value, as text after its name. */
    public static String wrong(JsonMappingException e) {
        Throwable cause = e.getCause();
        if (cause instanceof IllegalArgumentException && cause.getMessage() != null) {
            // The constructor of the value rejected it.
            return ": " + cause.getMessage().lines().findFirst().orElse("");
        }
        if (e instanceof InvalidFormatException format) {
            return " is '" + Text.shown(String.valueOf(format.getValue())) + "', which is not allowed";
        }
        return SAID.entrySet().stream()
                .filter(one -> e.getOriginalMessage().startsWith(one.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(" has a value of the wrong kind");
    }

    /** Writes this value as a file, flushed to the disk and moved into place atomically. Creates its folder. */
    public static void write(Path file, Object value) throws IOException {
        replace(file, MAPPER.writeValueAsBytes(value), StandardOpenOption.SYNC);
    }

    /**
     * Writes a file atomically: first under a temporary name next to it, then moved into place, so that nobody ever
     * reads half of it. Creates its folder.
     */
    public static void replace(Path file, byte[] content) throws IOException {
        replace(file, content, StandardOpenOption.WRITE);
    }

    /** Writes this text, in UTF-8, to a file atomically. */
    public static void replace(Path file, String content) throws IOException {
        replace(file, content.getBytes(StandardCharsets.UTF_8));
    }

    private static void replace(Path file, byte[] content, OpenOption how) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.createDirectories(file.toAbsolutePath().getParent());
        // If somebody else has put a link there, the link is deleted, not its target.
        Files.deleteIfExists(next);
        try {
            Files.write(next, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, how);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            // On a full disk, half a file would be useless and take room.
            Files.deleteIfExists(next);
            throw e;
        }
    }
}
