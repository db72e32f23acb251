package org.servletbench.bench.model;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a request is beside its path, and the status of its answer.
 *
 * @param method of HTTP, in capitals
 * @param headers by name, beside those that every request has
 * @param body text that is sent as UTF-8; empty for none
 * @param status of a right answer
 */
public record Sending(String method, Map<String, String> headers, String body, int status) implements Serializable {

    /** What is usual. */
    public static final Sending GET = new Sending("GET", Map.of(), "", 200);

    public Sending {
        headers = new TreeMap<>(headers);
    }

    /** Whether it is a GET without headers of its own that is answered with 200: every generator can send it. */
    public boolean plain() {
        return equals(GET);
    }

    /** What the record of a campaign says of it, before the path; empty where it is plain. */
    public String words() {
        return plain()
                ? ""
                : method + " answered with " + status
                        + (body.isEmpty() ? "" : ", body SHA-256 " + Sha256.of(body.getBytes(StandardCharsets.UTF_8)))
                        + (headers.isEmpty() ? "" : ", headers " + headers) + ", ";
    }

    /** Whether it may change what the server answers later. */
    public boolean changesState() {
        return !method.equals("GET");
    }
}
