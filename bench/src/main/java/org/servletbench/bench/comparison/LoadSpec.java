package org.servletbench.bench.comparison;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.servletbench.bench.model.Bounds;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Pause;
import org.servletbench.bench.model.Procedure.Search;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.Share;
import org.servletbench.bench.model.Slo;
import org.servletbench.bench.model.ToolSettings;
import org.servletbench.bench.model.UsageException;

/** A load of a comparison. Null and empty mean the default. */
@Section(title = "A load", place = "Each element of `load`")
@JsonNaming(PropertyNamingStrategies.KebabCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record LoadSpec(
        @Key(means = "names of workloads: those of profiles/workloads.properties or of `workloads`", standard = "hello")
        List<String> workloads,

        @Key(
                means = "numbers of concurrent users (closed model)",
                standard = LoadSpec.USUAL_USERS
                        + " without rates, search-rate-under and starts; none where a request changes data")
        List<Integer> users,

        @Key(
                means =
                        "fixed rates in requests/s (open model), at which every server gets as many requests; Gatling only",
                standard = LoadSpec.USUAL_RATE
                        + " without users, search-rate-under and starts where a request changes data")
        List<Double> rates,

        @Key(
                means =
                        "an objective, such as \"p99<50ms,errors<0.1%\": the highest rate that meets it is searched for. The only load of its file")
        String searchRateUnder,

        @Key(
                means =
                        "with `search-rate-under`: lowest rate, requests/s; a search begins at a random rate of 1 to 2 times this",
                standard = "=")
        Double from,

        @Key(
                means =
                        "with `search-rate-under`: the search ends when the lowest rate that missed the objective is at most this much above the highest that met it",
                standard = "=")
        Share resolution,

        @Key(means = "with `search-rate-under`: maximum number of requests under way", standard = "=")
        Integer inFlight,

        @Key(
                means =
                        "number of starts of each arm, without load unless `measure.peak` is given. The only load of its file")
        Integer starts,

        @Key(means = "for ab: number of requests after which a load ends", standard = "a time", form = Form.COUNT)
        Long requests,

        @Key(means = "for wrk, ab and siege: whether users keep their connections", standard = "true")
        Boolean keepAlive,

        @Key(
                means =
                        "with `users`: think time of a user between an answer and its next request: `20ms` (constant), `exponential 20ms` (random with this mean) or `up to 1s` (random; siege has only this one). Gatling, JMeter and siege",
                standard = "0s")
        Pause pause,

        @Key(
                means =
                        "metrics that get a verdict under this load, instead of those of the comparison: each test widens all intervals",
                standard = "`judge` of the comparison")
        List<String> judge,

        @Key(means = "for wrk: number of threads", standard = "its own choice")
        Integer toolThreads,

        @Key(
                means = "for wrk, ab and siege: further options, as long as they do not change the load",
                form = Form.OPTIONS)
        List<String> toolOptions) {

    /** The name of a header and a colon, in an option of a tool. */
    private static final Pattern HEADER = Pattern.compile("([A-Za-z][A-Za-z0-9-]*):");

    /** Keys that only a load with a search ({@code search-rate-under}) has. */
    static final List<String> OF_SEARCH = List.of("search-rate-under", "from", "resolution", "in-flight");

    /** Default number of users. */
    static final int USUAL_USERS = 100;

    /** Default rate, requests/s. */
    static final int USUAL_RATE = 100;

    /** Kinds of load. */
    public enum Kind {
        /** Loads with fixed numbers of users, rates, or both. */
        FIXED,
        /** Searches the highest rate that meets an objective. */
        FIND,
        /** Only starts the server. */
        STARTS
    }

    /** True if a tool would send a header whose value a workload would hide. */
    boolean hasHiddenHeader() {
        return toolOptions.stream()
                .map(HEADER::matcher)
                .flatMap(Matcher::results)
                .anyMatch(header -> !Secrets.isShownHeader(header.group(1)));
    }

    public LoadSpec {
        workloads = workloads == null ? List.of("hello") : List.copyOf(workloads);
        users = users == null ? List.of() : List.copyOf(users);
        rates = rates == null ? List.of() : List.copyOf(rates);
        judge = judge == null ? List.of() : List.copyOf(judge);
        toolOptions = toolOptions == null ? List.of() : List.copyOf(toolOptions);
    }

    /** Returns the kind of load. */
    public Kind kind() {
        return searchRateUnder != null ? Kind.FIND : starts != null ? Kind.STARTS : Kind.FIXED;
    }

    /** Returns this load, with the default load if it names none. */
    LoadSpec orUsual(boolean changesData) {
        return ways() > 0
                ? this
                : with(
                        changesData ? List.of() : List.of(USUAL_USERS),
                        changesData ? List.of((double) USUAL_RATE) : List.of(),
                        judge);
    }

    /** Returns this load, with these tested metrics if it names none. */
    LoadSpec orJudging(List<String> metrics) {
        return judge.isEmpty() ? with(users, rates, metrics) : this;
    }

    private LoadSpec with(List<Integer> otherUsers, List<Double> otherRates, List<String> metrics) {
        return new LoadSpec(
                workloads,
                otherUsers,
                otherRates,
                searchRateUnder,
                from,
                resolution,
                inFlight,
                starts,
                requests,
                keepAlive,
                pause,
                metrics,
                toolThreads,
                toolOptions);
    }

    /** Returns how many kinds of load it asks for; only one is correct. */
    int ways() {
        return (int) Stream.of(searchRateUnder != null, starts != null, !users.isEmpty() || !rates.isEmpty())
                .filter(one -> one)
                .count();
    }

    /**
     * Returns the search that it asks for; empty without {@code search-rate-under}.
     *
     * @throws UsageException in one line if a value is out of range
     */
    public Optional<Search> search() {
        return Optional.ofNullable(searchRateUnder)
                .map(text -> new Search(
                        Slo.parse(text),
                        text,
                        Bounds.decimal("from", from, 1, 1_000_000),
                        Bounds.whole("in-flight", inFlight, 1, 100_000),
                        resolution.share("resolution")));
    }

    /** Returns the settings of wrk, ab and siege. */
    public ToolSettings tool() {
        return new ToolSettings(
                pause == null ? Pause.NONE : pause,
                requests == null ? 0 : requests,
                toolThreads == null ? 0 : toolThreads,
                !Boolean.FALSE.equals(keepAlive),
                toolOptions);
    }

    /** True if this includes a load, whatever its generator. */
    public boolean has(MeasuredLoad load) {
        return loads().contains(new MeasuredLoad(
                load.workload(), load.users(), load.rate(), load.isStartUp() ? load.tool() : "", load.settings()));
    }

    /** Returns its loads, without generators. */
    public List<MeasuredLoad> loads() {
        return switch (kind()) {
            case STARTS -> List.of(MeasuredLoad.START_UP);
            case FIND ->
                workloads.stream()
                        .map(workload -> new MeasuredLoad(workload, 0, 0, ""))
                        .toList();
            case FIXED ->
                workloads.stream()
                        .flatMap(workload -> Stream.concat(
                                users.stream().map(userCount -> new MeasuredLoad(workload, userCount, 0, "", tool())),
                                rates.stream().map(rate -> new MeasuredLoad(workload, 0, rate, ""))))
                        .toList();
        };
    }
}
