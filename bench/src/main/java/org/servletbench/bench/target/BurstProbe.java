package org.servletbench.bench.target;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.servletbench.bench.profile.WarmUpPlan;
import org.servletbench.bench.profile.Workload;

/** Single bursts of the warm-up and its gate, for experiments about the gate. */
public final class BurstProbe {

    private BurstProbe() {}

    /**
     * One burst on all processors.
     *
     * @param target that is up
     * @param workloads what it is sent, in turn
     * @param users at the same time
     * @param length of the burst
     * @throws TargetException if the server does not answer
     */
    public static WarmUp.Burst burst(Target target, List<Workload> workloads, int users, Duration length) {
        try {
            long begin = System.nanoTime();
            OptionalLong before = target.jitMillis();
            double rate = new LoadClient(target.url(), workloads, users).burst(length);
            OptionalLong after = target.jitMillis();
            double seconds = (System.nanoTime() - begin) / 1e9;
            return new WarmUp.Burst(
                    rate,
                    before.isPresent() && after.isPresent()
                            ? (after.getAsLong() - before.getAsLong()) / (10 * seconds)
                            : Double.NaN);
        } catch (IOException e) {
            throw new TargetException(
                    "a server stopped answering: " + target.death().orElse(e.getMessage()));
        }
    }

    /** Whether the gate calls a server settled after these bursts. */
    public static boolean isSettled(List<WarmUp.Burst> bursts, WarmUpPlan plan) {
        return WarmUp.isEnough(bursts, plan);
    }
}
