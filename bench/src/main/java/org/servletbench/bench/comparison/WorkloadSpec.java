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
        @Key(means = "path and query", form = Form.PATH) String url,

        @Key(means = "what is requested during the warm-up", standard = "the url", form = Form.PATH)
        String warmUp,

        @Key(means = "bytes of the answer's body", standard = "of the first answers", form = Form.LENGTH)
        String length,

        @Key(means = "or POST, PUT, PATCH, DELETE: Gatling and JMeter", standard = "GET", form = Form.METHOD)
        String method,

        @Key(means = "recorded, secrets too", form = Form.HEADERS)
        Map<String, String> headers,

        @Key(means = "sent as UTF-8; headers have its Content-Type", form = Form.BODY)
        String body,

        @Key(means = "UTF-8, at most 1 MiB") String bodyFile,

        @Key(
                means =
                        "in place of a url: what each user sends in order, again and again (tiers; Gatling, JMeter). They are judged together, each has figures",
                without = {"requests", "data", "reset", "warm-up"})
        List<WorkloadSpec> requests,

        @Key(means = "of each of requests: its name") String label,

        @Key(means = "CSV file with a header; its rows take turns as ${column} in url and body")
        String data,

        @Key(means = "of the answer") ExpectSpec expect,

        @Key(means = "workload sent once to each server before the load")
        String reset) {

    public WorkloadSpec {
        headers = headers == null ? Map.of() : headers;
    }

    String methodOrGet() {
        return method == null ? "GET" : method;
    }

    /** What is expected of an answer. */
    @Section(title = "What is expected of an answer", place = "Below `workloads.NAME.expect`")
    record ExpectSpec(
            @Key(means = "another is an error", standard = "200", form = Form.STATUS)
            Integer status) {}
}
