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
 * A request apart from its path, and the status of its answer. JMeter's own Jackson reads it in a schedule, which knows no unwrapped parts of
 * records.
 *
 * @param method of HTTP, in capitals
 * @param headers by name, in addition to those that every request has
 * @param body text that is sent as UTF-8; empty for none
 * @param status of a right answer
 * @param rows used in turn, round and round: each has the values of <code>${column}</code> in path and body. Empty: nothing is
 *     filled in
 * @param ignored names of headers in which its answers may differ between servers
 * @param uses names of values that are filled in besides columns of rows: {@link #SEQUENCE}, and values from earlier answers
 * @param extracts values that a user takes from its answer
 * @param times how often a user sends it
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

    /** Placeholder for the number of a request, or of a pass through a list: from 0 on, each once at each server. */
    public static final String SEQUENCE = "sequence";

    public RequestSpec {
        headers = new TreeMap<>(headers);
        rows = rows == null ? List.of() : List.copyOf(rows);
        ignored = ignored == null ? List.of() : List.copyOf(ignored);
        uses = uses == null ? List.of() : List.copyOf(uses);
        extracts = extracts == null ? List.of() : List.copyOf(extracts);
        times = times == null ? Times.EACH_PASS : times;
    }

    /** Creates one from whose answers nothing is taken, and into which only rows are filled. */
    public RequestSpec(
            String method,
            Map<String, String> headers,
            String body,
            int status,
            List<Map<String, String>> rows,
            List<String> ignored) {
        this(method, headers, body, status, rows, ignored, List.of(), List.of(), null);
    }

    /** Creates one whose answers must not differ in any header. */
    public RequestSpec(
            String method, Map<String, String> headers, String body, int status, List<Map<String, String>> rows) {
        this(method, headers, body, status, rows, List.of());
    }

    /** Creates one that is always the same. */
    public RequestSpec(String method, Map<String, String> headers, String body, int status) {
        this(method, headers, body, status, List.of());
    }

    private static final String ACCEPTED = "Accept-Encoding";
    private static final String GZIP = "gzip";

    /** Returns this request with permission to compress the answer. */
    public RequestSpec acceptingGzip() {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(ACCEPTED, GZIP);
        return new RequestSpec(method, more, body, status, rows, ignored, uses, extracts, times);
    }

    /** True if answers may be compressed. */
    public boolean acceptsGzip() {
        return GZIP.equals(headers.get(ACCEPTED));
    }

    /** True if it is a GET without headers of its own that is answered with 200, compressed or not. */
    public boolean plain() {
        RequestSpec sent = new RequestSpec(method, headers, body, status, rows, List.of(), uses, extracts, times);
        return sent.equals(GET) || sent.equals(GET.acceptingGzip());
    }

    /** Returns its description in the record of a campaign, before the path; empty if it is plain. */
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

    /** True if it may change later answers of the server. */
    public boolean changesState() {
        return !method.equals("GET");
    }

    /** True if the server's work grows with the number of passes; a login does not do that. */
    public boolean changesEachPass() {
        return changesState() && times == Times.EACH_PASS;
    }

    /**
     * Returns this request for users who are new in each pass and make only one: requests that are sent once are counted then. It
     * still does not count as a change of each pass.
     */
    public RequestSpec ofNewUsers() {
        return isOnce()
                ? new RequestSpec(method, headers, body, status, rows, ignored, uses, extracts, Times.ONCE_COUNTED)
                : this;
    }

    /** True if requests differ from each other, so that lengths of answers may, too. */
    public boolean varies() {
        return !rows.isEmpty() || !uses.isEmpty();
    }

    /** True if each request has its own row or a number. */
    @JsonIgnore
    public boolean isNumbered() {
        return !rows.isEmpty() || uses.contains(SEQUENCE);
    }

    /** True if a user sends it in its first pass only. */
    @JsonIgnore
    public boolean isOnce() {
        return times == Times.ONCE;
    }

    /** True if its users are new in each pass. */
    @JsonIgnore
    public boolean isOfNewUsers() {
        return times == Times.ONCE_COUNTED;
    }

    /** True if it needs a user who continues: it sends values from answers, or others need the values that it brings. */
    @JsonIgnore
    public boolean isOfSession() {
        return isOnce() || !extracts.isEmpty();
    }

    /** Returns the path of a request; bytes of UTF-8 in values are escaped as %20 if a path cannot contain them. */
    public String path(String template, long number, Map<String, String> taken) {
        return filled(template, number, taken, RequestSpec::escaped);
    }

    public String path(String template, long number) {
        return path(template, number, Map.of());
    }

    /** Returns the request with this number, from 0, for a user who took nothing from answers. */
    public RequestSpec filled(long number) {
        return filled(number, Map.of());
    }

    /**
     * Returns the request with this number, from 0, with everything filled in. In a body that is a form, values are escaped, unless
     * it is nothing but one value; in JSON and others they are not.
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

    /** Returns this request with values of the environment in its body: for sending, not for a record. */
    RequestSpec resolved() {
        return new RequestSpec(
                method, headers, Secrets.resolved(body, inBody()), status, rows, ignored, uses, extracts, times);
    }

    /**
     * Returns how a value is written into the body: escaped in a form. A body that is nothing but a value may be an encoded form
     * already.
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
