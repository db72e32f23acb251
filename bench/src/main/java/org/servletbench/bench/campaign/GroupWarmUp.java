package org.servletbench.bench.campaign;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
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
                    Guest guest = guests.get(i);
                    bursts.get(i)
                            .add(guest.target().burst(guest.name(), guest.workloads(), plan.users(), plan.burst()));
                    outcomes.set(i, outcome(bursts.get(i), plan, start));
                    progress.accept(words(guest, bursts, outcomes, i, plan));
                }
            }
            // The bursts of the others are the pause in which a server's compiler catches up.
            int alone = outcomes.indexOf(null);
            if (alone >= 0 && alone == outcomes.lastIndexOf(null) && !isQuiet(bursts.get(alone), plan)) {
                TargetException.sleep(plan.pause(), "the server was warmed up");
            }
        }
        return List.copyOf(outcomes);
    }

    private static String words(
            Guest guest, List<List<Burst>> bursts, List<Outcome> outcomes, int last, WarmUpPlan plan) {
        double left = 0;
        boolean known = true;
        for (int i = 0; i < bursts.size(); i++) {
            double most = (double) plan.limit().toMillis() / plan.burst().toMillis()
                    - bursts.get(i).size();
            double own = outcomes.get(i) == null ? burstsLeft(bursts.get(i), plan) : 0;
            known &= own < most;
            left += Math.max(0, Math.min(own, most)) * plan.burst().toMillis() / 1e3;
        }
        Burst burst = bursts.get(last).get(bursts.get(last).size() - 1);
        return text(
                "warm-up %s %.0f s: %.0f/s, JIT %.0f %%, %s",
                known ? "~" : "<", Math.ceil(left), burst.requestsPerSecond(), burst.jitPercent(), guest.name());
    }

    /** So many more bursts, about: until the compiler, as its work has fallen since its most, is quiet; infinite where it has not. */
    private static double burstsLeft(List<Burst> own, WarmUpPlan plan) {
        if (own.isEmpty()) {
            return Double.POSITIVE_INFINITY;
        }
        if (isQuiet(own, plan)) {
            return plan.flatBursts();
        }
        double now = own.get(own.size() - 1).jitPercent();
        double most = own.stream().mapToDouble(Burst::jitPercent).max().orElse(Double.NaN);
        long since = own.size()
                - 1
                - IntStream.range(0, own.size())
                        .filter(i -> own.get(i).jitPercent() == most)
                        .findFirst()
                        .orElse(0);
        return now < most ? since * Math.log(plan.jitPercent() / now) / Math.log(now / most) : Double.POSITIVE_INFINITY;
    }

    private static boolean isQuiet(List<Burst> own, WarmUpPlan plan) {
        return own.get(own.size() - 1).jitPercent() <= plan.jitPercent();
    }

    /** Null as long as more bursts are needed, and may come. */
    private static Outcome outcome(List<Burst> own, WarmUpPlan plan, long start) {
        boolean enough = WarmUp.isEnough(own, plan);
        boolean over = plan.burst().multipliedBy(own.size() + 1L).compareTo(plan.limit()) > 0;
        String reason = enough ? WarmUp.SETTLED : WarmUp.notSettled(plan);
        return enough || over ? new Outcome(enough, reason, (System.nanoTime() - start) / 1e9, List.copyOf(own)) : null;
    }
}
