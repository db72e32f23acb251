package org.servletbench.bench.record;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.servletbench.bench.model.ServedAtOnce;

/** How many requests the user's services can serve at once, as their running servers reported it. */
public final class OwnLimits {

    private OwnLimits() {}

    /**
     * Returns these limits if they differ between arms. A service's own settings override ours, and apply to only one
     * container.
     *
     * @param arms arms that are ranked together
     * @param servers servers of these and other arms
     * @param campaign campaign of these servers
     * @return text for people: {@code Tomcat NIO 50, Jetty 200}; empty if all are equal or not known
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
