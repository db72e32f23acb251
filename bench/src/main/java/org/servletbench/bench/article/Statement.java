package org.servletbench.bench.article;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a claim says, so that a program can test it. Its kind is the key that only this kind has. A statement holds at each of its
 * {@code users}; metrics of the start have neither workload nor users.
 */
public sealed interface Statement permits Statement.OfRatios, Statement.All, Statement.Undecidable, ErrorsOnly {

    /** The kinds, by the key that tells them apart. */
    Map<String, Class<? extends Statement>> KINDS = kinds();

    /** The greatest factor that can be claimed. */
    double MOST_FACTOR = 1_000_000;

    private static Map<String, Class<? extends Statement>> kinds() {
        Map<String, Class<? extends Statement>> kinds = new LinkedHashMap<>();
        kinds.put("order", Order.class);
        kinds.put("ratio", Ratio.class);
        kinds.put("nearly-equal", NearlyEqual.class);
        kinds.put("behind", Behind.class);
        kinds.put("growth", Growth.class);
        kinds.put("stable", Stable.class);
        kinds.put("errors-only", ErrorsOnly.class);
        kinds.put("all", All.class);
        kinds.put("undecidable", Undecidable.class);
        return Collections.unmodifiableMap(kinds);
    }

    /** The parts that must all hold; none where the statement is not about ratios. */
    default List<RatioBound> comparisons() {
        return List.of();
    }

    /** The cells whose figures decide it. */
    default List<Point> cells() {
        return comparisons().stream()
                .flatMap(part -> Stream.of(part.numerator(), part.denominator()))
                .distinct()
                .toList();
    }

    /** What is looked at, of a conjunction in its first part; empty where nothing can be. */
    default Optional<Quantity> metric() {
        return Optional.empty();
    }

    /** The statements that must all hold: itself, or the parts of a conjunction. */
    default List<Statement> conjuncts() {
        return List.of(this);
    }

    /**
     * Whether it holds of these figures, taken as they stand and without an interval: every part must.
     *
     * @return empty where a figure is missing and no other part is already wrong, and where it cannot be decided at all
     */
    default Optional<Boolean> holds(Figures figures) {
        return all(comparisons().stream().map(part -> part.holds(figures)).toList());
    }

    /** Whether all parts hold: one that does not decides, one that is not known leaves it open. */
    static Optional<Boolean> all(List<Optional<Boolean>> parts) {
        if (parts.contains(Optional.of(false))) {
            return Optional.of(false);
        }
        return parts.isEmpty() || parts.contains(Optional.<Boolean>empty()) ? Optional.empty() : Optional.of(true);
    }

    /** A statement about ratios of one metric. */
    sealed interface OfRatios extends Statement {

        Quantity what();

        /** Our workload; empty at start-up. */
        String workload();

        @Override
        default Optional<Quantity> metric() {
            return Optional.of(what());
        }

        /** A ratio that lies between these bounds, or is one of them. */
        default RatioBound between(Point one, Point other, double least, double most) {
            return new RatioBound(what(), one, other, least, true, most);
        }
    }

    /** A statement about ratios between arms under the same load. */
    sealed interface OfArms extends OfRatios {

        /** For each of these numbers of users it must hold; empty at start-up. */
        List<Integer> users();

        /** What must hold with one number of users, 0 at start-up. */
        List<RatioBound> with(int number);

        @Override
        default List<RatioBound> comparisons() {
            return (what().isStartUp() ? List.of(0) : users())
                    .stream().flatMap(number -> with(number).stream()).toList();
        }

        default Point cell(String arm, int number) {
            return new Point(arm, workload(), number);
        }
    }

    private static void requireLoad(String key, Quantity metric) {
        if (metric.isStartUp()) {
            throw new Invalid(key, "is '" + metric + "', which does not depend on users");
        }
    }

    /**
     * The arms in an order.
     *
     * @param order arms with {@code >}, {@code >=}, {@code <} or {@code <=} between them
     */
    record Order(
            String order,
            @JsonProperty("metric") Quantity what,
            @Maybe String workload,
            @Maybe List<Integer> users) implements OfArms {

        private static final List<String> SIGNS = List.of(">", ">=", "<", "<=");

        public Order {
            List<String> words = List.of(order.strip().split("\\s+"));
            List<String> arms = every(words, 0);
            if (arms.size() < 2
                    || words.size() % 2 == 0
                    || !SIGNS.containsAll(every(words, 1))
                    || Set.copyOf(arms).size() < arms.size()) {
                throw new Invalid("order", "must be two or more arms with >, >=, < or <= between them, none twice");
            }
            Invalid.place(what, workload, users);
        }

        private static List<String> every(List<String> words, int odd) {
            return IntStream.range(0, words.size())
                    .filter(i -> i % 2 == odd)
                    .mapToObj(words::get)
                    .toList();
        }

        /** From the first named to the last. */
        public List<String> arms() {
            return every(List.of(order.strip().split("\\s+")), 0);
        }

        @Override
        public List<RatioBound> with(int number) {
            List<String> words = List.of(order.strip().split("\\s+"));
            return IntStream.range(0, words.size() / 2)
                    .mapToObj(i -> {
                        String sign = words.get(2 * i + 1);
                        Point one = cell(words.get(2 * i), number);
                        Point next = cell(words.get(2 * i + 2), number);
                        boolean rising = sign.startsWith("<");
                        return new RatioBound(
                                what,
                                rising ? next : one,
                                rising ? one : next,
                                1,
                                sign.endsWith("="),
                                Double.POSITIVE_INFINITY);
                    })
                    .toList();
        }
    }

    /**
     * One arm has so many times the value of another: about, or at least.
     *
     * @param is about this; null for at least
     * @param within how far it may be from that
     * @param atLeast the least ratio; null for about
     */
    record Ratio(
            List<String> ratio,
            @Maybe Double is,
            @Maybe Double within,
            @Maybe Double atLeast,
            @JsonProperty("metric") Quantity what,
            @Maybe String workload,
            @Maybe List<Integer> users)
            implements OfArms {

        public Ratio {
            Invalid.two("ratio", ratio);
            if ((is == null) == (atLeast == null) || (is == null) != (within == null)) {
                throw new Invalid(
                        is == null ? "is" : "within",
                        "is wrong or missing: a ratio has either 'is' and 'within', or 'at-least'");
            }
            Invalid.range("is", is, 0, MOST_FACTOR);
            Invalid.range("within", within, 0, MOST_FACTOR);
            Invalid.range("at-least", atLeast, 0, MOST_FACTOR);
            Invalid.place(what, workload, users);
        }

        @Override
        public List<RatioBound> with(int number) {
            Point one = cell(ratio.get(0), number);
            Point other = cell(ratio.get(1), number);
            return List.of(
                    is == null
                            ? between(one, other, atLeast, Double.POSITIVE_INFINITY)
                            : between(one, other, is - within, is + within));
        }
    }

    /**
     * Neither of two arms is ahead of the other by more than a share.
     *
     * @param within the share: 0.1 means a ratio from 1 / 1.1 to 1.1
     */
    record NearlyEqual(
            List<String> nearlyEqual,
            double within,
            @JsonProperty("metric") Quantity what,
            @Maybe String workload,
            @Maybe List<Integer> users)
            implements OfArms {

        public NearlyEqual {
            Invalid.two("nearly-equal", nearlyEqual);
            Invalid.range("within", within, 0.001, 1);
            Invalid.place(what, workload, users);
        }

        @Override
        public List<RatioBound> with(int number) {
            return List.of(between(
                    cell(nearlyEqual.get(0), number), cell(nearlyEqual.get(1), number), 1 / (1 + within), 1 + within));
        }
    }

    /**
     * Every arm is behind a reference, which may be nginx or another arm.
     *
     * @param behind who is ahead
     * @param by at least so much less than the reference, as a share of it: 0.1 means 90 % of it at the most
     */
    record Behind(
            String behind,
            List<String> arms,
            double by,
            @JsonProperty("metric") Quantity what,
            @Maybe String workload,
            @Maybe List<Integer> users)
            implements OfArms {

        public Behind {
            Invalid.distinct("arms", arms, 1);
            if (arms.contains(behind)) {
                throw new Invalid("arms", "has '" + behind + "', which cannot be behind itself");
            }
            Invalid.range("by", by, 0, 0.999);
            Invalid.place(what, workload, users);
        }

        @Override
        public List<RatioBound> with(int number) {
            return arms.stream()
                    .map(arm ->
                            between(cell(behind, number), cell(arm, number), 1 / (1 - by), Double.POSITIVE_INFINITY))
                    .toList();
        }
    }

    /**
     * From one number of users to another a value grows by a factor, for each arm.
     *
     * @param atLeast the factor
     */
    record Growth(
            @JsonProperty("growth") Quantity what,
            String workload,
            List<String> arms,
            int fromUsers,
            int toUsers,
            double atLeast)
            implements OfRatios {

        public Growth {
            requireLoad("growth", what);
            Invalid.distinct("arms", arms, 1);
            Invalid.users("from-users", List.of(fromUsers), 1);
            Invalid.users("to-users", List.of(toUsers), 1);
            Invalid.range("at-least", atLeast, 0, MOST_FACTOR);
        }

        @Override
        public List<RatioBound> comparisons() {
            return arms.stream()
                    .map(arm -> between(
                            new Point(arm, workload, toUsers),
                            new Point(arm, workload, fromUsers),
                            atLeast,
                            Double.POSITIVE_INFINITY))
                    .toList();
        }
    }

    /**
     * A value is relatively stable over the numbers of users: for each arm the largest is at most so many times the least.
     *
     * @param users two or more
     * @param withinFactor largest over least
     */
    record Stable(
            @JsonProperty("stable") Quantity what,
            String workload,
            List<String> arms,
            List<Integer> users,
            double withinFactor)
            implements OfRatios {

        public Stable {
            requireLoad("stable", what);
            Invalid.distinct("arms", arms, 1);
            Invalid.users("users", users, 2);
            Invalid.range("within-factor", withinFactor, 1, MOST_FACTOR);
        }

        /** Each number of users against each other one. */
        @Override
        public List<RatioBound> comparisons() {
            List<RatioBound> parts = new ArrayList<>();
            for (String arm : arms) {
                for (int i = 0; i < users.size(); i++) {
                    for (int more : users.subList(i + 1, users.size())) {
                        parts.add(between(
                                new Point(arm, workload, more),
                                new Point(arm, workload, users.get(i)),
                                1 / withinFactor,
                                withinFactor));
                    }
                }
            }
            return parts;
        }
    }

    /**
     * Several statements about ratios, which must all hold: "slightly above" is above and nearly equal.
     *
     * @param conjuncts two or more
     */
    record All(@JsonProperty("all") List<Statement> conjuncts) implements Statement {

        public All {
            for (int i = 0; i < conjuncts.size(); i++) {
                if (!(conjuncts.get(i) instanceof OfRatios one)
                        || !one.metric().equals(conjuncts.get(0).metric())) {
                    throw new Invalid(
                            "all[" + i + "]", "must be a statement about ratios, of the same metric as the first");
                }
            }
            if (conjuncts.size() < 2) {
                throw new Invalid("all", "must be a list of two statements or more");
            }
        }

        @Override
        public List<RatioBound> comparisons() {
            return conjuncts.stream().flatMap(one -> one.comparisons().stream()).toList();
        }

        @Override
        public Optional<Quantity> metric() {
            return conjuncts.get(0).metric();
        }
    }

    /**
     * Nothing that is measured can decide it.
     *
     * @param reason why
     * @param shownBy what is shown to the reader instead
     */
    record Undecidable(@JsonProperty("undecidable") String reason, String shownBy) implements Statement {}
}
