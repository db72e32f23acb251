package org.servletbench.bench.campaign;

import static org.servletbench.bench.model.Text.text;

import java.time.Duration;
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
     * One server to be warmed up.
     *
     * @param name for progress
     * @param target that is up
     * @param workloads what it is sent, in turn; without any it is left cold
     */
    public record Guest(String name, Target target, List<Workload> workloads) {}

    private final List<Guest> guests;
    private final WarmUpPlan plan;
    private final Consumer<String> progress;
    private final List<List<Burst>> bursts = new ArrayList<>();
    private final List<Outcome> outcomes = new ArrayList<>();

    private GroupWarmUp(List<Guest> guests, WarmUpPlan plan, Consumer<String> progress) {
        this.guests = guests;
        this.plan = plan;
        this.progress = progress;
    }

    /**
     * Warms them all up.
     *
     * @param guests the servers
     * @param plan the limits: {@link WarmUpPlan#limit} is for each server's own bursts, pauses not counted
     * @param progress gets one line for each burst
     * @return how it went, in the guests' order
     * @throws TargetException if a server dies or does not answer
     */
    public static List<Outcome> run(List<Guest> guests, WarmUpPlan plan, Consumer<String> progress) {
        return new GroupWarmUp(guests, plan, progress).run();
    }

    private List<Outcome> run() {
        if (!plan.isWanted()) {
            return guests.stream()
                    .map(guest -> new Outcome(false, WarmUp.NOT_WANTED, 0, List.of()))
                    .toList();
        }
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
                    burst(i, start);
                }
            }
            // The bursts of the others are the pause in which a server's compiler catches up.
            if (outcomes.stream().filter(Objects::isNull).count() == 1) {
                sleep(plan.pause());
            }
        }
        return List.copyOf(outcomes);
    }

    private void burst(int index, long start) {
        Guest guest = guests.get(index);
        List<Burst> own = bursts.get(index);
        own.add(guest.target().burst(guest.name(), guest.workloads(), plan.users(), plan.burst()));
        Burst last = own.get(own.size() - 1);
        progress.accept(text(
                "warm-up %s, burst %d: %.0f requests/s, JIT compiler busy %.0f %%",
                guest.name(), own.size(), last.requestsPerSecond(), last.jitPercent()));
        boolean enough = WarmUp.isEnough(own, plan);
        boolean over = plan.burst().multipliedBy(own.size() + 1L).compareTo(plan.limit()) > 0;
        if (enough || over) {
            String reason = enough ? WarmUp.SETTLED : WarmUp.notSettled(plan);
            outcomes.set(index, new Outcome(enough, reason, (System.nanoTime() - start) / 1e9, List.copyOf(own)));
        }
    }

    private static void sleep(Duration pause) {
        try {
            Thread.sleep(pause.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("interrupted while the server was warmed up");
        }
    }
}
