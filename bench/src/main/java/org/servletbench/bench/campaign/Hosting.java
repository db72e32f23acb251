package org.servletbench.bench.campaign;

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
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.process.TargetSpec;

/**
 * Location of the servers of one session.
 *
 * @param host another machine, connected until this is closed; empty: this one
 */
record Hosting(Optional<TargetHost> host) implements AutoCloseable {

    /** @throws TargetException if there is another machine and it cannot be used */
    static Hosting connect(Machines machines, Consumer<String> say) {
        Optional<TargetHost> host = machines.target().map(any -> TargetHost.connect(machines));
        host.ifPresent(one -> say.accept(one.clock().describe(one.name())));
        return new Hosting(host);
    }

    Target start(TargetSpec spec, Path folder) {
        return host.isPresent() ? RemoteTarget.start(host.get(), spec, folder) : Target.start(spec, folder);
    }

    /** Starts them, as many at a time as there are processors: a starting JVM waits for its disk and its one main thread. */
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
        host.ifPresent(TargetHost::close);
    }
}
