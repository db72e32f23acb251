package org.servletbench.bench.campaign;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import org.servletbench.bench.host.Machines;
import org.servletbench.bench.host.RemoteTarget;
import org.servletbench.bench.host.TargetHost;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.os.Processors;
import org.servletbench.bench.server.process.Collector;
import org.servletbench.bench.server.process.TargetSpec;

/**
 * Where the servers of one session run.
 *
 * @param host another machine, connected until this is closed; empty for this machine
 * @param collector collector to which servers export, until this is closed; empty if no server exports
 * @param answers receives each server on this machine at its first answer
 */
record Hosting(Optional<TargetHost> host, Optional<Collector> collector, Consumer<Target.Answering> answers)
        implements AutoCloseable {

    /**
     * @param arms arms whose servers will be started; if one may export, a collector is started, too
     *
     * @param processors division of processors, so that the collector runs where the generator does; empty if there is
     *     none
     * @throws TargetException if there is another machine and it cannot be used
     */
    static Hosting connect(Machines machines, List<Arm> arms, Optional<Processors> processors, Consumer<String> say) {
        Optional<TargetHost> host = machines.target().map(any -> TargetHost.connect(machines));
        host.ifPresent(one -> say.accept(one.clock().describe(one.name())));
        boolean collects = arms.stream().anyMatch(arm -> arm.spec().exports() != null);
        return new Hosting(
                host,
                collects
                        ? Optional.of(
                                Collector.start(processors.map(division -> Processors.list(division.generator()))))
                        : Optional.empty(),
                any -> {});
    }

    /** Returns a view of this for a server that is under load from its first answer on. It is closed with this one. */
    Hosting loading(Consumer<Target.Answering> load) {
        return new Hosting(host, collector, load);
    }

    /** Returns where the server of an arm exports to, or would export to; empty if the arm does not mention exports. */
    Optional<URI> collector(Arm arm) {
        return collector.filter(any -> arm.spec().exports() != null).map(one -> one.address(arm.id()));
    }

    Target start(TargetSpec spec, Path folder) {
        return host.isPresent() ? RemoteTarget.start(host.get(), spec, folder) : Target.start(spec, folder, answers);
    }

    /**
     * Starts servers, as many at a time as there are processors, because a starting JVM waits for its disk and mostly
     * uses one thread.
     */
    static void startAll(List<Session.Slot> slots, Function<Session.Slot, Target> start) {
        ExecutorService starters = Executors.newFixedThreadPool(
                Math.min(slots.size(), Runtime.getRuntime().availableProcessors()));
        try {
            List<Callable<Target>> starts = slots.stream()
                    .<Callable<Target>>map(slot -> () -> slot.target = start.apply(slot))
                    .toList();
            for (Future<Target> one : starters.invokeAll(starts)) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof TargetException known ? known : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            throw TargetException.interrupted("servers started");
        } finally {
            starters.shutdown();
        }
    }

    /** @throws TargetException if the other machine's clock moved relative to this one's */
    void requireSameClock() {
        host.ifPresent(TargetHost::requireSameClock);
    }

    @Override
    public void close() {
        collector.ifPresent(Collector::close);
        host.ifPresent(TargetHost::close);
    }
}
