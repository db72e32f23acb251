package org.servletbench.bench.comparison;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A claim in a file. Null means that a key is not given.
 *
 * @param sentence the claim, if it is a sentence
 */
@Section(
        title = "A claim",
        place = "Each element of `claims` that is not a sentence, and of its `all`",
        text = "sentence")
@JsonNaming(PropertyNamingStrategies.KebabCaseStrategy.class)
record ClaimEntry(
        @Key(means = "the claim in words", standard = "made of the other keys")
        String says,

        @Key(
                means = "the figure that the claim is about; for ratios of arms one that `judge` names",
                standard = "the first of judge")
        String metric,

        @Key(means = "arms with > between them, such as jetty > undertow: the one on the left has more")
        String order,

        @Key(means = "the arms that the claim is about") List<String> of,

        @Key(
                means =
                        "arms to compare with: the claim is about the ratio of the figures. Without it, and without than-at, the claim is about the figure itself")
        List<String> than,

        @Key(means = "lower bound: a figure with its unit (50ms, 512m, 0.1%), or a ratio")
        String atLeast,

        @Key(means = "upper bound, likewise") String atMost,

        @Key(
                means = "the loads for which the claim is made, by `workloads`, `users` and `rates`",
                standard = "all loads")
        ClaimEntry.At at,

        @Key(means = "the load of the arms in `than`, where it is another", standard = "the same load")
        ClaimEntry.At thanAt,

        @Key(
                means = "list of claims without `says`; the claim holds if all of them hold",
                without = {"all", "says", "original", "reading"})
        List<ClaimEntry> all,

        @Key(means = "what the article says, in its language")
        String original,

        @Key(means = "how the article's words are understood")
        String reading,

        String sentence) {

    /** The loads of a claim. */
    @Section
    record At(
            @Key(means = "kinds of requests") List<String> workloads,

            @Key(means = "numbers of users", form = Form.COUNTS)
            List<String> users,

            @Key(means = "requests/s", form = Form.RATES) List<String> rates) {

        private static final At ALL = new At(null, null, null);

        /** Returns the properties that are given, by key. */
        Map<String, List<String>> lists() {
            Map<String, List<String>> lists = new LinkedHashMap<>();
            put(lists, "workloads", workloads);
            put(lists, "users", users);
            put(lists, "rates", rates);
            return lists;
        }

        private static void put(Map<String, List<String>> lists, String key, List<String> values) {
            if (values != null) {
                lists.put(key, values);
            }
        }
    }

    ClaimEntry {
        of = of == null ? List.of() : of;
        at = at == null ? At.ALL : at;
        thanAt = thanAt == null ? At.ALL : thanAt;
    }
}
