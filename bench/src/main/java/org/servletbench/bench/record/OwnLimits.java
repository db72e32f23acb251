package org.servletbench.bench.record;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.servletbench.bench.model.ServedAtOnce;

/** Numbers of requests that the user's services serve at once, as reported by their running servers. */
public final class OwnLimits {

    private OwnLimits() {}

    /**
     * Reports them if they differ between arms: a service's own settings win over ours, and apply to one container alone.
     *
     * @param arms that are ranked together
     * @param servers of these and other arms
     * @param campaign of them
     * @return for people: {@code Tomcat NIO 50, Jetty 200}; empty if all are equal or not known
     */
    public static Optional<String> differing(List<Arm> arms, List<ServerRun> servers, Campaign campaign) {
        Map<String, String> limits = new LinkedHashMap<>();
        String cores = campaign.serverMachine().getOrDefault("cores", "");
        int processors = cores.matches("\\d{1,5}") ? Integer.parseInt(cores) : 1;
        arms.stream()
                .filter(arm -> arm.spec().app() != null && arm.role() != Arm.Role.CONTROL)
                .forEach(arm -> servers.stream()
                        .filter(one -> one.arm().equals(arm.id()))
                        .map(one -> ServedAtOnce.expected(one.proven()))
                        .filter(limit -> !limit.isEmpty())
                        .findFirst()
                        .ifPresent(limit -> limits.put(arm.label(), limit)));
        return limits.values().stream()
                .findFirst()
                .filter(first ->
                        limits.values().stream().anyMatch(limit -> !ServedAtOnce.isLike(limit, first, processors)))
                .map(first -> limits.entrySet().stream()
                        .map(one -> one.getKey() + " " + one.getValue())
                        .collect(Collectors.joining(", ")));
    }
}
