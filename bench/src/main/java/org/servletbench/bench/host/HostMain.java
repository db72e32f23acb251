package org.servletbench.bench.host;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.servletbench.bench.host.Wire.Reply;
import org.servletbench.bench.host.Wire.Request;
import org.servletbench.bench.model.Daemon;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.server.process.RunFolder;

/**
 * Main class of the JVM on the other machine. It reads requests from its standard input, and writes replies to its
 * standard output. When the input ends, or has been silent for {@value #SILENCE_SECONDS} s, it ends everything that
 * jobs kept, and then itself. So a lost connection leaves no process behind.
 */
public final class HostMain {

    /** Maximum silence. servlet-bench sends a message at least every {@link RemoteJvm#HEARTBEAT_SECONDS}. */
    static final int SILENCE_SECONDS = 20;

    /** File in a connection's folder with the number of its process and its machine, one line each. */
    private static final String OWNER = "owner";

    private final ObjectOutputStream replies;
    private final HostTools tools;
    private final ExecutorService workers = Executors.newCachedThreadPool(new Daemon("servlet-bench-job"));
    private volatile long heardNanos = System.nanoTime();

    private HostMain(ObjectOutputStream replies, HostTools tools) {
        this.replies = replies;
        this.tools = tools;
    }

    /**
     * @param args the folder of this connection, which is created here and deleted at the end
     */
    public static void main(String[] args) throws IOException {
        Path folder = Files.createDirectories(Path.of(args[0]).toAbsolutePath());
        deleteLeft(folder);
        Files.writeString(folder.resolve(OWNER), ProcessHandle.current().pid() + "\n" + place());
        ObjectOutputStream out = new Wire(new BufferedOutputStream(System.out));
        out.flush();
        // The output is reserved for replies.
        System.setOut(System.err);
        HostMain host = new HostMain(out, new HostTools(folder));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            host.tools.closeAll();
            delete(folder);
        }));
        Executors.newSingleThreadScheduledExecutor(new Daemon("servlet-bench-silence"))
                .scheduleAtFixedRate(host::endIfSilent, 1, 1, TimeUnit.SECONDS);
        host.serve();
        System.exit(0);
    }

    private void endIfSilent() {
        if (System.nanoTime() - heardNanos > TimeUnit.SECONDS.toNanos(SILENCE_SECONDS)) {
            System.err.println("servlet-bench: nothing heard for " + SILENCE_SECONDS + " s");
            System.exit(1);
        }
    }

    private void serve() {
        try (ObjectInputStream requests = new ObjectInputStream(System.in)) {
            while (true) {
                Request request = (Request) requests.readObject();
                heardNanos = System.nanoTime();
                workers.execute(() -> reply(request));
            }
        } catch (ClassNotFoundException e) {
            System.err.println("servlet-bench: no class " + e.getMessage());
        } catch (IOException e) {
            // The connection has ended.
        }
    }

    private void reply(Request request) {
        Reply reply;
        try {
            reply = new Reply(request.id(), request.job().run(tools), null);
        } catch (TargetException e) {
            reply = new Reply(request.id(), null, e);
        } catch (Throwable e) {
            // The exception may contain values that cannot be serialized.
            reply = new Reply(
                    request.id(), null, new TargetException(e.getMessage() == null ? e.toString() : e.getMessage()));
        }
        synchronized (replies) {
            try {
                replies.writeObject(reply);
                replies.flush();
                replies.reset();
            } catch (IOException e) {
                System.exit(1);
            }
        }
    }

    /**
     * Deletes folders of connections whose JVM was killed or whose machine went down, because logs of a load are large.
     * Several machines may share a home, so only folders of this machine, and of this process namespace, are deleted.
     */
    private static void deleteLeft(Path own) throws IOException {
        String here = place();
        try (Stream<Path> all = Files.list(own.getParent())) {
            all.forEach(folder -> {
                try {
                    List<String> owner = Files.readAllLines(folder.resolve(OWNER));
                    if (owner.size() == 2
                            && owner.get(1).equals(here)
                            && ProcessHandle.of(Long.parseLong(owner.get(0)))
                                    .filter(ProcessHandle::isAlive)
                                    .isEmpty()) {
                        delete(folder);
                    }
                } catch (IOException | NumberFormatException e) {
                    // The folder belongs to another connection that is starting or ending, or to no connection.
                }
            });
        }
    }

    private static String place() throws IOException {
        return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip() + " "
                + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
    }

    private static void delete(Path folder) {
        try {
            RunFolder.delete(folder);
        } catch (IOException e) {
            System.err.println("servlet-bench: " + e.getMessage());
        }
    }
}
