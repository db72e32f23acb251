package org.servletbench.bench.comparison;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;
import java.util.Map;

/** A user's own request, or a list of them. */
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
                        "instead of `url`: several requests, which each user sends in order, with users again and again (Gatling, JMeter), with rates once (Gatling). One verdict covers all of them; the page shows the figures of each",
                without = {"requests", "data", "reset", "warm-up", "simulation"})
        List<WorkloadSpec> requests,

        @Key(
                means =
                        "instead of `url`: a Gatling simulation of your own, such as shop.CheckoutSimulation, in simulations/src/test; with users and `slice: 0s`. `requests` beside it are sent by the parity check and the warm-up")
        String simulation,

        @Key(means = "name of a request, for elements of `requests`")
        String label,

        @Key(
                means =
                        "CSV file with a header. Each request takes the next row; ${column} in url, headers and body stands for its value. ${sequence} stands for a number that no other request of this workload to a server has, with or without a file; requests of one pass share theirs")
        String data,

        @Key(
                means =
                        "for elements of `requests`: values of the answer, which ${NAME} stands for in url, headers and body of later ones: NAME: css(\"SELECTOR\", \"ATTRIBUTE\"), json(\"$.NAME\") or header(\"NAME\") (Gatling)",
                form = Form.TEXTS)
        Map<String, String> extract,

        @Key(
                means =
                        "for the first elements of `requests`: each user sends it once for each server, such as a login. With users it is not counted; with rates every user is new, and it is (Gatling)",
                standard = "false")
        Boolean once,

        @Key(means = "what the answer must be") ExpectSpec expect,

        @Key(means = "name of a workload that is sent once to each server before the load")
        String reset) {

    public WorkloadSpec {
        headers = headers == null ? Map.of() : headers;
        extract = extract == null ? Map.of() : extract;
    }

    boolean isOnce() {
        return Boolean.TRUE.equals(once);
    }

    /** True if a request that is repeated may change the server's data. */
    boolean changesData() {
        return requests == null
                ? !methodOrGet().equals("GET")
                : requests.stream().anyMatch(one -> !one.isOnce() && one.changesData());
    }

    String methodOrGet() {
        return method == null ? "GET" : method;
    }

    /** The expected answer. */
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
