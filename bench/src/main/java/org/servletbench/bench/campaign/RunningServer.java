package org.servletbench.bench.campaign;

import java.util.List;
import java.util.Set;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.Target;

/**
 * A server that is up.
 *
 * @param name of its arm
 * @param workloads those that it serves
 * @param settingCookies names of those whose answers set cookies
 * @param code what its threads ran at the end of its warm-up; {@link CodeTiers#NONE} where that was not seen
 */
public record RunningServer(
        String name, Target target, List<Workload> workloads, Set<String> settingCookies, CodeTiers code) {

    /** One of which no code was seen. */
    public RunningServer(String name, Target target, List<Workload> workloads, Set<String> settingCookies) {
        this(name, target, workloads, settingCookies, CodeTiers.NONE);
    }
}
