package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A request apart from its path, and the status of its answer. In schedules, JMeter's own version of Jackson reads it,
 * which does not support unwrapped parts of records.
 *
 * @param method HTTP method, in capitals
 * @param headers headers by name, in addition to those that every request has
 * @param body text that is sent as UTF-8; empty for none
 * @param status status of a correct answer
 * @param rows rows of values that requests use in turn, starting over after the last one; each replaces
 *     <code>${column}</code> in path and body. Empty if nothing is filled in
 * @param ignored names of headers in which its answers may differ between servers
 * @param uses names of values that are filled in, besides columns of rows: {@link #SEQUENCE}, and values from earlier
 *     answers
 * @param extracts values that a user takes from the answer
 * @param times how often a user sends the request
 */
public record RequestSpec(
        String method,
        Map<String, String> headers,
        String body,
        int status,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Map<String, String>> rows,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> ignored,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> uses,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Extract> extracts,

        @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = Times.IsUsual.class)
        Times times)
        implements Serializable {

    /** The default: a plain GET answered with 200. */
    public static final RequestSpec GET = new RequestSpec("GET", Map.of(), "", 200);

    /** A placeholder for a value. */
    public static final Pattern COLUMN = Pattern.compile("\\$\\{([A-Za-z][A-Za-z0-9_-]*)}");

    /**
     * Placeholder for the number of a request, or of a pass through a list. Each server gets each number once, from 0.
     */
    public static final String SEQUENCE = "sequence";

    public RequestSpec {
        headers = new TreeMap<>(headers);
        rows = rows == null ? List.of() : List.copyOf(rows);
        ignored = ignored == null ? List.of() : List.copyOf(ignored);
        uses = uses == null ? List.of() : List.copyOf(uses);
        extracts = extracts == null ? List.of() : List.copyOf(extracts);
        times = times == null ? Times.EACH_PASS : times;
    }

    /** Creates a request that takes no values from its answers, and uses values from rows only. */
    public RequestSpec(
            String method,
            Map<String, String> headers,
            String body,
            int status,
            List<Map<String, String>> rows,
            List<String> ignored) {
        this(method, headers, body, status, rows, ignored, List.of(), List.of(), null);
    }

    /** Creates a request whose answers may not differ in any header. */
    public RequestSpec(
            String method, Map<String, String> headers, String body, int status, List<Map<String, String>> rows) {
        this(method, headers, body, status, rows, List.of());
    }

    /** Creates a request that is always the same. */
    public RequestSpec(String method, Map<String, String> headers, String body, int status) {
        this(method, headers, body, status, List.of());
    }

    private static final String ACCEPTED = "Accept-Encoding";
    private static final String GZIP = "gzip";

    /** Returns this request with a header that accepts compressed answers. */
    public RequestSpec acceptingGzip() {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(ACCEPTED, GZIP);
        return new RequestSpec(method, more, body, status, rows, ignored, uses, extracts, times);
    }

    /** True if the answer may be compressed. */
    public boolean acceptsGzip() {
        return GZIP.equals(headers.get(ACCEPTED));
    }

    /** True if it is a GET without headers of its own that is answered with 200. The answer may be compressed. */
    public boolean plain() {
        RequestSpec sent = new RequestSpec(method, headers, body, status, rows, List.of(), uses, extracts, times);
        return sent.equals(GET) || sent.equals(GET.acceptingGzip());
    }

    /** Returns the description in a campaign's record, which comes before the path; empty for a plain request. */
    public String words() {
        return equals(GET)
                ? ""
                : method + " answered with " + status
                        + (body.isEmpty() ? "" : ", body SHA-256 " + sha256(body))
                        + (headers.isEmpty() ? "" : ", headers " + shown(headers))
                        + (ignored.isEmpty() ? "" : ", differing in " + String.join(" ", ignored))
                        + (rows.isEmpty() ? "" : ", " + rows.size() + " rows, SHA-256 " + sha256(rows.toString()))
                        + (extracts.isEmpty()
                                ? ""
                                : ", giving "
                                        + extracts.stream().map(Extract::name).collect(Collectors.joining(" ")))
                        + (isOnce() ? ", once for each user" : "")
                        + ", ";
    }

    private static String shown(Map<String, String> headers) {
        return new Secrets()
                .hidden(Map.of("headers", headers)).path("headers").properties().stream()
                        .map(one -> one.getKey() + "=" + one.getValue().asText())
                        .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String sha256(String text) {
        return Sha256.of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** True if the request may change later answers of the server. */
    public boolean changesState() {
        return !method.equals("GET");
    }

    /** True if the server has more work after each pass. A login does not cause that. */
    public boolean changesEachPass() {
        return changesState() && times == Times.EACH_PASS;
    }

    /**
     * Returns this request for users who are new in each pass and leave after one. Requests that are sent once are then
     * counted, but still do not change the server in each pass.
     */
    public RequestSpec ofNewUsers() {
        return isOnce()
                ? new RequestSpec(method, headers, body, status, rows, ignored, uses, extracts, Times.ONCE_COUNTED)
                : this;
    }

    /** True if requests differ from each other, and therefore perhaps the lengths of their answers. */
    public boolean varies() {
        return !rows.isEmpty() || !uses.isEmpty();
    }

    /** True if each request has a row or a number of its own. */
    @JsonIgnore
    public boolean isNumbered() {
        return !rows.isEmpty() || uses.contains(SEQUENCE);
    }

    /** True if a user sends it only in the first pass. */
    @JsonIgnore
    public boolean isOnce() {
        return times == Times.ONCE;
    }

    /** True if its users are new in each pass. */
    @JsonIgnore
    public boolean isOfNewUsers() {
        return times == Times.ONCE_COUNTED;
    }

    /** True if it needs a user with a session: it uses values from answers, or provides values for other requests. */
    @JsonIgnore
    public boolean isOfSession() {
        return isOnce() || !extracts.isEmpty();
    }

    /**
     * Returns the path of a request. Characters of values that a path cannot contain are escaped, such as %20 for a
     * blank.
     */
    public String path(String template, long number, Map<String, String> taken) {
        return filled(template, number, taken, RequestSpec::escaped);
    }

    public String path(String template, long number) {
        return path(template, number, Map.of());
    }

    /** Returns the request with this number, from 0, for a user without values from answers. */
    public RequestSpec filled(long number) {
        return filled(number, Map.of());
    }

    /**
     * Returns the request with this number, from 0, with all values filled in. In a body that is a form, values are
     * escaped, unless the body consists of a single value. In other bodies, such as JSON, they are not.
     *
     * @param taken values that the user has taken from earlier answers, by name
     */
    public RequestSpec filled(long number, Map<String, String> taken) {
        if (!varies()) {
            return this;
        }
        Map<String, String> filled = new TreeMap<>(headers);
        filled.replaceAll((name, value) -> header(value, number, taken));
        return new RequestSpec(method, filled, filled(body, number, taken, inBody()), status);
    }

    /**
     * Returns this request with values from the environment in its body. It is for sending, and must not be recorded.
     */
    RequestSpec resolved() {
        return new RequestSpec(
                method, headers, Secrets.resolved(body, inBody()), status, rows, ignored, uses, extracts, times);
    }

    /**
     * Returns how a value is written into the body. In a form it is escaped, unless it is the whole body, which may be
     * an encoded form already.
     */
    private UnaryOperator<String> inBody() {
        boolean form = headers.entrySet().stream()
                .anyMatch(one -> one.getKey().equalsIgnoreCase("content-type")
                        && one.getValue().startsWith("application/x-www-form-urlencoded"));
        return form && !body.matches("\\$\\{[^{}]*}") ? RequestSpec::escaped : UnaryOperator.identity();
    }

    /** Returns the value of a header in the request with this number: see {@link #filled(long, Map)}. */
    public String header(String template, long number, Map<String, String> taken) {
        return filled(template, number, taken, UnaryOperator.identity());
    }

    private String filled(String template, long number, Map<String, String> taken, UnaryOperator<String> value) {
        if (!varies()) {
            return template;
        }
        Map<String, String> row = rows.isEmpty() ? Map.of() : rows.get((int) (number % rows.size()));
        return COLUMN.matcher(template).replaceAll(found -> {
            String name = found.group(1);
            String known = row.containsKey(name)
                    ? row.get(name)
                    : name.equals(SEQUENCE) && uses.contains(name) ? Long.toString(number) : taken.get(name);
            return Matcher.quoteReplacement(known == null ? found.group() : value.apply(known));
        });
    }

    static String escaped(String value) {
        StringBuilder text = new StringBuilder();
        for (byte one : value.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = one >= '0' && one <= '9'
                    || one >= 'A' && one <= 'Z'
                    || one >= 'a' && one <= 'z'
                    || "-._~".indexOf(one) >= 0;
            text.append(plain ? String.valueOf((char) one) : Text.text("%%%02X", one));
        }
        return text.toString();
    }
}
