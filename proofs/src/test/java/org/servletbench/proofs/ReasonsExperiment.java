package org.servletbench.proofs;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Layers;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.verdict.Cause;
import org.servletbench.bench.verdict.Reason;
import org.servletbench.bench.verdict.Reasons;

/**
 * Planted costs are named as reasons, and nothing is named for two copies of one jar. One campaign of Tomcat measures a
 * baseline, an A/A copy, a further copy as an arm, and one arm for each cost.
 *
 * <p>Costs are searched for in {@link #DRAWS} sets of three quarters of the blocks, drawn without replacement, because
 * a block that occurs twice would look like less noise. The three equal servers of each block swap their roles at
 * random, because it does not matter which of them is called the copy.
 */
record ReasonsExperiment(ProofLab lab) {

    static final String NAME = "reasons";

    static final int DRAWS = 20;
    /** Number of times that the equal servers swap their roles. */
    static final int EXCHANGES = 200;
    /** Minimum share of draws or swaps with the right result. */
    static final double LEAST = 0.95;

    private static final long SEED = 52;
    private static final String TOMCAT = "tomcat-nio";
    private static final String CLEAN = "clean";
    private static final String CONTROL = "clean-control";
    private static final String COPY = "copy";

    /**
     * A planted cost.
     *
     * @param option option of the server's JVM
     * @param right causes of which at least one must be named as increased
     * @param wrong causes of which none may be named
     */
    private record Cost(String arm, String option, String truth, List<Cause> right, List<Cause> wrong) {

        boolean isNamed(Reasons reasons) {
            List<Cause> more = more(reasons);
            return more.stream().anyMatch(right::contains) && more.stream().noneMatch(wrong::contains);
        }
    }

    private static List<Cause> more(Reasons reasons) {
        return shown(reasons).filter(Reason::isMore).map(Reason::cause).toList();
    }

    private static Cause counter(Metric metric) {
        return new Cause.Counter(metric);
    }

    private static final List<Cost> COSTS = List.of(
            // 5 % of about 60 µs.
            new Cost(
                    "burn",
                    "-Dproof.burn=3us",
                    "a method of the application burns 3 µs a request",
                    List.of(new Cause.Layer(Layers.OWN), counter(Metric.CPU_USER)),
                    List.of(
                            counter(Metric.VOLUNTARY),
                            counter(Metric.WRITE_CALLS),
                            counter(Metric.READ_CALLS),
                            new Cause.Layer("thread hand-off"))),
            new Cost(
                    "hand-over",
                    "-Dproof.hand-over=true",
                    "each request is handed to another thread once more",
                    List.of(counter(Metric.VOLUNTARY), new Cause.Layer("thread hand-off")),
                    List.of(counter(Metric.WRITE_CALLS), counter(Metric.READ_CALLS))),
            new Cost(
                    "write",
                    "-Dproof.write=true",
                    "each request makes one more write call",
                    List.of(counter(Metric.WRITE_CALLS)),
                    List.of(counter(Metric.VOLUNTARY), new Cause.Layer("thread hand-off"))));

    List<Finding> run(Map<String, String> given) {
        List<Arm> arms = new ArrayList<>(List.of(
                lab.arm(TOMCAT, CLEAN, Arm.Role.BASELINE),
                lab.arm(TOMCAT, CONTROL, Arm.Role.CONTROL),
                lab.arm(TOMCAT, COPY, Arm.Role.ARM)));
        Map<String, String> options = new LinkedHashMap<>();
        // The switch itself costs a few tenths of a µs, so all arms have to pay for it.
        arms.forEach(arm -> options.put(arm.id(), "-Dproof.burn=0us"));
        for (Cost cost : COSTS) {
            arms.add(lab.arm(TOMCAT, cost.arm, Arm.Role.ARM));
            options.put(cost.arm, (cost.arm.equals("burn") ? "" : "-Dproof.burn=0us ") + cost.option);
        }
        Map<String, String> all = new LinkedHashMap<>(Map.of("cpu-profile", "true"));
        all.putAll(given);
        CampaignFolder read = lab.quick(NAME, arms, options, all);
        Analysis whole = Analysis.of(read.campaign(), read.serverRuns());
        whole.why(whole.groups().get(0), whole.loads().get(0)).forEach(why -> lab.say(why.sentence()));
        List<Analysis> sets = sets(read);
        List<Finding> findings = new ArrayList<>();
        for (Cost cost : COSTS) {
            findings.add(finding(cost.arm, cost.truth, sets, cost::isNamed));
            // One of these causes is enough; the finding says which one.
            cost.right.forEach(cause -> findings.add(Finding.shown(
                    NAME,
                    cost.arm,
                    "it is named " + cause.words(),
                    text(
                            "%d of %d",
                            count(cost.arm, sets, reasons -> more(reasons).contains(cause)), sets.size()),
                    "one of the causes that are right")));
        }
        findings.add(finding(
                "burn",
                "the method is among the three frames that differ most",
                sets.stream().filter(ReasonsExperiment::isMethodFirst).count(),
                DRAWS));
        findings.add(finding(COPY, "nothing differs, and nothing is named", List.of(whole), Reasons::isEmpty));
        findings.add(finding(
                COPY, "nothing is named with the roles of copies exchanged", exchanged(read), Reasons::isEmpty));
        return List.copyOf(findings);
    }

    private static Stream<Reason> shown(Reasons reasons) {
        return Stream.of(reasons.whole().stream(), reasons.modes().stream(), reasons.named().stream())
                .flatMap(one -> one);
    }

    private static Finding finding(String arm, String truth, List<Analysis> drawn, Predicate<Reasons> right) {
        return finding(arm, truth, count(arm, drawn, right), drawn.size());
    }

    private static long count(String arm, List<Analysis> drawn, Predicate<Reasons> right) {
        return drawn.stream()
                .flatMap(judged ->
                        judged.reasons(judged.groups().get(0), judged.loads().get(0)).stream())
                .filter(reasons -> reasons.arm().equals(arm))
                .filter(right)
                .count();
    }

    private static Finding finding(String arm, String truth, long found, int of) {
        return Finding.of(
                NAME,
                arm,
                truth,
                text("%d of %d", found, of),
                text("at least %.0f %% of them", 100 * LEAST),
                found >= LEAST * of);
    }

    /** True if the method ranks first by its additional self time over the baseline, µs per request. */
    private static boolean isMethodFirst(Analysis judged) {
        Map<String, Double> differences = new HashMap<>();
        judged.profiles(judged.groups().get(0), judged.loads().get(0)).forEach((server, profile) -> {
            double sign = server.arm().equals("burn") ? 1 : server.arm().equals(CLEAN) ? -1 : 0;
            double cpu = server.loads().get(0).figure(Metric.CPU).orElse(0);
            profile.frames().forEach((frame, share) -> differences.merge(frame, sign * cpu * share, Double::sum));
        });
        return differences.entrySet().stream()
                .sorted(Comparator.comparingDouble((Map.Entry<String, Double> one) -> -Math.abs(one.getValue())))
                .limit(3)
                .anyMatch(one -> one.getKey().contains("ProofBurner"));
    }

    private static List<Analysis> sets(CampaignFolder read) {
        List<Integer> blocks = new ArrayList<>(
                new TreeSet<>(read.serverRuns().stream().map(ServerRun::block).toList()));
        Random random = new Random(SEED);
        List<Analysis> sets = new ArrayList<>();
        for (int draw = 0; draw < DRAWS; draw++) {
            Collections.shuffle(blocks, random);
            Set<Integer> drawn = Set.copyOf(blocks.subList(0, Math.max(2, blocks.size() * 3 / 4)));
            sets.add(Analysis.of(
                    read.campaign(),
                    read.serverRuns().stream()
                            .filter(one -> drawn.contains(one.block()))
                            .toList()));
        }
        return sets;
    }

    private static List<Analysis> exchanged(CampaignFolder read) {
        Random random = new Random(SEED);
        List<Analysis> exchanged = new ArrayList<>();
        for (int draw = 0; draw < EXCHANGES; draw++) {
            Map<Integer, Map<String, String>> roles = new HashMap<>();
            exchanged.add(Analysis.of(
                    read.campaign(),
                    read.serverRuns().stream()
                            .map(one -> one.inArm(roles.computeIfAbsent(one.block(), block -> roles(random))
                                    .getOrDefault(one.arm(), one.arm())))
                            .toList()));
        }
        return exchanged;
    }

    /** Returns the role of each of the equal servers. */
    private static Map<String, String> roles(Random random) {
        List<String> equal = List.of(CLEAN, CONTROL, COPY);
        List<String> others = new ArrayList<>(equal);
        Collections.shuffle(others, random);
        return Map.of(equal.get(0), others.get(0), equal.get(1), others.get(1), equal.get(2), others.get(2));
    }
}
