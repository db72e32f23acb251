package org.servletbench.bench.comparison;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.servletbench.bench.model.Share;

/** A comparison as its file has it; null: the file does not say. */
@Section(title = "A comparison", place = "At the top of the file")
record ComparisonFile(
        @Key(means = "the question in words") String question,

        @Key(
                means =
                        "your executable Spring Boot jar, for arms that name none; its path from the folder of the file or the root of the repository")
        String app,

        @Key(
                means = "what all arms share",
                without = {"container", "version", "app", "against", "label"})
        ArmSpec server,

        @Key(
                means =
                        "by name, in order; the first is the baseline. An arm with the name of a container needs nothing else")
        Map<String, ArmSpec> arms,

        @Key(means = "requests of your own beside those of profiles/workloads.properties", without = "label")
        Map<String, WorkloadSpec> workloads,

        @Key(means = "the loads") List<LoadSpec> load,

        @Key(
                means =
                        "metrics with verdicts: throughput, cpu (tiers); cpu, p99, alloc (rates alone); ready, ready.rss (starts); capacity (find)",
                standard = "by the load")
        List<String> judge,

        @Key(
                means =
                        "each is judged, and fails the command where it does not hold. `ARM is [not] faster than ARM`, `ARM is [not] slower than ARM`, `ARM is equivalent to ARM`, with `in METRIC` after it for a metric that is not the first of `judge`; or a mapping")
        List<ClaimEntry> claims,

        @Key(means = "the article that claims it, with its figures: see comparisons/published/README.md")
        Published published,

        @Key(means = "by name: keys in place of those of the file. `NAME:VARIANT` runs it so")
        Map<String, JsonNode> variants,

        @Key(means = "differences up to this count as equal", standard = "=")
        Share margin,

        @Key(means = "probability of any false verdict in the campaign", standard = "=")
        Double alpha,

        @Key(means = "when the campaign ends") StopSpec stop,

        @Key(means = "how it is measured, and on which machines")
        MeasureSpec measure) {

    ComparisonFile {
        question = question == null ? "" : question;
        server = server == null ? ArmSpec.USUAL : server;
        workloads = workloads == null ? Map.of() : workloads;
        claims = claims == null ? List.of() : claims;
        stop = stop == null ? StopSpec.NONE : stop;
    }
}
