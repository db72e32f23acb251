package org.servletbench.bench.campaign;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CampaignStore;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.WarmUp;
import org.servletbench.bench.server.process.RunFolder;

/**
 * A warm server of the baseline next to starts under load. It shows how fast the machine is in the meantime. One serves
 * a whole block, so that both copies of the baseline have the same companion.
 */
final class Companion implements AutoCloseable {

    private static final String NAME = "companion";

    private int block;
    /** Null if there is none; the same applies to the target. */
    private Hosting hosting;

    private Target target;

    /**
     * Returns the companion of a block. It is started and warmed up before its first use.
     *
     * @throws TargetException if it does not start or answer; no server of an arm has failed then
     */
    Target of(int asked, Session.Context context) {
        if (target != null && block == asked && target.death().isEmpty()) {
            return target;
        }
        close();
        try {
            start(asked, context);
            warmUp(asked, context);
        } catch (TargetException e) {
            // The next companion starts and warms up anew.
            close();
            String why = "the companion: " + e.getMessage();
            throw e.refusal()
                    .map(refusal -> TargetException.refusal(refusal, why))
                    .orElseGet(() -> new TargetException(why));
        }
        return target;
    }

    private void start(int asked, Session.Context context) {
        Prepared prepared = context.prepared();
        Arm baseline = prepared.campaign().arms().stream()
                .filter(arm -> arm.role() == Arm.Role.BASELINE)
                .findFirst()
                .orElseThrow();
        CampaignStore store = prepared.store();
        Path folder = store.make(store.block(asked)).resolve(RunFolder.name(NAME));
        context.watch().phase(asked, NAME, "start");
        block = asked;
        hosting = Hosting.connect(
                prepared.machine().machines(), List.of(baseline), Optional.empty(), context.watch()::say);
        target = context.servers().start(hosting, baseline, asked, folder);
    }

    private void warmUp(int asked, Session.Context context) {
        WarmUp.Outcome outcome = GroupWarmUp.run(
                        List.of(new RunningServer(NAME, target, workloads(context.prepared()), Set.of())),
                        context.prepared().procedure().warmUp(),
                        false,
                        line -> context.watch().phase(asked, NAME, line))
                .outcomes()
                .get(0);
        target.warmedUp(outcome);
        if (!outcome.settled()) {
            context.watch().say("block " + asked + ": the companion may still be warming up: " + outcome.reason());
        }
    }

    /** Returns the workload of starts under load: the campaign's first. */
    static List<Workload> workloads(Prepared prepared) {
        return prepared.workloads().subList(0, 1);
    }

    @Override
    public void close() {
        if (target != null) {
            target.close();
            target = null;
        }
        if (hosting != null) {
            hosting.close();
            hosting = null;
        }
    }
}
