package org.servletbench.bench.load.tool;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.servletbench.bench.host.HostFiles;
import org.servletbench.bench.host.RemoteJvm;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.LoadHost;
import org.servletbench.bench.load.ToolWatch;

/** A command-line generator on a load host: the same process there; what it leaves is brought back and read here. */
final class ToolOnHost {

    private static final long LOOK_MILLIS = 100;

    private ToolOnHost() {}

    /**
     * Runs its process to the end. If this fails, the process goes on until the connection ends.
     *
     * @param folder of the run here; that of the same name there gets the files
     * @return what ended, by this machine's clock
     * @throws LoadException see {@link CommandLineGenerator#run}; also if the connection is lost
     */
    static ToolProcess.Ended execute(
            CommandLineGenerator tool, ToolLoad load, Path folder, LoadHost host, ToolWatch watch) {
        CompletableFuture<ToolProcess.Ended> running = send(host.jvm(), tool.name(), load, there(folder, host));
        try {
            while (true) {
                try {
                    return running.get(LOOK_MILLIS, TimeUnit.MILLISECONDS).by(host.clock());
                } catch (TimeoutException e) {
                    watch.death().ifPresent(death -> {
                        throw new LoadException("the server died under load: " + death);
                    });
                }
            }
        } catch (ExecutionException e) {
            throw new LoadException(
                    tool.name() + " on " + host.name() + ": " + e.getCause().getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LoadException("interrupted under load");
        }
    }

    private static CompletableFuture<ToolProcess.Ended> send(RemoteJvm jvm, String tool, ToolLoad load, String there) {
        return jvm.send(here -> CommandLineGenerator.named(tool)
                .execute(load, Files.createDirectories(Path.of(there)), Optional.empty(), ToolWatch.NOBODY));
    }

    /** Brings the files of a run that has ended. */
    static void bring(Path folder, LoadHost host) {
        HostFiles.bringAll(host.jvm(), there(folder, host), folder);
    }

    private static String there(Path folder, LoadHost host) {
        return host.folder() + "/" + folder.getFileName();
    }
}
