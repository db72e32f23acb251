package org.servletbench.bench.comparison;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A claim as a file has it; null: it does not say.
 *
 * @param sentence the claim where it is a text
 */
@Section(
        title = "A claim",
        place = "Each element of `claims` that is not a sentence, and of its `all`",
        text = "sentence")
@JsonNaming(PropertyNamingStrategies.KebabCaseStrategy.class)
record ClaimEntry(
        @Key(means = "the claim in words", standard = "made of the other keys")
        String says,

        @Key(means = "its figure; of ratios of arms one with verdicts", standard = "the first of judge")
        String metric,

        @Key(means = "arms with > between them: the first has more")
        String order,

        @Key(means = "arms") List<String> of,

        @Key(
                means =
                        "arms by whose figure that of the first is divided; without it, and without than-at, the claim is about the figure itself")
        List<String> than,

        @Key(means = "lower bound: a figure with its unit (50ms, 512m, 0.1%), or a ratio")
        String atLeast,

        @Key(means = "upper bound") String atMost,

        @Key(means = "the loads, by `workloads`, `tiers` and `rates`", standard = "all loads")
        ClaimEntry.At at,

        @Key(means = "the load of the figure by which is divided", standard = "the same load")
        ClaimEntry.At thanAt,

        @Key(
                means = "claims without `says` that must all hold",
                without = {"all", "says", "original", "reading"})
        List<ClaimEntry> all,

        @Key(means = "the phrase of an article, in its language")
        String original,

        @Key(means = "how that phrase is read") String reading,
        String sentence) {

    /** Loads. */
    @Section
    record At(
            @Key(means = "kinds of requests") List<String> workloads,

            @Key(means = "numbers of users", form = Form.COUNTS)
            List<String> tiers,

            @Key(means = "requests/s", form = Form.RATES) List<String> rates) {

        private static final At ALL = new At(null, null, null);

        /** By key, those that are given. */
        Map<String, List<String>> lists() {
            Map<String, List<String>> lists = new LinkedHashMap<>();
            put(lists, "workloads", workloads);
            put(lists, "tiers", tiers);
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
