package org.servletbench.bench.comparison;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The content of a comparison file. Null means that a key is not given. */
@Section(title = "A comparison", place = "At the top of the file")
record ComparisonFile(
        @Key(means = "the question in words: the first line of the page")
        String question,

        @Key(means = "when the answer applies, in a few sentences, which are shown below it")
        String note,

        @Key(
                means =
                        "your executable Spring Boot jar, for arms that name none; a path relative to the folder of the file or to the root of the repository")
        String app,

        @Key(
                means = "keys of an arm that hold for all arms",
                without = {"container", "version", "app", "command", "ready", "against", "label"})
        ArmSpec server,

        @Key(
                means =
                        "what is compared, by name; the first is the baseline. An arm that has the name of a container needs no keys")
        Map<String, ArmSpec> arms,

        @Key(
                means =
                        "instead of `arms`: properties in which they differ, by name, each with its levels; every combination is an arm, and the effects of each factor and each pair get verdicts instead of arms. `gc: [serial, g1]` (parallel, z, shenandoah), `headers: [usual, compact]`, and keys of an arm such as `threads: [platform, virtual]` or `heap: [512m, 1g]`; for others the keys of each level, `pool: {small: {properties: …}, large: {…}}`. From five factors of two levels on half of the combinations run. Arms of `arms` beside them have the first level of each, and are compared with the first combination; `server` takes `container` and `version`, too")
        Map<String, JsonNode> factors,

        @Key(
                means = "requests of your own, by name, in addition to those of profiles/workloads.properties",
                without = "label")
        Map<String, WorkloadSpec> workloads,

        @Key(means = "the loads") List<LoadSpec> load,

        @Key(
                means =
                        "metrics that get a verdict. Default: throughput, cpu with users (cpu, alloc where users pause or a simulation sends, because pauses decide throughput); cpu, p99, alloc with rates only; ready, ready.rss with starts; capacity with search-rate-under",
                standard = "by the load")
        List<String> judge,

        @Key(
                means =
                        "what you expect; the command fails if one does not hold. A sentence: `ARM is [not] faster than ARM`, `ARM is [not] slower than ARM`, `ARM is equivalent to ARM`, followed by `in METRIC` if it is not about the first metric of `judge`, or by `in cpu of LAYER`. Or a mapping")
        List<ClaimEntry> claims,

        @Key(means = "the article whose claims these are, with its figures: see comparisons/published/README.md")
        Published published,

        @Key(means = "by name: keys that replace those of the file. `compare NAME:VARIANT` runs a variant")
        Map<String, JsonNode> variants,

        @Key(
                means =
                        "differences up to this count as none. By metric, as `{alloc: 1%, cpu: 5%}`: those that are not named have the default",
                standard = "=")
        MetricShares margin,

        @Key(means = "probability that the campaign has any false verdict", standard = "=")
        Double alpha,

        @Key(means = "when the campaign ends") StopSpec stop,

        @Key(means = "how it is measured, and on which machines")
        MeasureSpec measure) {

    ComparisonFile {
        question = question == null ? "" : question;
        note = note == null ? "" : note.strip();
        server = server == null ? ArmSpec.USUAL : server;
        workloads = workloads == null ? Map.of() : workloads;
        load = load == null ? null : orUsual(load, workloads);
        claims = claims == null ? List.of() : claims;
        stop = stop == null ? Keys.none(StopSpec.class) : stop;
        measure = measure == null ? Keys.none(MeasureSpec.class) : measure;
    }

    /**
     * Returns the loads, with the default for those that name none. Entries that are no loads are left to later checks.
     */
    private static List<LoadSpec> orUsual(List<LoadSpec> loads, Map<String, WorkloadSpec> own) {
        return loads.stream()
                .map(load -> load == null ? null : load.orUsual(changesData(load, own)))
                .toList();
    }

    /** Returns the loads. If one has metrics of its own, all others get the metrics that are tested under them. */
    List<LoadSpec> judging() {
        return load.stream().allMatch(one -> one.judge().isEmpty())
                ? load
                : load.stream()
                        .map(one -> one.orJudging(judge == null ? usualMetrics() : judge))
                        .toList();
    }

    /** Returns all metrics that get verdicts, those of the whole comparison first. */
    List<String> metrics() {
        List<String> top = judge == null ? usualMetrics() : judge;
        return load.stream().allMatch(one -> one.judge().isEmpty())
                ? top
                : Stream.concat(top.stream(), judging().stream().flatMap(one -> one.judge().stream()))
                        .filter(metric ->
                                judging().stream().anyMatch(one -> one.judge().contains(metric)))
                        .distinct()
                        .toList();
    }

    private List<String> usualMetrics() {
        boolean closed = load.stream().anyMatch(one -> !one.users().isEmpty());
        return switch (load.get(0).kind()) {
            case STARTS -> List.of("ready", "ready.rss");
            case FIND -> List.of("capacity");
            case FIXED ->
                !closed
                        ? List.of("cpu", "p99", "alloc")
                        : hasPauses() ? List.of("cpu", "alloc") : List.of("throughput", "cpu");
        };
    }

    /** True if users pause, as a load defines, or as a user's own simulation may do. */
    boolean hasPauses() {
        return load.stream().anyMatch(one -> !one.tool().pause().isNone())
                || load.stream()
                        .flatMap(one -> one.workloads().stream())
                        .map(workloads::get)
                        .anyMatch(own -> own != null && own.simulation() != null);
    }

    private static boolean changesData(LoadSpec load, Map<String, WorkloadSpec> own) {
        return load.workloads().stream().map(own::get).filter(Objects::nonNull).anyMatch(WorkloadSpec::changesData);
    }
}
