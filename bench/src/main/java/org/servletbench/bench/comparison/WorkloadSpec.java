package org.servletbench.bench.comparison;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;
import java.util.Map;

/** A request of the user's own, or a list of them. */
@Section(title = "A workload", place = "Below `workloads.NAME`")
@JsonNaming(PropertyNamingStrategies.KebabCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record WorkloadSpec(
        @Key(means = "path and query of the request", form = Form.PATH)
        String url,

        @Key(means = "path that is requested during the warm-up", standard = "the url", form = Form.PATH)
        String warmUp,

        @Key(
                means = "size of the answer's body in bytes; another size is an error",
                standard = "of the first answers",
                form = Form.LENGTH)
        String length,

        @Key(means = "GET, or with Gatling and JMeter POST, PUT, PATCH, DELETE", standard = "GET", form = Form.METHOD)
        String method,

        @Key(
                means =
                        "headers of the request; values are recorded as hashes; ${env:NAME} takes a value from the environment",
                form = Form.HEADERS)
        Map<String, String> headers,

        @Key(means = "body of the request, sent as UTF-8; give its Content-Type in `headers`", form = Form.BODY)
        String body,

        @Key(means = "file with the body: UTF-8, at most 1 MiB")
        String bodyFile,

        @Key(
                means =
                        "instead of `url`: several requests, which each user sends in order, again and again (with tiers; Gatling, JMeter). One verdict covers all of them; the page shows the figures of each",
                without = {"requests", "data", "reset", "warm-up"})
        List<WorkloadSpec> requests,

        @Key(means = "name of a request, for elements of `requests`")
        String label,

        @Key(
                means =
                        "CSV file with a header. Each request takes the next row; ${column} in url and body stands for its value")
        String data,

        @Key(means = "what the answer must be") ExpectSpec expect,

        @Key(means = "name of a workload that is sent once to each server before the load")
        String reset) {

    public WorkloadSpec {
        headers = headers == null ? Map.of() : headers;
    }

    String methodOrGet() {
        return method == null ? "GET" : method;
    }

    /** What is expected of an answer. */
    @Section(title = "What is expected of an answer", place = "Below `workloads.NAME.expect`")
    @JsonNaming(PropertyNamingStrategies.KebabCaseStrategy.class)
    record ExpectSpec(
            @Key(means = "any other status is an error", standard = "200", form = Form.STATUS)
            Integer status,

            @Key(means = "headers of the answer that may differ from arm to arm")
            List<String> ignoreHeaders) {

        ExpectSpec {
            ignoreHeaders = ignoreHeaders == null ? List.of() : ignoreHeaders;
        }
    }
}
