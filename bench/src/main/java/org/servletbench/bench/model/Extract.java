package org.servletbench.bench.model;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.Serializable;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.jsoup.select.QueryParser;
import org.jsoup.select.Selector;

/**
 * A value that a user takes from an answer and sends in later requests, such as a form's token or an identifier.
 *
 * @param name placeholder of the value, written <code>${name}</code>
 * @param from part of the answer that contains it
 * @param what a CSS selector, a JSON path, or the name of a header
 * @param attribute attribute of the element that the selector finds; empty for its text
 */
public record Extract(String name, From from, String what, String attribute) implements Serializable {

    /** Parts of an answer that may contain a value, by the name of the function in a file. */
    public enum From {
        CSS,
        JSON,
        HEADER;

        private String function() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    private static final String QUOTED = "\\s*(?:\"([^\"]*)\"|'([^']*)')\\s*";
    private static final Pattern CALL = Pattern.compile("\\s*([a-z]+)\\(" + QUOTED + "(?:," + QUOTED + ")?\\)\\s*");

    /** Members and indices: {@code $.user.roles[0]}. */
    private static final Pattern PATH = Pattern.compile("\\$(?:\\.[A-Za-z_][A-Za-z0-9_-]*|\\[\\d{1,9}])+");

    private static final Pattern HEADER_NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

    /**
     * Parses {@code css("input[name=_csrf]", "value")}, {@code json("$.token")} or {@code header("X-Token")}.
     *
     * @throws UsageException whose message says what is wrong with it, as the end of a sentence
     */
    public static Extract parse(String name, String text) {
        Matcher call = CALL.matcher(text);
        if (call.matches()) {
            for (From from : From.values()) {
                if (from.function().equals(call.group(1))) {
                    return of(name, from, either(call, 2), either(call, 4));
                }
            }
        }
        throw new UsageException("'" + text
                + "' is not understood: give css(\"SELECTOR\"), css(\"SELECTOR\", \"ATTRIBUTE\"), json(\"$.NAME\") or"
                + " header(\"NAME\")");
    }

    private static String either(Matcher call, int group) {
        String one = call.group(group) == null ? call.group(group + 1) : call.group(group);
        return one == null ? "" : one;
    }

    private static Extract of(String name, From from, String what, String attribute) {
        if (from != From.CSS && !attribute.isEmpty()) {
            throw new UsageException(from.function() + " takes one value");
        }
        boolean known =
                switch (from) {
                    case CSS -> isSelector(what);
                    case JSON -> PATH.matcher(what).matches();
                    case HEADER -> HEADER_NAME.matcher(what).matches();
                };
        if (!known) {
            throw new UsageException("'" + what + "' is not a "
                    + switch (from) {
                        case CSS -> "CSS selector";
                        case JSON -> "path such as $.user.roles[0]";
                        case HEADER -> "header name";
                    });
        }
        return new Extract(name, from, what, attribute);
    }

    private static boolean isSelector(String text) {
        try {
            return !text.isBlank() && QueryParser.parse(text) != null;
        } catch (Selector.SelectorParseException | IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Returns the value in an answer; empty if the answer does not contain it.
     *
     * @param headers returns the value of a header by its name, or null
     * @param body returns the text of the body
     */
    public Optional<String> of(Function<String, String> headers, Supplier<String> body) {
        return switch (from) {
            case CSS ->
                Optional.ofNullable(Jsoup.parse(body.get()).selectFirst(what)).flatMap(this::value);
            case JSON -> inJson(body.get());
            case HEADER -> Optional.ofNullable(headers.apply(what));
        };
    }

    private Optional<String> value(Element element) {
        return attribute.isEmpty()
                ? Optional.of(element.text())
                : Optional.of(attribute).filter(element::hasAttr).map(element::attr);
    }

    private Optional<String> inJson(String body) {
        String pointer = what.substring(1).replaceAll("[.\\[]", "/").replace("]", "");
        try {
            JsonNode found = Json.MAPPER.readTree(body).at(JsonPointer.compile(pointer));
            return found.isValueNode() && !found.isNull() ? Optional.of(found.asText()) : Optional.empty();
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }
}
