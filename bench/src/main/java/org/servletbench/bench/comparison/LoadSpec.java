package org.servletbench.bench.comparison;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;
import java.util.stream.Stream;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Share;
import org.servletbench.bench.model.Time;
import org.servletbench.bench.model.ToolSettings;

/** A load of a comparison; null and empty: as usual. */
@Section(title = "A load", place = "Each element of `load`")
@JsonNaming(PropertyNamingStrategies.KebabCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record LoadSpec(
        @Key(means = "kinds of requests", standard = "hello")
        List<String> workloads,

        @Key(means = "numbers of concurrent users (closed model)")
        List<Integer> tiers,

        @Key(means = "requests/s (open model); Gatling") List<Double> rates,

        @Key(
                means =
                        "an objective, such as \"p99<50ms,errors<0.1%\", whose highest rate is found; no other load beside it")
        String find,

        @Key(
                means = "of find: lowest rate, requests/s; a search begins at 1 to 2 times this, at random",
                standard = "=")
        Double from,

        @Key(means = "of find: how far the lowest rate that missed may be above the highest that met", standard = "=")
        Share resolution,

        @Key(means = "of find: most requests under way", standard = "=")
        Integer users,

        @Key(means = "number of starts of each arm, without load; no other load beside it")
        Integer starts,

        @Key(means = "of ab: a load ends after so many requests", standard = "a time", form = Form.COUNT)
        Long requests,

        @Key(means = "of wrk, ab and siege: whether a user keeps its connection", standard = "true")
        Boolean keepAlive,

        @Key(means = "of siege: before each request a user pauses a random time up to this", standard = "0s")
        Time maxPause,

        @Key(means = "of wrk: its threads", standard = "its own choice")
        Integer toolThreads,

        @Key(means = "of wrk, ab and siege: further options that change no load", form = Form.OPTIONS)
        List<String> toolOptions) {

    /** What is done in each server. */
    public enum Kind {
        /** Numbers of users, rates, or both. */
        FIXED,
        /** The highest rate that meets an objective is found. */
        FIND,
        /** The server is started, and that is all. */
        STARTS
    }

    public LoadSpec {
        workloads = workloads == null ? List.of("hello") : List.copyOf(workloads);
        tiers = tiers == null ? List.of() : List.copyOf(tiers);
        rates = rates == null ? List.of() : List.copyOf(rates);
        toolOptions = toolOptions == null ? List.of() : List.copyOf(toolOptions);
    }

    /** What is done in each server. */
    public Kind kind() {
        return find != null ? Kind.FIND : starts != null ? Kind.STARTS : Kind.FIXED;
    }

    /** How many kinds of load it names: one is right. */
    int ways() {
        return (int) Stream.of(find != null, starts != null, !tiers.isEmpty() || !rates.isEmpty())
                .filter(one -> one)
                .count();
    }

    /** How wrk, ab and siege are used. */
    public ToolSettings tool() {
        return new ToolSettings(
                maxPause == null ? 0 : maxPause.seconds(),
                requests == null ? 0 : requests,
                toolThreads == null ? 0 : toolThreads,
                !Boolean.FALSE.equals(keepAlive),
                toolOptions);
    }

    /** What it consists of, without generators. */
    public List<Cell> cells() {
        return switch (kind()) {
            case STARTS -> List.of(Cell.START_UP);
            case FIND ->
                workloads.stream().map(workload -> new Cell(workload, 0, 0, "")).toList();
            case FIXED ->
                workloads.stream()
                        .flatMap(workload -> Stream.concat(
                                tiers.stream().map(tier -> new Cell(workload, tier, 0, "")),
                                rates.stream().map(rate -> new Cell(workload, 0, rate, ""))))
                        .toList();
        };
    }
}
