package org.servletbench.bench.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

/** A server of ours, with a monitor beside it until it is stopped. */
abstract sealed class WatchedTarget implements Target permits OwnTarget, NginxTarget {

    private final RunFolder folder;
    private final ServerRecord serverRecord;
    private final OthersMeter others = ProcessMeters.newOthers();
    private final AtomicBoolean closed = new AtomicBoolean();
    private JvmMonitor monitor;
    private volatile ProcessHandle generator = ProcessHandle.current();

    WatchedTarget(RunFolder folder, ServerRecord serverRecord) {
        this.folder = folder;
        this.serverRecord = serverRecord;
    }

    /** The subclass can be asked for samples now. */
    final void watch() throws IOException {
        monitor = JvmMonitor.start(this::sample, folder.file("monitor.csv"));
        OthersMeter.up(this);
    }

    /** One row of the monitor. */
    abstract Map<String, String> sample() throws IOException;

    /** Ends the server; returns when it has gone. */
    abstract void stop();

    /** What the machine says of this process, and of the generator. */
    final Map<String, String> machine(long pid) {
        return new ProcessMeters(pid, generator.pid(), others).sample();
    }

    @Override
    public final OptionalLong mark() {
        return monitor.mark();
    }

    @Override
    public final void watchGenerator(ProcessHandle process) {
        generator = process;
    }

    @Override
    public final Path folder() {
        return folder.path();
    }

    @Override
    public final void warmedUp(WarmUp.Outcome outcome) {
        serverRecord.put("warm-up", outcome);
    }

    @Override
    public final void close(String how) {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        monitor.close();
        OthersMeter.down(this);
        stop();
        death().ifPresent(reason -> serverRecord.put("died", reason));
        serverRecord.put(
                "ended", death().map(reason -> "died under load: " + reason).orElse(how));
    }
}
