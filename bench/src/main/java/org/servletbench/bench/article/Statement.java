package org.servletbench.bench.article;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a claim says, so that a program can test it. The kinds are few; an article uses those it needs. */
public sealed interface Statement {

    /** The parts that must all hold; none where the statement is not about ratios. */
    default List<Comparison> comparisons() {
        return List.of();
    }

    /** The cells whose figures decide it. */
    default List<Point> cells() {
        return List.of();
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
    private static Optional<Boolean> all(List<Optional<Boolean>> parts) {
        if (parts.contains(Optional.of(false))) {
            return Optional.of(false);
        }
        return parts.isEmpty() || parts.contains(Optional.<Boolean>empty()) ? Optional.empty() : Optional.of(true);
    }

    /** How two neighbours of an order stand to each other. */
    enum Relation {
        GREATER(">"),
        NOT_LESS(">="),
        LESS("<"),
        NOT_GREATER("<=");

        private final String sign;

        Relation(String sign) {
            this.sign = sign;
        }

        /** As it is written in an article's file. */
        public String sign() {
            return sign;
        }
    }

    /**
     * Where the figures of a statement are taken: one workload at some numbers of users, or start-up.
     *
     * @param workload our workload; empty at start-up
     * @param users for each of them the statement must hold; 0 alone at start-up
     */
    record Place(String workload, List<Integer> users) {

        /** At start-up. */
        public static final Place START_UP = new Place("", List.of(0));

        List<Point> cells(List<String> arms) {
            return arms.stream()
                    .flatMap(arm -> users.stream().map(number -> new Point(arm, workload, number)))
                    .toList();
        }
    }

    /** A statement about ratios of one metric. */
    sealed interface OfRatios extends Statement {

        /** The metric. */
        Quantity what();

        @Override
        default Optional<Quantity> metric() {
            return Optional.of(what());
        }
    }

    /**
     * The arms in an order.
     *
     * @param what the metric
     * @param place where
     * @param arms from the first named to the last
     * @param relations between each arm and the next: one fewer than arms
     */
    record Order(Quantity what, Place place, List<String> arms, List<Relation> relations) implements OfRatios {

        @Override
        public List<Comparison> comparisons() {
            List<Comparison> parts = new ArrayList<>();
            for (int users : place.users()) {
                for (int i = 0; i < relations.size(); i++) {
                    Point one = new Point(arms.get(i), place.workload(), users);
                    Point next = new Point(arms.get(i + 1), place.workload(), users);
                    Relation relation = relations.get(i);
                    boolean rising = relation == Relation.LESS || relation == Relation.NOT_GREATER;
                    boolean equal = relation == Relation.NOT_LESS || relation == Relation.NOT_GREATER;
                    Point ahead = rising ? next : one;
                    Point after = rising ? one : next;
                    parts.add(equal ? Comparison.notLess(what, ahead, after) : Comparison.greater(what, ahead, after));
                }
            }
            return parts;
        }

        @Override
        public List<Point> cells() {
            return place.cells(arms);
        }
    }

    /**
     * One arm has so many times the value of another.
     *
     * @param what the metric
     * @param place where
     * @param arm the one
     * @param over the other
     * @param least the least ratio that is claimed
     * @param most the greatest
     */
    record Ratio(Quantity what, Place place, String arm, String over, double least, double most) implements OfRatios {

        /** About: a ratio, and how far it may be from it. */
        static Ratio about(Quantity what, Place place, List<String> two, double is, double within) {
            return new Ratio(what, place, two.get(0), two.get(1), is - within, is + within);
        }

        /** Neither is ahead of the other by more than a share: 0.1 means a ratio from 1 / 1.1 to 1.1. */
        static Ratio nearlyEqual(Quantity what, Place place, List<String> two, double within) {
            return new Ratio(what, place, two.get(0), two.get(1), 1 / (1 + within), 1 + within);
        }

        @Override
        public List<Comparison> comparisons() {
            return place.users().stream()
                    .map(users -> Comparison.between(
                            what,
                            new Point(arm, place.workload(), users),
                            new Point(over, place.workload(), users),
                            least,
                            most))
                    .toList();
        }

        @Override
        public List<Point> cells() {
            return place.cells(List.of(arm, over));
        }
    }

    /**
     * Several statements about ratios, which must all hold: "slightly above" is above and nearly equal.
     *
     * @param conjuncts two or more
     */
    record All(List<Statement> conjuncts) implements Statement {

        @Override
        public List<Comparison> comparisons() {
            return conjuncts.stream().flatMap(one -> one.comparisons().stream()).toList();
        }

        @Override
        public List<Point> cells() {
            return conjuncts.stream()
                    .flatMap(one -> one.cells().stream())
                    .distinct()
                    .toList();
        }

        @Override
        public Optional<Quantity> metric() {
            return conjuncts.get(0).metric();
        }
    }

    /**
     * Every arm is behind a reference, which may be nginx or another arm.
     *
     * @param what the metric
     * @param place where
     * @param reference who is ahead
     * @param arms who are behind
     * @param by at least so much less than the reference, as a share of it: 0.1 means 90 % of it at the most
     */
    record Behind(Quantity what, Place place, String reference, List<String> arms, double by) implements OfRatios {

        @Override
        public List<Comparison> comparisons() {
            return place.cells(arms).stream()
                    .map(cell -> Comparison.atLeast(
                            what, new Point(reference, cell.workload(), cell.users()), cell, 1 / (1 - by)))
                    .toList();
        }

        @Override
        public List<Point> cells() {
            List<String> all = new ArrayList<>(List.of(reference));
            all.addAll(arms);
            return place.cells(all);
        }
    }

    /**
     * From one number of users to another a value grows by a factor, for each arm.
     *
     * @param what the metric
     * @param workload our workload
     * @param arms which arms
     * @param fromUsers the fewer users
     * @param toUsers the more users
     * @param atLeast the factor
     */
    record Growth(Quantity what, String workload, List<String> arms, int fromUsers, int toUsers, double atLeast)
            implements OfRatios {

        @Override
        public List<Comparison> comparisons() {
            return arms.stream()
                    .map(arm -> Comparison.atLeast(
                            what, new Point(arm, workload, toUsers), new Point(arm, workload, fromUsers), atLeast))
                    .toList();
        }

        @Override
        public List<Point> cells() {
            return new Place(workload, List.of(fromUsers, toUsers)).cells(arms);
        }
    }

    /**
     * A value is relatively stable over the numbers of users: for each arm the largest is at most so many times the least.
     *
     * @param what the metric
     * @param place where, with two numbers of users or more
     * @param arms which arms
     * @param factor largest over least
     */
    record Stable(Quantity what, Place place, List<String> arms, double factor) implements OfRatios {

        /** Each number of users against each other one. */
        @Override
        public List<Comparison> comparisons() {
            List<Comparison> parts = new ArrayList<>();
            for (String arm : arms) {
                for (int i = 0; i < place.users().size(); i++) {
                    for (int j = i + 1; j < place.users().size(); j++) {
                        parts.add(Comparison.between(
                                what,
                                new Point(arm, place.workload(), place.users().get(j)),
                                new Point(arm, place.workload(), place.users().get(i)),
                                1 / factor,
                                factor));
                    }
                }
            }
            return parts;
        }

        @Override
        public List<Point> cells() {
            return place.cells(arms);
        }
    }

    /**
     * One cell alone has errors; in the others they are below what is printed as 0.
     *
     * @param place where is looked
     * @param arms which arms are looked at
     * @param arm the one with errors
     * @param atUsers its number of users
     * @param share its failed requests as a share of all: 0.01 is one in a hundred
     * @param shareWithin how far its share may be from that, as a share of all requests
     * @param elsewhereBelow the share below which another cell has no errors to speak of; 0 where it must have none
     */
    record ErrorsOnly(
            Place place,
            List<String> arms,
            String arm,
            int atUsers,
            double share,
            double shareWithin,
            double elsewhereBelow)
            implements Statement {

        @Override
        public List<Point> cells() {
            return place.cells(arms);
        }

        @Override
        public Optional<Quantity> metric() {
            return Optional.of(Quantity.ERRORS_PRINTED);
        }

        /** The cell that should have errors. */
        public Point failing() {
            return new Point(arm, place.workload(), atUsers);
        }

        /** Whether a cell's share of errors is as claimed: the stated one in that cell, as good as none in the others. */
        public boolean accepts(Point cell, double errorShare) {
            return cell.equals(failing())
                    ? Math.abs(errorShare - share) <= shareWithin
                    : errorShare == 0 || errorShare < elsewhereBelow;
        }

        /** Reads the figures' errors as shares, which is what the figures of our own runs hold. */
        @Override
        public Optional<Boolean> holds(Figures figures) {
            return all(cells().stream()
                    .map(cell -> figures.at(cell, Quantity.ERRORS_PRINTED).stream()
                            .mapToObj(errors -> accepts(cell, errors))
                            .findFirst())
                    .toList());
        }
    }

    /**
     * Nothing that is measured can decide it.
     *
     * @param reason why
     * @param shownBy what is shown to the reader instead
     */
    record Undecidable(String reason, String shownBy) implements Statement {}
}
