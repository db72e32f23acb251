package org.servletbench.bench.record;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.servletbench.bench.model.ServedAtOnce;

/** How many requests services of the user's own serve at once, as their running servers said. */
public final class OwnLimits {

    private OwnLimits() {}

    /**
     * Says it where it differs from arm to arm: a service's own settings win over those of the rig, and are of one container alone.
     *
     * @param arms that are ranked together
     * @param servers of these and other arms
     * @param campaign of them
     * @return for people: {@code Tomcat NIO 50, Jetty 200}; empty where it is the same, or not known
     */
    public static Optional<String> differing(List<Arm> arms, List<Invocation> servers, Campaign campaign) {
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
