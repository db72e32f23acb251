package org.servletbench.bench.verdict;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Metric.Part;

/**
 * The reasons for the difference between an arm and its baseline.
 *
 * @param candidates all measured quantities, whether they are shown or not, in the given order
 */
public record Reasons(String arm, String baseline, List<Reason> candidates) {

    /** Maximum number of reasons in a sentence, besides the whole and its modes. */
    public static final int MOST = 3;

    private static final Cause KERNEL = new Cause.Counter(Metric.CPU_SYSTEM);
    private static final Cause ALLOCATION = new Cause.Counter(Metric.ALLOCATION);

    /**
     * Judges all candidates of one load together. The intervals of all candidates and all arms hold with a probability
     * of at least {@code 1 - alpha} (Bonferroni over candidates, max-t over arms).
     *
     * @param candidates candidates with the same arms, baseline and control; those without figures of two blocks take
     *     no share of the level
     * @return one for each arm except the baseline, in the arms' order; empty without candidates
     */
    public static List<Reasons> of(List<Candidate> candidates, double alpha) {
        List<Candidate> known = candidates.stream().filter(Reasons::hasFigures).toList();
        if (known.isEmpty()) {
            return List.of();
        }
        BlockData any = known.get(0).values();
        List<Contrast> contrasts = contrasts(any);
        List<List<Reason>> byArm =
                contrasts.stream().<List<Reason>>map(arm -> new ArrayList<>()).toList();
        for (Candidate candidate : known) {
            BlockData data = candidate.modelled();
            BlockModel model = new BlockModel(data);
            List<Contrast> own = contrasts(data);
            double critical = model.critical(own, alpha / known.size());
            double beyond = data.guard().map(guard -> farEnd(model, guard)).orElse(Double.POSITIVE_INFINITY);
            for (int i = 0; i < own.size(); i++) {
                byArm.get(i).add(reason(candidate, model.estimate(own.get(i)), own.get(i), critical, beyond));
            }
        }
        List<Reasons> all = new ArrayList<>();
        for (int i = 0; i < contrasts.size(); i++) {
            all.add(new Reasons(contrasts.get(i).a(), any.baseline(), List.copyOf(byArm.get(i))));
        }
        return List.copyOf(all);
    }

    private static boolean hasFigures(Candidate candidate) {
        BlockData data = candidate.modelled();
        return contrasts(data).stream().anyMatch(pair -> data.logRatios(pair.a(), pair.b()).length > 1);
    }

    /** Returns the contrasts of each arm with the baseline. */
    private static List<Contrast> contrasts(BlockData data) {
        return data.arms().stream()
                .filter(arm -> !arm.equals(data.baseline()))
                .map(arm -> new Contrast(data.group(), data.load(), data.metric(), arm, data.baseline()))
                .toList();
    }

    /**
     * Returns the largest difference between control and baseline that their interval includes; infinite if it is not
     * known.
     */
    private static double farEnd(BlockModel model, Contrast guard) {
        Interval own = Interval.around(
                model.estimate(guard), model.critical(List.of(guard), MultipleComparison.CONTROL_LEVEL));
        double far = Math.max(Math.abs(own.low()), Math.abs(own.high()));
        return Double.isNaN(far) ? Double.POSITIVE_INFINITY : far;
    }

    private static Reason reason(
            Candidate candidate, Estimate estimate, Contrast contrast, double critical, double beyond) {
        Interval interval = Interval.around(estimate, critical);
        boolean shown = candidate.values().barred(contrast).isEmpty()
                && (interval.low() > 0 || interval.high() < 0)
                && Math.abs(estimate.meanLog()) > beyond;
        return new Reason(
                candidate.cause(),
                candidate.difference(estimate.meanLog()),
                candidate.difference(interval.low()),
                candidate.difference(interval.high()),
                candidate.typical(contrast.a()),
                candidate.typical(contrast.b()),
                shown);
    }

    /**
     * Returns the difference in CPU time, which the other reasons explain. It is not a reason itself, because on a
     * saturated processor it determines the throughput.
     */
    public Optional<Reason> whole() {
        return shown(Part.WHOLE).findFirst();
    }

    /** Returns the modes in which the CPU time is used, the largest first. */
    public List<Reason> modes() {
        return shown(Part.MODE).toList();
    }

    /**
     * True if the reason may be part of the difference in CPU time. It must be large enough for that difference, or if
     * none is shown for the largest possible one. It must also have the same sign: fewer read calls are no reason for
     * more CPU time, nor for less if the kernel needed no less.
     */
    private boolean explains(Reason reason) {
        return whole().stream().allMatch(whole -> whole.isMore() == reason.isMore() && isInKernel(reason, whole))
                && candidates.stream()
                        .filter(one -> one.cause().part() == Part.WHOLE)
                        .allMatch(whole -> reason.matters(
                                whole.shown()
                                        ? whole.difference()
                                        : Math.max(Math.abs(whole.low()), Math.abs(whole.high()))));
    }

    /**
     * True if events in the kernel may be part of the difference: its own difference in CPU time may be a part of that
     * size. Bytes are allocated elsewhere.
     */
    private boolean isInKernel(Reason reason, Reason whole) {
        return reason.cause().part() != Part.COUNT
                || reason.cause().equals(ALLOCATION)
                || candidates.stream()
                        .filter(one -> one.cause().equals(KERNEL))
                        .noneMatch(kernel -> (whole.isMore() ? kernel.high() : -kernel.low())
                                < Reason.LEAST_SHARE * Math.abs(whole.difference()));
    }

    /**
     * Returns at most {@link #MOST} reasons: CPU time first, the largest first. Counts get at least one place, if one
     * is shown. A quantity that is both counted and in the stacks of profiles is only reported as counted.
     */
    public List<Reason> named() {
        Set<String> counted = shown(Part.ROLE)
                .filter(reason -> !reason.isOfProfile())
                .map(reason -> reason.cause().words())
                .collect(Collectors.toSet());
        List<Reason> times = shown(Part.ROLE)
                .filter(reason -> !reason.isOfProfile()
                        || !counted.contains(reason.cause().words()))
                .filter(this::explains)
                .toList();
        List<Reason> counts = shown(Part.COUNT).filter(this::explains).toList();
        return Stream.concat(times.stream().limit(counts.isEmpty() ? MOST : MOST - 1L), counts.stream())
                .limit(MOST)
                .toList();
    }

    /** True if no measured quantity explains a difference. */
    public boolean isEmpty() {
        return whole().isEmpty() && modes().isEmpty() && named().isEmpty();
    }

    private Stream<Reason> shown(Part part) {
        return candidates.stream()
                .filter(reason -> reason.shown() && reason.cause().part() == part)
                .sorted(Comparator.comparingDouble(Reason::size).reversed());
    }
}
