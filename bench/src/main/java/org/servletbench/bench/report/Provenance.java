package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Judgement.Group;
import org.servletbench.bench.record.OwnLimits;
import org.servletbench.bench.server.proof.ConnectorProof.ServedAtOnce;

/** Of which versions, on which machine and under which conditions a campaign was measured, in words. */
final class Provenance {

    /** In a campaign's versions: the servers' JDK, and others. */
    private static final Pattern JDK = Pattern.compile("jdk(@.+)?");

    /** Loads that are named among the conditions; of more their number. */
    private static final int MOST_NAMED = 4;

    private Provenance() {}

    /** Versions of the JDKs that servers ran on, as {@code 17.0.15, 25.0.1}. */
    static String jdks(Campaign campaign) {
        String known = campaign.versions().entrySet().stream()
                .filter(version -> JDK.matcher(version.getKey()).matches())
                .map(version ->
                        version.getValue().replaceFirst("^\\D.* VM ", "").replaceFirst("[-+].*", ""))
                .distinct()
                .collect(Collectors.joining(", "));
        return known.isEmpty() ? "unknown" : known;
    }

    /** Of containers, frameworks and JDKs. */
    static String versions(Judgement judgement) {
        return Stream.concat(
                        judgement.groups().stream().map(Conclusions::versions),
                        Stream.of("JDK " + jdks(judgement.campaign())))
                .filter(text -> !text.isEmpty())
                .distinct()
                .collect(Collectors.joining(", "));
    }

    /** That of the servers. */
    static String machine(Campaign campaign) {
        Map<String, String> machine = campaign.serverMachine();
        return text(
                "%s, %s processors%s, %s",
                machine.getOrDefault("cpu", "unknown processor"),
                machine.getOrDefault("cores", "?"),
                machine.getOrDefault("virtual", "").equals("yes") ? " of a virtual machine" : "",
                machine.getOrDefault("os", "unknown system"));
    }

    /** What carries the result beside the containers, in words: load, processors, worker threads, the way between client and server. */
    static String conditions(Judgement judgement, Group group) {
        Campaign campaign = judgement.campaign();
        List<String> conditions = new ArrayList<>();
        conditions.add(
                judgement.cells().size() <= MOST_NAMED
                        ? Text.list(judgement.cells().stream()
                                .map(judgement.wording()::cell)
                                .toList())
                        : Words.count(judgement.cells().size(), "load"));
        conditions.add(
                campaign.pinning().isBlank()
                        ? text(
                                "a machine with %s processors",
                                campaign.serverMachine().getOrDefault("cores", "unknown"))
                        : campaign.pinning()
                                .replaceFirst("^after the warm-up: ", "")
                                .replaceFirst(";.*", "")
                                .replaceFirst("\\bprocessors (\\d+)(?=, [a-z]|$)", "processor $1"));
        if (!campaign.plan().isStartUp()) {
            workers(judgement, group).ifPresent(workers -> conditions.add(workers + " worker threads in each server"));
            OwnLimits.differing(group.all(), judgement.invocations(), campaign)
                    .ifPresent(limits -> conditions.add(
                            "the services serve different numbers of requests at once (" + limits + ")"));
            boolean apart = campaign.machine().containsKey(Campaign.TARGET)
                    || campaign.machine().keySet().stream().anyMatch(fact -> fact.startsWith(Campaign.LOAD_HOST));
            conditions.add(apart ? "load over the network" : "load over loopback");
        }
        return String.join("; ", conditions);
    }

    /** Of every server, as they themselves said; empty where they differ or do not say it. */
    private static Optional<String> workers(Judgement judgement, Group group) {
        List<String> proven = judgement.chosen().stream()
                .filter(server -> group.all().stream().anyMatch(arm -> arm.id().equals(server.arm())))
                .map(server -> ServedAtOnce.expected(server.proven()))
                .distinct()
                .toList();
        return proven.size() == 1 && !proven.get(0).isEmpty() ? Optional.of(proven.get(0)) : Optional.empty();
    }
}
