package org.servletbench.bench.campaign;

import java.util.List;
import java.util.Set;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.Target;

/**
 * A server that is up.
 *
 * @param name of its arm
 * @param workloads those that it serves
 * @param settingCookies names of those whose answers set cookies
 */
public record RunningServer(String name, Target target, List<Workload> workloads, Set<String> settingCookies) {}
