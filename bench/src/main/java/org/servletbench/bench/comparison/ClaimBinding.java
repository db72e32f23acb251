package org.servletbench.bench.comparison;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.servletbench.bench.comparison.ClaimSpec.Part;
import org.servletbench.bench.comparison.ClaimSpec.Relation;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.UsageException;

/** Binds the claims of a file, and checks that their arms, metrics and loads are measured. */
final class ClaimBinding {

    private static final Pattern SENTENCE = Pattern.compile(
            "(\\S+) is (?:(not )?(faster|slower) than|(equivalent) to) (\\S+)(?: in (\\S+)(?: of (.+))?)?",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern FIGURE = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,12})?) *(\\p{Alpha}*|µs|%)");

    /** Units that a figure may have, with the factor from each to the metric's unit; by the metric's unit. */
    private static final Map<String, Map<String, Double>> UNITS = Map.of(
            "ms", Map.of("us", 1e-3, "µs", 1e-3, "ms", 1.0, "s", 1e3),
            "µs", Map.of("us", 1.0, "µs", 1.0, "ms", 1e3, "s", 1e6),
            "%", Map.of("%", 1.0),
            "bytes", Map.of("", 1.0, "k", 1024.0, "m", 1024.0 * 1024, "g", 1024.0 * 1024 * 1024));

    private final Tree tree;
    /** Arms by name. */
    private final Map<String, NamedArm> arms = new LinkedHashMap<>();

    private final List<LoadSpec> specs;
    private final List<MeasuredLoad> loads;
    private final List<String> judged;

    /** @param judged keys of the tested metrics */
    ClaimBinding(Tree tree, List<NamedArm> arms, List<LoadSpec> loads, List<String> judged) {
        this.tree = tree;
        // Messages list references last.
        arms.stream().filter(arm -> !arm.isReference()).forEach(arm -> this.arms.put(arm.name(), arm));
        arms.stream().filter(NamedArm::isReference).forEach(arm -> this.arms.put(arm.name(), arm));
        specs = loads;
        this.loads = loads.stream().flatMap(load -> load.loads().stream()).toList();
        this.judged = judged;
    }

    /** @throws UsageException if a claim is not understood, or is about something that is not measured */
    List<ClaimSpec> claims(List<ClaimEntry> entries) {
        return IntStream.range(0, entries.size())
                .mapToObj(i -> claim(entries.get(i), "claims." + i))
                .toList();
    }

    private ClaimSpec claim(ClaimEntry entry, String path) {
        if (entry.sentence() != null) {
            return sentence(entry.sentence().replaceAll("\\s+", " "), path);
        }
        List<Part> parts = new ArrayList<>();
        if (entry.all() == null) {
            parts.addAll(parts(entry, path));
        } else {
            Rule.check(BESIDE_ALL, entry, tree, path);
            for (int i = 0; i < entry.all().size(); i++) {
                parts.addAll(parts(entry.all().get(i), path + ".all." + i));
            }
        }
        return new ClaimSpec(
                entry.says() == null ? words(parts) : entry.says(),
                entry.original() == null ? "" : entry.original(),
                entry.reading() == null ? "" : entry.reading(),
                List.copyOf(parts));
    }

    private static String words(List<Part> parts) {
        return parts.stream()
                .map(part -> part.metric() + " of " + part.of() + " is " + part.claimed()
                        + (part.ratio() ? " against " + part.than() : "")
                        + Stream.of(part.at(), part.thanAt())
                                .flatMap(loads -> loads.entrySet().stream())
                                .map(one -> ", " + one.getKey() + " " + String.join(" and ", one.getValue()))
                                .collect(Collectors.joining()))
                .collect(Collectors.joining("; "));
    }

    private ClaimSpec sentence(String says, String path) {
        Matcher words = SENTENCE.matcher(says);
        if (!words.matches()) {
            throw wrong(
                    path,
                    " is not understood: write ARM is [not] faster|slower than ARM, or ARM is"
                            + " equivalent to ARM, and after it, if you like, in METRIC, or in cpu of LAYER");
        }
        String relation = words.group(4) != null
                ? "EQUIVALENT"
                : (words.group(2) == null ? "" : "NOT_") + words.group(3).toUpperCase(Locale.ROOT);
        String metric = words.group(6) == null ? judged.get(0) : words.group(6);
        String layer = words.group(7) == null ? "" : words.group(7);
        if (!layer.isEmpty() && !(metric.equals(Metric.CPU.key()) && relation.equals("NOT_SLOWER"))) {
            throw wrong(
                    path,
                    " is not understood: a layer has CPU time alone: write ARM is not slower than ARM in cpu of "
                            + layer);
        }
        Part part = part(
                new Part(
                        metric,
                        words.group(1),
                        words.group(5),
                        Relation.valueOf(relation),
                        null,
                        null,
                        Map.of(),
                        Map.of(),
                        false,
                        layer),
                path);
        return new ClaimSpec(says, "", "", List.of(part));
    }

    private static final List<Rule<ClaimEntry>> BESIDE_ALL = Stream.<Map.Entry<String, Predicate<ClaimEntry>>>of(
                    Map.entry("metric", claim -> claim.metric() != null),
                    Map.entry("order", claim -> claim.order() != null),
                    Map.entry("of", claim -> !claim.of().isEmpty()),
                    Map.entry("than", claim -> claim.than() != null),
                    Map.entry("at-least", claim -> claim.atLeast() != null),
                    Map.entry("at-most", claim -> claim.atMost() != null),
                    Map.entry("at", claim -> !claim.at().lists().isEmpty()),
                    Map.entry("than-at", claim -> !claim.thanAt().lists().isEmpty()))
            .map(given -> Rule.of(given.getKey(), given.getValue(), " has no effect next to all: put it in its parts"))
            .toList();

    private static final List<Rule<ClaimEntry>> OF_FIGURES = List.of(
            Rule.of("", claim -> claim.of().isEmpty(), " needs of, or order"),
            Rule.of("", claim -> claim.atLeast() == null && claim.atMost() == null, " needs at-least or at-most"));

    private List<Part> parts(ClaimEntry entry, String path) {
        String metric = entry.metric() == null ? judged.get(0) : entry.metric();
        Map<String, List<String>> at = entry.at().lists();
        Map<String, List<String>> thanAt = entry.thanAt().lists();
        List<Part> parts = new ArrayList<>();
        if (entry.order() != null) {
            List<String> words = List.of(entry.order().strip().split("\\s+"));
            boolean signs = words.size() > 2
                    && words.size() % 2 == 1
                    && IntStream.range(0, words.size())
                            .allMatch(i -> (i % 2 == 1) == words.get(i).matches("[<>]"));
            boolean beside = !entry.of().isEmpty()
                    || entry.than() != null
                    || entry.atLeast() != null
                    || entry.atMost() != null
                    || !thanAt.isEmpty();
            if (!signs || beside) {
                throw wrong(
                        path + ".order",
                        " is wrong: give arms with > or < between them, and no key beside it but metric and at");
            }
            for (int i = 0; i + 2 < words.size(); i += 2) {
                boolean falling = words.get(i + 1).equals(">");
                String more = words.get(falling ? i : i + 2);
                String less = words.get(falling ? i + 2 : i);
                parts.add(part(
                        new Part(metric, more, less, Relation.WITHIN, ClaimSpec.ABOVE_1, null, at, thanAt, false),
                        path));
            }
            return parts;
        }
        boolean ratio = entry.than() != null || !thanAt.isEmpty();
        Double least = bound(entry.atLeast(), path + ".at-least", metric, ratio);
        Double most = bound(entry.atMost(), path + ".at-most", metric, ratio);
        Rule.check(OF_FIGURES, entry, tree, path);
        if (least != null && most != null && least > most) {
            throw wrong(path, ": at-least is above at-most");
        }
        for (String of : entry.of()) {
            for (String than : entry.than() != null ? entry.than() : List.of(ratio ? of : "")) {
                parts.add(part(new Part(metric, of, than, Relation.WITHIN, least, most, at, thanAt, false), path));
            }
        }
        return parts;
    }

    private Double bound(String text, String path, String metric, boolean ratio) {
        if (text == null) {
            return null;
        }
        String unit = Metric.of(metric).map(Metric::unit).orElse("");
        Map<String, Double> units = ratio ? Map.of("", 1.0) : UNITS.getOrDefault(unit, Map.of("", 1.0));
        Matcher figure = FIGURE.matcher(text);
        Double factor = figure.matches() ? units.get(figure.group(2).toLowerCase(Locale.ROOT)) : null;
        if (factor == null || Double.parseDouble(figure.group(1)) == 0) {
            throw wrong(
                    path,
                    " is wrong: give a number above 0"
                            + (units.containsKey("")
                                    ? units.size() == 1 ? "" : ", or with k, m or g"
                                    : " with its unit, such as " + (unit.equals("%") ? "0.1%" : "50ms")));
        }
        return Double.parseDouble(figure.group(1)) * factor;
    }

    /** Returns a checked part. It records whether the part needs an interval of its own. */
    private Part part(Part part, String path) {
        Metric known = Keys.metric(tree, path, part.metric());
        List<String> names = part.ratio() ? List.of(part.of(), part.than()) : List.of(part.of());
        names.stream().filter(name -> !arms.containsKey(name)).findFirst().ifPresent(name -> {
            throw wrong(path, ": there is no arm '" + name + "'" + Keys.nearest(name, List.copyOf(arms.keySet())));
        });
        requireMeasured(known, names, path);
        boolean own = !part.ratio()
                || !part.layer().isEmpty()
                || !part.thanAt().isEmpty()
                || names.stream().anyMatch(name -> arms.get(name).isReference());
        if (part.of().equals(part.than()) && part.thanAt().isEmpty()) {
            throw wrong(path, " compares " + part.of() + " with itself");
        }
        if (part.ratio() && known.unit().equals("%")) {
            throw wrong(path, ": " + part.metric() + " is a share that may be 0, which has no ratio");
        }
        if (!own && !judged.contains(part.metric())) {
            throw wrong(
                    path, ": " + part.metric() + " is not judged: add it to judge (" + String.join(", ", judged) + ")");
        }
        if (!own && !against(part.of()).equals(against(part.than()))) {
            throw wrong(
                    path,
                    ": " + part.of() + " and " + part.than() + " are not compared: their baselines are "
                            + against(part.of()) + " and " + against(part.than()));
        }
        requireLoads(path + ".at", part.at());
        requireLoads(path + ".than-at", part.thanAt());
        List<ClaimSpec.Term> terms = part.terms(loads);
        if (terms.isEmpty()) {
            throw wrong(path, ": no load matches at and than-at");
        }
        if (!own && terms.stream().noneMatch(term -> isJudged(part.metric(), term.load()))) {
            throw wrong(path, ": " + part.metric() + " is not judged under that load: add it to the load's judge");
        }
        return new Part(
                part.metric(),
                part.of(),
                part.than(),
                part.relation(),
                part.least(),
                part.most(),
                part.at(),
                part.thanAt(),
                own,
                part.layer());
    }

    private boolean isJudged(String metric, MeasuredLoad load) {
        return specs.stream()
                .filter(spec -> spec.has(load))
                .anyMatch(spec -> spec.judge().isEmpty() || spec.judge().contains(metric));
    }

    /**
     * Rejects claims about figures that are not measured, because they would stay undecided after any number of blocks.
     * For tested metrics, the key {@code judge} is rejected instead.
     */
    private void requireMeasured(Metric metric, List<String> names, String path) {
        boolean starts = loads.stream().anyMatch(MeasuredLoad::isStartUp);
        boolean judges = judged.contains(metric.key());
        if (!judges && !starts && metric.kind() == Metric.Kind.START_UP) {
            throw wrong(
                    path,
                    ": " + metric.key() + " is not measured under load: choose another metric, such as throughput, or a"
                            + " load of 'starts'");
        }
        if (!judges && starts && metric.kind() != Metric.Kind.START_UP) {
            throw wrong(
                    path,
                    ": " + metric.key() + " is not measured by starts: choose from "
                            + Metric.of(Metric.Kind.START_UP).stream()
                                    .map(Metric::key)
                                    .collect(Collectors.joining(", ")));
        }
        if (!judges && metric == Metric.CAPACITY && loads.stream().noneMatch(MeasuredLoad::isCapacity)) {
            throw wrong(path, ": capacity is measured only by a load with 'search-rate-under'");
        }
        for (String name : names) {
            NamedArm arm = arms.get(name);
            if (arm.isReference() && (metric.isOfJvm() || metric.isOfLimit())) {
                throw wrong(path, ": " + metric.key() + " of " + name + " is not measured: nginx is not a JVM");
            }
            if (metric == Metric.MEMORY_PEAK && arm.spec().memory() == null) {
                throw wrong(
                        path,
                        ": " + metric.key() + " of " + name + " is not measured, because nothing limits its memory: set"
                                + " 'arms." + name + ".memory' or 'server.memory'");
            }
            if (metric.isOfExports() && arm.spec().exports() == null) {
                throw wrong(
                        path,
                        ": " + metric.key() + " of " + name + " is not measured, because it has no collector: set"
                                + " 'arms." + name + ".exports'");
            }
            if (metric.isOfCpuLimit()
                    && arms.values().stream().allMatch(one -> one.spec().cpus() == null)) {
                throw wrong(
                        path,
                        ": " + metric.key() + " of " + name + " is not measured, because nothing limits CPU time: set"
                                + " 'arms." + name + ".cpus' or 'server.cpus'");
            }
        }
    }

    private String against(String arm) {
        return arms.get(arm).against();
    }

    private void requireLoads(String path, Map<String, List<String>> at) {
        at.forEach((name, values) -> values.forEach(one -> {
            if (loads.stream()
                    .filter(load -> ClaimSpec.is(at, load))
                    .noneMatch(load -> ClaimSpec.is(load, name, one))) {
                throw wrong(
                        path + "." + name,
                        ": no load has " + one + (at.size() == 1 ? "" : " together with the others"));
            }
        }));
    }

    /**
     * Checks the table of an article.
     *
     * @param published the article; null if there is none
     * @throws UsageException if a row belongs to no arm, or to the same arm and load as another row
     */
    void checkFigures(Published published) {
        if (published == null) {
            return;
        }
        List<String> known = List.copyOf(arms.keySet());
        for (int i = 0; i < published.figures().size(); i++) {
            String arm = published.figures().get(i).arm();
            if (!known.contains(arm)) {
                throw wrong(
                        "published.figures." + i + ".arm",
                        ": there is no arm '" + arm + "': choose from " + String.join(", ", known));
            }
        }
        if (published.repeatedRow() >= 0) {
            throw wrong(
                    "published.figures." + published.repeatedRow(),
                    " is of the same arm and load as a row before it: give one row, with the mean");
        }
    }

    private UsageException wrong(String path, String what) {
        return tree.wrong(path, "'" + path + "'" + what);
    }
}
