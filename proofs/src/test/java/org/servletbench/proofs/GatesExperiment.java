package org.servletbench.proofs;

import static org.servletbench.bench.model.Text.text;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.comparison.ClaimSpec;
import org.servletbench.bench.comparison.Comparison;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Analysis.Against;
import org.servletbench.bench.record.ClaimResult;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.verdict.BlockData;
import org.servletbench.bench.verdict.MultipleComparison;
import org.servletbench.bench.verdict.NoVerdictReason;
import org.servletbench.bench.verdict.Settings;
import org.servletbench.bench.verdict.Stopping;

/**
 * The gate of a pull request, with a small real service (JPA, JSON): how often it fires without a difference, and how
 * often it finds 5 or 10 % more CPU time, 5 % more allocation, a wait of 5 ms, and a lock held for 1 ms.
 *
 * <p>One long campaign measures a baseline, its A/A copy and an arm for each change. Gates of fewer blocks are drawn
 * from its blocks, with replacement, each with the baseline, the A/A copy and one arm. They end and are judged as
 * comparisons/pull-request.yaml defines: by its precisions, and by its claims, which may end them early.
 *
 * <p>Servers of one build (the baseline, its A/A copy, and the unchanged arm) swap their roles at random in each block,
 * because a lucky server in this campaign is no property of the gate.
 */
record GatesExperiment(ProofLab lab) {

    static final String NAME = "gates";

    static final int DRAWS = 2_000;
    /** Maximum share of false alarms: half of the limit for all claims together. */
    private static final double MOST_FALSE = 0.025;
    /**
     * Blocks of a gate of ten minutes and of half an hour with this service, unless it reaches its precision earlier.
     */
    private static final int SHORT = 3;

    private static final int LONG = 9;
    /** Maximum numbers of blocks of the reported gates. */
    private static final List<Integer> LENGTHS = List.of(SHORT, 5, LONG, 15);
    /**
     * Number of campaigns drawn from the blocks of the real one, and of gates drawn from each of them. They show how
     * much a share depends on these particular blocks.
     */
    private static final int WORLDS = 200;

    private static final int GATES_OF_WORLD = 100;
    private static final long SEED = 55;

    private static final String BEFORE = "before";
    private static final String SAME = "same";
    /** Level of the intervals of {@link Draws#between}. */
    private static final double LEVEL = 0.95;

    /**
     * An arm with a planted change.
     *
     * @param cpu additional CPU time, as a share
     * @param allocation additional allocation, as a share
     * @param waitMs time that a request waits, ms
     * @param lockMs time that a request holds a lock, ms
     * @param blocks maximum number of blocks of the gates that must find it
     * @param least minimum share of these gates that must find it; 0 if there is nothing to find, at any length; NaN if
     *     no gate must find it
     */
    private record Change(
            String arm,
            String truth,
            double cpu,
            double allocation,
            int waitMs,
            int lockMs,
            int blocks,
            double least) {}

    private static final List<Change> CHANGES = List.of(
            new Change(SAME, "nothing differs", 0, 0, 0, 0, SHORT, 0),
            new Change("cpu5", "5 % more CPU time per request, the margin", 0.05, 0, 0, 0, LONG, Double.NaN),
            new Change("cpu10", "10 % more CPU time per request", 0.10, 0, 0, 0, LONG, 0.9),
            new Change("alloc5", "5 % more allocation per request", 0, 0.05, 0, 0, SHORT, 1),
            new Change("wait5", "each request waits for 5 ms", 0, 0, 5, 0, SHORT, 1),
            new Change("lock1", "each request holds a lock for 1 ms", 0, 0, 0, 1, SHORT, 1));

    /** Outcome of a gate. */
    enum Answer {
        /** A claim does not hold. */
        FIRES("fires in"),
        /** Every claim holds. */
        HOLDS("holds in"),
        UNDECIDED("undecided in"),
        /** The A/A check failed, so that the gate says nothing. */
        VOID("void in");

        private final String words;

        Answer(String words) {
            this.words = words;
        }
    }

    /**
     * Outcomes of several gates.
     *
     * @param hits number of gates by outcome; an outcome that did not occur is absent
     * @param of number of gates
     * @param meanBlocks mean number of blocks of a gate
     */
    record Gates(Map<Answer, Integer> hits, int of, double meanBlocks) {

        double share(Answer answer) {
            return counted(answer).share();
        }

        Counted counted(Answer answer) {
            return new Counted(hits.getOrDefault(answer, 0), of);
        }

        /** Returns {@code fires in 0.3 %, holds in 41.0 %, …}. */
        String words() {
            return Arrays.stream(Answer.values())
                    .map(answer -> text("%s %.1f %%", answer.words, 100 * share(answer)))
                    .collect(Collectors.joining(", "));
        }
    }

    List<Finding> run(Map<String, String> given) {
        Path jar = lab.shop();
        Plan gate = gate(jar);
        Analysis pilot = judged("gates-pilot", jar, Map.of(), Map.of("blocks", "2", "limit", "0s"));
        double cpu = of(pilot, Metric.CPU).typical(BEFORE);
        double allocation = of(pilot, Metric.ALLOCATION).typical(BEFORE);
        if (!(cpu > 0) || !(allocation > 0)) {
            throw new TargetException("gates: the pilot gave no CPU time or allocation per request");
        }
        lab.say(text("gates: %.1f µs and %.0f bytes a request", cpu, allocation));
        Map<String, String> costs = new LinkedHashMap<>();
        CHANGES.forEach(change -> costs.put(
                change.arm,
                text(
                        "shop.burn: \"%d\", shop.allocate: \"%d\", shop.wait: \"%d\", shop.lock: \"%d\"",
                        Math.round(1000 * cpu * change.cpu),
                        Math.round(allocation * change.allocation),
                        change.waitMs,
                        change.lockMs)));
        Analysis whole = judged(NAME, jar, costs, given);
        List<Finding> findings = new ArrayList<>();
        for (Change change : CHANGES) {
            for (int most : LENGTHS) {
                findings.add(finding(change, most, data(whole, change.arm), gate));
            }
        }
        return List.copyOf(findings);
    }

    /** Returns the shipped gate: its claims, margins and level, and the precisions at which it ends. */
    Plan gate(Path jar) {
        return lab.plan(
                Comparison.TWO_BUILDS,
                Map.of(
                        "set",
                        text("arms.before.app=%1$s;arms.after.app=%1$s;arms.after.properties.shop.arm=after", jar)));
    }

    private static Finding finding(Change change, int most, List<BlockData> data, Plan gate) {
        String subject = text("%s, up to %d blocks", change.arm, most);
        Optional<NoVerdictReason> barred = barred(data, change.arm);
        if (barred.isPresent()) {
            return undecided(subject, change.truth, barred.get());
        }
        Draws draws = new Draws(data, gate, change.arm, equal(data, change));
        Gates gates = draws.gates(most);
        double fired = gates.share(Answer.FIRES);
        String measured = text("%d gates of %.1f blocks: %s", gates.of, gates.meanBlocks, gates.words());
        double[] ends = draws.between(most, Answer.FIRES);
        String interval =
                text("%.1f to %.1f %% fire, over campaigns of %d blocks", 100 * ends[0], 100 * ends[1], draws.blocks());
        if (change.least == 0) {
            return Finding.of(NAME, subject, change.truth, measured, interval, fired <= MOST_FALSE);
        }
        return most == change.blocks && !Double.isNaN(change.least)
                ? Finding.of(NAME, subject, change.truth, measured, interval, fired >= change.least)
                : Finding.shown(NAME, subject, change.truth, measured, interval);
    }

    /** Returns the servers of one build: the baseline, its A/A copy and the unchanged arm. */
    private static List<String> equal(List<BlockData> data, Change change) {
        return Stream.concat(
                        change.least == 0 ? Stream.of(BEFORE, change.arm) : Stream.of(BEFORE),
                        data.get(0).control().stream())
                .toList();
    }

    /**
     * Returns the finding for a campaign whose gates cannot fire. Otherwise a row that asks for few alarms would pass
     * for no good reason.
     */
    static Finding undecided(String subject, String truth, NoVerdictReason why) {
        return Finding.shown(
                NAME, subject, truth, "nothing", "an arm of the whole campaign has no verdict: " + why.words());
    }

    /** Returns why the baseline or an arm has no verdict in the whole campaign; empty if both can have one. */
    static Optional<NoVerdictReason> barred(List<BlockData> whole, String arm) {
        return whole.stream()
                .flatMap(one -> Stream.of(BEFORE, arm).map(one.barred()::get))
                .filter(Objects::nonNull)
                .findFirst();
    }

    /** Returns the comparisons of the gate between the baseline and one arm. */
    private static List<BlockData> data(Analysis whole, String arm) {
        return Stream.of(Metric.CPU, Metric.ALLOCATION, Metric.MEAN)
                .map(metric -> only(of(whole, metric), arm))
                .toList();
    }

    private static BlockData of(Analysis judged, Metric metric) {
        MeasuredLoad load = judged.loads().stream()
                .filter(one -> judged.primary(one).contains(metric))
                .findFirst()
                .orElseThrow();
        return judged.comparison(judged.groups().get(0).name(), load, metric);
    }

    private static BlockData only(BlockData all, String arm) {
        return new BlockData(
                all.group(),
                all.load(),
                all.metric(),
                List.of(BEFORE, arm),
                BEFORE,
                all.control(),
                all.blocks(),
                all.floors(),
                all.resolution(),
                all.barred(),
                all.rule(),
                all.effects());
    }

    /**
     * Gates whose blocks are drawn one after the other from those of one campaign, until the gate reaches its
     * precision.
     *
     * @param arm the arm that represents the second build
     * @param equal servers of one build, which swap their roles at random in each block; may be empty
     */
    record Draws(List<BlockData> whole, Plan gate, String arm, List<String> equal) {

        /** @throws TargetException if there are fewer than two complete blocks */
        Draws {
            if (Resampled.completeBlocks(whole).size() < 2) {
                throw new TargetException("gates: fewer than two complete blocks");
            }
        }

        int blocks() {
            return complete().size();
        }

        private List<Integer> complete() {
            return Resampled.completeBlocks(whole);
        }

        /** @param most maximum number of blocks of a gate */
        Gates gates(int most) {
            return gates(complete(), most, DRAWS, new Random(SEED));
        }

        /**
         * Returns how much the share of an outcome depends on the particular blocks of this campaign: percentiles over
         * campaigns with as many blocks, drawn from its own with replacement (B. Efron and R. J. Tibshirani, An
         * Introduction to the Bootstrap, 1993, chapter 13).
         *
         * @return both ends, as shares, from {@link #GATES_OF_WORLD} gates each, which makes the interval slightly too
         *     wide
         */
        double[] between(int most, Answer answer) {
            List<Integer> complete = complete();
            Random random = new Random(SEED);
            double[] shares = new double[WORLDS];
            for (int world = 0; world < WORLDS; world++) {
                List<Integer> those = random.ints(complete.size(), 0, complete.size())
                        .mapToObj(complete::get)
                        .toList();
                shares[world] = gates(those, most, GATES_OF_WORLD, random).share(answer);
            }
            Arrays.sort(shares);
            int outside = (int) Math.round(WORLDS * (1 - LEVEL) / 2);
            return new double[] {shares[outside], shares[WORLDS - 1 - outside]};
        }

        private Gates gates(List<Integer> from, int most, int draws, Random random) {
            Map<Answer, Integer> hits = new EnumMap<>(Answer.class);
            int blocks = 0;
            for (int draw = 0; draw < draws; draw++) {
                List<Drawn> drawn = random.ints(most, 0, from.size())
                        .mapToObj(one -> new Drawn(from.get(one), roles(random)))
                        .toList();
                int length = 1;
                Answer answer;
                boolean ends;
                do {
                    length++;
                    List<Drawn> sofar = drawn.subList(0, length);
                    MultipleComparison family = family(whole, sofar, gate, gate.judging());
                    answer = answer(family, gate, arm);
                    ends = length == most
                            || Stopping.enough(family, gate.precisions(), gate.lead())
                            || answer == Answer.FIRES && surelyFires(sofar, length);
                } while (!ends);
                blocks += length;
                hits.merge(answer, 1, Integer::sum);
            }
            return new Gates(hits, draws, (double) blocks / draws);
        }

        /** True if a gate ends early because a claim has certainly failed. */
        private boolean surelyFires(List<Drawn> sofar, int blocks) {
            return gate.endsEarly()
                    && blocks >= Stopping.FIRST_LOOK
                    && answer(family(whole, sofar, gate, gate.judgingAfter(blocks)), gate, arm) == Answer.FIRES;
        }

        private Map<String, String> roles(Random random) {
            List<String> servers = new ArrayList<>(equal);
            Collections.shuffle(servers, random);
            Map<String, String> roles = new HashMap<>();
            for (int i = 0; i < servers.size(); i++) {
                roles.put(equal.get(i), servers.get(i));
            }
            return roles;
        }
    }

    /**
     * A block of a gate.
     *
     * @param block number of the drawn block in the campaign
     * @param roles for each arm, the server whose values represent it; an absent arm keeps its own
     */
    private record Drawn(int block, Map<String, String> roles) {

        Map<String, Double> values(BlockData of) {
            Map<String, Double> own = of.blocks().get(block);
            Map<String, Double> values = new HashMap<>(own);
            roles.forEach((role, server) -> values.put(role, own.get(server)));
            return values;
        }
    }

    private static MultipleComparison family(List<BlockData> whole, List<Drawn> drawn, Plan gate, Settings settings) {
        return MultipleComparison.of(
                whole.stream().map(one -> one.with(drawn(one, drawn))).toList(),
                settings,
                0,
                gate.judging().alpha());
    }

    private static Answer answer(MultipleComparison family, Plan gate, String arm) {
        if (family.isVoid()) {
            return Answer.VOID;
        }
        Set<ClaimResult.Outcome> parts = gate.claims().all().stream()
                .flatMap(claim -> claim.parts().stream())
                .map(part -> outcome(part, family, arm))
                .collect(Collectors.toSet());
        return parts.contains(ClaimResult.Outcome.DOES_NOT_HOLD)
                ? Answer.FIRES
                : parts.equals(Set.of(ClaimResult.Outcome.HOLDS)) ? Answer.HOLDS : Answer.UNDECIDED;
    }

    private static ClaimResult.Outcome outcome(ClaimSpec.Part part, MultipleComparison family, String arm) {
        Metric metric = Metric.of(part.metric()).orElseThrow();
        Against against = family.pairs().stream()
                .filter(pair -> pair.contrast().metric() == metric)
                .map(pair -> Against.of(pair, arm))
                .findFirst()
                .orElseThrow();
        return ClaimResult.outcome(part, metric, family.settings().margin(metric), against.low(), against.high());
    }

    private static SortedMap<Integer, Map<String, Double>> drawn(BlockData one, List<Drawn> from) {
        SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>();
        for (int block = 1; block <= from.size(); block++) {
            blocks.put(block, from.get(block - 1).values(one));
        }
        return blocks;
    }

    private Analysis judged(String name, Path jar, Map<String, String> costs, Map<String, String> given) {
        return lab.judged(name, comparison(jar, costs), given);
    }

    /**
     * Returns the load of comparisons/pull-request.yaml, with an arm for each change. Each change gets its own name, so
     * that arms with equal costs remain different arms.
     */
    private static String comparison(Path jar, Map<String, String> costs) {
        StringBuilder arms = new StringBuilder("  " + BEFORE + ": {}\n");
        (costs.isEmpty() ? Map.of(SAME, "shop.burn: \"0\"") : costs)
                .forEach((arm, cost) -> arms.append(text("  %s: {properties: {%s, shop.arm: %s}}\n", arm, cost, arm)));
        return text("""
                app: %s
                arms:
                %sworkloads:
                  request: {url: "/api/purchases?city=Lund", length: 1000..20000}
                load:
                  - {workloads: request, users: 32}
                  - {workloads: request, users: 8, pause: exponential 100ms, judge: mean}
                judge: [cpu, alloc]
                measure: {hold: 8s}
                """, jar, arms);
    }
}
