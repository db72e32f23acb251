package org.servletbench.bench.record;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.model.WarningKind.Cause;

/** Whether an arm with a small heap sustains a fixed rate. Only its own servers can make it a "no". */
public enum RateOutcome {
    /** In every block, its servers reached the rate, with no more failed requests than allowed. */
    YES("yes"),
    /**
     * A server failed, too many requests failed, or the rate was not reached although the generator could have reached
     * it.
     */
    NO("no"),
    NOT_MEASURED("not known: not measured"),
    FAILED_ONCE("not known: a server failed once"),
    /** One run loads a server with all rates, and it is unknown under which one it died. */
    FAILED_UNDER_A_LOAD("not known: its server failed under one of the loads"),
    COPIES_DIFFER("not known: its copy did not"),
    GENERATOR("not known: the generator's limit"),
    /** While other programs took the processors, the rate was not reached, or requests failed. */
    DISTURBED("not known: other programs took the processors"),
    /** The log is damaged, or counts differ. */
    UNUSABLE("not known: its figures cannot be used");

    /** Number of attempts at a block. */
    public static final int ATTEMPTS = 2;

    private final String words;

    RateOutcome(String words) {
        this.words = words;
    }

    public String words() {
        return words;
    }

    /** @param load load with a rate */
    public static RateOutcome of(Analysis analysis, Arm arm, MeasuredLoad load) {
        List<LoadFigures> all = List.copyOf(analysis.counted(arm, load).values());
        Map<Integer, Long> failed = analysis.serverRuns().stream()
                .filter(server -> server.arm().equals(arm.id()) && server.isServerFailed())
                .collect(Collectors.groupingBy(ServerRun::block, Collectors.counting()));
        Set<Integer> measured = analysis.servers(arm).keySet();
        Set<Integer> forGood = failed.keySet().stream()
                .filter(block -> !measured.contains(block) && failed.get(block) >= ATTEMPTS)
                .collect(Collectors.toSet());
        if (all.stream().anyMatch(RateOutcome::isMissed)) {
            return NO;
        }
        if (!forGood.isEmpty()) {
            boolean ofThisLoad = analysis.loads().size() == 1;
            boolean beforeAny = analysis.serverRuns().stream()
                    .filter(server -> server.arm().equals(arm.id()) && forGood.contains(server.block()))
                    .allMatch(server -> server.warmUp() == null);
            return ofThisLoad || beforeAny ? NO : FAILED_UNDER_A_LOAD;
        }
        // With a heap that may be too small, a failure counts even if the next server survived.
        if (isOfHeap(analysis.campaign(), arm.id()) ? !failed.isEmpty() : !measured.containsAll(failed.keySet())) {
            return FAILED_ONCE;
        }
        if (measured.isEmpty() || all.size() < measured.size()) {
            return NOT_MEASURED;
        }
        if (analysis.results(arm, load).size() == measured.size()) {
            return YES;
        }
        if (all.stream().anyMatch(result -> causes(result).contains(Cause.GENERATOR))) {
            return GENERATOR;
        }
        return all.stream()
                        .filter(result -> !result.isUsable())
                        .allMatch(result -> result.isMissed() && causes(result).contains(Cause.MACHINE))
                ? DISTURBED
                : UNUSABLE;
    }

    /** Combines two copies with the same heap. A copy that did not sustain the rate counts as much as one that did. */
    public RateOutcome and(RateOutcome copy) {
        return this == YES && copy == NO ? COPIES_DIFFER : this;
    }

    /**
     * Returns arms with a heap of their own whose server failed twice in a block in which it was never measured. No
     * further block includes them.
     *
     * @param serverRuns all server runs of a campaign
     */
    public static Set<String> givenUp(Campaign campaign, List<ServerRun> serverRuns) {
        Map<String, Map<Integer, Integer>> failures = new HashMap<>();
        for (ServerRun one : serverRuns) {
            if (isOfHeap(campaign, one.arm())) {
                // The number is far below zero, because it was measured in this block.
                int failed = one.measured() ? -serverRuns.size() : one.isServerFailed() ? 1 : 0;
                failures.computeIfAbsent(one.arm(), arm -> new HashMap<>()).merge(one.block(), failed, Integer::sum);
            }
        }
        return failures.entrySet().stream()
                .filter(arm -> arm.getValue().values().stream().anyMatch(failed -> failed >= ATTEMPTS))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** True if an arm has a heap of its own, which may be too small, or too large for its memory limit. */
    public static boolean isOfHeap(Campaign campaign, String arm) {
        return campaign.arms().stream()
                .anyMatch(one -> one.id().equals(arm)
                        && one.role() != Arm.Role.REFERENCE
                        && (campaign.heap(one).isPresent() || campaign.hasHeapByOptions(one)));
    }

    /** True if requests failed, or the rate was not reached, and only the server was the reason. */
    private static boolean isMissed(LoadFigures result) {
        boolean fewer =
                result.figure(Metric.THROUGHPUT).orElse(0) < result.load().rate();
        return result.isMissed()
                && !isDoubtful(result)
                && (fewer
                        || result.excluding().stream().anyMatch(warning -> warning.kind() != WarningKind.OFFERED_RATE));
    }

    private static boolean isDoubtful(LoadFigures result) {
        Set<Cause> causes = causes(result);
        return result.spoiling().isPresent() || causes.contains(Cause.GENERATOR) || causes.contains(Cause.MACHINE);
    }

    private static Set<Cause> causes(LoadFigures result) {
        return result.warnings().stream().map(warning -> warning.kind().cause()).collect(Collectors.toSet());
    }

    /**
     * Returns sentences without the last full stop: the smallest heap with which each arm sustains a rate, and the arms
     * without such a heap.
     *
     * @param byArm outcome of each arm with each heap, the smallest first
     */
    public static String smallest(String rate, Map<String, Map<String, RateOutcome>> byArm) {
        List<String> holding = new ArrayList<>();
        List<String> none = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        byArm.forEach((arm, heaps) -> {
            if (heaps.containsValue(YES)) {
                holding.add(arm + " " + smallest(heaps));
            } else {
                (heaps.values().stream().allMatch(NO::equals) ? none : unknown).add(arm);
            }
        });
        List<String> sentences = new ArrayList<>();
        if (!holding.isEmpty()) {
            sentences.add("The smallest of these heaps that holds " + rate + ": " + Text.list(holding));
        }
        if (!none.isEmpty()) {
            sentences.add(
                    "None of these heaps holds " + rate + (none.size() == byArm.size() ? "" : ": " + Text.list(none)));
        }
        if (!unknown.isEmpty()) {
            sentences.add("It is not known whether one of these heaps holds " + rate
                    + (unknown.size() == byArm.size() ? "" : ": " + Text.list(unknown)));
        }
        return String.join(". ", sentences);
    }

    /**
     * Returns the first heap that sustains the rate. It also mentions smaller heaps whose outcome is unknown, and
     * larger ones that do not sustain it.
     */
    private static String smallest(Map<String, RateOutcome> heaps) {
        String first = "";
        List<String> exceptions = new ArrayList<>();
        for (Map.Entry<String, RateOutcome> one : heaps.entrySet()) {
            RateOutcome held = one.getValue();
            if (first.isEmpty() && held == YES) {
                first = one.getKey();
            } else if (!first.isEmpty() && held == NO) {
                exceptions.add(one.getKey() + " does not hold it");
            } else if (first.isEmpty() && held != NO) {
                exceptions.add(one.getKey() + " is not known");
            }
        }
        return first + (exceptions.isEmpty() ? "" : " (" + String.join(", ", exceptions) + ")");
    }
}
