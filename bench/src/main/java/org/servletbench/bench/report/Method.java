package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.servletbench.bench.load.Fidelity;
import org.servletbench.bench.measure.Trend;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Invocation;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.NoiseSeen;
import org.servletbench.bench.record.Outlook;
import org.servletbench.bench.record.PhaseTimes;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.record.WarmStart;
import org.servletbench.bench.verdict.Critical;
import org.servletbench.bench.verdict.Sizing;
import org.servletbench.bench.verdict.Stopping;
import org.servletbench.bench.verdict.Wording;

/** How it was measured, in plain words with the plan's own numbers; on what, and with which versions and options. */
final class Method {
    /** Measured when this was made the default, on two shared cores that other work disturbed; two blocks each way, in turn. */
    private static final String TOGETHER =
            "When this was made the default, two blocks of three servers each way, in turn, on"
                    + " two disturbed cores: up at once a block took 2.6 minutes, and two copies of one server differed by 6 and 12 %"
                    + " in throughput; one after the other it took 4.2 minutes, and they differed by 32 % in the better of the two"
                    + " blocks. A slow minute hits servers that take turns alike.";

    private final Judgement judgement;
    private final Campaign campaign;
    private final Plan plan;
    private final Optional<PhaseTimes> times;

    Method(Judgement judgement, Optional<PhaseTimes> times) {
        this.times = times;
        this.judgement = judgement;
        campaign = judgement.campaign();
        plan = campaign.plan();
    }

    String html() {
        return Template.html("method", this);
    }

    record Paragraph(String head, String words) {}

    List<Paragraph> words() {
        String margin = Numbers.share(plan.margin());
        String alpha = Numbers.share(campaign.look().alpha());
        List<Paragraph> all = new ArrayList<>();
        paragraph(
                all,
                "Blocks.",
                text(
                        "Each of %d blocks holds every arm once, in an order drawn from the seed %d, and the baseline a second"
                                + " time. Each time is a fresh server JVM. That JVM is what is counted: the requests within it are"
                                + " not repeats of the experiment, and a slow minute of the machine hits the arms of a block alike. %s",
                        judgement.blocks(),
                        plan.seed(),
                        plan.together()
                                ? "All servers of a group are up at once and their windows take turns. " + TOGETHER
                                : "Within a block one server runs after the other."));
        paragraph(
                all,
                "Warm-up.",
                text(
                        "A server is warmed by bursts and pauses on all processors, at most %s s, until the throughput of bursts has"
                                + " stopped rising and the JIT compiler is quiet. One that never settled is marked.",
                        Chart.label(plan.warmUpSeconds())));
        if (WarmStart.of(campaign) == WarmStart.AOT) {
            int caches = WarmStart.caches(campaign);
            paragraph(
                    all,
                    "Warm start.",
                    text(
                            "Servers start with an AOT cache (JDK 25, JEP 483, 514, 515): linked classes and method profiles from"
                                    + " a training under load, with the same application, JDK, options and settings. The"
                                    + " application is extracted, because classes of nested jars are not archived. The JIT"
                                    + " compiler begins with the training's profiles, and not with none: the figures are of"
                                    + " servers that are deployed so, and are not mixed with others. One training is one draw"
                                    + " of profiles. Each arm has %s, the control its own; each block draws one of them, from"
                                    + " the seed, and every one once before any again. %s Each server has shown that most of"
                                    + " its classes come from its cache.",
                            Words.count(caches, "trained cache"),
                            caches >= campaign.order().size()
                                    ? "So each block has a training of its own, and the intervals hold for further"
                                            + " trainings."
                                    : "With fewer caches than blocks the intervals hold for these caches: what a further"
                                            + " training would change is in them only as far as these few show it."));
        }
        if (!campaign.pinning().isBlank()) {
            paragraph(all, "Pinning.", Words.sentence(campaign.pinning().trim().replaceAll("\\.$", "")));
        }
        paragraph(
                all,
                "Windows.",
                text(
                        "All users of a load start within %s s; then it is held for %s. Each invocation has %s of every load; ramps are cut"
                                + " away, and windows of one load are merged.",
                        Chart.label(plan.rampUpSeconds()),
                        Chart.label(plan.windowSeconds())
                                + (plan.pilotSeconds() > 0
                                        ? text(
                                                " s (%s s in the %d pilot blocks)",
                                                Chart.label(plan.pilotSeconds()), Sizing.PILOT)
                                        : " s"),
                        Words.count(plan.rounds(), "window")));
        paragraph(
                all,
                "Verdicts.",
                text(
                        "Decided beforehand: the metrics %s, the margin %s, the level %s. For each load and metric the logarithms of"
                                + " all values are a level of the block, one of the arm, and noise. A pair is estimated by the mean of"
                                + " its log ratios over the blocks that have both arms. The noise of a pair is its own, shrunk towards"
                                + " the noise of all arms together. The intervals of a load and metric are simultaneous: the largest"
                                + " |t| of all pairs is simulated for equal noise and for one arm three times noisier (with %s times"
                                + " the level), and the larger value counts. Over %s the level is divided (Bonferroni). So, with noise that is about normal, %s."
                                + " Every verdict follows from its interval alone. Faster or slower, less or more: the interval"
                                + " lies beyond the margin. Equal: it lies inside the margin, even where it excludes no difference at"
                                + " all. Different: it excludes no difference, but not one smaller than the margin. Else inconclusive,"
                                + " with the reason; then the table says which difference these blocks would have found four times in"
                                + " five. Arms that share a letter are not shown to differ.%s",
                        Text.list(judgement.primary().stream()
                                .map(metric -> metric.words())
                                .toList()),
                        margin,
                        alpha,
                        Chart.label(Critical.NOISIER_MISSES),
                        Words.count(judgement.family().comparisons().size(), "such comparison"),
                        Wording.promise(campaign.look().alpha()),
                        plan.precision() > 0
                                ? text(
                                        " The campaign could end as soon as all intervals were narrow enough, from %d blocks on; to"
                                                + " pay for that, intervals are drawn at %s of the level.",
                                        Stopping.MIN_BLOCKS, Numbers.share(Stopping.SHARE))
                                : ""));
        paragraph(
                all,
                "Limits.",
                "An arm that ran at the generator's limit in any block has a floor there: all its blocks count, its throughput is at"
                        + " least what is shown, it can be found faster but not slower, and its response times are not judged."
                        + " Percentiles are as coarse as the clock that timed the requests, and their intervals are wider by that."
                        + " Where servers were still getting faster, the verdicts are drawn a second time without them, and one"
                        + " that changes says so.");
        paragraph(
                all,
                "Control.",
                "The second copy of the baseline shows whether the campaign is free of bias. Held: its own 90 % interval lies inside"
                        + " the margin (two one-sided tests at 5 %). Broken: it lies outside the margin, also at the level"
                        + " divided by the number of controls; whatever caused that may have caused any other verdict, and the"
                        + " campaign is void. Else unproven, with the bias that could not have been seen.");
        paragraph(
                all,
                "Tables.",
                text(
                        "Figures are means over invocations, geometric ones except for percentages, with a %s t interval for that"
                                + " figure alone. Whether two arms differ is not told by comparing such intervals but by the pair's"
                                + " own, from which the blocks' common ups and downs are gone. Curves merge the requests of all"
                                + " blocks.",
                        Numbers.share(1 - plan.alpha())));
        if (plan.cells().stream().anyMatch(cell -> cell.tier() > 0)) {
            paragraph(
                    all,
                    "Closed model.",
                    "A fixed number of users each wait for an answer before they ask again. When the server stalls they stop asking,"
                            + " so response times understate stalls (coordinated omission).");
        }
        if (plan.cells().stream().anyMatch(cell -> cell.rate() > 0)) {
            paragraph(
                    all,
                    "Open model.",
                    "A load “at n/s” starts so many requests a second, whether or not earlier ones were answered, so a stall of the"
                            + " server does not thin it out. Times run from when a request was due, so that a delay of Gatling is"
                            + " in them, too. The check offered-rate marks a load whose rate was not reached, or whose p99 such"
                            + " delays raise.");
        }
        // Where the load sets the rate there is no trend.
        paragraph(all, plan.isCapacity() ? "Capacity." : "Trend.", plan.isCapacity() ? Words.ABOUT_CAPACITY : trend());
        noise(all);
        times.ifPresent(known -> paragraph(all, "Time.", Words.sentence(known.words())));
        if (plan.isStartUp()) {
            all.removeIf(paragraph -> Words.ABOUT_LOADS.contains(paragraph.head()));
            all.add(1, new Paragraph("Starts.", Words.ABOUT_STARTS));
        }
        return all;
    }

    /** The spread between JVMs and within one, and what it takes to find more. */
    private void noise(List<Paragraph> all) {
        List<String> lines = judgement.noises().stream()
                .filter(seen -> seen.noise().known())
                .map(NoiseSeen::words)
                .toList();
        if (!lines.isEmpty()) {
            paragraph(
                    all,
                    "Noise.",
                    "Standard deviations of the logarithm, beside the other arms of the block. Within one JVM: from the spread of"
                            + " batches of its load, long enough to be independent; more load for each server makes it smaller."
                            + " Between JVMs: the rest of the block model's residual; only more blocks average it out. "
                            + Words.sentence(String.join("; ", lines))
                            + Outlook.needed(judgement, times)
                                    .map(line -> " " + Words.sentence(line))
                                    .orElse(""));
        }
    }

    private String trend() {
        List<CellResult> results = judgement.chosen().stream()
                .flatMap(invocation -> invocation.cells().stream())
                .filter(result -> result.cell().rate() == 0)
                .toList();
        long unknown = results.stream().filter(result -> result.trend() == null).count();
        return text(
                "Under the real load, after pinning, a line is fitted to the logarithm of the rates of each server and load, in"
                        + " order of time, second by second or, in turns, in batches of turns beside those of the other servers, with the noise and the autocorrelation of these rates themselves. A server whose"
                        + " %.0f %% interval for the change lies above 0, and whose line rises by more than %.0f %%, is marked"
                        + " rising; one that falls so, unsteady.%s",
                100 * Trend.CONFIDENCE,
                Trend.SMALLEST,
                unknown == 0
                        ? ""
                        : text(
                                " For %d of %d results too little was measured to tell: nothing is claimed of them.",
                                unknown, results.size()));
    }

    boolean isInTurns() {
        return plan.turnSeconds() > 0;
    }

    boolean isPreTouched() {
        return campaign.isPreTouched();
    }

    /** What each generator cannot tell. */
    List<Paragraph> limits() {
        List<Paragraph> all = new ArrayList<>();
        plan.tools().forEach(generator -> Fidelity.of(generator)
                .ifPresent(fidelity -> paragraph(all, generator + ".", String.join(" ", fidelity.limits()))));
        return all;
    }

    private static void paragraph(List<Paragraph> all, String head, String words) {
        all.add(new Paragraph(head, words));
    }

    record Facts(String head, Map<String, String> facts) {}

    List<Facts> facts() {
        List<Facts> lists = new ArrayList<>();
        Map<String, String> machine = new LinkedHashMap<>(campaign.machine());
        Optional.ofNullable(machine.remove("memory.bytes"))
                .ifPresent(bytes -> machine.put("memory", Numbers.gib(bytes)));
        list(lists, "Machine", machine);
        list(lists, "Versions", campaign.versions());
        Map<String, String> decided = new LinkedHashMap<>();
        decided.put("plan", plan.name());
        decided.put("settings", plan.settings());
        decided.put("seed", Long.toString(plan.seed()));
        decided.put(
                "blocks",
                judgement.blocks()
                        + (plan.precision() > 0 ? ", at most " : " of ")
                        + campaign.order().size());
        decided.put(
                "primary metrics",
                String.join(", ", judgement.primary().stream().map(Metric::key).toList()));
        decided.put("margin", Numbers.share(plan.margin()));
        decided.put("level", Numbers.share(plan.alpha()));
        if (plan.precision() > 0) {
            decided.put("stops when every interval is within", "± " + Numbers.share(plan.precision()));
        }
        decided.put("campaign", campaign.id());
        decided.put("begun", campaign.created());
        decided.put("sources", campaign.commit());
        list(lists, "Plan", decided);
        for (Arm arm : campaign.arms()) {
            Map<String, String> facts = new LinkedHashMap<>();
            facts.put("arm", arm.id());
            facts.put("group", arm.group());
            facts.put("container", (arm.container() + " " + arm.containerVersion()).trim());
            facts.put("connector", arm.connector());
            facts.put("Spring Boot", arm.bootVersion());
            facts.put(
                    "requests served at once",
                    first(arm).flatMap(Invocation::servedAtOnce).orElse(""));
            facts.put("SHA-256", arm.sha256());
            facts.put("proven", first(arm).map(Invocation::provenText).orElse(""));
            list(lists, judgement.name(arm), facts);
        }
        return lists;
    }

    /** JVM options and settings, by name. */
    Map<String, String> options() {
        return new TreeMap<>(campaign.options());
    }

    private Optional<Invocation> first(Arm arm) {
        return judgement.servers(arm).values().stream().findFirst();
    }

    /** Line by line, so that only line breaks survive of the control characters. */
    static List<String> lines(String text) {
        return text.strip().lines().toList();
    }

    private static void list(List<Facts> lists, String head, Map<String, String> facts) {
        if (!facts.isEmpty()) {
            Map<String, String> known = new LinkedHashMap<>(facts);
            known.values().removeIf(String::isBlank);
            lists.add(new Facts(head, known));
        }
    }
}
