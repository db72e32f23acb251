package org.servletbench.bench.campaign;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.TargetException;
import org.servletbench.bench.server.WarmUp;
import org.servletbench.bench.server.WarmUp.Burst;
import org.servletbench.bench.server.WarmUp.Outcome;

/**
 * Warms up several servers that are up at once, on all processors, by the evidence of {@link WarmUp#isEnough}: bursts take
 * turns, so that the JIT compilers of some catch up while others are loaded; the last one has pauses. A server that has settled
 * leaves the round.
 */
public final class GroupWarmUp {

    /**
     * A server that is up, to be warmed up and loaded.
     *
     * @param workloads what it is sent, in turn; without any it is left cold
     */
    public record Guest(String name, Target target, List<Workload> workloads) {}

    private GroupWarmUp() {}

    /**
     * Warms them all up.
     *
     * @param plan the limits: {@link WarmUpPlan#limit} is for each server's own bursts, pauses not counted
     * @param progress gets one line for each burst
     * @return how it went, in the guests' order
     * @throws TargetException if a server dies or does not answer
     */
    public static List<Outcome> run(List<Guest> guests, WarmUpPlan plan, Consumer<String> progress) {
        if (!plan.isWanted()) {
            return guests.stream()
                    .map(guest -> new Outcome(false, WarmUp.NOT_WANTED, 0, List.of()))
                    .toList();
        }
        List<List<Burst>> bursts = new ArrayList<>();
        List<Outcome> outcomes = new ArrayList<>();
        guests.forEach(guest -> {
            bursts.add(new ArrayList<>());
            outcomes.add(
                    guest.workloads().isEmpty()
                            ? new Outcome(true, "it serves nothing of what is measured", 0, List.of())
                            : null);
        });
        long start = System.nanoTime();
        while (outcomes.contains(null)) {
            for (int i = 0; i < guests.size(); i++) {
                if (outcomes.get(i) == null) {
                    bursts.get(i).add(burst(guests.get(i), bursts.get(i), plan, progress));
                    outcomes.set(i, outcome(bursts.get(i), plan, start));
                }
            }
            // The bursts of the others are the pause in which a server's compiler catches up.
            if (outcomes.stream().filter(Objects::isNull).count() == 1) {
                TargetException.sleep(plan.pause(), "the server was warmed up");
            }
        }
        return List.copyOf(outcomes);
    }

    private static Burst burst(Guest guest, List<Burst> before, WarmUpPlan plan, Consumer<String> progress) {
        Burst burst = guest.target().burst(guest.name(), guest.workloads(), plan.users(), plan.burst());
        double best =
                before.stream().mapToDouble(Burst::requestsPerSecond).max().orElse(Double.NaN);
        progress.accept(text(
                "warm-up %s, burst %d: %.0f requests/s%s, JIT compiler busy %.0f %% (quiet: %.0f %%); at most %.0f s of bursts to go",
                guest.name(),
                before.size() + 1,
                burst.requestsPerSecond(),
                best > 0 ? text(" (%+.0f %% on the best before)", 100 * (burst.requestsPerSecond() / best - 1)) : "",
                burst.jitPercent(),
                plan.jitPercent(),
                Math.max(0, (plan.limit().toMillis() - plan.burst().toMillis() * (before.size() + 1)) / 1e3)));
        return burst;
    }

    /** Null as long as more bursts are needed, and may come. */
    private static Outcome outcome(List<Burst> own, WarmUpPlan plan, long start) {
        boolean enough = WarmUp.isEnough(own, plan);
        boolean over = plan.burst().multipliedBy(own.size() + 1L).compareTo(plan.limit()) > 0;
        String reason = enough ? WarmUp.SETTLED : WarmUp.notSettled(plan);
        return enough || over ? new Outcome(enough, reason, (System.nanoTime() - start) / 1e9, List.copyOf(own)) : null;
    }
}
