package org.servletbench.bench.article;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * A published comparison as data.
 *
 * @param id its name, and its file's
 * @param title what it compares
 * @param published when, in words
 * @param language its language
 * @param stack versions by name, as stated
 * @param machine where
 * @param serverSettings settings of a container by its own names, as stated
 * @param serverCommand the server's command line as printed; empty where it is not
 * @param command the generator's command line as printed; empty where there is none
 * @param method how
 * @param workloads what was requested, by the name of our workload
 * @param errorsArePercent whether the head of the column with errors says percent; otherwise fractions
 * @param figures its table
 * @param figuresInText values in the text that the table has, too
 * @param claims what it claims
 * @param disclaimers what its author says of how far the figures go, one sentence each
 * @param audit what a reader found
 * @param asPublished how it is run again as it was
 * @param asItShouldBe how it is run so that an interval can be given
 * @param differs what is different here, one sentence each
 */
public record Article(
        String id,
        String title,
        String published,
        String language,
        Map<String, String> stack,
        Machine machine,
        Map<String, Map<String, String>> serverSettings,
        Optional<String> serverCommand,
        Optional<String> command,
        Method method,
        Map<String, PublishedWorkload> workloads,
        boolean errorsArePercent,
        Figures figures,
        Figures figuresInText,
        List<Claim> claims,
        List<String> disclaimers,
        List<AuditNote> audit,
        Plan asPublished,
        Plan asItShouldBe,
        List<String> differs) {

    /** What stands after the jar on the server's command line: arguments of the program, which the JVM does not see. */
    public List<String> afterJar() {
        List<String> words = serverCommand
                .map(command -> List.of(command.strip().split("\\s+")))
                .orElse(List.of());
        int jar = words.indexOf("-jar");
        return jar < 0 || jar + 2 > words.size() ? List.of() : words.subList(jar + 2, words.size());
    }

    /** Requests/s; NaN where it is not printed. */
    double throughput(Point cell) {
        return figures.at(cell, Quantity.THROUGHPUT).orElse(Double.NaN);
    }

    /** Cells with a throughput. */
    Stream<Point> underLoad() {
        return figures.values().keySet().stream()
                .filter(cell ->
                        cell.users() > 0 && figures.at(cell, Quantity.THROUGHPUT).isPresent());
    }

    /** How long a load took, s: as printed, or by requests and throughput, or as planned. */
    OptionalDouble seconds(Point cell) {
        if (figures.at(cell, Quantity.ELAPSED).isPresent()) {
            return figures.at(cell, Quantity.ELAPSED);
        }
        OptionalDouble requests = figures.at(cell, Quantity.REQUESTS);
        return requests.isPresent() && throughput(cell) > 0
                ? OptionalDouble.of(requests.getAsDouble() / throughput(cell))
                : method.durationSeconds();
    }

    /** Failed requests as a share of all, if the column's head is taken by its word; empty where nothing is said. */
    public OptionalDouble errorShare(Point cell) {
        OptionalDouble printed = figures.at(cell, Quantity.ERRORS_PRINTED);
        return errorsArePercent && printed.isPresent() ? OptionalDouble.of(printed.getAsDouble() / 100) : printed;
    }

    /** The figures with errors as shares, as {@link Statement#holds} wants them. */
    public Figures figuresWithErrorShares() {
        Map<Point, Map<Quantity, Double>> converted = new LinkedHashMap<>();
        figures.values().forEach((cell, values) -> {
            Map<Quantity, Double> copy = new LinkedHashMap<>(values);
            errorShare(cell).ifPresent(share -> copy.put(Quantity.ERRORS_PRINTED, share));
            converted.put(cell, copy);
        });
        return new Figures(converted);
    }

    /**
     * The same experiment with figures of ours, so that they can be audited like the article's own.
     *
     * @param ours errors are shares
     * @param here how it was measured here
     */
    public Article measured(Figures ours, Method here) {
        return new Article(
                id,
                title,
                published,
                language,
                stack,
                Machine.LOOPBACK,
                serverSettings,
                serverCommand,
                command,
                here,
                workloads,
                false,
                ours,
                new Figures(Map.of()),
                claims,
                disclaimers,
                audit,
                asPublished,
                asItShouldBe,
                differs);
    }
}
