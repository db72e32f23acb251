package org.servletbench.bench.model;

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
 */
public record RequestSpec(
        String method,
        Map<String, String> headers,
        String body,
        int status,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Map<String, String>> rows,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> ignored)
        implements Serializable {

    /** What is usual. */
    public static final RequestSpec GET = new RequestSpec("GET", Map.of(), "", 200);

    /** What stands for a value. */
    public static final Pattern COLUMN = Pattern.compile("\\$\\{([A-Za-z][A-Za-z0-9_-]*)}");

    public RequestSpec {
        headers = new TreeMap<>(headers);
        rows = rows == null ? List.of() : List.copyOf(rows);
        ignored = ignored == null ? List.of() : List.copyOf(ignored);
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
        return new RequestSpec(method, more, body, status, rows, ignored);
    }

    /** Whether answers may be compressed. */
    public boolean acceptsGzip() {
        return GZIP.equals(headers.get(ACCEPTED));
    }

    /** Whether it is a GET without headers of its own that is answered with 200, compressed or not. */
    public boolean plain() {
        RequestSpec sent = new RequestSpec(method, headers, body, status, rows);
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

    /** Whether requests differ, so that lengths of answers may. */
    public boolean varies() {
        return !rows.isEmpty();
    }

    /** The path of a request; values have bytes of UTF-8 as %20 where a path cannot have them. */
    public String path(String template, long number) {
        return filled(template, number, RequestSpec::escaped);
    }

    /** The request of this number, from 0: nothing is to be filled in any more. */
    public RequestSpec filled(long number) {
        return varies()
                ? new RequestSpec(method, headers, filled(body, number, UnaryOperator.identity()), status)
                : this;
    }

    private String filled(String template, long number, UnaryOperator<String> value) {
        if (!varies()) {
            return template;
        }
        Map<String, String> row = rows.get((int) (number % rows.size()));
        return COLUMN.matcher(template)
                .replaceAll(found -> Matcher.quoteReplacement(
                        row.containsKey(found.group(1)) ? value.apply(row.get(found.group(1))) : found.group()));
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
