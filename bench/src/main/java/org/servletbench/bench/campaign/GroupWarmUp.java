package org.servletbench.bench.campaign;

import static org.servletbench.bench.model.Text.text;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.WarmUp;
import org.servletbench.bench.server.WarmUp.Burst;
import org.servletbench.bench.server.WarmUp.Outcome;

/**
 * Warms up several servers that are up at once, on all processors, by the evidence of {@link WarmUp#isEnough}. Bursts go round: the
 * next is that of the next server whose JIT compiler has nothing to do. The bursts of the others are the pause in which a compiler
 * catches up; where all of them have work, nobody bursts.
 */
public final class GroupWarmUp {

    /** One server's way to warmth. */
    private static final class Progress {
        final RunningServer server;
        final List<Burst> bursts = new ArrayList<>();
        /** Bursts, and waits before them. */
        Duration spent = Duration.ZERO;
        /** Null as long as more bursts are needed, and may come. */
        Outcome outcome;

        Progress(RunningServer server) {
            this.server = server;
            if (sent().isEmpty()) {
                String why =
                        server.workloads().isEmpty() ? "it serves nothing of what is measured" : "its load warms it up";
                outcome = new Outcome(true, why, 0, List.of());
            }
        }

        /** What the rig knows to send. */
        List<Workload> sent() {
            return server.workloads().stream().filter(Workload::isKnown).toList();
        }

        boolean isIdle() {
            return server.target().compilerBacklog().orElse(0) == 0;
        }
    }

    private final WarmUpPlan plan;
    private final List<Progress> all;
    private final long start = System.nanoTime();
    /** Index of the server that had the last burst. */
    private int last = -1;

    private GroupWarmUp(List<RunningServer> servers, WarmUpPlan plan) {
        this.plan = plan;
        this.all = servers.stream().map(Progress::new).toList();
    }

    /**
     * Warms them all up.
     *
     * @param plan the limits: {@link WarmUpPlan#limit} is for each server's own bursts and the waits before them
     * @param progress gets one line for each burst
     * @return how it went, in the servers' order
     * @throws TargetException if a server dies or does not answer
     */
    public static List<Outcome> run(List<RunningServer> servers, WarmUpPlan plan, Consumer<String> progress) {
        if (!plan.isWanted()) {
            return servers.stream()
                    .map(server -> new Outcome(false, WarmUp.NOT_WANTED, 0, List.of()))
                    .toList();
        }
        GroupWarmUp group = new GroupWarmUp(servers, plan);
        while (group.cold() > 0) {
            Progress next = group.next();
            group.burst(next);
            progress.accept(group.words(next));
        }
        return group.all.stream().map(own -> own.outcome).toList();
    }

    /** What these are warmed up with: where all of a workload's loads have rates every user is new, and its login is counted. */
    static List<RunningServer> underNewUsers(List<RunningServer> servers, List<Cell> cells) {
        return servers.stream()
                .map(server -> new RunningServer(
                        server.name(),
                        server.target(),
                        server.workloads().stream()
                                .map(one -> hasRatesOnly(one, cells) ? one.ofNewUsers() : one)
                                .toList(),
                        server.settingCookies()))
                .toList();
    }

    private static boolean hasRatesOnly(Workload workload, List<Cell> cells) {
        return cells.stream()
                .filter(cell -> cell.workload().equals(workload.name()))
                .allMatch(cell -> cell.rate() > 0);
    }

    private long cold() {
        return all.stream().filter(own -> own.outcome == null).count();
    }

    /** The next server after the last whose compiler has nothing to do; after the longest pause the next one all the same. */
    private Progress next() {
        Duration waited = Duration.ZERO;
        while (true) {
            Progress first = null;
            for (int step = 1; step <= all.size(); step++) {
                int index = (last + step) % all.size();
                Progress own = all.get(index);
                if (own.outcome != null) {
                    continue;
                }
                first = first == null ? own : first;
                boolean late = waited.compareTo(plan.pause()) >= 0;
                if (late || own.isIdle()) {
                    Progress chosen = late ? first : own;
                    chosen.spent = chosen.spent.plus(waited);
                    last = all.indexOf(chosen);
                    return chosen;
                }
            }
            TargetException.sleep(WarmUp.LOOK, "the server was warmed up");
            waited = waited.plus(WarmUp.LOOK);
        }
    }

    private void burst(Progress own) {
        RunningServer server = own.server;
        Burst burst = server.target().burst(server.name(), own.sent(), plan.users(), plan.burst());
        own.bursts.add(burst);
        own.spent = own.spent.plus(Duration.ofMillis(Math.round(1000 * burst.seconds())));
        boolean enough = WarmUp.isEnough(own.bursts, plan);
        if (enough || own.spent.plus(plan.burst()).compareTo(plan.limit()) > 0) {
            String reason = enough ? WarmUp.SETTLED : WarmUp.notSettled(plan);
            own.outcome = new Outcome(enough, reason, (System.nanoTime() - start) / 1e9, List.copyOf(own.bursts));
        }
    }

    private String words(Progress own) {
        Burst burst = own.bursts.get(own.bursts.size() - 1);
        return text(
                        "warm-up, %d of %d servers warm: %s %s",
                        all.size() - cold(), all.size(), own.server.name(), WarmUp.speed(burst, "%.0f/s"))
                + WarmUp.backlog(burst);
    }
}
