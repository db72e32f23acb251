package org.servletbench.proofs;

import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.servletbench.bench.comparison.Comparison;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Judgement.Against;
import org.servletbench.bench.server.process.MavenBuild;
import org.servletbench.bench.verdict.BlockData;
import org.servletbench.bench.verdict.Family;
import org.servletbench.bench.verdict.Settings;
import org.servletbench.bench.verdict.Verdict;

/**
 * The gate of a pull request with a small real service (JPA, JSON): how often it fires where nothing differs, and how often it finds 5 or
 * 10 % more CPU time, and 5 % more allocation. One long campaign of a baseline, its control and an arm for each; gates of fewer blocks are
 * drawn from its blocks, with replacement, each with the baseline, the control and one arm, and judged by comparisons/pull-request.yaml.
 */
record GatesExperiment(ProofLab lab) {

    static final String NAME = "gates";

    static final int DRAWS = 2_000;
    /** False alarms of gates: half of what all claims together may have. */
    private static final double MOST_FALSE = 0.025;
    /** Blocks of a gate of about ten minutes, and of half an hour. */
    private static final int SHORT = 5;

    private static final int LONG = 15;
    private static final long SEED = 55;

    private static final String BEFORE = "before";
    private static final String SAME = "same";
    private static final Pattern BOOT = Pattern.compile("<boot3.version>([^<]+)<");

    /**
     * An arm with a planted change.
     *
     * @param cpu more CPU time, as a share
     * @param allocation more allocation, as a share
     * @param blocks of the gates that must find it
     * @param least share of them that must; 0: nothing is there to be found
     */
    private record Change(String arm, String truth, double cpu, double allocation, int blocks, double least) {}

    private static final List<Change> CHANGES = List.of(
            new Change(SAME, "nothing differs", 0, 0, SHORT, 0),
            new Change("cpu5", "5 % more CPU time per request, the margin", 0.05, 0, LONG, Double.NaN),
            new Change("cpu10", "10 % more CPU time per request", 0.10, 0, LONG, 0.9),
            new Change("alloc5", "5 % more allocation per request", 0, 0.05, SHORT, 1));

    List<Finding> run(Map<String, String> given) {
        Path jar = built();
        Settings gate = gate(jar);
        Judgement pilot = judged("gates-pilot", jar, Map.of(), Map.of("blocks", "2", "limit", "0s"));
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
                        "shop.burn: \"%d\", shop.allocate: \"%d\"",
                        Math.round(1000 * cpu * change.cpu), Math.round(allocation * change.allocation))));
        Judgement whole = judged(NAME, jar, costs, given);
        List<Finding> findings = new ArrayList<>();
        for (Change change : CHANGES) {
            findings.add(finding(change, fired(data(whole, change.arm), gate, change.arm, change.blocks)));
        }
        return List.copyOf(findings);
    }

    /** A gate may end at its precision, which costs a part of its level; the campaign whose blocks are drawn has a number of blocks. */
    Settings gate(Path jar) {
        return lab.judging(
                Comparison.TWO_BUILDS,
                Map.of(
                        "set",
                        text("arms.before.app=%1$s;arms.after.app=%1$s;arms.after.properties.shop.arm=after", jar)));
    }

    private static Finding finding(Change change, Counted fired) {
        String subject = change.arm + ", " + change.blocks + " blocks";
        String measured = text("%s gates fire (%.1f %%)", fired.text(), 100 * fired.share());
        String interval = fired.interval(0.95) + ", of draws from the same blocks";
        if (Double.isNaN(change.least)) {
            return Finding.shown(NAME, subject, change.truth, measured, interval);
        }
        return Finding.of(
                NAME,
                subject,
                change.truth,
                measured,
                interval,
                change.least == 0 ? fired.share() <= MOST_FALSE : fired.share() >= change.least);
    }

    /** The comparisons of the gate between the baseline and one arm. */
    private static List<BlockData> data(Judgement whole, String arm) {
        return List.of(only(of(whole, Metric.CPU), arm), only(of(whole, Metric.ALLOCATION), arm));
    }

    private static BlockData of(Judgement judged, Metric metric) {
        return judged.comparison(judged.groups().get(0).name(), judged.cells().get(0), metric);
    }

    private static BlockData only(BlockData all, String arm) {
        return new BlockData(
                all.group(),
                all.cell(),
                all.metric(),
                List.of(BEFORE, arm),
                BEFORE,
                all.control(),
                all.blocks(),
                all.floors(),
                all.resolution(),
                all.barred());
    }

    /** How many gates of so many blocks, drawn from these, say that the arm is slower. A gate with a broken control says nothing. */
    static Counted fired(List<BlockData> whole, Settings settings, String arm, int blocks) {
        List<Integer> all = Resampled.completeBlocks(whole);
        if (all.size() < 2) {
            throw new TargetException("gates: fewer than two complete blocks");
        }
        Random random = new Random(SEED);
        int fired = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
            List<Integer> drawn =
                    random.ints(blocks, 0, all.size()).mapToObj(all::get).toList();
            Family gate = Family.of(
                    whole.stream().map(one -> one.with(drawn(one, drawn))).toList(), settings);
            boolean slower =
                    gate.pairs().stream().anyMatch(pair -> Against.of(pair, arm).verdict() == Verdict.SLOWER);
            fired += slower && !gate.isVoid() ? 1 : 0;
        }
        return new Counted(fired, DRAWS);
    }

    private static SortedMap<Integer, Map<String, Double>> drawn(BlockData one, List<Integer> from) {
        SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>();
        for (int block = 1; block <= from.size(); block++) {
            blocks.put(block, one.blocks().get(from.get(block - 1)));
        }
        return blocks;
    }

    private Judgement judged(String name, Path jar, Map<String, String> costs, Map<String, String> given) {
        CampaignFolder read = lab.comparison(name, file(name, jar, costs), given);
        return Judgement.of(read.campaign(), read.invocations());
    }

    /** The load of comparisons/pull-request.yaml, with an arm for each change. Each is named, so that equal ones are not the same arm. */
    private Path file(String name, Path jar, Map<String, String> costs) {
        StringBuilder arms = new StringBuilder("  " + BEFORE + ": {}\n");
        (costs.isEmpty() ? Map.of(SAME, "shop.burn: \"0\"") : costs)
                .forEach((arm, cost) -> arms.append(text("  %s: {properties: {%s, shop.arm: %s}}\n", arm, cost, arm)));
        String content = text("""
                app: %s
                arms:
                %sworkloads:
                  request: {url: "/api/purchases?city=Lund", length: 1000..20000}
                load:
                  - {workloads: request, tiers: 32}
                judge: [cpu, alloc]
                """, jar, arms);
        try {
            return Files.writeString(lab.folder().resolve(name + ".yaml"), content);
        } catch (IOException e) {
            throw new TargetException("cannot write in " + lab.folder() + " (" + e.getMessage() + ")");
        }
    }

    /** The JPA service of the tests. */
    private Path built() {
        Path root = lab.repository();
        try {
            Matcher version = BOOT.matcher(Files.readString(root.resolve("pom.xml")));
            if (!version.find()) {
                throw new TargetException("no version of Spring Boot in " + root.resolve("pom.xml"));
            }
            Path target = lab.folder().resolve("shop");
            Path jar = target.resolve("shop.jar");
            if (!Files.isRegularFile(jar)) {
                lab.say("gates: building the service");
                MavenBuild.run(
                        root.resolve("bench/src/test/services/shop/pom.xml"),
                        List.of("-Dboot.version=" + version.group(1), "-Dservice.target=" + target, "package"));
            }
            return jar;
        } catch (IOException e) {
            throw new TargetException("gates: " + e.getMessage());
        }
    }
}
