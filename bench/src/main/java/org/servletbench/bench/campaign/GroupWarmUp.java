package org.servletbench.bench.campaign;

import static org.servletbench.bench.model.Text.text;

import java.time.Duration;
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
 * turns, and a server that has settled leaves the round. What warm-up waits for is the JIT compiler: as long as one has more to do
 * than it can, the bursts of its server are short and followed by pauses, in which all compilers have the processors.
 */
public final class GroupWarmUp {

    /**
     * A server that is up, to be warmed up and loaded.
     *
     * @param workloads what it is sent, in turn; without any it is left cold
     */
    public record Guest(String name, Target target, List<Workload> workloads) {}

    /** A compiler that worked for more of a burst's time, in percent, has methods that wait. */
    private static final double BACKLOG_PERCENT = 80;
    /** By this a burst is shorter then: some 20,000 requests have a method compiled, more are for nothing. */
    private static final int SHORTER = 4;

    /** What a server has had so far. */
    private static final class Progress {
        final List<Burst> bursts = new ArrayList<>();
        /** With pauses; the limit is about it. */
        Duration spent = Duration.ZERO;
        /** Null as long as more bursts are needed, and may come. */
        Outcome outcome;

        Burst last() {
            return bursts.get(bursts.size() - 1);
        }

        /** Before the first burst there is all to compile. */
        boolean hasBacklog() {
            return bursts.isEmpty() || last().jitPercent() > BACKLOG_PERCENT;
        }

        boolean isQuiet(WarmUpPlan plan) {
            return last().jitPercent() <= plan.jitPercent();
        }
    }

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
        List<Progress> all = new ArrayList<>();
        for (Guest guest : guests) {
            Progress own = new Progress();
            own.outcome = guest.workloads().isEmpty()
                    ? new Outcome(true, "it serves nothing of what is measured", 0, List.of())
                    : null;
            all.add(own);
        }
        long start = System.nanoTime();
        for (long left = left(all); left > 0; left = left(all)) {
            for (int i = 0; i < guests.size(); i++) {
                Progress own = all.get(i);
                if (own.outcome == null) {
                    burst(guests.get(i), own, plan, left == 1, start);
                    progress.accept(words(guests.get(i), all, own, plan));
                }
            }
        }
        return all.stream().map(own -> own.outcome).toList();
    }

    private static long left(List<Progress> all) {
        return all.stream().filter(own -> own.outcome == null).count();
    }

    private static void burst(Guest guest, Progress own, WarmUpPlan plan, boolean alone, long start) {
        boolean whole = !own.hasBacklog();
        Duration length = whole ? plan.burst() : plan.burst().dividedBy(SHORTER);
        own.bursts.add(guest.target().burst(guest.name(), guest.workloads(), plan.users(), length));
        own.spent = own.spent.plus(length);
        // A compilation counts at its end: a short burst may seem quiet in the middle of one.
        boolean enough = whole && WarmUp.isEnough(own.bursts, plan);
        boolean over = own.spent.plus(plan.burst()).compareTo(plan.limit()) > 0;
        if (enough || over) {
            String reason = enough ? WarmUp.SETTLED : WarmUp.notSettled(plan);
            own.outcome = new Outcome(enough, reason, (System.nanoTime() - start) / 1e9, List.copyOf(own.bursts));
        } else if (alone && !own.isQuiet(plan)) {
            // Else the bursts of the others are the pause in which its compiler catches up.
            TargetException.sleep(plan.pause(), "the server was warmed up");
            own.spent = own.spent.plus(plan.pause());
        }
    }

    private static String words(Guest guest, List<Progress> all, Progress own, WarmUpPlan plan) {
        double left = 0;
        boolean known = true;
        for (Progress one : all) {
            double most = plan.limit().minus(one.spent).toMillis() / 1e3;
            double seconds = one.outcome == null ? secondsLeft(one, plan) : 0;
            known &= seconds < most;
            left += Math.max(0, Math.min(seconds, most));
        }
        return text(
                "warm-up %s %.0f s: %.0f/s, JIT %.0f %%, %s",
                known ? "~" : "<",
                Math.ceil(left),
                own.last().requestsPerSecond(),
                own.last().jitPercent(),
                guest.name());
    }

    /** About: until the compiler, as its work has fallen since its most, is quiet; infinite where it has not. */
    private static double secondsLeft(Progress own, WarmUpPlan plan) {
        if (own.bursts.isEmpty()) {
            return Double.POSITIVE_INFINITY;
        }
        double burst = plan.burst().toMillis() / 1e3;
        if (own.isQuiet(plan)) {
            return burst * plan.flatBursts();
        }
        double now = own.last().jitPercent();
        double most = own.bursts.stream().mapToDouble(Burst::jitPercent).max().orElse(Double.NaN);
        long since = own.bursts.size()
                - 1
                - IntStream.range(0, own.bursts.size())
                        .filter(i -> own.bursts.get(i).jitPercent() == most)
                        .findFirst()
                        .orElse(0);
        return now < most
                ? burst * since * Math.log(plan.jitPercent() / now) / Math.log(now / most)
                : Double.POSITIVE_INFINITY;
    }
}
