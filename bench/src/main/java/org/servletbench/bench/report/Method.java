package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.servletbench.bench.model.Capability;
import org.servletbench.bench.model.GeneratorFacts;
import org.servletbench.bench.model.Hint;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Proven;
import org.servletbench.bench.model.Scheduling;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.Forecast;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.NoiseSeen;
import org.servletbench.bench.record.PhaseTimes;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.record.StartCourse;
import org.servletbench.bench.verdict.Baseline;

/** The method in plain words, with the plan's own numbers. Includes machine, versions and options. */
record Method(Analysis analysis, Optional<PhaseTimes> times) {
    Campaign campaign() {
        return analysis.campaign();
    }

    /** True if every server reported a scheduler group of its own. */
    boolean serversApart() {
        return analysis.chosen().stream()
                .map(serverRun -> serverRun.proven().getOrDefault(Scheduling.FACT, ""))
                .noneMatch(group -> group.isEmpty() || Scheduling.isShared(group));
    }

    /** True if any load was measured in time slices by a generator whose users move from server to server. */
    boolean wasInterleaved() {
        return analysis.loads().stream()
                .anyMatch(load -> inTimeSlices(campaign().plan(), load));
    }

    static boolean inTimeSlices(Plan plan, MeasuredLoad load) {
        return plan.inTimeSlices(load) && GeneratorFacts.has(load.tool(), Capability.INTERLEAVES);
    }

    /**
     * Returns how long servers were loaded and counted, according to the loads' own records: one sentence for time
     * slices, one for whole windows.
     */
    List<String> loads() {
        Plan plan = campaign().plan();
        List<String> sentences = new ArrayList<>();
        for (boolean timeSlices : new boolean[] {true, false}) {
            List<LoadFigures> results = analysis.chosen().stream()
                    .flatMap(serverRun -> serverRun.loads().stream())
                    .filter(result -> inTimeSlices(plan, result.load()) == timeSlices && result.seconds() > 0)
                    .toList();
            if (!results.isEmpty()) {
                String seconds =
                        span(results.stream().mapToDouble(LoadFigures::seconds).summaryStatistics());
                sentences.add(
                        timeSlices
                                ? text(
                                        "In time slices of at least %s s all users are at one server at a time; each server had %s s of counted"
                                                + " time under each load.",
                                        Chart.label(plan.timeSliceSeconds()), seconds)
                                : text(
                                        "Under loads in whole windows the users of a load start within %s s; each server had %s of %s s"
                                                + " in all, ramps cut away.",
                                        Chart.label(plan.rampUpSeconds()),
                                        Words.count(plan.rounds(), "window"),
                                        seconds));
            }
        }
        return sentences;
    }

    private static String span(DoubleSummaryStatistics seconds) {
        String least = text("%.1f", seconds.getMin());
        String most = text("%.1f", seconds.getMax());
        return least.equals(most) ? least : least + " to " + most;
    }

    /** Returns why blocks are repeated, with the names of the warnings. */
    static String repeats() {
        return "A block is measured again if a warning excludes it: " + Text.list(warnings(WarningKind::repeats))
                + ". Other warnings do not repeat a block.";
    }

    private static List<String> warnings(Predicate<WarningKind> which) {
        return Arrays.stream(WarningKind.values())
                .filter(kind -> kind.shown().contains(Hint.Where.CAMPAIGN))
                .filter(which)
                .map(WarningKind::key)
                .toList();
    }

    /** Returns the results that are checked for a trend; loads with a fixed rate have none. */
    List<LoadFigures> withTrend() {
        return analysis.chosen().stream()
                .flatMap(serverRun -> serverRun.loads().stream())
                .filter(result -> result.load().rate() == 0)
                .toList();
    }

    /**
     * Returns the spread between JVMs and within one, and the effort that it takes to find smaller differences; empty
     * if unknown.
     */
    String noise() {
        List<String> lines = analysis.noises().stream()
                .filter(seen -> seen.noise().known())
                .map(NoiseSeen::words)
                .toList();
        return lines.isEmpty()
                ? ""
                : Words.sentence(String.join("; ", lines))
                        + Forecast.needed(analysis, times)
                                .map(line -> " " + Words.sentence(line))
                                .orElse("");
    }

    /** Returns the figures of servers, except those of limits that no arm has, and of what no service counts. */
    List<Metric> quantities() {
        return Metric.ofServer().stream()
                .filter(metric -> !metric.isOfCpuLimit() || campaign().hasCpuLimits())
                .filter(metric -> !metric.isOfSome() || isKnown(metric))
                .toList();
    }

    private boolean isKnown(Metric metric) {
        return analysis.chosen().stream()
                .flatMap(serverRun -> serverRun.loads().stream())
                .anyMatch(result -> result.figure(metric).isPresent());
    }

    record Facts(String head, Map<String, String> facts) {}

    List<Facts> facts() {
        Campaign campaign = campaign();
        Plan plan = campaign.plan();
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
                analysis.blocks()
                        + (plan.precision() > 0 ? ", at most " : " of ")
                        + campaign.order().size());
        decided.put(
                "primary metrics",
                String.join(", ", analysis.primary().stream().map(Metric::key).toList()));
        analysis.loads().stream()
                .filter(load -> !analysis.primary(load).equals(analysis.primary()))
                .forEach(load -> decided.put(
                        "primary metrics for " + analysis.wording().load(load), String.join(", ", plan.primary(load))));
        if (analysis.groups().stream().anyMatch(group -> group.control().isPresent())) {
            decided.put(
                    "baseline",
                    plan.baseline() == Baseline.BOTH_COPIES ? "the mean of both copies" : "the first copy alone");
        }
        decided.put("margin", plan.margin().words(analysis.primary()));
        decided.put("level", Numbers.share(plan.alpha()));
        if (plan.precision() > 0) {
            decided.put(
                    "stops when, by noise alone, every interval is within",
                    "± " + plan.precisions().words(analysis.primary()));
        }
        if (plan.endsEarly()) {
            decided.put("ends early when", "a claim has certainly failed");
        }
        decided.put("campaign", campaign.id());
        decided.put("begun", campaign.created());
        decided.put("sources", campaign.commit());
        list(lists, "Plan", decided);
        for (Arm arm : campaign.arms()) {
            Map<String, String> facts = new LinkedHashMap<>();
            facts.put("arm", arm.id());
            facts.put("group", arm.group());
            facts.put("container", ServerRun.container(arm, first(arm)));
            facts.put("connector", arm.connector());
            facts.put("Spring Boot", arm.bootVersion());
            facts.put(
                    "requests served at once",
                    first(arm).flatMap(ServerRun::servedAtOnce).orElse(""));
            facts.put(
                    "heap, as its JVM reports it",
                    first(arm).map(one -> new Proven(one.proven()).heap()).orElse(""));
            facts.put(
                    "limit of CPU time",
                    first(arm).map(one -> one.proven().get(Proven.CPU_LIMIT)).orElse(""));
            facts.put("SHA-256", arm.sha256());
            facts.put(
                    "environment variables that did not reach it (keys: env)",
                    first(arm).map(one -> one.proven().get(Proven.ENV_REMOVED)).orElse(""));
            facts.put("proven", first(arm).map(ServerRun::provenText).orElse(""));
            list(lists, analysis.name(arm), facts);
        }
        return lists;
    }

    /** Returns JVM options and settings, by name. */
    Map<String, String> options() {
        return campaign().conditions().texts();
    }

    /** Returns the course of a start under load; empty if starts were not under load. */
    Optional<StartCourse> course() {
        return campaign().arms().stream()
                .flatMap(arm -> analysis.courses(arm).stream())
                .findFirst();
    }

    private Optional<ServerRun> first(Arm arm) {
        return analysis.servers(arm).values().stream().findFirst();
    }

    /** Splits a text into lines. No control character other than the line breaks remains. */
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
