package org.servletbench.bench.comparison;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;

/**
 * A claim of a comparison. It holds if each of its parts does.
 *
 * @param says the claim in words
 * @param original phrase of an article on which the claim is based, in its language; empty for a user's own claim
 * @param reading how that phrase is interpreted; empty for a user's own claim
 */
public record ClaimSpec(String says, String original, String reading, List<Part> parts) {

    /** The claimed relation. All but the last depend on the comparison's margin. */
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
     * A claim about the ratio of two arms, the ratio of one arm under two loads, or one arm's figure.
     *
     * @param metric key of the metric
     * @param of name of the arm
     * @param than name of the arm whose figure is the divisor; empty if the claim is about the figure itself
     * @param least lower bound of the ratio, or of the figure in the metric's unit; null if there is none
     * @param most upper bound; null if there is none
     * @param at the loads by {@code workloads}, {@code users} and {@code rates}; empty for all loads
     * @param thanAt the loads of the divisor, in the same form; empty for the same load
     * @param own true if the comparison's family of intervals does not include it, so that it needs one of its own
     * @param layer layer of the CPU time, from profiles of the first load. The ratio is then {@code than}'s CPU time
     *     plus the difference in this layer, to {@code than}'s CPU time. Empty if the claim is about all of the metric
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
            boolean own,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String layer) {

        /** In files, empty texts are left out. */
        public Part {
            than = than == null ? "" : than;
            layer = layer == null ? "" : layer;
        }

        /** Creates a part about all of a metric, not about a layer. */
        public Part(
                String metric,
                String of,
                String than,
                Relation relation,
                Double least,
                Double most,
                Map<String, List<String>> at,
                Map<String, List<String>> thanAt,
                boolean own) {
            this(metric, of, than, relation, least, most, at, thanAt, own, "");
        }

        /** True if the part is about a ratio, not about a figure. */
        public boolean ratio() {
            return !than.isEmpty();
        }

        /** Returns the ratios or figures that it claims, under each of these loads. */
        public List<Term> terms(List<MeasuredLoad> all) {
            // Profiles are taken under the first load only.
            List<MeasuredLoad> loads = layer.isEmpty() ? all : all.subList(0, Math.min(1, all.size()));
            List<Term> terms = new ArrayList<>();
            for (MeasuredLoad load : loads.stream().filter(one -> is(at, one)).toList()) {
                if (thanAt.isEmpty()) {
                    terms.add(new Term(this, load, load));
                } else {
                    loads.stream()
                            .filter(other -> is(thanAt, other) && isBeside(load, other))
                            .forEach(other -> terms.add(new Term(this, load, other)));
                }
            }
            return terms;
        }

        /** True if two loads differ only in the properties that {@code thanAt} names. */
        private boolean isBeside(MeasuredLoad load, MeasuredLoad other) {
            return !load.equals(other)
                    && load.generator().equals(other.generator())
                    && (thanAt.containsKey("workloads") || load.workload().equals(other.workload()))
                    && (thanAt.containsKey("users")
                            || thanAt.containsKey("rates")
                            || load.users() == other.users() && load.rate() == other.rate());
        }

        /**
         * True if a ratio or figure itself, without an interval, agrees with the claim. Only for
         * {@link Relation#WITHIN}.
         */
        public boolean accepts(double value) {
            return (least == null || value >= least) && (most == null || value <= most);
        }

        /**
         * Returns the bounds for people, such as {@code at least +33 % and at most +53 %}; for other relations, their
         * name.
         */
        public String claimed() {
            if (relation != Relation.WITHIN) {
                return relation.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            }
            return Stream.of(bound("at least ", least), bound("at most ", most))
                    .filter(text -> !text.isEmpty())
                    .collect(Collectors.joining(" and "));
        }

        private String bound(String words, Double value) {
            return value == null
                    ? ""
                    : !ratio()
                            ? words + plain(value, "%.4f") + " "
                                    + Metric.of(metric).map(Metric::unit).orElse("")
                            : value == ABOVE_1
                                    ? "above 0 %"
                                    : words + plain(100 * (value - 1), "%+.2f").replaceFirst("^[+−]0$", "0") + " %";
        }

        private static String plain(double value, String format) {
            return String.format(Locale.ROOT, format, value)
                    .replaceFirst("[.]?0+$", "")
                    .replace('-', '−');
        }
    }

    /**
     * One ratio or one figure.
     *
     * @param load load of the figure, or of the dividend
     * @param other load of the divisor; the same unless the part names another
     */
    public record Term(Part part, MeasuredLoad load, MeasuredLoad other) {}

    static final double ABOVE_1 = Math.nextUp(1.0);

    static boolean is(Map<String, List<String>> loads, MeasuredLoad load) {
        return loads.entrySet().stream()
                .allMatch(one -> one.getValue().stream().anyMatch(value -> is(load, one.getKey(), value)));
    }

    static boolean is(MeasuredLoad load, String key, String value) {
        return switch (key) {
            case "workloads" -> load.workload().equals(value);
            case "users" -> load.users() == Integer.parseInt(value);
            default -> load.users() == 0 && load.rate() == Double.parseDouble(value);
        };
    }

    /** Returns each ratio and figure that the claim is about. */
    public List<Term> terms(List<MeasuredLoad> loads) {
        return parts.stream().flatMap(part -> part.terms(loads).stream()).toList();
    }
}
