package org.servletbench.proofs;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.verdict.BlockData;
import org.servletbench.bench.verdict.MultipleComparison;
import org.servletbench.bench.verdict.SampleSize;
import org.servletbench.bench.verdict.Settings;

/**
 * Results without any true difference, on real noise: one long campaign of identical arms with the quick plan, judged
 * by {@link NullAnalysis} and resampled by {@link Resampled}. On the same data, it shows how often a known difference
 * is found.
 *
 * @param share share of the simulations to run, in (0, 1]: tests need fewer
 */
record NullExperiment(ProofLab lab, int chunk, double share) {

    static final String NAME = "null";
    static final String SPIKE = "spike";

    /** Number of blocks of the longer of the campaigns made from the data. */
    static final int LONG = 10;

    private static final int PERMUTATIONS = 500;
    private static final int ORDERS = 5_000;
    private static final int DRAWS = 10_000;
    private static final int SPIKE_DRAWS = 2_000;
    private static final long SEED = 13;
    private static final double ALARMS = 0.055;
    private static final double FOUND = 0.8;
    /** Level of the six intervals of coverage. At 95 %, one of them would miss in every fourth run. */
    private static final double COVERAGE_LEVEL = 0.99;

    private static final List<Double> SPIKES = List.of(1.02, 1.03, 1.05, 1.08);
    private static final double QUICK_SPIKE = 1.05;
    private static final double LONG_SPIKE = 1.03;

    NullExperiment(ProofLab lab, int chunk) {
        this(lab, chunk, 1);
    }

    private int part(int draws) {
        return (int) Math.ceil(share * draws);
    }

    /**
     * Runs or resumes the campaign, and analyses it.
     *
     * @param given options that override the quick preset: {@code blocks}, {@code limit}, …
     */
    List<Finding> run(int arms, Map<String, String> given) {
        lab.say("null: " + arms + " copies of one jar");
        List<Arm> copies = IntStream.rangeClosed(1, arms)
                .mapToObj(i -> lab.arm(
                        "tomcat-nio",
                        "copy" + i,
                        i == 1 ? Arm.Role.BASELINE : i == arms && i > 2 ? Arm.Role.CONTROL : Arm.Role.ARM))
                .toList();
        Data data = data(lab.quick(NAME, copies, Map.of(), given));
        return analysed(data.whole, data.settings, data.design);
    }

    /** Runs the spike-in on existing data, without load. */
    List<Finding> spike() {
        lab.say(SPIKE);
        Optional<CampaignFolder> before = lab.found(NAME);
        if (before.isEmpty()) {
            return List.of(Finding.skipped(
                    SPIKE,
                    "",
                    "there is no data of 'null' in " + lab.folder() + ": run both, or give -Dproofs.folder=DIR"
                            + " with the folder of a run of null"));
        }
        Data data = data(before.get());
        return spiked(data.whole, data.settings, data.design);
    }

    private record Data(List<BlockData> whole, Settings settings, SampleSize.Design design) {}

    private Data data(CampaignFolder read) {
        Analysis judged = Analysis.of(read.campaign(), read.serverRuns());
        int ranked = lab.quickArms();
        return new Data(
                judged.family().comparisons(),
                judged.settings(),
                new SampleSize.Design(
                        ranked, true, judged.family().comparisons().size()));
    }

    /** Returns all findings of one long A/A campaign. Reads no clock and no file. */
    List<Finding> analysed(List<BlockData> whole, Settings settings, SampleSize.Design design) {
        List<Finding> findings = new ArrayList<>();
        long blocks = whole.stream().mapToLong(c -> c.blocks().size()).max().orElse(0);
        int arms = NullAnalysis.arms(whole.get(0)).size();
        if (blocks < 2) {
            return List.of(Finding.of(NAME, "data", "two blocks or more", blocks + " blocks", "", false));
        }
        findings.add(Finding.shown(
                NAME,
                "data",
                "",
                blocks + " blocks of " + arms + " copies; residual "
                        + whole.stream()
                                .map(c -> text(
                                        "%.2f %% in %s",
                                        100 * MultipleComparison.residual(c).sd(),
                                        c.metric().words()))
                                .collect(Collectors.joining(", "))
                        + floors(whole),
                "the data that all lines of null and spike are about"));
        NullAnalysis analysis = new NullAnalysis(whole, settings, chunk);
        findings.add(asRun(analysis, settings));
        analysis.coverage().forEach(coverage -> findings.addAll(coverage(coverage)));
        Counted permuted = analysis.permuted(part(PERMUTATIONS), SEED);
        findings.add(Finding.shown(
                NAME,
                "labels permuted within blocks",
                "",
                text(
                        "%.1f %% of %d pseudo-campaigns (Monte Carlo) name a difference",
                        100 * permuted.share(), permuted.of()),
                "Monte Carlo over exchanged labels: it cannot see a bias of an arm's place"));
        findings.addAll(alarms(whole, settings, design));
        return findings;
    }

    private static String floors(List<BlockData> whole) {
        return whole.stream().allMatch(c -> c.floors().isEmpty()) ? "" : "; some copies ran at the generator's limit";
    }

    private static Finding asRun(NullAnalysis analysis, Settings settings) {
        NullAnalysis.Named named = analysis.named();
        int most = Counted.mostByChance(analysis.campaigns(), settings.alpha());
        return Finding.of(
                NAME,
                "labels as they ran",
                text(
                        "at most %d of %d pseudo-campaigns name a difference: %.0f %% do by chance",
                        most, analysis.campaigns(), 100 * settings.alpha()),
                text(
                        "%s name one (%s); controls: %d held, %d broken, %d unproven",
                        named.campaigns().text(),
                        named.byMetric().entrySet().stream()
                                .map(entry -> entry.getValue() + " pairs in " + entry.getKey())
                                .collect(Collectors.joining(", ")),
                        named.held(),
                        named.broken(),
                        named.controls() - named.held() - named.broken()),
                named.campaigns().interval(0.95),
                named.campaigns().hits() <= most);
    }

    private static List<Finding> coverage(NullAnalysis.Coverage one) {
        Counted counted = one.disjoint();
        boolean covers = counted.low(COVERAGE_LEVEL) <= one.level() && one.level() <= counted.high(COVERAGE_LEVEL);
        Counted families = one.families();
        String percent = text("%.0f %%", 100 * one.level());
        return List.of(
                Finding.of(
                                NAME,
                                percent + " intervals, " + one.metric().words(),
                                percent + " hold 1",
                                text(
                                        "%s disjoint pairs (%.1f %%); of all %d pairs %.1f %%",
                                        counted.text(),
                                        100 * counted.share(),
                                        one.all().of(),
                                        100 * one.all().share()),
                                counted.interval(COVERAGE_LEVEL),
                                covers)
                        .withNote(
                                "pairs that share an arm depend on each other: the 99 % interval (Clopper and Pearson)"
                                        + " counts pairs that share none"),
                Finding.of(
                                NAME,
                                percent + " simultaneous intervals, "
                                        + one.metric().words(),
                                "all of them hold 1 in at least " + percent + " of pseudo-campaigns",
                                text("in %s (%.1f %%)", families.text(), 100 * families.share()),
                                families.interval(COVERAGE_LEVEL),
                                families.high(COVERAGE_LEVEL) >= one.level())
                        .withNote("they are wider than needed where all arms are equally noisy"));
    }

    private List<Integer> lengths() {
        return List.copyOf(new LinkedHashSet<>(List.of(chunk, LONG)));
    }

    private Optional<Resampled> resampled(
            List<BlockData> whole, SampleSize.Design design, String name, List<Finding> findings) {
        try {
            Resampled resampled = new Resampled(whole);
            int wanted = design.ranked() + 1;
            if (resampled.arms() >= wanted) {
                return Optional.of(resampled);
            }
            findings.add(Finding.skipped(
                    name,
                    "resampled residuals",
                    wanted + " different arms of a block are needed, and there are " + resampled.arms()));
        } catch (IllegalArgumentException e) {
            findings.add(Finding.skipped(name, "resampled residuals", e.getMessage()));
        }
        return Optional.empty();
    }

    private List<Finding> alarms(List<BlockData> whole, Settings settings, SampleSize.Design design) {
        List<Finding> findings = new ArrayList<>();
        resampled(whole, design, NAME, findings).ifPresent(resampled -> {
            for (int m = 0; m < whole.size(); m++) {
                findings.add(memory(whole.get(m).metric().words(), resampled.memory(m, part(ORDERS), SEED)));
            }
            for (int blocks : lengths()) {
                Resampled.Alarms alarms = resampled.alarms(design, blocks, settings, part(DRAWS), SEED);
                Counted excluding = alarms.excluding();
                findings.add(Finding.of(
                                NAME,
                                "false alarms, " + plan(design, blocks),
                                text("at most %.1f %% of campaigns have an interval that excludes 1", 100 * ALARMS),
                                text(
                                        "%.2f %% (and %.2f %% name a difference)",
                                        100 * excluding.share(),
                                        100 * alarms.naming().share()),
                                excluding.interval(0.95),
                                excluding.share() <= ALARMS)
                        .withNote(simulated(excluding.of(), resampled)));
            }
        });
        return findings;
    }

    private static Finding memory(String metric, Resampled.Memory memory) {
        return Finding.of(
                        NAME,
                        "from block to block, " + metric,
                        "an arm's noise does not go on in the next block",
                        text("correlation %.2f, p = %.3f", memory.correlation(), memory.p()),
                        "",
                        memory.p() > 0.01)
                .withNote(
                        "p: random orders of the blocks (Monte Carlo); fails at 1 %. The simulations below take blocks as"
                                + " independent");
    }

    private static String simulated(int campaigns, Resampled from) {
        return text(
                "%d simulated campaigns of real residuals, from %d complete blocks of %d copies",
                campaigns, from.blocks(), from.arms());
    }

    private static String plan(SampleSize.Design design, int blocks) {
        return text("%d arms and control, %d blocks", design.ranked(), blocks);
    }

    /** Counts how often known differences are found in campaigns made from the data. */
    List<Finding> spiked(List<BlockData> whole, Settings settings, SampleSize.Design design) {
        List<Finding> findings = new ArrayList<>();
        resampled(whole, design, SPIKE, findings).ifPresent(resampled -> {
            for (int blocks : lengths()) {
                for (double factor : SPIKES) {
                    resampled
                            .found(factor, design, blocks, settings, part(SPIKE_DRAWS), SEED)
                            .forEach(found -> findings.add(spiked(found, factor, design, blocks, resampled)));
                }
            }
        });
        return findings;
    }

    private Finding spiked(Resampled.Found found, double factor, SampleSize.Design design, int blocks, Resampled from) {
        boolean bar = factor == QUICK_SPIKE && blocks == chunk || factor == LONG_SPIKE && blocks == LONG;
        String measured = text(
                "found in %.1f %%; forecast %.1f %%; called FASTER or SLOWER in %.1f %%",
                100 * found.excluding().share(),
                100 * found.forecast(),
                100 * found.decided().share());
        return new Finding(
                SPIKE,
                text("%s x %.2f, %s", found.metric().words(), factor, plan(design, blocks)),
                bar ? text("found in at least %.0f %%", 100 * FOUND) : "",
                measured,
                found.excluding().interval(0.95),
                !bar
                        ? Finding.Outcome.SHOWN
                        : found.excluding().share() >= FOUND ? Finding.Outcome.PASSED : Finding.Outcome.FAILED,
                "found: the interval to the baseline excludes 1; "
                        + simulated(found.excluding().of(), from));
    }
}
