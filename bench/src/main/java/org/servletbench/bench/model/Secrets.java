package org.servletbench.bench.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Values that may be secret. In all that is written, each stands as a short hash: two values can be told apart, and none can be
 * read. Hidden are values of headers, bodies, rows of data, queries of paths, environment variables, Spring properties and system
 * properties of JVMs; shown are numbers, switches, and Spring's own settings of server, threads and logging.
 */
public final class Secrets {

    /** The option with which all values are shown. */
    public static final String OPTION = "show.values";

    /** A value that is taken from the environment when it is used, and is on record by this name alone. */
    public static final Pattern FROM_ENVIRONMENT = Pattern.compile("\\$\\{env:([A-Za-z_][A-Za-z0-9_]*)}");

    private static final int DIGITS = 12;
    private static final String MARK = "sha256:";
    private static final Pattern TOKEN = Pattern.compile(MARK + "[0-9a-f]{" + DIGITS + "}");

    private static final Pattern WORD = Pattern.compile("(?i)on|off|none|auto");
    /** Too short or too usual for a secret, and what arms often differ by. */
    private static final Pattern PLAIN =
            Pattern.compile("(?i)true|false|" + WORD + "|-?\\d{1,7}(\\.\\d{1,6})?\\s?[a-z%]{0,3}");

    private static final Pattern OF_SPRING =
            Pattern.compile("(server|spring\\.(threads|main|jmx|task)|management|logging)\\..*");
    private static final Pattern OF_JVM = Pattern.compile("(java|jdk|sun|user|file|proof|servlet-bench)\\..*");
    private static final Pattern SENSITIVE =
            Pattern.compile("(?i).*(pass|pwd|secret|token|credential|key|auth|private|cookie|salt).*");
    private static final Set<String> PLAIN_HEADERS =
            Set.of("accept", "accept-encoding", "accept-language", "content-type", "user-agent");

    /** Shortest text that is looked for in what others say: a shorter one stands there by chance. */
    private static final int LEAST_KNOWN = 8;
    /** What was hidden since this process began, and may stand in messages: token by value. */
    private static final Map<String, String> KNOWN = new ConcurrentHashMap<>();

    private final Map<String, String> values = new TreeMap<>();

    /** What was hidden so far, by the tokens that stand for it. */
    public Map<String, String> values() {
        return values;
    }

    /** The short hash of a value. */
    public static String token(String value) {
        return MARK + Sha256.of(value).substring(0, DIGITS);
    }

    /** Whether a text has a value that is hidden. */
    public static boolean isHidden(String text) {
        return TOKEN.matcher(text).find();
    }

    private String hide(String value, boolean mayBeInMessages) {
        if (value.isEmpty()
                || FROM_ENVIRONMENT.matcher(value).find()
                || TOKEN.matcher(value).matches()) {
            return value;
        }
        String token = token(value);
        values.put(token, value);
        if (mayBeInMessages && value.length() >= LEAST_KNOWN) {
            KNOWN.put(value, token);
        }
        return token;
    }

    private String named(String name, String value, Pattern open) {
        boolean sensitive = SENSITIVE.matcher(name).matches();
        boolean shown = !sensitive
                && (PLAIN.matcher(value).matches() || open.matcher(name).matches());
        if (shown && WORD.matcher(value).matches()) {
            // Older records have its hash.
            values.put(token(value), value);
        }
        return shown ? value : hide(value, sensitive);
    }

    private String header(String name, String value) {
        return PLAIN_HEADERS.contains(name.toLowerCase(Locale.ROOT)) ? value : hide(value, true);
    }

    /** A path or URL: the values of its query. */
    private String query(String path) {
        int at = path.indexOf('?');
        if (at < 0) {
            return path;
        }
        return path.substring(0, at + 1)
                + Stream.of(path.substring(at + 1).split("&", -1))
                        .map(pair -> {
                            String[] parts = pair.split("=", 2);
                            return parts.length < 2
                                            || RequestSpec.COLUMN
                                                    .matcher(parts[1])
                                                    .find()
                                    ? pair
                                    : parts[0] + "=" + named(parts[0], parts[1], PLAIN);
                        })
                        .collect(Collectors.joining("&"));
    }

    /** An option of a JVM: the value of a system property. */
    private String jvm(String options) {
        // A JVM's options are parted by any blank.
        return Stream.of(options.split("(?<=\\s)|(?=\\s)", -1))
                .map(option -> {
                    String[] parts = option.split("=", 2);
                    return option.startsWith("-D") && parts.length == 2
                            ? parts[0] + "=" + named(parts[0].substring(2), parts[1], OF_JVM)
                            : option;
                })
                .collect(Collectors.joining());
    }

    private String database(String url) {
        return url.matches(".*[?;@].*") ? hide(url, true) : url;
    }

    /** A command: what it sets. */
    private String command(String text) {
        return Text.words(text).stream()
                .map(word -> {
                    String[] parts = word.split("=", word.startsWith("--set=") ? 3 : 2);
                    String value = parts[parts.length - 1];
                    String key = parts.length == 3 ? parts[1] : parts[0];
                    String before = word.substring(0, word.length() - value.length());
                    if (key.equals("--url")) {
                        return before + query(value);
                    }
                    if (key.endsWith("db-url") || key.endsWith("db.url")) {
                        return before + database(value);
                    }
                    boolean values = key.matches(".*(headers|body|properties|env|jvm|url|data|requests|server).*");
                    return parts.length == 3 && values || word.matches("--arms=.*(properties|env|jvm).*")
                            ? before + named(key, value, PLAIN)
                            : word;
                })
                .map(Text::quoted)
                .collect(Collectors.joining(" "));
    }

    /** What is written of a record: its values by their hashes. */
    public JsonNode hidden(Object record) {
        JsonNode tree = record instanceof JsonNode node ? node : Json.MAPPER.valueToTree(record);
        return node("", tree.deepCopy());
    }

    /** Objects whose {@code settings} say how a tool is used, and are no properties. */
    private static final Set<String> CELLS = Set.of("cell", "cells");

    private JsonNode node(String key, JsonNode node) {
        if (node instanceof ObjectNode object) {
            BinaryOperator<String> each =
                    switch (key) {
                        case "properties", "settings" -> (name, value) -> named(name, value, OF_SPRING);
                        case "env" -> (name, value) -> named(name, value, PLAIN);
                        case "headers" -> this::header;
                        case "rows" -> (name, value) -> hide(value, true);
                        default -> (name, value) -> text(name, value);
                    };
            for (Map.Entry<String, JsonNode> entry : List.copyOf(object.properties())) {
                object.set(
                        entry.getKey(),
                        entry.getValue().isTextual()
                                ? JsonNodeFactory.instance.textNode(each.apply(
                                        entry.getKey(), entry.getValue().textValue()))
                                : node(
                                        CELLS.contains(key) && entry.getKey().equals("settings")
                                                ? "tool"
                                                : entry.getKey(),
                                        entry.getValue()));
            }
        } else if (node instanceof ArrayNode list) {
            for (int i = 0; i < list.size(); i++) {
                list.set(i, node(key, list.get(i)));
            }
        } else if (node.isTextual()) {
            return JsonNodeFactory.instance.textNode(text(key, node.textValue()));
        }
        return node;
    }

    private String text(String key, String value) {
        return switch (key) {
            case "body" -> hide(value, true);
            case "path", "warmUpPath", "url" -> query(value);
            case "jvm", "jvmOptions", "jvm.options" -> jvm(value);
            case "db.url" -> database(value);
            case "command" -> command(value);
            default -> value;
        };
    }

    /** The same as a record of its type. */
    public static <T> T shown(T record, Class<T> type) {
        try {
            return Json.MAPPER.treeToValue(new Secrets().hidden(record), type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What somebody says, with hashes in place of values that this process has hidden. */
    public static String scrubbed(String text) {
        String plain = text;
        for (Map.Entry<String, String> one : KNOWN.entrySet()) {
            if (plain.contains(one.getKey())) {
                plain = plain.replace(one.getKey(), one.getValue());
            }
        }
        return plain;
    }

    /** A tree with each text changed. */
    public static JsonNode each(JsonNode node, UnaryOperator<String> change) {
        if (node instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> entry : List.copyOf(object.properties())) {
                object.set(entry.getKey(), each(entry.getValue(), change));
            }
        } else if (node instanceof ArrayNode list) {
            for (int i = 0; i < list.size(); i++) {
                list.set(i, each(list.get(i), change));
            }
        } else if (node.isTextual()) {
            return JsonNodeFactory.instance.textNode(change.apply(node.textValue()));
        }
        return node;
    }

    /** A text with the values that its tokens stand for; a token that is not known stays. */
    public static String restored(String text, Map<String, String> values) {
        return TOKEN.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(values.getOrDefault(found.group(), found.group())));
    }

    /**
     * A text with values of the environment.
     *
     * @throws UsageException if a variable is not set
     */
    public static String resolved(String text) {
        return resolved(text, value -> value);
    }

    /** @param form in which a value stands in the text */
    static String resolved(String text, UnaryOperator<String> form) {
        return FROM_ENVIRONMENT
                .matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(form.apply(variable(found.group(1)))));
    }

    /** A path of a request as everybody may see it. */
    public static String ofPath(String path) {
        return new Secrets().query(path);
    }

    /** An option of a JVM as everybody may see it. */
    public static String ofJvm(String option) {
        return new Secrets().jvm(option);
    }

    private static String variable(String name) {
        String value = System.getenv(name);
        if (value == null || value.isEmpty()) {
            throw new UsageException(
                    "${env:" + name + "}: the environment has no " + name + ": set it, as in: export " + name + "=…");
        }
        if (value.matches("(?s).*\\p{Cntrl}.*")) {
            throw new UsageException("${env:" + name + "}: " + name + " has line breaks or control characters");
        }
        if (value.length() >= LEAST_KNOWN) {
            KNOWN.put(value, token(value));
        }
        return value;
    }

    /** A record with values of the environment in each of its texts. */
    public static <T> T resolved(T record, Class<T> type) {
        try {
            return Json.MAPPER.treeToValue(each(Json.MAPPER.valueToTree(record), Secrets::resolved), type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The hashes of all variables of the environment that a record names, by {@code env:NAME}. */
    public static Map<String, String> ofEnvironment(Object record) {
        Map<String, String> hashes = new TreeMap<>();
        each(Json.MAPPER.valueToTree(record), text -> {
            FROM_ENVIRONMENT
                    .matcher(text)
                    .results()
                    .forEach(found -> hashes.put("env:" + found.group(1), token(variable(found.group(1)))));
            return text;
        });
        return hashes;
    }
}
