package org.servletbench.bench.model;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** The one JSON mapper, and files that are written whole or not at all. */
public final class Json {

    /** Writes for people; reads what newer versions add, and nothing that is damaged. */
    public static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private Json() {}

    /** JSON has no NaN: what nobody could tell is null. */
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
     * @throws IOException if it cannot be read, or is damaged: one line for people, with its name
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

    /** What is wrong with a file, without Jackson's quotation of the source, and in one line. */
    public static String why(Exception e) {
        String message = e instanceof JsonProcessingException json
                ? json.getOriginalMessage()
                        + (json.getLocation() == null
                                ? ""
                                : " (line " + json.getLocation().getLineNr() + ")")
                : e.getMessage();
        return message == null ? "" : message.replaceAll("\\p{Cntrl}+", " ");
    }

    /** Writes a file with this value, onto the disk and then in its place in one step. Its folder is made. */
    public static void write(Path file, Object value) throws IOException {
        replace(file, MAPPER.writeValueAsBytes(value), StandardOpenOption.SYNC);
    }

    /** Writes a file in one step: first beside it, then in its place, so that nobody finds half of it. Its folder is made. */
    public static void replace(Path file, byte[] content) throws IOException {
        replace(file, content, StandardOpenOption.WRITE);
    }

    /** The same with a text, in UTF-8. */
    public static void replace(Path file, String content) throws IOException {
        replace(file, content.getBytes(StandardCharsets.UTF_8));
    }

    private static void replace(Path file, byte[] content, OpenOption how) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.createDirectories(file.toAbsolutePath().getParent());
        // A link that somebody has put there goes, and what it points to stays.
        Files.deleteIfExists(next);
        try {
            Files.write(next, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, how);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            // On a full disk: half a file is of no use, and takes room.
            Files.deleteIfExists(next);
            throw e;
        }
    }
}
