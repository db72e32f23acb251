package org.servletbench.bench.comparison;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.servletbench.bench.comparison.Keys.Section;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Metric;

/**
 * A claim of a comparison; each of its parts must hold.
 *
 * @param says the claim in words
 * @param original the phrase of an article that it rests on, in its language; empty for a claim of the user's own
 * @param reading how that phrase is read; empty as well
 */
public record ClaimSpec(String says, String original, String reading, List<Part> parts) {

    /** What is claimed; all but the last by the margin of the comparison. */
    public enum Relation {
        FASTER,
        NOT_FASTER,
        SLOWER,
        NOT_SLOWER,
        EQUIVALENT,
        /** Between a lower and an upper bound. */
        WITHIN
    }

    /**
     * What is claimed of the ratio of two arms, of one arm under two loads, or of one arm's own figure.
     *
     * @param metric its key
     * @param of name of the arm
     * @param than name of the arm by whose figure that of the first is divided; empty: the claim is about the figure itself
     * @param least lower bound, of a ratio or in the metric's unit; null: none
     * @param most upper bound; null: none
     * @param at the loads by {@code workloads}, {@code tiers} and {@code rates}; without one of them all
     * @param thanAt the same of the figure by which is divided; empty: the same load
     * @param own whether the comparison's family has no interval of it, so that it needs one of its own
     */
    public record Part(
            String metric,
            String of,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String than,
            Relation relation,
            @JsonInclude(JsonInclude.Include.NON_NULL) Double least,
            @JsonInclude(JsonInclude.Include.NON_NULL) Double most,
            Map<String, List<String>> at,
            Map<String, List<String>> thanAt,
            boolean own) {

        /** Files leave empty texts out. */
        public Part {
            than = than == null ? "" : than;
        }

        /** Whether it is about a ratio, and not about a figure. */
        public boolean ratio() {
            return !than.isEmpty();
        }

        /** What it is about, under each of these loads. */
        public List<Term> terms(List<Cell> cells) {
            List<Term> terms = new ArrayList<>();
            for (Cell cell : cells.stream().filter(one -> is(at, one)).toList()) {
                if (thanAt.isEmpty()) {
                    terms.add(new Term(this, cell, cell));
                } else {
                    cells.stream()
                            .filter(other -> is(thanAt, other) && isBeside(cell, other))
                            .forEach(other -> terms.add(new Term(this, cell, other)));
                }
            }
            return terms;
        }

        /** Whether two loads differ in nothing but what is named. */
        private boolean isBeside(Cell cell, Cell other) {
            return !cell.equals(other)
                    && cell.generator().equals(other.generator())
                    && (thanAt.containsKey("workloads") || cell.workload().equals(other.workload()))
                    && (thanAt.containsKey("tiers")
                            || thanAt.containsKey("rates")
                            || cell.tier() == other.tier() && cell.rate() == other.rate());
        }

        /** Whether a ratio or figure is as claimed, as it stands. Only for {@link Relation#WITHIN}. */
        public boolean accepts(double value) {
            return (least == null || value >= least) && (most == null || value <= most);
        }

        /** The bounds for people, such as {@code at least 1.33 and at most 1.53}; of the other relations their words. */
        public String claimed() {
            if (relation != Relation.WITHIN) {
                return relation.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            }
            String unit =
                    ratio() ? "" : " " + Metric.of(metric).map(Metric::unit).orElse("");
            return Stream.of(bound("at least ", least, unit), bound("at most ", most, unit))
                    .filter(text -> !text.isEmpty())
                    .collect(Collectors.joining(" and "));
        }

        private static String bound(String words, Double value, String unit) {
            return value == null
                    ? ""
                    : value == ABOVE_1
                            ? "above 1"
                            : words + String.format(Locale.ROOT, "%.4f", value).replaceFirst("[.]?0+$", "") + unit;
        }
    }

    /**
     * One ratio or one figure.
     *
     * @param cell the load
     * @param other the load of the figure by which is divided; the same, but where a part names another
     */
    public record Term(Part part, Cell cell, Cell other) {}

    /** Of a claim, and not of its parts. */
    private static final List<String> OF_ALL = List.of("all", "says", "original", "reading");

    private static final double ABOVE_1 = Math.nextUp(1.0);

    private static final Pattern SENTENCE = Pattern.compile(
            "(\\S+) is (?:(not )?(faster|slower) than|(equivalent) to) (\\S+)(?: in (\\S+))?",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern FIGURE = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,12})?) *(\\p{Alpha}*|µs|%)");

    /** By the unit of a metric: the units of a figure, and how many of the metric's unit each is. */
    private static final Map<String, Map<String, Double>> UNITS = Map.of(
            "ms", Map.of("us", 1e-3, "µs", 1e-3, "ms", 1.0, "s", 1e3),
            "µs", Map.of("us", 1.0, "µs", 1.0, "ms", 1e3, "s", 1e6),
            "%", Map.of("%", 1.0),
            "bytes", Map.of("", 1.0, "k", 1024.0, "m", 1024.0 * 1024, "g", 1024.0 * 1024 * 1024));

    private static boolean is(Map<String, List<String>> loads, Cell cell) {
        return loads.entrySet().stream()
                .allMatch(one -> one.getValue().stream().anyMatch(value -> is(cell, one.getKey(), value)));
    }

    private static boolean is(Cell cell, String key, String value) {
        return switch (key) {
            case "workloads" -> cell.workload().equals(value);
            case "tiers" -> cell.tier() == Integer.parseInt(value);
            default -> cell.tier() == 0 && cell.rate() == Double.parseDouble(value);
        };
    }

    /** Each ratio and figure that it is about. */
    public List<Term> terms(List<Cell> cells) {
        return parts.stream().flatMap(part -> part.terms(cells).stream()).toList();
    }

    /** What claims may be about. */
    record Subjects(Map<String, String> baselines, List<String> references, List<Cell> cells, List<String> judged) {}

    /**
     * Reads the claims of a comparison.
     *
     * @throws org.servletbench.bench.model.UsageException if one is not understood, or not measured
     */
    static List<ClaimSpec> all(Value claims, Subjects subjects) {
        List<ClaimSpec> all = new ArrayList<>();
        for (int i = 0; i < claims.list().size(); i++) {
            Value value = claims.list().get(i);
            String path = "claims." + i;
            all.add(value.isText() ? sentence(value, path, subjects) : mapping(value, path, subjects));
        }
        return List.copyOf(all);
    }

    private static ClaimSpec sentence(Value value, String path, Subjects subjects) {
        String says = value.text().replaceAll("\\s+", " ");
        Matcher words = SENTENCE.matcher(says);
        if (!words.matches()) {
            throw value.wrong("'" + path + "' is not understood: write ARM is [not] faster|slower than ARM, or ARM is"
                    + " equivalent to ARM, and after it, if you like, in METRIC");
        }
        String relation = words.group(4) != null
                ? "EQUIVALENT"
                : (words.group(2) == null ? "" : "NOT_") + words.group(3).toUpperCase(Locale.ROOT);
        String metric = words.group(6) == null ? subjects.judged().get(0) : words.group(6);
        Binding binding = new Binding(value, path, subjects, metric, Map.of(), Map.of());
        return new ClaimSpec(
                says,
                "",
                "",
                List.of(binding.part(words.group(1), words.group(5), Relation.valueOf(relation), null, null)));
    }

    private static ClaimSpec mapping(Value value, String path, Subjects subjects) {
        Keys.check(value, Section.CLAIM, List.of(), path);
        List<Part> parts = new ArrayList<>();
        if (value.get("all").isPresent()) {
            List<Value> all = value.get("all").get().list();
            value.map().keySet().stream()
                    .filter(key -> !OF_ALL.contains(key))
                    .findFirst()
                    .ifPresent(key -> {
                        throw value.wrong("'" + path + "." + key + "' does nothing beside all: put it into its parts");
                    });
            for (int i = 0; i < all.size(); i++) {
                String own = path + ".all." + i;
                Keys.check(all.get(i), Section.CLAIM, OF_ALL, own);
                parts.addAll(parts(all.get(i), own, subjects));
            }
        } else {
            parts.addAll(parts(value, path, subjects));
        }
        String says = parts.stream()
                .map(part ->
                        part.metric() + " of " + part.of() + (part.ratio() ? " divided by that of " + part.than() : "")
                                + " is " + part.claimed()
                                + Stream.of(part.at(), part.thanAt())
                                        .flatMap(loads -> loads.entrySet().stream())
                                        .map(one -> ", " + one.getKey() + " " + String.join(" and ", one.getValue()))
                                        .collect(Collectors.joining()))
                .collect(Collectors.joining("; "));
        return new ClaimSpec(
                text(value, "says").orElse(says),
                text(value, "original").orElse(""),
                text(value, "reading").orElse(""),
                List.copyOf(parts));
    }

    private static Optional<String> text(Value value, String key) {
        return value.get(key).map(Value::text);
    }

    private static List<Part> parts(Value value, String path, Subjects subjects) {
        Binding binding = new Binding(
                value,
                path,
                subjects,
                text(value, "metric").orElse(subjects.judged().get(0)),
                loads(value, "at", path),
                loads(value, "than-at", path));
        List<Part> parts = new ArrayList<>();
        if (value.get("order").isPresent()) {
            List<String> words = List.of(text(value, "order").get().strip().split("\\s+"));
            for (int i = 0; i + 2 < words.size(); i += 2) {
                boolean falling = words.get(i + 1).equals(">");
                parts.add(binding.part(
                        words.get(falling ? i : i + 2),
                        words.get(falling ? i + 2 : i),
                        Relation.WITHIN,
                        ABOVE_1,
                        null));
            }
            boolean signs = words.size() % 2 == 1
                    && IntStream.range(0, words.size())
                            .allMatch(i -> (i % 2 == 1) == words.get(i).matches("[<>]"));
            if (parts.isEmpty()
                    || !signs
                    || Stream.of("of", "than", "at-least", "at-most", "than-at")
                            .anyMatch(key -> value.get(key).isPresent())) {
                throw value.wrong(
                        "'" + path + ".order' is wrong: give arms with > or < between them, and no key beside it"
                                + " but metric and at");
            }
            return parts;
        }
        boolean ratio = value.get("than").isPresent() || !binding.thanAt.isEmpty();
        Double least = binding.bound("at-least", ratio);
        Double most = binding.bound("at-most", ratio);
        List<String> of = value.get("of").map(Value::texts).orElse(List.of());
        if (of.isEmpty() || least == null && most == null) {
            throw value.wrong("'" + path + "' needs " + (of.isEmpty() ? "of, or order" : "at-least or at-most"));
        }
        if (least != null && most != null && least > most) {
            throw value.wrong("'" + path + "': at-least is above at-most");
        }
        for (String one : of) {
            for (String than : value.get("than").map(Value::texts).orElse(List.of(ratio ? one : ""))) {
                parts.add(binding.part(one, than, Relation.WITHIN, least, most));
            }
        }
        return parts;
    }

    private static Map<String, List<String>> loads(Value value, String key, String path) {
        Map<String, List<String>> loads = new LinkedHashMap<>();
        value.get(key).ifPresent(at -> {
            List<String> others = Keys.of(Section.LOAD).stream()
                    .map(Keys.Key::name)
                    .filter(name -> !List.of("workloads", "tiers", "rates").contains(name))
                    .toList();
            Keys.check(at, Section.LOAD, others, path + "." + key);
            at.map().forEach((name, texts) -> loads.put(name, texts.texts()));
        });
        return loads;
    }

    /** From a mapping to its parts, whose arms, metric and loads must be measured. */
    private record Binding(
            Value value,
            String path,
            Subjects subjects,
            String metric,
            Map<String, List<String>> at,
            Map<String, List<String>> thanAt) {

        private Double bound(String key, boolean ratio) {
            Value bound = value.get(key).orElse(null);
            if (bound == null) {
                return null;
            }
            String unit = Metric.of(metric).map(Metric::unit).orElse("");
            Map<String, Double> units = ratio ? Map.of("", 1.0) : UNITS.getOrDefault(unit, Map.of("", 1.0));
            Matcher figure = FIGURE.matcher(bound.text());
            Double factor = figure.matches() ? units.get(figure.group(2).toLowerCase(Locale.ROOT)) : null;
            if (factor == null || Double.parseDouble(figure.group(1)) == 0) {
                throw bound.wrong("'" + path + "." + key + "' is wrong: give a number above 0"
                        + (units.containsKey("")
                                ? units.size() == 1 ? "" : ", or with k, m or g"
                                : " with its unit, such as " + (unit.equals("%") ? "0.1%" : "50ms")));
            }
            return Double.parseDouble(figure.group(1)) * factor;
        }

        private Part part(String of, String than, Relation relation, Double least, Double most) {
            Metric known = Keys.metric(value, path, metric);
            List<String> arms = Stream.concat(subjects.baselines().keySet().stream(), subjects.references().stream())
                    .toList();
            for (String arm : than.isEmpty() ? List.of(of) : List.of(of, than)) {
                if (!arms.contains(arm)) {
                    throw value.wrong("'" + path + "': there is no arm '" + arm + "'" + Keys.nearest(arm, arms));
                }
            }
            boolean sameArm = of.equals(than);
            boolean own = than.isEmpty()
                    || !thanAt.isEmpty()
                    || Stream.of(of, than).anyMatch(subjects.references()::contains);
            if (sameArm && thanAt.isEmpty()) {
                throw value.wrong("'" + path + "' compares " + of + " with itself");
            }
            if (!than.isEmpty() && known.unit().equals("%")) {
                throw value.wrong("'" + path + "': " + metric + " is a share that may be 0, which has no ratio");
            }
            if (!own && !subjects.judged().contains(metric)) {
                throw value.wrong("'" + path + "': " + metric + " is not judged: add it to judge ("
                        + String.join(", ", subjects.judged()) + ")");
            }
            if (!own
                    && !subjects.baselines().get(of).equals(subjects.baselines().get(than))) {
                throw value.wrong("'" + path + "': " + of + " and " + than + " are not compared: their baselines are "
                        + subjects.baselines().get(of) + " and "
                        + subjects.baselines().get(than));
            }
            Part part = new Part(metric, of, than, relation, least, most, at, thanAt, own);
            requireLoads("at", at);
            requireLoads("than-at", thanAt);
            if (part.terms(subjects.cells()).isEmpty()) {
                throw value.wrong("'" + path + "': no load is as at and than-at say");
            }
            return part;
        }

        private void requireLoads(String key, Map<String, List<String>> loads) {
            loads.forEach((name, values) -> values.forEach(one -> {
                if (subjects.cells().stream().filter(cell -> is(loads, cell)).noneMatch(cell -> is(cell, name, one))) {
                    throw value.wrong("'" + path + "." + key + "." + name + "': no load has " + one
                            + (loads.size() == 1 ? "" : " together with the others"));
                }
            }));
        }
    }
}
