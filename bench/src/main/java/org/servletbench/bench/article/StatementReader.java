package org.servletbench.bench.article;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads a claim's statement: its kind is the key that only this kind has.
 *
 * @param arms that there are
 * @param workloads of the article
 */
record StatementReader(List<String> arms, List<String> workloads) {

    private static final List<String> KINDS = List.of(
            "order", "ratio", "nearly-equal", "behind", "growth", "stable", "errors-only", "all", "undecidable");
    private static final int MOST_USERS = 100_000;
    private static final double MOST_FACTOR = 1_000_000;
    private static final double LEAST_SHARE = 0.001;

    Statement read(Node node) {
        List<String> kinds = KINDS.stream().filter(node::has).toList();
        if (kinds.size() != 1) {
            throw node.wrong(
                    kinds.isEmpty() ? KINDS.get(0) : kinds.get(1),
                    (kinds.isEmpty() ? "is missing" : "is given together with '" + kinds.get(0) + "'")
                            + ": a statement has exactly one of " + String.join(", ", KINDS));
        }
        Statement statement =
                switch (kinds.get(0)) {
                    case "order" -> order(node);
                    case "ratio" -> ratio(node);
                    case "nearly-equal" -> nearlyEqual(node);
                    case "behind" -> behind(node);
                    case "growth" -> growth(node);
                    case "stable" -> stable(node);
                    case "errors-only" -> errorsOnly(node);
                    case "all" -> all(node);
                    default -> new Statement.Undecidable(node.text("undecidable"), node.text("shown-by"));
                };
        // The other kinds' keys were asked for, and are not there.
        node.end();
        return statement;
    }

    private Quantity metric(Node node, String key) {
        return Quantity.of(node.oneOf(
                        key, Arrays.stream(Quantity.values()).map(Quantity::key).toList()))
                .orElseThrow();
    }

    private Statement.Place place(Node node, Quantity metric) {
        if (metric.isStartUp()) {
            return Statement.Place.START_UP;
        }
        return new Statement.Place(workload(node), node.integers("users", 1, MOST_USERS, true));
    }

    private String workload(Node node) {
        return node.oneOf("workload", workloads);
    }

    private Quantity loadMetric(Node node, String key) {
        Quantity metric = metric(node, key);
        if (metric.isStartUp()) {
            throw node.wrong(key, "is '" + metric + "', which does not depend on users");
        }
        return metric;
    }

    private Statement order(Node node) {
        String[] words = node.text("order").strip().split("\\s+");
        List<String> named = new ArrayList<>();
        List<Statement.Relation> relations = new ArrayList<>();
        for (int i = 0; i < words.length; i++) {
            if (i % 2 == 0) {
                named.add(words[i]);
            } else {
                relations.add(relation(node, words[i]));
            }
        }
        boolean distinct = named.stream().distinct().count() == named.size();
        if (named.size() < 2 || words.length % 2 == 0 || !distinct || !arms.containsAll(named)) {
            throw node.wrong(
                    "order",
                    "must be two or more arms with >, >=, < or <= between them, none twice; arms are "
                            + String.join(", ", arms));
        }
        Quantity metric = metric(node, "metric");
        return new Statement.Order(metric, place(node, metric), named, relations);
    }

    private static Statement.Relation relation(Node node, String sign) {
        return Stream.of(Statement.Relation.values())
                .filter(relation -> relation.sign().equals(sign))
                .findFirst()
                .orElseThrow(() -> node.wrong("order", "has '" + sign + "' where >, >=, < or <= is expected"));
    }

    private List<String> two(Node node, String key) {
        List<String> two = node.someOf(key, arms);
        if (two.size() != 2) {
            throw node.wrong(key, "must be a list of two arms, the one and the one it is divided by");
        }
        return two;
    }

    private Statement nearlyEqual(Node node) {
        List<String> two = two(node, "nearly-equal");
        Quantity metric = metric(node, "metric");
        return Statement.Ratio.nearlyEqual(metric, place(node, metric), two, node.number("within", LEAST_SHARE, 1));
    }

    private Statement all(Node node) {
        List<Node> parts = node.nodes("all");
        if (parts.size() < 2) {
            throw node.wrong("all", "must be a list of two statements or more");
        }
        List<Statement> conjuncts = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            for (String kind : List.of("all", "errors-only", "undecidable")) {
                if (parts.get(i).has(kind)) {
                    throw node.wrong("all[" + i + "]", "is '" + kind + "', and must be a statement about ratios");
                }
            }
            conjuncts.add(read(parts.get(i)));
        }
        if (conjuncts.stream().map(Statement::metric).distinct().count() > 1) {
            throw node.wrong("all", "must be of one metric");
        }
        return new Statement.All(conjuncts);
    }

    private Statement ratio(Node node) {
        List<String> two = two(node, "ratio");
        Quantity metric = metric(node, "metric");
        return Statement.Ratio.about(
                metric,
                place(node, metric),
                two,
                node.number("is", 0, MOST_FACTOR),
                node.number("within", 0, MOST_FACTOR));
    }

    private Statement behind(Node node) {
        Quantity metric = metric(node, "metric");
        String reference = node.oneOf("behind", arms);
        List<String> others = node.someOf("arms", arms);
        if (others.contains(reference)) {
            throw node.wrong("arms", "has '" + reference + "', which cannot be behind itself");
        }
        return new Statement.Behind(metric, place(node, metric), reference, others, node.number("by", 0, 0.999));
    }

    private Statement growth(Node node) {
        return new Statement.Growth(
                loadMetric(node, "growth"),
                workload(node),
                node.someOf("arms", arms),
                node.integer("from-users", 1, MOST_USERS),
                node.integer("to-users", 1, MOST_USERS),
                node.number("at-least", 0, MOST_FACTOR));
    }

    private Statement stable(Node node) {
        Quantity metric = loadMetric(node, "stable");
        Statement.Place place = place(node, metric);
        if (place.users().size() < 2) {
            throw node.wrong("users", "must be two numbers or more");
        }
        return new Statement.Stable(
                metric, place, node.someOf("arms", arms), node.number("within-factor", 1, MOST_FACTOR));
    }

    private Statement errorsOnly(Node node) {
        List<String> looked = node.someOf("arms", arms);
        Statement.Place place = place(node, Quantity.ERRORS_PRINTED);
        String arm = node.oneOf("errors-only", looked);
        int users = node.integer("at-users", 1, MOST_USERS);
        if (!place.users().contains(users)) {
            throw node.wrong("at-users", "must be one of 'users'");
        }
        return new Statement.ErrorsOnly(
                place,
                looked,
                arm,
                users,
                node.number("share", 0, 1),
                node.number("share-within", 0, 1),
                node.optionalNumber("elsewhere-below", 0, 1).orElse(0));
    }
}
