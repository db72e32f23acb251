package org.servletbench.bench.campaign;

import java.util.List;
import java.util.Set;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.Target;

/**
 * A server that is up.
 *
 * @param name name of its arm
 * @param workloads workloads that it serves
 * @param settingCookies names of workloads whose answers set cookies
 * @param code kinds of code that its threads ran at the end of its warm-up; {@link CodeTiers#NONE} if not sampled
 */
public record RunningServer(
        String name, Target target, List<Workload> workloads, Set<String> settingCookies, CodeTiers code) {

    /** Creates a server whose code was not sampled. */
    public RunningServer(String name, Target target, List<Workload> workloads, Set<String> settingCookies) {
        this(name, target, workloads, settingCookies, CodeTiers.NONE);
    }
}
