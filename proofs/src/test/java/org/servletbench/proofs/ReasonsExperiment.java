package org.servletbench.proofs;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Invocation;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.verdict.Cause;
import org.servletbench.bench.verdict.Reason;
import org.servletbench.bench.verdict.Reasons;

/**
 * Planted costs are named as reasons, and nothing is named of two copies of one jar. One campaign of Tomcat: a baseline and a copy of it as
 * an arm, and one arm for each cost; its blocks are drawn again, with replacement, {@link #DRAWS} times.
 */
record ReasonsExperiment(ProofLab lab) {

    static final String NAME = "reasons";

    static final int DRAWS = 20;
    /** Sets of blocks in which the right thing must come out. */
    static final int LEAST = 19;

    private static final long SEED = 52;
    private static final String TOMCAT = "tomcat-nio";
    private static final String CLEAN = "clean";
    private static final String COPY = "copy";

    /**
     * A planted cost.
     *
     * @param option of the server's JVM
     * @param named whether a reason is the right one
     */
    private record Cost(String arm, String option, String truth, Predicate<Reason> named) {}

    private static final List<Cost> COSTS = List.of(
            // 5 % of some 60 µs.
            new Cost(
                    "burn",
                    "-Dproof.burn=3us",
                    "a method of the application burns 3 µs a request",
                    reason -> reason.cause().equals(new Cause.Layer("your code"))
                            || reason.cause().equals(new Cause.Counter(Metric.CPU_USER))
                            || reason.cause().equals(new Cause.Counter(Metric.CPU))),
            new Cost(
                    "hand-over",
                    "-Dproof.hand-over=true",
                    "each request is handed to another thread once more",
                    reason -> reason.cause().equals(new Cause.Counter(Metric.VOLUNTARY))
                            || reason.cause().equals(new Cause.Layer("thread hand-over"))),
            new Cost("write", "-Dproof.write=true", "each request makes one more write call", reason -> reason.cause()
                    .equals(new Cause.Counter(Metric.WRITE_CALLS))));

    List<Finding> run(Map<String, String> given) {
        List<Arm> arms = new ArrayList<>(List.of(
                lab.arm(TOMCAT, CLEAN, Arm.Role.BASELINE),
                lab.arm(TOMCAT, CLEAN + "-control", Arm.Role.CONTROL),
                lab.arm(TOMCAT, COPY, Arm.Role.ARM)));
        Map<String, String> options = new LinkedHashMap<>();
        // The switch itself costs some tenths of a µs: all arms pay it.
        arms.forEach(arm -> options.put(arm.id(), "-Dproof.burn=0us"));
        for (Cost cost : COSTS) {
            arms.add(lab.arm(TOMCAT, cost.arm, Arm.Role.ARM));
            options.put(cost.arm, (cost.arm.equals("burn") ? "" : "-Dproof.burn=0us ") + cost.option);
        }
        Map<String, String> all = new LinkedHashMap<>(Map.of("explain", "true"));
        all.putAll(given);
        CampaignFolder read = lab.quick(NAME, arms, options, all);
        Judgement whole = Judgement.of(read.campaign(), read.invocations());
        whole.why(whole.groups().get(0), whole.cells().get(0)).forEach(lab::say);
        List<Judgement> draws = draws(read);
        List<Finding> findings = new ArrayList<>();
        for (Cost cost : COSTS) {
            findings.add(finding(
                    cost.arm, cost.truth, draws, reasons -> shown(reasons).anyMatch(cost.named)));
        }
        findings.add(finding(
                "burn",
                "the method is among the three frames that differ most",
                draws.stream().filter(ReasonsExperiment::isMethodFirst).count()));
        findings.add(finding(COPY, "nothing differs, and nothing is named", draws, Reasons::isEmpty));
        return List.copyOf(findings);
    }

    private static Stream<Reason> shown(Reasons reasons) {
        return Stream.of(reasons.whole().stream(), reasons.modes().stream(), reasons.named().stream())
                .flatMap(one -> one);
    }

    private static Finding finding(String arm, String truth, List<Judgement> draws, Predicate<Reasons> right) {
        return finding(
                arm,
                truth,
                draws.stream()
                        .flatMap(judged -> judged
                                .reasons(judged.groups().get(0), judged.cells().get(0))
                                .stream())
                        .filter(reasons -> reasons.arm().equals(arm))
                        .filter(right)
                        .count());
    }

    private static Finding finding(String arm, String truth, long found) {
        return Finding.of(
                NAME,
                arm,
                truth,
                text("%d of %d sets of blocks (at least %d)", found, DRAWS, LEAST),
                "",
                found >= LEAST);
    }

    /** By its own time, µs per request, less that of the baseline. */
    private static boolean isMethodFirst(Judgement judged) {
        Map<String, Double> differences = new HashMap<>();
        judged.profiles(judged.groups().get(0), judged.cells().get(0)).forEach((server, profile) -> {
            double sign = server.arm().equals("burn") ? 1 : server.arm().equals(CLEAN) ? -1 : 0;
            double cpu = server.cells().get(0).figure(Metric.CPU).orElse(0);
            profile.frames().forEach((frame, share) -> differences.merge(frame, sign * cpu * share, Double::sum));
        });
        return differences.entrySet().stream()
                .sorted(Comparator.comparingDouble((Map.Entry<String, Double> one) -> -Math.abs(one.getValue())))
                .limit(3)
                .anyMatch(one -> one.getKey().contains("ProofBurner"));
    }

    private static List<Judgement> draws(CampaignFolder read) {
        List<Integer> blocks = new ArrayList<>(
                new TreeSet<>(read.invocations().stream().map(Invocation::block).toList()));
        Random random = new Random(SEED);
        List<Judgement> draws = new ArrayList<>();
        for (int draw = 0; draw < DRAWS; draw++) {
            List<Invocation> drawn = new ArrayList<>();
            for (int block = 1; block <= blocks.size(); block++) {
                int from = blocks.get(random.nextInt(blocks.size()));
                int to = block;
                drawn.addAll(read.invocations().stream()
                        .filter(one -> one.block() == from)
                        .map(one -> one.inBlock(to))
                        .collect(Collectors.toList()));
            }
            draws.add(Judgement.of(read.campaign(), drawn));
        }
        return draws;
    }
}
