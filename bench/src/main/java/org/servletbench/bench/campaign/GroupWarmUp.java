package org.servletbench.bench.campaign;

import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.servletbench.bench.measure.TopTier;
import org.servletbench.bench.measure.WarmCode;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.WarmUp;
import org.servletbench.bench.server.WarmUp.Burst;
import org.servletbench.bench.server.WarmUp.Outcome;

/**
 * Warms up several servers that are up at once, on all processors, until their threads run almost only code of the best
 * compiler ({@link WarmCode}). If the code of one of them cannot be sampled, {@link WarmUp#isEnough} decides for all of
 * them. Servers take turns with bursts of load, so that a server's JIT compiler can catch up during the bursts of
 * others. If all compilers are busy, all bursts pause.
 */
public final class GroupWarmUp {

    /** Progress of one server's warm-up. */
    private static final class Progress {
        final RunningServer server;
        final List<Burst> bursts = new ArrayList<>();
        /** Time spent on bursts, and on waiting for the compiler before them. */
        Duration spent = Duration.ZERO;
        /** Null while more bursts are needed and allowed. */
        Outcome outcome;
        /** Samples of its code; unused if the code of one server cannot be sampled. */
        final WarmCode code;
        /** Duration of the bursts since the last look at the samples, s. */
        double unseen;

        Progress(RunningServer server, boolean again) {
            this.server = server;
            TopTier top = server.target().topTier();
            this.code = again ? WarmCode.beforeLoad(top) : new WarmCode(top);
            if (sent().isEmpty()) {
                String why =
                        server.workloads().isEmpty() ? "it serves nothing of what is measured" : "its load warms it up";
                outcome = new Outcome(true, why, 0, List.of());
            }
        }

        /** Returns the workloads to send, which are those whose requests are known. */
        List<Workload> sent() {
            return server.workloads().stream().filter(Workload::isKnown).toList();
        }

        int backlog() {
            return server.target().compilerBacklog().orElse(0);
        }

        boolean isWatched() {
            return outcome == null && server.target().isJvm();
        }
    }

    /**
     * Result of a warm-up.
     *
     * @param outcomes outcome of each server, in their order
     * @param unseen why no code was sampled; empty if it was sampled in every JVM
     */
    public record Ended(List<Outcome> outcomes, Optional<String> unseen) {}

    private final WarmUpPlan plan;
    private final List<Progress> all;
    private final long start = System.nanoTime();
    /** Why no code is sampled; empty if it is sampled. */
    private Optional<String> unseen = Optional.empty();
    /** Index of the server that had the last burst. */
    private int last = -1;

    private GroupWarmUp(List<RunningServer> servers, WarmUpPlan plan, boolean again) {
        this.plan = plan;
        this.all = servers.stream().map(server -> new Progress(server, again)).toList();
    }

    /**
     * Warms up all servers.
     *
     * @param plan limits; {@link WarmUpPlan#limit} applies to each server's own bursts and the waits before them
     * @param again true if code is sampled again under every load, before anything is counted
     * @param progress receives one line for each burst
     * @throws TargetException if a server dies or does not answer
     */
    public static Ended run(List<RunningServer> servers, WarmUpPlan plan, boolean again, Consumer<String> progress) {
        if (!plan.isWanted()) {
            return new Ended(
                    servers.stream()
                            .map(server -> new Outcome(false, WarmUp.NOT_WANTED, 0, List.of()))
                            .toList(),
                    Optional.empty());
        }
        GroupWarmUp group = new GroupWarmUp(servers, plan, again);
        List<Progress> watched = group.all.stream().filter(Progress::isWatched).toList();
        try {
            group.unseen = startCode(watched);
            while (group.cold() > 0) {
                Progress next = group.next();
                group.burst(next);
                progress.accept(group.words(next));
            }
        } finally {
            watched.forEach(own -> own.server.target().stopCode());
        }
        return new Ended(group.all.stream().map(own -> own.outcome).toList(), group.unseen);
    }

    /** Starts sampling on all servers. If one cannot be sampled, samples none and returns the reason. */
    private static Optional<String> startCode(List<Progress> watched) {
        for (Progress own : watched) {
            try {
                own.server.target().startCode();
            } catch (IOException e) {
                watched.forEach(one -> one.server.target().stopCode());
                return Optional.of(own.server.name() + ": " + e.getMessage());
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the servers with the workloads of a warm-up. If all loads of a workload have fixed rates, every user is
     * new, and its login is one of its requests.
     */
    static List<RunningServer> underNewUsers(List<RunningServer> servers, List<MeasuredLoad> loads) {
        return servers.stream()
                .map(server -> new RunningServer(
                        server.name(),
                        server.target(),
                        server.workloads().stream()
                                .map(one -> hasRatesOnly(one, loads) ? one.ofNewUsers() : one)
                                .toList(),
                        server.settingCookies()))
                .toList();
    }

    private static boolean hasRatesOnly(Workload workload, List<MeasuredLoad> loads) {
        return loads.stream()
                .filter(load -> load.workload().equals(workload.name()))
                .allMatch(load -> load.rate() > 0);
    }

    private long cold() {
        return all.stream().filter(own -> own.outcome == null).count();
    }

    /**
     * Returns the next server in turn whose compiler has little to do. After the longest pause, returns the next one in
     * any case.
     */
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
                if (late || own.backlog() <= (unseen.isEmpty() ? WarmUp.FULL / 2 : 0)) {
                    Progress chosen = late ? first : own;
                    chosen.spent = chosen.spent.plus(waited);
                    last = all.indexOf(chosen);
                    return chosen;
                }
            }
            TargetException.sleep(WarmUp.LOOK, "warming up the server");
            waited = waited.plus(WarmUp.LOOK);
        }
    }

    private void burst(Progress own) {
        RunningServer server = own.server;
        Burst burst = server.target().burst(server.name(), own.sent(), plan.users(), plan.burst());
        own.bursts.add(burst);
        own.spent = own.spent.plus(Duration.ofMillis(Math.round(1000 * burst.seconds())));
        boolean enough = isEnough(own, burst);
        if (enough || own.spent.plus(plan.burst()).compareTo(plan.limit()) > 0) {
            boolean byCode = isByCode(own);
            String reason = byCode ? own.code.reason() : enough ? WarmUp.SETTLED : WarmUp.notSettled(plan);
            own.outcome = new Outcome(
                    enough,
                    reason,
                    (System.nanoTime() - start) / 1e9,
                    List.copyOf(own.bursts),
                    byCode ? own.code.seen() : null);
        }
    }

    private boolean isByCode(Progress own) {
        return unseen.isEmpty() && own.server.target().isJvm();
    }

    private boolean isEnough(Progress own, Burst burst) {
        Target target = own.server.target();
        if (!isByCode(own)) {
            return WarmUp.isEnough(own.bursts, plan);
        }
        own.unseen += burst.seconds();
        if (own.unseen < plan.burst().toMillis() / 1e3 / 2) {
            return false;
        }
        try {
            own.unseen = 0;
            return own.code.add(target.code());
        } catch (IOException e) {
            throw new TargetException(own.server.name() + ": its code could no longer be seen during the warm-up: "
                    + target.death().orElse(e.getMessage()));
        }
    }

    private String words(Progress own) {
        Burst burst = own.bursts.get(own.bursts.size() - 1);
        return text(
                        "warm-up, %d of %d servers warm: %s %s",
                        all.size() - cold(), all.size(), own.server.name(), WarmUp.speed(burst, "%.0f/s"))
                + (isByCode(own) ? ", " + own.code.words() : WarmUp.backlog(burst));
    }
}
