package org.servletbench.bench.article;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * A published comparison as data, as its file in {@code published/} has it.
 *
 * @param id its name, and its file's
 * @param stack versions by name, as stated
 * @param serverSettings settings of a container by its own names, as stated
 * @param serverCommand the server's command line as printed; empty where it is not
 * @param command the generator's command line as printed; empty where there is none
 * @param workloads what was requested, by the name of our workload
 * @param errorsColumn the unit in the head of the column with errors; null for fractions
 * @param figures its table; empty where its figures are not known
 * @param figuresInText values in the text that the table has, too
 * @param concurrency how many requests a server of the article's versions serves at once, by arm; an arm without a limit is
 *     missing
 * @param disclaimers what its author says of how far the figures go, one sentence each
 */
public record Article(
        String id,
        String title,
        String published,
        String language,
        Map<String, String> stack,
        @Maybe Machine machine,
        @Maybe Map<String, Map<String, String>> serverSettings,
        @Maybe String serverCommand,
        @Maybe String command,
        @Maybe Method method,
        Map<String, Requested> workloads,
        @Maybe ErrorUnit errorsColumn,
        @Maybe Figures figures,
        @Maybe Figures figuresInText,
        @Maybe Map<String, Integer> concurrency,
        List<Claim> claims,
        @Maybe List<String> disclaimers,
        @Maybe List<Note> audit,
        Reproduce reproduce) {

    public Article {
        machine = machine == null ? new Machine(null, null, "", null, "") : machine;
        method = method == null ? new Method(null, null, 0, 0, null, null) : method;
        figures = figures == null ? Figures.NONE : figures;
        figuresInText = figuresInText == null ? Figures.NONE : figuresInText;
        List<String> ids = claims.stream().map(Claim::id).toList();
        for (int i = 0; i < ids.size(); i++) {
            if (ids.indexOf(ids.get(i)) < i) {
                throw new Invalid("claims[" + i + "].id", "comes twice: " + ids.get(i));
            }
        }
        Invalid.distinct("claims", ids, 1);
        for (int i = 0; i < audit.size(); i++) {
            if (!audit.get(i).claim().isEmpty()) {
                Invalid.oneOf("audit[" + i + "].claim", audit.get(i).claim(), ids);
            }
        }
        concurrency.forEach((arm, limit) -> Invalid.range("concurrency." + arm, limit, 1, 1_000_000));
    }

    /** What the head of a column with errors says. */
    public enum ErrorUnit {
        /** Failed requests of a hundred. */
        @JsonProperty("percent")
        PERCENT,
        /** Failed requests as a share of all. */
        @JsonProperty("fraction")
        FRACTION
    }

    /**
     * What an article says of its machines; null and empty: nothing.
     *
     * @param cores processors of the server
     * @param memoryGb memory of the server, GB
     * @param generatorOnSameHost whether the generator shared it
     * @param network what lay between, where it did not
     */
    public record Machine(
            @Maybe Integer cores,
            @Maybe Integer memoryGb,
            @Maybe String os,
            @Maybe Boolean generatorOnSameHost,
            @Maybe String network) {

        public Machine {
            Invalid.range("cores", cores, 1, 10_000);
            Invalid.range("memory-gb", memoryGb, 1, 1_000_000);
        }
    }

    /**
     * What an article says of how it measured; null and 0: nothing.
     *
     * @param rampUpSeconds in how long the users start, s
     * @param durationSeconds how long a load lasts, s
     * @param maxPauseSeconds a user pauses a random time from 0 to this before each request, s
     * @param handlerSeconds how long the handler waits, s
     */
    public record Method(
            @Maybe @JsonProperty("ramp-up-s") Double rampUpSeconds,
            @Maybe @JsonProperty("duration-s") Double durationSeconds,
            @Maybe @JsonProperty("max-pause-s") double maxPauseSeconds,
            @Maybe @JsonProperty("handler-s") double handlerSeconds,
            @Maybe Integer runsPerArm,
            @Maybe Boolean warmUp) {

        public Method {
            Invalid.range("ramp-up-s", rampUpSeconds, 0, 86_400);
            Invalid.range("duration-s", durationSeconds, 0, 86_400);
            Invalid.range("max-pause-s", maxPauseSeconds, 0, 3600);
            Invalid.range("handler-s", handlerSeconds, 0, 3600);
            Invalid.range("runs-per-arm", runsPerArm, 1, 1_000_000);
        }

        /** The mean of the random pause, s: half of its greatest; 0 for none. */
        public double meanPauseSeconds() {
            return maxPauseSeconds / 2;
        }

        boolean oneRun() {
            return runsPerArm != null && runsPerArm == 1;
        }
    }

    /**
     * One request kind of an article.
     *
     * @param path as published
     * @param response what came back, in words
     */
    public record Requested(String path, String response) {

        public Requested {
            if (!path.startsWith("/")) {
                throw new Invalid("path", "must start with /");
            }
        }
    }

    /**
     * What an article claims.
     *
     * @param id unique in its article
     * @param original the phrase that it rests on, in the article's language, or where it stands if it is no phrase
     * @param reading how a fair reader takes it; the statement's numbers follow from it
     */
    public record Claim(String id, String says, String original, String reading, Statement statement) {

        /** What of a start it is about; empty for claims about a load. */
        public Optional<Quantity> ofStart() {
            return statement.metric().filter(Quantity::isStartUp);
        }
    }

    /**
     * What somebody found who read the article.
     *
     * @param finding its kind: {@link ArticleAudit} must find the same; null for what no figure of the article shows
     * @param claim the claim that it is about; empty for none
     */
    public record Note(@Maybe FindingKind finding, @Maybe String claim, String says) {}

    /**
     * How an article is run again.
     *
     * @param differs what is different here, one sentence each
     */
    public record Reproduce(
            RerunPlan asPublished,
            RerunPlan asItShouldBe,
            @Maybe List<String> differs) {}

    /** The figures of a start that are claimed, each once. */
    public List<Quantity> claimedOfStarts() {
        return claims.stream()
                .flatMap(claim -> claim.ofStart().stream())
                .distinct()
                .toList();
    }

    /** How it is run again as it was. */
    public RerunPlan asPublished() {
        return reproduce.asPublished();
    }

    public RerunPlan asItShouldBe() {
        return reproduce.asItShouldBe();
    }

    /** Whether the head of the column with errors says percent. */
    public boolean errorsArePercent() {
        return errorsColumn == ErrorUnit.PERCENT;
    }

    /** What stands after the jar on the server's command line: arguments of the program, which the JVM does not see. */
    public List<String> afterJar() {
        List<String> words = List.of(serverCommand.strip().split("\\s+"));
        int jar = words.indexOf("-jar");
        return jar < 0 || jar + 2 > words.size() ? List.of() : words.subList(jar + 2, words.size());
    }

    /** Requests/s; NaN where it is not printed. */
    double throughput(Point cell) {
        return figures.at(cell, Quantity.THROUGHPUT).orElse(Double.NaN);
    }

    Stream<Point> underLoad() {
        return figures.values().keySet().stream()
                .filter(cell -> cell.users() > 0
                        && figures.at(cell, Quantity.THROUGHPUT).isPresent());
    }

    /** How long a load took, s: as printed, or by requests and throughput, or as planned. */
    OptionalDouble seconds(Point cell) {
        if (figures.at(cell, Quantity.ELAPSED).isPresent()) {
            return figures.at(cell, Quantity.ELAPSED);
        }
        OptionalDouble requests = figures.at(cell, Quantity.REQUESTS);
        if (requests.isPresent() && throughput(cell) > 0) {
            return OptionalDouble.of(requests.getAsDouble() / throughput(cell));
        }
        return method.durationSeconds() == null ? OptionalDouble.empty() : OptionalDouble.of(method.durationSeconds());
    }

    /** The figures with errors as shares, if the column's head is taken by its word: {@link Statement#holds} wants them so. */
    public Figures figuresWithErrorShares() {
        Map<Point, Map<Quantity, Double>> converted = new LinkedHashMap<>();
        figures.values().forEach((cell, values) -> {
            Map<Quantity, Double> copy = new LinkedHashMap<>(values);
            copy.computeIfPresent(
                    Quantity.ERRORS_PRINTED, (metric, printed) -> errorsArePercent() ? printed / 100 : printed);
            converted.put(cell, copy);
        });
        return new Figures(converted);
    }

    /**
     * The same experiment with figures of ours, so that they can be audited like the article's own.
     *
     * @param ours errors are shares
     */
    public Article measured(Figures ours, Method here) {
        return new Article(
                id,
                title,
                published,
                language,
                stack,
                new Machine(null, null, "", true, ""),
                serverSettings,
                serverCommand,
                command,
                here,
                workloads,
                ErrorUnit.FRACTION,
                ours,
                Figures.NONE,
                Map.of(),
                claims,
                disclaimers,
                audit,
                reproduce);
    }
}
