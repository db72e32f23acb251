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
 * What a request is beside its path, and the status of its answer.
 *
 * @param method of HTTP, in capitals
 * @param headers by name, beside those that every request has
 * @param body text that is sent as UTF-8; empty for none
 * @param status of a right answer
 * @param rows that take turns, round and round: each has the values of <code>${column}</code> in path and body. Empty: nothing is
 *     filled in
 * @param ignored names of headers in which its answers may differ from server to server
 * @param uses names of values that are filled in beside columns of rows: {@link #SEQUENCE}, and what earlier answers gave
 * @param extracts what a user takes from its answer
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

    /** What is usual. */
    public static final RequestSpec GET = new RequestSpec("GET", Map.of(), "", 200);

    /** What stands for a value. */
    public static final Pattern COLUMN = Pattern.compile("\\$\\{([A-Za-z][A-Za-z0-9_-]*)}");

    /** The name of the number of a request, or of a pass through a list: from 0 on, each once at each server. */
    public static final String SEQUENCE = "sequence";

    public RequestSpec {
        headers = new TreeMap<>(headers);
        rows = rows == null ? List.of() : List.copyOf(rows);
        ignored = ignored == null ? List.of() : List.copyOf(ignored);
        uses = uses == null ? List.of() : List.copyOf(uses);
        extracts = extracts == null ? List.of() : List.copyOf(extracts);
        times = times == null ? Times.EACH_PASS : times;
    }

    /** One of which nothing is taken, and into which nothing but rows is filled. */
    public RequestSpec(
            String method,
            Map<String, String> headers,
            String body,
            int status,
            List<Map<String, String>> rows,
            List<String> ignored) {
        this(method, headers, body, status, rows, ignored, List.of(), List.of(), null);
    }

    /** One whose answers may differ in no header. */
    public RequestSpec(
            String method, Map<String, String> headers, String body, int status, List<Map<String, String>> rows) {
        this(method, headers, body, status, rows, List.of());
    }

    /** One that is always the same. */
    public RequestSpec(String method, Map<String, String> headers, String body, int status) {
        this(method, headers, body, status, List.of());
    }

    private static final String ACCEPTED = "Accept-Encoding";
    private static final String GZIP = "gzip";

    /** The same, with answers that may be compressed. */
    public RequestSpec acceptingGzip() {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(ACCEPTED, GZIP);
        return new RequestSpec(method, more, body, status, rows, ignored, uses, extracts, times);
    }

    /** Whether answers may be compressed. */
    public boolean acceptsGzip() {
        return GZIP.equals(headers.get(ACCEPTED));
    }

    /** Whether it is a GET without headers of its own that is answered with 200, compressed or not. */
    public boolean plain() {
        RequestSpec sent = new RequestSpec(method, headers, body, status, rows, List.of(), uses, extracts, times);
        return sent.equals(GET) || sent.equals(GET.acceptingGzip());
    }

    /** What the record of a campaign says of it, before the path; empty where it is plain. */
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

    /** Whether it may change what the server answers later. */
    public boolean changesState() {
        return !method.equals("GET");
    }

    /** Whether the server has more to do the more of its passes there were: a login is none. */
    public boolean changesEachPass() {
        return changesState() && times == Times.EACH_PASS;
    }

    /** The same where every user is new, and makes one pass: what is sent once is counted. It is no change of each pass all the same. */
    public RequestSpec ofNewUsers() {
        return isOnce()
                ? new RequestSpec(method, headers, body, status, rows, ignored, uses, extracts, Times.ONCE_COUNTED)
                : this;
    }

    /** Whether requests differ, so that lengths of answers may. */
    public boolean varies() {
        return !rows.isEmpty() || !uses.isEmpty();
    }

    /** Whether each has a row of its own, or a number. */
    @JsonIgnore
    public boolean isNumbered() {
        return !rows.isEmpty() || uses.contains(SEQUENCE);
    }

    /** Whether a user sends it in its first pass only. */
    @JsonIgnore
    public boolean isOnce() {
        return times == Times.ONCE;
    }

    /** Whether its users are new in each pass. */
    @JsonIgnore
    public boolean isOfNewUsers() {
        return times == Times.ONCE_COUNTED;
    }

    /** Whether it needs a user who goes on: what it sends comes from answers, or others need what it brings. */
    @JsonIgnore
    public boolean isOfSession() {
        return isOnce() || !extracts.isEmpty();
    }

    /** The path of a request; values have bytes of UTF-8 as %20 where a path cannot have them. */
    public String path(String template, long number, Map<String, String> taken) {
        return filled(template, number, taken, RequestSpec::escaped);
    }

    public String path(String template, long number) {
        return path(template, number, Map.of());
    }

    /** The request of this number, from 0, of a user who took nothing from answers. */
    public RequestSpec filled(long number) {
        return filled(number, Map.of());
    }

    /**
     * The request of this number, from 0: nothing is to be filled in any more. In a body that is a form values are escaped, unless it is
     * nothing but one value; in JSON and others they are not.
     *
     * @param taken what a user has taken from earlier answers, by name
     */
    public RequestSpec filled(long number, Map<String, String> taken) {
        if (!varies()) {
            return this;
        }
        Map<String, String> filled = new TreeMap<>(headers);
        filled.replaceAll((name, value) -> header(value, number, taken));
        return new RequestSpec(method, filled, filled(body, number, taken, inBody()), status);
    }

    /** The same with values of the environment in its body: for sending, not for a record. */
    RequestSpec resolved() {
        return new RequestSpec(
                method, headers, Secrets.resolved(body, inBody()), status, rows, ignored, uses, extracts, times);
    }

    /** How a value stands in the body: in a form escaped. A body that is nothing but a value may be a form that is written already. */
    private UnaryOperator<String> inBody() {
        boolean form = headers.entrySet().stream()
                .anyMatch(one -> one.getKey().equalsIgnoreCase("content-type")
                        && one.getValue().startsWith("application/x-www-form-urlencoded"));
        return form && !body.matches("\\$\\{[^{}]*}") ? RequestSpec::escaped : UnaryOperator.identity();
    }

    /** The value of a header of the request of this number: as {@link #filled(long, Map)} has it. */
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
