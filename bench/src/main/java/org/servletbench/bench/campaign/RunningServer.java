package org.servletbench.bench.campaign;

import java.util.List;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.Target;

/**
 * A server that is up.
 *
 * @param name of its arm
 * @param workloads those that it serves
 */
public record RunningServer(String name, Target target, List<Workload> workloads) {}
