package org.servletbench.bench.server.proof;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.model.Daemon;
import org.servletbench.bench.model.OwnFiles;
import org.servletbench.bench.server.agent.ProbeAgent;

/**
 * A connection from servlet-bench into a server's JVM. It attaches locally, loads {@link ProbeAgent} and sends it
 * questions over a Unix domain socket in a folder that only this user can open. Neither side opens a TCP port.
 */
public final class JvmProbe implements AutoCloseable {

    static final List<String> AGENT_CLASSES =
            List.of(("ProbeAgent Answer JvmSample JvmSample$Totals ThreadRoles HeldRequests ConnectionWaits"
                            + " ServerIdentity ArchivedClasses Reflect CompileQueue DiagnosticCommands FinalC1Code")
                    .split(" "));
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    /**
     * Longest wait for an answer. A JVM whose heap is nearly full may collect garbage for a long time before it
     * answers.
     */
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(60);

    private static final ScheduledExecutorService TIMER =
            Executors.newSingleThreadScheduledExecutor(new Daemon("servlet-bench-patience"));

    private final SocketChannel channel;
    private final Duration patience;
    private final BufferedReader answers;

    private JvmProbe(SocketChannel channel, Duration patience) {
        this.channel = channel;
        this.patience = patience;
        answers = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
    }

    /** An operation on a channel that may block forever. */
    private interface Waiting<T> {
        T end() throws IOException;
    }

    /** Waits this long, then closes the channel, because a suspended process never answers. */
    private static <T> T within(Duration patience, Channel channel, Waiting<T> waiting, String late)
            throws IOException {
        AtomicBoolean over = new AtomicBoolean();
        Callable<Void> closing = () -> {
            over.set(true);
            channel.close();
            return null;
        };
        Future<Void> timer = TIMER.schedule(closing, patience.toMillis(), TimeUnit.MILLISECONDS);
        try {
            return waiting.end();
        } catch (IOException e) {
            throw over.get() ? new IOException(late + " within " + patience.toSeconds() + " s") : e;
        } finally {
            timer.cancel(false);
        }
    }

    /** Attaches to the JVM with this process id. */
    public static JvmProbe attach(long pid) throws IOException {
        return attach(pid, ANSWERS_WITHIN);
    }

    /** @param patience longest wait for an answer */
    public static JvmProbe attach(long pid, Duration patience) throws IOException {
        Path folder = OwnFiles.folder();
        Path socket = folder.resolve("probe");
        Path jar = folder.resolve("probe-agent.jar");
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            writeAgentJar(jar);
            listener.bind(UnixDomainSocketAddress.of(socket));
            loadAgent(pid, jar, socket);
            return new JvmProbe(within(PATIENCE, listener, listener::accept, "the probe did not call back"), patience);
        } finally {
            Files.deleteIfExists(socket);
            Files.deleteIfExists(jar);
            Files.deleteIfExists(folder);
        }
    }

    /** Writes the agent as a separate jar, so that nothing else of servlet-bench gets onto the server's class path. */
    private static void writeAgentJar(Path file) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Agent-Class", ProbeAgent.class.getName());
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out, manifest)) {
            for (String name : AGENT_CLASSES) {
                String entry = ProbeAgent.class.getPackageName().replace('.', '/') + "/" + name + ".class";
                try (InputStream in = ProbeAgent.class.getClassLoader().getResourceAsStream(entry)) {
                    if (in == null) {
                        throw new IOException("the rig lacks " + entry);
                    }
                    jar.putNextEntry(new JarEntry(entry));
                    in.transferTo(jar);
                    jar.closeEntry();
                }
            }
        }
    }

    private static void loadAgent(long pid, Path jar, Path socket) throws IOException {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
            try {
                machine.loadAgent(jar.toString(), socket.toString());
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException | AgentLoadException | AgentInitializationException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Returns the identity that the running server reports: container, version, connector, JVM options. */
    public Map<String, String> identify() throws IOException {
        return ask("identify");
    }

    /**
     * Returns the JVM's meters in a fixed order, in bytes, ms or counts, as the keys say. The first is {@code time.ms},
     * the time of the reading.
     */
    public Map<String, String> sample() throws IOException {
        return ask("sample");
    }

    /**
     * Returns the number of methods that are waiting for the JIT compiler or being compiled; empty if the JVM does not
     * report it.
     */
    public OptionalInt backlog() throws IOException {
        String backlog = ask("backlog").get(MonitorSeries.BACKLOG);
        return backlog.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(backlog));
    }

    /**
     * Returns the methods whose code of C1 is final: {@code java/util/ArrayList.size}. It is empty if the JVM does not
     * report them.
     */
    Set<String> finalC1Code() throws IOException {
        String methods = ask("compiled").get("compiler.final");
        return methods.isEmpty() ? Set.of() : Set.of(methods.split(" "));
    }

    /**
     * Returns the number of requests that are waiting in the target app's handler.
     *
     * @param what {@code close} makes requests wait from now on; {@code inside} changes nothing; {@code open} releases
     *     all requests
     * @return number of waiting requests
     * @throws IOException if it is not our own application, or has gone
     */
    int held(String what) throws IOException {
        Map<String, String> answer = ask("held " + what);
        if (answer.containsKey("error")) {
            throw new IOException(answer.get("error"));
        }
        return Integer.parseInt(answer.get("inside"));
    }

    private synchronized Map<String, String> ask(String question) throws IOException {
        return within(patience, channel, () -> answer(question), "the server's JVM did not answer");
    }

    private Map<String, String> answer(String question) throws IOException {
        channel.write(ByteBuffer.wrap((question + "\n").getBytes(StandardCharsets.UTF_8)));
        Map<String, String> answer = new LinkedHashMap<>();
        for (String line = answers.readLine(); ; line = answers.readLine()) {
            if (line == null) {
                throw new IOException("the server's JVM has gone");
            }
            if (line.isEmpty()) {
                return answer;
            }
            int equals = line.indexOf('=');
            answer.put(line.substring(0, equals), line.substring(equals + 1));
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
