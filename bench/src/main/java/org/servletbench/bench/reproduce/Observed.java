package org.servletbench.bench.reproduce;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.Figures;
import org.servletbench.bench.article.Point;
import org.servletbench.bench.article.Quantity;
import org.servletbench.bench.article.RerunPlan;
import org.servletbench.bench.load.Fidelity;
import org.servletbench.bench.model.Mark;
import org.servletbench.bench.model.Threads;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Invocation;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.server.NginxSpec;

/**
 * What the campaigns with one choice of settings observed of an article's cells, block by block: all that a claim is held
 * against. A start is observed in the campaign of starts alone; its blocks are not those of the loads.
 *
 * @param blocks figures by block; errors are shares of all requests
 * @param why for cells without a figure, why there is none
 * @param floors cells in which the generator was at its limit in any block: the server gives this throughput or more, and its
 *     response times are not known. Never a subset of the blocks, because which ones are at the limit depends on the outcome
 * @param limited cells of a handler that waits whose servers were counted to serve fewer requests at once than there are users: the
 *     limit sets their throughput
 * @param others figures of arms under the same loads that no claim is about, and of the baseline's copy under its own name: only
 *     their noise counts
 * @param clockMs how coarse single response times are, ms: one may be off by so much either way; 0 where that does not matter
 * @param distrust why no figure under load is to be trusted; empty where there is no reason
 */
public record Observed(
        SortedMap<Integer, Figures> blocks,
        Map<Point, String> why,
        Set<Point> floors,
        Set<Point> limited,
        SortedMap<Integer, Figures> others,
        double clockMs,
        Optional<String> distrust) {

    /**
     * What campaigns say of the cells that an article's claims are about.
     *
     * @param article its plan says with which generator they are decided
     * @param load the campaign under load; empty where it has not begun
     * @param starts the campaign of starts; empty where it has not begun
     * @param nothing why one has not begun
     * @param settledOnly without figures under load of servers that were still getting faster ({@code warm-up}, {@code rising})
     */
    static Observed of(
            Article article,
            Optional<Judgement> load,
            Optional<Judgement> starts,
            String nothing,
            boolean settledOnly) {
        RerunPlan plan = article.asItShouldBe();
        SortedMap<Integer, Map<Point, Map<Quantity, Double>>> blocks = new TreeMap<>();
        Map<Point, String> why = new LinkedHashMap<>();
        Set<Point> floors = new LinkedHashSet<>();
        Set<Point> limited = new LinkedHashSet<>();
        Set<Point> cells = new LinkedHashSet<>();
        article.claims().forEach(claim -> cells.addAll(claim.statement().cells()));
        cells.addAll(article.figures().values().keySet());
        boolean claimed = !article.claimedOfStarts().isEmpty();
        for (Point cell : cells) {
            boolean start = claimed && cell.users() == 0;
            Optional<Judgement> campaign = start ? starts : load;
            if (campaign.isEmpty()) {
                why.put(cell, nothing);
                continue;
            }
            Judgement judgement = campaign.get();
            Optional<Arm> arm = arm(judgement, cell.arm());
            if (start && judgement.family().isVoid()) {
                why.put(cell, "the campaign of starts is void: the two copies of the baseline differ");
                continue;
            }
            if (arm.isEmpty()) {
                why.put(
                        cell,
                        start && cell.arm().equals(NginxSpec.ARM)
                                ? "nginx is no JVM: its start is not compared"
                                : cell.arm() + " was left out: it is not on this machine");
                continue;
            }
            observe(article, invocations(judgement, arm.get()), cell, settledOnly, why, floors, limited, blocks);
            if (blocks.values().stream().noneMatch(block -> block.containsKey(cell))) {
                why.putIfAbsent(cell, "was not measured");
            }
        }
        blocks.values()
                .forEach(block -> floors.forEach(cell ->
                        block.getOrDefault(cell, new HashMap<>()).keySet().removeIf(Quantity::isLatency)));
        SortedMap<Integer, Map<Point, Map<Quantity, Double>>> others = new TreeMap<>();
        Set<Point> othersFloors = new HashSet<>();
        for (Point cell : cells) {
            Optional<Judgement> campaign = claimed && cell.users() == 0 ? starts : load;
            for (Arm arm : campaign.map(judged -> judged.campaign().arms()).orElse(List.of())) {
                String name = arm.role() == Arm.Role.CONTROL ? arm.id() : name(arm);
                Point other = new Point(name, cell.workload(), cell.users());
                if (arm.role() != Arm.Role.REFERENCE && !cells.contains(other)) {
                    observe(
                            article,
                            invocations(campaign.get(), arm),
                            other,
                            settledOnly,
                            new HashMap<>(),
                            othersFloors,
                            limited,
                            others);
                }
            }
        }
        others.values().forEach(block -> block.keySet().removeAll(othersFloors));
        return new Observed(
                figures(blocks),
                why,
                floors,
                limited,
                figures(others),
                Fidelity.of(plan.generator()).map(Fidelity::resolutionMs).orElse(0.0),
                load.filter(judged -> judged.family().isVoid())
                        .map(judged -> "the campaign is void: the two copies of the baseline differ"));
    }

    /** Adds what an arm's servers showed of a cell, or why they showed nothing. */
    private static void observe(
            Article article,
            List<Invocation> invocations,
            Point cell,
            boolean settledOnly,
            Map<Point, String> why,
            Set<Point> floors,
            Set<Point> limited,
            Map<Integer, Map<Point, Map<Quantity, Double>>> blocks) {
        RerunPlan plan = article.asItShouldBe();
        if (article.method().handlerSeconds() > 0 && isLimited(counted(invocations), cell.users())) {
            limited.add(cell);
        }
        for (Invocation invocation : invocations) {
            Optional<Mark> whole =
                    invocation.marks().stream().filter(Mark::excludes).findFirst();
            if (whole.isPresent()) {
                why.putIfAbsent(cell, whole.get().figures());
                continue;
            }
            if (settledOnly && isRising(invocation, cell, plan)) {
                why.putIfAbsent(cell, "each of its servers was still getting faster");
                continue;
            }
            Map<Quantity, Double> figures = cell.users() == 0
                    ? Quantity.ofStart(invocation.startUp())
                    : underLoad(invocation, cell, plan, why, floors);
            if (!figures.isEmpty()) {
                blocks.computeIfAbsent(invocation.block(), number -> new LinkedHashMap<>())
                        .put(cell, figures);
            }
        }
    }

    private static SortedMap<Integer, Figures> figures(Map<Integer, Map<Point, Map<Quantity, Double>>> blocks) {
        SortedMap<Integer, Figures> figures = new TreeMap<>();
        blocks.forEach((block, values) -> figures.put(block, new Figures(values)));
        return figures;
    }

    /** The arm of a campaign that stands for an article's. */
    static Optional<Arm> arm(Judgement judgement, String name) {
        return judgement.campaign().arms().stream()
                .filter(arm -> arm.role() != Arm.Role.CONTROL && name(arm).equals(name))
                .findFirst();
    }

    /** An arm as articles name it. */
    public static String name(Arm arm) {
        return arm.profile() + (arm.threads() == Threads.VIRTUAL ? "+virtual" : "");
    }

    /** How many requests each arm's servers serve at once, as the running ones were found to: where that was counted. */
    static Map<String, String> servedAtOnce(Judgement judgement) {
        Map<String, String> limits = new TreeMap<>();
        for (Arm arm : judgement.campaign().arms()) {
            String found =
                    counted(invocations(judgement, arm)).stream().distinct().collect(Collectors.joining(" or "));
            if (arm.role() != Arm.Role.CONTROL && !found.isEmpty()) {
                limits.put(name(arm), found);
            }
        }
        return limits;
    }

    private static List<Invocation> invocations(Judgement judgement, Arm arm) {
        return judgement.chosen().stream()
                .filter(invocation -> invocation.arm().equals(arm.id()))
                .toList();
    }

    /** How many requests these servers were found to serve at once, each that was counted. */
    private static List<String> counted(List<Invocation> invocations) {
        return invocations.stream()
                .flatMap(invocation -> Stream.ofNullable(invocation.proven()))
                .flatMap(proven -> Stream.ofNullable(proven.get("served.at-once")))
                .toList();
    }

    /** Whether each server that was counted serves fewer requests at once than there are users. */
    static boolean isLimited(List<String> counted, int users) {
        return !counted.isEmpty()
                && counted.stream().allMatch(limit -> limit.matches("\\d{1,9}") && Integer.parseInt(limit) < users);
    }

    private static Map<Quantity, Double> underLoad(
            Invocation invocation, Point cell, RerunPlan plan, Map<Point, String> why, Set<Point> floors) {
        Optional<CellResult> found = result(invocation, cell, plan);
        if (found.isEmpty()) {
            return Map.of();
        }
        CellResult result = found.get();
        Map<Quantity, Double> figures = new LinkedHashMap<>();
        if (result.requests() > 0) {
            figures.put(Quantity.REQUESTS, (double) result.requests());
            // Failures are what this figure is about: it stands also where they exclude the others.
            figures.put(Quantity.ERRORS_PRINTED, (double) result.errors() / result.requests());
        }
        List<Mark> excluding = result.marks().stream().filter(Mark::excludes).toList();
        Optional<Mark> limit = result.marks().stream().filter(result::isFloor).findFirst();
        if (limit.isPresent() && floors.add(cell)) {
            // Why only one end of its throughput is known stands before any other reason.
            why.put(cell, limit.get().figures());
        }
        if (!excluding.isEmpty()) {
            why.putIfAbsent(cell, excluding.get(0).figures());
        }
        if (excluding.stream().allMatch(result::isFloor)) {
            put(figures, Quantity.THROUGHPUT, result.figures(), "throughput", 1);
        }
        if (excluding.isEmpty() && plan.measuresLatency()) {
            put(figures, Quantity.LATENCY_MEAN, result.figures(), "mean", 1);
            put(figures, Quantity.LATENCY_MEAN_SECONDS, result.figures(), "mean", 1e-3);
            put(figures, Quantity.LATENCY_MAX, result.figures(), "max", 1);
            histogram(result).ifPresent(histogram -> {
                figures.put(Quantity.LATENCY_MIN, (double) histogram.getMinValue());
                figures.put(Quantity.LATENCY_STDEV, histogram.getStdDeviation());
            });
        }
        return figures;
    }

    private static Optional<CellResult> result(Invocation invocation, Point cell, RerunPlan plan) {
        return invocation.cells().stream()
                .filter(result -> result.cell().workload().equals(cell.workload())
                        && result.cell().tier() == cell.users()
                        && result.cell().generator().equals(plan.generator()))
                .findFirst();
    }

    /** Start-up figures do not depend on the warm-up. */
    private static boolean isRising(Invocation invocation, Point cell, RerunPlan plan) {
        return cell.users() > 0
                && Stream.concat(
                                invocation.marks().stream(),
                                result(invocation, cell, plan).stream().flatMap(result -> result.marks().stream()))
                        .anyMatch(Mark::saysCold);
    }

    private static void put(
            Map<Quantity, Double> figures, Quantity metric, Map<String, Double> from, String key, double factor) {
        Double value = from.get(key);
        if (value != null && Double.isFinite(value)) {
            figures.put(metric, value * factor);
        }
    }

    private static Optional<Histogram> histogram(CellResult result) {
        if (result.histogram().isEmpty()) {
            return Optional.empty();
        }
        try {
            Histogram histogram = Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(result.histogram())), 0);
            return histogram.getTotalCount() > 0 ? Optional.of(histogram) : Optional.empty();
        } catch (DataFormatException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /** Each block's value, where it has one. */
    public double[] values(Point cell, Quantity metric) {
        return blocks.values().stream()
                .map(figures -> figures.at(cell, metric))
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .toArray();
    }
}
