package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Metric;

/**
 * README's tables of the published campaigns: containers by machine, and the answers to the other questions. Their
 * figures come from the campaigns' own tables. A campaign that belongs to a pool appears only in the pool.
 */
final class ReadmeTables {
    /** Smallest difference that is listed, the usual margin. */
    private static final double SMALLEST = 0.03;
    /** Load of the containers' table and of the chart. */
    private static final String LOAD = "hello 100 users, gatling";

    private static final Pattern TOMCAT = Pattern.compile("Tomcat NIO|tomcat-nio|tomcat-boot3");

    private static final Map<String, String> WORKLOADS =
            Map.of("hello", "5-byte answer", "payload", "1,892-byte answer", "static", "static page");

    /** A row of the containers' table, with the names that campaigns give to its arm. */
    enum Container {
        UNDERTOW("Undertow, default (16 threads)", "undertow-16"),
        JETTY("Jetty", "Jetty|jetty"),
        NIO2("Tomcat NIO2", "Tomcat NIO2|tomcat-nio2"),
        UNDERTOW_200("Undertow, 200 threads", "Undertow|undertow|undertow-200");

        final String words;
        private final String arms;

        Container(String words, String arms) {
            this.words = words;
            this.arms = arms;
        }

        private boolean is(String arm) {
            return arm.matches(arms);
        }

        private static Optional<Container> of(String arm) {
            return Stream.of(values()).filter(one -> one.is(arm)).findFirst();
        }
    }

    /** A ratio of two arms with the ends of its interval. */
    record Pair(
            String group,
            String load,
            String metric,
            String arm,
            String baseline,
            double ratio,
            double low,
            double high) {
        private Pair inverted() {
            return new Pair(group, load, metric, baseline, arm, 1 / ratio, 1 / high, 1 / low);
        }

        /** True if its interval excludes 1 and the difference is at least the margin. */
        private boolean isShown() {
            return (low > 1 || high < 1) && Math.abs(ratio - 1) >= SMALLEST;
        }

        /**
         * Returns the difference and the wider half of its interval, rounded up: in tenths of a percent where whole
         * ones would look like no difference.
         */
        private String words() {
            double half = 100 * Math.max(high - ratio, ratio - low);
            return Math.rint(100 * Math.abs(ratio - 1)) > Math.ceil(half)
                    ? text("%s %% ± %.0f", Numbers.percent(ratio, false), Math.ceil(half))
                    : text("%s %% ± %.1f", Numbers.percent(ratio, true), Math.ceil(10 * half) / 10);
        }

        /** Returns the difference with its interval: "−24 % (−50 to +14 %)". */
        private String interval() {
            Forest.Row row = new Forest.Row("", "", Forest.Kind.OPEN, ratio, low, high, SMALLEST, "");
            return row.difference() + " % (" + row.interval() + ")";
        }
    }

    /**
     * A container against Tomcat on a machine.
     *
     * @param cpu difference of the CPU time per request, µs
     */
    record Gap(String machine, Container container, Pair throughput, double cpu) {}

    private final Path results;
    private final PublishedIndex index;
    private final List<PublishedEntry> entries;
    private final List<Gap> gaps;

    /**
     * @param results folder of published campaigns
     * @throws IOException if it cannot be read
     */
    ReadmeTables(Path results) throws IOException {
        this.results = results;
        index = PublishedIndex.of(results);
        entries = index.entries();
        List<String> pooled =
                entries.stream().flatMap(entry -> entry.pooled().stream()).toList();
        gaps = entries.stream()
                .filter(entry -> !pooled.contains(entry.id()))
                .flatMap(this::gaps)
                .toList();
    }

    private Stream<Gap> gaps(PublishedEntry entry) {
        return pairs(entry)
                .filter(pair -> pair.metric().equals(Words.title(Metric.THROUGHPUT)))
                .flatMap(pair -> Stream.of(pair, pair.inverted()))
                .filter(pair -> TOMCAT.matcher(pair.baseline()).matches())
                .flatMap(pair -> Container.of(pair.arm()).stream()
                        .map(container ->
                                new Gap(entry.processor(), container, pair, cpu(entry, pair.load(), container))));
    }

    private Stream<Pair> pairs(PublishedEntry entry) {
        return tables(entry, entry.isPool() ? "pooled" : ".*-verdicts").flatMap(table -> rows(table)
                .map(row -> new Pair(
                        row.path("group").asText(),
                        row.path("load").asText(),
                        entry.isPool()
                                ? Words.title(
                                        Metric.of(row.path("metric").asText()).orElseThrow())
                                : row.path("metric").asText(),
                        row.path(entry.isPool() ? "arm" : "a").asText(),
                        row.path(entry.isPool() ? "group" : "b").asText(),
                        row.path("ratio").asDouble(Double.NaN),
                        row.path("low").asDouble(Double.NaN),
                        row.path("high").asDouble(Double.NaN))));
    }

    /** Returns the mean CPU time over all campaigns of the entry, µs. */
    private double cpu(PublishedEntry entry, String load, Container container) {
        return (entry.isPool() ? entry.pooled() : List.of(entry.id()))
                .stream()
                        .map(id -> entries.stream()
                                .filter(one -> one.id().equals(id))
                                .flatMap(one -> tables(one, ".*-main"))
                                .filter(table -> table.path("caption").asText().endsWith(": " + load))
                                .flatMap(ReadmeTables::rows)
                                .toList())
                        .mapToDouble(rows -> cpu(rows, container::is) - cpu(rows, TOMCAT.asMatchPredicate()))
                        .average()
                        .orElse(Double.NaN);
    }

    private static double cpu(List<JsonNode> rows, Predicate<String> arm) {
        return rows.stream()
                .filter(row -> arm.test(row.path("arm").asText()))
                .mapToDouble(row -> row.path(Metric.CPU.key()).asDouble(Double.NaN))
                .findFirst()
                .orElse(Double.NaN);
    }

    private Stream<JsonNode> tables(PublishedEntry entry, String name) {
        Path folder = results.resolve(entry.id()).resolve(Table.FOLDER);
        try (Stream<Path> files = Files.list(folder)) {
            return files
                    .filter(file -> file.getFileName().toString().matches(name + "\\.json"))
                    .sorted()
                    .map(file -> {
                        try {
                            return Json.MAPPER.readTree(file.toFile());
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    })
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<JsonNode> rows(JsonNode table) {
        return StreamSupport.stream(table.path("rows").spliterator(), false);
    }

    /** Returns the machines of the main load, those with the most blocks first. */
    private List<String> machines() {
        return at(LOAD).map(Gap::machine)
                .distinct()
                .sorted(Comparator.comparing((String machine) -> blocks(machine))
                        .reversed())
                .toList();
    }

    private int blocks(String machine) {
        return entries.stream()
                .filter(entry -> entry.processor().equals(machine))
                .mapToInt(PublishedEntry::blocks)
                .sum();
    }

    private Stream<Gap> at(String load) {
        return gaps.stream().filter(gap -> gap.throughput().load().equals(load));
    }

    /**
     * Returns the table of containers: a row for each, and one for the largest difference in CPU time under any other
     * load.
     */
    String containers() {
        List<String> machines = machines();
        StringBuilder table = new StringBuilder(text(
                "|against Tomcat NIO|%s|CPU time per request|share of a %s handler|\n|---|%s---:|---:|\n",
                machines.stream().map(machine -> "requests/s, " + machine).collect(Collectors.joining("|")),
                Words.HANDLER,
                "---:|".repeat(machines.size())));
        for (Container container : Container.values()) {
            List<Gap> own = at(LOAD).filter(gap -> gap.container() == container).toList();
            if (!own.isEmpty()) {
                table.append(row(container.words, machines, own));
            }
        }
        gaps.stream()
                .filter(gap -> !gap.throughput().load().equals(LOAD))
                .max(Comparator.comparing(gap -> Math.abs(gap.cpu())))
                .ifPresent(largest -> table.append(row(
                        largest.container().words
                                + ", "
                                + workload(largest.throughput().load()),
                        machines,
                        at(largest.throughput().load())
                                .filter(gap -> gap.container() == largest.container())
                                .toList())));
        return table.toString();
    }

    private static String workload(String load) {
        String id = load.replaceFirst(" .*", "");
        return WORKLOADS.getOrDefault(id, id);
    }

    private static String row(String name, List<String> machines, List<Gap> gaps) {
        return text(
                "|%s|%s|%s µs|%s %%|\n",
                name,
                machines.stream()
                        .map(machine -> throughput(gaps.stream()
                                .filter(gap -> gap.machine().equals(machine))
                                .map(Gap::throughput)
                                .toList()))
                        .collect(Collectors.joining("|")),
                range(gaps.stream().mapToDouble(Gap::cpu), "%+.1f"),
                range(gaps.stream().mapToDouble(gap -> 100 * gap.cpu() / Words.HANDLER_MICROS), "%+.1f"));
    }

    /** Returns a single result with its interval, or the range of several. */
    private static String throughput(List<Pair> pairs) {
        return pairs.isEmpty()
                ? Numbers.NONE
                : pairs.size() == 1
                        ? pairs.get(0).words()
                        : range(pairs.stream().mapToDouble(pair -> 100 * (pair.ratio() - 1)), "%+.0f") + " %";
    }

    private static String range(DoubleStream values, String format) {
        double[] sorted = values.sorted().toArray();
        return Stream.of(sorted[0], sorted[sorted.length - 1])
                .map(value ->
                        text(format, value).replaceFirst("^[+-](0\\.0)$", "$1").replace('-', '−'))
                .distinct()
                .collect(Collectors.joining(" to "));
    }

    /** Returns the chart of the main load. */
    ContainersChart chart() {
        return new ContainersChart(machines(), at(LOAD).toList());
    }

    /** Returns a row for each question that is not about Tomcat NIO compared with other containers. */
    String others() {
        return index.questions().stream()
                .map(question -> question.answers().get(0))
                .filter(entry -> baselines(entry).values().stream().noneMatch(TOMCAT.asMatchPredicate()))
                .map(entry -> text(
                        "|[%s](docs/results/%s/README.md)|%s|\n",
                        Markdown.text(entry.question())
                                // In a text, an apostrophe needs no escape.
                                .replace("&#39;", "'"),
                        entry.id(),
                        Markdown.text(clear(entry))))
                .collect(Collectors.joining(
                        "",
                        text(
                                "|question|differences of %.0f %% or more, in requests/s unless stated|\n|---|---|\n",
                                100 * SMALLEST),
                        ""));
    }

    /** Returns the baseline of each group. In a pool, it has the name of the group. */
    private Map<String, String> baselines(PublishedEntry entry) {
        return tables(entry, entry.isPool() ? "pooled" : "controls")
                .flatMap(ReadmeTables::rows)
                .collect(Collectors.toMap(
                        row -> row.path("group").asText(),
                        row -> row.path(entry.isPool() ? "group" : "b").asText(),
                        (first, other) -> first,
                        LinkedHashMap::new));
    }

    /**
     * Returns the shown differences in throughput under the first load. If there are none, returns those of the first
     * metric with one, and its name; if the A/A check is inconclusive, too, the intervals of the first metric.
     */
    private String clear(PublishedEntry entry) {
        if (entry.plots().stream().anyMatch(AnswerPlot::isOfEffects)) {
            // If one factor changes the effect of another, the answer says more than their means.
            return entry.plots().get(0).rows().stream()
                            .anyMatch(row -> AnswerPlot.DIFFERS.contains(row.kind())
                                    && row.name().contains(" × "))
                    ? entry.answer().replaceFirst("\\.( .*)?$", "")
                    : effects(entry.plots().get(0))
                            + (entry.plots().size() == 1
                                    ? ""
                                    : " (" + entry.plots().get(0).load() + ")");
        }
        Map<String, String> baselines = baselines(entry);
        List<String> loads = pairs(entry).map(Pair::load).distinct().toList();
        List<Pair> all = pairs(entry)
                .filter(pair -> pair.load().equals(loads.get(0)))
                .map(pair -> pair.arm().equals(baselines.get(pair.group())) ? pair.inverted() : pair)
                .filter(pair -> pair.baseline().equals(baselines.get(pair.group())))
                .filter(pair -> !pair.arm().endsWith("-control"))
                .toList();
        List<Pair> shown = all.stream().filter(Pair::isShown).toList();
        if (!shown.isEmpty()) {
            String throughput = Words.title(Metric.THROUGHPUT);
            boolean any = shown.stream().anyMatch(pair -> pair.metric().equals(throughput));
            return inOne(shown, any ? throughput : shown.get(0).metric(), Pair::words, loads);
        }
        if (entry.control().equals(Words.HELD) || entry.isPool()) {
            return "none found";
        }
        return entry.control().startsWith("inconclusive") && !all.isEmpty()
                ? "no clear difference: " + inOne(all, all.get(0).metric(), Pair::interval, loads)
                : "inconclusive";
    }

    /** Returns the effects of factors that differ from 0. */
    private static String effects(AnswerPlot plot) {
        String found = plot.rows().stream()
                .filter(row -> AnswerPlot.DIFFERS.contains(row.kind()))
                .map(row -> row.name().replaceFirst(": ", " ") + " " + row.brief())
                .collect(Collectors.joining(", "));
        return found.isEmpty() ? "none found" : found + " in " + plot.known().words();
    }

    /** Returns one metric's differences under the first of the loads, by baseline. */
    private static String inOne(List<Pair> pairs, String metric, Function<Pair, String> words, List<String> loads) {
        return pairs.stream()
                        .filter(pair -> pair.metric().equals(metric))
                        .collect(Collectors.groupingBy(Pair::baseline, LinkedHashMap::new, Collectors.toList()))
                        .entrySet()
                        .stream()
                        .map(group -> group.getValue().stream()
                                .map(pair -> pair.arm() + " " + words.apply(pair))
                                .collect(Collectors.joining(", ", "", " against " + group.getKey())))
                        .collect(Collectors.joining("; "))
                + (metric.equals(Words.title(Metric.THROUGHPUT)) ? "" : " in " + words(metric))
                + (loads.size() == 1 ? "" : " (" + loads.get(0).replaceFirst(" (\\d+ users).*", " at $1") + ")");
    }

    /** Returns a metric, given by its title, as part of a sentence. */
    private static String words(String title) {
        return Stream.of(Metric.values())
                .filter(metric -> Words.title(metric).equals(title))
                .map(Metric::words)
                .findFirst()
                .orElse(title);
    }
}
