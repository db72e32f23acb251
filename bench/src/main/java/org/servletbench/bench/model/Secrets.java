package org.servletbench.bench.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Values that may be secret. In all output, each is replaced by a short hash, so that two values can be distinguished
 * but not read. Hidden are values of headers, bodies, rows of data, queries of paths, environment variables, Spring
 * properties and system properties of JVMs. Shown are numbers, switches, and Spring's own settings of server, threads
 * and logging.
 */
public final class Secrets {

    /** Option to show all values. */
    public static final String OPTION = "show.values";

    /** A value that is read from the environment when it is used. Records contain only this name. */
    public static final Pattern FROM_ENVIRONMENT = Pattern.compile("\\$\\{env:([A-Za-z_][A-Za-z0-9_]*)}");

    private static final int DIGITS = 12;
    private static final String MARK = "sha256:";
    private static final Pattern TOKEN = Pattern.compile(MARK + "[0-9a-f]{" + DIGITS + "}");

    private static final Pattern WORD = Pattern.compile("(?i)on|off|none|auto");
    /** Values that are too short or too common to be secret. Arms often differ in them. */
    private static final Pattern PLAIN =
            Pattern.compile("(?i)true|false|" + WORD + "|-?\\d{1,7}(\\.\\d{1,6})?\\s?[a-z%]{0,3}");

    private static final Pattern OF_SPRING =
            Pattern.compile("(server|spring\\.(threads|main|jmx|task|autoconfigure)|management|logging)\\..*");
    private static final Pattern OF_JVM = Pattern.compile("(java|jdk|sun|user|file|proof|servlet-bench)\\..*");
    private static final Pattern WITH_VALUE = Pattern.compile("-javaagent:|-agentpath:|-agentlib:");
    private static final Pattern SENSITIVE =
            Pattern.compile("(?i).*(pass|pwd|secret|token|credential|key|auth|private|cookie|salt).*");
    /** Key of a server's command, a list of words. */
    private static final String COMMAND = "command";

    private static final Pattern OF_COMMAND = Pattern.compile("(-{1,2}[\\w.-]+=)(.+)");
    /** Options of a framework's server, such as Spring's {@code server.}. Arms often differ in them. */
    private static final Pattern OF_SERVER = Pattern.compile("-{1,2}([\\w-]+\\.)?server\\..*");

    /** Addresses that a server gets from us, and the rest of a URL with them. They are not secret. */
    private static final Pattern PLACEHOLDER = Pattern.compile("(\\$\\{(port|address|collector)}|[/:.]|https?)+");

    private static final Set<String> PLAIN_HEADERS =
            Set.of("accept", "accept-encoding", "accept-language", "content-type", "user-agent");

    /**
     * Minimum length of a text that is searched for in output. A shorter one may occur there by chance, and is hidden
     * only as the value of its key.
     */
    private static final int LEAST_KNOWN = 6;
    /** Parts of the user's paths and names, and our own words. They are shown in all output. */
    private static final Set<String> SHOWN = ConcurrentHashMap.newKeySet();
    /** Values hidden since this command started, the longest first, by their first characters. */
    private static final Map<String, Set<String>> KNOWN = new ConcurrentHashMap<>();

    private static final Comparator<String> LONGEST_FIRST =
            Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder());
    /**
     * A word, number or time. It may occur as a part of another one, which is then not this value. A text as a whole
     * may be one of our own.
     */
    private static final Pattern ONE_WORD = Pattern.compile("\\p{L}+|[0-9a-fA-F]+|[0-9.:T/-]+");

    /** Texts so frequent in messages that replacing them would make messages useless. */
    private static final Pattern USUAL = Pattern.compile("localhost|(127|0)[.]\\d+[.]\\d+[.]\\d+");

    private static final Pattern OF_WORD = Pattern.compile("[\\p{L}\\p{N}_-]");
    private static volatile boolean showsAll;

    /** A separate class, because generators and other machines have no YAML library and read no command. */
    private static final class Yaml {
        private static final YAMLMapper MAPPER = new YAMLMapper();
    }

    private final Map<String, String> values = new TreeMap<>();
    /** False while a text is hidden that is not a value as a whole, such as a path in a command. */
    private boolean learns = true;

    /** Returns the values hidden so far, by the hashes that replace them. */
    public Map<String, String> values() {
        return values;
    }

    /** Returns the short hash of a value. */
    public static String token(String value) {
        return MARK + Sha256.of(value).substring(0, DIGITS);
    }

    /** True if a text contains a hash instead of a value. */
    public static boolean isHidden(String text) {
        return TOKEN.matcher(text).find();
    }

    /** Forgets all values, and hides values in all output again. */
    public static void forget() {
        KNOWN.clear();
        SHOWN.clear();
        showsAll = false;
    }

    /** @param shows true if the user asked for all values; output is then not searched for values */
    public static void showAll(boolean shows) {
        showsAll = shows;
    }

    /**
     * Registers the user's names and paths that are public. A value that is part of one is hidden only as the value of
     * its key.
     */
    public static void show(Collection<String> names) {
        SHOWN.addAll(names);
    }

    /** Registers every hidden value of a record or a file's tree, so that {@link #scrubbed} finds it in all output. */
    public static void learn(Object record) {
        new Secrets().hidden(record);
    }

    private static void know(String value) {
        if (value.length() >= LEAST_KNOWN
                && !PLACEHOLDER.matcher(value).matches()
                && !TOKEN.matcher(value).matches()
                && !FROM_ENVIRONMENT.matcher(value).find()
                && !USUAL.matcher(value).matches()) {
            KNOWN.computeIfAbsent(value.substring(0, LEAST_KNOWN), any -> new ConcurrentSkipListSet<>(LONGEST_FIRST))
                    .add(value);
        }
    }

    private String hide(String value) {
        if (value.isEmpty()
                || PLACEHOLDER.matcher(value).matches()
                || FROM_ENVIRONMENT.matcher(value).find()
                || TOKEN.matcher(value).matches()) {
            return value;
        }
        String token = token(value);
        values.put(token, value);
        if (learns && !PLAIN.matcher(value).matches()) {
            know(value);
        }
        return token;
    }

    private String named(String name, String value, Pattern open) {
        boolean sensitive = SENSITIVE.matcher(name).matches();
        boolean shown = !sensitive
                && (PLAIN.matcher(value).matches() || open.matcher(name).matches());
        if (sensitive && learns) {
            // With such a name, even a number is secret.
            know(value);
        }
        return shown ? value : hide(value);
    }

    /** True if the value of this header is shown. */
    public static boolean isShownHeader(String name) {
        return PLAIN_HEADERS.contains(name.toLowerCase(Locale.ROOT));
    }

    private String header(String name, String value) {
        return isShownHeader(name) ? value : hide(value);
    }

    /** Hides the values in the query of a path or URL. */
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

    /**
     * Hides the value in a word of a command: {@code -Dname=value}, {@code --name=value}, or the word after
     * {@code --password}.
     */
    private String word(String before, String word) {
        if (word.startsWith("-D") || WITH_VALUE.matcher(word).lookingAt()) {
            return jvm(word);
        }
        Matcher option = OF_COMMAND.matcher(word);
        if (option.matches()) {
            return option.group(1) + named(option.group(1), option.group(2), OF_SERVER);
        }
        return before.startsWith("-") && SENSITIVE.matcher(before).matches() && !before.contains("=")
                ? hide(word)
                : word;
    }

    /** Hides values in JVM options: the values of system properties and the arguments of agents. */
    private String jvm(String options) {
        // Any blank separates JVM options.
        return Stream.of(options.split("(?<=\\s)|(?=\\s)", -1))
                .map(option -> {
                    String[] parts = option.split("=", 2);
                    if (parts.length < 2) {
                        return option;
                    }
                    return option.startsWith("-D")
                            ? parts[0] + "=" + named(parts[0].substring(2), parts[1], OF_JVM)
                            : WITH_VALUE.matcher(option).lookingAt() ? parts[0] + "=" + hide(parts[1]) : option;
                })
                .collect(Collectors.joining());
    }

    private String database(String url) {
        return url.matches(".*[?;@].*") ? hide(url) : url;
    }

    /** Hides the values in an option's value: a mapping or list, as in a file. */
    private String mapping(String path, String value) {
        JsonNode tree;
        try {
            tree = Yaml.MAPPER.readTree(value);
        } catch (JsonProcessingException e) {
            return value;
        }
        if (tree == null || !tree.isContainerNode()) {
            return value;
        }
        JsonNode hidden = tree.deepCopy();
        for (String key : List.of(path.split("[.]"))) {
            // The last key with a meaning decides. Below arms.a.env, for example, all keys are names of variables.
            hidden = node(key, hidden);
        }
        return hidden.equals(tree) ? value : hidden.toString();
    }

    /** Hides the values in a command's options. They are registered elsewhere, with the values of its comparison. */
    private String command(String text) {
        learns = false;
        String hidden = Text.words(text).stream()
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
                    boolean values = key.matches(
                            ".*(headers|body|properties|env|jvm|url|data|requests|server).*|.*[.]command[.]\\d+");
                    return parts.length == 3 && values || word.matches("--arms=.*(properties|env|jvm).*")
                            ? before + named(key, value, PLAIN)
                            : parts.length == 3 ? before + mapping(key, value) : word;
                })
                .map(Text::quoted)
                .collect(Collectors.joining(" "));
        learns = true;
        return hidden;
    }

    /** Returns a record as it is written, with hashes instead of values. */
    public JsonNode hidden(Object record) {
        JsonNode tree = record instanceof JsonNode node ? node : Json.MAPPER.valueToTree(record);
        return node("", tree.deepCopy());
    }

    /** Objects whose {@code settings} are those of a tool, not Spring properties. */
    private static final Set<String> MEASURED_LOADS = Set.of("load", "loads");

    private JsonNode node(String key, JsonNode node) {
        if (node instanceof ObjectNode object) {
            BinaryOperator<String> each =
                    switch (key) {
                        case "properties", "settings" -> (name, value) -> named(name, value, OF_SPRING);
                        case "env" -> (name, value) -> named(name, value, PLAIN);
                        case "headers" -> this::header;
                        case "rows" -> (name, value) -> hide(value);
                        default -> (name, value) -> text(name, value);
                    };
            for (Map.Entry<String, JsonNode> entry : List.copyOf(object.properties())) {
                object.set(
                        entry.getKey(),
                        entry.getValue().isTextual()
                                ? JsonNodeFactory.instance.textNode(each.apply(
                                        entry.getKey(), entry.getValue().textValue()))
                                : node(
                                        MEASURED_LOADS.contains(key)
                                                        && entry.getKey().equals("settings")
                                                ? "tool"
                                                : entry.getKey(),
                                        entry.getValue()));
            }
        } else if (node instanceof ArrayNode list) {
            String before = "";
            for (int i = 0; i < list.size(); i++) {
                String text = list.get(i).asText();
                list.set(
                        i,
                        key.equals(COMMAND)
                                ? JsonNodeFactory.instance.textNode(word(before, text))
                                : node(key, list.get(i)));
                before = text;
            }
        } else if (node.isTextual()) {
            return JsonNodeFactory.instance.textNode(text(key, node.textValue()));
        }
        return node;
    }

    private String text(String key, String value) {
        return switch (key) {
            case "body" -> hide(value);
            case "path", "warmUpPath", "url", "warm-up" -> query(value);
            case "jvm", "jvmOptions", "jvm.options" -> jvm(value);
            case "db.url", "db-url" -> database(value);
            case "command" -> command(value);
            default -> value;
        };
    }

    /** Returns a record with hashes instead of values, as an object of the same type. */
    public static <T> T shown(T record, Class<T> type) {
        try {
            return Json.MAPPER.treeToValue(new Secrets().hidden(record), type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a text with hashes instead of the values hidden since this command started. */
    public static String scrubbed(String text) {
        if (showsAll || KNOWN.isEmpty() || text.length() < LEAST_KNOWN) {
            return text;
        }
        StringBuilder plain = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            String found = at + LEAST_KNOWN > text.length() ? null : known(text, at);
            plain.append(found == null ? String.valueOf(text.charAt(at)) : token(found));
            at += found == null ? 1 : found.length();
        }
        return plain.toString();
    }

    /** Returns the longest registered value at this position of a text; null if there is none. */
    private static String known(String text, int at) {
        Set<String> begins = KNOWN.getOrDefault(text.substring(at, at + LEAST_KNOWN), Set.of());
        return begins.stream()
                .filter(value -> text.startsWith(value, at))
                .filter(value -> !ONE_WORD.matcher(value).matches()
                        || value.length() < text.length()
                                && !isOfWord(text, at - 1)
                                && !isOfWord(text, at + value.length()))
                .filter(value -> SHOWN.stream().noneMatch(name -> name.contains(value)))
                .findFirst()
                .orElse(null);
    }

    private static boolean isOfWord(String text, int at) {
        return at >= 0
                && at < text.length()
                && OF_WORD.matcher(String.valueOf(text.charAt(at))).matches();
    }

    /** Returns a tree in which each text is changed. */
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

    /** Returns a text with values instead of hashes. Unknown hashes remain. */
    public static String restored(String text, Map<String, String> values) {
        return TOKEN.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(values.getOrDefault(found.group(), found.group())));
    }

    /**
     * Returns a text with values from the environment.
     *
     * @throws UsageException if a variable is not set
     */
    public static String resolved(String text) {
        return resolved(text, value -> value);
    }

    /** @param form encodes a value for the text */
    static String resolved(String text, UnaryOperator<String> form) {
        return FROM_ENVIRONMENT
                .matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(form.apply(variable(found.group(1)))));
    }

    /** Returns the path of a request with hashes instead of values. */
    public static String ofPath(String path) {
        return new Secrets().query(path);
    }

    /** Returns a JVM option with hashes instead of values. */
    public static String ofJvm(String option) {
        return new Secrets().jvm(option);
    }

    private static String variable(String name) {
        String value = System.getenv(name);
        if (value == null || value.isEmpty()) {
            throw new UsageException(
                    "${env:" + name + "}: the environment has no " + name + ": set it with: export " + name + "=…");
        }
        if (value.matches("(?s).*\\p{Cntrl}.*")) {
            throw new UsageException("${env:" + name + "}: " + name + " has line breaks or control characters");
        }
        know(value);
        return value;
    }

    /** Returns a record with values from the environment in all of its texts. */
    public static <T> T resolved(T record, Class<T> type) {
        try {
            return Json.MAPPER.treeToValue(each(Json.MAPPER.valueToTree(record), Secrets::resolved), type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the hashes of all environment variables that a record names, by {@code env:NAME}. */
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
